"""User models: how a user reads, and what the user carries away, in every combination."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError
from irviz.figures.squares import coefficients, combination_grid
from irviz.figures.theme import STAR, Floats
from irviz.measures import measure
from irviz.measures.aggregation import AGGREGATIONS, Aggregation
from irviz.measures.browsing import BROWSING_MODELS, BrowsingModel
from irviz.measures.cwla import CWLA
from irviz.stats.consistency import halves_correlated
from irviz.stats.correlation import defined_mean
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power
from irviz.stats.similarity import Similarity, similarity
from irviz.workspace.context import Context
from irviz.workspace.control import (
    Choice,
    Control,
    Names,
    Number,
    Taker,
    build_expression,
    control_of,
    label_for,
    takers,
)
from irviz.workspace.controls import ALPHA, SEED, trials
from irviz.workspace.facts import Fact, counted, extremes
from irviz.workspace.measure_facts import reads_only_first
from irviz.workspace.page import Page, Values
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.permissible import Permissibility, average_permissibility, permissibility
from irviz.workspace.phrases import ALIKE, TOLERANCE
from irviz.workspace.view import View

# -- Browsing models × aggregations, as expressions; what the User models page shows ---------------

USUAL_MODELS = ("P", "DCG", "RBP", "INST", "AP", "ERR")  #: browsing models of Chen & Sakai 2023


@dataclass(frozen=True, eq=False)
class Combinations:
    """Browsing models × aggregations."""

    #: names of rows and columns
    models: tuple[str, ...]
    aggregations: tuple[str, ...]
    labels: NDArray[np.object_]  #: expressions of the combinations
    canonical: NDArray[np.bool_]  #: the combination is the measure of the browsing model's name
    constant: NDArray[np.bool_]  #: every list scores the same

    @property
    def called(self) -> tuple[str, ...]:
        """The models without their parameters, which the controls show."""
        return tuple(model.partition("(")[0] for model in self.models)

    def varying(self, row: int | None = None) -> list[str]:
        """Expressions of the combinations that are not constant: of one model, or of all."""
        chosen = slice(None) if row is None else row
        return [str(name) for name in self.labels[chosen][~self.constant[chosen]]]

    def place(self, numbers: Mapping[str, float]) -> Floats:
        """Numbers by expression as models × aggregations; NaN if there is none."""
        return np.array([[numbers.get(str(name), np.nan) for name in row] for row in self.labels])

    def frame(self, cells: Floats, unit: str) -> pd.DataFrame:
        """One row per combination, its number under the heading `unit`."""
        rows, columns = (axis.ravel() for axis in np.indices(cells.shape))
        return pd.DataFrame(
            {
                "browsing model": [self.models[i] for i in rows],
                "aggregation": [self.aggregations[j] for j in columns],
                "measure": self.labels.ravel(),
                "canonical": self.canonical.ravel(),
                "constant": self.constant.ravel(),
                unit: cells.ravel(),
            }
        )


def parameter_key(name: str) -> str:
    """The name of a parameter in links; the cutoff of P and DCG and BPM's K are one choice."""
    return {"cutoff": "k", "K": "k"}.get(name, name)


def parameter_controls() -> tuple[Control, ...]:
    """A control for every parameter of a browsing model or an aggregation."""
    models, sums = takers(BROWSING_MODELS, parameter_key), takers(AGGREGATIONS, parameter_key)
    special = {"k": {"high": 1000, "step": 5, "default": 10}}
    fields = {key: {"name": key, "label": label_for(who), "aside": True} for key, who in (models | sums).items()}
    return (
        *(
            control_of(who, **fields[key], shown_if=_matters(who), **special.get(key, {}))
            for key, who in models.items()
        ),
        *(control_of(who, **fields[key]) for key, who in sums.items()),
    )


def _matters(who: Sequence[Taker]) -> Callable[[dict[str, Any]], bool]:
    symbols = {cls.symbol for cls, _, _ in who}
    return lambda values: not symbols.isdisjoint(values["models"] or USUAL_MODELS)


def combinations(values: Values) -> Combinations:
    """All combinations of the chosen browsing models (the paper's, if none) with every aggregation."""
    known = {model.symbol: model for model in BROWSING_MODELS}
    models = [build_expression(known[symbol], values, parameter_key) for symbol in values["models"] or USUAL_MODELS]
    sums = [build_expression(kind, values, parameter_key) for kind in AGGREGATIONS]
    return combine(models, sums, values["cutoff"])


def combine(models: Sequence[BrowsingModel], sums: Sequence[Aggregation], cutoff: int) -> Combinations:
    """All combinations of these browsing models with these aggregations."""
    kinds = [kind.symbol for kind in sums]
    measures = [[CWLA(C=model, A=kind, cutoff=cutoff) for kind in sums] for model in models]
    return Combinations(
        tuple(str(row[0].C) for row in measures),
        tuple(kinds),
        np.array([[str(measure) for measure in row] for row in measures], dtype=object),
        np.array([[measure.C.canonical == kind for measure, kind in zip(row, kinds, strict=True)] for row in measures]),
        np.array([[measure.constant for measure in row] for row in measures]),
    )


