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
    """The lines of a run, or of a set of judgments, in the order of the file."""

    file: str
    topics: tuple[bytes, ...]  #: distinct, in order of appearance, then those without a line
    topic: NDArray[np.integer]  #: int32, lines: position in `topics`
    docs: pa.BinaryArray
    values: NDArray[np.float64]  #: lines × columns: the score, or the grades
    line_of: Callable[[int], int]  #: row of the file (from 0) → its line (from 1)
    rank: NDArray[np.float64] | None = None  #: None where a line has no number as its rank
    rank_problem: tuple[int | None, str] = (None, "")  #: then the first row without a rank, and why it has none
    tags: tuple[tuple[bytes, int], ...] = ()  #: distinct tags, each with the first row that has it
    second: Callable[[int], bytes] = lambda row: b""  #: row → second field of qrels
    findings: tuple[Finding, ...] = ()  #: about the text, with the run's ir_metadata
    texts: Mapping[str, str] = field(default_factory=dict)  #: of queries
    rows: NDArray[np.intp] | None = None  #: of the file, by line; None where these are all of them, in order

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
        """Some of the lines, of other `topics`; `topic` has the place of each line's among these."""
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
        files = join_words(part.file for part in parts)
        raise IrvizError(f"{files}: parts of one set have equally many columns of grades.")
    topics: dict[bytes, int] = {}
    places = [np.array([topics.setdefault(key, len(topics)) for key in part.topics]) for part in parts]
    topic = np.concatenate([place[part.topic] for place, part in zip(places, parts, strict=True)])
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
        what = f"another grade than in {other.file}, line {other.line_of(int(own[there]))}, for the same document of "
        what += f"topic {text_of(list(topics)[int(topic[here])])}. Keep one."
        raise FileProblem(part.file, part.line_of(int(own[here])), what)
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
