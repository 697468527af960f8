"""Achieved significance levels: all pairs of systems by their p-value, one curve per measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import named_ticks, row_names, stand_out
from irviz.figures.direct import line_style
from irviz.figures.ranking import spread
from irviz.figures.squares import LONG_MARGIN, MOST_CELLS
from irviz.figures.theme import (
    FAINT,
    GREY,
    Floats,
    Trace,
    escape_names,
    figure,
    full_height,
    heatmap,
    labels,
    note,
    pieces,
    plotly_escape,
    scatter,
)

P_VALUES = "p-values of means"  #: whatever the average that ranks the systems
_POINTS = 300
FEW_PAIRS = 45  #: of systems, up to which every pair has a marker; dashes would be longer than the steps between them
_TINY = 0.01  # the axis of pairs begins where a p-value is larger
_ROW = 16  # pixels of a name above a curve
_LETTER = 6.5  # pixels that a letter of it is wide, about
_WIDTH = 270  # pixels of the plot on a phone


def asl_curves(names: Sequence[str], asl: Floats, alpha: float) -> go.Figure:
    """How many system pairs have p-values below each level up to alpha (Chen & Sakai 2023, Figure 2, turned round).

    `asl` is curves × pairs, largest first. The curve that ends furthest to the right separates the most pairs; names
    and counts stand above the figure. Curves of few pairs stand beside each other, so that no point covers another.
    """
    separated = (asl < alpha).sum(axis=1)
    texts = [f"{text}: {count:,}" for text, count in zip(labels(names), separated, strict=True)]
    aside = offsets(*asl.shape)
    curves = [
        _curve(row, int(count), text, alpha, i, aside[i])
        for i, (row, count, text) in enumerate(zip(asl, separated, texts, strict=True))
    ]
    ends, first = pair_range(asl, alpha), _all_below(asl, _TINY)
    first = first if alpha > _TINY and ends[1] / 5 <= first <= ends[1] - 10 else 0  # some pairs are left to see
    across = [first or ends[0], ends[1]]
    above = _ROW * len(names) + 12
    fig = figure([*curves, _crossings(names, separated, aside, alpha)], 295 + above)
    fig.update_layout(showlegend=False, margin={"t": above})
    _name_crossings(fig, texts, separated + aside, across, alpha, asl.shape[1] <= FEW_PAIRS)
    fig.add_hline(y=alpha, line={"color": GREY, "width": 1, "dash": "dot"})
    below = {"xref": "paper", "xanchor": "left", "yanchor": "top", "xshift": 14, "yshift": -4}  # a mark of no pairs
    fig.add_annotation(**note(f"α = {alpha:g}", 0, alpha, **below))  # at the left every curve lies on the axis
    same = "<br>(side by side: the same pair)" if aside.any() else ""
    fig.update_xaxes(title_text=f"{PAIRS}{same}", range=across)
    fig.update_yaxes(title_text="p-value", range=[-0.012 * alpha, alpha])
    return fig


def offsets(curves: int, pairs: int) -> Floats:
    """How far each of some curves stands right of its place, in pairs of systems; nowhere but where there are few.

    >>> offsets(3, 10).tolist(), offsets(3, 8256).tolist()
    ([-0.25, 0.0, 0.25], [0.0, 0.0, 0.0])
    """
    last = min(0.25, 0.8 / curves) * (curves - 1) / 2 if pairs <= FEW_PAIRS else 0.0
    return np.linspace(-last, last, curves) if last else np.zeros(curves)


def _name_crossings(
    fig: go.Figure, names: Sequence[str], crossing: Floats, x_range: Sequence[float], alpha: float, in_colour: bool
) -> None:
    """Write each curve's name left of a line that rises from where it crosses alpha, the leftmost lowest."""
    order, each = np.argsort(crossing, kind="stable").tolist(), (x_range[1] - x_range[0]) / _WIDTH  # pairs a pixel
    room = [x_range[0] + each * (_LETTER * len(names[i]) + 4) for i in order]  # no name begins left of the figure
    tails = spread(np.maximum.accumulate(np.maximum(crossing[order], room)).tolist(), 6 * each, x_range[0], x_range[1])
    for n, (i, tail) in enumerate(zip(order, tails, strict=True)):
        colour = line_style(i)["line"]["color"]
        leader = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": colour}
        place = {"ax": tail, "axref": "x", "ay": -(_ROW * (n + 0.5) + 4), "xanchor": "right", "borderpad": 3}
        look = {"font": {"size": 12} | ({"color": colour} if in_colour else {})}
        fig.add_annotation(text=names[i], x=float(crossing[i]), y=alpha, **place, **look, **leader)


