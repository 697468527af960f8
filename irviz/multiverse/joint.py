"""The joint test of a multiverse: is the count of worlds more than two equal systems would give?

Worlds are the same runs looked at again and again, so that a count of them is no evidence by
itself: of two equal systems one is ahead in most worlds.  Simonsohn, Simmons & Nelson (2020)
compare the whole specification curve with those of data in which nothing is to be found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.multiverse.claims import Claim
from irviz.multiverse.compare import ALL_ZERO, Procedure, pieces_of, why_undefined
from irviz.multiverse.dimensions import Average, average
from irviz.multiverse.resampling import mean_of
from irviz.multiverse.settings import Settings, tukey
from irviz.multiverse.tests import Differences, holm, in_deviations, sign_p, signed_ranks, t_p, wilcoxon_p
from irviz.portable import Addends, exact_totals, total
from irviz.stats.medians import exchanged_medians, ranked_pairs
from irviz.stats.results import stages
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
    reason: NDArray[np.int8],
    claim: Claim,
    how: Procedure,
    exchanges: int,
    observed_verdicts: tuple[NDArray[np.int8], NDArray[np.bool_]] | None,
    progress: Progress | None,
) -> dict[str, Any]:
    r"""The joint test of all worlds (Simonsohn, Simmons & Nelson 2020), by exchanging lists.

    If two systems are equal, their lists of a topic could as well have changed places.  On a
    random half of the topics they do, in all worlds at once, and three statistics of the
    worlds are computed again: how many have the direction of their majority, how many of
    these are significant, and the size of the median standardised difference.  With *B*
    exchanges,

    .. math:: p = \frac{1 + \#\{b : T_b \ge T\}}{B + 1}

    Each comparison of a claim is tested by itself; the result is that of the largest p, leaving `spare` larger ones out
    and multiplying by `spare` + 1 (partial conjunction, Benjamini & Heller 2008, eq. (2)).  The count of significant
    worlds that is shown of a single comparison is that of `observed_verdicts`: verdict and significance by world.
    `reason` says by world why it is undecided, as in `Estimates`.  Returned are the fields ``joint``, ``exchanges``,
    ``joint_pair`` and ``band`` of a conclusion.

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
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(how.seed, spawn_key=(_STREAM,))))
    topics = len(s.column(0).topics)
    exchange_mask = np.zeros((exchanges + 1, topics), dtype=bool)  # the first row is what was observed
    exchange_mask[1:] = generator.integers(0, 2, size=(exchanges, topics), dtype=np.uint8)
    numbers, band, needs = [], np.empty((2, 0)), _needed_numbers(s, reason)
    for pair, heard in zip(claim.pairs, stages(progress, len(claim.pairs)), strict=True):
        statistics, band = _test_comparison(s, needs, pair, exchange_mask, how, heard)
        numbers.append(statistics)
    by_pair = np.stack(numbers)
    deciding = np.argsort(-by_pair[:, 2], axis=0, kind="stable")[claim.spare]
    chosen = np.take_along_axis(by_pair, deciding[None, None], axis=0)[0]
    if observed_verdicts is not None:
        chosen[0, 1] = _significant(observed_verdicts[0][None], observed_verdicts[1][None])[0]
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


class _NeededNumbers(NamedTuple):
    """The numbers that the worlds need, and where each world finds its own.

    Attributes
    ----------
    averages, tests : what some world takes; a test with the place of its average
    differences, p : averages × settings, and tests × settings; which numbers are needed
    rows : of the worlds that an exchange may decide
    average, test, own : by such a world, its average, test and setting
    is_defined : by such a world, whether it is defined without an exchange
    """

    averages: tuple[Average, ...]
    tests: tuple[tuple[int, str], ...]
    differences: NDArray[np.bool_]
    p: NDArray[np.bool_]
    rows: NDArray[np.intp]
    average: NDArray[np.intp]
    test: NDArray[np.intp]
    own: NDArray[np.intp]
    is_defined: NDArray[np.bool_]


