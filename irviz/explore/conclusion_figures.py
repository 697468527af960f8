"""The figures of a conclusion: the specification curve, the grid of signs, and what decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import percent
from irviz.figures.axes import (
    fitting_ticks,
    line_at,
    named_bars,
    named_ticks,
    padded_range,
    rank_ticks,
    round_values,
    row_names,
    rows,
    signed_bars,
    spaced_places,
    stand_out,
    standing_out,
)
from irviz.figures.significance import MOST_NAMES
from irviz.figures.squares import MOST_CELLS, MOST_NUMBERS, SIGNED_CELLS, write_cells
from irviz.figures.theme import (
    AREA,
    BLUE,
    FAINT,
    FEW_TOPICS,
    GREY,
    MOST_TOPICS,
    SEQUENTIAL,
    SHADES,
    VERMILION,
    Floats,
    Trace,
    band,
    bar,
    colour_bar,
    escape_names,
    figure,
    full_height,
    heatmap,
    labels,
    note,
    pieces,
    plotly_escape,
    row_height,
    scatter,
)
from irviz.measures.labels import labels_of
from irviz.multiverse.dimensions import DIMENSIONS, option_words
from irviz.multiverse.report import SIGNS, Conclusion, Grid

MOST_POINTS = 300  #: worlds that are drawn as points; of more, evenly spaced ones
MOST_INTERVALS = 15  #: that are drawn; more lines would hide the curve
_EQUAL = "rgba(214,164,0,0.28)"  #: of the band of two equal systems
_ROW = 16  #: pixels of one row of choices

_SIZE = 4  #: pixels of a point
_SYMBOLS = ("circle", "triangle-down", "triangle-up")  #: within the axis, below it and above it
#: verdict → word and colour
_VERDICT_LOOKS = {1: ("holds", BLUE), 0: ("tie", GREY), -1: ("reversed", VERMILION)}


def specification_curve(r: Conclusion, words: Callable[[int], str], axis: str, row: int) -> go.Figure:
    """The standardised difference in every world, smallest first (Simonsohn, Simmons & Nelson 2020, Figure 2).

    Ticks below mark significant ones, lines are some intervals, triangles at the edge outliers; the band holds the
    curves of two equal systems. A click gives the number of a world; `words` names the world of a row, and a line marks
    `row`.
    """
    order = np.argsort(r.standardised, kind="stable")
    curve, intervals = r.standardised[order], standardised_intervals(r)[:, order]
    places, low, high = len(order), *_ends(np.append(curve, intervals))
    place = int(np.flatnonzero(order == row)[0])
    above = {"yref": "y domain", "yanchor": "bottom"}
    notes = [
        note(
            f"combination {r.worlds.numbers[row]:,}",
            place + 1,
            1,
            xanchor="left" if place < places / 2 else "right",
            **above,
        )
    ]
    ends = padded_range(np.array([low, high]), 0.06)
    lines = np.flatnonzero(np.isfinite(intervals).all(axis=0) & (curve >= low) & (curve <= high))
    lines = lines[spaced_places(len(lines), MOST_INTERVALS)]
    x = {
        "title": {"text": f"{places:,} combinations, sorted, {min(places, MOST_POINTS)} drawn"},
        "range": [0.5 - 0.01 * places, places + 0.5 + 0.01 * places],
        "showgrid": False,
        "zeroline": False,
        **rank_ticks(places),
    }
    grey = {"mode": "lines", "line": {"width": 1, "color": GREY}, "hoverinfo": "skip", "showlegend": len(lines) > 0}
    name, shown = f"95% intervals, {len(lines)} drawn", pieces(*round_values(intervals[:, lines]))
    interval = scatter(x=pieces(lines + 1, lines + 1), y=shown, name=name, **grey)
    upper = [*_two_equal(r.band, *ends), interval, *_points(r, order, words, (low, high), ends)]
    ticks = {"tickvals": [0], "ticktext": ["p < α"], "ticks": "", "range": [-1, 1], "showgrid": False}
    return rows(
        [upper, _significant(r.significant[order], r.verdict[order])],
        (0.93, 0.07),
        390,
        x,
        [{"title": {"text": plotly_escape(axis)}, "range": ends}, {**ticks, "zeroline": False}],
        [line_at(y=0, dash="dash"), line_at(x=place + 1)],
        gap=0.02,
        showlegend=True,
        legend={"itemsizing": "constant", "itemclick": False, "itemdoubleclick": False},
        margin={"t": 44},
        annotations=notes,
        dragmode=False,
    )


def standardised_intervals(r: Conclusion) -> Floats:
    """Low and high ends × worlds: the intervals in units of the standardised difference; NaN where there is none."""
    unit = np.divide(r.standardised, r.difference, out=np.full(r.difference.shape, np.nan), where=r.difference != 0)
    return np.where(np.isfinite(unit), unit, np.nan) * np.stack([r.low, r.high])


def _ends(ends: Floats) -> tuple[float, float]:
    """The lowest and highest difference or end of an interval, without outliers (harmonic means) and infinite ones."""
    ends = ends[np.isfinite(ends)] if np.isfinite(ends).any() else np.array([-1.0, 1.0])
    low, high = np.quantile(ends, [0.15, 0.85]).tolist()
    room = (high - low) / 2
    if not room:
        return float(ends.min()), float(ends.max())
    return max(float(ends.min()), low - room), min(float(ends.max()), high + room)


def _significant(sure: NDArray[np.bool_], verdicts: NDArray[np.int8]) -> list[Trace]:
    """A bar below all places that are significant, however many there are, in a trace for each verdict."""
    traces, least = [], len(sure) / 4000  # a single one of thousands is seen, too
    for verdict, (_, colour) in _VERDICT_LOOKS.items():
        taken = np.concatenate([[False], sure & (verdicts == verdict), [False]])
        turns = np.flatnonzero(np.diff(taken)).reshape(-1, 2) + [0.5 - least, 0.5 + least]
        if len(turns):
            look = {"mode": "lines", "line": {"width": 12, "color": colour}, "showlegend": False}
            level = np.zeros(len(turns))
            traces.append(scatter(x=pieces(*turns.T), y=pieces(level, level), name="p < α", hoverinfo="skip", **look))
    return traces


def _two_equal(limits: Floats, low: float, high: float) -> list[Trace]:
    """The band that holds the curves of two equal systems, if there was a joint test; no higher than the axis."""
    places = spaced_places(limits.shape[1], 4 * MOST_POINTS)
    first, last = np.clip(limits[:, places], low, high)
    look = {"fillcolor": _EQUAL, "name": "95% of curves of equal systems", "showlegend": True}
    return [band(places + 1, last, first, 5, **look)] if len(places) else []


def _points(
    r: Conclusion,
    order: NDArray[np.intp],
    words: Callable[[int], str],
    limits: tuple[float, float],
    ends: Sequence[float],
) -> list[Trace]:
    """One marker per world, by its verdict; a triangle at an end of the axis if its difference is outside `limits`."""
    curve, verdicts = r.standardised[order], r.verdict[order]
    heights = np.where(curve < limits[0], ends[0], curve)
    heights = np.where(curve > limits[1], ends[1], heights)
    beyond = np.sign(heights - curve).astype(int)  # 1 below the axis, -1 above it
    places = spaced_places(len(order), MOST_POINTS)
    traces = []
    for verdict, (name, colour) in _VERDICT_LOOKS.items():
        members = places[verdicts[places] == verdict]
        if not len(members):
            continue
        marker: dict[str, Any] = {"color": colour, "size": _SIZE, "opacity": 1, "line": {"width": 0}}
        if beyond[members].any():
            marker["symbol"] = [_SYMBOLS[i] for i in beyond[members]]
            marker["size"] = np.where(beyond[members] == 0, _SIZE, 2 * _SIZE).tolist()
        columns = (r.worlds.numbers, np.arange(len(order)), round_values(r.difference, 9), r.p)
        records = zip(*(column[order[members]].tolist() for column in columns), strict=True)
        traces.append(
            scatter(
                x=members + 1,
                y=round_values(heights[members], 9),
                mode="markers",
                name=name,
                marker=marker,
                cliponaxis=False,
                customdata=[[number, plotly_escape(words(row)), d, p] for number, row, d, p in records],
                hovertemplate="%{customdata[1]}<br>difference %{customdata[2]:.4~g}, standardised %{y:.3~g}, "
                "p = %{customdata[3]:.2~g}<extra>" + name + "</extra>",
            )
        )
    return traces


def choice_shares(r: Conclusion) -> go.Figure:
    """A bar per choice: in how many of its worlds the claim holds; the darker part, significantly."""
    at, texts, taken = [0], ["all combinations"], [np.ones(len(r), dtype=bool)]
    codes = {name: r.worlds.code(name) for name in r.worlds.varying}
    met = [(name, code) for name, own in codes.items() for code in np.unique(own).tolist()]
    called = labels_of([*map(str, r.worlds.options["measure"])])
    words = [option_words(name, r.worlds.options[name][code]) for name, code in met]
    options = labels([called.get(text, text) for text in words], 22)
    for (name, code), option in zip(met, options, strict=True):
        if code == codes[name].min():
            texts.append(f"<b>{DIMENSIONS[name]}</b>")
        at.append(len(texts))
        texts.append(option)
        taken.append(codes[name] == code)
    holds, sure = r.verdict > 0, r.significant
    parts = (("holds, significantly", holds & sure, BLUE), ("holds, not significantly", holds & ~sure, SHADES[2][0]))
    bars = [
        bar(
            x=[round(float(mask[here].mean()), 4) for here in taken],
            y=at,
            orientation="h",
            name=name,
            marker={"color": colour},
            hovertemplate="%{x:.1%}<extra>" + name + "</extra>",
        )
        for name, mask, colour in parts
    ]
    fig = figure(bars, _ROW * len(texts) + 90, barmode="stack", bargap=0.2, dragmode=False)
    fig.update_layout(legend={"traceorder": "normal"})
    ticks = {"tickvals": list(range(len(texts))), "ticktext": texts, "ticks": "", "ticklabelstandoff": 6}
    fig.update_yaxes(**ticks, range=[len(texts) - 0.5, -0.5], showgrid=False, zeroline=False)
    fig.update_xaxes(title_text="share of the combinations", range=[0, 1], tickformat=".0%")
    return fig


def sign_grid(grid: Grid, averages: Sequence[str]) -> go.Figure:
    """Measures down, averages across: + where the claim holds, − where it is reversed, * if significantly."""
    there, sure = grid.rows >= 0, grid.significant
    shade = np.where(there, grid.verdict * np.where(sure, 1.0, 0.45), np.nan)
    names, columns = escape_names(grid.measures), escape_names(averages)
    cells = heatmap(
        z=np.round(shade, 2).astype(np.float32),
        x=columns,
        y=names,
        **SIGNED_CELLS | {"xgap": 2, "ygap": 2},
        showscale=False,
        hoverinfo="skip",
    )
    signs = {(i, j): SIGNS[grid.verdict[i, j]] + ("*" if sure[i, j] else "") for i, j in np.argwhere(there).tolist()}
    every = list(np.ndindex(there.shape))
    marks = scatter(
        x=[columns[j] for _, j in every],
        y=[names[i] for i, _ in every],
        mode="text",
        text=[signs.get(cell, "") for cell in every],
        textfont={"size": 16, "color": ["#FFFFFF" if sure[cell] and there[cell] else "#1B1F24" for cell in every]},
        customdata=[[int(grid.numbers[i, j]), f"{names[i]}, {columns[j]}"] for i, j in every],
        hovertemplate="%{customdata[1]}<extra></extra>",
        showlegend=False,
    )
    fig = figure([cells, marks], row_height(len(names), 240, 30), dragmode=False)
    key = "+ holds, − reversed, = tie; * significantly"
    fig.update_xaxes(title_text=key, side="top", showgrid=False, **named_ticks(averages, 40, 18))
    fig.update_yaxes(range=[len(names) - 0.5, -0.5], showgrid=False, **named_ticks(grid.measures, 60, 22))
    return fig


def share_bars(names: Sequence[str], shares: Floats, axis: str) -> go.Figure:
    """Bars of how much each choice decides, largest first."""
    order, last = np.argsort(-shares, kind="stable"), max(0.1, float(shares.max()) * 1.18)
    fig = named_bars(
        [names[i] for i in order],
        shares[order],
        row_height(len(names), 240, 26),
        "%{y}: %{x:.1%}<extra></extra>",
        text=[f"{shares[i]:.0%}" for i in order],
        textposition="outside",
        cliponaxis=False,
    )
    return fig.update_xaxes(title_text=plotly_escape(axis), range=[0, last], tickformat=".0%")


# -- The figures below the curve: what topics add, and the order of all systems that no world disputes


def influence_bars(topics: Sequence[str], adds: Floats, axis: str) -> go.Figure:
    """Bars of each topic's part of the difference, largest first; a line if there are many topics."""
    if len(topics) > MOST_TOPICS:
        places = spaced_places(len(adds), 4 * MOST_POINTS)
        line = scatter(
            x=places + 1,
            y=round_values(adds[places], 9),
            mode="lines",
            line={"color": BLUE, "width": 1.5},
            fill="tozeroy",
            fillcolor=AREA,
            hovertemplate="place %{x:,}: %{y:.3~g}<extra></extra>",
            showlegend=False,
        )
        fig, title = figure([line], 300, dragmode=False), f"{len(adds):,} topics, by what they add"
        fig.update_xaxes(title_text=title, range=[0, len(adds) + 1], **rank_ticks(len(adds)))
    else:
        bars = signed_bars(topics, adds, hovertemplate="topic %{x}: %{y:.5f}<extra></extra>")
        fig, angle = figure([bars], 300, dragmode=False, bargap=0.15), -90 if len(topics) > FEW_TOPICS else 0
        fig.update_xaxes(title_text="topic", tickangle=angle, **fitting_ticks(topics, 12))
    return fig.update_yaxes(title_text=plotly_escape(axis), range=padded_range(np.append(adds, 0), 0.06))


