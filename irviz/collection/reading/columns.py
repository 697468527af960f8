"""The fast path: columns of a regular text through Arrow's CSV reader.

Regular means: one blank between fields, equally many fields on every line, numbers
where numbers are expected.  An irregular file gives None, never an error: the exact
path then reads the file and finds the line.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
from numpy.typing import NDArray

from irviz.collection.reading.text import LONGEST_IDENTIFIER, FieldLines

NAME_TYPE = pa.dictionary(pa.int32(), pa.binary())  #: a column with few distinct values
DOCUMENT_TYPE = pa.binary()  #: a column with many
NUMBER_TYPE = pa.float64()
WHOLE = pa.int64()
_BLOCK = 1 << 28  # one block a file up to here: its columns are then one piece
_POOL = pa.system_memory_pool()  # gives memory back between runs, and was measured to be the fastest here


def read_columns(text: FieldLines, types: dict[int, pa.DataType], least: int) -> dict[int, pa.Array] | None:
    """Columns by position, or None where the text is not regular.

    Parameters
    ----------
    types : mapping of position to type
        What every column holds; `NAME_TYPE`, `DOCUMENT_TYPE`, `NUMBER_TYPE` or `WHOLE`.
    least : int
        Fewest fields a line may have; more are passed over, if all lines have them.
    """
    for candidate in (text, None):
        table = _table(candidate or text.squeezed(), types, least)
        if table is not None:
            return table
    return None


def _table(text: FieldLines, types: dict[int, pa.DataType], least: int) -> dict[int, pa.Array] | None:
    separator = text.separator
    width = len(text.first_line().split())
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
    whole = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
    return whole.chunk(0) if whole.num_chunks == 1 else whole.combine_chunks()


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
