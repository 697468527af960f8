"""Bootstrap and randomisation of a world's own average, many columns at once.

Sums over resampled or exchanged topics are exact (:func:`irviz.portable.subset_totals`), so
that no order of summation changes a count.  A median needs no sum: in the sorted list of
scores it lies where the resampled counts pass the half.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from irviz.multiverse.dimensions import Average
from irviz.multiverse.paired import Differences
from irviz.portable import exact_totals, subset_totals
from irviz.stats.aggregate import MEANS, Mean
from irviz.stats.bootstrap import resampling_weights

Floats = NDArray[np.float64]
_FLIPS = 2  #: number of the stream that decides which topics are exchanged


@dataclass(frozen=True, eq=False)
class Resamples:
    """The random part: the same for all worlds with as many topics.

    The resamples are those of :func:`irviz.stats.bootstrap.paired_bootstrap`.
    """

    topics: int
    trials: int
    seed: int

    @cached_property
    def weights(self) -> Floats:
        """trials × topics: how often each topic was drawn."""
        return resampling_weights(self.topics, self.trials, self.seed)

    @cached_property
    def counts(self) -> NDArray[np.unsignedinteger]:
        """topics × trials: the same, as small whole numbers."""
        return np.ascontiguousarray(self.weights.T.astype(_smallest(self.topics)))

    @cached_property
    def exchanged(self) -> Floats:
        """trials × topics: 1 where the two systems change places, else 0."""
        generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=(_FLIPS,))))
        return generator.integers(0, 2, size=(self.trials, self.topics), dtype=np.uint8).astype(np.float64)

    @cached_property
    def swaps(self) -> NDArray[np.unsignedinteger]:
        """2 topics × trials: which of the first system's scores, then of the second's, the first one has."""
        away = np.ascontiguousarray(self.exchanged.T.astype(_smallest(2 * self.topics)))
        return np.concatenate([np.ones_like(away) - away, away])


@lru_cache(maxsize=8)
def draws(topics: int, trials: int, seed: int) -> Resamples:
    return Resamples(topics, trials, seed)


def _smallest(most: int) -> type[np.unsignedinteger]:
    return np.uint8 if most < 256 else np.uint16 if most < 65536 else np.uint32


def p_values_of(extreme: NDArray[np.integer], trials: int) -> Floats:
    """p = (1 + extreme) / (trials + 1): what was observed counts as one of the trials (Phipson & Smyth 2010)."""
    return (1 + extreme) / (trials + 1)


# -- resampled averages -------------------------------------------------------------------


def resampled(values: Floats, average: Average, drawn: Resamples) -> Floats:
    """trials × columns: the average of topics × columns over resampled topics."""
    if average.how == "median":
        return np.stack([_resampled_median(column, drawn.counts) for column in values.T], axis=1)
    mean, eps = mean_of(average)
    return mean.inverse(subset_totals(drawn.weights, mean.forward(values, eps)) / len(values), eps)


def exchanged(first: Floats, second: Floats, average: Average, drawn: Resamples) -> Floats:
    """trials × columns: the difference of averages after exchanging the two systems on some topics."""
    if average.how == "median":
        columns = [_exchanged_medians(a, b, drawn.swaps) for a, b in zip(first.T, second.T, strict=True)]
        return np.stack(columns, axis=1)
    mean, eps = mean_of(average)
    a, b = mean.forward(first, eps), mean.forward(second, eps)
    moved = subset_totals(drawn.exchanged, b - a)
    n = len(first)
    return mean.inverse((exact_totals(a) + moved) / n, eps) - mean.inverse((exact_totals(b) - moved) / n, eps)


def mean_of(average: Average) -> tuple[Mean, float]:
    """The generalised mean and its ε."""
    mean = MEANS[average.how]
    return mean, (mean.eps or 0.0) if average.eps is None else average.eps


def _resampled_median(scores: Floats, counts: NDArray[np.unsignedinteger]) -> Floats:
    order = np.argsort(scores, kind="stable")
    return _middle(scores[order], counts[order], len(scores))


def _exchanged_medians(first: Floats, second: Floats, swaps: NDArray[np.unsignedinteger]) -> Floats:
    """Median of what the first system then has, minus the median of what the second has."""
    n = len(first)
    both = np.concatenate([first, second])
    order = np.argsort(both, kind="stable")
    mine, theirs = swaps[order], swaps[(order + n) % (2 * n)]
    return _middle(both[order], mine, n) - _middle(both[order], theirs, n)


def _middle(ordered: Floats, counts: NDArray[np.unsignedinteger], n: int) -> Floats:
    """By trial, the median of `n` scores, of which `counts` says how many are each of the `ordered` ones.

    `counts` is scores × trials, and becomes how many are at most each score.
    """
    for before, here in pairwise(counts):  # faster than accumulating along the first axis
        np.add(before, here, out=here)
    below = ((counts <= half).view(np.uint8) for half in ((n - 1) // 2, n // 2))
    low, high = (np.add.reduce(some, axis=0, dtype=counts.dtype) for some in below)
    return (ordered[low] + ordered[high]) / 2


# -- p-values -----------------------------------------------------------------------------


def studentised_bootstrap(d: Differences, drawn: Resamples) -> Floats:
    r"""By column, p of equal means by the paired, studentised bootstrap of :func:`irviz.significance`.

    |t*| ≥ |t| is, without roots and quotients, :math:`(\sum w^*)^2 \ge f \sum w^{*2}` with
    :math:`f = n t^2 / (n - 1 + t^2)`; equality but for rounding counts.
    """
    n = d.topics
    w = d.values - d.mean
    w = np.where(np.abs(w) <= d.noise, 0.0, w)
    constant = d.deviation == 0
    t2 = n * np.square(d.mean / np.where(constant, 1.0, d.deviation))
    squares = w * w * (n * t2 / (n - 1 + t2) * (1 - 1e-9))
    least = np.where(constant, np.inf, np.square(2 * n * d.noise))  # an infinite t is reached by no sample
    needed = np.maximum(subset_totals(drawn.weights, squares), least)
    extreme = (np.square(subset_totals(drawn.weights, w)) > needed).sum(axis=0)
    return p_values_of(np.where(d.mean == 0, drawn.trials, extreme), drawn.trials)


def extreme_share(trials: Floats, observed: Floats, slack: Floats) -> Floats:
    """By column, p: how often `trials` × columns are at least as far from 0 as what was `observed`."""
    return p_values_of((np.abs(trials) >= np.abs(observed) - slack).sum(axis=0), len(trials))


def exchange_means(d: Differences, drawn: Resamples) -> Floats:
    """trials × columns: the mean difference after exchanging the two systems on some topics."""
    return subset_totals(1 - 2 * drawn.exchanged, d.values) / d.topics
