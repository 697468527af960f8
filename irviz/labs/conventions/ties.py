"""What ties leave open on the lab's run: lowest, mean and highest score over all orders of tied documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from irviz.labs.conventions.figures import tie_range
from irviz.labs.conventions.listing import group_numbers, listed_collection, ordered
from irviz.labs.conventions.model import Conventions
from irviz.labs.conventions.tied import TieBounds, tie_bounds
from irviz.labs.conventions.tools import SYSTEM, mean_score, measure_name
from irviz.labs.conventions.yours import ties_refused
from irviz.workspace.panel import Drawing
from irviz.workspace.phrases import number

TIES_SOURCE = (
    "McSherry & Najork, ECIR 2008 (the mean over all orders of tied documents); Cabanac, Hubert, Boughanem & "
    "Chrisment, CLEF 2010 (trec_eval's tie rule)"
)


def toy_bounds(values: Mapping[str, Any], conventions: Conventions) -> TieBounds:
    """Lowest, expected and highest score of the answered topic over all orders of tied documents."""
    groups = values["list"]
    order = ordered(groups, "trec_eval")
    collection = listed_collection(groups, values["missed"], 0, {SYSTEM: order})
    return tie_bounds(collection, group_numbers(groups, order, 0), values["kind"], values["k"], conventions)


def ties_drawing(values: Mapping[str, Any], conventions: Conventions) -> dict[str, Drawing]:
    """The range that ties leave open; nothing if it is not computed."""
    if ties_refused(values["kind"], values["k"], conventions):
        return {}
    found = toy_bounds(values, conventions)
    title = f"{measure_name(values['kind'], values['k'])} of the answered topic"
    low, middle, high = (float(x[0, 0]) for x in (found.lowest, found.expected, found.highest))
    drawn = tie_range(low, middle, high, rule_scores(values, conventions), title)
    words = tie_words(values, conventions)
    return {"ties": Drawing(drawn, "What ties leave open: lowest, expected and highest", words)}


def rule_scores(values: Mapping[str, Any], conventions: Conventions) -> list[tuple[str, float]]:
    """The score of the answered topic by every tie rule."""
    rules = {"trec_eval": "id descending", "trec_eval_ascending": "id ascending, as in the file"}
    alone = {**values, "lost": 0}
    return [(words, mean_score(alone, replace(conventions, ties=rule))) for rule, words in rules.items()]


def tie_words(values: Mapping[str, Any], conventions: Conventions) -> str:
    """How far apart the scores of all orders are, or why they are not computed."""
    if refusal := ties_refused(values["kind"], values["k"], conventions):
        return refusal
    found = toy_bounds(values, conventions)
    low, middle, high = (float(x[0, 0]) for x in (found.lowest, found.expected, found.highest))
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
