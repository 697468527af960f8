"""Residuals: closed forms, the same number from qrels that judge everything, pools and bounds."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.collection.codes import ABSENT, BEYOND, UNJUDGED
from irviz.collection.model import Collection
from irviz.stats.incompleteness import residual

GRADES = (0.0, 1.0, 2.0)


def collection(rows: list[list[int]], labels: list, grades: tuple[tuple[float, ...], ...] = (GRADES,)) -> Collection:
    """One topic: lists of document indices, and the labels of the documents."""
    depth = max(map(len, rows))
    ranking = np.full((1, len(rows), depth), BEYOND, dtype=np.int32)
    for s, row in enumerate(rows):
        ranking[0, s, : len(row)] = row
    systems = tuple(f"s{i}" for i in range(len(rows)))
    aspects = ("relevance", "trust")[: len(grades)]
    return Collection("test", ("1",), systems, aspects, grades, ranking, np.array([labels], dtype=np.int16))


def of(c: Collection, measure: str) -> list[float]:
    return residual(c, [measure]).values[0, 0].tolist()


def test_rbp_is_the_weight_of_the_unjudged_ranks():
    c = collection([[UNJUDGED, 0, UNJUDGED, 1], [0, 1], [UNJUDGED]], [(1,), (2,)])
    p = 0.8
    assert of(c, f"RBP(p={p})") == pytest.approx([(1 - p) * (1 + p**2), 0, 1 - p])
    assert of(c, f"RBP(p={p})@2") == pytest.approx([1 - p, 0, 1 - p])
    assert of(c, "P@4") == pytest.approx([0.5, 0, 0.25])


def test_ranks_beyond_the_list_hold_no_documents():
    c = collection([[0], [0, UNJUDGED]], [(2,)])
    assert of(c, "RBP(p=0.5)") == [0, 0.25]


def test_a_score_of_one_leaves_nothing():
    c = collection([[0, 1], [1, UNJUDGED]], [(1,), (1,)])
    assert of(c, "AP") == pytest.approx([0, 2 / 3 - 1 / 2])
    assert of(c, "nDCG")[0] == 0


def test_the_recall_base_grows_with_the_documents_of_the_run():
    """(unjudged, relevant) with one known relevant document: AP goes from 1/2 to (1 + 1)/2."""
    c = collection([[UNJUDGED, 0], [0, UNJUDGED], [UNJUDGED, UNJUDGED]], [(2,), (0,)])
    assert of(c, "AP") == pytest.approx([1 / 2, 0, 2 / 3])
    assert of(c, "R@2") == pytest.approx([0, 0, 2 / 3])
    assert of(c, "Bpref") == pytest.approx([0, 0, 2 / 3])


def test_it_is_never_negative():
    """Relevant first, unjudged last: judged relevant, it would cost recall more than it adds."""
    c = collection([[0, 1, 1, 1, UNJUDGED]], [(2,), (0,)])
    assert irviz.score(c, "AP").values.item() == 1
    assert of(c, "AP") == [0]  # (1 + 2/5)/2 − 1 < 0


def test_ideal_lists_grow_with_the_documents_of_the_run():
    c = collection([[0, UNJUDGED]], [(1,), (2,)])
    with_it = (1 + 2 / np.log2(3)) / (2 + 2 / np.log2(3) + 1 / 2)
    before = 1 / (2 + 1 / np.log2(3))
    assert of(c, "nDCG") == pytest.approx([with_it - before])


def judged_throughout(c: Collection, t: int, s: int) -> Collection:
    """One run of one topic, with every document of its list that lacks a judgment given the best one."""
    best = [len(grades) - 1 for grades in c.grades]
    labels, row = c.labels[t].tolist(), []
    for document in c.ranking[t, s].tolist():
        if document == UNJUDGED:
            document = len(labels)
            labels.append(best)
        elif document >= 0:
            labels[document] = [b if x == ABSENT else x for x, b in zip(labels[document], best, strict=True)]
        row.append(document)
    return Collection(
        "all", ("1",), ("s",), c.aspects, c.grades, np.array([[row]], np.int32), np.array([labels], np.int16)
    )


MEASURES = """
    P@5 R@5 F@5 gP@5 gR@5 SBTO@5 RBTO@5 AP AP(rel=2) AP(aspect='trust') RR Rprec Bpref nDCG nDCG@3 DCG(base=2)@5
    RBP(p=0.8) ERR@5 GAP(g=[0.4,0.6]) xGAP(g=[0.4,0.6]) eGAP(g=[0.4,0.6]) CWLA(C=RBP(p=0.8),A=PE(beta=0.5))@10
    CWLA(C=AP,A=ERG)@10 CWLA(C=INST(T=1.5),A=PE(beta=0.3))@6 INST(T=2.25)@10 TOMA(nDCG@5) TOMA(AP,classes='observed')
    TOMA(Bpref,distance='manhattan') TOMA(RBP(p=0.5),classes='dependent') CAM(AP,p=[0.75,0.25]) CAM(Bpref) MM(nDCG)
