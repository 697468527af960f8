"""Satisfaction with result lists, and preferences between systems or documents: small tables beside a collection.

A file of satisfaction has the columns ``topic``, ``satisfaction`` and, for lists of several systems, ``system``; one of
preferences ``topic``, ``a``, ``b`` and ``winner``, also without a header.  The winner is one of the two names, or
empty, ``tie`` or 0.  Tabs, commas, semicolons or, where the first line has none of these, spaces separate fields.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.names import readable
from irviz.collection.sources import DEFAULT_LIMITS, Limits, Source, single
from irviz.collection.text import TableRow, parsed_number, table_rows
from irviz.display import Displayable
from irviz.errors import FileProblem, join_words, number_of

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
    """How satisfied people were with the list that they saw.

    Attributes
    ----------
    topics, values : by answer; larger is better, on any ordered scale
    systems : whose list it was; None where one list was shown per topic
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
    topics, a, b : by answer
    sign : 1 where `a` was preferred, −1 where `b` was, 0 for neither
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


def load_satisfaction(source: Source | pd.DataFrame | Satisfaction, *, limits: Limits = DEFAULT_LIMITS) -> Satisfaction:
    """How satisfied people were with the lists they saw; what is read already is returned.

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
        With file and line: a column is missing, a satisfaction is no finite number, a topic (and system) is listed
        twice.
    """
    if isinstance(source, Satisfaction):
        return source
    file, places, rows = named_table(source, "satisfaction file", SATISFACTION_COLUMNS, headless=False, limits=limits)
    whose = ("topic", "system") if "system" in places else ("topic",)
    lines: dict[tuple[str, ...], int] = {}
    values = []
    for row in rows:
        key = tuple(_name(file, row, places[name], name) for name in whose)
        if key in lines:
            of = " and ".join(f"{what} {name}" for what, name in zip(whose, key, strict=True))
            message = f"the satisfaction with {of} is given twice, first in line {lines[key]}. Give one number."
            raise FileProblem(file, row.line, message)
        lines[key] = row.line
        text = row.cells[places["satisfaction"]]
        value = parsed_number(text)
        if value is None or not abs(value) <= _LARGEST:
            raise FileProblem(file, row.line, f"the satisfaction {readable(text)!r} is not a finite number.")
        values.append(value)
    topics, *systems = zip(*lines, strict=True)
    return Satisfaction(topics, systems[0] if systems else None, np.array(values, dtype=np.float64))


def load_preferences(source: Source | pd.DataFrame | Preferences, *, limits: Limits = DEFAULT_LIMITS) -> Preferences:
    """Which of two systems or documents people preferred; what is read already is returned.

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
        With file and line: a line has not four fields, a name is compared with itself, a winner is neither of the two
        names nor a word for a tie.
    """
    if isinstance(source, Preferences):
        return source
    file, places, rows = named_table(source, "preference file", PREFERENCE_COLUMNS, headless=True, limits=limits)
    pairs = []
    for row in rows:
        topic, a, b = (_name(file, row, places[name], name) for name in ("topic", "a", "b"))
        winner = row.cells[places["winner"]]
        if a == b:
            raise FileProblem(file, row.line, f"{readable(a)} is compared with itself.")
        if winner not in (a, b) and winner.casefold() not in NEITHER:
            message = f"the winner {readable(winner)!r} is neither {readable(a)} nor {readable(b)}"
            raise FileProblem(file, row.line, f"{message}. Write one of them, or 'tie'.")
        pairs.append((topic, a, b, (winner == a) - (winner == b)))
    topics, first, second, signs = zip(*pairs, strict=True)
    return Preferences(topics, first, second, np.array(signs, dtype=np.int8))


def said_by_users(data: bytes) -> str | None:
    """What a file seems to be by its first lines, "satisfaction" or "preferences"; None for neither.

    Both have a header that says so; preferences may be four fields a line of which the last is the second, the third or
    a word for neither, and no number as qrels have there.

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
    """The file of a table, the place of each of its columns by name, and its rows."""
    if isinstance(source, pd.DataFrame):
        cells = [list(source.columns), *source.itertuples(index=False, name=None)]
        texts = (["" if cell is None or cell != cell else str(cell) for cell in row] for row in cells)
        file, rows = "the DataFrame", list(map(TableRow, range(len(cells)), texts))
    else:
        job = single(source, what, limits)
        file, rows = job.file, _file_rows(job.file, job.read(), what, limits)
    names = [cell.strip().casefold() for cell in rows[0].cells]
    if set(columns) <= set(names):
        places, body = {name: names.index(name) for name in dict.fromkeys(names)}, rows[1:]
    elif headless and len(names) == len(columns):
        places, body = {name: i for i, name in enumerate(columns)}, rows
    else:
        found = join_words(rows[0].cells, joiner="and") or "nothing"
        message = f"expected the columns {join_words(columns, joiner='and')}; found {found}."
        raise FileProblem(file, rows[0].line, message)
    if not body:
        raise FileProblem(file, rows[0].line, f"the {what} has a header and no rows.")
    for row in body:
        if len(row.cells) != len(names):
            raise FileProblem(file, row.line, f"expected {len(names)} fields, found {len(row.cells)}.")
    return file, places, body


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


def unpack_users(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Satisfaction and preferences that were ``packed``; anything else is a ValueError, TypeError or KeyError."""
    found: dict[str, Any] = {}
    if "satisfaction" in parts:
        part = parts["satisfaction"]
        table = {"topic": _texts(part["topics"]), "satisfaction": list(part["values"])}
        table |= {} if part["systems"] is None else {"system": _texts(part["systems"])}
        found["satisfaction"] = load_satisfaction(pd.DataFrame(table))
    if "preferences" in parts:
        part = parts["preferences"]
        table = {"topic": _texts(part["topics"]), "a": _texts(part["a"]), "b": _texts(part["b"])}
        pairs = zip(table["a"], table["b"], part["sign"], strict=True)
        table["winner"] = [{1: a, -1: b, 0: ""}[sign] for a, b, sign in pairs]
        found["preferences"] = load_preferences(pd.DataFrame(table))
    return found


def _texts(names: object) -> list[str]:
    if not isinstance(names, list) or not all(type(name) is str for name in names):
        raise TypeError("no list of texts")
    return names
