"""Judgments of one or several aspects, joined: topics, judged documents, grade levels.

Documents of a topic are in bytewise order, so that neither the order of lines nor that of files changes anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from irviz.collection.codes import MOST_LEVELS, NEGATIVE, UNJUDGED, Finding
from irviz.collection.lines import Lines
from irviz.collection.names import text_of, without_invisible
from irviz.collection.ragged import Padded
from irviz.errors import FileProblem, IrvizError, choose, is_finite, join_words

# -- Levels of grades: 0 for all at or below zero, then the distinct positive ones, used or declared ---------


def grade_levels(
    aspect: str, lines: Lines, column: NDArray[np.float64], levels: Sequence[float] | None
) -> tuple[float, ...]:
    """The grade of every level of an aspect, ascending from 0; a grade of `column` that `levels` lack is refused."""
    used = np.unique(column[column > 0])
    if levels is not None:
        known = np.unique([grade for grade in levels if grade > 0])
        extra = np.setdiff1d(used, known)
        if len(extra):
            line = lines.line_of(int(np.argmax(column == extra[0])))
            declared = join_words([f"{grade:g}" for grade in levels], joiner="and")
            what = f"the grade {extra[0]:g} ({aspect}) is not among the declared levels {declared}"
            raise FileProblem(lines.file, line, f"{what}. Declare it, or leave `levels` out.")
        used = known
    if len(used) >= MOST_LEVELS:
        message = f"{lines.file}: {len(used):,} different grades ({aspect}); at most {MOST_LEVELS - 1:,} are supported."
        raise IrvizError(f"{message} Round them.")
    return (0.0, *map(float, used))


def to_levels(column: NDArray[np.float64], grades: tuple[float, ...]) -> NDArray[np.int16]:
    """The level of every grade; `NEGATIVE` for a grade below zero."""
    level = np.searchsorted(np.array(grades), np.maximum(column, 0.0))
    return np.where(column < 0, NEGATIVE, level).astype(np.int16)


_UNCLEAR = (
    r"\xC2[\x80-\xA0\xAD]|\xCC|\xCD[\x80-\xAF]|\xE1[\x84-\x87]|\xE1\xA0\x8E|\xE2\x80[\x80-\x8F\xA8-\xAF]|"
    r"\xE2\x81[\x9F-\xAF]|\xE3\x80\x80|\xE3\x82[\x99\x9A]|\xEF\xBB\xBF"
)  # UTF-8 of characters that cannot be seen, and of those that another one may be composed with


def odd_rows(docs: pa.BinaryArray) -> NDArray[np.intp]:
    """The rows of identifiers that may look like others: with invisible characters, or composed ones."""
    data = docs.buffers()[2]
    if data is None or np.frombuffer(data, dtype=np.uint8).max(initial=0) < 0x80:
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero(pc.match_substring_regex(docs, _UNCLEAR).to_numpy(zero_copy_only=False))


def check_levels(levels: Mapping[str, Sequence[float]] | None, aspects: Sequence[str]) -> None:
    """Refuse declared levels that name no aspect or hold no finite numbers."""
    if levels is None:
        return
    if not isinstance(levels, Mapping):
        raise IrvizError("`levels` must be a mapping such as {'relevance': [0, 1, 2, 3]}.")
    for aspect, declared in levels.items():
        choose("aspect", aspect, aspects)
        numbers = isinstance(declared, (Sequence, np.ndarray)) and not isinstance(declared, (str, bytes))
        if not numbers or not all(is_finite(grade) for grade in declared):
            raise IrvizError(f"`levels[{aspect!r}]` must be a list of numbers such as [0, 1, 2, 3]; got {declared!r}.")


# -- Documents as numbers: a key for each, and a table in which the judged ones are found by theirs ----------
#
# Equal documents of a topic have equal keys.  Others nearly never do: where keys agree, documents are compared.

WordArray = NDArray[np.uint64]
_WORD = 8  #: bytes
_WHOLE = 16 * _WORD  #: bytes up to which the words are all of an identifier
_ODD = [np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)]
_SHIFT = np.uint64(32)


@dataclass(frozen=True, eq=False)
class DocumentKeys:
    """Documents, and a key of each: of its topic, length and words of eight bytes (the first 15 and the last one)."""

    topic: NDArray[np.integer]
    docs: pa.BinaryArray
    key: WordArray

    @classmethod
    def from_documents(cls, topic: NDArray[np.integer], docs: pa.BinaryArray) -> DocumentKeys:
        offsets = np.frombuffer(docs.buffers()[1], dtype=np.int32)[docs.offset : docs.offset + len(docs) + 1]
        starts, lengths = offsets[:-1].astype(np.intp), np.diff(offsets).astype(np.intp)
        text = _words(docs, int(offsets[-1]))
        head = text[starts]
        unused = np.maximum(_WORD - lengths, 0)
        if unused.any():  # the word runs on into the next document: cut it off
            shift = (8 * np.minimum(unused, _WORD - 1)).astype(np.uint64)
            head = np.where(lengths > 0, (head << shift) >> shift, np.uint64(0))
        key = _mix(head, topic.astype(np.uint64) * _ODD[0] + lengths.astype(np.uint64), _ODD[1])
        most, least = min(int(lengths.max(initial=0)), _WHOLE), int(lengths.min(initial=_WHOLE))
        for first in range(_WORD, most, _WORD):  # the last word ends with the document
            if first + _WORD <= min(least, _WHOLE - _WORD):
                key = _mix(text[first:][starts], key, _ODD[2])
                continue
            long = np.flatnonzero(lengths > first)
            spare = lengths[long] - _WORD
            word = text[starts[long] + (spare if first + _WORD == _WHOLE else np.minimum(spare, first))]
            key[long] = _mix(word, key[long], _ODD[2])
        return cls(topic, docs, key)

    def hash_table(self, topics: int) -> tuple[NDArray[np.int32], NDArray[np.intp], NDArray[np.intp]]:
        """A table with each document at its place; these places; and the documents whose place another one took.

        At most a quarter of it is taken, in each topic's part if topics have equally many.
        """
        slots = 1 << (4 * max(1, len(self.key) // max(1, topics))).bit_length()
        place, documents = self.places(slots), np.arange(len(self.key), dtype=np.int32)
        table = np.full(topics * slots, -1, dtype=np.int32)
        table[place] = documents
        return table, place, np.flatnonzero(table.take(place) != documents)

    def places(self, slots: int) -> NDArray[np.intp]:
        """The place of each document in a table with `slots` places a topic, a power of two."""
        place = (self.key >> _SHIFT).astype(np.intp)
        place &= slots - 1
        place += self.topic.astype(np.intp) * slots
        return place

    def may_repeat(self) -> bool:
        """True if two keys are equal: one of them meets the other at its place, or both find it taken."""
        table, place, rest = self.hash_table(int(self.topic.max(initial=0)) + 1)
        beaten = np.sort(self.key[rest])
        met = self.key.take(table.take(place[rest])) == self.key[rest]
        return bool(met.any() or (beaten[1:] == beaten[:-1]).any())


def _mix(word: WordArray, key: WordArray, odd: np.uint64) -> WordArray:
    mixed = word ^ key
    mixed *= odd
    mixed ^= mixed >> _SHIFT
    return mixed


def _words(docs: pa.BinaryArray, end: int) -> WordArray:
    """The eight bytes from every position on, as overlapping numbers."""
    data = np.zeros(end + _WORD, dtype=np.uint8)
    if end:
        data[:end] = np.frombuffer(docs.buffers()[2], dtype=np.uint8)[:end]
    return np.ndarray((end + 1,), dtype="<u8", buffer=data.data, strides=(1,))


class Lookup:
    """Positions of documents among the judged ones of their topic, by key; built once for all runs."""

    def __init__(self, docs: pa.BinaryArray, counts: NDArray[np.integer]) -> None:
        self._counts, self._first = counts, np.cumsum(counts) - counts
        self._keys = DocumentKeys.from_documents(np.repeat(np.arange(len(counts)), counts), docs)
        self._table, _, rest = self._keys.hash_table(len(counts))
        rest = rest[np.argsort(self._keys.key[rest], kind="stable")]  # those whose place another one took
        self._rest, self._rest_keys = np.append(rest, -1), self._keys.key[rest]

    def find(self, keys: DocumentKeys) -> NDArray[np.int32]:
        """By document, its index among the judged of its topic; `UNJUDGED` where it is none of them."""
        if not len(self._keys.key):
            return np.full(len(keys.key), UNJUDGED, dtype=np.int32)
        at = _take(self._table, keys.places(len(self._table) // len(self._counts)))
        other = np.flatnonzero((at >= 0) & (_take(self._keys.key, at) != keys.key))
        at[other] = self._rest[np.searchsorted(self._rest_keys, keys.key[other])]
        other = other[_take(self._keys.key, at[other]) != keys.key[other]]
        at[other] = -1
        rows = np.flatnonzero(at >= 0)
        judged, retrieved = self._keys.docs.take(pa.array(at[rows])), keys.docs.take(pa.array(rows))
        if not judged.equals(retrieved):
            return self._find_without_keys(keys)
        index = at - _take(self._first, keys.topic)
        index[at < 0] = UNJUDGED
        return index.astype(np.int32)

    def _find_without_keys(self, keys: DocumentKeys) -> NDArray[np.int32]:
        """The same without keys, for identifiers whose keys collide."""
        out = np.full(len(keys.key), UNJUDGED, dtype=np.int32)
        order = np.argsort(keys.topic, kind="stable")
        topics, starts = np.unique(keys.topic[order], return_index=True)
        for topic, rows in zip(topics.tolist(), np.split(order, starts[1:]), strict=True):
            judged = self._keys.docs.slice(int(self._first[topic]), int(self._counts[topic]))
            among = pc.index_in(keys.docs.take(pa.array(rows)), value_set=judged)
            out[rows] = among.fill_null(UNJUDGED).to_numpy()
        return out


def _take(table: NDArray[Any], index: NDArray[np.integer]) -> NDArray[Any]:
    """``table[index]``, but many times as fast, because it does not check signs: one below 0 takes the first."""
    return table.take(index, mode="clip")


@dataclass(frozen=True, eq=False)
class Judgments:
    """All qrels, joined."""

    file: str
    topics: tuple[str, ...]
    keys: tuple[bytes, ...]  #: the topics as in the files
    aspects: tuple[str, ...]
    docs: pa.BinaryArray  #: the judged documents topic by topic, bytewise ascending within a topic
    counts: NDArray[np.integer]  #: how many each topic has
    labels: Padded  #: int16, topics × judged documents × aspects
    grades: tuple[tuple[float, ...], ...]  #: by aspect the grade of each level
    findings: tuple[Finding, ...]
    negative_grades: Padded | None = None  #: float64, topics × judged documents × aspects: grades below zero
    texts: Mapping[str, str] = field(default_factory=dict)  #: of queries, where the files have them

    @cached_property
    def lookup(self) -> Lookup:
        """Positions of the documents of runs among `docs`."""
        return Lookup(self.docs, self.counts)

    @cached_property
    def odd(self) -> pa.BinaryArray:
        """The identifiers of `odd_rows`, without invisible characters and composed in one way."""
        odd = self.docs.take(pa.array(odd_rows(self.docs))).to_pylist()
        return pa.array([without_invisible(text_of(doc)).encode() for doc in odd], self.docs.type)

    @cached_property
    def places(self) -> dict[bytes, int]:
        """The place of every topic, by its key."""
        return {key: i for i, key in enumerate(self.keys)}


def join(
    files: Sequence[Lines], keys: tuple[bytes, ...]
) -> tuple[list[NDArray[np.intp]], NDArray[np.intp], pa.BinaryArray]:
    """All judged pairs sorted by topic and document; where each line of each file stands among them."""
    index, first = {key: i for i, key in enumerate(keys)}, files[0]
    pairs_of_first = [
        lines.topics == first.topics and lines.docs.equals(first.docs) and np.array_equal(lines.topic, first.topic)
        for lines in files
    ]  # as of most aspects
    own = [first, *(lines for lines, same in zip(files, pairs_of_first, strict=True) if not same)]
    topic = np.concatenate([np.array([index[k] for k in lines.topics], np.intp)[lines.topic] for lines in own])
    docs = pa.concat_arrays([lines.docs for lines in own])
    keys_of_order = [("topic", "ascending"), ("doc", "ascending")]
    order = pc.sort_indices(pa.table({"topic": topic, "doc": docs}), sort_keys=keys_of_order).to_numpy()
    topic, docs = topic[order], docs.take(pa.array(order))
    other = pc.not_equal(docs[1:], docs[:-1]).to_numpy(zero_copy_only=False) | (topic[1:] != topic[:-1])
    new = np.append(True, other)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.cumsum(new) - 1
    parts = np.split(place, np.cumsum([len(lines.topic) for lines in own])[:-1])
    others = iter(parts[1:])
    places = [parts[0] if same else next(others) for same in pairs_of_first]
    return places, topic[new], docs.filter(pa.array(new))


def pad(values: NDArray, counts: NDArray[np.integer], nothing: Any) -> NDArray:
    """Rows, `counts` of each topic or list → topics × rows …, padded with `nothing`."""
    return Padded(values.view(), counts, nothing, int(counts.max(initial=0))).whole()
