"""Printed numbers beside recomputed ones, and the difference in a word."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from irviz.gallery.figures import printed_beside
from irviz.gallery.item import CellKey, Found, Printed
from irviz.gallery.published import as_number, as_printed, step
from irviz.workspace.panel import Drawing

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
