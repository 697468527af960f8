"""The marks of a figure as it was before a change, in grey among those of now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go

from irviz.figures.theme import CHOICE_MARK, GREY, Layout, Trace
from irviz.figures.unchecked import UncheckedFigure, layout_of, traces_of

_MOST = 2.5  #: times the length that an axis may get; what needs more is another quantity
_REST = "other systems"  #: the trace of systems that do not stand out
_NEAR = 0.05  #: of a row, within which a curve ends at the line of its row
Places = list[Any]  #: numbers or names along an axis; None where there is nothing
Marks = dict[str, Places]  #: where the marks of a trace stand, by axis: the one across, the one upwards


def draw_before(now: go.Figure, then: go.Figure) -> go.Figure:
    """`now` with dots, lines and ends of bars of `then` in grey, by name; `now` itself if the axes differ."""
    present, names = [marks for _, marks in _all_marks(now)], {trace.get("name") for trace in traces_of(now)}
    moved = [
        (trace, _at_names(marks, present, now, then))
        for trace, marks in _all_marks(then)
        if _REST not in names or trace.get("name") in names  # lines of single systems, which nothing else names
    ]
    moved = [(trace, marks) for trace, marks in moved if all(set(at) - {None} for at in marks.values())]
    new = [(trace, marks) for trace, marks in moved if marks not in present]
    ranges = {axis: _range(axis, now, then) for _, marks in new for axis in marks}
    if not new or None in ranges.values():
        return now
    drawn = UncheckedFigure({"data": traces_of(now), "layout": layout_of(now)}, _validate=False)
    drawn.update_layout(**{axis: {"range": ends} for axis, ends in ranges.items() if ends})
    in_legend = sum(trace.get("showlegend", True) for trace in traces_of(now))
    drawn.update_layout(showlegend=layout_of(now).get("showlegend", in_legend > 1))  # as plotly would without the grey
    for trace, marks in new:
        (across, x), (upwards, y) = marks.items()
        axes = {"xaxis": across.replace("axis", ""), "yaxis": upwards.replace("axis", "")}
        drawn.add_scatter(x=x, y=y, **axes, **_look(trace))
    return drawn


def _all_marks(fig: go.Figure) -> Iterator[tuple[Trace, Marks]]:
    """Dots, lines and ends of bars, stacked ones at the end of the stack; no texts, areas, nor what is grey anyway."""
    stacked = layout_of(fig).get("barmode") in ("stack", "relative")
    reached: dict[tuple[Any, bool], float] = {}  # by bar and side of zero
    for trace in traces_of(fig):
        x, y = (np.array(trace.get(letter, ())).tolist() for letter in "xy")
        if trace["type"] == "bar":
            level = trace.get("orientation") == "h"
            at, sizes = (y, x) if level else (x, y)
            starts = np.broadcast_to(trace.get("base", 0.0), len(sizes)).tolist()
            ends = []
            for bar, size, start in zip(at, np.nan_to_num(sizes).tolist(), starts, strict=True):
                end = size + (reached.get((bar, size < 0), 0.0) if stacked else start)
                reached[bar, size < 0] = end
                ends.append(end)
            x, y = (ends, at) if level else (at, ends)
        elif trace["type"] != "scatter" or trace.get("mode") == "text" or trace.get("line", {}).get("width") == 0:
            continue
        if len(x) == len(y) and trace.get("name") not in (CHOICE_MARK, _REST):
            axes = (trace.get(letter + "axis", letter).replace(letter, letter + "axis") for letter in "xy")
            known = ([one if one == one else None for one in places] for places in (x, y))
            yield trace, dict(zip(axes, known, strict=True))


def _at_names(marks: Marks, present: list[Marks], now: go.Figure, then: go.Figure) -> Marks:
    """The marks at the places that their names have now."""
    moved = {}
    for axis, places in marks.items():
        at = _rows(axis, now, then)
        if any(isinstance(place, str) for place in places):
            names = {name for own in present for name in own.get(axis, ())}
            moved[axis] = [place if place in names else None for place in places]
        elif at is None:
            moved[axis] = places
        elif all(place is None or place in at for place in places):
            moved[axis] = [None if place is None else at[place] for place in places]
        else:  # a curve above the line of its row
            line = max(place for place in places if place is not None)
            to = at.get(round(line)) if abs(line - round(line)) < _NEAR else None
            moved[axis] = [None if None in (place, to) else place - round(line) + to for place in places]
    return moved


def _rows(axis: str, now: go.Figure, then: go.Figure) -> dict[float, float | None] | None:
    """Place then → place now of what is named along an axis, None for what is not there; None of an axis of numbers."""
    sides = []
    for layout in (layout_of(then), layout_of(now)):
        own = layout.get(axis, {})
        rows = (layout.get("meta") or {}).get("rows") if axis == "yaxis" else None
        if rows is None and (own.get("ticktext") is None or own.get("type") in ("log", "category")):
            return None
        names = dict(enumerate(rows)) if rows else dict(zip(own["tickvals"], own["ticktext"], strict=True))
        sides.append({place: name for place, name in names.items() if name and [*names.values()].count(name) == 1})
    places = {name: place for place, name in sides[1].items()}
    return {place: places.get(name) for place, name in sides[0].items()}


def _range(axis: str, now: go.Figure, then: go.Figure) -> list[float] | None:
    """The range for both; [] where the axis keeps its own, None where the two have different quantities."""
    old, new = layout_of(then).get(axis, {}), layout_of(now).get(axis, {})
    if _rows(axis, now, then) is not None or "category" in (old.get("type"), new.get("type")):
        return []
    titles = [re.sub("<[^>]*>", " ", str((one.get("title") or {}).get("text") or "")).split() for one in (old, new)]
    alike = set(titles[0]) & set(titles[1]) or max(map(len, titles)) < 2
    if not alike or old.get("type") != new.get("type"):
        return None
    if not (old.get("range") and new.get("range")):
        return []
    ends = sorted(new["range"]), sorted(old["range"])
    low, high = min(ends[0][0], ends[1][0]), max(ends[0][1], ends[1][1])
    if high - low > _MOST * (ends[0][1] - ends[0][0]):
        return None
    return [low, high] if new["range"][0] < new["range"][1] else [high, low]


def _look(trace: Trace) -> Layout:
    """Dashed lines and hollow marks, which stand behind the others unless these are bars."""
    pale: Layout = {"opacity": 0.7, "hoverinfo": "skip", "showlegend": False}
    if trace["type"] == "bar":
        upright = "ns" if trace.get("orientation") == "h" else "ew"
        return pale | {"mode": "markers", "marker": {"symbol": f"line-{upright}-open", "size": 12, "color": GREY}}
    shape = "line-ns-open" if trace.get("marker", {}).get("symbol") == "line-ns" else "circle-open"
    line = {"color": GREY, "width": 1.5, "dash": "dot", "shape": trace.get("line", {}).get("shape", "linear")}
    mode = trace.get("mode", "lines").replace("+text", "").replace("text+", "")
    return pale | {"mode": mode, "zorder": -1, "line": line, "marker": {"symbol": shape, "size": 7, "color": GREY}}
