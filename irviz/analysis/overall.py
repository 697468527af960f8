"""The overall order of the systems: a cube of scores, averaged over topics.

Equal means must tie although they were rounded differently, and the total orders must
be compared by their exact sums, which a double cannot hold.  Both are handled here,
once, for every analysis that ranks systems.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.ranking.coefficients import COEFFICIENTS
from irviz.analysis.ranking.ranks import min_ranks
from irviz.scores import Scores
from irviz.summary.aggregate import aggregate, aggregate_subsets, tie_tolerance
from irviz.summary.matrix import finite

Floats = NDArray[np.float64]


def overall(scores: Scores, summary: str = "mean", eps: float | None = None, coefficient: str = "tau") -> Floats:
    """measures × systems, fit for `coefficient`: ranks that tie where they should, or the summaries themselves."""
    values = aggregate(finite(scores), summary, eps)
    if not COEFFICIENTS[coefficient].by_order:
        return values
    ranks = min_ranks(values, tie_tolerance(values, summary, len(scores.topics))).astype(np.float64)
    for position, measure in enumerate(scores.measures):
        exact = scores.order_of_sums(measure) if summary == "mean" else None
        if exact is not None:
            ranks[position] = exact
    return ranks


def overall_of_subsets(
    scores: Scores,
    position: int,
    members: NDArray[np.bool_] | NDArray[np.integer],
    summary: str = "mean",
    eps: float | None = None,
    coefficient: str = "tau",
) -> NDArray[Any]:
    """subsets × systems for one measure over many subsets of topics, fit for `coefficient`: min-ranks, or summaries.

    Whole numbers as `members` are how often each topic counts.
    """
    measure, by_order = scores.measures[position], COEFFICIENTS[coefficient].by_order
    if by_order and summary == "mean" and measure in scores.exact:
        sums = [scores.order_of_sums(measure, np.repeat(np.arange(len(chosen)), chosen)) for chosen in members]
        return min_ranks(np.array(sums, dtype=np.float64))
    values = aggregate_subsets(scores.values[position], members, summary, eps)
    return min_ranks(values, tie_tolerance(values, summary, members.shape[1])) if by_order else values


def by_topic(scores: Scores, coefficient: str = "tau") -> Floats:
    """topics × measures × systems: the scores, or what is ordered exactly as they are."""
    finite(scores)
    by_order = COEFFICIENTS[coefficient].by_order
    cube = np.stack([scores.order(m) for m in scores.measures]) if by_order else scores.values
    return np.ascontiguousarray(np.swapaxes(cube, 0, 1))
