"""The gain of a change against the room for improvement: one point per measure and collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.direct import PLOT, line_style, sides_of
from irviz.figures.text import labels, plotly_escape
from irviz.figures.theme import GREY, figure, scatter

Floats = NDArray[np.float64]


def gain_scatter(
    names: Sequence[str], share: Mapping[str, Floats], gain: Mapping[str, Floats], axes: tuple[str, str]
) -> go.Figure:
    """Points named beside them; one marker per collection, a line at no gain (Ravana & Moffat 2009, Figures 9 and 10).

    Parameters
    ----------
    names : of the measures
    share, gain : by collection, one number per measure; across and up
    axes : titles of the two axes
    """
    every = np.concatenate(list(gain.values()))
    low, high = min(0.0, float(np.nanmin(every))), max(0.0, float(np.nanmax(every)))
    end = 10 * max(1.0, np.ceil(10 * max(np.nanmax(shares) for shares in share.values())))
    room = 0.15 * (high - low) + 0.005
    across, up = [-0.04 * end, 1.04 * end], [low - room, high + room]
    x, y = 100 * np.concatenate(list(share.values())), every
    ends = zip((x, y), (across, up), PLOT, strict=True)
    pixels = np.stack([(values - start) / (stop - start) * size for values, (start, stop), size in ends], axis=1)
    sides = np.array(sides_of(pixels, list(names) * len(share)), dtype=object).reshape(len(share), len(names))
    traces = [
        scatter(
            x=np.round(100 * share[collection], 2),
            y=np.round(gain[collection], 4),
            mode="markers+text",
            name=labels([collection])[0],
            marker={**line_style(i)["marker"], "size": 10},
            text=labels(names),
            textposition=sides[i].tolist(),
            textfont={"size": 11},
            hovertemplate="%{text}: %{x:.1f}% low, %{y:.4f}<extra>%{fullData.name}</extra>",
        )
        for i, collection in enumerate(share)
    ]
    drawn = figure(traces, 430, hovermode="closest")
    drawn.add_hline(y=0, line={"color": GREY, "width": 1, "dash": "dot"})
    drawn.update_xaxes(title_text=plotly_escape(axes[0]), range=across)
    drawn.update_yaxes(title_text=plotly_escape(axes[1]), range=up)
    return drawn
