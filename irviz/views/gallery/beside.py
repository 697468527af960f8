"""Printed numbers beside recomputed ones, and the difference in a word."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from irviz.figures.gallery_beside import beside
from irviz.views.gallery.item import Key, Printed
from irviz.views.panel import Drawing
from irviz.views.published import as_printed, number

EQUAL, CLOSE, HIGHER, LOWER = "= as printed", "≈ close", "▲ higher", "▼ lower"
MISSING, UNPRINTED = "– not here", "– not printed"
RECOMPUTED = "recomputed"
MOST_ROWS = 44  #: of one figure


def compared(printed: Printed, values: Mapping[Key, float]) -> pd.DataFrame:
    """One row a printed number: where it stands, printed, recomputed, difference and mark."""
    rows = printed.rows
    found = np.array([values.get(key, np.nan) for key in _keys(rows, printed.keys)])
    texts = rows["published"].tolist()
    shown = np.array([number(text) for text in texts])
    frame = rows.drop(columns="published").reset_index(drop=True)
    frame["published"], frame[RECOMPUTED] = shown, found
    frame["difference"] = found - shown
    frame["mark"] = [mark(text, value, printed.close) for text, value in zip(texts, found, strict=True)]
    return frame


def mark(text: str, value: float, close: float) -> str:
    """The difference between a printed number and a recomputed one, in a word.

    >>> mark("0.748", 0.7476, 0.05), mark("0.748", 0.71, 0.05), mark("0.748", 0.9, 0.05), mark("0.748", np.nan, 0.05)
    ('= as printed', '≈ close', '▲ higher', '– not here')
    """
    if not text:
        return UNPRINTED
    if not np.isfinite(value):
        return MISSING
    if as_printed(text, value):
        return EQUAL
    difference = value - number(text)
    return CLOSE if abs(difference) <= close else HIGHER if difference > 0 else LOWER


def counts(frame: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    """How many printed numbers there are, and how near the recomputed ones come."""
    had = int(frame["mark"].isin([EQUAL, CLOSE, HIGHER, LOWER]).sum())
    equal = int((frame["mark"] == EQUAL).sum())
    near = equal + int((frame["mark"] == CLOSE).sum())
    facts = [("Printed numbers", f"{int((frame['mark'] != UNPRINTED).sum()):,}"), ("Recomputed here", f"{had:,}")]
    if had:
        largest = float(frame["difference"].abs().max())
        facts += [
            ("As printed", f"{equal:,}"),
            ("As printed or close", f"{near:,}"),
            ("Largest difference", f"{largest:.3g}"),
        ]
    return tuple(facts)


def drawings(printed: Printed, frame: pd.DataFrame) -> tuple[dict[str, Drawing], ...]:
    """The comparison as figures, one for each value of the key that splits it, two side by side."""
    if not printed.drawn:
        return ()
    parts = [("", frame)] if not printed.split else list(frame.groupby(printed.split, sort=False))
    drawn = [_drawing(printed, str(name), part) for name, part in parts if np.isfinite(part[RECOMPUTED]).any()]
    return tuple({f"beside{i + j}": one for j, one in enumerate(drawn[i : i + 2])} for i in range(0, len(drawn), 2))


def _drawing(printed: Printed, name: str, frame: pd.DataFrame) -> Drawing:
    keys = [key for key in printed.keys if key != printed.split]
    labels = list(dict.fromkeys(_labels(frame, keys)))[:MOST_ROWS]
    place = {label: row for row, label in enumerate(labels)}
    here = np.full(len(labels), np.nan)
    there: dict[str, np.ndarray] = {}
    names = frame["collection"] if "collection" in frame else pd.Series("published", index=frame.index)
    for label, series, old, new in zip(_labels(frame, keys), names, frame["published"], frame[RECOMPUTED], strict=True):
        if label in place:
            there.setdefault(series, np.full(len(labels), np.nan))[place[label]] = old
            here[place[label]] = new
    kept = [i for i in range(len(labels)) if np.isfinite(here[i])]
    series = {key: value[kept] for key, value in there.items() if np.isfinite(value[kept]).any()}
    title = f"{name[0].upper()}{name[1:]}: printed and recomputed" if name else "Printed and recomputed"
    figure = beside([labels[i] for i in kept], series, here[kept], printed.unit)
    alt = (
        f"A row for each of {len(kept)} numbers ({printed.unit}): a filled dot for the recomputed one, open signs for "
        f"the printed ones of {', '.join(series) or 'the paper'}."
    )
    return Drawing(figure, title, alt)


def _labels(frame: pd.DataFrame, keys: list[str]) -> list[str]:
    return [" · ".join(part for part in row if part) for row in frame[keys].itertuples(index=False, name=None)]


def _keys(rows: pd.DataFrame, keys: tuple[str, ...]) -> list[Key]:
    return list(rows[list(keys)].itertuples(index=False, name=None))
