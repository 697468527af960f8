"""The commonest work as ratios to yardsticks of the same run, in less than 90 seconds: to be shown before and after.

The collection is the first third of the runs of TREC-8's size, 43 × 50 × 1,000.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import irviz
from benchmarks import loops, trec8
from benchmarks.parts.analyses import TEN
from benchmarks.parts.conclusions import worlds_of
from benchmarks.parts.loading import by_identifiers
from benchmarks.parts.measures import SIX
from benchmarks.timing import Row, at_most, once, seconds, times_as_fast
from benchmarks.yardstick import one_pass

LOOPED = 60  #: pairs on which the bootstrap's loop is timed; its time is proportional to them
SAMPLES = 10_000


def rows() -> Iterator[Row]:
    """Loading, scores, reopening, τ by topic, pools, bootstrap, and a pair in 500 worlds."""
    yield from by_identifiers(*trec8.IDENTIFIERS)
    qrels, runs = trec8.third()
    c = irviz.load_collection(dict(zip(trec8.SIMULATION.aspect_names, qrels, strict=True)), runs, documents=100)
    rounds = [(seconds(lambda: irviz.score(replace(c), list(SIX)), 1), *one_pass(qrels, runs)) for _ in range(2)]
    scored, parse, evaluate = (statistics.median(times) for times in zip(*rounds, strict=True))
    yield at_most("six measures", scored, "pytrec_eval, the same six", evaluate, 0.25)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "third.irviz"
        c.save(path)
        yield at_most(
            "reopen the saved bundle", seconds(lambda: irviz.open_collection(path)), "pytrec_eval parses", parse, 0.05
        )
    cube = irviz.score(c, TEN)
    taken = seconds(lambda: irviz.similarity(cube, by="topic"))
    loop = once(lambda: loops.topic_tau(cube.values))
    yield times_as_fast(f"τ by topic of {len(TEN)} measures", taken, "scipy in a loop", loop, 10)
    yield _pools(c, evaluate)
    yield _bootstrap(cube)
    yield _worlds(c, evaluate)


def _pools(c: irviz.Collection, evaluate: float) -> Row:
    taken = once(lambda: irviz.pool_reduction(replace(c), list(TEN)))
    rates = 6
    what = f"pool reduction, {len(TEN)} measures × {rates} rates"
    return at_most(what, taken, f"pytrec_eval, six measures, {rates} times", rates * evaluate, 0.5)


def _bootstrap(cube: irviz.Scores) -> Row:
    taken = once(lambda: irviz.significance(cube["AP"], "paired_bootstrap", trials=SAMPLES))
    pairs = list(itertools.combinations(range(len(cube.systems)), 2))
    some = [pairs[i] for i in np.linspace(0, len(pairs) - 1, LOOPED).astype(int)]
    loop = once(lambda: loops.paired_bootstrap(cube.matrix("AP"), some, SAMPLES, 0)) * len(pairs) / LOOPED
    what = f"paired bootstrap, {SAMPLES:,} samples, {len(pairs)} pairs"
    return times_as_fast(what, taken, f"loop over pairs (from {LOOPED})", loop, 15)


def _worlds(c: irviz.Collection, evaluate: float) -> Row:
    claim = "`{}` > `{}`".format(*c.systems[:2])

    def fresh() -> None:
        again = replace(c)  # of which nothing is remembered
        irviz.conclusion(again, claim, worlds_of(again))

    what = f"a pair in {len(worlds_of(c))} worlds, from a loaded collection"
    return at_most(what, seconds(fresh), "pytrec_eval, six measures", evaluate, 0.5)
