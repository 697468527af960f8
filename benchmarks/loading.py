"""How fast, and in how much memory, files become a collection."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

import irviz
from benchmarks import trec8
from benchmarks.memory import peak
from benchmarks.timing import Row, at_most, limit, once, seconds
from benchmarks.yardstick import one_pass

LOAD = "from benchmarks import trec8; kept = trec8.load()"


def rows() -> Iterator[Row]:
    """Loading and opening against pytrec_eval's parsing, and the peak while loading."""
    trec8.load()
    rounds = [(once(trec8.load), one_pass().parse) for _ in range(3)]  # in turn: a busy moment meets both
    load, parse = (statistics.median(times) for times in zip(*rounds, strict=True))
    yield at_most("load and compile 129 runs", load, "pytrec_eval parses", parse, 0.6)
    path = str(trec8.bundle())
    yield at_most(
        "open the saved bundle", seconds(lambda: irviz.open_collection(path), 5), "pytrec_eval parses", parse, 0.05
    )
    yield limit("peak memory while loading", peak(LOAD), 1500, "MB")
