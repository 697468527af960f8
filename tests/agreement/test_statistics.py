"""Statistics against SciPy, statsmodels, exact enumeration, and plain loops of the published algorithms."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from irviz.stats.bootstrap import paired_bootstrap
from irviz.stats.correlation import COEFFICIENTS, kendall_tau, pearson, spearman
from irviz.stats.resampling import resampling_weights
from irviz.stats.results import Draws
from irviz.stats.significance import significance
from irviz.stats.tukey import (
    anova_tukey,
    kruskal_tukey,
    kruskal_wallis,
    randomised_tukey,
    studentized_range_sf,
    sums_of_squares,
)

RNG = np.random.default_rng(2024)


def p_values(test, matrix, trials=1, seed=0):
    return test(matrix[None], Draws(trials, seed))[0].p_values


def believable(topics, systems, seed=0):
    """Scores with topic effects larger than system effects, some of them tied."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(0.3, 0.05, systems) + rng.normal(0, 0.15, (topics, 1))
    return np.round(np.clip(quality + rng.normal(0, 0.1, (topics, systems)), 0, 1), 2)


def within_monte_carlo(p, q, trials, other=None):
    """True if two estimates of one p-value from `trials` draws (and `other`; None is exact) are within 5 σ."""
    pooled = np.clip((p + q) / 2, 1 / trials, 1 - 1 / trials)
    return np.abs(p - q) <= 5 * np.sqrt(pooled * (1 - pooled) * (1 / trials + (1 / other if other else 0)))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(kendall_tau, stats.kendalltau), (pearson, stats.pearsonr), (spearman, stats.spearmanr)],
)
@pytest.mark.parametrize("systems", [2, 5, 40, 129])
def test_correlations(ours, theirs, systems):
    rankings = believable(6, systems, seed=systems)
    rankings[:, 0] = 2.0  # no row constant, even of two systems
    matrix = ours(rankings)
    name = {"kendalltau": "tau", "pearsonr": "pearson", "spearmanr": "spearman"}[theirs.__name__]
    for i, j in itertools.product(range(6), repeat=2):
        expected = theirs(rankings[i], rankings[j]).statistic
        assert matrix[i, j] == pytest.approx(expected, abs=1e-12)
        assert COEFFICIENTS[name].row_by_row(rankings[i], rankings[j]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("groups", [2, 3, 17, 129])
@pytest.mark.parametrize("degrees", [1, 2, 5, 49, 6272, math.inf])
def test_studentized_range(groups, degrees):
    q = np.array([0.0, 0.2, 1.0, 2.0, 3.5, 4.5, 6.0, 10.0, 40.0])
    expected = stats.studentized_range.sf(q, groups, degrees)
    np.testing.assert_allclose(studentized_range_sf(q, groups, degrees), expected, atol=1e-8)


def test_studentized_range_at_infinity():
    assert studentized_range_sf(np.array([np.inf, 0.0]), 5, 20).tolist() == pytest.approx([0.0, 1.0], abs=1e-12)
    assert studentized_range_sf(np.array([[np.inf]]), 5, np.inf).tolist() == [[0.0]]


def test_tukey_hsd_on_unblocked_data():
    """Without topics to take out, the same quotient and the same distribution as scipy.stats.tukey_hsd."""
    x = RNG.normal(0, 1, (12, 5)) + [0, 0.3, 0.6, 0.9, 2]
    within = ((x - x.mean(axis=0)) ** 2).sum() / (5 * 11)
    means = x.mean(axis=0)
    q = np.abs(means[:, None] - means) / np.sqrt(within / 12)
    np.testing.assert_allclose(studentized_range_sf(q, 5, 5 * 11), stats.tukey_hsd(*x.T).pvalue, atol=1e-9)


def test_anova_tukey_is_tukey_hsd_with_the_topics_taken_out():
    """After centring the topics only the degrees of freedom differ from the one-way test."""
    x = believable(400, 4, seed=3)
    centred = x - x.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(p_values(anova_tukey, x), p_values(anova_tukey, centred), atol=1e-9)
    residual = sums_of_squares(centred)
    assert residual.topics == pytest.approx(0, abs=1e-20)
    one_way = stats.f_oneway(*centred.T)
    squares = residual.systems / 3 / (residual.residual / (4 * 399))
    assert one_way.statistic == pytest.approx(squares)


def test_randomised_tukey_approaches_tukey_hsd_on_many_unblocked_observations():
    x = np.random.default_rng(5).normal(0, 1, (200, 4)) + [0, 0.1, 0.2, 0.3]
    expected = stats.tukey_hsd(*x.T).pvalue
    np.testing.assert_allclose(p_values(randomised_tukey, x, 20_000), expected, atol=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_two_way_anova_is_statsmodels(seed):
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    x = believable(9, 6, seed)
    long = pd.DataFrame(
        {"score": x.ravel(), "topic": np.repeat(range(9), 6).astype(str), "system": np.tile(range(6), 9).astype(str)}
    )
    table = anova_lm(ols("score ~ C(topic) + C(system)", data=long).fit())
    ours = sums_of_squares(x)
    order = ["C(topic)", "C(system)", "Residual"]
    np.testing.assert_allclose([ours.topics, ours.systems, ours.residual], table.loc[order, "sum_sq"], rtol=1e-10)
    assert [ours.system_degrees, ours.residual_degrees] == table.loc[order[1:], "df"].tolist()
    assert anova_tukey(x[None], Draws())[0].overall == pytest.approx(table.loc["C(system)", "PR(>F)"], rel=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_kruskal_wallis_is_scipys(seed):
    x = np.round(believable(15, 5, seed), 1)
    expected = stats.kruskal(*x.T)
    assert kruskal_wallis(x) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-10)


def test_tukey_on_mean_ranks_by_its_formula():
    x = np.round(believable(15, 5, 1), 1)
    ranks = stats.rankdata(x).reshape(x.shape)
    n = x.size
    ties = np.unique(x, return_counts=True)[1]
    variance = n * (n + 1) / 12 - (ties**3 - ties).sum() / (12 * (n - 1))
    means = ranks.mean(axis=0)
    z = np.abs(means[:, None] - means) / np.sqrt(variance * (2 / 15))
    expected = stats.studentized_range.sf(np.sqrt(2) * z, 5, np.inf)
    np.testing.assert_allclose(p_values(kruskal_tukey, x), expected, atol=1e-9)


def test_randomised_tukey_on_tiny_data_is_the_exact_permutation_test():
    x = np.array([[0.1, 0.5, 0.4], [0.2, 0.2, 0.9], [0.0, 0.3, 0.6]])
    rows = [list(itertools.permutations(row)) for row in x]
    ranges = np.array([np.ptp(np.sum(pick, axis=0)) for pick in itertools.product(*rows)])
    sums = x.sum(axis=0)
    exact = np.array([[np.mean(ranges >= abs(a - b) - 1e-12) for b in sums] for a in sums])
    assert within_monte_carlo(p_values(randomised_tukey, x, 40_000, 1), exact, 40_000).all()


def test_bootstrap_on_tiny_data_is_the_exact_one():
    x = np.array([[0.10, 0.35], [0.20, 0.24], [0.00, 0.31], [0.42, 0.37], [0.3, 0.44]])
    z = x[:, 0] - x[:, 1]
    exact = np.mean([extreme(z, list(pick)) for pick in itertools.product(range(5), repeat=5)])
    assert within_monte_carlo(p_values(paired_bootstrap, x, 40_000, 1)[0, 1], exact, 40_000)


def extreme(z, pick):
    """Sakai 2006: whether the studentised mean of one resample of the centred differences is as large as t."""
    w = (z - z.mean())[pick]
    t = z.mean() / (z.std(ddof=1) / np.sqrt(len(z)))
    if len(set(pick)) == 1:
        return abs(w[0]) > 0
    return abs(w.mean() / (w.std(ddof=1) / np.sqrt(len(z)))) >= abs(t)


def test_randomised_tukey_is_the_plain_loop():
    """Carterette 2012: shuffle each topic, take the range of the means, count; another generator, 5 σ apart at most."""
    x = believable(15, 8, 4)
    rng = np.random.Generator(np.random.MT19937(99))
    means = x.mean(axis=0)
    count = np.zeros((8, 8))
    for _ in range(4000):
        shuffled = np.array([rng.permutation(row) for row in x]).mean(axis=0)
        count += np.ptp(shuffled) >= np.abs(means[:, None] - means) - 1e-12
    assert within_monte_carlo(p_values(randomised_tukey, x, 10_000), count / 4000, 10_000, 4000).all()


def test_bootstrap_counts_exactly_what_the_plain_loop_counts():
    """Pair by pair, sample by sample, from the same resampled topics: equal counts, not merely close ones."""
    x = believable(12, 6, 6)
    weights = resampling_weights(12, 400, 3).astype(int)
    ours = p_values(paired_bootstrap, x, 400, 3)
    for i, j in itertools.combinations(range(6), 2):
        z = x[:, i] - x[:, j]
        count = sum(extreme(z, np.repeat(np.arange(12), row)) for row in weights)
        assert ours[i, j] == (count + 1) / 401


RATE = (0.05 - 4 * math.sqrt(0.05 * 0.95 / 400), 0.05 + 4 * math.sqrt(0.05 * 0.95 / 400))  # 4 σ of 400 collections


@pytest.mark.parametrize(
    ("method", "systems", "topics", "effect"),
    [
        ("randomised_tukey", 5, 25, 0.2),
        ("anova_tukey", 5, 25, 0.2),
        ("kruskal_tukey", 5, 25, 0.0),  # one-way: topic effects would make it conservative
        ("paired_bootstrap", 2, 50, 0.2),  # a test of each pair by itself
    ],
)
def test_false_positives_under_the_null(method, systems, topics, effect):
    """400 collections of equal systems: one in twenty shows any difference at α = 0.05."""
    rng = np.random.default_rng(77)
    found = 0
    for seed in range(400):
        x = rng.normal(0.4, 0.1, (topics, systems)) + effect * rng.normal(size=(topics, 1))
        found += significance(pd.DataFrame(x), method, trials=500, seed=seed).significant > 0
    assert RATE[0] <= found / 400 <= RATE[1]