def pairs_of(
    grid: Combinations, row: int, correlations: Similarity | None
) -> list[tuple[str, str, float, float, float]]:
    """Pairs of one model's aggregations with their τ and the ends of its interval."""
    if correlations is None:
        return []
    names = [kind for kind, flat in zip(grid.aggregations, grid.constant[row], strict=True) if not flat]
    pairs = np.triu_indices(len(names), 1)
    ends = [[names[i] for i in side] for side in pairs]
    numbers = [part[pairs].tolist() for part in (correlations.values, correlations.low, correlations.high)]
    return list(zip(*ends, *numbers, strict=True))


def pair_frame(grid: Combinations, similarities: list[Similarity | None]) -> pd.DataFrame:
    """One row per pair of aggregations within a model: browsing model, aggregation, and, Kendall's τ, low, high."""
    rows = [
        (grid.models[row], *pair) for row, result in enumerate(similarities) for pair in pairs_of(grid, row, result)
    ]
    return pd.DataFrame(rows, columns=["browsing model", "aggregation", "compared with", "Kendall's τ", "low", "high"])


# --------------------------------------------------------------------------------------------------

_SHOW = {
    "tau": "Similarity of aggregations",
    "mean": "Average scores",
    "consistency": "Consistency",
    "power": "Discriminative power",
}
_UNITS = {
    "mean": "average score",
    "consistency": "mean τ of two topic halves",
    "power": "share of system pairs separated by means",
}
_ALL_TIED = "Every combination of these users ties all systems. Choose other browsing models or topics."
_IN_FULL = f"Aggregations: {', '.join(f'{kind.symbol} ({kind.title.lower()})' for kind in AGGREGATIONS)}."
_FAMILY = "p-values are corrected for all pairs of the chosen systems, under one combination; not for the combinations."
_OWN = f"{STAR}: with this aggregation, the browsing model gives the measure of its name."


BROWSING = Names(
    name="models",
    label="Browsing models",
    default=USUAL_MODELS,
    options=tuple(model.symbol for model in BROWSING_MODELS),
    help=f"How a user reads: the probability of reading on after each document. If empty: {', '.join(USUAL_MODELS)}.",
    aside=True,
)
CUTOFF = Number(
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
)
CONTROLS = (
    Choice(
        name="show",
        label="Figure",
        few=True,
        default="tau",
        options=tuple(_SHOW.items()),
        help="How alike the aggregations of one browsing model rank the systems, or one number for every combination.",
    ),
    BROWSING,
    *parameter_controls(),
    CUTOFF,
    trials(500, 5000, shown_if=lambda values: values["show"] in ("consistency", "power")),
    SEED,
)


def panel(context: Context, values: Values) -> Panel:
    """One square of τ per browsing model, or one number per combination."""
    grid, show = combinations(values), values["show"]
    if len(context.collection.systems) < 2:
        raise IrvizError("Aggregations are compared by how they rank systems; there is only one. Load at least two.")
    scores = context.scores(grid.varying())
    if show == "tau":
        return _similarities(context, grid, scores)
    numbers, about, scales = _numbers(context, values, scores)
    cells = grid.place(dict(zip(scores.measures, numbers.tolist(), strict=True)))
    unit = _UNITS[show]
    fig = combination_grid(grid.called, grid.aggregations, cells, grid.canonical, grid.constant, unit, show != "mean")
    return Panel(
        sentence=f"{_SHOW[show]} of {int((~grid.constant).sum()):,} combinations.",
        facts=_cell_facts(grid, cells, show),
        drawings=({"grid": Drawing(fig, f"{_SHOW[show]}: {unit} of every combination")},),
        tables={"Combinations": Table(grid.frame(cells, unit), about), "Scales": scales.table()},
        notes=(scales.note, {"mean": _BY_COLUMN, "power": _FAMILY}.get(show, _IN_FULL), _OWN),
        ways=_ways(context),
        aspects=context.collection.aspects[:1],
    )


def _ways(context: Context) -> tuple[tuple[str, View], ...]:
    return (("Which combinations users agree with", View.from_texts("users", **context.texts)),)


def _similarities(context: Context, grid: Combinations, scores: Scores) -> Panel:
    """Three squares side by side, one per browsing model (Chen & Sakai 2023, Figure 1)."""
    how = {"summary": context.summary, "eps": context.eps}
    varying = [grid.varying(row) for row in range(len(grid.models))]
    similarities = [
        context.remember(similarity, scores.select(names), **how) if len(names) > 1 else None for names in varying
    ]
    named = [
        (grid.called[row], _square(grid, row, of_model))
        for row, of_model in enumerate(similarities)
        if of_model is not None
    ]
    facts = _tau_facts(grid, similarities)
    scales = average_permissibility(context, scores.measures)
    about = "One row per pair of aggregations under a browsing model; low and high are the ends of the 95% interval."
    return Panel(
        sentence=f"The aggregation matters under {facts[0].number} browsing models.",
        facts=facts,
        drawings=tuple(dict(named[start : start + 3]) for start in range(0, len(named), 3)),
        tables={"Correlations": Table(pair_frame(grid, similarities), about), "Scales": scales.table()},
        notes=(scales.note, _IN_FULL, _OWN),
        ways=_ways(context),
        aspects=context.collection.aspects[:1],
    )