def share_square(
    names: Sequence[str],
    share: Floats,
    highlights: Sequence[int] = (),
    noun: str = "combinations",
    every: bool = True,
) -> go.Figure:
    """systems × systems: the share of combinations, or topics, in which the row is ahead; see :func:`parted_rows`."""
    shares = np.where(np.eye(len(names), dtype=bool), np.nan, share)
    if len(names) > MOST_CELLS:
        above, words = np.nan_to_num(shares), ("dominates", "neither", "is dominated")
        title = f"share of {noun}, mean over other systems"
        if noun == "combinations":
            above, words, title = above == 1, ("ahead in all", "neither", "behind in all"), "share of the other systems"
        return row_names(parted_rows(names, above, words, title), names, highlights, every)
    written = len(names) <= MOST_NUMBERS
    cells = heatmap(
        z=np.round(shares.astype(np.float32), 3),
        x=escape_names(names),
        y=escape_names(names),
        zmin=0,
        zmax=1,
        colorscale=SEQUENTIAL,
        xgap=1,
        ygap=1,
        showscale=not written,
        colorbar=colour_bar(f"share of {noun}"),
        hoverongaps=False,
        hovertemplate="%{y}<br>ahead of %{x}<br>in %{z:.1%} of the " + noun + "<extra></extra>",
    )
    fig = figure([cells], full_height(len(names)) + 30, dragmode=False)
    few = len(names) <= MOST_NAMES
    fig.update_xaxes(tickangle=-60, showgrid=False, showticklabels=few, **named_ticks(names, len(names), 18))
    if not few:
        fig.update_xaxes(title_text="compared with (same order)", ticks="")
    fig.update_yaxes(range=[len(names) - 0.5, -0.5], showgrid=False, **named_ticks(names, len(names), 18))
    stand_out(fig, names, highlights, 18)
    texts = [["" if np.isnan(value) else percent(value) for value in row] for row in shares.tolist()]
    return write_cells(fig, texts, shares, SEQUENTIAL) if written else fig


