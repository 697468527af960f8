"""Data of which nothing can be said: one system, one topic, all equal, all zero, the largest of numbers."""

from __future__ import annotations

import random

import numpy as np

import irviz
from irviz.collection.model import Collection
from irviz.stats.aggregate import SUMMARIES
from irviz.stats.consistency import SPLITS, epsilon_sweep
from irviz.stats.correlation import COEFFICIENTS
from irviz.stats.incompleteness import REDUCTIONS
from irviz.stats.scores import Scores
from irviz.stats.significance import METHODS as TESTS
from tests.fuzz.engine import target
from tests.fuzz.words import expression

VALUES = (0.0, -0.0, 1.0, 0.5, 0.1, 1 / 3, 1e-5, 5e-324, 1e-300, 1e100, -1e100, -1.0, 1.0 + 2**-52, 0.30000000000000004)
GRADES = ("0", "1", "2", "-1", "0.5", "1e-300", "1e9", "1e12", "1e300", "100", "3")
MEASURES = tuple("AP P@5 RR nDCG DCG(dcg='exp-log2')@5 ERR@5 RBP(p=0.8) SBTO@5 RBTO@5 Bpref Rprec".split())


def cube(r: random.Random, measures: int = 3) -> Scores:
    """Scores drawn from few values, with rows and columns that repeat."""
    topics, systems, m = r.choice((1, 1, 2, 3, 4, 5, 7)), r.choice((1, 1, 2, 3, 4, 6)), r.randint(1, measures)
    pool = r.sample(VALUES, r.randint(1, 4)) if r.random() < 0.8 else [r.random() for _ in range(50)]
    values = np.array([r.choice(pool) for _ in range(m * topics * systems)]).reshape(m, topics, systems)
    if r.random() < 0.3:
        values[:, r.randrange(topics)] = r.choice(pool)
    if r.random() < 0.3:
        values[:, :, r.randrange(systems)] = r.choice(pool)
    if r.random() < 0.2:
        values[-1] = values[0]
    names = ("AP", "RR", "P@5")[:m]
    return Scores(values, names, tuple(f"t{i}" for i in range(topics)), tuple(f"s{i}" for i in range(systems)))


def collection(r: random.Random, aspects: int = 1) -> Collection:
    """Judgments with odd grades and runs that overlap little, all of it legal."""
    grades = r.sample(GRADES, r.randint(1, 4))
    topics, systems, documents = r.randint(1, 3), r.randint(1, 4), r.randint(1, 6)
    qrels = "".join(
        f"{t} 0 d{d} {' '.join(r.choice(grades) for _ in range(aspects))}\n"
        for t in range(topics)
        for d in range(documents)
    )
    runs = []
    for s in range(systems):
        listed = [(t, r.sample(range(9), r.randint(1, 9))) for t in range(topics + 1) if r.random() < 0.8] or [(0, [0])]
        lines = (f"{t} Q0 d{d} {i} {r.choice((9 - i, 1))} x" for t, docs in listed for i, d in enumerate(docs, 1))
        runs.append((f"s{s}", "\n".join(lines).encode()))
    return irviz.load_collection(("q", qrels.encode()), runs, depth=r.choice((1, 2, 1000)))


def eps(r: random.Random) -> float | None:
    return r.choice((None, None, 1e-5, 0.01, 1.0, 1e-300, 0.0, -1.0, float("nan"), 1e308))


@target
def summaries(r: random.Random) -> None:
    matrix = cube(r, 1)["AP"]
    irviz.summarise(matrix, r.choice(list(SUMMARIES)), eps=eps(r))
    irviz.standardise(matrix, cdf=r.random() < 0.5)
    irviz.hardness(matrix, r.choice(("surprise", "mean", "max")))


@target
def similarities(r: random.Random) -> None:
    found = irviz.similarity(
        cube(r),
        by=r.choice(("overall", "topic")),
        coefficient=r.choice(list(COEFFICIENTS)),
        summary=r.choice(list(SUMMARIES)),
        confidence=r.choice((0.95, 0.5, 0.999, 1.0)),
        eps=eps(r),
    )
    defined = found.values[~np.isnan(found.values)]
    assert (np.abs(defined) <= 1).all()
    found.frame()


@target
def consistencies(r: random.Random) -> None:
    found = irviz.consistency(
        cube(r),
        trials=r.choice((1, 2, 5, 0)),
        split=r.choice(list(SPLITS)),
        summary=r.choice(list(SUMMARIES)),
        eps=eps(r),
        coefficient=r.choice(list(COEFFICIENTS)),
        seed=r.choice((0, 1, 2**64, -1)),
    )
    found.frame(0.05)


@target
def sweeps(r: random.Random) -> None:
    epsilon_sweep(cube(r), [r.choice((1e-5, 0.01, 1.0, 0.0)) for _ in range(r.randint(0, 3))], trials=2)


@target
def significances(r: random.Random) -> None:
    found = irviz.significance(
        cube(r, 1)["AP"], r.choice(list(TESTS)), trials=r.choice((1, 10, 50)), alpha=r.choice((0.05, 0.5)), seed=1
    )
    assert ((found.p_values >= 0) & (found.p_values <= 1)).all()
    found.frame()
    _ = found.asl, found.significant


@target
def reductions(r: random.Random) -> None:
    found = irviz.pool_reduction(
        collection(r),
        r.sample(MEASURES, 2),
        rates=r.choice(([0.5], [0.9, 0.1], [1.0], [0.0], [1e-9], [])),
        method=r.choice(list(REDUCTIONS)),
        repeats=r.choice((1, 2)),
        summary=r.choice(list(SUMMARIES)),
    )
    found.frame()


@target
def odd_collections(r: random.Random) -> None:
    """Any measure on any collection: a finite number for everyone, or a reason."""
    opened = collection(r, aspects=r.choice((1, 1, 2, 3)))
    names = [r.choice((*MEASURES, expression(r))) for _ in range(2)]
    found = irviz.score(opened, names)
    assert np.isfinite(found.values).all(), names
    irviz.residual(opened, names)
