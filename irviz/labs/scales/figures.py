"""A measure against the total order: its values, its steps, the orders themselves; temperatures and first hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import number_of
from irviz.figures.axes import Axis, axis, chart, padded_range, rank_ticks, rows
from irviz.figures.motion import moving
from irviz.figures.theme import AREA, BLUE, DASHES, GREEN, GREY, PALETTE, VERMILION, Trace, bar, plotly_escape, scatter
from irviz.figures.unchecked import layout_of, traces_of
from irviz.labs.charts import Groups, as_far, blend, curve, levels, rank_columns, silent
from irviz.labs.documents import document_row, hatch, lists_drawing, run_columns
from irviz.labs.scales import model
from irviz.stats.scales import ScaleType, Steps
from irviz.workspace.control import plain
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number

Floats = NDArray[np.float64]
_FEW = 40  #: runs that can still be named on an axis
MOST_WALKED = 128  #: runs whose order is climbed place by place


def against_order(scale: ScaleType, height: int = 480) -> go.Figure:
    """Above, a measure over ρ with the straight line of an interval scale; below, the height of every step.

    Steps of the mean height are green, others blue and hatched, those that do not rise vermilion.
    """
    rho, values, runs = scale.rho, scale.values, model.texts_of(scale)
    ends = {"x": [int(rho[0]), int(rho[-1])], "y": np.round(values[[0, -1]], 5)}
    dashed = {"color": GREY, "dash": "dash", "width": 1.5}
    above = [scatter(**ends, mode="lines", name="straight line: interval scale", line=dashed, hoverinfo="skip")]
    many = len(rho) > 300
    above.append(
        scatter(
            x=rho,
            y=np.round(values, 6),
            mode="lines" if many else "lines+markers",
            name=plotly_escape(scale.measure),
            line={"color": BLUE, "width": 1.4},
            marker={"size": 7 if len(rho) <= _FEW else 4},
            text=runs,
            hovertemplate="%{text}<br>place %{x}, value %{y:.4f}<extra></extra>",
        )
    )
    if scale.kind == "neither" and scale.witness is not None:
        pair = [scale.runs.index(run) for run in scale.witness]
        above.append(
            scatter(
                x=rho[pair],
                y=np.round(values[pair], 6),
                mode="markers+lines",
                name="a step that does not rise",
                text=[runs[i] for i in pair],
                hovertemplate="%{text}: %{y:.4f}<extra></extra>",
                marker={"symbol": "circle-open", "size": 16, "color": VERMILION, "line": {"width": 2.5}},
                line={"color": VERMILION, "width": 2},
            )
        )
    ups = [
        axis(plotly_escape(scale.measure), padded_range(values, 0.06)),
        axis("step up", padded_range(np.diff(values), 0.08)),
    ]
    below = _step_line(rho, values, scale.steps) if many else _step_bars(rho, values, scale.steps)
    return rows([above, below], (0.66, 0.34), height, _all_runs_axis(scale), ups, bargap=0.15)


def _all_runs_axis(scale: ScaleType, **ticks: Any) -> Axis:
    """The axis of all runs, with their names where they are few and `ticks` does not say otherwise."""
    if not ticks and len(scale.runs) <= _FEW:
        ticks = {"tickvals": scale.rho, "ticktext": model.texts_of(scale), "tickangle": -90}
    elif not ticks:
        numbers = rank_ticks(len(scale.runs))["tickvals"]  # the worst is 0 here
        ticks = {"tickvals": [n - 1 for n in numbers], "ticktext": [f"{n:,}" for n in numbers]}
    return axis("all lists, worst first", [-0.6, scale.rho[-1] + 0.6], **ticks)


def _over_lists(scale: ScaleType, traces: Sequence[Trace], up: Axis) -> go.Figure:
    """Traces over all runs; below, the runs themselves, as in the question, where they are few."""
    if len(scale.runs) > _FEW:
        return chart(traces, 340, _all_runs_axis(scale), up)
    cells = run_columns(scale.runs, len(scale.grades) - 1)
    columns = [  # the worst is 0 here
        {**trace, "x": [n - 1 for n in trace["x"]], "hovertemplate": None, "hoverinfo": "skip"}
        for trace in traces_of(cells)
    ]
    x = _all_runs_axis(scale, showticklabels=False)
    return rows([traces, columns], (0.72, 0.28), 340, x, [up, layout_of(cells)["yaxis"]], gap=0.03)


def climbing(
    scale: ScaleType, walkers: Mapping[str, tuple[int, int]], captions: Sequence[str], names: Mapping[int, str]
) -> go.Figure:
    """The measure over ρ, some runs with `names`; frames let walkers climb it, one place after the other."""
    rho, values, runs = scale.rho, scale.values, model.texts_of(scale)
    falls = [0, *(scale.steps.sign <= 0).astype(int).tolist()]
    looks = {"size": (5, 9), "color": (GREY, VERMILION), "symbol": ("circle", "x")}
    dots = {"opacity": 1, **{name: [two[fall] for fall in falls] for name, two in looks.items()}}
    look = {"line": {"color": GREY, "width": 1}, "marker": dots, "hovertemplate": "%{text}: %{y:.4f}<extra></extra>"}
    line = curve("all lists", rho, values, 0, text=runs, showlegend=False, **look)
    ways = [np.arange(a, b + 1) for a, b in walkers.values()]
    thick = [{"color": PALETTE[n], "width": 5, "dash": DASHES[2 * n]} for n in range(len(ways))]
    paths = [
        curve(name, rho[way], values[way], 0, mode="lines", line=line_)
        for name, way, line_ in zip(walkers, ways, thick, strict=True)
    ]
    places = list(names)
    labels = [f"<b>{name}</b>\xa0\xa0" for name in names.values()]  # beside the dots
    words = silent(rho[places], values[places], "text", text=labels, textposition="top left", cliponaxis=False)
    times = np.linspace(0, max(len(way) - 1 for way in ways), 60)
    frames = [[as_far(rho[way], values[way], rho[way[0]] + time) for way in ways] for time in times]
    y = axis(plotly_escape(scale.measure), padded_range(values, 0.1))
    fig = _over_lists(scale, [*paths, line, words], y)
    return moving(fig, frames, list(range(len(ways))), [captions[int(place + 0.5)] for place in times])


def two_orders(scale: ScaleType, order: model.PartialOrder) -> go.Figure:
    """The Hasse diagram of the partial order on the left, the total order of the same runs on the right."""
    runs, heights = model.texts_of(scale), order.heights
    left = _spread(heights)
    up, chain = np.array(heights) / max(1, *heights), np.arange(len(runs)) / max(1, len(runs) - 1)
    right = [1.7] * len(runs)
    pairs = {"x": left, "y": up.tolist()}
    joined = {side: [x for a, b in order.edges for x in (of[a], of[b], None)] or [None] for side, of in pairs.items()}
    lines = silent(joined["x"], joined["y"], "lines", line={"color": GREY, "width": 1})
    total = silent(right, chain, "lines", line={"color": BLUE, "width": 1.5})
    node_style = {
        "mode": "markers+text",
        "text": runs,
        "textfont": {"size": 11 if len(runs) <= 16 else 9},
        "showlegend": False,
        "hovertemplate": "%{text}<extra></extra>",
    }
    sides = ["middle left" if place < 0.5 else "middle right" for place in left]
    dots = {"size": 8, "color": BLUE, "opacity": 1}
    diamonds = {**dots, "color": VERMILION, "symbol": "diamond"}
    nodes = scatter(x=left, y=up, textposition=sides, marker=diamonds, **node_style)
    places = scatter(x=right, y=chain, textposition="middle right", marker=dots, **node_style)
    heads = [
        {"x": x, "y": 1.08, "text": text, "showarrow": False, "yanchor": "bottom"}
        for x, text in ((0.5, "partial order (undisputed)"), (1.7, "total order"))
    ]
    x, y = ({"visible": False, "range": ends} for ends in ([-0.1, 2.05], [-0.05, 1.2]))
    return chart([lines, total, nodes, places], 130 + 15 * max(len(runs), 14), x, y, annotations=heads)


def _spread(heights: Sequence[int]) -> list[float]:
    """The place of every run on the left half: those of one height are side by side."""
    places = []
    for i, height in enumerate(heights):
        same = [j for j, other in enumerate(heights) if other == height]
        places.append((same.index(i) + 1) / (len(same) + 1))
    return places


def _step_line(rho: NDArray[np.integer], values: Floats, steps: Steps) -> list[Trace]:
    """The steps of many runs as one line, crosses where they do not rise."""
    step, middle, bad = np.round(np.diff(values), 6), rho[:-1] + 0.5, steps.sign <= 0
    line = scatter(x=middle, y=step, mode="lines", name="steps", line={"color": BLUE, "width": 0.8}, hoverinfo="skip")
    look = {"color": VERMILION, "symbol": "x", "size": 4}
    crosses = scatter(x=middle[bad], y=step[bad], mode="markers", name="not rising", hoverinfo="skip", marker=look)
    return [line, crosses] if bad.any() else [line]


def _step_bars(rho: NDArray[np.integer], values: Floats, steps: Steps) -> list[Trace]:
    """The steps by kind: equal to the mean step, rising otherwise, not rising."""
    step, middle = np.diff(values), rho[:-1] + 0.5
    height = np.where(steps.sign == 0, -0.01 * np.abs(step).max(), step)  # a step of height 0 would not be seen
    kinds = (
        ("equal steps", steps.equal, GREEN, ""),
        ("unequal steps", ~steps.equal & (steps.sign > 0), BLUE, "/"),
        ("not rising", ~steps.equal & (steps.sign <= 0), VERMILION, "x"),
    )
    return [
        bar(
            x=middle[chosen],
            y=np.round(height[chosen], 6),
            name=name,
            width=0.85,
            hoverinfo="skip",
            marker={"color": colour, "line": {"width": 0}, "pattern": hatch(pattern if len(rho) <= 80 else "")},
        )
        for name, chosen, colour, pattern in kinds
        if chosen.any()
    ]


# -- figures by name ------------------------------------------------------------------------------------


TITLES = {
    "interval": "A straight line: equal steps everywhere",
    "ordinal": "It always rises, by unequal steps",
    "neither": "It does not always rise",
}


def _over_order(scale: ScaleType, fig: go.Figure, title: str = "") -> Drawing:
    """The measure over all runs in the total order, as it is drawn."""
    words = f"{scale.measure} of {len(scale.runs)} lists in their total order. {model.step_words(scale)}"
    return Drawing(fig, title or TITLES[scale.kind], words)


def over_order(values: Values) -> Drawing:
    """The chosen measure over all runs."""
    scale = model.chosen_scale(values)
    return _over_order(scale, against_order(scale))


def both_orders(values: Values) -> Drawing:
    """The undisputed order of all runs beside the total one."""
    scale = model.chosen_scale(values)
    order = model.partial_order(scale.runs, scale.order == "rank")
    title = "The undisputed order, and the total order"
    return Drawing(two_orders(scale, order), title, model.dispute_words(scale, order))


def days(values: Values) -> Drawing:
    """Temperatures of two cities, in degrees Celsius."""
    y = {"tickvals": [0, 1], "ticktext": list(model.DAYS), "range": [1.6, -0.6], "showgrid": False}
    fig = chart(_days_dots(), 300, axis("°C", [-22, 44]), y)
    return Drawing(fig, "Five days in two cities", f"{_days_words()}.")


def _days_words() -> str:
    return "; ".join(f"{city} {', '.join(f'{x:g}' for x in row)} °C" for city, row in model.DAYS.items())


def _days_dots() -> list[Trace]:
    """One row of dots per city."""
    return [
        silent(row, [n] * len(row), "markers", marker={"size": 13, "color": (BLUE, VERMILION)[n], "opacity": 0.8})
        for n, row in enumerate(model.DAYS.values())
    ]


def degrees(values: Values) -> Drawing:
    """The days with their means; frames move the zero from which degrees are counted from that of °C to that of °F."""
    rows_, zeros = np.array(list(model.DAYS.values())), np.linspace(0, model.ZERO_FAHRENHEIT, 60).round(3)
    means = [(np.exp(np.log(rows_ - zero).mean(axis=1)) + zero).round(4) for zero in zeros]
    frames = [[{"x": now}, {"x": [zero, zero]}] for zero, now in zip(zeros, means, strict=True)]
    names = ["0 °C", *(f"{number(float(zero), 1)} °C" for zero in zeros[1:-1]), "0 °F"]
    captions = [
        f"counted from {at}: {list(model.DAYS)[np.argmax(now)]} is warmer by the geometric mean"
        for at, now in zip(names, means, strict=True)
    ]
    marker = {"symbol": "diamond", "size": 13, "color": [BLUE, VERMILION]}
    look = {"text": list(model.DAYS), "textposition": ["top center", "bottom center"], "marker": marker}
    fixed = silent(rows_.mean(axis=1), [2, 2], "markers+text", **look)
    moved = silent(means[-1], [3, 3], "markers+text", **look)
    zero = silent([zeros[-1]] * 2, [-0.5, 3.4], "lines", line={"color": GREY, "dash": "dash", "width": 2})
    names = [*model.DAYS, "arithmetic<br>means", "geometric<br>means"]
    y = {"tickvals": [0, 1, 2, 3], "ticktext": names, "range": [3.5, -0.6], "showgrid": False}
    over = {"overlaying": "x", "side": "top", "showgrid": False, "dtick": 20, "zeroline": False}
    both = axis("°C", [-22, 44], zeroline=False), axis("°F", list(model.fahrenheit([-22, 44])), **over)
    unseen = silent([0], [-9], "markers", xaxis="x2")  # an axis is drawn with something on it
    fig = chart([*_days_dots(), fixed, moved, zero, unseen], 330, both[0], y, xaxis2=both[1])
    means_text = ", ".join(f"{name} {number(x, 2)}" for name, x in model.two_means(True)["geometric"].items())
    title = "The same days on both scales; the dashed line is the zero"
    return Drawing(
        moving(fig, frames, [3, 4], captions), title, f"{_days_words()}; geometric means in °F: {means_text}."
    )


def hits(values: Values) -> Drawing:
    """The first relevant document of two systems on three topics."""
    lists = {
        f"{name}, topic {t}": [int(n == rank) for n in range(1, model.LENGTH + 1)]
        for name, ranks in model.HITS.items()
        for t, rank in enumerate(ranks, start=1)
    }
    return lists_drawing(lists, 1, "Where the first relevant document is")


def staircase(values: Values) -> Drawing:
    """The values of RR as a staircase; frames move them to equal steps, and the means of both systems with them."""
    steps, equal = model.steps_of_rr()
    readings = model.of_hits(values)
    ranks = ["none", *(str(rank) for rank in range(model.LENGTH, 0, -1))]
    edges = np.repeat(np.arange(len(equal) + 1) - 0.5, 2)
    look = {"fill": "tozeroy", "fillcolor": AREA, "line": {"color": BLUE, "width": 2}}
    stairs_ = silent(edges, [0, *np.repeat(equal, 2), 0], "lines", **look)
    means = {name: (readings[f"RR {name}"], readings[f"equal {name}"]) for name in model.HITS}
    ends = {f"mean of {name}": end for name, (_, end) in means.items()}
    lines = levels([-0.5, len(ranks) - 0.5], ends, ((VERMILION, "solid"), (GREEN, "dash")))
    at = [len(ranks) - rank for hits_ in model.HITS.values() for rank in hits_]
    marker = {"size": 17, "color": [VERMILION] * 3 + [GREEN] * 3}
    look = {"text": ["A"] * 3 + ["B"] * 3, "textfont": {"color": "white", "size": 11}, "marker": marker}
    aside = [-0.28, -0.28, -0.28, -0.03, 0.17, 0.37]  # three of them at the same rank
    dots = silent(np.add(at, aside), np.take(equal, at), "markers+text", **look)
    frames: list[list[Trace]] = []
    captions: list[str] = []
    for t in np.linspace(0, 1, 60):
        now = {name: float(blend(*ends, t)) for name, ends in means.items()}
        stairs = blend(steps, equal, t)
        heights = {"y": np.array([0, *np.repeat(stairs, 2), 0])}
        frames.append([heights, *({"y": [mean] * 2} for mean in now.values()), {"y": np.take(stairs, at)}])
        where = "RR" if t == 0 else "equal steps" if t == 1 else "on the way to equal steps"
        captions.append(f"{where}: {', '.join(f'{name} {number(mean)}' for name, mean in now.items())}")
    ticks = {"tickvals": list(range(len(ranks))), "ticktext": ranks, "showgrid": False}
    x = axis("rank of the first relevant document", [-0.55, len(ranks) - 0.45], **ticks)
    fig = moving(chart([stairs_, *lines, dots], 330, x, axis("value", [0, 1.08])), frames, [0, 1, 2, 3], captions)
    means_text = ", ".join(f"{name} {number(start)}, then {number(end)}" for name, (start, end) in means.items())
    title = "The values of RR, and equal steps in their place"
    return Drawing(fig, title, f"Means by RR and by equal steps: {means_text}.")


def pair_found(values: Values) -> Drawing:
    """How many relevant documents are found in both runs; frames read them, rank by rank."""
    ranks, names = np.arange(1, model.LENGTH + 1), [model.as_text(run) for run in model.PAIR]
    hit_counts = np.cumsum(model.PAIR, axis=1)
    lists = [{**document_row(run, 1), "y": [n] * model.LENGTH} for n, run in enumerate(model.PAIR)]
    hover = {"hovertemplate": "%{y} found by rank %{x}<extra>%{fullData.name}</extra>"}
    lines = [curve(name, ranks, hit_counts[n], n, **hover) for n, name in enumerate(names)]
    x = axis("documents read", [0.5, model.LENGTH + 0.5], dtick=1, showgrid=False)
    ys = [{"tickvals": [0, 1], "ticktext": names, "range": [1.6, -0.6], "showgrid": False, "zeroline": False}]
    ys.append(axis("relevant ones found", [-0.3, model.LENGTH - 0.4], dtick=1))
    places = np.linspace(1, model.LENGTH, 60)
    frames = [[as_far(ranks, row, place) for row in hit_counts] for place in places]
    captions = []
    for a, b in hit_counts[:, (places + 1e-9).astype(int) - 1].T:
        who = "equally many" if a == b else f"{names[0] if a > b else names[1]} has found more"
        captions.append(f"{a} and {b} found: {who}")
    fig = rows([lists, lines], (0.32, 0.68), 330, x, ys)
    counts_text = "; ".join(f"{name} {', '.join(map(str, row))}" for name, row in zip(names, hit_counts, strict=True))
    words = f"Relevant documents found by rank: {counts_text}."
    return Drawing(moving(fig, frames, [2, 3], captions), "The two lines cross: it depends on how far one reads", words)


def named_lists(runs: Iterable[tuple[int, ...]], title: str) -> Drawing:
    """A few lists, each with its grades as its name."""
    return lists_drawing({model.as_text(run): run for run in runs}, 1, title)


def columns(values: Values) -> Drawing:
    """The four runs in the reader's own order, by RBTO and by two measures; frames draw the lines from the left."""
    yours = {"yours": [[key] for key in values["predicted"].split(",")]} if values.get("predicted") else {}
    orders: dict[str, Groups] = {
        **yours,
        "RBTO": model.by_total_order(),
        **{name: model.by_measure(name) for name in model.OTHER_MEASURES},
    }
    order_texts = [
        f"{name} {', '.join('='.join(model.as_text(model.EXAMPLE_RUNS[key]) for key in group) for group in groups)}"
        for name, groups in orders.items()
    ]
    fig = rank_columns({key: model.as_text(run) for key, run in model.EXAMPLE_RUNS.items()}, orders)
    ways = np.linspace(0, len(orders) - 1, 40)
    frames = [[as_far(line["x"], line["y"], way) for line in traces_of(fig)] for way in ways]
    animated = moving(fig, frames, list(range(len(traces_of(fig)))), [order_texts[int(way)] for way in ways])
    return Drawing(
        animated, f"{len(orders)} orders of the same lists", f"From best to worst: {'; '.join(order_texts)}."
    )


