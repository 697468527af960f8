"""Across collections: one quantity on every collection at hand, and how large a difference to believe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from irviz.collection.model import Collection
from irviz.errors import IrvizError, counted
from irviz.figures.axes import line_at, padded_range, row_names
from irviz.figures.theme import (
    BLUE,
    DASHES,
    GREY,
    MARKERS,
    VERMILION,
    Trace,
    figure,
    labels,
    plotly_escape,
    row_height,
    scatter,
    whiskers,
)
from irviz.stats.aggregate import aggregate
from irviz.stats.consistency import consistency
from irviz.stats.incompleteness import pool_reduction
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity
from irviz.stats.swaps import FEW_PAIRS, WIDTH, Swaps, bin_of, swaps
from irviz.workspace.context import Context, Dataset
from irviz.workspace.control import Choice, one_system
from irviz.workspace.controls import SEED
from irviz.workspace.data import SEVERAL_SYSTEMS, opened_bundled
from irviz.workspace.page import Page
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.phrases import spelled

MEASURES = ("AP", "nDCG@10", "P@10", "RR")  #: which most bundled collections have
HALF = "half"
QUANTITIES = {
    "swaps": "differences reversed on other topics",
    "tau": "τ between two measures",
    "consistency": "consistency of topic halves",
    "significant": "share of significant pairs",
    "pool": "τ of self with 10% of the pool",
}
UNITS = {
    "tau": "Kendall's τ",
    "consistency": "mean τ of random topic halves",
    "significant": "% of pairs (two-way ANOVA, Tukey HSD, α = 0.05)",
    "pool": "Kendall's τ with the ranking under the full pool",
}
SPLITS, REPEATS, TRIALS = 1000, 20, 200
SYMBOLS = (*MARKERS, *(f"{name}-open" for name in MARKERS))


class Row(NamedTuple):
    """A collection's number, with the ends of its 95% interval (NaN where it has none), or why it has none."""

    title: str
    value: float
    low: float
    high: float
    why: str = ""


CONTROLS = (
    Choice(name="quantity", label="Quantity", options=tuple(QUANTITIES.items()), default="swaps"),
    Choice(name="measure", label="Measure", options=tuple((name, name) for name in MEASURES), default="AP"),
    Choice(
        name="other",
        label="and",
        options=tuple((name, name) for name in MEASURES),
        default="P@10",
        shown_if=lambda values: values["quantity"] == "tau",
    ),
    Choice(
        name="size",
        label="Topics",
        options=((HALF, "half of each collection's"), *((str(n), f"{n} and {n} others") for n in (10, 15, 20, 25, 40))),
        default=HALF,
        help="In each of the two sets of topics that are compared. Collections with fewer topics are left out.",
        shown_if=lambda values: values["quantity"] == "swaps",
    ),
    *(replace(one_system(place), shown_if=lambda values: values["quantity"] == "swaps") for place in (0, 1)),
    replace(SEED, shown_if=lambda values: values["quantity"] in ("swaps", "consistency", "pool")),
)


def panel(context: Context, values: Mapping[str, Any]) -> Panel:
    """A forest of one number per collection, or a curve per collection."""
    data = list(_collections(context))
    if values["quantity"] == "swaps":
        return _curves(context, values, data)
    rows = [_row(context, opened, values) for opened in data]
    quantity, names = values["quantity"], _named(values)
    title = f"{QUANTITIES[quantity][0].upper()}{QUANTITIES[quantity][1:]}, {names}"
    own, others = rows[-1], [row.value for row in rows[:-1] if np.isfinite(row.value)]
    drawn = forest(rows, UNITS[quantity])
    frame = pd.DataFrame(rows).rename(columns={"title": "collection", "why": "reason"})
    about = f"One row per collection: {UNITS[quantity]}, and the ends of the bar where there is one."
    return Panel(
        _forest_sentence(own, others, f"{QUANTITIES[quantity]} ({names})", "%" * (quantity == "significant")),
        ({"forest": Drawing(drawn, title)},),
        {"Collections": Table(frame, about)},
        (_INTERVALS[quantity],),
    )


_INTERVALS = {
    "tau": "Intervals are Fieller's, over systems.",
    "consistency": f"{SPLITS:,} random halves; intervals are over resampled topics.",
    "significant": "Shares depend on how many systems there are and how different they are; there is no interval.",
    "pool": f"{REPEATS} stratified reductions; the bar holds nine repeats in ten. Scores alone have no pool.",
}


def _named(values: Mapping[str, Any]) -> str:
    return f"{values['measure']} and {values['other']}" if values["quantity"] == "tau" else values["measure"]


# -- the collections -------------------------------------------------------------------------------


@cache
def _bundled(name: str) -> Dataset:
    return opened_bundled(name, "trec_eval")


