"""Topic and system filters: the rules of Ferrante et al. 2014, section 6."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from irviz.collection.codes import ABSENT, BEYOND, UNJUDGED
from irviz.collection.model import Collection
from irviz.stats.bounds import best_runs
from irviz.stats.scores import Scores
from irviz.stats.topic_effects import (
    above_first_quartile,
    by_hardness,
    few_highly_relevant,
    hardness,
    standardise,
    standardised_scores,
    topic_hardness,
)
from tests.refusals import refused


def judged(*counts):
    """A collection whose topics have these numbers of documents at levels 1, 2, 3."""
    size = max(sum(c) for c in counts)
    labels = np.full((len(counts), size, 1), ABSENT, dtype=np.int16)
    for t, c in enumerate(counts):
        labels[t, : sum(c), 0] = np.repeat([1, 2, 3], c)
    names = tuple(f"t{i}" for i in range(len(counts)))
    ranking = np.zeros((len(counts), 1, 1), dtype=np.int32)
    return Collection("c", names, ("s",), ("relevance",), ((0.0, 1.0, 2.0, 3.0),), ranking, labels)


COLLECTION = judged((20, 2, 1), (20, 3, 0), (19, 2, 2), (30, 0, 3), (40, 1, 4))


def test_few_highly_relevant_and_few_key():
    assert few_highly_relevant(COLLECTION) == ("t0", "t4")  # t3 has none at all: R(2) ≠ 0 fails
    assert few_highly_relevant(COLLECTION, level=3) == ("t0", "t3", "t4")


def test_few_highly_relevant_needs_a_higher_level():
    binary = Collection("b", ("t",), ("s",), ("r",), ((0.0, 1.0),), COLLECTION.ranking[:1], COLLECTION.labels[:1])
    refused(lambda: few_highly_relevant(binary))
    refused(lambda: few_highly_relevant(COLLECTION, level=4))


def test_quarters_by_hardness_part_the_topics():
    matrix = pd.DataFrame(np.random.default_rng(0).random((10, 5)), index=[f"t{i}" for i in range(10)])
    quarters = [by_hardness(matrix, q) for q in (1, 2, 3, 4)]
    assert sorted(sum(quarters, ())) == sorted(matrix.index)
    assert [len(q) for q in quarters] == [3, 3, 2, 2]
    hard = hardness(matrix)
    assert all(hard[list(a)].max() <= hard[list(b)].min() for a, b in zip(quarters, quarters[1:], strict=False))
    refused(lambda: by_hardness(matrix, 0))


@pytest.mark.parametrize(("systems", "kept"), [(95, 71), (74, 55), (27, 20)])
def test_systems_above_the_first_quartile_as_many_as_in_table_1(systems, kept):
    scores = np.random.default_rng(systems).random((5, systems))
    matrix = pd.DataFrame(scores, columns=[f"s{i}" for i in range(systems)])
    chosen = above_first_quartile(matrix)
    assert len(chosen) == kept
    dropped = [s for s in matrix.columns if s not in chosen]
    assert matrix[dropped].mean().max() < matrix[list(chosen)].mean().min()


def test_nobody_is_below_the_quartile_when_all_tie():
    assert above_first_quartile(pd.DataFrame(np.full((3, 4), 0.5), columns=list("abcd"))) == tuple("abcd")


# Standardised scores and topic hardness: definitions, and topics that say nothing.


MATRIX = pd.DataFrame(np.random.default_rng(5).random((6, 4)), index=[f"t{i}" for i in range(6)], columns=list("abcd"))


def test_agrees_with_scipy():
    z = stats.zscore(MATRIX.to_numpy(), axis=1, ddof=1)
    ours = standardise(MATRIX)
    np.testing.assert_allclose(ours, stats.norm.cdf(z), atol=1e-14)
    np.testing.assert_allclose(standardise(MATRIX, cdf=False), z, rtol=1e-12)
    assert list(ours.index) == list(MATRIX.index) and list(ours.columns) == list("abcd")


def test_a_topic_without_spread_is_one_half_even_when_its_mean_rounds():
    row = pd.DataFrame([[0.1, 0.1, 0.1]], columns=list("abc"))
    assert row.to_numpy().mean() != 0.1  # the trap: rounding of the mean alone would give z = 0.8
    assert standardise(row).to_numpy().tolist() == [[0.5, 0.5, 0.5]]
    assert standardise(row, cdf=False).to_numpy().tolist() == [[0.0, 0.0, 0.0]]


def test_cube_is_standardised_measure_by_measure():
    cube = Scores(np.stack([MATRIX, MATRIX**2]), ("m1", "m2"), tuple(MATRIX.index), tuple("abcd"))
    ours = standardised_scores(cube)
    pd.testing.assert_frame_equal(ours["m2"], standardise(MATRIX**2), check_names=False)


def test_hardness_by_definition():
    x = MATRIX.to_numpy()
    np.testing.assert_allclose(hardness(MATRIX), (x.max(1) - x.mean(1)) / x.std(1, ddof=1))
    np.testing.assert_allclose(hardness(MATRIX, "mean"), 1 - x.mean(1))
    np.testing.assert_allclose(hardness(MATRIX, "max"), 1 - x.max(1))
    assert hardness(MATRIX).index.tolist() == MATRIX.index.tolist()


def test_nothing_surprises_on_a_constant_topic():
    assert topic_hardness(np.full((2, 3), 0.1)).tolist() == [0.0, 0.0]


def test_refusals():
    refused(lambda: hardness(MATRIX, "difficulty"))
    refused(lambda: standardise(MATRIX.replace(MATRIX.iloc[1, 2], np.inf)))


@pytest.mark.parametrize("size", [1e308, 1e-160, 1e-300])
def test_scores_of_any_size_are_standardised_alike(size: float):
    scores = pd.DataFrame([[0.1, 0.4, 0.7, 1.0], [0.5, 0.25, 0.25, 1.0]])
    assert standardise(scores * size).to_numpy() == pytest.approx(standardise(scores).to_numpy(), rel=1e-14)
    assert hardness(scores * size).to_numpy() == pytest.approx(hardness(scores).to_numpy(), rel=1e-14)


# What the best runs show on top: counts by hand.


# d1, d2, d3: (marginally relevant, correct), (highly relevant, partially correct), (highly relevant, not correct)
LABELS = np.array([[[1, 2], [3, 1], [3, 0]]], dtype=np.int16)


def runs(*rankings, labels=LABELS):
    names = tuple(f"s{i}" for i in range(len(rankings)))
    grades = ((0.0, 5.0, 10.0, 15.0), (0.0, 5.0, 10.0))
    aspects, lists = ("relevance", "correctness"), np.array([rankings], dtype=np.int32)
    return Collection("section 3.4", ("t",), names, aspects, grades, lists, labels)


def test_the_best_run_is_looked_at_rank_by_rank():
    c = runs([1, UNJUDGED, 0, BEYOND], [UNJUDGED, 0, 2, 1])
    r = best_runs(c, ["P@1"], ranks=4)  # s0 has a relevant document first
    assert r.documents.tolist() == [[1, 1, 1, 0]]
    assert r.zeros.tolist() == [[0, 1, 0, 0]]  # the unjudged one
    assert r.label_sums.tolist() == [[4, 0, 3, 0]]
    assert r.quality(2).to_dict("list") == {
        "ranks": ["1-2", "3-4"],
        "measure": ["P@1"] * 2,
        "mean_label_sum": [2.0, 3.0],
    }


def test_tied_best_runs_share():
    c = runs([1, 2, UNJUDGED], [0, UNJUDGED, UNJUDGED], [UNJUDGED, 0, 1])
    r = best_runs(c, ["P@1"], ranks=2)
    assert r.documents.tolist() == [[1, 1]]
    assert r.zeros.tolist() == [[0, 0.5]]
    assert r.label_sums.tolist() == [[3.5, 1.5]]


def test_nothing_judged_is_all_zero():
    c = runs([UNJUDGED, UNJUDGED], labels=np.zeros((1, 0, 2), dtype=np.int16))
    r = best_runs(c, ["P@1"], ranks=2)
    assert r.zeros.tolist() == [[1, 1]]
    assert r.label_sums.tolist() == [[0, 0]]


def test_ranks_must_be_positive():
    refused(lambda: best_runs(runs([0]), ["P@1"], ranks=0))


def test_topics_that_are_equally_hard_but_for_rounding_stay_in_their_given_order():
    row = np.array([0.1, 0.2, 0.3, 0.7])
    scores = np.stack([row, 3 * row, row[::-1], 7 * row])
    assert len(set(topic_hardness(scores).tolist())) == 1
    assert by_hardness(pd.DataFrame(scores, index=list("wxyz")), 1) == ("w",)
    noise = np.full((1, 4), 0.63) * (1 + np.array([0, 1, 2, 0]) * 2.0**-52)
    assert topic_hardness(noise).tolist() == [0.0]
