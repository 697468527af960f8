"""The cheap test for repeated documents never misses one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from irviz.collection.compiling.repeats import document_keys, repeated

lines = st.lists(st.tuples(st.integers(0, 2), st.binary(min_size=1, max_size=30)), min_size=1, max_size=40)


def arrays(made: list[tuple[int, bytes]]) -> tuple[np.ndarray, pa.BinaryArray]:
    made = sorted(made, key=lambda pair: pair[0])
    return np.array([topic for topic, _ in made]), pa.array([doc for _, doc in made], pa.binary())


@given(lines, lines)
def test_against_a_set(some: list[tuple[int, bytes]], more: list[tuple[int, bytes]]) -> None:
    topic, docs = arrays(some + more + some[:3])
    pairs = list(zip(topic.tolist(), docs.to_pylist(), strict=True))
    expected = [pairs.index(pair) != place for place, pair in enumerate(pairs)]
    found = repeated(topic, docs, np.arange(len(pairs)))
    if found is None:
        assert not any(expected)
    else:
        assert found[0].tolist() == expected
        assert found[1].tolist() == [pairs.index(pair) for pair, again in zip(pairs, expected, strict=True) if again]


def test_documents_that_agree_where_keys_look_are_told_apart() -> None:
    docs = pa.array([b"http://www.a.org/" + middle + b"/x/index.html" for middle in (b"aaaaaaaa0", b"aaaaaaaa1")])
    same = np.zeros(2, dtype=np.int64)
    assert repeated(same, docs.cast(pa.binary()), np.arange(2)) is None


def test_keys_of_equal_documents_are_equal_wherever_they_stand() -> None:
    docs = pa.array([b"", b"ab", b"a", b"ab", b"12345678", b"x", b"12345678"], pa.binary())
    keys = document_keys(np.zeros(7, dtype=np.int64), docs)
    assert (keys[1], keys[4]) == (keys[3], keys[6])
    assert len(set(keys.tolist())) == 5
    sliced = document_keys(np.zeros(4, dtype=np.int64), docs.slice(3))
    assert sliced.tolist() == keys[3:].tolist()
