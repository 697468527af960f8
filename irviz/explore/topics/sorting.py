"""Topics in the order of what is asked about them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.ranking.ranks import shared_ranks
from irviz.analysis.ranking.row_by_row import paired_tau
from irviz.portable import mean
from irviz.workspace.panel import named_rows

Floats = NDArray[np.float64]
SORTS = {
    "best": "A falls short of the best",
    "median": "A falls short of the median",
    "b": "A falls short of B",
    "apart": "Two measures rank the systems differently",
    "carry": "A − B adds most to the difference of the means",
}


@dataclass(frozen=True, eq=False)
class Sorted:
    """Topics, those that matter most for the question first.

    Attributes
    ----------
    order : positions of topics
    value : by topic, what they are sorted by
    about : str
        What the value is.
    """

    order: NDArray[np.intp]
    value: Floats
    about: str


def sorted_topics(how: str, matrix: Floats, a: int, b: int, other: Floats) -> Sorted:
    """Topics by one of :data:`SORTS`.

    Parameters
    ----------
    matrix : topics × systems, the scores
    a, b : columns of the two systems
    other : topics × systems, the scores by a second measure, for "apart"

    Notes
    -----
    "carry" sorts by (a − b)/topics, what a topic adds to the difference of the means, those first
    that add most to the side of the better system.  "apart" sorts by Kendall's τ_b between the
    two measures on the topic, lowest first; topics on which τ is undefined come last.
    """
    if how == "apart":
        tau = paired_tau(matrix, other)
        return Sorted(np.argsort(tau, kind="stable"), tau, "Kendall's τ on the topic")
    if how == "carry":
        adds = (matrix[:, a] - matrix[:, b]) / len(matrix)
        side = -1.0 if float(mean(matrix[:, a] - matrix[:, b])) < 0 else 1.0
        return Sorted(np.argsort(-side * adds, kind="stable"), adds, "adds to the difference of the means")
    short = compared_with(how, matrix, b) - matrix[:, a]
    return Sorted(np.argsort(-short, kind="stable"), short, "falls short by")


def compared_with(how: str, matrix: Floats, b: int) -> Floats:
    """By topic, the score that A is compared with."""
    if how == "best":
        return np.asarray(matrix.max(axis=1))
    return np.asarray(np.median(matrix, axis=1)) if how == "median" else matrix[:, b]


def topic_table(
    topics: tuple[str, ...],
    found: Sorted,
    matrix: Floats,
    pair: tuple[str, str],
    places: tuple[int, int],
    other: Floats,
) -> pd.DataFrame:
    """One row per topic in order: what it is sorted by, the scores, ranks among the systems, and how ranks move."""
    a, b = places
    ranks, moved = shared_ranks(matrix), shared_ranks(other)
    columns = {
        found.about: found.value,
        f"A: {pair[0]}": matrix[:, a],
        f"B: {pair[1]}": matrix[:, b],
        "best": matrix.max(axis=1),
        "median": np.median(matrix, axis=1),
        "rank of A": ranks[:, a],
        "rank of B": ranks[:, b],
    }
    if found.about.startswith("Kendall"):
        columns |= {"A by the other measure": moved[:, a], "B by the other measure": moved[:, b]}
        columns |= {"largest rank change": np.abs(ranks - moved).max(axis=1)}
    frame = pd.DataFrame(columns).iloc[found.order].reset_index(drop=True)
    return named_rows(frame, "topic", [topics[i] for i in found.order])
