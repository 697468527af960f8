"""What the best runs show on top: counts by hand."""

from __future__ import annotations

import numpy as np

from irviz.collection.codes import BEYOND, UNJUDGED
from irviz.collection.model import Collection
from irviz.stats.best_runs import best_runs
from tests.refusals import refused

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
    assert refused(lambda: best_runs(runs([0]), ["P@1"], ranks=0)) == "`ranks` must be at least 1; got 0."
