"""How large a difference to believe: how often a difference on some topics turns on others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, counted
from irviz.places import DATA
from irviz.stats.aggregate import aggregate_subsets, matrix_of
from irviz.workers import batches, takes

Floats = NDArray[np.float64]
WIDTH, BINS = 0.01, 20  #: of a bin of differences, and how many there are; the last is open
_BYTES = 1 << 26
RATES = DATA / "findings" / "swaps.csv"  #: counts of the bundled real collections, by collection, measure and topics
SIZES = (10, 15, 20, 25)  #: numbers of topics in that file
FEW_PAIRS = 50  #: a share of fewer pairs and trials says little


@dataclass(frozen=True, eq=False)
class Swaps:
    """Shares of pairs of systems whose order turns, by the difference that was seen.

    Attributes
    ----------
    low : by bin
        The least difference of a bin; its greatest is that of the next one, and the last bin is open.
    pairs, turned : by bin
        Pairs and trials with such a difference on the first set of topics; those among them that have the opposite
        order on the second one. A tie there counts as half.
    topics : int
        In each of the two sets.
    trials, seed : int
    """

    low: Floats
    pairs: NDArray[np.int64]
    turned: Floats
    topics: int
    trials: int
    seed: int

    @property
    def rate(self) -> Floats:
        """By bin: share that turned, in [0, 1]; NaN where there was no such difference."""
        return np.where(self.pairs > 0, self.turned / np.maximum(self.pairs, 1), np.nan)

    def at(self, difference: float) -> float:
        """The share for a difference, whatever its sign."""
        return float(self.rate[bin_of(np.array([abs(difference)]))[0]])

    def frame(self) -> pd.DataFrame:
        """One row per bin: low, high, pairs, turned, share."""
        high = np.append(self.low[1:], np.inf)
        columns = {"low": self.low, "high": high, "pairs": self.pairs, "turned": self.turned, "share": self.rate}
        return pd.DataFrame(columns)


def bin_of(differences: Floats) -> NDArray[np.int64]:
    """The bin of every difference, 0 or larger; a difference at an edge is in the upper bin.

    >>> bin_of(np.array([0.0, 0.0099, 0.01, 0.07, 3.0])).tolist()
    [0, 0, 1, 7, 19]
    """
    return np.minimum(np.floor(differences / WIDTH + 1e-9), BINS - 1).astype(np.int64)


@takes(lambda matrix, trials, **_: 2e-8 * trials * np.asarray(matrix).shape[1] ** 2)
def swaps(matrix: pd.DataFrame | Floats, topics: int | None = None, trials: int = 200, seed: int = 0) -> Swaps:
    """Share of pairs whose means differ by d on some topics and have the other order on as many other topics.

    `trials` pairs of disjoint sets of topics are drawn; by default, and at most, each has half of them, rounded down.
    Pairs of systems with equal means on the first set have no order that could turn, and are left out.

    The method of Voorhees and Buckley (SIGIR 2002), with absolute differences. They draw sets of up to half of the
    topics and extrapolate; nothing is extrapolated here. Sanderson and Zobel (SIGIR 2005) relate such shares to
    significance tests.

    >>> drawn = swaps(np.array([[0.1, 0.5], [0.2, 0.4], [0.3, 0.35], [0.0, 0.2]]), trials=10)
    >>> drawn.topics, int(drawn.pairs.sum()), float(drawn.turned.sum())
    (2, 10, 0.0)
    """
    values = matrix_of(matrix).values[0]
    count, systems = values.shape
    if count < 2 or systems < 2:
        there = f"{counted(systems, 'system')} and {counted(count, 'topic')}"
        raise IrvizError(f"Orders turn between two sets of topics, for two systems or more; here: {there}.")
    size = count // 2 if topics is None else topics
    if not 1 <= size <= count // 2:
        raise IrvizError(f"Each of two sets can have 1 to {count // 2} of {count} topics; got {topics!r}.")
    generator = np.random.Generator(np.random.PCG64(seed))
    order = np.tile(np.arange(count), (trials, 1))
    generator.permuted(order, axis=1, out=order)
    rows, columns = np.triu_indices(systems, 1)
    pairs, turned = np.zeros(BINS, dtype=np.int64), np.zeros(BINS)
    for part in batches(trials, 8 * 4 * len(rows), _BYTES):
        sets = order[part] < size, (order[part] >= size) & (order[part] < 2 * size)
        first, second = (aggregate_subsets(values, members) for members in sets)
        one, other = (means[:, rows] - means[:, columns] for means in (first, second))
        known = one != 0
        bins = bin_of(np.abs(one[known]))
        lost = np.where(other == 0, 0.5, (np.sign(one) * np.sign(other) < 0).astype(float))[known]
        pairs += np.bincount(bins, minlength=BINS)
        turned += np.bincount(bins, weights=lost, minlength=BINS)
    return Swaps(WIDTH * np.arange(BINS, dtype=np.float64), pairs, turned, size, trials, seed)


# -- what the bundled collections say of a difference ----------------------------------------------


@cache
def _rates() -> pd.DataFrame:
    return pd.read_csv(RATES)


def swap_note(measure: str, difference: float, topics: int) -> tuple[str, ...]:
    """A note on how often such a difference of means over so many topics was reversed on the bundled real collections.

    Nothing where there is no difference, or no shares of the measure are known for so few topics; those of AP stand
    for AP(rel=2).  The share is the unweighted mean over collections, of sets of as many topics or the most there are.
    """
    size = max((size for size in SIZES if size <= topics), default=0)
    place = WIDTH * int(bin_of(np.array([abs(difference)]))[0])
    usual = re.sub(r"\(rel=\d+\)", "", measure)  # whose shares stand for those of another threshold
    rates = _rates()
    known = rates[(rates["measure"] == usual) & (rates["topics"] == size) & (rates["pairs"] >= FEW_PAIRS)]
    shares = (known["turned"] / known["pairs"])[np.isclose(known["low"], place)]
    if not difference or shares.empty:
        return ()
    more = f"; over {topics:,} topics fewer are" if topics > size else ""
    here = f"{shares.mean():.0%} of the cases" if shares.mean() >= 0.005 else "fewer than 1% of the cases"
    last = place >= WIDTH * (BINS - 1) - 1e-9
    large = f"{place:.2f} {usual} and more" if last else f"{place:.2f} to {place + WIDTH:.2f} {usual}"
    more += f"; of {measure} none are known" if usual != measure else ""
    return (
        f"How large a difference to believe: on {counted(len(shares), 'real collection')}, differences of {large} "
        f"over {size} topics were reversed on {size} other topics in {here} "
        f"({shares.min():.0%} at least, {shares.max():.0%} at most){more}. See Across collections.",
    )
