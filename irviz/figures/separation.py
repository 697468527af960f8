"""Which pairs of systems two measures separate: both, one of them, or neither.

Half a square, systems by systems.  The four kinds differ in lightness, on a light page and on
a dark one, and "neither" is nearest to the page on both.  Where cells are wide enough, triangles
show disagreement, too: up for the first, down for the second.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import named_ticks, stand_out
from irviz.figures.text import labels, plotly_escape
from irviz.figures.theme import FAINT, GREY, Trace, figure, heatmap, row_height, scatter, stepped

NEITHER, ONLY_FIRST, ONLY_SECOND, BOTH = range(4)
#: by kind; of those after the first each is half as light again as the next darker one
SEPARATION_COLOURS = (FAINT, "#3F8FD0", "#F2B27A", "#59626C")
_SYMBOLS = ("square", "triangle-up", "triangle-down", "square")
_INK = "#1B1F24"  # of triangles, on a blue cell and on an orange one
MOST_NAMES = 15  #: systems up to here are named below the matrix too, not only beside it
MOST_APART = 30  #: systems up to here have cells wide enough for gaps between them, and for triangles


def pair_matrix(
    systems: Sequence[str], kinds: NDArray[np.float64], names: tuple[str, str], marked: Sequence[int] = ()
) -> go.Figure:
    """Upper triangle of systems × systems, one of four kinds per cell.

    Parameters
    ----------
    systems : names in the order they are drawn, best first
    kinds : systems × systems; NEITHER, FIRST, SECOND or BOTH above the diagonal, NaN elsewhere
    names : of the two measures
    marked : positions of the systems that stand out
    """
    drawn = figure(
        [_cells(systems, kinds), *_legend(systems, kinds, names)],
        row_height(len(systems), least=400, each=16 if len(systems) <= MOST_APART else 13, most=2800) + 30,
    )
    room = int((drawn.layout.height - 130) // 13)
    end = len(systems) - 0.5
    drawn.update_xaxes(title_text="the same systems", range=[-0.5, end], **named_ticks(systems, 60, 18))
    drawn.update_xaxes(tickangle=-90, showticklabels=len(systems) <= MOST_NAMES, ticks="")
    drawn.update_yaxes(range=[end, -0.5], **named_ticks(systems, room, 22))
    drawn.update_xaxes(showgrid=False)
    drawn.update_yaxes(showgrid=False)
    stand_out(drawn, systems, marked, 22)
    return drawn


def _cells(systems: Sequence[str], kinds: NDArray[np.float64]) -> Trace:
    place = [plotly_escape(name) for name in systems]
    gap = 1 if len(systems) <= MOST_APART else 0
    return heatmap(
        z=kinds.astype(np.float32),
        x=place,
        y=place,
        zmin=-0.5,
        zmax=3.5,
        colorscale=stepped(SEPARATION_COLOURS),
        showscale=False,
        xgap=gap,
        ygap=gap,
        hoverongaps=False,
        hovertemplate="%{y} and %{x}<extra></extra>",
    )


def _legend(systems: Sequence[str], kinds: NDArray[np.float64], names: tuple[str, str]) -> list[Trace]:
    """One trace per kind: its legend entry with the count, and the triangles of the two that disagree."""
    a, b = labels(names)
    words = {BOTH: "both", ONLY_FIRST: f"only {a}", ONLY_SECOND: f"only {b}", NEITHER: "neither"}
    place = np.array([plotly_escape(name) for name in systems], dtype=object)
    marked = len(systems) <= MOST_APART
    traces = []
    for kind, text in words.items():
        rows, columns = np.nonzero(kinds == kind)
        show = kind in (ONLY_FIRST, ONLY_SECOND) and marked
        colour = SEPARATION_COLOURS[kind]
        traces.append(
            scatter(
                x=place[columns] if show and len(rows) else [None],
                y=place[rows] if show and len(rows) else [None],
                mode="markers",
                name=f"{text}: {len(rows):,}",
                marker={
                    "symbol": _SYMBOLS[kind] if marked else "square",
                    "size": 6,
                    "color": _INK if show else colour,
                    "line": {"width": 1, "color": GREY if kind == NEITHER else colour},
                },
                hoverinfo="skip",
            )
        )
    return traces
