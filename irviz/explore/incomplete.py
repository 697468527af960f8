"""Incomplete judgments: which measure still ranks the systems alike when judgments are missing?"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from irviz.errors import number_of, percent, verb
from irviz.figures.pools import pool_curves
from irviz.stats.incompleteness import RATES, REDUCTIONS, PoolReduction, kept_judgments, pool_reduction
from irviz.workspace.context import Context
from irviz.workspace.control import Choice
from irviz.workspace.controls import SEED, repeats
from irviz.workspace.page import Page, Snippet, Values, average_words, eps_argument
from irviz.workspace.panel import Drawing, Panel, Table, named_rows
from irviz.workspace.permissible import average_permissibility
from irviz.workspace.phrases import highest, quote_names, spell, standing
from irviz.workspace.view import View

RATE_STEPS = {
    "paper": ("90, 70, 50, 30, 10 and 5%", RATES),
    "fine": ("every 10%, and 5%", (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)),
    "two": ("50 and 5%", (0.5, 0.05)),
    "small": ("50% down to 1%", (0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)),
}
CONTROLS = (
    Choice(
        name="method",
        label="Sampling of judgments",
        default="stratified",
        options=tuple((name, words) for name, (words, _) in REDUCTIONS.items()),
        help="By grade level: each topic keeps at least one document of every grade and ten that are not relevant. "
        "Of all judged documents: a simple random sample, drawn again if it contains no relevant document.",
    ),
    Choice(
        name="rates",
        label="Share of the judgments kept",
        default="paper",
        options=tuple((key, words) for key, (words, _) in RATE_STEPS.items()),
        help="Within one repeat, every smaller pool is a subset of the larger ones.",
    ),
    repeats(5),
    SEED,
)


def panel(context: Context, values: Values) -> Panel:
    """Self-τ of every measure against the share of the pool."""
    settings = {name: values[name] for name in ("method", "repeats", "seed")} | {
        "rates": RATE_STEPS[values["rates"]][1]
    }
    # one worker: the pieces are so small that several would wait for each other; the draws are those of all measures
    memory = {"_draw": partial(context.remember, kept_judgments), "_full": lambda _, measures: context.scores(measures)}
    reduction = context.remember_by_measure(
        pool_reduction, context.collection, **settings, summary=context.summary, eps=context.eps, workers=1, **memory
    )
    if (reduction.judged == reduction.full).all():
        return _nothing_to_remove(context, reduction)
    curves = pool_curves(
        reduction.measures, reduction.kept, reduction.tau, *reduction.band(), reduction.repeats.shape[-1]
    )
    title = f"Agreement with the full pool's ranking, {number_of(values['repeats'], 'repeat')}"
    scales = average_permissibility(context)
    at_one_size = len(reduction.rates) > 1 and bool((reduction.judged == reduction.judged[0]).all())
    return Panel(
        sentence=_sentence(context, reduction),
        drawings=() if at_one_size else ({"pools": Drawing(curves, title)},),
        tables={
            "Measures": Table(
                _measure_table(reduction),
                "One row per measure: mean τ over the repeats at each share of the pool that was kept.",
            ),
            "Repeats": Table(
                reduction.frame(),
                "One row per measure, share asked for and repeat, with the number of judgments left.",
            ),
            "Scales": scales.table(),
        },
        notes=(*([_AT_ONE_SIZE] if at_one_size else []), scales.note, *_notes(reduction, at_one_size)),
        ways=_fewer_topics(context) if at_one_size else (),
    )


_AT_ONE_SIZE = (
    "Every share leaves the same number of judgments: topics have so few that no more can be removed, and a curve "
    "would be one point. Consistency looks at fewer topics instead."
)


def _fewer_topics(context: Context) -> tuple[tuple[str, View], ...]:
    return (("See the rankings under fewer topics", View.from_texts("consistency", **context.texts)),)


def _nothing_to_remove(context: Context, pools: PoolReduction) -> Panel:
    """Say so, and lead to fewer topics instead."""
    topics = len(context.topics)
    rule = (
        "every topic keeps one document of each grade and ten that are not relevant"
        if pools.method == "stratified"
        else "every topic keeps at least one document"
    )
    sentence = (
        f"No judgment can be removed here: {rule}, and there are {pools.full:,} judgments of "
        f"{number_of(topics, 'topic')} in all."
    )
    if topics < 2:
        return Panel(sentence=sentence)
    return Panel(
        sentence=f"{sentence} Fewer topics can be looked at instead: Consistency ranks the systems on halves of them.",
        ways=_fewer_topics(context),
    )


def _sentence(context: Context, pools: PoolReduction) -> str:
    """The measures that keep their ranking best and worst at the smallest pool, and in how many repeats."""
    smallest = int(np.argmin(pools.rates))
    values = dict(zip(pools.measures, pools.tau[:, smallest].tolist(), strict=True))
    words = (f"the ranking of the {len(context.systems)} systems best", "worst", "their rankings equally well")
    clause = standing(values, ("keeps", "keep"), words, lambda value: f"τ {spell(value, 2)}", "keeps its ranking with")
    if not clause:
        return "No measure ranks the systems under the smallest pool: each ties them all."
    kept_share, asked_share = percent(pools.kept[smallest]), percent(pools.rates[smallest])
    judged = f"about {pools.judged[smallest].mean():,.0f} of {pools.full:,}"
    judged += f", where {asked_share} were asked for" if kept_share != asked_share else ""
    top, ahead = highest(values), ""
    if len(top) == 1 and (rest := highest({name: value for name, value in values.items() if name not in top})):
        first, second = (pools.repeats[pools.measures.index(name), smallest] for name in (top[0], rest[0]))
        won = f"{int((first > second).sum())} of {number_of(len(first), 'repeat')}"
        ahead = f"; `{top[0]}` is ahead of `{rest[0]}` in {won}"
    return f"With {kept_share} of the judgments kept ({judged}), {clause}{ahead}."


def _notes(pools: PoolReduction, at_one_size: bool) -> tuple[str, ...]:
    notes = [
        "Each measure is compared with its own ranking under all judgments, which need not be the right one. A "
        "document that is removed from the pool counts as unjudged, by every measure's own rule."
    ]
    least = int(pools.judged[int(np.argmin(pools.rates))].min())
    if not at_one_size and pools.method == "stratified" and least > 1.5 * min(pools.rates) * pools.full:
        notes.append(
            f"At least one document of every grade and ten that are not relevant stay in each topic, so the smallest "
            f"pool still has {percent(least / pools.full)} of the judgments, not {percent(min(pools.rates))}."
        )
    undefined = [name for name, row in zip(pools.measures, pools.repeats, strict=True) if not np.isfinite(row).all()]
    if undefined:
        notes.append(
            f"{quote_names(undefined)} {verb(len(undefined), 'ties', 'tie')} all systems under some pools; such pools "
            "are left out of the mean."
        )
    return tuple(notes)


def _measure_table(pools: PoolReduction) -> pd.DataFrame:
    order = np.argsort(-np.asarray(pools.rates), kind="stable")
    shares = [percent(share) for share in pools.kept[order]]
    last = {share: i for i, share in enumerate(shares)}  # rates that keep as much are one column: the smallest
    frame = pd.DataFrame(pools.tau[:, order[list(last.values())]], columns=list(last))
    frame = named_rows(frame, "measure", pools.measures)
    return frame.sort_values(frame.columns[-1], ascending=False, kind="stable", ignore_index=True)


# -- the same without the page ------------------------------------------------------------


def _python(context: Context, values: Values) -> list[str]:
    rates = tuple(RATE_STEPS[values["rates"]][1])
    chosen = f"method={values['method']!r}, repeats={values['repeats']}, seed={values['seed']}"
    average = f"summary={context.summary!r}{eps_argument(context)}"
    measures = repr(list(context.measures))
    return [f"table = irviz.pool_reduction(c, {measures}, rates={rates!r}, {chosen}, {average}).frame()"]


def _command(context: Context, values: Values) -> list[str]:
    rates = ",".join(repr(float(rate)) for rate in RATE_STEPS[values["rates"]][1])
    words = ["pool-reduction", "--measures", ",".join(context.measures), "--rates", rates]
    words += ["--method", values["method"], "--repeats", str(values["repeats"]), "--seed", str(values["seed"])]
    return [*words, *average_words(context)]


PAGE = Page(
    name="incomplete",
    title="Incomplete judgments",
    question="Which measure still ranks the systems alike when judgments are missing?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "average", "baseline", "lists"}),
    snippet=Snippet(table="Repeats", python=_python, command=_command, uses_scores=False),
)
