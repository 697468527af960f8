"""What must not matter: the order of systems and topics, the scale of scores, who asks."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from irviz.stats.aggregate import SUMMARIES, aggregate
from irviz.stats.bootstrap import paired_bootstrap
from irviz.stats.correlation import COEFFICIENTS, kendall_tau, mean_ranks, min_ranks
from irviz.stats.results import Draws
from irviz.stats.scores import Scores
from irviz.stats.similarity import similarity
from irviz.stats.tukey import anova_tukey, kruskal_tukey

GRID = st.integers(0, 6).map(lambda i: i / 6)


def cubes(measures=3, topics=4, systems=6):
    return arrays(np.float64, (measures, topics, systems), elements=GRID)


def scores(values):
    return Scores(values, *(tuple(f"{a}{i}" for i in range(n)) for a, n in zip("MTS", values.shape, strict=True)))


@given(cubes(), st.permutations(range(6)), st.permutations(range(4)))
def test_similarity_ignores_the_order_of_systems_and_topics(values, systems, topics):
    shuffled = values[:, topics][:, :, systems].copy()
    for by in ("overall", "topic"):
        before, after = similarity(scores(values), by=by), similarity(scores(shuffled), by=by)
        np.testing.assert_allclose(before.values, after.values, atol=1e-12)


@given(cubes())
def test_correlations_are_bounded_and_all_but_tau_ap_symmetric(values):
    for name, coefficient in COEFFICIENTS.items():
        result = coefficient.all_pairs(values)
        finite = result[np.isfinite(result)]
        assert (np.abs(finite) <= 1).all()
        if name != "tau_ap":
            np.testing.assert_array_equal(result, np.swapaxes(result, 1, 2))


@given(cubes(), st.floats(0.01, 100))
def test_tau_sees_order_only_and_changes_sign_with_it(values, scale):
    np.testing.assert_array_equal(kendall_tau(values), kendall_tau(np.expm1(values * scale)))
    flipped = kendall_tau(np.concatenate([values, -values], axis=1))
    n = values.shape[1]
    np.testing.assert_array_equal(flipped[:, :n, n:], -flipped[:, :n, :n])


@given(arrays(np.float64, (3, 9), elements=GRID))
def test_ranks_count_who_is_below(values):
    below = (values[:, None, :] < values[:, :, None]).sum(axis=-1)
    above = (values[:, None, :] > values[:, :, None]).sum(axis=-1)
    np.testing.assert_array_equal(min_ranks(values), below)
    np.testing.assert_array_equal(mean_ranks(values), (below - above + 10) / 2)


@given(arrays(np.float64, (7, 4), elements=GRID), st.permutations(range(7)))
def test_summaries_lie_between_extremes_and_ignore_the_order_of_topics(values, order):
    for how in SUMMARIES:
        result = aggregate(values, how)
        floor = 1e-5 if how == "geometric_threshold" else 0.0  # the threshold lifts zeros
        assert (result >= values.min(axis=0) - 1e-9).all()
        assert (result <= np.maximum(values.max(axis=0), floor) + 1e-9).all()
        np.testing.assert_allclose(result, aggregate(values[list(order)], how), atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(arrays(np.float64, (6, 4), elements=GRID), st.permutations(range(4)))
def test_tests_ignore_the_order_of_systems(values, order):
    for test in (anova_tukey, kruskal_tukey, paired_bootstrap):
        p, after = (test(x[None], Draws(50, 1))[0].p_values for x in (values, values[:, list(order)].copy()))
        assert np.isfinite(p).all() and (p >= 0).all() and (p <= 1).all()
        np.testing.assert_allclose(after, p[np.ix_(order, order)], atol=1e-9)
