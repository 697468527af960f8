"""The lab's run by two tools: their numbers, what lies between them, what ties leave open; numbers of the steps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from irviz.errors import number_of
from irviz.labs.conventions.listing import group_numbers, in_printed_order, listed_collection, missing, order_by_rule
from irviz.labs.conventions.model import CHOICES, PRESETS, Conventions, outcome_under
from irviz.labs.conventions.tied import tie_bounds
from irviz.labs.step import direction
from irviz.workspace.page import Values
from irviz.workspace.phrases import change_words, number

#: the tie rules whose scores are marked
RULES = {"trec_eval": "names from z to a", "trec_eval_ascending": "names from a to z, as in the file"}
#: what a tool does with one convention changed, by convention and option
EFFECT_WORDS = {
    ("base", "judged"): "dividing by all relevant documents",
    ("base", "retrieved"): "dividing by documents found",
    ("missing", "zero"): "counting topics without a list as 0",
    ("missing", "skip"): "without topics that have no list",
    ("unjudged", "nonrelevant"): "counting unjudged documents as not relevant",
    ("unjudged", "removed"): "without unjudged documents",
    ("rel", "1"): "relevant from grade 1",
    ("rel", "2"): "relevant from grade 2",
    ("rel", "3"): "relevant from grade 3",
}


def both(values: Values) -> tuple[Conventions, Conventions]:
    """The conventions of the first tool, and those of the second with what the switches override."""
    second = PRESETS[values["second"]].conventions
    changed = {name: values[name] for name in CHOICES if values[name]}
    return PRESETS[values["first"]].conventions, replace(second, **changed)


def measure_name(kind: str, k: int) -> str:
    """The measure with its cutoff in place of k."""
    return kind.replace("@k", f"@{k}")


def score_name(values: Values) -> str:
    """The measure whose number is printed: a mean, if there are several topics."""
    name = measure_name(values["kind"], values["k"])
    return f"mean {name}" if values["lost"] else name


def mean_score(values: Values, conventions: Conventions) -> float:
    """The run's mean over the topics that count."""
    groups = values["list"]
    order = order_by_rule(groups, conventions.ties)
    collection = listed_collection(groups, values["missed"], values["lost"], order)
    return float(outcome_under(collection, values["kind"], values["k"], conventions).means[0])


def one_at_a_time(values: Values, first: Conventions, second: Conventions) -> list[tuple[str, float]]:
    """The first number, then one more convention of the second side per step, then the second number."""
    path = [(tool(values, "first"), mean_score(values, first))]
    now = first
    for name in first.differing(second, values["kind"]):
        now = replace(now, **{name: getattr(second, name)})
        path.append((f"{CHOICES[name][0]}: {CHOICES[name][1][getattr(second, name)]}", mean_score(values, now)))
    return [*path, (tool(values, "second"), mean_score(values, second))]


def tool(values: Values, side: str) -> str:
    """The name of a tool; that of the second one says what a switch overrides."""
    preset, conventions = PRESETS[values[side]], both(values)[side == "second"]
    changed = preset.conventions.differing(conventions, values["kind"])
    if not changed:
        return preset.words
    if len(changed) > 1:
        return f"{preset.words}, changed"
    (name,) = changed
    option = getattr(conventions, name)
    words = EFFECT_WORDS.get((name, option), f"with {CHOICES[name][0]}: {CHOICES[name][1][option]}")
    return words[0].upper() + words[1:] if values["first"] == values["second"] else f"{preset.words}, {words}"


# -- ties ------------------------------------------------------------------------------------------


def bounds_of(values: Values, conventions: Conventions) -> tuple[float, float, float]:
    """Lowest, expected and highest score of the answered topic over all orders of tied documents."""
    groups = values["list"]
    order = order_by_rule(groups, "trec_eval")
    collection = listed_collection(groups, values["missed"], 0, order)
    bounds = tie_bounds(collection, group_numbers(groups, order), values["kind"], values["k"], conventions)
    return float(bounds.lowest[0, 0]), float(bounds.expectation[0, 0]), float(bounds.highest[0, 0])


def rule_scores(values: Values, conventions: Conventions) -> list[tuple[str, float]]:
    """The score of the answered topic by every tie rule."""
    alone = {**values, "lost": 0}
    return [(words, mean_score(alone, replace(conventions, ties=rule))) for rule, words in RULES.items()]


# -- AP by hand --------------------------------------------------------------------------------------


def hits(documents: list[tuple[str, int]]) -> list[int]:
    """The ranks of the relevant documents."""
    return [rank for rank, (_, grade) in enumerate(documents, start=1) if grade > 0]


def ap_of(documents: list[tuple[str, int]], relevant: int) -> float:
    """AP of one order: the precision at every relevant document, divided by the number of relevant documents."""
    return sum(n / rank for n, rank in enumerate(hits(documents), start=1)) / max(1, relevant)


def of_topic(values: Values) -> dict[str, Any]:
    """One topic by hand."""
    documents = in_printed_order(values["list"])
    ranks = hits(documents)
    relevant = len(ranks) + len(missing(values["list"], values["missed"]))
    return {
        "AP": mean_score({**values, "lost": 0}, PRESETS["trec_eval-c"].conventions),
        "sum": " + ".join(f"{n}/{rank}" for n, rank in enumerate(ranks, start=1)) or "0",
        "relevant": relevant,
        "found": len(ranks),
        "by found": ap_of(documents, len(ranks)),
        "precision": len(ranks) / len(documents),
    }


def of_switch(values: Values) -> dict[str, Any]:
    """Both numbers where one convention differs."""
    before, after = (mean_score(values, side) for side in both(values))
    topic, removed = of_topic(values), sum(grade < 0 for group in values["list"] for grade in group)
    retrieved, relevant = topic["found"], topic["relevant"]
    divided = (
        f"the sum is divided by {retrieved} instead of {relevant}" if retrieved else "the list has no relevant document"
    )
    return {
        **topic,
        "before": before,
        "after": after,
        "direction": (direction(before, after),),
        "moves": change_words(before, after, 4),
        "divided": divided,
        "topics": values["lost"] + 1,
        "removed": f"{number_of(removed, 'document')} left the list" if removed else "No document left the list",
    }


def of_ties(values: Values) -> dict[str, Any]:
    """How far apart two orders of tied documents can be."""
    low, middle, high = bounds_of(values, PRESETS["trec_eval-c"].conventions)
    rules = rule_scores(values, PRESETS["trec_eval-c"].conventions)
    answer = "a" if high - low < 1e-9 else "b" if high - low <= 0.05 else "c"
    worst, best = (number(score, 4) for score in (low, high))
    differs = f"Yes, from {worst} with the worst order to {best} with the best"
    return {
        "depends": differs if worst != best else f"No, it is {worst} in every order",
        "low": low,
        "middle": middle,
        "high": high,
        "range": (answer,),
        "by trec_eval": rules[0][1],
        "by file": rules[1][1],
    }
