"""Significance tests: worked cases, degenerate input, and independence of batches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from irviz.errors import IrvizError
from irviz.stats import bootstrap, tukey
from irviz.stats.bootstrap import paired_bootstrap
from irviz.stats.resampling import resampling_weights
from irviz.stats.results import Draws
from irviz.stats.scores import Scores
from irviz.stats.significance import METHODS, discriminative_power, indistinguishable_runs, significance
from irviz.stats.tukey import anova_tukey, kruskal_tukey, kruskal_wallis, null_ranges, randomised_tukey, sums_of_squares
from tests.refusals import refused

RNG = np.random.default_rng(21)
SCORES = RNG.random((20, 6)) + np.linspace(0, 0.5, 6)
FRAME = pd.DataFrame(SCORES, index=[f"t{i}" for i in range(20)], columns=list("abcdef"))


def p_values(test, matrix, trials=1, seed=0):
    return test(matrix[None], Draws(trials, seed))[0].p_values


@pytest.mark.parametrize("method", list(METHODS))
def test_result_is_consistent_with_itself(method):
    r = significance(FRAME, method, trials=500)
    assert r.systems == tuple("abcdef")
    np.testing.assert_array_equal(r.p_values, r.p_values.T)
    assert np.diagonal(r.p_values).tolist() == [1.0] * 6
    assert ((r.p_values >= 0) & (r.p_values <= 1)).all()
    assert r.pairs == 15 == len(r.asl) == len(r.frame())
    assert (np.diff(r.asl) <= 0).all()
    assert r.significant == (r.asl < 0.05).sum() == r.frame().significant.sum()
    assert r.ratio == r.significant / 15
    assert r.trials == (500 if METHODS[method].draws else 0)


def test_a_clear_difference_is_found_by_all_and_equal_systems_by_none():
    frame = FRAME.assign(twin=FRAME.a, good=FRAME.a + 5 + 0.1 * RNG.random(20))
    for method in METHODS:
        r = significance(frame, method).matrix()
        assert r.loc["a", "twin"] == 1.0
        assert r.loc["a", "good"] < 0.01


@pytest.mark.parametrize("topics", [[0.1] * 5, [0.1, 0.7, 0.3]])
@pytest.mark.parametrize("method", list(METHODS))
def test_equal_scores_separate_nothing(method, topics):
    r = significance(pd.DataFrame(np.tile(np.array(topics)[:, None], (1, 3))), method)
    assert (r.p_values == 1).all()
    assert r.overall in (1.0, None)
    assert r.groups == (("0", "1", "2"),)


def test_a_difference_equal_on_all_topics():
    topic = np.array([[0.1], [0.7], [0.3], [0.4], [0.2]])
    values = topic + np.array([0.0, 0.1, 0.1])
    # neither the residual nor any difference varies: infinitely significant where there is a difference
    same = np.array([[1, 0, 0], [0, 1, 1], [0, 1, 1]])
    assert p_values(anova_tukey, values).tolist() == same.tolist()
    assert p_values(paired_bootstrap, values, 100).tolist() == np.where(same, 1, 2 / 2**5).tolist()


@pytest.mark.parametrize(("function", "module"), [(randomised_tukey, tukey), (paired_bootstrap, bootstrap)])
@pytest.mark.parametrize("budget", [1, 3_000, 1 << 20])
def test_batches_do_not_change_a_number(function, module, budget, monkeypatch):
    before = p_values(function, SCORES, 300, 7)
    monkeypatch.setattr(module, "BATCH_BYTES" if module is tukey else "SAMPLES", budget)
    monkeypatch.setattr(bootstrap, "SMALL_PRODUCT", budget)
    np.testing.assert_array_equal(before, p_values(function, SCORES, 300, 7))


def test_trials_extend_each_other():
    few, many = (null_ranges(SCORES[None], Draws(trials, 3))[0] for trials in (40, 90))
    np.testing.assert_array_equal(few, many[:40])


def test_numbers_stay_what_they_are_on_every_machine():
    """Golden: drawn once; a change here changes everybody's p-values and belongs in the change log."""
    values = np.arange(12.0).reshape(4, 3) % 5
    assert null_ranges(values[None], Draws(8)).tolist() == [[5.0, 7.0, 5.0, 10.0, 6.0, 8.0, 3.0, 9.0]]
    assert resampling_weights(4, 3, 0).tolist() == [[0.0, 1.0, 2.0, 1.0], [3.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 2.0]]


def test_more_systems_than_the_short_keys_number():
    values = np.random.default_rng(0).random((3, 300))
    columns = tukey.shuffled_columns(np.random.default_rng(0).integers(0, 2**64, (5, 300), dtype=np.uint64), 9)
    assert (np.sort(columns, axis=1) == np.arange(300)).all()
    ranges = null_ranges(values[None], Draws(50))[0]
    assert (ranges <= values.sum(axis=0).max() * 3).all()
    assert len(set(ranges)) == 50


@pytest.mark.parametrize("columns", range(1, tukey.FEW_COLUMNS + 2))
def test_few_columns_are_shuffled_as_many_are(columns):
    """Exchanging whole columns is another way to sort, not another shuffle."""
    keys = np.random.default_rng(columns).integers(0, 2**32, (4, 7, columns), dtype=np.uint32)
    bits = (columns - 1).bit_length()
    low = (1 << bits) - 1
    by_row = [
        [sorted(range(columns), key=lambda j, row=row: (int(row[j]) & ~low) | j) for row in topics] for topics in keys
    ]
    assert tukey.shuffled_columns(keys, bits).tolist() == by_row