def parted_rows(names: Sequence[str], shares: NDArray[Any], words: Sequence[str], axis: str) -> go.Figure:
    """A bar of three parts per system: mean shares (systems × systems) over the others of ahead, neither and behind."""
    others = len(names) - 1
    first, last = shares.sum(axis=1) / others, shares.sum(axis=0) / others
    parts = zip(words, (first, 1 - first - last, last), (BLUE, FAINT, VERMILION), strict=True)
    bars = [
        bar(
            x=np.round(part, 4),
            y=np.arange(len(names)),
            orientation="h",
            name=text,
            marker={"color": colour, "line": {"width": 0}},
            customdata=escape_names(names),
            hovertemplate="%{customdata}<br>%{x:.1%} %{fullData.name}<extra></extra>",
        )
        for text, part, colour in parts
    ]
    fig = figure(bars, full_height(len(names)), barmode="stack", bargap=0.2, showlegend=False)
    title = f"← {' · '.join(words)} →<br>{axis}"
    return fig.update_xaxes(title_text=title, range=[0, 1], side="top", tickformat=".0%")


def hasse_diagram(
    systems: Sequence[str],
    levels: NDArray[np.int64],
    edges: Sequence[tuple[str, str]],
    claim_names: set[str],
    highlights: Sequence[int] = (),
) -> go.Figure:
    """The best on top; a line leads down to a system that is behind under every combination.

    `claim_names` are filled diamonds, `highlights` filled squares; both are always named.
    """
    place = {name: i for i, name in enumerate(systems)}
    across = np.zeros(len(systems))
    for level in np.unique(levels):
        members = levels == level
        across[members] = np.arange(members.sum()) - (members.sum() - 1) / 2
    ends = np.array([[place[name] for name in edge] for edge in edges], dtype=np.intp).reshape(-1, 2).T
    x, y = (pieces(*of[ends]).tolist() or [None] for of in (across, levels))
    lines = scatter(x=x, y=y, mode="lines", line={"color": GREY, "width": 1}, hoverinfo="skip", showlegend=False)
    widest = max(np.bincount(levels)) if len(levels) else 1
    named = widest <= 9
    texts = [
        text if named or one in claim_names else "" for one, text in zip(systems, labels(systems, 18), strict=True)
    ]
    symbols = [
        "diamond" if name in claim_names else "square" if i in highlights else "circle-open"
        for i, name in enumerate(systems)
    ]
    for i, text in zip(highlights, labels([systems[i] for i in highlights], 18), strict=True):
        texts[i] = standing_out(text)
    dots = scatter(
        x=across,
        y=levels,
        mode="markers+text" if any(texts) else "markers",
        text=texts,
        textposition=["bottom center" if named or i % 2 else "top center" for i in range(len(systems))],
        cliponaxis=False,
        textfont={"size": [12 if i in highlights else 10 for i in range(len(systems))]},
        marker={
            "size": [8 if symbol == "circle-open" else 12 for symbol in symbols],
            "symbol": symbols,
            "color": [VERMILION if symbol == "diamond" else BLUE for symbol in symbols],
        },
        customdata=escape_names(systems),
        hovertemplate="%{customdata}<extra></extra>",
        showlegend=False,
    )
    deepest = int(levels.max(initial=0))
    fig = figure([lines, dots], int(min(1400, 160 + 56 * (deepest + 1))), dragmode=False)
    room = max(1.0, widest / 2)
    fig.update_xaxes(visible=False, range=[-room - 0.3, room + 0.3])
    upright = {"range": [deepest + 0.7, -0.5], "showgrid": False, "dtick": 1 if deepest < 8 else 5}
    return fig.update_yaxes(title_text="systems ahead", **upright)
