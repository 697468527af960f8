"""How fast a claim is looked at in many worlds, at the size of TREC-8."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import irviz
from benchmarks import trec8
from benchmarks.memory import peak_above
from benchmarks.parts.analyses import TEN
from benchmarks.timing import Row, limit, once, seconds

FIVE = ("mean", "median", "geometric", "harmonic", "standardised")

_PREPARE = """
import irviz
from benchmarks import trec8
from benchmarks.parts.conclusions import worlds_of
c = trec8.collection()
w = worlds_of(c)
"""
_WORK = "irviz.undisputed(c, w)"


def worlds_of(c):
    """640 worlds: ten measures, five averages and their tests, two families, with unjudged documents and without."""
    return irviz.worlds(
        c,
        measure=["P@5" if name == "Bpref" else name for name in TEN],
        average=list(FIVE),
        unjudged=["not_relevant", "condensed"],
        missing="zero",
        judge=c.aspects[0],
        topics="all",
        family=["pair", "holm"],
        ties=c.ties,
    )


def rows() -> Iterator[Row]:
    """One pair, fresh and with scores at hand; all pairs, and their memory."""
    collection = trec8.collection()
    a, b = collection.systems[:2]
    claim = f"`{a}` > `{b}`"
    worlds = worlds_of(collection)
    many = f"{len(worlds)} worlds"
    irviz.conclusion(collection, claim, worlds)

    def plain() -> float:
        return seconds(lambda: irviz.conclusion(collection, claim, worlds, exchanges=0))

    def fresh() -> None:
        again = replace(collection)  # nothing is remembered of it
        irviz.conclusion(again, claim, worlds_of(again), exchanges=0)

    yield limit(f"a pair in {many}, from a loaded collection", seconds(fresh, warm=False), 1.5, "s")
    without = plain()
    yield limit("  the same when scores are there", without, 0.4, "s")
    jointly = seconds(lambda: irviz.conclusion(collection, claim, worlds, exchanges=500))
    yield limit("  what 500 exchanges of the joint test add", jointly - without, 1, "s")
    yield limit(
        f"all 8,256 pairs in {many}: signs and t", once(lambda: irviz.undisputed(replace(collection), worlds)), 4, "s"
    )
    yield limit("  peak memory above the collection", peak_above(_PREPARE, _WORK), 1000, "MB")
