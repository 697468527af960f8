"""Across collections: one quantity on every collection at hand, and how large a difference to believe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from textwrap import wrap
from typing import NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from irviz.errors import IrvizError, join_words, number_of, percent
from irviz.figures.axes import line_at, padded_range, row_names, standing_out
from irviz.figures.densities import name_rows
from irviz.figures.theme import (
    BLUE,
    GREY,
    escape_names,
    figure,
    note,
    plotly_escape,
    row_height,
    scatter,
    short,
    whiskers,
)
from irviz.stats.aggregate import aggregate
from irviz.stats.consistency import consistency
from irviz.stats.incompleteness import pool_reduction
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import similarity
from irviz.stats.topic_effects import BINS, FEW_PAIRS, WIDTH, Swaps, swaps
from irviz.workspace.context import Context, Dataset
from irviz.workspace.control import Choice, one_system
from irviz.workspace.controls import SEED
from irviz.workspace.data import SEVERAL_SYSTEMS, opened_bundled
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.phrases import spell

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
ABOVE_PLOT = {"yref": "paper", "yanchor": "bottom"}
_LINE = 26  # letters of one of the two lines that a collection's title may take
SPLITS, REPEATS, TRIALS = 1000, 20, 200
DOT, LINE = 0.1, (0.2, 0.05)  #: shares of differences that turn, of the dot and the two ends of the line of a row


class CollectionRow(NamedTuple):
    """A collection's number, with the ends of its 95% interval (NaN where it has none); words in its place."""

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


def panel(context: Context, values: Values) -> Panel:
    """A row per collection: one number, or how large a difference to believe."""
    data = list(_collections(context))
    if values["quantity"] == "swaps":
        return _differences(context, values, data)
    rows = [_row(context, opened, values) for opened in data]
    quantity = values["quantity"]
    names = f"{values['measure']} and {values['other']}" if quantity == "tau" else values["measure"]
    title = f"{QUANTITIES[quantity][0].upper()}{QUANTITIES[quantity][1:]}, {names}"
    own, others = rows[-1], [row.value for row in rows[:-1] if np.isfinite(row.value)]
    fig = forest(rows, UNITS[quantity])
    frame = pd.DataFrame(rows).rename(columns={"title": "collection", "why": "reason"})
    about = f"One row per collection: {UNITS[quantity]}, and the ends of the bar where there is one."
    return Panel(
        _forest_sentence(own, others, f"{QUANTITIES[quantity]} ({names})", "%" * (quantity == "significant")),
        ({"forest": Drawing(fig, title)},),
        {"Collections": Table(frame, about)},
        (_INTERVALS[quantity],),
    )


_INTERVALS = {
    "tau": "Intervals are Fieller's, over systems.",
    "consistency": f"{SPLITS:,} random halves; intervals are over resampled topics.",
    "significant": "Shares depend on how many systems there are and how different they are; there is no interval.",
    "pool": f"{REPEATS} stratified reductions; the bar holds nine repeats in ten. Scores alone have no pool.",
}


# -- the collections -------------------------------------------------------------------------------


@cache
def _open_bundled(name: str) -> Dataset:
    return opened_bundled(name, "trec_eval")


def _collections(context: Context) -> Iterator[Dataset]:
    """The bundled collections, real ones first, and the reader's last."""
    for name in SEVERAL_SYSTEMS:
        if name != context.dataset.key:
            yield _open_bundled(name)
    yield context.dataset


def _scores(context: Context, dataset: Dataset, measures: Sequence[str]) -> Scores:
    """Scores of a collection; on the reader's, of the topics and systems of the sidebar."""
    if dataset is context.dataset:
        return context.scores(measures)
    if dataset.imported_scores is not None:
        return dataset.imported_scores.select(measures)
    assert dataset.collection is not None
    return context.score(dataset.collection, measures)


# -- one number per collection ---------------------------------------------------------------------


def _row(context: Context, dataset: Dataset, values: Values) -> CollectionRow:
    try:
        return CollectionRow(dataset.title, *_number(context, dataset, values))
    except IrvizError as refusal:
        return CollectionRow(dataset.title, np.nan, np.nan, np.nan, str(refusal))


def _number(context: Context, dataset: Dataset, values: Values) -> tuple[float, float, float]:
    """The quantity and the ends of its interval."""
    quantity, name = values["quantity"], values["measure"]
    if quantity == "pool":
        if dataset.collection is None:
            raise IrvizError("Scores alone have no judgments to remove.")
        whole = context.collection if dataset is context.dataset else dataset.collection
        how = {"rates": (0.1,), "repeats": REPEATS, "seed": values["seed"]}
        pools = context.remember(pool_reduction, whole, [name], **how)
        return _first(pools.tau, *pools.band())
    names = list(dict.fromkeys((name, values["other"]))) if quantity == "tau" else [name]
    scores = _scores(context, dataset, names)
    if quantity == "tau":
        if len(scores.systems) < 5:
            raise IrvizError("τ and its interval need at least five systems.")
        correlations = context.remember(similarity, scores)
        return _first(correlations.values[:, -1], correlations.low[:, -1], correlations.high[:, -1])
    if quantity == "consistency":
        halves = context.remember(consistency, scores, trials=SPLITS, seed=values["seed"])
        return _first(halves.mean, halves.low, halves.high)
    power = context.remember(discriminative_power, scores, "anova_tukey")
    return 100 * power.results[0].ratio, np.nan, np.nan


