"""What can be chosen on the page on topics: two systems, what sorts the topics, one topic, where documents are read."""

from __future__ import annotations

from dataclasses import dataclass, replace

from irviz.collection.beside.document_links import checked_pattern
from irviz.explore.topics.sorting import SORTS
from irviz.links.control import Choice, Number, Typed, one_measure, one_system

TOP_OF_SORT = ""  #: the value of the topic that the sort puts first


@dataclass(frozen=True, kw_only=True)
class Address(Typed):
    """Where a document can be read, such as ``https://example.org/{docid}``; "" for nowhere."""

    default: str = ""

    def check(self, value: str) -> str:
        return checked_pattern(value) if value else value


CONTROLS = (
    one_measure("measure", "Measure"),
    one_system(0),
    one_system(1, how=", or click a system in the figure of one topic"),
    Choice(
        name="sort",
        label="Topics on which",
        default="best",
        options=(
            ("best", "A falls short of the best"),
            ("median", "A falls short of the median"),
            ("b", "A falls short of B"),
            ("apart", "two measures disagree"),
            ("carry", "A − B adds most to the mean"),
        ),
        help="Which topics come first. " + "; ".join(f"{text}" for text in SORTS.values()) + ".",
    ),
    replace(
        one_measure("other", "Second measure", 1, help="Compared with the first, topic by topic."),
        shown_if=lambda values: values["sort"] == "apart",
    ),
    Choice(
        name="topic",
        label="Topic",
        default=TOP_OF_SORT,
        help="Or click a topic in the figure.",
        from_context=lambda context: {
            "options": ((TOP_OF_SORT, "the first in the figure"), *((topic, topic) for topic in context.topics))
        },
    ),
    Number(
        name="ranks",
        label="Ranks shown",
        help="The number of ranks of the two lists.",
        whole=True,
        step=5,
        default=20,
        slider=False,
        from_context=lambda context: {"low": 1, "high": min(100, context.depth), "default": min(20, context.depth)},
        aside=True,
    ),
    Address(
        name="docs",
        label="Address of a document",
        help="Where documents can be read, outside irviz: https://example.org/{docid}. The table of lists then links "
        "each document; irviz itself fetches nothing.",
        empty="none",
        aside=True,
    ),
)
