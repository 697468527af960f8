"""Printed numbers beside recomputed ones, and the difference in a word."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import choose
from irviz.gallery.figures import printed_beside
from irviz.places import DATA
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Table

# -- The numbers that the five papers print, read from ``data/published`` --------------------------
#
# Texts stay as printed, so that a number carries its decimals: a recomputed one is equal
# if it rounds to the printed one.  What is known about each file is in its README.

FOLDER = DATA / "published"


def tables() -> tuple[str, ...]:
    """Names of all published tables."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.csv")))


def published(name: str) -> pd.DataFrame:
    """One published table; every cell is the printed text, "" where there is none.

    >>> published("aggregation_examples")["AM"].tolist()
    ['0.280', '0.260', '0.260', '0.220']
    """
    return _read(choose("published table", name, tables())).copy()


@cache
def _read(name: str) -> pd.DataFrame:
    return pd.read_csv(FOLDER / f"{name}.csv", dtype=str, keep_default_na=False)


def with_our_spelling(rows: pd.DataFrame) -> pd.DataFrame:
    """nDCG as irviz writes it everywhere; the tables of paper 002 print NDCG."""
    return rows.replace({"base": {"NDCG": "nDCG"}})


def as_number(text: str) -> float:
    """A printed number; NaN where nothing is printed."""
    return float(text) if text else np.nan


def step(text: str) -> float:
    """One unit in the last printed place: the most by which two numbers with the same print can differ.

    >>> step("0.280"), step("51")
    (0.001, 1.0)
    """
    return 10.0 ** -len(text.partition(".")[2])


def as_printed(text: str, value: float) -> bool:
    """Whether `value` rounds to the printed number.

    >>> as_printed("0.280", 0.2804), as_printed("0.280", 0.2806)
    (True, False)
    """
    return bool(abs(value - as_number(text)) <= step(text) / 2 + 1e-9)


# -- How far random draws alone may take a recomputed number from the printed one ------------------
#
# The paper drew at random and so does irviz: from the same data both print estimates of one
# number.  Their difference has the variance of two means, s²/B + s²/B', and stays within
# `_WITHIN` standard deviations in 99 of 100 cells.  Numbers without draws have no such tolerance.

_WITHIN = 2.5758  #: standard deviations that hold 99% of a normal distribution


def of_means(trials: NDArray[np.float64], paper_trials: int) -> NDArray[np.float64]:
    """By row, for means over trials: those of irviz in the columns, the paper's number of trials is `paper_trials`.

    Zero for a single trial, which is not a random draw.

    >>> round(float(of_means(np.array([[0.0, 1.0] * 50]), 100)[0]), 3)
    0.183
    """
    known = np.isfinite(trials)
    count = known.sum(axis=1)
    spread = np.array(
        [
            np.std(row[mask]) * np.sqrt(mask.sum() / max(mask.sum() - 1, 1)) if mask.any() else 0.0
            for row, mask in zip(trials, known, strict=True)
        ]
    )
    return np.where(count > 1, _WITHIN * spread * np.sqrt(1 / np.maximum(count, 1) + 1 / paper_trials), 0.0)


def of_shares(p_values: NDArray[np.float64], alpha: float, trials: int, paper_trials: int) -> float:
    """For a share of p-values below `alpha`, each estimated from `trials` draws.

    A p-value of `alpha` is estimated with the standard deviation of a share; every pair
    nearer to `alpha` than that may fall on either side.

    >>> of_shares(np.array([0.0, 0.01, 0.5, 1.0]), 0.01, 1000, 10_000)
    0.25
    """
    room = _WITHIN * np.sqrt(alpha * (1 - alpha) * (1 / trials + 1 / paper_trials))
    return float((np.abs(p_values - alpha) <= room).mean()) if len(p_values) else 0.0


# -- What the gallery is made of: papers, their tables and figures, and what recomputing one gives -
#
# An item is a value with a function; adding one takes a line in its paper's file.

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


# --------------------------------------------------------------------------------------------------

EQUAL, CHANCE, HIGHER, LOWER = "= as printed", "≈ within chance", "▲ higher", "▼ lower"
_SAME = "= the same"  #: on another collection, where a printed number can only be equalled by accident
MISSING, UNPRINTED = "– not here", "– not printed"
EVERY_COLLECTION = ("",)  #: means all collections, for a worked example, which is of none
RECOMPUTED = "recomputed"
_MOST_DRAWN = 44  #: of one figure


def comparison_table(printed: Printed, found: Found, own: Collection[str] = ()) -> pd.DataFrame:
    """One row per printed number: its place, printed, recomputed, difference and mark.

    `own` names the collections of the paper that the recomputed numbers are of, or is
    `EVERY_COLLECTION`; only their rows can be equal as printed, or differ by the draws alone.
    """
    rows = printed.rows
    keys = _keys(rows, printed.keys)
    values = np.array([found.values.get(key, np.nan) for key in keys])
    texts = rows["published"].tolist()
    shown = np.array([as_number(text) for text in texts])
    names = rows["collection"] if "collection" in rows else pd.Series("", index=rows.index)
    frame = rows.drop(columns="published").reset_index(drop=True)
    frame["published"], frame[RECOMPUTED] = shown, values
    frame["difference"] = values - shown
    frame["mark"] = [
        mark(text, value, found.tolerance.get(key, 0.0)) if name in own else met(text, value)
        for text, value, key, name in zip(texts, values, keys, names, strict=True)
    ]
    return frame