def _collections(context: Context) -> Iterator[Dataset]:
    """The bundled collections, real ones first, and the reader's last."""
    for name in SEVERAL_SYSTEMS:
        if name != context.opened.key:
            yield _bundled(name)
    yield context.opened


def _scores(context: Context, opened: Dataset, measures: Sequence[str]) -> Scores:
    """Scores of a collection; on the reader's, of the topics and systems of the sidebar."""
    if opened is context.opened:
        return context.scores(measures)
    if opened.imported is not None:
        return opened.imported.select(measures)
    assert opened.collection is not None
    return context.scored(opened.collection, measures)


# -- one number per collection ---------------------------------------------------------------------


def _row(context: Context, opened: Dataset, values: Mapping[str, Any]) -> Row:
    try:
        return Row(opened.title, *_number(context, opened, values))
    except IrvizError as refusal:
        return Row(opened.title, np.nan, np.nan, np.nan, str(refusal))


def _number(context: Context, opened: Dataset, values: Mapping[str, Any]) -> tuple[float, float, float]:
    """The quantity and the ends of its interval."""
    quantity, name = values["quantity"], values["measure"]
    if quantity == "pool":
        return _with_a_tenth(context, opened, name, values["seed"])
    names = list(dict.fromkeys((name, values["other"]))) if quantity == "tau" else [name]
    scores = _scores(context, opened, names)
    if quantity == "tau":
        if len(scores.systems) < 5:
            raise IrvizError("τ and its interval need at least five systems.")
        found = context.remember(similarity, scores)
        return tuple(float(part[0, -1]) for part in (found.values, found.low, found.high))  # type: ignore[return-value]
    if quantity == "consistency":
        halves = context.remember(consistency, scores, trials=SPLITS, seed=values["seed"])
        return float(halves.mean[0]), float(halves.low[0]), float(halves.high[0])
    power = context.remember(discriminative_power, scores, "anova_tukey")
    return 100 * power.results[0].ratio, np.nan, np.nan


def _with_a_tenth(context: Context, opened: Dataset, name: str, seed: int) -> tuple[float, float, float]:
    whole: Collection | None = (
        context.collection if opened is context.opened and opened.collection else opened.collection
    )
    if whole is None:
        raise IrvizError("Scores alone have no judgments to remove.")
    found = context.remember(pool_reduction, whole, [name], rates=(0.1,), repeats=REPEATS, seed=seed)
    low, high = found.band()
    return float(found.tau[0, 0]), float(low[0, 0]), float(high[0, 0])


def forest(rows: Sequence[Row], unit: str) -> go.Figure:
    """A dot with its interval per collection, the reader's last and larger."""
    places = np.arange(len(rows))
    values, low, high = (np.array([getattr(row, part) for row in rows]) for part in ("value", "low", "high"))
    own = places == len(rows) - 1
    dots = scatter(
        x=np.round(values, 5),
        y=places,
        mode="markers",
        marker={"color": np.where(own, VERMILION, BLUE).tolist(), "size": np.where(own, 14, 9).tolist()},
        error_x=whiskers(values, low, high, color=GREY, thickness=1.5),
        customdata=[plotly_escape(f"{row.title}: {spelled(row.value, 3)}") for row in rows],
        hovertemplate="%{customdata}<extra></extra>",
        showlegend=False,
    )
    drawn = figure([dots], row_height(len(rows), least=260, each=32), hovermode="closest")
    drawn.update_xaxes(title_text=unit, range=padded_range(np.concatenate([values, low, high])))
    return row_names(drawn, [row.title for row in rows], most=30)


def _forest_sentence(own: Row, others: Sequence[float], what: str, sign: str) -> str:
    """The reader's number beside those of the others."""
    if not np.isfinite(own.value):
        return f"{own.title} has no number here. {own.why}"
    start = f"On {own.title} the {what} is {spelled(own.value, 2)}{sign}"
    if not others:
        return f"{start}; no other collection has a number."
    below = sum(value < own.value for value in others)
    span = f"{spelled(min(others), 2)} to {spelled(max(others), 2)}{sign}"
    return f"{start}, above that of {below} of {len(others)} other collections, which have {span}."


# -- how large a difference to believe -------------------------------------------------------------


