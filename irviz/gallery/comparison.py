"""Printed and recomputed numbers: their differences in words, tables and figures."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import padded_range, ticks
from irviz.figures.theme import (
    BLUE,
    GREEN,
    GREY,
    PALETTE,
    PURPLE,
    VERMILION,
    Trace,
    figure,
    labels,
    plotly_escape,
    row_height,
    scatter,
)
from irviz.gallery.paper import CellKey, Comparison, Item, as_number
from irviz.workspace.facts import Fact
from irviz.workspace.panel import Drawing

Floats = NDArray[np.float64]
EQUAL, CHANCE, HIGHER, LOWER = "= as printed", "≈ within chance", "▲ higher", "▼ lower"
_SAME = "= the same"  #: on another collection, where a printed number can only be equalled by accident
MISSING, UNPRINTED = "– not here", "– not printed"
EVERY_COLLECTION = ("",)  #: means all collections, for a worked example, which is of none
_MOST_DRAWN = 44  #: of one figure


def digits(item: Item) -> int:
    """Decimal places of an item's numbers in a table: one more than is printed, at most four."""
    printed = max((len(text.partition(".")[2]) for text in item.printed["published"]), default=0)
    return 0 if item.whole else min(4, printed + 1)


def comparison_table(item: Item, comparison: Comparison, own: Collection[str] = ()) -> pd.DataFrame:
    """One row per printed number: its place, printed, recomputed, difference and mark.

    `own` names the paper's collections at hand, or is `EVERY_COLLECTION`; other rows cannot be equal as printed.
    """
    rows = item.printed
    keys: list[CellKey] = list(rows[list(item.keys)].itertuples(index=False, name=None))
    values = np.array([comparison.values.get(key, np.nan) for key in keys])
    texts = rows["published"].tolist()
    printed = np.array([as_number(text) for text in texts])
    frame = rows[[*(["collection"] if "collection" in rows else []), *item.keys]].copy()
    frame = frame.assign(published=printed, recomputed=values, difference=values - printed)
    frame["mark"] = [
        mark(text, value, comparison.tolerance.get(key, 0.0) if name in own else None)
        for text, value, key, name in zip(texts, values, keys, _collections(rows), strict=True)
    ]
    return frame


def _collections(frame: pd.DataFrame) -> pd.Series:
    """The paper's collection of every row; "" where it has one."""
    return frame["collection"] if "collection" in frame else pd.Series("", index=frame.index)


def mark(text: str, value: float, tolerance: float | None = 0.0) -> str:
    """The difference between a printed number and a recomputed one, in a word.

    `tolerance` is the largest difference due to random draws, 0 without draws, None for other data.

    >>> mark("0.748", 0.7476), mark("0.748", 0.71), mark("0.748", 0.71, 0.05), mark("0.748", np.nan)
    ('= as printed', '▼ lower', '≈ within chance', '– not here')
    >>> mark("0.748", 0.7476, None), mark("", 0.71)
    ('= the same', '– not printed')
    """
    if not text:
        return UNPRINTED
    if not np.isfinite(value):
        return MISSING
    difference, half = value - as_number(text), 0.5 * 10.0 ** -len(text.partition(".")[2])
    if abs(difference) <= half + 1e-9:  # it rounds to the printed number
        return _SAME if tolerance is None else EQUAL
    if tolerance and abs(difference) <= tolerance + half:
        return CHANCE
    return HIGHER if difference > 0 else LOWER


def agreement_counts(frame: pd.DataFrame, own: Collection[str]) -> tuple[Fact, ...]:
    """How many printed numbers have which mark, of the paper's own data where these are loaded."""
    rows = frame[_collections(frame).isin(list(own))] if own else frame
    counts = [Fact(str(word), int(count), of=len(rows)) for word, count in rows["mark"].value_counts().items()]
    return (*counts, Fact("largest difference", float(rows["difference"].abs().max()), digits=4))


