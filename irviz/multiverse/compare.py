"""Systems compared in pairs, under every average and test of every setting; and from there a claim in every world.

Everything here is an array over averages, tests, settings and pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.multiverse.dimensions import Average, average
from irviz.multiverse.resampling import PairAverage, bootstrap, mean_of, randomisation
from irviz.multiverse.settings import FEWEST_TOPICS, Settings, tukey
from irviz.multiverse.worlds import Worlds
from irviz.stats.aggregate import MEANS, aggregate
from irviz.stats.claims import Claim, claim_p
from irviz.stats.groups import Groups, independent, renumbered, units_of
from irviz.stats.paired import PAIRED_TESTS, Differences, holm, in_deviations
from irviz.stats.resampling import draws
from irviz.stats.results import part
from irviz.stats.scores import Scores
from irviz.workers import Progress, Workers, run

Floats = NDArray[np.float64]
_COLUMNS = 64  #: settings times pairs in a piece of work, about
_SCORED, _COMPARED = 0.5, 0.9  #: shares of the work that are done, for the progress bar
REASONS = (
    "",
    "the geometric and harmonic means need scores of at least 0",
    "without an ε, a score of 0 leaves no geometric or harmonic mean",
    "a geometric or harmonic mean of zeros only",
    "fewer than two topics are left",
)  #: why an average, or a test of it, is not defined
ALL_ZERO, TOO_FEW = 3, len(REASONS) - 1


class Procedure(NamedTuple):
    """The averages and tests to compute, how, and who does the work."""

    averages: tuple[Average, ...]
    tests: tuple[str, ...]
    alpha: float
    trials: int
    seed: int
    workers: Workers = None
    groups: Groups | None = None

    @classmethod
    def from_worlds(
        cls, w: Worlds, alpha: float, trials: int, seed: int, workers: Workers, groups: Groups | None
    ) -> Procedure:
        """The averages and tests that some world takes."""
        averages, tests = ([w.options[name][code] for code in np.unique(w.code(name))] for name in ("average", "test"))
        return cls(tuple(map(average, averages)), tuple(tests), alpha, trials, seed, workers, groups)

    def units(self, topics: Sequence[str]) -> NDArray[np.intp] | None:
        """By topic the number of the group that it is drawn and exchanged with; None where each is by itself."""
        return None if self.groups is None else units_of(self.groups, topics)


@dataclass(frozen=True, eq=False)
class PairScores:
    """Scores of settings with as many topics each, and the pairs of systems to compare."""

    views: Mapping[bool, Floats]  #: settings × topics × systems, by whether they are standardised
    #: by pair, positions of the compared systems
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    claim_systems: NDArray[np.intp]  #: positions of the systems that the claim names
    units: NDArray[np.intp] | None = None  #: by topic, the number of its group; None where topics are independent


class Estimates(NamedTuple):
    """Differences, intervals, p-values and directions of pairs by setting, or of a claim by setting or world.

    Of pairs, differences are averages × settings × pairs, the others averages × tests × settings × pairs; of a claim
    without the pairs.
    """

    difference: Floats
    standardised: Floats
    low: Floats
    high: Floats
    p: Floats
    direction: NDArray[np.int8]  #: 1, 0 or −1, the way the test points
    #: averages × settings, places in `REASONS`; the other numbers mean nothing where it is not 0
    reason: NDArray[np.int8]
    pair: NDArray[np.intp] = np.empty(0, dtype=np.intp)  #: of a claim, the comparison that decides

    @property
    def verdict(self) -> NDArray[np.int8]:
        """Verdict on a claim: 1 if it holds, 0 for a tie and −1 if it is reversed."""
        return np.sign(np.nan_to_num(self.difference)).astype(np.int8)


# -- Pairs of systems -------------------------------------------------------------------------------

RESAMPLING_TESTS = {"bootstrap": bootstrap, "randomisation": randomisation}


def compare_pairs(scores: PairScores, how: Procedure) -> Estimates:
    """All averages and tests for all settings and pairs."""
    settings, topics, _ = next(iter(scores.views.values())).shape
    shape = settings, len(scores.first)
    drawn = draws(independent(scores.units, np.arange(topics)), how.trials, how.seed)
    plain = {view: _differences(scores, view) for view in {one.standardised for one in how.averages}}
    tested = {view: d.of_groups(scores.units) for view, d in plain.items()}
    paired = {
        (view, test): PAIRED_TESTS[test](d) for view, d in tested.items() for test in how.tests if test in PAIRED_TESTS
    }
    reason = np.stack(
        [why_undefined(scores.views[one.standardised], one, scores.claim_systems) for one in how.averages]
    )
    views = [
        _pair_average(scores, one, plain[one.standardised], why) for one, why in zip(how.averages, reason, strict=True)
    ]
    resampled = {
        test: RESAMPLING_TESTS[test](views, drawn, how.alpha) for test in how.tests if test in RESAMPLING_TESTS
    }
    whole = _empty_estimates(how, *shape)._replace(reason=reason)
    for i, (one, v) in enumerate(zip(how.averages, views, strict=True)):
        d = tested[one.standardised]
        whole.difference[i] = v.difference.reshape(shape)
        whole.standardised[i] = in_deviations(v.difference, plain[one.standardised].deviation).reshape(shape)
        for k, test in enumerate(how.tests):
            low = high = np.full(shape, np.nan)
            if test in PAIRED_TESTS:
                p, direction = paired[one.standardised, test]
                if test == "t" and one.how == "mean":
                    low, high = d.interval(how.alpha)
            else:
                (p, low, high), direction = resampled[test][i], np.sign(v.difference)
            for name, numbers in (("low", low), ("high", high), ("p", p), ("direction", direction)):
                getattr(whole, name)[i, k] = numbers.reshape(shape)
    return whole


def why_undefined(values: Floats, average: Average, claim_systems: NDArray[np.intp]) -> NDArray[np.int8]:
    """By setting of settings × topics × systems, the place in `REASONS` of the reason; 0 where it is defined."""
    code = np.zeros(len(values), dtype=np.int8)
    if not MEANS.get(average.how, MEANS["mean"]).positive:
        return code
    lowest = values.min(axis=(1, 2))
    code[(values.max(axis=1)[:, claim_systems] == 0).any(axis=1)] = ALL_ZERO
    if mean_of(average)[1] == 0:
        code[lowest == 0] = 2
    code[lowest < 0] = 1
    return code


def _differences(scores: PairScores, standardised: bool) -> Differences:
    """Of topics × (settings · pairs)."""
    by_topic = scores.views[standardised].transpose(1, 0, 2)
    return Differences.from_scores(
        *(by_topic[:, :, some].reshape(len(by_topic), -1) for some in (scores.first, scores.second))
    )


def _pair_average(scores: PairScores, average: Average, plain: Differences, reason: NDArray[np.int8]) -> PairAverage:
    """An average of all settings, in columns; where it is undefined, of scores of 1."""
    values = np.where(reason[:, None, None] > 0, 1.0, scores.views[average.standardised])
    averages = aggregate(values, average.how, average.eps)
    difference = (averages[:, scores.first] - averages[:, scores.second]).ravel()
    slack = plain.noise * (1 if average.how in ("mean", "median") else 16)
    settings, topics, systems = values.shape
    lists = values.transpose(1, 0, 2).reshape(topics, settings * systems)
    first, second = ((np.arange(settings)[:, None] * systems + side).ravel() for side in (scores.first, scores.second))
    d = plain
    if average.how not in ("mean", "median"):
        g, eps = mean_of(average)
        d = Differences.from_scores(*(g.forward(lists[:, side], eps) for side in (first, second)))
    difference = np.where(np.abs(difference) <= slack, 0.0, difference)
    return PairAverage(average, lists, first, second, d.of_groups(scores.units), difference, slack, scores.units)


# -- A claim in every setting -----------------------------------------------------------------------


def compare(s: Settings, claim: Claim, names: Sequence[str], how: Procedure, progress: Progress | None) -> Estimates:
    """The claim about some of the systems `names` in every setting."""
    systems, pairs = np.unique(np.array(claim.pairs), return_inverse=True)
    first, second = pairs.reshape(-1, 2).T
    named = np.searchsorted(systems, [list(names).index(name) for name in claim.names])
    views = {one.standardised for one in how.averages}
    masks = [s.common(k, systems[first], systems[second]) for k in range(len(s))]
    units = how.units(s.column(0).topics)
    pieces = list(pieces_of(masks, _COLUMNS, units))
    scores = [
        PairScores(
            s.views(members, systems, views), first[indices], second[indices], named, renumbered(units, members[0][1])
        )
        for indices, members in pieces
    ]
    work = partial(compare_pairs, how=how._replace(workers=None, groups=None))
    parts = run(work, scores, how.workers, progress, lambda piece: "Compared the systems")
    estimates = _empty_estimates(how, len(s), len(first))
    for (indices, members), compared in zip(pieces, parts, strict=True):
        places = np.array([k for k, _ in members])
        for name in Estimates._fields[:-2]:
            getattr(estimates, name)[..., places[:, None], indices] = getattr(compared, name)
        estimates.reason[:, places] = np.maximum(estimates.reason[:, places], compared.reason)
    estimates.reason[:, [min(_sizes(common, units)) < FEWEST_TOPICS for common in masks]] = TOO_FEW
    return _claim_estimates(estimates, claim.spare)


def _empty_estimates(how: Procedure, settings: int, pairs: int) -> Estimates:
    """A comparison to be filled in."""
    averages, tests = len(how.averages), len(how.tests)
    plain, tested = (np.full((averages, *some, settings, pairs), np.nan) for some in ((), (tests,)))
    signs, codes = np.zeros(tested.shape, dtype=np.int8), np.zeros((averages, settings), dtype=np.int8)
    return Estimates(plain, plain.copy(), tested, tested.copy(), tested.copy(), signs, codes)


def _sizes(common: NDArray[np.bool_], units: NDArray[np.intp] | None) -> list[int]:
    """By pair, how many topics, or groups of them, it is compared on."""
    return [independent(units, np.flatnonzero(column)) for column in np.unique(common, axis=1).T]


def pieces_of(
    masks: Sequence[NDArray[np.bool_]], most: int, units: NDArray[np.intp] | None = None
) -> Iterator[tuple[NDArray[np.intp], list[tuple[int, NDArray[np.intp]]]]]:
    """Pairs compared on the same topics, with the settings (and their topics), in pieces of `most` pairs × settings.

    `masks` is by setting topics × pairs. If topics are in groups (`units`), the settings of a piece have the same
    topics.
    """
    groups: dict[tuple[int | bytes, bytes], tuple[NDArray[np.intp], list[tuple[int, NDArray[np.intp]]]]] = {}
    for k, common in enumerate(masks):
        for pairs, rows in _patterns(common):
            if independent(units, rows) >= FEWEST_TOPICS:
                alike = len(rows) if units is None else rows.tobytes()
                groups.setdefault((alike, pairs.tobytes()), (pairs, []))[1].append((k, rows))
    for pairs, members in groups.values():
        for start in range(0, len(pairs), most):
            some = pairs[start : start + most]
            step = max(1, most // len(some))
            for i in range(0, len(members), step):
                yield some, members[i : i + step]


def _patterns(common: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Pairs with the same topics, and those topics."""
    if (common == common[:, :1]).all():
        yield np.arange(common.shape[1]), np.flatnonzero(common[:, 0])
        return
    patterns, which = np.unique(common, axis=1, return_inverse=True)
    for i in range(patterns.shape[1]):
        yield np.flatnonzero(which.ravel() == i), np.flatnonzero(patterns[:, i])


