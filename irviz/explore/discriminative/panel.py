"""Discriminative power: how many pairs of systems does each measure tell apart, and which?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from irviz.analysis.discrimination import DiscriminativePower, discriminative_power
from irviz.analysis.significance import METHODS, Significance
from irviz.errors import IrvizError
from irviz.explore.discriminative.figures import grouped_ranking
from irviz.figures.asl import asl_curves
from irviz.figures.separation import BOTH, FIRST, SECOND, classified, pair_matrix
from irviz.links.control import Choice, one_measure
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.permissible import licence
from irviz.workspace.randomness import ALPHA, SEED, trials
from irviz.workspace.tables import square_table

TITLE = "Discriminative power"
QUESTION = "How many pairs of systems does each measure tell apart?"


def _draws(values: Mapping[str, Any]) -> bool:
    return METHODS[values["method"]].draws


CONTROLS = (
    Choice(
        name="method",
        label="Test",
        default="randomised_tukey",
        options=tuple((name, method.label) for name, method in METHODS.items()),
        help="Of every pair of systems. All but the bootstrap hold the error rate for the whole family of pairs; the "
        "bootstrap tests each pair by itself, so that more come out. Kruskal-Wallis looks at ranks only and does not "
        "block by topic, so that fewer do.",
    ),
    ALPHA,
    trials(
        2000, 20_000, "Shuffles or resamples of the topics' scores. The smallest p-value is 1/(trials + 1).", _draws
    ),
    one_measure("first", "Pairs and groups by", 0),
    one_measure("second", "compared with", 1),
    SEED,
)


def panel(context: Context, values: Mapping[str, Any]) -> Panel:
    """ASL curves of all measures; one measure's groups; two measures' pairs."""
    method = METHODS[values["method"]]
    power = discriminative_power(
        context.scores(), values["method"], values["trials"], values["alpha"], values["seed"], context.progress
    )
    first, second = (_result(power, values[name]) for name in ("first", "second"))
    sentence = _sentence(power, values["alpha"], method.label)
    matrix = {"matrix": _matrix(first, second, (values["first"], values["second"]))}
    groups = {"groups": _groups(values["first"], first)}
    rows = (matrix | groups,) if values["first"] != values["second"] else (groups,)
    scales = licence(context, f"the test ({method.label})", method.scale)
    return Panel(
        sentence=sentence,
        drawings=({"asl": _asl(power, values["alpha"], sentence)}, *rows),
        tables={
            "Measures": Table(
                power.frame().rename(columns={"ratio": "share"}),
                "One row a measure: pairs of systems with p < α, of all pairs.",
            ),
            "Pairs": Table(
                power.pair_frame().reset_index(), "One row a pair of systems, one column a measure: p-values."
            ),
            "Pairs in common": Table(
                square_table(power.measures, power.agreement()),
                "Pairs that the row and the column both separate; on the diagonal, that the measure separates.",
            ),
            "Groups": Table(
                _group_table(first),
                f"{values['first']}: one row a longest run of the ranking in which no pair is separated.",
            ),
            "Scales": scales.table(),
        },
        notes=(scales.note, *_notes(power, values["method"])),
    )


def _result(power: DiscriminativePower, name: str) -> Significance:
    if name not in power.measures:
        raise IrvizError(f"`{name}` is not among the measures of the sidebar. Choose one of them.")
    return power.results[power.measures.index(name)]


def _asl(power: DiscriminativePower, alpha: float, sentence: str) -> Drawing:
    order = np.argsort(-power.separated.sum(axis=1), kind="stable")
    drawn = asl_curves([power.measures[i] for i in order], power.asl[order], alpha)
    alt = "A falling curve of p-values for every measure; the further left it crosses α, the more pairs are separated."
    return Drawing(drawn, "Achieved significance levels", f"{alt} {sentence}")


def _matrix(first: Significance, second: Significance, names: tuple[str, str]) -> Drawing:
    order = first.ranking
    a, b = (result.separated[np.ix_(order, order)] for result in (first, second))
    kinds = classified(a, b)
    counts = {kind: int((kinds == kind).sum()) for kind in (BOTH, FIRST, SECOND)}
    alt = (
        f"Half a square of systems, best by {names[0]} first. Both measures separate {counts[BOTH]:,} pairs, only "
        f"{names[0]} {counts[FIRST]:,}, only {names[1]} {counts[SECOND]:,}."
    )
    systems = [first.systems[i] for i in order]
    return Drawing(pair_matrix(systems, a, b, names), "Which pairs are separated by which measure", alt)


def _groups(name: str, result: Significance) -> Drawing:
    order = result.ranking
    systems = [result.systems[i] for i in order]
    place = {system: i for i, system in enumerate(systems)}
    runs = [(place[group[0]], place[group[-1]]) for group in result.groups]
    centre = "mean rank by" if result.method == "kruskal_tukey" else "mean"
    top = len(result.groups[0])
    alone = "is separated from all others" if top == 1 else f"is in one group with the next {top - 1}"
    alt = f"Systems by {centre} {name}, with bars beside those not told apart. `{systems[0]}` leads and {alone}."
    drawn = grouped_ranking(systems, result.centres[order], runs, f"{centre} {name}")
    return Drawing(drawn, f"Systems that {name} cannot tell apart", alt)


def _sentence(power: DiscriminativePower, alpha: float, test: str) -> str:
    frame = power.frame()
    best, worst = frame.iloc[0], frame.iloc[-1]
    start = (
        f"By {test} at α = {alpha:g}, `{best.measure}` tells most systems apart: {best.significant:,} of "
        f"{best.pairs:,} pairs ({best.ratio:.1%})"
    )
    if not best.significant:
        return f"By {test} at α = {alpha:g}, no measure tells any of the {best.pairs:,} pairs of systems apart."
    if len(frame) == 1:
        return f"{start}."
    if best.significant == worst.significant:
        return f"{start}, as does every other measure."
    second = frame.iloc[1]
    more = best.significant - second.significant
    lead = f"{more} more than `{second.measure}`" if more else f"as many as `{second.measure}`"
    return f"{start}, {lead}; `{worst.measure}` tells fewest apart, {worst.significant:,} ({worst.ratio:.1%})."


def _notes(power: DiscriminativePower, method: str) -> tuple[str, ...]:
    notes = ["Telling many pairs apart is no proof that they are told apart rightly."]
    if not METHODS[method].familywise:
        expected = power.results[0].alpha * power.results[0].pairs
        notes.append(
            f"Each pair is tested by itself: even if no two systems differed, about {expected:,.0f} of the "
            f"{power.results[0].pairs:,} pairs would come out as significant."
        )
    if method == "kruskal_tukey":
        notes.append(
            "Kruskal-Wallis ranks all scores together, so that the topics' differing difficulty blurs the systems."
        )
    return tuple(notes)


def _group_table(result: Significance) -> pd.DataFrame:
    rows = [
        {"group": n, "systems": len(group), "best": group[0], "worst": group[-1], "members": ", ".join(group)}
        for n, group in enumerate(result.groups, start=1)
    ]
    return pd.DataFrame(rows)
