"""The lab as a page of the menu: what goals can be about, and its challenges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviz.labs.aspects.model import classes_table, documents, incomparable, order_scores
from irviz.labs.aspects.panel import CONTROLS, panel
from irviz.labs.aspects.quiz import distance_quiz
from irviz.labs.aspects.steps import STEPS
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lesson import Lesson, lab_page


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """The class of every document (0 is the worst), that of fake news, and the highest scores that can be reached."""
    labels, table = documents(values), classes_table(values)
    of = {(int(a), int(b)): int(n) for (a, b), n in table["class"].items()}
    scores = order_scores(values, labels)
    return {
        **{f"class of d{i}": of[pair] for i, pair in enumerate(labels, start=1)},
        "classes": max(of.values()) + 1,
        "class of fake news": of[3, 0],  # highly relevant, not correct
        "fake news minus marginal and partial": of[3, 0] - of[1, 1],
        "disputed pairs": len(incomparable(labels)),
        **{f"highest {name}": float(row.max()) for name, row in scores.items()},
    }


CHALLENGES = (
    Challenge(
        title="Put fake news last: a highly relevant document that is not correct is no better than one that is "
        "neither.",
        goal=Goal.read("class of fake news = 0; classes > 2"),
        hint="A distance that looks only at the worse of two aspects punishes a single failure most. How large must "
        "the steps of correctness be for that?",
        solution={"distance": "chebyshev", "c1": "1.5", "c2": "1.5"},
    ),
    Challenge(
        title="Now put fake news in between: better than the worst document, but worse than a marginally relevant and "
        "partially correct one.",
        goal=Goal.read("class of fake news > 0; fake news minus marginal and partial < 0"),
        hint="Let both aspects count, and give correctness enough weight.",
        start={"distance": "chebyshev", "c1": "1.5", "c2": "1.5"},
        solution={"distance": "euclidean"},
    ),
    Challenge(
        title="Let CAM reach 1 although the aspects disagree about some documents.",
        goal=Goal.read("highest CAM >= 1; disputed pairs >= 1"),
        hint="CAM is a weighted mean over aspects. With which weights does the best order of one aspect score 1?",
        solution={"p": "1"},
    ),
)
PAGE = lab_page(
    name="lab_aspects",
    title="Lab: several aspects",
    question="One document is more relevant, the other more correct: which should come first, and what decides that?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES, quiz=distance_quiz),
)
