"""How the ranking of the systems shifts from one way of averaging to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.direct import line_style
from irviz.figures.slope import LONGEST_LABEL, side_margin, spread
from irviz.figures.text import labels, plotly_escape
from irviz.figures.theme import GREY, Trace, figure, row_height, scatter

Ranks = NDArray[np.int64]


def bump_chart(columns: Sequence[str], systems: Sequence[str], ranks: Ranks, marked: Sequence[int]) -> go.Figure:
    """Ranks of the systems, one column per summary; some of them stand out and are named.

    Parameters
    ----------
    columns : names of the summaries, left to right
    systems : names
    ranks : columns × systems; 1 is best, tied systems share their rank
    marked : positions of the systems that stand out: those that move most
    """
    height = row_height(len(systems), least=360, each=11, most=1100)
    traces = [_others(systems, ranks, marked), *(_mover(systems[s], ranks[:, s], n) for n, s in enumerate(marked))]
    drawn = figure(traces, height, hovermode="closest", showlegend=False)
    drawn.update_yaxes(range=[len(systems) + 0.7, 0.3], showgrid=False, showticklabels=False, ticks="")
    named = [systems[s] for s in marked]
    texts = labels(named, LONGEST_LABEL)
    ends = [f"{ranks[-1, s]:g} {text}" for s, text in zip(marked, texts, strict=True)]
    starts = _names(drawn, [f"{ranks[0, s]:g}" for s in marked], ranks[0, marked], 0, "right", -8)
    names = _names(drawn, ends, ranks[-1, marked], len(columns) - 1, "left", 8)
    drawn.update_layout(margin={"l": 34, "r": side_margin(named, len(f"{len(systems)} "))}, annotations=starts + names)
    drawn.update_xaxes(
        tickvals=list(range(len(columns))),
        ticktext=labels(columns, 14),
        side="top",
        range=[-0.1, len(columns) - 0.94],
        showgrid=True,
        autotickangles=[0, -60, -90],
    )
    return drawn


def _others(systems: Sequence[str], ranks: Ranks, marked: Sequence[int]) -> Trace:
    """All systems that do not stand out, in one trace."""
    rest = [s for s in range(len(systems)) if s not in set(marked)]
    places = np.append(np.arange(len(ranks), dtype=np.float64), np.nan)
    return scatter(
        x=np.tile(places, len(rest)),
        y=np.concatenate([np.append(ranks[:, s], np.nan) for s in rest] or [np.empty(0)]),
        mode="lines+markers",
        line={"color": GREY, "width": 0.8},
        marker={"size": 3, "color": GREY},
        opacity=0.55,
        customdata=np.repeat([plotly_escape(systems[s]) for s in rest], len(places)),
        hovertemplate="%{customdata}: rank %{y}<extra></extra>",
    )


def _mover(system: str, ranks: Ranks, n: int) -> Trace:
    return scatter(
        x=np.arange(len(ranks)),
        y=ranks,
        mode="lines+markers",
        name=plotly_escape(system),
        cliponaxis=False,
        **line_style(n),
        hovertemplate="rank %{y}<extra>%{fullData.name}</extra>",
    )


def _names(
    drawn: go.Figure, texts: Sequence[str], ranks: Ranks, x: int, anchor: str, shift: int
) -> list[dict[str, Any]]:
    """A text for every system that stands out, beside one end of its line."""
    count = drawn.layout.yaxis.range[0]
    gap = count * 15 / (drawn.layout.height - 60)
    return [
        {
            "x": x,
            "y": place,
            "xanchor": anchor,
            "xshift": shift,
            "showarrow": False,
            "text": text,
            "font": {"size": 12},
        }
        for text, place in zip(texts, spread(ranks.tolist(), gap, 1.0, count), strict=True)
    ]
