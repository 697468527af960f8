"""Is a ranking reproduced on the other half of the topics, when more and more topics have scores near zero?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from irviz.collection.catalogue import open_collection
from irviz.labs.deals import Deals, deals
from irviz.stats.consistency import defined_mean
from irviz.stats.scores import Scores, score
from irviz.workspace.averages import LOW

Floats = NDArray[np.float64]
HALVED, MEASURE = "dl2021", "nDCG@10"
SHARES = np.round(np.linspace(0, 0.9, 10), 1)
AM, GM = "arithmetic mean", "ε-geometric mean"
FACTOR, EPS, DEALS = 0.05, 0.01, 60  #: the factor of the scores on hard topics; ε; the number of splits


@dataclass(frozen=True, eq=False)
class Repeated:
    """Mean τ between random halves of the topics, by share of hard topics.

    Attributes
    ----------
    low : share of scores below 0.1
    curves : name of the mean → by share
    dealt : name of the mean → by share, every split
    """

    systems: int
    topics: int
    low: Floats
    curves: dict[str, Floats]
    dealt: dict[str, list[Deals]]


@cache
def repeated_rankings() -> Repeated:
    """The arithmetic and the ε-geometric mean on a bundled collection of which more and more topics are made hard.

    A topic is made hard by multiplying its scores: the systems keep their order and their ratios on it.
    The hard topics are drawn once, with a fixed seed.
    """
    scores = score(open_collection(HALVED), [MEASURE])
    order = np.random.default_rng(1).permutation(len(scores.topics))
    low: list[float] = []
    dealt: dict[str, list[Deals]] = {AM: [], GM: []}
    for share in SHARES:
        values = scores.values.copy()
        values[:, order[: round(float(share) * len(order))]] *= FACTOR
        harder = Scores(values, scores.measures, scores.topics, scores.systems)
        low.append(float((values < LOW).mean()))
        dealt[AM].append(deals(harder, DEALS))
        dealt[GM].append(deals(harder, DEALS, summary="geometric", eps=EPS))
    curves = {name: defined_mean(np.stack([one.tau for one in found]))[0] for name, found in dealt.items()}
    return Repeated(len(scores.systems), len(scores.topics), np.array(low), curves, dealt)
