"""Lab: conventions.  Two tools, one run, one measure, two numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from irviz.analysis.conventions import CHOICES, MEASURES, PRESETS, Conventions, evaluate, expression
from irviz.analysis.tied import TieBounds, tie_bounds
from irviz.errors import IrvizError, listed
from irviz.figures.lab_conventions import judged_list, steps, tie_range
from irviz.measures import measure
from irviz.views.context import Context
from irviz.views.control import Choice, Control, Number
from irviz.views.lab import YOURS, Claim, Formula, Grades, Lab, number, on_yours
from irviz.views.lab_listing import Groups, Listing, bumped, group_numbers, listed_collection, names, ordered
from irviz.views.lab_on_conventions import conventions_on
from irviz.views.panel import Drawing, Table

TITLE = "Lab: conventions"
QUESTION = "Two tools, one run, one measure, two numbers: which convention makes the difference?"
TIES_SOURCE = "McSherry & Najork 2008 (scores under ties); Cabanac, Hubert, Boughanem & Chrisment 2010 (tie rules)"
SYSTEM = "run"


def _toggle(name: str) -> Control:
    words, options, kinds = CHOICES[name]
    return Choice(
        name=name, label=words, default="", options=(("", "as the second tool"), *options.items()),
        shown_if=lambda values: values["kind"] in kinds,
        help="Overrides what the second tool does.",
    )  # fmt: skip


def _preset(name: str, label: str, default: str, words: str) -> Choice:
    return Choice(
        name=name,
        label=label,
        default=default,
        help=words,
        options=tuple((key, one.words) for key, one in PRESETS.items()),
    )


CONTROLS = (
    Choice(name="kind", label="Measure", default="AP", options=tuple(MEASURES.items()), help="What both tools print."),
    Number(name="k", label="k", default=5, low=1, high=100, step=1, whole=True, slider=False, help="The cutoff.",
        shown_if=lambda values: values["kind"] != "AP"),
    _preset("first", "First tool", "trec_eval-c", "Whose number comes first."),
    _preset("second", "Second tool", "cwl_eval", "Whose number is compared with it."),
    *(_toggle(name) for name in CHOICES),
    Listing(
        name="list", label="The list", default=((1,), (0, -1, 2), (0,), (1, -1), (0,)),
        help="Grades 0 to 3, u for unjudged, brackets around documents of the same score: 1,0,(u,2,0),1. "
        "Or click a document.",
    ),
    Grades(
        name="missed", label="Relevant documents the list lacks", default=(1, 2), top=3, least=0,
        help="Their grades; leave empty for none.",
    ),
    Number(
        name="lost", label="Topics without an answer", default=1, low=0, high=3, step=1, whole=True,
        help="Further topics, with the same judgments, for which the run holds no line.",
    ),
    Choice(
        name="system", label="System to explain topic by topic", shown_if=lambda values: values[YOURS.name],
        offers=lambda context: {"options": tuple((s, s) for s in context.systems) if context else ()},
        help="On your collection: whose topics are listed.",
    ),
    YOURS,
)  # fmt: skip


def panel(context: Context | None, values: Mapping[str, Any]) -> Lab:
    """The steps from the first tool's number to the second's, and what ties leave open."""
    kind, k, groups = values["kind"], values["k"], values["list"]
    first, second = both(values)
    path = walk(values, first, second)
    title = measure_name(kind, k)
    return Lab(
        sentence=_sentence(values, path, title),
        drawings=(
            {
                "documents": Drawing(
                    judged_list(groups, names(groups), 3, bumped(groups, 3)),
                    "The list; click a document to change its grade",
                    f"Documents {', '.join(names(groups))} with grades {_grades_words(groups)}.",
                    picks=("list",),
                )
            },
            {
                "steps": Drawing(
                    steps(
                        [name for name, _ in path], np.array([value for _, value in path]), f"mean {title} over topics"
                    ),
                    "From the first number to the second, one convention at a time",
                    _path_words(path),
                ),
            },
            *([ties] if (ties := _ties(values, first)) else []),
        ),
        tables={"Conventions": Table(_table(kind, first, second), "One row a convention: what each side does.")},
        notes=_notes(values),
        how="Choose two tools, override one convention at a time, or change the list.",
        formulas=_formulas(kind, k, first, second),
        claims=_claims(values, first, second, path),
        yours=on_yours(context, values, lambda opened: conventions_on(opened, values, first, second)),
    )


def both(values: Mapping[str, Any]) -> tuple[Conventions, Conventions]:
    """The conventions of the first tool, and those of the second with what the toggles override."""
    second = PRESETS[values["second"]].conventions
    changed = {name: values[name] for name in CHOICES if values[name]}
    return PRESETS[values["first"]].conventions, replace(second, **changed)


def measure_name(kind: str, k: int) -> str:
    return kind.replace("@k", f"@{k}")


def mean_score(values: Mapping[str, Any], conventions: Conventions) -> float:
    """The run's mean over the topics that count."""
    groups = values["list"]
    order = ordered(groups, conventions.ties)
    collection = listed_collection(groups, values["missed"], values["lost"], {SYSTEM: order})
    return float(evaluate(collection, values["kind"], values["k"], conventions).means[0])


