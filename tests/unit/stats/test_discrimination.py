"""Discriminative power: one test under many measures."""

from __future__ import annotations

import numpy as np
import pytest

from irviz.stats.scores import Scores
from irviz.stats.significance import METHODS, discriminative_power, significance

RNG = np.random.default_rng(4)
VALUES = RNG.random((2, 15, 6)) + np.array([2.0, 0.5])[:, None, None] * np.linspace(0, 1, 6)
CUBE = Scores(VALUES, ("sharp", "blunt"), tuple(f"t{i}" for i in range(15)), tuple("abcdef"))


@pytest.mark.parametrize("method", list(METHODS))
def test_each_measure_is_its_own_significance_test(method):
    r = discriminative_power(CUBE, method, trials=300, seed=5)
    for m, measure in enumerate(CUBE.measures):
        single = significance(CUBE[measure], method, trials=300, seed=5)
        np.testing.assert_array_equal(r.results[m].p_values, single.p_values)
        np.testing.assert_array_equal(r.asl[m], single.asl)
    assert r.frame().measure.tolist() == ["sharp", "blunt"]
    assert r.frame().significant.tolist() == [result.significant for result in r.results]


def test_which_pair_is_separated_by_which_measure():
    r = discriminative_power(CUBE, "anova_tukey")
    pair_p = r.pair_frame()
    assert list(pair_p.index) == r.pairs()
    assert pair_p.shape == (15, 2)
    assert pair_p.loc[("a", "f"), "sharp"] == r.results[0].matrix().loc["a", "f"]
    assert r.pairs()[0] == ("a", "b")
    both = r.agreement()
    assert np.diagonal(both).tolist() == [result.significant for result in r.results]
    assert both[0, 1] == (r.separated[0] & r.separated[1]).sum()


def test_kruskal_ranks_the_total_orders_exactly():
    exact = np.tile(np.arange(6, dtype=object), (15, 1)) + 2**400
    cube = Scores(np.ones((1, 15, 6)), ("RBTO",), CUBE.topics, CUBE.systems, {"RBTO": exact})
    assert discriminative_power(cube, "kruskal_tukey").results[0].significant > 0
    assert discriminative_power(cube, "anova_tukey").results[0].significant == 0
