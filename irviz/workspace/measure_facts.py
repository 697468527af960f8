"""Facts about a measure on the open data: the weight of each rank of a list, the nearest measures, its words."""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.errors import IrvizError
from irviz.figures.theme import BLUE, GREY, bar, figure, scatter
from irviz.measures import measure
from irviz.measures.aggregation import Walk
from irviz.measures.catalogue import MEASURES
from irviz.measures.language.base import Expression, Measure, family
from irviz.measures.language.parameters import OneOf, Real, Subexpression, declarations
from irviz.measures.toma import Space
from irviz.stats.correlation import kendall_tau
from irviz.stats.lists import contributions
from irviz.stats.similarity import overall
from irviz.workspace.context import Context, misfit

Floats = NDArray[np.float64]
RANKS = 20  #: of a list that are shown
_MOST_CELLS = 400  #: grades of one aspect times those of another that a small picture shows
#: tab → groups of the catalogue; any other group is a tab by itself
_TABS = {
    "A reader": ("Browsing models and aggregations",),
    "Graded users": ("Graded average precision",),
    "Several aspects": ("Several aspects",),
    "Total orders": ("Interval scales",),
    "Classics": ("Set-based", "Rank-based, binary", "Rank-based, graded"),
}
#: tab → a sentence about its measures, the one that a click on its picture makes, and what papers call them
FAMILIES = {
    "A reader": ("How far somebody reads, and what they take away.", "CWLA", "C/W/L/A"),
    "Graded users": ("Users who differ in what they call relevant (GAP, xGAP, eGAP).", "GAP", "GAP, eGAP"),
    "Several aspects": ("Documents judged in several respects (TOMA, CAM, MM).", "TOMA", "TOMA, CAM"),
    "Total orders": ("Every list has a place, whatever its users.", "SBTO", "SBTO, RBTO"),
    "Classics": ("Precision, recall, AP, nDCG and their kin.", "nDCG", "nDCG, AP"),
}
ALL_ASPECTS = "Several aspects"  #: the family that needs a collection with more than one


def families(aspects: int) -> dict[str, tuple[type[Measure], ...]]:
    """The kinds of measures by tab; with several aspects, those that look at all of them come first.

    >>> [*families(1)], [*families(3)][0]
    (['A reader', 'Graded users', 'Several aspects', 'Total orders', 'Classics', 'Several intents'], 'Several aspects')
    """
    tab_of = {group: tab for tab, groups in _TABS.items() for group in groups}
    by_tab: dict[str, list[type[Measure]]] = {tab: [] for tab in _TABS}
    for kind in MEASURES:
        by_tab.setdefault(tab_of.get(kind.group, kind.group), []).append(kind)
    order = sorted(by_tab, key=lambda tab: aspects > 1 and tab != ALL_ASPECTS)
    return {tab: tuple(by_tab[tab]) for tab in order if by_tab[tab]}


def family_of(one: Measure) -> str:
    """The tab of a measure."""
    return next(tab for tab, kinds in families(1).items() if type(as_reader(one)) in kinds)


