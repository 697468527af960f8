"""Residuals: closed forms, the same number from qrels that judge everything, pools and bounds."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

import irviz
from irviz.collection.codes import ABSENT, BEYOND, NEGATIVE, UNJUDGED
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
    CWLA(C=AP,A=ERG)@10 INST(T=2.25)@10 TOMA(nDCG@5) TOMA(AP,classes='observed')
    TOMA(RBP(p=0.5),classes='dependent') CAM(AP) MM(nDCG)
""".split()


@pytest.mark.parametrize("measure", MEASURES)
def test_it_is_the_score_with_everything_judged_less_the_score(measure: str):
    """Run by run, against a collection in which nothing of the list is left to judge."""
    draw = np.random.default_rng(7)
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
    labels[1, : c.labels.shape[0] * c.labels.shape[1]] = c.labels.reshape(-1, 2)
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


def test_names_of_the_cube_and_progress():
    c = collection([[0, UNJUDGED]], [(2,)])
    seen: list[tuple[float, str]] = []
    found = residual(c, ["RBP( p = 0.80 )", "AP"], progress=lambda done, text: seen.append((done, text)))
    assert found.measures == ("RBP(p=0.8)", "AP")
    assert (found.topics, found.systems) == (("1",), ("s0",))
    assert seen == [(1.0, "Residuals of topic 1")]
    with pytest.raises(irviz.IrvizError) as caught:
        residual(c, [])
    assert str(caught.value) == "No measure is given. Name at least one, such as 'AP'."


# Residuals of measures with a pool, against plain loops over lists of labels.
#
# A run's unjudged documents, and the missing judgments of those judged on some aspects
# only, are filled in at the best grade; the score is computed again from its definition.


Label = tuple[int, ...] | None  # of a document: a level an aspect; None where nobody judged it
Grades = tuple[tuple[float, ...], ...]
Score = Callable[[list, list, Grades], float]  # of the list and of the pool, both labels, and the grades


def worth(label: Label, grades: Grades, aspect: int = 0) -> float:
    return 0.0 if label is None else grades[aspect][max(label[aspect], 0)]


def bpref_of(listed: list[tuple[bool, bool]], pool: list[tuple[bool, bool]]) -> float:
    """(relevant, judged) of documents."""
    r = sum(relevant for relevant, _ in pool)
    n = sum(judged and not relevant for relevant, judged in pool)
    above, total = 0, 0.0
    for relevant, judged in listed:
        if relevant:
            total += 1 - (min(above, r) / min(r, n) if above else 0)
        above += judged and not relevant
    return total / r if r else 0.0


def bpref(listed: list, pool: list, grades: Grades, aspect: int = 0) -> float:
    both = [
        [(worth(x, grades, aspect) >= 1, x is not None and x[aspect] >= 0) for x in documents]
        for documents in (listed, pool)
    ]
    return bpref_of(*both)


def rprec(listed: list, pool: list, grades: Grades) -> float:
    r = sum(worth(x, grades) >= 1 for x in pool)
    return sum(worth(x, grades) >= 1 for x in listed[:r]) / r if r else 0.0


def recall(listed: list, pool: list, grades: Grades, k: int = 3) -> float:
    whole = sum(worth(x, grades) for x in pool)
    return sum(worth(x, grades) for x in listed[:k]) / whole if whole else 0.0


def ap_of(gains: list[float], whole: float) -> float:
    return sum(g / i * sum(gains[:i]) for i, g in enumerate(gains, start=1)) / whole if whole else 0.0


def ap(listed: list, pool: list, grades: Grades, aspect: int = 0) -> float:
    gains = [float(worth(x, grades, aspect) >= 1) for x in listed]
    return ap_of(gains, sum(worth(x, grades, aspect) >= 1 for x in pool))


def walk_ap(listed: list, pool: list, grades: Grades) -> float:
    """C=AP, A=ERG: Σ_i r_i/i Σ_{j ≤ i} r_j over all judged gain."""
    top = grades[0][-1]
    return ap_of([worth(x, grades) / top for x in listed], sum(worth(x, grades) for x in pool) / top)


def walk_inst(listed: list, pool: list, grades: Grades, t: float = 1.5, beta: float = 0.3, k: int = 6) -> float:
    """C=INST(T), A=PE(beta), to rank k."""
    gains = [worth(x, grades) / grades[0][-1] for x in listed][:k]
    gains += [0.0] * (k - len(gains))
    reading, seen, peak, total = 1.0, 0.0, 0.0, 0.0
    for i, gain in enumerate(gains, start=1):
        seen, peak = seen + gain, max(peak, gain)
        onward = ((i - 1 + t + t - seen) / (i + t + t - seen)) ** 2 if i < k else 0.0
        total += reading * (1 - onward) * (beta * peak + (1 - beta) * gain)
        reading *= onward
    return total


