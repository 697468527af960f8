"""Lab: conventions.  Two tools, one run, one measure, two numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from irviz.errors import join_words, verb
from irviz.labs.conventions.figures import FIGURES, run, step_drawing, tied_list
from irviz.labs.conventions.listing import Listing
from irviz.labs.conventions.model import CHOICES, PRESETS, PRINTED_KINDS, Conventions, expression_under
from irviz.labs.conventions.run import both, bounds_of, mean_score, measure_name, one_at_a_time, rule_scores
from irviz.labs.conventions.steps import STEPS, TIES_SOURCE
from irviz.labs.conventions.tied import ties_refused
from irviz.labs.goals import Challenge, Goal, Reading
from irviz.labs.lab import Grades, Lab, whole
from irviz.measures import measure
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Control
from irviz.workspace.page import Values
from irviz.workspace.panel import Formula, Panel, Table
from irviz.workspace.phrases import number
from irviz.workspace.view import View


def _toggle(name: str) -> Control:
    words, options, kinds = CHOICES[name]
    return Choice(
        name=name,
        label=words,
        default="",
        options=(("", "as the second tool"), *options.items()),
        shown_if=lambda values: values["kind"] in kinds,
        help="Overrides what the second tool does.",
        aside=name != "base",
    )


def _preset(name: str, label: str, default: str, words: str) -> Choice:
    return Choice(
        name=name,
        label=label,
        default=default,
        help=words,
        options=tuple((key, preset.words) for key, preset in PRESETS.items()),
    )


CONTROLS = (
    Choice(
        name="kind",
        label="Measure",
        default="AP",
        options=tuple(PRINTED_KINDS.items()),
        help="The measure that both tools compute.",
    ),
    whole("k", "k", 5, (1, 100), "The cutoff.", slider=False, shown_if=lambda values: values["kind"] != "AP"),
    _preset("first", "First tool", "trec_eval-c", "The tool whose number comes first."),
    _preset("second", "Second tool", "cwl_eval", "The tool whose number is compared with the first."),
    _toggle("base"),
    Grades(
        name="missed",
        label="Relevant documents missing from the list",
        default=(1, 2),
        top=3,
        least=0,
        help="Their grades; leave empty for none.",
        aside=True,
    ),
    *(_toggle(name) for name in CHOICES if name != "base"),
    Listing(
        name="list",
        label="The list",
        default=((1,), (0, -1, 2), (0,), (1, -1), (0,)),
        help="In the order of the file: 0 is not relevant, 1 to 3 are grades of relevant documents, and u is unjudged "
        "(?). Brackets are put around tied documents: 1,0,(u,2,0),1. trec_eval turns their order round.",
    ),
    whole(
        "lost",
        "Number of topics without a list",
        1,
        (0, 3),
        "Further topics, with the same judgments, for which the system returned no list.",
        aside=True,
    ),
)


def explore(context: Context | None, values: Values) -> Panel:
    """The steps from the first tool's number to the second's, and what ties leave open."""
    kind, k = values["kind"], values["k"]
    first, second = both(values)
    path = one_at_a_time(values, first, second)
    in_order = "In another order of the conventions the steps may differ."
    return Panel(
        sentence=_sentence(path, measure_name(kind, k)),
        drawings=(
            {"documents": tied_list(values, show_signs=True)},
            {"steps": step_drawing(values)},
            {"topics": run(values)},
        ),
        tables={"Conventions": Table(_table(kind, first, second), "One row per convention: what each side does.")},
        notes=(*_changes(path), *_claims(values, first, second), in_order),
        ways=(("Would my conclusion change?", View.from_texts("conclusion")),),
        formulas=_formulas(kind, k, first, second),
    )


# -- words --------------------------------------------------------------------------------------


def _sentence(path: Sequence[tuple[str, float]], title: str) -> str:
    (first, before), (second, after) = path[0], path[-1]
    if len(path) == 2:
        who = f"{first} and {second} agree" if first != second else f"Both tools are {first} and agree"
        return f"{who} on this run: mean {title} is {number(before, 4)} by both."
    if not _changes(path):
        agree = "use different conventions, but agree on this run"
        return f"{first} and {second} {agree}: mean {title} is {number(before, 4)}."
    return f"Mean {title} of this run is {number(before, 4)} by {first} and {number(after, 4)} by {second}."


def _changes(path: Sequence[tuple[str, float]]) -> list[str]:
    """How many conventions differ, and which of them changes the number most; none where the number stays."""
    moves = [(abs(b[1] - a[1]), b[0]) for a, b in zip(path, path[1:-1], strict=False)]
    size = max((step for step, _ in moves), default=0.0)
    if size < 1e-12:
        return []
    biggest, many = [f"“{name}”" for step, name in moves if step > size - 1e-12], len(moves)
    from_ = f"{many} conventions differ; the largest change comes from" if many > 1 else "One convention differs:"
    each = " each" if len(biggest) > 1 else ""
    return [f"{from_} {join_words(biggest, joiner='and')} ({number(size, 4)}{each})."]


def _claims(values: Values, first: Conventions, second: Conventions) -> list[str]:
    """Remarks on what is seen, each with its source."""
    changed = PRESETS[values["second"]].conventions.differing(second, values["kind"])
    claims = [f"{tie_words(values, first)} ({TIES_SOURCE}.)"]
    sides = ["first"] if changed or values["first"] == values["second"] else ["first", "second"]
    claims += [f"{_preset_words(values, side)} ({PRESETS[values[side]].source}.)" for side in sides]
    if changed:
        claims.append(f"{_mixture_words(values, second, changed)} (Your own choice.)")
    return claims


def tie_words(values: Values, conventions: Conventions) -> str:
    """How far apart the scores of all orders are, or why they are not computed."""
    if refusal := ties_refused(values["kind"], values["k"], conventions):
        return refusal
    low, middle, high = bounds_of(values, conventions)
    tied = sum(len(group) for group in values["list"] if len(group) > 1)
    if not tied:
        return "No two documents have the same score, so every tie rule gives the same number."
    if high - low < 1e-12:
        return f"{tied} documents tie, but the score is {number(low, 4)} in every order."
    rules = ", ".join(f"{number(value, 4)} with {name}" for name, value in rule_scores(values, conventions))
    return (
        f"{tied} documents tie. Over all their orders the score lies between {number(low, 4)} and {number(high, 4)}, "
        f"{number(middle, 4)} on average; it is {rules}."
    )


def _mixture_words(values: Values, second: Conventions, changed_names: Sequence[str]) -> str:
    """The tool of the second side if a toggle overrides a convention: none, or another one."""
    ways = join_words([f"“{CHOICES[name][0]}”" for name in changed_names], joiner="and")
    kind = values["kind"]
    same = [
        preset.words
        for preset in PRESETS.values()
        if kind in preset.measures and not second.differing(preset.conventions, kind)
    ]
    whose = (
        f"this is what {join_words(same, joiner='and')} {verb(len(same), 'does', 'do')}"
        if same
        else "no tool here does that"
    )
    return f"The second number follows {PRESETS[values['second']].words} except for {ways}; {whose}."


def _preset_words(values: Values, side: str) -> str:
    preset = PRESETS[values[side]]
    if values["kind"] in preset.measures:
        name = measure_name(values["kind"], values["k"])
        return f"{preset.words} computes {name} by these conventions. {preset.small_print}".rstrip()
    known = join_words(preset.measures, joiner="and")
    return (
        f"{preset.words} computes {known} here; the number shows what its conventions would give for "
        f"{measure_name(values['kind'], values['k'])}."
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


def _formulas(kind: str, k: int, *sides: Conventions) -> tuple[Formula, ...]:
    """The measure in the expressions of irviz; its divisor, ideal list and ties are in the table of conventions."""
    measures = (measure(expression_under(kind, k, conventions)) for conventions in sides)
    return tuple(dict.fromkeys(Formula(parsed.formula, str(parsed), parsed.source) for parsed in measures))


def readings(values: Values) -> dict[str, Reading]:
    """Both numbers, how many conventions differ, and what ties leave open."""
    first, second = both(values)
    score, other = mean_score(values, first), mean_score(values, second)
    by_name: dict[str, Reading] = {
        "first number": score,
        "second number": other,
        "difference": other - score,
        "conventions that differ": len(first.differing(second, values["kind"])),
        "topics without an answer": values["lost"],
    }
    if not ties_refused(values["kind"], values["k"], first):
        low, middle, high = bounds_of(values, first)
        by_name |= {"lowest": low, "expected": middle, "highest": high, "left open by ties": high - low}
    return by_name


SAME_TOOL = {"second": "trec_eval-c"}
CHALLENGES = (
    Challenge(
        title="You get a mean AP of 0.2429 for this run and a colleague reports 0.8095. Which conventions did they "
        "use?",
        goal=Goal.read("first number = 0.2429; second number = 0.8095"),
        hint="Two conventions differ. Which tool leaves out topics without a list, and what is AP divided by?",
        start=SAME_TOOL,
        solution={"second": "trec_eval", "base": "retrieved"},
    ),
    Challenge(
        title="Change one convention only, so that the mean AP changes by more than 0.15.",
        goal=Goal.read("conventions that differ = 1; difference > 0.15"),
        hint="The list lacks relevant documents. Which convention decides whether they count?",
        start=SAME_TOOL,
        solution={"base": "retrieved"},
    ),
    Challenge(
        title="Tie documents of this list until AP varies by more than 0.5 with the order of tied documents.",
        controls=("list",),
        goal=Goal.read("left open by ties > 0.5"),
        hint="Click a sign > below the list to tie two documents. AP moves most where relevant documents can be first "
        "or last.",
        figure="tie_range",
        start={**SAME_TOOL, "missed": ""},
        solution={"list": "(1,0,u,2,0,1,u,0)"},
    ),
)


class ConventionsLab(Lab):
    """The lab, whose switches say what "as the second tool" means."""

    def controls_for(self, texts: Mapping[str, str]) -> tuple[Control, ...]:
        """The controls at a place; the first option of each switch names what the second tool does."""
        controls: dict[str, Any] = {control.name: control for control in super().controls_for(texts)}
        preset = PRESETS.get(texts.get("second", controls["second"].default), PRESETS["trec_eval-c"])
        for name, (_, options, _) in CHOICES.items():
            words = f"{options[getattr(preset.conventions, name)]} (as {preset.words})"
            controls[name] = replace(controls[name], options=(("", words), *options.items()))
        return tuple(controls.values())


LAB = ConventionsLab(
    name="lab_conventions",
    title="Lab: conventions",
    question="Two tools, one run, one measure, two numbers: which convention makes the difference?",
    own=CONTROLS,
    explore=explore,
    readings=readings,
    figures=FIGURES,
    steps=STEPS,
    challenges=CHALLENGES,
    wording={
        "first number": "The first tool's number",
        "second number": "The second tool's number",
        "difference": "The second number minus the first",
        "conventions that differ": "The number of conventions that differ",
        "left open by ties": "The highest AP of all orders minus the lowest",
    },
    rows=2,
)
