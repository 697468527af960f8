"""Consistency: which measure ranks the systems most alike on two halves of the topics?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.figures.densities import ridges
from irviz.stats.consistency import (
    SPLITS,
    TUKEY_TRIALS,
    Consistency,
    across_measures,
    halves_correlated,
    topics_resampled,
)
from irviz.stats.correlation import COEFFICIENTS
from irviz.workspace.analyses import CONSISTENCY, Snippet
from irviz.workspace.context import Context
from irviz.workspace.facts import Fact, counted, extremes
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table, square_table
from irviz.workspace.permissible import average_permissibility
from irviz.workspace.phrases import spell


def panel(context: Context, values: Values) -> Panel:
    """Densities of the coefficient over the trials."""
    alpha = values["alpha"]
    how = CONSISTENCY.arguments(context, values)
    halves = context.remember_by_measure(halves_correlated, context.scores(), **how, workers=-1)
    how.pop("trials")
    resampled = context.remember_by_measure(topics_resampled, context.scores(), **how, workers=-1)
    result = context.remember(across_measures, halves, workers=-1, resamples=resampled)
    order = np.argsort(-np.nan_to_num(result.mean, nan=-np.inf), kind="stable")
    names = [result.measures[i] for i in order]
    p_values = result.p_values[np.ix_(order, order)]
    scales = average_permissibility(context)
    top = float(result.mean[order[0]])
    return Panel(
        sentence=f"{SPLITS[result.split].label.capitalize()}: the rankings by `{context.label(names[0])}` agree with "
        f"{COEFFICIENTS[result.coefficient].symbol} {spell(top, 3)}.",
        facts=_facts(result, order, alpha),
        drawings=({"densities": densities(result, order, alpha)},),
        tables={
            "Measures": Table(
                result.frame(alpha),
                f"One row per measure: mean, 95% interval, trials with a number, measures beaten at α = {alpha:g}.",
            ),
            "p-values": Table(
                square_table(names, p_values),
                f"Randomised Tukey HSD ({result.splits:,} splits, {TUKEY_TRIALS:,} shuffles), corrected for all pairs.",
                names=result.measures,
            ),
            "Trials": Table(
                pd.DataFrame(result.trials[order].T, columns=names),
                "One row per trial, one column per measure; the same row is the same split of the topics.",
                names=result.measures,
            ),
            "Scales": scales.table(),
        },
        notes=(scales.note,),
    )


def densities(result: Consistency, order: np.ndarray, alpha: float) -> Drawing:
    many, won = result.splits > 1, result.beats(alpha)
    unit = COEFFICIENTS[result.coefficient].label
    better = [f", better\nthan {count}" if many else "" for count in won]
    fig = ridges(
        [result.measures[i] for i in order],
        [result.trials[i] for i in order],
        [f"{spell(result.mean[i], 3)}{better[i]}" for i in order],
        f"{unit} between the rankings of the two parts",
        limits=(result.low[order], result.high[order]),
        captions=(f"{result.splits:,} splits", "mean, 95% interval") if many else None,
    )
    title = f"{unit} of the two rankings by split; 95% intervals over resampled topics; better: p < {alpha:g}"
    return Drawing(fig, title)


_ABOUT_TEST = "By splits of these topics, corrected for all pairs of measures; the intervals are for new topics."


def _facts(result: Consistency, order: NDArray[np.intp], alpha: float) -> tuple[Fact, ...]:
    """The most and least consistent measures, the lead of the first on other topics, and which are not separated."""
    unit = COEFFICIENTS[result.coefficient].symbol
    means = dict(zip(result.measures, result.mean.tolist(), strict=True))
    facts = [*extremes(means, ("most consistent", "least"), unit, why="each measure ties all systems on a part")]
    defined = [int(i) for i in order if np.isfinite(result.mean[i])]
    if defined:
        first = defined[0]
        facts[0] = replace(facts[0], low=float(result.low[first]), high=float(result.high[first]))
    if len(defined) > 1 and len(facts[0].names) == 1:
        first, second = defined[:2]
        lead = float(result.mean[first] - result.mean[second])
        low, high = (float(ends[first, second]) for ends in (result.lead_low, result.lead_high))
        why = "The interval is over resampled topics; none with too few of them."
        facts.append(Fact("ahead of the next by", lead, (result.measures[second],), unit, low, high, why=why))
    if len(defined) > 1 and result.splits > 1:
        even = [result.measures[i] for i in defined[1:] if not result.p_values[defined[0], i] < alpha]
        facts.append(Fact("not separated from the first", len(even), tuple(even), of=len(defined) - 1, why=_ABOUT_TEST))
    facts.append(Fact("splits of the topics", result.splits))
    complete = zip(result.measures, result.defined, strict=True)
    short = [name for name, count in complete if count < result.trials.shape[1]]
    return (*facts, *counted("tie all systems in some split", short, "Such splits are left out."))


PAGE = Page(
    name="consistency",
    title="Consistency",
    question="Which measure ranks the systems alike on different topics?",
    controls=CONSISTENCY.controls,
    panel=panel,
    uses=frozenset({"measures", "average", "baseline"}),
    snippet=Snippet(CONSISTENCY, "Measures"),
)
