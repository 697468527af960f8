"""What must not matter: the order of systems and topics, the scale of scores, who asks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import irviz
from irviz.stats.aggregate import SUMMARIES, aggregate
from irviz.stats.bootstrap import paired_bootstrap
from irviz.stats.consistency import epsilon_sweep
from irviz.stats.correlation import COEFFICIENTS, SAME, kendall_tau, mean_ranks, merge_ties, min_ranks
from irviz.stats.results import Draws
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
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


@given(cubes(), arrays(np.int8, (3, 4, 6), elements=st.integers(-9, 9)))
def test_scores_that_differ_by_rounding_are_ordered_as_equal_ones(values, units):
    tied, noisy = scores(values), scores(values * (1 + units * 2.0**-52))
    for name in tied.measures:
        codes = [np.unique(cube.order(name), return_inverse=True)[1] for cube in (tied, noisy)]
        np.testing.assert_array_equal(*codes)
    for coefficient in ("tau", "tau_ap", "spearman"):
        for by in ("overall", "topic"):
            one, other = (similarity(cube, by=by, coefficient=coefficient).values for cube in (tied, noisy))
            np.testing.assert_allclose(one, other, atol=1e-12)


@given(arrays(np.float64, 12, elements=st.floats(-1e300, 1e300)))
def test_ties_are_merged_as_by_hand(values):
    merged, ascending = merge_ties(values), np.sort(values)
    least = ascending[0]
    for before, value in zip([ascending[0], *ascending], ascending, strict=False):
        if value - before > SAME * max(abs(value), abs(before)):
            least = value
        assert set(merged[values == value]) == {least}


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


# Who works, and how many at a time, changes no bit of what is drawn or scored.


VALUES = np.random.default_rng(1).random((2, 12, 20))
CUBE = Scores(VALUES, ("M0", "M1"), tuple(f"t{i}" for i in range(12)), tuple(f"s{i}" for i in range(20)))
MEASURES = ["AP", "nDCG@10", "SBTO@20"]
WORK = {
    "randomised Tukey": lambda c, workers: irviz.significance(CUBE["M0"], trials=700, workers=workers).p_values,
    "bootstrap": lambda c, workers: (
        discriminative_power(CUBE, "paired_bootstrap", trials=2500, workers=workers).p_values
    ),
    "consistency": lambda c, workers: (
        irviz.consistency(CUBE, trials=1100, coefficient="pearson", workers=workers).trials
    ),
    "its test": lambda c, workers: irviz.consistency(CUBE, trials=50, workers=workers).p_values,
    "sweep": lambda c, workers: epsilon_sweep(CUBE, [0.01, 1.0], trials=60, workers=workers).mean,
    "reduced pools": lambda c, workers: (
        irviz.pool_reduction(c, MEASURES, rates=(0.6, 0.2), repeats=3, workers=workers).repeats
    ),
}


@pytest.fixture(scope="module")
def collection():
    return irviz.open_collection("adhoc").subset(topics=[str(t) for t in irviz.open_collection("adhoc").topics[:4]])


@pytest.fixture(scope="module")
def alone(collection):
    return {name: work(collection, 1) for name, work in WORK.items()}


@pytest.mark.parametrize("workers", [None, 3, "threading"])
@pytest.mark.parametrize("name", list(WORK))
def test_no_bit_depends_on_the_workers(name, workers, collection, alone):
    np.testing.assert_array_equal(WORK[name](collection, workers), alone[name], strict=True)


@pytest.mark.slow
def test_no_bit_depends_on_the_processes(collection, alone):
    for name, work in WORK.items():
        np.testing.assert_array_equal(work(collection, "loky"), alone[name], strict=True)


def test_workers_have_a_domain(collection):
    for name, work in WORK.items():
        with pytest.raises(irviz.IrvizError, match="workers"):
            work(collection, 0)
        assert name
