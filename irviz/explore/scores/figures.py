"""Every score of one measure at a glance: topics down, systems across."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import fitting_ticks, named_ticks
from irviz.figures.text import plotly_escape
from irviz.figures.theme import SEQUENTIAL, figure, row_height


def topic_heatmap(
    topics: Sequence[str], systems: Sequence[str], values: NDArray[np.float64], unit: str, ends: tuple[float, float]
) -> go.Figure:
    """The matrix as colours.

    Parameters
    ----------
    topics, systems : names in the order they are drawn, top to bottom and left to right
    values : topics × systems
    unit : what a colour means
    ends : scores at the two ends of the colours
    """
    height = row_height(len(topics), least=360, each=12, most=1000)
    trace = go.Heatmap(
        z=np.round(values.astype(np.float32), 4),
        x=[plotly_escape(name) for name in systems],
        y=[plotly_escape(name) for name in topics],
        zmin=ends[0],
        zmax=ends[1],
        colorscale=SEQUENTIAL,
        colorbar={"title": {"text": plotly_escape(unit), "side": "right"}, "thickness": 12, "outlinewidth": 0},
        hovertemplate="system %{x}<br>topic %{y}<br>score %{z:.4f}<extra></extra>",
    )
    drawn = figure([trace], height)
    drawn.update_xaxes(
        title_text="systems, best first",
        tickangle=-90,
        range=[-0.5, len(systems) - 0.5],
        **fitting_ticks(systems, 64, 24),
    )
    drawn.update_yaxes(
        title_text="topics, easiest first",
        range=[len(topics) - 0.5, -0.5],
        **named_ticks(topics, (height - 120) // 13, 14),
    )
    return drawn
