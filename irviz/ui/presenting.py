"""Figures in the larger type that presenting takes, and the height that this type needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from irviz.figures.axes import SCREEN
from irviz.figures.ranking import spread
from irviz.figures.theme import with_frames
from irviz.workspace.panel import Drawing

LARGER = 1.35  #: times the type of a figure, its margins and its pixels between names and what they name
_IN_PARTS = 1.5  # the same of a figure that is presented in parts
LEAST = 400  #: pixels of a figure, which is seen whole on a screen of 768; one with a row for each system scrolls
LOW = 200  #: pixels of a figure that stays low, such as one row of documents
ROW = 1.25  #: height of a row, in sizes of its type
_LINE = 1.3  # of a name beside a curve
_USUAL = 600  # pixels of a figure on most screens, on which names beside curves stand apart
_AXES = 40, 60  # pixels above and below the plot, at least
_OFFSETS = {"ax": "axref", "ay": "ayref", "xshift": "", "yshift": ""}  # pixels, unless they refer to an axis


def parts(drawing: Drawing) -> list[Drawing]:
    """A figure in the parts in which it is presented, each with some of its rows; most have one."""
    fig = drawing.figure
    ranges = (fig.layout.meta or {}).get("parts")
    if not ranges:
        return [drawing]
    around = fig.layout.margin.t + fig.layout.margin.b
    each = (fig.layout.height - around) / np.ptp(fig.layout.yaxis.range)
    return [
        replace(drawing, figure=go.Figure(fig).update_yaxes(range=rows).update_layout(height=height))
        for rows in ranges
        for height in [round(around + each * np.ptp(rows))]
    ]


def enlarge(drawing: Drawing, least: int = LEAST) -> Drawing:
    """The figure in larger type, as high as its rows need, and `least` pixels unless it is a low one."""
    in_parts = "parts" in (drawing.figure.layout.meta or {})
    times = _IN_PARTS if in_parts else LARGER
    content = larger(drawing.figure.to_plotly_json(), times)
    layout = content["layout"]
    layout["font"] = {**layout.get("font", {}), "size": 13 * times}
    layout["height"] = round(layout["height"] * times) if in_parts else height_of(layout, least)
    if not in_parts:
        _move_apart(layout, max(layout["height"], _USUAL))
    fig = with_frames(go.Figure({**content, "frames": []}, skip_invalid=False), content.get("frames", ()))
    fig.update_xaxes(automargin=True)  # larger type needs more room
    fig.update_yaxes(automargin=True)
    return replace(drawing, figure=fig)


def height_of(layout: dict[str, Any], least: int = LEAST) -> int:
    """Pixels that the layout of a figure in larger type needs.

    >>> [height_of({"height": height}) for height in (110, 330, 1400)]
    [148, 400, 1890]
    >>> height_of({"height": 400, "yaxis": {"ticktext": ["a"] * 50, "tickfont": {"size": 15}}})
    1038
    """
    if (height := layout.get("height")) is not None and height < LOW:
        return round(height * LARGER)
    above, below = _pixels_around(layout)
    plots = [(round(height * LARGER) if height and height > SCREEN else least) - above - below]
    for axis in _upright(layout).values():
        names = axis.get("ticktext")
        if names is not None and len(names):
            lines = max(str(name).count("<br>") + 1 for name in names)
            start, end = axis.get("domain") or (0, 1)
            plots.append(round(len(names) * lines * ROW * _type(axis, layout) / (end - start)))
    return max(plots) + above + below


def _upright(layout: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The upright axes, by what refers to them: y, y2, …"""
    return {name.replace("axis", ""): axis for name, axis in layout.items() if name.startswith("yaxis")}


def _type(axis: dict[str, Any], layout: dict[str, Any]) -> float:
    """The size of an axis' names."""
    usual = layout.get("template", {}).get("layout", {}).get("yaxis", {}).get("tickfont", {})
    return float({**usual, **axis.get("tickfont", {})}.get("size", 11 * LARGER))


def _pixels_around(layout: dict[str, Any]) -> tuple[int, int]:
    """Pixels above and below the plot."""
    margin = layout.get("margin", {})
    return max(_AXES[0], round(margin.get("t", 0))), max(_AXES[1], round(margin.get("b", 0)))


def _move_apart(layout: dict[str, Any], height: float) -> None:
    """Move the names that stand in a column beside an axis of numbers as far apart as larger type needs."""
    axes = {on: axis for on, axis in _upright(layout).items() if axis.get("range") and axis.get("ticktext") is None}
    columns: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for note in layout.get("annotations", ()):
        if note.get("yref", "y") in axes:
            place = (note.get("yref", "y"), *map(note.get, ("x", "xref", "xanchor", "ayref")))
            columns.setdefault(place, []).append(note)
    for (on, *_, moved), notes in columns.items():
        if len(notes) > 1:
            low, high = sorted(axes[on]["range"])
            start, end = axes[on].get("domain") or (0, 1)
            each = (high - low) / ((end - start) * (height - sum(_pixels_around(layout))))  # of the axis, a pixel
            _spread(notes, "ay" if moved else "y", each, low, high)


def _spread(notes: Sequence[dict[str, Any]], key: str, each: float, low: float, high: float) -> None:
    """Move the notes of a column; one of several lines has as many places, and stands in their middle."""
    counts = [note["text"].count("<br>") + 1 for note in notes]
    size = max(note.get("font", {}).get("size", 12 * LARGER) for note in notes)
    lines = [note[key] for note, count in zip(notes, counts, strict=True) for _ in range(count)]
    places = iter(spread(lines, _LINE * size * each, low, high))
    for note, count in zip(notes, counts, strict=True):
        note[key] = sum(next(places) for _ in range(count)) / count


def larger(part: Any, times: float = LARGER, key: str = "") -> Any:
    """A part of a figure with its type, markers, margins and distances in pixels enlarged; lines stay.

    >>> larger({"tickfont": {"size": 10}, "marker": {"size": 10, "line": {"width": 1}}, "margin": {"r": 100}})
    {'tickfont': {'size': 13.5}, 'marker': {'size': 13.5, 'line': {'width': 1}}, 'margin': {'r': 135.0}}
    >>> larger({"ax": 16, "axref": "pixel", "ay": 0.5, "ayref": "y"})
    {'ax': 21.6, 'axref': 'pixel', 'ay': 0.5, 'ayref': 'y'}
    """
    if isinstance(part, dict):
        scaled = {name: larger(child, times, name) for name, child in part.items()}
        sizes = [name for name, ref in _OFFSETS.items() if scaled.get(ref, "pixel") == "pixel"]
        sizes += ["size"] if key.endswith(("font", "marker")) else list(scaled) if key == "margin" else []
        for name in sizes:
            if isinstance(scaled.get(name), int | float):
                scaled[name] = round(scaled[name] * times, 1)
        return scaled
    return [larger(child, times, key) for child in part] if isinstance(part, list | tuple) else part
