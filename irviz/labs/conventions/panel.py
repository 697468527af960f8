"""Lab: conventions.  Two tools, one run, one measure, two numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from irviz.errors import counted, listed, verb
from irviz.labs.conventions.figures import judged_list, step_bars
from irviz.labs.conventions.listing import Listing, TieGroups, in_printed_order, missing, names, regraded
from irviz.labs.conventions.model import CHOICES, PRESETS, PRINTED_KINDS, Conventions, expression_under
from irviz.labs.conventions.step_figures import two_topics
from irviz.labs.conventions.ties import TIES_SOURCE, tie_words, ties_drawing
from irviz.labs.conventions.tools import both, measure_name, one_at_a_time
from irviz.labs.conventions.yours import conventions_on
from irviz.labs.documents import CLICK_A_DOCUMENT
from irviz.labs.lab import HIGHEST, YOURS, Grades, on_yours
from irviz.measures import measure
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Control, Number
from irviz.workspace.panel import Drawing, Formula, Lab, LabClaim, Panel, Table
from irviz.workspace.phrases import number

#: what AP may be divided by: the divisor, and the tool or paper that uses it
AP_DIVISORS = {
    "judged": (r"\mathrm{RB}", "trec_eval's map; Buckley and Voorhees 2005"),
    "retrieved": (r"\sum_n r[n]", "cwl_eval's AP (cwl_ap.py), which cites Harman 1992"),
    "cutoff": (r"\min(k, \mathrm{RB})", "apk of the package ml_metrics"),
}
#: which list nDCG@k may be divided by, and the tool or paper that uses it
IDEALS = {
    "cutoff": "trec_eval's ndcg_cut; Järvelin and Kekäläinen 2002",
    "pool": "trec_eval's ndcg of a run cut at k (option -M)",
    "best": "ir_measures' SDCG",
}
#: what else a tool requires before it prints the number here
SMALL_PRINT = {
    "cwl_eval": " It refuses gains above 1, so every relevant document must have gain 1 in its qrels: with a gain for "
    "every grade, its AP is different.",
    "gdeval": " It refuses grades above 4, and leaves out topics without a relevant document.",
}


def _toggle(name: str) -> Control:
    words, options, kinds = CHOICES[name]
    return Choice(
        name=name,
        label=words,
        default="",
        options=(("", "as the second tool"), *options.items()),
        shown_if=lambda values: values["kind"] in kinds,
        help="Overrides what the second tool does.",
    )


def _preset(name: str, label: str, default: str, words: str) -> Choice:
    return Choice(
        name=name,
        label=label,
        default=default,
        help=words,
        options=tuple((key, one.words) for key, one in PRESETS.items()),
    )


CONTROLS = (
    Choice(
        name="kind",
        label="Measure",
        default="AP",
        options=tuple(PRINTED_KINDS.items()),
        help="The measure that both tools compute.",
    ),
    Number(
        name="k",
        label="k",
        default=5,
        low=1,
        high=100,
        step=1,
        whole=True,
        slider=False,
        help="The cutoff.",
        shown_if=lambda values: values["kind"] != "AP",
    ),
    _preset("first", "First tool", "trec_eval-c", "The tool whose number comes first."),
    _preset("second", "Second tool", "cwl_eval", "The tool whose number is compared with the first."),
    *(_toggle(name) for name in CHOICES),
    Listing(
        name="list",
        label="The list",
        default=((1,), (0, -1, 2), (0,), (1, -1), (0,)),
        help="Grades 0 to 3, u for unjudged, brackets around documents of the same score: 1,0,(u,2,0),1. "
        "Or click a document.",
    ),
    Grades(
        name="missed",
        label="Relevant documents missing from the list",
        default=(1, 2),
        top=3,
        least=0,
        help="Their grades; leave empty for none.",
    ),
    Number(
        name="lost",
        label="Number of topics the run lacks",
        default=1,
        low=0,
        high=3,
        step=1,
        whole=True,
        help="Further topics, with the same judgments, for which the run has no lines.",
    ),
    Choice(
        name="system",
        label="System to explain topic by topic",
        shown_if=lambda values: values[YOURS.name],
        from_context=lambda context: {"options": tuple((s, s) for s in context.systems) if context else ()},
        help="On your collection: the system whose topics are listed.",
    ),
    Number(
        name="shuffle",
        label="Shuffle the ties",
        default=0,
        low=0,
        high=99,
        step=1,
        whole=True,
        slider=False,
        help="The seed of another order of tied documents; 0 is trec_eval's order.",
        shown_if=lambda values: values["step"].isdigit(),
    ),
    YOURS,
)


def panel(context: Context | None, values: Mapping[str, Any]) -> Lab:
    """The steps from the first tool's number to the second's, and what ties leave open."""
    kind, k, groups = values["kind"], values["k"], values["list"]
    first, second = both(values)
    path = one_at_a_time(values, first, second)
    title = measure_name(kind, k)
    return Lab(
        panel=Panel(
            sentence=_sentence(values, path, title),
            drawings=(
                {
                    "documents": Drawing(
                        judged_list(groups, names(groups), 3, regraded(groups, 3)),
                        "The list",
                        f"Documents {', '.join(names(groups))} with grades {_grades_words(groups)}.",
                        ("list",),
                        CLICK_A_DOCUMENT,
                    )
                },
                {"topics": topics_drawing(values), "steps": steps_drawing(values)},
                *([ties] if (ties := ties_drawing(values, first)) else []),
            ),
            tables={"Conventions": Table(_table(kind, first, second), "One row per convention: what each side does.")},
            notes=_notes(values),
        ),
        how="Choose two tools, override one convention at a time, or change the list.",
        formulas=_formulas(kind, k, first, second),
        claims=_claims(values, first, second, path),
        yours=on_yours(context, values, lambda opened: conventions_on(opened, values, first, second)),
    )


def topics_drawing(values: Mapping[str, Any]) -> Drawing:
    """All topics with all relevant documents, from which the numbers can be derived by hand."""
    answer, missed = in_printed_order(values["list"]), missing(values["list"], values["missed"])
    told = ", ".join(f"{name} {'unjudged' if grade < 0 else grade}" for name, grade in answer)
    lacks = ", ".join(f"{name} {grade}" for name, grade in missed)
    without = f"the run has no lines for {counted(values['lost'], 'further topic')} with the same judgments"
    alt = (
        f"Topic 1 in trec_eval's order: {told}; relevant and not retrieved: {lacks or 'none'}"
        f"{f'; {without}' if values['lost'] else ''}."
    )
    drawn = two_topics(answer, missed, values["lost"], HIGHEST)
    return Drawing(drawn, "All topics and all relevant documents, in trec_eval's order", alt)


def steps_drawing(values: Mapping[str, Any]) -> Drawing:
    path = one_at_a_time(values, *both(values))
    axis = f"mean {measure_name(values['kind'], values['k'])} over topics"
    drawn = step_bars([name for name, _ in path], np.array([value for _, value in path]), axis)
    return Drawing(drawn, "From the first number to the second, one convention at a time", _path_words(path))


# -- words --------------------------------------------------------------------------------------


def _sentence(values: Mapping[str, Any], path: Sequence[tuple[str, float]], title: str) -> str:
    (first, before), (second, after) = path[0], path[-1]
    if len(path) == 2:
        who = f"{first} and {second} agree" if first != second else f"Both tools are {first} and agree"
        return f"{who} on this run: mean {title} is {number(before, 4)} by both."
    moves = [(abs(b[1] - a[1]), b[0]) for a, b in zip(path, path[1:-1], strict=False)]
    size = max(step for step, _ in moves)
    biggest = [f"“{name}”" for step, name in moves if step > size - 1e-12]
    if size < 1e-12:
        return (
            f"{first} and {second} use different conventions, but agree on this run: mean {title} is "
            f"{number(before, 4)}."
        )
    return (
        f"Mean {title} of this run is {number(before, 4)} by {first} and {number(after, 4)} by {second}; "
        f"{_largest(len(moves), len(biggest))} {listed(biggest, joiner='and')} ({number(size, 4)})."
    )


def _largest(steps: int, largest: int) -> str:
    """The beginning of a sentence about the largest of some steps."""
    if steps == 1:
        return "one convention differs:"
    return f"the largest of the {steps} steps between them {verb(largest, 'is', 'are')}"


def _path_words(path: Sequence[tuple[str, float]]) -> str:
    parts = [f"{path[0][0]} prints {number(path[0][1], 4)}"]
    parts += [f"{name} makes it {number(value, 4)}" for name, value in path[1:-1]]
    return "; ".join([*parts, f"{path[-1][0]} prints {number(path[-1][1], 4)}"]) + "."


def _claims(
    values: Mapping[str, Any], first: Conventions, second: Conventions, path: Sequence[tuple[str, float]]
) -> tuple[LabClaim, ...]:
    differing = first.differing(second, values["kind"])
    changed = PRESETS[values["second"]].conventions.differing(second, values["kind"])
    claims = [
        LabClaim(_step_words(name, a, b), "your own choice" if name in changed else PRESETS[values["second"]].source)
        for name, a, b in zip(differing, path, path[1:], strict=False)
    ]
    claims.append(LabClaim(tie_words(values, first), TIES_SOURCE))
    sides = ["first"] if changed or values["first"] == values["second"] else ["first", "second"]
    claims += [LabClaim(_preset_words(values, side), PRESETS[values[side]].source) for side in sides]
    if changed:
        claims.append(LabClaim(_mixture_words(values, second, changed), "your own choice"))
    return tuple(claims)


def _mixture_words(values: Mapping[str, Any], second: Conventions, changed: Sequence[str]) -> str:
    """What the second side is if a toggle overrides what the tool does: no tool, or another one."""
    ways = listed([f"“{CHOICES[name][0]}”" for name in changed], joiner="and")
    kind = values["kind"]
    same = [
        one.words for one in PRESETS.values() if kind in one.measures and not second.differing(one.conventions, kind)
    ]
    whose = (
        f"this is what {listed(same, joiner='and')} {verb(len(same), 'does', 'do')}"
        if same
        else "no tool here does that"
    )
    return f"The second number follows {PRESETS[values['second']].words} except for {ways}; {whose}."


def _step_words(name: str, before: tuple[str, float], after: tuple[str, float]) -> str:
    change = after[1] - before[1]
    if abs(change) < 1e-12:
        return f"{after[0]}: no change on this run."
    more = "more" if change > 0 else "less"
    return f"{after[0]}: {number(abs(change), 4)} {more}, {number(before[1], 4)} becomes {number(after[1], 4)}."


def _preset_words(values: Mapping[str, Any], side: str) -> str:
    one = PRESETS[values[side]]
    if values["kind"] in one.measures:
        name = measure_name(values["kind"], values["k"])
        return f"{one.words} computes {name} by these conventions.{SMALL_PRINT.get(values[side], '')}"
    known = listed(one.measures, joiner="and")
    return (
        f"{one.words} computes {known} here; the number shows what its conventions would give for "
        f"{measure_name(values['kind'], values['k'])}."
    )


def _grades_words(groups: TieGroups) -> str:
    return ", ".join("unjudged" if grade < 0 else str(grade) for group in groups for grade in group)


def _notes(values: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        "The documents of the example are named a, b, c … in the order of the file, so ascending identifiers are "
        "the order of the file. Steps are taken in the order of the list of conventions; in another order they may "
        "differ in size.",
    )


def _table(kind: str, first: Conventions, second: Conventions) -> pd.DataFrame:
    rows = [
        {
            "convention": words,
            "first": options[getattr(first, name)],
            "second": options[getattr(second, name)],
            "differs": "yes" if getattr(first, name) != getattr(second, name) else "",
        }
        for name, (words, options, kinds) in CHOICES.items()
        if kind in kinds
    ]
    return pd.DataFrame(rows)


def _formulas(kind: str, k: int, first: Conventions, second: Conventions) -> tuple[Formula, ...]:
    """The measure by the first tool, and the divisor of the second if it is another one."""
    found = []
    for side, one in (("", first), ("'", second)):
        if kind in ("AP", "AP@k") and (not side or second.base != first.base):
            divisor, source = AP_DIVISORS[one.base]
            tex = rf"\mathrm{{AP}}{side} = \frac{{1}}{{{divisor}}}\sum_n r[n]\,\frac1n\sum_{{m\le n}} r[m]"
            found.append(Formula(tex, _code(kind, k, one, "base"), source))
        elif kind == "nDCG@k" and (not side or second.ideal != first.ideal):
            tex = rf"\mathrm{{nDCG}}{side} = \mathrm{{DCG}}@k \,/\, \mathrm{{DCG}}(\text{{{_ideal(one)}}})"
            found.append(Formula(tex, _code(kind, k, one, "ideal"), IDEALS[one.ideal]))
        elif (kind in ("P@k", "ERR@k") and not side) or (kind == "ERR@k" and second.gmax != first.gmax):
            made = measure(expression_under(kind, k, one))
            found.append(Formula(made.formula, str(made), made.source))
    return tuple(found)


def _ideal(one: Conventions) -> str:
    return CHOICES["ideal"][1][one.ideal]


def _code(kind: str, k: int, one: Conventions, name: str) -> str:
    """The expression of irviz, and the convention that it does not have."""
    made, chosen = str(measure(expression_under(kind, k, one))), getattr(one, name)
    return made if chosen == getattr(Conventions(), name) else f"{made}, Conventions({name}={chosen!r})"
