"""Curves named where they end, so that no legend and no colour is needed to read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.slope import LEADER, LONGEST_LABEL, side_margin, spread
from irviz.figures.text import labels
from irviz.figures.theme import DASHES, MARKERS, PALETTE

Floats = NDArray[np.float64]
_LINE = 15  # the height of a label, in pixels, about


def line_style(i: int) -> dict[str, Any]:
    """Line and marker of the i-th curve; the first 24 differ without colour.

    >>> [line_style(i)["line"]["dash"] for i in (0, 1, 8)]
    ['solid', 'dash', 'dot']
    """
    colour = PALETTE[i % len(PALETTE)]
    return {
        "line": {"color": colour, "dash": DASHES[i % 6], "width": 2},
        "marker": {"color": colour, "symbol": MARKERS[i % len(MARKERS)], "size": 7},
    }


def name_ends(drawn: go.Figure, names: Sequence[str], ends: Floats, low: float, high: float, height: int) -> None:
    """Write each curve's name right of the figure, level with its end on the axis from `low` to `high`.

    Labels that would overlap are moved apart; a short line in the curve's colour leads from
    its end to its label, which is in the colour of all text.  Curves without an end (NaN) get none.
    """
    known = [int(i) for i in np.flatnonzero(np.isfinite(ends))]
    gap = (high - low) * _LINE / max(height - 90, 1)
    places = spread(ends[known].tolist(), gap, low, high)
    texts = labels([names[i] for i in known], LONGEST_LABEL)
    said = [_label(text, ends[i], place, i) for i, place, text in zip(known, places, texts, strict=True)]
    for label in said:
        drawn.add_annotation(**label)
    drawn.update_layout(margin={"r": side_margin([names[i] for i in known])})


def _label(text: str, end: float, place: float, i: int) -> dict[str, Any]:
    """A curve's name at `place`, with a line to the curve's `end`."""
    return {
        "text": text,
        "x": 1,
        "xref": "paper",
        "xanchor": "left",
        "y": end,
        "yref": "y",
        "ax": LEADER,
        "axref": "pixel",
        "ay": place,
        "ayref": "y",
        "font": {"size": 12},
        "align": "left",
        "showarrow": True,
        "arrowhead": 0,
        "arrowwidth": 2,
        "arrowcolor": PALETTE[i % len(PALETTE)],
    }
