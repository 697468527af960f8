"""Scores: how the systems do by one measure, overall and topic by topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from irviz.figures.axes import SCREEN, fitting_ticks, named_ticks, padded_range, row_names, spaced_places, stand_out
from irviz.figures.ranking import MOST_LINES, other_systems, ranking
from irviz.figures.theme import (
    AREA,
    BLUE,
    DASHES,
    MOST_TOPICS,
    PALETTE,
    SEQUENTIAL,
    VERMILION,
    Floats,
    Trace,
    box,
    escape_names,
    figure,
    full_height,
    heatmap,
    labels,
    plotly_escape,
    scatter,
)
from irviz.measures import measure
from irviz.stats.aggregate import aggregate
from irviz.stats.correlation import shared_ranks
from irviz.stats.groups import units_of
from irviz.stats.intervals import summary_interval
from irviz.stats.scores import Scores
from irviz.stats.significance import Significance, discriminative_power
from irviz.stats.similarity import overall
from irviz.workspace.analyses import SCORES, Snippet
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, one_measure
from irviz.workspace.controls import every_system
from irviz.workspace.facts import Fact, extremes, reversed_on_new_topics
from irviz.workspace.page import Page, RowByRow, Values
from irviz.workspace.panel import LEADERBOARD, Drawing, Panel, Table, named_rows
from irviz.workspace.permissible import scale_note
from irviz.workspace.phrases import spell

# -- The scores of one measure: as colours, systems down and topics across, or their spread over the topics
#
# Of a spread, only quantiles and curves are sent, never the raw scores.

Curve = Callable[[int], tuple[Floats, Floats]]
GROUPS = 100  #: of topics, where there are too many for a column each
_ALL_NAMED = 6  #: systems up to which each is named in an ECDF, unless some are chosen


#: the key of the colours: above, where a phone shows it without scrolling sideways
_KEY = {"orientation": "h", "x": 0, "xanchor": "left", "yref": "container", "y": 1, "yanchor": "top"}
_KEY |= {"lenmode": "pixels", "len": 220, "thickness": 12, "outlinewidth": 0}


def topic_heatmap(
    topics: Sequence[str],
    systems: Sequence[str],
    values: Floats,
    unit: str,
    ends: tuple[float, float],
    highlights: Sequence[int] = (),
) -> go.Figure:
    """Scores (topics × systems) as colours, in the order of the names; `ends` are the scores at the scale's ends."""
    groups, count = len(topics) > MOST_TOPICS, len(topics)
    if groups:
        edges = np.linspace(0, len(topics), GROUPS + 1).astype(np.intp)
        there = np.add.reduceat(~np.isnan(values), edges[:-1], axis=0, dtype=np.float64)
        values = np.add.reduceat(np.nan_to_num(values), edges[:-1], axis=0) / np.where(there, there, np.nan)
        topics = [f"{a + 1:,} to {b:,}" for a, b in pairwise(edges.tolist())]
    names = escape_names(topics)
    height = full_height(len(systems))
    trace = heatmap(
        z=_short(values.T),
        x=names,
        y=escape_names(systems),
        zmin=ends[0],
        zmax=float(np.nanmax(values)) if groups else ends[1],
        colorscale=SEQUENTIAL,
        colorbar={**_KEY, "title": {"text": plotly_escape(unit), "side": "bottom"}},
        hovertemplate=f"system %{{y}}<br>{'topics' if groups else 'topic'} %{{x}}<br>score %{{z:.4f}}<extra></extra>",
    )
    above = scatter(x=names, y=[None] * len(names), xaxis="x2", hoverinfo="skip", showlegend=False)
    fig = figure([trace, above], height)
    axis = {"tickangle": -90, "range": [-0.5, len(topics) - 0.5], **fitting_ticks(topics, 14)}
    if groups:
        quarters = np.linspace(0, 1, 5)
        axis |= {"tickangle": 0, "tickvals": (quarters * GROUPS - 0.5).tolist()}
        axis |= {"ticktext": [f"{max(1, round(share * count)):,}" for share in quarters.tolist()]}
    twice = height > SCREEN  # names at the top, too
    room = 0 if not twice else 20 if groups else 7 * min(14, max(map(len, topics), default=0))
    title = f"topics, easiest first, in {GROUPS} groups of equal size" if groups else "topics, easiest first"
    fig.update_layout(
        xaxis={**axis, "title": {"text": title}},
        xaxis2={**axis, "overlaying": "x", "side": "top", "matches": "x", "visible": twice},
        margin={"t": 66 + room},
    )
    fig.update_yaxes(range=[len(systems) - 0.5, -0.5], **named_ticks(systems, len(systems)))
    stand_out(fig, systems, highlights)
    return fig


