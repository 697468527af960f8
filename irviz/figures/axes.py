"""Axes: explicit ranges, so that a changed figure keeps its frame; ticks with names from files; rows of figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures import END_ROWS, MOST_ROWS
from irviz.figures.theme import (
    BLUE,
    GREY,
    VERMILION,
    Floats,
    Trace,
    bar,
    common_start,
    escape_names,
    figure,
    labels,
    plotly_escape,
)
from irviz.figures.unchecked import layout_of, traces_of

Axis = dict[str, Any]


SCREEN = 800  #: pixels that a person sees at once; a higher figure scrolls
BAND = "rgba(230,159,0,0.28)"  #: behind a system that the sidebar highlights


def padded_range(values: NDArray[np.float64], share: float = 0.04) -> list[float]:
    """From 0, or the lowest value if it is below 0, to the highest, with a little room.

    >>> padded_range(np.array([0.2, 0.5]))
    [-0.02, 0.52]
    """
    finite = values[np.isfinite(values)]
    low, high = (min(0.0, float(finite.min())), float(finite.max())) if finite.size else (0.0, 1.0)
    if high <= low:
        high = low + 1.0
    room = share * (high - low)
    return [round(low - room, 6), round(high + room, 6)]


def spaced_places(count: int, most: int) -> NDArray[np.intp]:
    """Places 0, 1, …, or `most` of them, evenly spaced."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.intp))


def round_values(values: Floats, digits: int = 5) -> Floats:
    """Numbers to `digits` decimals for the browser; infinite ones become NaN, huge ones stay.

    >>> round_values(np.array([0.1234567, np.inf, 1e306])).tolist()
    [0.12346, nan, 1e+306]
    """
    known = np.where(np.isfinite(values), values, np.nan)
    small = np.abs(known) < 1e15
    return np.where(small, np.where(small, known, 0.0).round(digits), known)


def far(values: Floats) -> NDArray[np.bool_]:
    """Up to three values so far from all others that an axis with them would squeeze these.

    >>> far(np.array([0.60, 0.62, 0.64, 0.66, 0.04])).tolist()
    [False, False, False, False, True]
    """
    known = values[np.isfinite(values)]
    first, last = np.quantile(known, [0.25, 0.75]) if known.size else (0.0, 0.0)
    away = np.abs(values - (first + last) / 2) > 3.5 * (last - first)  # beyond the quartiles by three times their range
    return away if away.sum() <= 3 else np.zeros_like(away)


