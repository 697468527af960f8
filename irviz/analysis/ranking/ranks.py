"""Ranks with ties, many rows at a time.

Rank correlations see scores through these ranks only: integers, exact in any float
type, equal exactly where two systems tie.
"""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def min_ranks(values: Floats, tolerance: Floats | float = 0.0) -> NDArray[np.int64]:
    """How many items of its row lie strictly below each item (0 for the lowest), along the last axis.

    Neighbours in the sorted row that differ by at most `tolerance` (one number, or one
    a row) are tied; see :func:`irviz.summary.aggregate.tie_tolerance`.

    >>> min_ranks(np.array([[0.3, 0.1, 0.1, 0.2, 0.1 + 0.2]]), tolerance=1e-15)
    array([[3, 0, 0, 2, 3]])
    """
    order = np.argsort(values, axis=-1)  # tied items may stand in any order: they get the same rank
    rows = np.arange(prod(values.shape[:-1])).reshape(*values.shape[:-1], 1)
    order += rows * values.shape[-1]  # from here on places in the whole array
    ordered = values.ravel()[order]
    ranks = np.empty(values.shape, dtype=np.int64)
    ranks.ravel()[order] = run_starts(ordered[..., 1:] - ordered[..., :-1] > np.asarray(tolerance)[..., None])
    return ranks


def run_starts(rises: NDArray[np.bool_]) -> NDArray[np.int64]:
    """By position of rows in order, where its run of tied items starts, given which steps between neighbours rise.

    >>> run_starts(np.array([[True, False, True]]))
    array([[0, 1, 1, 3]])
    """
    length = rises.shape[-1] + 1
    if rises.all():
        return np.broadcast_to(np.arange(length), rises.shape[:-1] + (length,))
    steps = np.zeros(rises.shape[:-1] + (length,), dtype=np.int64)
    np.multiply(rises, np.arange(1, length), out=steps[..., 1:])
    return np.maximum.accumulate(steps, axis=-1, out=steps)


def mean_ranks(values: Floats, tolerance: Floats | float = 0.0) -> Floats:
    """Ranks from 1 along the last axis; tied items share the mean of their ranks.

    >>> mean_ranks(np.array([[0.3, 0.1, 0.1, 0.2]]))
    array([[4. , 1.5, 1.5, 3. ]])
    """
    below = min_ranks(values, tolerance)
    above = min_ranks(-values, tolerance)
    return (below - above + values.shape[-1] + 1) / 2


def shared_ranks(values: Floats, tolerance: Floats | float = 0.0) -> NDArray[np.int64]:
    """Ranks from 1, the highest first, along the last axis; tied items share the best of their ranks.

    >>> shared_ranks(np.array([[0.3, 0.1, 0.3, 0.2]]))
    array([[1, 4, 1, 3]])
    """
    return min_ranks(-values, tolerance) + 1


def tie_sizes(values: Floats) -> NDArray[np.int64]:
    """Sizes of the groups of equal numbers in a flat array, in ascending order of the number."""
    return np.unique(values, return_counts=True)[1]


def movers(ranks: NDArray[np.int64], most: int = 6) -> list[int]:
    """The systems whose best and worst rank are furthest apart, the furthest first; none that does not move.

    Parameters
    ----------
    ranks : rankings × systems
    most : how many are named at most

    >>> movers(np.array([[1, 2, 3], [1, 3, 2]]))
    [1, 2]
    """
    moved = ranks.max(axis=0) - ranks.min(axis=0)
    order = np.argsort(-moved, kind="stable")[:most]
    return [int(s) for s in order if moved[s] > 0]
