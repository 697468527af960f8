"""How many scores are zero or close to it, a bar a measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.text import ticks
from irviz.figures.theme import BLUE, VERMILION, figure, row_height

_WHITE = {"fgcolor": "#FFFFFF", "fgopacity": 0.6}
Floats = NDArray[np.float64]


def low_score_bars(names: Sequence[str], zero: Floats, low: Floats, limit: float) -> go.Figure:
    """Shares of all scores: zero, and above zero but at most `limit` (Ravana & Moffat 2009, Table 2).

    Parameters
    ----------
    names : of the measures, top to bottom
    zero, low : by measure; the share of zeros, and of scores at most `limit` (zeros among them)
    """
    rows = np.arange(len(names))
    parts = (("zero", zero, VERMILION, "/"), (f"above zero, at most {limit:g}", low - zero, BLUE, ""))
    bars = [
        go.Bar(
            x=np.round(share, 4), y=rows, orientation="h", name=name, texttemplate="%{x:.0%}", textposition="inside",
            insidetextanchor="middle", textangle=0, hovertemplate="%{x:.1%} %{fullData.name}<extra></extra>",
            marker={"color": colour, "pattern": {"shape": pattern, "size": 6, "fillmode": "overlay", **_WHITE}},
        )
        for name, share, colour, pattern in parts
    ]  # fmt: skip
    drawn = figure(bars, row_height(len(names), least=240, each=26), barmode="stack")
    drawn.update_xaxes(title_text="share of all scores", tickformat=".0%", range=[0, 1.03])
    drawn.update_yaxes(range=[len(names) - 0.4, -0.6], **ticks(names, len(names)), showgrid=False)
    return drawn
