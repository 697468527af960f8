"""Squares of names × names: coefficients from −1 to 1 between rankings, and the frame of every such square.

And browsing models × aggregations: a number for every combination.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures import theme
from irviz.figures.axes import far, named_ticks
from irviz.figures.theme import (
    CHOSEN,
    DIVERGING,
    EVEN,
    SEQUENTIAL,
    STAR,
    Trace,
    colour_bar,
    figure,
    heatmap,
    plotly_escape,
)

Floats = NDArray[np.float64]
ColourScale = Sequence[Sequence[Any]]  #: place from 0 to 1 and hexadecimal colour, ascending
MOST_NUMBERS = 12  #: sides up to here have their numbers in the cells; longer ones have a colour bar
LONG_MARGIN = {"t": 112}  #: of a long figure: an axis at the top, below a legend of four rows on a phone
SIGNED_CELLS = {"zmin": -1, "zmax": 1, "colorscale": DIVERGING, "xgap": 1, "ygap": 1}
MOST_CELLS = 30  #: sides up to here have cells wide enough to be read and touched; longer ones have a bar per row
CONSTANT = "const."  #: in the place of a number that is the same for all lists


def coefficients(
    names: Sequence[str],
    values: Floats,
    unit: str,
    low: Floats | None = None,
    high: Floats | None = None,
    chosen: tuple[int, int] | None = None,
) -> go.Figure:
    """Coefficients between all `names`, coloured from −1 to 1; written into the cells where there is room.

    Parameters
    ----------
    names : of rows and columns
    values : names × names, in [−1, 1]; NaN where undefined, drawn as a dash on no colour
    unit : what a number is, such as Kendall's τ
    low, high : names × names, optional; interval for the hover text
    chosen : row and column of a cell that is framed, optional; then a click on a cell gives its two names
    """
    between = [[_between(low, high, i, j) for j in range(len(names))] for i in range(len(names))]
    written = len(names) <= MOST_NUMBERS
    trace = heatmap(
        z=np.round(values, 3),
        x=places(names),
        y=places(names),
        **SIGNED_CELLS,
        showscale=not written,
        colorbar=colour_bar(unit),
        customdata=between,
    )
    if chosen is None:
        trace["hovertemplate"] = f"%{{y}} and %{{x}}<br>{plotly_escape(unit)} %{{z:.3f}}%{{customdata}}<extra></extra>"
        return _written(square(trace, names), names, values) if written else square(trace, names)
    trace["hoverinfo"] = "skip"
    drawn = square(trace, names, least=380)
    said = [[_said(value, between[i][j]) for j, value in enumerate(row)] for i, row in enumerate(values.tolist())]
    drawn = _pickable(drawn, names, said, chosen)
    return _written(drawn, names, values) if written else drawn


def _written(drawn: go.Figure, names: Sequence[str], values: Floats) -> go.Figure:
    """The numbers, in the ink that is read best on the colour of their cell, and dashes where nothing is defined.

    Dashes have the page's own ink, because their cells have no colour.
    """
    texts = [[_cell(one) if np.isfinite(one) else "–" for one in row] for row in values.tolist()]
    for i in range(min(values.shape)):
        texts[i][i] = texts[i][i] if texts[i][i] == "–" else ""
    return write_cells(drawn, texts, (values + 1) / 2, DIVERGING, 11)


def pairs_once(names: Sequence[str], values: Floats, unit: str, low: Floats, high: Floats, alike: float) -> go.Figure:
    """Coefficients between all `names`, one cell a pair; those below `alike` are bold, on a fainter cell.

    The other arguments are those of :func:`coefficients`.
    """
    down, across = names[1:], names[:-1]
    here = np.tri(len(down), dtype=bool)
    shown = np.where(here, values[1:, :-1], np.nan)
    edge = (alike - 1e-5 + 1) / 2
    scale = [*DIVERGING[:3], (edge, DIVERGING[3][1]), (edge, "#1A6BA5"), DIVERGING[4]]
    trace = heatmap(
        z=np.round(shown, 5),
        x=places(across),
        y=places(down),
        **SIGNED_CELLS | {"colorscale": scale},
        showscale=False,
        hoverongaps=False,
        customdata=[[_between(low, high, i, j) for j in range(len(across))] for i in range(1, len(names))],
        hovertemplate=f"%{{y}} and %{{x}}<br>{plotly_escape(unit)} %{{z:.3f}}%{{customdata}}<extra></extra>",
    )
    texts = [[_marked(one, alike) for one in row[: i + 1].tolist()] for i, row in enumerate(shown)]
    return write_cells(square(trace, down, across=across), texts, (shown + 1) / 2, scale, 11)


def _marked(value: float, alike: float) -> str:
    """The text of a cell: bold below `alike`, with as many digits as show that it is.

    >>> _marked(0.9, 0.9), _marked(0.51, 0.9), _marked(0.8997, 0.9)
    ('.90', '<b>.51</b>', '<b>.8997</b>')
    """
    if not value < alike - 1e-9:
        return _cell(value) if np.isfinite(value) else "–"
    digits = next((n for n in (2, 3, 4) if round(value, n) < alike), 5)
    return f"<b>{value:.{digits}f}</b>".replace("0.", ".", 1).replace("-", "−")


def write_cells(
    drawn: go.Figure, texts: Sequence[Sequence[str]], places: Floats, scale: ColourScale, size: int = 12
) -> go.Figure:
    """Texts in the cells of a figure's heatmap, in the ink that is read best on each cell's colour.

    Parameters
    ----------
    texts : rows × columns; "" for none
    places : rows × columns; of the colours on the scale, from 0 to 1, NaN where a cell has none
    """
    across, down = drawn.data[0].x, drawn.data[0].y
    cells = [(i, j) for i, row in enumerate(texts) for j, text in enumerate(row) if text]
    inks = [ink_on(float(places[cell]), scale) if np.isfinite(places[cell]) else "" for cell in cells]
    for coloured in (True, False):
        some = [(cell, ink) for cell, ink in zip(cells, inks, strict=True) if bool(ink) == coloured]
        if some:
            drawn.add_scatter(
                x=[across[j] for (_, j), _ in some],
                y=[down[i] for (i, _), _ in some],
                mode="text",
                text=[texts[i][j] for (i, j), _ in some],
                textfont={"size": size, **({"color": [ink for _, ink in some]} if coloured else {})},
                hoverinfo="skip",
                showlegend=False,
            )
    return drawn


def ink_on(place: float, scale: ColourScale = DIVERGING) -> str:
    """Black or white, whichever has more contrast with the colour at a place of a scale: 4.5 to 1 or more.

    >>> [ink_on(place) for place in (0.0, 0.5, 0.895, 1.0)]
    ['#FFFFFF', '#000000', '#000000', '#FFFFFF']
    """
    return "#000000" if luminance(place, scale) > EVEN else "#FFFFFF"


def luminance(place: float, scale: ColourScale = DIVERGING) -> float:
    """How light the colour at a place of a scale is, from 0 to 1 (WCAG 2.2, relative luminance)."""
    (start, below), (end, above) = next(ends for ends in pairwise(scale) if place <= ends[1][0])
    share = (place - start) / (end - start)
    mixed = [(1 - share) * int(below[k : k + 2], 16) + share * int(above[k : k + 2], 16) for k in (1, 3, 5)]
    return theme.luminance(f"rgb{tuple(map(float, mixed))}")


def signed(
    drawn: go.Figure, names: Sequence[str], cells: Sequence[Sequence[int]], signs: str | Sequence[str], **font: Any
) -> go.Figure:
    """A sign in some of the cells; in the page's ink, unless `font` says otherwise."""
    at = places(names)
    if cells:
        drawn.add_scatter(
            x=[at[j] for _, j in cells],
            y=[at[i] for i, _ in cells],
            mode="text",
            text=signs,
            textfont=font or None,
            hoverinfo="skip",
            showlegend=False,
        )
    return drawn


