"""A ranking drawn as a row of documents, coloured and numbered by grade; a click raises a grade."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from irviz.labs.layout import chart

#: fill and ink by share of the highest grade: darker is better, and the number says the same
_SHADES = (("#F1F3F5", "#1B1F24"), ("#BFDDEF", "#1B1F24"), ("#5FA8D3", "#1B1F24"), ("#00588A", "#FFFFFF"))


def hatched(shape: str) -> dict[str, str]:
    """A pattern in white over the colour of a bar."""
    return {"shape": shape, "fillmode": "overlay", "fgcolor": "white"}


def shades(grades: Sequence[int], top: int) -> tuple[list[str], list[str]]:
    """Fill and ink of every document."""
    steps = [0 if grade == 0 else 1 + round((len(_SHADES) - 2) * (grade - 1) / max(1, top - 1)) for grade in grades]
    if top == 1:
        steps = [3 if grade else 0 for grade in grades]
    return [_SHADES[step][0] for step in steps], [_SHADES[step][1] for step in steps]


def document_row(grades: Sequence[int], top: int, after_click: Sequence[str] = (), width: int = 300) -> go.Scatter:
    """The documents as one trace: a square a rank, in at least `width` pixels; `after_click` is what a click means."""
    fill, ink = shades(grades, top)
    size = int(min(30, max(12, width / (len(grades) + 0.2))))
    return go.Scatter(
        x=np.arange(1, len(grades) + 1),
        y=np.zeros(len(grades)),
        mode="markers+text",
        marker={"symbol": "square", "size": size, "color": fill, "line": {"color": "#00588A", "width": 1.2}},
        text=[f"{grade}" for grade in grades],
        textfont={"color": ink, "size": min(13, size - 2)},
        customdata=[[text] for text in after_click] or None,
        hovertemplate="rank %{x}: grade %{text}<br>click for another grade<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        showlegend=False,
    )


def graded_ranking(grades: Sequence[int], top: int, after_click: Sequence[str] = ()) -> go.Figure:
    """The row by itself."""
    x = {"title": {"text": "rank"}, "range": [0.4, len(grades) + 0.6], "dtick": 1, "showgrid": False}
    y = {"visible": False, "range": [-0.6, 0.6]}
    return chart([document_row(grades, top, after_click)], 110, x, y)
