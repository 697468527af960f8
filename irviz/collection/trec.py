"""Runs and qrels of TREC as lines.

Lines of runs are ``topic Q0 document rank score tag``; what follows the sixth field is passed over, and the second is
not looked at.  Lines of qrels are ``topic iteration document grade …``; the iteration may hold any text, and every
column from the fourth on that holds a number on every line is a column of grades, an aspect each.

A regular text is read by Arrow: one blank between fields, equally many fields on every line, numbers where numbers are
expected.  Another one is read line by line, with equal results; only this finds the line that is refused.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
from numpy.typing import NDArray

from irviz.collection.codes import Finding
from irviz.collection.lines import DOCUMENT_TYPE, NAME_TYPE, Lines
from irviz.collection.names import natural_order, readable
from irviz.collection.sources import DEFAULT_LIMITS, ArrayQuota, Limits, Source, Upload, single
from irviz.collection.text import LONGEST_IDENTIFIER, FieldLines, clean, parsed_number, quoted_line, run_metadata
from irviz.errors import IrvizError, number_of

_NUMBER, _WHOLE = pa.float64(), pa.int64()
_BLOCK = 1 << 28  # one block a file up to here: its columns are then one piece
_POOL = pa.system_memory_pool()  # gives memory back between runs, and was measured to be the fastest here
_RUN_FIELDS, _QRELS_FIELDS = 6, 4  # at least
_MOST_FIELDS = 103  #: of qrels, with 100 columns of grades
_TOPIC, _SECOND, _DOCUMENT, _RANK, _SCORE, _TAG = range(_RUN_FIELDS)
_GRADE = _RANK
_LOOKED_AT = 2_000  # lines that tell a run from qrels
_LOOKS = "this looks like %s, not %s. Give the qrels first, the runs second."
_A_RUN, _QRELS = "a run (topic, Q0, document, rank, score, tag)", "qrels (topic, iteration, document, grade)"
_TAGLESS = (
    "this looks like a run that lacks its last field (topic, Q0, document, rank, score, and then a tag), "
    f"not {_QRELS}. Add a tag to every line."
)

Columns = dict[int, pa.Array]  #: by position


def _columns(text: FieldLines, types: dict[int, pa.DataType], least: int) -> Columns | None:
    """Columns by position, each of the type it has in `types`; None where the text is not regular.

    `least` is the fewest fields a line may have; more are passed over, if all lines have them.
    """
    columns = _regular_columns(text, types, least)
    return _regular_columns(text.squeeze(), types, least) if columns is None else columns


def _regular_columns(text: FieldLines, types: dict[int, pa.DataType], least: int) -> Columns | None:
    separator = text.separator
    width = len(text.fields(text.first_line()))
    if separator is None or width < least:
        return None
    names = [str(i) for i in range(width)]
    try:
        table = csv.read_csv(
            pa.BufferReader(text.data),
            read_options=csv.ReadOptions(
                use_threads=False, block_size=min(len(text.data) + 1, _BLOCK), column_names=names
            ),
            parse_options=csv.ParseOptions(delimiter=separator.decode(), quote_char=False, double_quote=False),
            convert_options=csv.ConvertOptions(
                column_types={str(i): kind for i, kind in types.items()},
                include_columns=[str(i) for i in types],
                null_values=[],
                strings_can_be_null=False,
                check_utf8=False,
            ),
            memory_pool=_POOL,
        )
    except pa.ArrowInvalid:
        return None
    columns = {i: _one_piece(table[str(i)]) for i in types}
    return columns if all(_regular(column) for column in columns.values()) else None


def _one_piece(column: pa.ChunkedArray) -> pa.Array:
    unified = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
    return unified.chunk(0) if unified.num_chunks == 1 else unified.combine_chunks()


def _regular(column: pa.Array) -> bool:
    """No empty and no endless identifier, no number that is not finite."""
    if column.null_count or not len(column):
        return False
    if column.type == _NUMBER:
        return bool(np.isfinite(column.to_numpy()).all())
    if column.type == _WHOLE:
        return True
    lengths = pc.min_max(pc.binary_length(column.dictionary if column.type == NAME_TYPE else column)).as_py()
    return lengths["min"] > 0 and lengths["max"] <= LONGEST_IDENTIFIER


def _first_fields(text: FieldLines) -> list[list[bytes]]:
    return [text.fields(line) for _, (_, line) in zip(range(20), text.lines(), strict=False)]


# -- Runs ------------------------------------------------------------------------------------------


def parse_run(file: str, data: bytes) -> Lines:
    """The lines of a run; an invalid line raises ``file:line: …``."""
    text, said = clean(file, data), run_metadata(data)
    told = (Finding("note", file, None, f"the run's ir_metadata: {said}"),) if said else ()
    return replace(_fast_run(text) or _exact_run(text), findings=(*told, *text.findings))


def _fast_run(text: FieldLines) -> Lines | None:
    as_text = b"x" in text.data or b"X" in text.data  # identifiers have it; Arrow would read the rank 0x1F as 31
    rank_type = NAME_TYPE if as_text else _WHOLE
    types = [NAME_TYPE, DOCUMENT_TYPE, DOCUMENT_TYPE, rank_type, _NUMBER, NAME_TYPE]
    columns = _columns(text, dict(enumerate(types)), _RUN_FIELDS)
    if columns is None:
        return None
    rank = _decimal(columns[_RANK]) if as_text else columns[_RANK].to_numpy()
    if rank is None:
        return None
    tags, tag = columns[_TAG].dictionary.to_pylist(), columns[_TAG].indices.to_numpy()
    rows = [0] if len(tags) == 1 else np.unique(tag, return_index=True)[1].tolist()  # in order of appearance
    lines = Lines.of(
        text.file,
        columns[_TOPIC],
        columns[_DOCUMENT],
        columns[_SCORE].to_numpy(),
        partial(text.line_of, records=len(rank)),
        rank=rank.astype(np.float64),
        tags=tuple(zip(tags, rows, strict=True)),
    )
    return None if _looks_like_qrels(lines) else lines


def _decimal(rank: pa.DictionaryArray) -> NDArray[np.int64] | None:
    """The numbers of a rank column that was read as text; None where one is hexadecimal or not an integer."""
    if pc.any(pc.match_substring_regex(rank.dictionary, "^[-+]?0[xX]")).as_py():
        return None
    try:
        values = rank.dictionary.cast(pa.string()).cast(_WHOLE)
    except pa.ArrowInvalid:
        return None
    return values.to_numpy()[rank.indices.to_numpy()]


def _exact_run(text: FieldLines) -> Lines:
    looked_at = _first_fields(text)
    graded = all(len(fields) in (4, 5) and None not in map(parsed_number, fields[3:]) for fields in looked_at)
    if graded and _repeat(looked_at):
        text.refuse(None, _LOOKS % (_QRELS, _A_RUN))
    tags: dict[bytes, int] = {}
    rows, rank, score = [], [], []
    unranked: tuple[int | None, str] = (None, "")
    for row, (line_number, line) in enumerate(text.lines()):
        fields = _fields(text, line_number, line)
        rows.append(fields)
        number = parsed_number(fields[_RANK])
        rank.append(number if number is not None and math.isfinite(number) else None)
        if rank[-1] is None and unranked[0] is None:
            unranked = row, f"the rank (field {_RANK + 1}) is not a finite number: {quoted_line(line)}"
        score.append(_score(text, line_number, line, fields[_SCORE]))
        tags.setdefault(fields[_TAG], row)
    lines = Lines.of(
        text.file,
        [fields[_TOPIC] for fields in rows],
        [fields[_DOCUMENT] for fields in rows],
        np.array(score, dtype=np.float64),
        text.line_of,
        rank=np.array(rank, dtype=np.float64) if unranked[0] is None else None,
        rank_problem=unranked,
        tags=tuple(tags.items()),
    )
    if _looks_like_qrels(lines):
        text.refuse(None, _LOOKS % (_QRELS, _A_RUN))
    return lines


def _fields(text: FieldLines, line_number: int, line: bytes) -> list[bytes]:
    """The first six fields of a line; a rank may be left empty between two tabs."""
    fields = line.split(None, _RUN_FIELDS)
    if text.by_tabs or len(fields) < _RUN_FIELDS:
        tabbed = [field.strip() for field in line.split(b"\t")]
        if len(tabbed) < _RUN_FIELDS or not all(field or i == _RANK for i, field in enumerate(tabbed[:_RUN_FIELDS])):
            text.refuse(line_number, f"expected {_RUN_FIELDS} fields, found {len(fields)}: {quoted_line(line)}")
        fields = tabbed
    named = (("topic", _TOPIC), ("document", _DOCUMENT), ("second field", _SECOND), ("tag", _TAG))
    text.refuse_long(line_number, line, ((what, fields[i]) for what, i in named))
    return fields


def _score(text: FieldLines, line_number: int, line: bytes, field: bytes) -> float:
    value = parsed_number(field)
    if value is None:
        text.refuse(line_number, f"the score (field 5) is not a number: {quoted_line(line)}")
    if not math.isfinite(value):
        text.refuse(line_number, f"the score (field 5) is not finite, so it cannot be ordered: {quoted_line(line)}")
    return value


def _repeat(lines: list[list[bytes]]) -> bool:
    """True if the fourth fields cannot be ranks: there are only four fields, or values repeat within a topic."""
    if all(len(fields) == 4 for fields in lines):
        return True
    pairs = [(fields[0], fields[3]) for fields in lines]
    return len(set(pairs)) < len(pairs)


def _looks_like_qrels(lines: Lines) -> bool:
    """Judgments of three aspects have six fields too: but their `ranks` repeat, and few numbers fill three columns."""
    few = 128  # grades: 0 to 100 in the longest scales known
    if lines.rank is None or not 2 <= len(lines.tags) <= few or None in [parsed_number(tag) for tag, _ in lines.tags]:
        return False
    first = lines.topic[:_LOOKED_AT] == lines.topic[0]
    ranks, scores = lines.rank[:_LOOKED_AT][first], lines.score[:_LOOKED_AT][first]
    return len(np.unique(ranks)) * 2 <= len(ranks) and len(np.unique(scores)) * 2 <= len(scores)


# -- Qrels -----------------------------------------------------------------------------------------


def parse_qrels(file: str, data: bytes) -> Lines:
    """The lines of a qrels file; an invalid line raises ``file:line: …``."""
    text = clean(file, data)
    looked_at = _first_fields(text)
    if lacks_tag(looked_at):
        text.refuse(None, _TAGLESS)
    if all(len(fields) >= 6 and parsed_number(fields[4]) is not None for fields in looked_at):
        named = all(parsed_number(fields[5]) is None for fields in looked_at)
        if named or _counts_down([fields for fields in looked_at if fields[0] == looked_at[0][0]]):
            text.refuse(None, _LOOKS % (_A_RUN, _QRELS))
    lines = _fast_qrels(text) or _exact_qrels(text)
    return replace(lines, findings=(*text.findings, *lines.findings)) if text.findings else lines


def _fast_qrels(text: FieldLines) -> Lines | None:
    width = len(text.fields(text.first_line()))
    if width > _MOST_FIELDS:
        return None  # each of them would be a column
    types = {_TOPIC: NAME_TYPE, _SECOND: NAME_TYPE, _DOCUMENT: DOCUMENT_TYPE}
    columns = _columns(text, types | dict.fromkeys(range(_GRADE, width), _NUMBER), _QRELS_FIELDS)
    if columns is None:
        return None
    grades = np.column_stack([columns[i].to_numpy() for i in range(_GRADE, width)])
    second = columns[_SECOND]
    return Lines.of(
        text.file,
        columns[_TOPIC],
        columns[_DOCUMENT],
        grades,
        text.line_of,
        second=lambda row: bytes(second[row].as_py()),
    )


def _exact_qrels(text: FieldLines) -> Lines:
    rows = []
    for line_number, line in text.lines():
        fields = text.fields(line)
        if (found := len(list(filter(None, fields)))) < _QRELS_FIELDS:
            text.refuse(line_number, f"expected {_QRELS_FIELDS} fields or more, found {found}: {quoted_line(line)}")
        if len(fields) > _MOST_FIELDS:  # each would be looked for on every line
            wide = f"{len(fields):,} fields; at most {_MOST_FIELDS - _GRADE} columns of grades are read"
            text.refuse(line_number, f"the line has {wide}: {quoted_line(line)}")
        named = (("topic", _TOPIC), ("document", _DOCUMENT), ("second field", _SECOND))
        text.refuse_long(line_number, line, ((what, fields[i]) for what, i in named))
        rows.append((line_number, line, fields))
    grades, findings = _grades(text, [(number, line, fields[_GRADE:]) for number, line, fields in rows])
    topic, second, docs = ([fields[i] for *_, fields in rows] for i in (_TOPIC, _SECOND, _DOCUMENT))
    return Lines.of(text.file, topic, docs, grades, text.line_of, findings=findings, second=second.__getitem__)


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
            text.refuse(line_number, f"the grade (field {_QRELS_FIELDS}) is not a finite number: {quoted_line(line)}")
        count = sum(grade is not None for grade in column)
        message = (
            f"field {_QRELS_FIELDS + i} holds no grade here, so the column is left out "
            f"({count:,} line{'s have' if count != 1 else ' has'} a number there)"
        )
        severity = "warning" if count else "note"
        findings.append(Finding(severity, text.file, line_number, f"{message}: {quoted_line(line)}", message))
    return np.column_stack(columns), tuple(findings)


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
