"""Every score of one measure at a glance: systems down, topics across."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import fitting_ticks, named_ticks, stand_out
from irviz.figures.text import plotly_escape
from irviz.figures.theme import SEQUENTIAL, figure, full_height, heatmap


def topic_heatmap(
    topics: Sequence[str],
    systems: Sequence[str],
    values: NDArray[np.float64],
    unit: str,
    ends: tuple[float, float],
    marked: Sequence[int] = (),
) -> go.Figure:
    """The matrix as colours.

    Parameters
    ----------
    topics, systems : names in the order they are drawn, left to right and top to bottom
    values : topics × systems
    unit : what a colour means
    ends : scores at the two ends of the colours
    marked : positions of the systems that stand out
    """
    trace = heatmap(
        z=_short(values.T),
        x=[plotly_escape(name) for name in topics],
        y=[plotly_escape(name) for name in systems],
        zmin=ends[0],
        zmax=ends[1],
        colorscale=SEQUENTIAL,
        colorbar={"title": {"text": plotly_escape(unit), "side": "right"}, "thickness": 12, "outlinewidth": 0},
        hovertemplate="system %{y}<br>topic %{x}<br>score %{z:.4f}<extra></extra>",
    )
    drawn = figure([trace], full_height(len(systems)))
    drawn.update_xaxes(
        title_text="topics, easiest first",
        tickangle=-90,
        range=[-0.5, len(topics) - 0.5],
        **fitting_ticks(topics, 60, 14),
    )
    drawn.update_yaxes(range=[len(systems) - 0.5, -0.5], **named_ticks(systems, len(systems)))
    stand_out(drawn, systems, marked)
    return drawn


def _short(values: NDArray[np.float64]) -> NDArray[np.floating]:
    """Numbers as a browser needs them; as they are, where a short form cannot hold them."""
    return values if np.abs(values).max(initial=0.0) > 1e30 else np.round(values.astype(np.float32), 4)
