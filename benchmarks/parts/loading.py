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
BARE = "from benchmarks import trec8; kept = trec8.load('none')"


def rows() -> Iterator[Row]:
    """Loading and opening against pytrec_eval's parsing, and the peak while loading."""
    trec8.load()
    rounds = [(once(trec8.load), one_pass().parse) for _ in range(3)]  # in turn: a busy moment meets both
    load, parse = (statistics.median(times) for times in zip(*rounds, strict=True))
    yield at_most(
        "load and compile 129 runs, identifiers of the first 100 kept", load, "pytrec_eval parses", parse, 0.65
    )
    yield from by_identifiers("CORD-19", "URLs")
    path = str(trec8.bundle())
    yield at_most(
        "open the saved bundle", seconds(lambda: irviz.open_collection(path), 5), "pytrec_eval parses", parse, 0.05
    )
    most = peak(LOAD)
    yield limit("peak memory while loading", most, 1500, "MB")
    yield limit("of it for identifiers of the first 100", most - peak(BARE), 150, "MB")


def by_identifiers(*kinds: str) -> Iterator[Row]:
    """Load a third of the runs with identifiers of several kinds: short and mixed ones hold ``0x``, URLs are long."""
    for kind in kinds:
        qrels, runs = trec8.third(kind)
        aspects = dict(zip(trec8.SIMULATION.aspect_names, qrels, strict=True))

        def load(aspects=aspects, runs=runs) -> None:
            irviz.load_collection(aspects, runs, documents=100)

        load()
        rounds = [(once(load), one_pass(qrels, runs, evaluated=False).parse) for _ in range(3)]
        taken, parse = (statistics.median(times) for times in zip(*rounds, strict=True))
        yield at_most(f"load {len(runs)} runs, identifiers: {kind}", taken, "pytrec_eval parses", parse, 0.65)
