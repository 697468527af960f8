"""How high measures get: the example of Maistro et al. 2021, section 4.2, and every order of small pools."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import irviz
from irviz.collection.codes import ABSENT, BEYOND, NEGATIVE
from irviz.collection.model import Collection
from irviz.measures import measure
from irviz.stats import bounds as limits
from irviz.stats.bounds import Task, ideal_rankings, take_apart, upper_bounds
from irviz.stats.scores import score
from tests.refusals import refused

# D = {d1, d2, d3}: (marginally relevant, correct), (highly relevant, partially correct), (highly relevant, not correct)
LABELS = np.array([[[1, 2], [3, 1], [3, 0]]], dtype=np.int16)
ORDERS = list(itertools.permutations(range(3)))
EXAMPLE = Collection(
    "section 3.4",
    ("t",),
    tuple("".join(f"d{i + 1}" for i in order) for order in ORDERS),
    ("relevance", "correctness"),
    ((0.0, 5.0, 10.0, 15.0), (0.0, 5.0, 10.0)),
    np.array([ORDERS], dtype=np.int32),
    LABELS,
)
BOTH = ("nDCG(aspect='relevance')", "nDCG(aspect='correctness')")


def every_order(aspects, seed, documents=6, topics=4):
    """Small pools, and all orders of each as its runs."""
    rng = np.random.default_rng(seed)
    labels = rng.choice([NEGATIVE, 0, 0, 1, 2], (topics, documents, aspects)).astype(np.int16)
    labels[0, -2:] = ABSENT  # topics differ in size
    labels[1, :, 0] = 0  # nothing relevant on the first aspect
    orders = np.array(list(itertools.permutations(range(documents))), dtype=np.int32)
    ranking = np.tile(orders, (topics, 1, 1))
    ranking[0][ranking[0] >= documents - 2] = BEYOND
    ranking[0] = np.take_along_axis(ranking[0], np.argsort(ranking[0] == BEYOND, axis=1, kind="stable"), axis=1)
    systems = tuple(f"order{i}" for i in range(len(orders)))
    names = tuple(f"a{i}" for i in range(aspects))
    grades = ((0.0, 1.0, 2.0),) * aspects
    return Collection("pools", tuple(f"t{i}" for i in range(topics)), systems, names, grades, ranking, labels)


POOLS = {aspects: [every_order(aspects, seed) for seed in range(2)] for aspects in (1, 2, 3)}
SOLVED = (
    "CAM(nDCG)",
    "CAM(P@2)",
    "CAM(Rprec)",
    "CAM(RBP(p=0.8))",
    "CAM(AP)",
    "CAM(AP@3)",
    "CAM(F@3)",
    "CAM(gR@2)",
    "CAM(AP,binary=True)",
)
SEARCHED = (
    "MM(nDCG)",
    "MM(AP)",
    "MM(P@2)",
    "MM(Rprec)",
    "CAM(RR)",
    "CAM(ERR@4)",
    "MM(Bpref)",
    "CAM(GAP(g=[0.3,0.7]))",
    "MM(nDCG,binary=True)",
    "CAM(ERR@4,binary=True)",
)
WHOLE = ("AP", "nDCG@3", "TOMA(nDCG)", "TOMA(AP)", "ERR", "DCG@4", "P")


@pytest.mark.parametrize("aspects", [2, 3])
@pytest.mark.parametrize("name", SOLVED)
def test_where_theory_gives_the_maximum_it_is_that_of_all_orders(name, aspects):
    for c in POOLS[aspects]:
        bounds = upper_bounds(c, [name])
        assert bounds.exact.all()
        np.testing.assert_allclose(bounds.highest[0], score(c, name).values[0].max(axis=1), atol=1e-12)


@pytest.mark.parametrize("aspects", [2, 3])
@pytest.mark.parametrize("name", SEARCHED)
def test_elsewhere_the_search_finds_it_in_small_pools_and_no_order_exceeds_the_limit(name, aspects):
    for c in POOLS[aspects]:
        bounds, highest = upper_bounds(c, [name]), score(c, name).values[0].max(axis=1)
        np.testing.assert_allclose(bounds.highest[0], highest, atol=1e-12)
        assert (bounds.limit[0] >= highest - 1e-12).all()
        assert (bounds.exact == (bounds.limit <= bounds.highest + 1e-9)).all()


@pytest.mark.parametrize("name", WHOLE)
def test_a_measure_of_one_list_gets_as_high_as_its_own_order(name):
    for c in POOLS[1] if not name.startswith("TOMA") else POOLS[2]:
        bounds, highest = upper_bounds(c, [name]), score(c, name).values[0].max(axis=1)
        np.testing.assert_allclose(bounds.highest[0], highest, atol=1e-12)
        assert (bounds.limit[0] >= highest - 1e-12).all()


@pytest.mark.parametrize("name", [*SOLVED, "nDCG(dcg='exp-log2')@3", "DCG@4", "gP@3", "R@2"])
def test_additive_measures_are_sums_of_weights_and_worths(name):
    """The promise of `additive`, and the parts of average precision, on every order."""
    c = POOLS[2][1]
    for t in range(len(c.topics)):
        task = Task(c, t, measure(name))
        form = take_apart(task)
        orders = [row[row != BEYOND].astype(np.intp) for row in c.ranking[t, ::37]]
        ours = [task.mean(form.values(order)[:, None])[0] for order in orders]
        np.testing.assert_allclose(ours, score(c, name).values[0, t, ::37], atol=1e-12)


def test_topic_29_of_the_bundled_collection():
    """One exchange lifts the best ideal ranking's CAM(AP) from .8611 to .9444."""
    c = irviz.open_collection("multiaspect").subset(topics=["29"])
    bounds = upper_bounds(c, ["CAM(AP)"])
    assert f"{bounds.scores.values.max():.4f}" == "0.8611"
    assert f"{bounds.highest[0, 0]:.4f}" == "0.9444"
    assert bounds.exact.all()


