"""Texts and groups of topics, and what fits of them and of users' answers to a collection.

Texts are in TREC's ``<top>``, with and without closing tags; in XML with an element ``<topic>``, ``<query>`` or
``<top>`` a topic; in lines of an identifier, a tab and a text (as MS MARCO's queries); or in JSON lines.  The shortest
form of a topic is kept: its title or query, or else its question or description.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from irviz.collection.codes import Finding
from irviz.collection.model import NO_GROUP, Collection
from irviz.collection.names import readable, text_of
from irviz.collection.people import Preferences, Satisfaction, named_table
from irviz.collection.sources import DEFAULT_LIMITS, Limits, Source, single
from irviz.errors import FileProblem, IrvizError, join_words, number_of

LONGEST_TEXT = 2_000  #: characters of a text; longer ones are cut
LARGEST_FILE, MOST_TOPICS = 48 << 20, 1_000_000  #: bytes and texts of a file
_LONGEST_FIELD = 50 * LONGEST_TEXT  #: characters of a field that are looked at
_HEAD = 1 << 14  # bytes that tell the form
_RECORDS = ("top", "topic", "query", "num")
_NUMBERS = ("num", "number", "id", "qid", "_id", "query_id", "topic_id", "tid", "topic")
_TEXTS = ("title", "query", "text", "content", "question", "desc", "description", "narr", "narrative")
_READ = {*_NUMBERS, *_TEXTS}
_HEADS = ("id", "qid", "query_id", "topic", "topic_id", "number")
_TAG = re.compile(r"<([A-Za-z_][\w-]{0,40}+)([^<>]{0,1000}+)>")  # bounded and possessive: no character is read twice
_NEXT_TAG = re.compile(r"</?[A-Za-z_]")
_ATTRIBUTE = re.compile(r"(?<![\w-])([A-Za-z_][\w-]*+)\s*+=\s*+[\"']([^\"'<>]*+)[\"']")
_LABEL = re.compile(r"\s*+(Number|Topic|Title|Description|Narrative)\s*+:\s*+", re.IGNORECASE)
_REFERENCE = re.compile(r"&(?:#\w{1,8}+|[A-Za-z]\w{0,31}+)(?!\w);?")  # of a character; what is longer is none
_TREC_TAG = re.compile(rb"<(top|topic|topics|query|queries)\b[^<>]*>", re.IGNORECASE)


def parse_topics(file: str, data: bytes) -> dict[str, str]:
    """Text by topic, in the order of the file; a file of no known form is refused."""
    form = topics_form(data)
    if form is None:
        known = "TREC topics, XML with one <topic> each, lines of a topic, a tab and a text, or JSON lines such as "
        why = f'no texts of topics were found. Give {known}{{"qid": "401", "text": "…"}}.'
        raise FileProblem(file, None, why)
    if len(data) > LARGEST_FILE:
        raise FileProblem(file, None, f"texts of topics may take {LARGEST_FILE >> 20} MB. Give those of your topics.")
    text = text_of(data.removeprefix(b"\xef\xbb\xbf")).replace("\r\n", "\n").replace("\r", "\n")
    texts: dict[str, str] = {}
    for line, named, words in {"marked": _tagged_texts, "json": _json, "tabbed": _tabbed_texts}[form](file, text):
        if (topic := named.strip()) in texts:
            raise FileProblem(file, line, f"topic {topic[:80]} has a text already. Keep one.")
        if words := " ".join(words[:_LONGEST_FIELD].split()):
            texts[topic] = words[:LONGEST_TEXT]
            if len(texts) > MOST_TOPICS:
                what = f"more than {MOST_TOPICS:,} topics have a text. Give those of your topics."
                raise FileProblem(file, line, what)
    if not texts:
        raise FileProblem(file, None, "no topic has a text here. Give a file with a title or a query for each topic.")
    return texts


def topics_form(data: bytes) -> str | None:
    """``"marked"`` (TREC, XML), ``"json"`` or ``"tabbed"``; None for a file without texts of topics.

    >>> topics_form(b"2082\\tAt what age do adults begin to lose bone mass?"), topics_form(b"401 Q0 FT1 1 9.5 bm25")
    ('tabbed', None)
    """
    head = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"<"):
        return "marked" if _TREC_TAG.search(head) else None
    if head.startswith(b"{"):
        return "json"
    complete = head.splitlines() if len(data) <= _HEAD else head.splitlines()[:-1]
    lines = [line for line in complete[:20] if line.strip()]
    cells = [line.strip().split(b"\t") for line in lines]
    one = all(len(row) > 1 and len(row[0].split()) == 1 and b"," not in row[0] for row in cells)
    return "tabbed" if cells and one and all(any(map(str.isalpha, text_of(row[1]))) for row in cells) else None


Texts = Iterator[tuple[int, str, str]]  #: line, topic and text


def _tabbed_texts(file: str, text: str) -> Texts:
    in_head = True
    for number, line in enumerate(_lines(text), start=1):
        topic, tab, rest = line.strip().partition("\t")
        if not line.strip() or (in_head and topic.casefold() in _HEADS):
            continue
        if not tab:
            raise FileProblem(file, number, "expected a topic, a tab and its text; found no tab.")
        in_head = False
        yield number, topic, rest.split("\t")[0]


def _json(file: str, text: str) -> Texts:
    for number, line in enumerate(_lines(text), start=1):
        if not line.strip():
            continue
        try:
            record: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise FileProblem(file, number, "the line is not a JSON object. Give one object per line.") from error
        fields = {str(key).casefold(): value for key, value in record.items()} if isinstance(record, dict) else {}
        topic = next((fields[key] for key in _NUMBERS if isinstance(fields.get(key), str | int)), None)
        words = next((fields[key] for key in _TEXTS if isinstance(fields.get(key), str)), None)
        if topic is None or words is None:
            raise FileProblem(file, number, 'expected a topic and its text, such as {"qid": "401", "text": "…"}.')
        yield number, str(topic), words


def _tagged_texts(file: str, text: str) -> Texts:
    """Records from one opening tag to the next of its kind; a field runs from its tag to the next tag."""
    text = _without_comments(text).replace("<![CDATA[", "").replace("]]>", "")
    kinds = {kind for tag in _TAG.finditer(text) if (kind := tag[1].casefold()) in _RECORDS}
    record = next((kind for kind in _RECORDS if kind in kinds), "top")
    line, counted = 1, 0
    for start, fields in _records(text, record):
        cleaned = {kind: _plain(value) for kind, value in fields.items() if kind in _READ}
        topic = next((cleaned[key].strip() for key in _NUMBERS if cleaned.get(key, "").strip()), None)
        words = next((cleaned[key] for key in _TEXTS if cleaned.get(key, "").strip()), "")
        line += text.count("\n", counted, start)
        counted = start
        if topic is None:
            raise FileProblem(file, line, f"this <{record}> names no topic: expected <num>, or number='…'.")
        yield line, topic, words


def _records(text: str, record: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Place of each record's tag, and its attributes and fields as written; one record is held at a time."""
    start, fields = -1, dict[str, str]()
    for tag in _TAG.finditer(text):
        kind = tag[1].casefold()
        if kind == record:
            if start >= 0:
                yield start, fields
            start, fields = tag.start(), {name.casefold(): value for name, value in _ATTRIBUTE.findall(tag[2])}
        if start >= 0 and kind in _READ and kind not in fields:
            end = _NEXT_TAG.search(text, tag.end())
            fields[kind] = text[tag.end() : end.start() if end else None]
    if start >= 0:
        yield start, fields


