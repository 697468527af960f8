"""The figures of the bench: a measure now, and the state before in grey behind it; a sweep along one parameter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import line_at, named_ticks, standing_out
from irviz.figures.pools import lower_end, spaced_ticks
from irviz.figures.significance import FEW_PAIRS, offsets, pair_range, sample_places
from irviz.figures.squares import MOST_NUMBERS, SIGNED_CELLS, ink_on
from irviz.figures.theme import (
    AREA,
    BLUE,
    GREY,
    ON_PAPER,
    VERMILION,
    Floats,
    Trace,
    band,
    escape_names,
    figure,
    heatmap,
    labels,
    note,
    pieces,
    plotly_escape,
    scatter,
    whiskers,
)
from irviz.stats.correlation import movers
from irviz.stats.incompleteness import PoolReduction
from irviz.stats.intervals import kernel_density
from irviz.stats.significance import Significance
from irviz.stats.sweep import Sweep
from irviz.workspace.baseline import Moves
from irviz.workspace.phrases import TOLERANCE, spell

HEIGHT = 200  #: pixels of each of the four figures, so that all of them fit on one screen
NOW = {"color": BLUE, "width": 2}
THEN = {"color": GREY, "width": 2, "dash": "dash"}
LEAST_SPAN = 0.05  #: of the axes of a trade, so that a difference of nothing looks like nothing
_POINTS = 161
_BELOW, _BEFORE = -0.12, -0.34  #: where the ticks of the systems stand, and those of the state before
_BESIDE_MARK = 0.015  #: of the axis of pairs, about as wide as half a mark
_BEST = 0.33  #: how high the name of the best system stands, above those that moved most
_FEWEST = 10  #: systems from which on their averages have a density


def _note_previous(fig: go.Figure, previous_name: str, x: float, y: float, sign: str = "╌╌", **place: Any) -> None:
    """Add a word on what is in grey, dashed or with squares: the state before, if there is one."""
    if previous_name:
        text = f"{sign} {labels([f'before: {previous_name}'], 38)[0]}"
        fig.add_annotation(**note(text, x, y, 11, xref="paper", **place))


def distribution(
    systems: Sequence[str],
    now: Floats,
    moved: Moves | None,
    highlights: Sequence[int],
    axis: str,
    previous_name: str = "",
) -> go.Figure:
    """Density of the systems' averages with a tick for each; the state before in grey, joined by lines."""
    states = [(systems, now, NOW, _BELOW)]
    if moved is not None:
        states.insert(0, (moved.systems, moved.averages[0], THEN, _BEFORE))
    both = np.concatenate([row for _, row, _, _ in states])
    low, high = float(both.min()), float(both.max())
    room = 0.2 * (high - low) or 0.05
    grid = np.linspace(low - room if low < 0 else max(0.0, low - room), high + room, _POINTS)  # no score is below 0
    curves = [(line, kernel_density(row, grid)) for _, row, line, _ in states if len(row) >= _FEWEST]
    top = max((float(curve.max()) for _, curve in curves), default=1.0)
    filled = {"fill": "tozeroy", "fillcolor": AREA}
    traces = [
        scatter(x=np.round(grid, 5), y=np.round(curve / top, 4), mode="lines", line=line, hoverinfo="skip")
        | (filled if line is NOW else {})
        for line, curve in curves
    ]
    best = int(np.argmax(now))
    named = [(best, _BEST), *((i, 1.02 - 0.16 * (row % 5)) for row, i in enumerate(highlights))]  # systems and heights
    if moved is not None:
        three = movers(moved.ranks, 3)  # that moved most
        traces += [_joins(moved, range(len(moved.systems)), GREY, 0.6), _joins(moved, three, VERMILION, 1.6)]
        rows = [(systems.index(moved.systems[i]), _BELOW + 0.06 + 0.13 * row) for row, i in enumerate(three)]
        named = [*rows, *named]
    traces += [_ticks_below(*state) for state in states]
    marks = {"color": VERMILION, "width": 1.5, "dash": "dot"}
    traces += [_upright(now[[best]], _BELOW, _BEST, THEN), _upright(now[list(highlights)], _BELOW, 1.02, marks)]
    fig = figure([*traces, _names_at(systems, now, named, highlights)], HEIGHT, showlegend=False, meta={"grows": True})
    _note_previous(fig, previous_name, 0, 1.22, xanchor="left", yanchor="top")
    fig.update_xaxes(title_text=plotly_escape(axis), range=[grid[0] - room / 20, grid[-1]])
    fig.update_yaxes(range=[-0.42, 1.25], showticklabels=False, ticks="", showgrid=False, zeroline=False)
    return fig


