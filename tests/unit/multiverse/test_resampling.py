"""Bootstrap and randomisation hold their level with few topics, and their intervals are those of the same test."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, stats

from irviz.multiverse.compare import Comparison, PairScores, Procedure, compare_pairs
from irviz.multiverse.dimensions import Average
from irviz.multiverse.resampling import (
    Resamples,
    bootstrap_means,
    draws,
    exchange_means,
    exchanged_medians,
    resampled_medians,
)
from irviz.multiverse.tests import Differences
from irviz.stats.aggregate import MEANS, aggregate

TRIALS, ALPHA, PAIRS = 399, 0.05, 400
TESTS = ("bootstrap", "randomisation")
OTHER_AVERAGES = ("median", "geometric", "harmonic", "geometric_threshold")
Floats = NDArray[np.float64]


def pairs(topics: int, kind: str, shift: float = 0.0, many: int = PAIRS) -> Floats:
    """pairs × topics × 2: scores of two systems that differ by noise, and by `shift` on the logistic scale."""
    rng = np.random.Generator(np.random.PCG64(topics))
    hardness = rng.normal(-1, 1.2, size=(many, topics, 1))
    scores = 1 / (1 + np.exp(-hardness - rng.normal(0, 0.7, size=(many, topics, 2)) - np.array([shift, 0.0])))
    return np.round(scores, 1) if kind == "tenths" else scores


def compared(
    scores: Floats, averages: tuple[str, ...], tests: tuple[str, ...] = TESTS, alpha: float = ALPHA
) -> Comparison:
    group = PairScores(scores, scores, np.array([0]), np.array([1]), np.array([0, 1]))
    asked = Procedure(tuple(map(Average, averages)), tests, alpha, TRIALS, 0)
    return compare_pairs(group, asked, draws(scores.shape[1], TRIALS, 0))


@pytest.mark.parametrize("kind", ["smooth", "tenths"])
@pytest.mark.parametrize("topics", [2, 3, 5, 6, 8, 15])
def test_two_equal_systems_are_told_apart_no_more_often_than_alpha(topics, kind):
    """400 pairs of equal systems: within three standard errors of α, where once up to half were significant."""
    p = compared(pairs(topics, kind), OTHER_AVERAGES).p[..., 0]
    assert ((p < ALPHA).mean(axis=2) <= ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / PAIRS)).all()
    assert (p >= 2 / 2**topics).all()


@pytest.mark.parametrize(("topics", "shift"), [(6, 0.0), (8, 0.8), (15, 0.8)])
def test_intervals_cover_the_difference_as_often_as_they_say(topics, shift):
    """Nominal 95 %, within three standard errors; percentiles of the harmonic mean covered 83 % on 6 topics."""
    truth = pairs(1, "smooth", shift, many=400_000)[:, 0]
    found = compared(pairs(topics, "smooth", shift), OTHER_AVERAGES, ("bootstrap",))
    for how, low, high in zip(OTHER_AVERAGES, found.low[..., 0], found.high[..., 0], strict=True):
        averages = aggregate(truth, how)
        difference = averages[0] - averages[1] if shift else 0.0
        covered = np.isnan(low) | ((low <= difference) & (difference <= high))
        assert (covered.mean(axis=1) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / PAIRS)).all(), how


@pytest.mark.parametrize("topics", [2, 5, 6, 20])
def test_an_interval_excludes_0_exactly_if_p_is_below_alpha(topics):
    found = compared(pairs(topics, "tenths", 0.8), ("mean", *OTHER_AVERAGES))
    excluded = ((found.low > 0) | (found.high < 0))[..., 0]
    significant = found.p[..., 0] < ALPHA
    significant[1, 1], excluded[1, 1] = False, False  # the randomisation of medians has no interval of its own
    assert np.array_equal(excluded, significant)
    assert excluded[0].any() and excluded[1:].any() == (topics > 5)


def test_too_few_topics_have_no_interval_of_other_averages():
    few, more = (compared(pairs(n, "smooth", 3.0), OTHER_AVERAGES) for n in (5, 6))
    assert np.isnan(few.low).all() and np.isnan(few.high).all() and (few.p >= 2 / 2**5).all()
    assert np.isfinite(more.low).any()


@pytest.mark.parametrize("method", [bootstrap_means, exchange_means])
def test_the_limits_are_the_shifts_at_which_the_test_of_a_mean_turns(method):
    a, b = np.moveaxis(pairs(9, "smooth", 0.5, many=60), 2, 0)
    drawn = draws(9, TRIALS, 0)
    found = method(Differences.of(a.T, b.T), drawn, ALPHA)
    known = np.isfinite(found.low)
    assert known.sum() > 50
    for limit, inwards in ((found.low, 1e-6), (found.high, -1e-6)):
        inside, outside = (
            method(Differences.of(a.T[:, known] - (limit + step)[known], b.T[:, known]), drawn, ALPHA).p
            for step in (inwards, -inwards)
        )
        assert (inside >= ALPHA).all() and (outside < ALPHA).all()


@pytest.mark.parametrize("how", ["geometric", "harmonic"])
def test_limits_in_score_units_are_as_far_away_as_those_of_the_transformed_differences(how):
    scores = pairs(40, "smooth", 0.5, many=20)
    low, high = (x[0, 0, :, 0] for x in compared(scores, (how,), ("bootstrap",))[2:4])
    mean, eps, checked = MEANS[how], 0.01, 0

    def distance(pair: Floats, theta: float) -> float:
        g = mean.forward(pair, eps)
        centre = g.mean()
        room = min(centre - float(mean.forward(0.0, eps)), -centre if how == "harmonic" else np.inf)

        def averages(delta: float) -> Floats:
            return mean.inverse(np.array([centre + delta / 2, centre - delta / 2]), eps)

        delta = optimize.brentq(lambda x: float(np.subtract(*averages(x))) - theta, -2 * room, 2 * room, xtol=1e-13)
        slopes = (averages(delta) + eps) ** (1 if how == "geometric" else 2)
        away = slopes * (g - [centre + delta / 2, centre - delta / 2]) * [1, -1]
        return float(slopes.mean() * ((g[:, 0] - g[:, 1]).mean() - delta) / stats.sem(away.sum(axis=1)))

    for pair, *limits in zip(scores, low, high, strict=True):
        a, b = mean.forward(pair, eps).T
        limits_of_d = bootstrap_means(Differences.of(a[:, None], b[:, None]), draws(40, TRIALS, 0), ALPHA)[1:]
        observed = float(np.subtract(*aggregate(pair, how)))
        for limit, of_d in zip(limits, limits_of_d, strict=True):
            needed = ((a - b).mean() - of_d[0]) / stats.sem(a - b)
            between = [abs(distance(pair, theta)) for theta in np.linspace(observed, limit, 20)[:-1]]
            assert max(between) <= abs(needed) * (1 + 1e-9)
            reached = distance(pair, limit)
            checked += abs(reached - needed) < 1e-6 * abs(needed)
            assert abs(reached) <= abs(needed) * (1 + 1e-6)  # less where an average would be below that of zeros
    assert checked > 20


@pytest.mark.parametrize("kind", ["drawn", "far"])
@pytest.mark.parametrize("topics", [2, 7, 50, 600, 601])
def test_medians_of_resamples_are_those_of_the_lists_written_out(topics: int, kind: str):
    rng = np.random.Generator(np.random.PCG64(topics))
    values = np.round(rng.random((topics, 3)), 3)
    drawn = draws(topics, 40, 1)
    weights, swapped = drawn.weights.copy(), drawn.exchanged.copy()
    if kind == "far":  # medians far from that of all topics
        order = np.argsort(values[:, 0], kind="stable")
        weights[:2], weights[0, order[0]], weights[1, order[-1]] = 0, topics, topics
        swapped[0] = values[:, 0] > values[:, 1]
    drawn = Resamples(topics, 40, 1)
    vars(drawn).update(weights=weights, exchanged=swapped)
    written = np.stack([np.median(np.repeat(values, many.astype(int), axis=0), axis=0) for many in weights])
    np.testing.assert_array_equal(resampled_medians(values, drawn), written)
    a, b = values[:, :1], values[:, 1:2]
    turned = [np.median(np.where(s, b, a)) - np.median(np.where(s, a, b)) for s in swapped[:, :, None] > 0]
    np.testing.assert_array_equal(exchanged_medians(a, b, drawn)[:, 0], turned)
