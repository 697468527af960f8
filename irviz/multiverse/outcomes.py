"""The results of comparing pairs of systems, column by column: differences, intervals, p-values.

A group holds columns of the score cube (a measure, a judge, a depth, …) restricted to as
many topics each.  Everything here is an array over averages, tests, columns and pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irviz.multiverse.dimensions import Average
from irviz.multiverse.paired import PAIRED, Differences, Tested
from irviz.multiverse.resampling import (
    Resampled,
    Resamples,
    bootstrap_means,
    bootstrap_medians,
    exchange_means,
    exchange_medians,
    exchanged_medians,
    in_scores,
    mean_of,
    never_below,
    resampled_medians,
)
from irviz.stats.aggregate import MEANS, aggregate

Floats = NDArray[np.float64]
BUDGET = 1 << 22  #: resampled averages held at a time, as many numbers


@dataclass(frozen=True, eq=False)
class Group:
    """Columns with as many topics each.

    Attributes
    ----------
    raw, standardised : columns × topics × systems
    first, second : by pair, positions of the compared systems
    named : positions of the systems that the claim names
    """

    raw: Floats
    standardised: Floats
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    named: NDArray[np.intp]

    @property
    def topics(self) -> int:
        return self.raw.shape[1]

    def columns(self, some: slice) -> Group:
        return replace(self, raw=self.raw[some], standardised=self.standardised[some])

    def view(self, average: Average) -> Floats:
        return self.standardised if average.standardised else self.raw


class Outcomes(NamedTuple):
    """averages × columns × pairs; `low`, `high`, `p` and `direction` averages × tests × columns × pairs.

    `undefined`, averages × columns, counts in `UNDEFINED`; where it is not 0, the other numbers mean nothing.
    """

    difference: Floats
    standardised: Floats
    low: Floats
    high: Floats
    p: Floats
    direction: NDArray[np.int8]
    undefined: NDArray[np.int8]


UNDEFINED = (
    "",
    "the geometric and harmonic means need scores of at least 0",
    "without an ε, a score of 0 leaves no geometric or harmonic mean",
    "a geometric or harmonic mean of zeros only",
    "fewer than two topics are left",
)  #: why an average, or a test of it, is not defined
ALL_ZERO, TOO_FEW = 3, len(UNDEFINED) - 1


class Asked(NamedTuple):
    """What is to be computed for every column."""

    averages: tuple[Average, ...]
    tests: tuple[str, ...]
    alpha: float
    trials: int
    seed: int


def outcomes(group: Group, asked: Asked, drawn: Resamples) -> Outcomes:
    """All averages and tests for all columns and pairs of a group."""
    wide = max(group.raw.shape[2], len(group.first)) * asked.trials
    step = max(1, BUDGET // wide)
    parts = [_outcomes(group.columns(slice(i, i + step)), asked, drawn) for i in range(0, len(group.raw), step)]
    return concatenated(parts)


def concatenated(parts: Sequence[Outcomes]) -> Outcomes:
    """One after the other along the columns."""
    *plain, undefined = zip(*parts, strict=True)
    return Outcomes._make([*(np.concatenate(arrays, axis=-2) for arrays in plain), np.concatenate(undefined, axis=-1)])


def _outcomes(group: Group, asked: Asked, drawn: Resamples) -> Outcomes:
    views = {average.standardised for average in asked.averages}
    differences = {view: _differences(group, view) for view in views}
    paired = {(view, test): PAIRED[test](differences[view]) for view in views for test in asked.tests if test in PAIRED}
    found = []
    for average in asked.averages:
        own = _Own(group, average, differences[average.standardised], asked, drawn)
        tested = [paired.get((average.standardised, test)) or own.tested(test) for test in asked.tests]
        found.append(own.outcomes(tested))
    return Outcomes._make(np.stack(arrays) for arrays in zip(*found, strict=True))


def undefined(values: Floats, average: Average, named: NDArray[np.intp]) -> NDArray[np.int8]:
    """By column of columns × topics × systems, why the average is not defined; 0 where it is.

    That a system scores 0 on every topic matters only if the claim names it.
    """
    code = np.zeros(len(values), dtype=np.int8)
    if not MEANS.get(average.how, MEANS["mean"]).positive:
        return code
    lowest = values.min(axis=(1, 2))
    code[(values.max(axis=1)[:, named] == 0).any(axis=1)] = ALL_ZERO
    if mean_of(average)[1] == 0:
        code[lowest == 0] = 2
    code[lowest < 0] = 1
    return code


def _flat(values: Floats, systems: NDArray[np.intp]) -> Floats:
    """topics × (columns · pairs)."""
    return values[:, :, systems].transpose(1, 0, 2).reshape(values.shape[1], -1)


def _differences(group: Group, standardised: bool) -> Differences:
    values = group.standardised if standardised else group.raw
    return Differences.of(_flat(values, group.first), _flat(values, group.second))


class _Own:
    """A world's own average: its difference, interval, bootstrap and randomisation test, by (column, pair)."""

    def __init__(self, group: Group, average: Average, d: Differences, asked: Asked, drawn: Resamples) -> None:
        self.group, self.average, self.d, self.asked, self.drawn = group, average, d, asked, drawn
        self.undefined = undefined(group.view(average), average, group.named)
        self.values = np.where(self.undefined[:, None, None] > 0, 1.0, group.view(average))  # anything that computes
        averages = aggregate(self.values, average.how, average.eps)
        difference = (averages[:, group.first] - averages[:, group.second]).ravel()
        self.slack = d.noise * (1 if average.how in ("mean", "median") else 16)
        self.difference = np.where(np.abs(difference) <= self.slack, 0.0, difference)
        varies = d.deviation > 0
        ratio = self.difference / np.where(varies, d.deviation, 1.0)
        self.standardised = np.where(varies | (ratio == 0), ratio, np.copysign(np.inf, ratio))
        self._known: dict[str, Resampled] = {}

    def outcomes(self, tested: list[Tested]) -> tuple[NDArray[Any], ...]:
        shape = (len(self.values), len(self.group.first))
        limits = zip(*(self.interval(test) for test in self.asked.tests), strict=True)
        by_test = (*limits, *([getattr(one, name) for one in tested] for name in Tested._fields))
        return (
            *(numbers.reshape(shape) for numbers in (self.difference, self.standardised)),
            *(np.stack(numbers).reshape(-1, *shape) for numbers in by_test),
            self.undefined,
        )

    @property
    def is_mean(self) -> bool:
        return self.average.how == "mean"

    def tested(self, test: str) -> Tested:
        return Tested(self.resampled(test).p, np.sign(self.difference).astype(np.int8))

    def interval(self, test: str) -> tuple[Floats, Floats]:
        """Of bootstrap and randomisation their own, beside other tests Student's; of medians always the bootstrap's."""
        if self.is_mean and test in PAIRED:
            return self.d.interval(self.asked.alpha)
        found = self.resampled("bootstrap" if test in PAIRED else test)
        return found.low, found.high

    def resampled(self, test: str) -> Resampled:
        """Bootstrap or randomisation, with its interval."""
        if test not in self._known:
            found = self._medians(test) if self.average.how == "median" else self._means(test)
            self._known[test] = found if self.is_mean else never_below(found, self.d.topics, self.asked.alpha)
        return self._known[test]

    def _means(self, test: str) -> Resampled:
        method = bootstrap_means if test == "bootstrap" else exchange_means
        if self.is_mean:
            return method(self.d, self.drawn, self.asked.alpha)
        mean, eps = mean_of(self.average)
        first, second = (mean.forward(values, eps) for values in self._pairs)
        d = Differences.of(first, second)
        return in_scores(d, (first + second) / 2, self.average, method(d, self.drawn, self.asked.alpha))

    def _medians(self, test: str) -> Resampled:
        if test == "bootstrap":
            return bootstrap_medians(*self._pairs, self.difference, self._resampled_medians(), self.asked.alpha)
        exchanged = exchanged_medians(*self._pairs, self.drawn)
        return self.resampled("bootstrap")._replace(p=exchange_medians(self.difference, self.slack, exchanged))

    @property
    def _pairs(self) -> tuple[Floats, Floats]:
        """topics × (columns · pairs) of the first and of the second systems."""
        return _flat(self.values, self.group.first), _flat(self.values, self.group.second)

    def _resampled_medians(self) -> Floats:
        """trials × (columns · pairs): the difference of medians over resampled topics."""
        columns, n, systems = self.values.shape
        flat = self.values.transpose(1, 0, 2).reshape(n, columns * systems)
        found = resampled_medians(flat, self.drawn).reshape(-1, columns, systems)
        pairs = found[:, :, self.group.first] - found[:, :, self.group.second]
        return pairs.reshape(len(pairs), -1)
