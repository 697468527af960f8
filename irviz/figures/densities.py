"""A few densities on one axis, told apart by their dashes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.direct import line_style
from irviz.figures.distribution import smoothed
from irviz.figures.text import labels, plotly_escape
from irviz.figures.theme import figure

Floats = NDArray[np.float64]
_GRID = 161


def densities(names: Sequence[str], samples: Sequence[Floats], axis: str, low: float, high: float) -> go.Figure:
    """Smoothed density of each sample on [low, high], reflected at the ends.

    Parameters
    ----------
    names : of the samples, for the legend
    samples : finite numbers in [low, high]
    axis : what a number is
    """
    grid = np.linspace(low, high, _GRID)
    curves = [smoothed(np.asarray(sample).ravel(), grid) for sample in samples]
    traces = [
        go.Scatter(
            x=np.round(grid, 4), y=np.round(curve, 3), mode="lines", line=line_style(i)["line"], name=text,
            hovertemplate="%{x:.2f}: %{y:.2f}<extra>%{fullData.name}</extra>",
        )
        for i, (curve, text) in enumerate(zip(curves, labels(names, 40), strict=True))
    ]  # fmt: skip
    drawn = figure(traces, 300, hovermode="closest", legend={"itemwidth": 40})
    drawn.update_xaxes(title_text=plotly_escape(axis), range=[low, high])
    top = max((float(curve.max()) for curve in curves), default=1.0)
    drawn.update_yaxes(title_text="density of scores", range=[0, round(1.05 * top, 3)])
    return drawn
