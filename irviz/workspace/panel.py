"""The values that a panel returns: a sentence, figures, tables and notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import unescape
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from irviz.measures.labels import labels_of
from irviz.workspace.facts import Fact, with_earlier
from irviz.workspace.view import View

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure with the words for a reader who does not see it."""

    figure: go.Figure
    title: str  #: a short heading, in plain text
    alt: str = ""  #: what the figure shows, in a sentence; by default its title, and what stands on its axes
    #: names of the page's controls that a click on a point sets, in the order of the point's ``customdata``
    picks: tuple[str, ...] = ()
    opens: tuple[str, View] | None = None  #: the figure's own page: a button beside the heading
    facts: tuple[Fact, ...] = ()  #: labelled numbers that stand above it

    def __post_init__(self) -> None:
        if not self.alt:
            object.__setattr__(self, "alt", describe(self.figure, self.title))


def describe(figure: go.Figure, title: str) -> str:
    """The title of a figure, the names of its series, and on each axis its title and the first and last value.

    >>> import plotly.graph_objects as go
    >>> describe(go.Figure(go.Bar(x=["AP", "RR"], y=[2, 1]), {"yaxis": {"title": {"text": "pairs"}}}), "What differs")
    'What differs. x: AP to RR; y: pairs, 1 to 2.'
    """
    from irviz.figures.unchecked import layout_of, traces_of  # needs plotly

    traces, layout = traces_of(figure), layout_of(figure)
    named = [trace["name"] for trace in traces if trace.get("name") and trace.get("showlegend", True)]
    series = list(dict.fromkeys(named))
    clauses = [f"series: {', '.join(series[:_MOST_SERIES])}"] if len(series) > 1 else []
    for letter, label in {"x": "x", "y": "y", "z": "colours"}.items():
        axis = layout.get(f"{letter}axis", {})
        values = [trace.get(letter) for trace in traces if trace.get(f"{letter}axis", letter) == letter]
        words = ", ".join(filter(None, (axis.get("title", {}).get("text"), _ends(axis, values))))
        clauses += [f"{label}: {words}"] if words else []
    return unescape(re.sub("<[^>]*>", " ", f"{title.rstrip('.')}. {'; '.join(clauses)}."))


_MOST_SERIES = 6


def _ends(axis: Mapping, parts: Sequence[Any]) -> str:
    """The first and the last name on an axis, or the lowest and the highest number; "" if there are none."""
    known = [np.asarray(part) for part in parts if part is not None and len(part)]
    names = known[0].ravel() if known and isinstance(known[0].flat[0], str) else axis.get("ticktext") or ()
    ends = [str(name) for name in dict.fromkeys(names) if name]
    if not ends:
        numbers = np.concatenate([part.ravel() for part in known if part.dtype.kind in "iuf"] or [np.empty(0)])
        numbers = np.sort(numbers[np.isfinite(numbers)])
        ends = [f"{end:,.4g}".replace("-", "−") for end in (*numbers[:1], *numbers[-1:])]
    return " to ".join(dict.fromkeys((ends[0], ends[-1]))) if ends else ""


@dataclass(frozen=True, eq=False)
class Table:
    """A table to read and to download."""

    frame: pd.DataFrame
    about: str  #: what a row is
    digits: int = 4  #: decimal places of its numbers
    wraps_text: bool = False  #: few rows of long texts, which are shown whole, on several lines
    #: mapping of column to pattern: columns of document identifiers that lead to an address outside irviz, such as
    #: ``https://example.org/{docid}``
    links: Mapping[str, str] = field(default_factory=dict)
    #: columns called after something of the data (a system, a measure, a judge …), whose headings are these names
    names: Collection[str] = ()
    #: what is read in place of a text; a download has the text itself
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    heads: Mapping[str, str] = field(default_factory=dict)  #: headings of this table alone
    paper: tuple[str, ...] = ()  #: the columns for LaTeX; () for all

    @cached_property
    def labels(self) -> dict[str, str]:
        """Expression → label, of the measures in its columns and headings."""
        texts = [self.frame[name].dropna() for name in self.frame if pd.api.types.is_object_dtype(self.frame[name])]
        groups = [column.unique().tolist() for column in texts if all(isinstance(cell, str) for cell in column)]
        return labels_of(list(self.names), *groups)


