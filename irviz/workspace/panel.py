"""What a panel returns: a sentence, figures, tables and notes, all of them values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from irviz.links.control import Control
from irviz.links.view import View
from irviz.workspace.context import Context


@dataclass(frozen=True, eq=False)
class Drawing:
    """A figure with the words for whoever does not see it.

    Attributes
    ----------
    title : str
        A short heading, in plain text.
    alt : str
        What the figure shows, in a sentence.
    picks : tuple of str
        Names of the page's controls that a click on a point sets, in the order of the
        point's ``customdata``.
    """

    figure: go.Figure
    title: str
    alt: str
    picks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Table:
    """A table to read and to download.  `about` says what a row is."""

    frame: pd.DataFrame
    about: str
    digits: int = 4


@dataclass(frozen=True, eq=False)
class Panel:
    """What one page says under one context.

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
    facts : pairs of label and value
        A few numbers to show large.
    unfolded : bool
        Whether the tables are what the page is about; otherwise they are folded away below the figures.
    folds : heading → function
        Parts that are computed and drawn only while they are unfolded; a report draws all of them.
    ways : pairs of words and view
        Where to look further: buttons that open these views, each with a way back.
    """

    sentence: str
    drawings: tuple[dict[str, Drawing], ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    unfolded: bool = False
    folds: Mapping[str, Callable[[], Panel]] = field(default_factory=dict)
    ways: tuple[tuple[str, View], ...] = ()

    def drawing(self, name: str) -> Drawing:
        return next(row[name] for row in self.drawings if name in row)


@dataclass(frozen=True)
class Page:
    """A page of the dashboard: ``panel(context, values)`` and the controls that make the values.

    ``name`` is its address; ``question`` is what it answers.
    """

    name: str
    title: str
    question: str
    controls: tuple[Control, ...]
    panel: Callable[[Context, Mapping[str, Any]], Panel]

    @classmethod
    def of(cls, name: str, module: ModuleType) -> Page:
        """The page that a module describes, at the address `name`."""
        return cls(name, module.TITLE, module.QUESTION, module.CONTROLS, module.panel)
