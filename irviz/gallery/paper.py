"""Papers as rows of one table, ``data/published/papers.toml``: their tables and figures, and what they claim.

The texts are in that file, and so is the view that recomputes an item. Functions that ask a claim, or recompute what no
page computes, are in other modules under the names that the file gives them.
"""

from __future__ import annotations

import re
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


@cache
def published_table(name: str) -> pd.DataFrame:
    """One published table; cells are the printed texts, so that numbers keep their decimals. "" where none is.

    >>> published_table("aggregation_examples")["AM"].tolist()
    ['0.280', '0.260', '0.260', '0.220']
    """
    choose("published table", name, sorted(path.stem for path in FOLDER.glob("*.csv")))
    rows = pd.read_csv(FOLDER / f"{name}.csv", dtype=str, keep_default_na=False)
    names = dict.fromkeys(_NUMBERS, "published") | {"track": "collection"}
    return rows.rename(columns=names).replace("NDCG", "nDCG")


def as_number(text: str) -> float:
    """A printed number; NaN where nothing is printed."""
    return float(text) if text else np.nan


@dataclass(frozen=True, eq=False)
class Comparison:
    """The recomputed side of an item on one collection, by the texts of its key columns."""

    values: Mapping[CellKey, float]  #: for each printed number; one that is missing cannot be computed here
    notes: tuple[str, ...] = ()  #: how the collection was changed
    #: the largest difference that the random draws of both sides alone may cause; none where nothing is drawn
    tolerance: Mapping[CellKey, float] = field(default_factory=dict)

    def __getitem__(self, key: CellKey) -> float:
        """A recomputed number; an undefined one is refused, because no claim can be asked of it."""
        value = self.values.get(key, np.nan)
        if not np.isfinite(value):
            raise IrvizError(f"{' '.join(part for part in key if part)} is undefined here, because systems tie.")
        return value


@dataclass(frozen=True, eq=False)
class Evidence:
    """A collection as the sidebar shows it, how much is drawn at random, and what was recomputed of it so far."""

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


@dataclass(frozen=True, eq=False, kw_only=True)
class Item:
    """A table or a figure of a paper.

    A *pattern* is a text with columns of a printed row, such as ``{measure} {params}``; ``{g,}`` has commas for spaces,
    ``@N`` is a cutoff at the length of the lists, ``@C`` the classes of label tuples.
    """

    key: str  #: its name in a link, "scales.table1"; in the table without that of the paper
    name: str  #: as the paper numbers it
    title: str  #: what it shows, in a few words
    cite: str  #: the paper
    csv: tuple[str, ...] = ()  #: the published tables with its printed numbers; none for a picture
    where: Mapping[str, Any] = field(default_factory=dict)  #: by column, the texts of its rows; by default all are
    wide: str = ""  #: a new column with the headings of the columns `numbers`, each of which holds printed numbers
    numbers: tuple[str, ...] = ()
    read: Callable[[pd.DataFrame], pd.DataFrame] | None = None  #: gives the rows what no column has
    columns: Mapping[str, str] = field(default_factory=dict)  #: further columns, as patterns of the others
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  #: by column, a text in place of a text
    keys: tuple[str, ...] = ()  #: columns that distinguish the numbers of one collection
    unit: str = ""  #: what a number is
    split: str = ""  #: the key whose values get one figure each; the others name the rows of a figure
    whole: bool = False  #: the numbers are counts
    #: what recomputes it: ``page`` and patterns of its settings, the sidebar's, and those of `tables.prepared`
    view: Mapping[str, str] = field(default_factory=dict)
    table: str = ""  #: the table of that page
    join: Mapping[str, str] = field(default_factory=dict)  #: its columns that are joined with patterns of a row
    value: str = ""  #: its column of numbers, a pattern
    scale: float = 1  #: what they are multiplied by
    recompute: Callable[[Evidence], Comparison] | None = None  #: what recomputes it where no page does
    needs: str = ""  #: the data of the paper; "" for a worked example, which is exact everywhere
    #: by name, a collection that can be recognised: topics from ``first`` to ``last``, numbers of ``systems`` and of
    #: ``relevant`` documents over all topics, where it is known
    collections: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    paper_draws: int = 0  #: how often the paper draws at random
    said: str = ""  #: what a picture without numbers shows, by the paper's text
    notes: tuple[str, ...] = ()  #: what is known of the printed numbers, or how they are repeated here
    systems: int = 2  #: how many it needs at least: two, where it compares them
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  #: by column, what is read in place of a text
    refusal: str = ""  #: why its row in the table of papers cannot be read

    @cached_property
    def printed(self) -> pd.DataFrame:
        """The printed numbers, a row each that `keys` distinguish: ``published``, ``collection`` of several."""
        try:
            rows = pd.concat([published_table(name) for name in self.csv], ignore_index=True)
            for column, texts in self.where.items():
                rows = rows[rows[choose("column", column, list(rows))].isin(np.atleast_1d(texts))]
            if self.wide:
                rows = rows.melt([name for name in self.keys if name in rows], self.numbers, self.wide, "published")
            rows = rows if self.read is None else self.read(rows)
            for column, pattern in self.columns.items():
                rows[column] = [filled(pattern, row) for row in rows.to_dict("records")]
            for column in self.codes.keys() & set(rows):
                rows[column] = rows[column].replace(dict(self.codes[column]))
            for column in ("published", *self.keys):
                choose("column", column, list(rows))
            if rows.empty:
                raise IrvizError("no row of `csv` fits `where`.")
            asked: dict[Any, str] = {}
            for row in rows.to_dict("records"):
                as_number(row["published"])
                cell = tuple(row[name] for name in self.keys)
                text = filled(f"{self.view} {self.table} {self.join} {self.value}", row)
                for column in re.findall(r"{([^{}:,]+),?}", text):
                    choose("column", column, list(rows))
                one = (cell, row.get("collection"))
                if one in asked or asked.setdefault(cell, text) != text:
                    raise IrvizError(f"`keys` do not distinguish the numbers of {' '.join(cell)}. Name more columns.")
                asked[one] = text
        except (KeyError, ValueError) as error:
            raise IrvizError(f"papers.toml, {self.key}: {error}") from error
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
    """A claim of a paper."""

    cite: str  #: the paper
    text: str  #: the claim in a few words
    place: str  #: section and table of the source
    quote: str  #: a part of the sentence there that makes the claim
    printed: str  #: the numbers that the source prints for it
    seen: str  #: the condition under which it counts as seen
    needs: str  #: the least data that it can be asked of: scores, lists, grades, aspects, judges or satisfaction
    #: gives the effect, its numbers, and whether it is seen; the effect is the smallest slack of the condition's
    #: inequalities, in units of τ or, for counts of pairs and documents, as a share from −1 to 1
    ask: Callable[[Evidence], Answer]
    unit: str  #: what its numbers are
    digits: int = 3  #: their decimals
    items: tuple[str, ...] = ()  #: tables and figures that hold the numbers
    view: Mapping[str, str] = field(default_factory=dict)  #: where none does: ``page`` and texts of what computes them
    least: int = 3  #: how many systems it needs
    remark: str = ""  #: a reading aid, where one is needed
    exact: bool = False  #: an identity, which has no effect and no interval


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


