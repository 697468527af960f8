"""Figures in the type that presenting takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import plotly.graph_objects as go

from irviz.workspace.panel import Drawing

LARGER = 1.35  #: times the type of a figure
_TALLEST = 440  #: pixels of a figure, so that it is seen whole on 768; one with a row for each system scrolls


def enlarged(drawing: Drawing) -> Drawing:
    """The figure in larger type, as high as a projector shows at once."""
    content = larger(drawing.figure.to_plotly_json())
    content["layout"]["font"] = {**content["layout"].get("font", {}), "size": 13 * LARGER}
    drawn = go.Figure(content, skip_invalid=False)
    drawn.update_xaxes(automargin=True)  # larger type needs more room
    drawn.update_yaxes(automargin=True)
    drawn.update_layout(height=tall(drawing.figure.layout.height))
    return replace(drawing, figure=drawn)


def tall(height: float | None) -> float:
    """How high a figure of this height is presented.

    >>> tall(330), tall(None), tall(110), tall(1400)
    (440, 440, 148, 1890)
    """
    if height is None or 200 < height <= 700:
        return _TALLEST
    return round(height * LARGER)


def larger(part: Any, key: str = "") -> Any:
    """A part of a figure with the size of all its type enlarged; sizes of markers and lines stay.

    >>> larger({"tickfont": {"size": 10}, "marker": {"size": 10}})
    {'tickfont': {'size': 13.5}, 'marker': {'size': 10}}
    """
    if isinstance(part, dict):
        found = {name: larger(one, name) for name, one in part.items()}
        if key.endswith("font") and isinstance(found.get("size"), int | float):
            found["size"] = round(found["size"] * LARGER, 1)
        return found
    return [larger(one, key) for one in part] if isinstance(part, list | tuple) else part