def _joins(moved: Moves, places: Iterable[int], colour: str, width: float) -> Trace:
    """A line for each of some systems from its tick before to its tick now."""
    before, now = (moved.averages[side][list(places)].round(5) for side in (0, 1))
    y = pieces(np.full(len(now), _BEFORE + 0.05), np.full(len(now), _BELOW - 0.05))
    return scatter(x=pieces(before, now), y=y, mode="lines", line={"color": colour, "width": width}, hoverinfo="skip")


def _upright(x: Floats, low: float, high: float, line: dict[str, Any]) -> Trace:
    y = pieces(np.full(len(x), low), np.full(len(x), high))
    return scatter(x=pieces(x, x), y=y, mode="lines", line=line, hoverinfo="skip")


def _names_at(
    systems: Sequence[str], now: Floats, named: Sequence[tuple[int, float]], highlights: Sequence[int]
) -> Trace:
    """Names of systems above places, each once, at the last one."""
    places, short = [i for i, _ in named], dict(enumerate(labels(systems, 20)))
    short |= {i: standing_out(short[i]) for i in highlights}
    texts = ["" if i in places[n + 1 :] else short[i] for n, i in enumerate(places)]
    look = {"mode": "text", "text": texts, "textposition": "top center", "textfont": {"size": 11}, "hoverinfo": "skip"}
    return scatter(x=now[places].round(5), y=[height for _, height in named], cliponaxis=False, **look)


def _ticks_below(systems: Sequence[str], row: Floats, line: dict[str, Any], y: float) -> Trace:
    return scatter(
        x=np.round(row, 5),
        y=np.full(len(row), y),
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 9, "color": line["color"]},
        customdata=escape_names(systems),
        hovertemplate="%{customdata}<br>%{x:.4f}<extra></extra>",
    )