def mark(text: str, value: float, tolerance: float = 0.0) -> str:
    """The difference between a printed number and the recomputed one of the same data, in a word.

    `tolerance` is the largest difference that random draws alone may cause; a number without draws has none.

    >>> mark("0.748", 0.7476), mark("0.748", 0.71), mark("0.748", 0.71, 0.05), mark("0.748", np.nan)
    ('= as printed', '▼ lower', '≈ within chance', '– not here')
    """
    word = met(text, value)
    if word == _SAME:
        return EQUAL
    return CHANCE if word in (HIGHER, LOWER) and abs(value - as_number(text)) <= tolerance + step(text) / 2 else word


def met(text: str, value: float) -> str:
    """The difference between a printed number and one of other data, in a word.

    >>> met("0.748", 0.7476), met("0.748", 0.71), met("", 0.71)
    ('= the same', '▼ lower', '– not printed')
    """
    if not text:
        return UNPRINTED
    if not np.isfinite(value):
        return MISSING
    return _SAME if as_printed(text, value) else HIGHER if value > as_number(text) else LOWER


def agreement_counts(frame: pd.DataFrame, own: Collection[str] = ()) -> tuple[tuple[str, str], ...]:
    """How many printed numbers there are, and how near the recomputed ones are: for the paper's own data, if any."""
    names = frame["collection"] if "collection" in frame else pd.Series("", index=frame.index)
    mine = frame[names.isin(list(own))] if own else frame
    had = mine[mine[RECOMPUTED].notna() & (mine["mark"] != UNPRINTED)]
    where = f" for {', '.join(own)}" if own and own != EVERY_COLLECTION else ""
    found = [
        (f"Printed numbers{where}", f"{int((mine['mark'] != UNPRINTED).sum()):,}"),
        ("Recomputed here", f"{len(had):,}"),
    ]
    if own and len(had):
        found.append(("As printed", f"{int((had['mark'] == EQUAL).sum()):,}"))
    if (had["mark"] == CHANCE).any():
        found.append(("Within chance", f"{int((had['mark'] == CHANCE).sum()):,}"))
    if len(had):
        found.append(("Largest difference", f"{float(had['difference'].abs().max()):.3g}"))
    return tuple(found)


def drawings(printed: Printed, frame: pd.DataFrame) -> tuple[dict[str, Drawing], ...]:
    """The comparison as figures, one for each value of the key that splits it, two side by side."""
    if not printed.drawn:
        return ()
    parts = [("", frame)] if not printed.split else list(frame.groupby(printed.split, sort=False))
    drawn = [_drawing(printed, str(name), part) for name, part in parts if np.isfinite(part[RECOMPUTED]).any()]
    return tuple({f"beside{i + j}": one for j, one in enumerate(drawn[i : i + 2])} for i in range(0, len(drawn), 2))


def _drawing(printed: Printed, name: str, frame: pd.DataFrame) -> Drawing:
    keys = [key for key in printed.keys if key != printed.split]
    frame = frame.assign(**{key: frame[key].replace(words) for key, words in printed.words.items()})
    labels = list(dict.fromkeys(_labels(frame, keys)))[:_MOST_DRAWN]
    place = {label: row for row, label in enumerate(labels)}
    here = np.full(len(labels), np.nan)
    there: dict[str, np.ndarray] = {}
    names = frame["collection"] if "collection" in frame else pd.Series("", index=frame.index)
    for label, series, old, new in zip(_labels(frame, keys), names, frame["published"], frame[RECOMPUTED], strict=True):
        if label in place:
            there.setdefault(series, np.full(len(labels), np.nan))[place[label]] = old
            here[place[label]] = new
    kept = [i for i in range(len(labels)) if np.isfinite(here[i])]
    series = {key: value[kept] for key, value in there.items() if np.isfinite(value[kept]).any()}
    title = f"{name[0].upper()}{name[1:]}: printed and recomputed" if name else "Printed and recomputed"
    figure = printed_beside([labels[i] for i in kept], series, here[kept], printed.unit)
    alt = (
        f"One row for each of {len(kept)} numbers ({printed.unit}): a filled dot for the recomputed one, open signs "
        f"for the printed ones of {', '.join(series) or 'the paper'}."
    )
    return Drawing(figure, title, alt)


def _labels(frame: pd.DataFrame, keys: list[str]) -> list[str]:
    return [" · ".join(part for part in row if part) for row in frame[keys].itertuples(index=False, name=None)]


def _keys(rows: pd.DataFrame, keys: tuple[str, ...]) -> list[CellKey]:
    return list(rows[list(keys)].itertuples(index=False, name=None))
