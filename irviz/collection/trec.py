"""Runs and qrels of TREC as lines.

Lines of runs are ``topic Q0 document rank score tag``; what follows the sixth field is passed over.  Lines of qrels are
``topic iteration document grade …``; the iteration may be any text, and each column from the fourth on that has a
number on every line is an aspect's grades.

A regular text is read by Arrow: one blank between fields, equally many fields on every line, numbers where numbers are
expected.  Any other is read line by line into the same columns; only this refuses a line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from itertools import islice
from typing import Any

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

_NUMBER = pa.float64()
_BLOCK = 1 << 28  # one block a file up to here: its columns are then one piece
_POOL = pa.system_memory_pool()  # gives memory back between runs, and was measured to be the fastest here
_RUN_FIELDS, _QRELS_FIELDS = 6, 4  # at least
_MOST_FIELDS = 103  #: of qrels, with 100 columns of grades
_TOPIC, _SECOND, _DOCUMENT, _RANK, _SCORE, _TAG = range(_RUN_FIELDS)
_GRADE = _RANK
_TEXTS = {_TOPIC: "topic", _SECOND: "second field", _DOCUMENT: "document", _TAG: "tag"}  # the other fields are numbers
_LOOKED_AT = 2_000  # lines that tell a run from qrels
_LOOKS = "this looks like %s, not %s. Give the qrels first, the runs second."
_A_RUN, _QRELS = "a run (topic, Q0, document, rank, score, tag)", "qrels (topic, iteration, document, grade)"
_TAGLESS = (
    "this looks like a run that lacks its last field (topic, Q0, document, rank, score, and then a tag), "
    f"not {_QRELS}. Add a tag to every line."
)

Columns = dict[int, Any]  #: by position: texts as Arrow arrays, numbers as float64


def _columns(text: FieldLines, texts: Sequence[int], width: int) -> Columns | None:
    """The first `width` columns, those of `texts` and numbers, read by Arrow; None where the text is not regular."""
    columns = _regular_columns(text, texts, width)
    return _regular_columns(text.squeeze(), texts, width) if columns is None else columns


def _regular_columns(text: FieldLines, texts: Sequence[int], width: int) -> Columns | None:
    separator, found = text.separator, len(text.fields(text.first_line()))
    if separator is None or not max(texts) < width <= found:
        return None
    kinds = {i: (NAME_TYPE if i in (_TOPIC, _TAG) else DOCUMENT_TYPE) if i in texts else _NUMBER for i in range(width)}
    try:
        table = csv.read_csv(
            pa.BufferReader(text.data),
            read_options=csv.ReadOptions(
                use_threads=False,
                block_size=min(len(text.data) + 1, _BLOCK),
                column_names=[str(i) for i in range(found)],
            ),
            parse_options=csv.ParseOptions(delimiter=separator.decode(), quote_char=False, double_quote=False),
            convert_options=csv.ConvertOptions(
                column_types={str(i): kind for i, kind in kinds.items()},
                include_columns=[str(i) for i in kinds],
                null_values=[],
                strings_can_be_null=False,
                check_utf8=False,
            ),
            memory_pool=_POOL,
        )
    except pa.ArrowInvalid:
        return None
    pieces = [table[str(i)].unify_dictionaries() for i in kinds]
    columns = [piece.chunk(0) if piece.num_chunks == 1 else piece.combine_chunks() for piece in pieces]
    if not all(map(_regular, columns)):
        return None
    return {i: column.to_numpy() if column.type == _NUMBER else column for i, column in enumerate(columns)}


def _regular(column: pa.Array) -> bool:
    """No empty and no endless identifier, no number that is not finite."""
    if column.null_count or not len(column):
        return False
    if column.type == _NUMBER:
        return bool(np.isfinite(column.to_numpy()).all())
    lengths = pc.min_max(pc.binary_length(column.dictionary if column.type == NAME_TYPE else column)).as_py()
    return lengths["min"] > 0 and lengths["max"] <= LONGEST_IDENTIFIER


def _exact_columns(
    text: FieldLines, texts: Sequence[int], number: int, fields_of: Callable[[FieldLines, int, bytes], list[bytes]]
) -> Columns:
    """All columns, read line by line; NaN where there is no finite number, which is refused in column `number`."""
    rows = []
    for line_number, line in text.lines():
        fields = fields_of(text, line_number, line)
        text.refuse_long(line_number, line, ((_TEXTS[i], fields[i]) for i in texts))
        if math.isnan(_finite(fields[number])):
            what = f"the {'score' if number == _SCORE else 'grade'} (field {number + 1}) is not a finite number"
            text.refuse(line_number, f"{what}: {quoted_line(line)}")
        rows.append(fields)
    numbers = [i for i in range(max(map(len, rows))) if i not in texts]
    columns: Columns = {i: pa.array([fields[i] for fields in rows], DOCUMENT_TYPE) for i in texts}
    columns |= {i: np.array([_finite(fields[i]) if i < len(fields) else math.nan for fields in rows]) for i in numbers}
    return columns


def _finite(field: bytes) -> float:
    """The number of a field; NaN where it holds none that is finite."""
    number = parsed_number(field)
    return number if number is not None and math.isfinite(number) else math.nan


def _lines(text: FieldLines, columns: Columns, values: NDArray[np.float64], **more: Any) -> Lines:
    line_of = partial(text.line_of, records=len(values))
    return Lines.of(text.file, columns[_TOPIC], columns[_DOCUMENT], values, line_of, **more)


def _first_fields(text: FieldLines) -> list[list[bytes]]:
    return [text.fields(line) for _, (_, line) in zip(range(20), text.lines(), strict=False)]


# -- Runs ------------------------------------------------------------------------------------------

_RUN_TEXTS, _QRELS_TEXTS = (_TOPIC, _SECOND, _DOCUMENT, _TAG), (_TOPIC, _SECOND, _DOCUMENT)


def parse_run(file: str, data: bytes) -> Lines:
    """The lines of a run; an invalid line raises ``file:line: …``."""
    text, said = clean(file, data), run_metadata(data)
    told = (Finding("note", file, None, f"the run's ir_metadata: {said}"),) if said else ()
    columns = _columns(text, _RUN_TEXTS, _RUN_FIELDS)
    if columns is None:
        looked_at = _first_fields(text)
        graded = all(len(fields) in (4, 5) and None not in map(parsed_number, fields[3:]) for fields in looked_at)
        if graded and (  # there are no ranks, or they repeat within a topic
            all(len(fields) == 4 for fields in looked_at)
            or len({(fields[0], fields[3]) for fields in looked_at}) < len(looked_at)
        ):
            text.refuse(None, _LOOKS % (_QRELS, _A_RUN))
        columns = _exact_columns(text, _RUN_TEXTS, _SCORE, _fields_of_run)
    rank, tag = columns[_RANK], columns[_TAG]
    tag = tag if tag.type == NAME_TYPE else tag.dictionary_encode()
    first = [0] if len(tag.dictionary) == 1 else np.unique(tag.indices.to_numpy(), return_index=True)[1].tolist()
    tags = tuple(zip(tag.dictionary.to_pylist(), first, strict=True))
    if _looks_like_qrels(columns, tags):
        text.refuse(None, _LOOKS % (_QRELS, _A_RUN))
    unranked: tuple[int | None, str] = (None, "")
    if np.isnan(rank).any():
        row, rank = int(np.isnan(rank).argmax()), None
        line = next(islice(text.lines(), row, None))[1]
        unranked = row, f"the rank (field {_RANK + 1}) is not a finite number: {quoted_line(line)}"
    findings = (*told, *text.findings)
    return _lines(text, columns, columns[_SCORE], rank=rank, rank_problem=unranked, tags=tags, findings=findings)


def _fields_of_run(text: FieldLines, line_number: int, line: bytes) -> list[bytes]:
    """The first six fields of a line; a rank may be left empty between two tabs."""
    fields = line.split(None, _RUN_FIELDS)
    if text.by_tabs or len(fields) < _RUN_FIELDS:
        tabbed = [field.strip() for field in line.split(b"\t")]
        if len(tabbed) < _RUN_FIELDS or not all(field or i == _RANK for i, field in enumerate(tabbed[:_RUN_FIELDS])):
            text.refuse(line_number, f"expected {_RUN_FIELDS} fields, found {len(fields)}: {quoted_line(line)}")
        fields = tabbed
    return fields[:_RUN_FIELDS]


def _looks_like_qrels(columns: Columns, tags: tuple[tuple[bytes, int], ...]) -> bool:
    """Judgments of three aspects have six fields too: but their `ranks` repeat, and few numbers fill three columns."""
    few = 128  # grades: 0 to 100 in the longest scales known
    if not 2 <= len(tags) <= few or None in [parsed_number(tag) for tag, _ in tags] or np.isnan(columns[_RANK]).any():
        return False
    topic = columns[_TOPIC].slice(0, _LOOKED_AT)
    first = pc.equal(topic, topic[0]).to_numpy(zero_copy_only=False)
    ranks, scores = (columns[i][:_LOOKED_AT][first] for i in (_RANK, _SCORE))
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
    width = len(looked_at[0])
    columns = _columns(text, _QRELS_TEXTS, width) if _QRELS_FIELDS <= width <= _MOST_FIELDS else None
    columns = columns or _exact_columns(text, _QRELS_TEXTS, _GRADE, _fields_of_qrels)
    grades = {i: columns[i] for i in range(_GRADE, len(columns))}
    partly = {i: column for i, column in grades.items() if np.isnan(column).any()}
    findings = (*text.findings, *(_left_out(text, i, column) for i, column in partly.items()))
    values = np.column_stack([column for i, column in grades.items() if i not in partly])
    second = columns[_SECOND]
    return _lines(text, columns, values, findings=findings, second=lambda row: bytes(second[row].as_py()))


def _left_out(text: FieldLines, column: int, grades: NDArray[np.float64]) -> Finding:
    """A column that has grades on some lines only."""
    count = int((~np.isnan(grades)).sum())
    line_number, line = next(islice(text.lines(), int(np.isnan(grades).argmax()), None))
    message = (
        f"field {column + 1} holds no grade here, so the column is left out "
        f"({count:,} line{'s have' if count != 1 else ' has'} a number there)"
    )
    severity = "warning" if count else "note"
    return Finding(severity, text.file, line_number, f"{message}: {quoted_line(line)}", message)


def _fields_of_qrels(text: FieldLines, line_number: int, line: bytes) -> list[bytes]:
    fields = text.fields(line)
    if (found := len(list(filter(None, fields)))) < _QRELS_FIELDS:
        text.refuse(line_number, f"expected {_QRELS_FIELDS} fields or more, found {found}: {quoted_line(line)}")
    if len(fields) > _MOST_FIELDS:  # each would be looked for on every line
        wide = f"{len(fields):,} fields; at most {_MOST_FIELDS - _GRADE} columns of grades are read"
        text.refuse(line_number, f"the line has {wide}: {quoted_line(line)}")
    return fields


def lacks_tag(lines: list[list[bytes]]) -> bool:
    """True if lines have five fields, of which the fourth are ranks and the fifth scores: a run without tags.

    >>> lacks_tag([b"1 Q0 a 1 9.5".split(), b"1 Q0 b 2 9.1".split(), b"1 Q0 c 3 7".split()])
    True
    >>> lacks_tag([b"1 0 a 1 2".split(), b"1 0 b 2 2".split(), b"1 0 c 1 0".split()])
    False
    """
    five = bool(lines) and all(len(fields) == 5 for fields in lines)
    return five and _counts_down([fields for fields in lines if fields[0] == lines[0][0]])


def _counts_down(lines: list[list[bytes]]) -> bool:
    """True if the fourth fields count from 0 or 1 and the fifth never rise, as ranks and scores of a run."""
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
    """Diversity qrels by intent, each an aspect of ``irviz.load_collection(irviz.load_intents(qrels), runs)``.

    Parameters
    ----------
    qrels : path, (name, bytes) or open file
        Lines of topic, intent, document and grade, as ndeval reads them.
    limits : Limits
        As in :func:`irviz.load_collection`.

    Returns
    -------
    dict of str to (name, bytes)
        The lines of each intent, in natural order; the other lines are empty.

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
    """Values of the second column in the first lines, and whether a document is judged under several, as for intents.

    More than `MOST_INTENTS` values are 0.

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
