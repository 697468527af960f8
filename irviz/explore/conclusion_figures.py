"""The figures of a conclusion: the specification curve, the grid of signs, and what decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import (
    fitting_ticks,
    line_at,
    named_ticks,
    padded_range,
    rank_ticks,
    rounded,
    row_names,
    rows,
    stand_out,
    standing_out,
)
from irviz.figures.significance import MOST_NAMES
from irviz.figures.squares import MOST_CELLS, MOST_NUMBERS, write_cells
from irviz.figures.theme import (
    AREA,
    BLUE,
    DIVERGING,
    FAINT,
    FEW_TOPICS,
    GREY,
    MOST_TOPICS,
    SEQUENTIAL,
    SHADES,
    VERMILION,
    Trace,
    bar,
    colour_bar,
    figure,
    full_height,
    heatmap,
    labels,
    plotly_escape,
    row_height,
    scatter,
)
from irviz.multiverse.dimensions import option_words
from irviz.multiverse.report import SIGNS, Conclusion, Grid
from irviz.stats.results import FrozenArrays
from irviz.workspace.phrases import percent

Floats = NDArray[np.float64]

MOST_POINTS = 300  #: worlds that are drawn as points; of more, evenly spaced ones
MOST_INTERVALS = 15  #: that are drawn; more lines would hide the curve
_EQUAL = "rgba(214,164,0,0.28)"  #: of the band of two equal systems
_ROW = 16  #: pixels of one row of choices

_SIZE = 4  #: pixels of a point
_BEYOND = ("circle", "triangle-down", "triangle-up")  #: within the axis, below it and above it
#: verdict → word and colour
_VERDICT_LOOKS = {1: ("holds", BLUE), 0: ("tie", GREY), -1: ("reversed", VERMILION)}


@dataclass(frozen=True)
class Mark:
    """An option, and which worlds take it, in the curve's order."""

    dimension: str
    option: Any
    taken: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SpecificationCurve(FrozenArrays):
    """The worlds sorted by their standardised difference (Simonsohn, Simmons & Nelson 2020, Figure 2).

    A difference is divided by the standard deviation of its per-topic differences, because measures differ in unit.

    Attributes
    ----------
    order, numbers : by place, the row of the world in the conclusion's frame, and its number
    difference, p, verdict, significant : by place
    standardised, low, high : by place; the standardised difference and its interval, NaN if there is none
    marks : one an option, for the dimensions on which worlds differ
    null_low, null_high : by place; between them lie 95% of the curves of exchanged systems
        Empty without a joint test, and for claims of several comparisons.
    """

    order: NDArray[np.intp]
    numbers: NDArray[np.intp]
    difference: Floats
    standardised: Floats
    low: Floats
    high: Floats
    p: Floats
    verdict: NDArray[np.int8]
    significant: NDArray[np.bool_]
    marks: tuple[Mark, ...]
    null_low: Floats
    null_high: Floats


def curve(r: Conclusion) -> SpecificationCurve:
    """The specification curve: the smallest standardised difference first, equal ones in the order of the worlds."""
    order = np.argsort(r.standardised, kind="stable")
    unit = np.divide(r.standardised, r.difference, out=np.full(len(r), np.nan), where=r.difference != 0)
    low, high = (np.where(np.isfinite(unit), unit, np.nan) * end for end in (r.low, r.high))
    w = r.worlds
    marks = tuple(
        Mark(name, option, (w.code(name) == code)[order])
        for name in w.varying
        for code, option in enumerate(w.options[name])
        if (w.code(name) == code).any()
    )
    sure = r.significant[order]
    return SpecificationCurve(
        order,
        w.numbers[order],
        r.difference[order],
        r.standardised[order],
        low[order],
        high[order],
        r.p[order],
        r.verdict[order],
        sure,
        marks,
        *r.band,
    )


