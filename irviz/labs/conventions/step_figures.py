"""All topics of the example with all relevant documents, from which a number can be derived by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from irviz.figures.axes import chart
from irviz.figures.theme import BLUE, GREY, bar, scatter
from irviz.labs.documents import shades

NamesAndGrades = Sequence[tuple[str, int]]  #: names and grades; −1 is unjudged


def adds(table: pd.DataFrame) -> go.Figure:
    """One bar per rank: what its document adds to AP."""
    bars = bar(
        x=table["rank"].tolist(),
        y=table["adds to AP"].round(5).tolist(),
        marker={"color": BLUE},
        showlegend=False,
        text=[f"{value:.4f}" if value else "" for value in table["adds to AP"]],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="rank %{x} adds %{y:.4f}<extra></extra>",
    )
    top = float(table["adds to AP"].max()) or 1.0
    x = {"title": {"text": "rank"}, "dtick": 1, "range": [0.4, len(table) + 0.6]}
    return chart([bars], 300, x, {"title": {"text": "adds to AP"}, "range": [0, 1.15 * top]})


def two_topics(answer: NamesAndGrades, missed: NamesAndGrades, unanswered: int, top: int) -> go.Figure:
    """One row for the run's list, one for what it lacks, and two for every topic without an answer.

    Parameters
    ----------
    answer : the documents in the order of the tie rule
    missed : relevant documents that the list lacks
    unanswered : topics with the same judgments and no lines of the run
    """
    judged = [*((name, grade) for name, grade in answer if grade > 0), *missed]
    rows: list[tuple[str, NamesAndGrades]] = [("topic 1: the run", answer), ("relevant, not retrieved", missed)]
    for n in range(unanswered):
        rows += [(f"topic {n + 2}: the run", ()), ("relevant, not retrieved", judged)]
    cells = [(x, y, name, grade) for y, (_, row) in enumerate(rows) for x, (name, grade) in enumerate(row, start=1)]
    fill, ink = shades([max(0, grade) for _, _, _, grade in cells], top)
    boxes = [
        {
            "type": "rect",
            "x0": x - 0.44,
            "x1": x + 0.44,
            "y0": y - 0.37,
            "y1": y + 0.37,
            "fillcolor": "#FFFFFF" if grade < 0 else colour,
            "line": {"width": 1.3, "color": GREY},
            "layer": "below",
        }
        for (x, y, _, grade), colour in zip(cells, fill, strict=True)
    ]
    texts = scatter(
        x=[x for x, _, _, _ in cells],
        y=[y for _, y, _, _ in cells],
        mode="text",
        showlegend=False,
        text=[f"{name}:{'?' if grade < 0 else grade}" for _, _, name, grade in cells],
        hoverinfo="skip",
        textfont={"size": 12, "color": ink},
    )
    nothing = [
        {"x": 0.5, "xanchor": "left", "y": y, "text": "no lines" if "run" in words else "none", "showarrow": False}
        for y, (words, row) in enumerate(rows)
        if not row
    ]
    longest = max(len(row) for _, row in rows)
    x = {
        "title": {"text": "rank (first row)"},
        "tickvals": list(range(1, longest + 1)),
        "showgrid": False,
        "range": [0.4, max(longest, 8) + 0.6],
        "zeroline": False,
    }
    y = {
        "tickvals": list(range(len(rows))),
        "ticktext": [words for words, _ in rows],
        "showgrid": False,
        "range": [len(rows) - 0.4, -0.6],
        "zeroline": False,
    }
    return chart([texts], 70 + 46 * len(rows), x, y, boxes, annotations=nothing)
