"""Medians of subsets, resamples and exchanges of topics, many at a time.

In the sorted scores, a trial's median lies where the counts of topics pass the half, very probably near the middle.
"""

from __future__ import annotations

from math import isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from irviz.portable import Addends
from irviz.workers import batches

Floats = NDArray[np.float64]
Counts = NDArray[np.unsignedinteger]


def smallest_type(most: int) -> type[np.unsignedinteger]:
    """The smallest unsigned type that holds numbers up to `most`."""
    return np.uint8 if most < 256 else np.uint16 if most < 65536 else np.uint32


class SortedColumns(NamedTuple):
    """Sorted columns of scores, and the window of places in which the medians of trials very probably lie."""

    order: NDArray[np.intp]  #: scores × columns, the score's index at each place
    values: Floats  #: scores × columns, in order
    window: slice  #: places
    before_window: Floats  #: scores × columns, 1 for scores before the window

    @classmethod
    def from_values(cls, values: Floats, wide: int) -> SortedColumns:
        """Sorted columns with a window of `wide` places on each side of the middle."""
        many = len(values)
        window = slice(many // 2 - wide, many // 2 + wide) if 4 * wide < many else slice(0, many)
        order = np.argsort(values, axis=0, kind="stable")
        before = np.zeros(values.shape)
        np.put_along_axis(before, order[: window.start], 1.0, axis=0)
        return cls(order, np.take_along_axis(values, order, axis=0), window, before)


def ranked_lists(values: Floats) -> SortedColumns:
    """Columns for resampled topics: the place of a median has a standard deviation of √n / 2."""
    return SortedColumns.from_values(values, 5 * isqrt(len(values)) // 2)


def ranked_pairs(first: Floats, second: Floats) -> SortedColumns:
    """Columns for two systems exchanged on topics: the place of a median has a standard deviation of at most √n."""
    return SortedColumns.from_values(np.concatenate([first, second]), 5 * isqrt(len(first)))


def medians(sorted_columns: SortedColumns, counts: Counts, size: int | NDArray[np.intp]) -> Floats:
    """trials × columns: medians of `size` scores, one number or one by trial; `counts` is trials × topics."""
    n, most = counts.shape[1], int(np.max(size, initial=1))
    below = Addends(sorted_columns.before_window, most, parts=1).totals(counts)
    by_topic, columns = _transpose(counts), []
    for values, places, under in zip(sorted_columns.values.T, sorted_columns.order.T, below.T, strict=True):
        here = sorted_columns.window
        last, sums = _counts_up_to(values, here, by_topic[places[here]], under, most)
        if _outside(under, sums[-1], size):
            last, sums = _counts_up_to(values, slice(0, n), by_topic[places], np.zeros(len(under)), most)
        columns.append(_middle(values[last], sums, size))
    return np.stack(columns, axis=1)


def exchanged_medians(sorted_columns: SortedColumns, topics: NDArray[np.intp], exchange_mask: Counts) -> Floats:
    """trials × columns: the difference of medians after exchanging the two systems on some topics.

    `topics` (n × columns) are the columns of the `exchange_mask` (trials × topics) that scores belong to.
    """
    n = len(topics)
    marks = np.zeros((exchange_mask.shape[1], topics.shape[1]))
    own_before, other_before = sorted_columns.before_window[:n], sorted_columns.before_window[n:]
    np.add.at(marks, (topics, np.arange(topics.shape[1])), other_before - own_before)
    below = Addends(marks, exchange_mask.shape[1], parts=1).totals(exchange_mask) + own_before.sum(axis=0)
    by_topic, columns = _transpose(exchange_mask), []
    by_column = zip(sorted_columns.values.T, sorted_columns.order.T, topics.T, below.T, strict=True)
    for values, places, own, under in by_column:

        def rows(positions: NDArray[np.intp], own: NDArray[np.intp] = own) -> Counts:
            return by_topic[own[positions % n]] ^ (positions < n)[:, None]

        here = sorted_columns.window
        last, sums = _counts_up_to(values, here, rows(places[here]), under, 2 * n)
        within = sums[-1].astype(np.intp)
        if _outside(under, within, n) or _outside(here.start - under, here.stop - within, n):
            last, sums = _counts_up_to(values, slice(0, 2 * n), rows(places), np.zeros(len(under)), 2 * n)
        columns.append(_middle(values[last], sums, n) - _middle(values[last], sums, n, last))
    return np.stack(columns, axis=1)


def _transpose(counts: Counts) -> Counts:
    """topics × trials, some topics at a time to fit the cache."""
    turned = np.empty(counts.shape[::-1], dtype=counts.dtype)
    for batch in batches(len(turned), 1, 64):
        turned[batch] = counts[:, batch].T
    return turned


def _counts_up_to(
    values: Floats, window: slice, counts: Counts, counts_before: Floats, most: int
) -> tuple[NDArray[np.intp], Counts]:
    """The last place of each value of a window, and how many scores are at most that (values × trials)."""
    here = values[window]
    last = np.append(np.flatnonzero(here[1:] != here[:-1]), len(here) - 1)
    sums = np.empty((len(last), counts.shape[1]), dtype=smallest_type(most))
    before, start = counts_before.astype(sums.dtype), 0
    for row, stop in zip(sums, (last + 1).tolist(), strict=True):  # faster than accumulating along the first axis
        np.add.reduce(counts[start:stop], axis=0, dtype=sums.dtype, out=row)
        before, start = np.add(before, row, out=row), stop
    return last + window.start, sums


def _outside(counts_before: Floats, last: NDArray[Any], n: int | NDArray[np.intp]) -> bool:
    """True where a median of n scores lies outside a window, from how many lie before it and up to its end."""
    return bool((counts_before > (n - 1) // 2).any() or (last <= n // 2).any())


def _middle(values: Floats, sums: Counts, n: int | NDArray[np.intp], last: NDArray[np.intp] | None = None) -> Floats:
    """By trial, the median of n scores, from counts up to each value; with its `last` places, of the others."""
    low = values[_first_above(sums, (n - 1) // 2, last)]
    if np.all(n % 2):
        return low
    return np.where(n % 2, low, (low + values[_first_above(sums, n // 2, last)]) / 2)


def _first_above(sums: Counts, half: int | NDArray[np.intp], last: NDArray[np.intp] | None) -> NDArray[np.intp]:
    """By trial, the first value with a count above `half`; counts rise."""
    if last is None:
        under = sums <= np.asarray(half, sums.dtype)
    else:
        under = sums >= (last + 1 - half).clip(0).astype(sums.dtype)[:, None]
    return np.add.reduce(under.view(np.uint8), axis=0, dtype=smallest_type(len(sums))).astype(np.intp)