def cam_ap(listed: list, pool: list, grades: Grades) -> float:
    return sum(0.25 * p * ap(listed, pool, grades, a) for a, p in enumerate((3, 1)))


def cam_bpref(listed: list, pool: list, grades: Grades) -> float:
    return sum(bpref(listed, pool, grades, a) for a in range(2)) / 2


def classes(grades: Grades) -> Callable[[tuple[int, ...]], int]:
    """Manhattan, all tuples: how many steps a document is above the worst, by what it is judged."""
    return lambda label: sum(max(level, 0) for level in label)


def toma_ndcg(listed: list, pool: list, grades: Grades) -> float:
    number = classes(grades)
    gains = [0 if x is None else number(x) for x in listed]
    ideal = sorted(map(number, (x for x in pool if x is not None)), reverse=True)
    dcg, best = (sum(g / np.log2(i + 1) for i, g in enumerate(list_, start=1)) for list_ in (gains, ideal))
    return dcg / best if best else 0.0


def toma_bpref(listed: list, pool: list, grades: Grades) -> float:
    """Weights by half: of c classes the better ⌈c/2⌉ are relevant.  Below zero on every aspect is passed over."""
    number, count = classes(grades), sum(len(levels) - 1 for levels in grades) + 1

    def seen(x: Label) -> tuple[bool, bool]:
        if x is None or all(level == ABSENT for level in x):
            return False, False
        return number(x) >= count // 2, any(level != NEGATIVE for level in x)

    return bpref_of([seen(x) for x in listed], [seen(x) for x in pool])


BY_HAND: dict[str, tuple[int, Score]] = {
    "Bpref": (1, bpref),
    "Rprec": (1, rprec),
    "gR@3": (1, recall),
    "AP": (1, ap),
    "CWLA(C=AP,A=ERG)@20": (1, walk_ap),
    "CWLA(C=INST(T=1.5),A=PE(beta=0.3))@6": (1, walk_inst),
    "CAM(AP,p=[0.75,0.25])": (2, cam_ap),
    "CAM(Bpref)": (2, cam_bpref),
    "TOMA(nDCG,distance='manhattan')": (2, toma_ndcg),
    "TOMA(Bpref,distance='manhattan')": (2, toma_bpref),
}


def drawn(seed: int, aspects: int) -> tuple[Grades, list[tuple[int, ...]], list[list[int]]]:
    """Grades, the labels of the judged documents, and lists of documents (UNJUDGED for one that is not)."""
    draw = random.Random(seed)
    grades = tuple(tuple(map(float, range(draw.randint(2, 4)))) for _ in range(aspects))
    labels = []
    for _ in range(draw.randint(1, 6)):
        label = tuple(draw.choice([ABSENT, NEGATIVE, *range(len(levels))]) for levels in grades)
        labels.append(label if any(x != ABSENT for x in label) else (0,) * aspects)
    lists = []
    for _ in range(3):
        documents = [*range(len(labels)), UNJUDGED, UNJUDGED, UNJUDGED]
        lists.append(draw.sample(documents, draw.randint(1, len(documents))))
    return grades, labels, lists


@pytest.mark.parametrize("measure", BY_HAND)
def test_scores_and_residuals_by_hand(measure: str):
    aspects, score = BY_HAND[measure]
    rose = 0
    for seed in range(150):
        grades, labels, lists = drawn(seed, aspects)
        ranking = np.full((1, len(lists), max(map(len, lists))), BEYOND, dtype=np.int32)
        for s, documents in enumerate(lists):
            ranking[0, s, : len(documents)] = documents
        names = ("relevance", "trust")[:aspects]
        c = Collection("drawn", ("1",), ("x", "y", "z"), names, grades, ranking, np.array([labels], dtype=np.int16))
        scores, found = irviz.score(c, measure).values[0, 0], irviz.residual(c, measure).values[0, 0]
        best = tuple(len(levels) - 1 for levels in grades)
        for s, documents in enumerate(lists):
            before = score([labels[d] if d >= 0 else None for d in documents], list(labels), grades)
            filled = list(labels)
            for d in documents:
                if d >= 0:
                    filled[d] = tuple(b if x == ABSENT else x for x, b in zip(labels[d], best, strict=True))
            extra = [best for d in documents if d < 0]
            after = score([filled[d] if d >= 0 else best for d in documents], filled + extra, grades)
            assert scores[s] == pytest.approx(before, abs=1e-12), (seed, s)
            assert found[s] == pytest.approx(max(after - before, 0), abs=1e-12), (seed, s)
            rose += found[s] > 0
    assert rose > 50
