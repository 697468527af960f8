"""Aggregations: A(i), what a user who stops at rank i has gained.

A new aggregation takes one class here, with `amount`, runs × ranks.  Running sums and maxima are computed once per
topic by a `Walk`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

import numpy as np

from irviz.errors import IrvizError
from irviz.measures.arithmetic import Array, fraction, like, ranks_like
from irviz.measures.language.base import Expression, Scale, registered_classes
from irviz.measures.language.parameters import Real, parameter
from irviz.measures.scale_facts import CONSTANT, peak_scale, weighted_scale


class Walk:
    """The gains along the ranks, runs × ranks, and their running sum and maximum."""

    def __init__(self, gains: Array) -> None:
        self.gains = gains

    @cached_property
    def ranks(self) -> Array:
        return ranks_like(self.gains)

    @cached_property
    def cumulated_gain(self) -> Array:
        return np.cumsum(self.gains, axis=1)

    @cached_property
    def peak(self) -> Array:
        return np.maximum.accumulate(self.gains, axis=1)

    @cached_property
    def rises(self) -> Array:
        """How much each rank adds to the maximum."""
        increments = self.peak.copy()
        increments[:, 1:] -= self.peak[:, :-1]
        return increments


@dataclass(frozen=True, kw_only=True)
class Aggregation(Expression):
    """How a user sums up the documents that were read."""

    family: ClassVar[str] = "aggregation"
    cut: ClassVar[str] = "none"
    formula: ClassVar[str] = ""
    source: ClassVar[str] = ""
    per_item: ClassVar[bool] = False  #: the amount is divided by V+, the items read on average
    blind: ClassVar[bool] = False  #: A does not depend on the gains
    amount_at_cutoff: ClassVar[float | None] = None  #: A of users stopped only by the cutoff; None: A of the last rank

    total: ClassVar[bool] = False  #: gains are added up, and may go beyond 1
    whole: ClassVar[bool] = False  #: A of the last document does not depend on the order of those read

    def amount(self, walk: Walk) -> Array:
        """A(i), runs × ranks (1 × ranks where no gain matters), before any division by V+."""
        raise TypeError(f"{type(self).__name__} defines no amount.")

    def amount_parts(self, walk: Walk) -> tuple[Array | None, Array | None]:
        """A(i) in two parts: the increment of every document read, and a final amount of the last one.

        Σ L(i) A(i) is the sum of survival times the first and of L times the second.
        """
        return None, self.amount(walk)

    def scale(self, last: Array, table: Sequence[Fraction], margin: Fraction) -> Scale:
        """The scale type of Σ L(i) A(i) if every run is read alike: `last` is L, `table` the gain of every level."""
        raise IrvizError(f"The aggregation {self.symbol} does not say its scale type. Give its class a `scale`.")


class WeightedGains(Aggregation):
    """Base of the aggregations that make Σ L(i) A(i) a weighted sum of gains, Σ w_i r_i, for given L."""

    def weights_upwards(self, last: Array) -> Iterable[Fraction]:
        """w_i, from the last rank to the first."""
        raise TypeError(f"{type(self).__name__} defines no weights.")

    def scale(self, last: Array, table: Sequence[Fraction], margin: Fraction) -> Scale:
        return weighted_scale(self.weights_upwards(last), len(last), table, margin)


class CumulatedGain(WeightedGains):
    """Base of the aggregations in which A(i) is made of the gain up to rank i."""

    whole: ClassVar[bool] = True

    def amount(self, walk: Walk) -> Array:
        return walk.cumulated_gain

    def amount_parts(self, walk: Walk) -> tuple[Array | None, Array | None]:
        return walk.gains, None

    def weights_upwards(self, last: Array) -> Iterable[Fraction]:
        return accumulate(last[::-1])


@dataclass(frozen=True, kw_only=True)
class ExpectedRateOfGain(CumulatedGain):
    """The expected gain per document read."""

    symbol: ClassVar[str] = "ERG"
    title: ClassVar[str] = "Expected rate of gain"
    formula: ClassVar[str] = r"A(i) = \frac{1}{V^{+}} \sum_{j \le i} r_j"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (9)"
    per_item: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class ExpectedTotalGain(CumulatedGain):
    """The gain of all documents read."""

    symbol: ClassVar[str] = "ETG"
    title: ClassVar[str] = "Expected total gain"
    formula: ClassVar[str] = r"A(i) = \sum_{j \le i} r_j"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (10)"
    total: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class AverageRelevance(WeightedGains):
    """The mean gain of the documents read."""

    symbol: ClassVar[str] = "avg"
    title: ClassVar[str] = "Average"
    formula: ClassVar[str] = r"A(i) = \frac{1}{i} \sum_{j \le i} r_j"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (11)"
    whole: ClassVar[bool] = True

    def amount(self, walk: Walk) -> Array:
        return walk.cumulated_gain / walk.ranks

    def weights_upwards(self, last: Array) -> Iterable[Fraction]:
        parts = (weight / rank for weight, rank in zip(last[::-1], range(len(last), 0, -1), strict=True))
        return accumulate(parts)


@dataclass(frozen=True, kw_only=True)
class MaximumRelevance(Aggregation):
    """The gain of the best document read."""

    symbol: ClassVar[str] = "max"
    title: ClassVar[str] = "Maximum"
    formula: ClassVar[str] = r"A(i) = \max_{j \le i} r_j"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (12)"
    whole: ClassVar[bool] = True

    def amount(self, walk: Walk) -> Array:
        return walk.peak

    def amount_parts(self, walk: Walk) -> tuple[Array | None, Array | None]:
        return walk.rises, None

    def scale(self, last: Array, table: Sequence[Fraction], margin: Fraction) -> Scale:
        return peak_scale(last.tolist(), Fraction(1), table, margin)


@dataclass(frozen=True, kw_only=True)
class FinalRelevance(WeightedGains):
    """The gain of the last document read."""

    symbol: ClassVar[str] = "fin"
    title: ClassVar[str] = "Last"
    formula: ClassVar[str] = r"A(i) = r_i"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (13)"

    def amount(self, walk: Walk) -> Array:
        return walk.gains

    def weights_upwards(self, last: Array) -> Iterable[Fraction]:
        return last[::-1]


@dataclass(frozen=True, kw_only=True)
class PeakEnd(Aggregation):
    """People judge an experience by its peak and its end: a mean of the best and the last gain."""

    symbol: ClassVar[str] = "PE"
    title: ClassVar[str] = "Peak-end"
    formula: ClassVar[str] = r"A(i) = \beta \max_{j \le i} r_j + (1-\beta)\, r_i"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (14)"
    beta: float = parameter(0.5, Real(0, 1), "The weight of the peak; the end gets the rest.", always_written=True)

    def amount(self, walk: Walk) -> Array:
        beta = like(walk.gains, self.beta)
        return beta * walk.peak + (1 - beta) * walk.gains

    def amount_parts(self, walk: Walk) -> tuple[Array | None, Array | None]:
        beta = like(walk.gains, self.beta)
        return beta * walk.rises, (1 - beta) * walk.gains

    def scale(self, last: Array, table: Sequence[Fraction], margin: Fraction) -> Scale:
        if not self.beta:
            return weighted_scale(last[::-1], len(last), table, margin)
        return peak_scale(last.tolist(), fraction(self.beta), table, margin)


@dataclass(frozen=True, kw_only=True)
class ReciprocalRank(Aggregation):
    """The earlier the user stops, the better; the documents that were read do not matter.

    A user who would read on past the cutoff never stops, and A → 0 as the rank increases:
    such a user adds 0.  With C=ERR this is exactly ERR.
    """

    symbol: ClassVar[str] = "ERR"
    title: ClassVar[str] = "Reciprocal rank of the stop"
    formula: ClassVar[str] = r"A(i) = 1/i"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (15)"
    blind: ClassVar[bool] = True
    amount_at_cutoff: ClassVar[float | None] = 0.0

    def amount(self, walk: Walk) -> Array:
        return (1 / walk.ranks)[None]

    def scale(self, last: Array, table: Sequence[Fraction], margin: Fraction) -> Scale:
        return CONSTANT


AGGREGATIONS = registered_classes(Aggregation)  #: the catalogue, in the order they are offered
