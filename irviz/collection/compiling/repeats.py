"""Documents that a run lists more than once for a topic.

Most runs have none, so a cheap test comes first: equal documents have equal keys.
Only where two lines agree on these are the identifiers themselves compared.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

_WORD = 8
_ODD = [np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)]
_SHIFT = np.uint64(32)


def repeated(
    topic: NDArray[np.integer], docs: pa.BinaryArray, order: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]] | None:
    """Which places of `order` repeat a document that stands higher in the same topic.

    Returns
    -------
    (mask, first) or None
        bool over places, and for every place that repeats, the place it repeats; None
        where nothing repeats.
    """
    keys = np.sort(document_keys(topic, docs))
    if not (keys[1:] == keys[:-1]).any():
        return None
    coded = docs.dictionary_encode()
    pair = topic.astype(np.int64) * len(coded.dictionary) + coded.indices.to_numpy()
    _, first, which = np.unique(pair[order], return_index=True, return_inverse=True)
    mask = first[which] != np.arange(len(order))
    return (mask, first[which][mask]) if mask.any() else None


def document_keys(topic: NDArray[np.integer], docs: pa.BinaryArray) -> NDArray[np.uint64]:
    """A key for every line from its topic and the first, middle and last eight bytes of its document.

    Equal documents of a topic have equal keys; unequal ones nearly always differ.
    """
    offsets = np.frombuffer(docs.buffers()[1], dtype=np.int32)[docs.offset : docs.offset + len(docs) + 1]
    starts, lengths = offsets[:-1], np.diff(offsets)
    spare = np.maximum(lengths - _WORD, 0)
    words = _words(docs, int(offsets[-1]))
    head = words[starts]
    short = np.flatnonzero(lengths < _WORD)
    if len(short):  # the word runs on into the next document: cut it off
        unused = (8 * (_WORD - lengths[short])).astype(np.uint64)
        head[short] = np.where(lengths[short] > 0, (head[short] << unused) >> unused, np.uint64(0))
    key = _mixed(head, topic.astype(np.uint64) * _ODD[0] + lengths.astype(np.uint64), _ODD[1])
    for start, odd in ((starts + spare // 2, _ODD[2]), (starts + spare, _ODD[3])):
        word = words[start]
        word[short] = 0
        key = _mixed(word, key, odd)
    return key


def _mixed(word: NDArray[np.uint64], key: NDArray[np.uint64], odd: np.uint64) -> NDArray[np.uint64]:
    mixed = (word ^ key) * odd
    mixed ^= mixed >> _SHIFT
    return mixed


def _words(docs: pa.BinaryArray, end: int) -> NDArray[np.uint64]:
    """The eight bytes from every position on, as overlapping numbers."""
    data = np.zeros(end + _WORD, dtype=np.uint8)
    if end:
        data[:end] = np.frombuffer(docs.buffers()[2], dtype=np.uint8)[:end]
    return np.ndarray((end + 1,), dtype="<u8", buffer=data.data, strides=(1,))
