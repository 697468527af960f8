"""Identities of measures of several aspects, over random judged runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irviz
from irviz.collection.codes import ABSENT, BEYOND, UNJUDGED
from irviz.collection.model import Collection
from irviz.measures.judged_lists import Topics
from irviz.measures.toma import Space
from irviz.stats.incompleteness import residual

BASES = ("P@3", "R@3", "AP", "RR", "Rprec", "Bpref", "nDCG", "nDCG@3", "RBP(p=0.8)", "ERR", "gP@3", "gR@3")
DISTANCES = ("euclidean", "manhattan", "chebyshev")


@st.composite
def judged_runs(draw: Callable, aspects: int = 2, whole: bool = False) -> Collection:
    """Two topics, three runs; labels of every kind, unless all documents are to be judged on all aspects."""
    counts = draw(st.tuples(*[st.integers(2, 4)] * aspects))
    documents = draw(st.integers(1, 8))
    lowest = 0 if whole else ABSENT
    label = st.tuples(*(st.integers(lowest, count - 1) for count in counts))
    labels = draw(st.lists(st.lists(label, min_size=documents, max_size=documents), min_size=2, max_size=2))
    ranking = np.full((2, 3, 10), BEYOND, dtype=np.int32)
    for row in ranking.reshape(-1, 10):
        listed = draw(st.permutations([*range(documents), UNJUDGED, UNJUDGED]))[: draw(st.integers(1, documents + 2))]
        row[: len(listed)] = listed
    names = tuple(f"a{i}" for i in range(aspects))
    grades = tuple(tuple(map(float, range(count))) for count in counts)
    return Collection("drawn", ("1", "2"), ("x", "y", "z"), names, grades, ranking, np.array(labels, dtype=np.int16))


@settings(max_examples=40, deadline=None)
@given(
    judged_runs(aspects=1),
    st.sampled_from(BASES),
    st.sampled_from(DISTANCES),
    st.sampled_from(["product", "dependent"]),
)
def test_toma_on_one_aspect_is_the_measure_itself(c: Collection, base: str, distance: str, classes: str):
    toma = f"TOMA({base},distance='{distance}',classes='{classes}',weights='classes')"
    found = irviz.score(c, [base, toma]).values
    assert np.array_equal(found[0], found[1])


@settings(max_examples=40, deadline=None)
@given(judged_runs(), st.sampled_from(BASES), st.sampled_from(DISTANCES))
def test_documents_of_one_class_may_change_places(c: Collection, base: str, distance: str):
    measure = irviz.measure(f"TOMA({base},distance='{distance}')")
    swapped = c.ranking[:].copy()
    for t in range(2):
        level = np.append(measure.judged_lists(Topics(c, [t])).labels, [-9, -9])  # for ranks without one
        for row in swapped[t]:
            for one in np.unique(level):
                places = np.flatnonzero((row >= 0) & (level[row] == one))
                row[places] = row[places[::-1]]
    other = Collection(c.name, c.topics, c.systems, c.aspects, c.grades, swapped, c.labels)
    assert np.array_equal(irviz.score(c, measure).values, irviz.score(other, measure).values)


@settings(max_examples=40, deadline=None)
@given(judged_runs(whole=True), st.sampled_from(DISTANCES), st.sampled_from(["product", "dependent", "observed"]))
def test_the_order_of_classes_respects_the_partial_order(c: Collection, distance: str, classes: str):
    """Eq. (1): at least as good on every aspect is at least as good."""
    measure = irviz.measure(f"TOMA(nDCG,distance='{distance}',classes='{classes}')")
    labels, level = c.labels[0], measure.judged_lists(Topics(c, [0])).labels[0]
    above = (labels[:, None] >= labels[None]).all(axis=2)
    assert (level[:, None] >= level[None])[above].all()


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=4).map(sorted), min_size=2, max_size=3),
    st.integers(1, 999),
)
def test_classes_do_not_depend_on_where_the_embedding_starts_or_on_its_unit(lists: list[list[int]], by: int):
    """Tenths, shifted: doubles that only nearly keep the distances, and yet the same classes."""
    counts = tuple(map(len, lists))
    whole = tuple(tuple(map(float, xs)) for xs in lists)
    moved = tuple(tuple((x + by) / 10 for x in xs) for xs in lists)
    for distance in DISTANCES:
        assert len(Space(counts, distance, whole).distinct()) == len(Space(counts, distance, moved).distinct())


@settings(max_examples=40, deadline=None)
@given(judged_runs(), st.sampled_from(BASES))
def test_all_weight_on_one_aspect(c: Collection, base: str):
    first, *means = irviz.score(c, [base, f"CAM({base},p=[1,0])", f"MM({base},p=[1,0])"]).values
    assert np.array_equal(first, means[0])
    assert means[1] == pytest.approx(first)


@settings(max_examples=40, deadline=None)
@given(judged_runs(aspects=3), st.sampled_from(BASES), st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any))
def test_harmonic_at_most_arithmetic_between_the_extremes(c: Collection, base: str, counts: list[int]):
    p = [n / sum(counts) for n in counts]
    cam, mm = irviz.score(c, [f"CAM({base},p={p})", f"MM({base},p={p})"]).values
    parts = irviz.score(
        c, [f"{base[:-1]},aspect='{a}')" if base.endswith(")") else _on(base, a) for a in c.aspects]
    ).values
    counted = parts[[i for i, share in enumerate(p) if share > 0]]
    assert (mm <= cam + 1e-12).all()
    assert (counted.min(axis=0) - 1e-12 <= mm).all() and (cam <= counted.max(axis=0) + 1e-12).all()


def _on(base: str, aspect: str) -> str:
    name, *cut = base.split("@")
    return f"{name}(aspect='{aspect}')" + (f"@{cut[0]}" if cut else "")


@settings(max_examples=30, deadline=None)
@given(judged_runs(aspects=1), st.sampled_from(BASES))
def test_means_over_one_aspect_are_the_measure_itself(c: Collection, base: str):
    one, cam, mm = irviz.score(c, [base, f"CAM({base})", f"MM({base})"]).values
    assert cam == pytest.approx(one) and mm == pytest.approx(one)


@settings(max_examples=30, deadline=None)
@given(judged_runs(), st.sampled_from(["nDCG", "AP"]), st.sampled_from(DISTANCES))
def test_toma_reaches_one_at_its_ideal_ranking(c: Collection, base: str, distance: str):
    """Maistro et al. 2021, section 4.2: unlike CAM and MM, whose best ranking may score less."""
    measure = irviz.measure(f"TOMA({base},distance='{distance}')")
    ideal = np.stack([np.argsort(-measure.judged_lists(Topics(c, [t])).labels[0], kind="stable") for t in range(2)])
    best = Collection("ideal", c.topics, ("best",), c.aspects, c.grades, ideal[:, None].astype(np.int32), c.labels)
    scores = irviz.score(best, measure).values[0, :, 0]
    for t, value in enumerate(scores):
        assert value == pytest.approx(float(measure.judged_lists(Topics(c, [t])).labels.max() > 0))


@settings(max_examples=30, deadline=None)
@given(
    judged_runs(),
    st.sampled_from([*BASES, "TOMA(nDCG)", "CAM(AP)", "MM(RBP(p=0.8))", "TOMA(Bpref,classes='observed')"]),
)
def test_residuals_lie_between_zero_and_what_is_missing_to_one(c: Collection, measure: str):
    found, scores = residual(c, measure).values, irviz.score(c, measure).values
    assert (found >= 0).all() and (found + scores <= 1 + 1e-12).all()
    for t in range(2):
        doubtful = np.append((c.labels[t] == ABSENT).any(axis=1), [False, True])  # BEYOND, UNJUDGED
        assert (found[0, t, ~doubtful[c.ranking[t]].any(axis=1)] == 0).all()