def _short(values: Floats) -> NDArray[np.floating]:
    """Numbers as a browser needs them; as they are, where a short form cannot hold them."""
    return values if np.abs(values).max(initial=0.0) > 1e30 else np.round(values.astype(np.float32), 4)


def boxes(
    systems: Sequence[str], values: Floats, axis: str, highlights: Sequence[int] = (), every: bool = True
) -> go.Figure:
    """One box per system, best first: quartiles, whiskers to the 5th and 95th percentile, a diamond at the mean."""
    quantiles = np.round(np.nanquantile(values, [0.05, 0.25, 0.5, 0.75, 0.95], axis=0), 4)
    boxes = box(
        **dict(zip(("lowerfence", "q1", "median", "q3", "upperfence"), quantiles, strict=True)),
        y=np.arange(len(systems)),
        name="5, 25, 50, 75, 95% of the topics",
        orientation="h",
        width=0.62,
        line={"color": BLUE, "width": 1.3},
        fillcolor=AREA,
        hoverinfo="skip",
    )
    mean = np.round(np.nanmean(values, axis=0), 4)
    means = scatter(
        x=mean,
        y=np.arange(len(systems)),
        mode="markers",
        name="mean",
        marker={"symbol": "diamond", "size": 6, "color": VERMILION},
        customdata=[[plotly_escape(name), *five] for name, *five in zip(systems, *quantiles, strict=True)],
        hovertemplate="%{customdata[0]}<br>mean %{x:.4f}, median %{customdata[3]:.4f}<br>half of the topics: "
        "%{customdata[2]:.4f} to %{customdata[4]:.4f}<extra></extra>",
    )
    fig = figure([boxes, means], full_height(len(systems)), margin={"t": 100})
    fig.update_xaxes(title_text=plotly_escape(axis), range=padded_range(np.append(quantiles, mean)), side="top")
    return row_names(fig, systems, highlights, every)


def ecdf(systems: Sequence[str], values: Floats, highlights: Sequence[int], axis: str) -> go.Figure:
    """The share of its topics on which a system scores at most x; the `highlights` systems stand out."""
    topics, known = len(values), (~np.isnan(values)).sum(axis=0)
    sampled = spaced_places(topics, MOST_TOPICS)
    places = ((sampled[:, None] + 1) * known - 1) // topics  # of the first score that makes up the share
    ordered = np.take_along_axis(np.sort(values, axis=0), places, axis=0).round(4)
    share = (sampled + 1) / topics

    def curve(system: int) -> tuple[Floats, Floats]:
        return ordered[:, system], share

    fig = figure(_curves(systems, highlights, curve), 460)
    fig.update_xaxes(title_text=plotly_escape(axis), range=padded_range(values))
    fig.update_yaxes(title_text="share of topics scoring at most this", range=[-0.02, 1.02], tickformat=".0%")
    return fig


