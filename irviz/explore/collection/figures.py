"""How many documents of each grade were judged, topic by topic."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import fitting_ticks, stand_out, ticks
from irviz.figures.text import plotly_escape
from irviz.figures.theme import MARKERS, PALETTE, PATTERNS, bar, figure, full_height, scatter


def topic_grade_bars(topics: Sequence[str], counts: NDArray[np.integer], grades: Sequence[str]) -> go.Figure:
    """Stacked bars, one per topic.

    Parameters
    ----------
    topics : names
    counts : topics × grades
    grades : words for every column of `counts`, lowest first
    """
    names = [plotly_escape(name) for name in topics]
    traces = [
        bar(
            x=names,
            y=counts[:, g],
            name=plotly_escape(word),
            marker={
                "color": PALETTE[g % len(PALETTE)],
                "line": {"width": 0},
                "pattern": {"shape": PATTERNS[g % len(PATTERNS)], "fillmode": "overlay", "size": 5, "solidity": 0.3},
            },
            hovertemplate="topic %{x}: %{y} documents<extra>%{fullData.name}</extra>",
        )
        for g, word in enumerate(grades)
    ]
    drawn = figure(traces, 380, barmode="stack", bargap=0.15)
    most = int(counts.sum(axis=1).max()) if counts.size else 1
    drawn.update_xaxes(
        title_text="topic", tickangle=-90, range=[-0.6, len(topics) - 0.4], **fitting_ticks(topics, 60, 14)
    )
    drawn.update_yaxes(title_text="judged documents", range=[0, max(1, most) * 1.04])
    return drawn


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
