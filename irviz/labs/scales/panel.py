"""Lab: measurement scales.  Are equal steps of a measure equal steps between result lists?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
import pandas as pd

from irviz.errors import counted, listed
from irviz.labs.lab import YOURS, on_yours
from irviz.labs.scales.figures import against_order, two_orders
from irviz.labs.scales.model import PartialOrder, partial_order
from irviz.labs.scales.yours import on_collection
from irviz.measures import measure
from irviz.measures.average_precision import AP
from irviz.measures.cascade import RBP
from irviz.measures.cumulated_gain import DCG
from irviz.measures.language.base import Measure
from irviz.measures.language.parameters import declarations
from irviz.measures.sets import FMeasure, Precision
from irviz.stats.scales import ORDERS, ScaleType, scale_type
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Control, Number, Words, control_of, label_of, plain
from irviz.workspace.panel import Drawing, Formula, Lab, LabClaim, Panel, Table
from irviz.workspace.permissible import KINDS
from irviz.workspace.phrases import number

SOURCE = "Ferrante et al. 2019"
_MOST_DRAWN = 1100  #: the most that are enumerated and drawn while a slider moves
MOST_NODES = 32  #: the most runs for which both orders are drawn
RANKED = {
    "RBP": "RBP: rank-biased precision",
    "DCG": "DCG",
    "ERR": "ERR",
    "AP": "AP",
    "RBTO": "RBTO: rank-based total order",
}
SETS = {"P": "P: precision", "F": "F-measure", "gP": "gP: generalised precision", "SBTO": "SBTO: set-based total order"}
PERMISSIBLE = {
    "interval": (
        "counts, mode, median and percentiles, and also means, variances, correlations and tests on means",
        "",
    ),
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
        options=(*RANKED.items(), *SETS.items(), ("own", "an expression of your own")),
        help="Measures of rankings are compared with the rank-based total order, measures of sets with the set-based "
        "one.",
    ),
    _parameter("p", RBP, default=0.5, stops=(1 / 3,)),
    _parameter("base", DCG, label="Base of the logarithm", default=2, whole=True),
    _parameter("rel", AP, Precision, FMeasure, label="Relevant from grade", default=1, high=3, whole=True, slider=True),
    Words(
        name="own",
        label="Expression",
        default="RBP(p=0.3,gains='exp')",
        shown_if=_for("own"),
        help="Any measure of one aspect, as in the sidebar.",
    ),
    Number(
        name="grades",
        label="Number of grades, including 0",
        default=2,
        low=2,
        high=4,
        step=1,
        whole=True,
        help="2 is binary: not relevant and relevant.",
    ),
    Number(
        name="depth",
        label="Documents in a run",
        default=4,
        low=2,
        high=8,
        step=1,
        whole=True,
        help="All runs of this length are enumerated.",
    ),
    YOURS,
)


def panel(context: Context | None, values: Mapping[str, Any]) -> Lab:
    """The measure over all judged runs in their total order."""
    one = chosen_measure(values)
    depth = fitting_depth(one, values["grades"], values["depth"])
    found = enumerated(str(one), values["grades"], depth)
    order = partial(found.runs, found.order == "rank") if len(found.runs) <= MOST_NODES else None
    drawings = [{"order": main_drawing(found)}]
    if order is not None:
        drawings.append({"orders": orders_drawing(found, order)})
    return Lab(
        panel=Panel(
            sentence=_sentence(found),
            drawings=tuple(drawings),
            tables={"Runs": Table(_table(found), "One row per judged run, in the total order, worst first.", digits=6)},
            notes=_notes(values, depth),
        ),
        how="Move p through 1/2; try more grades, other depths and other measures.",
        formulas=_formulas(one, found),
        claims=_claims(one, found, order),
        yours=on_yours(context, values, lambda opened: on_collection(opened, found)),
    )


def chosen_measure(values: Mapping[str, Any]) -> Measure:
    """The measure that the controls make."""
    name, rel = values["measure"], values["rel"]
    if name == "own":
        return measure(values["own"])
    if name == "RBP":
        return measure(f"RBP(p={plain(values['p'])})")
    if name == "DCG":
        return measure(f"DCG(base={values['base']})")
    if name in ("AP", "P", "F"):
        return measure(f"{name}(rel={min(rel, values['grades'] - 1)})")
    return measure(name)


def fitting_depth(one: Measure, grades: int, depth: int) -> int:
    """The depth asked for, or the largest below it with few enough runs."""

    def runs(n: int) -> int:
        return grades**n if one.orders == "rank" else comb(grades + n - 1, n)

    return max(n for n in range(1, depth + 1) if n == 1 or runs(n) <= _MOST_DRAWN)


@lru_cache(maxsize=256)
def enumerated(expression: str, grades: int, depth: int) -> ScaleType:
    """:func:`irviz.stats.scales.scale_type`, remembered."""
    return scale_type(expression, grades, depth)


@lru_cache(maxsize=64)
def partial(runs: tuple[tuple[int, ...], ...], ranked: bool) -> PartialOrder:
    """:func:`irviz.labs.scales.model.partial_order`, remembered."""
    return partial_order(runs, ranked)


# -- figures ------------------------------------------------------------------------------------


def _texts(found: ScaleType) -> list[str]:
    return ["".join(map(str, run)) for run in found.runs]


def main_drawing(found: ScaleType) -> Drawing:
    pair = None if found.witness is None else (found.runs.index(found.witness[0]), found.runs.index(found.witness[1]))
    drawn = against_order(found.rho, found.values, found.steps, _texts(found), pair, found.measure)
    title = {
        "interval": "A straight line: equal steps everywhere",
        "ordinal": "It always rises, by unequal steps",
        "neither": "It does not always rise",
    }[found.kind]
    return Drawing(drawn, title, f"{found.measure} against ρ for {len(found.runs)} runs. {step_words(found)}")


def orders_drawing(found: ScaleType, order: PartialOrder) -> Drawing:
    drawn = two_orders(_texts(found), order.heights, order.edges)
    return Drawing(drawn, "The undisputed order, and the total order", dispute_words(found, order))


# -- words ----------------------------------------------------------------------------------------


def _sentence(found: ScaleType) -> str:
    """What this depth shows, and what holds at every depth where that is something else."""
    return found.sentence if found.theory.kind == found.kind else f"{found.sentence} {_every_length(found)}"


def _every_length(found: ScaleType) -> str:
    proved = "" if found.theory.proved_from is not None else " (not proved)"
    return f"Over runs of every length, {found.measure} is {KINDS[found.theory.kind]}{proved}."


def _claims(one: Measure, found: ScaleType, order: PartialOrder | None) -> tuple[LabClaim, ...]:
    claims = [
        LabClaim(step_words(found), f"{SOURCE}, section 3.3 and Theorem 1"),
        LabClaim(_permissible_words(found), f"Stevens 1946; {SOURCE}, section 3.3"),
    ]
    if turning := turning_claim(one, found):
        claims.append(turning)
    if order is not None:
        claims.append(LabClaim(dispute_words(found, order), f"Ferrante, Ferro & Maistro 2015; {ORDERS[found.order]}"))
    claims.append(LabClaim(f"By its formula, at this depth: {found.fact.reason}", found.fact.source))
    return (*claims[:1], _theory(found), *claims[1:])


def _theory(found: ScaleType) -> LabClaim:
    """What the theory says of runs of every length, beside what this depth shows."""
    text = f"{_every_length(found)} {found.theory.reason}"
    if found.theory.kind != found.kind:
        text += f" Runs of {counted(found.depth, 'document')} are too short to show it."
    return LabClaim(text, found.theory.source)


def step_words(found: ScaleType) -> str:
    step = np.diff(found.values)
    mean = float((found.values[-1] - found.values[0]) / len(step))
    if len(step) == 1:
        return f"There is one step up the total order; it changes the measure by {number(mean, 5)}."
    if not found.steps.sign.any():
        return f"All {len(step)} steps up the total order leave the measure unchanged."
    if found.steps.equal.all():
        does = "raise the measure by" if mean > 0 else "lower the measure by"
        return f"All {len(step)} steps up the total order {does} the same {number(abs(mean), 5)}."
    ends = " and ".join(f"{end:.3g}".replace("-", "−") for end in (float(step.min()), float(step.max())))
    return f"{_unequal(found.steps.sign)}; the steps are between {ends}."


def _unequal(sign: np.ndarray) -> str:
    """At how many steps a measure rises, falls and stays the same."""
    kinds = {"rises": sign > 0, "falls": sign < 0, "stays the same": sign == 0}
    found = {what: int(which.sum()) for what, which in kinds.items() if which.any()}
    if len(found) == 1:
        return f"The measure {next(iter(found))} at all {len(sign)} steps up the total order"
    parts = listed([f"{what} at {n}" for what, n in found.items()], joiner="and")
    return f"Of the {len(sign)} steps up the total order, the measure {parts}"


def _permissible_words(found: ScaleType) -> str:
    allowed, refused = PERMISSIBLE[found.kind]
    text = f"Permissible for scores on {KINDS[found.kind]}: {allowed}"
    return f"{text}; not permissible: {refused}." if refused else f"{text}."


def turning_point(one: Measure, found: ScaleType) -> float | None:
    """G/(G + 1) for RBP over evenly spaced gains, where its scale type changes; None for other measures."""
    if not isinstance(one, RBP) or one.gains != "linear" or one.rel is not None:
        return None
    grades = np.array(found.grades)
    gap = float(np.diff(grades).min() / grades[-1])
    return gap / (gap + 1)


def turning_claim(one: Measure, found: ScaleType) -> LabClaim | None:
    """On which side of this point RBP is; None for other measures."""
    turning = turning_point(one, found)
    if turning is None or not isinstance(one, RBP):
        return None
    return LabClaim(_turning_words(float(one.p), turning, found), f"{SOURCE}, section 4.3")


def _turning_words(p: float, turning: float, found: ScaleType) -> str:
    side = "equals" if abs(p - turning) < 1e-9 else "is below" if p < turning else "is above"
    return (
        f"With {len(found.grades)} grades, and over runs of every length, the scale type changes at p = G/(G + 1) = "
        f"{number(turning)}. p = {number(p)} {side} it; runs of {counted(found.depth, 'document')} show "
        f"{KINDS[found.kind]}."
    )


def dispute_words(found: ScaleType, order: PartialOrder, example: tuple[int, int] | None = None) -> str:
    """How many pairs only the total order decides, with the first of them or a given one, the worse run first."""
    n = len(found.runs)
    pairs = n * (n - 1) // 2
    ranked = found.order == "rank"
    how = "a higher grade or a better document moved up" if ranked else "a higher grade"
    if not order.disputed:
        every = "The only pair" if pairs == 1 else f"Each of the {pairs} pairs"
        return f"{every} of runs can be compared by {how}, so the total order has nothing left to decide."
    a, b = example or next((a, b) for b in range(n) for a in range(b) if not order.below[a, b])
    first = (
        "the first rank where they differ"
        if ranked
        else "the highest grade of which they have different numbers of documents"
    )
    names = _texts(found)
    rest = f"the other {order.disputed}, such as" if order.disputed > 1 else "the other pair,"
    return (
        f"{how[0].upper()}{how[1:]} settles {pairs - order.disputed} of {pairs} pairs of runs. The total order decides "
        f"{rest} {names[a]} and {names[b]}, by {first}: {names[b]} is better."
    )


def _notes(values: Mapping[str, Any], depth: int) -> tuple[str, ...]:
    notes = []
    if depth < values["depth"]:
        notes.append(
            f"With {values['grades']} grades there are more than {_MOST_DRAWN:,} runs of {values['depth']} documents; "
            f"runs of {depth} are shown."
        )
    if values["measure"] in ("AP", "P", "F") and values["rel"] > values["grades"] - 1:
        notes.append(
            f"With {values['grades']} grades the highest is {values['grades'] - 1}, so only grade "
            f"{values['grades'] - 1} counts as relevant."
        )
    return tuple(notes)


def _formulas(one: Measure, found: ScaleType) -> tuple[Formula, ...]:
    reference = measure("RBTO" if found.order == "rank" else "SBTO")
    return (
        Formula(one.formula, str(one), one.source),
        Formula(reference.formula, str(reference), reference.source),
        Formula(
            r"\text{interval} \iff M(\rho + 1) - M(\rho) \text{ is the same for all } \rho",
            f'scale_type("{one}", grades={len(found.grades)}, depth={found.depth})',
            f"{SOURCE}, section 3.3",
        ),
    )


def _table(found: ScaleType) -> pd.DataFrame:
    step = np.append(np.diff(found.values), np.nan)
    return pd.DataFrame({"run": _texts(found), "ρ": found.rho, "value": found.values, "step to the next": step})
