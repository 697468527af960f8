"""A ranking drawn as a row of documents, coloured and numbered by grade; a click raises a grade."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from irviz.figures.axes import chart
from irviz.figures.theme import SHADES, Trace, heatmap, plotly_escape, scatter

CLICK_A_DOCUMENT = "click a document to change its grade"


def hatched(shape: str) -> dict[str, str]:
    """A pattern in white over the colour of a bar."""
    return {"shape": shape, "fillmode": "overlay", "fgcolor": "white"}


def shades(grades: Sequence[int], top: int) -> tuple[list[str], list[str]]:
    """Fill and ink of every document."""
    steps = [0 if grade == 0 else 1 + round((len(SHADES) - 2) * (grade - 1) / max(1, top - 1)) for grade in grades]
    if top == 1:
        steps = [3 if grade else 0 for grade in grades]
    return [SHADES[step][0] for step in steps], [SHADES[step][1] for step in steps]


def document_row(
    grades: Sequence[int], top: int, after_click: Sequence[str] = (), width: int = 300, above: int = 0
) -> Trace:
    """The documents as one trace: one square per rank, in at least `width` pixels; `after_click` is what a click means.

    `above` documents, which are not drawn, are above them.
    """
    fill, ink = shades(grades, top)
    size = int(min(30, max(12, width / (len(grades) + 0.2))))
    return scatter(
        x=np.arange(1, len(grades) + 1) + above,
        y=np.zeros(len(grades)),
        mode="markers+text",
        marker={"symbol": "square", "size": size, "color": fill, "line": {"color": "#00588A", "width": 1.2}},
        text=[f"{grade}" for grade in grades],
        textfont={"color": ink, "size": min(13, size - 2)},
        customdata=[[text] for text in after_click] or None,
        hovertemplate="rank %{x}: grade %{text}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        showlegend=False,
    )


def graded_ranking(grades: Sequence[int], top: int, after_click: Sequence[str] = (), above: int = 0) -> go.Figure:
    """The row by itself, below `above` documents that are not drawn."""
    ends = [above + 0.4, above + len(grades) + 0.6]
    x = {"title": {"text": "rank"}, "range": ends, "dtick": 1, "showgrid": False}
    y = {"visible": False, "range": [-0.6, 0.6]}
    return chart([document_row(grades, top, after_click, above=above)], 110, x, y)


def run_rows(runs: Sequence[Sequence[int]], names: Sequence[str], top: int) -> go.Figure:
    """Several rankings below each other, one row each with its name, first rank on the left."""
    cells = [(rank, row, grade) for row, run in enumerate(runs) for rank, grade in enumerate(run, start=1)]
    fill, ink = shades([grade for _, _, grade in cells], top)
    longest = max(map(len, runs))
    squares = scatter(
        x=[rank for rank, _, _ in cells],
        y=[row for _, row, _ in cells],
        mode="markers+text",
        showlegend=False,
        text=[str(grade) for _, _, grade in cells],
        textfont={"color": ink, "size": 13},
        marker={
            "symbol": "square",
            "size": 26 if longest <= 8 else 20,
            "color": fill,
            "line": {"color": "#00588A", "width": 1.2},
        },
        hovertemplate="rank %{x}: grade %{text}<extra></extra>",
    )
    x = {
        "title": {"text": "rank"},
        "range": [0.4, max(longest, 8) + 0.6],
        "tickvals": list(range(1, longest + 1)),
        "showgrid": False,
        "zeroline": False,
    }
    y = {
        "tickvals": list(range(len(runs))),
        "ticktext": [plotly_escape(name) for name in names],
        "showgrid": False,
        "zeroline": False,
        "tickfont": {"size": 13},
        "range": [len(runs) - 0.4, -0.6],
    }
    return chart([squares], 80 + 42 * len(runs), x, y)


def run_columns(runs: Sequence[Sequence[int]], top: int) -> go.Figure:
    """Many rankings side by side, one column each, first rank on top; darker is better, as everywhere."""
    fill, _ = shades(range(top + 1), top)
    longest = max(map(len, runs))
    cells = heatmap(
        x=list(range(1, len(runs) + 1)),
        y=list(range(1, longest + 1)),
        z=np.array(runs, dtype=np.int64).T,
        zmin=0,
        zmax=top,
        colorscale=[[grade / top, colour] for grade, colour in enumerate(fill)],
        showscale=False,
        xgap=1,
        ygap=1,
        texttemplate="%{z}" if len(runs) <= 16 else None,
        hovertemplate="run %{x}, rank %{y}: grade %{z}<extra></extra>",
    )
    x = {"title": {"text": "runs, worst first"}, "range": [0.4, len(runs) + 0.6], "showgrid": False}
    y = {"title": {"text": "rank"}, "range": [longest + 0.6, 0.4], "dtick": 1, "showgrid": False}
    return chart([cells], 90 + 26 * longest, x, y)
