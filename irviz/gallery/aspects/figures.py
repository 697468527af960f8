"""How near to 1 the ideal rankings of each topic come: a box a topic and measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import ticks
from irviz.figures.text import plotly_escape
from irviz.figures.theme import BLUE, VERMILION, figure

Floats = NDArray[np.float64]


def ideal_boxes(topics: Sequence[str], scores: Floats, name: str) -> go.Figure:
    """Quartiles and extremes over the ideal rankings, topic by topic (Maistro et al. 2021, Figure 2).

    Parameters
    ----------
    topics : names, left to right
    scores : topics × ideal rankings
    name : of the measure, title of the axis
    """
    low, q1, median, q3, high = np.round(np.quantile(scores, [0, 0.25, 0.5, 0.75, 1], axis=1), 4)
    places = np.arange(len(topics))
    box = go.Box(
        x=places, q1=q1, median=median, q3=q3, lowerfence=low, upperfence=high, width=0.6, hoverinfo="skip",
        line={"color": BLUE, "width": 1.2}, fillcolor="rgba(0,114,178,0.18)", name="ideal rankings",
    )  # fmt: skip
    best = go.Scatter(
        x=places, y=high, mode="markers", name="the best of them",
        marker={"color": VERMILION, "symbol": "diamond", "size": 6},
        customdata=[[plotly_escape(topic), a, b] for topic, a, b in zip(topics, low, median, strict=True)],
        hovertemplate="topic %{customdata[0]}<br>best %{y:.4f}, median %{customdata[2]:.4f}, lowest "
                      "%{customdata[1]:.4f}"
        "<extra></extra>",
    )  # fmt: skip
    drawn = figure([box, best], 360, hovermode="closest")
    drawn.add_hline(y=1.0, line={"color": BLUE, "width": 1, "dash": "dot"})
    drawn.update_xaxes(title_text="topic", range=[-0.6, len(topics) - 0.4], tickangle=-90, **ticks(topics, 50, 10))
    drawn.update_yaxes(title_text=plotly_escape(name), range=[max(-0.02, float(low.min()) - 0.05), 1.03])
    return drawn
