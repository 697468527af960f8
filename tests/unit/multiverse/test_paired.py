"""Paired tests agree with SciPy's, and with enumeration where SciPy approximates."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

import irviz
from irviz.multiverse.power import smallest_effect, t_power, topics_needed
from irviz.stats.paired import Differences, critical, sign_test, t_test, two_sided, wilcoxon_test
from tests.refusals import refused


def columns(n: int, digits: int | None, many: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Two systems' scores, topics × columns, with ties and zeros where `digits` are few."""
    rng = np.random.default_rng(n)
    first = rng.random((n, many)) + np.linspace(0, 0.5, many)
    second = rng.random((n, many))
    return (first, second) if digits is None else (np.round(first, digits), np.round(second, digits))


CASES = [(n, digits) for n in (2, 3, 10, 14, 50, 51) for digits in (None, 1)]


@pytest.mark.parametrize(("n", "digits"), CASES)
def test_t_is_scipys(n: int, digits: int | None):
    first, second = columns(n, digits)
    found = t_test(Differences.from_scores(first, second))
    varies = np.ptp(np.round(first - second, 9), axis=0) > 0  # SciPy divides rounding errors elsewhere
    expected = stats.ttest_rel(first[:, varies], second[:, varies])
    np.testing.assert_allclose(found[0][varies], expected.pvalue, rtol=1e-9)
    assert (found[1][varies] == np.sign(np.round(expected.statistic, 12))).all()


@pytest.mark.parametrize(("n", "digits"), CASES)
def test_the_interval_is_scipys(n: int, digits: int | None):
    first, second = columns(n, digits)
    varies = np.ptp(np.round(first - second, 9), axis=0) > 0
    first, second = first[:, varies], second[:, varies]
    low, high = Differences.from_scores(first, second).interval(0.1)
    expected = stats.ttest_rel(first, second).confidence_interval(0.9)
    np.testing.assert_allclose([low, high], [expected.low, expected.high], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("n", "digits"), CASES)
def test_wilcoxon_is_scipys(n: int, digits: int | None):
    first, second = columns(n, digits)
    found = wilcoxon_test(Differences.from_scores(first, second))
    for column, p in enumerate(found[0]):
        d = np.round(first[:, column] - second[:, column], 12)  # or .3 − .2 and .2 − .1 do not tie
        assert p == pytest.approx(stats.wilcoxon(d, zero_method="pratt").pvalue, rel=1e-9), column


def test_wilcoxon_with_ties_is_the_share_of_all_signs():
    d = np.array([0.3, 0.1, -0.1, 0.0, 0.2, 0.2, 0.1])
    ranks = stats.rankdata(np.abs(d))
    seen = min((ranks * (d > 0)).sum(), (ranks * (d < 0)).sum())
    sums = [sum(r for r, s, x in zip(ranks, signs, d, strict=True) if s and x) for signs in product((0, 1), repeat=7)]
    found = wilcoxon_test(Differences.from_scores(d[:, None], np.zeros((7, 1))))
    assert found[0][0] == 2 * np.mean(np.array(sums) <= seen)


@pytest.mark.parametrize(("n", "digits"), CASES)
def test_sign_is_scipys(n: int, digits: int | None):
    first, second = columns(n, digits)
    found = sign_test(Differences.from_scores(first, second))
    for column, p in enumerate(found[0]):
        d = np.round(first[:, column] - second[:, column], 12)
        ahead, behind = int((d > 0).sum()), int((d < 0).sum())
        expected = stats.binomtest(ahead, ahead + behind).pvalue if ahead + behind else 1.0
        assert p == pytest.approx(expected, rel=1e-12)
        assert found[1][column] == np.sign(ahead - behind)


def test_scores_that_do_not_differ_or_differ_by_a_constant():
    first = np.array([[0.3, 0.1 + 0.2, 0.7], [0.5, 0.5, 0.9], [0.1, 0.1, 0.5]])
    second = np.array([[0.3, 0.3, 0.6], [0.5, 0.5, 0.8], [0.1, 0.1, 0.4]])
    d = Differences.from_scores(first, second)
    assert t_test(d)[0].tolist() == [1.0, 1.0, 0.25], "SciPy says 0, of what rounding alone often does"
    assert np.isnan(d.interval(0.05)).tolist() == [[False, False, True]] * 2
    assert t_test(d)[1].tolist() == [0, 0, 1]
    assert sign_test(d)[0].tolist() == [1.0, 1.0, 0.25]
    assert wilcoxon_test(d)[0].tolist() == [1.0, 1.0, 0.25]
    assert d.deviation.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("degrees", [1, 2, 3, 9, 28, 49, 500, 999])
