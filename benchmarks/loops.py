"""The plain loops that the analyses are measured against: the textbook's steps, one after another."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau

Floats = NDArray[np.float64]


def topic_tau(values: Floats) -> Floats:
    """τ_b of every pair of measures on every topic, by scipy; `values` measures × topics × systems."""
    measures, topics, _ = values.shape
    tau = np.ones((topics, measures, measures))
    for topic in range(topics):
        for a, b in itertools.combinations(range(measures), 2):
            tau[topic, a, b] = tau[topic, b, a] = kendalltau(values[a, topic], values[b, topic]).statistic
    return tau


def randomised_tukey(matrix: Floats, trials: int, seed: int) -> Floats:
    """p-values of all pairs, by permuting every topic of every trial; `matrix` topics × systems."""
    rng = np.random.default_rng(seed)
    observed = matrix.mean(axis=0)
    differences = np.abs(observed[:, None] - observed[None, :])
    exceeded = np.zeros_like(differences)
    for _ in range(trials):
        shuffled = np.empty_like(matrix)
        for topic in range(len(matrix)):
            shuffled[topic] = rng.permutation(matrix[topic])
        means = shuffled.mean(axis=0)
        exceeded += means.max() - means.min() >= differences
    return exceeded / trials


def paired_bootstrap(matrix: Floats, pairs: Iterable[tuple[int, int]], samples: int, seed: int) -> list[float]:
    """Achieved significance level of some pairs, one pair at a time, all samples of a pair at once."""
    rng = np.random.default_rng(seed)
    topics = len(matrix)
    chosen = rng.integers(0, topics, (samples, topics))
    levels = []
    for a, b in pairs:
        difference = matrix[:, a] - matrix[:, b]
        observed = _studentised(difference[None, :])[0]
        drawn = _studentised((difference - difference.mean())[chosen])
        levels.append(float(np.mean(np.abs(drawn) >= abs(observed))))
    return levels


def _studentised(differences: Floats) -> Floats:
    spread = differences.std(axis=1, ddof=1)
    return np.divide(differences.mean(axis=1), spread, out=np.zeros_like(spread), where=spread > 0)
