"""Readers as dots, the carried gain by hand, scores before and after, and rankings on two halves of the topics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import chart, rows
from irviz.figures.theme import BLUE, GREY, VERMILION, bar, plotly_escape, scatter
from irviz.labs.browsing.model import Walked
from irviz.labs.documents import document_row, hatched

Floats = NDArray[np.float64]
READERS = 100


def stopping(w: Walked) -> list[int]:
    """How many of 100 readers stop at each rank, and last how many would read on; the largest remainders round up."""
    shares = np.append(w.last, 0.0)
    shares[-2] -= w.beyond
    shares[-1] = w.beyond
    exact = READERS * shares
    found = np.floor(exact + 1e-9).astype(int)
    for i in np.argsort(found - exact, kind="stable")[: round(float(exact.sum())) - int(found.sum())]:
        found[i] += 1
    return [int(n) for n in found]


def readers(grades: Sequence[int], top: int, w: Walked) -> go.Figure:
    """One dot per reader, in the column of the rank where they stop; those who would read on come after the list."""
    counts = stopping(w)
    width = 3  # dots side by side: as many as a column of a phone has room for
    x, y, colour = [], [], []
    for i, count in enumerate(counts):
        for n in range(count):
            x.append(i + 1 + (n % width - (width - 1) / 2) * 0.28)
            y.append(n // width + 0.5)
            colour.append(VERMILION if i == len(counts) - 1 else BLUE)
    dots = scatter(x=x, y=y, mode="markers", marker={"size": 5, "color": colour}, hoverinfo="skip", showlegend=False)
    words = [str(count) for count in counts]
    tops = [max(1, -(-count // width)) + 0.9 for count in counts]
    numbers = scatter(
        x=list(range(1, len(counts) + 1)),
        y=tops,
        mode="text",
        text=words,
        hoverinfo="skip",
        showlegend=False,
        textfont={"size": 12},
    )
    last = len(counts)
    axis = {
        "range": [0.4, last + 0.7],
        "title": {"text": "rank at which they stop"},
        "showgrid": False,
        "tickvals": list(range(1, last + 1)),
        "ticktext": [*map(str, range(1, last)), "read on"],
    }
    high = {"visible": False, "range": [0, max(tops) + 1]}
    padded = [*grades, *[0] * last][: last - 1]
    return rows(
        [[document_row(padded, top)], [dots, numbers]],
        (0.16, 0.84),
        420,
        axis,
        [{"visible": False, "range": [-0.7, 0.7]}, high],
    )


def carried(walks: Sequence[Walked], names: Sequence[str]) -> go.Figure:
    """What a reader who stops at a rank carries away, one line per user."""
    lines = [
        scatter(
            x=np.arange(1, len(w.amount) + 1),
            y=np.round(w.amount, 5),
            mode="lines+markers",
            name=plotly_escape(name),
            line={"color": (BLUE, VERMILION, GREY)[n % 3], "dash": ("solid", "dash", "dot")[n % 3], "width": 2.4},
            marker={"symbol": ("circle", "square", "diamond")[n % 3], "size": 8},
            hovertemplate="rank %{x}: %{y:.4f}",
        )
        for n, (w, name) in enumerate(zip(walks, names, strict=True))
    ]
    tallest = max(float(w.amount.max()) for w in walks)
    x = {"title": {"text": "rank at which they stop"}, "dtick": 1, "range": [0.6, len(walks[0].amount) + 0.4]}
    return chart(
        lines,
        320,
        x,
        {"title": {"text": "what they carry away, A(i)"}, "range": [0, 1.12 * tallest if tallest > 1e-9 else 1.0]},
    )


def swap_bars(names: Sequence[str], before: Floats, after: Floats) -> go.Figure:
    """Two bars per user: the score of the list, and of the list after the swap."""
    bars = [
        bar(
            x=[plotly_escape(name) for name in names],
            y=np.round(values, 5),
            name=words,
            marker={"color": colour, "pattern": hatched(pattern)},
            text=[f"{value:.3f}".removeprefix("0") for value in values],  # a phone has room for three digits
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{x}: %{y:.4f}<extra>%{fullData.name}</extra>",
        )
        for words, values, colour, pattern in (("before", before, BLUE, ""), ("after", after, VERMILION, "/"))
    ]
    top = float(max(before.max(), after.max()))
    y = {"title": {"text": "score"}, "range": [0, 1.18 * top if top > 1e-9 else 1.0]}
    return chart(bars, 340, {"type": "category"}, y)
