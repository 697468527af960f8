"""Browsing models × aggregations: one number per combination."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import named_ticks
from irviz.figures.text import STAR, plotly_escape
from irviz.figures.theme import SEQUENTIAL, figure, heatmap

Floats = NDArray[np.float64]
_CONSTANT = "const."


def combination_grid(
    models: Sequence[str],
    aggregations: Sequence[str],
    values: Floats,
    canonical: NDArray[np.bool_],
    constant: NDArray[np.bool_],
    unit: str,
    logarithmic: bool = False,
) -> go.Figure:
    """Every combination's number, written and coloured (Chen & Sakai 2023, Tables 1 and 3).

    Parameters
    ----------
    models, aggregations : names of the rows and columns
    values : models × aggregations; NaN where undefined
    canonical : models × aggregations; the aggregation that gives the measure of the model's name gets a star
    constant : models × aggregations; combinations under which every list scores the same
    unit : what a number is
    logarithmic : colours follow the logarithm, for numbers of very different size
    """
    shown = np.where(constant, np.nan, values)
    colours = np.full(shown.shape, np.nan)
    usable = np.isfinite(shown) & ((shown > 0) | (not logarithmic))
    colours[usable] = np.log10(shown[usable]) if logarithmic else shown[usable]
    words = [
        [cell_words(values[i, j], canonical[i, j], constant[i, j]) for j in range(len(aggregations))]
        for i in range(len(models))
    ]
    trace = heatmap(
        z=np.round(colours, 4),
        x=[plotly_escape(name) for name in aggregations],
        y=[plotly_escape(name) for name in models],
        text=words,
        texttemplate="%{text}",
        textfont={"size": 12},
        colorscale=SEQUENTIAL,
        showscale=False,
        xgap=1,
        ygap=1,
        customdata=np.round(values, 4),
        hovertemplate=f"%{{y}}, %{{x}}<br>{plotly_escape(unit)} %{{customdata:.4f}}<extra></extra>",
    )
    drawn = figure([trace], int(min(700, 110 + 36 * len(models))))
    drawn.update_xaxes(side="top", showgrid=False, **named_ticks(aggregations, 20, 14))
    drawn.update_yaxes(range=[len(models) - 0.5, -0.5], showgrid=False, **named_ticks(models, 20, 18))
    return drawn


def starred(names: Sequence[str], canonical: str, constant: NDArray[np.bool_]) -> list[str]:
    """Names with a star before the canonical one, and the constant ones marked.

    >>> starred(["ERG", "max", "ERR"], "ERG", np.array([False, False, True]))
    ['★ ERG', 'max', 'ERR (const.)']
    """
    marked = [f"{STAR} {name}" if name == canonical else name for name in names]
    return [f"{name} ({_CONSTANT})" if flat else name for name, flat in zip(marked, constant, strict=True)]


def cell_words(value: float, canonical: bool, constant: bool) -> str:
    """The text of a cell.

    >>> cell_words(0.3141, True, False), cell_words(0.5, False, True), cell_words(12.34, False, False)
    ('★ .314', 'const.', '12.3')
    """
    if constant:
        return _CONSTANT
    if not np.isfinite(value):
        return "–"
    text = f"{value:.3f}".lstrip("0") if 0 <= value < 1 else f"{value:.3g}".replace("-", "−")
    return f"{STAR} {text}" if canonical else text