def tau_rows(
    names: Sequence[str],
    values: Floats,
    row: int,
    previous_name: str | None,
    ranks: NDArray[np.int64],
    systems: Sequence[str],
) -> go.Figure:
    """Kendall's τ between measures, the one at hand framed; below, the state before, if `values` has a row more.

    `ranks` of the marked `systems` stand beside each row.
    """
    rows = [*names, *([f"before: {previous_name}"] if previous_name is not None else [])]
    at, down = escape_names(names), escape_names(rows)
    tau = np.round(values[: len(rows), : len(names)], 3)
    trace = heatmap(z=tau, x=at, y=down, **SIGNED_CELLS, showscale=False, hoverinfo="skip")
    cells = [(i, j) for i in range(len(rows)) for j in range(len(names))]
    picks = scatter(
        x=[at[j] for _, j in cells],
        y=[down[i] for i, _ in cells],
        mode="text+markers" if len(rows) <= MOST_NUMBERS else "markers",
        marker={"symbol": "square", "size": 14, "color": "rgba(0,0,0,0)"},
        customdata=[[names[i] if i < len(names) else None, down[i], at[j], spell(values[i, j], 3)] for i, j in cells],
        hovertemplate="%{customdata[1]}<br>and %{customdata[2]}<br>τ %{customdata[3]}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}, "textfont": {"color": GREY}},
        showlegend=False,
    )
    if len(rows) <= MOST_NUMBERS:
        inks = [ink_on((values[i, j] + 1) / 2) if np.isfinite(values[i, j]) else GREY for i, j in cells]
        picks |= {"text": [_cell(values[i, j]) for i, j in cells], "textfont": {"size": 11, "color": inks}}
        del picks["unselected"]["textfont"]
    fig = figure([trace, picks], max(HEIGHT, 80 + 11 * len(rows)), dragmode=False)
    ends = {"x0": -0.5, "x1": len(names) - 0.5, "y0": row - 0.5, "y1": row + 0.5}
    frame = {"type": "rect", **ends}
    upright = {"height": max(HEIGHT, 130 + 18 * len(rows)), "xaxis.tickangle": -90}  # a column of a paper is narrow
    fig.update_layout(
        meta={"paper": upright, "grows": len(rows) <= MOST_NUMBERS},
        shapes=[{**frame, "line": {"width": width, "color": ink}} for width, ink in ((5, "#FFFFFF"), (2.5, "#1B1F24"))],
    )
    if systems:
        for y, row_ranks in enumerate(ranks):
            text = " · ".join(f"{rank}." for rank in row_ranks)
            fig.add_annotation(**note(text, 1, y, 11, xref="paper", xanchor="left"))
        heading = "rank of " + " · ".join(systems)
        fig.add_annotation(**note(heading, 1, 1, 11, **ON_PAPER, xanchor="right", yanchor="bottom"))
        fig.update_layout(margin={"r": 24 + 26 * len(systems), "t": 22})
    angle = -25 if len(names) <= MOST_NUMBERS else -90
    fig.update_xaxes(range=[-0.5, len(names) - 0.5], tickangle=angle, showgrid=False, **named_ticks(names, 24, 14))
    fig.update_yaxes(range=[len(rows) - 0.5, -0.5], showgrid=False, **named_ticks(rows, 24, 22))
    return fig


def _cell(value: float) -> str:
    if value >= 1 - TOLERANCE:
        return "1"  # which does not touch the sides of its cell in the column of a paper
    return f"{value:.2f}".replace("0.", ".", 1).replace("-", "−") if np.isfinite(value) else "–"


def asl_states(
    now: Significance, previous: Significance | None, highlights: Sequence[int], previous_name: str = ""
) -> go.Figure:
    """p-values of all pairs of systems, smallest first, now and before; crosses for the pairs of marked systems."""
    known = [(now, NOW, "now")] if previous is None else [(previous, THEN, "before"), (now, NOW, "now")]
    alpha, top = now.alpha, min(1.0, max(0.2, 4 * now.alpha))
    most = max(len(result.asl) for result, _, _ in known)
    padded = [np.pad(result.asl, (most - len(result.asl), 0), constant_values=1.0) for result, _, _ in known]
    curves = np.stack(padded)
    aside = offsets(*curves.shape)
    ends = pair_range(curves, top)
    count = np.isin(_pairs(now), highlights).sum(axis=0)  # of several marked systems, pairs of both; of one, all
    marked = np.flatnonzero(count == min(2, len(highlights) or 3))
    at = [marked if result is now else marked[:0] for result, _, _ in known]
    traces = [_asl_curve(*state, x, places, ends) for state, x, places in zip(known, aside, at, strict=True)]
    if highlights:
        look = {"mode": "markers", "marker": {"symbol": "x", "size": 7, "color": VERMILION}, "hoverinfo": "skip"}
        traces.append(scatter(x=len(now.asl) - marked + aside[-1], y=np.round(now.asl[marked], 5), **look))
    if len(highlights) == 2:
        names = labels(now.systems, 16)
        text = f"✕ {' and '.join(names[i] for i in highlights)}: p = {now.p_values[highlights[0], highlights[1]]:.2g}"
        look = {"mode": "text", "textposition": "bottom right", "textfont": {"size": 11}, "hoverinfo": "skip"}
        traces.append(scatter(x=ends[:1], y=[top], text=[text], **look))
    fig = figure(traces, HEIGHT, showlegend=False, meta={"grows": True})
    fig.add_hline(y=alpha, line={"color": GREY, "width": 1, "dash": "dot"})
    left = {"xref": "paper", "xanchor": "left"}
    fig.add_annotation(x=0, y=alpha, text=f"α = {alpha:g}", showarrow=False, yanchor="bottom", **left)
    corner = {"xanchor": "left", "yref": "paper", "yanchor": "top"}
    if previous is not None:
        sign = f"<span style='color:{GREY}'>■</span>" if now.pairs <= FEW_PAIRS else "╌╌"
        _note_previous(fig, previous_name, 0, 0.86 if highlights else 1, sign, **corner)
    fig.update_xaxes(title_text=f"{now.pairs:,} pairs of systems, smallest p-value first", range=ends)
    fig.update_yaxes(title_text=f"p-value, to {top:g}", range=[-0.02 * top, top])
    return fig


