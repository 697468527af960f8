"""Portable arithmetic: as exact as it says, and the same whatever the order, the batch and the padding."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from irviz.portable import SparseCells, exact_totals, exp, log, mean, normal_cdf, subset_totals, total

numbers = st.floats(-1e9, 1e9, allow_subnormal=False)


def units_apart(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference in units in the last place."""
    return float(np.max(np.abs(a - b) / np.spacing(np.abs(b))))


@given(st.lists(numbers, max_size=40), st.integers(0, 9))
def test_zeros_at_the_end_change_no_bit_of_a_total(terms: list[float], zeros: int):
    assert total(np.array(terms)) == total(np.array(terms + [0.0] * zeros))


@pytest.mark.parametrize(("rows", "length", "share"), [(1, 1, 1.0), (5, 33, 0.3), (3, 1000, 0.01), (4, 64, 0.0)])
def test_few_cells_add_up_to_the_bits_of_the_whole_array(rows: int, length: int, share: float):
    r = np.random.default_rng(length)
    cells = np.where(r.random((rows, length)) < share, r.random((rows, length)), 0.0)
    row, place = np.nonzero(cells)
    assert np.array_equal(SparseCells(cells.shape, row, place).total(cells[row, place]), total(cells))


@given(st.lists(st.fractions(max_denominator=50), min_size=1, max_size=20))
def test_totals_of_fractions_are_exact(terms: list[Fraction]):
    assert total(np.array(terms, dtype=object)) == sum(terms)


def test_a_total_is_the_same_along_any_axis_and_in_any_batch():
    cube = np.random.default_rng(0).random((4, 7, 33))
    assert np.array_equal(total(cube), total(np.moveaxis(cube, 2, 0), axis=0))
    assert np.array_equal(total(cube)[:, :1], total(cube[:, :1]))
    assert np.array_equal(mean(cube, axis=1, keepdims=True)[:, 0], total(cube, axis=1) / 7)


@given(
    st.lists(
        st.lists(st.integers(-(2**50), 2**50).map(lambda n: n / 2**40), min_size=3, max_size=3), min_size=1, max_size=30
    )
)
def test_totals_over_topics_are_exact_and_rounded_once(rows: list[list[float]]):
    values = np.array(rows)
    assert exact_totals(values).tolist() == [math.fsum(column) for column in values.T]


def test_subset_totals_are_those_of_each_subset_by_itself():
    rng = np.random.default_rng(1)
    values, weights = rng.random((2, 50, 6)), rng.integers(0, 4, (30, 50))
    found = subset_totals(weights, values)
    for m, n, s in np.ndindex(found.shape):
        assert found[m, n, s] == math.fsum(np.repeat(values[m, :, s], weights[n]))
    assert np.array_equal(subset_totals(np.ones((1, 50)), values)[:, 0], exact_totals(values))


@pytest.mark.parametrize(
    ("mine", "theirs", "points", "units"),
    [
        (log, np.log, np.exp(np.linspace(-700, 700, 5001)), 1),
        (log, np.log, np.linspace(0.001, 1.2, 5001), 1),
        (exp, np.exp, np.linspace(-700, 700, 5001), 1),
        (normal_cdf, ndtr, np.linspace(-9, 9, 5001), 4),
    ],
)
def test_functions_agree_with_the_libraries(mine, theirs, points: np.ndarray, units: int):
    assert units_apart(mine(points), theirs(points)) <= units


def test_functions_at_their_ends():
    assert exp(np.array([-np.inf, -800.0, 0.0, 800.0])).tolist() == [0.0, 0.0, 1.0, math.inf]
    assert normal_cdf(np.array([-np.inf, 0.0, np.inf])).tolist() == [0.0, 0.5, 1.0]
    assert log(np.array([1.0, 2.0, 5e-324])).tolist() == [0.0, math.log(2), math.log(5e-324)]


def test_means_of_the_largest_and_the_smallest_doubles_are_their_size():
    for size in (1e308, 1.5e-300):
        values = np.array([[size, size / 2]] * 9)
        assert mean(values, axis=0).tolist() == exact_totals(values, over=9).tolist() == [size, size / 2]
        assert subset_totals(np.ones((2, 9)), values, over=9).tolist() == [[size, size / 2]] * 2
