"""Challenges: where the scale type changes."""

from __future__ import annotations

from irviz.labs.goals import Challenge, Goal

CHALLENGES = (
    Challenge(
        title="Find the smallest number of documents at which ERR, with two grades, is no longer ordinal.",
        goal=Goal.read("measure = ERR; grades = 2; scale = neither; scale with one document less = ordinal"),
        hint="ERR keeps the order of short runs. Add documents one by one until the figure shows a step down.",
        start={"measure": "ERR", "depth": "3"},
        solution={"depth": "5"},
    ),
    Challenge(
        title="With three grades, find the p at which RBP is an interval scale.",
        goal=Goal.read("measure = RBP; grades = 3; documents >= 3; scale = interval"),
        hint="The turning point is G/(G + 1), where G is the smallest step between gains, divided by the highest gain: "
        "with three grades G is 1/2.",
        start={"grades": "3", "p": "0.8"},
        solution={"p": "0.3333333333333333"},
    ),
    Challenge(
        title="Find a p and a number of documents for which the last document makes RBP lose the order.",
        goal=Goal.read("measure = RBP; scale = neither; scale with one document less = ordinal"),
        hint="Above 1/2 the documents further down can outweigh one further up, if there are enough of them.",
        solution={"p": "0.6", "depth": "4"},
    ),
)