def _curves(systems: Sequence[str], highlights: Sequence[int], curve: Curve) -> list[Trace]:
    """One grey trace for all systems together, or the band of nine in ten of many, and one for every marked system."""
    others = [curve(i) for i in range(len(systems)) if i not in set(highlights)]
    if len(others) > MOST_LINES:
        low, high = np.quantile(np.array(others), [0.05, 0.95], axis=0).round(4)
        around = np.concatenate([low, high[:, ::-1]], axis=1)
        traces = other_systems([(around[0], around[1])], {"width": 1})
        traces[0] |= {"name": "nine in ten of the others", "fill": "toself", "fillcolor": "rgba(122,127,133,0.25)"}
    else:
        traces = other_systems(others, {"width": 1, "shape": "hv"})
    hover = "%{x:.4f}: %{y:.2f}<extra>%{fullData.name}</extra>"
    for n, (i, name) in enumerate(zip(highlights, labels([systems[i] for i in highlights], 40), strict=True)):
        x, y = curve(i)
        line = {"color": PALETTE[n % len(PALETTE)], "dash": DASHES[n % len(DASHES)], "width": 2.4, "shape": "hv"}
        traces.append(scatter(x=x, y=y, mode="lines", line=line, name=name, hovertemplate=hover))
    return traces


# --------------------------------------------------------------------------------------------------

_SHOW = {
    "ranking": "Ranking",
    "box": "Boxes",
    "ecdf": "ECDF",
    "heatmap": "Topics × systems",
}
TICKED_SYSTEMS = 4


CONTROLS = (
    one_measure("measure", "Measure"),
    Choice(
        name="show",
        label="Figure",
        few=True,
        default="ranking",
        options=tuple(_SHOW.items()),
        help="Ranking: average over topics with its 95% confidence interval. Boxes and ECDF (the share of topics up "
        "to a score): the distribution of the scores over topics. Topics × systems: every single score.",
    ),
    every_system(lambda values: values["show"] in ("ranking", "box")),
)


@dataclass(frozen=True, eq=False)
class RankedSystems:
    """One measure's scores with the systems from best to worst; tied systems share their rank."""

    systems: tuple[str, ...]
    ranks: NDArray[np.int64]
    values: NDArray[np.float64]
    summary: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    ends: tuple[float, float]  #: the range of the scores, where an interval is cut when it is shown

    @property
    def cut_intervals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Low and high ends within the range of the scores."""
        return np.clip(self.low, *self.ends), np.clip(self.high, *self.ends)

    @property
    def first(self) -> tuple[str, ...]:
        """The systems of rank 1."""
        return self.systems[: int((self.ranks == 1).sum())]


@RowByRow
def panel(context: Context, values: Values) -> Iterator[Panel]:
    """One measure's ranking, distribution or matrix, and the numbers."""
    label = values["measure"]
    scores = context.scores([label])
    ranked_systems = rank_systems(context, scores)
    drawings = ({values["show"]: _draw(context, context.label(label), values, ranked_systems)},)
    yield Panel("", drawings)
    significance = not_separated(context, scores, ranked_systems)
    yield Panel(
        sentence=f"Highest {context.average} `{context.label(label)}`: {spell(ranked_systems.summary[0], 3)}, "
        f"`{Fact('highest', names=ranked_systems.first).who}`.",
        facts=_facts(context, label, ranked_systems, significance),
        drawings=drawings,
        tables={
            "Systems": Table(
                _system_table(context, label, ranked_systems, significance),
                "One row per system, best first; tied systems share their rank."
                + (f" p: randomised Tukey HSD against `{ranked_systems.systems[0]}`." if significance else ""),
            ),
            "All scores": Table(
                named_rows(
                    pd.DataFrame(ranked_systems.values, columns=list(ranked_systems.systems)), "topic", scores.topics
                ),
                f"{label}: one row per topic, one column per system, best first.",
                names=ranked_systems.systems,
            ),
        },
        notes=(
            *scale_note(context, label),
            f"95% intervals: {_INTERVALS[context.summary]}{', by group' * bool(context.units)}, cut at the range of "
            "the scores except in the table. Overlapping intervals are no test: systems share their topics."
            if np.isfinite(ranked_systems.low).any()
            else "No intervals: there are too few topics.",
        ),
        folds={LEADERBOARD: partial(leaderboard, context, label)} if len(context.measures) > 1 else {},
    )


