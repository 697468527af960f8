"""Effects of topics: standardised scores, hard topics, subsets of topics, and the size of a difference between systems
that is seldom reversed on other topics.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError, choose
from irviz.places import DATA
from irviz.portable import exponents, mean, normal_cdf, total
from irviz.stats.aggregate import ScoreMatrix, aggregate_subsets, complete, matrix_of, summarise
from irviz.stats.correlation import merge_ties, tie_tolerance, varies
from irviz.stats.resampling import generator
from irviz.stats.scores import Scores
from irviz.stats.words import FloatSeries, Hardness
from irviz.workers import batches

Floats = NDArray[np.float64]


def standardise(matrix: ScoreMatrix, *, cdf: bool = True) -> pd.DataFrame:
    r"""Standardised scores (Webber, Moffat & Zobel 2008, as used by Ravana & Moffat 2009, section 5.3).

    .. math:: z_{ts} = (x_{ts} - \bar x_t) / sd_t, \qquad e_{ts} = \Phi(z_{ts})

    Parameters
    ----------
    matrix : DataFrame, topics × systems, or Scores of one measure
    cdf : bool, default True
        False leaves the z-scores.

    Returns
    -------
    DataFrame topics × systems; in (0, 1) with `cdf`, without unit otherwise.

    Notes
    -----
    *sd* is the sample standard deviation (divisor n − 1).  If all systems score the same, or there is only one, z = 0,
    hence 0.5. Missing scores stay missing, and are left out of mean and deviation.

    Examples
    --------
    >>> standardise(pd.DataFrame({"a": [0.1, 0.5], "b": [0.3, 0.5]}), cdf=False).round(3).to_numpy().tolist()
    [[-0.707, 0.707], [0.0, 0.0]]
    """
    checked = matrix_of(matrix)
    values = _cdf_of_z(checked.values[0]) if cdf else z_scores(checked.values[0])
    index, columns = pd.Index(checked.topics, name="topic"), pd.Index(checked.systems, name="system")
    return pd.DataFrame(values, index=index, columns=columns)


def standardised_scores(scores: Scores) -> Scores:
    """The whole cube standardised, every measure by itself; labels stay."""
    return Scores(_cdf_of_z(scores.values), scores.measures, scores.topics, scores.systems)


def _cdf_of_z(values: Floats) -> Floats:
    z = z_scores(values)
    return np.where(np.isnan(z), z, normal_cdf(np.where(np.isnan(z), 0.0, z)))


def z_scores(values: Floats) -> Floats:
    """z along the last axis (systems), without missing scores; 0 where all values are equal."""
    known = ~np.isnan(values)
    if not known.all():
        result = np.full(values.shape, np.nan)
        for place in np.ndindex(values.shape[:-1]):
            if known[place].any():
                result[place][known[place]] = z_scores(values[place][known[place]])
        return result
    spread = row_spread(values)
    centred = values - mean(values, keepdims=True)
    return np.where(spread > 0, centred / np.where(spread > 0, spread, 1.0), 0.0)


def row_spread(values: Floats) -> Floats:
    """Sample standard deviation along the last axis, which is kept; exactly 0 where values differ by rounding only."""
    if values.shape[-1] < 2:
        return np.zeros(values.shape[:-1] + (1,))
    off = values - mean(values, keepdims=True)
    size = exponents(off, -1)
    scaled = np.ldexp(off, -size)  # squares of the largest and the smallest doubles overflow and underflow
    deviation = np.ldexp(np.sqrt(total(scaled * scaled)[..., None] / (values.shape[-1] - 1)), size)
    return np.where(varies(values)[..., None], deviation, 0.0)


# -- The hardness of a topic, from the systems' scores ------------------------------------

HARDNESS = {
    "surprise": "(maximum − mean) / standard deviation",
    "mean": "1 − mean",
    "max": "1 − maximum",
}  #: every kind, with its formula, in the order of a menu


def hardness(matrix: ScoreMatrix, kind: Hardness = "surprise") -> FloatSeries:
    r"""Hardness of every topic (Ravana & Moffat 2009, eq. (1) and (2)); higher is harder.

    .. math:: D_t = \frac{max_t - mean_t}{sd_t}, \qquad D_t = 1 - mean_t, \qquad D_t = 1 - max_t

    Parameters
    ----------
    matrix : DataFrame, topics × systems, or Scores of one measure
    kind : {"surprise", "mean", "max"}
        ``surprise`` counts sample standard deviations from the mean to the best system.

    Returns
    -------
    Series by topic; standard deviations for ``surprise``, else in [0, 1] for scores in [0, 1].

    Notes
    -----
    If all systems score the same, ``surprise`` is 0.  Missing scores are left out; a topic without any has NaN.

    Examples
    --------
    >>> hardness(pd.DataFrame({"a": [0.0, 0.5], "b": [0.0, 0.5], "c": [0.9, 0.5]})).round(3).tolist()
    [1.155, 0.0]
    """
    checked = matrix_of(matrix)
    index = pd.Index(checked.topics, name="topic")
    return pd.Series(topic_hardness(checked.values[0], kind), index=index, name=kind)


def topic_hardness(values: Floats, kind: str = "surprise") -> Floats:
    """Hardness by topic of … × topics × systems; values that differ by rounding only are made equal."""
    choose("kind of hardness", kind, tuple(HARDNESS))
    if not np.isnan(values).any():
        return merge_ties(FORMULAS[kind](values))
    rows = [row[~np.isnan(row)] for row in values.reshape(-1, values.shape[-1])]
    hard = [FORMULAS[kind](row) if row.size else np.nan for row in rows]
    return merge_ties(np.array(hard).reshape(values.shape[:-1]))


def _surprise(values: Floats) -> Floats:
    spread = row_spread(values)[..., 0]
    surplus = values.max(axis=-1) - mean(values)
    return np.where(spread > 0, surplus / np.where(spread > 0, spread, 1.0), 0.0)


FORMULAS: dict[str, Callable[[Floats], Floats]] = {
    "surprise": _surprise,
    "mean": lambda values: 1.0 - mean(values),
    "max": lambda values: 1.0 - values.max(axis=-1),
}


# -- Named subsets of topics and systems -----------------------


def level_counts(c: Collection) -> pd.DataFrame:
    """R(k) of Ferrante et al. 2014: documents of each level of the first aspect above 0; topics × levels."""
    labels, levels = c.labels[:, :, 0], range(1, len(c.grades[0]))
    counts = {level: (labels == level).sum(axis=1) for level in levels}
    return pd.DataFrame(counts, index=pd.Index(c.topics, name="topic")).rename_axis(columns="level")


def few_highly_relevant(c: Collection, level: int | None = None) -> tuple[str, ...]:
    r"""Topics with few documents of a higher level (Ferrante et al. 2014, section 6).

    .. math:: R(1) \ge 10 \cdot R(k), \qquad R(k) \ne 0

    `level` is k: 2, the default, for "few highly relevant", and 3 for "few key" if there are key documents.
    """
    counts = level_counts(c)
    top = len(counts.columns)
    if top < 2:
        raise IrvizError(
            "The collection has no level above relevant, so no documents are highly relevant. Choose all topics."
        )
    k = 2 if level is None else level
    if not 2 <= k <= top:
        raise IrvizError(f"`level` must be between 2 and {top}, the highest; got {k}.")
    chosen = (counts[k] > 0) & (counts[1] >= 10 * counts[k])
    return tuple(counts.index[chosen])


def by_hardness(matrix: pd.DataFrame, quarter: int) -> tuple[str, ...]:
    """Topics of one quarter by hardness (surprise), 1 the easiest, 4 the hardest; sizes differ by one at most."""
    if quarter not in (1, 2, 3, 4):
        raise IrvizError(f"`quarter` must be 1 (easiest), 2, 3 or 4 (hardest); got {quarter}.")
    hard = hardness(matrix)
    order = np.argsort(hard.to_numpy(), kind="stable")
    chosen = set(np.array_split(order, 4)[quarter - 1].tolist())
    return tuple(topic for i, topic in enumerate(hard.index) if i in chosen)


def above_first_quartile(matrix: pd.DataFrame) -> tuple[str, ...]:
    """Systems above the first (lower) quartile of means, given scores by AP (Ferrante et al. 2014, section 6).

    The quartile is MATLAB's, and systems must lie strictly above it: of 95, 74 and 27 systems, 71, 55 and 20 remain, as
    in the paper's Table 1.  If all systems tie, all remain.
    """
    values = summarise(matrix)
    means = values.to_numpy()
    if not varies(means):
        return tuple(values.index)
    return tuple(values.index[means - tie_tolerance(means) > np.quantile(means, 0.25, method="hazen")])


# -- Swap rates: how often the sign of a difference on some topics is reversed on others ------

WIDTH, BINS = 0.01, 20  #: width and number of bins of differences; the last is open
_BYTES = 1 << 26
RATES = DATA / "findings" / "swaps.csv"  #: counts of the bundled real collections, by collection, measure and topics
SIZES = (10, 15, 20, 25)  #: numbers of topics in that file
FEW_PAIRS = 50  #: fewest pairs and trials of a share


@dataclass(frozen=True, eq=False)
class Swaps:
    """Shares of pairs of systems in reversed order, by the difference seen."""

    low: Floats  #: by bin: the lower edge of a bin; the last bin has no upper edge
    #: by bin: pairs and trials with such a difference on the first set of topics, and those among them in the opposite
    #: order on the second set, where a tie counts as half
    pairs: NDArray[np.int64]
    turns: Floats
    topics: int  #: in each of the two sets
    trials: int
    seed: int

    @property
    def rate(self) -> Floats:
        """By bin: share reversed, in [0, 1]; NaN without such a difference."""
        return np.where(self.pairs > 0, self.turns / np.maximum(self.pairs, 1), np.nan)

    def rate_at(self, difference: float) -> tuple[float, int]:
        """The share for a difference of either sign (NaN for fewer than `FEW_PAIRS` pairs), and the number of pairs."""
        place = bin_of(np.array([abs(difference)]))[0]
        pairs = int(self.pairs[place])
        return (float(self.rate[place]) if pairs >= FEW_PAIRS else np.nan), pairs

    def frame(self) -> pd.DataFrame:
        """One row per bin: low, high, pairs, turned, share."""
        high = np.append(self.low[1:], np.inf)
        columns = {"low": self.low, "high": high, "pairs": self.pairs, "turned": self.turns, "share": self.rate}
        return pd.DataFrame(columns)


def bin_of(differences: Floats) -> NDArray[np.int64]:
    """The bin of every difference, 0 or larger; a difference at an edge is in the upper bin.

    >>> bin_of(np.array([0.0, 0.0099, 0.01, 0.07, 3.0])).tolist()
    [0, 0, 1, 7, 19]
    """
    return np.minimum(np.floor(differences / WIDTH + 1e-9), BINS - 1).astype(np.int64)


def swaps(matrix: pd.DataFrame | Floats, topics: int | None = None, trials: int = 200, seed: int = 0) -> Swaps:
    """Share of pairs with a difference d of means on some topics and the opposite order on as many other topics.

    `trials` pairs of disjoint sets of topics are drawn; each has by default, and at most, half of the topics, rounded
    down. Pairs of systems with equal means on the first set are left out, as are topics on which a system has no score.

    The method of Voorhees and Buckley (SIGIR 2002), with absolute differences. They extrapolate from sets of up to half
    of the topics; here nothing is extrapolated. Sanderson and Zobel (SIGIR 2005) relate such shares to significance
    tests.

    >>> drawn = swaps(np.array([[0.1, 0.5], [0.2, 0.4], [0.3, 0.35], [0.0, 0.2]]), trials=10)
    >>> drawn.topics, int(drawn.pairs.sum()), float(drawn.turns.sum())
    (2, 10, 0.0)
    """
    values = complete(matrix_of(matrix)).values[0]
    count, systems = values.shape
    if count < 2 or systems < 2:
        raise IrvizError(f"Swap rates need at least two systems and two topics; got {systems} and {count}.")
    size = count // 2 if topics is None else topics
    if not 1 <= size <= count // 2:
        raise IrvizError(f"Each of the two sets can have 1 to {count // 2} of {count} topics; got {topics!r}.")
    order = np.tile(np.arange(count), (trials, 1))
    generator(seed).permuted(order, axis=1, out=order)
    rows, columns = np.triu_indices(systems, 1)
    pairs, turned = np.zeros(BINS, dtype=np.int64), np.zeros(BINS)
    for part in batches(trials, 8 * 4 * len(rows), _BYTES):
        sets = order[part] < size, (order[part] >= size) & (order[part] < 2 * size)
        first, second = (aggregate_subsets(values, members) for members in sets)
        one, other = (_differences(means, rows, columns) for means in (first, second))
        known = one != 0
        bins = bin_of(np.abs(one[known]))
        lost = ((1 - np.sign(one) * np.sign(other)) / 2)[known]
        pairs += np.bincount(bins, minlength=BINS)
        turned += np.bincount(bins, weights=lost, minlength=BINS)
    return Swaps(WIDTH * np.arange(BINS, dtype=np.float64), pairs, turned, size, trials, seed)


def _differences(means: Floats, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Floats:
    """Sets of topics × pairs: the row's mean minus the column's, 0 where they differ by rounding only."""
    differences = means[:, rows] - means[:, columns]
    return np.where(np.abs(differences) > tie_tolerance(means)[:, None], differences, 0.0)


# -- swap rates of the bundled collections ----------------------------------------------


@cache
def _rates() -> pd.DataFrame:
    return pd.read_csv(RATES)


@dataclass(frozen=True)
class Reversals:
    """Shares of differences of a size that were reversed on other topics, in the bundled real collections."""

    measure: str
    #: the bin of differences; the last one has no upper end (infinity)
    low: float
    high: float
    topics: int  #: in each of the two sets
    shares: tuple[float, ...]  #: by collection, in [0, 1]


def known_reversals(measure: str, difference: float, topics: int) -> Reversals | None:
    """The reversals of such differences over as many topics, or the most known; None if unknown, or for 0."""
    size = max((size for size in SIZES if size <= topics), default=0)
    place = int(bin_of(np.array([abs(difference)]))[0])
    usual = re.sub(r"\(rel=\d+\)", "", measure)  # which has the shares of AP
    rates = _rates()
    known = rates[(rates["measure"] == usual) & (rates["topics"] == size) & (rates["pairs"] >= FEW_PAIRS)]
    shares = (known["turned"] / known["pairs"])[np.isclose(known["low"], WIDTH * place)]
    if not difference or shares.empty:
        return None
    high = WIDTH * (place + 1) if place < BINS - 1 else np.inf
    return Reversals(usual, WIDTH * place, high, size, tuple(shares))
