"""Similarity: which measures rank the systems alike, and which systems change their rank where they do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError
from irviz.explore.aspects import aspects_fold
from irviz.explore.judges import TOP, at_the_top
from irviz.figures.ranking import slope
from irviz.figures.squares import coefficients
from irviz.measures.labels import measure_labels
from irviz.stats.correlation import COEFFICIENTS, movers, shared_ranks
from irviz.stats.similarity import Similarity, overall, similarity
from irviz.workspace.analyses import SIMILARITY, Snippet
from irviz.workspace.context import MOST_HIGHLIGHTED, Context
from irviz.workspace.control import one_measure
from irviz.workspace.facts import Fact, counted, extremes
from irviz.workspace.page import Page, RowByRow, Values
from irviz.workspace.panel import Drawing, Panel, Table, named_rows, square_table
from irviz.workspace.phrases import spell

_NOT_SYMMETRIC = "AP correlation is not symmetric: the row is the reference, the column is judged by it."
_CLICK_A_CELL = "Or click a cell of a heatmap."
CONTROLS = (
    *SIMILARITY.controls,
    one_measure("first", "Compare", 0, _CLICK_A_CELL),
    one_measure("second", "with", 1, _CLICK_A_CELL),
    TOP,
)


@RowByRow
def panel(context: Context, values: Values) -> Iterator[Panel]:
    """Both heatmaps, and the two rankings of one pair."""
    if len(context.measures) < 2:
        raise IrvizError("Similarity compares measures, and only one is chosen. Add another in the sidebar.")
    scores = context.scores()
    coefficient = values["coefficient"]
    total = context.remember(similarity, scores, **SIMILARITY.arguments(context, values))
    topical = context.remember(similarity, scores, by="topic", coefficient=coefficient)
    pair = (scores.index(values["first"]), scores.index(values["second"]))
    name = COEFFICIENTS[coefficient].label
    heatmaps = {
        "overall": _heatmap(total, pair, f"{name} of {context.average} scores"),
        "topic": _heatmap(topical, pair, f"{name} topic by topic, averaged"),
    }
    yield Panel("", (heatmaps,))
    ranks = shared_ranks(context.remember(overall, scores, context.summary, context.eps))
    apart = np.abs(ranks[pair[0]] - ranks[pair[1]])
    names = (context.label(values["first"]), context.label(values["second"]))
    top, top_table = at_the_top(context, ranks[list(pair)].astype(np.float64), names, values["top"])
    yield Panel(
        sentence=f"{len(context.measures)} measures rank {len(context.systems)} systems: mean {name} "
        f"{spell(_mean(total), 2)}.",
        facts=_facts(total, topical, dict(zip(context.systems, apart.tolist(), strict=True))),
        drawings=(heatmaps, {"slope": _slope(context, ranks, pair), "best": top}),
        tables={
            "Overall": Table(
                _pairs(total), "One row per pair of measures; low and high are the ends of the 95% interval."
            ),
            "Topic by topic": Table(
                _pairs(topical),
                "One row per pair of measures: the average, its 95% interval, and the topics that have a coefficient.",
            ),
            "Ranks": Table(
                named_rows(pd.DataFrame(ranks.T, columns=list(scores.measures)), "system", context.systems)
                .iloc[np.argsort(ranks[0], kind="stable")]
                .reset_index(drop=True),
                "One row per system: its rank by each measure; tied systems share their rank.",
                names=scores.measures,
            ),
            "Top": top_table,
        },
        notes=(_NOT_SYMMETRIC,) if coefficient == "tau_ap" else (),
        folds={**aspects_fold(context, values["first"]), "For a paper": partial(_matrices, total, topical)},
    )


def _matrices(total: Similarity, topical: Similarity) -> Panel:
    about = f"{COEFFICIENTS[total.coefficient].label} between measures; rows are the reference of τ_AP."
    both = {"Matrix, overall": total, "Matrix, topic by topic": topical}
    tables = {
        name: Table(square_table(one.measures, one.values), about, digits=2, names=one.measures)
        for name, one in both.items()
    }
    return Panel("Matrices for a paper.", tables=tables)


def _heatmap(result: Similarity, pair: tuple[int, int], title: str) -> Drawing:
    name = COEFFICIENTS[result.coefficient].label
    fig = coefficients(result.measures, result.values, name, result.low, result.high, pair)
    return Drawing(fig, title, picks=("first", "second"))


def _slope(context: Context, ranks: NDArray[np.int64], pair: tuple[int, int]) -> Drawing:
    names = (context.measures[pair[0]], context.measures[pair[1]])
    left, right = ranks[pair[0]], ranks[pair[1]]
    moved = (i for i in movers(ranks[list(pair)]) if context.systems[i] not in context.highlight)
    shown = [*context.highlighted_positions(), *moved][:MOST_HIGHLIGHTED]
    fig = slope(context.systems, left, right, names, shown)
    return Drawing(fig, f"Ranks of the systems by `{context.label(names[0])}` and `{context.label(names[1])}`")


def _upper(values: NDArray[np.float64]) -> list[tuple[int, int]]:
    rows, columns = np.triu_indices(len(values), 1)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if np.isfinite(values[i, j])]


def _facts(total: Similarity, topical: Similarity, ranks: Mapping[str, int]) -> tuple[Fact, ...]:
    unit = COEFFICIENTS[total.coefficient].symbol
    names = measure_labels(total.measures)
    pairs = {" – ".join(names[i] for i in pair): float(total.values[pair]) for pair in _upper(total.values)}
    return (
        *extremes(pairs, ("most alike", "least alike"), unit, digits=2, why="all systems tie"),
        Fact("average, overall", _mean(total), unit=unit, digits=2, why="all systems tie"),
        Fact("average, topic by topic", _mean(topical), unit=unit, digits=2, why="all systems tie on every topic"),
        *extremes(ranks, ("largest change of rank", ""))[:1],
        *counted("measures that tie all systems", total.constant),
        *counted("measures that tie all systems on a topic", topical.sometimes_constant, "Left out of its average."),
    )


def _mean(result: Similarity) -> float:
    known = [result.values[pair] for pair in _upper(result.values)]
    return float(np.mean(known)) if known else np.nan


def _pairs(result: Similarity) -> pd.DataFrame:
    frame = result.frame()
    frame = frame[frame["reference"] != frame["measure"]]
    if result.coefficient != "tau_ap":
        order = {name: i for i, name in enumerate(result.measures)}
        frame = frame[frame["reference"].map(order) < frame["measure"].map(order)]
    if result.by == "overall":
        frame = frame.drop(columns="topics")
    return frame.rename(columns={"value": COEFFICIENTS[result.coefficient].label}).reset_index(drop=True)


PAGE = Page(
    name="similarity",
    title="Similarity",
    question="Which measures rank the systems alike?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "average", "highlights", "baseline", "holes"}),
    snippet=Snippet(SIMILARITY, "Overall"),
)
