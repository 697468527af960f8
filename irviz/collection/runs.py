"""One run file as arrays: topic, document, rank and score of every line.

Lines are ``topic Q0 document rank score tag``; what follows the sixth field is
passed over, and the second is not looked at.  The fast path and the exact path give
equal results; only the exact one raises, because it knows the line.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
from numpy.typing import NDArray

from irviz.collection.codes import Finding
from irviz.collection.text import LONGEST_IDENTIFIER, FieldLines, clean, parsed_number, quoted_line, run_metadata

# -- The fast path: columns of a regular text through Arrow's CSV reader ---------------------------
#
# Regular means: one blank between fields, equally many fields on every line, numbers
# where numbers are expected.  An irregular file gives None, never an error: the exact
# path then reads the file and finds the line.

NAME_TYPE = pa.dictionary(pa.int32(), pa.binary())  #: a column with few distinct values
DOCUMENT_TYPE = pa.binary()  #: a column with many
NUMBER_TYPE = pa.float64()
WHOLE = pa.int64()
_BLOCK = 1 << 28  # one block a file up to here: its columns are then one piece
_POOL = pa.system_memory_pool()  # gives memory back between runs, and was measured to be the fastest here


def read_columns(text: FieldLines, types: dict[int, pa.DataType], least: int) -> dict[int, pa.Array] | None:
    """Columns by position, each of the type it has in `types`; None where the text is not regular.

    `least` is the fewest fields a line may have; more are passed over, if all lines have them.
    """
    table = _table(text, types, least)
    return _table(text.squeeze(), types, least) if table is None else table


def _table(text: FieldLines, types: dict[int, pa.DataType], least: int) -> dict[int, pa.Array] | None:
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


def names_of(column: pa.DictionaryArray) -> tuple[list[bytes], NDArray[np.int32]]:
    """The distinct values of a `NAME_TYPE` column in order of appearance, and every row's position among them."""
    return column.dictionary.to_pylist(), column.indices.to_numpy(zero_copy_only=False)


def _one_piece(column: pa.ChunkedArray) -> pa.Array:
    unified = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
    return unified.chunk(0) if unified.num_chunks == 1 else unified.combine_chunks()


def _regular(column: pa.Array) -> bool:
    """No empty and no endless identifier, no number that is not finite."""
    if column.null_count or not len(column):
        return False
    if column.type == NUMBER_TYPE:
        return bool(np.isfinite(column.to_numpy()).all())
    if column.type == WHOLE:
        return True
    lengths = pc.min_max(pc.binary_length(column.dictionary if column.type == NAME_TYPE else column)).as_py()
    return lengths["min"] > 0 and lengths["max"] <= LONGEST_IDENTIFIER


_FIELDS = 6  #: topic, Q0, document, rank, score, tag
_TOPIC, _ITERATION, _DOCUMENT, _RANK, _SCORE, _TAG = range(_FIELDS)
_LOOKED_AT = 2_000  # lines that tell a run from qrels


@dataclass(frozen=True, eq=False)
class RunLines:
    """The lines of one run, in the order of the file.

    Attributes
    ----------
    topics : tuple of bytes
        Distinct topics in order of appearance.
    topic : int32, lines
        Position in `topics`.
    docs : Arrow binary array, lines
    rank : float64, lines, or None
        The rank column; None where it does not hold a number on every line.
    rank_problem : tuple of (row or None, sentence)
        Where `rank` is None: the first row without a rank, and why it has none.
    score : float64, lines
    tags : tuple of (tag, row)
        Distinct tags, each with the first row that has it.
    line_of : callable
        Row (from 0) → line of the file (from 1).
    findings : tuple of Finding
        About its text, the run's ir_metadata among them.
    """

    file: str
    topics: tuple[bytes, ...]
    topic: NDArray[np.int32]
    docs: pa.BinaryArray
    rank: NDArray[np.float64] | None
    score: NDArray[np.float64]
    tags: tuple[tuple[bytes, int], ...]
    line_of: Callable[[int], int]
    rank_problem: tuple[int | None, str] = (None, "")
    findings: tuple[Finding, ...] = ()


def parse_run(file: str, data: bytes) -> RunLines:
    """The lines of a run; an invalid line raises ``file:line: …``."""
    text, said = clean(file, data), run_metadata(data)
    told = (Finding("note", file, None, f"the run's ir_metadata: {said}"),) if said else ()
    return replace(_fast(text) or _exact(text), findings=(*told, *text.findings))


def _fast(text: FieldLines) -> RunLines | None:
    as_text = b"x" in text.data or b"X" in text.data  # identifiers have it; Arrow would read the rank 0x1F as 31
    types = {
        _TOPIC: NAME_TYPE,
        _ITERATION: DOCUMENT_TYPE,
        _DOCUMENT: DOCUMENT_TYPE,
        _RANK: NAME_TYPE if as_text else WHOLE,
        _SCORE: NUMBER_TYPE,
        _TAG: NAME_TYPE,
    }
    columns = read_columns(text, types, _FIELDS)
    if columns is None:
        return None
    ranks = _decimal(columns[_RANK]) if as_text else columns[_RANK].to_numpy()
    if ranks is None:
        return None
    topics, topic = names_of(columns[_TOPIC])
    tags, tag = names_of(columns[_TAG])
    rank = ranks.astype(np.float64)
    if _looks_like_qrels(rank, columns[_SCORE].to_numpy(), topic, tags):
        return None
    return RunLines(
        text.file,
        tuple(topics),
        topic,
        columns[_DOCUMENT],
        rank,
        columns[_SCORE].to_numpy(),
        _first_rows(tags, tag),
        partial(text.line_of, records=len(topic)),
    )


