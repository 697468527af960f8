"""Challenges: which conventions lead to a number."""

from __future__ import annotations

from irviz.labs.goals import Challenge, Goal

SAME_TOOL = {"second": "trec_eval-c"}
CHALLENGES = (
    Challenge(
        title="You get a mean AP of 0.2429 for this run and a colleague reports 0.6667. Which conventions did they "
        "use?",
        goal=Goal.read("first number = 0.2429; second number = 0.6667"),
        hint="More than one convention differs. Which one raises a mean by leaving out topics without an answer, "
        "and what is AP divided by? A tool may do both.",
        start=SAME_TOOL,
        solution={"second": "cwl_eval"},
    ),
    Challenge(
        title="Change one convention only, so that the mean AP changes by more than 0.15.",
        goal=Goal.read("conventions that differ = 1; difference > 0.15"),
        hint="The list lacks relevant documents. Which convention decides whether they count?",
        start=SAME_TOOL,
        solution={"base": "retrieved"},
    ),
    Challenge(
        title="Make a list on which AP varies by more than 0.5 with the order of tied documents.",
        goal=Goal.read("left open by ties > 0.5"),
        hint="Brackets give documents the same score: (1,0,0). AP moves most where few documents are relevant.",
        start=SAME_TOOL,
        solution={"list": "(1,0,0)", "missed": ""},
    ),
)
