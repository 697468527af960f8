"""Consistency: which measure ranks the systems most alike on two halves of the topics?"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import number_of, verb
from irviz.figures.densities import ridges
from irviz.multiverse.power import few_topics
from irviz.stats.consistency import (
    SPLITS,
    TUKEY_TRIALS,
    Consistency,
    across_measures,
    halves_correlated,
    topics_resampled,
)
from irviz.stats.correlation import COEFFICIENTS
from irviz.workspace.context import Context
from irviz.workspace.control import Choice
from irviz.workspace.controls import ALPHA, COEFFICIENT, SEED, trials
from irviz.workspace.page import Page, Snippet, Values, average_words, eps_argument
from irviz.workspace.panel import Drawing, Panel, Table, square_table
from irviz.workspace.permissible import average_permissibility
from irviz.workspace.phrases import TOLERANCE, quote_names, spell

CONTROLS = (
    Choice(
        name="split",
        label="Split of the topics",
        default="random",
        options=tuple((name, split.label) for name, split in SPLITS.items()),
        help="The two parts share no topic. Every trial draws new random halves, the same for all measures. The other "
        "splits are fixed: a topic is hard if its best score is many standard deviations above its mean score.",
    ),
    COEFFICIENT,
    trials(1000, 20_000, shown_if=lambda values: values["split"] == "random"),
    ALPHA,
    SEED,
)


def panel(context: Context, values: Values) -> Panel:
    """Densities of the coefficient over the trials."""
    alpha = values["alpha"]
    settings = (values["trials"], values["split"], context.summary, context.eps, values["coefficient"], values["seed"])
    halves = context.remember_by_measure(halves_correlated, context.scores(), *settings, workers=-1)
    resampled = context.remember_by_measure(topics_resampled, context.scores(), *settings[1:], workers=-1)
    result = context.remember(across_measures, halves, workers=-1, resamples=resampled)
    order = np.argsort(-np.nan_to_num(result.mean, nan=-np.inf), kind="stable")
    names = [result.measures[i] for i in order]
    p_values = result.p_values[np.ix_(order, order)]
    scales = average_permissibility(context)
    return Panel(
        sentence=_sentence(context, result, order, alpha),
        drawings=({"densities": _densities(result, order, alpha)},),
        tables={
            "Measures": Table(
                result.frame(alpha),
                f"One row per measure, most consistent first: mean {COEFFICIENTS[result.coefficient].label} with its "
                f"95% interval over resampled topics, trials in which it is defined, and how many other measures it "
                f"is better than on these splits at α = {alpha:g}.",
            ),
            "p-values": Table(
                square_table(names, p_values),
                f"Randomised Tukey HSD over {number_of(result.splits, 'different split')}, {TUKEY_TRIALS:,} "
                f"shuffles: p-values of all pairs of measures, corrected for all pairs of the {len(order)} measures "
                "of the sidebar.",
                names=result.measures,
            ),
            "Trials": Table(
                pd.DataFrame(result.trials[order].T, columns=names),
                "One row per trial, one column per measure; the same row is the same split of the topics.",
                names=result.measures,
            ),
            "Scales": scales.table(),
        },
        notes=(scales.note, *_notes(context, result)),
    )


def _densities(result: Consistency, order: np.ndarray, alpha: float) -> Drawing:
    many, won = result.splits > 1, result.beats(alpha)
    unit = COEFFICIENTS[result.coefficient].label
    bars = ", with 95% intervals over resampled topics" if np.isfinite(result.low).any() else ""
    fig = ridges(
        [result.measures[i] for i in order],
        [result.trials[i] for i in order],
        [_end_label(result.trials[i], result.mean[i], int(won[i]) if many else None) for i in order],
        f"{unit} between the rankings of the two parts",
        limits=(result.low[order], result.high[order]),
        captions=(_splits_words(result), "mean, 95% interval" if bars else "mean") if many else None,
    )
    better = f"; better: p < {alpha:g}" if many and len(result.measures) > 1 else ""
    return Drawing(fig, f"{unit} {'over ' + _splits_words(result) if many else 'of one split'}{bars}{better}")


def _splits_words(result: Consistency) -> str:
    """How many different splits there are: few topics have fewer than trials."""
    trials = result.trials.shape[1]
    return f"{trials:,} splits" if result.splits == trials else number_of(result.splits, "different split")


def _end_label(trials: NDArray[np.float64], mean: float, won: int | None) -> str:
    if not np.isfinite(mean):
        return "undefined"
    always = " in every one" if won is not None and np.ptp(trials[np.isfinite(trials)]) == 0 else ""
    others = "" if won is None else f"{always}, better\nthan {number_of(won, 'other') if won else 'none'}"
    return f"{mean:.3f}{others}".replace("-", "−")


def _sentence(context: Context, result: Consistency, order: np.ndarray, alpha: float) -> str:
    """The most consistent measure, its lead, and whether that is more than chance."""
    defined = [int(i) for i in order if np.isfinite(result.mean[i])]
    if not defined:
        return "No measure ranks the systems on both parts of the topics: each ties them all on one of the parts."
    unit, parts = COEFFICIENTS[result.coefficient].label, SPLITS[result.split].label
    first = defined[0]
    value = f"{unit} {spell(result.mean[first], 3)}"
    value = f"mean {value} over {_splits_words(result)}" if result.splits > 1 else value
    value += _interval_words(result, first)
    where = f"With {len(context.systems)} systems and {len(context.topics):,} topics, {parts}, "
    if len(defined) == 1:
        only = "" if len(result.measures) == 1 else "only "
        return f"{where}{only}`{result.measures[first]}` ranks the systems on both parts: {value}."
    level = [result.measures[i] for i in defined if result.mean[first] - result.mean[i] <= TOLERANCE]
    if len(level) > 1:
        who = f"{quote_names(level)} are the most" if len(level) < len(result.measures) else "all measures are equally"
        return f"{where}{who} consistent: {value}."
    gap = result.mean[first] - result.mean[defined[1]]
    above = f"{gap:.3f} above" if gap >= 0.0005 else "less than 0.001 above"
    start = (
        f"{where}`{result.measures[first]}` is the most consistent: {value}, {above} `{result.measures[defined[1]]}`"
    )
    if result.splits == 1:
        return f"{start}. One split cannot separate measures; it shows a tendency.{_lead_words(result, defined)}"
    return f"{start}{_separated_words(result, defined, alpha)}{_lead_words(result, defined)}"


def _interval_words(result: Consistency, measure: int) -> str:
    low, high = result.low[measure], result.high[measure]
    if not high - low < 2:  # none, or all that a coefficient can be
        return ""
    return f" (95% interval over resampled topics {spell(low, 2)} to {spell(high, 2)})"


def _lead_words(result: Consistency, defined_measures: list[int]) -> str:
    """Compare the first two measures on other topics than these, by resampling, in a sentence."""
    low, high = (limit[defined_measures[0], defined_measures[1]] for limit in (result.lead_low, result.lead_high))
    if not np.isfinite(low):
        return " There are too few topics to say what other topics would show."
    if low <= 0:
        ends = f"{spell(low, 2)} to {spell(high, 2)}"
        return f" On other topics it need not lead: the 95% interval of its lead over resampled topics is {ends}."
    return f" Over resampled topics, too, it leads: by {spell(low, 3)} to {spell(high, 3)} (95% interval)."


def _separated_words(result: Consistency, defined_measures: list[int], alpha: float) -> str:
    """From which of the other measures the test separates the first one."""
    first, *others = defined_measures
    even = [result.measures[i] for i in others if not result.p_values[first, i] < alpha]
    if not even:
        which = "it" if len(others) == 1 else "every other measure"
        return f"; on these splits of these topics the test separates it from {which} (p < {alpha:g})."
    if len(even) == len(others):
        return f"; on these splits the test separates it from none of the others (p < {alpha:g})."
    than = f"{len(others) - len(even)} of the other {len(others)}"
    return f". On these splits it is better than {than}, and not separated from {quote_names(even)}."


def _notes(context: Context, result: Consistency) -> tuple[str, ...]:
    notes = []
    if result.splits > 1:
        notes.append(
            "The test compares measures over the different splits of these topics; its p-values are corrected for all "
            "pairs of the measures of the sidebar, so they change with the choice of measures. More splits separate "
            "smaller differences, but the topics and systems stay the same: a separated difference holds for these "
            "splits, not for new topics. The intervals are for new topics (bootstrap of the topics)."
        )
    short = [
        name for name, count in zip(result.measures, result.defined, strict=True) if count < result.trials.shape[1]
    ]
    if short:
        notes.append(
            f"In some trials {quote_names(short)} tied all systems on a part of the topics; such trials are left out "
            "of the mean."
            if result.trials.shape[1] > 1
            else f"{quote_names(short)} {verb(len(short), 'ties', 'tie')} all systems on a part of the topics."
        )
    notes += few_topics(len(context.topics))
    return tuple(notes)


# -- the same without the page ------------------------------------------------------------


def _python(context: Context, values: Values) -> list[str]:
    chosen = f"trials={values['trials']}, split={values['split']!r}, summary={context.summary!r}{eps_argument(context)}"
    coefficient_and_seed = f"coefficient={values['coefficient']!r}, seed={values['seed']}"
    return [f"table = irviz.consistency(s, {chosen}, {coefficient_and_seed}).frame({values['alpha']!r})"]


def _command(context: Context, values: Values) -> list[str]:
    words = ["consistency", "--measures", ",".join(context.measures), "--trials", str(values["trials"])]
    words += ["--split", values["split"], *average_words(context), "--coefficient", values["coefficient"]]
    return [*words, "--seed", str(values["seed"]), "--alpha", repr(values["alpha"])]


PAGE = Page(
    name="consistency",
    title="Consistency",
    question="Which measure ranks the systems alike on different topics?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"measures", "average", "baseline"}),
    snippet=Snippet(table="Measures", python=_python, command=_command),
)
