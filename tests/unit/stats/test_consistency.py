"""Consistency over split topic sets: Algorithm 1 step by step, the splits' sizes, what is undefined."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from irviz.stats.aggregate import summarise
from irviz.stats.consistency import (
    consistency,
    defined_mean,
    epsilon_sweep,
    hard_half,
    middle_half,
    separate_measures,
)
from irviz.stats.resampling import random_halves
from irviz.stats.topic_effects import hardness, standardised_scores
from tests.refusals import refused
from tests.unit.stats.test_similarity import cube

RNG = np.random.default_rng(8)


QUALITY = np.linspace(0, 1, 14)
CUBE = cube(RNG.random((3, 11, 14)) + np.array([0.3, 1, 3])[:, None, None] * QUALITY)


@pytest.mark.parametrize(("summary", "eps"), [("mean", None), ("median", None), ("geometric", 0.1), ("harmonic", None)])
@pytest.mark.parametrize("coefficient", ["tau", "pearson", "spearman"])
def test_algorithm_1_step_by_step(summary, eps, coefficient):
    r = consistency(CUBE, trials=5, summary=summary, eps=eps, coefficient=coefficient, seed=3)
    statistic = {"tau": stats.kendalltau, "pearson": stats.pearsonr, "spearman": stats.spearmanr}[coefficient]
    for b, members in enumerate(random_halves(11, 5, 3)):
        for m, measure in enumerate(CUBE.measures):
            halves = [summarise(CUBE[measure][half], summary, eps=eps) for half in (members, ~members)]
            assert r.trials[m, b] == pytest.approx(statistic(*halves).statistic)
    np.testing.assert_allclose(r.mean, r.trials.mean(axis=1))


def test_better_signal_is_more_consistent_and_beats_the_others():
    r = consistency(CUBE, trials=200)
    assert r.mean[0] < r.mean[1] < r.mean[2]
    assert r.beats().tolist() == [0, 1, 2]
    assert r.won().tolist() == [[0, -1, -1], [1, 0, -1], [1, 1, 0]]
    assert not r.won(alpha=0).any()
    assert r.frame().measure.tolist() == ["M2", "M1", "M0"]
    assert r.defined.tolist() == [200] * 3


def test_random_halves_take_every_topic_equally_often():
    halves = random_halves(11, 4000, 0)
    assert (halves.sum(axis=1) == 5).all()
    np.testing.assert_allclose(halves.mean(axis=0), 5 / 11, atol=0.03)


@pytest.mark.parametrize(
    ("topics", "middle", "hardest", "easiest"), [(50, 25, 12, 13), (11, 5, 2, 4), (4, 2, 1, 1), (3, 1, 0, 2)]
)
def test_middle_and_rest_have_the_sizes_of_the_paper(topics, middle, hardest, easiest):
    values = RNG.random((topics, 9))
    order = np.argsort(-hardness(pd.DataFrame(values)).to_numpy())
    chosen = middle_half(values)[0]
    assert chosen.sum() == middle
    assert not chosen[order[:hardest]].any()
    assert chosen[order[hardest : hardest + middle]].all()
    assert (~chosen[order[hardest + middle :]]).sum() == easiest


def test_hard_and_easy_topics_by_surprise():
    values = RNG.random((7, 9))
    d = hardness(pd.DataFrame(values)).to_numpy()
    chosen = hard_half(values)[0]
    assert chosen.sum() == 3
    assert d[chosen].min() > d[~chosen].max()


@pytest.mark.parametrize("split", ["hard_easy", "middle_rest"])
def test_split_by_hardness_is_one_trial_of_each_measures_own(split):
    r = consistency(CUBE, split=split)
    assert r.trials.shape == (3, 1)
    assert (r.p_values == 1).all()
    half = {"hard_easy": hard_half, "middle_rest": middle_half}[split]
    for m, measure in enumerate(CUBE.measures):
        members = half(CUBE.values[m])[0]
        means = [CUBE[measure][part].mean() for part in (members, ~members)]
        assert r.trials[m, 0] == pytest.approx(stats.kendalltau(*means).statistic)


def test_total_orders_use_exact_sums():
    tiny = RNG.integers(0, 5, (8, 6)).astype(object)
    exact = tiny + 2**300  # as doubles all scores are equal
    doubles = np.ones((8, 6))
    blind = consistency(cube([doubles]), trials=4)
    sees = consistency(cube([doubles], {"M0": exact}), trials=4)
    plain = consistency(cube([tiny.astype(float)]), trials=4)
    assert blind.defined.tolist() == [0] and np.isnan(blind.mean).all() and np.isnan(blind.p_values).all()
    np.testing.assert_array_equal(sees.trials, plain.trials)


def test_undefined_trials_are_left_out():
    values = RNG.random((2, 4, 6))
    values[0, :2] = 0.5  # the half {T0, T1} ties all systems
    r = consistency(cube(values), trials=60, seed=1)
    members = random_halves(4, 60, 1)
    flat = members[:, :2].all(axis=1) | (~members)[:, :2].all(axis=1)
    assert flat.any()
    np.testing.assert_array_equal(np.isnan(r.trials[0]), flat)
    assert r.defined.tolist() == [60 - flat.sum(), 60]
    assert r.mean[0] == pytest.approx(r.trials[0][~flat].mean())
    assert np.isfinite(r.p_values).all()


def test_a_measure_defined_nowhere_is_not_compared():
    trials = np.array([RNG.random(50), RNG.random(50) + 1, np.full(50, np.nan)])
    p = separate_measures(trials, 0)
    assert p[0, 1] == 1 / 2001
    assert np.isnan(p[2]).all() and np.isnan(p[:, 2]).all()
    mean, count = defined_mean(trials)
    assert count.tolist() == [50, 50, 0]
    assert np.isnan(mean[2])


def test_epsilon_sweep_reuses_the_splits_and_reaches_the_arithmetic_mean():
    sweep = epsilon_sweep(CUBE, [0.001, 0.1, 1e9], trials=40, seed=2)
    single = consistency(CUBE, trials=40, summary="geometric", eps=0.1, seed=2)
    np.testing.assert_array_equal(sweep.mean[:, 1], single.mean)
    np.testing.assert_array_equal(sweep.reference, consistency(CUBE, trials=40, seed=2).mean)
    np.testing.assert_allclose(sweep.mean[:, 2], sweep.reference, atol=0.02)


def test_standardised_scores_are_insensitive_to_topic_scale():
    scaled = cube(CUBE.values * RNG.random((1, 11, 1)))
    a, b = (consistency(standardised_scores(s), trials=30).mean for s in (CUBE, scaled))
    np.testing.assert_allclose(a, b, atol=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: consistency(CUBE, trials=0),
        lambda: consistency(CUBE.select(topics=["T0"])),
        lambda: consistency(CUBE.select(topics=["T0", "T1"]), split="middle_rest"),
        lambda: consistency(CUBE.select(systems=["S0"])),
        lambda: epsilon_sweep(CUBE, []),
        lambda: epsilon_sweep(CUBE, [0.1], "mean"),
    ],
)
def test_refusals(call):
    refused(call)


@pytest.mark.parametrize(("topics", "splits"), [(2, 1), (3, 3), (4, 3), (6, 10)])
def test_few_topics_have_few_splits_and_the_test_counts_each_once(topics, splits):
    """Two unlike measures on one split are not separated, however often it is drawn."""
    r = consistency(cube(np.random.default_rng(3).random((2, topics, 12))), trials=400, seed=1)
    assert r.splits == splits
    members = random_halves(topics, 400, 1)
    halves = [frozenset([tuple(np.flatnonzero(one)), tuple(np.flatnonzero(~one))]) for one in members]
    kept = [i for i, one in enumerate(halves) if one not in halves[:i]]
    np.testing.assert_array_equal(r.p_values, separate_measures(r.trials[:, kept], 1))
    if splits == 1:
        assert (r.p_values == 1).all() and not r.beats().any()


def test_two_measures_of_one_distribution_are_seldom_separated_on_few_topics():
    """Over 1,000 copies of ten splits nearly all pairs were."""
    rng = np.random.default_rng(8)
    apart = [consistency(cube(rng.random((2, 6, 10))), trials=200, seed=i).p_values[0, 1] < 0.05 for i in range(20)]
    assert np.mean(apart) < 0.6


def test_intervals_over_resampled_topics_hold_other_topics_of_the_same_kind():
    """20 sets of 12 topics: about 95% of the intervals hold the mean of all; a constant lead is one of no width."""
    rng = np.random.default_rng(4)
    quality = rng.normal(size=25)
    sets = quality * 0.4 + rng.normal(size=(20, 1, 12, 25))
    found = [consistency(cube(values), trials=50) for values in sets]
    centre = np.mean([r.mean[0] for r in found])
    assert np.mean([r.low[0] <= centre <= r.high[0] for r in found]) >= 0.8
    spread = np.std([r.mean[0] for r in found])
    widths = np.array([r.high[0] - r.low[0] for r in found]) / 2
    assert 1 < np.median(widths) / spread < 4
    twice = consistency(cube(np.concatenate([sets[0], sets[0]])), trials=50)
    assert twice.lead_low[0, 1] == twice.lead_high[0, 1] == 0
    assert np.isnan(consistency(cube(sets[0][:, :4]), trials=50).low).all()