def family_pictures() -> dict[str, str]:
    """A picture of each family, as an address that holds it."""
    ranks = np.arange(1, RANKS + 1)
    shapes = (
        0.8**ranks,
        0.2 + 0.4 * (ranks // 7),
        np.where(ranks % 2, 1.0, 0.5),
        ranks / RANKS,
        1 / np.log2(ranks + 1),
    )
    return dict(zip(FAMILIES, map(_columns, shapes), strict=True))


def as_reader(one: Measure) -> Measure:
    """A measure as browsing model and aggregation where it is one under another name: RBP down the whole list.

    >>> str(as_reader(measure("RBP(p=0.8)"))), str(as_reader(measure("RBP(p=0.8)@10")))
    ('CWLA(C=RBP(p=0.8),A=ERG)', 'RBP(p=0.8)@10')
    """
    return measure(f"CWLA(C={one},A=ERG)") if re.fullmatch(r"RBP\(p=[\d.]+\)", str(one)) else one


def by_name(one: Measure) -> Measure:
    """The inverse of :func:`as_reader`."""
    named = re.fullmatch(r"CWLA\(C=(RBP\(p=[\d.]+\)),A=ERG\)", str(one))
    return measure(named[1]) if named else one


def counterpart(label: str, measures: Sequence[str], last: str) -> str:
    """The measure to compare a new one with: another of its kind, its base, or the last one shown.

    >>> counterpart("TOMA(nDCG@10,distance='euclidean')", ["AP", "nDCG@10", "RBP(p=0.8)"], "RBP(p=0.8)")
    'nDCG@10'
    >>> counterpart("RBP(p=0.5)", ["AP", "RBP(p=0.8)"], "AP"), counterpart("RR", ["AP", "P@5"], "P@5")
    ('RBP(p=0.8)', 'P@5')
    """
    new_measure = measure(label)
    others = [other for other in (last, *reversed(measures)) if other not in ("", label)]
    for like in (new_measure, *_parts(new_measure)):
        same = [other for other in others if other == str(like)]
        same = same or [other for other in others if measure(other).symbol == like.symbol]
        if same or (like is not new_measure and isinstance(like, Measure)):
            return same[0] if same else str(like)
    return last


def measures_of_all_aspects(label: str) -> list[Measure]:
    """Measures of several aspects that can be made of this measure of one, with their defaults.

    >>> list(map(str, measures_of_all_aspects("AP"))), measures_of_all_aspects("CAM(AP)")
    (["TOMA(AP,distance='euclidean')", 'CAM(AP)', 'MM(AP)'], [])
    """
    base_measure, combined = measure(label), []
    for kind in MEASURES if not base_measure.several_aspects else ():
        base = [name for name, declared in declarations(kind).items() if isinstance(declared.kind, Subexpression)]
        try:
            combined += [measure(f"{kind.symbol}({base_measure})")] if kind.several_aspects and base else []
        except IrvizError:  # not of this measure, such as one that names its aspect
            continue
    return combined


def relevant_from(one: Measure) -> float | None:
    """The smallest grade that a binary measure counts as relevant; None for another measure.

    >>> relevant_from(measure("P(rel=2)@10")), relevant_from(measure("AP")), relevant_from(measure("nDCG"))
    (2.0, 1.0, None)
    """
    declared = declarations(type(one)).get("rel")
    binary = declared is not None and isinstance(declared.kind, Real) and not declared.kind.optional
    return getattr(one, "rel", None) if binary else None


def plain_words(one: Expression) -> str:
    """A line about a measure: what its class says first, and what each of its parts says."""
    words = [_first_line(one)]
    for name, declared in declarations(type(one)).items():
        value = getattr(one, name)
        if isinstance(declared.kind, Subexpression) and isinstance(value, Expression):
            words.append(_first_line(value))
    return " ".join(words)


def _first_line(one: Expression) -> str:
    text = " ".join((type(one).__doc__ or one.title or one.symbol).strip().split("\n\n")[0].split())
    return text.replace("``", "`").rstrip(".") + "."


def typical_topic(context: Context) -> str:
    """The topic on which the best system has its median score: a list with something to see."""
    scores = context.judging().loc[list(context.topics), context.two_best[0]]
    return str(scores.sort_values(kind="stable").index[(len(scores) - 1) // 2])


def pictured_gains(context: Context) -> Floats:
    """The gains in [0, 1], by rank, of a list where every user sees something: :func:`typical_topic`, or one near it.

    Its best system has the first relevant document at rank 3 or below, since users of ERR or RR stop there.
    """
    collection, system = context.collection, context.two_best[0]
    scores = context.judging().loc[list(context.topics), system]
    typical = typical_topic(context)
    number = {topic: i for i, topic in enumerate(collection.topics)}
    places = np.array([number[topic] for topic in scores.index])
    ranked = collection.ranking.subset(places, [collection.systems.index(system)], RANKS)[:, 0]
    levels = np.take_along_axis(collection.labels[places, :, 0], np.maximum(ranked, 0), axis=1)
    relevant = (ranked >= 0) & (np.array(collection.grades[0])[levels] > 0)
    late = relevant.any(axis=1) & (relevant.argmax(axis=1) >= 2)
    nearest_first = np.argsort(np.abs(scores.to_numpy() - scores[typical]), kind="stable")
    topic = next((scores.index[i] for i in nearest_first if late[i]), typical)
    return context.remember(contributions, collection, "RBP(p=0.8)", str(topic), system)["gain"].to_numpy()


def rank_weights(context: Context, label: str) -> tuple[Floats, Floats | None]:
    """Weights of the first ranks (at most 20) of :func:`typical_topic`; the probability of reading on, or None."""
    collection, parsed = context.collection, measure(label)
    table = contributions(collection, parsed, typical_topic(context), context.two_best[0])
    weights = table["weight"].to_numpy()[:RANKS]
    model = browsing_of(parsed)
    if model is None:
        return weights, None
    reading = np.array(model.survival(table["gain"].to_numpy()[None]), dtype=np.float64)[0, : len(weights)]
    if parsed.cutoff is not None:
        reading[parsed.cutoff :] = 0.0
    return weights, reading


def browsing_of(one: Expression) -> Any:
    """The browsing model that a measure is made of; None for one without."""
    return next((part for part in _parts(one) if hasattr(part, "survival")), None)


def _parts(one: Expression) -> list[Expression]:
    return [value for name in declarations(type(one)) if isinstance(value := getattr(one, name), Expression)]


def part_pictures(context: Context, one: Expression, name: str) -> dict[str, str]:
    """A picture of each option of a parameter, as an address that holds it; {} where its options have none.

    Browsing models show who is still reading at ranks 1 to 20, aggregations what users have who stop there, distances
    the classes of two aspects.
    """
    kind, collection = declarations(type(one))[name].kind, context.collection
    if isinstance(kind, OneOf) and hasattr(one, "space") and len(collection.aspects) > 1:
        turned: dict[str, Any] = {option: replace(one, **{name: option}) for option in kind.options}  # type: ignore[arg-type]
        spaces = {option: each.space(collection.grades) for option, each in turned.items()}
        return {option: _plane(space) for option, space in spaces.items() if math.prod(space.counts[:2]) <= _MOST_CELLS}
    if not isinstance(kind, Subexpression) or kind.family == one.family:
        return {}
    gains = pictured_gains(context)
    parts = parts_of(kind.family, getattr(one, name))
    return {part.symbol: _columns(_heights(part, gains[None])[:RANKS]) for part in parts}


def parts_of(kind: str, now: Expression) -> list[Expression]:
    """One expression of each class of a family: `now`, and the others with their defaults."""
    return [
        now if isinstance(now, cls) else cls(cutoff=10 if cls.cut == "required" else None)
        for cls in family(kind).values()
    ]


def _heights(part: Any, gains: Floats) -> Floats:
    """The values of a part of a measure at each rank of the only list."""
    heights = part.survival(gains) if hasattr(part, "survival") else part.amount(Walk(gains))
    return np.broadcast_to(np.asarray(heights, dtype=np.float64), gains.shape)[0]


def _columns(heights: Floats) -> str:
    """Columns side by side, the highest as high as the picture."""
    top = max(1.0, float(heights.max(initial=0.0)))
    return _picture([(3.0 * i, 32 - 32 * h / top, 2.4, 32 * h / top, 1.0) for i, h in enumerate(heights)])


def _plane(space: Space) -> str:
    """Labels of the first two aspects as cells, darker where nearer to the best; the others are at their best."""
    across, up = space.counts[:2]
    best = [count - 1 for count in space.counts[2:]]
    cells = np.array([[i, j, *best] for i in range(across) for j in range(up)])
    _, place = np.unique(-space.distances(space.tuples(cells)), return_inverse=True)
    wide, high = 60 / across, 32 / up
    shades = 0.06 + 0.94 * place / max(1, place.max())
    return _picture(
        [
            (wide * i, 32 - high * (j + 1), wide - 1, high - 1, float(shade))
            for (i, j, *_), shade in zip(cells.tolist(), shades, strict=True)
        ]
    )


def _picture(rectangles: Sequence[tuple[float, float, float, float, float]]) -> str:
    """Rectangles (x, y, width, height, opacity) on 60 × 32 pixels, as an address that holds the picture."""
    shapes = "".join(
        f"<rect x='{x:.1f}' y='{y:.1f}' width='{w:.1f}' height='{h:.1f}' fill-opacity='{opacity:.2f}'/>"
        for x, y, w, h, opacity in rectangles
    )
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' width='60' height='32' fill='{BLUE}'>{shapes}</svg>"
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def weight_bars(weights: Floats, reading: Floats | None, height: int = 150) -> go.Figure:
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
    fig = figure(traces, height, hovermode="closest", showlegend=False, bargap=0.25)
    fig.update_xaxes(title_text="rank", range=[0.4, len(weights) + 0.6])
    bottom = min(0.0, float(np.min(weights, initial=0.0)) / top)
    fig.update_yaxes(title_text="weight", range=[bottom, 1.08], tickvals=[0, 1], ticktext=["0", f"{top:.2g}"])
    return fig


def nearest(context: Context, label: str, most: int = 3) -> list[tuple[str, float]]:
    """The chosen measures that rank the systems most like this one, with τ, the most alike first."""
    others = [name for name in context.measures if name != label]
    if not others or len(context.systems) < 2:
        return []
    scores = replace(context, measures=(label, *others)).scores()
    taus = kendall_tau(overall(scores, context.summary, context.eps))[0, 1:]
    known = [(name, float(tau)) for name, tau in zip(others, taus, strict=True) if np.isfinite(tau)]
    return sorted(known, key=lambda pair: -pair[1])[:most]


def reads_only_first(one: Expression) -> bool:
    """True if only the first document of a list counts."""
    return one.cutoff == 1 or any(reads_only_first(part) for part in _parts(one))


def why_not(context: Context, label: str) -> str:
    """Why a measure cannot be computed on the collection; nothing where it can."""
    return misfit(context.collection, label)
