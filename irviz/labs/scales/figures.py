"""A measure against the total order: its values, its steps, the orders themselves; temperatures and first hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import counted
from irviz.figures.axes import Axis, axis, chart, padded_range, rows
from irviz.figures.motion import moving
from irviz.figures.theme import AREA, BLUE, DASHES, GREEN, GREY, MARKERS, VERMILION, Trace, bar, plotly_escape, scatter
from irviz.labs.charts import Groups, blend, curve, rank_columns, silent
from irviz.labs.documents import hatched, run_columns, run_rows
from irviz.labs.scales.model import (
    BESIDE,
    DAYS,
    HITS,
    LENGTH,
    PAIR,
    SORTED,
    PartialOrder,
    all_runs,
    as_text,
    at,
    by_measure,
    by_total_order,
    chosen_measure,
    chosen_scale,
    dispute_words,
    enumerated,
    fahrenheit,
    improvements,
    longer,
    of_hits,
    partial,
    step_words,
    steps_of_rr,
    texts_of,
    two_means,
)
from irviz.measures.cascade import RBP
from irviz.stats.scales import ScaleType, Steps
from irviz.workspace.control import plain
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number

Floats = NDArray[np.float64]
_FEW = 40  #: runs that can still be named on an axis


def against_order(found: ScaleType, height: int = 480) -> go.Figure:
    """Above, a measure over ρ with the straight line of an interval scale; below, the height of every step.

    Steps of the mean height are green, others blue and hatched, those that do not rise vermilion.
    """
    rho, values, runs = found.rho, found.values, texts_of(found)
    ends = {"x": [int(rho[0]), int(rho[-1])], "y": np.round(values[[0, -1]], 5)}
    dashed = {"color": GREY, "dash": "dash", "width": 1.5}
    above = [scatter(**ends, mode="lines", name="straight line: interval scale", line=dashed, hoverinfo="skip")]
    many = len(rho) > 300
    above.append(
        scatter(
            x=rho,
            y=np.round(values, 6),
            mode="lines" if many else "lines+markers",
            name=plotly_escape(found.measure),
            line={"color": BLUE, "width": 1.4},
            marker={"size": 7 if len(rho) <= _FEW else 4},
            text=runs,
            hovertemplate="%{text}<br>ρ = %{x}, value %{y:.4f}<extra></extra>",
        )
    )
    if found.witness is not None:
        pair = [at(found, run) for run in found.witness]
        above.append(
            scatter(
                x=rho[pair],
                y=np.round(values[pair], 6),
                mode="markers+lines",
                name="counterexample",
                text=[runs[i] for i in pair],
                hovertemplate="%{text}: %{y:.4f}<extra></extra>",
                marker={"symbol": "circle-open", "size": 16, "color": VERMILION, "line": {"width": 2.5}},
                line={"color": VERMILION, "width": 2},
            )
        )
    ups = [
        axis("value of the measure", padded_range(values, 0.06)),
        axis("step up", padded_range(np.diff(values), 0.08)),
    ]
    below = _step_line(rho, values, found.steps) if many else _step_bars(rho, values, found.steps)
    return rows([above, below], (0.66, 0.34), height, _all_runs_axis(found), ups, bargap=0.15)


def _all_runs_axis(found: ScaleType) -> Axis:
    """The axis of all runs, with their names where they are few."""
    named = {"tickvals": found.rho, "ticktext": texts_of(found), "tickangle": -90} if len(found.runs) <= _FEW else {}
    return axis("all runs in total order, worst first (ρ)", [-0.6, found.rho[-1] + 0.6], **named)


def climbs(found: ScaleType, moves: Mapping[str, tuple[int, int]]) -> go.Figure:
    """The measure over ρ, and some improvements on it as lines: how much is gained, and how many ranks are climbed."""
    rho, values, runs = found.rho, found.values, texts_of(found)
    line = scatter(
        x=rho,
        y=np.round(values, 6),
        mode="lines+markers",
        line={"color": GREY, "width": 1},
        marker={"size": 5},
        text=runs,
        hovertemplate="%{text}<br>ρ = %{x}, value %{y:.4f}<extra></extra>",
        showlegend=False,
    )
    arrows = [
        curve(
            f"{name}: +{values[b] - values[a]:.4f}, {counted(int(rho[b] - rho[a]), 'rank')}",
            rho[[a, b]],
            values[[a, b]],
            n,
            mode="lines+markers+text",
            text=[runs[a], runs[b]],
            textposition=["bottom right", "top left"],
            hoverinfo="skip",
        )
        for n, (name, (a, b)) in enumerate(moves.items())
    ]
    x = axis("all runs in total order, worst first (ρ)", [-0.8, rho[-1] + 0.8])
    return chart([line, *arrows], 380, x, axis("value of the measure", padded_range(values, 0.1)))


def two_orders(found: ScaleType, order: PartialOrder, marked: Sequence[str] = ()) -> go.Figure:
    """The Hasse diagram of the partial order on the left, the total order of the same runs on the right.

    `marked` runs are larger.
    """
    runs, heights = texts_of(found), order.heights
    left = _spread(heights)
    up, chain = np.array(heights) / max(1, *heights), np.arange(len(runs)) / max(1, len(runs) - 1)
    right = [1.7] * len(runs)
    pairs = {"x": left, "y": up.tolist()}
    joined = {side: [x for a, b in order.edges for x in (of[a], of[b], None)] or [None] for side, of in pairs.items()}
    lines = silent(joined["x"], joined["y"], "lines", line={"color": GREY, "width": 1})
    total = silent(right, chain, "lines", line={"color": BLUE, "width": 1.5})
    shown = {
        "mode": "markers+text",
        "text": [f"<b>{run}</b>" if run in marked else run for run in runs],
        "textfont": {"size": 11 if len(runs) <= 16 else 9},
        "showlegend": False,
        "hovertemplate": "%{text}<extra></extra>",
    }
    sides = ["middle left" if place < 0.5 else "middle right" for place in left]
    sizes = [15 if run in marked else 8 for run in runs]
    dots = {"size": sizes, "color": BLUE, "opacity": 1}
    diamonds = {**dots, "color": VERMILION, "symbol": "diamond"}
    nodes = scatter(x=left, y=up, textposition=sides, marker=diamonds, **shown)
    places = scatter(x=right, y=chain, textposition="middle right", marker=dots, **shown)
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
            marker={"color": colour, "line": {"width": 0}, "pattern": hatched(pattern if len(rho) <= 80 else "")},
        )
        for name, chosen, colour, pattern in kinds
        if chosen.any()
    ]


# -- figures by name ------------------------------------------------------------------------------------


def _over_order(found: ScaleType, height: int = 480) -> Drawing:
    """The measure over all runs in the total order."""
    title = {
        "interval": "A straight line: equal steps everywhere",
        "ordinal": "It always rises, by unequal steps",
        "neither": "It does not always rise",
    }[found.kind]
    words = f"{found.measure} against ρ for {len(found.runs)} runs. {step_words(found)}"
    return Drawing(against_order(found, height), title, words)


def over_order(values: Values) -> Drawing:
    """The chosen measure over all runs."""
    return _over_order(chosen_scale(values))


def both_orders(values: Values) -> Drawing:
    """The undisputed order of all runs beside the total one."""
    found = chosen_scale(values)
    return _both(found, partial(found.runs, found.order == "rank"))


def _both(found: ScaleType, order: PartialOrder, marked: Sequence[str] = ()) -> Drawing:
    title = "The undisputed order, and the total order"
    return Drawing(two_orders(found, order, marked), title, dispute_words(found, order))


def days(values: Values) -> Drawing:
    """Temperatures of two places, in degrees Celsius."""
    y = {"tickvals": [0, 1], "ticktext": list(DAYS), "range": [1.6, -0.6], "showgrid": False}
    drawn = chart(_degrees(DAYS), 300, axis("°C", [-4, 48]), y)
    return Drawing(drawn, "Five days at two places", f"{_days_words()}.")


def _days_words() -> str:
    return "; ".join(f"{place} {', '.join(f'{x:g}' for x in row)} °C" for place, row in DAYS.items())


def _degrees(rows_: Mapping[str, Sequence[float]]) -> list[Trace]:
    """One row of dots per place."""
    return [
        scatter(
            x=list(row),
            y=[n] * len(row),
            mode="markers",
            marker={"size": 13, "color": (BLUE, VERMILION)[n], "symbol": MARKERS[n], "opacity": 0.75},
            hovertemplate="%{x:.1f}<extra></extra>",
            showlegend=False,
        )
        for n, row in enumerate(rows_.values())
    ]


_CENTRE, _WIDER = 54, 20  #: where two close means are shown, and how many times as far apart


def degrees(values: Values) -> Drawing:
    """The same, and both means, while degrees Celsius become degrees Fahrenheit."""
    places = list(DAYS)
    moments = []
    for t in np.linspace(0, 1, 60):
        rows_ = [np.array(row) * (1 + 0.8 * t) + 32 * t for row in DAYS.values()]
        means = {
            "arithmetic": [row.mean() for row in rows_],
            "geometric": [np.exp(np.log(row).mean()) for row in rows_],
        }
        moments.append((t, rows_, means))
    frames = [
        [
            *({"x": row.round(4)} for row in rows_),
            *(
                {"x": np.round(row, 4), "text": [f"{how} mean {number(float(x), 2)}" for x in row]}
                for how, row in means.items()
            ),
            {"x": np.round(_CENTRE + _WIDER * (means["geometric"] - np.mean(means["geometric"])), 4)},
        ]
        for _, rows_, means in moments
    ]
    said = [
        f"{'°C' if t == 0 else '°F' if t == 1 else 'on the way to °F'}: "
        f"{places[int(np.argmax(means['geometric']))]} by the geometric mean"
        for t, _, means in moments
    ]
    marks = [
        silent(
            frames[-1][n]["x"],
            [place + height for place in range(len(places))],
            "markers+text",
            text=frames[-1][n]["text"],
            textposition="middle right",
            marker={"symbol": symbol, "size": 13, "color": GREY},
        )
        for n, height, symbol in ((2, 0.28, "triangle-down"), (3, -0.28, "triangle-up"))
    ]
    close = silent(
        frames[-1][4]["x"],
        [2] * len(places),
        "markers+text",
        text=places,
        textposition="top center",
        marker={"symbol": "triangle-up", "size": 13, "color": [BLUE, VERMILION]},
    )
    marks.append(close)
    rows_named = [*places, f"geometric means,<br>{_WIDER} times apart"]
    y = {"tickvals": [0, 1, 2], "ticktext": rows_named, "range": [2.4, -0.6], "showgrid": False}
    dots = _degrees({place: fahrenheit(row) for place, row in DAYS.items()})
    drawn = chart([*dots, *marks], 300, axis("degrees", [-4, 112]), y)
    told = "; ".join(
        f"{how} mean {', '.join(f'{place} {number(x, 2)}' for place, x in row.items())}"
        for how, row in two_means(True).items()
    )
    shown = moving(drawn, frames, list(range(5)), said)
    last = f"The last row has the geometric means with {_WIDER} times their distance"
    return Drawing(shown, "Five days at two places, from °C to °F", f"{_days_words()}; in °F the {told}. {last}.")


def hits(values: Values) -> Drawing:
    """The first relevant document of two systems on three topics."""
    lists = [[int(n == rank) for n in range(1, LENGTH + 1)] for ranks in HITS.values() for rank in ranks]
    names = [f"{name}, topic {t}" for name, ranks in HITS.items() for t in range(1, len(ranks) + 1)]
    words = "; ".join(f"{name} at ranks {', '.join(map(str, ranks))}" for name, ranks in HITS.items())
    return Drawing(run_rows(lists, names, 1), "Where the first relevant document is", f"{words}.")


def staircase(values: Values) -> Drawing:
    """The values of RR as a staircase; frames move them to equal steps, and the means of both systems with them."""
    steps, equal = steps_of_rr()
    found = of_hits(values)
    ranks = ["none", *(str(rank) for rank in range(LENGTH, 0, -1))]
    edges = np.repeat(np.arange(len(equal) + 1) - 0.5, 2)
    look = {"fill": "tozeroy", "fillcolor": AREA, "line": {"color": BLUE, "width": 2}}
    stairs_ = silent(edges, [0, *np.repeat(equal, 2), 0], "lines", **look)
    means = {name: (found[f"RR {name}"], found[f"equal {name}"]) for name in HITS}
    lines = [
        scatter(
            x=[-0.5, len(ranks) - 0.5],
            y=[end, end],
            mode="lines",
            name=f"mean of {name}",
            line={"color": (VERMILION, GREEN)[n], "dash": DASHES[n], "width": 3},
            hoverinfo="skip",
        )
        for n, (name, (_, end)) in enumerate(means.items())
    ]
    frames: list[list[Trace]] = []
    said: list[str] = []
    for t in np.linspace(0, 1, 60):
        now = {name: float(blend(*ends, t)) for name, ends in means.items()}
        heights = {"y": np.array([0, *np.repeat(blend(steps, equal, t), 2), 0])}
        frames.append([heights, *({"y": [mean] * 2} for mean in now.values())])
        where = "RR" if t == 0 else "equal steps" if t == 1 else "on the way to equal steps"
        said.append(f"{where}: {', '.join(f'{name} {mean:.3f}' for name, mean in now.items())}")
    ticks = {"tickvals": list(range(len(ranks))), "ticktext": ranks, "showgrid": False}
    x = axis("rank of the first relevant document", [-0.55, len(ranks) - 0.45], **ticks)
    drawn = moving(chart([stairs_, *lines], 330, x, axis("value", [0, 1.05])), frames, [0, 1, 2], said)
    told = ", ".join(f"{name} {number(start)}, then {number(end)}" for name, (start, end) in means.items())
    return Drawing(drawn, "RR with equal steps", f"Means by RR and by equal steps: {told}.")


def pair(values: Values) -> Drawing:
    """Two runs that nobody can order."""
    names = [as_text(run) for run in PAIR]
    words = f"{names[0]} has its only relevant document first; {names[1]} has three, from rank 2 on."
    return Drawing(run_rows(PAIR, names, 1), "Two runs of the same four ranks", words)


def pair_orders(values: Values) -> Drawing:
    """The undisputed order of 16 runs, and the total order; the pair that was asked about is larger."""
    return _both(*all_runs(), [as_text(run) for run in PAIR])


def four_runs(values: Values) -> Drawing:
    """The runs to sort."""
    names = [as_text(run) for run in SORTED.values()]
    return Drawing(run_rows(list(SORTED.values()), names, 1), "Four runs", f"The runs {', '.join(names)}.")


def columns(values: Values) -> Drawing:
    """The four runs in the reader's own order, by RBTO and by two measures."""
    yours = {"yours": [[key] for key in values["predicted"].split(",")]} if values.get("predicted") else {}
    orders: dict[str, Groups] = {**yours, "RBTO": by_total_order(), **{name: by_measure(name) for name in BESIDE}}
    told = "; ".join(
        f"{name} {', '.join('='.join(as_text(SORTED[key]) for key in group) for group in groups)}"
        for name, groups in orders.items()
    )
    drawn = rank_columns({key: as_text(run) for key, run in SORTED.items()}, orders)
    return Drawing(drawn, f"{len(orders)} orders of the same runs", f"From best to worst: {told}.")


