"""Systems from best to worst, each with its confidence interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import padded_range, stand_out, ticks
from irviz.figures.text import plotly_escape
from irviz.figures.theme import BLUE, figure, full_height, scatter

Floats = NDArray[np.float64]


def ranking(
    systems: Sequence[str],
    summary: Floats,
    low: Floats,
    high: Floats,
    axis: str,
    ranks: NDArray[np.integer],
    marked: Sequence[int] = (),
) -> go.Figure:
    """One dot per system at its `summary`, a line from `low` to `high`; best on top.

    Parameters
    ----------
    systems : names, best first
    summary, low, high : by system, in the same order; NaN leaves the line out
    axis : str
        Title of the score axis.
    ranks : by system; tied systems share theirs
    marked : positions of the systems that stand out
    """
    rows = np.arange(len(systems))
    known = np.isfinite(low) & np.isfinite(high)
    trace = scatter(
        x=np.round(summary, 5),
        y=rows,
        mode="markers",
        marker={"color": BLUE, "size": 8},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": np.round(np.where(known, high - summary, 0), 5),
            "arrayminus": np.round(np.where(known, summary - low, 0), 5),
            "thickness": 1.5,
            "width": 0,
            "color": BLUE,
        },
        customdata=[
            [plotly_escape(name), int(rank), interval_text(a, b)]
            for name, rank, a, b in zip(systems, ranks, low, high, strict=True)
        ],
        hovertemplate="%{customdata[1]}. %{customdata[0]}<br>%{x:.4f} %{customdata[2]}<extra></extra>",
        showlegend=False,
    )
    height = full_height(len(systems))
    drawn = figure([trace], height)
    ends = np.concatenate([summary, low[known], high[known]])
    drawn.update_xaxes(title_text=plotly_escape(axis), range=padded_range(ends), side="top")
    drawn.update_yaxes(
        range=[len(systems) - 0.4, -0.6], **ticks(systems, (height - 60) // 15), showgrid=False, zeroline=False
    )
    stand_out(drawn, systems, marked)
    return drawn


def interval_text(low: float, high: float) -> str:
    """An interval as hover text; nothing where it is unknown."""
    if not (np.isfinite(low) and np.isfinite(high)):
        return ""
    return f"[{low:.4f}, {high:.4f}]".replace("-", "−")