def _lines(text: str) -> Iterator[str]:
    """The lines, one at a time: a list of them takes many times the memory of the text."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _plain(value: str) -> str:
    """The text of a field without its label, and with references to characters resolved."""
    text = _REFERENCE.sub(lambda match: html.unescape(match[0]), value[:_LONGEST_FIELD])
    label = _LABEL.match(text)
    return text[label.end() :] if label else text


def _without_comments(text: str) -> str:
    """The text without ``<!-- … -->``, line ends kept; each character is looked at once."""
    pieces, start = [], 0
    while (opens := text.find("<!--", start)) >= 0 and (closes := text.find("-->", opens)) >= 0:
        pieces += [text[start:opens], "\n" * text.count("\n", opens, closes)]
        start = closes + 3
    return "".join([*pieces, text[start:]])


# -- Texts of topics, fitted to the topics of a collection -----------------------------------------


def read_topics(topics: Source | Mapping[str, str] | None, limits: Limits = DEFAULT_LIMITS) -> dict[str, str]:
    """Texts by topic, of a file or a mapping."""
    if topics is None:
        return {}
    if isinstance(topics, Mapping):
        for topic, text in topics.items():
            if not isinstance(topic, str) or not isinstance(text, str):
                raise IrvizError(f"`topics` maps topics to texts; got {topic!r}: {text!r}.")
        return {topic: " ".join(text.split())[:LONGEST_TEXT] for topic, text in topics.items()}
    job = single(topics, "topics", limits)
    return parse_topics(job.file, job.read())


def _of_topics(what: str, given: Mapping[str, str], topics: Sequence[str], refusal: str) -> dict[str, str]:
    """The values of those of `topics` that have one, also as ``051`` for ``51``; refused where none has."""
    plain = {topic.lstrip("0"): text for topic, text in given.items()}
    known = {topic: given.get(topic, plain.get(topic.lstrip("0"), "")) for topic in topics}
    found = {topic: text for topic, text in known.items() if text}
    if not found:
        names = join_words(given, joiner="and"), join_words(topics, joiner="and")
        raise IrvizError(f"None of the {len(given)} topics with a {what} " + refusal.format(*names))
    return found


def with_topics(collection: Collection, texts: Mapping[str, str]) -> Collection:
    """The collection with the texts of its topics; a finding says which have none."""
    if not texts:
        return collection
    refusal = "has judgments. With a text: {}; with judgments: {}. Give the topics of this collection."
    topic_texts = _of_topics("text", texts, collection.topics, refusal)
    return _with_lacking(collection, "topics", "text", topic_texts).attached(topic_texts=topic_texts)


def _with_lacking(collection: Collection, file: str, what: str, known: Mapping[str, str]) -> Collection:
    """The collection with a note on the topics that are not among the `known`, if there are any."""
    topics = [topic for topic in collection.topics if topic not in known]
    if not topics:
        return collection
    message = f"topics without a {what}: {len(topics):,} of {len(collection.topics):,}: "
    finding = Finding("note", file, None, message + join_words(topics, joiner="and"))
    return collection.renamed(findings=(*collection.findings, finding))


def read_groups(groups: Source | Mapping[str, str] | pd.Series, limits: Limits = DEFAULT_LIMITS) -> dict[str, str]:
    """Group by topic, of a mapping, a Series or a file: a topic and its group a line, or columns so called.

    An empty group, and ``(none)``, is none.
    """
    found: dict[str, str] = {}
    rows: list[tuple[int | None, str, str]]
    if isinstance(groups, (Mapping, pd.Series)):
        rows = [(None, str(topic), "" if pd.isna(group) else str(group).strip()) for topic, group in groups.items()]
        file = "groups"
    else:
        file, places, table = named_table(groups, "groups file", ("topic", "group"), headless=True, limits=limits)
        rows = [(row.line, row.cells[places["topic"]], row.cells[places["group"]]) for row in table]
    for line, topic, group in rows:
        if found.setdefault(topic, group) != group:
            message = f"topic {topic[:80]} is in the groups {found[topic][:80]} and {group[:80]}. Keep one."
            raise FileProblem(file, line, message)
    return {readable(topic): readable(group) for topic, group in found.items() if group not in ("", NO_GROUP)}


def group_columns(data: bytes) -> int:
    """Columns of a table whose first line names ``topic`` and ``group``; 0 for any other file."""
    cells = re.split(r"[\t,;]", text_of(data[:_HEAD].removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]).casefold())
    return len(cells) if {"topic", "group"} <= {cell.strip() for cell in cells} else 0


def groups_of(groups: Mapping[str, str], topics: Sequence[str]) -> dict[str, str]:
    """Group by topic, of those of `topics` that have one; refused where none has."""
    refusal = "is among those evaluated. With a group: {}; evaluated: {}. Give the groups of these topics."
    return _of_topics("group", groups, topics, refusal)


def with_groups(collection: Collection, groups: Source | Mapping[str, str] | pd.Series | None) -> Collection:
    """The collection with groups of its topics; a finding counts the topics without one."""
    if groups is None:
        return collection
    found = groups_of(read_groups(groups), collection.topics)
    return _with_lacking(collection, "groups", "group", found).attached(groups=found)


def with_users(
    collection: Collection, satisfaction: Satisfaction | None, preferences: Preferences | None
) -> Collection:
    """The collection with answers of users; a finding counts the answers about other topics or systems."""
    if satisfaction is None and preferences is None:
        return collection
    attached = collection.attached(satisfaction=satisfaction, preferences=preferences)
    findings = []
    for what, given, matching in (
        ("answer", satisfaction, satisfaction and satisfaction.about(attached.topics, attached.systems)),
        ("preference", preferences, preferences and preferences.about(attached.topics)),
    ):
        if given is None or matching is given:
            continue
        if matching is None:
            none = f"None of {number_of(len(given), what)} of users is about a topic and a system that is loaded."
            loaded = f"{join_words(collection.topics)}, and systems {join_words(collection.systems)}"
            raise IrvizError(f"{none} Topics of users: {join_words(given.topics[:3])}; loaded: {loaded}.")
        gone = len(given) - len(matching)
        message = f"{what}s about topics or systems not loaded: {gone:,} of {len(given):,}"
        findings.append(Finding("note", "users", None, message))
    return attached.renamed(findings=(*attached.findings, *findings))
