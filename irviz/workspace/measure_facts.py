"""Facts about a measure on the open data: the weight of each rank of a list, the nearest measures, its words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import IrvizError
from irviz.figures.theme import BLUE, GREY, bar, figure, plotly_escape, scatter
from irviz.measures import measure
from irviz.measures.catalogue import MEASURES
from irviz.measures.language.base import Expression, Measure
from irviz.measures.language.parameters import Nested, declarations
from irviz.stats.contributions import contributions
from irviz.stats.correlation import kendall_tau
from irviz.stats.similarity import overall
from irviz.workspace.context import Context

Floats = NDArray[np.float64]
RANKS = 20  #: of a list that are shown
#: tab → groups of the catalogue; any other group is a tab by itself
_TABS = {
    "Rank-based": ("Set-based", "Rank-based, binary", "Rank-based, graded"),
    "User models": ("Browsing models and aggregations",),
    "Graded AP": ("Graded average precision",),
    "Several aspects": ("Several aspects",),
    "Total orders": ("Interval scales",),
}


def families(aspects: int) -> dict[str, tuple[type[Measure], ...]]:
    """The kinds of measures by tab; with several aspects, those that look at all of them come first.

    >>> [*families(1)], [*families(3)][0]
    (['Rank-based', 'User models', 'Graded AP', 'Several aspects', 'Total orders'], 'Several aspects')
    """
    tab_of = {group: tab for tab, groups in _TABS.items() for group in groups}
    found: dict[str, list[type[Measure]]] = {tab: [] for tab in _TABS}
    for kind in MEASURES:
        found.setdefault(tab_of.get(kind.group, kind.group), []).append(kind)
    order = sorted(found, key=lambda tab: aspects > 1 and tab != "Several aspects")
    return {tab: tuple(found[tab]) for tab in order if found[tab]}


def plain_words(one: Expression) -> str:
    """A line about a measure: what its class says first, and what each of its parts says."""
    words = [_first_line(one)]
    for name, declared in declarations(type(one)).items():
        value = getattr(one, name)
        if isinstance(declared.kind, Nested) and isinstance(value, Expression):
            words.append(_first_line(value))
    return " ".join(words)


def _first_line(one: Expression) -> str:
    text = " ".join((type(one).__doc__ or one.title or one.symbol).strip().split("\n\n")[0].split())
    return text.replace("``", "`").rstrip(".") + "."


def rank_weights(context: Context, label: str) -> tuple[Floats, Floats | None]:
    """Weights that a measure gives to the first ranks of the best system's first list, and the share still reading.

    Returns
    -------
    weights : at most 20 ranks, from the first
    reading : the same ranks; probability that a user reads this far, None for a measure without a browsing model
    """
    collection, one = context.collection, measure(label)
    table = contributions(collection, one, context.topics[0], context.two_best[0])
    weights = table["weight"].to_numpy()[:RANKS]
    model = next((part for part in _parts(one) if hasattr(part, "survival")), None)
    if model is None:
        return weights, None
    reading = np.array(model.survival(table["gain"].to_numpy()[None]), dtype=np.float64)[0, : len(weights)]
    if one.cutoff is not None:
        reading[one.cutoff :] = 0.0
    return weights, reading


def _parts(one: Expression) -> list[Expression]:
    return [value for name in declarations(type(one)) if isinstance(value := getattr(one, name), Expression)]


def weight_bars(weights: Floats, reading: Floats | None) -> go.Figure:
    """Bars of weights over ranks, the largest as high as the figure; a line for the share of users still reading."""
    ranks = np.arange(1, len(weights) + 1)
    top = float(np.max(np.abs(weights), initial=0.0)) or 1.0
    traces = [
        bar(
            x=ranks,
            y=np.round(weights / top, 4),
            marker={"color": BLUE},
            customdata=np.round(weights, 5),
            hovertemplate="rank %{x}: weight %{customdata}<extra></extra>",
        )
    ]
    if reading is not None:
        step = {"color": GREY, "width": 2, "dash": "dash", "shape": "hvh"}
        hover = "rank %{x}: %{y:.0%} still read<extra></extra>"
        traces.append(scatter(x=ranks, y=np.round(reading, 4), mode="lines", line=step, hovertemplate=hover))
    drawn = figure(traces, 150, hovermode="closest", showlegend=False, bargap=0.25)
    drawn.update_xaxes(title_text=plotly_escape("rank"), range=[0.4, len(weights) + 0.6])
    drawn.update_yaxes(
        range=[min(0.0, float(np.min(weights, initial=0.0)) / top), 1.08], showticklabels=False, ticks=""
    )
    return drawn


def nearest(context: Context, label: str, most: int = 3) -> list[tuple[str, float]]:
    """The chosen measures that rank the systems most like this one, with τ, the most alike first."""
    others = [name for name in context.measures if name != label]
    if not others or len(context.systems) < 2:
        return []
    scores = replace(context, measures=(label, *others)).scores()
    taus = kendall_tau(overall(scores, context.summary, context.eps))[0, 1:]
    known = [(name, float(tau)) for name, tau in zip(others, taus, strict=True) if np.isfinite(tau)]
    return sorted(known, key=lambda pair: -pair[1])[:most]


def why_not(context: Context, label: str) -> str:
    """Why a measure cannot be computed on the collection; nothing where it can."""
    try:
        problem = measure(label).misfit(context.collection)
    except IrvizError as error:
        return str(error)
    return "" if problem is None else str(problem)
