"""Lab: measurement scales.  Are equal steps of a measure equal steps between result lists?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from irviz.errors import number_of
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import Lab, whole
from irviz.labs.scales import model
from irviz.labs.scales.figures import FIGURES, both_orders, over_order
from irviz.labs.scales.steps import SOURCE, STEPS
from irviz.measures import measure
from irviz.measures.average_precision import AP
from irviz.measures.cascade import RBP
from irviz.measures.cumulated_gain import DCG
from irviz.measures.language.base import Measure
from irviz.measures.language.parameters import declarations
from irviz.measures.sets import FMeasure, Precision
from irviz.stats.scales import ORDERS, ScaleType
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Control, Text, control_of, label_of
from irviz.workspace.page import Values
from irviz.workspace.panel import Formula, Panel, Table
from irviz.workspace.permissible import KINDS
from irviz.workspace.phrases import number
from irviz.workspace.view import View

MOST_NODES = 32  #: the most runs for which both orders are drawn
RANK_MEASURES = {
    "RBP": "RBP: rank-biased precision",
    "DCG": "DCG",
    "ERR": "ERR",
    "AP": "AP",
    "RBTO": "RBTO: rank-based total order",
}
SETS = {"P": "P: precision", "F": "F-measure", "gP": "gP: generalised precision", "SBTO": "SBTO: set-based total order"}
PERMISSIBLE = {
    "interval": ("counts, mode, median, percentiles, means, variances, correlations and tests on means", ""),
    "ordinal": ("counts, mode, median and percentiles", "means, variances and tests on means"),
    "neither": ("counts and mode", "median and ranks, means, variances and tests on means"),
}


def _for(*names: str) -> Any:
    return lambda values: values["measure"] in names


def _parameter(name: str, *classes: type[Measure], **own: Any) -> Control:
    """A parameter of these measures; `own` are the fields in which the lab differs from its declaration."""
    taking = [(cls, name, declarations(cls)[name]) for cls in classes]
    usual = {"name": name, "label": label_of(*taking[0][1:]), "shown_if": _for(*(cls.symbol for cls in classes))}
    return control_of(taking, **{**usual, **own})


CONTROLS = (
    Choice(
        name="measure",
        label="Measure",
        default="RBP",
        options=(*RANK_MEASURES.items(), *SETS.items(), ("own", "an expression of your own")),
        help="Measures of rankings are compared with the rank-based total order, measures of sets with the set-based "
        "one.",
    ),
    _parameter("p", RBP, default=0.5, stops=(1 / 3,)),
    _parameter("base", DCG, label="Base of the logarithm", default=2, whole=True),
    _parameter("rel", AP, Precision, FMeasure, label="Relevant from grade", default=1, high=3, whole=True, slider=True),
    Text(
        name="own",
        label="Expression",
        default="RBP(p=0.3,gains='exp')",
        most=200,
        empty="default",
        shown_if=_for("own"),
        help="Any measure of one aspect, as in the sidebar.",
    ),
    whole("grades", "Number of grades, including 0", 2, (2, 4), "2 is binary: not relevant and relevant."),
    whole("depth", "Documents in a list", 4, (2, 8), "All lists of this length are enumerated."),
)


def explore(context: Context | None, values: Values) -> Panel:
    """The measure over all judged runs in their total order."""
    measure, scale = model.chosen_measure(values), model.chosen_scale(values)
    depth = model.fitting_depth(measure, values["grades"], values["depth"])
    order = model.partial_order(scale.runs, scale.order == "rank") if len(scale.runs) <= MOST_NODES else None
    return Panel(
        sentence=_sentence(scale),
        drawings=({"order": over_order(values)}, *([{"orders": both_orders(values)}] if order is not None else [])),
        tables={"Lists": Table(_table(scale), "One row per judged run (a list with its grades).", digits=6)},
        notes=(*_notes(values, depth), *_claims(measure, scale, order)),
        ways=(("On which scale are your measures?", View.from_texts("scores")),),
        formulas=_formulas(measure, scale),
    )


def _sentence(scale: ScaleType) -> str:
    """The result at this depth."""
    why = {"interval": "all steps up are equal", "ordinal": "it rises at every step, by unequal steps"}
    lists = number_of(len(scale.runs), "list")
    where = f"Over all {lists} of {number_of(scale.depth, 'document')} with {len(scale.grades)} grades"
    return f"{where}, {scale.measure} is {KINDS[scale.kind]}: {why.get(scale.kind) or model.fall_words(scale)}."


def _claims(one: Measure, scale: ScaleType, order: model.PartialOrder | None) -> tuple[str, ...]:
    """Remarks on what is seen, each with its source."""
    turning = model.turning_point(one, scale)
    same = "is" if scale.kind == "interval" else "need not be"
    answer = f"The step from 0.2 to 0.3 {same} as large as the step from 0.6 to 0.7."
    claims = [
        f"{model.step_words(scale)} ({SOURCE}, section 3.3 and Theorem 1.)",
        f"{_theory_words(scale)} ({scale.theory.source.rstrip('.')}.)",
        f"{answer} {_permissible_words(scale)} (Stevens 1946; {SOURCE}, section 3.3.)",
    ]
    if turning is not None:
        where = f"With {len(scale.grades)} grades, and over lists of every length, the scale type of RBP changes at"
        claims.append(f"{where} p = G/(G + 1) = {number(turning)}. ({SOURCE}, section 4.3.)")
    if order is not None:
        source = ORDERS[scale.order].rstrip(".")
        claims.append(f"{model.dispute_words(scale, order)} (Ferrante, Ferro & Maistro 2015; {source}.)")
    return (*claims, f"By its formula, at this depth: {scale.fact.reason} ({scale.fact.source.rstrip('.')}.)")


def _theory_words(scale: ScaleType) -> str:
    """The theory for runs of every length, beside the result at this depth."""
    proved = "" if scale.theory.proved_from is not None else " (not proved)"
    kind = f"{scale.measure} is {KINDS[scale.theory.kind]}{proved}"
    text = f"Over lists of every length, {kind}. {scale.theory.reason}"
    if scale.theory.kind == scale.kind:
        return text
    return f"{text} Lists of {number_of(scale.depth, 'document')} are too short to show it."


def _permissible_words(scale: ScaleType) -> str:
    allowed, refused = PERMISSIBLE[scale.kind]
    text = f"Permissible for scores on {KINDS[scale.kind]}: {allowed}"
    return f"{text}; not permissible: {refused}." if refused else f"{text}."


def _notes(values: Values, depth: int) -> tuple[str, ...]:
    notes = []
    if depth < values["depth"]:
        many = f"With {values['grades']} grades there are more than {model.MOST_DRAWN:,} lists of {values['depth']}"
        notes.append(f"{many} documents; lists of {depth} are shown.")
    if values["measure"] in ("AP", "P", "F") and values["rel"] > values["grades"] - 1:
        notes.append(f"With {values['grades']} grades only the highest, {values['grades'] - 1}, counts as relevant.")
    return tuple(notes)


def _formulas(one: Measure, scale: ScaleType) -> tuple[Formula, ...]:
    reference = measure("RBTO" if scale.order == "rank" else "SBTO")
    return (
        Formula(one.formula, str(one), one.source),
        Formula(reference.formula, str(reference), reference.source),
        Formula(
            r"\text{interval} \iff M(\rho + 1) - M(\rho) \text{ is the same for all } \rho",
            f'scale_type("{one}", grades={len(scale.grades)}, depth={scale.depth})',
            f"{SOURCE}, section 3.3",
        ),
    )


def _table(scale: ScaleType) -> pd.DataFrame:
    step = np.append(np.diff(scale.values), np.nan)
    return pd.DataFrame(
        {"list": model.texts_of(scale), "ρ": scale.rho, "value": scale.values, "step to the next": step}
    )


def readings(values: Values) -> dict[str, Reading]:
    """The scale type of the measure, at this length and one document shorter, and its steps."""
    measure, scale = model.chosen_measure(values), model.chosen_scale(values)
    depth = model.fitting_depth(measure, values["grades"], values["depth"])
    shorter = model.cached_scale(str(measure), values["grades"], depth - 1) if depth > 1 else scale
    step = np.diff(scale.values)
    persistence: dict[str, Reading] = {} if measure.persistence is None else {"p": measure.persistence}
    return {
        "measure": measure.symbol,
        **persistence,
        "grades": len(scale.grades),
        "documents": depth,
        "scale": scale.kind,
        "scale with one document less": shorter.kind,
        "scale at every length": scale.theory.kind,
        "steps that do not rise": int((scale.steps.sign <= 0).sum()),
        "different steps": len(np.unique(np.round(step, 9))),
    }


CHALLENGES = (
    Challenge(
        title="Find the smallest number of documents at which ERR, with two grades, is no longer ordinal.",
        goal=Goal.read(
            "measure = ERR; grades = 2; steps that do not rise >= 1; scale with one document less = ordinal"
        ),
        hint="ERR keeps the order of short lists. Add documents one by one until the figure shows a step down.",
        start={"measure": "ERR", "depth": "3"},
        solution={"depth": "5"},
    ),
    Challenge(
        title="With three grades, find the p at which RBP is an interval scale.",
        goal=Goal.read("measure = RBP; grades = 3; documents >= 3; scale = interval"),
        hint="With two grades it was 1/2. With three it is lower: move p down until the line is straight.",
        start={"grades": "3", "p": "0.8"},
        solution={"p": "0.3333333333333333"},
    ),
    Challenge(
        title="Find a p and a number of documents for which the last document makes RBP lose the order.",
        goal=Goal.read("measure = RBP; scale = neither; scale with one document less = ordinal"),
        hint="Above 1/2 the documents further down can outweigh one further up, if there are enough of them.",
        start={"p": "0.8", "depth": "6"},
        solution={"p": "0.6", "depth": "4"},
    ),
)
LAB = Lab(
    name="lab_scales",
    title="Lab: measurement scales",
    question="Is the step from 0.2 to 0.3 as large as the step from 0.6 to 0.7?",
    own=CONTROLS,
    explore=explore,
    readings=readings,
    figures=FIGURES,
    steps=STEPS,
    challenges=CHALLENGES,
    wording={
        **{f"measure = {name}": f"The measure is {name}" for name in RANK_MEASURES},
        "grades": "The number of grades",
        "documents": "The number of documents",
        "steps that do not rise >= 1": "At least one step does not rise",
        "scale = interval": "The measure is on an interval scale",
        "scale = neither": "The measure does not rise at every step",
        "scale with one document less = ordinal": "With one document less it is on an ordinal scale",
    },
)
