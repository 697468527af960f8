"""Similarity: labels, intervals, what is undefined, and the total orders' exact sums."""

from __future__ import annotations

import csv
import itertools
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from irviz.stats import correlation
from irviz.stats.aggregate import SUMMARIES, summarise
from irviz.stats.consistency import consistency
from irviz.stats.correlation import (
    COEFFICIENTS,
    kendall_tau,
    min_ranks,
    paired_tau,
    pearson,
    spearman,
    tau_ap,
    tie_sizes,
)
from irviz.stats.scales import scale_type
from irviz.stats.scores import Scores
from irviz.stats.significance import significance
from irviz.stats.similarity import correlation_interval, similarity, top_agreement
from tests.refusals import refused

RNG = np.random.default_rng(11)


def cube(values, exact=None):
    values = np.array(values, dtype=float)
    names = [tuple(f"{letter}{i}" for i in range(n)) for letter, n in zip("MTS", values.shape, strict=True)]
    return Scores(values, *names, exact or {})


@pytest.mark.parametrize("summary", SUMMARIES)
def test_overall_is_tau_of_the_summaries(summary):
    s = cube(RNG.random((3, 8, 15)))
    r = similarity(s, summary=summary)
    ranked = [summarise(s[m], summary) for m in s.measures]
    for i, j in itertools.product(range(3), repeat=2):
        assert r.values[i, j] == pytest.approx(stats.kendalltau(ranked[i], ranked[j]).statistic)
    assert r.per_topic is None
    assert r.topics_defined.tolist() == [[8] * 3] * 3


def test_by_topic_is_the_mean_where_defined():
    values = RNG.random((2, 6, 10))
    values[0, 2] = 0.5
    r = similarity(cube(values), by="topic")
    taus = [stats.kendalltau(values[0, t], values[1, t]).statistic for t in range(6) if t != 2]
    assert r.per_topic.shape == (6, 2, 2)
    assert np.isnan(r.per_topic[2, 0]).all()
    assert r.per_topic[2, 1, 1] == 1.0
    assert r.values[0, 1] == pytest.approx(np.mean(taus))
    assert r.topics_defined.tolist() == [[5, 5], [5, 6]]
    low, high = stats.t.interval(0.95, 4, np.mean(taus), stats.sem(taus))
    assert (r.low[0, 1], r.high[0, 1]) == pytest.approx((low, high))
    assert r.constant == ()


def test_only_measures_that_are_constant_themselves_are_counted_as_such():
    values = RNG.random((3, 4, 6))
    values[1, 2] = 0.4
    r = similarity(cube(values), by="topic")
    assert (r.topics_defined < 4).any(axis=1).tolist() == [True, True, True]  # beside it every measure lacks a topic
    assert r.sometimes_constant == ("M1",)


def test_a_measure_that_ties_all_systems_is_named():
    values = RNG.random((2, 4, 7))
    values[1] = 0.3
    for by in ("overall", "topic"):
        r = similarity(cube(values), by=by)
        assert r.constant == ("M1",)
        assert np.isnan(r.values[1]).all() and np.isnan(r.low[1]).all() and np.isnan(r.high[1]).all()
        assert r.values[0, 0] == 1.0


def test_means_that_differ_by_rounding_only_tie():
    # both systems hold 0.1, 0.2 and 0.3, in another order: their sums differ in the last bit
    values = np.array([[[0.1, 0.3, 0.9], [0.2, 0.2, 0.9], [0.3, 0.1, 0.9]]])
    other = np.array([[[0.5, 0.5, 0.9]] * 3])
    assert len(set(values[0].mean(axis=0))) == 3
    assert similarity(cube(np.concatenate([values, other]))).values[0, 1] == 1.0


def test_total_orders_are_ranked_by_exact_scores_and_sums():
    big = 2**200
    exact = np.array([[big, big + 1, big + 2], [3, 2, 1]], dtype=object)  # sums big+3, big+3, big+3 topic by topic not
    doubles = np.array(exact / (big + 2), dtype=float)
    plain = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    s = cube([doubles, plain], {"M0": exact})
    topic = similarity(s, by="topic").per_topic
    assert topic[0, 0, 1] == 1.0  # doubles alone would tie all three
    assert similarity(s).constant == ("M0", "M1")
    assert similarity(cube([doubles, plain]), by="topic").topics_defined[0, 1] == 1


