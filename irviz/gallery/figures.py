"""Recomputed numbers beside the printed ones of several collections, one row per number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import padded_range, ticks
from irviz.figures.direct import line_style
from irviz.figures.theme import (
    BLUE,
    GREEN,
    GREY,
    PALETTE,
    PURPLE,
    VERMILION,
    Trace,
    figure,
    labels,
    plotly_escape,
    row_height,
    scatter,
)

Floats = NDArray[np.float64]
_OPEN = ("diamond-open", "square-open", "triangle-up-open", "circle-open", "cross-open", "x-open", "star-open")
_ENTRY = 20  #: pixels that an entry of the legend is high
COLOURS = (BLUE, GREEN, PURPLE, PALETTE[4], GREY)


def printed_beside(rows: Sequence[str], printed: Mapping[str, Floats], here: Floats, unit: str) -> go.Figure:
    """One filled dot per row at the recomputed number, open signs at the printed ones, joined by a line.

    Parameters
    ----------
    rows : names of the numbers, top to bottom
    printed : by the name of the paper's collection, one number per row; NaN where none is printed
    here : the recomputed numbers
    unit : title of the axis
    """
    every = np.stack([*printed.values(), here])
    places = np.arange(len(rows))
    traces = [_spans(every, places)]
    traces += [_printed(name, values, places, i) for i, (name, values) in enumerate(printed.items())]
    words = [f"{plotly_escape(name)}: %{{x:.4f}}" for name in rows]
    traces.append(
        scatter(
            x=np.round(here, 5),
            y=places,
            mode="markers",
            name="recomputed here",
            cliponaxis=False,
            marker={"color": VERMILION, "size": 9, "symbol": "circle"},
            hovertemplate="%{hovertext}<extra></extra>",
            hovertext=[word.replace("%{x:.4f}", f"{value:.4f}") for word, value in zip(words, here, strict=True)],
        )
    )
    legend = _ENTRY * (len(printed) + 1)  # on a phone every entry takes a line
    height = row_height(len(rows), least=230, each=19) + max(0, legend - 3 * _ENTRY)
    drawn = figure(traces, height, hovermode="closest", legend={"maxheight": legend + _ENTRY})
    low, high = padded_range(every)
    drawn.update_xaxes(title_text=plotly_escape(unit), range=[low, high], side="bottom")
    drawn.update_yaxes(range=[len(rows) - 0.4, -0.6], **ticks(rows, len(rows), 44), showgrid=True)
    return drawn


def _spans(every: Floats, places: NDArray[np.integer]) -> Trace:
    """A line in every row from its lowest number to its highest."""
    ends = [(np.nanmin(column), np.nanmax(column), np.nan) for column in every.T]
    return scatter(
        x=np.round(np.array(ends).ravel(), 5),
        y=np.repeat(places, 3),
        mode="lines",
        hoverinfo="skip",
        showlegend=False,
        line={"color": GREY, "width": 1},
    )


def _printed(name: str, values: Floats, places: NDArray[np.integer], i: int) -> Trace:
    known = np.isfinite(values)
    label = labels([name])[0]
    return scatter(
        x=values[known],
        y=places[known],
        mode="markers",
        cliponaxis=False,
        name=label if len(label) > 16 else f"printed, {label}" if label else "printed",
        marker={"symbol": _OPEN[i % len(_OPEN)], "size": 9, "color": COLOURS[i % len(COLOURS)], "line": {"width": 1.6}},
        hovertemplate=f"{label or 'printed'}: %{{x}}<extra></extra>",
    )


PRINTED_DASHES = ("dot", "dash", "dashdot")


def lines_behind(
    places: Sequence[str], here: Mapping[str, Floats], printed: Mapping[tuple[str, str], Floats], axes: tuple[str, str]
) -> go.Figure:
    """Solid lines with markers for recomputed numbers, thin broken ones for printed ones.

    Parameters
    ----------
    places : names along the horizontal axis
    here : by name of the curve, one number per place
    printed : by name of the curve and of the paper's collection
    axes : titles of the horizontal and the vertical axis
    """
    order = list(here)
    collections = list(dict.fromkeys(collection for _, collection in printed))
    traces = [
        scatter(
            x=list(places),
            y=values,
            mode="lines",
            name=f"{labels([curve])[0]}, {labels([collection])[0]}",
            line={
                "color": line_style(order.index(curve))["line"]["color"],
                "width": 1.2,
                "dash": PRINTED_DASHES[collections.index(collection) % len(PRINTED_DASHES)],
            },
            hovertemplate="%{x}: %{y}<extra>%{fullData.name}</extra>",
        )
        for (curve, collection), values in printed.items()
    ]
    for i, (curve, values) in enumerate(here.items()):
        style = line_style(i)
        line = {**style["line"], "dash": "solid"}
        traces.append(
            scatter(
                x=list(places),
                y=np.round(values, 4),
                mode="lines+markers",
                name=f"{labels([curve])[0]}, here",
                line=line,
                marker=style["marker"],
                hovertemplate="%{x}: %{y:.3f}<extra>%{fullData.name}</extra>",
            )
        )
    drawn = figure(traces, 430, hovermode="closest")
    every = np.concatenate([*here.values(), *printed.values()])
    low = float(np.nanmin(every)) if np.isfinite(every).any() else 0.0
    drawn.update_xaxes(title_text=plotly_escape(axes[0]), type="category", tickangle=-60)
    drawn.update_layout(legend={"font": {"size": 11}})
    drawn.update_yaxes(title_text=plotly_escape(axes[1]), range=[min(0.0, low - 0.05), 1.04])
    return drawn
