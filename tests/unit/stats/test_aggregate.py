"""Averages over topics: the worked examples of Ravana & Moffat 2009, limits, and refusals."""

from __future__ import annotations

import csv
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchmarks.calibration import interval_coverage
from irviz.stats.aggregate import MEANS, SUMMARIES, aggregate, aggregate_subsets, summarise
from irviz.stats.intervals import summary_interval
from tests.refusals import refused

# Table 1: x1..x5, then AM, GM, εGM, HM, εHM, MD (ε = 0.01, the default); HM of S2 is printed as a dash.
TABLE_1 = {
    "S1": ([0.1, 0.1, 0.3, 0.8, 0.1], [0.280, 0.189, 0.192, 0.145, 0.148, 0.100]),
    "S2": ([0.0, 0.4, 0.2, 0.4, 0.3], [0.260, 0.000, 0.151, None, 0.034, 0.300]),
    "S3": ([0.1, 0.5, 0.3, 0.2, 0.2], [0.260, 0.227, 0.228, 0.197, 0.200, 0.200]),
    "S4": ([0.2, 0.2, 0.3, 0.2, 0.2], [0.220, 0.217, 0.217, 0.214, 0.214, 0.200]),
}
COLUMNS = [("mean", None), ("geometric", 0), ("geometric", None), ("harmonic", 0), ("harmonic", None), ("median", None)]
MATRIX = pd.DataFrame({name: scores for name, (scores, _) in TABLE_1.items()})


@pytest.mark.parametrize("column", range(6))
def test_every_cell_of_table_1(column):
    how, eps = COLUMNS[column]
    ours = summarise(MATRIX, how, eps=eps)
    for system, (_, printed) in TABLE_1.items():
        expected = 0.0 if printed[column] is None else printed[column]  # a dash: undefined there, its limit 0 here
        assert f"{ours[system]:.3f}" == f"{expected:.3f}", (how, eps, system)