""".split()


@pytest.mark.parametrize("measure", MEASURES)
def test_it_is_the_score_with_everything_judged_less_the_score(measure: str):
    """Run by run, against a collection in which nothing of the list is left to judge."""
    for seed in range(3):
        draw = np.random.default_rng(seed)
        labels = draw.integers(-2, 3, (2, 12, 2)).astype(np.int16)
        labels[1, 3] = 2  # so that the best class is among those observed
        ranking = np.full((2, 6, 9), BEYOND, dtype=np.int32)
        for row in ranking.reshape(-1, 9):
            listed = draw.permutation(12)[: draw.integers(1, 10)]
            row[: len(listed)] = np.where(draw.random(len(listed)) < 0.4, UNJUDGED, listed)
        systems = tuple(f"s{i}" for i in range(6))
        c = Collection("test", ("1", "2"), systems, ("relevance", "trust"), (GRADES, GRADES), ranking, labels)
        found = residual(c, measure)
        before = irviz.score(c, measure).values[0]
        for t in range(2):
            for s in range(6):
                best = irviz.score(_with_levels(c, judged_throughout(c, t, s)), measure).values[0, 0, 0]
                assert found.values[0, t, s] == pytest.approx(max(best - before[t, s], 0), abs=1e-12)
        assert found.values.max() > 0


def _with_levels(c: Collection, one: Collection) -> Collection:
    """`one` with a second topic that holds all labels of `c`, so that both observe the same classes."""
    width = max(one.labels.shape[1], c.labels.shape[0] * c.labels.shape[1])
    labels = np.full((2, width, 2), ABSENT, dtype=np.int16)
    labels[0, : one.labels.shape[1]] = one.labels[0]
    labels[1, : c.labels.shape[0] * c.labels.shape[1]] = c.labels[:].reshape(-1, 2)
    ranking = np.concatenate([one.ranking, np.full_like(one.ranking, BEYOND)])
    return Collection("two", ("1", "2"), one.systems, one.aspects, one.grades, ranking, labels)


def test_the_best_class_may_be_one_that_nobody_observed():
    """Best on every aspect was not observed; the best class that was stands for it."""
    c = collection([[0, UNJUDGED]], [(2, 0), (0, 0)], (GRADES, GRADES))
    assert of(c, "TOMA(RBP(p=0.5),classes='observed')") == [0.25]


def test_partly_judged_documents_count_on_the_other_aspects():
    c = collection([[0, 1]], [(2, ABSENT), (ABSENT, 1)], (GRADES, GRADES))
    assert of(c, "RBP(p=0.5)") == [0.25]
    assert of(c, "RBP(p=0.5,aspect='trust')") == [0.5]
    assert of(c, "CAM(RBP(p=0.5))") == [0.375]


def test_documents_taken_out_of_the_pool_are_unjudged():
    c = collection([[0, 1]], [(2,), (1,)])
    reduced = c.with_labels(np.array([[(ABSENT,), (1,)]], dtype=np.int16))
    assert of(reduced, "RBP(p=0.5)") == [0.5]
    assert of(reduced, "AP") == [0.5]
