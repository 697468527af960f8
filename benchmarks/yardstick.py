"""pytrec_eval on a simulated collection: what loading and scoring are measured against.

One pass over the runs, a run at a time, so that its dictionaries never fill the memory.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytrec_eval

from benchmarks import trec8
from benchmarks.timing import once

MEASURES = {"map", "ndcg", "ndcg_cut_10", "P_10", "bpref", "recip_rank"}


class Yardstick(NamedTuple):
    """Seconds that pytrec_eval needs to parse qrels and runs, and to evaluate `MEASURES`."""

    parse: float
    evaluate: float


def _parse(path: Path, parser):
    with path.open(encoding="utf-8") as lines:
        return parser(lines)


@cache
def pytrec(collection: ModuleType = trec8, passes: int = 3) -> Yardstick:
    """Time both, after the files have been read once; medians over `passes`."""
    for path in collection.runs():
        path.read_bytes()
    taken = [one_pass(list(collection.qrels().values()), collection.runs()) for _ in range(passes)]
    return Yardstick(*(statistics.median(times) for times in zip(*taken, strict=True)))


def one_pass(
    qrels: Sequence[Path] | None = None, runs: Sequence[Path] | None = None, evaluated: bool = True
) -> Yardstick:
    """Time both once, of all files of TREC-8's size unless others are given; parsing alone if not `evaluated`."""
    found: list[dict] = []
    judged = list(trec8.qrels().values()) if qrels is None else qrels
    parse = sum(once(lambda p=path: found.append(_parse(p, pytrec_eval.parse_qrel))) for path in judged)
    evaluator = pytrec_eval.RelevanceEvaluator(found[0], MEASURES)
    evaluate = 0.0
    for path in trec8.runs() if runs is None else runs:
        run: list[dict] = []
        parse += once(lambda p=path, run=run: run.append(_parse(p, pytrec_eval.parse_run)))
        if evaluated:
            evaluate += once(lambda run=run: evaluator.evaluate(run[0]))
    return Yardstick(parse, evaluate)
