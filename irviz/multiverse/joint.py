"""The joint test of a multiverse: is the count of worlds more than two equal systems would give?

Worlds are the same runs looked at again and again, so that a count of them is no evidence by
itself: of two equal systems one is ahead in most worlds.  Simonsohn, Simmons & Nelson (2020)
compare the whole specification curve with those of data in which nothing is to be found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.multiverse.compare import ALL_ZERO, Procedure, pieces_of, why_undefined
from irviz.multiverse.dimensions import Average, average
from irviz.multiverse.resampling import mean_of
from irviz.multiverse.settings import Settings, tukey
from irviz.portable import Addends, exact_totals, total
from irviz.stats.claims import Claim
from irviz.stats.groups import independent, renumbered
from irviz.stats.medians import exchanged_medians, ranked_pairs
from irviz.stats.paired import Differences, holm, in_deviations, least_p, sign_p, signed_ranks, t_p, wilcoxon_p
from irviz.stats.resampling import generator
from irviz.stats.results import part, stages
from irviz.workers import Progress, Workers, run

Floats = NDArray[np.float64]
Evidence: TypeAlias = Literal["holds", "does not hold", "neither", "too few topics", "too few exchanges"]
"""What the worlds together say of a claim."""

STATISTICS = ("direction", "significant", "median")
MOST_EXCHANGES = 1000  #: of one comparison, if the claim needs no more
_ALL_EXCHANGES, _FEWEST_EXCHANGES = 10_000, 200  #: of all comparisons of a claim together; of each at least
_MOST_CELLS = 10_000_000  #: exchanges times worlds of one comparison
_STREAM = 3  #: number of the stream of the seed that decides which topics are exchanged
_PIECE = 8  #: settings in a piece of work
_GROUPS = 256  #: families of Holm's correction that are held at a time
_BAND = 0.025  #: share of the exchanges below the band of the null, and above it
_HUGE = 1e300  #: stands for infinity
_SAME = 1 - 1e-9  #: statistics that differ by less are equal


class Observed(NamedTuple):
    """The claim by world: verdict, significance and p, 1 where the test points elsewhere; and what most worlds say.

    `lean` is 1 if most say that it holds, −1 if reversed; ties go to the significant ones, then to the median
    difference.
    """

    verdict: NDArray[np.int8]
    significant: NDArray[np.bool_]
    p: Floats
    lean: int

    @classmethod
    def from_worlds(cls, verdict: NDArray[np.int8], p: Floats, alpha: float, standardised: Floats) -> Observed:
        significant = p < alpha
        lean = _directions(verdict[None], significant[None], _median(standardised[None]))[:, 0]
        return cls(verdict, significant, p, int(next(filter(None, lean), 0)))


def joint_test(
    s: Settings,
    reason: NDArray[np.int8],
    claim: Claim,
    how: Procedure,
    exchanges: int | None,
    observed: Observed,
    progress: Progress | None,
) -> dict[str, Any]:
    r"""The joint test of all worlds (Simonsohn, Simmons & Nelson 2020), by exchanging lists.

    If two systems are equal, their lists of a topic could as well have changed places.  On a random half of the topics
    they do, in all worlds at once, and three statistics of the worlds are computed again: how many have the direction
    of their majority, how many of these are significant, and the size of the median standardised difference.  With *B*
    exchanges,

    .. math:: p = \frac{1 + \#\{b : T_b \ge T\}}{B + 1}

    Each comparison of a claim is tested by itself.  If most worlds say that the claim holds, r = m − `spare` of its m
    comparisons must point its way, otherwise r = `spare` + 1 the other way; a comparison that does not has p = 1, and
    the result is :math:`(m - r + 1)\, p_{(r)}` (Benjamini & Heller 2008, eq. (2)).  A single comparison is tested in
    both directions.  The count of significant worlds that is shown of a single comparison is that of `observed`.
    `reason` says by world why it is undecided, as in `Estimates`.  Returned are the fields ``joint``, ``exchanges``,
    ``joint_pair``, ``band``, ``evidence`` and ``joint_p`` of a conclusion.

    **Exchanges.**  Unless `exchanges` says how many, those comparisons that no exchange reached, if they are enough
    for the claim, are tested again with as many exchanges as evidence needs, 6 (m − r + 1)/α, as far as memory goes.
    This keeps the level: below 1/(B + 1) only the second p counts, from there on the first would do.

    **Held fixed** are the topics, the judgments, the lists of all other systems, and the worlds.  All that a world
    derives from scores is the same after an exchange, because it is a function of the *set* of a topic's scores:
    standardisation, hardness (hence the topics without the hardest tenth) and the topics that both runs answer.  The
    random half is the same half.  The statistics are therefore exchangeable under the hypothesis, and p is exact.

    **Tests in an exchanged world** are those of the world, with Holm's correction over the measures.  Randomisation
    tests use the exchanges themselves as their distribution, which all of them share, and stand for the bootstrap too:
    resampling each world of each exchange would take hours.  In a family of all systems the ranges of the first
    shuffles are used. The observed data are counted in the same way where they are compared with exchanges; the number
    that is shown of a pair is that of the worlds' own tests.

    A world in which an exchange leaves a system with zeros only, so that its geometric or
    harmonic mean is undefined, counts for no direction in that exchange.
    """
    m, lean = len(claim.pairs), observed.lean
    r = m - claim.spare if lean > 0 else claim.spare + 1
    times = m - r + 1
    needs = _needed_numbers(s, reason)
    usual = min(how.trials, MOST_EXCHANGES, max(_FEWEST_EXCHANGES, _ALL_EXCHANGES // m))
    many = usual if exchanges is None else exchanges
    wanted = min(2 * ceil(len(STATISTICS) * times / how.alpha), _MOST_CELLS // len(needs.rows))
    most = many if exchanges is not None else max(many, wanted)
    units = how.units(s.column(0).topics)

    def test(places: Sequence[int], many: int, progress: Progress | None) -> list[_Comparison]:
        mask = _exchange_mask(how.seed, many, independent(units, np.arange(len(s.column(0).topics))))
        steps = stages(progress, len(places))
        return [
            _test_comparison(s, needs, claim.pairs[j], mask, units, how, times, heard)
            for j, heard in zip(places, steps, strict=True)
        ]

    tested = test(range(m), many, progress if most == many else part(progress, 0, 0.5))
    numbers = np.stack([one.numbers for one in tested])
    if m > 1:
        numbers[:, 2][np.stack([one.direction for one in tested]) != (lean or np.nan)] = 1.0
    unreached = numbers[:, 2] * (many + 1) < 1.5
    sizes = np.argsort(-numbers[:, 0, 2], kind="stable")
    enough = [sizes[unreached[sizes, k]][:r] for k in range(len(STATISTICS)) if unreached[:, k].sum() >= r]
    if most > many and enough:
        many, again = most, np.unique(np.concatenate(enough)).tolist()
        for j, one in zip(again, test(again, most, part(progress, 0.5, 1)), strict=True):
            numbers[j] = np.where(unreached[j], one.numbers, numbers[j])
    deciding = np.argsort(-numbers[:, 2], axis=0, kind="stable")[m - r]
    chosen = np.take_along_axis(numbers, deciding[None, None], axis=0)[0]
    if m == 1:
        chosen[0, 1] = _significant(observed.verdict[None], observed.significant[None])[0]
    chosen[2] = np.minimum(1.0, times * chosen[2])
    index = pd.Index(STATISTICS, name="statistic")
    topics = sorted(_answered(s, claim, units), reverse=True)[r - 1]
    evidence, joint_p = _verdict(observed, chosen[2], times, topics, most, how.alpha)
    return {
        "joint": pd.DataFrame(dict(zip(("observed", "expected", "p"), chosen, strict=True)), index=index),
        "exchanges": many,
        "joint_pair": int(deciding[0]),
        "band": tested[0].band if m == 1 else np.empty((2, 0)),
        "evidence": evidence,
        "joint_p": joint_p,
    }


def _verdict(
    observed: Observed, p: Floats, times: int, topics: int, exchanges: int, alpha: float
) -> tuple[Evidence, float]:
    """The verdict, and p of the claim, of three statistics or of one world; p-values are multiplied by `times`."""
    alone = len(observed.verdict) == 1
    tests = 1 if alone else len(p)
    if tests * times * least_p(topics) >= alpha:
        return "too few topics", 1.0
    smallest = float(observed.p[0] if alone else min(1.0, tests * p.min()))
    holds = smallest if observed.lean > 0 else 1.0
    if not alone and tests * times >= alpha * (exchanges + 1):
        return "too few exchanges", holds
    if smallest >= alpha or not observed.lean:
        return "neither", holds
    return ("holds" if observed.lean > 0 else "does not hold"), holds


def _answered(s: Settings, claim: Claim, units: NDArray[np.intp] | None) -> list[int]:
    """By comparison, on how many topics of the worlds, or groups of them, both systems have answers."""
    used = np.any([s.topics(k) for k in range(len(s))], axis=0)
    answered = s.column(0).is_answered & used[:, None]
    return [independent(units, np.flatnonzero(answered[:, pair].all(axis=1))) for pair in claim.pairs]


def _exchange_mask(seed: int, exchanges: int, topics: int) -> NDArray[np.bool_]:
    """(exchanges + 1) × topics, or groups: whether the systems change places; the first row is what was observed."""
    mask = np.zeros((exchanges + 1, topics), dtype=bool)
    mask[1:] = generator(seed, _STREAM).integers(0, 2, size=(exchanges, topics), dtype=np.uint8)
    return mask


def _significant(verdict: NDArray[np.int8], significant: NDArray[np.bool_]) -> NDArray[np.intp]:
    """By row, how many worlds are significant in the direction of the majority."""
    ahead, behind = ((verdict == way).sum(axis=1) for way in (1, -1))
    sure, against = ((significant & (verdict == way)).sum(axis=1) for way in (1, -1))
    return np.where(ahead > behind, sure, np.where(behind > ahead, against, np.maximum(sure, against)))


def _directions(verdict: NDArray[np.int8], significant: NDArray[np.bool_], median: Floats) -> NDArray[np.int8]:
    """Statistics × rows: where each statistic points; that of the significant worlds as their majority does."""
    majority = np.sign(verdict.sum(axis=1, dtype=np.int64))
    sure = np.sign((verdict * significant).sum(axis=1, dtype=np.int64))
    return np.stack([majority, np.where(majority, majority, sure), np.sign(median)]).astype(np.int8)


# -- one comparison ---------------------------------------------------------------------------


class _NeededNumbers(NamedTuple):
    """The numbers that the worlds need, and where each world finds its own."""

    #: what some world takes; a test with the place of its average
    averages: tuple[Average, ...]
    tests: tuple[tuple[int, str], ...]
    #: averages × settings, and tests × settings; which numbers are needed
    differences: NDArray[np.bool_]
    p: NDArray[np.bool_]
    rows: NDArray[np.intp]  #: of the worlds that an exchange may decide
    #: by such a world, its average, test and setting
    average: NDArray[np.intp]
    test: NDArray[np.intp]
    own: NDArray[np.intp]
    is_defined: NDArray[np.bool_]  #: by such a world, whether it is defined without an exchange


class _Comparison(NamedTuple):
    """The joint test of one comparison."""

    #: (observed, expected, p) × statistics: expected is the median of the exchanges; of a p that is multiplied by k,
    #: their 1 − 1/(2k) quantile
    numbers: Floats
    direction: NDArray[np.int8]  #: by statistic, 1, 0 or −1
    band: Floats  #: 2 × worlds, of the exchanged curves


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
    units: NDArray[np.intp] | None,
    how: Procedure,
    times: int,
    progress: Progress | None,
) -> _Comparison:
    """Joint test of one comparison, whose p will be multiplied by `times`."""
    difference, standardised, p = _exchanged_settings(s, needs, pair, exchange_mask, units, how.workers, progress)
    place = _places(needs.differences)[needs.average, needs.own]
    own_p = p[:, _places(needs.p)[needs.test, needs.own]]
    sign = np.sign(np.nan_to_num(difference)).astype(np.int8)[:, place]
    sizes = np.abs(own_p)
    _correct_by_holm(s, needs, np.abs(p), sizes)
    _correct_by_tukey(s, needs, difference[:, place], sizes, how._replace(trials=len(exchange_mask) - 1), units)
    significant = (own_p > 0) & (sign != 0) & (sizes < how.alpha)
    majority = np.maximum((sign == 1).sum(axis=1), (sign == -1).sum(axis=1))
    median = _median(standardised[:, place])
    values = np.stack([majority, _significant(sign, significant), np.abs(median)])
    extreme = (values[:, 1:] >= _SAME * values[:, :1]).sum(axis=1)
    curves = np.nan_to_num(standardised[1:, place[needs.is_defined]], posinf=np.inf, neginf=-np.inf)
    curves = np.sort(np.sort(curves, axis=1), axis=0)
    least = int(_BAND * len(curves))
    band = curves[[least, len(curves) - 1 - least]]
    exchanged = np.sort(values[:, 1:], axis=1)
    expected = _median(exchanged) if times == 1 else exchanged[:, ceil((1 - 0.5 / times) * exchanged.shape[1]) - 1]
    numbers = np.stack([values[:, 0], expected, (1 + extreme) / len(exchange_mask)])
    return _Comparison(numbers, _directions(sign[:1], significant[:1], median[:1])[:, 0], band)


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


def _correct_by_tukey(
    s: Settings,
    needs: _NeededNumbers,
    difference: Floats,
    sizes: Floats,
    how: Procedure,
    units: NDArray[np.intp] | None,
) -> None:
    """Put in the p of the worlds that test all systems together."""
    together = np.flatnonzero(s.takes("family", "all_systems")[needs.rows])
    wanted = [(int(needs.own[i]), needs.averages[needs.average[i]].standardised) for i in together.tolist()]
    if not wanted:
        return
    trials = how.trials
    tests = tukey(s, wanted, trials, how.seed, units, how.workers)
    ranges = {key: np.sort(np.asarray(test.ranges)) / int(s.topics(key[0]).sum()) for key, test in tests.items()}
    for i, setting in zip(together, wanted, strict=True):
        size = np.abs(difference[:, i]) * (1 - 1e-12)
        sizes[:, i] = (trials - np.searchsorted(ranges[setting], size, side="left") + 1) / (trials + 1)


# -- settings -------------------------------------------------------------------------------


class _Piece(NamedTuple):
    """Settings with as many topics each, or with the same topics where these are in groups."""

    #: n × settings, their topics, or the groups of these: the columns of the exchanges that they belong to
    rows: NDArray[np.intp]
    units: NDArray[np.intp] | None  #: by topic, the number of its group in the piece; None where topics are independent
    #: 2 × n × settings, scores of the two systems, by whether they are standardised; as they are at least
    views: dict[bool, Floats]
    #: averages × settings, and tests × settings; which numbers are needed
    differences: NDArray[np.bool_]
    p: NDArray[np.bool_]


def _exchanged_settings(
    s: Settings,
    needs: _NeededNumbers,
    pair: tuple[int, int],
    exchange_mask: NDArray[np.bool_],
    units: NDArray[np.intp] | None,
    workers: Workers,
    progress: Progress | None,
) -> tuple[Floats, Floats, Floats]:
    """Exchanges × columns: differences, standardised differences, and signed p (below 0: the test points elsewhere)."""
    first, second = np.array(pair)[:, None]
    masks = [s.common(k, first, second) & needs.differences[:, k].any() for k in range(len(s))]
    members = [batch for _, batch in pieces_of(masks, _PIECE, units)]
    wanted = {False, *(one.standardised for one in needs.averages)}
    pieces = []
    for batch in members:
        views = s.views(batch, np.array(pair), wanted)
        both = {view: np.ascontiguousarray(values.transpose(2, 1, 0)) for view, values in views.items()}
        at = [k for k, _ in batch]
        rows = np.stack([rows for _, rows in batch], axis=1)
        own = renumbered(units, rows[:, 0])
        pieces.append(
            _Piece(rows if units is None else units[rows], own, both, needs.differences[:, at], needs.p[:, at])
        )
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
    moved = exchange_mask.astype(np.uint8)
    d = {view: Differences.from_scores(*both) for view, both in piece.views.items()}
    tested = {view: differences.of_groups(piece.units) for view, differences in d.items()}
    kinds = {(averages[i].standardised, test) for i, test in tests if test in ("sign", "wilcoxon")}
    ranks = {key: signed_ranks(tested[key[0]]) for key in kinds if key[1] == "wilcoxon"}
    sides = {key: np.sign(tested[key[0]].values) * (ranks[key][0] if key in ranks else 1.0) for key in kinds}

    def sums(weights: NDArray[Any], columns: Sequence[Floats], rows: NDArray[np.intp] = piece.rows) -> list[Floats]:
        """Exchanges × settings: sums of n × settings over the topics, or groups, of each."""
        placed = np.zeros((exchange_mask.shape[1], len(columns), rows.shape[1]))
        for i, column in enumerate(columns):
            np.add.at(placed[:, i], (rows, np.arange(rows.shape[1])), column)
        added = Addends(placed.reshape(len(placed), -1), len(placed)).totals(weights)
        return list(np.moveaxis(added.reshape(len(weights), len(columns), -1), 1, 0))

    def moments(of: dict[bool, Differences], added: Sequence[Floats]) -> dict[bool, tuple[Floats, Floats]]:
        return {view: _mean_and_deviation(of[view], found) for view, found in zip(of, added, strict=True)}

    signs, own = 1 - 2 * moved.astype(np.int8), piece.rows
    if piece.units is not None:
        own = np.repeat(np.unique(piece.rows[:, 0])[:, None], piece.rows.shape[1], axis=1)
    signed = sums(signs, [*(differences.values for differences in tested.values()), *sides.values()], own)
    of_tested, net = moments(tested, signed[: len(d)]), dict(zip(sides, signed[len(d) :], strict=True))
    flips = of_tested
    if piece.units is not None:
        flips = moments(d, sums(signs, [differences.values for differences in d.values()]))
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
            size = t_p(*of_tested[view], tested[view].topics)
        elif test == "sign":
            many = np.abs(sides[view, test]).sum(axis=0)
            ahead = ((many + net[view, test]) / 2).astype(np.intp)
            size, direction = sign_p(ahead, many.astype(np.intp) - ahead), np.sign(net[view, test])
        elif test == "wilcoxon":
            of_sizes, ahead, behind = ranks[view, test]
            size = wilcoxon_p(tested[view], of_sizes, (ahead + behind + net[view, test]) / 2)
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
