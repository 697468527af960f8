"""Lines of qrels → judgments; lines of a run → the ranks of judged documents; both → a Collection.

After this step no score depends on a document's identifier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from irviz.collection import lint
from irviz.collection.codes import ABSENT, BEYOND, MOST_POOLED, UNJUDGED, Finding
from irviz.collection.documents import NO_INDEX, Documents
from irviz.collection.judgments import DocumentKeys, Judgments, grade_levels, join, to_levels
from irviz.collection.lines import Lines
from irviz.collection.model import Collection
from irviz.collection.names import natural_key, text_of
from irviz.collection.order import by_score, lines_by_topic, order_by_rule, single_precision
from irviz.collection.ragged import Lists, Padded, side_by_side
from irviz.collection.sources import DEFAULT_LIMITS, ArrayQuota, Limits
from irviz.errors import TooLarge

Places = NDArray[np.integer]
_ADVICE = (
    "Where every rank is read, a list takes as much room as the longest: choose a smaller depth, or load fewer runs."
)


@dataclass(frozen=True, eq=False)
class CompiledRun:
    """One system's part of a collection, with a list for each topic.

    ``documents``, where identifiers are kept, are the scores of the first ranks, the places of their documents among
    the judged of the topic, or `UNJUDGED`, and the identifiers of the unjudged ones, in order.
    """

    name: str
    ranking: Lists
    findings: tuple[Finding, ...]
    documents: tuple[Padded, Padded, pa.BinaryArray] | None = None


def all_judgments(
    files: Sequence[Lines],
    aspects: Sequence[str],
    levels: Mapping[str, Sequence[float]] | None = None,
    are: str = "aspects",
    limits: Limits = DEFAULT_LIMITS,
) -> Judgments:
    """One file with a column for every aspect, or one file for each, joined.

    `aspects` are in order of importance; `levels` declares grades by aspect, used or not; findings call aspects what
    they `are`: "aspects", "judges" or "intents".
    """
    keys = tuple(sorted({key for lines in files for key in lines.topics}, key=lambda key: natural_key(text_of(key))))
    place, which, docs = join(files, keys)
    findings = [*chain(*(lines.findings for lines in files)), *chain(*map(lint.odd_lines, files, place))]
    file, counts = files[0].file, np.bincount(which, minlength=len(keys))
    _check_size(file, counts, len(aspects), limits)
    grades, labels = [], np.full((len(docs), len(aspects)), ABSENT, dtype=np.int16)
    below = np.zeros(labels.shape)
    for a, name in enumerate(aspects):
        f = min(a, len(files) - 1)
        lines, rows, column = files[f], place[f], files[f].values[:, a - f]
        grades.append(grade_levels(name, lines, column, (levels or {}).get(name)))
        labels[rows, a] = to_levels(column, grades[-1])
        findings += lint.unusual_grades(name, lines, column)
        below[rows, a] = np.minimum(column, 0.0)
    topics = tuple(text_of(key) for key in keys)
    padded = Padded(labels, counts.astype(np.int32), ABSENT, int(counts.max()))
    best = padded.reduce(np.maximum)
    findings += lint.invisible(file, topics, docs)
    if len(topics) * (many := sum(map(len, grades))) > MOST_POOLED:
        what = f"{file}: {len(topics):,} topics × {many:,} different grades are too many to count together"
        raise TooLarge(f"{what}; at most {MOST_POOLED:,} are supported. Round the grades.")
    if are == "intents":  # a topic has as many as it has
        findings += lint.without_relevant(file, topics, best.max(axis=1, keepdims=True), ["any intent"])
    else:
        findings += lint.grades_apart(files, aspects, keys, are)
        findings += lint.pools_apart(files, aspects, place, which)
        findings += lint.without_relevant(file, topics, best, aspects)
    negative = replace(padded, values=below, nothing=0.0) if below.any() else None
    names, known = tuple(aspects), tuple(findings)
    return Judgments(file, topics, keys, names, docs, counts, padded, tuple(grades), known, negative)


def _check_size(file: str, counts: NDArray[np.intp], aspects: int, limits: Limits) -> None:
    """Refuse judgments whose arrays would be too large: topics × documents of the topic with most × aspects."""
    topics, documents = len(counts), int(counts.max())
    index, level, below = 4, 2, 8
    several = f" × {aspects:,} aspects" if aspects > 1 else ""
    what = f"{file}: {topics:,} topics × {documents:,} judged documents{several}"
    advice = "Where all are read, each topic takes the room of the largest: leave that one out, or split the file."
    labels = (topics * documents + int(counts.sum())) * aspects * (level + below)
    ArrayQuota(limits).take(topics * documents * index + labels, what, advice)


def compile_run(
    name: str,
    run: Lines,
    judgments: Judgments,
    ties: str,
    depth: int,
    kept_ranks: int | None,
    quota: ArrayQuota,
    systems: int = 1,
) -> CompiledRun:
    """A run with its lines ordered by the tie rule and every document looked up among the judged.

    Topics that the judgments lack are left out, repeated documents dropped but for the best-ranked one, and then lists
    cut at `depth`, each with a finding.  Identifiers and scores of the first `kept_ranks` ranks are kept.

    The arrays of the runs with the same `quota` are counted together before they are allocated, and those that
    `systems` such runs would take in the end.
    """
    lines = lines_by_topic(run, judgments)
    in_single = by_score(lines.topic, single_precision(lines.score))
    order = order_by_rule(ties, lines, in_single)
    keyed = DocumentKeys.from_documents(lines.topic, lines.docs)
    codes = judgments.lookup.find(keyed)
    findings = lint.run_findings(name, run, lines, judgments, ties, in_single, codes)
    repeats = find_repeats(lines, order, keyed)
    if repeats is not None:
        mask, first = repeats
        findings += lint.repeated_documents(lines, order[mask], order[first])
        order = order[~mask]
    topics = len(judgments.topics)
    counts = np.bincount(lines.topic[order], minlength=topics)
    ranks = min(depth, int(counts.max()))
    quota.foresee(_bytes(topics * systems, ranks, kept_ranks), _sizes(topics, systems, ranks), _ADVICE)
    what = f"{run.file}: the runs up to here, this one {topics:,} topics × {ranks:,} ranks,"
    quota.take(_bytes(topics, ranks, kept_ranks), what, _ADVICE)
    topic, found = lines.topic[order], codes[order]
    place = np.arange(len(order)) - (np.cumsum(counts) - counts)[topic]
    at = np.flatnonzero((found >= 0) & (place < ranks))
    ranking = Lists.from_places(np.minimum(counts, ranks), topic[at], place[at], found[at], ranks)
    if ties == "expected":
        ranking = replace(ranking, tied=_tied(topic, place, found, single_precision(lines.score[order]), ranks, topics))
    if (longest := int(counts.max())) > depth:
        message = f"documents below rank {depth:,} are left out (depth={depth}): longest list {longest:,}"
        findings.append(Finding("note", run.file, None, message))
    if kept_ranks is None:
        return CompiledRun(name, ranking, tuple(findings))
    kept = min(kept_ranks, ranks)
    first = np.flatnonzero(place < kept)
    order, found = order[first], found[first]
    codes_kept = Padded(found, np.minimum(counts, kept), UNJUDGED, kept)
    scores = replace(codes_kept, values=lines.score[order], nothing=np.nan)
    others = lines.docs.take(pa.array(order[found == UNJUDGED]))
    return CompiledRun(name, ranking, tuple(findings), (scores, codes_kept, others))


def _tied(topic: Places, place: Places, found: Places, score: NDArray[np.float32], ranks: int, topics: int) -> Padded:
    """By topic its judged documents with their ties, as :class:`Lists` has them, of the lines of a run in order."""
    new = np.append(True, (topic[1:] != topic[:-1]) | (score[1:] != score[:-1]))[: len(topic)]
    group = np.cumsum(new) - 1
    first, size = place[new][group], np.bincount(group)[group]
    at = np.flatnonzero((found >= 0) & (first < ranks))
    counts = np.bincount(topic[at], minlength=topics).astype(np.int32)
    values = np.column_stack([place, found, first, size])[at].astype(np.int32)
    return Padded(values, counts, BEYOND, int(counts.max(initial=0)))


def _bytes(lists: int, ranks: int, kept_ranks: int | None) -> int:
    """Bytes that lists take: an index at each rank; at the first `kept_ranks` ranks also a score and an identifier."""
    index, score = 4, 8
    return lists * (ranks * index + min(ranks, kept_ranks or 0) * (score + index))


def _sizes(topics: int, systems: int, ranks: int) -> str:
    return f"{topics:,} topics × {systems:,} systems × {ranks:,} ranks"


def assemble(
    name: str, judgments: Judgments, runs: Sequence[CompiledRun], ties: str, limits: Limits = DEFAULT_LIMITS
) -> Collection:
    """One collection of compiled runs; systems in natural order of their names."""
    shape = len(judgments.topics), len(runs), max(run.ranking.depth for run in runs)
    ranks = max((run.documents[0].shape[1] for run in runs if run.documents), default=None)
    ArrayQuota(limits).take(_bytes(shape[0] * shape[1], shape[2], ranks), _sizes(*shape), _ADVICE)
    runs = sorted(runs, key=lambda run: natural_key(run.name))
    lengths = np.stack([run.ranking.lengths for run in runs], axis=1)
    judged = side_by_side([run.ranking.judged for run in runs])
    tied = [run.ranking.tied for run in runs if run.ranking.tied is not None]
    collection = Collection(
        name=name,
        topics=judgments.topics,
        systems=tuple(run.name for run in runs),
        aspects=judgments.aspects,
        grades=judgments.grades,
        ranking=Lists(lengths, judged, max(1, shape[2]), side_by_side(tied) if tied else None),  # all may be empty
        labels=judgments.labels,
        ties=ties,
        findings=judgments.findings + tuple(finding for run in runs for finding in run.findings),
    )
    return collection.attached(documents=_documents(judgments, runs))


def _documents(judgments: Judgments, runs: Sequence[CompiledRun]) -> Documents | None:
    """The identifiers of the judged documents, then those of the others, list by list; and where they stand."""
    tables = [run.documents for run in runs if run.documents]
    if not tables:
        return None
    identifiers, listed = [judgments.docs], []
    first = (np.cumsum(judgments.counts) - judgments.counts).astype(np.int32)
    at = len(judgments.docs)
    for _, codes, others in tables:
        index = codes.values + first[codes.row]
        index[codes.values == UNJUDGED] = np.arange(at, at + len(others))
        listed.append(replace(codes, values=index, nothing=NO_INDEX))
        identifiers.append(others)
        at += len(others)
    pool = replace(judgments.labels, values=np.arange(len(judgments.docs), dtype=np.int32), nothing=NO_INDEX)
    lists, scores = side_by_side(listed), side_by_side([scores for scores, *_ in tables])
    return Documents(pa.concat_arrays(identifiers), pool, lists, scores, judgments.negative_grades)


def find_repeats(
    lines: Lines, order: NDArray[np.intp], keys: DocumentKeys
) -> tuple[NDArray[np.bool_], NDArray[np.intp]] | None:
    """By place of `order` whether it repeats a document that stands higher in the same topic, and the places of those.

    None where nothing repeats, as in most runs: identifiers are compared only where two of their `keys` are equal.
    """
    if not keys.may_repeat():
        return None
    coded = lines.docs.take(pa.array(order)).dictionary_encode()
    pair = lines.topic[order].astype(np.int64) * len(coded.dictionary) + coded.indices.to_numpy()
    _, first, which = np.unique(pair, return_index=True, return_inverse=True)
    mask = first[which] != np.arange(len(order))
    return (mask, first[which][mask]) if mask.any() else None
