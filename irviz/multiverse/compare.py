"""Systems compared in pairs, under every average and test of every setting; and from there a claim in every world.

Everything here is an array over averages, tests, settings and pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.multiverse.claims import Claim, claim_p
from irviz.multiverse.dimensions import Average, average
from irviz.multiverse.resampling import (
    Resampled,
    Resamples,
    bootstrap_means,
    bootstrap_medians,
    draws,
    exchange_means,
    exchange_medians,
    exchanged_medians,
    in_scores,
    mean_of,
    never_below,
    resampled_medians,
)
from irviz.multiverse.settings import FEWEST_TOPICS, Settings, part, tukey
from irviz.multiverse.tests import PAIRED, Differences, holm
from irviz.multiverse.worlds import Worlds
from irviz.stats.aggregate import MEANS, aggregate
from irviz.stats.scores import Scores
from irviz.workers import Progress, Workers, run

Floats = NDArray[np.float64]
BUDGET = 1 << 22  #: resampled averages held at a time, as many numbers
_PIECE = 16  #: settings times pairs in a piece of work, about
_SCORED, _COMPARED = 0.5, 0.9  #: shares of the work that are done, for the progress bar
UNDEFINED = (
    "",
    "the geometric and harmonic means need scores of at least 0",
    "without an ε, a score of 0 leaves no geometric or harmonic mean",
    "a geometric or harmonic mean of zeros only",
    "fewer than two topics are left",
)  #: why an average, or a test of it, is not defined
ALL_ZERO, TOO_FEW = 3, len(UNDEFINED) - 1


class Procedure(NamedTuple):
    """The averages and tests to compute, and how."""

    averages: tuple[Average, ...]
    tests: tuple[str, ...]
    alpha: float
    trials: int
    seed: int


@dataclass(frozen=True, eq=False)
class PairScores:
    """Scores of settings with as many topics each, and the pairs of systems to compare.

    Attributes
    ----------
    raw, standardised : settings × topics × systems
    first, second : by pair, positions of the compared systems
    named : positions of the systems that the claim names
    """

    raw: Floats
    standardised: Floats
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    named: NDArray[np.intp]

    def some(self, settings: slice) -> PairScores:
        return replace(self, raw=self.raw[settings], standardised=self.standardised[settings])

    def scores(self, standardised: bool) -> Floats:
        return self.standardised if standardised else self.raw


class Comparison(NamedTuple):
    """Differences, intervals and p-values: of pairs by setting, of a claim by setting, or of a claim by world.

    Of pairs, averages × settings × pairs, and `low`, `high`, `p` and `direction` averages × tests ×
    settings × pairs; of a claim without the pairs; by world, one number each.

    Attributes
    ----------
    direction : 1, 0 or −1, the way the test points
    undefined : averages × settings, counts in `UNDEFINED`; the other numbers mean nothing where it is not 0
    pair : of a claim, the comparison that decides
    """

    difference: Floats
    standardised: Floats
    low: Floats
    high: Floats
    p: Floats
    direction: NDArray[np.int8]
    undefined: NDArray[np.int8]
    pair: NDArray[np.intp]

    @property
    def verdict(self) -> NDArray[np.int8]:
        """Of a claim: 1 where it holds, 0 for a tie and −1 where it is reversed."""
        return np.sign(np.nan_to_num(self.difference)).astype(np.int8)


def _of_pairs(arrays: Iterable[NDArray[Any]]) -> Comparison:
    """A comparison of pairs from all its fields but the last, which is a claim's."""
    return Comparison._make([*arrays, np.empty(0, dtype=np.intp)])


# -- Pairs of systems -------------------------------------------------------------------------------


