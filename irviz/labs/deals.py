"""Topics split into two halves: is a ranking of systems reproduced on topics that it is not computed from?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import join_words, verb
from irviz.figures.axes import axis, chart
from irviz.figures.motion import moving
from irviz.figures.theme import BLUE, DASHES, GREY, MARKERS, PALETTE, VERMILION, Trace, plotly_escape, scatter, short
from irviz.labs.charts import silent
from irviz.stats.consistency import random_halves
from irviz.stats.correlation import COEFFICIENTS, shared_ranks
from irviz.stats.scores import Scores
from irviz.stats.similarity import overall_of_subsets
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Deals:
    """Systems ranked by one measure on both halves, split by split.

    Attributes
    ----------
    systems : tuple of str
    places : splits × 2 × systems
        Ranks from 1, the best first; tied systems share theirs.
    tau : by split, Kendall's τ between the two halves
    """

    systems: tuple[str, ...]
    places: NDArray[np.int64]
    tau: Floats

    def first(self, deal: int, half: int) -> list[str]:
        """The systems that win a half."""
        return [name for name, place in zip(self.systems, self.places[deal, half], strict=True) if place == 1]


def deals(scores: Scores, trials: int, position: int = 0, summary: str = "mean", eps: float | None = None) -> Deals:
    """The first `trials` splits of :func:`irviz.consistency`, seed 0: the same for all measures and means."""
    members = random_halves(len(scores.topics), trials, 0)
    measure_slice = slice(position, position + 1)
    halves = [overall_of_subsets(scores, measure_slice, side, summary, eps)[0] for side in (members, ~members)]
    places = np.stack([shared_ranks(half) for half in halves], axis=1)
    return Deals(scores.systems, places, COEFFICIENTS["tau"].row_by_row(*halves))


def deal_drawing(splits: Deals, deal: int, name: str) -> Drawing:
    """One split: which systems win which half, and whether the others keep their places."""
    n = deal - 1
    first, second = (splits.first(n, half) for half in (0, 1))
    won = [
        f"{join_words([f'`{label}`' for label in names], joiner='and')} "
        f"{verb(len(names), 'wins', 'share first place on')}"
        for names in (first, second)
    ]
    outcome = f"{won[0]} both halves" if first == second else f"{won[0]} the first half, {won[1]} the second"
    words = f"One split, {name}: {outcome}"
    alt = f"{words}; τ = {number(float(splits.tau[n]))}. One dot per system, by its ranks on the two halves."
    return Drawing(one_deal(splits, n), words, alt)


def one_deal(splits: Deals, n: int) -> go.Figure:
    """One dot per system, by its rank on either half; on the line if the rank is reproduced."""
    names = [plotly_escape(short(name, 18)) for name in splits.systems]
    at: dict[tuple[int, int], list[str]] = {}  # systems that tie on both halves are at one place
    for name, x, y in zip(names, *splits.places[n].tolist(), strict=True):
        at.setdefault((x, y), []).append(name)
    winning = {place: tied for place, tied in at.items() if 1 in place}
    rest = [(place, name) for place, tied in at.items() if 1 not in place for name in tied]
    hover = "%{text}<br>rank %{x} and %{y}<extra></extra>"
    usual = {"showlegend": False, "cliponaxis": False, "hovertemplate": hover}
    others = scatter(
        x=[x for (x, _), _ in rest],
        y=[y for (_, y), _ in rest],
        mode="markers",
        text=[name for _, name in rest],
        marker={"size": 7, "color": BLUE, "opacity": 0.85},
        **usual,
    )
    winners = scatter(
        x=[x for x, _ in winning],
        y=[y for _, y in winning],
        mode="markers+text",
        text=[", ".join(tied) for tied in winning.values()],
        textposition=["top right" if y == 1 else "middle right" for _, y in winning],
        marker={"size": 11, "color": VERMILION, "symbol": "diamond"},
        **usual,
    )
    last = len(splits.systems)
    ends = [-0.07 * last, last + 1]
    marks = {"tickvals": [1, *range(10, last + 1, 10)], "zeroline": False}
    diagonal = {"type": "line", "x0": 1, "y0": 1, "x1": last, "y1": last, "line": {"color": GREY, "dash": "dot"}}
    across, up = axis("rank on the first half", ends, **marks), axis("rank on the second half", ends[::-1], **marks)
    return chart([others, winners], 330, across, up, [diagonal])


def split_dots(tau: Mapping[str, Floats], ends: Sequence[float]) -> Drawing:
    """τ between two halves, one dot per split and one column per way of ranking; frames add split after split.

    `ends` are those of the axis of τ, which stays where a control changes the splits.
    """
    trials = len(next(iter(tau.values())))
    aside = (np.random.default_rng(1).permutation(trials) / trials - 0.5) * 0.6
    means = [np.cumsum(values) / np.arange(1, trials + 1) for values in tau.values()]
    traces: list[Trace] = []
    for n, (values, mean) in enumerate(zip(tau.values(), means, strict=True)):
        dot = {"color": PALETTE[n], "size": 7, "opacity": 0.7, "symbol": MARKERS[n]}
        line = {"color": PALETTE[n], "width": 3, "dash": DASHES[n]}
        x, y = np.round(n + aside, 3), np.round(values, 4)
        hover = "τ = %{y:.3f}<extra></extra>"
        traces.append(scatter(x=x, y=y, mode="markers", marker=dot, showlegend=False, hovertemplate=hover))
        traces.append(silent([n - 0.4, n + 0.4], [round(float(mean[-1]), 4)] * 2, "lines", line=line))
    frames: list[list[Trace]] = [[] for _ in range(trials)]
    for count, frame in enumerate(frames, start=1):
        for values, mean in zip(tau.values(), means, strict=True):
            frame.append({"y": [*np.round(values[:count], 4).tolist(), *[-9.0] * (trials - count)]})
            frame.append({"y": [round(float(mean[count - 1]), 4)] * 2})
    ticks = {"tickvals": list(range(len(tau))), "ticktext": [plotly_escape(name) for name in tau]}
    fig = chart(traces, 340, {**ticks, "range": [-0.6, len(tau) - 0.4]}, axis("τ between two halves", ends))
    captions = [f"{n} of {trials} splits" for n in range(1, trials + 1)]
    means_text = ", ".join(f"{name} {number(float(values.mean()))}" for name, values in tau.items())
    return Drawing(
        moving(fig, frames, list(range(len(traces))), captions),
        f"τ between two halves of the topics, {trials} splits; the lines are means",
        f"Mean τ over {trials} splits: {means_text}.",
    )
