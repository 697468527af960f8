"""Two rankings of the same systems, joined by lines: which systems move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from irviz.figures.axes import SCREEN, padded_range, rank_ticks, row_names
from irviz.figures.theme import (
    BLUE,
    DASHES,
    GREY,
    MARKERS,
    PALETTE,
    Floats,
    Layout,
    Trace,
    escape_names,
    figure,
    full_height,
    labels,
    note,
    plotly_escape,
    row_height,
    scatter,
    shorten_names,
    whiskers,
)

# -- Systems from best to worst, each with its confidence interval ---------------------------------

Ranks = NDArray[np.int64]


def ranking(
    systems: Sequence[str],
    summary: Floats,
    low: Floats,
    high: Floats,
    axis: str,
    ranks: NDArray[np.integer],
    highlights: Sequence[int] = (),
    zero: bool = False,
    every: bool = True,
) -> go.Figure:
    """One dot per system at its `summary`, a line from `low` to `high` (NaN for none); best on top.

    `zero` adds a line at 0, with open circles for intervals that include it. Without `every`, of many rows only some
    are drawn.
    """
    known = np.isfinite(low) & np.isfinite(high)
    first, last = padded_range(np.concatenate([summary, low[known], high[known]]))
    narrow = known.any() and np.median(high[known] - low[known]) < 0.03 * (last - first)  # a dot would hide them
    shape = {"symbol": "line-ns", "line": {"color": BLUE, "width": 1.5}} if narrow else {}
    if zero:
        shape = {"symbol": np.where((low <= 0) & (high >= 0), "circle-open", "circle").tolist()}
    trace = scatter(
        x=np.round(summary, 5),
        y=np.arange(len(systems)),
        mode="markers",
        marker={"color": BLUE, "size": 8, **shape},
        error_x=whiskers(summary, low, high, thickness=1.5, width=0, color=BLUE),
        customdata=[
            [plotly_escape(name), int(rank), interval_text(a, b)]
            for name, rank, a, b in zip(systems, ranks, low, high, strict=True)
        ],
        hovertemplate="%{customdata[1]}. %{customdata[0]}<br>%{x:.4f} %{customdata[2]}<extra></extra>",
        showlegend=False,
    )
    fig = figure([trace], full_height(len(systems)))
    fig.update_xaxes(title_text=plotly_escape(axis), range=[first, last], side="top")
    if zero:
        fig.add_vline(x=0, line={"color": GREY, "width": 2})
    return row_names(fig, systems, highlights, every)


def interval_text(low: float, high: float) -> str:
    """An interval as hover text; nothing where it is unknown."""
    if not (np.isfinite(low) and np.isfinite(high)):
        return ""
    return f"[{low:.4f}, {high:.4f}]".replace("-", "−")


# --------------------------------------------------------------------------------------------------

LONGEST_LABEL = 22  #: letters of a label
_LONGEST_BESIDE_MANY = 14  # of one beside more than two columns, for which a phone has room then
LEADER = 16  #: pixels from the end of a curve to its label
_EACH = 7.0  # pixels that a letter is wide, about
_BESIDE, _INWARD = 60, 22  # pixels that the titles of two axes reach beyond them, and between them
_HIGHEST_PRINTED = 380  # pixels of the lines in a paper: 4 inches
MOST_LINES = 60  #: systems; more lines between two columns would hide each other


def slope(
    systems: Sequence[str],
    left: Ranks,
    right: Ranks,
    names: tuple[str, str],
    moving: Sequence[int],
    prefix: str = "rank by",
) -> go.Figure:
    """Ranks (1 is best, ties share) by two measures; the systems at `moving` stand out and are named."""
    if len(systems) > MOST_LINES:
        return rank_scatter(systems, left, right, names, moving, prefix)
    headings = shorten_names(names, 16)
    fig = bump_chart(headings, systems, np.stack([left, right]), moving)
    margin = fig.layout.margin
    for place, side, inward in ((0, "right", _INWARD), (1, "left", -_INWARD)):  # outwards: together in any width
        at = {"yref": "paper", "yanchor": "bottom", "xanchor": side, "xshift": inward}
        for text, up in ((prefix, 15), (plotly_escape(headings[place]), 0)):
            fig.add_annotation(**note(text, place, 1, yshift=up, **at))
    wide = max(_BESIDE, round(_EACH * len(headings[0])) - _INWARD)
    fig.update_layout(margin={"l": wide, "r": max(_BESIDE, margin.r), "t": 46})
    return fig.update_xaxes(showticklabels=False, ticks="")


def rank_scatter(
    systems: Sequence[str],
    left: Ranks,
    right: Ranks,
    names: tuple[str, str],
    moving: Sequence[int],
    prefix: str = "rank by",
) -> go.Figure:
    """Two rankings of many systems: a point each, rank 1 at the top right; below, the ranks of those that move."""
    count, texts = len(systems), labels([systems[s] for s in moving], LONGEST_LABEL)
    rest = [s for s in range(count) if s not in set(moving)]
    groups = [
        ([s], f"{text}: {left[s]:g} → {right[s]:g}", {"color": PALETTE[n], "symbol": MARKERS[n], "size": 11})
        for n, (s, text) in enumerate(zip(moving, texts, strict=True))
    ]
    others = {"color": GREY, "symbol": "circle-open", "size": 6}
    first, second = (plotly_escape(f"{prefix} {name}") for name in shorten_names(names, 40))
    traces = [
        scatter(
            x=left[chosen],
            y=right[chosen],
            mode="markers",
            name=text,
            showlegend=text != "",
            marker=marker,
            cliponaxis=False,
            customdata=[plotly_escape(systems[s]) for s in chosen],
            hovertemplate=f"%{{customdata}}<br>%{{x}}: {first}<br>%{{y}}: {second}<extra></extra>",
        )
        for chosen, text, marker in [(rest, "", others), *groups]
    ]
    ends = {"range": [count + 1, 0], "zeroline": False, **rank_ticks(count)}
    diagonal = {"type": "line", "x0": 0, "y0": 0, "x1": count + 1, "y1": count + 1, "line": {"color": GREY, "width": 1}}
    legend: Layout = {"x": 0, "y": -0.17, "yref": "paper", "yanchor": "top"}
    fig = figure(traces, 440 + 10 * len(moving), shapes=[diagonal], margin={"t": 12})
    fig.update_layout(legend=legend, meta={"paper": {"height": 340}})  # to which the legend is added
    return fig.update_layout(xaxis={**ends, "title": {"text": first}}, yaxis={**ends, "title": {"text": second}})


def bump_chart(
    columns: Sequence[str], systems: Sequence[str], ranks: Ranks | Floats, highlights: Sequence[int]
) -> go.Figure:
    """Ranks of the systems (columns × systems, 1 is best), column by column; those at `highlights` are named."""
    count, last = len(systems), len(columns) - 1
    if count <= len(PALETTE):
        highlights = [*highlights, *(s for s in range(count) if s not in highlights)]
    rest = [s for s in range(count) if s not in highlights]
    height = row_height(count, least=340, each=11, most=SCREEN)
    many = last > 1
    longest = _LONGEST_BESIDE_MANY if many else LONGEST_LABEL
    texts = labels([systems[s] for s in highlights], longest)
    across = np.arange(len(ranks))
    traces = other_systems(
        ((across, ranks[:, s]) for s in rest),
        {"width": 1},
        mode="lines+markers" if len(rest) <= MOST_LINES else "lines",
        marker={"size": 3, "color": GREY},
        hoverinfo="all",
        customdata=np.repeat(escape_names(systems[s] for s in rest), len(ranks) + 1),
        hovertemplate="%{customdata}: rank %{y}<extra></extra>",
    )
    traces += [
        scatter(
            x=across,
            y=ranks[:, s],
            mode="lines+markers",
            name=text,
            cliponaxis=False,
            line={"color": PALETTE[n], "dash": DASHES[n], "width": 2.5},
            marker={"symbol": MARKERS[n], "size": 8},
            customdata=[plotly_escape(systems[s])] * len(ranks),
            hovertemplate="%{customdata}: rank %{y}<extra></extra>",
        )
        for n, (s, text) in enumerate(zip(highlights, texts, strict=True))
    ]
    fig = figure(traces, height, showlegend=False)
    printed = min(height, _HIGHEST_PRINTED)
    gap = count * max(15 / (height - 70), 11 / (printed - 70))
    ends = [f"{rank:g} {text}" for rank, text in zip(ranks[-1, highlights], texts, strict=True)]
    sides = [(ends, last, "left", 8)]
    sides += [] if many else [([f"{rank:g}" for rank in ranks[0, highlights]], 0, "right", -8)]
    fig.update_layout(
        annotations=[
            note(text, x, y, xanchor=anchor, xshift=shift)
            for end_texts, x, anchor, shift in sides
            for text, y in zip(end_texts, spread(ranks[x, highlights].tolist(), gap, 1, count), strict=True)
        ],
        margin={"l": 34, "r": side_margin([systems[s] for s in highlights], len(f"{count} "), longest)},
        meta={"paper": {"height": printed}},
    )
    fig.update_xaxes(
        tickvals=list(range(len(columns))),
        ticktext=labels(columns, 28),
        side="top",
        range=[-0.02 * last, 1.02 * last],
        showgrid=many,
        zeroline=False,
        autotickangles=[0, -60, -90],
    )
    fig.update_yaxes(range=[count + 0.9, 0.1], showgrid=False, zeroline=False)
    if many:
        return fig.update_yaxes(title_text="rank", **rank_ticks(count))
    return fig.update_yaxes(showticklabels=False, ticks="")


def side_margin(names: Sequence[str], prefix_length: int = 0, longest: int = LONGEST_LABEL) -> int:
    """Pixels that the longest label needs beside a figure, with `prefix_length` letters in front of it."""
    return int(
        10 + LEADER + _EACH * max((prefix_length + len(name) for name in shorten_names(names, longest)), default=0)
    )


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
    look = {"mode": "lines", "opacity": 0.25 if len(parts) > MOST_LINES else 0.75, "hoverinfo": "skip", **look}
    return [scatter(x=x, y=y, line={"color": GREY, **line}, name="other systems", **look)]
