"""A ranking drawn as a row of documents, coloured and numbered by grade; a click raises a grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from irviz.figures.axes import axis, chart
from irviz.figures.theme import GREY, SHADES, Trace, bar, plotly_escape, scatter
from irviz.workspace.panel import Drawing

DRAG_A_DOCUMENT = "drag a document"
_EDGE = "#00588A"


def hatch(shape: str | list[str]) -> dict[str, Any]:
    """A pattern in white over the colour of a bar, or of each of several."""
    return {"shape": shape, "fillmode": "overlay", "fgcolor": "white"}


def shades(grades: Sequence[int], top: int) -> tuple[list[str], list[str]]:
    """Fill and ink of every document."""
    steps = [0 if grade == 0 else 1 + round((len(SHADES) - 2) * (grade - 1) / max(1, top - 1)) for grade in grades]
    if top == 1:
        steps = [3 if grade else 0 for grade in grades]
    return [SHADES[step][0] for step in steps], [SHADES[step][1] for step in steps]


def squares(x: Any, y: Any, grades: Sequence[int], top: int, size: int, **look: Any) -> Trace:
    """One square per document, with its grade or the `text` of `look`; −1 is unjudged: a white circle with "?"."""
    fill, ink = shades([max(0, grade) for grade in grades], top)
    marker = {
        "symbol": ["circle" if grade < 0 else "square" for grade in grades] if -1 in grades else "square",
        "size": size,
        "color": ["#FFFFFF" if grade < 0 else colour for grade, colour in zip(grades, fill, strict=True)],
        "line": {"color": [GREY if grade < 0 else _EDGE for grade in grades], "width": 1.3},
    }
    usual = {
        "text": ["?" if grade < 0 else str(grade) for grade in grades],
        "textfont": {"color": ink, "size": min(13 if size < 40 else 16, size - 2)},
        "hovertemplate": "rank %{x}: grade %{text}<extra></extra>",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }
    return scatter(x=x, y=y, mode="markers+text", marker=marker, showlegend=False, **{**usual, **look})


def moves(grades: Sequence[int], x: Sequence[float], y: float = 0.0) -> list[list[dict[str, Any]]]:
    """For every document the places to which it can be dragged, those of all ranks, and the list that this makes."""
    goals = []
    for n, grade in enumerate(grades):
        rest = [str(other) for place, other in enumerate(grades) if place != n]
        lists = [",".join([*rest[:m], str(grade), *rest[m:]]) for m in range(len(grades))]
        goals.append([{"x": float(at), "y": y, "given": [text]} for at, text in zip(x, lists, strict=False)])
    return goals


def document_row(
    grades: Sequence[int], top: int, after_click: Sequence[str | None] = (), width: int = 300, offset: int = 0
) -> Trace:
    """The documents as one trace: one square per rank, in at least `width` pixels; `after_click` is what a click means.

    `offset` documents, which are not drawn, are above them.
    """
    ranks = np.arange(1, len(grades) + 1) + offset
    size = int(min(30, max(12, width / (len(grades) + 0.2))))
    clicks = [[text] for text in after_click] or None
    return squares(ranks, np.zeros(len(grades)), grades, top, size, customdata=clicks)


def document_cells(grades: Sequence[int], top: int, after_click: Sequence[str | None]) -> Trace:
    """The documents as boxes that fill an axis from 0 to 1, all equally wide; an axis from 0 to 1 is as high."""
    fill, ink = shades(grades, top)
    return bar(
        x=(np.arange(len(grades)) + 0.5) / len(grades),
        y=[1] * len(grades),
        width=1 / len(grades),
        marker={"color": fill, "line": {"color": _EDGE, "width": 1.3}},
        text=[str(grade) for grade in grades],
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        textfont={"color": ink, "size": 13},
        customdata=[[text] for text in after_click] or None,
        hovertemplate="grade %{text}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        showlegend=False,
    )


def run_rows(
    runs: Sequence[Sequence[int]], names: Sequence[str], top: int, signs: Sequence[Sequence[str]] = ()
) -> go.Figure:
    """Several rankings below each other, one row each with its name, first rank on the left; `signs` for grades."""
    cells = [(rank, row, grade) for row, run in enumerate(runs) for rank, grade in enumerate(run, start=1)]
    ranks, rows, grades = zip(*cells, strict=True)
    longest = max(map(len, runs))
    bare = {"showgrid": False, "zeroline": False}
    wide = {"tickvals": list(range(1, longest + 1)), "domain": [0, min(1, longest / 6)]}
    x = axis("rank", [0.4, longest + 0.6], **wide, **bare)
    y = {
        "tickvals": list(range(len(runs))),
        "ticktext": ["<br>".join(map(plotly_escape, name.split("\n"))) for name in names],
        "tickfont": {"size": 13},
        "range": [len(runs) - 0.4, -0.6],
        **bare,
    }
    look = {"text": [sign for row in signs for sign in row], "hovertemplate": "rank %{x}: %{text}<extra></extra>"}
    size = max(22, min(46, 270 // longest, 260 // len(runs) - 10))
    trace = squares(list(ranks), list(rows), grades, top, size, **(look if signs else {}))
    return chart([trace], 80 + (size + 14) * len(runs), x, y)


def lists_drawing(lists: Mapping[str, Sequence[int]], top: int, title: str) -> Drawing:
    """Several lists as a figure of a lab, with its words."""
    words = "; ".join(f"{name}: {', '.join(map(str, grades))}" for name, grades in lists.items())
    return Drawing(run_rows(list(lists.values()), list(lists), top), title, f"Grades by rank. {words}.")