def _pairs(result: Significance) -> NDArray[np.intp]:
    """Both systems of every pair, in the order of the curve."""
    pairs = np.triu_indices(len(result.systems), k=1)
    return np.stack(pairs)[:, np.argsort(-result.p_values[pairs], kind="stable")]


def _asl_curve(
    result: Significance,
    line: dict[str, Any],
    name: str,
    aside: float,
    marked: NDArray[np.intp],
    ends: Sequence[float],
) -> Trace:
    """A curve of p-values; near a marked place it has no other point, so that a click on a mark is one on its pair."""
    sample = sample_places(result.asl, result.alpha)
    if result.pairs > FEW_PAIRS and len(marked):
        far = np.abs(sample[:, None] - marked).min(axis=1) > _BESIDE_MARK * (ends[1] - ends[0])
        sample = np.unique(np.concatenate([sample[far], marked]))
    pairs = [(result.systems[a], result.systems[b]) for a, b in _pairs(result)[:, sample].T]
    look: dict[str, Any] = {"mode": "lines"}
    if result.pairs <= FEW_PAIRS:
        symbol = {"size": 7, "symbol": "circle" if name == "now" else "square", "color": line["color"]}
        look = {"mode": "lines+markers", "marker": symbol}
        line = {**line, "dash": "solid"}
    return scatter(
        x=len(result.asl) - sample + aside,
        y=np.round(result.asl[sample], 5),
        line=line,
        name=name,
        customdata=[escape_names(pair) for pair in pairs],
        hovertemplate="%{customdata[0]} and %{customdata[1]}<br>p = %{y:.4f}<extra>%{fullData.name}</extra>",
        **look,
    )


