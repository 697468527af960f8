"""A measure against the total order: its values, its steps, and the orders themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import counted
from irviz.figures.axes import chart, padded_range, rows
from irviz.figures.theme import BLUE, GREEN, GREY, VERMILION, Trace, bar, plotly_escape, scatter
from irviz.labs.documents import hatched
from irviz.stats.scales import Steps

Floats = NDArray[np.float64]
_FEW = 40  #: runs that can still be named on an axis


def against_order(
    rho: NDArray[np.integer],
    values: Floats,
    steps: Steps,
    runs: Sequence[str],
    witness: tuple[int, int] | None,
    name: str,
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
    return rows([above, below], (0.66, 0.34), 480, x, [value, step], bargap=0.15)


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
