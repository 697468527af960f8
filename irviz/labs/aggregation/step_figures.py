"""The scores as dots that a click moves, and two means on a collection with more and more hard topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import chart, line_at
from irviz.figures.theme import DASHES, MARKERS, PALETTE, Trace, plotly_escape, scatter

Floats = NDArray[np.float64]
STOPS = np.round(np.linspace(0, 1, 21), 2)  #: the scores that a click can give


def score_dots(
    scores: Floats,
    systems: Sequence[str],
    topics: Sequence[str],
    chosen: int | None = None,
    movable: bool = False,
) -> go.Figure:
    """One column per topic, one dot per system.

    Dragging a dot, or a click, means a new row of scores for its system, and nothing for the others.

    Parameters
    ----------
    scores : topics × systems
    chosen : position of the system whose dots a click moves; faint points show where to
    movable : whether dots can be dragged
    """
    traces = [] if chosen is None else [_targets(scores, chosen)]
    aside = (np.arange(len(systems)) - (len(systems) - 1) / 2) * 0.09
    for s, name in enumerate(systems):
        x = np.arange(len(topics)) + aside[s]
        goals = [[_goal(scores, s, t, stop, float(at)) for stop in STOPS] for t, at in enumerate(x)]
        traces.append(
            scatter(
                x=x,
                y=np.round(scores[:, s], 4),
                mode="markers",
                name=plotly_escape(name),
                hovertemplate="%{y:.3f}<extra>%{fullData.name}</extra>",
                marker={"symbol": MARKERS[s], "size": 12 if s == chosen else 10, "color": PALETTE[s]},
                meta={"drag": goals} if movable else None,
            )
        )
    x_axis = {"tickvals": list(range(len(topics))), "ticktext": list(topics), "range": [-0.5, len(topics) - 0.5]}
    y_axis = {"title": {"text": "score on the topic"}, "range": [-0.05, 1.05]}
    return chart(traces, 330, x_axis, y_axis, clickmode="event+select")


def _targets(scores: Floats, chosen: int) -> Trace:
    """Faint points that show where a click moves the dots of a system."""
    goals = [_goal(scores, chosen, t, stop, t) for t in range(len(scores)) for stop in STOPS]
    return scatter(
        x=[goal["x"] for goal in goals],
        y=[goal["y"] for goal in goals],
        mode="markers",
        showlegend=False,
        marker={"size": 9, "color": PALETTE[chosen], "opacity": 0.14, "symbol": "line-ew-open"},
        customdata=[goal["given"] for goal in goals],
        hovertemplate="%{y:.2f}<extra></extra>",
        selected={"marker": {"opacity": 0.14}},
        unselected={"marker": {"opacity": 0.14}},
    )


def _goal(scores: Floats, s: int, t: int, stop: float, x: float) -> dict[str, Any]:
    """A place for the dot of a system on a topic, and the rows of scores that this means."""
    row = [*scores[:t, s], stop, *scores[t + 1 :, s]]
    given = [",".join(f"{score:g}" for score in row) if n == s else None for n in range(scores.shape[1])]
    return {"x": round(x, 3), "y": float(stop), "given": given}


def tau_lines(shares: Floats, curves: Mapping[str, Floats], now: float) -> go.Figure:
    """Mean τ between halves of the topics, one line per mean, over the share of hard topics."""
    lines = [
        scatter(
            x=shares,
            y=np.round(curve, 4),
            mode="lines+markers",
            name=plotly_escape(name),
            hovertemplate="%{y:.3f}",
            line={"color": PALETTE[n], "dash": DASHES[n], "width": 2.4},
            marker={"symbol": MARKERS[n], "size": 8},
        )
        for n, (name, curve) in enumerate(curves.items())
    ]
    ends = np.concatenate(list(curves.values()))
    x = {"title": {"text": "share of topics with scores near zero"}, "tickformat": ".0%", "range": [-0.03, 0.93]}
    y = {"title": {"text": "mean τ between halves"}, "range": [float(ends.min()) - 0.03, float(ends.max()) + 0.03]}
    return chart(lines, 340, x, y, [line_at(x=now)])
