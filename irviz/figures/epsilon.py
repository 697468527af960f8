"""Consistency against ε: from a mean that depends on the smallest scores to the arithmetic mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import ticks
from irviz.figures.direct import line_style, name_ends
from irviz.figures.text import labels
from irviz.figures.theme import GREY, Trace, bar, figure, row_height, scatter

Floats = NDArray[np.float64]
_HEIGHT = 420


def epsilon_curves(
    names: Sequence[str], eps: Floats, mean: Floats, reference: Floats, chosen: float, unit: str
) -> go.Figure:
    """Mean coefficient of two topic halves against ε (Ravana & Moffat 2009, Figures 1 and 3).

    Parameters
    ----------
    names : of the curves
    eps : values of ε, ascending and above 0
    mean : curves × eps
    reference : by curve, the same with the arithmetic mean; an open circle to the right of the end
    chosen : the ε used elsewhere, marked by a line
    unit : of the coefficient
    """
    end = 4 * eps[-1]
    traces = [
        trace
        for i, text in enumerate(labels(names, 34))
        for trace in (_curve(eps, mean[i], i, text), _limit(end, reference[i], i, text))
    ]
    drawn = figure(traces, _HEIGHT, hovermode="closest", showlegend=False)
    every = np.concatenate([mean.ravel(), reference])
    finite = every[np.isfinite(every)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    room = max(0.02, 0.06 * (high - low))
    drawn.add_vline(x=chosen, line={"color": GREY, "width": 1, "dash": "dot"})
    name_ends(drawn, names, reference, low - room, high + room, _HEIGHT)
    first, last = np.log10([eps[0], end])
    decades = 10.0 ** np.arange(np.ceil(first), np.log10(eps[-1]) - 0.5, 2)
    drawn.update_xaxes(
        type="log",
        range=[first - 0.15, last + 0.35],
        tickvals=[*decades, end],
        ticktext=[*(decimal(value) for value in decades), "∞"],
        title_text="ε (∞: the arithmetic mean)",
    )
    drawn.update_yaxes(title_text=f"mean {unit} of two topic halves", range=[low - room, high + room])
    return drawn


def decimal(power: float) -> str:
    """A power of ten as a tick.

    >>> decimal(1e-6), decimal(0.01), decimal(100.0)
    ('10⁻⁶', '0.01', '100')
    """
    if power >= 0.001:
        return f"{power:g}"
    return "10⁻" + str(-round(np.log10(power))).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _curve(eps: Floats, mean: Floats, i: int, text: str) -> Trace:
    return scatter(
        x=eps,
        y=np.round(mean, 4),
        mode="lines",
        line=line_style(i)["line"],
        name=text,
        hovertemplate="ε = %{x:.2g}: %{y:.4f}<extra>%{fullData.name}</extra>",
    )


def _limit(end: float, reference: float, i: int, text: str) -> Trace:
    marker = {**line_style(i)["marker"], "symbol": "circle-open", "line": {"width": 2}}
    return scatter(
        x=[end],
        y=[round(float(reference), 4)],
        mode="markers",
        marker=marker,
        name=text,
        hovertemplate="arithmetic mean: %{y:.4f}<extra>%{fullData.name}</extra>",
    )


#: colour of a bar and of the number in it: dark for zero and pale for low, so that they differ in lightness
_ZERO, _LOW = ("#B84F00", "#FFFFFF"), ("#9CCBEB", "#1B1F24")


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
        bar(
            x=np.round(share, 4),
            y=rows,
            orientation="h",
            name=name,
            texttemplate="%{x:.0%}",
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            hovertemplate="%{x:.1%} %{fullData.name}<extra></extra>",
            marker={"color": colour, "line": {"width": 0}},
            insidetextfont={"color": ink},
        )
        for name, share, (colour, ink) in parts
    ]
    drawn = figure(bars, row_height(len(names), least=240, each=26), barmode="stack")
    drawn.update_layout(uniformtext={"minsize": 10, "mode": "hide"}, legend={"traceorder": "normal"})
    drawn.update_xaxes(title_text="share of all scores", tickformat=".0%", range=[0, 1.03])
    drawn.update_yaxes(range=[len(names) - 0.4, -0.6], **ticks(names, len(names)), showgrid=False, zeroline=False)
    return drawn
