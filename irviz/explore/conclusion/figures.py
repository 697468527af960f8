"""The figures of a conclusion: the specification curve, the grid of signs, and what decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from irviz.figures.axes import named_ticks, padded_range
from irviz.figures.text import labels, plotly_escape
from irviz.figures.theme import BLUE, DIVERGING, GREY, LIGHT, SEQUENTIAL, VERMILION, figure, row_height

Floats = NDArray[np.float64]
MOST_POINTS = 300  #: worlds that are drawn as points; of more, evenly spaced ones
MOST_COLUMNS = 240  #: of the matrix of choices; of more worlds, neighbours share a column
_ROW = 17  #: pixels of one row of choices

#: (verdict, significant) → legend, marker, colour
LOOKS = {
    (1, True): ("holds, significantly", "triangle-up", BLUE),
    (1, False): ("holds", "triangle-up-open", BLUE),
    (0, False): ("tie", "circle-open", GREY),
    (-1, False): ("reversed", "triangle-down-open", VERMILION),
    (-1, True): ("reversed, significantly", "triangle-down", VERMILION),
}


@dataclass(frozen=True, eq=False)
class Curve:
    """The worlds in the order of their differences.

    Attributes
    ----------
    worlds : by place, the number of the world
    difference, low, high : by place
    verdict, significant : by place
    words : by place, what the world is called
    choices : pairs of dimension and option, the rows of the matrix
    taken : choices × places, whether the world takes the option
    """

    worlds: NDArray[np.intp]
    difference: Floats
    low: Floats
    high: Floats
    verdict: NDArray[np.int8]
    significant: NDArray[np.bool_]
    words: Sequence[str]
    choices: Sequence[tuple[str, str]]
    taken: NDArray[np.bool_]


def specification_curve(curve: Curve, axis: str, chosen: int | None = None) -> go.Figure:
    """Above the difference in every world with its interval, below the choices it takes; `chosen` is a place.

    A click on a world gives its number.
    """
    rows = len(curve.choices)
    heights = [300, _ROW * rows + 20]
    drawn = make_subplots(
        rows=2,
        shared_xaxes=True,
        vertical_spacing=0.03,
        row_heights=[height / sum(heights) for height in heights],
    )
    drawn.update_layout(template=LIGHT, height=sum(heights) + 60, hovermode="closest", dragmode=False)
    for trace in (*_band(curve), *_points(curve)):
        drawn.add_trace(trace, row=1, col=1)
    drawn.add_trace(_matrix(curve), row=2, col=1)
    drawn.add_hline(y=0, line={"color": GREY, "width": 1, "dash": "dash"}, row=1, col=1)
    places = len(curve.worlds)
    if chosen is not None:
        drawn.add_vline(x=chosen + 1, line={"color": GREY, "width": 1.5, "dash": "dot"}, row=1, col=1)
    drawn.update_xaxes(range=[0.5 - places * 0.01, places + 0.5 + places * 0.01], showgrid=False)
    drawn.update_xaxes(title_text=f"{places:,} worlds, from the smallest difference to the largest", row=2, col=1)
    ends = np.concatenate([curve.difference, curve.low[np.isfinite(curve.low)], curve.high[np.isfinite(curve.high)]])
    drawn.update_yaxes(title_text=plotly_escape(axis), range=padded_range(ends, 0.06), row=1, col=1)
    names = [f"{dimension}: {option}" for dimension, option in curve.choices]
    drawn.update_yaxes(
        range=[rows - 0.5, -0.5],
        tickvals=list(range(rows)),
        ticktext=labels(names, 40),
        showgrid=False,
        row=2,
        col=1,
    )
    return drawn


def _band(curve: Curve) -> list[go.Scatter]:
    """The intervals as one band: thousands of lines would keep a browser busy."""
    known = np.flatnonzero(np.isfinite(curve.low) & np.isfinite(curve.high))
    thinned = known[np.unique(np.linspace(0, len(known) - 1, min(len(known), 4 * MOST_POINTS)).round().astype(int))]
    x = (thinned + 1).tolist()
    edge = {"width": 0.6, "color": GREY}
    low = go.Scatter(x=x, y=_short(curve.low[thinned]), mode="lines", line=edge, hoverinfo="skip", showlegend=False)
    high = go.Scatter(
        x=x,
        y=_short(curve.high[thinned]),
        mode="lines",
        line=edge,
        fill="tonexty",
        fillcolor="rgba(122,127,133,0.22)",
        hoverinfo="skip",
        name="interval",
    )
    return [low, high]


def _points(curve: Curve) -> list[go.Scatter]:
    """A marker a world, by what it says."""
    places = np.unique(np.linspace(0, len(curve.worlds) - 1, min(len(curve.worlds), MOST_POINTS)).round().astype(int))
    traces = []
    for (verdict, significant), (name, symbol, colour) in LOOKS.items():
        sure = curve.significant[places] if verdict else np.full(len(places), significant)
        some = places[(curve.verdict[places] == verdict) & (sure == significant)]
        if len(some):
            traces.append(
                go.Scatter(
                    x=(some + 1).tolist(),
                    y=_short(curve.difference[some]),
                    mode="markers",
                    name=name,
                    marker={"symbol": symbol, "size": 8, "color": colour, "line": {"width": 1.3, "color": colour}},
                    customdata=[[int(curve.worlds[i]), plotly_escape(curve.words[i])] for i in some],
                    hovertemplate="%{customdata[1]}<br>difference %{y:.4f}<extra>" + name + "</extra>",
                )
            )
    return traces


def _matrix(curve: Curve) -> go.Heatmap:
    """Choices down, worlds across: the darker, the more of the worlds at this place take the option."""
    places = len(curve.worlds)
    edges = np.unique(np.linspace(0, places, min(places, MOST_COLUMNS) + 1).round().astype(int))
    totals = np.add.reduceat(curve.taken.astype(np.int64), edges[:-1], axis=1)
    return go.Heatmap(
        z=np.round(totals / np.diff(edges), 2).astype(np.float32),
        x=((edges[:-1] + edges[1:] + 1) / 2).tolist(),
        zmin=0,
        zmax=1,
        colorscale=[[0, "rgba(122,127,133,0.06)"], [1, BLUE]],
        showscale=False,
        hoverinfo="skip",
        ygap=2,
    )


def sign_grid(
    measures: Sequence[str], averages: Sequence[str], verdict: Floats, significant: NDArray[np.bool_], worlds: NDArray
) -> go.Figure:
    """Measures down, averages across: + where the claim holds, − where it is reversed, * where significantly.

    Parameters
    ----------
    verdict : measures × averages; 1, 0, −1, NaN where there is no such world
    worlds : measures × averages, numbers that a click gives; −1 for none
    """
    signs = {1: "+", 0: "=", -1: "−"}
    shade = np.where(np.isfinite(verdict), verdict * np.where(significant, 1.0, 0.45), np.nan)
    names, columns = [plotly_escape(name) for name in measures], [plotly_escape(name) for name in averages]
    rows, across = (axis.ravel().tolist() for axis in np.indices(verdict.shape))
    cells = go.Heatmap(
        z=np.round(shade, 2).astype(np.float32),
        x=columns,
        y=names,
        zmin=-1,
        zmax=1,
        colorscale=[list(c) for c in DIVERGING],
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    flat, sure = verdict.ravel(), significant.ravel()
    text = ["" if not np.isfinite(v) else signs[int(v)] + ("*" if s else "") for v, s in zip(flat, sure, strict=True)]
    marks = go.Scatter(
        x=[columns[j] for j in across],
        y=[names[i] for i in rows],
        mode="text",
        text=text,
        textfont={"size": 16, "color": ["#FFFFFF" if s and t else "#1B1F24" for s, t in zip(sure, text, strict=True)]},
        customdata=[[int(worlds[i, j]), f"{names[i]}, {columns[j]}"] for i, j in zip(rows, across, strict=True)],
        hovertemplate="%{customdata[1]}<extra></extra>",
        showlegend=False,
    )
    drawn = figure([cells, marks], row_height(len(measures), 240, 30), hovermode="closest", dragmode=False)
    drawn.update_xaxes(side="top", showgrid=False, **named_ticks(averages, 40, 18))
    drawn.update_yaxes(range=[len(measures) - 0.5, -0.5], showgrid=False, **named_ticks(measures, 60, 22))
    return drawn


def share_bars(names: Sequence[str], shares: Floats, axis: str) -> go.Figure:
    """What decides, largest first: a bar a choice, with its share."""
    order = np.argsort(-shares, kind="stable")
    bars = go.Bar(
        x=np.round(shares[order], 4).tolist(),
        y=[plotly_escape(names[i]) for i in order],
        orientation="h",
        marker={"color": BLUE},
        text=[f"{shares[i]:.0%}" for i in order],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{y}: %{x:.1%}<extra></extra>",
    )
    drawn = figure([bars], row_height(len(names), 240, 26), dragmode=False)
    drawn.update_xaxes(
        title_text=plotly_escape(axis), range=[0, max(0.1, float(shares.max()) * 1.18)], tickformat=".0%"
    )
    drawn.update_yaxes(autorange="reversed", showgrid=False)
    return drawn


def topic_bars(topics: Sequence[str], adds: Floats, axis: str) -> go.Figure:
    """What each topic adds to the difference, largest first; those against it are hatched."""
    against = adds < 0
    bars = go.Bar(
        x=[plotly_escape(topic) for topic in topics],
        y=_short(adds),
        marker={
            "color": [VERMILION if it else BLUE for it in against],
            "pattern": {"shape": ["/" if it else "" for it in against]},
        },
        hovertemplate="topic %{x}: %{y:.5f}<extra></extra>",
    )
    drawn = figure([bars], 300, dragmode=False, bargap=0.15)
    drawn.update_xaxes(title_text="topic", **named_ticks(topics, 60, 12))
    drawn.update_yaxes(title_text=plotly_escape(axis), range=padded_range(np.append(adds, 0), 0.06))
    return drawn


def share_square(names: Sequence[str], share: Floats) -> go.Figure:
    """systems × systems: the share of the worlds in which the row is ahead of the column."""
    escaped = [plotly_escape(name) for name in names]
    size = int(min(900, max(320, 140 + 15 * len(names))))
    cells = go.Heatmap(
        z=np.round(share.astype(np.float32), 3),
        x=escaped,
        y=escaped,
        zmin=0,
        zmax=1,
        colorscale=SEQUENTIAL,
        xgap=1 if len(names) <= 60 else 0,
        ygap=1 if len(names) <= 60 else 0,
        colorbar={"title": {"text": "share of worlds", "side": "right"}, "thickness": 12, "outlinewidth": 0},
        hovertemplate="%{y}<br>ahead of %{x}<br>in %{z:.1%} of the worlds<extra></extra>",
    )
    drawn = figure([cells], size, dragmode=False)
    drawn.update_xaxes(tickangle=-60, showgrid=False, **named_ticks(names, 60, 18))
    drawn.update_yaxes(autorange="reversed", showgrid=False, **named_ticks(names, 60, 18))
    return drawn


def hasse_diagram(
    systems: Sequence[str], levels: NDArray[np.int64], edges: Sequence[tuple[str, str]], marked: set[str]
) -> go.Figure:
    """The best on top; a line leads down to a system that is behind in every world; `marked` ones are filled."""
    place = {name: i for i, name in enumerate(systems)}
    across = np.zeros(len(systems))
    for level in np.unique(levels):
        members = np.flatnonzero(levels == level)
        across[members] = np.arange(len(members)) - (len(members) - 1) / 2
    xs = [x for a, b in edges for x in (across[place[a]], across[place[b]], None)] or [None]
    ys = [y for a, b in edges for y in (int(levels[place[a]]), int(levels[place[b]]), None)] or [None]
    lines = go.Scatter(x=xs, y=ys, mode="lines", line={"color": GREY, "width": 0.8}, hoverinfo="skip", showlegend=False)
    widest = max(np.bincount(levels)) if len(levels) else 1
    named = widest <= 9
    here = [name in marked for name in systems]
    dots = go.Scatter(
        x=across,
        y=levels,
        mode="markers+text" if named else "markers",
        text=labels(systems, 18),
        textposition="bottom center",
        textfont={"size": 10},
        marker={
            "size": [12 if it else 8 for it in here],
            "symbol": ["diamond" if it else "circle-open" for it in here],
            "color": [VERMILION if it else BLUE for it in here],
        },
        customdata=[plotly_escape(name) for name in systems],
        hovertemplate="%{customdata}<extra></extra>",
        showlegend=False,
    )
    deepest = int(levels.max(initial=0))
    drawn = figure([lines, dots], int(min(1400, 160 + 56 * (deepest + 1))), dragmode=False)
    room = max(1.0, widest / 2)
    drawn.update_xaxes(visible=False, range=[-room - 0.3, room + 0.3])
    drawn.update_yaxes(title_text="undisputed systems above", range=[deepest + 0.7, -0.5], showgrid=False, dtick=5)
    return drawn


def _short(values: Floats) -> list[float | None]:
    """Numbers as a browser needs them: five digits after the point, none for what is undefined."""
    return [None if not np.isfinite(value) else round(float(value), 5) for value in values]