def _first(value: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[float, float, float]:
    """The number of the first measure, and the ends of its interval."""
    return value.item(0), low.item(0), high.item(0)


def forest(
    rows: Sequence[CollectionRow],
    unit: str,
    side_texts: Sequence[str] = (),
    side_heading: str = "",
    own: str | None = None,
    suffixes: Sequence[str] = (),
) -> go.Figure:
    """A dot with its interval per collection, the smallest on top, those without a number last.

    Parameters
    ----------
    side_texts, side_heading : by row, a few words to the right of it, its number by default; and their heading
    own : title of the reader's collection, which stands out; by default that of the last row
    suffixes : by row, what follows its title
    """
    titles = [row.title for row in rows]
    side_texts = side_texts or [spell(row.value, 2) if np.isfinite(row.value) else "none" for row in rows]
    order = np.argsort([row.value for row in rows], kind="stable").tolist()  # NaN last
    values, low, high = (np.array([getattr(rows[i], part) for i in order]) for part in ("value", "low", "high"))
    is_own = np.array([titles[i] == (own or titles[-1]) for i in order])
    dots = scatter(
        x=np.round(values, 5),
        y=np.arange(len(rows)),
        mode="markers",
        marker={"color": np.where(is_own, BLUE, GREY).tolist(), "size": np.where(is_own, 13, 9).tolist(), "opacity": 1},
        error_x=whiskers(values, low, high, color=GREY, thickness=2, width=0),
        customdata=[plotly_escape(f"{titles[i]}: {rows[i].why or spell(rows[i].value, 3)}") for i in order],
        hovertemplate="%{customdata}<extra></extra>",
        showlegend=False,
    )
    fig = figure([dots], row_height(len(rows), least=260, each=32))
    fig.update_xaxes(title_text=plotly_escape(unit), range=padded_range(np.concatenate([values, low, high])))
    name_rows(fig, [(place, plotly_escape(side_texts[i])) for place, i in enumerate(order)])
    if side_heading:
        fig.add_annotation(
            **note(side_heading, 1, 1, xref="paper", **ABOVE_PLOT, xanchor="left", xshift=8, align="left")
        )
        fig.update_layout(margin={"t": 36, "r": max(fig.layout.margin.r, 68)})
    row_names(fig, [titles[i] for i in order], np.flatnonzero(is_own).tolist())
    ends = suffixes or [""] * len(rows)
    full = [short(titles[i], 2 * _LINE - 3 * len(ends[i])) + ends[i] for i in order]  # names are long
    lines = ["<br>".join(escape_names(wrap(text, _LINE))) for text in full]
    for place in np.flatnonzero(is_own).tolist():
        lines[place] = standing_out(lines[place])
    return fig.update_yaxes(ticktext=lines, title_text="")


def _forest_sentence(own: CollectionRow, others: Sequence[float], what: str, sign: str) -> str:
    """The reader's number beside those of the others."""
    if not np.isfinite(own.value):
        return f"{own.title} has no number here. {own.why}"
    start = f"On {own.title} the {what} is {spell(own.value, 2)}{sign}"
    if not others:
        return f"{start}; no other collection has a number."
    below = sum(value < own.value for value in others)
    span = f"{spell(min(others), 2)} to {spell(max(others), 2)}{sign}"
    return f"{start}, above that of {below} of {len(others)} other collections, which have {span}."


# -- how large a difference to believe -------------------------------------------------------------


def _differences(context: Context, values: Values, data: Sequence[Dataset]) -> Panel:
    """From which difference on few turn, collection by collection, and the reader's pair."""
    name, by_title, missing = values["measure"], {}, []
    size = None if values["size"] == HALF else int(values["size"])
    for opened in data:
        try:
            matrix = _scores(context, opened, [name])[name]
            by_title[opened.title] = context.remember(swaps, matrix.to_numpy(), size, TRIALS, values["seed"])
        except IrvizError as refusal:
            missing.append(f"{opened.title} is left out. {refusal}")
    title, own_scores = context.dataset.title, _scores(context, context.dataset, [name])[name]
    if not by_title:
        raise IrvizError(missing[-1])
    means = dict(zip(own_scores.columns, aggregate(own_scores.to_numpy()), strict=True))
    pair = (values["a"], values["b"])
    difference = abs(float(means[pair[0]] - means[pair[1]]))
    frame = pd.concat(
        [swap_rates.frame().assign(collection=key, topics=swap_rates.topics) for key, swap_rates in by_title.items()]
    )
    frame = frame[frame["pairs"] > 0][["collection", "topics", "low", "high", "pairs", "turned", "share"]]
    sets = "half of the topics" if size is None else f"{size} topics"
    drawing = Drawing(
        swap_rows(by_title, title, difference, f"difference of mean {name} on {sets}"),
        f"How large a difference of {name} must be so that at most {DOT:.0%} are reversed on other topics "
        f"(line: {LINE[0]:.0%} to {LINE[1]:.0%}; after a name: topics)",
    )
    return Panel(
        _swap_sentence(by_title, title, name, pair, difference),
        ({"swaps": drawing},),
        {
            "Differences": Table(
                frame.reset_index(drop=True),
                f"One row per collection and bin of differences on {sets}: pairs of systems, over all splits, and "
                "those that turned.",
            )
        },
        (
            f"{TRIALS} random pairs of disjoint sets of each collection's topics, all pairs of systems, bins of "
            f"{WIDTH:g}, drawn at their lower ends (a dot at 0 is a difference below {WIDTH:g}), of which those with "
            f"fewer than {FEW_PAIRS} pairs are not drawn; "
            "a tie on the second set counts as half a turn (Voorhees & Buckley 2002; Sanderson & Zobel 2005). The "
            "marked difference is over all topics, where it is more certain than over a part of them.",
            *_unreached_notes(by_title),
            *missing,
        ),
    )


def _swap_sentence(
    swaps_by_title: Mapping[str, Swaps], own: str, name: str, pair: tuple[str, str], difference: float
) -> str:
    shares = {title: swap_rates.rate_at(difference)[0] for title, swap_rates in swaps_by_title.items()}
    others = [share for title, share in shares.items() if title != own and np.isfinite(share)]
    start = (
        f"`{pair[0]}` and `{pair[1]}` differ by {difference:.3f} {name}. Differences as large reversed on other topics"
    )
    here = _reversed(swaps_by_title[own], difference) if own in swaps_by_title else "too few topics for this choice"
    ends = dict.fromkeys(map(percent, (min(others), max(others)))) if others else ("too few pairs",)
    return f"{start}: here {here}; on {number_of(len(others), 'other collection')} {' to '.join(ends)}."


def _reversed(swap_rates: Swaps, difference: float) -> str:
    """The share of differences as large that turned, of how many pairs, on how many topics."""
    share, pairs = swap_rates.rate_at(difference)
    what = f"{number_of(pairs, 'pair')}, {number_of(swap_rates.topics, 'topic')}"
    return f"{percent(share)} of {what}" if np.isfinite(share) else f"too few pairs ({what})"


def swap_rows(swaps_by_title: Mapping[str, Swaps], own: str, difference: float, axis: str) -> go.Figure:
    """Per collection, from which difference on few are reversed, a line at the reader's pair, and its share beside."""
    last = WIDTH * (BINS - 1)
    rows, shares = [], []
    for title, swap_rates in swaps_by_title.items():
        low, middle, high = (_least(swap_rates, share) for share in (LINE[0], DOT, LINE[1]))
        first = f"below {WIDTH:g}" if middle == 0 else ""  # in the first bin
        rows.append(CollectionRow(title, middle, low, last if np.isnan(high) else high, first))
        here = swap_rates.rate_at(difference)[0]
        shares.append(percent(here) if np.isfinite(here) else "few")
    sizes = [f", {swap_rates.topics:,}" for swap_rates in swaps_by_title.values()]
    fig = forest(rows, axis, shares, f"reversed<br>at {difference:.3f}", own, sizes)
    if difference <= last:
        fig.add_shape(**line_at(x=difference))
        fig.add_annotation(**note("your pair", difference, 1, **ABOVE_PLOT, xanchor="right"))
    end = round(max(fig.layout.xaxis.range[1], min(difference, last) + WIDTH), 3)
    return fig.update_xaxes(range=[-0.07 * end, end])  # a dot at 0 is whole


def _unreached_notes(swaps_by_title: Mapping[str, Swaps]) -> list[str]:
    """Notes on the collections on which many even of the largest differences turn: no dot, or a line without an end."""
    notes, remaining = [], list(swaps_by_title)
    for share, words in ((DOT, "No dot for"), (LINE[1], "The line goes on for")):
        without = [title for title in remaining if np.isnan(_least(swaps_by_title[title], share))]
        remaining = [title for title in remaining if title not in without]
        if without:
            why = f"even of the largest differences more than {share:.0%} are reversed"
            notes.append(f"{words} {join_words(without, 10, 'and')}: {why}.")
    return notes


def _least(one: Swaps, share: float) -> float:
    """The least edge of a bin from which on at most `share` of the differences turn; NaN if there is none."""
    known = one.pairs >= FEW_PAIRS
    above = np.flatnonzero(known & (one.rate > share))
    after = int(above[-1]) + 1 if above.size else 0
    return float(one.low[after]) if known[after:].any() else np.nan


PAGE = Page(
    name="across",
    title="Across collections",
    question="Is your collection like others, and how large a difference can be believed?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset(),
)