def specification_curve(curve: SpecificationCurve, words: Callable[[int], str], axis: str, chosen: int) -> go.Figure:
    """The standardised difference in every world, the smallest first; a tick below every significant one.

    Lines are intervals of some worlds on the axis.  A click on a world gives its number.  What lies far beyond the
    others is a triangle at the edge.  Behind all is the band that holds the curves of two equal systems.

    Parameters
    ----------
    words : by row, the name of the world
    axis : the title of the axis of the difference
    chosen : row of the world that a line marks
    """
    places, low, high = len(curve.order), *_ends(curve)
    place = int(np.flatnonzero(curve.order == chosen)[0])
    notes = [
        {"x": place + 1, "y": 1, "yref": "y domain", "xanchor": "left" if place < places / 2 else "right"}
        | {"yanchor": "bottom", "text": "these settings", "showarrow": False, "font": {"size": 12}}
    ]
    beyond = [
        f"{sign} {count:,} beyond the axis, {way} to {most:.2g}".replace("-", "−")
        for sign, way, most, count in (
            ("▲", "up", curve.standardised[-1], int((curve.standardised > high).sum())),
            ("▼", "down", curve.standardised[0], int((curve.standardised < low).sum())),
        )
        if count
    ]
    if beyond:  # above "these settings", beside which a phone has no room
        look = {"x": places, "xanchor": "right", "align": "right", "yshift": 16, "text": "<br>".join(beyond)}
        notes.append({**notes[0], **look})
    ends = padded_range(np.array([low, high]), 0.06)
    inside = (curve.standardised >= low) & (curve.standardised <= high)
    lines = np.flatnonzero(np.isfinite(curve.low) & np.isfinite(curve.high) & inside)
    lines = lines[_spaced(len(lines), MOST_INTERVALS)]
    told = [f"{places:,} combinations, sorted" + (f"; {MOST_POINTS} drawn" if places > MOST_POINTS else "")]
    told += [f"grey lines: 95% intervals of {len(lines)} of them"] if len(lines) else []
    told += ["shaded: 95% of the curves of two equal systems"] if len(curve.null_low) else []
    x = {
        "title": {"text": "<br>".join(told)},
        "range": [0.5 - 0.01 * places, places + 0.5 + 0.01 * places],
        "showgrid": False,
        "zeroline": False,
        **rank_ticks(places),
    }
    above = [*_two_equal(curve, *ends), _intervals(curve, lines), *_points(curve, words, (low, high), ends)]
    ticks = {"tickvals": [0], "ticktext": ["p < α"], "ticks": "", "range": [-1, 1], "showgrid": False}
    return rows(
        [above, _significant(curve)],
        (0.93, 0.07),
        374 + 16 * len(told),
        x,
        [{"title": {"text": plotly_escape(axis)}, "range": ends}, {**ticks, "zeroline": False}],
        [line_at(y=0, dash="dash"), line_at(x=place + 1)],
        gap=0.02,
        showlegend=True,
        legend={"itemsizing": "constant", "itemclick": False, "itemdoubleclick": False},
        margin={"t": 44 + 16 * len(beyond)},
        annotations=notes,
        dragmode=False,
    )


def _ends(curve: SpecificationCurve) -> tuple[float, float]:
    """The lowest and the highest difference and end of an interval, without those far beyond most.

    Differences of harmonic means, and their intervals, can be ten times as large as the others; one that is the same on
    all topics is infinite.
    """
    ends = np.concatenate([curve.standardised, curve.low, curve.high])
    ends = ends[np.isfinite(ends)] if np.isfinite(ends).any() else np.array([-1.0, 1.0])
    low, high = np.quantile(ends, [0.15, 0.85]).tolist()
    room = (high - low) / 2
    if not room:
        return float(ends.min()), float(ends.max())
    return max(float(ends.min()), low - room), min(float(ends.max()), high + room)