def _square(grid: Combinations, row: int, correlations: Similarity) -> Drawing:
    columns = np.flatnonzero(~grid.constant[row])
    names = [f"{STAR} {grid.aggregations[j]}" if grid.canonical[row, j] else grid.aggregations[j] for j in columns]
    fig = coefficients(names, correlations.values, "Kendall's τ", correlations.low, correlations.high, alike=ALIKE)
    return Drawing(fig, f"{grid.called[row]}: Kendall's τ")


def _tau_facts(grid: Combinations, similarities: list[Similarity | None]) -> tuple[Fact, ...]:
    """The browsing models under which the aggregation matters, and the lowest τ of two aggregations of each."""
    taus = {
        model: [tau for _, _, tau, *_ in pairs_of(grid, row, similarities[row])]
        for row, model in enumerate(grid.called)
    }
    low = {model: float(np.nanmin(those)) for model, those in taus.items() if np.isfinite(those).any()}
    if not low:
        raise IrvizError(_ALL_TIED)
    matters = tuple(model for model, tau in low.items() if tau < ALIKE - TOLERANCE)
    why = f"Two aggregations have τ below {ALIKE:.2f}, from which rankings count as equivalent (Voorhees, SIGIR 2001)."
    facts = [
        Fact("aggregation matters under", len(matters), matters, of=len(low), why=why),
        *extremes(low, ("matters least, lowest τ", "matters most, lowest τ"), "τ"),
    ]
    trivial = [model for row, model in enumerate(grid.called) if reads_only_first(measure(str(grid.labels[row, 0])))]
    return (*facts, *counted("only the first document counts", trivial), *_constant(grid))


def _constant(grid: Combinations) -> tuple[Fact, ...]:
    """Combinations that rank no systems."""
    flat = [f"{grid.called[i]} with {grid.aggregations[j]}" for i, j in np.argwhere(grid.constant)]
    return counted("constant combinations", flat, "Neither part depends on the gains, so they do not rank systems.")


def _numbers(context: Context, values: Values, scores: Scores) -> tuple[Floats, str, Permissibility]:
    """One number per measure of `scores`, what a row of its table is, and which scale it assumes."""
    draws, seed = values["trials"], values["seed"]
    scales = average_permissibility(context, scores.measures)
    if values["show"] == "mean":
        means = scores.values.mean(axis=(1, 2))
        about = "One row per combination: its score, averaged over all systems and topics."
        return means, about, permissibility(context, "the arithmetic mean", "interval", scores.measures)
    if values["show"] == "consistency":
        settings = (draws, "random", context.summary, context.eps)
        halves = context.remember_by_measure(halves_correlated, scores, *settings, seed=seed, workers=-1)
        about = f"One row per combination: mean τ over {draws:,} random splits of the topics."
        return defined_mean(halves.trials)[0], about, scales
    power = context.remember_by_measure(
        discriminative_power, scores, trials=draws, alpha=ALPHA.default, seed=seed, workers=-1
    )
    about = f"One row per combination: share of pairs with p < {ALPHA.default:g}, randomised Tukey HSD of means."
    scales = permissibility(context, "the randomised Tukey HSD", "interval", scores.measures)
    return np.array([result.ratio for result in power.results]), about, scales


_BY_COLUMN = "Aggregations count different things: compare average scores within a column only."


def _cell_facts(grid: Combinations, cells: Floats, show: str) -> tuple[Fact, ...]:
    """The highest and the lowest combination, and for how many models their own aggregation leads."""
    known = np.where(grid.constant, np.nan, cells)
    if not np.isfinite(known).any():
        raise IrvizError(_ALL_TIED)
    named = {
        f"{model} with {kind}": float(known[i, j])
        for i, model in enumerate(grid.called)
        for j, kind in enumerate(grid.aggregations)
    }
    facts = extremes(named, ("highest", "lowest"))
    if show != "mean":
        own = [
            bool(known[r][grid.canonical[r]].max() >= np.nanmax(known[r]) - TOLERANCE)
            for r in range(len(known))
            if np.isfinite(known[r][grid.canonical[r]]).any()
        ]
        facts += (Fact(f"models whose own aggregation ({STAR}) is highest", sum(own), of=len(own)),)
    return (*facts, *_constant(grid))


PAGE = Page(
    name="cwla",
    title="User models",
    question="Does it matter how a user sums up what was read?",
    controls=CONTROLS,
    panel=panel,
    uses=frozenset({"average", "baseline", "lists"}),
)
