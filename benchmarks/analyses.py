"""How fast scores become findings, at the size of TREC-8."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

import irviz
from benchmarks import loops, trec8
from benchmarks.measures import TABLE_1
from benchmarks.memory import peak_above
from benchmarks.timing import Row, limit, once, seconds, times_as_fast

TEN = ("AP", "nDCG", "nDCG@10", "P@10", "Bpref", "RR", "Rprec", "RBP(p=0.8)", "ERR@20", "R@100")
LOOPED = 400  #: pairs on which the bootstrap's loop is timed; its time is proportional to them

_PREPARE = """
import irviz
from benchmarks import trec8
from benchmarks.measures import TABLE_1
from benchmarks.analyses import TEN
c = trec8.collection()
"""
_WORK = """
s = irviz.score(c, [*TABLE_1, "AP"])
irviz.similarity(s, by="topic")
irviz.consistency(s, trials=1000)
irviz.significance(s["AP"], "randomised_tukey", trials=10000)
irviz.significance(s["AP"], "paired_bootstrap", trials=10000)
irviz.pool_reduction(c, list(TEN), repeats=2)
"""


def rows() -> Iterator[Row]:
    """τ, the two randomised tests, consistency, pool reduction, and the memory of them all."""
    cube = irviz.score(trec8.collection(), [*TABLE_1, "AP"])
    yield _tau(cube)
    yield from _tukey(cube)
    yield from _bootstrap(cube)
    yield _consistency(cube)
    yield _pool_reduction()
    yield limit("peak memory of the analyses, above the collection", peak_above(_PREPARE, _WORK), 1000, "MB")


def _tau(cube) -> Row:
    taken = seconds(lambda: irviz.similarity(cube, by="topic"))
    loop = once(lambda: loops.topic_tau(cube.values))
    return times_as_fast(f"topic-by-topic τ of {len(cube.measures)} measures", taken, "scipy in a loop", loop, 40)


def _tukey(cube) -> Iterator[Row]:
    taken = seconds(lambda: irviz.significance(cube["AP"], "randomised_tukey", trials=10_000))
    yield limit("randomised Tukey HSD, 10,000 trials", taken, 1.5, "s")
    loop = once(lambda: loops.randomised_tukey(cube.matrix("AP"), 10_000, 0))
    yield times_as_fast("  the same", taken, "loop over trials and topics", loop, 3)


def _bootstrap(cube) -> Iterator[Row]:
    taken = seconds(lambda: irviz.significance(cube["AP"], "paired_bootstrap", trials=10_000))
    yield limit("paired bootstrap, 10,000 samples, 8,256 pairs", taken, 3, "s")
    pairs = list(itertools.combinations(range(len(cube.systems)), 2))
    some = [pairs[i] for i in np.linspace(0, len(pairs) - 1, LOOPED).astype(int)]
    loop = once(lambda: loops.paired_bootstrap(cube.matrix("AP"), some, 10_000, 0)) * len(pairs) / LOOPED
    yield times_as_fast("  the same", taken, f"loop over pairs (from {LOOPED})", loop, 15)


def _consistency(cube) -> Row:
    chosen = cube.select(measures=TABLE_1)
    taken = seconds(lambda: irviz.consistency(chosen, trials=1000))
    return limit(f"consistency, {len(TABLE_1)} measures × 1,000 splits", taken, 4, "s")


def _pool_reduction() -> Row:
    collection = trec8.collection()
    taken = once(lambda: irviz.pool_reduction(collection, list(TEN), repeats=10))
    return limit("pool reduction, 10 measures × 6 rates × 10 repeats", taken, 30, "s")