def decimals(table: Table, column: str) -> int:
    """Decimal places of a column of numbers: 0 for whole numbers that are ranks or counts of topics."""
    numbers = table.frame[column].dropna()
    return 0 if {"rank", "topics"} & set(column.split()) and bool((numbers == numbers.round()).all()) else table.digits


@dataclass(frozen=True, eq=False)
class Panel:
    """The content of one page under one context."""

    #: one sentence in plain words, computed from the numbers.  `code` spans may be set off with backticks; everything
    #: else is plain text.
    sentence: str
    #: rows of named figures: figures of one row stand side by side where there is room
    drawings: tuple[dict[str, Drawing], ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)  #: by name
    notes: tuple[str, ...] = ()  #: what a reader should know about the numbers
    facts: tuple[Fact, ...] = ()  #: labelled numbers, at most seven
    #: the tables are what the page is about; otherwise they are folded away below the figures
    has_open_tables: bool = False
    #: heading → function: further answers, each behind a button and computed once it is pressed; a report draws all of
    #: them
    folds: Mapping[str, Callable[[], Panel]] = field(default_factory=dict)
    #: the folds are rows, one below another, and this one is unfolded at first (-1: none); a report draws it alone
    unfolded: int | None = None
    #: heading → text: plain text to copy, such as a paragraph or a LaTeX table
    texts: Mapping[str, str] = field(default_factory=dict)
    #: pairs of words and view: where to look further: buttons that open these views, each with a way back
    ways: tuple[tuple[str, View], ...] = ()
    aspects: tuple[str, ...] = ()  #: the aspects that it takes for a measure that names none; () for the first one
    since: str = ""  #: what has changed since the state that its figures have in grey; "" where they have none

    @property
    def all_facts(self) -> tuple[Fact, ...]:
        """Its own facts, and those of its figures."""
        return (*self.facts, *(fact for row in self.drawings for one in row.values() for fact in one.facts))


def with_before(now: Panel, then: Panel) -> Panel:
    """`now` with what stood in the figures and facts of `then` beside its own."""
    from irviz.figures.before import draw_before  # needs plotly

    earlier = {name: one for row in then.drawings for name, one in row.items()}

    def beside(name: str, one: Drawing) -> Drawing:
        old = earlier.get(name)
        if old is None:
            return one
        return replace(one, figure=draw_before(one.figure, old.figure), facts=with_earlier(one.facts, old.facts))

    rows = tuple({name: beside(name, one) for name, one in row.items()} for row in now.drawings)
    return replace(now, drawings=rows, facts=with_earlier(now.facts, then.facts), since=then.since)


#: the fold of all measures with their intervals, which a folder of pages shows on its first page
LEADERBOARD = "Leaderboard: all measures, their intervals, and the range of ranks"


def square_table(names: Sequence[str], values: np.ndarray, about: str = "measure") -> pd.DataFrame:
    """names × names as a table whose first column says what the row is.

    >>> square_table(["AP", "RR"], np.eye(2)).to_csv(index=False).split()
    ['measure,AP,RR', 'AP,1.0,0.0', 'RR,0.0,1.0']
    """
    return named_rows(pd.DataFrame(values, columns=list(names)), about, names)


def named_rows(frame: pd.DataFrame, about: str, names: Sequence[str]) -> pd.DataFrame:
    """`frame` with `names` as its first column, called `about` unless another column is called so."""
    taken = set(frame.columns)
    while about in taken:
        about += " "
    frame.insert(0, about, list(names))
    return frame
