"""Score matrices from CSV files or frames, for use without runs.

A file has a header of system names, then one row per topic.  A first column of topics is recognised by
its header (empty, topic, query, qid, id …), by a header that is one field shorter than every
row, or by containing no numbers at all.  Rows that do not fit the header are refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.frames import ForeignTable, frame_of
from irviz.collection.names import readable
from irviz.collection.sources import DEFAULT_LIMITS, Limits, Source, single
from irviz.collection.text import TableRow, parsed_number, quoted_line, table_rows
from irviz.errors import FileProblem, IrvizError, join_words

_TOPIC_HEADERS = {
    *("", "topic", "topics", "topicid", "topicno", "topicnumber", "tid", "num", "number"),
    *("query", "queries", "queryid", "queryno", "querynumber", "qid", "id", "unnamed0"),
}
_SEPARATORS = (",", "\t", ";")
_LARGEST = 1e100  #: sums of squares stay finite


class Matrices(NamedTuple):
    """Scores as plain arrays: ``values`` is float64, measures × topics × systems."""

    values: NDArray[np.float64]
    measures: tuple[str, ...]
    topics: tuple[str, ...]
    systems: tuple[str, ...]


def read_matrices(files: Mapping[str, Source], limits: Limits = DEFAULT_LIMITS) -> Matrices:
    """Read one score matrix for each measure: all of the same systems and topics, in the order of the first.

    Topics without a column of their own are called 1, 2, 3, …  Refused, with file and line, are ragged rows, cells that
    are not finite numbers, and systems or topics that are listed twice or differ between files.
    """
    if not isinstance(files, Mapping) or not files:
        raise IrvizError('Score matrices are given as {measure: path}, such as {"AP": "ap.csv"}.')
    return _join([(readable(str(measure)), *_read(source, limits)) for measure, source in files.items()])


def matrices_of_frames(frames: Mapping[str, ForeignTable]) -> Matrices:
    """Score matrices in memory, by measure; topics and systems in the order of the first."""
    if not isinstance(frames, Mapping) or not frames:
        raise IrvizError("`frames` maps measures to matrices, such as {'AP': frame}, topics × systems.")
    return _join([(str(name), str(name), _of_frame(str(name), frame)) for name, frame in frames.items()])


def _join(read: Sequence[tuple[str, str, pd.DataFrame]]) -> Matrices:
    """Matrices of the same topics and systems, given with their measures and what to call them, as one cube."""
    _, file, first = read[0]
    for _, other, frame in read[1:]:
        _same(file, other, "systems", first.columns, frame.columns)
        _same(file, other, "topics", first.index, frame.index)
    values = np.stack([frame.loc[first.index, first.columns].to_numpy() for *_, frame in read])
    return Matrices(values, tuple(measure for measure, *_ in read), tuple(first.index), tuple(first.columns))


def _of_frame(name: str, table: ForeignTable) -> pd.DataFrame:
    """One matrix with its labels as text."""
    frame = frame_of(name, table)
    if "topic" in frame.columns:
        frame = frame.set_index("topic")
    frame = frame.rename(index=str, columns=str)
    for what, labels in (("topic", frame.index), ("system", frame.columns)):
        if labels.has_duplicates:
            raise IrvizError(f"{name}: the {what} {labels[labels.duplicated()][0]} is there twice. Keep one.")
    numbers = frame.apply(pd.to_numeric, errors="coerce").astype(np.float64)
    bad = np.argwhere(~np.isfinite(numbers.to_numpy()))
    if len(bad):
        topic, system = numbers.index[bad[0][0]], numbers.columns[bad[0][1]]
        raise IrvizError(f"{name}: topic {topic}, system {system}: {frame.iat[*bad[0]]!r} is no finite number.")
    return numbers


def _read(source: Source, limits: Limits) -> tuple[str, pd.DataFrame]:
    """The name of a file, and its scores: topics × systems."""
    job = single(source, "score matrix", limits)
    rows = table_rows(job.file, job.read(), _SEPARATORS, "the file is not UTF-8 text. Save it as CSV in UTF-8.", limits)
    if len(rows) < 2:
        fault = "has 1 line" if rows else "is empty"
        message = f"expected a header of system names and a row for every topic; the file {fault}."
        raise FileProblem(job.file, None, message)
    header, body = rows[0], rows[1:]
    width = _width(job.file, header.cells, body)
    unnamed = width - len(header.cells)  # 1 where the header does not name the column of topics
    numberless = all(parsed_number(row.cells[0]) is None for row in body)
    named = unnamed or _names_topics(header.cells) or numberless
    systems = header.cells[named - unnamed :]
    if not systems:
        message = "the file holds one column, of topics, and no scores. Give a column for every system."
        raise FileProblem(job.file, header.line, message)
    topics = [row.cells[0] for row in body] if named else [str(i + 1) for i in range(len(body))]
    _distinct(job.file, "system", systems, [header.line] * len(systems))
    _distinct(job.file, "topic", topics, [row.line for row in body])
    values = [_scores(job.file, row, named, systems) for row in body]
    return job.file, pd.DataFrame(values, index=topics, columns=systems, dtype=np.float64)


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
    return re.sub(r"[\s_.#:-]+", "", header[0].casefold()) in _TOPIC_HEADERS


def _scores(file: str, row: TableRow, name_columns: int, systems: list[str]) -> list[float]:
    cells = row.cells[name_columns:]
    with suppress(ValueError):  # a wrong one is found, and said, below
        values = list(map(float, cells))
        if all(abs(value) <= _LARGEST for value in values) and "_" not in "".join(cells):
            return values
    return [_score(file, row, cell, system) for cell, system in zip(cells, systems, strict=True)]


def _score(file: str, row: TableRow, cell: str, system: str) -> float:
    value = parsed_number(cell)
    if value is None or not math.isfinite(value):
        raise FileProblem(file, row.line, f"the score of {system} is not a finite number: {quoted_line(cell.encode())}")
    if abs(value) > _LARGEST:
        raise FileProblem(file, row.line, f"the score of {system} is {value:g}; it must lie within ±{_LARGEST:g}.")
    return value


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
    lacking, extra = (list(index.difference(others, sort=False)) for index, others in ((one, two), (two, one)))
    if not lacking and not extra:
        return
    parts = [
        f"{verb} {join_words(names, joiner='and')}" for verb, names in (("lacks", lacking), ("adds", extra)) if names
    ]
    raise FileProblem(
        other,
        None,
        f"its {what} are not those of {first}: it {' and '.join(parts)}. All matrices must score the same {what}.",
    )
