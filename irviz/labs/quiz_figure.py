"""What the ranks of a few lists add up to."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import chart, padded_range
from irviz.figures.text import plotly_escape
from irviz.figures.theme import DASHES, MARKERS, PALETTE, scatter


def running_totals(totals: Mapping[str, NDArray[np.float64]]) -> go.Figure:
    """One line per list, from rank to rank; the highest at the end wins."""
    lines = [
        scatter(
            x=list(range(1, len(total) + 1)),
            y=np.round(total, 5),
            mode="lines+markers",
            name=plotly_escape(name),
            line={"color": PALETTE[n], "dash": DASHES[n], "width": 2.4, "shape": "hv"},
            marker={"symbol": MARKERS[n], "size": 8},
            hovertemplate="rank %{x}: %{y:.4f}<extra>%{fullData.name}</extra>",
        )
        for n, (name, total) in enumerate(totals.items())
    ]
    y = {"title": {"text": "score up to this rank"}, "range": padded_range(np.concatenate(list(totals.values())), 0.08)}
    longest = max(map(len, totals.values()))
    return chart(lines, 320, {"title": {"text": "rank"}, "dtick": 1, "range": [0.7, longest + 0.3]}, y)
