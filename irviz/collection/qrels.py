"""One qrels file as arrays: topic, document and grades of every line.

Lines are ``topic iteration document grade …``.  The iteration may hold any text.
Every column from the fourth on that holds a number on every line is a column of
grades; several are several aspects.  The fast and the exact path give equal results.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import islice

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from irviz.collection.codes import Finding
from irviz.collection.names import natural_order, readable, text_of
from irviz.collection.runs import DOCUMENT_TYPE, NAME_TYPE, NUMBER_TYPE, names_of, read_columns
from irviz.collection.sources import DEFAULT_LIMITS, ArrayQuota, Limits, Source, Upload, single
from irviz.collection.text import FieldLines, clean, parsed_number, quoted_line
from irviz.errors import FileProblem, IrvizError, join_words, number_of

_FIELDS = 4  #: topic, iteration, document, grade
_MOST_FIELDS = 103  #: with 100 columns of grades
_TOPIC, _ITERATION, _DOCUMENT, _GRADE = range(_FIELDS)
_RUN = (
    "this looks like a run (topic, Q0, document, rank, score, tag), not qrels "
    "(topic, iteration, document, grade). Give the qrels first, the runs second."
)
_TAGLESS = (
    "this looks like a run that lacks its last field (topic, Q0, document, rank, score, and then a tag), "
    "not qrels (topic, iteration, document, grade). Add a tag to every line."
)


@dataclass(frozen=True, eq=False)
class QrelsLines:
    """The lines of one qrels file, in the order of the file.

    `topics`, `topic`, `docs` and `line_of` are as in :class:`~irviz.collection.runs.RunLines`;
    `grades` is float64, lines × columns of grades; ``second(row)`` is the second field.
    """

    file: str
    topics: tuple[bytes, ...]
    topic: NDArray[np.int32]
    docs: pa.BinaryArray
    grades: NDArray[np.float64]
    line_of: Callable[[int], int]
    findings: tuple[Finding, ...] = ()
    second: Callable[[int], bytes] = lambda row: b""  #: a table has none


def join_parts(parts: Sequence[QrelsLines]) -> QrelsLines:
    """Join parts of one set of judgments; repeated judgments count once, and are refused if their grades differ."""
    if len({part.grades.shape[1] for part in parts}) > 1:
        raise IrvizError(
            f"{join_words(part.file for part in parts)}: parts of one set have equally many columns of grades."
        )
    topics: dict[bytes, int] = {}
    topic = [np.array([topics.setdefault(key, len(topics)) for key in part.topics])[part.topic] for part in parts]
    docs = pa.concat_arrays([part.docs for part in parts])
    grades = np.concatenate([part.grades for part in parts])
    coded = docs.dictionary_encode()
    keys = np.concatenate(topic) * len(coded.dictionary) + coded.indices.to_numpy()
    _, once, inverse = np.unique(keys, return_index=True, return_inverse=True)
    sizes = [len(part.topic) for part in parts]
    whose, own = np.repeat(np.arange(len(parts)), sizes), np.concatenate([np.arange(size) for size in sizes])
    first = once[inverse]
    again = whose[first] != whose
    differ = np.flatnonzero(again & (grades != grades[first]).any(axis=1))
    if len(differ):
        here, there = int(differ[0]), int(first[differ[0]])
        other = parts[whose[there]]
        raise FileProblem(
            parts[whose[here]].file,
            parts[whose[here]].line_of(int(own[here])),
            f"another grade than in {other.file}, line {other.line_of(int(own[there]))}, for the same document of "
            f"topic {text_of(list(topics)[int(np.concatenate(topic)[here])])}. Keep one.",
        )
    rows = np.flatnonzero(~again)
    return QrelsLines(
        join_words((part.file for part in parts), joiner="and"),
        tuple(topics),
        np.concatenate(topic)[rows].astype(np.int32),
        docs.take(pa.array(rows)),
        grades[rows],
        lambda row: parts[whose[rows[row]]].line_of(int(own[rows[row]])),
        tuple(finding for part in parts for finding in part.findings),
        lambda row: parts[whose[rows[row]]].second(int(own[rows[row]])),
    )


def parse_qrels(file: str, data: bytes) -> QrelsLines:
    """The lines of a qrels file; an invalid line raises ``file:line: …``."""
    text = clean(file, data)
    _refuse_run(text)
    lines = _fast(text) or _exact(text)
    return replace(lines, findings=(*text.findings, *lines.findings)) if text.findings else lines


def _fast(text: FieldLines) -> QrelsLines | None:
    width = len(text.fields(text.first_line()))
    if width > _MOST_FIELDS:
        return None  # each of them would be a column
    types = {_TOPIC: NAME_TYPE, _ITERATION: NAME_TYPE, _DOCUMENT: DOCUMENT_TYPE} | dict.fromkeys(
        range(_GRADE, width), NUMBER_TYPE
    )
    columns = read_columns(text, types, _FIELDS)
    if columns is None:
        return None
    topics, topic = names_of(columns[_TOPIC])
    grades = np.column_stack([columns[i].to_numpy() for i in range(_GRADE, width)])
    second, docs = columns[_ITERATION], columns[_DOCUMENT]
    return QrelsLines(
        text.file, tuple(topics), topic, docs, grades, text.line_of, second=lambda row: bytes(second[row].as_py())
    )


def _exact(text: FieldLines) -> QrelsLines:
    topics: dict[bytes, int] = {}
    topic, docs, second, rows = [], [], [], []
    for line_number, line in text.lines():
        fields = text.fields(line)
        if (found := len(list(filter(None, fields)))) < _FIELDS:
            text.refuse(line_number, f"expected {_FIELDS} fields or more, found {found}: {quoted_line(line)}")
        if len(fields) > _MOST_FIELDS:  # each would be looked for on every line
            wide = f"{len(fields):,} fields; at most {_MOST_FIELDS - _GRADE} columns of grades are read"
            text.refuse(line_number, f"the line has {wide}: {quoted_line(line)}")
        named = (("topic", _TOPIC), ("document", _DOCUMENT), ("second field", _ITERATION))
        text.refuse_long(line_number, line, ((what, fields[i]) for what, i in named))
        topic.append(topics.setdefault(fields[_TOPIC], len(topics)))
        docs.append(fields[_DOCUMENT])
        second.append(fields[_ITERATION])
        rows.append((line_number, line, fields[_GRADE:]))
    grades, findings = _grades(text, rows)
    codes, documents = np.array(topic, dtype=np.int32), pa.array(docs, DOCUMENT_TYPE)
    return QrelsLines(text.file, tuple(topics), codes, documents, grades, text.line_of, findings, second.__getitem__)


def _grades(
    text: FieldLines, rows: list[tuple[int, bytes, list[bytes]]]
) -> tuple[NDArray[np.float64], tuple[Finding, ...]]:
    """The columns that hold a grade on every line, and a finding for each that does only on some."""
    columns, findings = [], []
    for i in range(max(len(fields) for _, _, fields in rows)):
        column = [parsed_number(fields[i]) if i < len(fields) else None for _, _, fields in rows]
        bad = next((row for row, grade in enumerate(column) if grade is None or not math.isfinite(grade)), None)
        if bad is None:
            columns.append(np.array(column, dtype=np.float64))
            continue
        line_number, line, _ = rows[bad]
        if i == 0:
            text.refuse(line_number, f"the grade (field {_FIELDS}) is not a finite number: {quoted_line(line)}")
        count = sum(grade is not None for grade in column)
        message = (
            f"field {_FIELDS + i} holds no grade here, so the column is left out "
            f"({count:,} line{'s have' if count != 1 else ' has'} a number there)"
        )
        severity = "warning" if count else "note"
        findings.append(Finding(severity, text.file, line_number, f"{message}: {quoted_line(line)}", message))
    return np.column_stack(columns), tuple(findings)


def _refuse_run(text: FieldLines) -> None:
    """Six fields a line that end in a name, or that count 1, 2, 3 with falling scores: a run given as qrels."""
    looked_at = [text.fields(line) for _, (_, line) in zip(range(20), text.lines(), strict=False)]
    if lacks_tag(looked_at):
        text.refuse(None, _TAGLESS)
    if any(len(fields) < 6 or parsed_number(fields[4]) is None for fields in looked_at):
        return
    named = all(parsed_number(fields[5]) is None for fields in looked_at)
    if named or _counts_down([fields for fields in looked_at if fields[0] == looked_at[0][0]]):
        text.refuse(None, _RUN)


def lacks_tag(lines: list[list[bytes]]) -> bool:
    """Five fields a line, of which the fourth are ranks and the fifth scores: a run without its last field.

    >>> lacks_tag([b"1 Q0 a 1 9.5".split(), b"1 Q0 b 2 9.1".split(), b"1 Q0 c 3 7".split()])
    True
    >>> lacks_tag([b"1 0 a 1 2".split(), b"1 0 b 2 2".split(), b"1 0 c 1 0".split()])
    False
    >>> lacks_tag([b"1 0 a -1 0".split(), b"1 0 b 0 0".split(), b"1 0 c 1 0".split()])
    False
    """
    five = bool(lines) and all(len(fields) == 5 for fields in lines)
    return five and _counts_down([fields for fields in lines if fields[0] == lines[0][0]])


def _counts_down(lines: list[list[bytes]]) -> bool:
    """True if the fourth fields count ranks from 0 or 1 and the fifth are scores that never rise, as in a run."""
    ranks = [parsed_number(fields[3]) for fields in lines]
    scores = [parsed_number(fields[4]) for fields in lines]
    if len(lines) < 3 or None in ranks or ranks[0] not in (0.0, 1.0):
        return False
    steps = {b - a for a, b in zip(ranks, ranks[1:], strict=False)}  # type: ignore[operator]
    return steps == {1.0} and all(a >= b for a, b in zip(scores, scores[1:], strict=False))  # type: ignore[operator]


# -- Diversity qrels: lines of ``topic intent document grade``, each intent an aspect

MOST_INTENTS = 100  #: more are no intents, but iterations or codes of another kind of qrels
LOOKED_AT = 1 << 16  #: lines that tell intents; those of a topic stand together


class Intents(dict[str, Upload]):
    """The lines of each intent, in natural order; the other lines are empty, so that line numbers stay."""


def load_intents(qrels: Source, *, limits: Limits = DEFAULT_LIMITS) -> dict[str, Upload]:
    """Diversity qrels taken apart, for :func:`irviz.load_collection`, which makes an aspect of each intent.

    ``irviz.load_collection(irviz.load_intents("qrels.diversity.txt"), "runs/")`` is what α-nDCG and the other measures
    of several intents score.

    Parameters
    ----------
    qrels : path, (name, bytes) or open file
        Lines of topic, intent, document and grade, as ndeval reads them.
    limits : Limits
        As in :func:`irviz.load_collection`.

    Returns
    -------
    dict of str to (name, bytes)
        The lines of each intent, in natural order; the other lines are empty, so that line numbers stay.

    Raises
    ------
    IrvizError
        Where the second column has more than 100 different values, or no line has one.
    """
    job = single(qrels, "qrels", limits)
    data, quota = job.read(), ArrayQuota(limits)
    quota.foresee_lines(job.file, data)
    lines = data.splitlines()
    whose = [fields[1] if len(fields := line.split(None, 2)) > 2 else b"" for line in lines]
    intents = {readable(key.decode("utf-8", "replace")): key for key in dict.fromkeys(whose) if key}
    if not 1 <= len(intents) <= MOST_INTENTS:
        raise IrvizError(
            f"{job.file}: {number_of(len(intents), 'different value')} in the second column; 1 to {MOST_INTENTS} "
            "are read as intents. Load qrels of whole topics with irviz.load_collection."
        )
    quota.take(len(data) + len(lines) * len(intents), f"{job.file}: {len(intents)} intents", "Split the file.")
    files = Intents()
    for name in natural_order(intents):
        intent = intents[name]
        text = b"\n".join(line if field == intent else b"" for line, field in zip(lines, whose, strict=True))
        files[name] = (job.file, text)
    return files


def second_fields(qrels: bytes) -> tuple[int, bool]:
    """How many values the second column has, and whether a document is judged under several, as for intents.

    The first `LOOKED_AT` lines are looked at; none counts where there are more than intents can be.

    >>> second_fields(b"1 1 a 1\\n1 2 a 0\\n"), second_fields(b"1 1 a 1\\n1 2 b 0\\n")
    ((2, True), (2, False))
    """
    named: dict[bytes, bytes] = {}
    judged_under: dict[tuple[bytes, bytes], bytes] = {}
    several = False
    for line in islice(BytesIO(qrels), LOOKED_AT):
        fields = line.split()
        if len(fields) != 4 or fields[0].startswith(b"#"):
            continue
        intent = named.setdefault(fields[1], fields[1])
        several = several or judged_under.setdefault((fields[0], fields[2]), intent) is not intent
        if len(named) > MOST_INTENTS:
            return 0, False
    return len(named), several
