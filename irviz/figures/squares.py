"""Squares of names × names: coefficients from −1 to 1 between rankings, and the frame of every such square.

And browsing models × aggregations: a number for every combination.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import rounded
from irviz.figures import theme
from irviz.figures.axes import far, named_ticks
from irviz.figures.theme import (
    CHOICE_MARK,
    DIVERGING,
    EVEN,
    ON_PAPER,
    SEQUENTIAL,
    STAR,
    VERMILION,
    Floats,
    Trace,
    colour_bar,
    escape_names,
    figure,
    heatmap,
    note,
    plotly_escape,
)

ColourScale = Sequence[Sequence[Any]]  #: place from 0 to 1 and hexadecimal colour, ascending
MOST_NUMBERS = 12  #: sides up to here have their numbers in the cells; longer ones have a colour bar
LONG_MARGIN = {"t": 112}  #: of a long figure: an axis at the top, below a legend of four rows on a phone
SIGNED_CELLS = {"zmin": -1, "zmax": 1, "colorscale": DIVERGING, "xgap": 1, "ygap": 1}
MOST_CELLS = 30  #: sides up to here have cells wide enough to be read and touched; longer ones have a bar per row
_IN = 0.455  # of a cell, from its middle to a frame inside it
_LEVEL = 35  # letters of all names of columns that even a phone has room for
CONSTANT = "="  #: in the place of a number that is the same for all lists
#: what the signs of a combination mean, in the order in which they are told
_SIGNS = {STAR: "the row's own measure", CONSTANT: "all lists score alike", "↓": "far below", "↑": "far above"}


def coefficients(
    names: Sequence[str],
    values: Floats,
    unit: str,
    low: Floats | None = None,
    high: Floats | None = None,
    chosen_pair: tuple[int, int] | None = None,
    alike: float = -1.0,
) -> go.Figure:
    """Coefficients in [−1, 1], NaN where undefined, as colours, and as numbers where there is room.

    A pair has one cell if the coefficient is symmetric. Cells below `alike` are faint and bold; with a `chosen_pair`,
    that cell is framed, and a click on a cell gives its two names. `low` and `high` are shown on hovering.
    """
    once = len(names) > 1 and np.allclose(values, values.T, atol=1e-12, equal_nan=True)
    down, across = (names[1:], names[:-1]) if once else (names, names)
    here = np.tri(len(down), dtype=bool) if once else ~np.eye(len(names), dtype=bool)
    cells = np.where(here, values[1:, :-1] if once else values, np.nan)
    pairs = {(i, j): (j, i + 1) if once else (i, j) for i, j in np.argwhere(here).tolist()}  # the two names of a cell
    between = [[_interval_text(low, high, i + once, j) for j in range(len(across))] for i in range(len(down))]
    written = len(names) <= MOST_NUMBERS
    edge = (alike - 1e-5 + 1) / 2
    scale = [*DIVERGING[:3], (edge, DIVERGING[3][1]), (edge, "#1A6BA5"), DIVERGING[4]] if alike > -1 else DIVERGING
    trace = heatmap(
        z=np.round(cells, 5),
        x=escape_names(across),
        y=escape_names(down),
        **SIGNED_CELLS | {"colorscale": scale},
        showscale=not written,
        colorbar=colour_bar(unit),
        hoverongaps=False,
        customdata=between,
        hovertemplate=f"%{{y}} and %{{x}}<br>{plotly_escape(unit)} %{{z:.3f}}%{{customdata}}<extra></extra>",
    )
    if chosen_pair is None:
        fig = square(trace, down, columns=across)
    else:
        trace["hoverinfo"] = "skip"
        del trace["hovertemplate"]
        fig = square(trace, down, least=380, columns=across)
        cell_texts = {cell: _coefficient_text(cells[cell], between[cell[0]][cell[1]]) for cell in pairs}
        _pickable(fig, names, pairs, cell_texts, tuple(sorted(chosen_pair)) if once else chosen_pair)
    if not written:
        return fig
    texts = [
        [_cell_text(cells[i, j], alike) if here[i, j] else "" for j in range(len(across))] for i in range(len(down))
    ]
    return write_cells(fig, texts, (cells + 1) / 2, scale, 11)


def _cell_text(value: float, alike: float) -> str:
    """The text of a cell: bold below `alike`, with a sign where its digits do not show that it is.

    >>> _cell_text(0.9, 0.9), _cell_text(0.51, 0.9), _cell_text(0.8997, 0.9)
    ('.90', '<b>.51</b>', '<b>&lt;.90</b>')
    """
    if not value < alike - 1e-9:  # and where it is undefined
        return _cell(value) if np.isfinite(value) else "–"
    return f"<b>{'' if round(value, 2) < alike else '&lt;'}{_cell(value)}</b>"


def write_cells(
    fig: go.Figure, texts: Sequence[Sequence[str]], places: Floats, scale: ColourScale, size: int = 12
) -> go.Figure:
    """Texts in the cells of a heatmap, in the best ink for each colour (0 to 1 on the scale, NaN for none)."""
    cells = [(i, j) for i, row in enumerate(texts) for j, text in enumerate(row) if text]
    on_colour = [cell for cell in cells if np.isfinite(places[cell])]
    inks = [ink_on(float(places[cell]), scale) for cell in on_colour]
    write_signs(fig, on_colour, [texts[i][j] for i, j in on_colour], size=size, color=inks)
    others = [cell for cell in cells if not np.isfinite(places[cell])]
    return write_signs(fig, others, [texts[i][j] for i, j in others], size=size)


def write_signs(fig: go.Figure, cells: Sequence[Sequence[int]], signs: str | Sequence[str], **font: Any) -> go.Figure:
    """A text in some cells of a figure's heatmap, in the page's ink unless `font` says otherwise."""
    if cells:
        across, down = fig.data[0].x, fig.data[0].y
        fig.add_scatter(
            x=[across[j] for _, j in cells],
            y=[down[i] for i, _ in cells],
            mode="text",
            text=signs,
            textfont=font or None,
            hoverinfo="skip",
            showlegend=False,
        )
    return fig


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


def _pickable(
    fig: go.Figure,
    names: Sequence[str],
    pairs: Mapping[tuple[int, int], tuple[int, int]],
    cell_texts: Mapping[tuple[int, int], str],
    chosen_pair: tuple[int, ...],
) -> None:
    """Invisible markers with the names of each cell, since cells of a heatmap cannot be picked; one cell is framed."""
    at, (cells, *_) = escape_names(names), fig.data
    fig.add_scatter(
        x=[cells.x[j] for _, j in pairs],
        y=[cells.y[i] for i, _ in pairs],
        mode="markers",
        opacity=0,
        showlegend=False,
        marker={"symbol": "square", "size": max(6, (fig.layout.height - 150) // len(names)), "color": "#000000"},
        customdata=[[names[a], names[b], at[a], at[b], cell_texts[cell]] for cell, (a, b) in pairs.items()],
        hovertemplate="%{customdata[2]}<br>and %{customdata[3]}<br>%{customdata[4]}<extra></extra>",
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
    )
    fig.update_layout(hovermode="closest", dragmode=False)
    lines = ((6, "#1B1F24"), (3, "#FFFFFF"))  # a white line within a dark one, to be seen on dark cells and pale ones
    for i, j in (cell for cell, pair in pairs.items() if pair == chosen_pair):
        frame = {"name": CHOICE_MARK, "type": "rect", "x0": j - _IN, "x1": j + _IN, "y0": i - _IN, "y1": i + _IN}
        fig.update_layout(shapes=[{**frame, "line": {"width": width, "color": colour}} for width, colour in lines])


def square(trace: Trace, names: Sequence[str], least: int = 230, columns: Sequence[str] = ()) -> go.Figure:
    """The frame of a square of `names`; `columns` have names of their own if given."""
    side, columns = len(names), columns or names
    fig = figure([trace], int(min(900, max(least, 100 + 34 * side))))
    short = side * max(map(len, columns), default=0) <= _LEVEL
    angles = {"tickangle": 0} if short else {"autotickangles": [0, -45, -90]}
    fig.update_xaxes(range=[-0.5, side - 0.5], showgrid=False, **angles, **named_ticks(columns, 40, 20))
    fig.update_yaxes(range=[side - 0.5, -0.5], showgrid=False, **named_ticks(names, 40, 20))
    return fig


def _cell(value: float) -> str:
    return rounded(value, 2).replace("0.", ".", 1).replace("-", "−")


def _interval_text(low: Floats | None, high: Floats | None, i: int, j: int) -> str:
    if low is None or high is None or i == j or not np.isfinite(low[i, j]):
        return ""
    return f" [{low[i, j]:.3f}, {high[i, j]:.3f}]".replace("-", "−")


def _coefficient_text(value: float, interval: str) -> str:
    if not np.isfinite(value):
        return "not defined: one of them ties all systems"
    return f"{rounded(value, 3)}{interval}".replace("-", "−")


def combination_grid(
    models: Sequence[str],
    aggregations: Sequence[str],
    values: Floats,
    canonical: NDArray[np.bool_],
    constant: NDArray[np.bool_],
    unit: str,
    in_colour: bool = True,
) -> go.Figure:
    """Every combination's number, written and coloured (Chen & Sakai 2023, Tables 1 and 3).

    A star marks `canonical` combinations, which are the measure of the model's name; under `constant` ones all lists
    score alike. Numbers far from all others have an arrow; the highest of a row is framed. `in_colour` is false if
    columns do not compare.
    """
    colours = np.where(np.isfinite(values) & ~constant & in_colour, values, np.nan)
    near = colours[np.isfinite(colours) & ~far(colours)]
    low, high = (near.min(), near.max()) if near.size else (0.0, 1.0)
    beyond = np.select([colours < low, colours > high], ["↓", "↑"], "")
    colours = np.clip(colours, low, high)  # one number far from all others would leave these one colour
    parts = (values, canonical, constant, beyond)
    words = [[cell_words(*cell) for cell in zip(*row, strict=True)] for row in zip(*parts, strict=True)]
    trace = heatmap(
        z=np.round(colours, 4),
        x=escape_names(aggregations),
        y=escape_names(models),
        colorscale=SEQUENTIAL,
        showscale=False,
        xgap=1,
        ygap=1,
        customdata=np.round(values, 4),
        hovertemplate=f"%{{y}}, %{{x}}<br>{plotly_escape(unit)} %{{customdata:.4f}}<extra></extra>",
    )
    fig = figure([trace], int(min(700, 110 + 36 * len(models))))
    fig.update_xaxes(side="top", showgrid=False, **named_ticks(aggregations, 20, 14))
    fig.update_yaxes(range=[len(models) - 0.5, -0.5], showgrid=False, **named_ticks(models, 20, 18))
    written = "".join(text for row in words for text in row)
    if signs := [f"{sign} {meaning}" for sign, meaning in _SIGNS.items() if sign in written]:
        lines = [signs[0], "; ".join(signs[1:])] if len(signs) > 1 else signs  # a phone has no room for all on one
        above = {"xanchor": "right", "yanchor": "bottom", "yshift": 24, "align": "right"}
        fig.add_annotation(**note("<br>".join(lines), 1, 1, **ON_PAPER, **above))
        fig.update_layout(margin={"t": 30 + 16 * len(lines)})
    comparable = np.where(np.isfinite(colours), values, -np.inf)
    highest = np.isfinite(comparable) & (comparable >= comparable.max(axis=1, keepdims=True) - 1e-9)
    for i, j in np.argwhere(highest).tolist():
        at = {"x0": j - 0.46, "x1": j + 0.46, "y0": i - 0.44, "y1": i + 0.44}
        fig.add_shape(type="rect", **at, line={"width": 2, "color": VERMILION})
    return write_cells(fig, words, (colours - low) / ((high - low) or 1.0), SEQUENTIAL)


def cell_words(value: float, canonical: bool, constant: bool, arrow: str = "") -> str:
    """The text of a narrow cell: signs above the number.

    >>> cell_words(0.3141, True, False), cell_words(-0.0458, False, False, "↓"), cell_words(0.5, False, True)
    ('★<br>.314', '↓<br>−.046', '=')
    """
    number = f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3g}".replace("nan", "–")
    signs = STAR * bool(canonical) + arrow
    return CONSTANT if constant else f"{signs}{'<br>' * bool(signs)}{number}".replace("-", "−")
