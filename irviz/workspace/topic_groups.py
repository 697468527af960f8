"""Groups of topics: those that were loaded, and those that identifiers and judgments make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.collection.names import natural_order
from irviz.errors import number_of
from irviz.stats.scores import Scores
from irviz.workspace.cache import compute_once
from irviz.workspace.control import Choice, Names

LOADED, PREFIX, JUDGED = "loaded", "prefix", "judged"
_FIRST = range(1, 5)  #: how many first characters of identifiers are looked at
_END = re.compile(r"[^0-9A-Za-z]+[0-9A-Za-z]*$")  #: the last separator of an identifier, and what follows it
_WORDS = {LOADED: "as loaded", PREFIX: "identifier before its last separator", JUDGED: "number of judged documents"} | {
    f"first{k}": f"first {number_of(k, 'character')} of the identifier" for k in _FIRST
}
GROUPS, GROUP, INDEPENDENT = "groups", "group", "independent"


def groupings(data: Collection | Scores) -> dict[str, dict[str, str]]:
    """Topic → group, by way to group them: those with several groups and, if not loaded, two topics a group or more."""
    ways = {LOADED: dict(data.groups), PREFIX: {topic: _END.sub("", topic) for topic in data.topics}}
    ways |= {f"first{k}": {topic: topic[:k] for topic in data.topics} for k in _FIRST}
    if isinstance(data, Collection):
        ways[JUDGED] = dict(zip(data.topics, _thirds(data.labels.counts), strict=True))
    kept: dict[bytes, str] = {}
    for way, groups in ways.items():
        several = len(set(groups.values()))
        if several > 1 and (way == LOADED or 2 * several <= len(groups)):
            kept.setdefault(pd.factorize(np.array(list(groups.values()), dtype=object))[0].tobytes(), way)
    return {way: ways[way] for way in kept.values()}


def _thirds(counts: Any) -> Sequence[str]:
    """By topic, the smallest and the largest number of judged documents in its third of the topics."""
    third = np.searchsorted(np.sort(counts)[[len(counts) // 3, 2 * len(counts) // 3]], counts, side="right")
    ends = {i: (counts[third == i].min(), counts[third == i].max()) for i in set(third.tolist())}
    return ["{}–{}".format(*ends[i]) for i in third.tolist()]


def _ways(opened: Any) -> dict[str, Any]:
    ways = compute_once(groupings, opened.data)
    labels = [(way, f"{_WORDS[way]} ({len(set(groups.values()))})") for way, groups in ways.items()]
    return {
        "options": (("", "none"), *labels),
        "default": LOADED if LOADED in ways else "",
        "shown_if": lambda values: bool(ways),
    }


def _members(opened: Any) -> dict[str, Any]:
    ways = compute_once(groupings, opened.data)
    names = [(way, group) for way, groups in ways.items() for group in natural_order(dict.fromkeys(groups.values()))]
    return {
        "options": tuple(f"{way}:{group}" for way, group in names),
        "option_labels": tuple((f"{way}:{group}", f"{group} ({_WORDS[way]})") for way, group in names),
        "shown_if": lambda values: bool(ways) and not values["topics"],
    }


def topics_of(data: Collection | Scores, chosen: Sequence[str]) -> tuple[str, ...]:
    """The topics of the chosen groups, each `way:group`."""
    ways = compute_once(groupings, data)
    kept = {
        topic
        for way, _, group in (one.partition(":") for one in chosen)
        for topic, own in ways[way].items()
        if own == group
    }
    return tuple(topic for topic in data.topics if topic in kept)


TOPIC_GROUPS = (
    Names(
        name=GROUP,
        label="Only these groups of topics",
        help="Topics of these groups only. Leave empty for all.",
        from_context=_members,
    ),
    Choice(
        name=GROUPS,
        label="Groups of topics",
        help="The sidebar filters by group; Conclusion shows in which groups a difference turns. A file with a topic "
        "and its group a line can be loaded with the data.",
        from_context=_ways,
    ),
    Choice(
        name=INDEPENDENT,
        label="Independent",
        few=True,
        default="topics",
        options=(("topics", "topics"), ("groups", "groups")),
        help="If topics of a group belong together, such as turns of a conversation, tests draw and exchange whole "
        "groups.",
        shown_if=lambda values: bool(values[GROUPS]),
    ),
)