def pool_states(
    pools: PoolReduction,
    previous: PoolReduction | None,
    systems: Sequence[str],
    highlights: Sequence[int],
    rate: float,
    previous_name: str = "",
) -> go.Figure:
    """τ with the full pool's ranking against the share kept, now and before; at the bottom, ranks of marked systems."""
    order = np.argsort(-pools.kept, kind="stable")
    x = np.round(pools.kept[order], 4)
    low, high = (limits[0, order] for limits in pools.band())
    spreads = np.nanmax(high - low, initial=0.0) > 0
    traces = [band(x, low, high)] if spreads else []
    states = [(pools, NOW, "now")] if previous is None else [(previous, THEN, "before"), (pools, NOW, "now")]
    traces += [
        scatter(
            x=np.round(state.kept[order], 4),
            y=np.round(state.tau[0, order], 4),
            mode="lines+markers",
            line=line,
            marker={"color": line["color"], "size": 6, "symbol": "circle" if state is pools else "diamond"},
            name=name,
            hovertemplate="%{x:.0%} of the pool: τ %{y:.3f}<extra>%{fullData.name}</extra>",
        )
        for state, line, name in states
    ]
    bottom = lower_end(np.concatenate([*(state.tau.ravel() for state, _, _ in states), low]))
    levels = [bottom - 0.11 * row * (1 - bottom) for row in range(1, len(highlights) + 1)]
    apart = 0.1 if highlights else 0.08  # beside the names of systems there is less room
    ticks = spaced_ticks(x, [round(float(pools.kept[pools.rates.index(rate)]), 4), float(x[0])], apart)
    for level, i in zip(levels, highlights, strict=True):
        ranks = pools.ranks[0, order, i]
        texts = [f"{rank:.0f}" if share in ticks["tickvals"] else "" for share, rank in zip(x, ranks, strict=True)]
        words = "%{x:.0%} of the pool: mean rank %{customdata:.3g}<extra></extra>"
        look = {"mode": "text", "textfont": {"size": 11}, "hovertemplate": words}
        traces.append(scatter(x=x, y=np.full(len(x), level), text=texts, customdata=ranks, **look))
    fig = figure(traces, HEIGHT, showlegend=False, meta={"grows": True})
    rows = 0.11 * len(highlights)  # of ranks
    _note_previous(fig, previous_name, 0.01, rows / (1.05 + rows), xanchor="left", yref="paper", yanchor="bottom")
    if not np.ptp(x):
        words = f"No more than {1 - x[0]:.0%} of the judgments<br>can be removed here."
        fig.add_annotation(**note(words, 0.5, 0.4, **ON_PAPER))
        fig.update_xaxes(showgrid=False)
        fig.update_yaxes(showgrid=False)
    if spreads:
        words = f"band: middle 90% of {pools.repeats.shape[-1]} repeats"
        fig.add_annotation(**note(words, 1, 1, 11, **ON_PAPER, xanchor="right", yanchor="top"))
    ends = np.log10([1.05 * x.max(), x.min() / 1.1]).tolist()
    fig.update_xaxes(title_text="share of the pool kept, % (log scale)", type="log", range=ends, **ticks)
    fig.update_yaxes(
        title_text="τ with the full pool", range=[bottom - (0.11 * len(highlights) + 0.03) * (1 - bottom), 1.02]
    )
    if highlights:  # the rows of ranks have names in the place of ticks
        step = next(size for size in (0.05, 0.1, 0.2, 0.5) if (1 - bottom) / size <= 6)
        taus = np.arange(1.0, bottom - 1e-9, -step)
        short = labels(systems, 14)
        names = [f"rank of {short[i]}" for i in highlights]
        fig.update_yaxes(
            tickvals=[*taus, *levels], ticktext=[*(f"{tau:.3g}".replace("-", "−") for tau in taus), *names]
        )
    return fig


def option_words(value: float | str) -> str:
    """A value of a sweep; a text without its quotes."""
    return value.strip("'") if isinstance(value, str) else f"{value:g}"