def _decimal(rank: pa.DictionaryArray) -> NDArray[np.int64] | None:
    """The numbers of a rank column that was read as text; None where one is hexadecimal or not an integer."""
    if pc.any(pc.match_substring_regex(rank.dictionary, "^[-+]?0[xX]")).as_py():
        return None
    try:
        values = rank.dictionary.cast(pa.string()).cast(WHOLE)
    except pa.ArrowInvalid:
        return None
    return values.to_numpy()[rank.indices.to_numpy()]


def _exact(text: FieldLines) -> RunLines:
    _refuse_qrels(text)
    topics: dict[bytes, int] = {}
    tags: dict[bytes, int] = {}
    topic, docs, rank, score = [], [], [], []
    unranked: tuple[int | None, str] = (None, "")
    for row, (line_number, line) in enumerate(text.lines()):
        fields = _fields(text, line_number, line)
        topic.append(topics.setdefault(fields[_TOPIC], len(topics)))
        docs.append(fields[_DOCUMENT])
        rank.append(_rank(fields[_RANK]))
        if rank[-1] is None and unranked[0] is None:
            unranked = row, f"the rank (field {_RANK + 1}) is not a finite number: {quoted_line(line)}"
        score.append(_score(text, line_number, line, fields[_SCORE]))
        tags.setdefault(fields[_TAG], row)
    ranks = np.array(rank, dtype=np.float64) if unranked[0] is None else None
    if ranks is not None and _looks_like_qrels(ranks, np.array(score), np.array(topic, dtype=np.int32), list(tags)):
        text.refuse(None, _QRELS)
    return RunLines(
        text.file,
        tuple(topics),
        np.array(topic, dtype=np.int32),
        pa.array(docs, DOCUMENT_TYPE),
        ranks,
        np.array(score, dtype=np.float64),
        tuple(tags.items()),
        text.line_of,
        unranked,
    )


def _fields(text: FieldLines, line_number: int, line: bytes) -> list[bytes]:
    """The first six fields of a line; a rank may be left empty between two tabs."""
    fields = line.split(None, _FIELDS)
    if text.by_tabs or len(fields) < _FIELDS:
        tabbed = [field.strip() for field in line.split(b"\t")]
        if len(tabbed) < _FIELDS or not all(field or i == _RANK for i, field in enumerate(tabbed[:_FIELDS])):
            text.refuse(line_number, f"expected {_FIELDS} fields, found {len(fields)}: {quoted_line(line)}")
        fields = tabbed
    named = (("topic", _TOPIC), ("document", _DOCUMENT), ("second field", _ITERATION), ("tag", _TAG))
    text.refuse_long(line_number, line, ((what, fields[i]) for what, i in named))
    return fields


def _rank(field: bytes) -> float | None:
    """The rank in a field; None unless it is a finite number."""
    value = parsed_number(field)
    return value if value is not None and math.isfinite(value) else None


def _score(text: FieldLines, line_number: int, line: bytes, field: bytes) -> float:
    value = parsed_number(field)
    if value is None:
        text.refuse(line_number, f"the score (field 5) is not a number: {quoted_line(line)}")
    if not math.isfinite(value):
        text.refuse(line_number, f"the score (field 5) is not finite, so it cannot be ordered: {quoted_line(line)}")
    return value


def _first_rows(names: list[bytes], codes: NDArray[np.int32]) -> tuple[tuple[bytes, int], ...]:
    """Every name with the first row that has it."""
    if len(names) == 1:
        return ((names[0], 0),)
    used, rows = np.unique(codes, return_index=True)
    return tuple(sorted(((names[c], int(r)) for c, r in zip(used, rows, strict=True)), key=lambda pair: pair[1]))


_QRELS = (
    "this looks like qrels (topic, iteration, document, grade), not a run "
    "(topic, Q0, document, rank, score, tag). Give the qrels first, the runs second."
)


def _refuse_qrels(text: FieldLines) -> None:
    """Four fields a line, the last a number: judgments given as a run."""
    looked_at = [text.fields(line) for _, (_, line) in zip(range(20), text.lines(), strict=False)]
    graded = all(len(fields) in (4, 5) and None not in map(parsed_number, fields[3:]) for fields in looked_at)
    if graded and _repeat(looked_at):
        text.refuse(None, _QRELS)


def _repeat(lines: list[list[bytes]]) -> bool:
    """True if the fourth fields cannot be ranks: there are only four fields, or values repeat within a topic."""
    if all(len(fields) == 4 for fields in lines):
        return True
    pairs = [(fields[0], fields[3]) for fields in lines]
    return len(set(pairs)) < len(pairs)


def _looks_like_qrels(
    rank: NDArray[np.float64], score: NDArray[np.float64], topic: NDArray[np.int32], tags: list[bytes]
) -> bool:
    """Judgments of three aspects have six fields too: but their `ranks` repeat, and few numbers fill three columns."""
    few = 128  # grades: 0 to 100 in the longest scales known
    if len(tags) < 2 or len(tags) > few or any(parsed_number(tag) is None for tag in tags):
        return False
    first = topic[:_LOOKED_AT] == topic[0]
    ranks, scores = rank[:_LOOKED_AT][first], score[:_LOOKED_AT][first]
    return len(np.unique(ranks)) * 2 <= len(ranks) and len(np.unique(scores)) * 2 <= len(scores)
