"""How near each topic is to 1: a box over the ideal rankings, the maximum or, if it is not known, its limits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import ticks
from irviz.figures.text import plotly_escape
from irviz.figures.theme import BLUE, VERMILION, Trace, figure, quantile_boxes, scatter

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def ideal_boxes(
    topics: Sequence[str], scores: Floats, found: Floats, limit: Floats, exact: Bools, name: str
) -> go.Figure:
    """Quartiles and extremes over the ideal rankings, topic by topic (Maistro et al. 2021, Figure 2), and maxima.

    Parameters
    ----------
    topics : names, left to right
    scores : topics × ideal rankings
    found, limit : by topic; the highest score found over all orders, and what no order exceeds
    exact : by topic; whether the two are equal, so that the maximum is known
    name : of the measure, title of the axis
    """
    boxes = quantile_boxes(np.quantile(scores, [0, 0.25, 0.5, 0.75, 1], axis=1), upright=True, name="ideal rankings")
    parts = [
        _maxima(topics, found, limit, chosen, words, symbol)
        for chosen, words, symbol in (
            (exact, "maximum over all orders", "diamond"),
            (~exact, "highest found; bar to the proven limit", "diamond-open"),
        )
        if chosen.any()
    ]
    drawn = figure([boxes, *parts], 360, hovermode="closest")
    drawn.add_hline(y=1.0, line={"color": BLUE, "width": 1, "dash": "dot"})
    drawn.update_xaxes(title_text="topic", range=[-0.6, len(topics) - 0.4], tickangle=-90, **ticks(topics, 20, 10))
    drawn.update_yaxes(title_text=plotly_escape(name), range=[max(-0.02, float(scores.min()) - 0.05), 1.03])
    return drawn


def _maxima(topics: Sequence[str], found: Floats, limit: Floats, chosen: Bools, words: str, symbol: str) -> Trace:
    """One marker per chosen topic, with a bar up to the limit."""
    at = np.flatnonzero(chosen).tolist()
    return scatter(
        x=at,
        y=np.round(found[at], 4),
        mode="markers",
        name=words,
        marker={"color": VERMILION, "symbol": symbol, "size": 6},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": np.round(limit[at] - found[at], 4),
            "arrayminus": np.zeros(len(at)),
            "color": VERMILION,
            "thickness": 1,
            "width": 2,
        },
        customdata=[[plotly_escape(topics[i]), round(float(limit[i]), 4)] for i in at],
        hovertemplate="topic %{customdata[0]}<br>found %{y:.4f}, limit %{customdata[1]:.4f}<extra></extra>",
    )