def walk(values: Mapping[str, Any], first: Conventions, second: Conventions) -> list[tuple[str, float]]:
    """The first number, then one convention more of the second side a step, then the second number."""
    path = [(_tool(values, "first"), mean_score(values, first))]
    now = first
    for name in first.differing(second, values["kind"]):
        now = replace(now, **{name: getattr(second, name)})
        path.append((f"{CHOICES[name][0]}: {CHOICES[name][1][getattr(second, name)]}", mean_score(values, now)))
    return [*path, (_tool(values, "second"), mean_score(values, second))]


def _tool(values: Mapping[str, Any], side: str) -> str:
    words = PRESETS[values[side]].words
    changed = side == "second" and any(values[name] for name in CHOICES if values["kind"] in CHOICES[name][2])
    return f"{words}, changed" if changed else words


# -- ties --------------------------------------------------------------------------------------


def toy_bounds(values: Mapping[str, Any], conventions: Conventions) -> TieBounds:
    """Lowest, expected and highest score of the answered topic over all orders of tied documents."""
    groups = values["list"]
    order = ordered(groups, "trec_eval")
    collection = listed_collection(groups, values["missed"], 0, {SYSTEM: order})
    return tie_bounds(collection, group_numbers(groups, order, 0), values["kind"], values["k"], conventions)


def _ties(values: Mapping[str, Any], conventions: Conventions) -> dict[str, Drawing]:
    """The range that ties leave open; nothing where it is not known."""
    try:
        found = toy_bounds(values, conventions)
    except IrvizError:
        return {}
    title = f"{measure_name(values['kind'], values['k'])} of the answered topic"
    low, middle, high = (float(x[0, 0]) for x in (found.lowest, found.expected, found.highest))
    drawn = tie_range(low, middle, high, rule_scores(values, conventions), title)
    words = _tie_words(values, conventions)
    return {"ties": Drawing(drawn, "What ties leave open: lowest, expected and highest", words)}


def rule_scores(values: Mapping[str, Any], conventions: Conventions) -> list[tuple[str, float]]:
    """What every tie rule makes of the answered topic."""
    rules = {"trec_eval": "id descending", "trec_eval_ascending": "id ascending, and the file"}
    alone = {**values, "lost": 0}
    return [(words, mean_score(alone, replace(conventions, ties=rule))) for rule, words in rules.items()]


def _tie_words(values: Mapping[str, Any], conventions: Conventions) -> str:
    try:
        found = toy_bounds(values, conventions)
    except IrvizError as error:
        return str(error)
    low, middle, high = (float(x[0, 0]) for x in (found.lowest, found.expected, found.highest))
    tied = sum(len(group) for group in values["list"] if len(group) > 1)
    if not tied:
        return "No two documents have the same score, so every tie rule gives the same number."
    if high - low < 1e-12:
        return f"{tied} documents tie, but in whatever order, the score is {number(low, 4)}."
    rules = ", ".join(f"{number(value, 4)} with {name}" for name, value in rule_scores(values, conventions))
    return (
        f"{tied} documents tie. Over all their orders the score lies between {number(low, 4)} and {number(high, 4)}, "
        f"{number(middle, 4)} on average; it is {rules}."
    )


