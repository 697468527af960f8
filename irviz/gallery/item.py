"""What the gallery is made of: papers, their tables and figures, and what recomputing one gives.

An item is a value with a function; adding one takes a line in its paper's file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Table

CellKey = tuple[str, ...]


@dataclass(frozen=True)
class RandomTrials:
    """How much is drawn at random: random trials, repeated pool reductions, and the seed."""

    trials: int = 200
    repeats: int = 1
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Found:
    """What an item gives on one collection.

    Attributes
    ----------
    sentence : str
        What the numbers show here about the paper's finding.
    values : by the texts of the item's key columns
        The recomputed number for each printed one; one that is missing cannot be computed here.
    tolerance : by the same keys
        The largest difference from the printed number that the random draws of both sides alone may cause;
        a key without an entry has no such tolerance (see `gallery.tolerance`).
    drawings, tables, notes
        As those of a panel; the comparison itself is made from `values`.
    """

    sentence: str
    values: Mapping[CellKey, float] = field(default_factory=dict)
    drawings: tuple[dict[str, Drawing], ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    tolerance: Mapping[CellKey, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Printed:
    """The printed numbers of an item, one per row.

    Attributes
    ----------
    rows : DataFrame
        Columns `keys` and ``published``, and ``collection`` where the paper has several.
    keys : what distinguishes the numbers of one collection
    unit : what a number is
    split : str
        The key whose values get one figure each; the others name the rows of a figure.
    drawn : bool
        Whether the comparison is drawn; False where the item's own figures do that.
    whole : bool
        Whether the numbers are counts.
    words : by key
        What is read in place of the texts of `rows`, which are the paper's or the names of options.
    """

    rows: pd.DataFrame
    keys: tuple[str, ...]
    unit: str
    split: str = ""
    drawn: bool = True
    whole: bool = False
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def digits(self) -> int:
        """Decimal places of the numbers in a table: one more than is printed, at most four."""
        printed = max((len(text.partition(".")[2]) for text in self.rows["published"]), default=0)
        return 0 if self.whole else min(4, printed + 1)


@dataclass(frozen=True, eq=False)
class Item:
    """A table or a figure of a paper.

    Attributes
    ----------
    key, name, title : str
        Its name in a link, as the paper numbers it, and what it shows, in a few words.
    find : callable(context, draws) → Found
    printed : callable, optional
        Its printed numbers; a picture without numbers has none.
    needs : str
        The data of the paper; "" for a worked example, which is exact everywhere.
    draws : "", "trials" or "repeats"
        Which of the controls has an effect.
    paper_draws : str
        How much the paper draws.
    said : str
        What a picture without numbers shows, according to the paper's text.
    notes : tuple of str
        What is known about the printed numbers, or how they are repeated here.
    systems : int
        How many it needs at least: two, where it compares them.
    """

    key: str
    name: str
    title: str
    find: Callable[[Context, RandomTrials], Found]
    printed: Callable[[], Printed] | None = None
    needs: str = ""
    draws: str = ""
    paper_draws: str = ""
    said: str = ""
    notes: tuple[str, ...] = ()
    systems: int = 2


@dataclass(frozen=True, eq=False)
class Paper:
    """A paper and its items.

    ``key`` is its name in a link, `collections` the names of its collections in its tables; `several` says that it
    is about several aspects together.
    """

    key: str
    cite: str
    about: str
    items: tuple[Item, ...]
    collections: tuple[str, ...] = ()
    several: bool = False

    def item(self, key: str) -> Item:
        return next(item for item in self.items if item.key == key)
