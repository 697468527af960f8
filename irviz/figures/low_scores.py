"""How many scores are zero or close to it, a bar a measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.text import ticks
from irviz.figures.theme import figure, row_height

#: colour of a bar and of the number in it: dark for zero and pale for low, so that lightness tells them apart
_ZERO, _LOW = ("#B84F00", "#FFFFFF"), ("#9CCBEB", "#1B1F24")
Floats = NDArray[np.float64]


def low_score_bars(names: Sequence[str], zero: Floats, low: Floats, limit: float) -> go.Figure:
    """Shares of all scores: zero, and above zero but below `limit` (Ravana & Moffat 2009, Table 2).

    Parameters
    ----------
    names : of the measures, top to bottom
    zero, low : by measure; the share of zeros, and of scores below `limit` (zeros among them)
    """
    rows = np.arange(len(names))
    parts = (("zero", zero, _ZERO), (f"above zero, below {limit:g}", low - zero, _LOW))
    bars = [
        go.Bar(
            x=np.round(share, 4), y=rows, orientation="h", name=name, texttemplate="%{x:.0%}", textposition="inside",
            insidetextanchor="middle", textangle=0, hovertemplate="%{x:.1%} %{fullData.name}<extra></extra>",
            marker={"color": colour, "line": {"width": 0}}, insidetextfont={"color": ink},
        )
        for name, share, (colour, ink) in parts
    ]  # fmt: skip
    drawn = figure(bars, row_height(len(names), least=240, each=26), barmode="stack")
    drawn.update_layout(uniformtext={"minsize": 10, "mode": "hide"}, legend={"traceorder": "normal"})
    drawn.update_xaxes(title_text="share of all scores", tickformat=".0%", range=[0, 1.03])
    drawn.update_yaxes(range=[len(names) - 0.4, -0.6], **ticks(names, len(names)), showgrid=False, zeroline=False)
    return drawn
