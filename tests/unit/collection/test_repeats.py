"""The cheap test for repeated documents never misses one, and the judged ones are found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

from irviz.collection.codes import UNJUDGED
from irviz.collection.compile import repeated
from irviz.collection.judgments import DocumentKeys, Lookup
from irviz.collection.order import LinesByTopic

lines = st.lists(st.tuples(st.integers(0, 2), st.binary(min_size=1, max_size=30)), min_size=1, max_size=40)


def arrays(made: list[tuple[int, bytes]]) -> tuple[np.ndarray, pa.BinaryArray]:
    made = sorted(made, key=lambda pair: pair[0])
    return np.array([topic for topic, _ in made]), pa.array([doc for _, doc in made], pa.binary())


def grouped(topic: np.ndarray, docs: pa.BinaryArray) -> LinesByTopic:
    return LinesByTopic(topic, np.arange(len(topic)), np.zeros(len(topic)), None, docs, topic)


@given(lines, lines, st.integers(0, 3))
@example([(0, b"a")], [(0, b"b"), (1, b"a")], 0)  # nothing repeats
@example([(0, b"a")], [(0, b"b"), (1, b"a")], 1)
def test_against_a_set(some: list[tuple[int, bytes]], more: list[tuple[int, bytes]], again: int) -> None:
    topic, docs = arrays(some + more + some[:again])
    pairs = list(zip(topic.tolist(), docs.to_pylist(), strict=True))
    repeats = [pairs.index(pair) != place for place, pair in enumerate(pairs)]
    firsts = [pairs.index(pair) for pair, repeat in zip(pairs, repeats, strict=True) if repeat]
    found = repeated(grouped(topic, docs), np.arange(len(pairs)))
    assert (found and tuple(part.tolist() for part in found)) == ((repeats, firsts) if firsts else None)


def test_documents_that_agree_where_keys_look_are_told_apart() -> None:
    docs = pa.array([b"http://www.a.org/" + middle + b"/x/index.html" for middle in (b"aaaaaaaa0", b"aaaaaaaa1")])
    same = np.zeros(2, dtype=np.int64)
    assert repeated(grouped(same, docs.cast(pa.binary())), np.arange(2)) is None


def test_keys_of_equal_documents_are_equal_wherever_they_stand() -> None:
    docs = pa.array([b"", b"ab", b"a", b"ab", b"12345678", b"x", b"12345678"], pa.binary())
    keys = DocumentKeys.of(np.zeros(7, dtype=np.int64), docs).key
    assert (keys[1], keys[4]) == (keys[3], keys[6])
    assert len(set(keys.tolist())) == 5
    sliced = DocumentKeys.of(np.zeros(4, dtype=np.int64), docs.slice(3)).key
    assert sliced.tolist() == keys[3:].tolist()


def lookup_of(judged: list[list[bytes]]) -> Lookup:
    return Lookup(pa.array([doc for docs in judged for doc in docs], pa.binary()), np.array(list(map(len, judged))))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**20)), max_size=60), st.booleans())
def test_keys_repeat_where_two_are_equal(found: list[tuple[int, int]], many: bool) -> None:
    """The key decides alone: a document's topic only says where it is looked for, and is a part of its key."""
    found = [(topic, topic << 40 | number << 20) for topic, number in found]
    if many:
        found += [(topic % 4, topic % 4 << 40 | 1 << 39 | topic << 10) for topic in range(5000)]
    topic, key = (np.array([pair[i] for pair in found], dtype=np.uint64) for i in (0, 1))
    keyed = replace(DocumentKeys.of(np.zeros(0, dtype=np.int64), pa.array([], pa.binary())), topic=topic, key=key)
    assert keyed.may_repeat() == (len(set(key.tolist())) < len(key))


ids = st.lists(st.lists(st.binary(min_size=1, max_size=40), max_size=30, unique=True), min_size=3, max_size=3)


@given(ids, lines)
def test_a_document_is_found_where_it_stands_among_the_judged(judged: list[list[bytes]], seen: list) -> None:
    seen = seen + [(topic, doc) for topic, docs in enumerate(judged) for doc in docs[::2]]
    topic, docs = arrays(seen)
    lookup = lookup_of(judged)
    pairs = zip(topic.tolist(), docs.to_pylist(), strict=True)
    expected = [judged[t].index(doc) if doc in judged[t] else UNJUDGED for t, doc in pairs]
    assert lookup.find(DocumentKeys.of(topic, docs)).tolist() == expected


def test_documents_of_equal_keys_are_compared(monkeypatch) -> None:
    """Were all keys the same, every document would still be found, and no other."""
    real = DocumentKeys.of.__func__
    alike = classmethod(lambda cls, topic, docs: replace(real(cls, topic, docs), key=np.zeros(len(docs), np.uint64)))
    judged = [[b"a", b"b" * 30, b"c"], [b"b" * 30]]
    topic, docs = arrays([(0, b"c"), (0, b"b" * 30), (0, b"d"), (1, b"b" * 30), (1, b"a")])
    monkeypatch.setattr(DocumentKeys, "of", alike)
    found = lookup_of(judged).find(DocumentKeys.of(topic, docs))
    assert found.tolist() == [2, 1, UNJUDGED, 0, UNJUDGED]
