"""Papers as rows of one table, ``data/published/papers.toml``: their tables and figures, and what they claim.

The texts are in that file, and so is the view that recomputes an item. Functions that ask a claim, or recompute what no
page computes, are in other modules under the names that the file gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from irviz.errors import IrvizError, choose
from irviz.places import DATA
from irviz.workspace.context import Context
from irviz.workspace.phrases import TOLERANCE

Result = TypeVar("Result")
FOLDER = DATA / "published"
CellKey = tuple[str, ...]
Numbers = Mapping[str, float]  #: what a claim is judged by, under the names of measures and cases
Answer = tuple[float, Numbers, bool]  #: effect, its numbers, whether the claim is seen; see `PaperClaim.ask`
_NUMBERS = ("tau", "mean_tau", "value", "percent", "mean_label_sum")  #: columns that hold the printed numbers


def tables() -> tuple[str, ...]:
    """Names of all published tables."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.csv")))


def published_table(name: str) -> pd.DataFrame:
    """One published table; every cell is the printed text, so that a number carries its decimals, "" where none is.

    Its numbers are called ``published``, the paper's collection ``collection``, and NDCG nDCG, as everywhere.

    >>> published_table("aggregation_examples")["AM"].tolist()
    ['0.280', '0.260', '0.260', '0.220']
    """
    return _read(choose("published table", name, tables())).copy()


@cache
def _read(name: str) -> pd.DataFrame:
    rows = pd.read_csv(FOLDER / f"{name}.csv", dtype=str, keep_default_na=False)
    names = dict.fromkeys(_NUMBERS, "published") | {"track": "collection"}
    return rows.rename(columns=names).replace("NDCG", "nDCG")


def as_number(text: str) -> float:
    """A printed number; NaN where nothing is printed."""
    return float(text) if text else np.nan


@dataclass(frozen=True, eq=False)
class Comparison:
    """The recomputed side of an item on one collection.

    Attributes
    ----------
    values : by the texts of the item's key columns
        The recomputed number for each printed one; one that is missing cannot be computed here.
    notes : tuple of str
        How the collection was changed.
    tolerance : by the same keys
        The largest difference from the printed number that the random draws of both sides alone may cause; 0 where
        nothing is drawn.
    """

    values: Mapping[CellKey, float]
    notes: tuple[str, ...] = ()
    tolerance: Mapping[CellKey, float] = field(default_factory=dict)

    def __getitem__(self, key: CellKey) -> float:
        """A recomputed number; an undefined one is refused, because no claim can be asked of it."""
        value = self.values.get(key, np.nan)
        if not np.isfinite(value):
            raise IrvizError(f"{' '.join(part for part in key if part)} is undefined here, because systems tie.")
        return value


@dataclass(frozen=True, eq=False)
class Evidence:
    """A collection as the sidebar shows it, how much is drawn at random, and what was recomputed of it so far.

    Attributes
    ----------
    context : Context
    trials, repeats, seed : int
        Splits, shuffles or resamples; reductions of a pool; the seed of all of them.
    """

    context: Context
    trials: int = 200
    repeats: int = 1
    seed: int = 0
    known: dict[Any, Any] = field(default_factory=dict)

    def once(self, make: Callable[..., Result], *arguments: Any) -> Result:
        """``make(self, *arguments)``, computed once."""
        if (make, arguments) not in self.known:
            self.known[make, arguments] = make(self, *arguments)
        return self.known[make, arguments]

    def tell(self, share: float, words: str) -> None:
        """Show progress, where somebody watches."""
        if self.context.progress is not None:
            self.context.progress(share, words)


