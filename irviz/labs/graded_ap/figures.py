"""GAP, xGAP and eGAP: along the distribution g, in its triangle, and on the paper's growing list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import chart, line_at, padded_range
from irviz.figures.theme import BLUE, GREEN, GREY, SEQUENTIAL, VERMILION, Trace, bar, plotly_escape, scatter

Floats = NDArray[np.float64]
#: colour, dash and marker of each measure, everywhere in the lab
_STYLE = {
    "GAP": (BLUE, "solid", "circle"),
    "xGAP": (VERMILION, "dash", "square"),
    "eGAP": (GREEN, "dot", "diamond"),
    "AP": (GREY, "dashdot", "x"),
}


def along_g(g: Floats, curves: Mapping[str, Floats], now: float, axis: str, up: str) -> go.Figure:
    """One line per measure over the probability of one threshold; a dotted line at the value of the sliders."""
    traces = [_line(name, g, curve) for name, curve in curves.items()]
    y = {"title": {"text": plotly_escape(up)}, "range": padded_range(np.concatenate([*curves.values(), [1.0]]))}
    return chart(traces, 330, {"title": {"text": plotly_escape(axis)}, "range": [-0.02, 1.02]}, y, [line_at(x=now)])


def growing_list(lengths: Floats, curves: Mapping[str, Floats], limits: Mapping[str, float], now: int) -> go.Figure:
    """Scores against the number of grade-1 documents on top, and the limits they approach."""
    traces = [_line(name, lengths, curve) for name, curve in curves.items()]
    for name, limit in limits.items():
        colour, _, _ = _STYLE[name]
        traces.append(
            scatter(
                x=[lengths[0], lengths[-1]],
                y=[limit, limit],
                mode="lines",
                hoverinfo="skip",
                showlegend=False,
                line={"color": colour, "width": 1, "dash": "longdash"},
                opacity=0.8,
            )
        )
    x = {
        "title": {"text": "documents of grade 1 on top"},
        "type": "log",
        "tickvals": [1, 10, 100, 1000],
        "range": [-0.05, np.log10(float(lengths[-1])) + 0.05],
    }
    y = {"title": {"text": "score (long dashes: limits)"}, "range": [-0.03, 1.05]}
    return chart(traces, 330, x, y, [line_at(x=now)] if now else [])


def simplex(points: Floats, values: Floats, now: Sequence[float], name: str) -> go.Figure:
    """The triangle of all g over three grades, coloured by a score; a ring at the values of the sliders.

    Parameters
    ----------
    points : points × 3, each summing to 1
    values : by point
    """
    x, y = _flat(points)
    dots = scatter(
        x=x,
        y=y,
        mode="markers",
        customdata=np.round(points, 4).tolist(),  # what a click carries must be plain rows
        showlegend=False,
        marker={
            "size": 15,
            "color": np.round(values, 4),
            "colorscale": SEQUENTIAL,
            "cmin": 0,
            "cmax": 1,
            "colorbar": {"title": {"text": plotly_escape(name), "side": "right"}, "thickness": 12},
        },
        text=[f"{value:.3f}" for value in values],
        hovertemplate="g = (%{customdata[0]}, %{customdata[1]}, %{customdata[2]}): %{text}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )
    here = _flat(np.array([now], dtype=np.float64))
    ring = scatter(
        x=here[0],
        y=here[1],
        mode="markers",
        hoverinfo="skip",
        showlegend=False,
        marker={"size": 22, "symbol": "circle-open", "color": VERMILION, "line": {"width": 3}},
    )
    places = (("all g₁", 0.0, 0.0), ("all g₂", 1.0, 0.0), ("all g₃", 0.5, float(np.sqrt(3) / 2)))
    corners = [{"x": x, "y": y, "text": text, "showarrow": False, "yshift": 14 if y else -14} for text, x, y in places]
    across = {"visible": False, "range": [-0.12, 1.12]}
    up = {"visible": False, "range": [-0.16, 1.02], "scaleanchor": "x"}
    return chart([dots, ring], 330, across, up, clickmode="event+select", annotations=corners)


def _flat(points: Floats) -> tuple[Floats, Floats]:
    """The place of g in the plane: g_1 bottom left, g_2 bottom right, g_3 on top."""
    return np.round(points[:, 1] + points[:, 2] / 2, 5), np.round(np.sqrt(3) / 2 * points[:, 2], 5)


def _line(name: str, x: Floats, y: Floats) -> Trace:
    colour, dash, marker = _STYLE[name.split(",", maxsplit=1)[0]]
    thin = "few" in name
    return scatter(
        x=np.round(x, 4),
        y=np.round(y, 4),
        mode="lines+markers",
        name=plotly_escape(name),
        line={"color": colour, "dash": dash, "width": 1.2 if thin else 2.4},
        marker={"symbol": marker + ("-open" if thin else ""), "size": 6},
        hovertemplate="%{y:.3f}",
    )


def user_bars(by_user: Sequence[float], scores: Mapping[str, float]) -> go.Figure:
    """One bar per user, as high as their AP; one line per measure across them."""
    bars = bar(
        x=list(range(1, len(by_user) + 1)),
        y=np.round(by_user, 5),
        showlegend=False,
        opacity=0.55,
        marker={"color": GREY},
        hovertemplate="user %{x}: AP %{y:.3f}<extra></extra>",
    )
    ends = [0.5, len(by_user) + 0.5]
    lines = [
        scatter(
            x=ends,
            y=[round(score, 5)] * 2,
            mode="lines",
            name=f"{name} {score:.3f}",
            hoverinfo="skip",
            line={"color": _STYLE[name][0], "dash": _STYLE[name][1], "width": 2.6},
        )
        for name, score in scores.items()
    ]
    x = {"title": {"text": "users"}, "range": ends, "tickvals": list(range(1, len(by_user) + 1)), "showgrid": False}
    return chart([bars, *lines], 330, x, {"title": {"text": "AP of the user"}, "range": [0, 1.05]})
