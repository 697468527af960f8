"""Two rankings of the same systems, joined by lines: which systems move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from irviz.figures.axes import padded_range, stand_out, ticks
from irviz.figures.theme import (
    BLUE,
    DASHES,
    GREY,
    MARKERS,
    PALETTE,
    Layout,
    Trace,
    figure,
    full_height,
    labels,
    plotly_escape,
    scatter,
    shortened,
)

# -- Systems from best to worst, each with its confidence interval ---------------------------------

Floats = NDArray[np.float64]


def ranking(
    systems: Sequence[str],
    summary: Floats,
    low: Floats,
    high: Floats,
    axis: str,
    ranks: NDArray[np.integer],
    marked: Sequence[int] = (),
) -> go.Figure:
    """One dot per system at its `summary`, a line from `low` to `high`; best on top.

    Parameters
    ----------
    systems : names, best first
    summary, low, high : by system, in the same order; NaN leaves the line out
    axis : str
        Title of the score axis.
    ranks : by system; tied systems share theirs
    marked : positions of the systems that stand out
    """
    rows = np.arange(len(systems))
    known = np.isfinite(low) & np.isfinite(high)
    trace = scatter(
        x=np.round(summary, 5),
        y=rows,
        mode="markers",
        marker={"color": BLUE, "size": 8},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": np.round(np.where(known, high - summary, 0), 5),
            "arrayminus": np.round(np.where(known, summary - low, 0), 5),
            "thickness": 1.5,
            "width": 0,
            "color": BLUE,
        },
        customdata=[
            [plotly_escape(name), int(rank), interval_text(a, b)]
            for name, rank, a, b in zip(systems, ranks, low, high, strict=True)
        ],
        hovertemplate="%{customdata[1]}. %{customdata[0]}<br>%{x:.4f} %{customdata[2]}<extra></extra>",
        showlegend=False,
    )
    height = full_height(len(systems))
    drawn = figure([trace], height)
    ends = np.concatenate([summary, low[known], high[known]])
    drawn.update_xaxes(title_text=plotly_escape(axis), range=padded_range(ends), side="top")
    drawn.update_yaxes(
        range=[len(systems) - 0.4, -0.6], **ticks(systems, (height - 60) // 15), showgrid=False, zeroline=False
    )
    stand_out(drawn, systems, marked)
    return drawn


def interval_text(low: float, high: float) -> str:
    """An interval as hover text; nothing where it is unknown."""
    if not (np.isfinite(low) and np.isfinite(high)):
        return ""
    return f"[{low:.4f}, {high:.4f}]".replace("-", "−")


# --------------------------------------------------------------------------------------------------

LONGEST_LABEL = 22  #: letters of a label
LEADER = 16  #: pixels from the end of a curve to its label
_EACH = 7.0  # pixels that a letter is wide, about
_LEFT, _RIGHT = 60, 60  # pixels that the titles of the two axes reach beyond them


def slope(
    systems: Sequence[str],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    names: tuple[str, str],
    moving: Sequence[int],
) -> go.Figure:
    """Ranks (1 is best) by two measures; some systems stand out, with their first rank, and named beside the second.

    Parameters
    ----------
    systems : names
    left, right : ranks by system; tied systems share their rank
    names : the two measures
    moving : positions of the systems that stand out: those that move most
    """
    still = (([0, 1], [left[i], right[i]]) for i in range(len(systems)) if i not in moving)
    count = len(systems)
    height = int(min(900, max(340, 90 + 11 * count)))
    traces = other_systems(still, {"width": 1}, mode="lines+markers", marker={"size": 3})
    gap = count * 15 / max(1, height - 70)
    texts = labels([systems[i] for i in moving], LONGEST_LABEL)
    ends = [f"{right[i]:g} {text}" for i, text in zip(moving, texts, strict=True)]
    for n, i in enumerate(moving):
        traces.append(_moving(n, texts[n], float(left[i]), float(right[i])))
    drawn = figure(traces, height, hovermode="closest", showlegend=False)
    starts = [f"{left[i]:g}" for i in moving]
    drawn.update_layout(
        annotations=[
            {"x": x, "y": y, "xanchor": anchor, "xshift": shift, "text": text, "showarrow": False, "font": {"size": 12}}
            for said, side, x, anchor, shift in ((starts, left, 0, "right", -8), (ends, right, 1, "left", 8))
            for text, y in zip(said, spread([side[i] for i in moving], gap, 1, count), strict=True)
        ],
        margin={"l": _LEFT, "r": max(_RIGHT, side_margin([systems[i] for i in moving], len(f"{count} ")))},
    )
    titles = [f"rank by {name}" for name in labels(names, 20)]
    drawn.update_xaxes(
        range=[-0.02, 1.02], tickvals=[0, 1], ticktext=titles, side="top", showgrid=False, zeroline=False
    )
    drawn.update_yaxes(range=[count + 0.9, 0.1], showticklabels=False, ticks="", showgrid=False, zeroline=False)
    return drawn


def side_margin(names: Sequence[str], before: int = 0) -> int:
    """Pixels that the longest label needs beside a figure, with `before` letters in front of it."""
    return int(10 + LEADER + _EACH * max((before + len(name) for name in shortened(names, LONGEST_LABEL)), default=0))


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """The places moved apart until neighbours are at least `gap` away, within [low, high] where that fits.

    >>> spread([5.0, 5.0], 2.0, 1, 10)
    [5.0, 7.0]
    """
    order = np.argsort(places, kind="stable")
    moved = np.asarray(places, dtype=float).copy()
    for before, after in zip(order, order[1:], strict=False):
        moved[after] = max(moved[after], moved[before] + gap)
    if len(order) and moved[order[-1]] > high:
        moved[order[-1]] = high
        for after, before in zip(order[::-1], order[-2::-1], strict=False):
            moved[before] = min(moved[before], moved[after] - gap)
    return [float(place) for place in moved]


def other_systems(lines: Iterable[tuple[ArrayLike, ArrayLike]], line: Layout, **look: Any) -> list[Trace]:
    """The lines (x and y) of the systems that do not stand out, if any, as one grey trace with gaps between them."""
    parts = [[np.append(end, np.nan) for end in ends] for ends in lines]
    if not parts:
        return []
    x, y = map(np.concatenate, zip(*parts, strict=True))
    look = {"mode": "lines", "opacity": 0.55, "hoverinfo": "skip", **look}
    return [scatter(x=x, y=y, line={"color": GREY, **line}, name="other systems", **look)]


def _moving(n: int, name: str, left: float, right: float) -> Trace:
    return scatter(
        x=[0, 1],
        y=[left, right],
        mode="lines+markers",
        name=name,
        cliponaxis=False,
        line={"color": PALETTE[n], "dash": DASHES[n], "width": 2.5},
        marker={"symbol": MARKERS[n], "size": 8},
        hovertemplate=f"%{{fullData.name}}<br>rank {left:g} and {right:g}<extra></extra>",
    )