def read_paper(
    row: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]], items: dict[str, Item]
) -> list[PaperClaim]:
    """Claims of a row of the table, which name `functions`; its items go into `items`, unreadable ones as a refusal."""
    not_shared, claims = ("key", "notes", "item", "claim"), []
    shared = {"needs" if name == "runs" else name: row[name] for name in row if name not in not_shared}
    for one in row.get("item", () if "claim" in row else [{}]):
        key = f"{row.get('key', '')}.{one.get('key', '')}"
        known = {"key": key, "notes": [*one.get("notes", ()), *row.get("notes", ())]}
        try:
            if key in items:
                raise IrvizError("another item has its `key`.")
            items[key] = _item(shared | one | known, functions)
        except IrvizError as error:
            key += f" {len(items)}" if key in items else ""
            texts: dict[str, Any] = {name: str(one.get(name, key)) for name in ("name", "title")}
            texts |= {"cite": str(row.get("cite", "")), "refusal": f"papers.toml, {key}: {error}"}
            items[key] = Item(key=key, **texts)
    for one in row.get("claim", ()):
        keys = tuple(f"{row['key']}.{item}" for item in one.get("items", ()))
        claims.append(PaperClaim(**_tuples(one) | {"cite": row["cite"], "ask": functions[one["ask"]], "items": keys}))
    return claims


def _item(row: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Item:
    usual, given = vars(Item(key="", name="", title="", cite="")), _tuples(row)
    recomputed = [] if "recompute" in row else ["view", "page", "table", "join", "value"]
    printed = ["needs", "keys", "unit", *recomputed] if "csv" in row else [] if "said" in row else ["csv"]
    for name, value in row.items():
        kind = type(usual[choose("field", name, usual)])
        if name in ("read", "recompute"):
            given[name] = functions[choose("function", value, functions)]
        elif not isinstance(given[name], (kind, float) if kind is int else kind):
            raise IrvizError(f"`{name}` is {value!r}, and has to be a {kind.__name__.replace('tuple', 'list')}.")
        elif name in ("columns", "view", "join"):
            given[name] = {column: str(text) for column, text in value.items()}
    for name in ("name", "title", "cite", *printed):
        choose("field", name, [*row, *row.get("view", ())])
    return Item(**given)


def _tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
