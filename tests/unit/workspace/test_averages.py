"""What is said of averages."""

from __future__ import annotations

import numpy as np

from irviz.stats.consistency import EpsilonSweep
from irviz.workspace.averages import ARITHMETIC, best_eps


def test_where_the_arithmetic_mean_ties_all_systems_no_gain_is_said():
    mean = np.array([[0.2, 0.4], [0.2, 0.4], [np.nan, 0.4], [np.nan, np.nan], [0.2, 0.1]])
    reference = np.array([0.1, np.nan, np.nan, np.nan, 0.3])
    sweep = EpsilonSweep(tuple("abcde"), np.array([0.01, 1.0]), mean, reference, "geometric", "tau")
    assert best_eps(sweep) == ["ε = 1 (+0.300)", "ε = 1", "ε = 1", ARITHMETIC, ARITHMETIC]


def test_a_small_eps_is_written_without_a_power_of_ten():
    sweep = EpsilonSweep(("a",), np.array([1e-6, 1.0]), np.array([[0.4, 0.2]]), np.array([0.1]), "geometric", "tau")
    assert best_eps(sweep) == ["ε = 0.000001 (+0.300)"]
