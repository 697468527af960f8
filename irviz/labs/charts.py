"""Parts of the figures of several labs."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.theme import SHADES, Trace, scatter
from irviz.figures.unchecked import layout_of, traces_of, unchecked

Floats = NDArray[np.float64]
SKY = SHADES[2][0]  #: of bars and dots that lines of other colours cross
BLANK = "\u00a0"  #: a text that is not seen, for frames to fill: they reach no empty one


def extend(fig: go.Figure, **layout: Any) -> go.Figure:
    """The figure with other properties of its layout."""
    content = {"data": traces_of(fig), "layout": {**layout_of(fig), **layout}}
    return unchecked(content)  # as it is: plotly's way encodes arrays


def bars(low: Floats, high: Floats, heights: Floats) -> dict[str, Any]:
    """Bars from `low` to `high`, from 0 to their heights, as one filled line, since frames change its points."""
    y = np.asarray(heights)
    return {
        "x": np.stack([low, low, high, high], axis=1).ravel().round(4).tolist(),
        "y": np.stack([0 * y, y, y, 0 * y], axis=1).ravel().round(4).tolist(),
        "mode": "lines",
        "fill": "tozeroy",
        "line": {"width": 0, "simplify": False},
    }


def silent(x: Any, y: Any, mode: str, **look: Any) -> Trace:
    """A trace that neither a legend nor a pointer names."""
    return scatter(x=x, y=y, mode=mode, showlegend=False, hoverinfo="skip", **look)
