"""Ragged rows read like the arrays they were made of, and take memory for what is in them alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from irviz.collection.codes import ABSENT, BEYOND
from irviz.collection.load import load_collection
from irviz.collection.ragged import Lists, Padded, one_after_another, side_by_side


@st.composite
def rankings(draw) -> np.ndarray:
    topics, systems, depth = (draw(st.integers(1, 4)) for _ in range(3))
    array = np.array(
        draw(st.lists(st.integers(-1, 5), min_size=topics * systems * depth, max_size=topics * systems * depth))
    )
    lengths = np.array(draw(st.lists(st.integers(0, depth), min_size=topics * systems, max_size=topics * systems)))
    array = array.reshape(topics, systems, depth).astype(np.int32)
    array[np.arange(depth) >= lengths.reshape(topics, systems, 1)] = BEYOND
    return array


@given(rankings(), st.data())
def test_lists_read_like_their_array(array: np.ndarray, data) -> None:
    lists = Lists.of(array)
    rows = data.draw(st.lists(st.integers(0, len(array) - 1), min_size=1))
    columns = data.draw(st.lists(st.integers(0, array.shape[1] - 1), min_size=1))
    depth = data.draw(st.integers(1, array.shape[2] + 1))
    assert_array_equal(lists, array)
    assert_array_equal(lists[0], array[0])
    assert_array_equal(lists[-1, 0], array[-1, 0])
    assert_array_equal(lists[rows], array[rows])
    for key in (..., (..., 0), None, (None, 0), np.array([rows]), array[:, 0, 0] >= 0, (0, ..., 0), (slice(1), [0, 0])):
        assert_array_equal(lists[key], array[key])
    assert_array_equal(lists[1:, :, 0], array[1:, :, 0])
    assert_array_equal(lists[rows, np.zeros(len(rows), int)], array[rows, np.zeros(len(rows), int)])
    assert_array_equal(lists.subset(rows, columns, depth), array[np.ix_(rows, columns)][:, :, :depth])
    assert_array_equal(np.concatenate(list(lists.blocks("<i4"))), array)
    assert_array_equal(lists == BEYOND, array == BEYOND)


@given(rankings(), st.data())
def test_padded_rows_read_like_their_array(array: np.ndarray, data) -> None:
    padded = Padded.of(array, BEYOND, axis=2)
    rows = data.draw(st.lists(st.integers(0, len(array) - 1), min_size=1))
    place = data.draw(st.lists(st.integers(-1, array.shape[2]), min_size=len(rows), max_size=len(rows)))
    assert_array_equal(padded, array)
    assert_array_equal(padded.subset(rows, [0], 2), array[rows][:, [0], :2])
    assert_array_equal(side_by_side([Padded.of(array[:, i], BEYOND) for i in range(array.shape[1])]), array)
    assert_array_equal(one_after_another([Padded.of(part[None], BEYOND, axis=2) for part in array]), array)
    first, wide = Padded.of(array[:, 0], BEYOND), np.pad(array[:, 0], ((0, 0), (0, 2)), constant_values=BEYOND)
    assert_array_equal(first.take(np.array(rows), np.array(place)), wide[rows, place])
    assert_array_equal(first.reduce(np.maximum), np.where((array[:, 0] != BEYOND).any(1), array[:, 0].max(1), BEYOND))


def test_grades_on_several_aspects_end_with_the_last_document_judged_on_any() -> None:
    array = np.array([[[1, ABSENT], [ABSENT, 2], [ABSENT, ABSENT]], [[ABSENT, ABSENT]] * 3], dtype=np.int16)
    padded = Padded.of(array, ABSENT)
    assert padded.counts.tolist() == [2, 0]
    assert_array_equal(padded, array)


def test_memory_grows_with_lines() -> None:
    qrels = b"".join(b"%d 0 d%d 1\n" % (i, i) for i in range(500)) + b"".join(b"x 0 d%d 1\n" % i for i in range(2_000))
    long = b"".join(b"1 Q0 d%d 1 %d r\n" % (i, -i) for i in range(1_000))
    c = load_collection(("q", qrels), [("long", long), *((f"r{i}", b"1 Q0 d1 1 1 r\n") for i in range(20))])
    assert c.ranking.shape == (501, 21, 1_000) and c.labels.shape == (501, 2_000, 1)
    assert c.nbytes < 1 << 20 < c.ranking[:].nbytes
