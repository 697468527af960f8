"""Figures of the page on users: satisfaction along a parameter and by score; preferences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import line_at, padded_range, row_names
from irviz.figures.direct import line_style
from irviz.figures.theme import (
    BLUE,
    GREY,
    PATTERNS,
    VERMILION,
    band,
    bar,
    figure,
    plotly_escape,
    row_height,
    scatter,
    whiskers,
)

Floats = NDArray[np.float64]
HEIGHT = 380  #: pixels of a figure beside another one
#: agree, disagree, same_grade and unjudged, as a legend says them, and their colours
_PREFERENCES = {"as the grades": BLUE, "against the grades": VERMILION, "same grade": GREY, "unjudged": "#B9BEC4"}


def spread_of(values: Floats, *more: Floats) -> list[float]:
    """The range of an axis around all numbers, with a little room; it need not have 0.

    >>> spread_of(np.array([0.5, 0.6]), np.array([0.7]))
    [0.488, 0.712]
    """
    known = np.concatenate([one[np.isfinite(one)].ravel() for one in (values, *more)])
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    room = 0.06 * (high - low) or 0.05
    return [round(low - room, 6), round(high + room, 6)]


def parameter_curve(points: Floats, value: Floats, low: Floats, high: Floats, axis: str, unit: str) -> go.Figure:
    """Agreement with users along a parameter, with its interval; a line at the highest."""
    known = np.isfinite(value)
    line = scatter(
        x=points[known],
        y=np.round(value[known], 4),
        mode="lines+markers",
        line={"color": BLUE, "width": 2},
        marker={"color": BLUE, "size": 6},
        customdata=np.round(np.stack([low[known], high[known]], axis=1), 3),
        hovertemplate="%{x}: %{y:.3f} [%{customdata[0]:.3f}, %{customdata[1]:.3f}]<extra></extra>",
        showlegend=False,
    )
    drawn = figure([band(points[known], low[known], high[known]), line], HEIGHT)
    drawn.update_xaxes(title_text=plotly_escape(axis), range=spread_of(points))
    drawn.update_yaxes(title_text=plotly_escape(unit), range=spread_of(low, high))
    if known.any():
        best = float(points[np.nanargmax(value)])
        side, shift = ("right", -5) if best > points.mean() else ("left", 5)
        place = {"x": best, "y": 1, "yref": "y domain", "yanchor": "top", "xanchor": side, "xshift": shift}
        drawn.add_annotation(text=f"highest, at {best:g}", showarrow=False, **place)
        drawn.add_shape(**line_at(x=best))
    return drawn


def by_score(found: pd.DataFrame, names: Sequence[str], places: Sequence[int], scale: tuple[float, float]) -> go.Figure:
    """Mean satisfaction by tenth of the score, a line a measure, with intervals.

    Parameters
    ----------
    found : of :func:`irviz.stats.users.satisfaction_by_score`
    names : of its measures
    places : of these among the measures of the page, which have the same colours everywhere
    scale : the lowest and the highest satisfaction that was said
    """
    traces = []
    for i, name in enumerate(names):
        part = found[(found["measure"] == name) & (found["answers"] > 0)]
        value, low, high = part[["satisfaction", "low", "high"]].to_numpy().T
        style = line_style(places[i])
        traces.append(
            scatter(
                x=part["part"].to_numpy() + 0.12 * (i - (len(names) - 1) / 2),
                y=np.round(value, 4),
                mode="lines+markers",
                name=plotly_escape(name),
                **style,
                error_y=whiskers(value, low, high, thickness=1.2, width=0, color=style["line"]["color"]),
                customdata=[
                    [f"{a:.3f}", f"{b:.3f}", n, f"{lo:.2f}", f"{hi:.2f}"]
                    for a, b, n, lo, hi in part[["from", "to", "answers", "low", "high"]].itertuples(index=False)
                ],
                hovertemplate="scores %{customdata[0]} to %{customdata[1]}: %{y:.2f} [%{customdata[3]}, "
                "%{customdata[4]}]<br>%{customdata[2]} answers<extra>%{fullData.name}</extra>",
            )
        )
    drawn = figure(traces, HEIGHT, margin={"t": 36})
    parts = int(found["part"].max())
    drawn.update_xaxes(title_text="tenth of the measure's range of scores", range=[0.5, parts + 0.5], dtick=1)
    drawn.update_yaxes(title_text="mean satisfaction", range=spread_of(np.array(scale)))
    return drawn


def shares_of(names: Sequence[str], value: Floats, low: Floats, high: Floats, lost: Sequence[int]) -> go.Figure:
    """Share of the preferences between systems that every measure has, with its interval; a line at chance."""
    trace = scatter(
        x=np.round(value, 4),
        y=np.arange(len(names)),
        mode="markers",
        marker={"color": BLUE, "size": 8},
        error_x=whiskers(value, low, high, thickness=1.5, width=0, color=BLUE),
        customdata=[[plotly_escape(name), ties] for name, ties in zip(names, lost, strict=True)],
        hovertemplate="%{customdata[0]}<br>%{x:.3f}, %{customdata[1]} ties<extra></extra>",
        showlegend=False,
    )
    drawn = figure([trace], row_height(len(names), least=180, each=24), shapes=[line_at(x=0.5)])
    drawn.update_xaxes(title_text="share of preferences with the sign of the scores", range=padded_range(high))
    return row_names(drawn, names)


def graded_preferences(names: Sequence[str], counts: NDArray[np.int64]) -> go.Figure:
    """Preferences between documents beside grades: a stacked bar an aspect or a judge.

    Parameters
    ----------
    counts : names × 4; agree, disagree, same grade, unjudged
    """
    traces = [
        bar(
            x=counts[:, i],
            y=np.arange(len(names)),
            orientation="h",
            name=word,
            marker={"color": colour, "pattern": {"shape": PATTERNS[i]}},
            text=[f"{count:,}" if count else "" for count in counts[:, i].tolist()],
            textposition="inside",
            insidetextanchor="middle",
            hovertemplate="%{x:,} " + word + "<extra></extra>",
        )
        for i, (word, colour) in enumerate(_PREFERENCES.items())
    ]
    drawn = figure(traces, row_height(len(names), least=190, each=40), barmode="stack", margin={"t": 48})
    drawn.update_xaxes(title_text="preferences", range=[0, int(counts.sum(axis=1).max(initial=1))])
    return row_names(drawn, names)
