"""Topic set size design agrees with statsmodels, pair by pair."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.power import TTestPower

import irviz
from irviz.multiverse.power import smallest_effect, t_power, topics_needed
from irviz.multiverse.tests import Differences, t_test
from tests.refusals import refused

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
    assert r.sentence.startswith("With 30 topics a paired t test at α = 0.05 has power 0.8 for differences of 0.53 ")


def test_a_matrix_is_one_measure():
    s = scores()
    one, all_ = irviz.power(s["RR"]), irviz.power(s)
    assert np.array_equal(one.needed[0], all_.needed[1])
    assert one.frame().topics.tolist() == all_.frame().topics[6:].tolist()


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01])
def test_a_difference_that_never_varies_needs_the_topics_at_which_the_t_test_shows_it(alpha: float):
    r = irviz.power(pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.4]}), alpha=alpha)
    n = int(r.needed[0, 0, 1])
    enough, fewer = (t_test(Differences.of(np.full((m, 1), 0.5), np.zeros((m, 1))))[0][0] for m in (n, n - 1))
    assert enough < alpha <= fewer
    assert r.smallest[0, 0, 1] == 0


def test_refusals():
    matrix = scores()["AP"]
    for settings, text in (
        ({"alpha": 2}, "`alpha` must lie in (0, 1); got 2. Usual is 0.05."),
        ({"power": 0}, "`power` must lie in (0, 1); got 0. Usual is 0.8."),
        ({"alpha": 0.5, "power": 0.4}, "`power` must be above `alpha`; got 0.4 and 0.5. Usual are 0.8 and 0.05."),
    ):
        assert refused(lambda settings=settings: irviz.power(matrix, **settings)) == text
    assert refused(lambda: irviz.power(matrix.iloc[:1])) == "Power needs two systems and two topics; there are 4 and 1."
