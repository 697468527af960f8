"""Score matrices from CSV files or frames, for use without runs.

A file has a header of systems and a row for every topic.  A first column of topics is told by its header (empty, topic,
query, qid, id …), by a header one field shorter than the rows, or by holding no number.  A matrix with systems in rows
is turned, and a last row of averages is left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection import per_topic
from irviz.collection.codes import Finding
from irviz.collection.frames import ForeignTable, frame_of
from irviz.collection.names import readable
from irviz.collection.sources import DEFAULT_LIMITS, Limits, Source, single, source_files
from irviz.collection.text import TableRow, parsed_number, quoted_line, table_rows
from irviz.errors import FileProblem, IrvizError, join_words

_TOPIC_HEADERS = {
    *("", "topic", "topics", "topicid", "topicno", "topicnumber", "tid", "num", "number"),
    *("query", "queries", "queryid", "queryno", "querynumber", "qid", "id", "unnamed0"),
}
_SYSTEM_HEADERS = {"system", "systems", "systemid", "run", "runs", "runid", "runtag", "tag"}


class Matrices(NamedTuple):
    """Scores as plain arrays: ``values`` is float64, measures × topics × systems."""

    values: NDArray[np.float64]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


def read_matrices(files: Mapping[str, Source], limits: Limits = DEFAULT_LIMITS) -> Matrices:
    """One score matrix a measure, all of the same systems and topics, in the order of the first.

    Topics without a column of their own are called 1, 2, 3, …  An empty cell is missing (NaN).  Refused, with file and
    line, are rows of other lengths than the header's, cells that are no finite numbers, rows that may be averages or
    topics, and systems or topics that are listed twice or differ between files.
    """
    if not isinstance(files, Mapping) or not files:
        raise IrvizError('Score matrices are given as {measure: path}, such as {"AP": "ap.csv"}.')
    return _join([(readable(str(measure)), *_read(source, limits)) for measure, source in files.items()])


def read_files(
    source: Source | Mapping[str, Source], spelling: Callable[[str], str | None], limits: Limits = DEFAULT_LIMITS
) -> Matrices:
    """Scores of matrices, each called by its file unless a measure is given, or of files with a value a line.

    `spelling` is irviz's name of a measure, or None.
    """
    if isinstance(source, Mapping):
        return read_matrices(source, limits)
    files = [(job.name, job.file, job.read()) for job in source_files(source, "scores", limits)]
    kinds = {per_topic.is_per_topic(data): file for _, file, data in files}
    if len(kinds) == 2:
        message = f"{kinds[True]} has a value a line, {kinds[False]} is a matrix. Load them one after the other."
        raise IrvizError(message)
    if True in kinds:
        return Matrices(*per_topic.cubes(files, spelling, limits))
    suffix = re.compile(r"\.(csv|txt|tsv)$", re.IGNORECASE)
    return _join([(suffix.sub("", name), *_read((file, data), limits)) for name, file, data in files])


def matrices_of_frames(frames: Mapping[str, ForeignTable]) -> Matrices:
    """Score matrices in memory, by measure; topics and systems in the order of the first."""
    if not isinstance(frames, Mapping) or not frames:
        raise IrvizError("`frames` maps measures to matrices, such as {'AP': frame}, topics × systems.")
    return _join([(str(name), *_of_frame(str(name), frame)) for name, frame in frames.items()])


_Read = tuple[str, pd.DataFrame, list[Finding]]  # name, scores (topics × systems) and findings of a matrix


def _join(read: Sequence[tuple[str, str, pd.DataFrame, list[Finding]]]) -> Matrices:
    """Matrices of the same topics and systems, given with their measures and what to call them, as one cube."""
    _, file, first, _ = read[0]
    for _, other, frame, _ in read[1:]:
        _same(file, other, "systems", first.columns, frame.columns)
        _same(file, other, "topics", first.index, frame.index)
    values = np.stack([frame.loc[first.index, first.columns].to_numpy() for _, _, frame, _ in read])
    findings = [finding for *_, found in read for finding in found]
    measures = tuple(measure for measure, *_ in read)
    findings += per_topic.missing_finding(values)
    return Matrices(values, measures, tuple(first.index), tuple(first.columns), tuple(findings))


def _of_frame(name: str, table: ForeignTable) -> _Read:
    """One matrix with its labels as text."""
    frame = frame_of(name, table)
    if "topic" in frame.columns:
        frame = frame.set_index("topic")
    frame = frame.rename(index=str, columns=str)
    for what, labels in (("topic", frame.index), ("system", frame.columns)):
        if labels.nlevels > 1:
            raise IrvizError(f"{name}: a {what} has {labels.nlevels} names. Give each one.")
        if labels.has_duplicates:
            raise IrvizError(f"{name}: the {what} {labels[labels.duplicated()][0]} is there twice. Keep one.")
    numbers = frame.apply(pd.to_numeric, errors="coerce").astype(np.float64)
    bad = np.argwhere(~np.isfinite(numbers.to_numpy()) & frame.notna().to_numpy())
    if len(bad):
        topic, system = numbers.index[bad[0][0]], numbers.columns[bad[0][1]]
        raise IrvizError(f"{name}: topic {topic}, system {system}: {frame.iat[*bad[0]]!r} is no finite number.")
    return _without_averages(name, numbers, numbers.astype(str), None)


def _read(source: Source, limits: Limits) -> _Read:
    job = single(source, "score matrix", limits)
    data = job.read()
    if per_topic.is_per_topic(data):
        message = "the file has a value a line, with its measure. Give it without a measure: load_scores([path])."
        raise FileProblem(job.file, None, message)
    refusal = "the file is not UTF-8 text. Save it as CSV in UTF-8."
    rows = table_rows(job.file, data, per_topic.SEPARATORS, refusal, limits)
    if len(rows) < 2:
        fault = "has 1 line" if rows else "is empty"
        message = f"expected a header of system names and a row for every topic; the file {fault}."
        raise FileProblem(job.file, None, message)
    header, body = rows[0], rows[1:]
    width = _width(job.file, header.cells, body)
    unnamed = width - len(header.cells)  # 1 where the header does not name the column of topics
    labels = [row.cells[0] for row in body]
    numberless = all(parsed_number(label) is None for label in labels)
    turned = _has_systems_in_rows("" if unnamed else header.cells[0], header.cells[1 - unnamed :], labels)
    named = unnamed or turned or _names_topics(header.cells) or numberless
    columns = header.cells[named - unnamed :]
    if not columns:
        message = "the file holds one column, of topics, and no scores. Give a column for every system."
        raise FileProblem(job.file, header.line, message)
    index = labels if named else [str(i + 1) for i in range(len(body))]
    if turned and all(map(per_topic.MEASURE.fullmatch, columns)):
        message = "its rows are systems and its columns measures: averages over topics. Give scores by topic."
        raise FileProblem(job.file, header.line, message)
    across, down = ("topic", "system") if turned else ("system", "topic")
    _distinct(job.file, across, columns, [header.line] * len(columns))
    _distinct(job.file, down, index, [row.line for row in body])
    frame = pd.DataFrame([_scores(job.file, row, named, columns) for row in body], index=index, columns=columns)
    texts = pd.DataFrame([row.cells[named:] for row in body], index=index, columns=columns)
    findings = []
    if turned:
        frame, texts = frame.T, texts.T
        findings = [Finding("note", job.file, None, "its rows are systems and its columns topics: it is turned.")]
    file, frame, found = _without_averages(job.file, frame, texts, None if turned else [row.line for row in body])
    return file, frame, findings + found


def _has_systems_in_rows(corner: str, columns: list[str], labels: list[str]) -> bool:
    """True if the first heading says so, or if nothing else is said and only the columns are called by numbers."""
    said, across = per_topic.heading(corner), all(name.isdecimal() for name in columns)
    if said in _SYSTEM_HEADERS and all(label.isdecimal() for label in labels):
        return True
    named = any(parsed_number(label) is not None for label in labels)
    if said in _SYSTEM_HEADERS:
        return not named
    return bool(columns) and said not in _TOPIC_HEADERS - {"", "unnamed0"} and across and not named


def _without_averages(file: str, frame: pd.DataFrame, texts: pd.DataFrame, lines: list[int] | None) -> _Read:
    """A matrix without its last row, if that is called an average and is one as printed; refused where it is not."""
    named = [i for i, topic in enumerate(frame.index) if topic.casefold() in per_topic.AVERAGES]
    if not named:
        return file, frame, []
    row, name = named[0], frame.index[named[0]]
    fault = "it is not the last row"
    if row == len(frame) - 1 and row:
        above, last = frame.iloc[:-1], frame.iloc[-1]
        most = per_topic.tolerance(texts.to_numpy().ravel(), len(above))
        if (((above.mean() - last).abs() <= most) | last.isna()).all():
            message = f"its last row, `{name}`, holds averages and is left out."
            return file, above, [Finding("note", file, None, message)]
        fault = "it is not the mean of the rows above"
    message = f"the row `{name}` may be an average or a topic: {fault}. Take it out, or rename the topic."
    raise FileProblem(file, None if lines is None else lines[row], message)


def _width(file: str, header: list[str], body: list[TableRow]) -> int:
    """The number of fields of every row: as many as in the header, or one more, of topics; other rows are refused."""
    width, say = len(header), "as in the header"
    if not _names_topics(header) and len(body[0].cells) == width + 1:
        width, say = width + 1, f"a topic and the {width} of the header"
    for row in body:
        if len(row.cells) != width:
            raise FileProblem(file, row.line, f"expected {width} fields, {say}; found {len(row.cells)}.")
    return width


def _names_topics(header: list[str]) -> bool:
    """True if the heading of the first column says that it holds topics."""
    return per_topic.heading(header[0]) in _TOPIC_HEADERS


def _scores(file: str, row: TableRow, name_columns: int, systems: list[str]) -> list[float]:
    cells = row.cells[name_columns:]
    with suppress(ValueError):  # a wrong one is found, and said, below
        values = list(map(float, cells))
        if all(abs(value) <= per_topic.LARGEST for value in values) and "_" not in "".join(cells):
            return values
    values = []
    for cell, system in zip(cells, systems, strict=True):
        value = math.nan if cell.casefold() in per_topic.MISSING else parsed_number(cell)
        if value is None or math.isinf(value):
            message = f"the score of {system} is not a finite number: {quoted_line(cell.encode())}"
            raise FileProblem(file, row.line, message)
        if abs(value) > per_topic.LARGEST:
            message = f"the score of {system} is {value:g}; it must lie within ±{per_topic.LARGEST:g}."
            raise FileProblem(file, row.line, message)
        values.append(value)
    return values


def _distinct(file: str, what: str, names: list[str], lines: list[int]) -> None:
    seen = set()
    for name, line in zip(names, lines, strict=True):
        if not name:
            raise FileProblem(file, line, f"a {what} has no name.")
        if name in seen:
            raise FileProblem(file, line, f"the {what} {name} is listed twice.")
        seen.add(name)


def _same(first: str, other: str, what: str, one: pd.Index, two: pd.Index) -> None:
    """Refuse the names of a file that are not those of the first one, in whatever order."""
    differ = {"lacks": one.difference(two, sort=False), "adds": two.difference(one, sort=False)}
    parts = [f"{verb} {join_words(names, joiner='and')}" for verb, names in differ.items() if len(names)]
    if parts:
        message = f"its {what} are not those of {first}: it {' and '.join(parts)}."
        raise FileProblem(other, None, f"{message} All matrices must score the same {what}.")
