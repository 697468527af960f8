"""Incomplete judgments: which measure still ranks the systems alike when judgments are missing?"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from irviz.errors import percent
from irviz.figures.pools import pool_curves
from irviz.figures.ranking import bump_chart
from irviz.stats.correlation import movers
from irviz.stats.incompleteness import RATES, PoolReduction, kept_judgments, pool_reduction
from irviz.workspace.analyses import POOL_REDUCTION, Snippet
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, one_measure
from irviz.workspace.facts import Fact, counted, extremes
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table, named_rows
from irviz.workspace.permissible import average_permissibility
from irviz.workspace.phrases import highest, spell
from irviz.workspace.view import View

RATE_STEPS = {
    "paper": ("90, 70, 50, 30, 10 and 5%", RATES),
    "fine": ("every 10%, and 5%", (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)),
    "two": ("50 and 5%", (0.5, 0.05)),
    "small": ("50% down to 1%", (0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)),
}
CONTROLS = (
    one_measure("measure", "Measure"),
    *POOL_REDUCTION.controls,
    Choice(
        name="rates",
        label="Share of the judgments kept",
        default="paper",
        options=tuple((key, words) for key, (words, _) in RATE_STEPS.items()),
        help="Within one repeat, every smaller pool is a subset of the larger ones.",
    ),
)


def _rates(context: Context, values: Values) -> dict[str, tuple[float, ...]]:
    return {"rates": RATE_STEPS[values["rates"]][1]}


def panel(context: Context, values: Values) -> Panel:
    """Self-τ of every measure against the share of the pool."""
    how = POOL_REDUCTION.arguments(context, values) | _rates(context, values)
    # one worker: the pieces are so small that several would wait for each other; the draws are those of all measures
    memory = {"_draw": partial(context.remember, kept_judgments), "_full": lambda _, measures: context.scores(measures)}
    reduction = context.remember_by_measure(pool_reduction, context.collection, **how, workers=1, **memory)
    ways = (("See the rankings under fewer topics", View.from_texts("consistency", **context.texts)),)
    if (reduction.judged == reduction.full).all():
        facts = (Fact("judgments", reduction.full), Fact("topics", len(context.topics)))
        return Panel("No judgment can be removed here.", facts=facts, notes=(KEPT[reduction.method],), ways=ways)
    curves = pool_curves(
        reduction.measures, reduction.kept, reduction.tau, *reduction.band(), reduction.repeats.shape[-1]
    )
    title = f"Agreement with the full pool's ranking, mean of repeats: {values['repeats']}"
    m, scales = reduction.measures.index(values["measure"]), average_permissibility(context)
    least = reduction.tau[m, int(np.argmin(reduction.rates))]
    at_one_size = len(reduction.rates) > 1 and bool((reduction.judged == reduction.judged[0]).all())
    return Panel(
        sentence=f"τ of `{context.label(values['measure'])}` with the full pool: {spell(least, 2)} with "
        f"{percent(reduction.kept.min())} of the judgments.",
        facts=_facts(context, reduction),
        drawings=() if at_one_size else ({"pools": Drawing(curves, title)}, {"ranks": _ranks(context, reduction, m)}),
        tables={
            "Measures": Table(
                _measure_table(reduction),
                "One row per measure: mean τ by share of the pool kept.",
            ),
            "Repeats": Table(reduction.frame(), "One row per measure, share and repeat: τ, and the judgments left."),
            "Scales": scales.table(),
        },
        notes=(*([_AT_ONE_SIZE] if at_one_size else []), scales.note, _OWN_RANKING, KEPT[reduction.method]),
        ways=ways if at_one_size else (),
    )


def _ranks(context: Context, pools: PoolReduction, m: int) -> Drawing:
    """Mean ranks under smaller and smaller pools; the selected systems stand out, or those that move most."""
    order = np.argsort(-pools.kept, kind="stable")
    ranks = pools.ranks[m, order].round(1)
    shown = context.highlighted_positions() or movers(ranks)
    fig = bump_chart(list(map(percent, pools.kept[order])), context.systems, ranks, shown)
    return Drawing(fig, f"Mean ranks by {context.label(pools.measures[m])} under smaller pools")


_AT_ONE_SIZE = "Every share leaves the same number of judgments, so there is no curve to draw."
_OWN_RANKING = (
    "Each measure is compared with its own ranking under all judgments, which need not be the right one. A removed "
    "document counts as unjudged, by every measure's own rule."
)
#: method → what every topic keeps
KEPT = {
    "stratified": "Every topic keeps at least one document of each grade and ten that are not relevant.",
    "uniform": "Every topic keeps at least one judged document.",
}


def _facts(context: Context, pools: PoolReduction) -> tuple[Fact, ...]:
    """Measures that keep their ranking best and worst at the smallest pool, and how large it is."""
    smallest = int(np.argmin(pools.rates))
    values = dict(zip(pools.measures, pools.tau[:, smallest].tolist(), strict=True))
    judged = Fact("judgments in the smallest pool, about", round(pools.judged[smallest].mean()), of=pools.full)
    facts = [*extremes(values, ("keeps its ranking best", "worst"), "τ", digits=2, why="all systems tie"), judged]
    top = highest(values)
    rest = highest({name: value for name, value in values.items() if name not in top})
    if len(top) == 1 and rest:
        first, second = (pools.repeats[pools.measures.index(name), smallest] for name in (top[0], rest[0]))
        ahead = int((first > second).sum())
        facts.append(Fact("repeats in which the best is ahead of the next", ahead, (rest[0],), of=len(first)))
    short = [name for name, row in zip(pools.measures, pools.repeats, strict=True) if not np.isfinite(row).all()]
    return (*facts, *counted("tie all systems under some pool", short, "Such pools are left out of the mean."))


def _measure_table(pools: PoolReduction) -> pd.DataFrame:
    order = np.argsort(-np.asarray(pools.rates), kind="stable")
    shares = [percent(share) for share in pools.kept[order]]
    last = {share: i for i, share in enumerate(shares)}  # rates that keep as much are one column: the smallest
    frame = pd.DataFrame(pools.tau[:, order[list(last.values())]], columns=list(last))
    frame = named_rows(frame, "measure", pools.measures)
    return frame.sort_values(frame.columns[-1], ascending=False, kind="stable", ignore_index=True)


PAGE = Page(
    name="incomplete",
    title="Incomplete judgments",
    question="Which measure still ranks the systems alike when judgments are missing?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "average", "highlights", "baseline", "lists"}),
    snippet=Snippet(POOL_REDUCTION, "Repeats", _rates),
)
