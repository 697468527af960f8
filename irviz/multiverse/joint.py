"""The joint test of a multiverse: is the count of worlds more than two equal systems would give?

Worlds are the same runs looked at again and again, so that a count of them is no evidence by
itself: of two equal systems one is ahead in most worlds.  Simonsohn, Simmons & Nelson (2020)
compare the whole specification curve with those of data in which nothing is to be found.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.multiverse.claims import Claim
from irviz.multiverse.compare import ALL_ZERO, undefined
from irviz.multiverse.dimensions import Average, average
from irviz.multiverse.resampling import exchanged
from irviz.multiverse.settings import FEWEST_TOPICS, Settings, part, tukey_ranges
from irviz.multiverse.tests import Differences, holm, sign_p, signed_ranks, t_p, wilcoxon_p
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


def exchanges_of(trials: int, comparisons: int) -> int:
    """How many exchanges a claim with this many comparisons is tested with."""
    return min(trials, MOST_EXCHANGES, max(_FEWEST_EXCHANGES, _ALL_EXCHANGES // comparisons))


def joint_test(
    s: Settings,
    undefined: NDArray[np.int8],
    claim: Claim,
    alpha: float,
    exchanges: int,
    seed: int,
    observed: tuple[NDArray[np.int8], NDArray[np.bool_]] | None = None,
    workers: Workers = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    r"""The joint test of all worlds (Simonsohn, Simmons & Nelson 2020), by exchanging lists.

    If two systems are equal, their lists of a topic could as well have changed places.  On a
    random half of the topics they do, in all worlds at once, and three statistics of the
    worlds are computed again: how many have the direction of their majority, how many of
    these are significant, and the size of the median standardised difference.  With *B*
    exchanges,

    .. math:: p = \frac{1 + \#\{b : T_b \ge T\}}{B + 1}

    Parameters
    ----------
    s, undefined : the settings of the worlds, and by world why it is not defined, as `evaluate` returns them
    claim : Claim
        Each of its comparisons is tested by itself; the result is that of the largest p, leaving `spare`
        larger ones out and multiplying by `spare` + 1 (partial conjunction, Benjamini & Heller 2008, eq. (2)).
    alpha : float
    exchanges : int; *B*
    seed : int
    observed : verdict and significance by world, of a claim of one comparison
        The count of significant worlds that is shown.

    Returns
    -------
    dict
        The fields ``joint``, ``exchanges``, ``joint_pair`` and ``band`` of a conclusion.

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
    topics = len(s.column(0).topics)
    swapped = np.zeros((exchanges + 1, topics), dtype=bool)  # the first row is what was observed
    swapped[1:] = generator.integers(0, 2, size=(exchanges, topics), dtype=np.uint8)
    numbers, band = [], np.empty((2, 0))
    for done, pair in enumerate(claim.pairs):
        heard = part(progress, done / len(claim.pairs), (done + 1) / len(claim.pairs))
        found, band = _compared(s, undefined, pair, swapped, alpha, seed, workers, heard)
        numbers.append(found)
    by_pair = np.stack(numbers)
    deciding = np.argsort(-by_pair[:, 2], axis=0, kind="stable")[claim.spare]
    chosen = np.take_along_axis(by_pair, deciding[None, None], axis=0)[0]
    if observed is not None:
        chosen[0, 1] = _significant(observed[0][None], observed[1][None])[0]
    chosen[2] = np.minimum(1.0, (claim.spare + 1) * chosen[2])
    index = pd.Index(STATISTICS, name="statistic")
    return {
        "joint": pd.DataFrame(dict(zip(("observed", "expected", "p"), chosen, strict=True)), index=index),
        "exchanges": exchanges,
        "joint_pair": int(deciding[0]),
        "band": band if len(claim.pairs) == 1 else np.empty((2, 0)),
    }


def _significant(verdict: NDArray[np.int8], significant: NDArray[np.bool_]) -> NDArray[np.intp]:
    """By row, how many worlds are significant in the direction of the majority."""
    ahead, behind = ((verdict == way).sum(axis=1) for way in (1, -1))
    sure, against = ((significant & (verdict == way)).sum(axis=1) for way in (1, -1))
    return np.where(ahead > behind, sure, np.where(behind > ahead, against, np.maximum(sure, against)))


# -- one comparison ---------------------------------------------------------------------------


class _Needed(NamedTuple):
    """The numbers that the worlds need, and where each world finds its own.

    Attributes
    ----------
    averages, tests : what some world takes; a test with the place of its average
    differences, p : averages × settings, and tests × settings; which numbers are needed
    rows : of the worlds that an exchange may decide
    average, test, own : by such a world, its average, test and setting
    """

    averages: tuple[Average, ...]
    tests: tuple[tuple[int, str], ...]
    differences: NDArray[np.bool_]
    p: NDArray[np.bool_]
    rows: NDArray[np.intp]
    average: NDArray[np.intp]
    test: NDArray[np.intp]
    own: NDArray[np.intp]


def _needed(s: Settings, undefined: NDArray[np.int8]) -> _Needed:
    w = s.worlds
    rows = np.flatnonzero((undefined == 0) | (undefined == ALL_ZERO))
    used, a = np.unique(w.code("average")[rows], return_inverse=True)
    averages = tuple(average(w.options["average"][code]) for code in used)
    both, t = np.unique(np.stack([a, w.code("test")[rows]]), axis=1, return_inverse=True)
    tests = tuple((int(i), str(w.options["test"][code])) for i, code in both.T)
    own, t = s.own[rows], t.ravel()
    needed = np.zeros((len(tests), len(s)), dtype=bool)
    needed[t, own] = True
    mates = s.mates[_holm_places(s, rows)]
    of_holm = np.repeat(t[s.takes("family", "holm")[rows]], mates.shape[1])
    needed[of_holm[mates.ravel() >= 0], mates.ravel()[mates.ravel() >= 0]] = True
    differences = np.zeros((len(averages), len(s)), dtype=bool)
    for k, (i, _) in enumerate(tests):
        differences[i] |= needed[k]
    return _Needed(averages, tests, differences, needed, rows, a.ravel(), t, own)


def _holm_places(s: Settings, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Of the Holm worlds among `rows`, the rows of `mates`."""
    corrected = s.takes("family", "holm")
    return (np.cumsum(corrected) - 1)[rows[corrected[rows]]]


def _compared(
    s: Settings,
    undefined: NDArray[np.int8],
    pair: tuple[int, int],
    swapped: NDArray[np.bool_],
    alpha: float,
    seed: int,
    workers: Workers,
    progress: Progress | None,
) -> tuple[Floats, Floats]:
    """Of one comparison, (observed, expected, p) × statistics; and the band of the exchanged curves."""
    needed = _needed(s, undefined)
    difference, standardised, p = _exchanged_settings(s, needed, pair, swapped, workers, progress)
    place = _places(needed.differences)[needed.average, needed.own]
    own_p = p[:, _places(needed.p)[needed.test, needed.own]]
    sign = np.sign(np.nan_to_num(difference)).astype(np.int8)[:, place]
    sizes = np.abs(own_p)
    _correct_by_holm(s, needed, np.abs(p), sizes)
    _correct_by_tukey(s, needed, difference[:, place], sizes, len(swapped) - 1, seed, workers)
    significant = (own_p > 0) & (sign != 0) & (sizes < alpha)
    majority = np.maximum((sign == 1).sum(axis=1), (sign == -1).sum(axis=1))
    values = np.stack([majority, _significant(sign, significant), np.abs(_median(standardised[:, place]))])
    extreme = (values[:, 1:] >= _SAME * values[:, :1]).sum(axis=1)
    defined = place[undefined[needed.rows] == 0]
    curves = np.sort(np.sort(np.nan_to_num(difference[1:, defined]), axis=1), axis=0)
    least = int(_BAND * len(curves))
    band = curves[[least, len(curves) - 1 - least]]
    return np.stack([values[:, 0], _median(values[:, 1:]), (1 + extreme) / len(swapped)]), band


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


def _correct_by_holm(s: Settings, needed: _Needed, p: Floats, sizes: Floats) -> None:
    """Put in the p of the worlds that correct over the measures; `p` is by column, `sizes` by world."""
    w, rows = s.worlds, needed.rows
    corrected = np.flatnonzero(s.takes("family", "holm")[rows])
    if not len(corrected):
        return
    mates = s.mates[_holm_places(s, rows)]
    keys = np.concatenate([needed.test[corrected, None], mates], axis=1)
    groups, which = np.unique(keys, axis=0, return_inverse=True)
    places, measures = _places(needed.p), w.code("measure")[rows[corrected]]
    for start in range(0, len(groups), _GROUPS):
        some = groups[start : start + _GROUPS]
        across = p[:, places[some[:, :1], some[:, 1:]]]
        across[:, some[:, 1:] < 0] = np.nan
        mine = np.flatnonzero((which.ravel() >= start) & (which.ravel() < start + _GROUPS))
        sizes[:, corrected[mine]] = holm(across)[:, which.ravel()[mine] - start, measures[mine]]


def _correct_by_tukey(
    s: Settings, needed: _Needed, difference: Floats, sizes: Floats, trials: int, seed: int, workers: Workers
) -> None:
    """Put in the p of the worlds that test all systems together."""
    together = np.flatnonzero(s.takes("family", "all_systems")[needed.rows])
    wanted = [(int(needed.own[i]), needed.averages[needed.average[i]].standardised) for i in together.tolist()]
    if not wanted:
        return
    ranges = tukey_ranges(s, list(dict.fromkeys(wanted)), trials, seed, workers)
    for i, one in zip(together, wanted, strict=True):
        size = np.abs(difference[:, i])
        sizes[:, i] = (trials - np.searchsorted(ranges[one], size * (1 - 1e-12), side="left") + 1) / (trials + 1)


# -- settings -------------------------------------------------------------------------------


class _Exchanged(NamedTuple):
    """The exchanges of some topics, as :func:`irviz.multiverse.resampling.exchanged` takes them."""

    exchanged: Floats
    swaps: NDArray[np.unsignedinteger]


def _exchanged_settings(
    s: Settings,
    needed: _Needed,
    pair: tuple[int, int],
    swapped: NDArray[np.bool_],
    workers: Workers,
    progress: Progress | None,
) -> tuple[Floats, Floats, Floats]:
    """Exchanges × columns: differences, standardised differences, and signed p (below 0: the test points elsewhere)."""
    groups: dict[bytes, list[int]] = {}
    masks = []
    for k in range(len(s)):
        masks.append(s.common(k, *(np.array([one]) for one in pair))[:, 0])
        if needed.differences[:, k].any() and masks[k].sum() >= FEWEST_TOPICS:
            groups.setdefault(masks[k].tobytes(), []).append(k)
    members = [group[i : i + _PIECE] for group in groups.values() for i in range(0, len(group), _PIECE)]
    standardise = any(one.standardised for one in needed.averages)
    pieces = []
    for some in members:
        rows = np.flatnonzero(masks[some[0]])
        raw, standardised = (
            np.stack([s.column(k).scores(view)[rows][:, pair] for k in some]) for view in (False, standardise)
        )
        pieces.append((rows, raw, standardised, needed.differences[:, some], needed.p[:, some]))
    work = partial(_exchange, swapped=swapped, averages=needed.averages, tests=needed.tests)
    parts = run(work, pieces, workers, progress, lambda piece: "Exchanged the systems")
    found = []
    for i, which in enumerate((needed.differences, needed.differences, needed.p)):
        places = _places(which)
        whole = np.full((len(swapped), int(which.sum())), np.nan)
        for some, made in zip(members, parts, strict=True):
            whole[:, places[:, some][which[:, some]]] = made[i]
        found.append(whole)
    return found[0], found[1], found[2]


def _exchange(
    piece: tuple[NDArray[np.intp], Floats, Floats, NDArray[np.bool_], NDArray[np.bool_]],
    swapped: NDArray[np.bool_],
    averages: tuple[Average, ...],
    tests: tuple[tuple[int, str], ...],
) -> tuple[Floats, Floats, Floats]:
    """The needed numbers of settings with the same topics: exchanges × columns.

    A piece is its topics, raw and standardised scores (settings × topics × the two systems), and
    which differences and which p are needed.
    """
    rows, raw, standardised_scores, needed, needed_p = piece
    raw, standardised_scores = raw.transpose(2, 1, 0), standardised_scores.transpose(2, 1, 0)
    moved = swapped[:, rows]
    views = {view: _SignFlips.of(standardised_scores if view else raw, moved) for view in _views(averages)}
    away = np.ascontiguousarray(moved.T.astype(np.uint8 if 2 * len(rows) < 256 else np.uint32))
    drawn = _Exchanged(moved.astype(np.float64), np.concatenate([1 - away, away]))
    difference = np.stack(
        [
            views[one.standardised].mean if one.how == "mean" else _other_average(raw, views[False], one, drawn)
            for one in averages
        ]
    )
    deviation = np.stack([views[one.standardised].deviation for one in averages])
    varies = deviation > 0
    ratio = difference / np.where(varies, deviation, 1.0)
    standardised = np.where(varies | (ratio == 0) | np.isnan(ratio), ratio, np.copysign(np.inf, ratio))
    p = np.stack([_tested(test, difference[i], views[averages[i].standardised]) for i, test in tests])
    by_exchange = (numbers.transpose(1, 0, 2) for numbers in (difference, standardised, p))
    first, second, third = (some[:, which] for some, which in zip(by_exchange, (needed, needed, needed_p), strict=True))
    return first, second, third


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


def _other_average(raw: Floats, view: _SignFlips, one: Average, drawn: _Exchanged) -> Floats:
    """The difference of medians, geometric or harmonic means of 2 × topics × settings; NaN where it is undefined."""
    pairs = raw.transpose(2, 1, 0)  # settings × topics × 2
    why = undefined(pairs, one, np.array([0, 1]))
    first, second = np.where((why == 0) | (why == ALL_ZERO), raw, 1.0)
    found = exchanged(first, second, one, drawn)  # type: ignore[arg-type]
    found = np.where(np.abs(found) <= view.d.noise * (1 if one.how == "median" else 16), 0.0, found)
    if one.how != "median":
        for k in np.flatnonzero((raw.min(axis=0) == 0).all(axis=0)):
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
