"""Ten thousand topics: how fast they load and score, against pytrec_eval on the same files.

Scores are of a copy of the collection, of which nothing is known from the call before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import irviz
from benchmarks import queries
from benchmarks.parts.measures import SIX, TABLE_1
from benchmarks.timing import Row, at_most, limit, once, seconds, times_as_fast
from benchmarks.yardstick import pytrec

REDUCED = ("AP", "nDCG@10")
FOR_POOLS = ("AP", "nDCG@10", "P@10", "RR", "nDCG", "RBP(p=0.8)")


def loading() -> Iterator[Row]:
    """Loading against parsing."""
    known = pytrec(queries)
    yield at_most("load 10,000 topics × 5 × 100", seconds(queries.load, 2), "pytrec_eval parses", known.parse, 0.6)


def scoring() -> Iterator[Row]:
    """Six measures, the 39 C/W/L/A combinations and two reduced pools against six measures."""
    c, known = queries.collection(), pytrec(queries).evaluate
    for what, work, bar in (
        ("six measures of 10,000 topics", lambda: irviz.score(replace(c), SIX), 0.1),
        (f"{len(TABLE_1)} C/W/L/A of 10,000 topics", lambda: irviz.score(replace(c), TABLE_1), 2),
        ("two reductions, two measures", lambda: irviz.pool_reduction(replace(c), REDUCED, rates=(0.5, 0.1)), 1),
    ):
        yield at_most(what, seconds(work), "pytrec_eval, six", known, bar)
    yield limit(
        "pool reduction, 6 × 6 × 5", once(lambda: irviz.pool_reduction(replace(c), FOR_POOLS, repeats=5)), 10, "s"
    )


def conclusion() -> Iterator[Row]:
    """A claim in the default worlds; and by two processes, which are there and are sent what they need."""
    c = queries.collection()
    first, second = c.systems[:2]
    taken = once(lambda: irviz.conclusion(c, f"{first} > {second}", irviz.worlds(c)))
    yield limit("a claim in the default worlds, 10,000 topics", taken, 10, "s")
    irviz.score(c, "AP", workers="loky")
    shared = once(lambda: irviz.conclusion(c, f"{first} > {second}", irviz.worlds(c), workers="loky"))
    yield times_as_fast('  the same with workers="loky"', shared, "in one process", taken, 1.3)


def growth() -> Iterator[Row]:
    """Fifty thousand topics against ten thousand: at most linear."""
    few, many = queries.collection(), queries.collection(50_000)
    one, five = (seconds(lambda c=c: irviz.score(replace(c), SIX)) for c in (few, many))
    yield at_most("six measures of 50,000 topics", five, "of 10,000", one, 5.5)


def rows() -> Iterator[Row]:
    yield from loading()
    yield from scoring()
    yield from conclusion()
    yield from growth()
