"""The scores as dots that a click moves, and two means on topics of which ever more are hard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.text import plotly_escape
from irviz.figures.theme import DASHES, MARKERS, PALETTE
from irviz.labs.layout import chart, line_at

Floats = NDArray[np.float64]
STOPS = np.round(np.linspace(0, 1, 21), 2)  #: the scores that a click can give


def score_dots(scores: Floats, systems: Sequence[str], topics: Sequence[str], chosen: int | None = None) -> go.Figure:
    """A column a topic, a dot a system; where one is chosen, faint points say where a click moves its dot.

    Parameters
    ----------
    scores : topics × systems
    chosen : position of the system whose dots move
    """
    traces = []
    if chosen is not None:
        row = [float(score) for score in scores[:, chosen]]
        places = [(t, float(stop)) for t in range(len(topics)) for stop in STOPS]
        traces.append(
            go.Scatter(
                x=[t for t, _ in places],
                y=[stop for _, stop in places],
                mode="markers",
                showlegend=False,
                marker={"size": 9, "color": PALETTE[chosen], "opacity": 0.14, "symbol": "line-ew-open"},
                customdata=[[",".join(f"{x:g}" for x in [*row[:t], stop, *row[t + 1 :]])] for t, stop in places],
                hovertemplate="%{y:.2f}<extra></extra>",
                selected={"marker": {"opacity": 0.14}},
                unselected={"marker": {"opacity": 0.14}},
            )
        )
    aside = (np.arange(len(systems)) - (len(systems) - 1) / 2) * 0.09
    for s, name in enumerate(systems):
        traces.append(
            go.Scatter(
                x=np.arange(len(topics)) + aside[s],
                y=np.round(scores[:, s], 4),
                mode="markers",
                name=plotly_escape(name),
                hovertemplate="%{y:.3f}<extra>%{fullData.name}</extra>",
                marker={"symbol": MARKERS[s], "size": 12 if s == chosen else 10, "color": PALETTE[s]},
            )
        )
    x = {"tickvals": list(range(len(topics))), "ticktext": list(topics), "range": [-0.5, len(topics) - 0.5]}
    y = {"title": {"text": "score on the topic"}, "range": [-0.05, 1.05]}
    return chart(traces, 330, x, y, clickmode="event+select")


def repeated(shares: Floats, curves: Mapping[str, Floats], now: float) -> go.Figure:
    """Mean τ between halves of the topics, a line a mean, over the share of topics that are hard."""
    lines = [
        go.Scatter(
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
