"""Bootstrap and randomisation hold their level with few topics, and their intervals are those of the same test."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, stats

from irviz.multiverse.compare import Estimates, PairScores, Procedure, compare_pairs
from irviz.multiverse.dimensions import Average
from irviz.multiverse.resampling import (
    PairAverage,
    ResamplingTest,
    bootstrap_means,
    exchange_means,
    in_scores,
)
from irviz.stats import resampling
from irviz.stats.aggregate import MEANS, aggregate
from irviz.stats.medians import exchanged_medians, medians, ranked_lists, ranked_pairs
from irviz.stats.paired import Differences
from irviz.stats.resampling import Resamples, draws, resampling_weights

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
) -> Estimates:
    group = PairScores({False: scores}, np.array([0]), np.array([1]), np.array([0, 1]))
    asked = Procedure(tuple(map(Average, averages)), tests, alpha, TRIALS, 0)
    return compare_pairs(group, asked)


def means(method: object, d: Differences) -> ResamplingTest:
    """The bootstrap or the randomisation of means."""
    drawn = draws(d.topics, TRIALS, 0)
    if method is bootstrap_means:
        return bootstrap_means(
            d, *drawn.statistics_by_trial(drawn.topic_counts(), [d.centred_values, np.square(d.centred_values)]), ALPHA
        )
    many = np.concatenate(list(drawn.exchange_masks())).sum(axis=1)[:, None]
    return exchange_means(d, *drawn.statistics_by_trial(drawn.exchange_masks(), [d.values]), many, ALPHA)


@pytest.mark.parametrize("kind", ["smooth", "tenths"])
@pytest.mark.parametrize("topics", [2, 5, 6, 15, 50])
def test_two_equal_systems_are_told_apart_no_more_often_than_alpha(topics, kind):
    """400 pairs of equal systems: within three standard errors of α, where once up to half were significant."""
    p = compared(pairs(topics, kind), ("mean", *OTHER_AVERAGES), (*TESTS, "t")).p[..., 0]
    assert ((p < ALPHA).mean(axis=2) <= ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / PAIRS)).all()
    assert (p[:, :2] >= 2 / 2**topics).all()


def test_equal_differences_of_two_topics_show_nothing():
    """Once p was 0 by t and 1/(B + 1) by the bootstrap, which a tenth of the pairs of tenths would have."""
    scores = np.array([[[0.3, 0.2], [0.5, 0.4]]])
    found = compared(scores, ("mean",), ("t", "bootstrap", "randomisation"))
    assert (found.p >= 0.5).all() and np.isnan(found.low).all()


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
    assert np.isnan(found.low[1:, 1]).all(), "the randomisation of other averages than means has no interval"
    significant[1:, 1] = False
    assert np.array_equal(excluded, significant)
    assert excluded.any() == np.isfinite(found.low).any() == np.isfinite(found.high).any() == (topics > 5)


def test_why_the_randomisation_of_harmonic_means_has_no_interval():
    """Limits of the transformed mean made limits of the harmonic mean, as the bootstrap's are, cover too rarely."""
    truth = aggregate(pairs(1, "smooth", 0.8, many=400_000)[:, 0], "harmonic")
    lists = np.concatenate(np.moveaxis(pairs(8, "smooth", 0.8), 2, 0)).T
    first, second, covered = np.arange(PAIRS), np.arange(PAIRS, 2 * PAIRS), []
    d = Differences.from_scores(*(-1 / (lists[:, some] + 0.01) for some in (first, second)))
    for method in (bootstrap_means, exchange_means):
        view = PairAverage(Average("harmonic"), lists, first, second, d, d.mean, d.noise)
        found = in_scores(view, means(method, d))
        covered.append(((found.low <= truth[0] - truth[1]) & (truth[0] - truth[1] <= found.high)).mean())
    enough = 0.95 - 3 * np.sqrt(0.05 * 0.95 / PAIRS)
    assert covered[0] >= enough > covered[1] + 0.02


