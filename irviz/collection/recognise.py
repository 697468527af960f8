"""Which of some files are qrels, runs, topics, scores or saved collections, told from their first lines.

This is a first guess: the user may correct it, and the parsers check every line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from irviz.collection.names import base_name, system_name
from irviz.collection.people import said_by_users
from irviz.collection.per_topic import is_per_topic
from irviz.collection.qrels import lacks_tag
from irviz.collection.sources import DEFAULT_LIMITS, Limits, Upload, source_files
from irviz.collection.tables import form_of
from irviz.collection.text import parsed_number, tab_fields, without_preamble
from irviz.collection.topics import topics_form
from irviz.errors import IrvizError
from irviz.workers import Progress

_HEAD = 1 << 14  # bytes looked at
_LINES = 20


@dataclass(frozen=True)
class FoundFile:
    """One file: the system name it would give, its name in messages, what it seems to be, its text."""

    name: str
    file: str
    kind: str
    data: bytes


def recognise(
    uploads: Iterable[Upload], limits: Limits = DEFAULT_LIMITS, progress: Progress | None = None
) -> list[FoundFile]:
    """Every file in the uploads, archives opened, with what it seems to be.

    An ``.irviz`` file is a zip of its own and is not opened as an archive.
    """
    saved = [(name, data) for name, data in uploads if name.lower().endswith(".irviz")]
    others = [(name, data) for name, data in uploads if not name.lower().endswith(".irviz")]
    files = [FoundFile(system_name(name), base_name(name), "collection", data) for name, data in saved]
    for job in source_files(others, "run or qrels", limits) if others else ():
        data = job.read()
        files.append(FoundFile(job.name, job.file, kind_of(job.name, data), data))
        if progress is not None:
            progress(job.share_done, f"Looked at {job.name}")
    if not files:
        raise IrvizError("No file was given. Choose the qrels and the runs, or an archive of them.")
    return files


def kind_of(name: str, data: bytes) -> str:
    """The kind of a file, by its name and text: "run", "qrels", "topics", "documents", "scores", of users or "unknown".

    What users said is "satisfaction" or "preferences".

    >>> kind_of("a", b"301 Q0 FT1 1 9.5 bm25"), kind_of("b", b"301 0 FT1 2"), kind_of("c.csv", b"topic,s1\\n1,0.5")
    ('run', 'qrels', 'scores')
    """
    if is_per_topic(data):
        return "scores"
    if (users := said_by_users(data)) is not None:
        return users
    form = form_of(data)
    if form is not None:
        return "run" if form.results else "qrels"
    if _is_corpus(data):
        return "documents"
    if _is_topics(name, data):
        return "topics"
    head = without_preamble(data[:_HEAD], "\t,;").lstrip()
    lines = [_fields(line) for line in head.splitlines()[:_LINES] if line.strip() and line[:1] != b"#"]
    if not lines:
        return "unknown"
    if name.lower().endswith(".csv") or (b"," in head.splitlines()[0] and len(lines[0]) < 4):
        return "scores"
    if all(_is_run(fields) for fields in lines[:-1] or lines) or lacks_tag(lines):
        return "run"
    return "qrels" if all(_is_qrels(fields) for fields in lines[:-1] or lines) else "unknown"


def _fields(line: bytes) -> list[bytes]:
    return tab_fields(line) or line.split()


def _is_topics(name: str, data: bytes) -> bool:
    """Markup and JSON are nothing else; lines with tabs may be runs, qrels or matrices set with tabs."""
    form = topics_form(data)
    if form != "tabbed":
        return form is not None
    lines = [_fields(line) for line in data[:_HEAD].splitlines()[:_LINES] if line.strip()]
    return not name.lower().endswith(".csv") and not any(_is_run(fields) or _is_qrels(fields) for fields in lines)


def _is_corpus(data: bytes) -> bool:
    """BEIR's documents: JSON lines with an identifier, a title and a text, where its queries have no title."""
    first = data[:_HEAD].lstrip().partition(b"\n")[0]
    return first.startswith(b"{") and all(re.search(rb'"%s"\s*:' % key, first) for key in (b"_id", b"title", b"text"))


def _is_run(fields: list[bytes]) -> bool:
    if len(fields) < 6 or parsed_number(fields[4]) is None:
        return False
    return fields[1].upper() == b"Q0" or any(parsed_number(field) is None for field in fields[5:])


def _is_qrels(fields: list[bytes]) -> bool:
    return len(fields) >= 4 and all(parsed_number(field) is not None for field in fields[3:])
