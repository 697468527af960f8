"""Lines of a run → the ranks of judged documents; runs and judgments → a Collection.

After this step no document identifier is looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from irviz.collection.compiling import lint
from irviz.collection.compiling.judgments import Judgments
from irviz.collection.compiling.order import Grouped, by_score, grouped, ranked, single
from irviz.collection.compiling.repeats import repeated
from irviz.collection.model import BEYOND, UNJUDGED, Collection, Finding
from irviz.collection.names import natural_key
from irviz.collection.reading.runs import RunLines


@dataclass(frozen=True, eq=False)
class CompiledRun:
    """One system's part of a collection: ``ranking`` is int32, topics × its longest list."""

    name: str
    ranking: NDArray[np.int32]
    findings: tuple[Finding, ...]


def compile_run(name: str, run: RunLines, judged: Judgments, ties: str, depth: int) -> CompiledRun:
    """Order the lines of a run by the tie rule and look up every document among the judged.

    Topics that the judgments lack are left out, repeated documents dropped but for the
    best-ranked one, lists cut at `depth` after that; every such thing is a finding.
    """
    lines = grouped(run, judged)
    lint.check_ranks(run, lines, ties)
    in_single = by_score(lines.topic, single(lines.score))
    order = ranked(ties, lines.topic, lines.score, lines.docs, lines.rank, in_single)
    codes = _judged_index(lines, judged)
    findings = lint.run_findings(run, lines, judged, ties, in_single, codes)
    repeats = repeated(lines.topic, lines.docs, order)
    if repeats is not None:
        mask, first = repeats
        findings += lint.repeated_documents(run, lines, order[mask], order[first])
        order = order[~mask]
    ranking, longest = ranks_table(lines.topic[order], codes[order], len(judged.topics), depth)
    findings += lint.too_deep(run, longest, depth)
    return CompiledRun(name, ranking, tuple(findings))


def _judged_index(lines: Grouped, judged: Judgments) -> NDArray[np.int32]:
    """For every line the index of its document among the judged of its topic; `UNJUDGED` where it is none."""
    parts = [
        pc.index_in(lines.docs.slice(start, stop - start), value_set=judged.docs[topic])
        for topic, start, stop in lines.spans()
    ]
    return pa.concat_arrays(parts).fill_null(UNJUDGED).to_numpy()


def ranks_table(
    topic: NDArray[np.integer], codes: NDArray[np.int32], topics: int, depth: int
) -> tuple[NDArray[np.int32], int]:
    """topics × ranks, padded with `BEYOND`, and the length of the longest list before the cut."""
    counts = np.bincount(topic, minlength=topics)
    longest = int(counts.max())
    rank = np.arange(len(topic)) - (np.cumsum(counts) - counts)[topic]
    out = np.full((topics, min(depth, longest)), BEYOND, dtype=np.int32)
    if longest > depth:
        kept = rank < depth
        topic, rank, codes = topic[kept], rank[kept], codes[kept]
    out[topic, rank] = codes
    return out, longest


def assemble(name: str, judged: Judgments, runs: Sequence[CompiledRun], ties: str) -> Collection:
    """One collection of compiled runs; systems in natural order of their names."""
    runs = sorted(runs, key=lambda run: natural_key(run.name))
    longest = max(run.ranking.shape[1] for run in runs)
    ranking = np.full((len(judged.topics), len(runs), longest), BEYOND, dtype=np.int32)
    for i, run in enumerate(runs):
        ranking[:, i, : run.ranking.shape[1]] = run.ranking
    return Collection(
        name=name,
        topics=judged.topics,
        systems=tuple(run.name for run in runs),
        aspects=judged.aspects,
        grades=judged.grades,
        ranking=ranking,
        labels=judged.labels,
        ties=ties,
        findings=judged.findings + tuple(finding for run in runs for finding in run.findings),
    )
