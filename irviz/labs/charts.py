"""Parts of the figures of several labs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from irviz.figures.theme import SHADES, Trace, scatter
from irviz.figures.unchecked import layout_of, traces_of, unchecked

SKY = SHADES[2][0]  #: of bars and dots that lines of other colours cross


def extend(fig: go.Figure, traces: Sequence[Trace] = (), **layout: Any) -> go.Figure:
    """The figure with further traces, and other properties of its layout."""
    content = {"data": [*traces_of(fig), *traces], "layout": {**layout_of(fig), **layout}}
    return unchecked(content)  # as it is: plotly's way encodes arrays


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


def silent(x: Any, y: Any, mode: str, **look: Any) -> Trace:
    """A trace that neither a legend nor a pointer names."""
    return scatter(x=x, y=y, mode=mode, showlegend=False, hoverinfo="skip", **look)
