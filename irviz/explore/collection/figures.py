"""How much of every list was judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import stand_out, ticks
from irviz.figures.text import plotly_escape
from irviz.figures.theme import MARKERS, PALETTE, figure, full_height, scatter


def judged_share(
    systems: Sequence[str], shares: NDArray[np.float64], cutoffs: Sequence[int], marked: Sequence[int] = ()
) -> go.Figure:
    """One row per system, one marker per cutoff.

    Parameters
    ----------
    systems : names, the best judged first
    shares : systems × cutoffs, in [0, 1]
    cutoffs : ranks
    marked : positions of the systems that stand out
    """
    rows = np.arange(len(systems))
    names = [[plotly_escape(name)] for name in systems]
    traces = [
        scatter(
            x=np.round(shares[:, i], 4),
            y=rows,
            mode="markers",
            name=f"first {k:,}",
            customdata=names,
            marker={"symbol": MARKERS[i], "size": 7, "color": PALETTE[i]},
            hovertemplate=f"%{{customdata[0]}}<br>%{{x:.1%}} of its first {k:,}<extra></extra>",
        )
        for i, k in enumerate(cutoffs)
    ]
    height = full_height(len(systems))
    drawn = figure(traces, height, hovermode="closest")
    drawn.update_xaxes(title_text="share of ranks judged", range=[-0.02, 1.02], tickformat=".0%")
    drawn.update_yaxes(
        range=[len(systems) - 0.4, -0.6], **ticks(systems, (height - 60) // 15), showgrid=False, zeroline=False
    )
    stand_out(drawn, systems, marked)
    return drawn
