"""Which ranks of a run hold documents with equal scores, which a tie rule has to order.

A compiled collection keeps no scores, so this reads the runs once more.  The groups
belong to the order of the rule ``trec_eval``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import BEYOND
from irviz.collection.compile import joined, repeated
from irviz.collection.judgments import DocumentKeys, Judgments, padded
from irviz.collection.load import load_qrels
from irviz.collection.names import natural_key
from irviz.collection.order import break_ties, by_score, grouped, single_precision
from irviz.collection.runs import RunLines
from irviz.collection.sources import DEFAULT_LIMITS, Source, source_files
from irviz.collection.tables import read_results


def tie_groups(
    qrels: Source | Mapping[str, Source],
    runs: Source,
    *,
    depth: int = 1000,
    levels: Mapping[str, Sequence[float]] | None = None,
) -> NDArray[np.int32]:
    """Which documents of a list tie, by single-precision scores as trec_eval up to 9 compares them.

    Arguments are as for :func:`irviz.load_collection`: with the same ones, the result fits the collection compiled
    with ``ties="trec_eval"``.  Of topics × systems × ranks, those with equal numbers tie; `BEYOND` is past the end.
    """
    judged = load_qrels(qrels, levels, DEFAULT_LIMITS)
    tables = {
        name: _groups(lines, judged, depth)
        for job in source_files(runs, "run")
        for name, lines in read_results(job.name, job.file, job.read())[0].items()
    }
    return joined([tables[name] for name in sorted(tables, key=natural_key)], BEYOND)


def _groups(run: RunLines, judged: Judgments, depth: int) -> NDArray[np.int32]:
    """topics × ranks of one run."""
    lines = grouped(run, judged)
    ordered = by_score(lines.topic, single_precision(lines.score))
    order = break_ties(ordered, lines, descending=True)
    topic, score = lines.topic[order], single_precision(lines.score)[order]
    starts = np.append(True, (topic[1:] != topic[:-1]) | (score[1:] != score[:-1]))
    group = (np.cumsum(starts) - 1).astype(np.int32)
    repeats = repeated(lines, order, DocumentKeys.of(lines.in_file, lines.docs))
    if repeats is not None:
        topic, group = topic[~repeats[0]], group[~repeats[0]]
    return padded(group, np.bincount(topic, minlength=len(judged.topics)), BEYOND, depth)
