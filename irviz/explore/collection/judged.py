"""How much of what a system shows near the top was judged at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.text import plotly_escape, ticks
from irviz.figures.theme import MARKERS, PALETTE, figure, row_height


def judged_share(systems: Sequence[str], shares: NDArray[np.float64], cutoffs: Sequence[int]) -> go.Figure:
    """A row a system, a marker a cutoff.

    Parameters
    ----------
    systems : names, the best judged first
    shares : systems × cutoffs, in [0, 1]
    cutoffs : ranks
    """
    rows = np.arange(len(systems))
    names = [[plotly_escape(name)] for name in systems]
    traces = [
        go.Scatter(
            x=np.round(shares[:, i], 4), y=rows, mode="markers", name=f"first {k}", customdata=names,
            marker={"symbol": MARKERS[i], "size": 7, "color": PALETTE[i]},
            hovertemplate=f"%{{customdata[0]}}<br>%{{x:.1%}} of its first {k}<extra></extra>",
        )
        for i, k in enumerate(cutoffs)
    ]  # fmt: skip
    height = row_height(len(systems))
    drawn = figure(traces, height, hovermode="closest")
    drawn.update_xaxes(
        title_text="share of the ranks that hold a judged document", range=[-0.02, 1.02], tickformat=".0%"
    )
    drawn.update_yaxes(
        range=[len(systems) - 0.4, -0.6], **ticks(systems, (height - 60) // 15), showgrid=False, zeroline=False
    )
    return drawn
