"""Judgments of one or several aspects, joined: topics, judged documents, grade levels.

Documents of a topic are kept in bytewise order of their identifiers, so that neither
the order of lines nor of files changes anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from irviz.collection.compiling.keys import Lookup
from irviz.collection.compiling.levels import grade_levels, to_levels
from irviz.collection.model import ABSENT, Finding
from irviz.collection.names import natural_key, text_of
from irviz.collection.reading.qrels import QrelsLines
from irviz.collection.reading.unpack import DEFAULT_LIMITS, ArrayQuota, Limits
from irviz.errors import FileProblem, IrvizError, counted, listed, verb


@dataclass(frozen=True, eq=False)
class Judgments:
    """All qrels, joined.

    Attributes
    ----------
    topics, aspects : tuple of str
    keys : tuple of bytes
        The topics as they are in the files.
    docs : tuple of Arrow binary arrays
        For every topic the judged documents, bytewise ascending.
    labels : int16, topics × judged documents × aspects
    grades : tuple of tuple of float
        For every aspect the grade of each level.
    below : float64, topics × judged documents × aspects, or None
        Grades below zero, as they were written; None where there are none.
    """

    file: str
    topics: tuple[str, ...]
    keys: tuple[bytes, ...]
    aspects: tuple[str, ...]
    docs: tuple[pa.BinaryArray, ...]
    labels: NDArray[np.int16]
    grades: tuple[tuple[float, ...], ...]
    findings: tuple[Finding, ...]
    below: NDArray[np.float64] | None = None

    @cached_property
    def lookup(self) -> Lookup:
        """Where documents of runs stand among `docs`."""
        return Lookup(self.docs)


def all_judgments(
    files: Sequence[QrelsLines],
    aspects: Sequence[str],
    levels: Mapping[str, Sequence[float]] | None = None,
    are: str = "aspects",
    limits: Limits = DEFAULT_LIMITS,
) -> Judgments:
    """Join qrels: either one file with a column for every aspect, or one file for each.

    Parameters
    ----------
    files : sequence of QrelsLines
    aspects : sequence of str
        Their names, in order of importance.
    levels : mapping of aspect to grades, optional
        Declares more grades than were used.
    are : str
        What findings call them: ``"aspects"`` or ``"judges"``.
    limits : Limits
        Refuses the arrays before they are allocated.
    """
    keys = tuple(sorted({key for lines in files for key in lines.topics}, key=lambda key: natural_key(text_of(key))))
    place, which, docs = _join(files, keys)
    findings = [finding for lines in files for finding in lines.findings]
    for lines, rows in zip(files, place, strict=True):
        findings += _judged_twice(lines, rows)
    counts = np.bincount(which, minlength=len(keys))
    _check_size(files[0].file, counts, len(aspects), limits)
    grades, labels = [], np.full((len(docs), len(aspects)), ABSENT, dtype=np.int16)
    below = np.zeros(labels.shape)
    for a, (name, lines, rows, column) in enumerate(_columns(files, aspects, place)):
        grades.append(grade_levels(name, lines, column, (levels or {}).get(name)))
        labels[rows, a] = to_levels(column, grades[-1])
        below[rows, a] = np.minimum(column, 0.0)
    topics = tuple(text_of(key) for key in keys)
    file = files[0].file
    findings += _missing_from_a_file(files, keys, are) + _without_relevant(file, topics, which, labels, aspects)
    if are == "judges":
        findings += _without_common_topics(files, aspects)
    return Judgments(
        file,
        topics,
        keys,
        tuple(aspects),
        _slices(docs, counts),
        _padded(labels, counts, ABSENT),
        tuple(grades),
        tuple(findings),
        _padded(below, counts, 0.0) if below.any() else None,
    )


def _check_size(file: str, counts: NDArray[np.intp], aspects: int, limits: Limits) -> None:
    """Refuse judgments whose arrays would be too large: topics × documents of the topic with most × aspects."""
    topics, documents = len(counts), int(counts.max())
    widest = topics * documents
    index, level, below = 4, 2, 8
    what = f"{file}: {topics:,} topics × {documents:,} judged documents"
    if aspects > 1:
        what += f" × {aspects:,} aspects"
    advice = "Every topic has as much room as the one with most documents: leave that one out, or split the file."
    count = widest * (index + aspects * (level + below)) + int(counts.sum()) * aspects * (level + below)
    ArrayQuota(limits).take(count, what, advice)


def _join(
    files: Sequence[QrelsLines], keys: tuple[bytes, ...]
) -> tuple[list[NDArray[np.intp]], NDArray[np.intp], pa.BinaryArray]:
    """All judged pairs sorted by topic and document; where each line of each file stands among them."""
    index = {key: i for i, key in enumerate(keys)}
    topic = np.concatenate([np.array([index[k] for k in lines.topics])[lines.topic] for lines in files])
    coded = pa.concat_arrays([lines.docs for lines in files]).dictionary_encode()
    order = pc.sort_indices(coded.dictionary).to_numpy()
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    pairs, place = np.unique(topic * len(order) + rank[coded.indices.to_numpy()], return_inverse=True)
    which, doc = np.divmod(pairs, len(order))
    ends = np.cumsum([len(lines.topic) for lines in files])[:-1]
    return np.split(place, ends), which, coded.dictionary.take(pa.array(order[doc]))


def _columns(files: Sequence[QrelsLines], aspects: Sequence[str], place: list[NDArray[np.intp]]) -> list[tuple]:
    """(aspect, file, rows, grades) for every aspect."""
    if len(files) == 1:
        lines, rows = files[0], place[0]
        return [(name, lines, rows, lines.grades[:, i]) for i, name in enumerate(aspects)]
    return [(n, lines, rows, lines.grades[:, 0]) for n, lines, rows in zip(aspects, files, place, strict=True)]


def _judged_twice(lines: QrelsLines, place: NDArray[np.intp]) -> list[Finding]:
    """A note where a document has the same grade twice; an error where it has two grades."""
    order = np.argsort(place, kind="stable")
    again = np.flatnonzero(place[order][1:] == place[order][:-1])
    if not len(again):
        return []
    first, second = order[again], order[again + 1]
    differ = (lines.grades[first] != lines.grades[second]).any(axis=1)
    if differ.any():
        one, two = (int(rows[differ][np.argmin(second[differ])]) for rows in (first, second))
        raise FileProblem(
            lines.file,
            lines.line_of(two),
            f"document {_doc(lines, two)} of topic {_topic(lines, two)} is judged twice with different grades: "
            f"{_shown(lines.grades[two])} here, {_shown(lines.grades[one])} on line {lines.line_of(one)}. Keep one.",
        )
    row = int(second.min())
    once = int(first[np.argmin(second)])
    what = (
        f"of topic {_topic(lines, row)} is judged twice with the same grade, "
        f"first on line {lines.line_of(once)}; {counted(len(again), 'such line')} in the file"
    )
    line = lines.line_of(row)
    return [Finding("note", lines.file, line, f"document {_doc(lines, row)} {what}", f"a document {what}")]


def _missing_from_a_file(files: Sequence[QrelsLines], keys: tuple[bytes, ...], are: str) -> list[Finding]:
    found = []
    for lines in files:
        own = set(lines.topics)
        missing = [text_of(key) for key in keys if key not in own]
        if missing:
            message = (
                f"lacks {len(missing)} of the {len(keys)} topics of the other {are}: {listed(missing, joiner='and')}"
            )
            found.append(Finding("warning", lines.file, None, message))
    return found


def _without_common_topics(files: Sequence[QrelsLines], judges: Sequence[str]) -> list[Finding]:
    """An error for every judge who judged no topic of the first one: the two cannot be compared."""
    found = []
    first = set(files[0].topics)
    for judge, lines in zip(judges, files, strict=True):
        if not first & set(lines.topics):
            topics = counted(len(set(lines.topics)), "topic")
            message = f"{judge}: {topics}, none of {judges[0]}'s {len(first):,}, so these two judges cannot be compared"
            found.append(Finding("error", lines.file, None, message))
    return found


def _without_relevant(
    file: str, topics: tuple[str, ...], which: NDArray[np.intp], labels: NDArray[np.int16], aspects: Sequence[str]
) -> list[Finding]:
    found = []
    for a, aspect in enumerate(aspects):
        best = np.zeros(len(topics), dtype=np.int16)
        np.maximum.at(best, which, labels[:, a])
        none = [topic for topic, level in zip(topics, best, strict=True) if level == 0]
        if none:
            message = (
                f"{len(none)} of {len(topics)} topics {verb(len(none), 'has', 'have')} no document above grade 0 "
                f"({aspect}): {listed(none, joiner='and')}"
            )
            found.append(Finding("note", file, None, message))
    return found


def _slices(docs: pa.BinaryArray, counts: NDArray[np.intp]) -> tuple[pa.BinaryArray, ...]:
    starts = np.cumsum(counts) - counts
    return tuple(docs.slice(int(start), int(count)) for start, count in zip(starts, counts, strict=True))


def _padded(values: NDArray, counts: NDArray[np.intp], nothing: float) -> NDArray:
    """Rows of all topics, one after the other → topics × documents × aspects, padded with `nothing`."""
    out = np.full((len(counts), int(counts.max()), values.shape[1]), nothing, dtype=values.dtype)
    out[np.arange(out.shape[1]) < counts[:, None]] = values
    return out


def _doc(lines: QrelsLines, row: int) -> str:
    return text_of(lines.docs[row].as_py())


def _topic(lines: QrelsLines, row: int) -> str:
    return text_of(lines.topics[lines.topic[row]])


def _shown(grades: NDArray[np.float64]) -> str:
    return " ".join(f"{grade:g}" for grade in grades)


def aspect_names(lines: QrelsLines) -> tuple[str, ...]:
    """Names for the grade columns of one file: relevance, aspect2, aspect3, …"""
    return ("relevance", *(f"aspect{i}" for i in range(2, lines.grades.shape[1] + 1)))


def check_one_column(aspect: str, lines: QrelsLines) -> None:
    """Refuse a file with several grade columns where one aspect was asked for."""
    if lines.grades.shape[1] > 1:
        raise IrvizError(
            f"{lines.file}: expected one column of grades for the aspect {aspect}, found {lines.grades.shape[1]}. "
            f"Give the file by itself to load them all as aspects."
        )
