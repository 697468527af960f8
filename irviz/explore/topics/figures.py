"""Topics sorted by what is asked, and one topic: its judgments, and all systems' scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import BAND, fitting_ticks, padded_range, rounded, standing_out
from irviz.figures.text import plotly_escape
from irviz.figures.theme import BLUE, GREY, PALETTE, VERMILION, Trace, bar, figure, scatter

Floats = NDArray[np.float64]
Pair = tuple[str, str]
#: of highlighted systems; A has the circle and B the diamond
SYMBOLS = ("square", "triangle-up", "cross", "x", "triangle-down", "star", "pentagon", "hexagram")


def dumbbells(
    topics: Sequence[str], ours: Floats, theirs: Floats, names: Pair, axis: str, chosen: int, clicks: Sequence[str]
) -> go.Figure:
    """For every topic the score of A and the one it is compared with, joined by a line.

    Parameters
    ----------
    topics : in the order they are drawn
    ours, theirs : by topic
    names : of the two
    chosen : position of the selected topic
    clicks : by topic, what a click means
    """
    across = [plotly_escape(topic) for topic in topics]
    joins = scatter(
        x=[x for topic in across for x in (topic, topic, None)],
        y=[y for a, b in zip(rounded(ours).tolist(), rounded(theirs).tolist(), strict=True) for y in (a, b, None)],
        mode="lines",
        line={"color": GREY, "width": 1.4},
        hoverinfo="skip",
        showlegend=False,
    )
    dots = [
        _dots(across, values, name, look, clicks)
        for values, name, look in ((theirs, names[1], ("diamond-open", VERMILION)), (ours, names[0], ("circle", BLUE)))
    ]
    return _sorted_figure([joins, *dots], topics, axis, padded_range(np.append(ours, theirs), 0.06), chosen)


def _dots(across: list[str], values: Floats, name: str, look: tuple[str, str], clicks: Sequence[str]) -> Trace:
    return scatter(
        x=across,
        y=rounded(values),
        mode="markers",
        name=plotly_escape(name),
        cliponaxis=False,
        marker={"symbol": look[0], "size": 9, "color": look[1], "line": {"width": 1.5, "color": look[1]}},
        customdata=[[topic] for topic in clicks],
        hovertemplate="topic %{x}: %{y:.4f}<extra>" + plotly_escape(name) + "</extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )


def topic_bars(topics: Sequence[str], values: Floats, axis: str, chosen: int, clicks: Sequence[str]) -> go.Figure:
    """One bar per topic; those below zero are hatched."""
    below = values < 0
    bars = bar(
        x=[plotly_escape(topic) for topic in topics],
        y=rounded(values),
        marker={
            "color": [VERMILION if it else BLUE for it in below],
            "pattern": {"shape": ["/" if it else "" for it in below]},
        },
        customdata=[[topic] for topic in clicks],
        hovertemplate="topic %{x}: %{y:.4f}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )
    return _sorted_figure([bars], topics, axis, padded_range(np.append(values, 0.0), 0.06), chosen)


def _sorted_figure(traces: list, topics: Sequence[str], axis: str, ends: list[float], chosen: int) -> go.Figure:
    """Topics across, those that matter most first; the selected one is on a grey band."""
    drawn = figure(traces, 320, hovermode="closest", bargap=0.15)
    drawn.update_xaxes(
        title_text="topics, those that matter most first",
        range=[-0.6, len(topics) - 0.4],
        showgrid=False,
        autotickangles=[0, -90],
        **fitting_ticks(topics, 60, 14),
    )
    drawn.update_yaxes(title_text=plotly_escape(axis), range=ends)
    drawn.add_vrect(x0=chosen - 0.5, x1=chosen + 0.5, fillcolor=GREY, opacity=0.25, line={"width": 0})
    return drawn


def pool_bars(grades: Sequence[str], counts: Sequence[int]) -> go.Figure:
    """How many documents of a topic were judged at each grade."""
    bars = bar(
        x=list(grades),
        y=list(counts),
        marker={"color": BLUE},
        text=[f"{count:,}" for count in counts],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="grade %{x}: %{y}<extra></extra>",
    )
    drawn = figure([bars], 280, dragmode=False)
    drawn.update_xaxes(title_text="grade", type="category", tickangle=0, showgrid=False)
    drawn.update_yaxes(title_text="judged documents", range=[0, 1.15 * max(1, *counts)])
    return drawn


def system_dots(
    systems: Sequence[str], values: Floats, marked: Sequence[str], axis: str, highlighted: Sequence[str] = ()
) -> go.Figure:
    """All systems on one topic, best first; A, B and highlighted systems stand out.  A click gives the system.

    Parameters
    ----------
    systems, values : best first
    marked : A and B, or one of them
    highlighted : others that stand out, each on a pale band
    """
    looks = [("circle", BLUE, 12, "A: "), ("diamond", VERMILION, 12, "B: ")]
    names = [plotly_escape(name) for name in systems]
    places = np.arange(1, len(systems) + 1)
    more = [name for name in highlighted if name in systems and name not in marked]
    rest = np.array([name not in (*marked, *more) for name in systems], dtype=bool)
    groups = [(rest, "the others", ("circle-open", GREY, 7))]
    for one, (symbol, colour, size, letter) in zip(marked, looks, strict=False):
        here = np.array([name == one for name in systems], dtype=bool)
        groups.append((here, letter + plotly_escape(one), (symbol, colour, size)))
    for n, one in enumerate(more):
        here = np.array([name == one for name in systems], dtype=bool)
        look = (SYMBOLS[n % len(SYMBOLS)], PALETTE[(n + 2) % len(PALETTE)], 12)
        groups.append((here, standing_out(plotly_escape(one)), look))
    traces = [
        scatter(
            x=places[here],
            y=rounded(values[here]),
            mode="markers",
            name=name,
            marker={"symbol": symbol, "color": colour, "size": size},
            text=[names[i] for i in np.flatnonzero(here).tolist()],
            customdata=[[systems[i]] for i in np.flatnonzero(here).tolist()],
            hovertemplate="%{text}: %{y:.4f}<extra></extra>",
            selected={"marker": {"opacity": 1}},
            unselected={"marker": {"opacity": 1}},
        )
        for here, name, (symbol, colour, size) in groups
        if here.any()
    ]
    drawn = figure(traces, 280 + 20 * len(more), hovermode="closest")  # on a phone every name takes a line
    for one in more:
        at = systems.index(one) + 1
        drawn.add_vrect(x0=at - 0.5, x1=at + 0.5, fillcolor=BAND, layer="below", line={"width": 0})
    drawn.update_xaxes(title_text="systems, best on this topic first", range=[0, len(systems) + 1], showgrid=False)
    drawn.update_yaxes(title_text=plotly_escape(axis), range=padded_range(values, 0.08))
    return drawn
