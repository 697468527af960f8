"""The joint test of a multiverse: is the count of worlds more than two equal systems would give?

Worlds are the same runs looked at again and again, so that a count of them is no evidence by
itself: of two equal systems one is ahead in most worlds.  Simonsohn, Simmons & Nelson (2020)
compare the whole specification curve with those of data in which nothing is to be found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.frozen import FrozenArrays
from irviz.conclusions.choices.dimensions import Average, average
from irviz.conclusions.comparing.columns import part
from irviz.conclusions.comparing.evaluate import Evaluated
from irviz.conclusions.comparing.families import tukey_ranges
from irviz.conclusions.comparing.outcomes import ALL_ZERO, undefined
from irviz.conclusions.comparing.paired import Differences, sign_p, signed_ranks, t_p, wilcoxon_p
from irviz.conclusions.comparing.resampling import exchanged
from irviz.conclusions.comparing.settings import FEWEST_TOPICS, topic_mask
from irviz.conclusions.comparing.weighing import holm
from irviz.portable import subset_totals, total
from irviz.workers import Progress, Workers, run

Floats = NDArray[np.float64]
STATISTICS = ("direction", "significant", "median")
MOST_EXCHANGES = 1000  #: of one comparison
_ALL_EXCHANGES, _FEWEST_EXCHANGES = 10_000, 200  #: of all comparisons of a claim together; of each at least
_STREAM = 3  #: number of the stream of the seed that decides which topics are exchanged
_PIECE = 8  #: settings in a piece of work
_GROUPS = 256  #: families of Holm's correction that are held at a time
_BAND = 0.025  #: share of the exchanges below the band of the null, and above it
_HUGE = 1e300  #: stands for infinity
_SAME = 1 - 1e-9  #: statistics that differ by less are equal


@dataclass(frozen=True, eq=False)
class Joint(FrozenArrays):
    """The worlds of a claim, compared with those of exchanged lists; see :func:`joint_test`.

    Attributes
    ----------
    observed, expected, p : by statistic, in the order of `STATISTICS`
        `expected` is the median of the exchanges.
    pairs : by statistic, which comparison of the claim these are of
    exchanges : int
    low, high : by place in the sorted curve; 95% of the exchanged curves' differences lie between
        Empty for a claim of several comparisons.
    """

    observed: Floats
    expected: Floats
    p: Floats
    pairs: NDArray[np.intp]
    exchanges: int
    low: Floats
    high: Floats

    def frame(self) -> pd.DataFrame:
        """One row per statistic: observed, expected, p."""
        index = pd.Index(STATISTICS, name="statistic")
        return pd.DataFrame({"observed": self.observed, "expected": self.expected, "p": self.p}, index=index)

    def counting(self, verdict: NDArray[np.int8], significant: NDArray[np.bool_]) -> Joint:
        """The same, with the worlds' own significance as what was observed."""
        sure = [int((significant & (verdict == way)).sum()) for way in (1, -1)]
        ahead, behind = (int((verdict == way).sum()) for way in (1, -1))
        observed = self.observed.copy()
        observed[1] = sure[0] if ahead > behind else sure[1] if behind > ahead else max(sure)
        return replace(self, observed=observed)