def leaderboard(context: Context, first: str) -> Panel:
    """All systems under all measures, in the order of the `first`: averages, intervals, best and worst rank."""
    scores = context.scores()
    ranks = shared_ranks(context.remember(overall, scores, context.summary, context.eps))
    order = np.argsort(ranks[scores.measures.index(first)], kind="stable")
    columns: dict[str, Any] = {
        "system": [context.systems[i] for i in order],
        "best rank": ranks.min(axis=0)[order],
        "worst rank": ranks.max(axis=0)[order],
    }
    for name, matrix in zip(scores.measures, scores.values, strict=True):
        average = aggregate(matrix, context.summary, context.eps)
        low, high = _intervals(context, scores.topics, matrix)
        columns |= {name: average[order], f"{name} low": low[order], f"{name} high": high[order]}
    spread = dict(zip(context.systems, np.ptp(ranks, axis=0).tolist(), strict=True))
    about = f"One row per system, in the order of {first}: ranks; by measure, {context.average} and 95% interval."
    return Panel(
        f"Ranks of {len(context.systems):,} systems under {len(scores.measures):,} measures.",
        facts=extremes(spread, ("largest change of rank", ""))[:1],
        tables={"Leaderboard": Table(pd.DataFrame(columns), about, names=tuple(columns)[3:])},
        has_open_tables=True,
    )


def rank_systems(context: Context, scores: Scores) -> RankedSystems:
    """Systems sorted by their average of the one measure of `scores`; ties keep the order of their names."""
    matrix = scores.values[0]
    ranks = shared_ranks(context.remember(overall, scores, context.summary, context.eps))[0]
    summary = aggregate(matrix, context.summary, context.eps)
    low, high = _intervals(context, scores.topics, matrix)
    order = np.argsort(ranks, kind="stable")
    names = tuple(context.systems[i] for i in order)
    ends = score_range(context, scores)
    return RankedSystems(names, ranks[order], matrix[:, order], summary[order], low[order], high[order], ends)


def _intervals(context: Context, topics: tuple[str, ...], matrix: Floats) -> tuple[Floats, Floats]:
    """95% intervals of the averages of topics × systems; of whole groups of topics where these are independent."""
    units = None if context.units is None else units_of(context.units, topics)
    return context.remember(summary_interval, matrix, context.summary, context.eps, units=units)


def not_separated(context: Context, scores: Scores, ranked_systems: RankedSystems) -> Significance | None:
    """Randomised Tukey HSD of all systems; None of averages other than the mean, and of one common topic."""
    if context.summary != "mean" or len(ranked_systems.systems) < 2 or len(scores.common_topics) < 2:
        return None
    how = {"groups": context.units}
    return context.remember_by_measure(discriminative_power, scores, "randomised_tukey", **how).results[0]


def score_range(context: Context, scores: Scores) -> tuple[float, float]:
    """The lowest and the highest score that the measure has; of imported scores 0 and 1, where all lie within."""
    collection = context.dataset.collection
    if collection is None:
        inside = np.nanmin(scores.values) >= 0 and np.nanmax(scores.values) <= 1
        return (0.0, 1.0) if inside else (-np.inf, np.inf)
    parsed = measure(scores.measures[0])
    return parsed.score_range(collection.grades[collection.aspect_index(parsed.aspect)])