def test_table_1_is_the_published_table(tables):
    with open(tables / "aggregation_examples.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        scores, printed = TABLE_1[row["system"]]
        assert [float(row[f"x{i}"]) for i in range(1, 6)] == scores
        assert [float(row[c]) if row[c] else None for c in ("AM", "GM", "eGM", "HM", "eHM", "MD")] == printed
    assert len(rows) == 4


def test_trec_eval_threshold_as_quoted_in_the_text():
    # section 2: "the score for sequence S2 in Table 1 is 0.039, and would be 0.157 with ε = 0.01"
    assert f"{summarise(MATRIX, 'geometric_threshold')['S2']:.3f}" == "0.039"
    assert f"{summarise(MATRIX, 'geometric_threshold', eps=0.01)['S2']:.3f}" == "0.157"


@pytest.mark.parametrize("how", ["geometric", "harmonic"])
def test_large_epsilon_approaches_the_arithmetic_mean(how):
    np.testing.assert_allclose(summarise(MATRIX, how, eps=1e4), summarise(MATRIX, "mean"), atol=1e-5)


@pytest.mark.parametrize("how", ["geometric", "harmonic"])
def test_zero_is_the_limit_of_small_epsilon(how):
    with_zero, limit = summarise(MATRIX, how, eps=0), summarise(MATRIX, how, eps=1e-300)
    np.testing.assert_allclose(with_zero.drop("S2"), limit.drop("S2"), rtol=1e-12)
    assert with_zero["S2"] == 0.0


@pytest.mark.parametrize("how", list(SUMMARIES))
def test_batches_and_subsets_agree_with_one_matrix_at_a_time(how):
    cube = np.random.default_rng(0).random((3, 7, 5))
    members = np.random.default_rng(1).random((4, 7)) < 0.6
    members[:, 0] = True
    whole, parts = aggregate(cube, how), aggregate_subsets(cube, members, how)
    assert parts.shape == (3, 4, 5)
    for i in range(3):
        np.testing.assert_allclose(whole[i], summarise(pd.DataFrame(cube[i]), how), rtol=1e-13)
        for j in range(4):
            np.testing.assert_allclose(parts[i, j], aggregate(cube[i][members[j]], how), rtol=1e-12, atol=1e-15)


def test_a_mean_is_the_exact_sum_over_the_number_of_topics_whatever_their_order_and_company():
    values = np.random.default_rng(3).random((50, 20))
    assert aggregate(values).tolist() == [math.fsum(column) / 50 for column in values.T]
    assert np.array_equal(aggregate(values[::-1]), aggregate(values))
    assert np.array_equal(aggregate(values[:, :1]), aggregate(values)[:1])
    assert np.array_equal(aggregate_subsets(values, np.ones((1, 50), dtype=bool))[0], aggregate(values))


@pytest.mark.parametrize(
    "call",
    [
        lambda: summarise(MATRIX, "meen"),
        lambda: summarise(MATRIX, "mean", eps=-0.01),
        lambda: summarise(MATRIX, "geometric", eps=-1),
        lambda: summarise(MATRIX, "geometric", eps="small"),
        lambda: summarise(MATRIX, "geometric_threshold", eps=0),
        lambda: summarise(-MATRIX, "harmonic"),
        lambda: summarise(MATRIX.iloc[:0]),
        lambda: summarise(MATRIX.replace(0.8, np.inf)),
        lambda: summarise(pd.DataFrame({"a": ["0.1", "high"]})),
        lambda: summarise(np.zeros(3)),
    ],
)
def test_refusals(call):
    refused(call)


@pytest.mark.parametrize("how", ["mean", "median"])
def test_epsilon_added_and_taken_off_again_leaves_mean_and_median_alone(how):
    pd.testing.assert_series_equal(summarise(MATRIX, how, eps=0.01), summarise(MATRIX, how))


@pytest.mark.parametrize("how", ["geometric", "harmonic"])
@pytest.mark.parametrize("eps", [0.0, 5e-324, 1e-301])
def test_a_score_too_small_to_divide_by_is_a_zero(how, eps):
    """Found by fuzzing: 1 / 5e-324 is not a number."""
    matrix = pd.DataFrame({"a": [5e-324, 1.0], "b": [0.5, 0.5]})
    assert summarise(matrix, how, eps=eps).tolist() == pytest.approx([0.0, 0.5], rel=1e-15)


def test_the_harmonic_mean_of_scores_far_apart_stays_a_number():
    """Found by fuzzing: beside 1e-300, the reciprocal of 1e100 is lost in a sum over a subset."""
    values = np.array([[1e-299], [1e100]])
    found = aggregate_subsets(values, np.array([[True, False], [False, True]]), "harmonic", 0.0)
    assert np.isfinite(found).all() and (found > 0).all()


# Intervals of summaries: Student's for the mean, and the bootstrap.


VALUES = np.random.default_rng(3).beta(2, 5, (40, 4))


def test_the_mean_has_students_interval():
    low, high = summary_interval(VALUES, confidence=0.9)
    for s in range(4):
        expected = stats.t.interval(0.9, 39, loc=VALUES[:, s].mean(), scale=stats.sem(VALUES[:, s]))
        assert (low[s], high[s]) == pytest.approx(expected)


def test_the_interval_of_the_median_is_scipys_on_the_same_resamples():
    values = np.random.default_rng(8).beta(1, 4, (30, 3))
    low, high = summary_interval(values, "median", confidence=0.9, samples=999, seed=5)
    for s in range(3):
        found = stats.bootstrap(
            (values[:, s],),
            np.median,
            n_resamples=999,
            confidence_level=0.9,
            method="percentile",
            rng=np.random.default_rng(5),
        ).confidence_interval
        assert (low[s], high[s]) == pytest.approx((found.low, found.high), abs=1e-12)


@pytest.mark.parametrize("how", ["geometric", "harmonic", "geometric_threshold"])
def test_the_studentised_interval_is_that_of_the_transformed_scores(how):
    values = np.random.default_rng(8).beta(2, 3, (12, 3))
    low, high = summary_interval(values, how, confidence=0.9, samples=999, seed=5)
    mean = MEANS[how]
    drawn = np.random.Generator(np.random.PCG64(5)).integers(0, 12, size=(999, 12))
    for s in range(3):
        x = mean.forward(values[:, s], mean.eps or 0.0)
        t = (x[drawn].mean(axis=1) - x.mean()) / stats.sem(x[drawn], axis=1)
        half = np.sort(np.abs(t))[-99] * stats.sem(x)  # the 99th of 999: with it, p = 100/1000 is not below .1
        ends = mean.inverse(np.minimum(x.mean() + np.array([-half, half]), x.max()), mean.eps or 0.0)
        assert (low[s], high[s]) == pytest.approx(ends, abs=1e-9)


UNITS = np.repeat(np.arange(12), [1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8])
RANDOM = np.random.default_rng(3)
GROUPED = 0.5 + 0.1 * (RANDOM.normal(size=(12, 2000))[UNITS] + RANDOM.normal(size=(38, 2000)))  #: mean .5


def test_intervals_of_groups_cover_where_those_of_topics_do_not():
    for units, least, most in ((None, 0.0, 0.8), (UNITS, 0.9, 0.96)):
        low, high = summary_interval(GROUPED, units=units)
        assert least < ((low < 0.5) & (high > 0.5)).mean() < most


@pytest.mark.parametrize("how", ["mean", "median", "geometric"])
def test_intervals_of_groups_of_one_are_those_of_topics(how):
    for alone, grouped in zip(*(summary_interval(VALUES, how, units=u) for u in (None, np.arange(40))), strict=True):
        assert (alone == grouped).all()


def test_an_interval_of_groups_draws_whole_groups():
    values = GROUPED[:, :2]
    low, high = summary_interval(values, "median", units=UNITS, samples=99, seed=5)
    means = summary_interval(values, units=UNITS)
    drawn = np.random.default_rng(5).integers(0, 12, size=(99, 12))
    for s in range(2):
        medians = [np.median(np.concatenate([values[g == UNITS, s] for g in row])) for row in drawn]
        assert (low[s], high[s]) == pytest.approx(tuple(np.quantile(medians, [0.025, 0.975])))
        away = [(values[g == UNITS, s] - values[:, s].mean()).sum() * 12 / 38 for g in range(12)]
        expected = stats.t.interval(0.95, 11, values[:, s].mean(), stats.sem(away))
        assert (means[0][s], means[1][s]) == pytest.approx(expected)


@pytest.mark.parametrize("how", ["mean", "median", "geometric"])
def test_an_interval_is_over_the_topics_that_a_system_has(how):
    values = GROUPED[:, :3].copy()
    values[3:9, 1] = values[20, 2] = np.nan
    for s, (low, high) in enumerate(zip(*summary_interval(values, how, units=UNITS), strict=True)):
        own = ~np.isnan(values[:, s])
        units = np.unique(UNITS[own], return_inverse=True)[1]
        assert (low, high) == tuple(end[0] for end in summary_interval(values[own][:, [s]], how, units=units))


@pytest.mark.parametrize(("topics", "how"), [(6, "geometric"), (15, "geometric"), (15, "harmonic")])
def test_studentised_intervals_cover_as_often_as_they_say(topics, how):
    """Nominal 95 %, within three standard errors, of harmonic means 90; percentiles covered 85 % on 6 topics."""
    covered = interval_coverage(topics, how, 500)
    assert covered >= (0.90 if how == "harmonic" else 0.95) - 3 * np.sqrt(0.05 * 0.95 / 500)


@pytest.mark.parametrize(("how", "fewest"), [("mean", 2), ("median", 6), ("geometric", 6), ("harmonic", 6)])
def test_few_topics_give_no_interval(how, fewest):
    for topics in (fewest - 1, fewest):
        known = [np.isfinite(end).all() for end in summary_interval(VALUES[:topics], how)]
        assert known == [topics == fewest] * 2


def test_extreme_scores_have_intervals_within_their_range():
    """Zeros without ε have none; a mean of many equal scores has none where resamples do not vary."""
    values = np.array([[0.0, 0.5, 1e-200, 1.0]] + [[0.5, 0.5, 0.5, 0.2]] * 7)
    for how in ("geometric", "harmonic"):
        low, high = summary_interval(values, how, eps=0.0)
        assert np.isnan([low[0], low[2], low[3]]).all() and low[1] == high[1] == 0.5
    low, high = summary_interval(np.random.default_rng(1).beta(0.2, 2, (6, 200)), "harmonic")
    known = np.isfinite(low)
    assert known.sum() > 100 and (low[known] >= 0).all() and (high[known] <= 1).all()


def test_equal_scores_have_a_point():
    for how in SUMMARIES:
        low, high = summary_interval(np.full((6, 2), 0.25), how)
        assert [*low, *high] == pytest.approx([0.25] * 4)


@pytest.mark.parametrize(
    "call",
    [
        lambda: summary_interval(VALUES, confidence=1.0),
    ],
)
def test_what_is_no_confidence_is_refused(call):
    refused(call)


@pytest.mark.parametrize("topics", [1, 2, 7, 64, 90])
def test_medians_of_subsets_are_those_of_each_by_itself(topics):
    rng = np.random.default_rng(topics)
    values, counts = rng.integers(0, 9, (2, topics, 3)) / 8, rng.integers(0, 3, (20, topics))
    counts[:, 0] += 1
    found = aggregate_subsets(values, counts, "median")
    for n, chosen in enumerate(counts):
        assert np.array_equal(found[:, n], np.median(np.repeat(values, chosen, axis=1), axis=1))