def sweep_curves(sweep: Sweep, parameter: str, present: int) -> go.Figure:
    """The properties along a parameter with their bands, or dots for options; a line at the present place."""
    numbers = not any(isinstance(value, str) for value in sweep.values)
    x = np.array(sweep.values if numbers else range(len(sweep.values)), dtype=np.float64)
    ticks = {"tickvals": x, "ticktext": labels(list(map(option_words, sweep.values)), 12), "tickangle": -45}
    beyond = 0.02 * float(np.ptp(x)) + 1e-9 if numbers else 0.5
    traces: list[Trace] = []
    layout: dict[str, Any] = {"annotations": [], "shapes": []}
    rows = -(-len(sweep.properties) // 2)
    for n, name in enumerate(sweep.properties):
        number = "" if n == 0 else str(n + 1)
        on = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
        values, low, high = getattr(sweep, name), sweep.low[name], sweep.high[name]
        if numbers:
            traces.append(band(x, low, high, **on))
        traces.append(
            scatter(
                x=x,
                y=np.round(values, 4),
                mode="lines+markers" if numbers else "markers",
                line=NOW,
                marker={"size": 5 if numbers else 8, "color": BLUE},
                **({} if numbers else {"error_y": whiskers(values, low, high, width=3, color=GREY, thickness=1.2)}),
                unselected={"marker": {"opacity": 1}},
                customdata=[[label, plotly_escape(label)] for label in sweep.measures],
                hovertemplate="%{customdata[1]}<br>%{y:.3f}<extra></extra>",
                **on,
            )
        )
        left, bottom = 0.54 * (n % 2), 1 - (1 + n // 2) / rows + 0.08
        high_end = bottom + 1 / rows - 0.16
        layout[f"xaxis{number}"] = {
            "domain": [left, left + 0.46],
            "anchor": f"y{number}",
            "range": [x.min() - beyond, x.max() + beyond],
            "title": {"text": plotly_escape(parameter) if n // 2 == rows - 1 else ""},
            **({} if numbers else ticks | {"showticklabels": n // 2 == rows - 1}),
        }
        layout[f"yaxis{number}"] = {
            "domain": [bottom, high_end],
            "anchor": f"x{number}",
            "range": _around(np.concatenate([values, low, high])),
        }
        place = {**ON_PAPER, "xanchor": "left", "yanchor": "bottom"}
        layout["annotations"].append(note(sweep.word(name), left, high_end + 0.005, **place))
        line = line_at(x=x[present]) | {"xref": on["xaxis"], "yref": f"{on['yaxis']} domain"}
        line["line"] |= {"color": VERMILION}
        layout["shapes"].append(line)
    fig = figure(traces, 230 * rows, showlegend=False)
    fig.update_layout(**layout, margin={"t": 8})
    return fig


def trade(sweep: Sweep, present: int, x_property: str, y_property: str) -> go.Figure:
    """The path of a parameter in the plane of two properties; up and to the right is better."""
    x, y = getattr(sweep, x_property), getattr(sweep, y_property)
    numbers = not any(isinstance(value, str) for value in sweep.values)
    named = sorted({0, len(x) // 2, len(x) - 1, present}) if numbers else range(len(x))
    star = {"symbol": "star", "size": 13, "color": VERMILION}
    together: dict[tuple[float, float], list[str]] = {}
    for i in named:
        place = round(float(x[i]), 4), round(float(y[i]), 4)
        together.setdefault(place, []).append(plotly_escape(option_words(sweep.values[i])))
    traces = [
        scatter(
            x=np.round(x, 4),
            y=np.round(y, 4),
            mode="lines+markers" if numbers else "markers",
            line={**NOW, "width": 1.5},
            marker={"size": 6, "color": BLUE},
            unselected={"marker": {"opacity": 1}},
            customdata=[[name, plotly_escape(name)] for name in sweep.measures],
            hovertemplate="%{customdata[1]}<br>%{x:.3f} across<br>%{y:.3f} up<extra></extra>",
        ),
        scatter(
            x=[place[0] for place in together],
            y=[place[1] for place in together],
            mode="text",
            text=["<br>".join([" ", *words, " "]) for words in together.values()],  # above or below the star
            textposition=[_name_position(place, together, x, y) for place in together],
            cliponaxis=False,
            hoverinfo="skip",
        ),
        scatter(
            x=np.round(x[[present]], 4), y=np.round(y[[present]], 4), mode="markers", marker=star, hoverinfo="skip"
        ),
    ]
    fig = figure(traces, 460, showlegend=False)
    fig.update_xaxes(title_text=sweep.word(x_property), range=_around(x, 0.15, LEAST_SPAN))
    fig.update_yaxes(title_text=sweep.word(y_property), range=_around(y, 0.15, LEAST_SPAN))
    return fig


def _name_position(place: tuple[float, float], others: Iterable[tuple[float, float]], x: Floats, y: Floats) -> str:
    """Position of a point's name: above it, or below it if another point stands just above."""
    wide, high = (
        max(float(np.ptp(values[np.isfinite(values)])), LEAST_SPAN) if np.isfinite(values).any() else 1
        for values in (x, y)
    )
    near = any(
        0 <= (other[1] - place[1]) / high < 0.25 and abs(other[0] - place[0]) / wide < 0.25
        for other in others
        if other != place
    )
    return "bottom center" if near else "top center"


def _around(values: Floats, room: float = 0.08, least: float = 0.0) -> list[float]:
    """A range around numbers, with room at its ends as a share of it; no narrower than `least`."""
    known = values[np.isfinite(values)]
    if not known.size:
        return [0.0, 1.0]
    low, high = float(known.min()), float(known.max())
    beyond = max(room * (high - low), (least - (high - low)) / 2) or 0.05
    return [low - beyond, high + 1.5 * beyond]
