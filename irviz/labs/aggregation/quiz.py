"""The quiz: four systems, five topics, one mean; which system wins?  The seed draws scores and mean."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from irviz.labs.aggregation.model import six_means, winners
from irviz.labs.aggregation.panel import (
    MEAN_WORDS,
    ROW_CONTROLS,
    SOURCE,
    SYSTEMS,
    TOPICS,
    means_drawing,
    quoted_systems,
    table_of,
    zero_words,
)
from irviz.labs.aggregation.step_figures import score_dots
from irviz.labs.questions import MultipleChoice
from irviz.labs.steps import Revealed, Scene, Step
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing, LabClaim
from irviz.workspace.phrases import number

_EPS = 0.01
MEAN_RULES = {
    "AM": "the sum of the scores divided by their number",
    "GM": "the fifth root of their product",
    "εGM": "the fifth root of the product of the scores, each with ε = 0.01 added, minus ε",
    "HM": "the number of scores divided by the sum of their reciprocals",
    "εHM": "the harmonic mean of the scores, each with ε = 0.01 added, minus ε",
    "median": "the score in the middle",
}


def drawn_scores(seed: int) -> tuple[str, NDArray[np.float64]]:
    """A mean, and scores (topics × systems) on whose winner the means disagree; the same for the same seed."""
    draw = np.random.default_rng(seed)
    name = list(MEAN_RULES)[int(draw.integers(len(MEAN_RULES)))]
    while True:
        scores = np.round(draw.integers(0, 19, (len(TOPICS), len(SYSTEMS))) * 0.05, 2)
        won = {mean: winners(row) for mean, row in six_means(scores, _EPS).items()}
        if len(won[name]) == 1 and any(first != won[name] for first in won.values()):
            return name, scores


def mean_quiz(seed: int) -> Step:
    """Which system wins?"""
    name, scores = drawn_scores(seed)
    start = {row: ",".join(f"{x:g}" for x in scores[:, s]) for s, row in enumerate(ROW_CONTROLS)}
    return Step(title="Which system wins?", scene=partial(_scene, name), start=start)


def _scene(name: str, values: Values) -> Scene:
    scores = table_of(values)
    means = six_means(scores, _EPS)
    told = ", ".join(f"{system} {number(float(x), 4)}" for system, x in zip(SYSTEMS, means[name], strict=True))
    rows = "; ".join(f"{system} {', '.join(number(x) for x in scores[:, s])}" for s, system in enumerate(SYSTEMS))
    question = MultipleChoice(
        text=f"Which system wins by {MEAN_WORDS[name]}, {MEAN_RULES[name]}?",
        told=f"{told}.",
        options=tuple(zip(ROW_CONTROLS, SYSTEMS, strict=True)),
        correct=tuple(ROW_CONTROLS[i] for i in winners(means[name])),
    )
    others = "; ".join(f"{mean}: {quoted_systems(winners(row))}" for mean, row in means.items())
    reveal = Revealed(
        drawings=({"means": means_drawing(scores, _EPS)},),
        claims=(
            LabClaim(f"The winners by the six averages are these: {others}.", f"{SOURCE}, section 2"),
            LabClaim(zero_words(scores, _EPS), f"{SOURCE}, section 2"),
        ),
    )
    return Scene(
        text=f"The scores by topic are these: {rows}.",
        question=question,
        shown=({"dots": Drawing(score_dots(scores, SYSTEMS, TOPICS), "Four systems on five topics", f"{rows}.")},),
        reveal=lambda guess: reveal,
    )