def compare_pairs(scores: PairScores, how: Procedure, drawn: Resamples) -> Comparison:
    """All averages and tests for all settings and pairs."""
    wide = max(scores.raw.shape[2], len(scores.first)) * how.trials
    step = max(1, BUDGET // wide)
    parts = [_compared(scores.some(slice(i, i + step)), how, drawn) for i in range(0, len(scores.raw), step)]
    *plain, code, _ = zip(*parts, strict=True)
    return _of_pairs([*(np.concatenate(arrays, axis=-2) for arrays in plain), np.concatenate(code, axis=-1)])


def _compared(scores: PairScores, how: Procedure, drawn: Resamples) -> Comparison:
    views = {one.standardised for one in how.averages}
    differences = {view: _differences(scores, view) for view in views}
    paired = {(view, test): PAIRED[test](differences[view]) for view in views for test in how.tests if test in PAIRED}
    found = []
    for one in how.averages:
        own = _WorldAverage(scores, one, differences[one.standardised], how, drawn)
        found.append(own.comparison([paired.get((one.standardised, test)) or own.tested(test) for test in how.tests]))
    return _of_pairs(np.stack(arrays) for arrays in zip(*(one[:-1] for one in found), strict=True))


def undefined(values: Floats, average: Average, named: NDArray[np.intp]) -> NDArray[np.int8]:
    """By setting of settings × topics × systems, the place in `UNDEFINED` of the reason; 0 where it is defined.

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


def _differences(scores: PairScores, standardised: bool) -> Differences:
    values = scores.scores(standardised)
    return Differences.of(_flat(values, scores.first), _flat(values, scores.second))


class _WorldAverage:
    """A world's own average: its difference, interval, bootstrap and randomisation test, by (setting, pair)."""

    def __init__(self, scores: PairScores, average: Average, d: Differences, how: Procedure, drawn: Resamples) -> None:
        self.scores, self.average, self.d, self.how, self.drawn = scores, average, d, how, drawn
        self.values = scores.scores(average.standardised)
        self.undefined = undefined(self.values, average, scores.named)
        self.values = np.where(
            self.undefined[:, None, None] > 0, 1.0, scores.scores(average.standardised)
        )  # anything that computes
        averages = aggregate(self.values, average.how, average.eps)
        difference = (averages[:, scores.first] - averages[:, scores.second]).ravel()
        self.slack = d.noise * (1 if average.how in ("mean", "median") else 16)
        self.difference = np.where(np.abs(difference) <= self.slack, 0.0, difference)
        varies = d.deviation > 0
        ratio = self.difference / np.where(varies, d.deviation, 1.0)
        self.standardised = np.where(varies | (ratio == 0), ratio, np.copysign(np.inf, ratio))
        self._known: dict[str, Resampled] = {}

    def comparison(self, tested: list[tuple[Floats, NDArray[np.int8]]]) -> Comparison:
        shape = (len(self.values), len(self.scores.first))
        limits = zip(*(self.interval(test) for test in self.how.tests), strict=True)
        by_test = (*limits, *zip(*tested, strict=True))
        return _of_pairs(
            [
                *(numbers.reshape(shape) for numbers in (self.difference, self.standardised)),
                *(np.stack(numbers).reshape(-1, *shape) for numbers in by_test),
                self.undefined,
            ]
        )

    @property
    def is_mean(self) -> bool:
        return self.average.how == "mean"

    def tested(self, test: str) -> tuple[Floats, NDArray[np.int8]]:
        return self.resampled(test).p, np.sign(self.difference).astype(np.int8)

    def interval(self, test: str) -> tuple[Floats, Floats]:
        """Of bootstrap and randomisation their own, beside other tests Student's; of medians always the bootstrap's."""
        if self.is_mean and test in PAIRED:
            return self.d.interval(self.how.alpha)
        found = self.resampled("bootstrap" if test in PAIRED else test)
        return found.low, found.high

    def resampled(self, test: str) -> Resampled:
        """Bootstrap or randomisation, with its interval."""
        if test not in self._known:
            found = self._medians(test) if self.average.how == "median" else self._means(test)
            self._known[test] = found if self.is_mean else never_below(found, self.d.topics, self.how.alpha)
        return self._known[test]

    def _means(self, test: str) -> Resampled:
        method = bootstrap_means if test == "bootstrap" else exchange_means
        if self.is_mean:
            return method(self.d, self.drawn, self.how.alpha)
        mean, eps = mean_of(self.average)
        first, second = (mean.forward(values, eps) for values in self._pairs)
        d = Differences.of(first, second)
        return in_scores(d, (first + second) / 2, self.average, method(d, self.drawn, self.how.alpha))

    def _medians(self, test: str) -> Resampled:
        if test == "bootstrap":
            return bootstrap_medians(*self._pairs, self.difference, self._resampled_medians(), self.how.alpha)
        exchanged = exchanged_medians(*self._pairs, self.drawn)
        return self.resampled("bootstrap")._replace(p=exchange_medians(self.difference, self.slack, exchanged))

    @property
    def _pairs(self) -> tuple[Floats, Floats]:
        """topics × (columns · pairs) of the first and of the second systems."""
        return _flat(self.values, self.scores.first), _flat(self.values, self.scores.second)

    def _resampled_medians(self) -> Floats:
        """trials × (columns · pairs): the difference of medians over resampled topics."""
        columns, n, systems = self.values.shape
        flat = self.values.transpose(1, 0, 2).reshape(n, columns * systems)
        found = resampled_medians(flat, self.drawn).reshape(-1, columns, systems)
        pairs = found[:, :, self.scores.first] - found[:, :, self.scores.second]
        return pairs.reshape(len(pairs), -1)


# -- A claim in every setting -----------------------------------------------------------------------


def compare(
    s: Settings,
    claim: Claim,
    names: Sequence[str],
    how: Procedure,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Comparison:
    """The claim about some of the systems `names` in every setting."""
    systems, pairs = np.unique(np.array(claim.pairs), return_inverse=True)
    first, second = pairs.reshape(-1, 2).T
    named = np.searchsorted(systems, [list(names).index(name) for name in claim.names])
    standardise = any(one.standardised for one in how.averages)

    def scores(k: int) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        raw, standardised = (s.column(k).scores(view)[:, systems] for view in (False, standardise))
        return raw, standardised, s.common(k, systems[first], systems[second])

    step = max(1, _PIECE // len(claim.pairs))
    pieces = [[scores(k) for k in range(i, min(i + step, len(s)))] for i in range(0, len(s), step)]
    work = partial(_piece, first=first, second=second, named=named, how=how, spare=claim.spare)
    parts = run(work, pieces, workers, progress, lambda piece: "Compared the systems")
    return Comparison._make(np.concatenate(arrays, axis=-1) for arrays in zip(*parts, strict=True))


def _piece(
    piece: list[tuple[Floats, Floats, NDArray[np.bool_]]],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    named: NDArray[np.intp],
    how: Procedure,
    spare: int,
) -> Comparison:
    """The claim in some settings: raw and standardised scores, and the topics of every pair."""
    whole = _nothing(len(how.averages), len(how.tests), len(piece), len(first))
    plain, other, masks = zip(*piece, strict=True)
    for pairs, members in _groups(masks):
        raw, standardised = (np.stack([scores[k][rows] for k, rows in members]) for scores in (plain, other))
        scores = PairScores(raw, standardised, first[pairs], second[pairs], named)
        found = compare_pairs(scores, how, draws(raw.shape[1], how.trials, how.seed))
        places = np.array([k for k, _ in members])
        for name in Comparison._fields[:-2]:
            getattr(whole, name)[..., places[:, None], pairs] = getattr(found, name)
        whole.undefined[:, places] = np.maximum(whole.undefined[:, places], found.undefined)
    for k, common in enumerate(masks):
        if (common.sum(axis=0) < FEWEST_TOPICS).any():
            whole.undefined[:, k] = TOO_FEW
    return _of_claim(whole, spare)


def _nothing(averages: int, tests: int, settings: int, pairs: int) -> Comparison:
    """A comparison to be filled in."""
    plain = [np.full((averages, settings, pairs), np.nan) for _ in range(2)]
    by_test = [np.full((averages, tests, settings, pairs), np.nan) for _ in range(3)]
    signs = np.zeros((averages, tests, settings, pairs), dtype=np.int8)
    return _of_pairs([*plain, *by_test, signs, np.zeros((averages, settings), dtype=np.int8)])


def _groups(
    masks: Sequence[NDArray[np.bool_]],
) -> Iterator[tuple[NDArray[np.intp], list[tuple[int, NDArray[np.intp]]]]]:
    """Pairs that are compared on the same topics, with the settings (and their topics) that have as many."""
    found: dict[tuple[int, bytes], tuple[NDArray[np.intp], list[tuple[int, NDArray[np.intp]]]]] = {}
    for k, common in enumerate(masks):
        for pairs, rows in _patterns(common):
            if len(rows) >= FEWEST_TOPICS:
                found.setdefault((len(rows), pairs.tobytes()), (pairs, []))[1].append((k, rows))
    yield from found.values()


def _patterns(common: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Pairs with the same topics, and those topics."""
    if (common == common[:, :1]).all():
        yield np.arange(common.shape[1]), np.flatnonzero(common[:, 0])
        return
    patterns, which = np.unique(common, axis=1, return_inverse=True)
    for i in range(patterns.shape[1]):
        yield np.flatnonzero(which.ravel() == i), np.flatnonzero(patterns[:, i])


def _of_claim(found: Comparison, spare: int) -> Comparison:
    """From all comparisons to the claim of which `spare` may fail."""
    pair = np.argsort(found.difference, axis=-1, kind="stable")[..., spare]
    plain = [np.take_along_axis(numbers, pair[..., None], axis=-1)[..., 0] for numbers in found[:2]]
    limits = [np.take_along_axis(numbers, pair[:, None, :, None], axis=-1)[..., 0] for numbers in found[2:4]]
    verdict = np.sign(np.nan_to_num(plain[0])).astype(np.int8)
    p, direction = claim_p(found.p, found.direction, verdict[:, None], spare)
    return Comparison._make([*plain, *limits, p, direction, found.undefined, pair])


# -- A claim in every world -------------------------------------------------------------------------


def evaluate(
    c: Collection | Scores,
    claim: Claim,
    w: Worlds,
    alpha: float,
    trials: int,
    seed: int,
    workers: Workers = None,
    progress: Progress | None = None,
) -> tuple[Settings, Comparison]:
    """The claim in every world, and the settings of the worlds."""
    s = Settings.of(c, w, True, workers, part(progress, 0, _SCORED))
    used = {name: np.unique(w.code(name)) for name in ("average", "test")}
    averages, tests = (tuple(w.options[name][i] for i in some) for name, some in used.items())
    how = Procedure(tuple(map(average, averages)), tests, alpha, trials, seed)
    compared = compare(s, claim, c.systems, how, workers, part(progress, _SCORED, _COMPARED))
    a, t = (np.searchsorted(some, w.code(name)) for name, some in used.items())
    found = _by_world(compared, a, t, s)
    _all_systems(s, a, claim, how, found, workers, part(progress, _COMPARED, 1))
    return s, found


def _by_world(compared: Comparison, a: NDArray[np.intp], t: NDArray[np.intp], s: Settings) -> Comparison:
    """Look the worlds up, with p corrected by Holm's procedure where the world says so."""
    found = Comparison._make(numbers[(a, t, s.own) if numbers.ndim == 3 else (a, s.own)] for numbers in compared)
    rows = np.flatnonzero(s.takes("family", "holm"))
    if len(rows):
        across = compared.p[a[rows, None], t[rows, None], s.mates]
        there = (s.mates >= 0) & (compared.undefined[a[rows, None], s.mates] == 0)
        own = s.worlds.code("measure")[rows]
        found.p[rows] = holm(np.where(there, across, np.nan))[np.arange(len(rows)), own]
    return found


def _all_systems(
    s: Settings,
    a: NDArray[np.intp],
    claim: Claim,
    how: Procedure,
    found: Comparison,
    workers: Workers,
    progress: Progress | None,
) -> None:
    """Put in the p of the worlds whose family is all loaded systems."""
    rows = np.flatnonzero(s.takes("family", "all_systems"))
    wanted = [(int(s.own[i]), how.averages[a[i]].standardised) for i in rows]
    if not wanted:
        return
    first, second = np.array(claim.pairs).T
    p_values = tukey(s, list(dict.fromkeys(wanted)), how.trials, how.seed, workers, progress)
    verdict = found.verdict
    for i, one in zip(rows, wanted, strict=True):
        p, centres = p_values[one]
        direction = np.sign(centres[first] - centres[second]).astype(np.int8)
        p_claim, toward = claim_p(
            p[None, first, second], direction[None], verdict[i : i + 1], claim.spare, corrected=True
        )
        found.p[i], found.direction[i] = p_claim[0], toward[0]


def reasons(undefined: NDArray[np.int8]) -> dict[str, int]:
    """How many worlds cannot be decided, by reason."""
    return {
        reason: int((undefined == code).sum())
        for code, reason in enumerate(UNDEFINED)
        if code and (undefined == code).any()
    }