def _draw(context: Context, label: str, values: Values, ranked_systems: RankedSystems) -> Drawing:
    highlighted = context.highlighted_positions(ranked_systems.systems)
    count = len(ranked_systems.systems)
    spaced = np.linspace(0, count - 1, count if count <= _ALL_NAMED else TICKED_SYSTEMS)
    marked = highlighted or sorted({round(float(place)) for place in spaced})
    ends = min(0.0, float(np.nanmin(ranked_systems.values))), max(1.0, float(np.nanmax(ranked_systems.values)))
    axis = f"{label} on a topic"
    match values["show"]:
        case "ranking":
            most = "up to " * bool(np.isnan(ranked_systems.values).any())
            unit = f"{context.average} of {label} over {most}{len(context.topics):,} topics"
            fig = ranking(
                ranked_systems.systems,
                ranked_systems.summary,
                *ranked_systems.cut_intervals,
                unit,
                ranked_systems.ranks,
                highlighted,
                every=values["every"],
            )
            return Drawing(fig, f"Systems by {context.average} {label}")
        case "box":
            fig = boxes(ranked_systems.systems, ranked_systems.values, axis, highlighted, values["every"])
            return Drawing(fig, f"Distribution of {label} over the topics")
        case "heatmap":
            there = ~np.isnan(ranked_systems.values).all(axis=1)
            order = np.flatnonzero(there)[np.argsort(-np.nanmean(ranked_systems.values[there], axis=1), kind="stable")]
            names, matrix = [context.topics[i] for i in order], ranked_systems.values[order]
            fig = topic_heatmap(names, ranked_systems.systems, matrix, label, ends, highlighted)
            return Drawing(fig, f"{label} of every system, topics across")
        case _:
            fig = ecdf(ranked_systems.systems, ranked_systems.values, marked, axis)
            return Drawing(fig, f"Share of topics on which {label} is at most x")


def _facts(
    context: Context, label: str, ranked_systems: RankedSystems, significance: Significance | None
) -> tuple[Fact, ...]:
    """The best systems, how far they are ahead, and how many the test does not separate from them."""
    first, (low, high), topics = ranked_systems.first, ranked_systems.cut_intervals, len(context.topics)
    rest, best = len(context.systems) - len(first), float(ranked_systems.summary[0])
    facts = [Fact("highest", best, first, low=low[0], high=high[0]), Fact("topics", topics)]
    if (common := int((~np.isnan(ranked_systems.values).any(axis=1)).sum())) < topics:
        facts.append(Fact("topics with a score of every system", common, of=topics))
    if significance is not None:
        level = len(set(significance.not_separated_from(ranked_systems.systems[0])) - set(first))
        why = f"Randomised Tukey HSD, α = {significance.alpha:g}."
        facts.append(Fact("not separated from the best", level, of=rest, why=why))
    if rest:
        lead = best - float(ranked_systems.summary[1])
        facts.append(Fact("ahead of the next by", lead))
        facts += reversed_on_new_topics(label, lead, topics) if context.summary == "mean" and not context.units else ()
    return tuple(facts)


_STUDENTISED = "studentised bootstrap over topics"
_TOO_NARROW = f"{_STUDENTISED} (simulated, up to 15 topics: they hold this average in 50 to 94%, not in 95%)"
#: average → how its intervals are made
_INTERVALS = {
    "mean": "Student's",
    "median": "percentile bootstrap over topics",
    "geometric": _STUDENTISED,
    "harmonic": _TOO_NARROW,
    "geometric_threshold": _TOO_NARROW,
}


def _system_table(
    context: Context, label: str, ranked_systems: RankedSystems, significance: Significance | None
) -> pd.DataFrame:
    against, topics = {}, (~np.isnan(ranked_systems.values)).sum(axis=0)
    if significance is not None:
        places = [significance.systems.index(name) for name in ranked_systems.systems]
        against = {"p": significance.p_values[places[0], places]}
    return pd.DataFrame(
        {
            "rank": ranked_systems.ranks,
            "system": list(ranked_systems.systems),
            f"{context.average} {label}": ranked_systems.summary,
            "low": ranked_systems.low,
            "high": ranked_systems.high,
            **against,
            "median": np.nanmedian(ranked_systems.values, axis=0),
            "lowest": np.nanmin(ranked_systems.values, axis=0),
            "highest": np.nanmax(ranked_systems.values, axis=0),
            **({"topics": topics} if topics.min() < len(ranked_systems.values) else {}),
        }
    )


PAGE = Page(
    name="scores",
    title="Scores",
    question="How well does each system do, and how certain is that?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "average", "highlights", "baseline", "groups", "holes"}),
    snippet=Snippet(SCORES, "Systems", lambda context, values: {"measures": [values["measure"]]}),
)
