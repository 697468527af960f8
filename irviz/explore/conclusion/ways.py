"""One world in words, and as a view of the page *Scores*."""

from __future__ import annotations

from typing import Any

import numpy as np

from irviz.conclusions import Conclusion
from irviz.conclusions.choices.dimensions import Average, average
from irviz.conclusions.comparing.columns import Column
from irviz.conclusions.telling.words import choice_words, surely_words, verdict_words
from irviz.errors import listed
from irviz.links.text import join_names
from irviz.links.view import View
from irviz.workspace.context import Context


def world_words(r: Conclusion, row: int) -> str:
    """The name of a world: its choices on the dimensions on which worlds differ."""
    options = [(name, r.worlds.options[name][r.worlds.code(name)[row]]) for name in r.worlds.varying]
    return ", ".join(choice_words(name, option) for name, option in options) or "the only one"


def verdict_of(r: Conclusion, row: int) -> str:
    """The verdict of a world on the claim."""
    return f"{verdict_words(r, row)} {surely_words(r, row)}"


def to_scores(context: Context, r: Conclusion, row: int) -> tuple[tuple[str, View], ...]:
    """The link to this world on *Scores*, as far as that page has its choices."""
    option = {name: r.worlds.options[name][r.worlds.code(name)[row]] for name in r.worlds.options}
    how: Average = average(str(option["average"]))
    texts = {"collection": context.opened.key, "measures": ",".join(context.measures)}
    if context.opened.imported is not None:
        texts["measures"] = join_names(context.measures)
    if context.systems != context.opened.systems:
        texts["only"] = join_names(context.systems)
    if how.how != "mean":
        texts["summary"] = how.how
    topics = _topics(context, r, option)
    if topics != context.opened.topics:
        texts["topics"] = join_names(topics)
    if context.opened.collection is not None:
        if option["depth"] != context.opened.depth:
            texts["depth"] = str(option["depth"])
        if option["ties"] in context.opened.rules and option["ties"] != "trec_eval":
            texts["ties"] = str(option["ties"])
    texts["measure"] = str(option["measure"])
    texts["highlight"] = join_names(r.claim.names)
    beyond = _beyond_scores(option, how)
    told = f", except {listed(beyond, joiner='and')}" if beyond else ""
    return ((f"Open world {r.worlds.numbers[row]} on Scores{told}", View.of("scores", **texts)),)


def _beyond_scores(option: dict[str, Any], how: Average) -> list[str]:
    """The choices of a world that *Scores* does not have."""
    found = ["standardising"] if how.standardised else []
    if option["unjudged"] == "condensed":
        found.append("leaving out unjudged documents")
    if option["missing"] == "left_out":
        found.append("leaving out topics that a run lacks")
    return found


def _topics(context: Context, r: Conclusion, option: dict[str, Any]) -> tuple[str, ...]:
    """The topics of a world."""
    if option["topics"] == "random_half":
        half = r.worlds.random_half(context.topics)
        return tuple(topic for topic, inside in zip(context.topics, half, strict=True) if inside)
    if option["topics"] == "without_hardest_tenth":
        values = context.scores([str(option["measure"])]).values[0]
        easier = Column(values, context.topics, np.ones(values.shape, dtype=bool)).easier
        return tuple(topic for topic, inside in zip(context.topics, easier, strict=True) if inside)
    return context.topics