def test_with_too_many_states_average_precisions_are_bounded_pair_by_pair(monkeypatch):
    c = irviz.open_collection("multiaspect")
    c = c.subset(topics=c.topics[:6])
    solved = upper_bounds(c, ["CAM(AP)"])
    monkeypatch.setattr(limits, "STATES", 0)
    bounded = upper_bounds(c, ["CAM(AP)"])
    assert solved.exact.all() and not bounded.exact.all()
    np.testing.assert_allclose(bounded.highest, solved.highest)  # the search finds what the states prove
    assert (bounded.limit >= solved.highest - 1e-12).all() and (bounded.limit < 1).any()


def test_ideal_rankings_of_the_example():
    ideal = ideal_rankings(EXAMPLE)
    assert dict(zip(ideal.systems, ideal.ranking[0].tolist(), strict=True)) == {
        "relevance > correctness": [1, 2, 0],
        "correctness > relevance": [0, 1, 2],
        "sum": [1, 0, 2],
        "sum of squares": [1, 2, 0],
        "highest": [1, 2, 0],
    }


def test_cam_cannot_reach_one_and_its_maximum_is_found():
    """Table 3: no ranking has a CAM above .9073; each aspect by itself reaches 1."""
    bounds = upper_bounds(EXAMPLE, [*BOTH, "CAM(nDCG)"])
    assert bounds.best.to_numpy()[0, :2].tolist() == [1.0, 1.0]
    everything = score(EXAMPLE, BOTH).values.mean(axis=0)
    assert f"{bounds.highest[2, 0]:.4f}" == f"{everything.max():.4f}" == "0.9073"
    assert bounds.exact.all()


def test_a_topic_without_judged_documents_scores_0():
    c = EXAMPLE.with_labels(np.full_like(LABELS, ABSENT))
    bounds = upper_bounds(c, ["CAM(nDCG)", "MM(AP)", "CAM(ERR)"])
    assert bounds.highest.tolist() == [[0.0]] * 3 and bounds.exact.all()


def test_only_judged_documents_are_ranked_and_negative_grades_count_as_zero():
    labels = np.array([[[ABSENT, ABSENT], [-1, 2], [3, ABSENT]]], dtype=np.int16)
    ideal = ideal_rankings(EXAMPLE.with_labels(labels))
    assert ideal.ranking[0, 0].tolist() == [2, 1, BEYOND]
    assert ideal.ranking[0, 1].tolist() == [1, 2, BEYOND]


def test_too_many_aspects_are_refused():
    many = replace(
        EXAMPLE,
        aspects=tuple("abcdefg"),
        grades=((0.0, 1.0),) * 7,
        labels=np.zeros((1, 3, 7), dtype=np.int16),
    )
    refused(lambda: ideal_rankings(many))
