"""Texts of topics, fitted to the topics of a collection."""

from __future__ import annotations

from collections.abc import Mapping

from irviz.collection.model import Collection, Finding
from irviz.collection.reading.sources import Source, single
from irviz.collection.reading.topics import LONGEST_TEXT, parse_topics
from irviz.collection.reading.unpack import DEFAULT_LIMITS, Limits
from irviz.errors import IrvizError, listed, verb


def read_topics(topics: Source | Mapping[str, str] | None, limits: Limits = DEFAULT_LIMITS) -> dict[str, str]:
    """Texts by topic: a file's, or those of a mapping as it is."""
    if topics is None:
        return {}
    if isinstance(topics, Mapping):
        for topic, text in topics.items():
            if not isinstance(topic, str) or not isinstance(text, str):
                raise IrvizError(f"`topics` maps topics to texts; got {topic!r}: {text!r}.")
        return {topic: " ".join(text.split())[:LONGEST_TEXT] for topic, text in topics.items()}
    job = single(topics, "topics", limits)
    return parse_topics(job.file, job.read())


def with_topics(collection: Collection, texts: Mapping[str, str]) -> Collection:
    """The collection with the texts of its topics; a finding says which have none.

    A topic ``051`` of the texts is topic ``51`` of the judgments if the judgments write it so.
    """
    if not texts:
        return collection
    plain = {topic.lstrip("0"): text for topic, text in texts.items()}
    known = {topic: texts.get(topic, plain.get(topic.lstrip("0"), "")) for topic in collection.topics}
    found = {topic: text for topic, text in known.items() if text}
    if not found:
        raise IrvizError(
            f"None of the {len(texts)} topics with a text has judgments. With a text: {listed(texts, joiner='and')}; "
            f"with judgments: {listed(collection.topics, joiner='and')}. Give the topics of this collection."
        )
    lacking = [topic for topic in collection.topics if topic not in found]
    if lacking:
        number = f"{len(lacking)} of {len(collection.topics)} topics {verb(len(lacking), 'has', 'have')}"
        message = f"{number} no text: {listed(lacking, joiner='and')}"
        finding = Finding("note", "topics", None, message)
        collection = collection.renamed(findings=(*collection.findings, finding))
    return collection.attached(topic_texts=found)
