"""The lab as a page of the menu: what goals can be about, and its challenges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviz.labs.conventions.panel import CONTROLS, panel
from irviz.labs.conventions.steps import STEPS
from irviz.labs.conventions.ties import toy_bounds
from irviz.labs.conventions.tools import both, mean_score
from irviz.labs.conventions.yours import ties_refused
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lesson import Lesson, lab_page
from irviz.labs.quiz import list_quiz


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """Both numbers, how many conventions differ, and what ties leave open."""
    first, second = both(values)
    one, other = mean_score(values, first), mean_score(values, second)
    found: dict[str, Reading] = {
        "first number": one,
        "second number": other,
        "difference": other - one,
        "conventions that differ": len(first.differing(second, values["kind"])),
        "topics without an answer": values["lost"],
    }
    if not ties_refused(values["kind"], values["k"], first):
        ends = toy_bounds(values, first)
        low, middle, high = (float(x[0, 0]) for x in (ends.lowest, ends.expected, ends.highest))
        found |= {"lowest": low, "expected": middle, "highest": high, "left open by ties": high - low}
    return found


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
#: the measures that the quiz asks about
_QUIZ_MEASURES = ("AP", "AP(rel=2)@3", "nDCG@5", "nDCG(dcg='exp-log2')@5", "P@3", "ERR")

PAGE = lab_page(
    name="lab_conventions",
    title="Lab: conventions",
    question="Two tools, one run, one measure, two numbers: which convention makes the difference?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES, quiz=list_quiz(_QUIZ_MEASURES)),
)