def _needed_numbers(s: Settings, reason: NDArray[np.int8]) -> _NeededNumbers:
    w = s.worlds
    rows = np.flatnonzero((reason == 0) | (reason == ALL_ZERO))
    used, a = np.unique(w.code("average")[rows], return_inverse=True)
    averages = tuple(average(w.options["average"][code]) for code in used)
    both, t = np.unique(np.stack([a, w.code("test")[rows]]), axis=1, return_inverse=True)
    tests = tuple((int(i), str(w.options["test"][code])) for i, code in both.T)
    settings, t = s.own[rows], t.ravel()
    needed = np.zeros((len(tests), len(s)), dtype=bool)
    needed[t, settings] = True
    mates = s.mates[_holm_places(s, rows)]
    of_holm = np.repeat(t[s.takes("family", "holm")[rows]], mates.shape[1])
    needed[of_holm[mates.ravel() >= 0], mates.ravel()[mates.ravel() >= 0]] = True
    differences = np.zeros((len(averages), len(s)), dtype=bool)
    for k, (i, _) in enumerate(tests):
        differences[i] |= needed[k]
    return _NeededNumbers(averages, tests, differences, needed, rows, a.ravel(), t, settings, reason[rows] == 0)


def _holm_places(s: Settings, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """The rows of `mates` for the Holm worlds among `rows`."""
    corrected = s.takes("family", "holm")
    return (np.cumsum(corrected) - 1)[rows[corrected[rows]]]


def _test_comparison(
    s: Settings,
    needs: _NeededNumbers,
    pair: tuple[int, int],
    exchange_mask: NDArray[np.bool_],
    how: Procedure,
    progress: Progress | None,
) -> tuple[Floats, Floats]:
    """Joint test of one comparison: (observed, expected, p) × statistics, and the band of the exchanged curves."""
    difference, standardised, p = _exchanged_settings(s, needs, pair, exchange_mask, how.workers, progress)
    place = _places(needs.differences)[needs.average, needs.own]
    own_p = p[:, _places(needs.p)[needs.test, needs.own]]
    sign = np.sign(np.nan_to_num(difference)).astype(np.int8)[:, place]
    sizes = np.abs(own_p)
    _correct_by_holm(s, needs, np.abs(p), sizes)
    _correct_by_tukey(s, needs, difference[:, place], sizes, how._replace(trials=len(exchange_mask) - 1))
    significant = (own_p > 0) & (sign != 0) & (sizes < how.alpha)
    majority = np.maximum((sign == 1).sum(axis=1), (sign == -1).sum(axis=1))
    values = np.stack([majority, _significant(sign, significant), np.abs(_median(standardised[:, place]))])
    extreme = (values[:, 1:] >= _SAME * values[:, :1]).sum(axis=1)
    curves = np.nan_to_num(standardised[1:, place[needs.is_defined]], posinf=np.inf, neginf=-np.inf)
    curves = np.sort(np.sort(curves, axis=1), axis=0)
    least = int(_BAND * len(curves))
    band = curves[[least, len(curves) - 1 - least]]
    return np.stack([values[:, 0], _median(values[:, 1:]), (1 + extreme) / len(exchange_mask)]), band


def _median(values: Floats) -> Floats:
    """Along the last axis; NaN is left out, infinities of both signs cancel out."""
    ordered = np.sort(np.nan_to_num(values, nan=np.nan, posinf=_HUGE, neginf=-_HUGE), axis=-1)  # NaN last
    known = np.maximum(np.isfinite(ordered).sum(axis=-1, keepdims=True), 1)
    low, high = (np.take_along_axis(ordered, place, axis=-1)[..., 0] for place in ((known - 1) // 2, known // 2))
    middle = np.nan_to_num((low + high) / 2)
    return np.where(np.abs(middle) >= _HUGE / 2, np.copysign(np.inf, middle), middle)


def _places(mask: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Kinds × settings → the column in which the settings' numbers stand, setting after setting."""
    return (np.cumsum(mask.T.ravel()) - 1).reshape(mask.T.shape).T


def _correct_by_holm(s: Settings, needs: _NeededNumbers, p: Floats, sizes: Floats) -> None:
    """Put in the p of the worlds that correct over the measures; `p` is by column, `sizes` by world."""
    w, rows = s.worlds, needs.rows
    corrected = np.flatnonzero(s.takes("family", "holm")[rows])
    if not len(corrected):
        return
    mates = s.mates[_holm_places(s, rows)]
    keys = np.concatenate([needs.test[corrected, None], mates], axis=1)
    groups, which = np.unique(keys, axis=0, return_inverse=True)
    places, measures = _places(needs.p), w.code("measure")[rows[corrected]]
    for start in range(0, len(groups), _GROUPS):
        batch = groups[start : start + _GROUPS]
        across = p[:, places[batch[:, :1], batch[:, 1:]]]
        across[:, batch[:, 1:] < 0] = np.nan
        members = np.flatnonzero((which.ravel() >= start) & (which.ravel() < start + _GROUPS))
        sizes[:, corrected[members]] = holm(across)[:, which.ravel()[members] - start, measures[members]]


def _correct_by_tukey(s: Settings, needs: _NeededNumbers, difference: Floats, sizes: Floats, how: Procedure) -> None:
    """Put in the p of the worlds that test all systems together."""
    together = np.flatnonzero(s.takes("family", "all_systems")[needs.rows])
    wanted = [(int(needs.own[i]), needs.averages[needs.average[i]].standardised) for i in together.tolist()]
    if not wanted:
        return
    trials = how.trials
    tests = tukey(s, wanted, trials, how.seed, how.workers)
    ranges = {key: np.sort(np.asarray(test.ranges)) / int(s.topics(key[0]).sum()) for key, test in tests.items()}
    for i, setting in zip(together, wanted, strict=True):
        size = np.abs(difference[:, i]) * (1 - 1e-12)
        sizes[:, i] = (trials - np.searchsorted(ranges[setting], size, side="left") + 1) / (trials + 1)


# -- settings -------------------------------------------------------------------------------


class _Piece(NamedTuple):
    """Settings with as many topics each.

    Attributes
    ----------
    rows : n × settings, their topics
    views : 2 × n × settings, scores of the two systems, by whether they are standardised; as they are at least
    differences, p : averages × settings, and tests × settings; which numbers are needed
    """

    rows: NDArray[np.intp]
    views: dict[bool, Floats]
    differences: NDArray[np.bool_]
    p: NDArray[np.bool_]


def _exchanged_settings(
    s: Settings,
    needs: _NeededNumbers,
    pair: tuple[int, int],
    exchange_mask: NDArray[np.bool_],
    workers: Workers,
    progress: Progress | None,
) -> tuple[Floats, Floats, Floats]:
    """Exchanges × columns: differences, standardised differences, and signed p (below 0: the test points elsewhere)."""
    first, second = np.array(pair)[:, None]
    masks = [s.common(k, first, second) & needs.differences[:, k].any() for k in range(len(s))]
    members = [batch for _, batch in pieces_of(masks, _PIECE)]
    wanted = {False, *(one.standardised for one in needs.averages)}
    pieces = []
    for batch in members:
        views = s.views(batch, np.array(pair), wanted)
        both = {view: np.ascontiguousarray(values.transpose(2, 1, 0)) for view, values in views.items()}
        at = [k for k, _ in batch]
        rows = np.stack([rows for _, rows in batch], axis=1)
        pieces.append(_Piece(rows, both, needs.differences[:, at], needs.p[:, at]))
    work = partial(_exchange, exchange_mask=exchange_mask, averages=needs.averages, tests=needs.tests)
    parts = run(work, pieces, workers, progress, lambda piece: "Exchanged the systems")
    columns = []
    for i, which in enumerate((needs.differences, needs.differences, needs.p)):
        places = _places(which)
        numbers = np.full((len(exchange_mask), int(which.sum())), np.nan)
        for batch, exchanged in zip(members, parts, strict=True):
            at = [k for k, _ in batch]
            numbers[:, places[:, at][which[:, at]]] = exchanged[i]
        columns.append(numbers)
    return columns[0], columns[1], columns[2]


def _exchange(
    piece: _Piece, exchange_mask: NDArray[np.bool_], averages: tuple[Average, ...], tests: tuple[tuple[int, str], ...]
) -> tuple[Floats, Floats, Floats]:
    """The needed numbers of settings with as many topics: exchanges × columns."""
    n, topics = len(piece.rows), exchange_mask.shape[1]
    moved = exchange_mask.astype(np.uint8)
    d = {view: Differences.from_scores(*both) for view, both in piece.views.items()}
    kinds = {(averages[i].standardised, test) for i, test in tests if test in ("sign", "wilcoxon")}
    ranks = {key: signed_ranks(d[key[0]]) for key in kinds if key[1] == "wilcoxon"}
    sides = {key: np.sign(d[key[0]].values) * (ranks[key][0] if key in ranks else 1.0) for key in kinds}

    def sums(weights: NDArray[Any], columns: Sequence[Floats]) -> list[Floats]:
        """Exchanges × settings: sums of n × settings over the topics of each."""
        placed = np.zeros((topics, len(columns), piece.rows.shape[1]))
        for i, column in enumerate(columns):
            np.put_along_axis(placed[:, i], piece.rows, column, axis=0)
        added = Addends(placed.reshape(topics, -1), topics).totals(weights)
        return list(np.moveaxis(added.reshape(len(weights), len(columns), -1), 1, 0))

    signed = sums(1 - 2 * moved.astype(np.int8), [*(differences.values for differences in d.values()), *sides.values()])
    flips = {
        view: _mean_and_deviation(differences, added)
        for (view, differences), added in zip(d.items(), signed, strict=False)
    }
    net = dict(zip(sides, signed[len(d) :], strict=True))
    difference = np.stack(
        [
            flips[one.standardised][0] if one.how == "mean" else _other_average(piece, d[False], one, moved, sums)
            for one in averages
        ]
    )
    deviation = np.stack([flips[one.standardised][1] for one in averages])
    standardised = in_deviations(difference, deviation)
    p = []
    for i, test in tests:
        view, direction = averages[i].standardised, np.sign(difference[i])
        if test == "t":
            size = t_p(*flips[view], n)
        elif test == "sign":
            many = np.abs(sides[view, test]).sum(axis=0)
            ahead = ((many + net[view, test]) / 2).astype(np.intp)
            size, direction = sign_p(ahead, many.astype(np.intp) - ahead), np.sign(net[view, test])
        elif test == "wilcoxon":
            of_sizes, ahead, behind = ranks[view, test]
            size = wilcoxon_p(d[view], of_sizes, (ahead + behind + net[view, test]) / 2)
            direction = np.sign(net[view, test])
        else:
            size = _exchange_p(difference[i], d[view].noise)
        agrees = direction == np.sign(difference[i])
        p.append(np.where(agrees, 1, -1) * np.maximum(size, np.finfo(np.float64).tiny))
    whole = difference.transpose(1, 0, 2), standardised.transpose(1, 0, 2), np.stack(p, axis=1)
    return whole[0][:, piece.differences], whole[1][:, piece.differences], whole[2][:, piece.p]


def _mean_and_deviation(d: Differences, sums: Floats) -> tuple[Floats, Floats]:
    """Mean and sample deviation of exchanged differences, exchanges × settings, from their sums."""
    n, mean = d.topics, sums / d.topics
    mean = np.where(np.abs(mean) <= d.noise, 0.0, mean)
    squares = total(d.values * d.values, axis=0)
    rest = squares - n * mean * mean
    rest = np.where(rest <= 64 * n * np.finfo(np.float64).eps * squares, 0.0, rest)
    return mean, np.sqrt(rest / (n - 1))


def _other_average(
    piece: _Piece, d: Differences, one: Average, exchange_mask: NDArray[np.uint8], sums: Callable[..., list[Floats]]
) -> Floats:
    """The difference of medians, geometric or harmonic means, exchanges × settings; NaN where it is undefined."""
    scores = piece.views[False]
    why = why_undefined(scores.transpose(2, 1, 0), one, np.array([0, 1]))
    first, second = np.where((why == 0) | (why == ALL_ZERO), scores, 1.0)
    if one.how == "median":
        difference = exchanged_medians(ranked_pairs(first, second), piece.rows, exchange_mask)
        return np.where(np.abs(difference) <= d.noise, 0.0, difference)
    g, eps = mean_of(one)
    a, b = g.forward(first, eps), g.forward(second, eps)
    nonzero = [(values > 0).astype(np.float64) for values in scores]
    away, *change = sums(exchange_mask, [b - a, nonzero[1] - nonzero[0]])
    n = len(first)
    difference = g.inverse((exact_totals(a) + away) / n, eps) - g.inverse((exact_totals(b) - away) / n, eps)
    difference = np.where(np.abs(difference) <= 16 * d.noise, 0.0, difference)
    zeros = (nonzero[0].sum(axis=0) + change[0] == 0) | (nonzero[1].sum(axis=0) - change[0] == 0)
    return np.where(zeros, np.nan, difference)


def _exchange_p(difference: Floats, noise: Floats) -> Floats:
    """By exchange, the share of exchanges that are at least as far from 0."""
    size = np.nan_to_num(np.abs(difference))
    as_far = np.empty(size.shape)
    for k, column in enumerate(size.T):
        as_far[:, k] = len(size) - np.searchsorted(np.sort(column), column - 16 * noise[k], side="left")
    return as_far / len(size)
