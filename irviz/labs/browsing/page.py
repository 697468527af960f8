"""The lab as a page of the menu: what goals can be about, and its challenges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from irviz.labs.browsing.model import one_grade_more, score_of, walk
from irviz.labs.browsing.panel import CONTROLS, documents_read, made_measure, panel
from irviz.labs.browsing.steps import STEPS
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lesson import Lesson, lab_page
from irviz.labs.quiz import list_quiz


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """What the first user gets and how they read; the same for the second, if there is one."""
    found: dict[str, Reading] = {}
    for n, of in (("", ""), ("2", " of the second user")):
        if not values[f"c{n}"]:
            continue
        one = made_measure(values, n)
        w, effect = walk(one, values["grades"]), one_grade_more(one, values["grades"])
        found |= {
            f"score{of}": score_of(one, values["grades"]),
            f"documents read{of}": documents_read(w),
            f"stop at rank 1{of}": float(w.last[0]),
            f"rank that counts most{of}": int(np.argmax(effect)) + 1,
            f"smallest effect of a grade more{of}": float(effect.min()),
        }
    if values["c2"]:
        first, second = made_measure(values), made_measure(values, "2")
        found["first minus second"] = float(found["score"]) - float(found["score of the second user"])
        found["same reading"] = "yes" if first.C == second.C else "no"
    else:
        found |= {"first minus second": 0.0, "same reading": "no"}
    return found


CHALLENGES = (
    Challenge(
        title="Build readers who look at between 2.9 and 3.1 documents on average, and of whom more than 30% stop at "
        "rank 1.",
        goal=Goal.read("documents read > 2.9; documents read < 3.1; stop at rank 1 > 0.3"),
        hint="RBP's readers look at about 1/(1 − p) documents, or at fewer if the list ends first.",
        solution={"p": "0.68"},
    ),
    Challenge(
        title="Two readers of one list: let the first score at least 0.3 more than the second, although both read "
        "with the same RBP.",
        goal=Goal.read("score > 0; first minus second >= 0.3; same reading = yes"),
        hint="What they carry away may differ: compare the best document they saw with what they found per document.",
        start={"c2": "RBP"},
        solution={"a": "max"},
    ),
    Challenge(
        title="Find a list and a reader for whom a better document makes the score lower.",
        goal=Goal.read("smallest effect of a grade more < -0.001"),
        hint="A reader who stops sooner after a good document may miss what comes below. Which readers adapt, and "
        "which of them carry away only what they saw last?",
        solution={"c": "ERR", "a": "fin"},
    ),
)
#: the measures that the quiz asks about
_QUIZ_MEASURES = ("CWLA(C=RBP(p=0.8),A=ERG)", "CWLA(C=RBP(p=0.8),A=max)", "CWLA(C=P@3,A=ERG)", "ERR", "AP")

PAGE = lab_page(
    name="lab_browsing",
    title="Lab: browsing models",
    question="How does what a user does after each document become a score?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES, quiz=list_quiz(_QUIZ_MEASURES)),
)
