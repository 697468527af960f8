"""A measure against the total order: its values, its steps, the orders themselves; temperatures and first hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import counted
from irviz.figures.axes import chart, padded_range, rows
from irviz.figures.motion import moving
from irviz.figures.theme import AREA, BLUE, DASHES, GREEN, GREY, MARKERS, VERMILION, Trace, bar, plotly_escape, scatter
from irviz.labs.charts import rank_columns
from irviz.labs.documents import hatched, run_columns, run_rows
from irviz.labs.scales.model import (
    BESIDE,
    DAYS,
    HITS,
    LENGTH,
    PAIR,
    SORTED,
    all_runs,
    as_text,
    at,
    by_measure,
    chosen_measure,
    dispute_words,
    drawn_scale,
    enumerated,
    fahrenheit,
    fitting_depth,
    improvements,
    longer,
    of_hits,
    partial,
    step_words,
    steps_of_rr,
    texts_of,
    two_means,
)
from irviz.labs.step import in_groups
from irviz.measures.cascade import RBP
from irviz.stats.scales import ScaleType, Steps
from irviz.workspace.page import Values
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number

Floats = NDArray[np.float64]
_FEW = 40  #: runs that can still be named on an axis


def against_order(
    rho: NDArray[np.integer],
    values: Floats,
    steps: Steps,
    runs: Sequence[str],
    witness: tuple[int, int] | None,
    name: str,
    height: int = 480,
) -> go.Figure:
    """Above, the measure over ρ with the straight line of an interval scale; below, the height of every step.

    Steps of the mean height are green, others blue and hatched, those that do not rise vermilion.

    Parameters
    ----------
    rho, values : by run, in the total order
    steps : which rise, and which are as high as the mean step
    runs : their grades as texts
    witness : positions of the two runs that show why a stronger scale type does not hold
    """
    straight = scatter(
        x=[int(rho[0]), int(rho[-1])],
        y=np.round(values[[0, -1]], 5),
        mode="lines",
        name="straight line: interval scale",
        line={"color": GREY, "dash": "dash", "width": 1.5},
        hoverinfo="skip",
    )
    many = len(rho) > 300
    line = scatter(
        x=rho,
        y=np.round(values, 6),
        mode="lines" if many else "lines+markers",
        name=plotly_escape(name),
        line={"color": BLUE, "width": 1.4},
        marker={"size": 7 if len(rho) <= _FEW else 4},
        text=list(runs),
        hovertemplate="%{text}<br>ρ = %{x}, value %{y:.4f}<extra></extra>",
    )
    above = [straight, line] if witness is None else [straight, line, _witness(rho, values, runs, witness)]
    x: dict[str, Any] = {
        "title": {"text": "all runs in total order, worst first (ρ)"},
        "range": [-0.6, rho[-1] + 0.6],
    }
    if len(runs) <= _FEW:
        x |= {"tickvals": rho, "ticktext": list(runs), "tickangle": -90}
    value = {"title": {"text": "value of the measure"}, "range": padded_range(values, 0.06)}
    step = {"title": {"text": "step up"}, "range": padded_range(np.diff(values), 0.08)}
    below = _step_line(rho, values, steps) if many else _step_bars(rho, values, steps)
    return rows([above, below], (0.66, 0.34), height, x, [value, step], bargap=0.15)


def climbs(
    rho: NDArray[np.integer], values: Floats, runs: Sequence[str], moves: Mapping[str, tuple[int, int]]
) -> go.Figure:
    """The measure over ρ, and some improvements on it as lines: how much is gained, and how many ranks are climbed."""
    line = scatter(
        x=rho,
        y=np.round(values, 6),
        mode="lines+markers",
        line={"color": GREY, "width": 1},
        marker={"size": 5},
        text=list(runs),
        hovertemplate="%{text}<br>ρ = %{x}, value %{y:.4f}<extra></extra>",
        showlegend=False,
    )
    arrows = [
        scatter(
            x=[int(rho[a]), int(rho[b])],
            y=np.round(values[[a, b]], 6),
            mode="lines+markers+text",
            text=[runs[a], runs[b]],
            textposition=["bottom right", "top left"],
            hoverinfo="skip",
            name=f"{name}: +{values[b] - values[a]:.4f}, {counted(int(rho[b] - rho[a]), 'rank')}",
            line={"color": (BLUE, VERMILION)[n % 2], "dash": ("solid", "dash")[n % 2], "width": 3},
            marker={"symbol": ("circle", "square")[n % 2], "size": 10},
        )
        for n, (name, (a, b)) in enumerate(moves.items())
    ]
    x = {"title": {"text": "all runs in total order, worst first (ρ)"}, "range": [-0.8, rho[-1] + 0.8]}
    y = {"title": {"text": "value of the measure"}, "range": padded_range(values, 0.1)}
    return chart([line, *arrows], 380, x, y)


def two_orders(runs: Sequence[str], heights: Sequence[int], edges: Sequence[tuple[int, int]]) -> go.Figure:
    """The Hasse diagram of the partial order on the left, the total order of the same runs on the right; worst below.

    Parameters
    ----------
    runs : texts, in the total order
    heights : by run, how many single steps it is above the worst run
    edges : pairs (lower, higher) with no run between them
    """
    left = _spread(heights)
    y = np.array(heights) / max(1, *heights)
    chain = np.arange(len(runs)) / max(1, len(runs) - 1)
    gap = [None]
    lines = scatter(
        x=[x for a, b in edges for x in (left[a], left[b], None)] or gap,
        y=[h for a, b in edges for h in (y[a], y[b], None)] or gap,
        mode="lines",
        line={"color": GREY, "width": 1},
        hoverinfo="skip",
        showlegend=False,
    )
    total = scatter(
        x=[1.7] * len(runs),
        y=chain,
        mode="lines",
        line={"color": BLUE, "width": 1.5},
        hoverinfo="skip",
        showlegend=False,
    )
    small = {"size": 11 if len(runs) <= 16 else 9}
    sides = ["middle left" if place < 0.5 else "middle right" for place in left]
    nodes = scatter(
        x=left,
        y=y,
        mode="markers+text",
        text=list(runs),
        textposition=sides,
        textfont=small,
        showlegend=False,
        hovertemplate="%{text}<extra></extra>",
        marker={"size": 8, "color": VERMILION, "symbol": "diamond"},
    )
    places = scatter(
        x=[1.7] * len(runs),
        y=chain,
        mode="markers+text",
        text=list(runs),
        textposition="middle right",
        textfont=small,
        marker={"size": 8, "color": BLUE},
        showlegend=False,
        hovertemplate="%{text}<extra></extra>",
    )
    heads = [
        {"x": x, "y": 1.08, "text": text, "showarrow": False, "yanchor": "bottom"}
        for x, text in ((0.5, "partial order (undisputed)"), (1.7, "total order"))
    ]
    hidden = {"visible": False}
    height = 130 + 15 * max(len(runs), 14)
    x, up = {**hidden, "range": [-0.1, 2.05]}, {**hidden, "range": [-0.05, 1.2]}
    return chart([lines, total, nodes, places], height, x, up, annotations=heads)


def _spread(heights: Sequence[int]) -> list[float]:
    """The place of every run on the left half: those of one height are side by side."""
    places = []
    for i, height in enumerate(heights):
        same = [j for j, other in enumerate(heights) if other == height]
        places.append((same.index(i) + 1) / (len(same) + 1))
    return places


def _witness(rho: NDArray[np.integer], values: Floats, runs: Sequence[str], pair: tuple[int, int]) -> Trace:
    a, b = pair
    return scatter(
        x=[int(rho[a]), int(rho[b])],
        y=np.round(values[[a, b]], 6),
        mode="markers+lines",
        name="counterexample",
        text=[runs[a], runs[b]],
        hovertemplate="%{text}: %{y:.4f}<extra></extra>",
        marker={"symbol": "circle-open", "size": 16, "color": VERMILION, "line": {"width": 2.5}},
        line={"color": VERMILION, "width": 2},
    )


def _step_line(rho: NDArray[np.integer], values: Floats, steps: Steps) -> list[Trace]:
    """The steps of many runs as one line, crosses where they do not rise."""
    step, middle = np.round(np.diff(values), 6), rho[:-1] + 0.5
    line = scatter(x=middle, y=step, mode="lines", name="steps", line={"color": BLUE, "width": 0.8}, hoverinfo="skip")
    bad = steps.sign <= 0
    if not bad.any():
        return [line]
    crosses = scatter(
        x=middle[bad],
        y=step[bad],
        mode="markers",
        name="not rising",
        hoverinfo="skip",
        marker={"color": VERMILION, "symbol": "x", "size": 4},
    )
    return [line, crosses]


def _step_bars(rho: NDArray[np.integer], values: Floats, steps: Steps) -> list[Trace]:
    """The steps by kind: equal to the mean step, rising otherwise, not rising."""
    step, middle = np.diff(values), rho[:-1] + 0.5
    kinds = (
        ("equal steps", steps.equal, GREEN, ""),
        ("unequal steps", ~steps.equal & (steps.sign > 0), BLUE, "/"),
        ("not rising", ~steps.equal & (steps.sign <= 0), VERMILION, "x"),
    )
    drawn = []
    for name, chosen, colour, pattern in kinds:
        if chosen.any():
            # a step of height 0 would not be seen
            height = np.where(steps.sign == 0, -0.01 * np.abs(step).max(), step)
            drawn.append(
                bar(
                    x=middle[chosen],
                    y=np.round(height[chosen], 6),
                    name=name,
                    width=0.85,
                    hoverinfo="skip",
                    marker={
                        "color": colour,
                        "line": {"width": 0},
                        "pattern": hatched(pattern if len(rho) <= 80 else ""),
                    },
                )
            )
    return drawn


# -- figures by name ------------------------------------------------------------------------------------


def _chosen(values: Values) -> ScaleType:
    one = chosen_measure(values)
    return enumerated(str(one), values["grades"], fitting_depth(one, values["grades"], values["depth"]))


def _over_order(found: ScaleType, height: int = 480) -> Drawing:
    """The measure over all runs in the total order."""
    pair = None if found.witness is None else (found.runs.index(found.witness[0]), found.runs.index(found.witness[1]))
    drawn = against_order(found.rho, found.values, found.steps, texts_of(found), pair, found.measure, height)
    title = {
        "interval": "A straight line: equal steps everywhere",
        "ordinal": "It always rises, by unequal steps",
        "neither": "It does not always rise",
    }[found.kind]
    return Drawing(drawn, title, f"{found.measure} against ρ for {len(found.runs)} runs. {step_words(found)}")


def over_order(values: Values) -> Drawing:
    """The chosen measure over all runs."""
    return _over_order(_chosen(values))


def both_orders(values: Values) -> Drawing:
    """The undisputed order of all runs beside the total one."""
    found = _chosen(values)
    return _both(found, partial(found.runs, found.order == "rank"))


def _both(found: ScaleType, order: Any) -> Drawing:
    drawn = two_orders(texts_of(found), order.heights, order.edges)
    return Drawing(drawn, "The undisputed order, and the total order", dispute_words(found, order))


def days(values: Values) -> Drawing:
    """Temperatures of two places, in degrees Celsius."""
    return _days(np.zeros(1))


def degrees(values: Values) -> Drawing:
    """The same, and both means, while degrees Celsius become degrees Fahrenheit."""
    return _days(np.linspace(0, 1, 60))


def _days(way: Floats) -> Drawing:
    """Dots by place; with more than one moment of the way to Fahrenheit also the means, in both units."""
    moves = len(way) > 1
    places, traces, frames, said = list(DAYS), [], [], []
    for n, degrees_ in enumerate(DAYS.values()):
        traces.append(
            scatter(
                x=list(fahrenheit(degrees_)) if moves else list(degrees_),
                y=[n] * len(degrees_),
                mode="markers",
                marker={"size": 13, "color": (BLUE, VERMILION)[n], "symbol": MARKERS[n], "opacity": 0.75},
                hovertemplate="%{x:.1f}<extra></extra>",
                showlegend=False,
            )
        )
    end = two_means(moves)
    for how, height in (("arithmetic", 0.28), ("geometric", -0.28)) if moves else ():
        traces.append(
            scatter(
                x=[end[how][place] for place in places],
                y=[n + height for n in range(len(places))],
                mode="markers+text",
                text=[f"{how} mean {number(end[how][place], 2)}" for place in places],
                textposition="middle right",
                marker={"symbol": "triangle-up" if height < 0 else "triangle-down", "size": 13, "color": GREY},
                hoverinfo="skip",
                showlegend=False,
            )
        )
    for t in way if moves else ():
        rows_ = {place: np.array(days_) * (1 + 0.8 * t) + 32 * t for place, days_ in DAYS.items()}
        means = {
            "arithmetic": [float(row.mean()) for row in rows_.values()],
            "geometric": [float(np.exp(np.log(row).mean())) for row in rows_.values()],
        }
        texts = {how: [f"{how} mean {number(x, 2)}" for x in row] for how, row in means.items()}
        frames.append(
            [
                *({"x": row.round(4)} for row in rows_.values()),
                *({"x": [round(x, 4) for x in means[how]], "text": texts[how]} for how in means),
            ]
        )
        first = places[int(np.argmax(means["geometric"]))]
        said.append(f"{'°C' if t == 0 else '°F' if t == 1 else 'on the way to °F'}: {first} by the geometric mean")
    x = {"title": {"text": "degrees" if moves else "°C"}, "range": [-4, 112] if moves else [-4, 48]}
    y = {"tickvals": [0, 1], "ticktext": places, "range": [1.6, -0.6], "showgrid": False}
    drawn = chart(traces, 300, x, y)
    if moves:
        drawn = moving(drawn, frames, list(range(len(traces))), said)
    words = "; ".join(f"{place} {', '.join(f'{x:g}' for x in row)} °C" for place, row in DAYS.items())
    means_ = "; ".join(
        f"{how} mean {', '.join(f'{place} {number(x, 2)}' for place, x in row.items())}" for how, row in end.items()
    )
    return Drawing(
        drawn,
        "Five days at two places" + (", in °F" if moves else ""),
        f"{words}" + (f"; in °F the {means_}." if moves else "."),
    )


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
    stairs_ = scatter(
        x=edges,
        y=[0, *np.repeat(equal, 2), 0],
        mode="lines",
        fill="tozeroy",
        fillcolor=AREA,
        line={"color": BLUE, "width": 2},
        showlegend=False,
        hoverinfo="skip",
    )
    lines = [
        scatter(
            x=[-0.5, len(ranks) - 0.5],
            y=[found[f"equal {name}"]] * 2,
            mode="lines",
            name=f"mean of {name}",
            line={"color": (VERMILION, GREEN)[n], "dash": DASHES[n], "width": 3},
            hoverinfo="skip",
        )
        for n, name in enumerate(HITS)
    ]
    frames: list[list[dict[str, Any]]] = []
    said: list[str] = []
    for t in np.linspace(0, 1, 60):
        heights = (1 - t) * np.array(steps) + t * np.array(equal)
        means = {name: (1 - t) * found[f"RR {name}"] + t * found[f"equal {name}"] for name in HITS}
        frames.append(
            [
                {"y": np.array([0, *np.repeat(heights, 2), 0]).round(4)},
                *({"y": [round(mean, 4)] * 2} for mean in means.values()),
            ]
        )
        where = "RR" if t == 0 else "equal steps" if t == 1 else "on the way to equal steps"
        said.append(f"{where}: A {means['A']:.3f}, B {means['B']:.3f}")
    x = {
        "title": {"text": "rank of the first relevant document"},
        "tickvals": list(range(len(ranks))),
        "ticktext": ranks,
        "range": [-0.55, len(ranks) - 0.45],
        "showgrid": False,
    }
    y = {"title": {"text": "value"}, "range": [0, 1.05]}
    drawn = chart([stairs_, *lines], 330, x, y)
    told = ", ".join(f"{name} {number(found[f'RR {name}'])}, then {number(found[f'equal {name}'])}" for name in HITS)
    return Drawing(
        moving(drawn, frames, [0, 1, 2], said), "RR with equal steps", f"Means by RR and by equal steps: {told}."
    )


def pair(values: Values) -> Drawing:
    """Two runs that nobody can order."""
    names = [as_text(run) for run in PAIR]
    words = f"{names[0]} has its only relevant document first; {names[1]} has three, from rank 2 on."
    return Drawing(run_rows(PAIR, names, 1), "Two runs of the same four ranks", words)


def pair_orders(values: Values) -> Drawing:
    """The undisputed order of 16 runs, and the total order."""
    return _both(*all_runs())


def four_runs(values: Values) -> Drawing:
    """The runs to sort."""
    names = [as_text(run) for run in SORTED.values()]
    return Drawing(run_rows(list(SORTED.values()), names, 1), "Four runs", f"The runs {', '.join(names)}.")


def columns(values: Values) -> Drawing:
    """The four runs by RBTO and by three measures."""
    found, _ = all_runs()
    orders = {
        "RBTO": in_groups(list(SORTED), [float(found.rho[at(found, run)]) for run in SORTED.values()]),
        **{name: by_measure(name) for name in BESIDE},
    }
    told = "; ".join(
        f"{name} {', '.join('='.join(as_text(SORTED[key]) for key in group) for group in groups)}"
        for name, groups in orders.items()
    )
    drawn = rank_columns({key: as_text(run) for key, run in SORTED.items()}, orders)
    return Drawing(drawn, "Four orders of the same runs", f"From best to worst: {told}.")


def all_columns(values: Values) -> Drawing:
    """All runs in the total order."""
    return _columns(_chosen(values))


def _columns(found: ScaleType) -> Drawing:
    ends = f"from {as_text(found.runs[0])} to {as_text(found.runs[-1])}"
    words = f"All {len(found.runs)} runs in their total order, {ends}"
    return Drawing(run_columns(found.runs, len(found.grades) - 1), words, f"{words}.")


def stairs(values: Values) -> Drawing:
    """The measure over all runs; for RBP, frames move p from 0.2 to the chosen one."""
    found, one = _chosen(values), chosen_measure(values)
    still = _over_order(found, 340)
    if not isinstance(one, RBP) or len(found.runs) > 100:
        return still
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
    ends = {
        "x": [int(found.rho[0]), int(found.rho[-1])],
        "y": [round(float(found.values[0]), 5), round(float(found.values[-1]), 5)],
    }
    straight = scatter(**ends, mode="lines", line={"color": GREY, "dash": "dash"}, hoverinfo="skip", name="equal steps")
    goal = float(one.p)
    ways = sorted({*np.round(np.arange(0.2, goal, 0.02), 4), goal}) if goal > 0.25 else [goal]
    frames: list[list[dict[str, Any]]] = []
    said: list[str] = []
    for p in ways:
        now = enumerated(f"RBP(p={p:g})", values["grades"], found.depth) if p != goal else found
        y = now.values.round(5)
        falls = int((now.steps.sign < 0).sum())
        what = "equal steps" if now.kind == "interval" else f"{counted(falls, 'step')} down" if falls else "it rises"
        for _ in range(max(1, 60 // len(ways))):
            frames.append([{"y": y}, {"y": [float(y[0]), float(y[-1])]}])
            said.append(f"p = {number(float(p), 2)}: {what}")
    x: dict[str, Any] = {
        "title": {"text": "all runs in total order, worst first"},
        "range": [-0.6, found.rho[-1] + 0.6],
    }
    if len(found.runs) <= _FEW:
        x |= {"tickvals": found.rho, "ticktext": texts_of(found), "tickangle": -90}
    y_axis = {"title": {"text": "value of the measure"}, "range": [-0.03, 1.03]}
    drawn = chart([line, straight], 340, x, y_axis)
    return Drawing(moving(drawn, frames, [0, 1], said) if len(frames) > 1 else drawn, still.title, still.alt)


def topic_runs(values: Values) -> Drawing:
    """What two pairs of systems return for one topic."""
    found, first, second = improvements(values)
    four = [found.runs[i] for i in (*first, *second)]
    moves = [f"from {as_text(found.runs[a])} to {as_text(found.runs[b])}" for a, b in (first, second)]
    words = f"B is better than A {moves[0]}, and D better than C {moves[1]}."
    return Drawing(run_rows(four, [*"ABCD"], len(found.grades) - 1), "The topic", words)


def climbing(values: Values) -> Drawing:
    """Two improvements of equal gain on the measure; they climb different numbers of ranks."""
    found, first, second = improvements(values)
    drawn = climbs(found.rho, found.values, texts_of(found), {"A to B": first, "C to D": second})
    far = [int(found.rho[b] - found.rho[a]) for a, b in (first, second)]
    gain = number(float(found.values[first[1]] - found.values[first[0]]), 4)
    words = f"A gain of {gain} is {counted(far[0], 'rank')} from A to B and {counted(far[1], 'rank')} from C to D."
    return Drawing(drawn, "Equal gains, unequal climbs", words)


def lengthened(values: Values) -> Drawing:
    """The measure at the first length at which it does not keep the order; where it always does, as it is."""
    found, last, lost = longer(values)
    drawing = _over_order(last if lost else found, 380)
    return Drawing(drawing.figure, f"{drawing.title}: runs of {last.depth} documents", drawing.alt)


def quiz_runs(values: Values) -> Drawing:
    """The runs of a question of the quiz."""
    return _columns(drawn_scale(int(values["seed"])))


def quiz_order(values: Values) -> Drawing:
    """The measure of a question over its runs."""
    return _over_order(drawn_scale(int(values["seed"])), 380)


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
    "quiz": quiz_runs,
    "quiz-order": quiz_order,
}
