"""The values that a panel returns: a sentence, figures, tables and notes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from irviz.errors import listed, verb
from irviz.workspace.view import View


@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure with the words for a reader who does not see it.

    Attributes
    ----------
    title : str
        A short heading, in plain text.
    alt : str
        What the figure shows, in a sentence; by default its title, and what stands on its axes.
    picks : tuple of str
        Names of the page's controls that a click on a point sets, in the order of the
        point's ``customdata``.
    hint : str
        What a click does; said only where there is something to click.
    opens : pair of words and view, optional
        The figure's own page: a button beside the heading.
    leads : bool
        Whether the last entry of a point's ``customdata`` is the address of a view, which a click then opens; "" for
        none.
    """

    figure: go.Figure
    title: str
    alt: str = ""
    picks: tuple[str, ...] = ()
    hint: str = ""
    opens: tuple[str, View] | None = None
    leads: bool = False

    def __post_init__(self) -> None:
        if not self.alt:
            object.__setattr__(self, "alt", described(self.figure, self.title))


_MARKS = {"bar": "bars", "box": "boxes", "heatmap": "a table of colours"}


def described(drawn: go.Figure, title: str) -> str:
    """A figure in words: its title, what it is made of, and the titles of its axes.

    >>> described(go.Figure(go.Bar(x=[1], y=[2]), {"xaxis": {"title": {"text": "rank"}}}), "What each rank adds")
    'What each rank adds. The figure has bars; its axis is rank.'
    """
    marks = dict.fromkeys(
        _MARKS.get(trace["type"], "lines" if "lines" in trace.get("mode", "lines") else "points")
        for trace in drawn._data
    )
    axes = [layout.get("title", {}).get("text") for name, layout in drawn._layout.items() if "axis" in name]
    said = [unescape(text) for text in dict.fromkeys(axes) if text]
    known = f"; its {verb(len(said), 'axis is', 'axes are')} {listed(said, joiner='and')}" if said else ""
    return f"{title.rstrip('.')}. The figure has {listed(list(marks), joiner='and')}{known}."


@dataclass(frozen=True, eq=False)
class Table:
    """A table to read and to download.

    Attributes
    ----------
    about : str
        What a row is.
    digits : int
        Decimal places of its numbers.
    wrapped : bool
        Whether it has few rows of long texts, which are shown whole, on several lines.
    links : mapping of column to pattern
        Columns of document identifiers that lead to an address outside irviz, such as
        ``https://example.org/{docid}``.
    names : collection of str
        Columns called after something of the data (a system, a measure, a judge …), whose headings are these names.
    words : by column
        What is read in place of a text; a download has the text itself.
    """

    frame: pd.DataFrame
    about: str
    digits: int = 4
    wrapped: bool = False
    links: Mapping[str, str] = field(default_factory=dict)
    names: Collection[str] = ()
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def decimals(table: Table, column: str) -> int:
    """How many places of a column of numbers are shown: none where they are ranks or count topics, and are whole."""
    numbers = table.frame[column].dropna()
    return 0 if {"rank", "topics"} & set(column.split()) and bool((numbers == numbers.round()).all()) else table.digits


@dataclass(frozen=True)
class Formula:
    """A formula, what irviz calls it, and where it comes from.

    Attributes
    ----------
    tex : str
        LaTeX, without dollar signs.
    code : str
        The name or expression that computes it.
    source : str
        Paper and equation.
    """

    tex: str
    code: str
    source: str


@dataclass(frozen=True, eq=False)
class Panel:
    """The content of one page under one context.

    Attributes
    ----------
    sentence : str
        One sentence in plain words, computed from the numbers.  `code` spans may be
        set off with backticks; everything else is plain text.
    drawings : rows of named figures
        Figures of one row stand side by side where there is room.
    tables : by name
    notes : tuple of str
        What a reader should know about the numbers.
    key_numbers : pairs of label and value
        A few numbers to show large.
    unfolded : bool
        Whether the tables are what the page is about; otherwise they are folded away below the figures.
    folds : heading → function
        Parts that are computed and drawn only while they are unfolded; a report draws all of them.
    texts : heading → text
        Plain text to copy, such as a paragraph or a LaTeX table.
    ways : pairs of words and view
        Where to look further: buttons that open these views, each with a way back.
    aspects : tuple of str
        The aspects that it takes for a measure that names none; () for the first one.
    formulas : tuple of Formula
        The formulas behind a lab.
    """

    sentence: str
    drawings: tuple[dict[str, Drawing], ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    key_numbers: tuple[tuple[str, str], ...] = ()
    unfolded: bool = False
    folds: Mapping[str, Callable[[], Panel]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    ways: tuple[tuple[str, View], ...] = ()
    aspects: tuple[str, ...] = ()
    formulas: tuple[Formula, ...] = ()


#: the fold of all measures with their intervals, which a folder of pages shows on its first page
LEADERBOARD = "Leaderboard: all measures, their intervals, and the range of ranks"


# -- a panel with a lesson around it -----------------------------------------------------


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