def _claim_estimates(estimates: Estimates, spare: int) -> Estimates:
    """From all comparisons to the claim of which `spare` may fail."""
    pair = np.argsort(estimates.difference, axis=-1, kind="stable")[..., spare]
    plain = [np.take_along_axis(numbers, pair[..., None], axis=-1)[..., 0] for numbers in estimates[:2]]
    limits = [np.take_along_axis(numbers, pair[:, None, :, None], axis=-1)[..., 0] for numbers in estimates[2:4]]
    claim = Estimates._make([*plain, *limits, estimates.p, estimates.direction, estimates.reason, pair])
    p, direction = claim_p(estimates.p, estimates.direction, claim.verdict[:, None], spare)
    return claim._replace(p=p, direction=direction)


# -- A claim in every world -------------------------------------------------------------------------


def evaluate(
    c: Collection | Scores, claim: Claim, w: Worlds, how: Procedure, progress: Progress | None
) -> tuple[Settings, Estimates]:
    """The claim in every world, and the settings of the worlds."""
    s = Settings.from_worlds(c, w, True, how.workers, part(progress, 0, _SCORED)).merge_equal()
    compared = compare(s, claim, c.systems, how, part(progress, _SCORED, _COMPARED))
    a, t = (np.unique(w.code(name), return_inverse=True)[1] for name in ("average", "test"))
    by_world = _by_world(compared, a, t, s)
    _all_systems(s, a, claim, how, by_world, part(progress, _COMPARED, 1))
    return s, by_world


