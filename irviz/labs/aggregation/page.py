"""The lab as a page of the menu: what goals can be about, and its challenges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irviz.labs.aggregation.model import six_means, winners
from irviz.labs.aggregation.panel import CONTROLS, SYSTEMS, panel, table_of
from irviz.labs.aggregation.quiz import mean_quiz
from irviz.labs.aggregation.steps import STEPS
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lesson import Lesson, lab_page
from irviz.workspace.averages import LOW


def readings(values: Mapping[str, Any]) -> dict[str, Reading]:
    """The winner by each mean, how often each system wins alone, and how many scores are low."""
    scores, eps = table_of(values), 10.0 ** values["log"]
    won = {name: [SYSTEMS[i] for i in winners(row)] for name, row in six_means(scores, eps).items()}
    return {
        **{f"winner by {name}": " and ".join(first) for name, first in won.items()},
        **{f"means won by {system}": sum(first == [system] for first in won.values()) for system in SYSTEMS},
        "different outcomes": len({tuple(first) for first in won.values()}),
        "share of low scores": float((scores < LOW).mean()),
        "zeros": int((scores == 0).sum()),
        "ε": eps,
    }


CHALLENGES = (
    Challenge(
        title="Change scores so that S1 wins alone under exactly two of the six averages.",
        goal=Goal.read("means won by S1 = 2"),
        hint="S1 wins by the arithmetic mean because of one topic. Which average depends on the middle score only?",
        solution={"s1": "0.1,0.35,0.35,0.8,0"},
    ),
    Challenge(
        title="Without changing a score, let S1 win by the ε-geometric mean, too.",
        goal=Goal.read("winner by εGM = S1; winner by median = S2; winner by GM = S3"),
        hint="As ε grows, the ε-geometric mean approaches the arithmetic one.",
        solution={"log": "1"},
    ),
    Challenge(
        title="Let all six averages agree on S4.",
        goal=Goal.read("different outcomes = 1; means won by S4 = 6"),
        hint="A system that is better on every topic wins by every average.",
        solution={"s4": "0.9,0.9,0.9,0.9,0.9"},
    ),
)
PAGE = lab_page(
    name="lab_aggregation",
    title="Lab: averaging over topics",
    question="Five scores become one number: does the choice of the mean decide which system wins?",
    controls=CONTROLS,
    explore=panel,
    lesson=Lesson(readings=readings, steps=STEPS, challenges=CHALLENGES, quiz=mean_quiz),
    uses=frozenset({"measures", "average"}),
)
