"""The figures of several judges: which grades two judges give, and τ as judgments are replaced."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import named_ticks
from irviz.figures.direct import line_style
from irviz.figures.text import plotly_escape
from irviz.figures.theme import BLUE, GREY, bar, figure, heatmap, row_height, scatter

Floats = NDArray[np.float64]


def confusion_square(
    rows: Sequence[str], columns: Sequence[str], counts: NDArray[np.int64], names: tuple[str, str]
) -> go.Figure:
    """Documents by the grade of the first judge (down) and of the second (across); shade is the share of a row."""
    totals = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    cells = heatmap(
        z=np.round((counts / totals).astype(np.float32), 3),
        x=list(columns),
        y=list(rows),
        zmin=0,
        zmax=1,
        colorscale=[[0, "#F7F5F1"], [0.5, "#B0D6EE"], [1, "#005A94"]],
        text=[[f"{count:,}" for count in row] for row in counts.tolist()],
        texttemplate="%{text}",
        xgap=2,
        ygap=2,
        colorbar={"title": {"text": "share of the row", "side": "right"}, "thickness": 12, "outlinewidth": 0},
        hovertemplate="grade %{y}, then %{x}: %{text} documents<extra></extra>",
    )
    drawn = figure([cells], int(max(260, 110 + 48 * len(rows))), dragmode=False)
    drawn.update_xaxes(
        title_text=f"grade by {plotly_escape(names[1])}", side="top", showgrid=False, **named_ticks(columns, 30)
    )
    drawn.update_yaxes(
        title_text=f"grade by {plotly_escape(names[0])}", autorange="reversed", showgrid=False, **named_ticks(rows, 30)
    )
    return drawn


def tau_bars(measures: Sequence[str], tau: Floats) -> go.Figure:
    """Kendall's τ between two judges' rankings, one bar per measure; nothing where it is undefined."""
    bars = bar(
        x=[None if not np.isfinite(value) else round(float(value), 4) for value in tau],
        y=[plotly_escape(name) for name in measures],
        orientation="h",
        marker={"color": BLUE},
        text=["undefined" if not np.isfinite(value) else f"{value:.3f}".replace("-", "−") for value in tau],
        textposition="auto",
        hovertemplate="%{y}: τ %{x:.4f}<extra></extra>",
    )
    drawn = figure([bars], row_height(len(measures), 240, 30), dragmode=False)
    drawn.update_xaxes(title_text="Kendall's τ", range=[min(0.0, float(np.nanmin(np.append(tau, 0)))) - 0.02, 1.02])
    drawn.update_yaxes(autorange="reversed", showgrid=False, **named_ticks(measures, 60, 22))
    return drawn


def replacing_lines(
    measures: Sequence[str], shares: Sequence[float], tau: Floats, low: Floats, high: Floats
) -> go.Figure:
    """τ with the first judge alone against the share of judgments replaced; the whisker spans the repeats.

    Parameters
    ----------
    tau, low, high : measures × shares; NaN where undefined
    """
    traces = []
    for i, name in enumerate(measures):
        traces.append(
            scatter(
                x=list(shares),
                y=[None if not np.isfinite(value) else round(float(value), 4) for value in tau[i]],
                mode="lines+markers",
                name=plotly_escape(name),
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": np.round(np.nan_to_num(high[i] - tau[i]), 4).tolist(),
                    "arrayminus": np.round(np.nan_to_num(tau[i] - low[i]), 4).tolist(),
                    "thickness": 1,
                    "width": 3,
                },
                hovertemplate="%{x:.0%} replaced: τ %{y:.3f}<extra>" + plotly_escape(name) + "</extra>",
                **line_style(i),
            )
        )
    drawn = figure(traces, 400, hovermode="closest")
    drawn.add_hline(y=0.9, line={"color": GREY, "width": 1, "dash": "dot"})
    drawn.update_xaxes(title_text="share of the judgments replaced", tickformat=".0%", range=[-0.03, 1.03])
    floor = float(np.nanmin(np.append(low, 0.88)))
    drawn.update_yaxes(title_text="Kendall's τ with the first judge alone", range=[max(-1.05, floor - 0.04), 1.02])
    return drawn
