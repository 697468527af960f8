"""Figures of several rows or with marks, laid out in one go.

A lab redraws while a slider moves.  Each of plotly's ``update_*`` and ``add_*`` calls
checks the figure anew, and its ``make_subplots`` many times, so axes and lines are said
at once here: a third of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from irviz.figures.theme import GREY, figure

Axis = dict[str, Any]


def chart(
    traces: Sequence[Any], height: int, x: Axis, y: Axis, lines: Sequence[dict[str, Any]] = (), **layout: Any
) -> go.Figure:
    """One pair of axes; `lines` are of :func:`line_at`."""
    return figure(list(traces), height, xaxis=x, yaxis=y, shapes=list(lines), hovermode="closest", **layout)


def rows(
    parts: Sequence[Sequence[Any]], shares: Sequence[float], height: int, x: Axis, ys: Sequence[Axis], **layout: Any
) -> go.Figure:
    """Rows of traces over one x axis at the bottom, the first on top.

    Parameters
    ----------
    parts : traces of each row
    shares : of the height, by row
    x : the common axis; ys : the upright axis of every row
    """
    gap = 0.06
    free = 1 - gap * (len(parts) - 1)
    top, axes = 1.0, {}
    for n, (share, y) in enumerate(zip(shares, ys, strict=True), start=1):
        bottom = top - free * share / sum(shares)
        axes[_axis("yaxis", n)] = {**y, "domain": [max(0.0, bottom), min(1.0, top)]}
        top = bottom - gap
    for n, traces in enumerate(parts, start=1):
        for trace in traces:
            trace.yaxis = _axis("y", n)
    drawn = [trace for traces in parts for trace in traces]
    return figure(drawn, height, xaxis={**x, "anchor": _axis("y", len(parts))}, hovermode="closest", **axes, **layout)


def line_at(*, x: float | None = None, y: float | None = None, dash: str = "dot") -> dict[str, Any]:
    """A thin line across the whole figure, at `x` or at `y`."""
    line = {"color": GREY, "dash": dash, "width": 1.5}
    if x is not None:
        return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain", "line": line}
    return {"type": "line", "y0": y, "y1": y, "x0": 0, "x1": 1, "xref": "x domain", "line": line}


def _axis(name: str, n: int) -> str:
    return name if n == 1 else f"{name}{n}"
