"""Satisfaction with result lists, and preferences between systems or documents, as people gave them.

Both are small tables beside a collection.  A satisfaction file has a header and the columns
``topic``, ``satisfaction`` and, where several systems were shown, ``system``.  A preference file has
the columns ``topic``, ``a``, ``b`` and ``winner``; the header may be missing, and the winner is the
name of one of the two, or empty, ``tie`` or 0 for neither.  Fields are separated by tabs, commas,
semicolons or, where the first line has none of these, spaces.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import eq
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.names import readable
from irviz.collection.sources import DEFAULT_LIMITS, Limits, Source, single
from irviz.collection.text import TableRow, parsed_number, table_rows
from irviz.display import Displayable
from irviz.errors import FileProblem, IrvizError, join_words, number_of

SATISFACTION_COLUMNS = ("topic", "satisfaction")
PREFERENCE_COLUMNS = ("topic", "a", "b", "winner")
NEITHER = frozenset({"", "tie", "0", "none", "same", "equal"})  #: values of the column `winner` for a tie
_LARGEST = 1e100  #: a satisfaction
_HEAD, _LINES = 1 << 14, 20  #: bytes and lines of a file that tell what it is
_LETTERS = 60  #: bytes of a short name in memory
_SEPARATORS = ("\t", ",", ";")


@dataclass(frozen=True, eq=False)
class _Answers(Displayable):
    """Answers of people: one entry per answer in each field that is not None."""

    topics: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.topics)

    @property
    def nbytes(self) -> int:
        """Bytes in memory, about."""
        return sum(getattr(part, "nbytes", _LETTERS * len(self)) for part in vars(self).values())

    def packed(self) -> dict[str, Any]:
        """All of it as lists, for JSON."""
        return {name: part.tolist() if isinstance(part, np.ndarray) else part for name, part in vars(self).items()}

    def select(self, kept: Sequence[int]) -> Self | None:
        """The answers at these places; None if there is none."""
        if len(kept) in (0, len(self)):
            return self if len(kept) else None
        chosen: dict[str, Any] = {
            name: part[list(kept)] if isinstance(part, np.ndarray) else part and tuple(part[i] for i in kept)
            for name, part in vars(self).items()
        }
        return replace(self, **chosen)


@dataclass(frozen=True, eq=False)
class Satisfaction(_Answers):
    """How satisfied people were with the list that they saw; larger is better, on any ordered scale.

    Attributes
    ----------
    topics : tuple of str, one per answer
    systems : tuple of str, one per answer, or None
        Whose list it was; None where one list was shown per topic.
    values : float64, one per answer
    """

    systems: tuple[str, ...] | None
    values: NDArray[np.float64]

    def _summary(self) -> str:
        about = [number_of(len(set(self.topics)), "topic")]
        about += [number_of(len(set(self.systems)), "system")] if self.systems else []
        return f"{number_of(len(self), 'answer')} about {' and '.join(about)}"

    def about(self, topics: Collection[str], systems: Collection[str]) -> Satisfaction | None:
        """The answers about these topics, and about these systems where systems are named; None if none is."""
        pairs = zip(self.topics, self.systems or self.topics, strict=True)
        wanted, whose = set(topics), set(self.topics if self.systems is None else systems)
        return self.select([i for i, (topic, system) in enumerate(pairs) if topic in wanted and system in whose])


@dataclass(frozen=True, eq=False)
class Preferences(_Answers):
    """Which of two systems, or of two documents, people preferred on a topic.

    Attributes
    ----------
    topics, a, b : tuple of str, one per preference
    sign : int8, one per preference
        1 where `a` was preferred, −1 where `b` was, 0 for neither.
    """

    a: tuple[str, ...]
    b: tuple[str, ...]
    sign: NDArray[np.int8]

    def _summary(self) -> str:
        return f"{number_of(len(self), 'preference')} on {number_of(len(set(self.topics)), 'topic')}"

    def about(self, topics: Collection[str]) -> Preferences | None:
        """The preferences on these topics; None if there is none."""
        wanted = set(topics)
        return self.select([i for i, topic in enumerate(self.topics) if topic in wanted])

    def are_of(self, systems: Collection[str]) -> bool:
        """True if they are between systems, which the names tell."""
        return not {*self.a, *self.b}.isdisjoint(systems)

    def between(self, names: Collection[str]) -> Preferences | None:
        """The preferences of which both sides have one of these names; None if there is none."""
        wanted = set(names)
        return self.select([i for i, pair in enumerate(zip(self.a, self.b, strict=True)) if wanted.issuperset(pair)])


def load_satisfaction(source: Source | pd.DataFrame, *, limits: Limits = DEFAULT_LIMITS) -> Satisfaction:
    """Read what people said of the lists they saw.

    Parameters
    ----------
    source : path, (name, bytes) or DataFrame
        With the columns ``topic`` and ``satisfaction`` and, for lists of several systems, ``system``.
    limits : Limits
        As in :func:`irviz.load_collection`.

    Returns
    -------
    Satisfaction

    Raises
    ------
    IrvizError
        With file and line: a column that is missing, a satisfaction that is not a finite number, a
        topic (and system) that is listed twice.
    """
    file, places, rows = named_table(source, "satisfaction file", SATISFACTION_COLUMNS, headless=False, limits=limits)
    named = "system" in places
    keys: dict[tuple[str, str], int] = {}
    values = []
    for row in rows:
        topic = _name(file, row, places["topic"], "topic")
        system = _name(file, row, places["system"], "system") if named else ""
        if (topic, system) in keys:
            whose = f"topic {topic} and system {system}" if named else f"topic {topic}"
            raise FileProblem(
                file,
                row.line,
                f"the satisfaction with {whose} is given twice, first in line "
                f"{keys[topic, system]}. Give one number, such as the mean.",
            )
        keys[topic, system] = row.line
        values.append(_number(file, row, places["satisfaction"]))
    topics = tuple(topic for topic, _ in keys)
    return Satisfaction(topics, tuple(s for _, s in keys) if named else None, np.array(values, dtype=np.float64))


def load_preferences(source: Source | pd.DataFrame, *, limits: Limits = DEFAULT_LIMITS) -> Preferences:
    """Read which of two systems or documents people preferred.

    Parameters
    ----------
    source : path, (name, bytes) or DataFrame
        With the columns ``topic``, ``a``, ``b`` and ``winner``; a file may leave the header out.
    limits : Limits
        As in :func:`irviz.load_collection`.

    Returns
    -------
    Preferences

    Raises
    ------
    IrvizError
        With file and line: a line without four fields, a thing compared with itself, a winner that is
        neither of the two nor one of the words for a tie.
    """
    file, places, rows = named_table(source, "preference file", PREFERENCE_COLUMNS, headless=True, limits=limits)
    pairs: list[tuple[str, str, str]] = []
    signs = []
    for row in rows:
        topic, a, b = (_name(file, row, places[name], name) for name in ("topic", "a", "b"))
        winner = row.cells[places["winner"]]
        if a == b:
            raise FileProblem(file, row.line, f"{readable(a)} is compared with itself.")
        if winner not in (a, b) and winner.casefold() not in NEITHER:
            raise FileProblem(
                file,
                row.line,
                f"the winner {readable(winner)!r} is neither {readable(a)} nor "
                f"{readable(b)}. Write one of them, or 'tie'.",
            )
        pairs.append((topic, a, b))
        signs.append(1 if winner == a else -1 if winner == b else 0)
    topics, first, second = zip(*pairs, strict=True)
    return Preferences(tuple(topics), tuple(first), tuple(second), np.array(signs, dtype=np.int8))


def said_by_users(data: bytes) -> str | None:
    """Which of the two a file is by its first lines, "satisfaction" or "preferences"; None where it is neither.

    Satisfaction has a header that says so.  Preferences have one, or four fields a line of which the last
    is the second, the third or a word for neither; a number that qrels would have there is none of these.

    >>> said_by_users(b"topic,satisfaction\\n1,3"), said_by_users(b"1 d7 d9 d9\\n1 d7 d2 tie")
    ('satisfaction', 'preferences')
    >>> said_by_users(b"1 0 d9 2"), said_by_users(b"1 1 d9 1\\n1 1 d8 0")
    (None, None)
    """
    try:
        rows = _file_rows("", data[:_HEAD].rpartition(b"\n")[0] or data[:_HEAD], "")[:_LINES]
    except FileProblem:
        return None
    names = {cell.casefold() for cell in rows[0].cells}
    if names >= set(SATISFACTION_COLUMNS):
        return "satisfaction"
    if names >= set(PREFERENCE_COLUMNS):
        return "preferences"
    pairs = [row.cells for row in rows]
    if any(len(cells) != 4 for cells in pairs):
        return None
    decided = all(cells[3] in cells[1:3] or cells[3].casefold() in NEITHER for cells in pairs)
    named = any(cells[3] == cells[2] or (cells[3] == cells[1] and not cells[3].isdigit()) for cells in pairs)
    return "preferences" if decided and named else None


def named_table(
    source: Source | pd.DataFrame, what: str, columns: Sequence[str], headless: bool, limits: Limits
) -> tuple[str, dict[str, int], list[TableRow]]:
    """The file of a table, the places of its columns by their names, and its rows."""
    if isinstance(source, pd.DataFrame):
        file, rows = "the DataFrame", list(_frame_rows(source))
    else:
        job = single(source, what, limits)
        file, rows = job.file, _file_rows(job.file, job.read(), what, limits)
    names = [cell.strip().casefold() for cell in rows[0].cells]
    if set(columns) <= set(names):
        places, body = {name: names.index(name) for name in dict.fromkeys(names)}, rows[1:]
    elif headless and len(names) == len(columns):
        places, body = {name: i for i, name in enumerate(columns)}, rows
    else:
        header = join_words(rows[0].cells, joiner="and") or "nothing"
        raise FileProblem(
            file, rows[0].line, f"expected the columns {join_words(columns, joiner='and')}; found {header}."
        )
    if not body:
        raise FileProblem(file, rows[0].line, f"the {what} has a header and no rows.")
    for row in body:
        if len(row.cells) != len(names):
            raise FileProblem(file, row.line, f"expected {len(names)} fields, found {len(row.cells)}.")
    return file, places, body


def _frame_rows(frame: pd.DataFrame) -> Iterator[TableRow]:
    """The header and the rows of a frame as texts; a missing value is empty."""
    yield TableRow(0, [str(column) for column in frame.columns])
    for i, values in enumerate(frame.itertuples(index=False, name=None), start=1):
        yield TableRow(i, ["" if value is None or value != value else str(value) for value in values])


def _file_rows(file: str, data: bytes, what: str, limits: Limits = DEFAULT_LIMITS) -> list[TableRow]:
    """The lines of a file as stripped fields, without empty lines."""
    refusal = f"the {what} is not UTF-8 text. Save it in UTF-8."
    rows = table_rows(file, data, _SEPARATORS, refusal, limits, or_blanks=True)
    if not rows:
        raise FileProblem(file, None, f"the {what} is empty.")
    return rows


def _name(file: str, row: TableRow, place: int, what: str) -> str:
    name = row.cells[place].strip()
    if not name:
        raise FileProblem(file, row.line, f"the column {what} is empty.")
    return name


def _number(file: str, row: TableRow, place: int) -> float:
    value = parsed_number(row.cells[place])
    if value is None or not abs(value) <= _LARGEST:
        raise FileProblem(file, row.line, f"the satisfaction {readable(row.cells[place])!r} is not a finite number.")
    return value


# -- as JSON, in a saved collection ----------------------------------------------------------------


def unpack_users(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Satisfaction and preferences of what :meth:`Satisfaction.packed` and :meth:`Preferences.packed` gave.

    Raises
    ------
    ValueError, TypeError, KeyError
        For anything else: lists of other lengths, no texts, no finite numbers, a thing said twice.
    """
    found: dict[str, Any] = {}
    if "satisfaction" in parts:
        part = parts["satisfaction"]
        topics, values = _texts(part["topics"]), part["values"]
        systems = None if part["systems"] is None else _texts(part["systems"])
        if not all(type(value) in (int, float) and abs(value) <= _LARGEST for value in values):
            raise ValueError("a satisfaction is not a finite number")
        keys = set(topics if systems is None else zip(topics, systems, strict=True))
        if not topics or not len(topics) == len(values) == len(keys):
            raise ValueError("not one number for every list")
        found["satisfaction"] = Satisfaction(topics, systems, np.array(values, dtype=np.float64))
    if "preferences" in parts:
        part = parts["preferences"]
        topics, a, b = (_texts(part[name]) for name in ("topics", "a", "b"))
        signs = part["sign"]
        if not all(type(sign) is int and -1 <= sign <= 1 for sign in signs):
            raise ValueError("a preference has no sign")
        if not topics or not len(topics) == len(a) == len(b) == len(signs) or any(map(eq, a, b)):
            raise ValueError("not two things for every preference")
        found["preferences"] = Preferences(topics, a, b, np.array(signs, dtype=np.int8))
    return found


def _texts(names: object) -> tuple[str, ...]:
    if not isinstance(names, list) or not all(type(name) is str for name in names):
        raise TypeError("no list of texts")
    return tuple(names)


def as_satisfaction(source: object, limits: Limits = DEFAULT_LIMITS) -> Satisfaction:
    """`source`, or what it reads as."""
    refusal = "Satisfaction is given as irviz.load_satisfaction makes it"
    return source if isinstance(source, Satisfaction) else load_satisfaction(_readable(source, refusal), limits=limits)


def as_preferences(source: object, limits: Limits = DEFAULT_LIMITS) -> Preferences:
    """`source`, or what it reads as."""
    refusal = "Preferences are given as irviz.load_preferences makes them"
    return source if isinstance(source, Preferences) else load_preferences(_readable(source, refusal), limits=limits)


def _readable(source: object, refusal: str) -> Any:
    if isinstance(source, pd.DataFrame | str | os.PathLike | tuple):
        return source
    raise IrvizError(f"{refusal}; got {type(source).__name__}.")
