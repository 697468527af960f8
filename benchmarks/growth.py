"""``python -m benchmarks.growth``: how cost grows with topics, runs and worlds, as docs/scale.md tells.

Processor time of one thread, so that other work on the machine does not count.  The
collections are random: what a score costs does not depend on what it is.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

import irviz
from irviz.collection.model import UNJUDGED, Collection

RANKS, JUDGED = 1000, 1000  #: documents of a list, and judged documents of a topic
MEASURES = ["AP", "nDCG@10", "nDCG", "P@10", "RBP(p=0.8)"]


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


def taken(work: Callable[[], object]) -> float:
    """Seconds of processor time, the less of two calls where they are short."""
    best = _once(work)
    return best if best > 10 else min(best, _once(work))


def _once(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def worlds_of(c: Collection, many: int) -> irviz.conclusions.Worlds:
    """So many worlds, made by more values of RBP's persistence; five averages and their tests each."""
    measures = [f"RBP(p={0.5 + i / 1000:g})" for i in range(many // 16)]
    return irviz.worlds(c, measure=measures, unjudged="not_relevant", topics="all", family="pair", most=many)


def main() -> None:
    print("topics  runs  score, 5 measures (s)  a pair, 250 worlds (s)  all pairs, 250 worlds (s)  lists (MB)")
    for topics, runs in ((125, 50), (250, 50), (500, 50), (1000, 50), (250, 25), (250, 100), (1000, 100)):
        c = collection(topics, runs)
        scored = taken(lambda c=c: irviz.score(c, MEASURES))
        w = worlds_of(c, 250)
        irviz.conclusion(c, "run0 > run1", w, exchanges=0)  # scores are remembered
        pair = taken(lambda c=c, w=w: irviz.conclusion(c, "run0 > run1", w, exchanges=0))
        pairs = taken(lambda c=c, w=w: irviz.undisputed(c, w))
        megabytes = c.ranking.nbytes / 2**20
        print(f"{topics:6d}  {runs:4d}  {scored:21.2f}  {pair:22.3f}  {pairs:25.3f}  {megabytes:10.0f}", flush=True)
    c = collection(50, 50)
    print("worlds  a pair (s)  all pairs (s)")
    for many in (250, 500, 1000, 2000, 4000):
        w = worlds_of(c, many)
        irviz.conclusion(c, "run0 > run1", w, exchanges=0)
        pair = taken(lambda w=w: irviz.conclusion(c, "run0 > run1", w, exchanges=0))
        pairs = taken(lambda w=w: irviz.undisputed(c, w))
        print(f"{many:6d}  {pair:10.3f}  {pairs:13.3f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
