"""``python -m benchmarks.growth``: how cost grows with topics, runs and worlds, as docs/scale.md tells.

Processor time, so that other work on the machine counts little.  The collections of the first tables
are random: what a score costs does not depend on what it is.  ``python -m benchmarks.growth logs`` measures query logs.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

import irviz
from benchmarks import queries
from benchmarks.memory import last_line_and_peak
from benchmarks.parts.measures import SIX
from irviz.collection.codes import UNJUDGED
from irviz.collection.model import Collection

RANKS, JUDGED = 1000, 1000  #: documents of a list, and judged documents of a topic
MEASURES = ["AP", "nDCG@10", "nDCG", "P@10", "RBP(p=0.8)"]
#: topics and runs
SHAPES = (*((n, 50) for n in (125, 250, 500, 1000)), (250, 25), (250, 100), (1000, 100), (50, 5), (50, 50), (50, 500))


def collection(topics: int, runs: int) -> Collection:
    """Lists of which a third is judged, in three grades."""
    rng = np.random.default_rng(topics * 1000 + runs)
    ranking = np.full((topics, runs, RANKS), UNJUDGED, dtype=np.int32)
    for topic in ranking:
        for one in topic:
            places = rng.random(RANKS) < 1 / 3
            one[places] = rng.permutation(JUDGED)[: places.sum()]
    labels = rng.choice([0, 1, 2], p=[0.85, 0.1, 0.05], size=(topics, JUDGED, 1)).astype(np.int16)
    names = tuple(map(str, range(1, topics + 1))), tuple(f"run{i}" for i in range(runs))
    return Collection("grown", *names, ("relevance",), ((0.0, 1.0, 2.0),), ranking, labels)


def seconds_taken(work: Callable[[], object]) -> float:
    """Seconds of processor time, the less of two calls where they are short."""
    best = _once(work)
    return best if best > 10 else min(best, _once(work))


def _once(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def worlds_of(c: Collection, many: int) -> irviz.multiverse.worlds.Worlds:
    """So many worlds, made by more values of RBP's persistence; five averages and their tests each."""
    measures = [f"RBP(p={0.5 + i / 1000:g})" for i in range(many // 16)]
    return irviz.worlds(c, measure=measures, unjudged="not_relevant", topics="all", family="pair", most=many)


def logs(least: int = 50, most: int = 50_000) -> None:
    """A query log's shape with more and more topics: each in a process of its own, whose peak is counted whole."""
    print("topics  load (s)  of it the system's  score, 6 measures (s)  most memory (MB)")
    topics = least
    while topics <= most:
        queries.folder(topics)
        work = f"from benchmarks import growth; growth.one_log({topics})"
        told, megabytes = last_line_and_peak(work)
        print(f"{topics:6d}  {told}  {megabytes:16.0f}", flush=True)
        topics *= 10


def one_log(topics: int) -> None:
    """Load and score it, and tell the seconds of both."""
    queries.load(50)  # what is imported on the way does not count
    start = os.times()
    c = queries.load(topics)
    own, system = (end - begin for begin, end in zip(start[:2], os.times()[:2], strict=True))
    irviz.score(c, SIX)
    print(f"{own + system:8.2f}  {system:18.2f}  {seconds_taken(lambda: irviz.score(replace(c), SIX)):21.4f}")


def main() -> None:
    if sys.argv[1:] == ["logs"]:
        logs()
        return
    print("topics  runs  score, 5 measures (s)  a pair, 250 worlds (s)  all pairs, 250 worlds (s)  lists (MB)")
    for topics, runs in SHAPES:
        c = collection(topics, runs)
        scored = seconds_taken(lambda c=c: irviz.score(replace(c), MEASURES))
        w = worlds_of(c, 250)
        irviz.conclusion(c, "run0 > run1", w, exchanges=0)  # scores are remembered
        pair = seconds_taken(lambda c=c, w=w: irviz.conclusion(c, "run0 > run1", w, exchanges=0))
        pairs = seconds_taken(lambda c=c, w=w: irviz.undisputed(c, w))
        megabytes = c.ranking.nbytes / 2**20
        print(f"{topics:6d}  {runs:4d}  {scored:21.2f}  {pair:22.3f}  {pairs:25.3f}  {megabytes:10.0f}", flush=True)
    c = collection(50, 50)
    print("worlds  a pair (s)  all pairs (s)")
    for many in (250, 500, 1000, 2000, 4000):
        w = worlds_of(c, many)
        irviz.conclusion(c, "run0 > run1", w, exchanges=0)
        pair = seconds_taken(lambda w=w: irviz.conclusion(c, "run0 > run1", w, exchanges=0))
        pairs = seconds_taken(lambda w=w: irviz.undisputed(c, w))
        print(f"{many:6d}  {pair:10.3f}  {pairs:13.3f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