@pytest.mark.parametrize("method", [bootstrap_means, exchange_means])
def test_the_limits_are_the_shifts_at_which_the_test_of_a_mean_turns(method):
    a, b = np.moveaxis(pairs(9, "smooth", 0.5, many=60), 2, 0)
    found = means(method, Differences.from_scores(a.T, b.T))
    known = np.isfinite(found.low)
    assert known.sum() > 50
    for limit, inwards in ((found.low, 1e-6), (found.high, -1e-6)):
        inside, outside = (
            means(method, Differences.from_scores(a.T[:, known] - (limit + step)[known], b.T[:, known])).p
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
        room = min(centre - float(mean.forward(0.0, eps)), float(mean.forward(pair.max(), eps)) - centre)

        def averages(delta: float) -> Floats:
            return mean.inverse(np.array([centre + delta / 2, centre - delta / 2]), eps)

        delta = optimize.brentq(lambda x: float(np.subtract(*averages(x))) - theta, -2 * room, 2 * room, xtol=1e-13)
        slopes = (averages(delta) + eps) ** (1 if how == "geometric" else 2)
        away = slopes * (g - [centre + delta / 2, centre - delta / 2]) * [1, -1]
        return float(slopes.mean() * ((g[:, 0] - g[:, 1]).mean() - delta) / stats.sem(away.sum(axis=1)))

    for pair, *limits in zip(scores, low, high, strict=True):
        a, b = mean.forward(pair, eps).T
        limits_of_d = means(bootstrap_means, Differences.from_scores(a[:, None], b[:, None]))[1:]
        observed = float(np.subtract(*aggregate(pair, how)))
        for limit, of_d in zip(limits, limits_of_d, strict=True):
            needed = ((a - b).mean() - of_d[0]) / stats.sem(a - b)
            between = [abs(distance(pair, theta)) for theta in np.linspace(observed, limit, 20)[:-1]]
            assert max(between) <= abs(needed) * (1 + 1e-9)
            reached = distance(pair, limit)
            checked += abs(reached - needed) < 1e-6 * abs(needed)
            assert abs(reached) <= abs(needed) * (1 + 1e-6)  # less where an average would be below that of zeros
    assert checked > 20


@pytest.mark.parametrize("unit", [1.0, 1e100])
@pytest.mark.parametrize("how", ["geometric", "harmonic", "geometric_threshold"])
def test_limits_are_no_larger_than_scores(how, unit):
    """With many scores of 0, limits of harmonic means were once −1.9e8; of huge scores, slopes have no bound."""
    scores = pairs(30, "smooth", 0.3, many=60)
    scores[scores < 0.15] = 0
    scores *= unit
    low, high = (x[0, 0, :, 0] for x in compared(scores, (how,), ("bootstrap",))[2:4])
    assert np.isfinite(low).any() and not (np.fmax(np.abs(low), np.abs(high)) > scores.max(axis=(1, 2))).any()


@pytest.mark.parametrize("kind", ["drawn", "far"])
@pytest.mark.parametrize("topics", [2, 7, 50, 201, 600])
def test_medians_of_resamples_are_those_of_the_lists_written_out(topics: int, kind: str):
    rng = np.random.Generator(np.random.PCG64(topics))
    values = np.round(rng.random((topics, 3)), 3)
    ((weights,), (swapped,)) = (
        list(some) for some in (draws(topics, 40, 1).topic_counts(), draws(topics, 40, 1).exchange_masks())
    )
    weights, swapped = weights.astype(np.uint16), swapped.copy()
    if kind == "far":  # medians far from that of all topics
        order = np.argsort(values[:, 0], kind="stable")
        weights[:2], weights[0, order[0]], weights[1, order[-1]] = 0, topics, topics
        swapped[0] = values[:, 0] > values[:, 1]
    written = np.stack([np.median(np.repeat(values, many, axis=0), axis=0) for many in weights])
    np.testing.assert_array_equal(medians(ranked_lists(values), weights, topics), written)
    a, b = values[:, :1], values[:, 1:2]
    turned = [np.median(np.where(s, b, a)) - np.median(np.where(s, a, b)) for s in swapped[:, :, None] > 0]
    own = np.arange(topics)[:, None]
    np.testing.assert_array_equal(exchanged_medians(ranked_pairs(a, b), own, swapped)[:, 0], turned)
    here = np.argsort(rng.random(topics))[: topics - topics // 3, None]  # topics of their own, among those that move
    some = [np.median(np.where(s, b, a)[here[:, 0]]) - np.median(np.where(s, a, b)[here[:, 0]])
            for s in swapped[:, :, None] > 0]  # fmt: skip
    found = exchanged_medians(ranked_pairs(a[here[:, 0]], b[here[:, 0]]), here, swapped)
    np.testing.assert_array_equal(found[:, 0], some)


def test_what_is_drawn_some_trials_at_a_time_is_what_is_drawn_at_once(monkeypatch):
    """So many topics that nothing is kept: the same draws, sums with fewer bits, the same p."""
    topics, trials = 1101, 501
    whole = np.concatenate(list(draws(topics, trials, 3).topic_counts()))
    moved = np.concatenate(list(draws(topics, trials, 3).exchange_masks()))
    assert np.array_equal(whole, resampling_weights(topics, trials, 3))
    scores = np.random.default_rng(1).random((4, topics, 2))
    at_once = compared(scores, ("mean", *OTHER_AVERAGES))
    for name, cells in (("_CACHED_CELLS", 0), ("_CELLS", 5 * topics)):
        monkeypatch.setattr(resampling, name, cells)
    again = Resamples(topics, trials, 3)
    assert len(list(again.topic_counts())) > 3 and np.array_equal(np.concatenate(list(again.topic_counts())), whole)
    assert len(list(again.exchange_masks())) > 3 and np.array_equal(np.concatenate(list(again.exchange_masks())), moved)
    in_parts = compared(scores, ("mean", *OTHER_AVERAGES))
    for one, other in zip(at_once, in_parts, strict=True):
        assert one.tobytes() == other.tobytes()
    monkeypatch.setattr(resampling, "_FINE", 10**6)
    finer = compared(scores, ("mean", *OTHER_AVERAGES))
    assert np.array_equal(finer.p, at_once.p)
    np.testing.assert_allclose(finer.low, at_once.low, rtol=1e-8)
