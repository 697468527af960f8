"""What is remembered, by what, and for how long."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from irviz.stats.scores import Scores
from irviz.stats.significance import DiscriminativePower, discriminative_power
from irviz.workspace import cache as module
from irviz.workspace.cache import Memo, compute_once, content_key, remembered_by_measure, seal, weight

CALLS: list[tuple] = []


def twice(values: np.ndarray, factor: int = 2, progress: object = None) -> np.ndarray:
    CALLS.append((values.tolist(), factor))
    return factor * values


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    CALLS.clear()
    monkeypatch.setattr(module, "MEMO", Memo(1 << 20))


def test_equal_arguments_compute_once_whatever_they_are_told():
    first = compute_once(twice, np.arange(3))
    again = compute_once(twice, np.arange(3))
    assert again is first and len(CALLS) == 1
    assert compute_once(twice, np.arange(3), factor=3).tolist() == [0, 3, 6]
    assert compute_once(twice, np.arange(3.0)).tolist() == [0, 2, 4] and len(CALLS) == 3


def power_of(s: Scores, trials: int) -> DiscriminativePower:
    CALLS.append(s.measures)
    return discriminative_power(s, trials=trials)


def test_only_the_measures_that_are_new_are_computed_and_all_of_them_together():
    values = np.random.default_rng(0).random((3, 6, 4))
    cube = Scores(values, ("AP", "RR", "nDCG"), tuple("abcdef"), tuple("wxyz"))
    first = remembered_by_measure(power_of, cube, ["AP"], trials=20)
    CALLS.clear()
    all_ = remembered_by_measure(power_of, cube, ["nDCG", "AP", "RR"], trials=20)
    assert CALLS == [("nDCG", "RR")]
    whole = discriminative_power(cube.select(["nDCG", "AP", "RR"]), trials=20)
    assert all_.measures == whole.measures and np.array_equal(all_.p_values, whole.p_values)
    assert first.results[0] is all_.results[1]


def test_a_function_without_a_name_of_its_own_is_refused():
    with pytest.raises(TypeError, match="no name of its own"):
        compute_once(lambda: 1)


def test_past_the_bytes_the_longest_unused_goes_first():
    memo = Memo(3000)
    for name in ("a", "b", "a", "c"):
        memo.value(name, lambda: np.zeros(150))
    assert [memo.find(name) is not None for name in "abc"] == [True, False, True]
    assert memo.bytes == 2 * weight(np.zeros(150)) <= 3000
    memo.keep("large", np.zeros(1000))
    assert memo.bytes == 0 and memo.find("large") is None
    memo.clear()
    assert memo.find("a") is None


def test_a_computation_that_fails_is_tried_again():
    memo = Memo(1 << 20)
    with pytest.raises(ZeroDivisionError):
        memo.value("key", lambda: 1 / 0)
    assert memo.value("key", lambda: 7) == 7 and memo.value("key", lambda: 8) == 7


@dataclass(frozen=True)
class Point:
    x: float
    y: float


def test_marks_tell_contents_apart_and_nothing_else():
    one, other = (pd.DataFrame({"a": [1.0, value]}) for value in (2.0, 3.0))
    assert content_key(one) == content_key(one.copy()) != content_key(other)
    assert content_key(Point(1, 2)) == content_key(Point(1, 2)) != content_key(Point(2, 1))
    assert len({content_key(value) for value in (None, 0, 0.0, False, "0", b"0", (), [])}) == 8
    cube = np.zeros((1, 2, 1))
    scores = [Scores(cube + step, ("AP",), ("1", "2"), ("s",)) for step in (0, 0, 1)]
    assert content_key(scores[0]) == content_key(scores[1]) != content_key(scores[2])
    exact = np.array([[1], [2**70]], dtype=object)
    assert content_key(exact) == content_key(exact.copy()) != content_key(exact + 1)
    with pytest.raises(TypeError, match="by a object"):
        content_key(object())


def test_seals_go_as_deep_as_the_arrays():
    arrays = [np.zeros(1) for _ in range(3)]
    seal({"a": arrays[0], "b": (arrays[1], [arrays[2]])})
    assert not any(one.flags.writeable for one in arrays)
