"""Incomplete judgments: whose ranking of the systems survives when judgments are missing?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.incompleteness import RATES, PoolReduction, pool_reduction
from irviz.analysis.pools import METHODS
from irviz.figures.pools import pool_curves
from irviz.links.control import Choice
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.permissible import summary_licence
from irviz.workspace.randomness import SEED, repeats
from irviz.workspace.tables import named_rows

TITLE = "Incomplete judgments"
QUESTION = "Whose ranking of the systems survives when judgments are missing?"
STEPS = {
    "paper": ("90, 70, 50, 30, 10 and 5 %", RATES),
    "fine": ("every ten percent, and 5 %", (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05)),
    "small": ("50 % down to 1 %", (0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)),
}
CONTROLS = (
    Choice(
        name="method",
        label="What is kept",
        default="stratified",
        options=tuple((name, method.label) for name, method in METHODS.items()),
        help="By grade: at least one document of every grade and ten that are not relevant stay in each topic. "
        "Of all: a plain sample, drawn again where no relevant document is in it.",
    ),
    Choice(
        name="rates",
        label="Share of the judgments kept",
        default="paper",
        options=tuple((key, words) for key, (words, _) in STEPS.items()),
        help="Within one repeat every smaller pool is part of the larger ones.",
    ),
    repeats(5, 5, "The bands hold the middle 90 % of the repeats."),
    SEED,
)


def panel(context: Context, values: Mapping[str, Any]) -> Panel:
    """Self-τ of every measure against the share of the pool."""
    found = pool_reduction(
        context.collection, context.measures, STEPS[values["rates"]][1], values["method"], values["repeats"],
        values["seed"], context.summary, context.progress, context.eps,
    )  # fmt: skip
    sentence = _sentence(context, found)
    low, high = found.band()
    drawn = pool_curves(found.measures, found.rates, found.tau, low, high)
    alt = f"A curve for every measure, falling as judgments are taken away. {sentence}"
    title = f"Agreement with the full pool's ranking, {_repeats(values['repeats'])}"
    scales = summary_licence(context)
    return Panel(
        sentence=sentence,
        drawings=({"pools": Drawing(drawn, title, alt)},),
        tables={
            "Measures": Table(
                _measure_table(found), "One row a measure: mean τ over the repeats at each share of the pool."
            ),
            "Repeats": Table(found.frame(), "One row a measure, share and repeat, with the number of judgments left."),
            "Scales": scales.table(),
        },
        notes=(scales.note, *_notes(found)),
    )


def _sentence(context: Context, found: PoolReduction) -> str:
    """Who keeps its ranking best at the smallest pool, against whom, and in how many repeats."""
    smallest = int(np.argmin(found.rates))
    tau = found.tau[:, smallest]
    order = [int(i) for i in np.argsort(-np.nan_to_num(tau, nan=-np.inf), kind="stable") if np.isfinite(tau[i])]
    if not order:
        return "No measure ranks the systems under the smallest pool: each ties them all."
    first, last = order[0], order[-1]
    start = (
        f"With {found.rates[smallest]:.0%} of the judgments kept (about {found.judged[smallest].mean():,.0f} of "
        f"{found.full:,}), `{found.measures[first]}` ranks the {len(context.systems)} systems most as before: "
        f"τ {tau[first]:.2f}"
    )
    if len(order) == 1:
        return f"{start}."
    gap, second = tau[first] - tau[order[1]], f"`{found.measures[order[1]]}`"
    ahead = _ahead(found.repeats[first, smallest], found.repeats[order[1], smallest])
    start += f", {gap:.2f} above {second}{ahead}" if gap >= 0.005 else f", level with {second}"
    if len(order) == 2:
        return f"{start}."
    return f"{start}; `{found.measures[last]}` changes most, τ {tau[last]:.2f}."


def _ahead(first: NDArray[np.float64], second: NDArray[np.float64]) -> str:
    """In how many repeats the first is ahead of the second."""
    if len(first) < 2:
        return " in this one repeat"
    return f" and ahead of it in {int((first > second).sum())} of {len(first)} repeats"


def _repeats(number: int) -> str:
    return "one repeat" if number == 1 else f"{number} repeats"


def _notes(found: PoolReduction) -> tuple[str, ...]:
    notes = [
        "The correlation is of a measure with itself: a measure may keep its ranking and still not be the one to want. "
        "A document that is taken out of the pool counts as unjudged, by every measure's own rule."
    ]
    least = int(found.judged[int(np.argmin(found.rates))].min())
    if found.method == "stratified" and least > 1.5 * min(found.rates) * found.full:
        notes.append(
            f"At least one document of every grade and ten that are not relevant stay in each topic, so the smallest "
            f"pool still has {least / found.full:.0%} of the judgments."
        )
    undefined = [name for name, row in zip(found.measures, found.repeats, strict=True) if not np.isfinite(row).all()]
    notes += [f"`{name}` ties all systems under some pools; those are left out of its mean." for name in undefined]
    return tuple(notes)


def _measure_table(found: PoolReduction) -> pd.DataFrame:
    frame = pd.DataFrame(found.tau, columns=[f"{rate:.0%}" for rate in found.rates])
    frame = named_rows(frame, "measure", found.measures)
    return frame.sort_values(frame.columns[-1], ascending=False, kind="stable", ignore_index=True)