def _spaced(count: int, most: int) -> NDArray[np.intp]:
    """Places 0, 1, …, or `most` of them, evenly spaced."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.intp))


def _intervals(curve: SpecificationCurve, places: NDArray[np.intp]) -> Trace:
    """The intervals of some worlds, all in one trace."""
    x = np.column_stack([places + 1, places + 1, np.full(len(places), np.nan)]).ravel()
    y = np.column_stack([curve.low[places], curve.high[places], np.full(len(places), np.nan)]).ravel()
    line = {"width": 1, "color": GREY}
    return scatter(x=x, y=rounded(y), mode="lines", line=line, hoverinfo="skip", name="interval", showlegend=False)


def _significant(curve: SpecificationCurve) -> list[Trace]:
    """A bar below all places that are significant, however many there are, in a trace for each verdict."""
    traces, least = [], len(curve.order) / 4000  # a single one of thousands is seen, too
    for verdict, (_, colour) in _VERDICT_LOOKS.items():
        taken = np.concatenate([[False], curve.significant & (curve.verdict == verdict), [False]])
        turns = np.flatnonzero(np.diff(taken)).reshape(-1, 2) + [0.5 - least, 0.5 + least]
        if not len(turns):
            continue
        x = np.column_stack([turns, np.full(len(turns), np.nan)]).ravel()
        y = np.where(np.isnan(x), np.nan, 0.0)
        look = {"mode": "lines", "line": {"width": 12, "color": colour}, "showlegend": False}
        traces.append(scatter(x=x, y=y, name="p < α", hoverinfo="skip", **look))
    return traces


def _two_equal(curve: SpecificationCurve, low: float, high: float) -> list[Trace]:
    """The band that holds the curves of two equal systems, if there was a joint test; no higher than the axis."""
    places = _spaced(len(curve.null_low), 4 * MOST_POINTS)
    if not len(places):
        return []
    x = np.concatenate([places, places[::-1]]) + 1
    y = np.clip(np.concatenate([curve.null_low[places], curve.null_high[places[::-1]]]), low, high)
    look: dict[str, Any] = {"mode": "lines", "line": {"width": 0}, "fill": "toself", "fillcolor": _EQUAL}
    return [scatter(x=x, y=rounded(y), hoverinfo="skip", name="two equal", showlegend=False, **look)]


def _points(
    curve: SpecificationCurve, words: Callable[[int], str], within: tuple[float, float], ends: Sequence[float]
) -> list[Trace]:
    """One marker per world, by its verdict; a triangle at an end of the axis if its difference is not `within` two."""
    shown = np.where(curve.standardised < within[0], ends[0], curve.standardised)
    shown = np.where(curve.standardised > within[1], ends[1], shown)
    beyond = np.sign(shown - curve.standardised).astype(int)  # 1 below the axis, -1 above it
    places = _spaced(len(curve.order), MOST_POINTS)
    traces = []
    for verdict, (name, colour) in _VERDICT_LOOKS.items():
        some = places[curve.verdict[places] == verdict]
        if not len(some):
            continue
        marker: dict[str, Any] = {"color": colour, "size": _SIZE, "opacity": 1, "line": {"width": 0}}
        if beyond[some].any():
            marker["symbol"] = [_BEYOND[i] for i in beyond[some]]
            marker["size"] = np.where(beyond[some] == 0, _SIZE, 2 * _SIZE).tolist()
        columns = (curve.numbers, curve.order, rounded(curve.difference, 9), curve.p)
        told = zip(*(column[some].tolist() for column in columns), strict=True)
        traces.append(
            scatter(
                x=some + 1,
                y=rounded(shown[some], 9),
                mode="markers",
                name=name,
                marker=marker,
                cliponaxis=False,
                customdata=[[number, plotly_escape(words(row)), d, p] for number, row, d, p in told],
                hovertemplate="%{customdata[1]}<br>difference %{customdata[2]:.4~g}, standardised %{y:.3~g}, "
                "p = %{customdata[3]:.2~g}<extra>" + name + "</extra>",
            )
        )
    return traces


def choice_shares(curve: SpecificationCurve, judges: str = "judge") -> go.Figure:
    """A bar per choice: in how many of its worlds the claim holds; the darker part, significantly.

    Options stand below the name of what is chosen.  `judges` is what the sets of judgments are, "judge" or "aspect".
    """
    at, texts = [0], ["all combinations"]
    options = labels([option_words(mark.dimension, mark.option) for mark in curve.marks], 22)
    for i, (mark, option) in enumerate(zip(curve.marks, options, strict=True)):
        if not i or mark.dimension != curve.marks[i - 1].dimension:
            texts.append(f"<b>{judges if mark.dimension == 'judge' else mark.dimension}</b>")
        at.append(len(texts))
        texts.append(option)
    taken = [np.ones(len(curve.order), dtype=bool), *(mark.taken for mark in curve.marks)]
    holds, sure = curve.verdict > 0, curve.significant
    parts = (("holds, significantly", holds & sure, BLUE), ("holds, not significantly", holds & ~sure, SHADES[2][0]))
    bars = [
        bar(
            x=[round(float(some[here].mean()), 4) for here in taken],
            y=at,
            orientation="h",
            name=name,
            marker={"color": colour},
            hovertemplate="%{x:.1%}<extra>" + name + "</extra>",
        )
        for name, some, colour in parts
    ]
    drawn = figure(bars, _ROW * len(texts) + 90, barmode="stack", bargap=0.2, dragmode=False)
    drawn.update_layout(legend={"traceorder": "normal"})
    ticks = {"tickvals": list(range(len(texts))), "ticktext": texts, "ticks": "", "ticklabelstandoff": 6}
    drawn.update_yaxes(**ticks, range=[len(texts) - 0.5, -0.5], showgrid=False, zeroline=False)
    drawn.update_xaxes(title_text="share of the combinations", range=[0, 1], tickformat=".0%")
    return drawn


def sign_grid(found: Grid, averages: Sequence[str]) -> go.Figure:
    """Measures down, averages across: + where the claim holds, − where it is reversed, * where significantly.

    A click gives the number of a world; `averages` are the words for those of the grid.
    """
    there = found.rows >= 0
    shade = np.where(there, found.verdict * np.where(found.significant, 1.0, 0.45), np.nan)
    names, columns = [plotly_escape(name) for name in found.measures], [plotly_escape(name) for name in averages]
    rows, across = (axis.ravel().tolist() for axis in np.indices(there.shape))
    cells = heatmap(
        z=np.round(shade, 2).astype(np.float32),
        x=columns,
        y=names,
        zmin=-1,
        zmax=1,
        colorscale=[list(c) for c in DIVERGING],
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    sure = found.significant.ravel()
    text = [
        SIGNS[verdict] + ("*" if s else "") if is_there else ""
        for verdict, s, is_there in zip(found.verdict.ravel().tolist(), sure, there.ravel(), strict=True)
    ]
    marks = scatter(
        x=[columns[j] for j in across],
        y=[names[i] for i in rows],
        mode="text",
        text=text,
        textfont={"size": 16, "color": ["#FFFFFF" if s and t else "#1B1F24" for s, t in zip(sure, text, strict=True)]},
        customdata=[[int(found.numbers[i, j]), f"{names[i]}, {columns[j]}"] for i, j in zip(rows, across, strict=True)],
        hovertemplate="%{customdata[1]}<extra></extra>",
        showlegend=False,
    )
    drawn = figure([cells, marks], row_height(len(names), 240, 30), hovermode="closest", dragmode=False)
    key = "+ holds, − reversed, = tie; * significantly"
    drawn.update_xaxes(title_text=key, side="top", showgrid=False, **named_ticks(averages, 40, 18))
    drawn.update_yaxes(range=[len(names) - 0.5, -0.5], showgrid=False, **named_ticks(found.measures, 60, 22))
    return drawn


def share_bars(names: Sequence[str], shares: Floats, axis: str) -> go.Figure:
    """Bars of how much each choice decides, largest first."""
    order = np.argsort(-shares, kind="stable")
    bars = bar(
        x=np.round(shares[order], 4).tolist(),
        y=[plotly_escape(names[i]) for i in order],
        orientation="h",
        marker={"color": BLUE},
        text=[f"{shares[i]:.0%}" for i in order],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{y}: %{x:.1%}<extra></extra>",
    )
    drawn = figure([bars], row_height(len(names), 240, 26), dragmode=False)
    drawn.update_xaxes(
        title_text=plotly_escape(axis), range=[0, max(0.1, float(shares.max()) * 1.18)], tickformat=".0%"
    )
    drawn.update_yaxes(autorange="reversed", showgrid=False)
    return drawn


# -- The figures below the curve: what topics add, and the order of all systems that no world disputes


def influence_bars(topics: Sequence[str], adds: Floats, axis: str) -> go.Figure:
    """Bars of each topic's part of the difference, largest first; those against it are hatched.

    Of many topics, a line over their places in this order.
    """
    if len(topics) > MOST_TOPICS:
        return _influence_line(adds, axis)
    against = adds < 0
    bars = bar(
        x=[plotly_escape(topic) for topic in topics],
        y=rounded(adds),
        marker={
            "color": [VERMILION if it else BLUE for it in against],
            "pattern": {"shape": ["/" if it else "" for it in against]},
        },
        hovertemplate="topic %{x}: %{y:.5f}<extra></extra>",
    )
    drawn = figure([bars], 300, dragmode=False, bargap=0.15)
    drawn.update_xaxes(
        title_text="topic", tickangle=-90 if len(topics) > FEW_TOPICS else 0, **fitting_ticks(topics, 60, 12)
    )
    drawn.update_yaxes(title_text=plotly_escape(axis), range=padded_range(np.append(adds, 0), 0.06))
    return drawn


def _influence_line(adds: Floats, axis: str) -> go.Figure:
    """The same of many topics: what they add, from the most favourable to the least."""
    places = _spaced(len(adds), 4 * MOST_POINTS)
    line = scatter(
        x=places + 1,
        y=rounded(adds[places], 9),
        mode="lines",
        line={"color": BLUE, "width": 1.5},
        fill="tozeroy",
        fillcolor=AREA,
        hovertemplate="place %{x:,}: %{y:.3~g}<extra></extra>",
        showlegend=False,
    )
    drawn = figure([line], 300, hovermode="closest", dragmode=False)
    drawn.update_xaxes(
        title_text=f"{len(adds):,} topics, by what they add", range=[0, len(adds) + 1], **rank_ticks(len(adds))
    )
    drawn.update_yaxes(title_text=plotly_escape(axis), range=padded_range(np.append(adds, 0), 0.06))
    return drawn


def share_square(
    names: Sequence[str], share: Floats, highlighted: Sequence[int] = (), of: str = "combinations"
) -> go.Figure:
    """systems × systems: the share of the combinations, or topics, in which the row is ahead of the column.

    Of many systems, each has a bar instead, see :func:`parted_rows`.
    """
    shown = np.where(np.eye(len(names), dtype=bool), np.nan, share)
    if len(names) > MOST_CELLS:
        if of == "combinations":
            words = ("ahead in all", "neither", "behind in all")
            return parted_rows(names, np.nan_to_num(shown) == 1, words, "share of the other systems", highlighted)
        words = ("dominates", "neither", "is dominated")
        return parted_rows(names, np.nan_to_num(shown), words, f"share of {of}, mean over other systems", highlighted)
    escaped, height = [plotly_escape(name) for name in names], full_height(len(names)) + 30
    written = len(names) <= MOST_NUMBERS
    cells = heatmap(
        z=np.round(shown.astype(np.float32), 3),
        x=escaped,
        y=escaped,
        zmin=0,
        zmax=1,
        colorscale=SEQUENTIAL,
        xgap=1,
        ygap=1,
        showscale=not written,
        colorbar=colour_bar(f"share of {of}"),
        hoverongaps=False,
        hovertemplate="%{y}<br>ahead of %{x}<br>in %{z:.1%} of the " + of + "<extra></extra>",
    )
    drawn = figure([cells], height, dragmode=False)
    few = len(names) <= MOST_NAMES
    drawn.update_xaxes(tickangle=-60, showgrid=False, showticklabels=few, **named_ticks(names, len(names), 18))
    if not few:
        drawn.update_xaxes(title_text="compared with (same order)", ticks="")
    drawn.update_yaxes(range=[len(names) - 0.5, -0.5], showgrid=False, **named_ticks(names, len(names), 18))
    stand_out(drawn, names, highlighted, 18)
    texts = [["" if np.isnan(one) else percent(one) for one in row] for row in shown.tolist()]
    return write_cells(drawn, texts, shown, SEQUENTIAL) if written else drawn


def parted_rows(
    names: Sequence[str], above: NDArray[Any], words: Sequence[str], axis: str, highlighted: Sequence[int]
) -> go.Figure:
    """In the place of a square too large to read, a bar of three parts per system.

    They are the mean over the other systems of what it has above them, of what neither has, and of what they have
    above it.

    Parameters
    ----------
    above : systems × systems, in [0, 1]; of the row over the column, 0 on the diagonal
    words : for the three parts
    """
    others = len(names) - 1
    first, last = above.sum(axis=1) / others, above.sum(axis=0) / others
    parts = zip(words, (first, 1 - first - last, last), (BLUE, FAINT, VERMILION), strict=True)
    bars = [
        bar(
            x=np.round(part, 4),
            y=np.arange(len(names)),
            orientation="h",
            name=text,
            marker={"color": colour, "line": {"width": 0}},
            customdata=[plotly_escape(name) for name in names],
            hovertemplate="%{customdata}<br>%{x:.1%} %{fullData.name}<extra></extra>",
        )
        for text, part, colour in parts
    ]
    drawn = figure(bars, full_height(len(names)), barmode="stack", bargap=0.2, showlegend=False)
    title = f"← {' · '.join(words)} →<br>{axis}"
    drawn.update_xaxes(title_text=title, range=[0, 1], side="top", tickformat=".0%")
    return row_names(drawn, names, highlighted)


def hasse_diagram(
    systems: Sequence[str],
    levels: NDArray[np.int64],
    edges: Sequence[tuple[str, str]],
    marked: set[str],
    highlighted: Sequence[int] = (),
) -> go.Figure:
    """The best on top; a line leads down to a system that is behind under every combination.

    `marked` ones are filled diamonds; those `highlighted` are filled squares; both are named however many there are.
    """
    place = {name: i for i, name in enumerate(systems)}
    across = np.zeros(len(systems))
    for level in np.unique(levels):
        members = np.flatnonzero(levels == level)
        across[members] = np.arange(len(members)) - (len(members) - 1) / 2
    xs = [x for a, b in edges for x in (across[place[a]], across[place[b]], None)] or [None]
    ys = [y for a, b in edges for y in (int(levels[place[a]]), int(levels[place[b]]), None)] or [None]
    lines = scatter(x=xs, y=ys, mode="lines", line={"color": GREY, "width": 1}, hoverinfo="skip", showlegend=False)
    widest = max(np.bincount(levels)) if len(levels) else 1
    named = widest <= 9
    here = [name in marked for name in systems]
    texts = [text if named or it else "" for it, text in zip(here, labels(systems, 18), strict=True)]
    for i, text in zip(highlighted, labels([systems[i] for i in highlighted], 18), strict=True):
        texts[i] = standing_out(text)
    dots = scatter(
        x=across,
        y=levels,
        mode="markers+text" if any(texts) else "markers",
        text=texts,
        textposition=["bottom center" if named or i % 2 else "top center" for i in range(len(systems))],
        cliponaxis=False,
        textfont={"size": [12 if i in highlighted else 10 for i in range(len(systems))]},
        marker={
            "size": [12 if it or i in highlighted else 8 for i, it in enumerate(here)],
            "symbol": [
                "diamond" if it else "square" if i in highlighted else "circle-open" for i, it in enumerate(here)
            ],
            "color": [VERMILION if it else BLUE for it in here],
        },
        customdata=[plotly_escape(name) for name in systems],
        hovertemplate="%{customdata}<extra></extra>",
        showlegend=False,
    )
    deepest = int(levels.max(initial=0))
    drawn = figure([lines, dots], int(min(1400, 160 + 56 * (deepest + 1))), dragmode=False)
    room = max(1.0, widest / 2)
    drawn.update_xaxes(visible=False, range=[-room - 0.3, room + 0.3])
    drawn.update_yaxes(title_text="systems ahead", range=[deepest + 0.7, -0.5], showgrid=False)
    drawn.update_yaxes(dtick=1 if deepest < 8 else 5)
    return drawn