def exchanges_of(trials: int, comparisons: int) -> int:
    """How many exchanges a claim with this many comparisons is tested with."""
    return min(trials, MOST_EXCHANGES, max(_FEWEST_EXCHANGES, _ALL_EXCHANGES // comparisons))


def joint_test(
    known: Evaluated,
    pairs: Sequence[tuple[int, int]],
    spare: int,
    alpha: float,
    exchanges: int,
    seed: int,
    workers: Workers = None,
    progress: Progress | None = None,
) -> Joint:
    r"""The joint test of all worlds (Simonsohn, Simmons & Nelson 2020), by exchanging lists.

    If two systems are equal, their lists of a topic could as well have changed places.  On a
    random half of the topics they do, in all worlds at once, and three statistics of the
    worlds are computed again: how many have the direction of their majority, how many of
    these are significant, and the size of the median standardised difference.  With *B*
    exchanges,

    .. math:: p = \frac{1 + \#\{b : T_b \ge T\}}{B + 1}

    Parameters
    ----------
    known : Evaluated
    pairs, spare : the comparisons of the claim, of which `spare` may fail
        Each is tested by itself; the result is that of the largest p, leaving `spare`
        larger ones out and multiplying by `spare` + 1 (partial conjunction, Benjamini & Heller 2008, eq. (2)).
    alpha : float
    exchanges : int; *B*
    seed : int

    Returns
    -------
    Joint

    Notes
    -----
    **Held fixed** are the topics, the judgments, the lists of all other systems, and the
    worlds.  All that a world derives from scores is the same after an exchange, because it
    is a function of the *set* of a topic's scores: standardisation, hardness (hence the
    topics without the hardest tenth) and the topics that both runs answer.  The random half is
    the same half.  The statistics are therefore exchangeable under the hypothesis, and p is exact.

    **Tests in an exchanged world** are those of the world, with Holm's correction over the
    measures.  Randomisation tests use the exchanges themselves as their distribution, which
    all of them share, and stand for the bootstrap too: resampling each world of each exchange
    would take hours.  In a family of all systems the ranges of the first shuffles are used.
    The observed data are counted in the same way where they are compared with exchanges;
    the number that is shown of a pair is that of the worlds' own tests.

    A world in which an exchange leaves a system with zeros only, so that its geometric or
    harmonic mean is undefined, counts for no direction in that exchange.
    """
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(_STREAM,))))
    topics = len(next(iter(known.columns.values())).topics)
    swapped = np.zeros((exchanges + 1, topics), dtype=bool)  # the first row is what was observed
    swapped[1:] = generator.integers(0, 2, size=(exchanges, topics), dtype=np.uint8)
    found = []
    for done, pair in enumerate(pairs):
        heard = part(progress, done / len(pairs), (done + 1) / len(pairs))
        found.append(_compared(known, pair, swapped, alpha, seed, workers, heard, band=len(pairs) == 1))
    p = np.stack([one.p for one in found])
    deciding = np.argsort(-p, axis=0, kind="stable")[spare]
    chosen = [[getattr(found[k], name)[i] for i, k in enumerate(deciding)] for name in ("observed", "expected", "p")]
    observed, expected, largest = map(np.array, chosen)
    low, high = (found[0].low, found[0].high) if len(found) == 1 else (np.empty(0), np.empty(0))
    return Joint(observed, expected, np.minimum(1.0, (spare + 1) * largest), deciding, exchanges, low, high)


# -- one comparison ---------------------------------------------------------------------------


class _Needed(NamedTuple):
    """What the worlds need: averages × settings, and (average, test) × settings; and where each world finds its own."""

    averages: tuple[Average, ...]
    tests: tuple[tuple[int, str], ...]
    differences: NDArray[np.bool_]
    p: NDArray[np.bool_]
    rows: NDArray[np.intp]
    average: NDArray[np.intp]
    test: NDArray[np.intp]
    own: NDArray[np.intp]


def _planned(known: Evaluated) -> _Needed:
    w, settings = known.plan.worlds, len(known.plan.settings)
    rows = np.flatnonzero((known.undefined == 0) | (known.undefined == ALL_ZERO))
    used, a = np.unique(w.code("average")[rows], return_inverse=True)
    averages = tuple(average(w.options["average"][code]) for code in used)
    both, t = np.unique(np.stack([a, w.code("test")[rows]]), axis=1, return_inverse=True)
    tests = tuple((int(i), str(w.options["test"][code])) for i, code in both.T)
    own, t = known.plan.own[rows], t.ravel()
    needed = np.zeros((len(tests), settings), dtype=bool)
    needed[t, own] = True
    mates = known.plan.mates[_holm_places(known, rows)]
    of_holm = np.repeat(t[known.plan.takes("family", "holm")[rows]], mates.shape[1])
    needed[of_holm[mates.ravel() >= 0], mates.ravel()[mates.ravel() >= 0]] = True
    differences = np.zeros((len(averages), settings), dtype=bool)
    for k, (i, _) in enumerate(tests):
        differences[i] |= needed[k]
    return _Needed(averages, tests, differences, needed, rows, a.ravel(), t, own)


