"""Lines of a run → the ranks of judged documents; runs and judgments → a Collection.

After this step no score depends on a document's identifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from irviz.collection import lint
from irviz.collection.codes import BEYOND, UNJUDGED, Finding
from irviz.collection.documents import NO_INDEX, Documents
from irviz.collection.judgments import DocumentKeys, Judgments
from irviz.collection.model import Collection
from irviz.collection.names import natural_key
from irviz.collection.order import LinesByTopic, by_score, grouped, ranked, single_precision
from irviz.collection.runs import RunLines
from irviz.collection.sources import DEFAULT_LIMITS, ArrayQuota, Limits

_SHAPES = {2: ("topics", "ranks"), 3: ("topics", "systems", "ranks")}
_ADVICE = "Every list has as much room as the longest: choose a smaller depth, or load fewer runs."


@dataclass(frozen=True, eq=False)
class CompiledRun:
    """One system's part of a collection.

    ``ranking`` is int32, topics × its longest list; ``scores`` float64, topics × the first ranks
    whose documents are kept, and ``unjudged`` the identifiers of those of them that `ranking`
    does not name, in its order; both None where no identifiers are kept.
    """

    name: str
    ranking: NDArray[np.int32]
    findings: tuple[Finding, ...]
    scores: NDArray[np.float64] | None = None
    unjudged: pa.BinaryArray | None = None


def compile_run(
    name: str,
    run: RunLines,
    judged: Judgments,
    ties: str,
    depth: int,
    kept: int | None = None,
    quota: ArrayQuota | None = None,
    systems: int = 1,
) -> CompiledRun:
    """Order the lines of a run by the tie rule and look up every document among the judged.

    Of the first `kept` ranks identifiers and scores are remembered; of none for None.

    The tables of the runs compiled with the same `quota` are counted together, before they are allocated; so is what
    `systems` runs would take in the end, whose lists all have as much room as this one's.

    Topics that the judgments lack are left out, repeated documents dropped but for the
    best-ranked one, lists cut at `depth` after that; every such thing is a finding.
    """
    lines = grouped(run, judged)
    lint.check_ranks(run, lines, ties)
    in_single = by_score(lines.topic, single_precision(lines.score))
    order = ranked(ties, lines, in_single)
    keyed = DocumentKeys.of(lines.in_file, lines.docs)
    codes = judged.lookup.find(keyed)[lines.rows]
    findings = lint.run_findings(run, lines, judged, ties, in_single, codes)
    repeats = repeated(lines, order, keyed)
    if repeats is not None:
        mask, first = repeats
        findings += lint.repeated_documents(run, lines, order[mask], order[first])
        order = order[~mask]
    topics = len(judged.topics)
    ranks = min(depth, int(np.bincount(lines.topic[order], minlength=topics).max()))
    quota = quota or ArrayQuota(DEFAULT_LIMITS)
    quota.foresee(_bytes(topics * systems, ranks, kept), _sizes(topics, systems, ranks), _ADVICE)
    quota.take(
        _bytes(topics, ranks, kept), f"{run.file}: the runs up to here, this one {_sizes(topics, ranks)},", _ADVICE
    )
    ranking, longest = ranks_table(lines.topic[order], codes[order], topics, depth)
    findings += lint.too_deep(run, longest, depth)
    if kept is None:
        return CompiledRun(name, ranking, tuple(findings))
    return CompiledRun(name, ranking, tuple(findings), *_first_ranks(lines, order, ranking[:, :kept]))


def _bytes(lists: int, ranks: int, kept: int | None) -> int:
    """Bytes of the tables of so many lists of so many ranks: indices, and scores and identifiers of the first."""
    index, score = 4, 8
    return lists * (ranks * index + min(ranks, kept or 0) * (score + index))


def _sizes(*shape: int) -> str:
    return " × ".join(f"{n:,} {what}" for n, what in zip(shape, _SHAPES[len(shape)], strict=True))


def _first_ranks(
    lines: LinesByTopic, order: NDArray[np.intp], ranking: NDArray[np.int32]
) -> tuple[NDArray[np.float64], pa.BinaryArray]:
    """Scores at the ranks of `ranking`, and the identifiers of the unjudged documents there, topic by topic."""
    topics, ranks = ranking.shape
    counts = np.bincount(lines.topic[order], minlength=topics)
    place = (np.cumsum(counts) - counts)[:, None] + np.arange(ranks)
    there = ranking != BEYOND
    scores = np.full(ranking.shape, np.nan)
    scores[there] = lines.score[order[place[there]]]
    return scores, lines.documents(order[place[ranking == UNJUDGED]])


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


def assemble(
    name: str, judged: Judgments, runs: Sequence[CompiledRun], ties: str, limits: Limits = DEFAULT_LIMITS
) -> Collection:
    """One collection of compiled runs; systems in natural order of their names."""
    shape = len(judged.topics), len(runs), max(run.ranking.shape[1] for run in runs)
    kept = max((run.scores.shape[1] for run in runs if run.scores is not None), default=None)
    ArrayQuota(limits).take(_bytes(shape[0] * shape[1], shape[2], kept), _sizes(*shape), _ADVICE)
    runs = sorted(runs, key=lambda run: natural_key(run.name))
    made = Collection(
        name=name,
        topics=judged.topics,
        systems=tuple(run.name for run in runs),
        aspects=judged.aspects,
        grades=judged.grades,
        ranking=_joined([run.ranking for run in runs], BEYOND),
        labels=judged.labels,
        ties=ties,
        findings=judged.findings + tuple(finding for run in runs for finding in run.findings),
    )
    return made.attached(documents=_documents(judged, runs))


def _joined(parts: Sequence[NDArray], nothing: float) -> NDArray:
    """Tables of topics × ranks, one per run → topics × runs × ranks, filled up with `nothing`."""
    longest = max(part.shape[1] for part in parts)
    out = np.full((len(parts[0]), len(parts), longest), nothing, parts[0].dtype)
    for i, part in enumerate(parts):
        out[:, i, : part.shape[1]] = part
    return out


def _documents(judged: Judgments, runs: Sequence[CompiledRun]) -> Documents | None:
    """The identifiers of the judged documents, then those of the others, list by list; and where they stand."""
    others = [run.unjudged for run in runs if run.unjudged is not None]
    scores = [run.scores for run in runs if run.scores is not None]
    if not others:
        return None
    pool = np.full(judged.labels.shape[:2], NO_INDEX, dtype=np.int32)
    pool[np.arange(judged.labels.shape[1]) < judged.counts[:, None]] = np.arange(len(judged.docs))
    starts = len(judged.docs) + np.cumsum([0, *(len(docs) for docs in others)])
    listed = [
        _listed(run.ranking[:, : part.shape[1]], pool, int(start))
        for run, part, start in zip(runs, scores, starts, strict=False)
    ]
    identifiers = pa.concat_arrays([judged.docs, *others])
    return Documents(identifiers, pool, _joined(listed, NO_INDEX), _joined(scores, np.nan), judged.below)


def _listed(ranking: NDArray[np.int32], pool: NDArray[np.int32], others: int) -> NDArray[np.int32]:
    """The identifier at every rank of one run: of the pool where it is judged, else the next from `others` on."""
    out = np.full(ranking.shape, NO_INDEX, dtype=np.int32)
    cells = np.flatnonzero(ranking >= 0)
    out.ravel()[cells] = pool[cells // max(ranking.shape[1], 1), ranking.ravel()[cells]]
    unknown = np.flatnonzero(ranking == UNJUDGED)
    out.ravel()[unknown] = np.arange(others, others + len(unknown))
    return out


def repeated(
    lines: LinesByTopic, order: NDArray[np.intp], keyed: DocumentKeys | None = None
) -> tuple[NDArray[np.bool_], NDArray[np.intp]] | None:
    """Which places of `order` repeat a document that stands higher in the same topic; `keyed` are its keys, if known.

    Most runs repeat none, so a cheap test comes first: equal documents have equal keys. Only where two lines agree on
    these are the identifiers themselves compared.

    Returns
    -------
    (mask, first) or None
        bool over places, and for every place that repeats, the place it repeats; None
        where nothing repeats.
    """
    if not (keyed or DocumentKeys.of(lines.in_file, lines.docs)).may_repeat():
        return None
    coded = lines.documents(order).dictionary_encode()
    pair = lines.topic[order].astype(np.int64) * len(coded.dictionary) + coded.indices.to_numpy()
    _, first, which = np.unique(pair, return_index=True, return_inverse=True)
    mask = first[which] != np.arange(len(order))
    return (mask, first[which][mask]) if mask.any() else None