def all_columns(values: Values) -> Drawing:
    """All runs in the total order."""
    found = chosen_scale(values)
    ends = f"from {as_text(found.runs[0])} to {as_text(found.runs[-1])}"
    words = f"All {len(found.runs)} runs in their total order, {ends}"
    return Drawing(run_columns(found.runs, len(found.grades) - 1), words, f"{words}.")


def stairs(values: Values) -> Drawing:
    """The measure over all runs; for RBP, frames move p from 0.2 to the chosen one."""
    found, one = chosen_scale(values), chosen_measure(values)
    still = _over_order(found, 340)
    if not isinstance(one, RBP) or len(found.runs) > 100 or one.p <= 0.25:
        return still
    goal = float(one.p)
    line = scatter(
        x=found.rho,
        y=found.values.round(5),
        mode="lines+markers",
        name=found.measure,
        line={"color": BLUE, "width": 1.6, "shape": "hv"},
        marker={"size": 7},
        text=texts_of(found),
        hovertemplate="%{text}: %{y:.4f}<extra></extra>",
        showlegend=False,
    )
    ends, dashed = found.values.round(5)[[0, -1]], {"color": GREY, "dash": "dash"}
    straight = scatter(x=found.rho[[0, -1]], y=ends, mode="lines", line=dashed, hoverinfo="skip", name="equal steps")
    ways = sorted({*np.round(np.arange(0.2, goal, 0.02), 4), *(p for p in (1 / 3,) if p < goal), goal})
    frames: list[list[Trace]] = []
    said: list[str] = []
    for p in ways:
        now = enumerated(f"RBP(p={plain(p)})", values["grades"], found.depth) if p != goal else found
        y, falls = now.values.round(5), int((now.steps.sign < 0).sum())
        what = "equal steps" if now.kind == "interval" else f"{counted(falls, 'step')} down" if falls else "it rises"
        frames += [[{"y": y}, {"y": y[[0, -1]]}]] * max(1, 60 // len(ways))
        said += [f"p = {number(float(p), 2)}: {what}"] * max(1, 60 // len(ways))
    drawn = chart([line, straight], 340, _all_runs_axis(found), axis("value of the measure", [-0.03, 1.03]))
    return Drawing(moving(drawn, frames, [0, 1], said), still.title, still.alt)


def topic_runs(values: Values) -> Drawing:
    """Lists of two pairs of systems for one topic."""
    found, first, second = improvements(values)
    four = [found.runs[i] for i in (*first, *second)]
    moves = [f"from {as_text(found.runs[a])} to {as_text(found.runs[b])}" for a, b in (first, second)]
    words = f"B is better than A {moves[0]}, and D better than C {moves[1]}."
    return Drawing(run_rows(four, [*"ABCD"], len(found.grades) - 1), "The topic", words)


def climbing(values: Values) -> Drawing:
    """Two improvements of equal gain on the measure; they climb different numbers of ranks."""
    found, first, second = improvements(values)
    far = [int(found.rho[b] - found.rho[a]) for a, b in (first, second)]
    gain = number(float(found.values[first[1]] - found.values[first[0]]), 4)
    words = f"A gain of {gain} is {counted(far[0], 'rank')} from A to B and {counted(far[1], 'rank')} from C to D."
    return Drawing(climbs(found, {"A to B": first, "C to D": second}), "Equal gains, unequal climbs", words)


def lengthened(values: Values) -> Drawing:
    """The measure at the first length at which it does not keep the order; where it always does, as it is."""
    found, last, lost = longer(values)
    drawing = _over_order(last if lost else found, 380)
    return Drawing(drawing.figure, f"{drawing.title}: runs of {last.depth} documents", drawing.alt)


FIGURES = {
    "order": over_order,
    "orders": both_orders,
    "days": days,
    "degrees": degrees,
    "hits": hits,
    "staircase": staircase,
    "pair": pair,
    "pair-orders": pair_orders,
    "runs": four_runs,
    "columns": columns,
    "all": all_columns,
    "stairs": stairs,
    "pairs": topic_runs,
    "climbs": climbing,
    "longer": lengthened,
}
