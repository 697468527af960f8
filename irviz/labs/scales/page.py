"""The lab as a page of the menu: what goals can be about, and its challenges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lesson import Lesson, lab_page
from irviz.labs.quiz import list_quiz
from irviz.labs.scales.panel import CONTROLS, chosen_measure, enumerated, fitting_depth, panel
from irviz.labs.scales.steps import STEPS
from irviz.measures.cascade import RBP


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """The scale type of the measure, at this length and one document shorter, and its steps."""
    one = chosen_measure(values)
    depth = fitting_depth(one, values["grades"], values["depth"])
    found = enumerated(str(one), values["grades"], depth)
    shorter = enumerated(str(one), values["grades"], depth - 1) if depth > 1 else found
    step = np.diff(found.values)
    persistence: dict[str, Reading] = {"p": float(one.p)} if isinstance(one, RBP) else {}
    return {
        "measure": one.symbol,
        **persistence,
        "grades": len(found.grades),
        "documents": depth,
        "scale": found.kind,
        "scale with one document less": shorter.kind,
        "scale at every length": found.theory.kind,
        "steps that do not rise": int((found.steps.sign <= 0).sum()),
        "different steps": len(np.unique(np.round(step, 9))),
    }


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
#: the measures that the quiz asks about
_QUIZ_MEASURES = ("P@3", "AP", "RBP(p=0.5)", "RBP(p=0.8)", "ERR", "DCG@5")

PAGE = lab_page(
    name="lab_scales",
    title="Lab: measurement scales",
    question="Is the step from 0.2 to 0.3 as large as the step from 0.6 to 0.7?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES, quiz=list_quiz(_QUIZ_MEASURES)),
)
