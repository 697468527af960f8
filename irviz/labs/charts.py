"""Charts of several labs: every system by two measures; the same few items in several orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from irviz.figures.axes import axis, chart
from irviz.figures.theme import BLUE, DASHES, MARKERS, PALETTE, SHADES, VERMILION, Trace, bar, plotly_escape, scatter
from irviz.figures.unchecked import layout_of, traces_of, unchecked
from irviz.labs.documents import hatch, squares

Groups = Sequence[Sequence[str]]
SKY = SHADES[2][0]  #: of bars and dots that lines of other colours cross


def extend(fig: go.Figure, traces: Sequence[Trace] = (), **layout: Any) -> go.Figure:
    """The figure with further traces, and other properties of its layout."""
    content = {"data": [*traces_of(fig), *traces], "layout": {**layout_of(fig), **layout}}
    return unchecked(content)  # as it is: plotly's way encodes arrays


def below_lists(
    fig: go.Figure, lists: Mapping[str, Sequence[int]], top: int, offset: int = 0, **look: Any
) -> go.Figure:
    """The figure below the lists that it is about, a row each; `offset` of their documents are not drawn."""
    layout, count, longest = layout_of(fig), len(lists), max(map(len, lists.values()))
    cells = (
        (rank, n, grade) for n, row in enumerate(lists.values()) for rank, grade in enumerate(row, start=offset + 1)
    )
    x, y, grades = zip(*cells, strict=True)
    height = layout["height"] + 34 * count
    share = 28 * count / (height - 110)  # of what legend, labels and titles leave: a square has room even on a phone
    bare = {"showgrid": False, "zeroline": False}
    ranks = {
        "range": [offset + 0.4, offset + longest + 0.6],
        "domain": [0, min(1, longest / 12)],
        "anchor": "y2",
        **bare,
    }
    rows = {"range": [count - 0.5, -0.5], "tickvals": list(range(count)), "ticktext": list(lists), **bare}
    axes = {
        "xaxis": {**layout["xaxis"], "anchor": "y"},
        "yaxis": {**layout["yaxis"], "domain": [0, 0.95 - share - (22 / height if offset else 0)]},
        "xaxis2": {**ranks, "dtick": 1, "showticklabels": offset > 0},
        "yaxis2": {**rows, "anchor": "x2", "domain": [1 - share, 1]},
    }
    row = squares(list(x), list(y), grades, top, min(20, 300 // longest), xaxis="x2", yaxis="y2", **look)
    return extend(fig, [row], height=height, **axes)


def pillars(heights: Sequence[float], positions: Sequence[float] | None = None) -> dict[str, Any]:
    """Places of upright lines, at 1, 2, … by default, from 0 to each height: bars that frames move, of 0 thin lines."""
    places = range(1, len(heights) + 1) if positions is None else positions
    return {
        "x": [x for place in places for x in (place, place, None)],
        "y": [y for height in heights for y in (0, round(max(0.004, float(height)), 5), None)],
    }


def levels(ends: Sequence[float], heights: Mapping[str, float], looks: Sequence[tuple[str, str]]) -> list[Trace]:
    """A named line across at every height, in its colour and dash; frames move it, so its name says no height."""
    return [
        scatter(
            x=list(ends),
            y=[round(height, 5)] * 2,
            mode="lines",
            name=name,
            hoverinfo="skip",
            line={"color": colour, "dash": dash, "width": 2.6},
        )
        for (name, height), (colour, dash) in zip(heights.items(), looks, strict=True)
    ]


def as_far(x: Any, y: Any, end: float) -> dict[str, Any]:
    """A line as far as `end`; its further points wait there.

    >>> {name: places.tolist() for name, places in as_far([1, 2, 3], [0, 4, 8], 1.5).items()}
    {'x': [1.0, 1.5, 1.5], 'y': [0.0, 2.0, 2.0]}
    """
    reached = np.minimum(x, end)
    return {"x": reached.round(3), "y": np.interp(reached, x, y).round(5)}


def places_of(groups: Groups) -> dict[str, float]:
    """The place of every item; the items of a group share the mean of their places.

    >>> places_of([["b"], ["a", "c"]])
    {'b': 1.0, 'a': 2.5, 'c': 2.5}
    """
    places: dict[str, float] = {}
    for group in groups:
        middle = len(places) + (len(group) + 1) / 2
        places |= dict.fromkeys(group, middle)
    return places


def blend(start: Any, end: Any, t: float, digits: int = 4) -> Any:
    """Numbers on the way from some to others: `t` is 0 at the first and 1 at the last."""
    return np.round((1 - t) * np.asarray(start) + t * np.asarray(end), digits)


def bars_beside(
    names: Sequence[str], groups: Mapping[str, Sequence[float]], title: str, top: float = 1.15, second: str = VERMILION
) -> go.Figure:
    """For each name a bar of every group, with its number on top; groups have colours and patterns of their own."""
    bars = [
        bar(
            x=list(names),
            y=[round(float(value), 5) for value in values],
            name=plotly_escape(group),
            marker={"color": (BLUE, second)[n], "pattern": hatch(("", "/")[n])},
            text=[f"{value:.3f}".removeprefix("0") for value in values],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{x}: %{y:.4f}<extra>%{fullData.name}</extra>",
        )
        for n, (group, values) in enumerate(groups.items())
    ]
    return chart(bars, 320, {"type": "category"}, axis(title, [0, top], showgrid=False), showlegend=len(groups) > 1)


def curve(name: str, x: Any, y: Any, n: int, **look: Any) -> Trace:
    """A named line with markers, in the n-th colour, dash and marker."""
    usual = {
        "mode": "lines+markers",
        "line": {"color": PALETTE[n], "dash": DASHES[n], "width": 2.2},
        "marker": {"symbol": MARKERS[n], "size": 8},
    }
    return scatter(x=x, y=np.round(y, 5), name=plotly_escape(name), **{**usual, **look})


def pointer(x: float, y: float, **look: Any) -> Trace:
    """A triangle that points down to what frames show now."""
    marker = {"symbol": "triangle-down", "size": 14, "color": BLUE}
    return scatter(x=[x], y=[y], mode="markers", marker=marker, showlegend=False, **{"hoverinfo": "skip", **look})


def silent(x: Any, y: Any, mode: str, **look: Any) -> Trace:
    """A trace that neither a legend nor a pointer names."""
    return scatter(x=x, y=y, mode=mode, showlegend=False, hoverinfo="skip", **look)
