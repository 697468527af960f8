"""Multi-aspect diagnostics: the example of Maistro et al. 2021, section 4.2, and counts by hand."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from irviz.analysis.diagnostics import best_runs, ideal_rankings, upper_bounds
from irviz.collection.model import ABSENT, BEYOND, UNJUDGED, Collection
from irviz.errors import IrvizError
from irviz.scores import score

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


def test_ideal_rankings_of_the_example():
    ideal = ideal_rankings(EXAMPLE)
    assert dict(zip(ideal.systems, ideal.ranking[0].tolist(), strict=True)) == {
        "relevance > correctness": [1, 2, 0],
        "correctness > relevance": [0, 1, 2],
        "sum": [1, 0, 2],
        "sum of squares": [1, 2, 0],
        "highest": [1, 2, 0],
    }


def test_cam_cannot_reach_one_and_the_strategies_find_its_maximum():
    """Table 3: no ranking has a CAM above .9073; each aspect by itself reaches 1."""
    bounds = upper_bounds(EXAMPLE, BOTH)
    assert bounds.best.to_numpy().tolist() == [[1.0, 1.0]]
    cam = bounds.scores.values.mean(axis=0)
    everything = score(EXAMPLE, BOTH).values.mean(axis=0)
    assert f"{cam.max():.4f}" == f"{everything.max():.4f}" == "0.9073"


def test_bounds_in_one_table():
    frame = upper_bounds(EXAMPLE, BOTH[:1]).frame()
    assert frame.to_dict("records") == [
        {"measure": BOTH[0], "lowest": 1, "mean": 1, "highest": 1, "reaches_one": 1, "below": 0}
    ]


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
    with pytest.raises(IrvizError) as error:
        ideal_rankings(many)
    assert str(error.value) == (
        "Ideal rankings try every order of the aspects; 7 aspects have too many. Load at most 6."
    )


def runs(*rankings, labels=LABELS):
    return replace(
        EXAMPLE,
        systems=tuple(f"s{i}" for i in range(len(rankings))),
        ranking=np.array([rankings], dtype=np.int32),
        labels=labels,
    )


def test_the_best_run_is_looked_at_rank_by_rank():
    c = runs([1, UNJUDGED, 0, BEYOND], [UNJUDGED, 0, 2, 1])
    r = best_runs(c, ["P@1"], ranks=4)  # s0 has a relevant document first
    assert r.documents.tolist() == [[1, 1, 1, 0]]
    assert r.zeros.tolist() == [[0, 1, 0, 0]]  # the unjudged one
    assert r.label_sums.tolist() == [[4, 0, 3, 0]]
    assert r.zero_aspect(3).to_dict("list") == {
        "rank": [1, 2, 3, "1-3"],
        "measure": ["P@1"] * 4,
        "count": [0, 1, 0, 1],
        "percent": [0, pytest.approx(100 / 3), 0, pytest.approx(100 / 3)],
    }
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
    with pytest.raises(IrvizError) as error:
        best_runs(EXAMPLE, ["P@1"], ranks=0)
    assert str(error.value) == "`ranks` must be at least 1; got 0."
