"""Identifiers of documents and the scores of their runs, which no measure reads.

Identifiers are a table of strings, into which everything else is an index.  One may be there several times until it is
saved: finding the equal ones takes as long as reading the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlsplit

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from irviz.collection.names import text_of
from irviz.collection.ragged import Padded, Rows
from irviz.errors import IrvizError, number_of
from irviz.portable import digest

NO_INDEX = -1  #: index of no identifier: past the end of a list, or padding
DEFAULT_RANKS = 100


@dataclass(frozen=True, eq=False)
class Documents:
    """Identifiers and run-file scores of a collection's documents."""

    identifiers: pa.BinaryArray  #: bytes as the files have them; every one once after `compact`
    pool: Padded  #: int32, topics × judged documents: index into `identifiers`; `NO_INDEX` for padding
    lists: Padded  #: int32, topics × systems × first ranks: the same; `NO_INDEX` past the end of a list
    scores: Padded  #: float64, topics × systems × first ranks; NaN past the end of a list
    negative_grades: Padded | None = None  #: float64, topics × judged documents × aspects: grades below zero

    def __repr__(self) -> str:
        return f"<irviz Documents: {number_of(len(self.identifiers), 'identifier')}>"

    @property
    def ranks(self) -> int:
        """Ranks of every list whose documents are known whether judged or not."""
        return int(self.lists.shape[2])

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        arrays = (self.pool, self.lists, self.scores, self.negative_grades)
        return self.identifiers.nbytes + sum(array.nbytes for array in arrays if array is not None)

    def compact(self) -> Documents:
        """The same with every identifier that is used, once."""
        coded = self.identifiers.dictionary_encode()
        of = np.append(coded.indices.to_numpy(), len(coded.dictionary))  # no identifier comes last
        used = np.zeros(len(coded.dictionary) + 1, dtype=bool)
        used[of[self.pool.values]] = used[of[self.lists.values]] = True
        used[NO_INDEX] = False
        place = np.cumsum(used, dtype=np.int32) - 1
        place[NO_INDEX] = NO_INDEX
        return replace(
            self,
            identifiers=coded.dictionary.filter(pa.array(used[:-1])),
            pool=replace(self.pool, values=place[of[self.pool.values]]),
            lists=replace(self.lists, values=place[of[self.lists.values]]),
        )

    def digest(self) -> str:
        """A digest of all of it, whatever the order of the table of identifiers."""
        shapes = [self.pool.shape, self.lists.shape]
        numbers = (array.blocks() for array in (self.scores, self.negative_grades) if array is not None)
        return digest(shapes, self._bytes(self.pool), self._bytes(self.lists), *numbers)

    def _bytes(self, indices: Padded) -> Iterator[NDArray[Any]]:
        """Lengths of identifiers (−1 for a missing one) and their bytes, by blocks of topics."""
        for part in map(np.ravel, indices.blocks()):
            known = part[part != NO_INDEX]
            names = self.identifiers.take(pa.array(known))
            lengths = np.full(len(part), -1, dtype="<i4")
            lengths[part != NO_INDEX] = pc.binary_length(names).to_numpy()
            yield lengths
            if len(names):
                ends = np.frombuffer(names.buffers()[1], dtype=np.int32)[names.offset : names.offset + len(names) + 1]
                yield np.frombuffer(names.buffers()[2], dtype=np.uint8)[ends[0] : ends[-1]]

    def names(self, indices: NDArray[np.integer]) -> list[str | None]:
        """Identifiers as text; None for `NO_INDEX`."""
        known = self.identifiers.take(pa.array(indices, mask=indices < 0, type=pa.int32()))
        return [None if name is None else text_of(name) for name in known.to_pylist()]

    def subset(self, rows: Rows, columns: Rows, depth: int | None) -> Documents:
        """Those of some topics (rows) and systems (columns), in their order, and of the first `depth` ranks."""
        return replace(
            self,
            pool=self.pool.subset(rows),
            lists=self.lists.subset(rows, columns, depth),
            scores=self.scores.subset(rows, columns, depth),
            negative_grades=None if self.negative_grades is None else self.negative_grades.subset(rows),
        )

    def with_aspect(self, grades: NDArray[np.float64], aspect_count: int) -> Documents:
        """The same with one more aspect or judge, whose grades are topics × judged documents."""
        if self.negative_grades is None and not (grades < 0).any():
            return self
        below = np.zeros((*grades.shape, aspect_count)) if self.negative_grades is None else self.negative_grades[:]
        negative = np.where(grades < 0, grades, 0.0)
        below = np.concatenate([below, negative[:, :, None]], axis=2)
        return replace(self, negative_grades=Padded.of(below, 0.0))

    def with_aspects(self, order: list[int]) -> Documents:
        """The same under aspects in another order."""
        below = self.negative_grades
        return self if below is None else replace(self, negative_grades=replace(below, values=below.values[:, order]))