def all_columns(values: Values) -> Drawing:
    """All runs in the total order."""
    scale = model.chosen_scale(values)
    words = f"All {len(scale.runs)} lists, a column each; the worst, {model.as_text(scale.runs[0])}, is on the left"
    return Drawing(run_columns(scale.runs, len(scale.grades) - 1), words, f"{words}.")


def stairs(values: Values) -> Drawing:
    """The measure over all runs; for RBP, frames move p from 0.2 to the chosen one."""
    scale, measure = model.chosen_scale(values), model.chosen_measure(values)
    goal = measure.persistence
    if goal is None or len(scale.runs) > 100 or goal <= 0.25:
        return walk(values)
    line = scatter(
        x=scale.rho,
        y=scale.values.round(5),
        mode="lines+markers",
        name=scale.measure,
        line={"color": BLUE, "width": 1.6, "shape": "hv"},
        marker={"size": 7},
        text=model.texts_of(scale),
        hovertemplate="%{text}: %{y:.4f}<extra></extra>",
        showlegend=False,
    )
    ends, dashed = scale.values.round(5)[[0, -1]], {"color": GREY, "dash": "dash"}
    straight = scatter(x=scale.rho[[0, -1]], y=ends, mode="lines", line=dashed, hoverinfo="skip", name="equal steps")
    ways = sorted({*np.round(np.arange(0.2, goal, 0.02), 4), *(p for p in (1 / 3,) if p < goal), goal})
    frames: list[list[Trace]] = []
    captions: list[str] = []
    for p in ways:
        now = model.cached_scale(f"RBP(p={plain(p)})", values["grades"], scale.depth) if p != goal else scale
        y, falls = now.values.round(5), int((now.steps.sign < 0).sum())
        what = "equal steps" if now.kind == "interval" else f"{number_of(falls, 'step')} down" if falls else "it rises"
        frames += [[{"y": y}, {"y": y[[0, -1]]}]] * max(1, 60 // len(ways))
        captions += [f"p = {number(float(p), 2)}: {what}"] * max(1, 60 // len(ways))
    fig = _over_lists(scale, [line, straight], axis(measure.symbol, [-0.03, 1.03]))
    return _over_order(scale, moving(fig, frames, [0, 1], captions), "RBP of every list; below, move p")


def topic_runs(values: Values) -> Drawing:
    """Lists of two pairs of systems for one topic."""
    scale, first, second = model.improvements(values)
    lists = {name: scale.runs[i] for name, i in zip("ABCD", (*first, *second), strict=True)}
    return lists_drawing(lists, len(scale.grades) - 1, "Four lists for one topic")


def climbs(values: Values) -> Drawing:
    """Two improvements of equal gain on the measure; they climb different numbers of places."""
    scale, first, second = model.improvements(values)
    walkers = {"A to B": first, "C to D": second}
    far = {who: b - a for who, (a, b) in walkers.items()}
    rise = number(float(scale.values[first[1]] - scale.values[first[0]]), 4)
    ways = " and ".join(f"{number_of(n, 'place')} from {who}" for who, n in far.items())
    times = range(max(far.values()) + 1)
    captions = ["; ".join(f"{who}: {number_of(min(time, n), 'place')}" for who, n in far.items()) for time in times]
    fig = climbing(scale, walkers, captions, dict(zip((*first, *second), "ABCD", strict=True)))
    return Drawing(fig, "Both climb the order, place by place", f"A rise of {rise} is {ways}.")


def walk(values: Values) -> Drawing:
    """The measure over all runs in the total order; frames climb it and say where it does not rise."""
    scale = model.chosen_scale(values)
    names = model.texts_of(scale)
    if len(names) > MOST_WALKED:
        return _over_order(scale, against_order(scale, 340))
    does = ["rises" if up > 0 else "falls" if up < 0 else "stays the same" for up in scale.steps.sign]
    captions = [names[0], *(f"{a} → {b}: {what}" for a, b, what in zip(names, names[1:], does, strict=False))]
    fig = climbing(scale, {scale.measure: (0, len(names) - 1)}, captions, {})
    return _over_order(scale, fig)


FIGURES = {
    "days": days,
    "degrees": degrees,
    "hits": hits,
    "staircase": staircase,
    "pair": lambda _: named_lists(model.PAIR, "Two lists of four documents"),
    "pair-found": pair_found,
    "runs": lambda _: named_lists(model.EXAMPLE_RUNS.values(), "Four lists"),
    "columns": columns,
    "all": all_columns,
    "stairs": stairs,
    "pairs": topic_runs,
    "climbs": climbs,
    "walk": walk,
}
