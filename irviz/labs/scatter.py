"""Every system by two measures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import padded_range
from irviz.figures.text import plotly_escape
from irviz.figures.theme import BLUE, figure, scatter


def system_scatter(
    systems: Sequence[str], across: NDArray[np.float64], up: NDArray[np.float64], axes: Sequence[str]
) -> go.Figure:
    """One dot per system; `axes` names what the two directions mean."""
    trace = scatter(
        x=np.round(across, 5),
        y=np.round(up, 5),
        mode="markers",
        marker={"color": BLUE, "size": 8, "opacity": 0.8},
        customdata=[[plotly_escape(name)] for name in systems],
        hovertemplate="%{customdata[0]}<br>%{x:.4f}, %{y:.4f}<extra></extra>",
        showlegend=False,
    )
    drawn = figure([trace], 380, hovermode="closest")
    drawn.update_xaxes(title_text=plotly_escape(f"mean {axes[0]}"), range=padded_range(across))
    drawn.update_yaxes(title_text=plotly_escape(f"mean {axes[1]}"), range=padded_range(up))
    return drawn
