"""Reduced pools: the rules of Ferrante et al. 2019, section 5.4, and self-τ under them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irviz.collection.codes import ABSENT, NEGATIVE
from irviz.collection.model import Collection
from irviz.stats.incompleteness import (
    kept_count,
    pool_levels,
    pool_reduction,
    reduce_pool,
    stratified_sample,
    uniform_sample,
)
from irviz.stats.scores import score
from tests.refusals import refused

RATES = (0.9, 0.7, 0.5, 0.3, 0.1, 0.05)


def collection(topics=4, systems=6, documents=80, depth=40, aspects=1, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.choice([0, 0, 0, 0, 1, 1, 2, NEGATIVE], (topics, documents, aspects)).astype(np.int16)
    labels[0, 60:] = ABSENT  # topics differ in how much is judged
    ranking = np.stack([[rng.permutation(documents)[:depth] for _ in range(systems)] for _ in range(topics)]).astype(
        np.int32
    )
    ranking[0][ranking[0] >= 60] = -1
    return Collection(
        "tiny",
        tuple(f"t{i}" for i in range(topics)),
        tuple(f"s{i}" for i in range(systems)),
        tuple(f"a{i}" for i in range(aspects)),
        ((0.0, 1.0, 2.0),) * aspects,
        ranking,
        labels,
    )


def draw(function, c, rates=RATES, seed=0):
    return function(c, rates, np.random.default_rng(seed))


def test_stratified_counts_by_level():
    c = collection()
    levels = pool_levels(c)
    keep = draw(stratified_sample, c)
    for r, rate in enumerate(RATES):
        for t in range(4):
            for level in (0, 1, 2):
                d = (levels[t] == level).sum()
                least = 10 if level == 0 else 1
                assert keep[r, t][levels[t] == level].sum() == min(d, max(least, int(rate * d + 1e-9)))


def test_stratified_pools_are_nested_whatever_the_order_of_rates():
    keep = draw(stratified_sample, collection())
    for larger, smaller in zip(keep, keep[1:], strict=False):
        assert not (smaller & ~larger).any()
    backwards = draw(stratified_sample, collection(), RATES[::-1])
    np.testing.assert_array_equal(backwards[::-1], keep)


def test_every_judged_document_counts_as_one_and_nothing_else_does():
    c = collection(aspects=2)
    labels = c.labels[:].copy()
    labels[1, 0] = [ABSENT, 2]  # judged on the second aspect only: part of the pool, not relevant on the first
    labels[1, 1] = [NEGATIVE, 0]
    levels = pool_levels(c.with_labels(labels))
    assert levels[1, 0] == 0 and levels[1, 1] == 0
    assert (levels[0, 60:] == -1).all()
    for function in (stratified_sample, uniform_sample):
        keep = draw(function, c, (1.0,))
        np.testing.assert_array_equal(keep[0], pool_levels(c) >= 0)


def test_fewer_than_ten_not_relevant_documents_all_stay():
    c = collection()
    labels = np.where(np.arange(80)[None, :, None] < 7, 0, 1).astype(np.int16) * np.ones((4, 1, 1), np.int16)
    keep = draw(stratified_sample, c.with_labels(labels), (0.05,))
    assert keep[0, :, :7].all()
    assert (keep[0, :, 7:].sum(axis=1) == 3).all()  # ⌊0.05 · 73⌋


def test_uniform_sizes_and_a_relevant_document_in_every_sample():
    c = collection(documents=100)
    labels = np.zeros((4, 100, 1), dtype=np.int16)
    labels[:, 0] = 1  # one relevant document: a sample of five must often be drawn again
    keep = draw(uniform_sample, c.with_labels(labels))
    assert keep[:, :, 0].all()
    np.testing.assert_array_equal(keep.sum(axis=2), np.array([[90, 70, 50, 30, 10, 5]]).T * np.ones((1, 4)))


@pytest.mark.parametrize("level", [0, 1])
def test_uniform_pools_nest_where_nothing_is_drawn_again(level):
    """Because no document of a topic is relevant, or because all are."""
    keep = draw(uniform_sample, collection().with_labels(np.full((4, 80, 1), level, dtype=np.int16)))
    assert (keep.sum(axis=2)[-1] == 4).all()
    for larger, smaller in zip(keep, keep[1:], strict=False):
        assert not (smaller & ~larger).any()


@pytest.mark.parametrize("function", [stratified_sample, uniform_sample])
def test_every_document_is_as_likely_as_its_neighbours(function):
    c = collection(topics=1, documents=40)
    c = c.with_labels(np.where(np.arange(40) % 2, 0, 1).astype(np.int16)[None, :, None])
    generator = np.random.default_rng(1)
    share_kept = np.mean([function(c, (0.5,), generator)[0, 0] for _ in range(4000)], axis=0)
    np.testing.assert_allclose(share_kept, 0.5, atol=5 * np.sqrt(0.25 / 4000))


def test_a_dropped_document_is_unjudged_on_every_aspect():
    c = collection(aspects=2)
    keep = np.zeros((4, 80), dtype=bool)
    keep[:, 3] = True
    smaller = reduce_pool(c, keep)
    np.testing.assert_array_equal(smaller.labels[:, 3], c.labels[:, 3])
    assert (np.delete(smaller.labels, 3, axis=1) == ABSENT).all()
    assert smaller.labels[:].dtype == np.int16
    assert smaller.grades == c.grades


def test_share_is_a_floor_that_rounding_does_not_lower():
    cases = ((0.7, 10), (0.7, 90), (0.9, 10), (0.1, 9), (0.05, 100))
    assert [kept_count(*case) for case in cases] == [7, 63, 9, 0, 5]


def test_self_tau_is_tau_with_the_full_pool():
    c = collection(topics=8)
    r = pool_reduction(c, ["AP", "nDCG@10"], rates=(0.5,), seed=4)
    keep = stratified_sample(c, (0.5,), np.random.Generator(np.random.PCG64((4, 0))))[0]
    full, less = score(c, ["AP", "nDCG@10"]), score(reduce_pool(c, keep), ["AP", "nDCG@10"])
    for m, measure in enumerate(r.measures):
        expected = stats.kendalltau(full[measure].mean(), less[measure].mean()).statistic
        assert r.repeats[m, 0, 0] == pytest.approx(expected)
    assert r.judged.tolist() == [[keep.sum()]]
    assert r.full == 8 * 80 - 20


@pytest.mark.parametrize("method", ["stratified", "uniform"])
def test_the_whole_pool_correlates_perfectly(method):
    r = pool_reduction(collection(), ["AP", "P@10", "Bpref"], rates=(1.0,), method=method)
    assert r.tau.tolist() == [[1.0]] * 3


def test_more_repeats_leave_the_first_as_they_were_and_average():
    c = collection()
    few, many = (pool_reduction(c, ["AP"], repeats=n, seed=2) for n in (2, 4))
    np.testing.assert_array_equal(few.repeats, many.repeats[:, :, :2])
    np.testing.assert_allclose(many.tau, many.repeats.mean(axis=2))
    low, high = many.band(1.0)
    np.testing.assert_array_equal(low, many.repeats.min(axis=2))
    np.testing.assert_array_equal(high, many.repeats.max(axis=2))


def test_undefined_self_tau_is_left_out_of_mean_and_band():
    c = collection()
    r = pool_reduction(c.with_labels(np.zeros_like(c.labels)), ["AP"], rates=(0.5,), repeats=2)
    assert np.isnan(r.tau).all()  # nothing relevant: all systems score 0 under every pool
    assert np.isnan(r.band()[0]).all()


@pytest.mark.parametrize(
    "change",
    [
        {"method": "random"},
        {"rates": (50,)},
        {"rates": ()},
        {"rates": ("half",)},
        {"rates": 0.5},
        {"repeats": 0},
    ],
)
def test_refusals(change):
    refused(lambda: pool_reduction(collection(), ["AP"], **change))


def test_one_system_is_refused():
    refused(lambda: pool_reduction(collection(systems=1), "AP"))