def _curve(row: Floats, count: int, text: str, alpha: float, i: int, aside: float) -> Trace:
    """A curve from where `count` pairs are below alpha down to the smallest p-value, in steps unless it is thinned."""
    places = sample_places(row, alpha)
    places = places[row[places] < alpha]
    pairs = np.array([count, *(len(row) - places)])
    look, few = line_style(i), len(row) <= FEW_PAIRS
    shape = {"shape": "hv" if len(row) <= _POINTS else "linear"} | ({"dash": "solid", "width": 1.5} if few else {})
    return scatter(
        x=(pairs + aside).tolist(),
        y=[alpha, *np.round(row[places], 5).tolist()],
        mode="lines+markers" if few else "lines",
        line=look["line"] | shape,
        marker=look["marker"] | {"size": 6},
        cliponaxis=not few,
        name=text,
        customdata=pairs.tolist(),
        hovertemplate="pair %{customdata:,}: p = %{y:.4f}<extra>%{fullData.name}</extra>",
    )


def _crossings(names: Sequence[str], pair_counts: NDArray[np.integer], aside: Floats, alpha: float) -> Trace:
    """A dot where each curve crosses alpha; one trace, which is drawn sooner."""
    looks = [line_style(i)["marker"] for i in range(len(names))]
    symbols = {"symbol": [look["symbol"] for look in looks], "size": 8} if aside.any() else {"size": 6}
    return scatter(
        x=(pair_counts + aside).tolist(),
        y=[alpha] * len(names),
        mode="markers",
        cliponaxis=False,
        marker={"color": [look["color"] for look in looks], **symbols},
        customdata=[f"{text}, pairs separated: {n:,}" for text, n in zip(labels(names, 34), pair_counts, strict=True)],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _all_below(asl: Floats, level: float) -> int:
    """How many pairs have p-values below a level on every curve, rounded down to half a power of ten."""
    pairs = int((asl < level).sum(axis=1).min())
    step = max(1, 10 ** (len(str(pairs)) - 1) // 2)
    return pairs // step * step


def sample_places(row: Floats, alpha: float) -> NDArray[np.intp]:
    """At most some hundreds of places of a curve: evenly along it, and on both sides of alpha."""
    last = len(row) - 1
    crossing = int((row >= alpha).sum())
    places = np.round(np.linspace(0, last, min(_POINTS, last + 1))).astype(np.intp)
    return np.unique(np.concatenate([places, np.clip([crossing - 1, crossing], 0, last)]))


PAIRS = "pairs of systems, smallest p-value first"  #: the axis of such curves, from 0


def pair_range(asl: Floats, top: float) -> list[float]:
    """From 0 to the last pair that any curve has below the top of the figure."""
    last = max(int((asl < top).sum(axis=1).max()), min(asl.shape[1], 10))
    room = 0.4 if asl.shape[1] <= FEW_PAIRS else 0.0  # for curves beside each other
    return [-0.02 * last - room, 1.06 * last + room]


# -- Which pairs of systems two measures separate: both, one of them, or neither -------------------
#
# Half a square, systems by systems.  The four kinds differ in lightness, on a light page and on
# a dark one, and "neither" is nearest to the page on both.  Triangles show disagreement, too: up for the
# first, down for the second.

NEITHER, ONLY_FIRST, ONLY_SECOND, BOTH = range(4)
#: by kind; of those after the first each is half as light again as the next darker one
SEPARATION_COLOURS = (FAINT, "#3F8FD0", "#F2B27A", "#59626C")
_NAMED_TWICE = 12  #: systems of a figure of pairs that are named below it, too, and have larger signs
_SYMBOLS = ("square", "triangle-up", "triangle-down", "square")
_INK = "#1B1F24"  # of triangles, on a blue cell and on an orange one
MOST_NAMES = 15  #: systems up to here are named below a matrix, too


def pair_height(systems: int) -> int:
    """Pixels of the matrix, and of the figure beside it that has the same rows."""
    return full_height(systems, 400)


def pair_margin(systems: int) -> dict[str, int]:
    """The margins of both, so that their rows are level."""
    return {"t": 64, "b": 48} if systems <= MOST_CELLS else LONG_MARGIN


def pair_matrix(
    systems: Sequence[str],
    kinds: NDArray[np.float64],
    names: tuple[str, str],
    highlights: Sequence[int] = (),
    styles: tuple[int, int] = (0, 1),
    every: bool = True,
) -> go.Figure:
    """Upper triangle of systems × systems, one of four kinds per cell; of many systems, two dots each.

    `kinds` holds NEITHER, FIRST, SECOND or BOTH above the diagonal; `styles` are the places of both measures' curve
    styles.
    """
    size, place = len(systems), escape_names(systems)
    if size > MOST_CELLS:
        return row_names(_dots(systems, kinds, names, styles), systems, highlights, every)
    cells = heatmap(
        z=kinds.astype(np.float32),
        x=place,
        y=place,
        zmin=-0.5,
        zmax=3.5,
        colorscale=[(edge / 4, SEPARATION_COLOURS[i]) for i in range(4) for edge in (i, i + 1)],
        showscale=False,
        xgap=1,
        ygap=1,
        hoverongaps=False,
        hovertemplate="%{y} and %{x}<extra></extra>",
    )
    fig = figure([cells, *_legend(place, kinds, labels(names))], pair_height(size), margin=pair_margin(size))
    end = size - 0.5
    fig.update_xaxes(
        title_text="compared with (same order)", range=[-0.5, end], showgrid=False, **named_ticks(systems, 60, 18)
    )
    if len(systems) > _NAMED_TWICE:
        fig.update_xaxes(showticklabels=False, ticks="")
    fig.update_yaxes(range=[end, -0.5], showgrid=False, **named_ticks(systems, size, 22))
    stand_out(fig, systems, highlights, 22)
    return fig


def _dots(
    systems: Sequence[str],
    kinds: NDArray[np.float64],
    names: tuple[str, str],
    styles: tuple[int, int],
) -> go.Figure:
    """From how many others each system is separated by either, with a line between both."""
    rows = np.arange(len(systems))
    symmetric = np.where(np.isnan(kinds), kinds.T, kinds)
    both, *only = ((symmetric == kind).sum(axis=1) for kind in (BOTH, ONLY_FIRST, ONLY_SECOND))
    counts = [both + alone for alone in only]
    x, y = pieces(*counts), pieces(rows, rows)
    traces = [scatter(x=x, y=y, mode="lines", line={"width": 1, "color": GREY}, hoverinfo="skip", showlegend=False)]
    for name, count, i, ring in zip(labels(names), counts, styles, ("", "-open"), strict=True):
        look = line_style(i)["marker"]
        traces.append(
            scatter(
                x=count,
                y=rows,
                mode="markers",
                name=name,
                marker={**look, "symbol": look["symbol"] + ring, "size": 9 if ring else 7},
                customdata=[[plotly_escape(name), int(n)] for name, n in zip(systems, both, strict=True)],
                hovertemplate="%{customdata[0]}<br>%{x:,} by %{fullData.name}, %{customdata[1]:,} by both"
                "<extra></extra>",
            )
        )
    fig = figure(traces, pair_height(len(systems)), margin=pair_margin(len(systems)))
    last = len(systems) - 1
    title = "other systems that it is separated from"
    return fig.update_xaxes(title_text=title, range=[-0.02 * last, 1.02 * last], side="top")


def _legend(place: Sequence[str], kinds: NDArray[np.float64], names: Sequence[str]) -> list[Trace]:
    """One trace per kind: its legend entry with the count, and the triangles of the two that disagree."""
    words = {BOTH: "both", ONLY_FIRST: f"only {names[0]}", ONLY_SECOND: f"only {names[1]}", NEITHER: "neither"}
    traces = []
    for kind, text in words.items():
        cells, colour = np.argwhere(kinds == kind).tolist(), SEPARATION_COLOURS[kind]
        show = kind in (ONLY_FIRST, ONLY_SECOND)
        traces.append(
            scatter(
                x=[place[j] for _, j in cells] if show and cells else [None],
                y=[place[i] for i, _ in cells] if show and cells else [None],
                mode="markers",
                name=f"{text}: {len(cells):,}",
                marker={
                    "symbol": _SYMBOLS[kind],
                    "size": 6 if len(place) > _NAMED_TWICE else 11,
                    "color": _INK if show else colour,
                    "line": {"width": 1, "color": GREY if kind == NEITHER else colour},
                },
                hoverinfo="skip",
            )
        )
    return traces
