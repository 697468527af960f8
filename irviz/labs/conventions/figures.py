"""Conventions drawn: a list with ties and unjudged documents, and the steps from one tool's number to another's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import chart, padded_range
from irviz.figures.theme import BLUE, GREEN, GREY, PURPLE, VERMILION, bar, plotly_escape, scatter, short
from irviz.labs.documents import hatched, shades

Floats = NDArray[np.float64]


def judged_list(
    groups: Sequence[Sequence[int]], names: Sequence[str], top: int, after_click: Sequence[str]
) -> go.Figure:
    """One square per document in the order of the file; −1 is unjudged; tied documents share a bar.

    Parameters
    ----------
    groups : grades, one inner list for every score
    names : of the documents, in the same order
    after_click : by document, what a click on it means
    """
    grades = [grade for group in groups for grade in group]
    fill, ink = shades([max(0, grade) for grade in grades], top)
    fill = ["#FFFFFF" if grade < 0 else colour for grade, colour in zip(grades, fill, strict=True)]
    squares = scatter(
        x=np.arange(1, len(grades) + 1),
        y=np.zeros(len(grades)),
        mode="markers+text",
        showlegend=False,
        text=["?" if grade < 0 else str(grade) for grade in grades],
        textfont={"size": 13, "color": ink},
        marker={
            "symbol": "square",
            "size": 28 if len(grades) <= 10 else 21,
            "color": fill,
            "line": {"color": [GREY if grade < 0 else "#00588A" for grade in grades], "width": 1.4},
        },
        customdata=[[text, name] for text, name in zip(after_click, names, strict=True)],
        hovertemplate="document %{customdata[1]}: %{text}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )
    ties, words, place = [], [], 1
    for group in groups:
        if len(group) > 1:
            ties.append(
                {
                    "type": "rect",
                    "x0": place - 0.47,
                    "x1": place + len(group) - 0.53,
                    "y0": -0.75,
                    "y1": 0.75,
                    "layer": "below",
                    "line": {"width": 0},
                    "fillcolor": "rgba(213,94,0,0.20)",
                }
            )
            middle = place + (len(group) - 1) / 2
            words.append({"x": middle, "y": 0.78, "yanchor": "bottom", "showarrow": False, "text": "same score"})
        place += len(group)
    x = {
        "tickvals": list(range(1, len(grades) + 1)),
        "ticktext": list(names),
        "range": [0.4, len(grades) + 0.6],
        "showgrid": False,
        "title": {"text": "documents, in the order of the file"},
    }
    y = {"visible": False, "range": [-0.85, 1.35]}
    return chart([squares], 140, x, y, ties, clickmode="event+select", annotations=words)


def step_bars(names: Sequence[str], scores: Floats, axis: str) -> go.Figure:
    """From the first score to the last, with one bar per step between; the first and last names are the two ends."""
    rows = np.arange(len(names))
    traces = [
        bar(
            x=np.round(scores[[0, -1]], 5),
            y=rows[[0, -1]],
            orientation="h",
            width=0.6,
            showlegend=False,
            marker={"color": BLUE},
            text=[f"{score:.4f}" for score in scores[[0, -1]]],
            textposition="outside",
            hovertemplate="%{x:.4f}<extra></extra>",
            cliponaxis=False,
        )
    ]
    change = np.diff(scores[:-1])  # the last step only says who prints the last number
    for up, colour, pattern in ((True, GREEN, "/"), (False, VERMILION, "\\")):
        chosen = [i for i, step in enumerate(change) if (step >= 0) == up]
        if not chosen:
            continue
        traces.append(
            bar(
                x=[round(float(change[i]), 5) for i in chosen],
                base=[round(float(scores[i]), 5) for i in chosen],
                y=[rows[i + 1] for i in chosen],
                orientation="h",
                width=0.6,
                showlegend=False,
                cliponaxis=False,
                marker={"color": colour, "pattern": hatched(pattern)},
                text=[f"{change[i]:+.4f}".replace("-", "−") for i in chosen],
                textposition="outside",
                hovertemplate="%{text}<extra></extra>",
            )
        )
    words = [_two_lines(short(name, 46)) for name in names]
    low, high = padded_range(scores)
    y = {"tickvals": rows, "ticktext": words, "range": [len(names) - 0.4, -0.6], "showgrid": False}
    room = 0.25 * (high - low)  # for the numbers beside the bars
    x = {"title": {"text": plotly_escape(axis)}, "range": [low - room, high + 1.6 * room], "nticks": 6}
    return chart(traces, 110 + 44 * len(names), x, y)


def _two_lines(text: str) -> str:
    """A name, broken after its colon.

    >>> _two_lines("Tie rule: order of the lines in the file")
    'Tie rule:<br>order of the lines in the file'
    """
    return "<br>".join(plotly_escape(part) for part in text.replace(": ", ":\n", 1).split("\n"))


def tie_range(
    lowest: float, expected: float, highest: float, rules: Sequence[tuple[str, float]], axis: str
) -> go.Figure:
    """A line from the lowest to the highest score of all orders of tied documents, and the score by each rule."""
    line = scatter(
        x=np.round([lowest, highest], 5),
        y=[0, 0],
        mode="lines+markers",
        showlegend=False,
        hoverinfo="skip",
        line={"color": GREY, "width": 6},
        marker={"symbol": "line-ns-open", "size": 18, "color": GREY, "line": {"width": 3}},
    )
    middle = scatter(
        x=[round(expected, 5)],
        y=[0],
        mode="markers",
        name="expected",
        marker={"symbol": "diamond", "size": 13, "color": PURPLE},
        hovertemplate="expected: %{x:.4f}<extra></extra>",
    )
    traces = [line, middle]
    for n, (name, value) in enumerate(rules):
        traces.append(
            scatter(
                x=[round(value, 5)],
                y=[0.5 + 0.45 * n],
                mode="markers+text",
                text=[plotly_escape(name)],
                showlegend=False,
                textposition="middle right" if value < (lowest + highest) / 2 + 1e-12 else "middle left",
                marker={"symbol": "triangle-down", "size": 11, "color": BLUE},
                hovertemplate="%{text}: %{x:.4f}<extra></extra>",
            )
        )
    width = highest - lowest if highest - lowest > 1e-3 else 0.1
    ends = [lowest - 0.3 * width, highest + 0.3 * width]
    x = {"title": {"text": plotly_escape(axis)}, "range": ends, "tickformat": ".3f"}
    return chart(traces, 230, x, {"visible": False, "range": [-0.5, 0.6 + 0.45 * max(1, len(rules))]})