@dataclass(frozen=True, eq=False, kw_only=True)
class Item:
    """A table or a figure of a paper.

    Attributes
    ----------
    key, name, title : str
        Its name in a link, as the paper numbers it, and what it shows, in a few words.
    csv : tuple of str
        The published tables with its printed numbers; a picture without numbers has none.
    where : by column
        The texts of its rows there; by default all rows are its own.
    wide, numbers : str, tuple of str
        The name of a new column with the headings of the columns `numbers`, each of which holds printed numbers.
    read : callable, optional
        Gives the rows their printed numbers, where no column has them.
    columns, codes : by column
        Further columns, as patterns of the others such as ``{measure} {params}``; another text in place of a text.
    keys, unit : what distinguishes the numbers of one collection, and what a number is
    split : str
        The key whose values get one figure each; the others name the rows of a figure.
    whole : bool
        The numbers are counts.
    view : mapping
        What recomputes it: ``page``, its settings and those of the sidebar, all patterns of a row's columns, where
        ``{g,}`` is a text with commas for its spaces and ``@N`` a cutoff at the length of the lists. Further
        settings: see :func:`irviz.gallery.tables.prepared`.
    table, join, value, scale : str, mapping, str, float
        The table of the page; its columns that are joined with patterns of a row; its column of numbers, and what
        they are multiplied by.
    recompute : callable, optional
        What recomputes it where no page does.
    needs : str
        The data of the paper; "" for a worked example, which is exact everywhere.
    draws, paper_draws : str, int
        "trials" or "repeats" where something is drawn; how often the paper draws.
    said : str
        What a picture without numbers shows, according to the paper's text.
    notes : tuple of str
        What is known about the printed numbers, or how they are repeated here.
    systems : int
        How many it needs at least: two, where it compares them.
    words : by column
        What is read in place of a text.
    """

    key: str
    name: str
    title: str
    csv: tuple[str, ...] = ()
    where: Mapping[str, Any] = field(default_factory=dict)
    wide: str = ""
    numbers: tuple[str, ...] = ()
    read: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    keys: tuple[str, ...] = ()
    unit: str = ""
    split: str = ""
    whole: bool = False
    view: Mapping[str, str] = field(default_factory=dict)
    table: str = ""
    join: Mapping[str, str] = field(default_factory=dict)
    value: str = ""
    scale: float = 1
    recompute: Callable[[Evidence], Comparison] | None = None
    needs: str = ""
    draws: str = ""
    paper_draws: int = 0
    said: str = ""
    notes: tuple[str, ...] = ()
    systems: int = 2
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def printed(self) -> pd.DataFrame:
        """The printed numbers, one per row: ``published``, `keys`, ``collection`` where the paper has several."""
        rows = pd.concat([published_table(name) for name in self.csv], ignore_index=True)
        for column, texts in self.where.items():
            rows = rows[rows[column].isin(texts if isinstance(texts, list) else [texts])]
        if self.wide:
            rows = rows.melt([name for name in self.keys if name in rows], self.numbers, self.wide, "published")
        rows = rows if self.read is None else self.read(rows)
        for column, pattern in self.columns.items():
            rows[column] = [filled(pattern, row) for row in rows.to_dict("records")]
        for column in self.codes.keys() & set(rows):
            rows[column] = rows[column].replace(dict(self.codes[column]))
        return rows.reset_index(drop=True)


ITEMS: dict[str, Item] = {}  #: every table and figure, by the names of its paper and its own: "scales.table1"


def filled(pattern: str, row: Mapping[str, str]) -> str:
    """A pattern with the texts of a row, which may be patterns themselves.

    >>> filled("{measure}(g=[{g,}]) {params}", {"measure": "GAP", "g": "0.1 0.9", "params": ""})
    'GAP(g=[0.1,0.9])'
    """
    for name, text in row.items():
        pattern = pattern.replace(f"{{{name}}}", text)
    for name, text in row.items():
        pattern = pattern.replace(f"{{{name},}}", text.replace(" ", ","))
    return pattern.strip()


