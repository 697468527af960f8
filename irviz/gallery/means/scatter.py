"""The gain of a change against the room for improvement: one point per measure and collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.direct import line_style
from irviz.figures.text import labels, plotly_escape
from irviz.figures.theme import GREY, figure, scatter

Floats = NDArray[np.float64]
PLOT = (250.0, 300.0)  #: pixels of the plot on a phone, where names are closest
ROUNDS = 3  #: times that every name is placed
_LETTER, _LINE, _AWAY = (
    6.0,
    13.0,
    6.0,
)  # pixels: the width of a letter, the height of a name, its distance from the point
#: the places of a name, across and up from its point, the usual one first
SIDES = {
    "top center": (0, 1),
    "bottom center": (0, -1),
    "middle right": (1, 0),
    "middle left": (-1, 0),
    "top right": (1, 1),
    "top left": (-1, 1),
    "bottom right": (1, -1),
    "bottom left": (-1, -1),
}


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


def sides_of(points: Floats, names: Sequence[str]) -> list[str]:
    """The side of each name: where it covers least of the points and of the other names.

    Names are placed in their order, and then again among those that came after them.

    Parameters
    ----------
    points : points × 2; pixels across and up, NaN where there is no point

    >>> sides_of(np.array([[50.0, 50.0], [50.0, 65.0]]), ["AP", "RBP"])
    ['bottom center', 'top center']
    """
    markers = [box for box in (box_of(point, "", None) for point in points) if np.isfinite(box).all()]
    found: dict[int, str] = {}
    for _ in range(ROUNDS):
        for i, (point, name) in enumerate(zip(points, names, strict=True)):
            others = [box_of(points[j], names[j], side) for j, side in found.items() if j != i]
            taken = [*markers, *(box for box in others if np.isfinite(box).all())]
            boxes = {side: box_of(point, name, side) for side in SIDES}
            found[i] = min(boxes, key=lambda side: _covered(boxes[side], taken))
    return list(found.values())


def box_of(point: Floats, name: str, side: str | None) -> Floats:
    """Left, right, bottom and top of a name on one side of its point, in pixels; of the point itself for None."""
    if side is None:
        return np.array([point[0] - 5, point[0] + 5, point[1] - 5, point[1] + 5])
    across, up = SIDES[side]
    width = _LETTER * len(name)
    x = point[0] + across * (width / 2 + _AWAY)
    y = point[1] + up * (_LINE / 2 + _AWAY)
    return np.array([x - width / 2, x + width / 2, y - _LINE / 2, y + _LINE / 2])


def _covered(box: Floats, taken: Sequence[Floats]) -> float:
    """How much of what is taken, and of the room outside the plot, a box covers, in square pixels."""
    overlaps = [_shared(box[0], box[1], *one[:2]) * _shared(box[2], box[3], *one[2:]) for one in taken]
    inside = _shared(box[0], box[1], 0, PLOT[0]) * _shared(box[2], box[3], 0, PLOT[1])
    return float(sum(overlaps) + (box[1] - box[0]) * (box[3] - box[2]) - inside)


def _shared(low: float, high: float, start: float, end: float) -> float:
    return max(0.0, min(high, end) - max(low, start))