def _holm_places(known: Evaluated, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Of the Holm worlds among `rows`, the rows of ``plan.mates``."""
    corrected = known.plan.takes("family", "holm")
    return (np.cumsum(corrected) - 1)[rows[corrected[rows]]]


class _Statistics(NamedTuple):
    observed: Floats
    expected: Floats
    p: Floats
    low: Floats
    high: Floats


def _compared(
    known: Evaluated,
    pair: tuple[int, int],
    swapped: NDArray[np.bool_],
    alpha: float,
    seed: int,
    workers: Workers,
    progress: Progress | None,
    band: bool,
) -> _Statistics:
    """The three statistics of one comparison, observed and in the exchanges."""
    plan = _planned(known)
    difference, standardised, p = _exchanged_settings(known, plan, pair, swapped, workers, progress)
    place = _places(plan.differences)[plan.average, plan.own]
    own_p = p[:, _places(plan.p)[plan.test, plan.own]]
    sign = np.sign(np.nan_to_num(difference)).astype(np.int8)[:, place]
    toward = (own_p > 0) & (sign != 0)
    sizes = np.abs(own_p)
    _correct_by_holm(known, plan, np.abs(p), sizes)
    _correct_by_tukey(known, plan, difference[:, place], sizes, len(swapped) - 1, seed, workers)
    significant = toward & (sizes < alpha)
    ahead, behind = ((sign == way).sum(axis=1) for way in (1, -1))
    sure, sure_behind = ((significant & (sign == way)).sum(axis=1) for way in (1, -1))
    sure = np.where(ahead > behind, sure, np.where(behind > ahead, sure_behind, np.maximum(sure, sure_behind)))
    values = np.stack([np.maximum(ahead, behind), sure, np.abs(_median(standardised[:, place]))])
    extreme = (values[:, 1:] >= _SAME * values[:, :1]).sum(axis=1)
    low = high = np.empty(0)
    if band:
        defined = place[known.undefined[plan.rows] == 0]
        curves = np.sort(np.sort(np.nan_to_num(difference[1:, defined]), axis=1), axis=0)
        least = int(_BAND * len(curves))
        low, high = curves[least], curves[len(curves) - 1 - least]
    return _Statistics(values[:, 0], _median(values[:, 1:]), (1 + extreme) / len(swapped), low, high)


def _median(values: Floats) -> Floats:
    """Along the last axis; NaN is left out, infinities of both signs cancel out."""
    ordered = np.sort(np.nan_to_num(values, nan=np.nan, posinf=_HUGE, neginf=-_HUGE), axis=-1)  # NaN last
    known = np.maximum(np.isfinite(ordered).sum(axis=-1, keepdims=True), 1)
    low, high = (np.take_along_axis(ordered, place, axis=-1)[..., 0] for place in ((known - 1) // 2, known // 2))
    found = np.nan_to_num((low + high) / 2)
    return np.where(np.abs(found) >= _HUGE / 2, np.copysign(np.inf, found), found)


def _places(needed: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Kinds × settings → the column in which the settings' numbers stand, setting after setting."""
    return (np.cumsum(needed.T.ravel()) - 1).reshape(needed.T.shape).T


def _correct_by_holm(known: Evaluated, plan: _Needed, p: Floats, sizes: Floats) -> None:
    """Put in the p of the worlds that correct over the measures; `p` is by column, `sizes` by world."""
    w, rows = known.plan.worlds, plan.rows
    corrected = np.flatnonzero(known.plan.takes("family", "holm")[rows])
    if not len(corrected):
        return
    mates = known.plan.mates[_holm_places(known, rows)]
    keys = np.concatenate([plan.test[corrected, None], mates], axis=1)
    groups, which = np.unique(keys, axis=0, return_inverse=True)
    places, measures = _places(plan.p), w.code("measure")[rows[corrected]]
    for start in range(0, len(groups), _GROUPS):
        some = groups[start : start + _GROUPS]
        across = p[:, places[some[:, :1], some[:, 1:]]]
        across[:, some[:, 1:] < 0] = np.nan
        mine = np.flatnonzero((which.ravel() >= start) & (which.ravel() < start + _GROUPS))
        sizes[:, corrected[mine]] = holm(across)[:, which.ravel()[mine] - start, measures[mine]]


def _correct_by_tukey(
    known: Evaluated, plan: _Needed, difference: Floats, sizes: Floats, trials: int, seed: int, workers: Workers
) -> None:
    """Put in the p of the worlds that test all systems together."""
    together = np.flatnonzero(known.plan.takes("family", "all_systems")[plan.rows])
    wanted = [
        (known.plan.settings[plan.own[i]], plan.averages[plan.average[i]].standardised) for i in together.tolist()
    ]
    if not wanted:
        return
    ranges = tukey_ranges(list(dict.fromkeys(wanted)), known.columns, known.plan.worlds, trials, seed, workers)
    for i, one in zip(together, wanted, strict=True):
        size = np.abs(difference[:, i])
        sizes[:, i] = (trials - np.searchsorted(ranges[one], size * (1 - 1e-12), side="left") + 1) / (trials + 1)


# -- settings -------------------------------------------------------------------------------


class _PairScores(NamedTuple):
    """Settings with the same topics, for two systems.

    `raw` and `standardised` are 2 × topics × settings; `differences` and `p` say which numbers are needed.
    """

    rows: NDArray[np.intp]
    raw: Floats
    standardised: Floats
    differences: NDArray[np.bool_]
    p: NDArray[np.bool_]


class _Exchanged(NamedTuple):
    """The exchanges of some topics, as :func:`irviz.conclusions.comparing.resampling.exchanged` takes them."""

    exchanged: Floats
    swaps: NDArray[np.unsignedinteger]


def _exchanged_settings(
    known: Evaluated,
    plan: _Needed,
    pair: tuple[int, int],
    swapped: NDArray[np.bool_],
    workers: Workers,
    progress: Progress | None,
) -> tuple[Floats, Floats, Floats]:
    """Exchanges × columns: differences, standardised differences, and signed p (below 0: the test points elsewhere)."""
    groups: dict[bytes, list[int]] = {}
    masks = []
    for k, setting in enumerate(known.plan.settings):
        column = known.columns[setting.key]
        mask = topic_mask(column, setting.topics, known.plan.worlds)
        if setting.missing == "left_out":
            mask = mask & column.answered[:, pair[0]] & column.answered[:, pair[1]]
        masks.append(mask)
        if plan.differences[:, k].any() and mask.sum() >= FEWEST_TOPICS:
            groups.setdefault(mask.tobytes(), []).append(k)
    members = [group[i : i + _PIECE] for group in groups.values() for i in range(0, len(group), _PIECE)]
    pieces = [_lists(known, plan, pair, masks[some[0]], some) for some in members]
    work = partial(_exchange, swapped=swapped, averages=plan.averages, tests=plan.tests)
    parts = run(work, pieces, workers, progress, lambda piece: "Exchanged the systems")
    found = []
    for i, needed in enumerate((plan.differences, plan.differences, plan.p)):
        places = _places(needed)
        whole = np.full((len(swapped), int(needed.sum())), np.nan)
        for some, made in zip(members, parts, strict=True):
            whole[:, places[:, some][needed[:, some]]] = made[i]
        found.append(whole)
    return found[0], found[1], found[2]


def _lists(
    known: Evaluated, plan: _Needed, pair: tuple[int, int], mask: NDArray[np.bool_], some: list[int]
) -> _PairScores:
    own = [known.columns[known.plan.settings[k].key] for k in some]
    standardise = any(one.standardised for one in plan.averages)
    raw, standardised = (
        np.stack([matrix[mask][:, pair] for matrix in matrices], axis=2).transpose(1, 0, 2)
        for matrices in (
            [one.values for one in own],
            [one.standardised if standardise else one.values for one in own],
        )
    )
    return _PairScores(np.flatnonzero(mask), raw, standardised, plan.differences[:, some], plan.p[:, some])


def _exchange(
    lists: _PairScores, swapped: NDArray[np.bool_], averages: tuple[Average, ...], tests: tuple[tuple[int, str], ...]
) -> tuple[Floats, Floats, Floats]:
    """The needed numbers of these settings: exchanges × columns."""
    moved = swapped[:, lists.rows]
    views = {view: _SignFlips.of(lists.standardised if view else lists.raw, moved) for view in _views(averages)}
    away = np.ascontiguousarray(moved.T.astype(np.uint8 if 2 * len(lists.rows) < 256 else np.uint32))
    drawn = _Exchanged(moved.astype(np.float64), np.concatenate([1 - away, away]))
    difference = np.stack(
        [
            views[one.standardised].mean if one.how == "mean" else _other_average(lists, views[False], one, drawn)
            for one in averages
        ]
    )
    deviation = np.stack([views[one.standardised].deviation for one in averages])
    varies = deviation > 0
    ratio = difference / np.where(varies, deviation, 1.0)
    standardised = np.where(varies | (ratio == 0) | np.isnan(ratio), ratio, np.copysign(np.inf, ratio))
    p = np.stack([_tested(test, difference[i], views[averages[i].standardised]) for i, test in tests])
    return tuple(
        numbers.transpose(1, 0, 2)[:, needed]
        for numbers, needed in (
            (difference, lists.differences),
            (standardised, lists.differences),
            (p, lists.p),
        )
    )  # type: ignore[return-value]


def _views(averages: Sequence[Average]) -> list[bool]:
    """Whether raw scores are needed, and standardised ones."""
    return sorted({one.standardised for one in averages} | {False})


class _SignFlips(NamedTuple):
    """Differences of two systems, and their exchanges: mean and sample deviation, exchanges × settings."""

    d: Differences
    signs: Floats
    mean: Floats
    deviation: Floats

    @classmethod
    def of(cls, both: Floats, moved: NDArray[np.bool_]) -> _SignFlips:
        d, n = Differences.of(both[0], both[1]), both.shape[1]
        signs = np.where(moved, -1.0, 1.0)
        mean = subset_totals(signs, d.values) / n
        mean = np.where(np.abs(mean) <= d.noise, 0.0, mean)
        squares = total(d.values * d.values, axis=0)
        rest = squares - n * mean * mean
        rest = np.where(rest <= 64 * n * np.finfo(np.float64).eps * squares, 0.0, rest)
        return cls(d, signs, mean, np.sqrt(rest / (n - 1)))


def _other_average(lists: _PairScores, view: _SignFlips, one: Average, drawn: _Exchanged) -> Floats:
    """The difference of medians, geometric or harmonic means; NaN where it is undefined."""
    pairs = lists.raw.transpose(2, 1, 0)  # settings × topics × 2
    why = undefined(pairs, one, np.array([0, 1]))
    first, second = np.where((why == 0) | (why == ALL_ZERO), lists.raw, 1.0)
    found = exchanged(first, second, one, drawn)  # type: ignore[arg-type]
    found = np.where(np.abs(found) <= view.d.noise * (1 if one.how == "median" else 16), 0.0, found)
    if one.how != "median":
        for k in np.flatnonzero((lists.raw.min(axis=0) == 0).all(axis=0)):
            moved = drawn.exchanged > 0
            zeros = ~np.where(moved, second[:, k], first[:, k]).any(axis=1)
            found[zeros | ~np.where(moved, first[:, k], second[:, k]).any(axis=1), k] = np.nan
    return found


def _tested(test: str, difference: Floats, view: _SignFlips) -> Floats:
    """Exchanges × settings: p, below 0 where the test does not point where the difference does."""
    d, direction = view.d, np.sign(difference)
    if test == "t":
        p = t_p(view.mean, view.deviation, d.topics)
    elif test == "sign":
        side = np.sign(d.values)
        net = view.signs @ side  # small whole numbers: exact in any order
        ahead = ((np.abs(side).sum(axis=0) + net) / 2).astype(np.intp)
        p, direction = sign_p(ahead, np.abs(side).sum(axis=0).astype(np.intp) - ahead), np.sign(net)
    elif test == "wilcoxon":
        ranks, ahead, behind = signed_ranks(d)
        net = view.signs @ (ranks * np.sign(d.values))  # halves of whole numbers: exact
        p, direction = wilcoxon_p(d, ranks, (ahead + behind + net) / 2), np.sign(net)
    else:
        p = _among_exchanges(difference, d.noise)
    return np.where(direction == np.sign(difference), 1, -1) * np.maximum(p, np.finfo(np.float64).tiny)


def _among_exchanges(difference: Floats, noise: Floats) -> Floats:
    """Of every exchange, the share of exchanges that are as far from 0."""
    size = np.nan_to_num(np.abs(difference))
    found = np.empty(size.shape)
    for k, column in enumerate(size.T):
        found[:, k] = len(size) - np.searchsorted(np.sort(column), column - 16 * noise[k], side="left")
    return found / len(size)
