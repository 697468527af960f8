"""Assignments of nuggets: facts that the answer of a system to a topic supports, partly supports or lacks.

The columns are ``topic``, ``nugget``, ``importance`` (vital, okay), ``system`` and ``support`` (support, partial, not),
in this order or named by a header.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.names import natural_order, readable
from irviz.collection.people import named_table
from irviz.collection.sources import DEFAULT_LIMITS, Limits, Source
from irviz.errors import FileProblem

COLUMNS = ("topic", "nugget", "importance", "system", "support")
IMPORTANCE = ("vital", "okay")
_HEAD = 1 << 10  #: bytes of a file that are looked at
SUPPORT = {"support": 0, "partial": 1, "partial_support": 1, "not": 2, "not_support": 2}  #: word → its place


class NuggetCounts(NamedTuple):
    """Nuggets by topic and system."""

    topics: tuple[str, ...]
    systems: tuple[str, ...]
    nuggets: NDArray[np.int64]  #: (vital, okay) × topics
    found: NDArray[np.int64]  #: (vital, okay) × (supported, partly) × topics × systems
    answered: NDArray[np.bool_]  #: topics × systems: whether the system has assignments


def is_nuggets(data: bytes) -> bool:
    """True if the first line of a file is a header of assignments, or an assignment."""
    first = [cell.strip().lower() for cell in re.split(rb"[\t,;]", data[:_HEAD].lstrip().partition(b"\n")[0])]
    cells = [cell.decode(errors="replace") for cell in first]
    return set(COLUMNS) <= set(cells) or (len(cells) == 5 and cells[2] in IMPORTANCE and cells[4] in SUPPORT)


def read_nuggets(source: Source | pd.DataFrame, limits: Limits = DEFAULT_LIMITS) -> NuggetCounts:
    """Counts of the assignments in a file or a frame.

    Refused, with file and line, are unknown words and nuggets that are assigned twice, of two importances, or left out
    for a system that has others of the topic.
    """
    file, places, rows = named_table(source, "nugget file", COLUMNS, headless=True, limits=limits)
    importance: dict[tuple[str, str], int] = {}
    support: dict[tuple[str, str, str], tuple[int, int]] = {}
    for row in rows:
        topic, nugget, grade, system, word = (readable(row.cells[places[name]]) for name in COLUMNS)
        for what, text, known in (("importance", grade, IMPORTANCE), ("support", word, (*SUPPORT,))):
            if text.casefold() not in known:
                raise FileProblem(file, row.line, f"the {what} is `{text[:80]}`; expected {', '.join(known)}.")
        if "" in (topic, nugget, system):
            raise FileProblem(file, row.line, "a topic, a nugget or a system has no name.")
        place = IMPORTANCE.index(grade.casefold())
        if importance.setdefault((topic, nugget), place) != place:
            raise FileProblem(file, row.line, f"the nugget {nugget[:80]} of topic {topic} is both vital and okay.")
        if (topic, nugget, system) in support:
            line = support[topic, nugget, system][1]
            raise FileProblem(file, row.line, f"{system} has an assignment of {nugget[:80]} in line {line} already.")
        support[topic, nugget, system] = SUPPORT[word.casefold()], row.line
    topics = natural_order(topic for topic, _ in importance)
    systems = list(dict.fromkeys(system for _, _, system in support))
    rows_of, columns = ({name: i for i, name in enumerate(names)} for names in (topics, systems))
    nuggets = np.zeros((2, len(topics)), dtype=np.int64)
    found = np.zeros((2, 3, len(topics), len(systems)), dtype=np.int64)
    for (topic, _), place in importance.items():
        nuggets[place, rows_of[topic]] += 1
    for (topic, nugget, system), (word_place, _) in support.items():
        found[importance[topic, nugget], word_place, rows_of[topic], columns[system]] += 1
    assigned = found.sum(axis=(0, 1))
    lacking = np.argwhere((assigned > 0) & (assigned < nuggets.sum(axis=0)[:, None]))
    if len(lacking):
        t, s = lacking[0]
        what = f"{systems[s]} has {assigned[t, s]} of the {nuggets[:, t].sum()} nuggets of topic {topics[t]}."
        raise FileProblem(file, None, f"{what} Give those that an answer lacks as `not`.")
    return NuggetCounts(tuple(topics), tuple(systems), nuggets, found[:, :2], assigned > 0)
