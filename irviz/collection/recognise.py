"""Guesses from first lines whether files are qrels, runs, topics, scores or saved collections."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from irviz.collection.names import base_name, system_name
from irviz.collection.nuggets import is_nuggets
from irviz.collection.people import said_by_users
from irviz.collection.per_topic import is_per_topic
from irviz.collection.sources import DEFAULT_LIMITS, ArrayQuota, Limits, Quota, Upload, source_files
from irviz.collection.tables import form_of, read_results
from irviz.collection.text import parsed_number, tab_fields, without_preamble
from irviz.collection.topics import group_columns, parse_topics, topics_form
from irviz.collection.trec import lacks_tag
from irviz.errors import IrvizError, TooLarge
from irviz.workers import Progress

_HEAD = 1 << 14  # bytes looked at
_LINES = 20


@dataclass(frozen=True)
class FoundFile:
    """One file, with its kind as :func:`kind_of` guesses it."""

    name: str  #: of the system, if it is a run
    file: str  #: its name in messages
    kind: str
    data: bytes
    problem: str = ""  #: why a run cannot be read, or a file is of an unknown kind


def recognise(
    uploads: Sequence[Upload], limits: Limits = DEFAULT_LIMITS, progress: Progress | None = None
) -> list[FoundFile]:
    """Every file in the uploads and in archives among them, with its kind; runs and texts of topics are read.

    Refused are no file, none that can be opened, and files that exceed the limits together.
    """
    saved = [(name, data) for name, data in uploads if name.lower().endswith(".irviz")]
    others = [(name, data) for name, data in uploads if not name.lower().endswith(".irviz")]
    files = [FoundFile(system_name(name), base_name(name), "collection", data) for name, data in saved]
    quota = Quota(limits)
    for i, upload in enumerate(others):
        found: list[FoundFile] = []
        try:
            for job in source_files([upload], "run or qrels", limits, quota):
                try:
                    found.append(_look_at(job.name, job.file, job.read(), limits))
                except IrvizError as problem:
                    found.append(_refused(quota, job.name, job.file, problem))
                if progress is not None:
                    progress((i + job.share_done) / len(others), f"Looked at {job.name}")
        except IrvizError as problem:
            found = [_refused(quota, system_name(upload[0]), base_name(upload[0]), problem)]
        files += found
    if not files:
        raise IrvizError("No file was given. Choose the qrels and the runs, or an archive of them.")
    if not any(file.data for file in files):
        raise IrvizError(" ".join(file.problem for file in files[:4]))
    return files


def _refused(quota: Quota, name: str, file: str, problem: IrvizError) -> FoundFile:
    """A file that cannot be read; what concerns all files is raised."""
    if isinstance(problem, TooLarge) or quota.spent > quota.limits.total_bytes:
        raise problem
    return FoundFile(name, file, "unknown", b"", str(problem))


def _look_at(name: str, file: str, data: bytes, limits: Limits) -> FoundFile:
    """The file with its kind and its problem; texts of topics that cannot be read are of no kind."""
    kind = kind_of(name, data)
    if kind == "unknown":
        return FoundFile(name, file, kind, data, f"{file}: neither judgments nor results.")
    readers: dict[str, Callable[[str, bytes], object]] = {"run": partial(read_results, name), "topics": parse_topics}
    read = readers.get(kind)
    if read is not None:
        ArrayQuota(limits).foresee_lines(file, data)
        try:
            read(file, data)
        except IrvizError as problem:
            return FoundFile(name, file, "run" if kind == "run" else "unknown", data, str(problem))
    return FoundFile(name, file, kind, data)


def kind_of(name: str, data: bytes) -> str:
    """The kind of a file.

    It is "run", "qrels", "topics", "groups", "documents", "scores", "nuggets", "satisfaction", "preferences" or
    "unknown".

    >>> kind_of("a", b"301 Q0 FT1 1 9.5 bm25"), kind_of("b", b"301 0 FT1 2"), kind_of("c.csv", b"topic,s1\\n1,0.5")
    ('run', 'qrels', 'scores')
    """
    if is_nuggets(data):
        return "nuggets"
    if group_columns(data) == 2:
        return "groups"
    if is_per_topic(data):
        return "scores"
    if (users := said_by_users(data)) is not None:
        return users
    form = form_of(data)
    if form is not None:
        return "run" if form.results else "qrels"
    first = data[:_HEAD].lstrip().partition(b"\n")[0]
    if first.startswith(b"{") and all(re.search(rb'"%s"\s*:' % key, first) for key in (b"_id", b"title", b"text")):
        return "documents"  # of BEIR, whose queries have no title
    if _is_topics(name, data):
        return "groups" if _has_groups(data) else "topics"
    head = without_preamble(data[:_HEAD], "\t,;").lstrip()
    lines = [_fields(line) for line in head.splitlines()[:_LINES] if line.strip() and line[:1] != b"#"]
    if not lines:
        return "unknown"
    last = (line.rpartition(b",")[2] for line in head.splitlines() if b"," in line)
    few = b"," in head.splitlines()[0] and len(lines[0]) < 4
    if name.lower().endswith(".csv") or (few and any(parsed_number(cell.strip()) is not None for cell in last)):
        return "scores"
    if _mostly(_is_run, lines) or lacks_tag(lines):
        return "run"
    return "qrels" if _mostly(_is_qrels, lines) else "unknown"


def _mostly(fits: Callable[[list[bytes]], bool], lines: list[list[bytes]]) -> bool:
    """True if at least half of the lines fit; the last one may be cut."""
    whole = lines[:-1] or lines
    return 2 * sum(map(fits, whole)) >= len(whole)


def _fields(line: bytes) -> list[bytes]:
    return tab_fields(line) or line.split()


def _is_topics(name: str, data: bytes) -> bool:
    """Markup and JSON are nothing else; lines with tabs may be runs, qrels or matrices set with tabs."""
    form = topics_form(data)
    if form != "tabbed":
        return form is not None
    lines = [_fields(line) for line in data[:_HEAD].splitlines()[:_LINES] if line.strip()]
    return not name.lower().endswith(".csv") and not any(_is_run(fields) or _is_qrels(fields) for fields in lines)


def _has_groups(data: bytes) -> bool:
    """True for a topic, a tab and a text a line, where half of the texts or more are repeated."""
    rows = [line.split(b"\t") for line in data[:_HEAD].splitlines()[:-1]]
    return all(len(row) == 2 for row in rows) and 2 * len({row[1].strip() for row in rows if row[1:]}) <= len(rows) > 3


def _is_run(fields: list[bytes]) -> bool:
    if len(fields) < 6 or parsed_number(fields[4]) is None:
        return False
    has_tag = any(parsed_number(field) is None for field in fields[5:])
    return fields[1].upper() == b"Q0" or (has_tag and parsed_number(fields[3]) is not None)


def _is_qrels(fields: list[bytes]) -> bool:
    return len(fields) >= 4 and all(parsed_number(field) is not None for field in fields[3:])