def drawings(item: Item, frame: pd.DataFrame) -> tuple[dict[str, Drawing], ...]:
    """The comparison as figures, one for each value of the key that splits it, two side by side."""
    parts = [("", frame)] if not item.split else list(frame.groupby(item.split, sort=False))
    shown = [
        _drawing(item, item.words.get(item.split, {}).get(str(name), str(name)), part)
        for name, part in parts
        if np.isfinite(part["recomputed"]).any()
    ]
    return tuple(
        {f"{item.key.rpartition('.')[2]}-{i + j}": one for j, one in enumerate(shown[i : i + 2])}
        for i in range(0, len(shown), 2)
    )


def _drawing(item: Item, name: str, frame: pd.DataFrame) -> Drawing:
    keys = [key for key in item.keys if key != item.split]
    read = frame.assign(**{key: frame[key].replace(dict(item.words.get(key, {}))) for key in keys})
    names = [" · ".join(part for part in row if part) for row in read[keys].itertuples(index=False, name=None)]
    known = frame.assign(row=names, series=_collections(frame))[np.isfinite(frame["recomputed"])]
    rows = list(dict.fromkeys(known["row"]))[:_MOST_DRAWN]
    there = known.pivot_table("published", "row", "series", "last", sort=False, dropna=False).reindex(rows)
    here = known.drop_duplicates("row", keep="last").set_index("row")["recomputed"].reindex(rows).to_numpy()
    series = {key: there[key].to_numpy() for key in there if there[key].notna().any()}
    title = f"{name[0].upper()}{name[1:]}: printed and recomputed" if name else "Printed and recomputed"
    if (many := known["row"].nunique()) > len(rows):
        title += f", the first {len(rows)} of {many:,}"
    return Drawing(printed_beside(rows, series, here, item.unit), title)


_OPEN = ("diamond-open", "square-open", "triangle-up-open", "circle-open", "cross-open", "x-open", "star-open")
_ENTRY = 20  #: pixels that an entry of the legend is high
COLOURS = (BLUE, GREEN, PURPLE, PALETTE[4], GREY)


def printed_beside(rows: Sequence[str], printed_numbers: Mapping[str, Floats], here: Floats, unit: str) -> go.Figure:
    """A dot per row at the recomputed number, open signs at the printed ones (NaN: none), joined by a line."""
    numbers, places = np.stack([*printed_numbers.values(), here]), np.arange(len(rows))
    ends = [(np.nanmin(column), np.nanmax(column), np.nan) for column in numbers.T]
    x, y, line = np.round(np.array(ends).ravel(), 5), np.repeat(places, 3), {"color": GREY, "width": 1}
    traces = [scatter(x=x, y=y, mode="lines", hoverinfo="skip", showlegend=False, line=line)]
    for i, name in enumerate(printed_numbers):
        label = labels([name])[0]
        words = label if len(label) > 16 else f"printed, {label}" if label else "printed"
        look = {"symbol": _OPEN[i % len(_OPEN)], "color": COLOURS[i % len(COLOURS)], "line": {"width": 1.6}}
        traces.append(_signs(numbers[i], rows, words, look))
    traces.append(_signs(here, rows, "recomputed here", {"symbol": "circle", "color": VERMILION}))
    legend = _ENTRY * len(numbers)  # on a phone every entry takes a line
    height = row_height(len(rows), least=230, each=19) + max(0, legend - 3 * _ENTRY)
    fig = figure(traces, height, hovermode="closest", legend={"maxheight": legend + _ENTRY})
    fig.update_xaxes(title_text=plotly_escape(unit), range=padded_range(numbers), side="bottom")
    fig.update_yaxes(range=[len(rows) - 0.4, -0.6], **ticks(rows, len(rows), 44), showgrid=True)
    return fig


def _signs(values: Floats, rows: Sequence[str], name: str, look: dict[str, Any]) -> Trace:
    known = np.flatnonzero(np.isfinite(values)).tolist()
    return scatter(
        x=np.round(values[known], 5),
        y=known,
        mode="markers",
        name=name,
        cliponaxis=False,
        marker={"size": 9, **look},
        customdata=[plotly_escape(f"{rows[row]}: {name} {values[row]:.4f}") for row in known],
        hovertemplate="%{customdata}<extra></extra>",
    )
