"""Topics split into two halves: is a ranking of systems reproduced on topics that it is not computed from?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import listed, verb
from irviz.figures.axes import chart
from irviz.figures.motion import moving
from irviz.figures.theme import BLUE, DASHES, GREY, MARKERS, VERMILION, plotly_escape, scatter, short
from irviz.stats.consistency import random_halves
from irviz.stats.correlation import COEFFICIENTS, shared_ranks
from irviz.stats.scores import Scores
from irviz.stats.similarity import overall_of_subsets
from irviz.workspace.control import Number
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

    @property
    def same_winner(self) -> float:
        """The share of splits in which a system wins both halves."""
        return float((self.places == 1).all(axis=1).any(axis=1).mean())


def deals(scores: Scores, trials: int, position: int = 0, summary: str = "mean", eps: float | None = None) -> Deals:
    """The first `trials` splits of :func:`irviz.consistency`, seed 0: the same for all measures and means."""
    members = random_halves(len(scores.topics), trials, 0)
    halves = [overall_of_subsets(scores, position, side, summary, eps) for side in (members, ~members)]
    places = np.stack([shared_ranks(half) for half in halves], axis=1)
    return Deals(scores.systems, places, COEFFICIENTS["tau"].row_by_row(*halves))


def deal_control(most: int) -> Number:
    """Which split is shown."""
    return Number(
        name="deal",
        label="Split again",
        default=1,
        low=1,
        high=most,
        step=1,
        whole=True,
        slider=False,
        help=f"The number of the split, from 1 to {most}; + shows the next one.",
        shown_if=lambda values: values["step"].isdigit(),
    )


def deal_drawing(found: Deals, deal: int, name: str) -> Drawing:
    """One split: which systems win which half, and whether the others keep their places."""
    n = deal - 1
    first, second = (found.first(n, half) for half in (0, 1))
    won = [
        f"{listed([f'`{one}`' for one in names], joiner='and')} {verb(len(names), 'wins', 'share first place on')}"
        for names in (first, second)
    ]
    kept = f"{won[0]} both halves" if first == second else f"{won[0]} the first half, {won[1]} the second"
    words = f"Split {deal}, {name}: {kept}; τ = {number(float(found.tau[n]))}"
    return Drawing(
        one_deal(found, n),
        words,
        f"{words}. One dot per system, by its ranks on the two halves.",
    )


def one_deal(found: Deals, n: int) -> go.Figure:
    """One dot per system, by its rank on either half; on the line if the rank is reproduced."""
    across, up = found.places[n]
    won = (across == 1) | (up == 1)
    others = scatter(
        x=across[~won],
        y=up[~won],
        mode="markers",
        text=[plotly_escape(short(name, 18)) for name, one in zip(found.systems, won, strict=True) if not one],
        showlegend=False,
        marker={"size": 7, "color": BLUE, "opacity": 0.85},
        hovertemplate="%{text}<br>rank %{x} and %{y}<extra></extra>",
    )
    named: dict[tuple[int, int], list[str]] = {}  # systems that tie on both halves are at one place
    for name, x_place, y_place in zip(found.systems, across.tolist(), up.tolist(), strict=True):
        if 1 in (x_place, y_place):
            named.setdefault((x_place, y_place), []).append(plotly_escape(short(name, 18)))
    winners = scatter(
        x=[x for x, _ in named],
        y=[y for _, y in named],
        mode="markers+text",
        text=[", ".join(names) for names in named.values()],
        textposition=["top right" if y == 1 else "middle right" for _, y in named],
        showlegend=False,
        marker={"size": 11, "color": VERMILION, "symbol": "diamond"},
        hovertemplate="%{text}<br>rank %{x} and %{y}<extra></extra>",
    )
    last = len(found.systems)
    ends = [-0.07 * last, last + 1]
    marks = {"tickvals": [1, *range(10, last + 1, 10)], "zeroline": False}
    x = {**marks, "title": {"text": "rank on the first half"}, "range": ends}
    y = {**marks, "title": {"text": "rank on the second half"}, "range": ends[::-1]}
    diagonal = {"type": "line", "x0": 1, "y0": 1, "x1": last, "y1": last, "line": {"color": GREY, "dash": "dot"}}
    return chart([others, winners], 330, x, y, [diagonal])


def split_dots(tau: Mapping[str, Floats]) -> Drawing:
    """τ between two halves, one dot per split and one column per way of ranking; frames add split after split."""
    names, trials = list(tau), len(next(iter(tau.values())))
    aside = (np.random.default_rng(1).permutation(trials) / trials - 0.5) * 0.6
    dots, frames = [], []
    for n, values in enumerate(tau.values()):
        colour = (BLUE, VERMILION, GREY)[n % 3]
        marker = {"color": colour, "size": 7, "opacity": 0.7, "symbol": MARKERS[n]}
        dots.append(
            scatter(x=np.round(n + aside, 3), y=np.round(values, 4), mode="markers", marker=marker, showlegend=False)
        )
        line = {"color": colour, "width": 3, "dash": DASHES[n]}
        mean = [round(float(values.mean()), 4)] * 2
        dots.append(scatter(x=[n - 0.4, n + 0.4], y=mean, mode="lines", line=line, showlegend=False, hoverinfo="skip"))
    for shown in range(1, trials + 1):
        changes: list[dict] = []
        for values in tau.values():
            seen = np.round(np.where(np.arange(trials) < shown, values, np.nan), 4)
            changes += [
                {"y": [None if np.isnan(x) else x for x in seen.tolist()]},
                {"y": [round(float(values[:shown].mean()), 4)] * 2},
            ]
        frames.append(changes)
    ends = np.concatenate(list(tau.values()))
    y = {
        "title": {"text": "τ between two halves"},
        "range": [float(ends.min()) - 0.03, min(1.02, float(ends.max()) + 0.03)],
    }
    ticks = {"tickvals": list(range(len(names))), "ticktext": [plotly_escape(name) for name in names]}
    drawn = chart(dots, 340, {**ticks, "range": [-0.6, len(names) - 0.4]}, y)
    said = [f"{n} of {trials} splits" for n in range(1, trials + 1)]
    told = ", ".join(f"{name} {number(float(values.mean()))}" for name, values in tau.items())
    return Drawing(
        moving(drawn, frames, list(range(len(dots))), said),
        f"τ between two halves of the topics, {trials} splits; the lines are means",
        f"Mean τ over {trials} splits: {told}.",
    )
