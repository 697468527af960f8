"""Judgments and results line by line, whatever file or frame they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from irviz.collection.codes import Finding
from irviz.collection.names import text_of
from irviz.errors import FileProblem, IrvizError, join_words

NAME_TYPE = pa.dictionary(pa.int32(), pa.binary())  #: a column with few distinct values
DOCUMENT_TYPE = pa.binary()  #: a column with many


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a run, or of a set of judgments, in the order of the file.

    Attributes
    ----------
    file : str
    topics : tuple of bytes
        Distinct topics in order of appearance, then those without a line.
    topic : int32, lines
        Position in `topics`.
    docs : Arrow binary array, lines
    values : float64, lines × columns
        The score, or the grades.
    line_of : callable
        Row of the file (from 0) → its line (from 1).
    rank : float64, lines, or None
        The rank column; None where it does not hold a number on every line.
    rank_problem : tuple of (row or None, sentence)
        Where `rank` is None: the first row without a rank, and why it has none.
    tags : tuple of (tag, row)
        Distinct tags, each with the first row that has it.
    second : callable
        Row → second field of qrels.
    findings : tuple of Finding
        About its text, the run's ir_metadata among them.
    texts : mapping of str to str
        Texts of queries.
    rows : int, lines, or None
        The row of the file of each line; None where these are all of them, in order.
    """

    file: str
    topics: tuple[bytes, ...]
    topic: NDArray[np.integer]
    docs: pa.BinaryArray
    values: NDArray[np.float64]
    line_of: Callable[[int], int]
    rank: NDArray[np.float64] | None = None
    rank_problem: tuple[int | None, str] = (None, "")
    tags: tuple[tuple[bytes, int], ...] = ()
    second: Callable[[int], bytes] = lambda row: b""
    findings: tuple[Finding, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    rows: NDArray[np.intp] | None = None

    @classmethod
    def of(
        cls,
        file: str,
        topic: pa.Array | Sequence[bytes],
        docs: pa.Array | Sequence[bytes],
        values: NDArray[np.float64],
        line_of: Callable[[int], int],
        **more: object,
    ) -> Lines:
        """Lines of columns, each an Arrow array or a list of bytes; `values` may be one column."""
        coded = topic if isinstance(topic, pa.DictionaryArray) else pa.array(topic, DOCUMENT_TYPE).dictionary_encode()
        docs = docs if isinstance(docs, pa.Array) else pa.array(docs, DOCUMENT_TYPE)
        codes = coded.indices.to_numpy(zero_copy_only=False)
        columns = values if values.ndim > 1 else values[:, None]
        return cls(file, tuple(coded.dictionary.to_pylist()), codes, docs, columns, line_of, **more)  # type: ignore[arg-type]

    @property
    def score(self) -> NDArray[np.float64]:
        """The first column of values."""
        return self.values[:, 0]

    def line(self, index: int | np.integer) -> int:
        """The line of the file that a line here comes from."""
        return self.line_of(int(index if self.rows is None else self.rows[index]))

    def take(self, lines: NDArray[np.intp], topics: tuple[bytes, ...], topic: NDArray[np.intp]) -> Lines:
        """Some of the lines, of other `topics`, to which `topic` refers by line."""
        return replace(
            self,
            topics=topics,
            topic=topic[lines],
            docs=self.docs.take(pa.array(lines)),
            values=self.values[lines],
            rank=None if self.rank is None else self.rank[lines],
            rows=lines,
        )


def join_parts(parts: Sequence[Lines]) -> Lines:
    """Join parts of one set of judgments; repeated judgments count once, and are refused if their grades differ."""
    if len({part.values.shape[1] for part in parts}) > 1:
        raise IrvizError(
            f"{join_words(part.file for part in parts)}: parts of one set have equally many columns of grades."
        )
    topics: dict[bytes, int] = {}
    topic = np.concatenate(
        [np.array([topics.setdefault(key, len(topics)) for key in part.topics])[part.topic] for part in parts]
    )
    docs = pa.concat_arrays([part.docs for part in parts])
    grades = np.concatenate([part.values for part in parts])
    coded = docs.dictionary_encode()
    keys = topic * len(coded.dictionary) + coded.indices.to_numpy()
    _, once, inverse = np.unique(keys, return_index=True, return_inverse=True)
    sizes = [len(part.topic) for part in parts]
    whose, own = np.repeat(np.arange(len(parts)), sizes), np.concatenate([np.arange(size) for size in sizes])
    first = once[inverse]
    again = whose[first] != whose
    differ = np.flatnonzero(again & (grades != grades[first]).any(axis=1))
    if len(differ):
        here, there = int(differ[0]), int(first[differ[0]])
        part, other = parts[whose[here]], parts[whose[there]]
        raise FileProblem(
            part.file,
            part.line_of(int(own[here])),
            f"another grade than in {other.file}, line {other.line_of(int(own[there]))}, for the same document of "
            f"topic {text_of(list(topics)[int(topic[here])])}. Keep one.",
        )
    rows = np.flatnonzero(~again)
    return Lines(
        join_words((part.file for part in parts), joiner="and"),
        tuple(topics),
        topic[rows].astype(np.int32),
        docs.take(pa.array(rows)),
        grades[rows],
        lambda row: parts[whose[rows[row]]].line_of(int(own[rows[row]])),
        second=lambda row: parts[whose[rows[row]]].second(int(own[rows[row]])),
        findings=tuple(finding for part in parts for finding in part.findings),
        texts={query: text for part in reversed(parts) for query, text in part.texts.items()},
    )
