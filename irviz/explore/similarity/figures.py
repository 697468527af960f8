"""Correlations between measures as a square of colours, fixed to −1 … 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import named_ticks
from irviz.figures.text import plotly_escape
from irviz.figures.theme import DIVERGING, figure

MOST_NUMBERS = 12  #: more measures than this, and the cells have no room for a number


def similarity_heatmap(
    measures: Sequence[str],
    values: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    coefficient: str,
    chosen: tuple[int, int] | None = None,
) -> go.Figure:
    """The square `values`, with its interval on hovering; the `chosen` cell is framed.

    A click on a cell gives the two measures as the point's ``customdata``: invisible
    markers carry them, for cells of a heatmap cannot be picked.
    """
    names = [plotly_escape(name) for name in measures]
    n = len(names)
    size = int(min(640, max(380, 130 + 38 * n)))
    cells = go.Heatmap(
        z=np.round(values.astype(np.float32), 3),
        x=names,
        y=names,
        zmin=-1,
        zmax=1,
        colorscale=[list(c) for c in DIVERGING],
        texttemplate="%{z:.2f}" if n <= MOST_NUMBERS else None,
        textfont={"size": 12 if n <= 8 else 10},
        xgap=1,
        ygap=1,
        hoverinfo="skip",
        hoverongaps=False,
        colorbar={
            "title": {"text": plotly_escape(coefficient), "side": "right"},
            "thickness": 12,
            "outlinewidth": 0,
            "tickvals": [-1, -0.5, 0, 0.5, 1],
        },
    )
    rows, columns = (axis.ravel().tolist() for axis in np.indices(values.shape))
    picks = go.Scatter(
        x=[names[i] for i in columns],
        y=[names[i] for i in rows],
        mode="markers",
        opacity=0,
        showlegend=False,
        marker={"symbol": "square", "size": max(6, (size - 150) // n), "color": "#000000"},
        customdata=[
            [measures[i], measures[j], plotly_escape(measures[i]), plotly_escape(measures[j]), words(v, a, b)]
            for i, j, v, a, b in zip(rows, columns, values.ravel(), low.ravel(), high.ravel(), strict=True)
        ],
        hovertemplate="%{customdata[2]}<br>and %{customdata[3]}<br>%{customdata[4]}<extra></extra>",
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
    )
    drawn = figure([cells, picks], size, hovermode="closest", dragmode=False)
    short = 15 if n > 8 else 20
    drawn.update_xaxes(tickangle=-40, range=[-0.5, n - 0.5], showgrid=False, **named_ticks(measures, 60, short))
    drawn.update_yaxes(range=[n - 0.5, -0.5], showgrid=False, **named_ticks(measures, 60, short))
    if chosen is not None:
        i, j = chosen
        frame = {"type": "rect", "x0": j - 0.5, "x1": j + 0.5, "y0": i - 0.5, "y1": i + 0.5}
        for width, colour in ((6, "#FFFFFF"), (3, "#1B1F24")):  # to be seen on dark cells and pages and on pale ones
            drawn.add_shape(**frame, line={"width": width, "color": colour})
    return drawn


def words(value: float, low: float, high: float) -> str:
    """A coefficient with its interval, for the hover text."""
    if not np.isfinite(value):
        return "not defined: one of them ties all systems"
    return f"{value:.3f}" + (f" [{low:.3f}, {high:.3f}]" if np.isfinite(low) and np.isfinite(high) else "")
