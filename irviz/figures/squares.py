"""Small squares of numbers that are written into their cells: who beats whom, τ between a few rankings.

For matrices too large to write out see the heatmaps of their own files.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import named_ticks
from irviz.figures.text import plotly_escape
from irviz.figures.theme import DIVERGING, figure

Floats = NDArray[np.float64]
WON, LOST, OPEN, ITSELF = "▲", "▽", "·", ""
_WRITTEN = 24  # sides up to here have their numbers in the cells


def coefficients(
    names: Sequence[str], values: Floats, unit: str, low: Floats | None = None, high: Floats | None = None
) -> go.Figure:
    """Coefficients between all `names`, coloured from −1 to 1 and written into the cells.

    Parameters
    ----------
    names : of rows and columns
    values : names × names, in [−1, 1]; NaN where undefined, drawn as a dash on no colour
    unit : what a number is, such as Kendall's τ
    low, high : names × names, optional; interval for the hover text
    """
    words = [[_cell(value, i == j) for j, value in enumerate(row)] for i, row in enumerate(values)]
    between = [[_between(low, high, i, j) for j in range(len(names))] for i in range(len(names))]
    trace = go.Heatmap(
        z=np.round(values, 3), zmin=-1, zmax=1, colorscale=DIVERGING, showscale=False, text=words, customdata=between,
        texttemplate="%{text}" if len(names) <= _WRITTEN else "", textfont={"size": 11}, xgap=1, ygap=1,
        x=_places(names), y=_places(names),
        hovertemplate=f"%{{y}} and %{{x}}<br>{plotly_escape(unit)} %{{z:.3f}}%{{customdata}}<extra></extra>",
    )  # fmt: skip
    return _square(trace, names)


def beats(names: Sequence[str], means: Floats, p_values: Floats, alpha: float) -> go.Figure:
    """Which row has a significantly higher mean than which column: ▲ it has, ▽ it has a lower one, · not separated."""
    apart = np.nan_to_num(p_values, nan=1.0) < alpha
    won = np.where(apart, np.sign(means[:, None] - means[None, :]), 0.0)
    signs = np.full(won.shape, OPEN, dtype=object)
    signs[won > 0], signs[won < 0] = WON, LOST
    np.fill_diagonal(signs, ITSELF)
    shown = won.copy()
    np.fill_diagonal(shown, np.nan)
    trace = go.Heatmap(
        z=0.55 * shown, zmin=-1, zmax=1, colorscale=DIVERGING, showscale=False, text=signs, texttemplate="%{text}",
        xgap=1, ygap=1, x=_places(names), y=_places(names), customdata=np.round(p_values, 4), hoverongaps=False,
        hovertemplate="%{y} against %{x}<br>p = %{customdata:.4f}<extra></extra>",
    )  # fmt: skip
    return _square(trace, names)


def _square(trace: go.Heatmap, names: Sequence[str]) -> go.Figure:
    side = len(names)
    drawn = figure([trace], int(min(900, max(230, 100 + 34 * side))))
    drawn.update_xaxes(tickangle=-45 if side > 3 else 0, showgrid=False, **named_ticks(names, 40, 20))
    drawn.update_yaxes(range=[side - 0.5, -0.5], showgrid=False, **named_ticks(names, 40, 20))
    return drawn


def _places(names: Sequence[str]) -> list[str]:
    return [plotly_escape(name) for name in names]


def _cell(value: float, itself: bool) -> str:
    if itself:
        return "" if np.isfinite(value) else "–"
    return "–" if not np.isfinite(value) else f"{value:.2f}".replace("0.", ".", 1).replace("-", "−")


def _between(low: Floats | None, high: Floats | None, i: int, j: int) -> str:
    if low is None or high is None or i == j or not np.isfinite(low[i, j]):
        return ""
    return f" [{low[i, j]:.3f}, {high[i, j]:.3f}]"