def test_published_intervals_recompute(tables):
    """Chen & Sakai 2023, Figure 1: Fieller's intervals of 39 runs (WWW3) and 38 (TR19DL), printed to three decimals."""
    with open(tables / "cwla_similarity.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["ci_low"]]
    assert len(rows) > 80
    for row in rows:
        low, high = correlation_interval(np.array(float(row["tau"])), {"WWW3": 39, "TR19DL": 38}[row["collection"]])
        # two printed roundings: of τ going in, of the limit coming out
        assert (low, high) == pytest.approx((float(row["ci_low"]), float(row["ci_high"])), abs=0.0012)


@pytest.mark.parametrize(("coefficient", "least"), [("tau", 5), ("pearson", 4), ("spearman", 4)])
def test_interval_needs_enough_systems(coefficient, least):
    assert np.isnan(correlation_interval(np.array(0.3), least - 1, coefficient)).all()
    low, high = correlation_interval(np.array(0.3), least, coefficient)
    assert -1 < low < 0.3 < high < 1


@pytest.mark.parametrize("coefficient", ["tau", "pearson", "spearman"])
def test_a_perfect_correlation_has_no_interval(coefficient):
    """A point would say that no other systems could disagree, of five as of fifty."""
    low, high = correlation_interval(np.array([1.0, -1.0, 0.5]), 20, coefficient)
    assert np.isnan(low[:2]).all() and np.isnan(high[:2]).all() and low[2] < 0.5 < high[2]


def test_pearson_interval_agrees_with_scipy():
    x, y = RNG.random((2, 30))
    result = stats.pearsonr(x, y)
    assert correlation_interval(np.array(result.statistic), 30, "pearson") == pytest.approx(
        tuple(result.confidence_interval())
    )


def test_tau_ap_has_no_published_interval():
    r = similarity(cube(RNG.random((2, 5, 9))), coefficient="tau_ap")
    assert np.isnan(r.low).all() and np.isnan(r.high).all()
    assert np.isfinite(r.values).all()


@pytest.mark.parametrize("by", ["overall", "topic"])
@pytest.mark.parametrize(("coefficient", "reference"), [("tau", stats.kendalltau), ("pearson", stats.pearsonr)])
def test_at_the_top_are_the_systems_of_the_row(by, coefficient, reference):
    values = RNG.random((3, 6, 12))
    values[0, :, 4] = values[0, :, np.argsort(-values[0].mean(axis=0))[4]]  # a tie at the end
    r = similarity(cube(values), by=by, coefficient=coefficient, top=5)
    means = values.mean(axis=1)
    for i, j in itertools.product(range(3), repeat=2):
        kept = means[i] >= np.sort(means[i])[-5] - 1e-12
        rows = [means] if by == "overall" else [values[:, t] for t in range(6)]
        found = [reference(row[i, kept], row[j, kept]).statistic for row in rows]
        assert r.values[i, j] == pytest.approx(np.mean(found))
        assert r.systems_compared[i, j] == kept.sum()
    np.testing.assert_array_equal(
        similarity(cube(values), by=by, coefficient=coefficient, top=12).values,
        similarity(cube(values), by=by, coefficient=coefficient).values,
    )
    assert "top" in refused(lambda: similarity(cube(values), top=1))


def test_top_agreement_counts_ties_with_the_last():
    a = pd.Series({"d": 0.1, "a": 0.9, "b": 0.3, "c": 0.1 + 0.2, "e": 0.0})
    b = pd.Series({"a": 5.0, "b": 7.0, "c": 6.0, "d": 2.0, "e": 3.0})
    found = top_agreement(a, b)
    assert (found.k.tolist(), found.systems.tolist()) == ([2, 3, 4, 5], [3, 3, 4, 5])
    ranked, scores = [4, 3, 3, 2, 1], [5, 7, 6, 2, 3]
    taus = [stats.kendalltau(ranked[:n], scores[:n]).statistic for n in (3, 3, 4, 5)]
    assert found.tau.tolist() == pytest.approx(taus)
    for other in (b.drop("e"), b.replace(7.0, np.nan), [2], b.astype(str), pd.concat([b, b])):
        refused(partial(top_agreement, a, other))


@pytest.mark.parametrize(
    "change",
    [
        {"by": "topics"},
        {"coefficient": "taub"},
        {"confidence": 95},
        {"confidence": "95%"},
        {"summary": "sum"},
    ],
)
def test_refusals(change):
    refused(lambda: similarity(cube(RNG.random((2, 5, 9))), **change))


@pytest.mark.parametrize("analysis", [similarity, consistency])
def test_what_is_no_cube_of_scores_is_refused(analysis):
    refused(lambda: analysis(pd.DataFrame({"a": [0.5], "b": [0.25]})))


def test_results_cannot_be_written_to():
    scores = cube(RNG.random((2, 6, 5)))
    found = [similarity(scores), similarity(scores, by="topic"), consistency(scores, trials=3)]
    found += [significance(scores[scores.measures[0]], trials=5), scale_type("AP", grades=2, depth=3)]
    for result in found:
        arrays = [value for value in vars(result).values() if isinstance(value, np.ndarray)]
        assert arrays
        assert not any(array.flags.writeable for array in arrays)
        with pytest.raises(AttributeError):
            result.values = None


def test_one_system_and_infinite_scores_are_refused():
    refused(lambda: similarity(cube(RNG.random((2, 5, 1)))))
    holed = RNG.random((2, 5, 3))
    holed[1, 4, 2] = np.inf
    for by in ("overall", "topic"):
        refused(lambda by=by: similarity(cube(holed), by=by))


# Correlations against their definitions, counted pair by pair.


def tied(shape, seed=0, steps=5):
    return np.random.default_rng(seed).integers(0, steps, shape) / steps


def tau_ap_by_ranks(reference, judged):
    """Yilmaz et al. 2008: walk down the judged ranking, count who is rightly above."""
    shares = []
    for i in range(len(judged)):
        above = [j for j in range(len(judged)) if judged[j] > judged[i]]
        right = sum((1 + np.sign(reference[j] - reference[i])) / 2 for j in above)
        shares += [right / len(above)] if above else []
    return 2 * np.mean(shares) - 1


@pytest.mark.parametrize("steps", [5, 10**6])
def test_tau_ap_rows_are_the_reference(steps):
    x = tied((4, 11), 1, steps)
    ours = tau_ap(x)
    for i, j in itertools.product(range(4), repeat=2):
        assert ours[i, j] == pytest.approx(tau_ap_by_ranks(x[i], x[j]), abs=1e-14)


def test_tau_ap_by_hand():
    # judged order b a c d against a b c d: shares 0/1, 2/2, 3/3, hence 2·(2/3) − 1 = 1/3;
    # the same swap at the bottom, a b d c: 1/1, 2/2, 2/3, hence 7/9.
    truth, top, bottom = [4, 3, 2, 1], [3, 4, 2, 1], [4, 3, 1, 2]
    ours = tau_ap(np.array([truth, top, bottom], dtype=float))
    assert ours[0, 1] == pytest.approx(1 / 3)
    assert ours[0, 2] == pytest.approx(7 / 9)
    crossed = tau_ap(np.array([[5, 4, 3, 2, 1], [3, 5, 2, 4, 1]], dtype=float))
    assert crossed[0, 1] != crossed[1, 0]


@pytest.mark.parametrize("name", list(COEFFICIENTS))
def test_identity_reversal_and_constant(name):
    x = np.array([[1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], [0.1, 0.1, 0.1, 0.1]])
    ours = COEFFICIENTS[name].all_pairs(x)
    np.testing.assert_allclose(ours[:2, :2], [[1, -1], [-1, 1]], atol=1e-15)
    assert np.isnan(ours[2]).all() and np.isnan(ours[:, 2]).all()


@pytest.mark.parametrize("name", list(COEFFICIENTS))
@pytest.mark.parametrize("systems", [2, 13, 300])
def test_row_by_row_is_the_diagonal_of_all_pairs(name, systems):
    x, y = tied((2, 5, systems), 2, 7), tied((2, 5, systems), 3, 9)
    x[0, 0] = 0.25
    full = COEFFICIENTS[name].all_pairs(np.concatenate([x, y], axis=1))
    expected = full[:, np.arange(5), 5 + np.arange(5)]
    np.testing.assert_allclose(COEFFICIENTS[name].row_by_row(x, y), expected, atol=1e-12)


def test_chunks_do_not_change_a_thing(monkeypatch):
    x = tied((3, 4, 40))
    whole = [kendall_tau(x), tau_ap(x)]
    monkeypatch.setattr(correlation, "CHUNK_BYTES", 1)
    for before, after in zip(whole, [kendall_tau(x), tau_ap(x)], strict=True):
        np.testing.assert_allclose(before, after, atol=1e-15)


def test_order_is_seen_where_differences_underflow():
    x = np.array([[1e-320, 2e-320, 3e-320], [1.0, 2.0, 3.0]])
    assert kendall_tau(x)[0, 1] == 1.0
    assert spearman(x)[0, 1] == 1.0
    assert pearson(x * [[1e150], [1.0]])[0, 1] == pytest.approx(1.0)


def test_inversions_of_many_systems_do_not_overflow():
    falling = np.arange(600.0)[::-1]
    assert paired_tau(np.arange(600.0)[None], falling[None]).tolist() == [-1.0]


def test_sizes_of_ties_and_a_tolerance_for_each_row():
    assert tie_sizes(np.array([[0.2, 0.5, 0.2, 0.9], [1.0, 1.0, 1.0, 1.0]])).tolist() == [2, 1, 1, 4]
    x = np.array([[0.0, 0.1, 0.25], [0.0, 0.1, 0.25]])
    assert min_ranks(x, np.array([0.0, 0.12])).tolist() == [[0, 1, 2], [0, 0, 2]]
