"""The figures below the curve: what topics add, and the order of all systems that no world disputes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import fitting_ticks, named_ticks, padded_range, rounded, stand_out, standing_out
from irviz.figures.separation import MOST_NAMES
from irviz.figures.text import labels, plotly_escape
from irviz.figures.theme import BLUE, GREY, SEQUENTIAL, VERMILION, bar, figure, full_height, heatmap, scatter

Floats = NDArray[np.float64]


def influence_bars(topics: Sequence[str], adds: Floats, axis: str) -> go.Figure:
    """What each topic adds to the difference, largest first; those against it are hatched."""
    against = adds < 0
    bars = bar(
        x=[plotly_escape(topic) for topic in topics],
        y=rounded(adds),
        marker={
            "color": [VERMILION if it else BLUE for it in against],
            "pattern": {"shape": ["/" if it else "" for it in against]},
        },
        hovertemplate="topic %{x}: %{y:.5f}<extra></extra>",
    )
    drawn = figure([bars], 300, dragmode=False, bargap=0.15)
    drawn.update_xaxes(title_text="topic", autotickangles=[0, -90], **fitting_ticks(topics, 60, 12))
    drawn.update_yaxes(title_text=plotly_escape(axis), range=padded_range(np.append(adds, 0), 0.06))
    return drawn


def share_square(names: Sequence[str], share: Floats, highlighted: Sequence[int] = ()) -> go.Figure:
    """systems × systems: the share of the worlds in which the row is ahead of the column."""
    escaped = [plotly_escape(name) for name in names]
    cells = heatmap(
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
    drawn = figure([cells], full_height(len(names)) + 30, dragmode=False)
    few = len(names) <= MOST_NAMES
    drawn.update_xaxes(tickangle=-60, showgrid=False, showticklabels=few, **named_ticks(names, len(names), 18))
    if not few:
        drawn.update_xaxes(title_text="the same systems", ticks="")
    drawn.update_yaxes(range=[len(names) - 0.5, -0.5], showgrid=False, **named_ticks(names, len(names), 18))
    stand_out(drawn, names, highlighted, 18)
    return drawn


def hasse_diagram(
    systems: Sequence[str],
    levels: NDArray[np.int64],
    edges: Sequence[tuple[str, str]],
    marked: set[str],
    highlighted: Sequence[int] = (),
) -> go.Figure:
    """The best on top; a line leads down to a system that is behind in every world.

    `marked` ones are filled diamonds; those `highlighted` are filled squares; both are named however many there are.
    """
    place = {name: i for i, name in enumerate(systems)}
    across = np.zeros(len(systems))
    for level in np.unique(levels):
        members = np.flatnonzero(levels == level)
        across[members] = np.arange(len(members)) - (len(members) - 1) / 2
    xs = [x for a, b in edges for x in (across[place[a]], across[place[b]], None)] or [None]
    ys = [y for a, b in edges for y in (int(levels[place[a]]), int(levels[place[b]]), None)] or [None]
    lines = scatter(x=xs, y=ys, mode="lines", line={"color": GREY, "width": 0.8}, hoverinfo="skip", showlegend=False)
    widest = max(np.bincount(levels)) if len(levels) else 1
    named = widest <= 9
    here = [name in marked for name in systems]
    texts = [text if named or it else "" for it, text in zip(here, labels(systems, 18), strict=True)]
    for i, text in zip(highlighted, labels([systems[i] for i in highlighted], 18), strict=True):
        texts[i] = standing_out(text)
    dots = scatter(
        x=across,
        y=levels,
        mode="markers+text" if any(texts) else "markers",
        text=texts,
        textposition=["bottom center" if named or i % 2 else "top center" for i in range(len(systems))],
        cliponaxis=False,
        textfont={"size": [12 if i in highlighted else 10 for i in range(len(systems))]},
        marker={
            "size": [12 if it or i in highlighted else 8 for i, it in enumerate(here)],
            "symbol": [
                "diamond" if it else "square" if i in highlighted else "circle-open" for i, it in enumerate(here)
            ],
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
    drawn.update_yaxes(title_text="undisputed systems above", range=[deepest + 0.7, -0.5], showgrid=False)
    drawn.update_yaxes(dtick=1 if deepest < 8 else 5)
    return drawn
