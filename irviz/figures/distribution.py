"""How the scores of each system spread over the topics: boxes, ECDFs or densities.

Only quantiles and curves are sent, never the raw scores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import counted
from irviz.figures.axes import padded_range, stand_out, ticks
from irviz.figures.direct import line_style
from irviz.figures.text import labels, plotly_escape
from irviz.figures.theme import BLUE, DASHES, GREY, PALETTE, VERMILION, Trace, box, figure, full_height, scatter
from irviz.summary.density import smoothed

Floats = NDArray[np.float64]
Curve = Callable[[int], tuple[Floats, Floats]]
_GRID = 161


def boxes(systems: Sequence[str], values: Floats, axis: str, marked: Sequence[int] = ()) -> go.Figure:
    """One box per system: quartiles, whiskers to the 5th and 95th percentile, a diamond at the mean.

    Parameters
    ----------
    systems : names, best first
    values : topics × systems, in the same order
    axis : title of the score axis
    marked : positions of the systems that stand out
    """
    rows = np.arange(len(systems))
    p5, q1, median, q3, p95 = np.round(np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95], axis=0), 4)
    boxes = box(
        y=rows,
        q1=q1,
        median=median,
        q3=q3,
        lowerfence=p5,
        upperfence=p95,
        orientation="h",
        line={"color": BLUE, "width": 1.3},
        fillcolor="rgba(0,114,178,0.18)",
        width=0.62,
        name="5, 25, 50, 75, 95% of the topics",
        hoverinfo="skip",
    )
    mean = np.round(values.mean(axis=0), 4)
    means = scatter(
        x=mean,
        y=rows,
        mode="markers",
        name="mean",
        marker={"symbol": "diamond", "size": 6, "color": VERMILION},
        customdata=[[plotly_escape(name), *five] for name, *five in zip(systems, p5, q1, median, q3, p95, strict=True)],
        hovertemplate="%{customdata[0]}<br>mean %{x:.4f}, median %{customdata[3]:.4f}<br>half of the topics: "
        "%{customdata[2]:.4f} to %{customdata[4]:.4f}<extra></extra>",
    )
    height = full_height(len(systems))
    drawn = figure([boxes, means], height, hovermode="closest")
    drawn.update_xaxes(title_text=plotly_escape(axis), range=padded_range(np.concatenate([p5, p95, mean])))
    drawn.update_yaxes(
        range=[len(systems) - 0.4, -0.6], **ticks(systems, (height - 60) // 15), showgrid=False, zeroline=False
    )
    stand_out(drawn, systems, marked)
    return drawn


def ecdf(systems: Sequence[str], values: Floats, marked: Sequence[int], axis: str) -> go.Figure:
    """The share of topics on which a system scores at most x; the `marked` systems stand out."""
    topics = len(values)
    ordered = np.sort(values, axis=0).round(4)
    share = np.arange(1, topics + 1) / topics

    def curve(system: int) -> tuple[Floats, Floats]:
        return ordered[:, system], share

    drawn = figure(_curves(systems, marked, curve, "hv"), 460, hovermode="closest")
    drawn.update_xaxes(title_text=plotly_escape(axis), range=padded_range(values))
    drawn.update_yaxes(title_text="share of topics scoring at most this", range=[-0.02, 1.02], tickformat=".0%")
    return drawn


def density(
    systems: Sequence[str], values: Floats, marked: Sequence[int], axis: str, low: float, high: float
) -> go.Figure:
    """Smoothed density of the topics' scores, reflected at the ends [low, high] of the scale."""
    grid = np.linspace(low, high, _GRID)
    smooth = np.stack([smoothed(values[:, s], grid) for s in range(values.shape[1])])

    def curve(system: int) -> tuple[Floats, Floats]:
        return np.round(grid, 4), np.round(smooth[system], 3)

    drawn = figure(_curves(systems, marked, curve, "linear"), 460, hovermode="closest")
    drawn.update_xaxes(title_text=plotly_escape(axis), range=padded_range(np.array([low, high]), 0.02))
    _cut_peaks(drawn, smooth.max(axis=1), "density of topics")
    return drawn


def readable_top(peaks: Floats) -> float:
    """Where the axis of some curves ends: at the highest peak that is at most four times the median one.

    A sample whose numbers are all equal has a peak without bound, which would flatten the other curves.

    >>> readable_top(np.array([2.0, 3.0, 2.5, 90.0])), readable_top(np.array([90.0]))
    (3.0, 90.0)
    """
    peaks = peaks[peaks > 0]
    return float(peaks[peaks <= 4 * np.median(peaks)].max()) if peaks.size else 1.0


def _cut_peaks(drawn: go.Figure, peaks: Floats, title: str) -> None:
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


def _curves(systems: Sequence[str], marked: Sequence[int], curve: Curve, shape: str) -> list[Trace]:
    """One grey trace for all systems together, and one of its own for every marked system."""
    others = [i for i in range(len(systems)) if i not in set(marked)]
    traces = []
    if others:
        x = np.concatenate([np.append(curve(i)[0], np.nan) for i in others])
        y = np.concatenate([np.append(curve(i)[1], np.nan) for i in others])
        traces.append(
            scatter(
                x=x,
                y=y,
                mode="lines",
                line={"color": GREY, "width": 0.6, "shape": shape},
                opacity=0.5,
                name="other systems",
                hoverinfo="skip",
            )
        )
    for n, (i, name) in enumerate(zip(marked, labels([systems[i] for i in marked], 40), strict=True)):
        x, y = curve(i)
        line = {"color": PALETTE[n % len(PALETTE)], "dash": DASHES[n % len(DASHES)], "width": 2.4, "shape": shape}
        traces.append(
            scatter(
                x=x,
                y=y,
                mode="lines",
                line=line,
                name=name,
                hovertemplate="%{x:.4f}: %{y:.2f}<extra>%{fullData.name}</extra>",
            )
        )
    return traces


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
    grid = np.linspace(low, high, _GRID)
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
    _cut_peaks(drawn, np.array([curve.max() for curve in curves]), "density of scores")
    return drawn