def test_students_t_is_scipys(degrees: int):
    t = np.concatenate([[0.0, 1e-9, 0.001], np.linspace(0.01, 30, 500)])
    np.testing.assert_allclose(two_sided(t, degrees), 2 * stats.t.sf(t, degrees), rtol=1e-11, atol=1e-9)
    assert two_sided(np.array([np.inf, -2.0, 2.0]), degrees)[0] == 0
    for alpha in (0.5, 0.05, 0.001):
        assert critical(degrees, alpha) == pytest.approx(stats.t.isf(alpha / 2, degrees), rel=1e-13)


@pytest.mark.parametrize("degrees", [1, 3, 9, 49, 200])
def test_a_p_value_does_not_depend_on_those_beside_it(degrees):
    t = 3 * np.random.default_rng(1).normal(size=300)
    together = two_sided(t, degrees)
    assert together.tolist() == [two_sided(np.array([one]), degrees)[0] for one in t]


# Topic set size design agrees with statsmodels, pair by pair.


RNG = np.random.default_rng(3)


@pytest.mark.parametrize("n", [2, 5, 20, 50, 249])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.95), (0.2, 0.3)])
def test_power_and_effect_are_those_of_statsmodels(n: int, alpha: float, power: float):
    for effect in (0.05, 0.3, 1.0, 2.5):
        expected = TTestPower().power(effect, n, alpha)
        if np.isfinite(expected):
            assert t_power(np.array(effect), n, alpha) == pytest.approx(expected, abs=1e-8)
    assert t_power(np.array(smallest_effect(n, alpha, power)), n, alpha) == pytest.approx(power, abs=1e-8)


@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.95), (0.2, 0.3), (0.05, 0.06)])
def test_one_topic_less_is_not_enough(alpha: float, power: float):
    effects = np.array([0.01, 0.05, 0.1, 0.3, 0.5, 1.0, 3.0, 10.0])
    needed = topics_needed(effects, alpha, power)
    assert (t_power(effects, needed, alpha) >= power).all()
    more = needed > 2
    assert (t_power(effects[more], needed[more] - 1, alpha) < power).all()


def test_very_small_effects_need_what_a_normal_test_does():
    found = topics_needed(np.array([1e-4, 0.0028]), 0.05, 0.8)
    assert found.tolist() == pytest.approx(
        [TTestPower().solve_power(0.0028, alpha=0.05, power=0.8) * 784, 1001119], rel=1e-3
    )


def scores() -> irviz.stats.scores.Scores:
    values = RNG.random((2, 30, 4)) + np.array([0, 0.1, 0.3, 0.3])
    values[..., 3] = values[..., 2]
    return irviz.stats.scores.Scores(values, ("AP", "RR"), tuple(map(str, range(30))), ("a", "b", "c", "d"))


def test_every_pair_under_every_measure():
    s = scores()
    r = irviz.power(s, alpha=0.05, power=0.8)
    effect = TTestPower().solve_power(nobs=30, alpha=0.05, power=0.8)
    frame = r.frame()
    assert len(frame) == 12
    for row in frame.itertuples():
        d = s[row.measure][row.first] - s[row.measure][row.second]
        assert row.difference == pytest.approx(d.mean(), abs=1e-12) and row.difference >= 0
        assert row.smallest == pytest.approx(effect * d.std(), rel=1e-6)
        if {row.first, row.second} == {"c", "d"}:
            assert (row.difference, row.deviation, row.topics) == (0, 0, np.inf)
        else:
            exact = TTestPower().solve_power(effect_size=d.mean() / d.std(), alpha=0.05, power=0.8)
            assert row.topics == max(2, np.ceil(np.round(float(np.squeeze(exact)), 6)))
    assert r.enough == (frame.topics <= 30).mean()


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01])
def test_a_difference_that_never_varies_needs_the_topics_at_which_the_t_test_shows_it(alpha: float):
    r = irviz.power(pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.4]}), alpha=alpha)
    n = int(r.needed[0, 0, 1])
    enough, fewer = (t_test(Differences.from_scores(np.full((m, 1), 0.5), np.zeros((m, 1))))[0][0] for m in (n, n - 1))
    assert enough < alpha <= fewer
    assert r.smallest[0, 0, 1] == 0


def test_refusals():
    matrix = scores()["AP"]
    for settings in ({"alpha": 2}, {"power": 0}, {"alpha": 0.5, "power": 0.4}):
        refused(lambda settings=settings: irviz.power(matrix, **settings))
    refused(lambda: irviz.power(matrix.iloc[:1]))
