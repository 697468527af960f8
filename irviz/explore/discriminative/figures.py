"""Systems in order, with a bar beside every run of them that a test does not separate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import padded_range, stand_out, ticks
from irviz.figures.text import plotly_escape
from irviz.figures.theme import BLUE, VERMILION, Trace, figure, full_height, scatter

Floats = NDArray[np.float64]
Runs = Sequence[tuple[int, int]]
End = tuple[float, float, str]  #: of a bar: its lane, its row, and what it says


def grouped_ranking(
    systems: Sequence[str], centres: Floats, runs: Runs, axis: str, marked: Sequence[int] = ()
) -> go.Figure:
    """One dot per system at its centre, best on top; right of it, bars that join systems not separated.

    Parameters
    ----------
    systems : names, best first
    centres : by system, in the same order
    runs : first and last position of every group, from the top
    axis : what a centre is
    marked : positions of the systems that stand out
    """
    rows = np.arange(len(systems))
    dots = scatter(
        x=np.round(centres, 5),
        y=rows,
        mode="markers",
        marker={"color": BLUE, "size": 8},
        showlegend=False,
        customdata=[plotly_escape(name) for name in systems],
        hovertemplate="%{customdata}<br>%{x:.4f}<extra></extra>",
    )
    height = full_height(len(systems), least=300)
    drawn = figure([dots, *_bars(runs)], height, hovermode="closest", showlegend=False)
    lanes = max(lanes_of(runs), default=0) + 1
    share = min(0.45, 0.06 + 0.035 * lanes)
    drawn.update_layout(
        xaxis={"domain": [0, 0.98 - share], "title": {"text": plotly_escape(axis)}, "range": padded_range(centres)},
        xaxis2={
            "domain": [1 - share, 1],
            "range": [-0.6, lanes - 0.4],
            "showticklabels": False,
            "ticks": "",
            "showgrid": False,
            "zeroline": False,
        },
    )
    drawn.update_yaxes(
        range=[len(systems) - 0.4, -0.6], **ticks(systems, (height - 60) // 15), showgrid=False, zeroline=False
    )
    drawn.add_annotation(
        x=1,
        xref="paper",
        xanchor="right",
        y=1,
        yref="paper",
        yanchor="bottom",
        text="not separated",
        showarrow=False,
        font={"size": 12},
    )
    drawn.update_layout(margin={"t": 26})
    stand_out(drawn, systems, marked)
    return drawn


def lanes_of(runs: Runs) -> list[int]:
    """The lane of every bar: the first in which the one before has ended.

    >>> lanes_of([(0, 3), (2, 5), (4, 6)])
    [0, 1, 0]
    """
    ends: list[int] = []
    lanes = []
    for first, last in runs:
        lane = next((i for i, end in enumerate(ends) if end < first), len(ends))
        ends[lane : lane + 1] = [last]
        lanes.append(lane)
    return lanes


def _bars(runs: Runs) -> list[Trace]:
    """One bar per run, the thinner the more stand side by side; a dot where a system stands alone."""
    lanes = lanes_of(runs)
    width = max(1.0, min(4.0, 40 / (max(lanes, default=0) + 1)))  # pixels: a narrow screen has about 100 for all lanes
    bars = [(lane, first, last) for (first, last), lane in zip(runs, lanes, strict=True) if last > first]
    dots = [(lane, first, last) for (first, last), lane in zip(runs, lanes, strict=True) if last == first]
    return [
        _joined(
            [point for bar in bars for point in _ends(*bar)], mode="lines", line={"color": VERMILION, "width": width}
        ),
        _joined([_ends(*dot)[0] for dot in dots], mode="markers", marker={"color": VERMILION, "size": 5}),
    ]


def _ends(lane: int, first: int, last: int) -> list[End]:
    """Both ends of a bar with what it says, and the gap after it; of a dot, the first is all."""
    if first == last:
        return [(lane, first, f"rank {first + 1}: separated from its neighbours")]
    words = f"ranks {first + 1} to {last + 1}: {last - first + 1} systems"
    return [(lane, first - 0.25, words), (lane, last + 0.25, words), (np.nan, np.nan, "")]


def _joined(points: Sequence[End], **style: Any) -> Trace:
    """One trace for all bars: a browser draws one path at once and forty of them one by one."""
    x, y, said = zip(*points, strict=True) if points else ((), (), ())
    return scatter(
        x=np.array(x, dtype=np.float64),
        y=np.array(y, dtype=np.float64),
        xaxis="x2",
        customdata=said,
        hovertemplate="%{customdata}<extra></extra>",
        **style,
    )