@dataclass(frozen=True, eq=False, kw_only=True)
class PaperClaim:
    """A claim of a paper.

    Attributes
    ----------
    text : str
        The claim in a few words.
    place, quote : str
        Section and table of the source, and a part of the sentence there that makes the claim.
    printed : str
        The numbers that the source prints for it.
    seen : str
        The condition under which it counts as seen.
    needs : {"scores", "lists", "grades", "aspects", "judges", "satisfaction"}
        The least data that it can be asked of.
    ask : callable
        Gives the effect, its numbers, and whether it is seen. The effect is the smallest slack of the condition's
        inequalities, in units of τ or, for counts of pairs and documents, as a share from −1 to 1.
    unit, digits : str, int
        What its numbers are, and their decimals.
    items : tuple of str
        Tables and figures of the gallery that hold the numbers; the first is the view that is opened.
    view : mapping
        Where no item holds them: ``page`` and the texts of the view that computes them.
    least : int
        How many systems it needs.
    remark : str
        A reading aid, where one is needed.
    exact : bool
        True for an identity, which has no effect and no interval.
    """

    text: str
    place: str
    quote: str
    printed: str
    seen: str
    needs: str
    ask: Callable[[Evidence], Answer]
    unit: str
    digits: int = 3
    items: tuple[str, ...] = ()
    view: Mapping[str, str] = field(default_factory=dict)
    least: int = 3
    remark: str = ""
    exact: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Paper:
    """A paper with its items and claims.

    ``key`` is its name in a link. `collections` are those that can be recognised, by their names in its tables: topics
    from ``first`` to ``last``, number of ``systems`` and, where it is known, of ``relevant`` documents over all topics.
    """

    key: str
    cite: str
    about: str
    items: tuple[Item, ...] = ()
    claims: tuple[PaperClaim, ...] = ()
    collections: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def item(self, key: str) -> Item:
        return next(item for item in self.items if item.key == key)


def case(numbers: Iterable[float], what: str) -> None:
    """Refuse numbers that are all the same, in which a claim about their differences has no case."""
    known = list(numbers)
    if max(known) - min(known) <= TOLERANCE:
        raise IrvizError(f"It has no case here: {what}.")


def positive(effect: float, numbers: Numbers) -> Answer:
    """Seen where the smallest slack is positive."""
    return float(effect), numbers, bool(effect > 0)


def falls(numbers: Numbers, strictly: bool = False) -> Answer:
    """Seen where numbers do not rise from first to last, or each is below the one before; no case if all are equal."""
    values = list(numbers.values())
    case(values, "all its coefficients are equal")
    least = float(np.min(-np.diff(values)))
    return least, numbers, least > 0 if strictly else least >= -TOLERANCE


def each(numbers: Numbers, digits: int = 3) -> str:
    """Numbers with their names in the order given; whole ones without decimals.

    >>> each({"AP": 0.5, "RR": -0.25, "place": 2}, 2)
    'AP 0.50, RR −0.25, place 2'
    """
    texts = {name: f"{x:,}" if isinstance(x, int) else f"{x:.{digits}f}" for name, x in numbers.items()}
    return ", ".join(f"{name} {text.replace('-', '−')}" for name, text in texts.items())


def read_paper(row: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Paper:
    """A paper from its row in the table; `functions` are those that its items and claims name."""
    shared = {name: row[name] for name in ("words", "codes") if name in row}
    items = tuple(
        Item(
            **{"needs": row.get("runs", "")}
            | shared
            | _tuples(item)
            | {"notes": (*item.get("notes", ()), *row.get("notes", ()))}
            | {name: functions[item[name]] for name in ("read", "recompute") if name in item}
        )
        for item in row.get("item", ())
    )
    ITEMS.update({f"{row['key']}.{item.key}": item for item in items})
    claims = tuple(PaperClaim(**_tuples(claim) | {"ask": functions[claim["ask"]]}) for claim in row.get("claim", ()))
    about = {name: row[name] for name in ("key", "cite", "about", "collections") if name in row}
    return Paper(**about, items=items, claims=claims)


def _tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
