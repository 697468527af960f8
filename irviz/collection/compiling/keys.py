"""Documents as numbers: a key for each, and a table in which the judged ones are found by theirs.

A key is made of the topic and of three words of the identifier.  Equal documents have equal
keys; unequal ones nearly always differ, and where keys agree the documents are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from irviz.collection.model import UNJUDGED

WordArray = NDArray[np.uint64]
_WORD = 8  #: bytes
_WHOLE = 3 * _WORD  #: bytes up to which the three words are all of an identifier
_ODD = [np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)]
_MOST_ROUNDS = 100  #: in which a table is filled; with ordinary identifiers it takes some ten
_SHIFT = np.uint64(32)


@dataclass(frozen=True, eq=False)
class Keyed:
    """Documents of topics: the first, middle and last eight bytes of each, its length, and its key."""

    topic: NDArray[np.integer]
    docs: pa.BinaryArray
    length: NDArray[np.int32]
    words: tuple[WordArray, WordArray, WordArray]
    key: WordArray

    @classmethod
    def of(cls, topic: NDArray[np.integer], docs: pa.BinaryArray) -> Keyed:
        offsets = np.frombuffer(docs.buffers()[1], dtype=np.int32)[docs.offset : docs.offset + len(docs) + 1]
        starts, lengths = offsets[:-1], np.diff(offsets)
        spare = np.maximum(lengths - _WORD, 0)
        words = _words(docs, int(offsets[-1]))
        head = words[starts]
        short = np.flatnonzero(lengths < _WORD)
        if len(short):  # the word runs on into the next document: cut it off
            unused = (8 * (_WORD - lengths[short])).astype(np.uint64)
            head[short] = np.where(lengths[short] > 0, (head[short] << unused) >> unused, np.uint64(0))
        middle, last = words[starts + spare // 2], words[starts + spare]
        middle[short] = last[short] = 0
        key = topic.astype(np.uint64) * _ODD[0] + lengths.astype(np.uint64)
        for word, odd in zip((head, middle, last), _ODD[1:], strict=True):
            key = _mixed(word, key, odd)
        return cls(topic, docs, lengths, (head, middle, last), key)


def _mixed(word: WordArray, key: WordArray, odd: np.uint64) -> WordArray:
    mixed = (word ^ key) * odd
    mixed ^= mixed >> _SHIFT
    return mixed


def _words(docs: pa.BinaryArray, end: int) -> WordArray:
    """The eight bytes from every position on, as overlapping numbers."""
    data = np.zeros(end + _WORD, dtype=np.uint8)
    if end:
        data[:end] = np.frombuffer(docs.buffers()[2], dtype=np.uint8)[:end]
    return np.ndarray((end + 1,), dtype="<u8", buffer=data.data, strides=(1,))


class Lookup:
    """Where documents stand among the judged of their topic; made once, and asked by every run.

    Every topic has a part of the table, of which at most half is taken.  A document's key says where in it to
    look; where another one has the place, it is the next free one.
    """

    def __init__(self, judged: Sequence[pa.BinaryArray]) -> None:
        counts = np.array([len(docs) for docs in judged])
        sizes = np.array([1 << (2 * int(count)).bit_length() for count in counts])
        self._judged = judged
        self._first, self._base, self._last = np.cumsum(counts) - counts, np.cumsum(sizes) - sizes, sizes - 1
        self._of = Keyed.of(np.repeat(np.arange(len(judged)), counts), pa.concat_arrays(judged))
        self._table = np.full(sizes.sum(), -1, dtype=np.int32)
        self._long = bool((self._of.length > _WHOLE).any())
        todo, place = np.arange(counts.sum()), self._places(self._of)
        self._rounds = 0  # the furthest that a document is from the place that its key says
        while len(todo) and self._rounds < _MOST_ROUNDS:
            self._rounds += 1
            free = self._table[place] < 0
            self._table[place[free]] = todo[free]
            left = self._table[place] != todo
            todo = todo[left]
            place = self._next(place[left], self._of.topic[todo])
        self._crowded = len(todo) > 0

    def _places(self, seen: Keyed) -> NDArray[np.intp]:
        """Where to look first."""
        high = (seen.key >> _SHIFT).astype(np.intp)
        high &= _taken(self._last, seen.topic)
        high += _taken(self._base, seen.topic)
        return high

    def _next(self, place: NDArray[np.intp], topic: NDArray[np.integer]) -> NDArray[np.intp]:
        base = self._base[topic]
        return ((place - base + 1) & self._last[topic]) + base

    def find(self, seen: Keyed) -> NDArray[np.int32]:
        """By document, its index among the judged of its topic; `UNJUDGED` where it is none of them."""
        if not len(self._of.key):
            return np.full(len(seen.key), UNJUDGED, dtype=np.int32)
        if self._crowded:
            return self._compared(seen)
        place = self._places(seen)
        at = _taken(self._table, place)
        other = np.flatnonzero((at >= 0) & (_taken(self._of.key, at) != seen.key))
        for _ in range(self._rounds):
            if not len(other):
                break
            place[other] = self._next(place[other], seen.topic[other])
            at[other] = self._table[place[other]]
            other = other[(at[other] >= 0) & (self._of.key[at[other]] != seen.key[other])]
        at[other] = -1  # as far from its place as no document is
        if not self._are(at, seen):
            return self._compared(seen)
        index = at - _taken(self._first, seen.topic)
        index[at < 0] = UNJUDGED
        return index.astype(np.int32)

    def _are(self, at: NDArray[np.int32], seen: Keyed) -> bool:
        """Whether documents with equal keys are equal; of equal words and keys, in one topic, the length is equal."""
        found = at >= 0
        for one, other in zip(self._of.words, seen.words, strict=True):
            if ((_taken(one, at) != other) & found).any():
                return False
        if not self._long:
            return True
        rows = np.flatnonzero(found & (seen.length > _WHOLE))
        ours, theirs = self._of.docs.take(pa.array(at[rows])), seen.docs.take(pa.array(rows))
        return len(rows) == 0 or bool(pc.all(pc.equal(ours, theirs)).as_py())

    def _compared(self, seen: Keyed) -> NDArray[np.int32]:
        """Fallback without keys, for identifiers whose keys collide."""
        out = np.full(len(seen.key), UNJUDGED, dtype=np.int32)
        order = np.argsort(seen.topic, kind="stable")
        topics, starts = np.unique(seen.topic[order], return_index=True)
        for topic, rows in zip(topics.tolist(), np.split(order, starts[1:]), strict=True):
            among = pc.index_in(seen.docs.take(pa.array(rows)), value_set=self._judged[topic])
            out[rows] = among.fill_null(UNJUDGED).to_numpy()
        return out


def _taken(table: NDArray[Any], at: NDArray[np.integer]) -> NDArray[Any]:
    """``table[at]``, many times as fast for it asks for no sign: what is below 0 takes the first."""
    return table.take(at, mode="clip")
