r"""Bootstrap and randomisation of a world's own average, many columns at once, each with its interval.

Every test returns p and an interval at 1 − alpha that excludes 0 exactly if p < alpha; only the
randomisation test of medians has none of its own.

A generalised mean :math:`g^{-1}(\frac1n\sum_t g(x_t))` is larger for the first system exactly
if the mean of :math:`d_t = g(a_t) - g(b_t)` is above 0, so its tests are those of the mean of *d*,
which hold their level.  Limits of that mean become limits of the difference of averages, in the
unit of the scores, by :func:`in_scores`.  A median has no such *d*: its bootstrap is Student's t
with the bootstrap's standard error.

Few topics show little: all :math:`2^n` ways to exchange two equal systems are equally likely, and
two of them are as extreme as any.  The p of averages other than means is therefore never below
:math:`2/2^n` (:func:`least_p`); where that is alpha or more there is no interval (NaN).

Sums over resampled or exchanged topics are exact (:func:`irviz.portable.subset_totals`), so
that no order of summation changes a count.  A median needs no sum: in the sorted list of
scores it lies where the resampled counts pass the half.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irviz.multiverse.dimensions import Average
from irviz.multiverse.tests import Differences, critical, two_sided
from irviz.portable import exact_totals, subset_totals, total
from irviz.stats.aggregate import MEANS, Mean
from irviz.stats.bootstrap import SMALL_PRODUCT, resampling_weights

Floats = NDArray[np.float64]
_FLIPS = 2  #: number of the stream that decides which topics are exchanged


@dataclass(frozen=True, eq=False)
class Resamples:
    """The random part: the same for all worlds with as many topics.

    The resamples are those of :func:`irviz.stats.bootstrap.paired_bootstrap`.
    """

    topics: int
    trials: int
    seed: int

    @cached_property
    def weights(self) -> Floats:
        """trials × topics: how often each topic was drawn."""
        return resampling_weights(self.topics, self.trials, self.seed)

    @cached_property
    def counts(self) -> NDArray[np.unsignedinteger]:
        """topics × trials: the same, as small whole numbers."""
        return np.ascontiguousarray(self.weights.T.astype(_smallest(self.topics)))

    @cached_property
    def exchanged(self) -> Floats:
        """trials × topics: 1 where the two systems change places, else 0."""
        generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=(_FLIPS,))))
        return generator.integers(0, 2, size=(self.trials, self.topics), dtype=np.uint8).astype(np.float64)

    @cached_property
    def many_exchanged(self) -> Floats:
        """By trial, on how many topics the two systems change places."""
        return self.exchanged.sum(axis=1)

    @cached_property
    def swaps(self) -> NDArray[np.unsignedinteger]:
        """2 topics × trials: which of the first system's scores, then of the second's, the first one has."""
        away = np.ascontiguousarray(self.exchanged.T.astype(_smallest(2 * self.topics)))
        return np.concatenate([np.ones_like(away) - away, away])


@lru_cache(maxsize=8)
def draws(topics: int, trials: int, seed: int) -> Resamples:
    return Resamples(topics, trials, seed)


def _smallest(most: int) -> type[np.unsignedinteger]:
    return np.uint8 if most < 256 else np.uint16 if most < 65536 else np.uint32


# -- medians and means of resampled topics -------------------------------------------------


def resampled_medians(values: Floats, drawn: Resamples) -> Floats:
    """trials × columns: the median of topics × columns over resampled topics."""
    n = len(values)
    order = np.argsort(values, axis=0, kind="stable")
    window = _window(n, n, 3)
    before = np.zeros(values.shape)
    np.put_along_axis(before, order[: window.start], 1.0, axis=0)
    found = []
    for column, places, below in zip(values.T, order.T, _counted(drawn.weights, before).T, strict=True):
        ordered = column[places]
        middle = _middle(ordered, drawn.counts[places[window]], window.start, below, n)
        found.append(_middle_of_all(ordered, drawn.counts[places], n) if middle is None else middle)
    return np.stack(found, axis=1)


def exchanged_medians(a: Floats, b: Floats, drawn: Resamples) -> Floats:
    """trials × columns: the difference of medians after exchanging the two systems on some topics."""
    n = len(a)
    both = np.concatenate([a, b])
    order = np.argsort(both, axis=0, kind="stable")
    window = _window(len(both), n, 6)
    before = np.zeros(both.shape)
    np.put_along_axis(before, order[: window.start], 1.0, axis=0)
    moved = _counted(drawn.exchanged, before[n:] - before[:n]) + before[:n].sum(axis=0)
    found = []
    for column, places, below in zip(both.T, order.T, moved.T, strict=True):
        ordered, mine = column[places], drawn.swaps[places[window]]
        second = _middle(ordered, 1 - mine, window.start, window.start - below, n)
        first = _middle(ordered, mine, window.start, below, n)
        if first is None or second is None:
            mine = drawn.swaps[places]
            second, first = (_middle_of_all(ordered, some, n) for some in (1 - mine, mine))
        found.append(first - second)
    return np.stack(found, axis=1)


def exchanged(first: Floats, second: Floats, average: Average, drawn: Resamples) -> Floats:
    """trials × columns: the difference of averages after exchanging the two systems on some topics."""
    if average.how == "median":
        return exchanged_medians(first, second, drawn)
    mean, eps = mean_of(average)
    a, b = mean.forward(first, eps), mean.forward(second, eps)
    moved = subset_totals(drawn.exchanged, b - a)
    n = len(first)
    return mean.inverse((exact_totals(a) + moved) / n, eps) - mean.inverse((exact_totals(b) - moved) / n, eps)


def mean_of(average: Average) -> tuple[Mean, float]:
    """The generalised mean and its ε."""
    mean = MEANS[average.how]
    return mean, (mean.eps or 0.0) if average.eps is None else average.eps


def _window(scores: int, n: int, roots: int) -> slice:
    """Places of a sorted list between which the median of every resample very probably lies: so many √n each way."""
    wide = roots * isqrt(n)
    return slice(scores // 2 - wide, scores // 2 + wide) if 4 * wide < scores else slice(0, scores)


def _counted(weights: Floats, marks: Floats) -> Floats:
    """trials × columns: weights of trials × topics, added up where topics × columns are marked; exact in any order."""
    rows = max(1, SMALL_PRODUCT // max(1, marks.size))
    parts = [weights[start : start + rows] @ marks for start in range(0, len(weights), rows)]
    return np.concatenate(parts) if marks.any() else np.zeros((len(weights), marks.shape[1]))


def _middle(ordered: Floats, counts: NDArray[np.unsignedinteger], start: int, below: Floats, n: int) -> Floats | None:
    """By trial, the median of `n` scores, of which some are each of the `ordered` ones; None if it lies elsewhere.

    `counts` is scores × trials, how many are each of those from place `start` on, and becomes how many are
    at most each; `below` is by trial how many are before.
    """
    counts[0] += below.astype(counts.dtype)
    for before, here in pairwise(counts):  # faster than accumulating along the first axis
        np.add(before, here, out=here)
    if below.max(initial=0) > (n - 1) // 2 or (counts[-1].min() <= n // 2 and start + len(counts) < len(ordered)):
        return None
    under = ((counts <= half).view(np.uint8) for half in ((n - 1) // 2, n // 2))
    low, high = (start + np.add.reduce(some, axis=0, dtype=np.intp) for some in under)
    return (ordered[low] + ordered[high]) / 2


def _middle_of_all(ordered: Floats, counts: NDArray[np.unsignedinteger], n: int) -> Floats:
    found = _middle(ordered, counts, 0, np.zeros(counts.shape[1]), n)
    assert found is not None
    return found


# -- p-values and intervals ----------------------------------------------------------------


class Resampled(NamedTuple):
    """By column: two-sided p, and the interval of the same procedure; NaN where it has none."""

    p: Floats
    low: Floats
    high: Floats


def p_values_of(extreme: NDArray[np.integer] | int, trials: int) -> Floats:
    """p = (1 + extreme) / (trials + 1): what was observed counts as one of the trials (Phipson & Smyth 2010)."""
    return (1 + np.asarray(extreme)) / (trials + 1)


def least_p(topics: int) -> float:
    """2/2ⁿ: the smallest p that exchanging two systems on n topics can give.

    >>> least_p(5), least_p(6)
    (0.0625, 0.03125)
    """
    return float(np.ldexp(2.0, -topics))


def never_below(found: Resampled, topics: int, alpha: float) -> Resampled:
    """The same with p of at least :func:`least_p`, and without an interval where that is not below `alpha`."""
    least = least_p(topics)
    p = np.maximum(found.p, least)
    if least < alpha:
        return found._replace(p=p)
    return Resampled(p, np.full_like(p, np.nan), np.full_like(p, np.nan))


def _enough(alpha: float, trials: int) -> int:
    """The fewest extreme trials with which p is not below `alpha`; 0 where it never is."""
    return int(np.searchsorted(p_values_of(np.arange(trials + 1), trials), alpha))


def _largest(trials: Floats, rank: int) -> Floats:
    """By column the `rank`-th largest of trials × columns; infinity for rank 0."""
    if rank == 0:
        return np.full(trials.shape[1], np.inf)
    place = len(trials) - rank
    return np.partition(trials, place, axis=0)[place]


def _agreeing(p: Floats, low: Floats, high: Floats, alpha: float) -> Resampled:
    """The interval of a test whose p counts equality but for rounding: it holds 0 where p ≥ `alpha`; no infinities."""
    low = np.where(p >= alpha, np.minimum(low, 0.0), low)
    high = np.where(p >= alpha, np.maximum(high, 0.0), high)
    known = np.isfinite(low) & np.isfinite(high)
    return Resampled(p, np.where(known, low, np.nan), np.where(known, high, np.nan))


def bootstrap_means(d: Differences, drawn: Resamples, alpha: float) -> Resampled:
    r"""Paired, studentised bootstrap of the mean difference: p of :func:`irviz.significance`, and its interval.

    |t*| ≥ |t| is, without roots and quotients, :math:`(\sum w^*)^2 \ge f \sum w^{*2}` with
    :math:`f = n t^2 / (n - 1 + t^2)`; equality but for rounding counts.  The interval is
    :math:`\bar d \pm q\, s / \sqrt n`, with q the largest \|t*\| that leaves p < alpha above it.
    """
    n = d.topics
    w = d.values - d.mean
    w = np.where(np.abs(w) <= d.noise, 0.0, w)
    constant = d.deviation == 0
    t2 = n * np.square(d.mean / np.where(constant, 1.0, d.deviation))
    least = np.where(constant, np.inf, np.square(2 * n * d.noise))  # an infinite t is reached by no sample
    sums, squares = np.square(subset_totals(drawn.weights, w)), subset_totals(drawn.weights, w * w)
    extreme = (sums > np.maximum(squares * (n * t2 / (n - 1 + t2) * (1 - 1e-9)), least)).sum(axis=0)
    p = p_values_of(np.where(d.mean == 0, drawn.trials, extreme), drawn.trials)
    ratio = np.where(squares > 0, sums / np.where(squares > 0, squares, 1.0), 0.0)
    f = _largest(ratio, _enough(alpha, drawn.trials))
    varies = f < n * (1 - 1e-9)  # else that resample has no variance, and an infinite t
    q = np.where(varies, np.sqrt((n - 1) * np.where(varies, f, 0.0) / np.where(varies, n - f, 1.0)), np.inf)
    half = np.where(np.isinf(q), np.inf, np.where(np.isinf(q), 0.0, q) * d.deviation / np.sqrt(n))
    return _agreeing(p, d.mean - half, d.mean + half, alpha)


def exchange_means(d: Differences, drawn: Resamples, alpha: float) -> Resampled:
    r"""Sign-flip randomisation test of the mean difference, and the interval of all shifts that it does not reject.

    Exchanging the systems on the topics F and not on U makes the mean of d − θ at least as
    extreme exactly if θ lies between the mean of d over F and that over U.  The limits are
    therefore order statistics of these two means.
    """
    n = d.topics
    away, many = subset_totals(drawn.exchanged, d.values), drawn.many_exchanged[:, None]
    whole = exact_totals(d.values)
    extreme = np.abs(whole - 2 * away) / n >= np.abs(d.mean) - d.noise
    p = p_values_of(extreme.sum(axis=0), drawn.trials)
    both = (many > 0) & (many < n)
    flipped = away / np.where(both, many, 1.0)
    kept = (whole - away) / np.where(both, n - many, 1.0)
    rank = _enough(alpha, drawn.trials)
    high = _largest(np.where(both, np.maximum(flipped, kept), np.inf), rank)
    low = -_largest(np.where(both, -np.minimum(flipped, kept), np.inf), rank)
    return _agreeing(p, low, high, alpha)


def bootstrap_medians(first: Floats, second: Floats, difference: Floats, resampled: Floats, alpha: float) -> Resampled:
    r"""Student's t of a difference of medians, with the standard error of the bootstrap.

    .. math:: t = \frac{\hat\theta}{se}, \qquad se^2 = \frac{n}{n - 1} \cdot \frac1B\sum_b (\theta^*_b - \bar\theta^*)^2

    with n − 1 degrees of freedom (Efron & Tibshirani 1993, sections 6.2 and 12.3).  A studentised
    bootstrap is not possible: medians of few topics take so few values that resamples vary by 0.
    """
    n, trials = len(first), len(resampled)
    mean = total(resampled, axis=0) / trials
    error = np.sqrt(total(np.square(resampled - mean), axis=0) / trials * n / (n - 1))
    varies = error > 1e-12 * (np.abs(first).max(axis=0) + np.abs(second).max(axis=0))
    t = np.where(varies, difference / np.where(varies, error, 1.0), np.where(difference == 0, 0.0, np.inf))
    half = np.where(varies, critical(n - 1, alpha) * error, 0.0)
    return _agreeing(two_sided(t, n - 1), difference - half, difference + half, alpha)


def exchange_medians(difference: Floats, slack: Floats, exchanged: Floats) -> Floats:
    """p of a difference of medians by randomisation."""
    return p_values_of((np.abs(exchanged) >= np.abs(difference) - slack).sum(axis=0), len(exchanged))


_STEPS, _HALVINGS = 16, 40  #: of a search for a limit
_FARTHEST = 60.0  #: in logarithms, where ε = 0 sets no end


def in_scores(d: Differences, means: Floats, average: Average, found: Resampled) -> Resampled:
    r"""Limits of the mean of transformed differences, made limits of the difference of averages in the scores' unit.

    With :math:`m_t = (g(a_t) + g(b_t))/2`, a mean δ of the differences stands for the averages
    :math:`g^{-1}(\bar m \pm \delta/2)`, where the inverse transform has slopes *u* and *v*.  The
    distance of the data from the difference of these averages, in standard errors of it, is

    .. math::

        t(\delta) = \frac{\frac{u+v}2 (\bar d - \delta)}{se\big(\frac{u+v}2\, d + (u - v)\, m\big)}

    which is the t of *d* at δ = 0.  A limit is at the first δ as far away as the limit of *d* is
    from the mean of *d*, and at most so far that one of the averages is that of zeros.

    Parameters
    ----------
    d : differences of transformed scores, topics × columns
    means : topics × columns; means of the two transformed scores
    """
    mean, eps = mean_of(average)
    n = d.topics
    centre_m = exact_totals(means, n)
    residuals, spread = d.values - d.mean, means - centre_m
    vd, vm, together = (total(a * b, axis=0) / (n * (n - 1)) for a, b in _products(residuals, spread))
    room = np.full_like(centre_m, _FARTHEST)
    if eps > 0:
        room = centre_m - mean.forward(np.zeros(1), eps)[0]
    if average.how == "harmonic":
        room = np.minimum(room, -centre_m)  # a transformed score is below 0
    widest = np.maximum(2 * room * (1 - 1e-9), np.abs(d.mean))

    def distance(delta: Floats) -> Floats:
        u, v = (mean.slope(centre_m + side * delta / 2) for side in (1, -1))
        both, apart = (u + v) / 2, u - v
        error = np.sqrt(np.maximum(both * both * vd + 2 * both * apart * together + apart * apart * vm, 0.0))
        return both * (d.mean - delta) / np.where(error > 0, error, 1e-300)

    error = np.sqrt(vd)
    known = np.isfinite(found.low)
    limits = []
    for side, end in ((-1, found.low), (1, found.high)):
        limit = np.where(known, end, d.mean)
        needed = np.abs(limit - d.mean) / np.where(error > 0, error, 1.0)
        past = side * d.mean < 0  # 0 lies on this side of what was observed
        inside = np.where(past & (side * limit >= 0), 0.0, d.mean)
        outside = np.where(past & (side * limit < 0), 0.0, side * widest)
        step, start = (outside - inside) / _STEPS, inside
        for k in range(_STEPS - 1, 0, -1):  # the first crossing: near the end of its range, t may turn back
            outside = np.where(np.abs(distance(start + k * step)) > needed, start + k * step, outside)
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            near = np.abs(distance(middle)) <= needed
            inside, outside = np.where(near, middle, inside), np.where(near, outside, middle)
        delta = np.where(error > 0, (inside + outside) / 2, d.mean)
        one, other = (mean.inverse(centre_m + turn * delta / 2, eps) for turn in (1, -1))
        limits.append(np.where(known, one - other, np.nan))
    return Resampled(found.p, limits[0], limits[1])


def _products(d: Floats, m: Floats) -> tuple[tuple[Floats, Floats], ...]:
    return (d, d), (m, m), (d, m)