def _by_world(estimates: Estimates, a: NDArray[np.intp], t: NDArray[np.intp], s: Settings) -> Estimates:
    """Look the worlds up, with p corrected by Holm's procedure where the world says so."""
    places = {3: (a, t, s.own), 2: (a, s.own)}
    by_world = Estimates._make(numbers[places[numbers.ndim]] for numbers in estimates)
    rows = np.flatnonzero(s.takes("family", "holm"))
    if len(rows):
        across = estimates.p[a[rows, None], t[rows, None], s.mates]
        there = (s.mates >= 0) & (estimates.reason[a[rows, None], s.mates] == 0)
        measure_codes = s.worlds.code("measure")[rows]
        by_world.p[rows] = holm(np.where(there, across, np.nan))[np.arange(len(rows)), measure_codes]
    return by_world


def _all_systems(
    s: Settings, a: NDArray[np.intp], claim: Claim, how: Procedure, estimates: Estimates, progress: Progress | None
) -> None:
    """Put in the p of the worlds whose family is all loaded systems."""
    rows = np.flatnonzero(s.takes("family", "all_systems"))
    wanted = [(int(s.own[i]), how.averages[a[i]].standardised) for i in rows]
    if not wanted:
        return
    first, second = np.array(claim.pairs).T
    units = how.units(s.column(0).topics)
    tests = tukey(s, wanted, how.trials, how.seed, units, how.workers, progress)
    verdict = estimates.verdict
    for i, together in zip(rows, wanted, strict=True):
        p, centres = tests[together].p_values[None, first, second], tests[together].centres
        direction = np.sign(centres[first] - centres[second]).astype(np.int8)
        p_claim, toward = claim_p(p, direction[None], verdict[i : i + 1], claim.spare, is_corrected=True)
        estimates.p[i], estimates.direction[i] = p_claim[0], toward[0]


def reasons(codes: NDArray[np.int8]) -> dict[str, int]:
    """How many worlds cannot be decided, by reason."""
    return {reason: int((codes == code).sum()) for code, reason in enumerate(REASONS) if code and (codes == code).any()}
