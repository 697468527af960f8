"""Recomputed curves with the printed ones behind them, over one choice of parameters after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.direct import line_style
from irviz.figures.text import labels, plotly_escape
from irviz.figures.theme import figure

Floats = NDArray[np.float64]
PRINTED_DASHES = ("dot", "dash", "dashdot")


def lines_behind(
    places: Sequence[str], here: Mapping[str, Floats], printed: Mapping[tuple[str, str], Floats], axes: tuple[str, str]
) -> go.Figure:
    """Solid lines with markers for recomputed numbers, thin broken ones for printed ones.

    Parameters
    ----------
    places : names along the horizontal axis
    here : by name of the curve, a number a place
    printed : by name of the curve and of the paper's collection
    axes : titles of the horizontal and the vertical axis
    """
    order = list(here)
    collections = list(dict.fromkeys(collection for _, collection in printed))
    traces = [
        go.Scatter(
            x=list(places), y=values, mode="lines", name=f"{labels([curve])[0]}, {labels([collection])[0]}",
            line={"color": line_style(order.index(curve))["line"]["color"], "width": 1.2,
                  "dash": PRINTED_DASHES[collections.index(collection) % len(PRINTED_DASHES)]},
            hovertemplate="%{x}: %{y}<extra>%{fullData.name}</extra>",
        )
        for (curve, collection), values in printed.items()
    ]  # fmt: skip
    for i, (curve, values) in enumerate(here.items()):
        style = line_style(i)
        line = {**style["line"], "dash": "solid"}
        traces.append(
            go.Scatter(
                x=list(places), y=np.round(values, 4), mode="lines+markers", name=f"{labels([curve])[0]}, "
                                                                                  "here", line=line,
                marker=style["marker"], hovertemplate="%{x}: %{y:.3f}<extra>%{fullData.name}</extra>",
            )
        )  # fmt: skip
    drawn = figure(traces, 430, hovermode="closest")
    every = np.concatenate([*here.values(), *printed.values()])
    low = float(np.nanmin(every)) if np.isfinite(every).any() else 0.0
    drawn.update_xaxes(title_text=plotly_escape(axes[0]), type="category", tickangle=-60)
    drawn.update_layout(legend={"font": {"size": 11}})
    drawn.update_yaxes(title_text=plotly_escape(axes[1]), range=[min(0.0, low - 0.05), 1.04])
    return drawn
