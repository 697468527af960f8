"""One measure's systems, ranked under every way to average over the topics; what the Aggregation page shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irviz.stats.aggregate import MEANS, aggregate
from irviz.stats.correlation import kendall_tau, shared_ranks
from irviz.stats.scores import Scores
from irviz.stats.similarity import overall
from irviz.stats.topic_effects import standardised_scores

Floats = NDArray[np.float64]
STANDARDISED_MEAN = "standardised"  #: the arithmetic mean of scores standardised by topic
_WAYS = {
    "mean": "arithmetic",
    "median": "median",
    "geometric": "geometric",
    "harmonic": "harmonic",
    "geometric_threshold": "trec_eval GM",
}  #: the summaries, with names short enough for a column
EPS_SWEPT = np.logspace(-6, 2, 17)  #: values of ε, those of Ravana & Moffat 2009, Figure 1, among them


@dataclass(frozen=True, eq=False)
class Rankings:
    """One measure's ranking of the systems under every way to average."""

    ways: tuple[str, ...]
    #: ways × systems; rank 1 is best, tied systems share their rank
    ranks: NDArray[np.int64]
    values: Floats
    tau: Floats  #: ways × ways; Kendall's τ_b


def rankings(one: Scores, eps: float) -> Rankings:
    """The single measure of `one` averaged every way that is defined; `eps` is for geometric and harmonic means."""
    cubes = {_WAYS[how]: (one, how, eps if how in ("geometric", "harmonic") else None) for how in _WAYS}
    cubes[STANDARDISED_MEAN] = (standardised_scores(one), "mean", None)
    positive = {how for how, mean in MEANS.items() if mean.positive}  # need scores of at least 0
    usable = {way: cube for way, cube in cubes.items() if cube[1] not in positive or not below_zero(one)[0]}
    orders = np.concatenate([overall(*cube) for cube in usable.values()])
    values = np.concatenate([aggregate(cube.values, how, e) for cube, how, e in usable.values()])
    return Rankings(tuple(usable), shared_ranks(orders), values, kendall_tau(orders))


def below_zero(scores: Scores) -> NDArray[np.bool_]:
    """By measure, whether any score is below zero."""
    return np.nanmin(scores.values, axis=(1, 2)) < 0


#: Below it a score is low.  Ravana & Moffat 2009 say "below 0.1"; Table 2 is headed ≤ 0.1,
#: but its row for P@10, where 0.1 is a frequent score, counts the zeros only.
LOW = 0.1


def low_shares(scores: Scores, limit: float) -> tuple[Floats, Floats]:
    """By measure: the share of scores that are zero, and that are below `limit` (Ravana & Moffat 2009, Table 2)."""
    there = (~np.isnan(scores.values)).sum(axis=(1, 2))
    return (scores.values == 0).sum(axis=(1, 2)) / there, (scores.values < limit).sum(axis=(1, 2)) / there
