"""Residuals of measures with a pool, against plain loops over lists of labels.

A run's unjudged documents, and the missing judgments of those judged on some aspects
only, are filled in at the best grade; the score is computed again from its definition.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

import irviz
from irviz.collection.codes import ABSENT, BEYOND, NEGATIVE, UNJUDGED
from irviz.collection.model import Collection

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