def ranks_kept(documents: object, depth: int) -> int | None:
    """First ranks whose identifiers are kept for a choice of `documents`; None for no identifiers.

    >>> ranks_kept(100, 1000), ranks_kept("all", 1000), ranks_kept("judged", 1000), ranks_kept("none", 1000)
    (100, 1000, 0, None)
    """
    words: dict[object, int | None] = {"judged": 0, "all": depth, "none": None}
    if isinstance(documents, str) and documents in words:
        return words[documents]
    if isinstance(documents, bool) or not isinstance(documents, int) or documents < 0:
        what = f"`documents` must be a number of ranks, or 'judged', 'all' or 'none'; got {documents!r}"
        raise IrvizError(f"{what}. {DEFAULT_RANKS} keeps all judged documents and {DEFAULT_RANKS} first ranks.")
    return min(documents, depth)


def documents_memory(topics: int, systems: int, ranks: int, judged_documents: int, aspects: int = 1) -> int:
    """The bytes that `Documents` take at most, as where all listed documents are unjudged.

    `judged_documents` are those of the topic with most; an identifier has 24 bytes, as in web collections; `aspects`
    may be judges.

    >>> round(documents_memory(50, 129, 100, 2000) / 2**20)  # megabytes
    28
    """
    index, offset, score, grade, length = 4, 4, 8, 8, 24
    pool = topics * judged_documents * (index + offset + length + grade * aspects)
    return pool + topics * systems * ranks * (index + score + offset + length)


# -- Links from a document's identifier to its text, which irviz itself never fetches or keeps -----

DOCID = "{docid}"
_LONGEST = 500
_EXAMPLE = f"Write one such as https://example.org/documents/{DOCID}."


def checked_pattern(pattern: str) -> str:
    """`pattern` if it is an address that holds ``{docid}`` once, behind the name of the server.

    Refused are anything but http and https, a user name, and blanks, quotes and brackets, which no address needs.

    >>> checked_pattern("https://example.org/show?id={docid}")
    'https://example.org/show?id={docid}'
    """
    if not isinstance(pattern, str) or len(pattern) > _LONGEST:
        raise IrvizError(f"A link pattern is a text of at most {_LONGEST} characters. {_EXAMPLE}")
    rest = pattern.replace(DOCID, "")
    if pattern.count(DOCID) != 1 or "{" in rest or "}" in rest:
        raise IrvizError(f"A link pattern holds {DOCID} once, and no other braces; got `{pattern}`. {_EXAMPLE}")
    if not rest.isascii() or not rest.isprintable() or any(c in rest for c in " \"'<>\\^`|"):
        raise IrvizError(f"A link pattern is an address without blanks, quotes and brackets. {_EXAMPLE}")
    try:
        parts = urlsplit(pattern)
        parts.port  # noqa: B018 - a port that is not a number raises
    except ValueError as error:
        raise IrvizError(f"`{pattern}` is not an address ({error}). {_EXAMPLE}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise IrvizError(f"A link pattern begins with http:// or https:// and a server; got `{pattern}`. {_EXAMPLE}")
    if DOCID in parts.netloc or "@" in parts.netloc:
        raise IrvizError(f"The server of a link pattern is fixed and needs no user name; got `{pattern}`. {_EXAMPLE}")
    return pattern


def document_link(pattern: str, document: str) -> str:
    """The address of a document's text."""
    return checked_pattern(pattern).replace(DOCID, quote(document, safe=""))


def identifier_in(pattern: str) -> str:
    """A regular expression whose group is the document in an address that `pattern` made."""
    before, _, after = checked_pattern(pattern).partition(DOCID)
    return f"^{re.escape(before)}(.*){re.escape(after)}$"
