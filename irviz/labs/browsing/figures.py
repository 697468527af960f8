"""C, W and L above the ranks they belong to, and the score of a C/W/L/A measure as an area."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import chart, rows
from irviz.figures.theme import BLUE, DASHES, MARKERS, PATTERNS, VERMILION, Trace, bar, plotly_escape, scatter
from irviz.labs.browsing.model import Walked
from irviz.labs.documents import document_row, hatched

Floats = NDArray[np.float64]
_COLOURS = (BLUE, VERMILION)
_NARROW = 205  # pixels that the ranks have where two figures stand side by side
_ROWS = ("C: reads on", "W: attention", "L: stops here")


def cwl_curves(grades: Sequence[int], top: int, walked: Sequence[Walked], after_click: Sequence[str]) -> go.Figure:
    """The documents on top, then C, W and L of one or two users, over one axis of ranks."""
    longest = max(len(grades), *(len(one.last) for one in walked))
    curves = [
        [_curve(one.name, curve(one), n, legend=row == 0) for n, one in enumerate(walked)]
        for row, curve in enumerate((lambda w: w.continuation, lambda w: w.weight, lambda w: w.last))
    ]
    ys = [{"title": {"text": words}, "range": [-0.04, 1.06], "tickvals": [0, 0.5, 1]} for words in _ROWS]
    return rows(
        [[document_row(grades, top, after_click, _NARROW)], *curves],
        (0.13, 0.29, 0.29, 0.29),
        470,
        {"title": {"text": "rank"}, "range": [0.4, longest + 0.6], "dtick": 1 if longest <= 15 else 5},
        [{"visible": False, "range": [-0.7, 0.7]}, *ys],
    )


def score_area(walked: Sequence[Walked]) -> go.Figure:
    """One bar per rank, L(i) wide and A(i) high: their areas together are the score."""
    tallest = max(float(max(one.amount.max(), one.amount_beyond)) for one in walked)
    tallest = tallest if tallest > 1e-9 else 1.0
    ys = [
        {"title": {"text": f"A(i), {plotly_escape(one.name)}", "font": {"size": 12}}, "range": [0, 1.12 * tallest]}
        for one in walked
    ]
    return rows(
        [_bars(one, n) for n, one in enumerate(walked)],
        (1,) * len(walked),
        470,
        {"title": {"text": "users, by the rank they stop at"}, "range": [0, 1], "tickformat": ".0%"},
        ys,
        bargap=0,
        barmode="overlay",
        margin={"r": 20},  # room for half of "100%", which is left out otherwise
        showlegend=False,
    )


def effect_bars(effects: Sequence[Floats], names: Sequence[str]) -> go.Figure:
    """How one grade more at a rank changes the score, by rank."""
    traces = [
        bar(
            x=np.arange(1, len(effect) + 1),
            y=np.round(effect, 5),
            name=plotly_escape(name),
            marker={"color": _COLOURS[n], "pattern": hatched(PATTERNS[n])},
            hovertemplate="rank %{x}: %{y:+.4f}<extra>%{fullData.name}</extra>",
        )
        for n, (effect, name) in enumerate(zip(effects, names, strict=True))
    ]
    ends = np.concatenate([*effects, [0.0]])
    spread = float(ends.max() - ends.min())
    room = 0.08 * (spread if spread > 1e-9 else 1.0)
    x = {"title": {"text": "rank"}, "range": [0.4, len(effects[0]) + 0.6], "dtick": 1}
    y = {"title": {"text": "change of the score"}, "range": [float(ends.min()) - room, float(ends.max()) + room]}
    return chart(traces, 230, x, y, showlegend=len(names) > 1)


def _curve(name: str, curve: Floats, n: int, legend: bool) -> Trace:
    return scatter(
        x=np.arange(1, len(curve) + 1),
        y=np.round(curve, 5),
        mode="lines+markers",
        name=plotly_escape(name),
        line={"color": _COLOURS[n], "dash": DASHES[n], "width": 2},
        marker={"symbol": MARKERS[n], "size": 6 if len(curve) <= 15 else 4},
        legendgroup=str(n),
        showlegend=legend,
        hovertemplate="rank %{x}: %{y:.3f}<extra>%{fullData.name}</extra>",
    )


def _bars(one: Walked, n: int) -> list[Trace]:
    """One bar per rank; those who would have read on come last, hatched."""
    stopping = one.last.copy()
    stopping[-1] -= one.beyond
    ends = np.cumsum(stopping)
    wide = stopping > 1e-9
    ranks = np.flatnonzero(wide) + 1
    bars = [
        bar(
            x=(ends - stopping / 2)[wide],
            y=one.amount[wide],
            width=stopping[wide],
            marker={"color": _COLOURS[n], "opacity": 0.75, "line": {"color": "white", "width": 1}},
            text=[str(rank) if share > 0.035 else "" for rank, share in zip(ranks, stopping[wide], strict=True)],
            textposition="outside",
            cliponaxis=False,
            textangle=0,
            customdata=np.stack([ranks, stopping[wide], (stopping * one.amount)[wide]], axis=1),
            hovertemplate="stop at rank %{customdata[0]}: %{customdata[1]:.1%} of the users<br>each takes away "
            "%{y:.3f}<br>area %{customdata[2]:.4f}<extra></extra>",
        )
    ]
    if one.beyond > 1e-9:
        bars.append(
            bar(
                x=[ends[-1] + one.beyond / 2],
                y=[one.amount_beyond],
                width=[one.beyond],
                marker={
                    "color": _COLOURS[n],
                    "opacity": 0.75,
                    "pattern": hatched("/"),
                    "line": {"color": "white", "width": 1},
                },
                text=["would read on"] if one.beyond > 0.12 else [""],
                textposition="outside",
                cliponaxis=False,
                hovertemplate=f"{one.beyond:.1%} of the users would read on<br>each takes away "
                "%{y:.3f}<extra></extra>",
            )
        )
    return bars