# -- words --------------------------------------------------------------------------------------


def _sentence(values: Mapping[str, Any], path: Sequence[tuple[str, float]], title: str) -> str:
    (first, before), (second, after) = path[0], path[-1]
    if len(path) == 2:
        return f"{first} and {second} agree on this run: mean {title} is {number(before, 4)} by both."
    moves = [(abs(b[1] - a[1]), b[0]) for a, b in zip(path, path[1:-1], strict=False)]
    biggest = max(moves)
    if biggest[0] < 1e-12:
        return f"{first} and {second} do not do the same, but on this run it makes no difference: {number(before, 4)}."
    return (
        f"Mean {title} of this run is {number(before, 4)} by {first} and {number(after, 4)} by {second}; most of it "
        f"comes from one convention ({biggest[1]}: {number(biggest[0], 4)})."
    )


def _path_words(path: Sequence[tuple[str, float]]) -> str:
    parts = [f"{path[0][0]} prints {number(path[0][1], 4)}"]
    parts += [f"{name} makes it {number(value, 4)}" for name, value in path[1:-1]]
    return "; ".join([*parts, f"{path[-1][0]} prints {number(path[-1][1], 4)}"]) + "."


def _claims(
    values: Mapping[str, Any], first: Conventions, second: Conventions, path: Sequence[tuple[str, float]]
) -> tuple[Claim, ...]:
    differing = first.differing(second, values["kind"])
    claims = [
        Claim(_step_words(name, a, b), _source(values, name))
        for name, a, b in zip(differing, path, path[1:], strict=False)
    ]
    claims.append(Claim(_tie_words(values, first), TIES_SOURCE))
    for side in ("first", "second"):
        one = PRESETS[values[side]]
        claims.append(Claim(_preset_words(values, side), one.source))
    return tuple(claims)


def _step_words(name: str, before: tuple[str, float], after: tuple[str, float]) -> str:
    change = after[1] - before[1]
    if abs(change) < 1e-12:
        return f"{after[0]}: no change on this run."
    more = "more" if change > 0 else "less"
    return f"{after[0]}: {number(abs(change), 4)} {more}, {number(before[1], 4)} becomes {number(after[1], 4)}."


def _source(values: Mapping[str, Any], name: str) -> str:
    return "your own choice" if values[name] else PRESETS[values["second"]].source


def _preset_words(values: Mapping[str, Any], side: str) -> str:
    one = PRESETS[values[side]]
    if values["kind"] in one.measures:
        return f"{one.words} computes {measure_name(values['kind'], values['k'])} by these conventions."
    known = listed(one.measures, joiner="and")
    return (
        f"{one.words} stands for {known} only; the number here is what its conventions would make of {values['kind']}."
    )


def _grades_words(groups: Groups) -> str:
    return ", ".join("unjudged" if grade < 0 else str(grade) for group in groups for grade in group)


def _notes(values: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        "The documents of the example are called a, b, c … in the order of the file, so ascending identifiers are "
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
    one = measure(expression(kind, k, first))
    found = [Formula(one.formula, str(one), one.source)]
    if kind in ("AP", "AP@k") and second.base != first.base:
        base = {"retrieved": r"\sum_n r[n]", "cutoff": r"\min(k, \mathrm{RB})", "judged": r"\mathrm{RB}"}[second.base]
        found.append(
            Formula(
                rf"\mathrm{{AP}}' = \frac{{1}}{{{base}}}\sum_n r[n]\,\frac1n\sum_{{m\le n}} r[m]",
                f"Conventions(base={second.base!r})",
                "Harman 1992 (relevant retrieved); trec_eval (all relevant)",
            )
        )
    if kind == "nDCG@k" and second.ideal != first.ideal:
        found.append(
            Formula(
                r"\mathrm{nDCG}' = \mathrm{DCG}@k \,/\, \mathrm{DCG}(\text{ideal list})",
                f"Conventions(ideal={second.ideal!r})",
                "Järvelin and Kekäläinen 2002",
            )
        )
    return tuple(found)