def _pickable(
    drawn: go.Figure, names: Sequence[str], said: Sequence[Sequence[str]], chosen: tuple[int, int]
) -> go.Figure:
    """Invisible markers carry the names of a cell, because cells of a heatmap cannot be picked."""
    n, at = len(names), places(names)
    cells = [(i, j) for i in range(n) for j in range(n)]
    drawn.add_scatter(
        x=[at[j] for _, j in cells],
        y=[at[i] for i, _ in cells],
        mode="markers",
        opacity=0,
        showlegend=False,
        marker={"symbol": "square", "size": max(6, (drawn.layout.height - 150) // n), "color": "#000000"},
        customdata=[[names[i], names[j], at[i], at[j], said[i][j]] for i, j in cells],
        hovertemplate="%{customdata[2]}<br>and %{customdata[3]}<br>%{customdata[4]}<extra></extra>",
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
    )
    drawn.update_layout(hovermode="closest", dragmode=False)
    i, j = chosen
    frame = {"name": CHOSEN, "type": "rect", "x0": j - 0.5, "x1": j + 0.5, "y0": i - 0.5, "y1": i + 0.5}
    lines = ((6, "#FFFFFF"), (3, "#1B1F24"))  # to be seen on dark cells and pages and on pale ones
    drawn.update_layout(shapes=[{**frame, "line": {"width": width, "color": colour}} for width, colour in lines])
    return drawn


def square(trace: Trace, names: Sequence[str], least: int = 230, across: Sequence[str] = ()) -> go.Figure:
    """The frame of a square; its columns have the names of its rows, unless those `across` are given."""
    side, across = len(names), across or names
    drawn = figure([trace], int(min(900, max(least, 100 + 34 * side))))
    drawn.update_xaxes(
        range=[-0.5, side - 0.5], tickangle=-45 if side > 3 else 0, showgrid=False, **named_ticks(across, 40, 20)
    )
    drawn.update_yaxes(range=[side - 0.5, -0.5], showgrid=False, **named_ticks(names, 40, 20))
    return drawn


def places(names: Sequence[str]) -> list[str]:
    return [plotly_escape(name) for name in names]


def _cell(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1).replace("-", "−")


def _between(low: Floats | None, high: Floats | None, i: int, j: int) -> str:
    if low is None or high is None or i == j or not np.isfinite(low[i, j]):
        return ""
    return f" [{low[i, j]:.3f}, {high[i, j]:.3f}]".replace("-", "−")


def _said(value: float, between: str) -> str:
    return (
        f"{value:.3f}".replace("-", "−") + between
        if np.isfinite(value)
        else "not defined: one of them ties all systems"
    )


def combination_grid(
    models: Sequence[str],
    aggregations: Sequence[str],
    values: Floats,
    canonical: NDArray[np.bool_],
    constant: NDArray[np.bool_],
    unit: str,
    coloured: bool = True,
) -> go.Figure:
    """Every combination's number, written and coloured (Chen & Sakai 2023, Tables 1 and 3).

    Parameters
    ----------
    models, aggregations : names of the rows and columns
    values : models × aggregations; NaN where undefined
    canonical : models × aggregations; the aggregation that gives the measure of the model's name gets a star
    constant : models × aggregations; combinations under which every list scores the same
    unit : what a number is
    coloured : false if numbers of different columns do not compare

    A number far below or above all others has the palest or the darkest colour, and an arrow.
    """
    colours = np.where(np.isfinite(values) & ~constant & coloured, values, np.nan)
    near = colours[np.isfinite(colours) & ~far(colours)]
    low, high = (near.min(), near.max()) if near.size else (0.0, 1.0)
    beyond = np.select([colours < low, colours > high], ["↓", "↑"], "")
    colours = np.clip(colours, low, high)  # one number far from all others would leave these one colour
    words = [
        [beyond[i, j] + cell_words(values[i, j], canonical[i, j], constant[i, j]) for j in range(len(aggregations))]
        for i in range(len(models))
    ]
    trace = heatmap(
        z=np.round(colours, 4),
        x=[plotly_escape(name) for name in aggregations],
        y=[plotly_escape(name) for name in models],
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
    return write_cells(drawn, words, (colours - low) / ((high - low) or 1.0), SEQUENTIAL)


def cell_words(value: float, canonical: bool, constant: bool) -> str:
    """The text of a cell, which on a phone is not wide.

    >>> cell_words(0.3141, True, False), cell_words(0.5, False, True), cell_words(12.34, False, False)
    ('<sup>★</sup>.314', 'const.', '12.3')
    >>> cell_words(-0.0458, False, False)
    '−.046'
    """
    if constant:
        return CONSTANT
    if not np.isfinite(value):
        return "–"
    text = (f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3g}").replace("-", "−")
    return f"<sup>{STAR}</sup>{text}" if canonical else text