def test_shuffles_are_fair():
    """Each of the 24 orders of four columns equally often: chi-square below its 99.9% point of 49.7."""
    keys = np.random.PCG64(5).random_raw(2 * 24_000).view("<u4").reshape(-1, 4)
    orders, counts = np.unique(tukey.shuffled_columns(keys, 2), axis=0, return_counts=True)
    assert len(orders) == 24
    assert ((counts - 1000) ** 2 / 1000).sum() < 49.7


def test_resampling_draws_as_many_topics_as_there_are():
    weights = resampling_weights(7, 5000, 0)
    assert (weights.sum(axis=1) == 7).all()
    assert weights.mean() == 1.0
    assert weights.var() == pytest.approx(6 / 7, rel=0.05)


def test_order_replaces_scores_that_doubles_cannot_tell_apart():
    flat = Scores(np.full((1, 6, 3), 0.5), ("SBTO",), tuple("123456"), tuple("abc"))
    whole = replace(flat, exact={"SBTO": np.tile(np.array([10**30, 10**30 + 1, 10**30 + 2], dtype=object), (6, 1))})
    flat, ordered = significance(flat, "kruskal_tukey"), significance(whole, "kruskal_tukey")
    assert (flat.p_values == 1).all()
    assert ordered.p_values[0, 2] < 0.01
    assert ordered.centres.tolist() == [3.5, 9.5, 15.5]


def test_kruskal_sees_order_only():
    np.testing.assert_array_equal(p_values(kruskal_tukey, SCORES), p_values(kruskal_tukey, SCORES**3))
    assert kruskal_wallis(SCORES) == kruskal_wallis(np.exp(SCORES))


def test_sums_of_squares_add_up():
    e = sums_of_squares(SCORES)
    assert e.topics + e.systems + e.residual == pytest.approx(((SCORES - SCORES.mean()) ** 2).sum())
    assert e.system_degrees + e.residual_degrees == SCORES.size - len(SCORES)


@pytest.mark.parametrize("seed", range(20))
def test_runs_are_all_the_longest_ones(seed):
    n = 9
    apart = np.triu(np.random.default_rng(seed).random((n, n)) < 0.15, 1)
    apart |= apart.T
    free = [(a, b) for a in range(n) for b in range(a, n) if not apart[a : b + 1, a : b + 1].any()]
    inside = [r for r in free if any(o != r and o[0] <= r[0] and r[1] <= o[1] for o in free)]
    assert indistinguishable_runs(apart) == sorted(set(free) - set(inside))


def test_a_group_of_one_is_not_yet_separated_from_all_others():
    """The bootstrap weighs each pair by its own variance: the best is apart from the second, not from the last."""
    steady, noisy = np.array([0.50, 0.52, 0.51, 0.49] * 5), np.array([0.9, 0.0, 1.0, 0.05] * 5)
    frame = pd.DataFrame({"best": steady + 0.1, "second": steady, "last": noisy})
    r = significance(frame, "paired_bootstrap", trials=500)
    assert r.groups == (("best",), ("second", "last"))
    assert r.not_separated_from("best") == ("last",)
    assert r.across == (("best", "last"),)
    assert significance(frame, "anova_tukey").across == ()
    with pytest.raises(IrvizError, match="There is no system `worst`"):
        r.not_separated_from("worst")


def test_company_raises_tukeys_p_and_leaves_the_bootstraps():
    for method in METHODS:
        alone, among = (significance(frame, method).matrix().loc["a", "c"] for frame in (FRAME[["a", "c"]], FRAME))
        assert alone < among if METHODS[method].familywise else alone == among


def test_no_p_counted_from_draws_is_zero():
    """Phipson & Smyth 2010: (b + 1)/(B + 1); the decision at α = .05 is the same as by b/B where .05 B is whole."""
    frame = FRAME.assign(far=FRAME.a + 50)
    for method in ("randomised_tukey", "paired_bootstrap"):
        p = significance(frame, method, trials=200).p_values
        assert p.min() == 1 / 201
        counts = np.rint(p * 201 - 1)
        np.testing.assert_array_equal(p < 0.05, counts / 200 < 0.05)


@pytest.mark.parametrize(
    "call",
    [
        lambda: significance(FRAME, trials=0),
        lambda: significance(FRAME, trials=2.5),
        lambda: significance(FRAME, seed=-1),
        lambda: significance(FRAME, alpha=5),
        lambda: significance(FRAME, alpha="5%"),
        lambda: significance(FRAME[["a"]]),
        lambda: significance(FRAME.iloc[:1]),
        lambda: significance(FRAME.mask(FRAME.iloc[3, 2] == FRAME, np.inf)),
    ],
)
def test_refusals(call):
    refused(call)


# Discriminative power: one test under many measures.


DISCRIMINATION_RNG = np.random.default_rng(4)
VALUES = DISCRIMINATION_RNG.random((2, 15, 6)) + np.array([2.0, 0.5])[:, None, None] * np.linspace(0, 1, 6)
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
