"""User models: how a user reads, and what the user carries away, in every combination."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.consistency import defined_mean, halves_correlated
from irviz.analysis.discrimination import discriminative_power
from irviz.analysis.similarity import Similarity, similarity
from irviz.errors import IrvizError
from irviz.explore.user_models.combinations import (
    USUAL_MODELS,
    Combinations,
    combinations,
    pair_frame,
    pairs_of,
    parameter_controls,
)
from irviz.explore.user_models.figures import combination_grid, starred
from irviz.figures.squares import coefficients
from irviz.figures.text import STAR
from irviz.links.control import Choice, Names, Number
from irviz.measures.browsing import BROWSING_MODELS
from irviz.scores import Scores
from irviz.workspace.context import Context
from irviz.workspace.controls import ALPHA, SEED, trials
from irviz.workspace.page import Page, from_lists
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.permissible import Permissibility, average_permissibility, permissibility
from irviz.workspace.words import TIED, counted, highest, lowest, quoted, spelled, together, verb

_SHOW = {
    "tau": "Similarity of aggregations",
    "mean": "Average scores",
    "consistency": "Consistency",
    "power": "Discriminative power",
}
_UNITS = {
    "mean": "average score",
    "consistency": "mean τ of two topic halves",
    "power": "share of system pairs separated",
}
_FAMILY = (
    "p-values are corrected for all pairs of the chosen systems, under one combination: the p-value of a pair depends "
    "on the other systems. They are not corrected for the number of combinations."
)
Floats = NDArray[np.float64]


CONTROLS = (
    Choice(
        name="show",
        label="Figure",
        few=True,
        default="tau",
        options=tuple(_SHOW.items()),
        help="How alike the aggregations of one browsing model rank the systems, or one number for every combination.",
    ),
    Names(
        name="models",
        label="Browsing models",
        default=USUAL_MODELS,
        options=tuple(model.symbol for model in BROWSING_MODELS),
        help="How a user reads: the probability of reading on after each document. Leave empty for the usual six.",
        aside=True,
    ),
    *parameter_controls(),
    Number(
        name="cutoff",
        label="Cutoff",
        low=1,
        high=1000,
        step=10,
        whole=True,
        slider=False,
        default=10,
        help="The rank at which every user stops at the latest.",
        aside=True,
    ),
    trials(
        500,
        5000,
        "Random splits for consistency; shuffles of the randomised Tukey HSD for discriminative power.",
        lambda values: values["show"] in ("consistency", "power"),
    ),
    SEED,
)


def panel(context: Context, values: Mapping[str, Any]) -> Panel:
    """One square of τ per browsing model, or one number per combination."""
    grid, collection = (
        combinations(values),
        context.collection,
    )  # imported scores have no lists to read, and are refused
    if len(collection.systems) < 2:
        raise IrvizError("Aggregations are compared by how they rank systems; there is only one. Load at least two.")
    scores = context.scores(grid.varying())
    if values["show"] == "tau":
        return _similarities(context, grid, scores)
    show = values["show"]
    numbers, about, scales = _numbers(context, values, scores)
    cells = grid.place(dict(zip(scores.measures, numbers.tolist(), strict=True)))
    sentence = _cell_sentence(grid, cells, show)
    unit = _UNITS[show]
    drawn = combination_grid(grid.models, grid.aggregations, cells, grid.canonical, grid.constant, unit, show == "mean")
    alt = f"One cell per browsing model and aggregation; {STAR} marks a model's own aggregation. {sentence}"
    title = f"{unit[0].upper()}{unit[1:]}, every combination"
    return Panel(
        sentence=sentence,
        drawings=({"grid": Drawing(drawn, title, alt)},),
        tables={"Combinations": Table(grid.frame(cells, unit), about), "Scales": scales.table()},
        notes=(scales.note, *([_FAMILY] if show == "power" else []), *_notes(grid)),
    )


def _similarities(context: Context, grid: Combinations, scores: Scores) -> Panel:
    """Three squares side by side, one per browsing model (Chen & Sakai 2023, Figure 1)."""
    found = [_within(context, scores, grid.varying(row)) for row in range(len(grid.models))]
    squares = [_square(grid, row, result) for row, result in enumerate(found)]
    named = list(zip(grid.models, squares, strict=True))
    scales = average_permissibility(context, scores.measures)
    about = "One row per pair of aggregations under a browsing model; low and high are the ends of the 95% interval."
    return Panel(
        sentence=_tau_sentence(grid, found),
        drawings=tuple(dict(named[start : start + 3]) for start in range(0, len(named), 3)),
        tables={"Correlations": Table(pair_frame(grid, found), about), "Scales": scales.table()},
        notes=(scales.note, *_notes(grid)),
    )


def _within(context: Context, scores: Scores, names: list[str]) -> Similarity | None:
    """τ between the aggregations of one browsing model; None where fewer than two vary."""
    if len(names) < 2:
        return None
    return context.remember(similarity, scores.select(names), summary=context.summary, eps=context.eps)


def _square(grid: Combinations, row: int, found: Similarity | None) -> Drawing:
    kept = np.flatnonzero(~grid.constant[row])
    full = np.full((3, len(grid.aggregations), len(grid.aggregations)), np.nan)
    if found is not None:
        for place, part in enumerate((found.values, found.low, found.high)):
            full[place][np.ix_(kept, kept)] = part
    names = starred(grid.aggregations, grid.own(row), grid.constant[row])
    drawn = coefficients(names, full[0], "Kendall's τ", full[1], full[2])
    pairs = pairs_of(grid, row, found)
    least = f" {_least(pairs, 'under it')}." if pairs else ""
    own = f"; {grid.own(row)} is its own" if grid.own(row) else ""
    return Drawing(
        drawn, grid.models[row], f"Kendall's τ between the aggregations under {grid.models[row]}{own}.{least}"
    )


def _least(pairs: list[tuple[float, str, str]], where: str) -> str:
    """The pair of aggregations of a browsing model that agrees least, or how many share that place."""
    values = {f"{one} and {other}": tau for tau, one, other in pairs}
    low = lowest(values)
    tau = f"τ {spelled(values[low[0]], 2)}"
    if len(low) == len(values) > 1:
        return f"All pairs of aggregations {where} agree equally ({tau})"
    if len(low) == 1:
        return f"{where.capitalize()}, {low[0]} {'agree' if len(values) == 1 else 'agree least'} ({tau})"
    return f"{len(low)} pairs, such as {low[0]}, agree least {where} ({tau})"


def _tau_sentence(grid: Combinations, found: list[Similarity | None]) -> str:
    """Under which user the choice of an aggregation matters least and most."""
    several = {model: pairs_of(grid, row, found[row]) for row, model in enumerate(grid.models)}
    means = {model: float(np.mean([pair[0] for pair in pairs])) for model, pairs in several.items() if pairs}
    if not means:
        raise IrvizError("Every combination of these users ties all systems. Choose other browsing models or topics.")
    most, least = highest(means), lowest(means)
    average = f"average τ between aggregations {spelled(means[most[0]], 2)}"
    if len(means) == 1:
        mean = spelled(means[most[0]], 2)
        return f"Under `{most[0]}` the average τ between aggregations is {mean}. {_least(several[most[0]], 'there')}."
    if most == least:
        return f"The choice of the aggregation matters equally under all {len(means)} browsing models: {average}."
    worst = f" {_least(several[least[0]], 'there')}." if len(least) == 1 else ""
    return (
        f"The choice of the aggregation matters least under {quoted(most)} ({average}) and most under {quoted(least)} "
        f"({spelled(means[least[0]], 2)}).{worst}"
    )


def _numbers(context: Context, values: Mapping[str, Any], scores: Scores) -> tuple[Floats, str, Permissibility]:
    """One number per measure of `scores`, what a row of its table is, and which scale it assumes."""
    draws, seed = values["trials"], values["seed"]
    scales = average_permissibility(context, scores.measures)
    if values["show"] == "mean":
        means = scores.values.mean(axis=(1, 2))
        about = "One row per combination: its score, averaged over all systems and topics."
        return means, about, permissibility(context, "the arithmetic mean", "interval", scores.measures)
    if values["show"] == "consistency":
        drawn = (draws, "random", context.summary, context.eps)
        found = context.remember_by_measure(halves_correlated, scores, *drawn, seed=seed, workers=-1)
        about = f"One row per combination: mean τ over {draws:,} random splits of the topics."
        return defined_mean(found.trials)[0], about, scales
    power = context.remember_by_measure(
        discriminative_power, scores, trials=draws, alpha=ALPHA.default, seed=seed, workers=-1
    )
    about = (
        f"One row per combination: pairs with p < {ALPHA.default:g} by the randomised Tukey HSD, of all pairs of "
        f"{len(scores.systems)} systems."
    )
    scales = permissibility(context, "the randomised Tukey HSD", "interval", scores.measures)
    return np.array([result.ratio for result in power.results]), about, scales


def _cell_sentence(grid: Combinations, cells: Floats, show: str) -> str:
    """The highest combination, and for how many models their own aggregation leads."""
    known = np.where(grid.constant, np.nan, cells)
    if not np.isfinite(known).any():
        raise IrvizError("Every combination of these users ties all systems. Choose other browsing models or topics.")
    if show == "mean":
        return (
            f"Average scores of the {int(np.isfinite(known).sum())} combinations run from {np.nanmin(known):.3f} to "
            f"{np.nanmax(known):.3f}. Aggregations count different things: compare numbers within a column only."
        )
    named = {
        f"`{model}` with {kind}": float(known[i, j])
        for i, model in enumerate(grid.models)
        for j, kind in enumerate(grid.aggregations)
    }
    top = highest(named)
    rows = [r for r in range(len(known)) if np.isfinite(known[r][grid.canonical[r]]).any()]
    led = sum(bool(np.nanmax(known[r][grid.canonical[r]]) >= np.nanmax(known[r]) - TIED) for r in rows)
    return (
        f"{together(top)} {verb(len(top), 'has', 'have')} the highest {_UNITS[show]}, {spelled(named[top[0]], 3)}. For "
        f"{led} of {counted(len(rows), 'browsing model')} the model's own aggregation ({STAR}) is the highest."
    )


def _notes(grid: Combinations) -> tuple[str, ...]:
    notes = [f"{STAR} marks the aggregation that, with this browsing model, gives the measure of the model's name."]
    flat = [f"{grid.models[i]} with {grid.aggregations[j]}" for i, j in np.argwhere(grid.constant)]
    if flat:
        notes.append(
            f"Constant, because neither part depends on the gains: {', '.join(flat)}. "
            "They do not rank systems; only a topic that a run lacks scores 0."
        )
    return tuple(notes)


PAGE = Page(
    name="cwla",
    title="User models",
    question="Does it matter how a user sums up what was read?",
    controls=CONTROLS,
    panel=panel,
    measured=False,
    looks_at=lambda context, values: context.collection.aspects[:1],
    pinnable=True,
    chooses_from=from_lists,
)
