"""The scores of one measure: as colours, systems down and topics across, or their spread over the topics.

Of a spread, only quantiles and curves are sent, never the raw scores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import fitting_ticks, named_ticks, padded_range, stand_out, ticks
from irviz.figures.densities import CURVE_POINTS, cut_peaks
from irviz.figures.slope import other_systems
from irviz.figures.text import labels, plotly_escape
from irviz.figures.theme import (
    DASHES,
    PALETTE,
    SEQUENTIAL,
    VERMILION,
    Trace,
    figure,
    full_height,
    heatmap,
    quantile_boxes,
    scatter,
)
from irviz.summary.density import smoothed

Floats = NDArray[np.float64]
Curve = Callable[[int], tuple[Floats, Floats]]


def topic_heatmap(
    topics: Sequence[str],
    systems: Sequence[str],
    values: Floats,
    unit: str,
    ends: tuple[float, float],
    marked: Sequence[int] = (),
) -> go.Figure:
    """The matrix as colours.

    Parameters
    ----------
    topics, systems : names in the order they are drawn, left to right and top to bottom
    values : topics × systems
    unit : what a colour means
    ends : scores at the two ends of the colours
    marked : positions of the systems that stand out
    """
    trace = heatmap(
        z=_short(values.T),
        x=[plotly_escape(name) for name in topics],
        y=[plotly_escape(name) for name in systems],
        zmin=ends[0],
        zmax=ends[1],
        colorscale=SEQUENTIAL,
        colorbar={"title": {"text": plotly_escape(unit), "side": "right"}, "thickness": 12, "outlinewidth": 0},
        hovertemplate="system %{y}<br>topic %{x}<br>score %{z:.4f}<extra></extra>",
    )
    drawn = figure([trace], full_height(len(systems)))
    drawn.update_xaxes(
        title_text="topics, easiest first",
        tickangle=-90,
        range=[-0.5, len(topics) - 0.5],
        **fitting_ticks(topics, 60, 14),
    )
    drawn.update_yaxes(range=[len(systems) - 0.5, -0.5], **named_ticks(systems, len(systems)))
    stand_out(drawn, systems, marked)
    return drawn


def _short(values: Floats) -> NDArray[np.floating]:
    """Numbers as a browser needs them; as they are, where a short form cannot hold them."""
    return values if np.abs(values).max(initial=0.0) > 1e30 else np.round(values.astype(np.float32), 4)


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
    quantiles = np.round(np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95], axis=0), 4)
    boxes = quantile_boxes(quantiles, name="5, 25, 50, 75, 95% of the topics")
    mean = np.round(values.mean(axis=0), 4)
    means = scatter(
        x=mean,
        y=rows,
        mode="markers",
        name="mean",
        marker={"symbol": "diamond", "size": 6, "color": VERMILION},
        customdata=[[plotly_escape(name), *five] for name, *five in zip(systems, *quantiles, strict=True)],
        hovertemplate="%{customdata[0]}<br>mean %{x:.4f}, median %{customdata[3]:.4f}<br>half of the topics: "
        "%{customdata[2]:.4f} to %{customdata[4]:.4f}<extra></extra>",
    )
    height = full_height(len(systems))
    drawn = figure([boxes, means], height, hovermode="closest")
    drawn.update_xaxes(title_text=plotly_escape(axis), range=padded_range(np.append(quantiles, mean)))
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
    grid = np.linspace(low, high, CURVE_POINTS)
    smooth = np.stack([smoothed(values[:, s], grid) for s in range(values.shape[1])])

    def curve(system: int) -> tuple[Floats, Floats]:
        return np.round(grid, 4), np.round(smooth[system], 3)

    drawn = figure(_curves(systems, marked, curve, "linear"), 460, hovermode="closest")
    drawn.update_xaxes(title_text=plotly_escape(axis), range=padded_range(np.array([low, high]), 0.02))
    cut_peaks(drawn, smooth.max(axis=1), "density of topics")
    return drawn


def _curves(systems: Sequence[str], marked: Sequence[int], curve: Curve, shape: str) -> list[Trace]:
    """One grey trace for all systems together, and one of its own for every marked system."""
    others = [i for i in range(len(systems)) if i not in set(marked)]
    traces = other_systems(map(curve, others), {"width": 0.6, "shape": shape})
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
