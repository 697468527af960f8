"""How fast a collection becomes scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import irviz
from benchmarks import trec8
from benchmarks.timing import Row, alternately, at_most, seconds
from benchmarks.yardstick import pytrec

SIX = ("AP", "nDCG", "nDCG@10", "P@10", "Bpref", "RR")
BROWSING = ("P@10", "DCG@10", "RBP(p=0.8)", "INST(T=2.25)", "AP", "ERR")
AGGREGATIONS = ("ERG", "ETG", "avg", "max", "fin", "PE(beta=0.5)", "ERR")
#: Chen & Sakai 2023, Table 1: every combination but A=ERR with the three static models, which is constant.
TABLE_1 = tuple(
    f"CWLA(C={browsing},A={aggregation})"
    for browsing in BROWSING
    for aggregation in AGGREGATIONS
    if aggregation != "ERR" or browsing.startswith(("INST", "AP", "ERR"))
)
GRADED = ("GAP(g=[0.2,0.3,0.5])", "xGAP(g=[0.2,0.3,0.5])", "eGAP(g=[0.2,0.3,0.5])")
BASES = ("AP", "nDCG@10", "RBP(p=0.8)")


def _scoring(*measures: str, again: bool = False) -> Callable[[], object]:
    """Scores of one collection; `again` where it may remember its lists from the call before."""
    collection = trec8.collection()
    return lambda: irviz.score(collection if again else replace(collection), list(measures))


def rows() -> Iterator[Row]:
    """Six measures and Table 1 against pytrec_eval; graded AP against AP; TOMA against its base."""
    evaluate = pytrec().evaluate
    yield at_most(
        "AP, nDCG, nDCG@10, P@10, Bpref, RR", seconds(_scoring(*SIX), 5), "pytrec_eval, the same six", evaluate, 0.25
    )
    yield at_most(
        f"{len(TABLE_1)} C/W/L/A combinations at 1,000", seconds(_scoring(*TABLE_1)), "pytrec_eval, six", evaluate, 0.4
    )
    for name in GRADED:
        taken, ap = alternately(_scoring(name), _scoring("AP"))
        yield at_most(name, taken, "AP", ap, 3)
    for base in BASES:
        taken, alone = alternately(_scoring(f"TOMA({base})", again=True), _scoring(base, again=True))
        yield at_most(f"TOMA({base})", taken, base, alone, 1.3)
