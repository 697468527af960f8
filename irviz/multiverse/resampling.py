r"""Bootstrap and randomisation of a world's own average, many columns at once, each with its interval.

Every test returns p.  The bootstrap, and the randomisation of means, also return an interval at 1 − alpha
that excludes 0 exactly if p < alpha.  The randomisation of other averages has none: what it does not reject
are shifts of transformed scores, and as differences of harmonic means these cover 83 to 95% of the truth
with up to 50 topics (`tests/unit/multiverse/test_resampling.py`); for medians every shift would be a test of
its own.

A generalised mean :math:`g^{-1}(\frac1n\sum_t g(x_t))` is larger for the first system exactly
if the mean of :math:`d_t = g(a_t) - g(b_t)` is above 0, so its tests are those of the mean of *d*,
which hold their level.  Limits of that mean become limits of the difference of averages, in the
unit of the scores, by :func:`in_scores`.  A median has no such *d*: its bootstrap is Student's t
with the bootstrap's standard error.

Few topics show little: all :math:`2^n` ways to exchange two equal systems are equally likely, and
two of them are as extreme as any.  No p is therefore below :math:`2/2^n` (:func:`least_p`); where that is
alpha or more there is no interval (NaN).

A median needs no sum over resampled or exchanged topics: in the sorted list of scores it lies where
the resampled counts pass the half.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irviz.multiverse.dimensions import Average
from irviz.portable import exact_totals, total
from irviz.stats.aggregate import MEANS, Mean
from irviz.stats.groups import shares_of_mean
from irviz.stats.medians import (
    Counts,
    SortedColumns,
    exchanged_medians,
    medians,
    ranked_lists,
    ranked_pairs,
)
from irviz.stats.paired import Differences, critical, least_p, two_sided
from irviz.stats.resampling import Resamples

Floats = NDArray[np.float64]


def mean_of(average: Average) -> tuple[Mean, float]:
    """The generalised mean and its ε."""
    mean = MEANS[average.how]
    return mean, (mean.eps or 0.0) if average.eps is None else average.eps


# -- all averages of all columns at once ---------------------------------------------------


class PairAverage(NamedTuple):
    """One average of the scores of two systems in columns."""

    average: Average
    values: Floats  #: topics × lists, the scores
    #: by column, the lists that are compared
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    d: Differences  #: differences of what the average is the mean of (of a median, of the scores)
    difference: Floats  #: by column, of the averages
    slack: Floats  #: by column, what rounding can leave of it
    #: by topic, the number of its group, which `d` is of; None where topics are drawn by themselves
    units: NDArray[np.intp] | None = None

    @property
    def is_median(self) -> bool:
        return self.average.how == "median"


def bootstrap(views: Sequence[PairAverage], resamples: Resamples, alpha: float) -> list[ResamplingTest]:
    """By view, the bootstrap of the difference of averages."""
    wanted: list[Any] = []
    for v in views:
        if v.is_median:
            wanted.append(partial(_resampled_medians, ranked_lists(v.values), v.units))
        else:
            wanted += [v.d.centred_values, np.square(v.d.centred_values)]
    resampled = iter(resamples.statistics_by_trial(resamples.topic_counts(), wanted))
    tests = []
    for v in views:
        if v.is_median:
            lists = next(resampled)
            test = bootstrap_medians(v, lists[:, v.first] - lists[:, v.second], alpha)
        else:
            test = bootstrap_means(v.d, next(resampled), next(resampled), alpha)
            test = test if v.average.how == "mean" else in_scores(v, test)
        tests.append(with_least_p(test, resamples.topics, alpha))
    return tests


def _resampled_medians(lists: SortedColumns, units: NDArray[np.intp] | None, counts: Counts) -> Floats:
    """trials × columns, of counts of topics or of groups of them."""
    if units is None:
        return medians(lists, counts, counts.shape[1])
    counts = counts[:, units]
    return medians(lists, counts, counts.sum(axis=1, dtype=np.intp))


def randomisation(views: Sequence[PairAverage], resamples: Resamples, alpha: float) -> list[ResamplingTest]:
    """By view, the test that exchanges the two systems on random topics."""
    wanted: list[Any] = [lambda moved: moved.sum(axis=1, dtype=np.float64)[:, None]]
    for v in views:
        if v.is_median:
            units = np.arange(resamples.topics) if v.units is None else v.units
            rows = np.broadcast_to(units[:, None], (len(units), len(v.first)))
            wanted.append(partial(exchanged_medians, ranked_pairs(v.values[:, v.first], v.values[:, v.second]), rows))
        else:
            wanted.append(v.d.values)
    many, *resampled = resamples.statistics_by_trial(resamples.exchange_masks(), wanted)
    tests = []
    for v, exchanged in zip(views, resampled, strict=True):
        if v.is_median:
            extreme = np.abs(exchanged) >= np.abs(v.difference) - v.slack
            test = only_p(p_values_of(extreme.sum(axis=0), resamples.trials))
        else:
            test = exchange_means(v.d, exchanged, many, alpha)
            test = test if v.average.how == "mean" else only_p(test.p)
        tests.append(with_least_p(test, resamples.topics, alpha))
    return tests


# -- p-values and intervals ----------------------------------------------------------------


class ResamplingTest(NamedTuple):
    """By column: two-sided p, and the interval of the same procedure; NaN where it has none."""

    p: Floats
    low: Floats
    high: Floats


def p_values_of(extreme: NDArray[np.integer] | int, trials: int) -> Floats:
    """p = (1 + extreme) / (trials + 1): what was observed counts as one of the trials (Phipson & Smyth 2010)."""
    return (1 + np.asarray(extreme)) / (trials + 1)


def with_least_p(test: ResamplingTest, topics: int, alpha: float) -> ResamplingTest:
    """The same with p of at least :func:`least_p`, and without an interval where that is not below `alpha`."""
    least = least_p(topics)
    p = np.maximum(test.p, least)
    return test._replace(p=p) if least < alpha else only_p(p)


def only_p(p: Floats) -> ResamplingTest:
    """The result of a test without an interval."""
    return ResamplingTest(p, np.full_like(p, np.nan), np.full_like(p, np.nan))


def _enough(alpha: float, trials: int) -> int:
    """The fewest extreme trials with which p is not below `alpha`; 0 where it never is."""
    return int(np.searchsorted(p_values_of(np.arange(trials + 1), trials), alpha))


def _largest(trials: Floats, rank: int) -> Floats:
    """By column the `rank`-th largest of trials × columns; infinity for rank 0."""
    if rank == 0:
        return np.full(trials.shape[1], np.inf)
    place = len(trials) - rank
    return np.partition(trials, place, axis=0)[place]


def _agreeing_interval(p: Floats, low: Floats, high: Floats, alpha: float) -> ResamplingTest:
    """The interval of a test whose p counts equality but for rounding: it holds 0 where p ≥ `alpha`; no infinities."""
    low = np.where(p >= alpha, np.minimum(low, 0.0), low)
    high = np.where(p >= alpha, np.maximum(high, 0.0), high)
    known = np.isfinite(low) & np.isfinite(high)
    return ResamplingTest(p, np.where(known, low, np.nan), np.where(known, high, np.nan))


def bootstrap_means(d: Differences, sums: Floats, squares: Floats, alpha: float) -> ResamplingTest:
    r"""Paired, studentised bootstrap of the mean difference: p of :func:`irviz.significance`, and its interval.

    |t*| ≥ |t| is, without roots and quotients, :math:`(\sum w^*)^2 \ge f \sum w^{*2}` with
    :math:`f = n t^2 / (n - 1 + t^2)`; equality but for rounding counts.  The interval is
    :math:`\bar d \pm q\, s / \sqrt n`, with q the largest \|t*\| that leaves p < alpha above it.

    Parameters
    ----------
    sums, squares : trials × columns, the sums of w and of its squares over resampled topics
    """
    n, trials = d.topics, len(sums)
    constant = d.deviation == 0
    t2 = n * np.square(d.mean / np.where(constant, 1.0, d.deviation))
    least = np.where(constant, np.inf, np.square(2 * n * d.noise))  # an infinite t is reached by no sample
    sums = np.square(sums)
    extreme = (sums > np.maximum(squares * (n * t2 / (n - 1 + t2) * (1 - 1e-9)), least)).sum(axis=0)
    p = p_values_of(np.where(d.mean == 0, trials, extreme), trials)
    ratio = np.where(squares > 0, sums / np.where(squares > 0, squares, 1.0), 0.0)
    f = _largest(ratio, _enough(alpha, trials))
    varies = f < n * (1 - 1e-9)  # else that resample has no variance, and an infinite t
    q = np.where(varies, np.sqrt((n - 1) * np.where(varies, f, 0.0) / np.where(varies, n - f, 1.0)), np.inf)
    half = np.where(np.isinf(q), np.inf, np.where(np.isinf(q), 0.0, q) * d.deviation / np.sqrt(n))
    return _agreeing_interval(p, d.mean - half, d.mean + half, alpha)


def exchange_means(d: Differences, away: Floats, many: Floats, alpha: float) -> ResamplingTest:
    r"""Sign-flip randomisation test of the mean difference, and the interval of all shifts that it does not reject.

    Exchanging the systems on the topics F and not on U makes the mean of d − θ at least as
    extreme exactly if θ lies between the mean of d over F and that over U.  The limits are
    therefore order statistics of these two means.

    Parameters
    ----------
    away : trials × columns, the sums of d over the exchanged topics
    many : trials × 1, how many topics are exchanged
    """
    n, trials = d.topics, len(away)
    sums = exact_totals(d.values)
    extreme = np.abs(sums - 2 * away) / n >= np.abs(d.mean) - d.noise
    p = p_values_of(extreme.sum(axis=0), trials)
    both = (many > 0) & (many < n)
    flipped = away / np.where(both, many, 1.0)
    unmoved = (sums - away) / np.where(both, n - many, 1.0)
    rank = _enough(alpha, trials)
    high = _largest(np.where(both, np.maximum(flipped, unmoved), np.inf), rank)
    low = -_largest(np.where(both, -np.minimum(flipped, unmoved), np.inf), rank)
    return _agreeing_interval(p, low, high, alpha)


def bootstrap_medians(v: PairAverage, resampled_differences: Floats, alpha: float) -> ResamplingTest:
    r"""Student's t of a difference of medians, with the standard error of the bootstrap.

    .. math:: t = \frac{\hat\theta}{se}, \qquad se^2 = \frac{n}{n - 1} \cdot \frac1B\sum_b (\theta^*_b - \bar\theta^*)^2

    with n − 1 degrees of freedom (Efron & Tibshirani 1993, sections 6.2 and 12.3).  A studentised
    bootstrap is not possible: medians of few topics take so few values that resamples vary by 0.
    """
    n, trials, difference = v.d.topics, len(resampled_differences), v.difference
    mean = total(resampled_differences, axis=0) / trials
    error = np.sqrt(total(np.square(resampled_differences - mean), axis=0) / trials * n / (n - 1))
    largest = np.abs(v.values).max(axis=0)
    varies = error > 1e-12 * (largest[v.first] + largest[v.second])
    t = np.where(varies, difference / np.where(varies, error, 1.0), np.where(difference == 0, 0.0, np.inf))
    half = np.where(varies, critical(n - 1, alpha) * error, 0.0)
    return _agreeing_interval(two_sided(t, n - 1), difference - half, difference + half, alpha)


_STEPS, _HALVINGS = 16, 40  #: of a search for a limit
_FARTHEST = 60.0  #: in logarithms, where ε = 0 sets no end


def in_scores(v: PairAverage, test: ResamplingTest) -> ResamplingTest:
    r"""Limits of the mean of transformed differences, made limits of the difference of averages in the scores' unit.

    With :math:`m_t = (g(a_t) + g(b_t))/2`, a mean δ of the differences stands for the averages
    :math:`g^{-1}(\bar m \pm \delta/2)`, where the inverse transform has slopes *u* and *v*.  The
    distance of the data from the difference of these averages, in standard errors of it, is

    .. math::

        t(\delta) = \frac{\frac{u+v}2 (\bar d - \delta)}{se\big(\frac{u+v}2\, d + (u - v)\, m\big)}

    which is the t of *d* at δ = 0.  A limit is at the first δ as far away as the limit of *d* is
    from the mean of *d*, and at most so far that one of the averages is that of zeros, or the largest score of
    the two systems.
    """
    d, (mean, eps) = v.d, mean_of(v.average)
    means = (mean.forward(v.values[:, v.first], eps) + mean.forward(v.values[:, v.second], eps)) / 2
    n = d.topics
    centre_m = exact_totals(means, len(means))
    residuals, spread = d.values - d.mean, shares_of_mean(means - centre_m, v.units)
    products = (residuals * residuals, spread * spread, residuals * spread)
    vd, vm, together = (total(product, axis=0) / (n * (n - 1)) for product in products)
    largest = v.values.max(axis=0)
    room = mean.forward(np.maximum(largest[v.first], largest[v.second]), eps) - centre_m
    room = np.minimum(room, centre_m - mean.forward(np.zeros(1), eps)[0] if eps > 0 else _FARTHEST)
    widest = np.maximum(2 * room * (1 - 1e-9), np.abs(d.mean))

    def distance(delta: Floats) -> Floats:
        with np.errstate(all="ignore"):  # slopes have no bound near the ends of the scale: that is far away
            up, down = (mean.slope(centre_m + side * delta / 2) for side in (1, -1))
            both, apart = (up + down) / 2, up - down
            error = np.sqrt(np.maximum(both * both * vd + 2 * both * apart * together + apart * apart * vm, 0.0))
            away = np.abs(both * (d.mean - delta)) / np.where(error > 0, error, 1e-300)
        return np.where(np.isnan(away), np.inf, away)

    error = np.sqrt(vd)
    known = np.isfinite(test.low)
    limits = []
    for side, end in ((-1, test.low), (1, test.high)):
        limit = np.where(known, end, d.mean)
        needed = np.abs(limit - d.mean) / np.where(error > 0, error, 1.0)
        past = side * d.mean < 0  # 0 lies on this side of what was observed
        inside = np.where(past & (side * limit >= 0), 0.0, d.mean)
        outside = np.where(past & (side * limit < 0), 0.0, side * widest)
        step, start = (outside - inside) / _STEPS, inside
        for k in range(_STEPS - 1, 0, -1):  # the first crossing: near the end of its range, t may turn back
            outside = np.where(distance(start + k * step) > needed, start + k * step, outside)
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            near = distance(middle) <= needed
            inside, outside = np.where(near, middle, inside), np.where(near, outside, middle)
        delta = np.where(error > 0, (inside + outside) / 2, d.mean)
        above, below = (mean.inverse(centre_m + turn * delta / 2, eps) for turn in (1, -1))
        limits.append(np.where(known, above - below, np.nan))
    return ResamplingTest(test.p, limits[0], limits[1])