def _curves(context: Context, values: Mapping[str, Any], data: Sequence[Dataset]) -> Panel:
    """The share of differences that turn, by difference; one curve per collection, and the reader's pair."""
    name, found, missing = values["measure"], {}, []
    size = None if values["size"] == HALF else int(values["size"])
    for opened in data:
        try:
            matrix = _scores(context, opened, [name])[name]
            found[opened.title] = context.remember(swaps, matrix.to_numpy(), size, TRIALS, values["seed"])
        except IrvizError as refusal:
            missing.append(f"{opened.title} is left out. {refusal}")
    title, own = context.opened.title, _scores(context, context.opened, [name])[name]
    if not found:
        raise IrvizError(missing[-1])
    means = dict(zip(own.columns, aggregate(own.to_numpy()), strict=True))
    pair = (values["a"], values["b"])
    difference = abs(float(means[pair[0]] - means[pair[1]]))
    sentence = _swap_sentence(found, title, name, pair, difference)
    frame = pd.concat([one.frame().assign(collection=key, topics=one.topics) for key, one in found.items()])
    frame = frame[frame["pairs"] > 0][["collection", "topics", "low", "high", "pairs", "turned", "share"]]
    sets = "half of the topics" if size is None else f"{size} topics"
    drawing = Drawing(
        swap_curves(found, title, difference, name, sets),
        f"Differences of {name} on {sets} that as many others reverse",
    )
    return Panel(
        sentence,
        ({"swaps": drawing},),
        {
            "Differences": Table(
                frame.reset_index(drop=True),
                f"One row per collection and bin of differences on {sets}: pairs of systems, over all splits, and "
                "those that turned.",
            )
        },
        (
            f"{TRIALS} random pairs of disjoint sets of each collection's topics, all pairs of systems, bins of 0.01; "
            "a tie on the second set counts as half a turn (Voorhees & Buckley 2002; Sanderson & Zobel 2005). The "
            "marked difference is over all topics, where it is more certain than over a part of them.",
            *missing,
        ),
    )


def _swap_sentence(found: Mapping[str, Swaps], own: str, name: str, pair: tuple[str, str], difference: float) -> str:
    rates = np.array([one.at(difference) for title, one in found.items() if title != own])
    rates = rates[np.isfinite(rates)]
    start = f"`{pair[0]}` and `{pair[1]}` differ by {difference:.3f} {name}"
    if own not in found:
        return f"{start}; {own} has too few topics for this choice."
    here, size = found[own].at(difference), found[own].topics
    if not np.isfinite(here):
        return f"{start}; no two systems of {own} differ as much on {counted(size, 'topic')} of it."
    many = counted(len(rates), "other collection")
    ends = dict.fromkeys(f"{rate:.0%}" for rate in (rates.min(), rates.max())) if rates.size else ()
    others = f"; on {many} it was {' to '.join(ends)}" if ends else ""
    return (
        f"{start}. Of differences as large between two systems on {counted(size, 'topic')}, {here:.0%} had the "
        f"opposite sign on {size:,} other topics here{others}."
    )


def swap_curves(
    found: Mapping[str, Swaps], own: str, difference: float, name: str, sets: str = "half of the topics"
) -> go.Figure:
    """Share of differences that turn against their size; the reader's collection stands out, its pair is a star."""
    traces, shown = [], labels(list(found), 36)
    for i, (text, (title, one)) in enumerate(zip(shown, found.items(), strict=True)):
        mine = title == own
        colour, size = (VERMILION, 9) if mine else (GREY, 6)
        traces.append(
            scatter(
                x=np.round(one.low + WIDTH / 2, 4),
                y=np.round(100 * np.where(one.pairs >= FEW_PAIRS, one.rate, np.nan), 2),
                mode="lines+markers",
                name=f"{text} ({one.topics:,} topics)",
                line={"color": colour, "dash": "solid" if mine else DASHES[i % 6], "width": 4 if mine else 1.3},
                marker={"color": colour, "symbol": SYMBOLS[i % len(SYMBOLS)], "size": size},
                hovertemplate="%{x:.3f}: %{y:.1f}%<extra>%{fullData.name}</extra>",
            )
        )
    if own in found and np.isfinite(found[own].at(difference)):
        traces.append(_star(found[own], difference))
    height = 400 + 12 * len(traces)  # on a phone the names of the curves stand below one another
    drawn = figure(traces, height, hovermode="closest", shapes=[line_at(x=difference)] if difference <= 0.2 else [])
    drawn.update_xaxes(title_text=f"difference of mean {plotly_escape(name)} on {sets}", range=[0, 0.2])
    drawn.update_yaxes(title_text="% reversed on as many other topics", range=[0, 52])
    return drawn


def _star(one: Swaps, difference: float) -> Trace:
    """The reader's pair, in the middle of its bin, where the curve has its point."""
    place = WIDTH * (int(bin_of(np.array([difference]))[0]) + 0.5)
    return scatter(
        x=[round(place, 4)],
        y=[round(100 * one.at(difference), 2)],
        mode="markers",
        name="your pair",
        marker={"symbol": "star", "size": 18, "color": VERMILION, "line": {"width": 1, "color": "#FFFFFF"}},
        hovertemplate=f"your pair: {difference:.3f}, %{{y:.1f}}%<extra></extra>",
    )


PAGE = Page(
    name="across",
    title="Across collections",
    question="Is your collection like others, and how large a difference can be believed?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset(),
)
