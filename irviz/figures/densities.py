"""Smoothed densities: over one another, or one per row.

Rows show how a statistic spreads over repeated draws, measure by measure. They are named at the side and their means
written beside them, so that thirty measures read as well as three, and without colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import counted
from irviz.figures.axes import ticks
from irviz.figures.direct import line_style
from irviz.figures.text import labels, plotly_escape
from irviz.figures.theme import BLUE, VERMILION, Trace, figure, row_height, scatter
from irviz.summary.density import smoothed

Floats = NDArray[np.float64]
CURVE_POINTS, _ROW_POINTS = 161, 121  #: of a density, alone and in a row of its own


def ridges(
    names: Sequence[str],
    samples: Sequence[Floats],
    beside: Sequence[str],
    axis: str,
    highest: float = 1.0,
    limits: tuple[Floats, Floats] | None = None,
) -> go.Figure:
    """One row per name, top to bottom: the density of its sample, a tick at its mean, and a few words beside it.

    Parameters
    ----------
    names : of the rows
    samples : numbers of each row; undefined ones (NaN) are left out, and one number alone is a tick
    beside : the text to the right of each row
    axis : title of the axis of the numbers
    highest : largest number possible, where densities end
    limits : low and high ends of an interval by row, drawn as a bar; NaN where there is none
    """
    known = [sample[np.isfinite(sample)] for sample in samples]
    bars = [] if limits is None else [_bars(*limits)]
    ends = [] if limits is None else [limit[np.isfinite(limit)] for limit in limits]
    low, high = _ends([*known, *ends], highest)
    grid = np.linspace(low, high, _ROW_POINTS)
    height = row_height(len(names), least=260, each=36 if len(names) <= 14 else 24)
    drawn = figure([*_hills(known, grid), *bars, _means(names, known)], height, hovermode="closest", showlegend=False)
    drawn.update_layout(
        margin={"r": int(16 + 6.4 * max(map(len, beside), default=0))},
        annotations=[_beside(row, words) for row, words in enumerate(beside)],
    )
    drawn.update_xaxes(title_text=plotly_escape(axis), range=[low, high])
    drawn.update_yaxes(range=[len(names) - 0.7, -1.05], **ticks(names, len(names)), showgrid=True)
    return drawn


def _beside(row: int, words: str) -> dict[str, Any]:
    """A few words right of a row."""
    return {
        "x": 1,
        "xref": "paper",
        "xanchor": "left",
        "xshift": 8,
        "y": row - 0.2,
        "yref": "y",
        "text": plotly_escape(words),
        "showarrow": False,
        "font": {"size": 12},
    }


def _ends(samples: Sequence[Floats], highest: float) -> tuple[float, float]:
    """The axis: all numbers with a little room, but not past the largest possible."""
    every = np.concatenate([*samples, np.empty(0)])
    if not every.size:
        return -highest, highest
    low, high = float(every.min()), float(every.max())
    room = 0.05 * (high - low) or 0.05
    return low - room, min(highest, high + room) if high + room / 5 < highest else highest + room / 5


def _hills(samples: Sequence[Floats], grid: Floats) -> list[Trace]:
    """The densities, all to one scale: the highest just reaches the row above, and what is far higher ends there."""
    curves = {row: smoothed(sample, grid) for row, sample in enumerate(samples) if len(sample) > 2}
    top = readable_top(np.array([curve.max() for curve in curves.values()]))
    return [
        scatter(
            x=np.round(grid, 4),
            y=np.round(row - 0.95 * np.minimum(curve / top, 1.0), 3),
            mode="lines",
            line={"color": BLUE, "width": 1.5},
            hoverinfo="skip",
        )
        for row, curve in curves.items()
    ]


def _bars(low: Floats, high: Floats) -> Trace:
    """A bar for each row, from its low to its high end."""
    x, y = [], []
    for row in np.flatnonzero(np.isfinite(low) & np.isfinite(high)).tolist():
        x += [round(float(low[row]), 4), round(float(high[row]), 4), None]
        y += [row, row, None]
    return scatter(x=x, y=y, mode="lines", line={"color": VERMILION, "width": 2}, hoverinfo="skip")


def _means(names: Sequence[str], samples: Sequence[Floats]) -> Trace:
    rows = [row for row, sample in enumerate(samples) if len(sample)]
    kept = [samples[row] for row in rows]
    limits = [np.quantile(sample, [0.05, 0.95]) for sample in kept]
    return scatter(
        x=[round(float(sample.mean()), 4) for sample in kept],
        y=rows,
        mode="markers",
        marker={"symbol": "diamond", "size": 9, "color": VERMILION},
        customdata=[
            [plotly_escape(names[row]), len(sample), *np.round(ends, 4).tolist()]
            for row, sample, ends in zip(rows, kept, limits, strict=True)
        ],
        hovertemplate="%{customdata[0]}<br>mean %{x:.4f} of %{customdata[1]}<br>nine in ten from %{customdata[2]:.3f} "
        "to %{customdata[3]:.3f}<extra></extra>",
    )


def readable_top(peaks: Floats) -> float:
    """Where the axis of some curves ends: at the highest peak that is at most four times the median one.

    A sample whose numbers are all equal has a peak without bound, which would flatten the other curves.

    >>> readable_top(np.array([2.0, 3.0, 2.5, 90.0])), readable_top(np.array([90.0]))
    (3.0, 90.0)
    """
    peaks = peaks[peaks > 0]
    return float(peaks[peaks <= 4 * np.median(peaks)].max()) if peaks.size else 1.0


def cut_peaks(drawn: go.Figure, peaks: Floats, title: str) -> None:
    """A density axis that fits all curves but the few that are far higher, with a note of how many do not fit."""
    top = readable_top(peaks)
    drawn.update_yaxes(title_text=title, range=[0, round(1.05 * top, 3)])
    if cut := int((peaks > top).sum()):
        drawn.add_annotation(
            x=1,
            y=1,
            xref="paper",
            yref="paper",
            xanchor="right",
            yanchor="top",
            showarrow=False,
            font={"size": 12},
            text=f"{counted(cut, 'curve is', 'curves are')} higher than the figure",
        )


def densities(
    names: Sequence[str],
    samples: Sequence[Floats],
    axis: str,
    low: float,
    high: float,
    smooth: Callable[[Floats, Floats], Floats] = smoothed,
) -> go.Figure:
    """Smoothed density of each sample on [low, high], reflected at the ends.

    Parameters
    ----------
    names : of the samples, for the legend
    samples : finite numbers in [low, high]
    axis : what a number is
    smooth : :func:`~irviz.summary.density.smoothed`, or a memory of it
    """
    grid = np.linspace(low, high, CURVE_POINTS)
    curves = [smooth(np.asarray(sample).ravel(), grid) for sample in samples]
    traces = [
        scatter(
            x=np.round(grid, 4),
            y=np.round(curve, 3),
            mode="lines",
            line=line_style(i)["line"],
            name=text,
            hovertemplate="%{x:.2f}: %{y:.2f}<extra>%{fullData.name}</extra>",
        )
        for i, (curve, text) in enumerate(zip(curves, labels(names, 40), strict=True))
    ]
    drawn = figure(traces, 300, hovermode="closest", legend={"itemwidth": 40})
    drawn.update_xaxes(title_text=plotly_escape(axis), range=[low, high])
    cut_peaks(drawn, np.array([curve.max() for curve in curves]), "density of scores")
    return drawn