def ticks(names: Sequence[str], room: int, most: int = 26) -> dict[str, list]:
    """Tick positions 0, 1, … with the labels of `names`; only every n-th where more than `room` would crowd."""
    step = max(1, -(-len(names) // max(1, room)))
    return {"tickvals": list(range(0, len(names), step)), "ticktext": labels(names, most)[::step]}


def named_ticks(names: Sequence[str], room: int, most: int = 26) -> dict[str, object]:
    """Ticks of an axis of categories, which are the escaped names (and may look like numbers)."""
    step = max(1, -(-len(names) // max(1, room)))
    places = escape_names(names[::step])
    return {"type": "category", "tickvals": places, "ticktext": labels(names, most)[::step]}


def stand_out(
    fig: go.Figure,
    names: Sequence[str],
    rows: Sequence[int],
    most: int = 26,
    row_places: Mapping[int, int] | None = None,
) -> None:
    """Highlight some rows of a figure with one row per name: names bold after a sign, on a pale band; other dots pale.

    What all names begin with, and is left out of them, becomes the title of their axis.  `row_places` are the places
    of rows that do not stand at their own numbers.  For clicks, `meta.rows` holds the name at each place.
    """
    axis = fig.layout.yaxis
    at = {y: names[row] for row, y in (row_places or dict(enumerate(range(len(names))))).items()}
    layout_of(fig).setdefault("meta", {})["rows"] = [at.get(y, "") for y in range(max(at, default=-1) + 1)]
    places, texts, short_names = list(axis.tickvals), list(axis.ticktext), labels(names, most)
    for row in rows:
        y = (row_places or {}).get(row, row)
        place = plotly_escape(names[row]) if axis.type == "category" else y
        if place not in places:
            places, texts = [*places, place], [*texts, ""]
        texts[places.index(place)] = standing_out(short_names[row])
        fig.add_shape(
            type="rect",
            x0=0,
            x1=1,
            xref="paper",
            y0=y - 0.5,
            y1=y + 0.5,
            yref="y",
            layer="below",
            fillcolor=BAND,
            line={"width": 0},
        )
    fig.update_yaxes(tickvals=places, ticktext=texts)
    chosen = [(row_places or {}).get(row, row) for row in rows]
    for trace in traces_of(fig) if chosen and axis.type != "category" else ():
        if "markers" in trace.get("mode", ""):
            here = np.isin(np.rint(np.asarray(trace["y"], dtype=np.float64)), chosen)
            trace["marker"] = {**trace.get("marker", {}), "opacity": np.where(here, 1.0, 0.35).tolist()}
    if start := common_start(names, most):
        fig.update_yaxes(title_text=f"names begin with {plotly_escape(start)}")


def row_names(fig: go.Figure, names: Sequence[str], highlights: Sequence[int] = (), every: bool = True) -> go.Figure:
    """The upright axis of a figure with a row per name, the first on top; `highlights` are rows that stand out.

    Give the horizontal axes first: a figure higher than a screen has them at both ends. Without `every`, long figures
    show the rows at both ends, the middle one and the `highlights`.
    """
    count = len(names)
    if every or count <= MOST_ROWS:
        at, axis_ticks = {}, ticks(names, (fig.layout.height - 60) // 15)
        last = count - 1
    else:
        visible = {*range(END_ROWS), count // 2, *range(count - END_ROWS, count), *highlights}
        visible |= {row for row in range(count) if {row - 1, row + 1} <= visible}  # nothing takes the place of one row
        gaps = {row: row - before - 1 for before, row in pairwise(sorted(visible)) if row - before > 1}
        at = {row: n + sum(gap <= row for gap in gaps) for n, row in enumerate(sorted(visible))}
        texts = labels(names)
        text_at = {at[row] - 1: f"⋮ {gap} more" for row, gap in gaps.items()} | {y: texts[row] for row, y in at.items()}
        axis_ticks = {"tickvals": sorted(text_at), "ticktext": [text_at[y] for y in sorted(text_at)]}
        last = at[count - 1]
        _keep_rows(fig, at, count)
    fig.update_yaxes(range=[last + 0.6, -0.6], **axis_ticks, showgrid=False, zeroline=False)
    stand_out(fig, names, highlights, row_places=at)
    return both_ends(fig) if fig.layout.height > SCREEN else fig


def _keep_rows(fig: go.Figure, row_places: Mapping[int, int], count: int) -> None:
    """Move some of the `count` rows of a figure to where they stand, and take out the others; it becomes less high."""
    for trace in traces_of(fig):
        y = np.asarray(trace["y"], dtype=np.float64)
        known = np.maximum.accumulate(np.where(np.isfinite(y), np.arange(len(y)), 0))  # a gap goes with what it follows
        rows = np.rint(y[known]).astype(np.intp)
        there = np.isin(rows, list(row_places))
        trace |= _selected_rows(trace, there) | {
            "y": y[there] - rows[there] + [row_places[row] for row in rows[there].tolist()]
        }
    each = max(18.0, (fig.layout.height - 110) / count)
    fig.update_layout(height=round(110 + each * (max(row_places.values()) + 1)))


def _selected_rows(part: Any, there: NDArray[np.bool_]) -> Any:
    """A part of a trace with the entries of the rows that are `there`."""
    if isinstance(part, dict):
        return {name: _selected_rows(value, there) for name, value in part.items()}
    if isinstance(part, list | tuple | np.ndarray) and len(part) == len(there):
        return [entry for entry, is_there in zip(part, there, strict=True) if is_there]
    return part


def both_ends(fig: go.Figure) -> go.Figure:
    """The figure with every horizontal axis at its top and at its bottom; plotly draws only axes that have a trace."""
    axes = {name: axis for name, axis in layout_of(fig).items() if name.startswith("xaxis")}
    for n, (name, axis) in enumerate(axes.items(), start=len(axes) + 1):
        on, side = name.replace("axis", ""), "bottom" if axis.get("side") == "top" else "top"
        again = {"overlaying": on, "matches": on, "side": side, "showgrid": False, "zeroline": False}
        fig.update_layout(**{_axis("xaxis", n): {**axis, **again}})
        fig.add_scatter(x=[None], y=[None], xaxis=_axis("x", n), hoverinfo="skip", showlegend=False)
    if not any(
        trace.get("name") and trace.get("showlegend", True) for trace in traces_of(fig)
    ):  # two traces have a legend
        fig.update_layout(showlegend=False)
    return fig


def signed_bars(names: Sequence[str], values: Floats, **own: Any) -> Trace:
    """A bar per name; those below zero are hatched and have a colour of their own."""
    below = values < 0
    colours, signs = np.where(below, VERMILION, BLUE).tolist(), np.where(below, "/", "").tolist()
    return bar(
        x=escape_names(names), y=round_values(values), marker={"color": colours, "pattern": {"shape": signs}}, **own
    )


def named_bars(names: Sequence[str], values: Floats, height: int, hover: str, **look: Any) -> go.Figure:
    """One level bar per name, the first on top."""
    at = {"x": round_values(values, 4), "y": escape_names(names), "orientation": "h"}
    drawn = figure([bar(**at, marker={"color": BLUE}, hovertemplate=hover, **look)], height, dragmode=False)
    return drawn.update_yaxes(autorange="reversed", showgrid=False)


def standing_out(label: str) -> str:
    """The label of a highlighted system in every figure: bold, after a sign."""
    return f"▸ <b>{label}</b>"


def rank_ticks(last: int, log: bool = False, most: int = 8) -> Axis:
    """Ticks at whole ranks from 1 to `last`, after the first at most so many on a linear axis.

    >>> rank_ticks(129)["tickvals"], rank_ticks(129, most=3)["tickvals"], rank_ticks(129, log=True)["tickvals"]
    ([1, 20, 40, 60, 80, 100, 120], [1, 50, 100], [1, 2, 5, 10, 20, 50, 100])
    """
    steps = [digit * 10**power for power in range(len(str(last))) for digit in (1, 2, 5)]
    if log:
        return {"tickvals": [step for step in steps if step <= last]}
    step = next(step for step in steps if last <= most * step)
    return {"tickvals": sorted({1, *range(step, last + 1, step)})}


def fitting_ticks(names: Sequence[str], most: int) -> dict[str, object]:
    """Ticks of such an axis as wide as the screen: plotly leaves out what would overlap, unless a name is too long.

    >>> fitting_ticks(["401", "402"], 14)
    {'type': 'category'}
    """
    return named_ticks(names, 60, most) if max(map(len, names), default=0) > most else {"type": "category"}


# -- figures with all axes given at once -----------------------------------------------------------


def axis(title: str, ends: Sequence[float] | None = None, **more: Any) -> Axis:
    """An axis with a title, from one end to the other."""
    return {"title": {"text": title}, "range": ends, **more}


def chart(
    traces: Sequence[Trace], height: int, x: Axis, y: Axis, lines: Sequence[dict[str, Any]] = (), **layout: Any
) -> go.Figure:
    """One pair of axes; `lines` are of :func:`line_at`."""
    return figure(list(traces), height, xaxis=x, yaxis=y, shapes=list(lines), **layout)


def rows(
    parts: Sequence[Sequence[Trace]],
    shares: Sequence[float],
    height: int,
    x: Axis,
    ys: Sequence[Axis],
    lines: Sequence[dict[str, Any]] = (),
    gap: float = 0.06,
    **layout: Any,
) -> go.Figure:
    """Rows of traces over one x axis at the bottom, the first on top; `shares` and `gap` are parts of the height."""
    free = 1 - gap * (len(parts) - 1)
    top, axes = 1.0, {}
    for n, (share, y) in enumerate(zip(shares, ys, strict=True), start=1):
        bottom = top - free * share / sum(shares)
        axes[_axis("yaxis", n)] = {**y, "domain": [max(0.0, bottom), min(1.0, top)]}
        top = bottom - gap
    all_traces = [{**trace, "yaxis": _axis("y", n)} for n, traces in enumerate(parts, start=1) for trace in traces]
    axes["xaxis"] = {**x, "anchor": _axis("y", len(parts))}
    return figure(all_traces, height, shapes=list(lines), **axes, **layout)


def line_at(*, x: float | None = None, y: float | None = None, dash: str = "dot") -> dict[str, Any]:
    """A thin line at `x` or at `y` across the figure; across the first row, where it has several."""
    line = {"color": GREY, "dash": dash, "width": 1.5}
    if x is not None:
        return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain", "line": line}
    return {"type": "line", "y0": y, "y1": y, "x0": 0, "x1": 1, "xref": "x domain", "line": line}


def _axis(name: str, n: int) -> str:
    return name if n == 1 else f"{name}{n}"
