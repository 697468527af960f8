"""Measures of several aspects at once: CAM and MM, the means of the scores on each aspect.

Both score every aspect by itself and then combine the scores.  (TOMA combines the
labels first: :mod:`irviz.measures.toma`.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from irviz.collection.model import Collection
from irviz.errors import IrvizError, join_words, number_of
from irviz.measures.arithmetic import Array
from irviz.measures.cumulated_gain import NDCG
from irviz.measures.judged_lists import BinaryTopics, ExactTopic, Topics
from irviz.measures.language.base import OWN_GAINS, Component, DerivedMeasure, Measure, Parts, Scale
from irviz.measures.language.parameters import Numbers, PerAspect, Real, Subexpression, Truth, parameter, value_text
from irviz.portable import total

_INVERTIBLE = 2.0**-900  # the inverse of anything smaller may overflow


def base_parameter() -> Any:
    """`base`: the measure of each aspect in a measure of several aspects."""
    doc = "The measure of each aspect, with its cutoff."
    return parameter(NDCG(cutoff=10), Subexpression("measure"), doc, positional=True)


@dataclass(frozen=True, kw_only=True)
class MultiAspect(DerivedMeasure):
    """Base: a measure of one aspect, scored on all of them."""

    group: ClassVar[str] = "Several aspects"
    several_aspects: ClassVar[bool] = True
    range_note: ClassVar[str] = "The range of the base; over DCG, 0 to ∞."
    aspect: str | None = field(default=None, init=False)  # not a parameter here: all aspects count
    judged_only: bool = field(default=False, init=False)
    base: Measure = base_parameter()
    binary: bool = parameter(
        False, Truth(), "True treats all grades above zero as one grade, on every aspect, before anything else."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.base.several_aspects:
            inner = getattr(self.base, "base", None)
            hint = f" Take {inner}." if inner else ""
            raise IrvizError(f"The base of {self.symbol} must be a measure of one aspect; got {self.base}.{hint}")
        if self.base.aspect is not None:
            raise IrvizError(
                f"The base of {self.symbol} is scored on all aspects, but {self.base} names one. "
                f"Leave `aspect` out of it."
            )

    @property
    def ignores_unjudged(self) -> bool:  # type: ignore[override]
        return self.base.ignores_unjudged

    @property
    def single(self) -> Measure:
        return self.base

    def score_range(self, grades: tuple[float, ...]) -> tuple[float, float]:
        return self.base.score_range(grades)


@dataclass(frozen=True, kw_only=True)
class MeanOfAspects(MultiAspect):
    """Base of CAM and MM: a mean of the scores on each aspect, never falling as one of them rises."""

    kind_of_mean: ClassVar[str] = ""

    p: tuple[float, ...] | None = None
    rel: Any = parameter(
        None,
        PerAspect(Real(low=0, open_low=True, optional=True, step=1)),
        "Replaces the base's: the smallest relevant grade, one for all aspects or a list with one per aspect.",
    )
    gains: Any = parameter(
        None,
        PerAspect(OWN_GAINS),
        "Replaces the base's: the gain of a grade, one mapping for all aspects or a list with one per aspect.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("rel", "gains"):
            for value in self._each(name, 1):
                if value is not None and not hasattr(self.base, name):
                    raise IrvizError(f"{self.symbol} got `{name}`, but {self.base} takes none. Leave it out.")
                if value is not None:
                    replace(self.base, **{name: value})  # refuses bad values

    def score(self, topic: Topics) -> Array:
        """One number per list."""
        if isinstance(topic, ExactTopic):
            raise IrvizError(f"{self.symbol} scores several aspects, but enumerated runs have one. Take {self.base}.")
        shares = self.shares(topic.aspects)
        counted = [i for i, share in enumerate(shares) if share > 0]
        bases = self.bases(topic.aspects)
        view = self.seen_by_terms(topic)
        return self.mean([shares[i] for i in counted], np.stack([bases[i].score(view) for i in counted]))

    def terms(self, collection: Collection) -> list[Component]:
        shares = self.shares(collection.aspects)
        share_sum = float(total(np.array(shares)))
        grades = [(0.0, 1.0) if self.binary else levels for levels in collection.grades]
        each = zip(shares, self.bases(collection.aspects), grades, strict=True)
        return [
            Component(share / share_sum, base, base.score_range(levels)[1]) for share, base, levels in each if share > 0
        ]

    def seen_by_terms(self, topic: Topics) -> Topics:
        return BinaryTopics(topic) if self.binary else topic

    def mean(self, shares: list[float], scores: Array) -> Array:
        raise TypeError(f"{type(self).__name__} defines no mean.")

    def shares(self, aspects: Sequence[str]) -> tuple[float, ...]:
        """p of every aspect; equal by default."""
        if self.p is None:
            return (1.0,) * len(aspects)
        self._fits("p", self.p, aspects, "number")
        return self.p

    def bases(self, aspects: tuple[str, ...]) -> tuple[Measure, ...]:
        """The measure that scores each aspect."""
        return _bases(self, aspects)

    def _each(self, name: str, aspects: int) -> tuple[Any, ...]:
        """The values of `rel` or `gains`, one per aspect."""
        value = getattr(self, name)
        several = isinstance(value, tuple) and (name == "rel" or any(not isinstance(one, float) for one in value))
        return value if several else (value,) * aspects

    def _fits(self, name: str, values: Sequence[Any], aspects: Sequence[str], what: str) -> None:
        if len(values) != len(aspects):
            raise IrvizError(
                f"`{name}` of {self.symbol} lists {number_of(len(values), what)}, but the collection "
                f"has {number_of(len(aspects), 'aspect')} ({join_words(aspects, joiner='and')}). "
                f"Give one {what} per aspect."
            )

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        reason = "Documents with different labels have no order of their own, so there is no total order."
        return Scale("neither", reason, "Maistro et al. 2021, section 4.2")


@lru_cache(maxsize=256)
def _bases(measure: MeanOfAspects, aspects: tuple[str, ...]) -> tuple[Measure, ...]:
    bases = [replace(measure.base, aspect=name) for name in aspects]
    for name in ("rel", "gains"):
        values = measure._each(name, len(aspects))
        measure._fits(name, values, aspects, "value")
        bases = [
            base if value is None else replace(base, **{name: value}) for base, value in zip(bases, values, strict=True)
        ]
    return tuple(bases)


@dataclass(frozen=True, kw_only=True)
class CAM(MeanOfAspects):
    """Convex aggregating measure: the weighted arithmetic mean of the scores on each aspect.

    Its ideal ranking may score below 1, because the best order for one aspect need not be the
    best for another.  In the experiments of Maistro et al. 2021 with AP (section 4.1) all
    grades above zero count as one: ``binary=True``, or AP's own `rel` where no grade lies
    between 0 and 1.
    """

    symbol: ClassVar[str] = "CAM"
    kind_of_mean: ClassVar[str] = "arithmetic"
    title: ClassVar[str] = "Convex aggregating measure"
    formula: ClassVar[str] = r"\mathrm{CAM} = \sum_{a \in A} p_a\, \mu(\hat r_a)"
    source: ClassVar[str] = "Maistro et al. 2021, eq. (5); Lioma et al. 2017"
    p: tuple[float, ...] | None = parameter(
        None,
        Numbers(simplex=True, optional=True, each="aspect, in their order"),
        "The weight of each aspect, in their order, summing to 1; equal by default.",
    )

    def mean(self, shares: list[float], scores: Array) -> Array:
        weights = np.array(shares)
        return total(weights[:, None] * scores, axis=0) / total(weights)

    def parts_of(self, topic: Topics) -> Parts:
        """The gain is the mean of the gains on the aspects."""
        view = self.seen_by_terms(topic)
        shares = np.array(self.shares(topic.aspects))
        parts = [base.parts_of(view) for base in self.bases(topic.aspects)]
        shares = shares / total(shares)
        gain = total(np.stack([share * part.gain for share, part in zip(shares, parts, strict=True)]), axis=0)
        adds = [share * part.gain * part.weight for share, part in zip(shares, parts, strict=True)]
        return Parts.of_sums(gain, total(np.stack(adds), axis=0))


@dataclass(frozen=True, kw_only=True)
class MM(MeanOfAspects):
    """Multidimensional measure: the weighted harmonic mean of the scores on each aspect.

    It is 0 if an aspect with a weight above 0 scores 0. The mean is not defined there; 0 is its
    limit.
    """

    symbol: ClassVar[str] = "MM"
    kind_of_mean: ClassVar[str] = "harmonic"
    title: ClassVar[str] = "Multidimensional measure"
    formula: ClassVar[str] = r"\mathrm{MM} = \sum_{a \in A} p_a \Big/ \sum_{a \in A} \frac{p_a}{\mu(\hat r_a)}"
    source: ClassVar[str] = "Maistro et al. 2021, eq. (6); Palotti et al. 2018"
    p: tuple[float, ...] | None = parameter(
        None,
        Numbers(nonnegative=True, optional=True, each="aspect, in their order"),
        "The weight of each aspect, in their order; equal by default.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.p is not None and not any(self.p):
            raise IrvizError(
                f"`p` of MM must give at least one aspect a weight; got {value_text(self.p)}. Give a number above 0."
            )

    def mean(self, shares: list[float], scores: Array) -> Array:
        weights = np.ldexp(shares, -np.frexp(max(shares))[1])  # the largest is about 1; no bit changes
        nonzero = (scores > 0).all(axis=0)
        lift = np.where(scores.min(axis=0) < _INVERTIBLE, 200, 0)  # powers of two, which change no bit of other means
        with np.errstate(over="ignore"):  # the inverse of a large score is negligible beside that
            lifted = np.ldexp(scores, lift)
        inverse = np.divide(weights[:, None], lifted, out=np.zeros_like(scores), where=nonzero)
        means = np.divide(total(weights), total(inverse, axis=0), out=np.zeros(scores.shape[1]), where=nonzero)
        return np.ldexp(means, -lift)
