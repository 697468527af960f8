"""Correlations row against row: many pairs of rankings, each pair by itself.

Split halves and reduced pools ask for the diagonal of what
:mod:`irviz.analysis.ranking.correlation` computes, half a million times.  τ is Knight's count:
sort by one ranking, count inversions of the other; the inner loop runs over the
distance between two systems, on bytes.

Arrays are … × systems; results have the leading shape.  Ties are exact equality; a
constant row gives NaN.  Where only order matters, arrays of integers are taken for
min-ranks (:func:`~irviz.analysis.ranking.ranks.min_ranks`) that the caller has already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.ranking.correlation import snapped, unit_rows
from irviz.analysis.ranking.ranks import mean_ranks, min_ranks, run_starts
from irviz.portable import total

Floats = NDArray[np.float64]
CHUNK_ROWS = 8192


def paired_tau(first: Floats, second: Floats) -> Floats:
    """Kendall's τ_b of each row of `first` with the same row of `second`."""
    return _by_rows(_knight, first, second)


def paired_tau_ap(first: Floats, second: Floats) -> Floats:
    """AP correlation of each row: `first` is the reference, `second` is judged; see :func:`.correlation.tau_ap`."""
    return _by_rows(_yilmaz, first, second)


def _by_rows(
    coefficient: Callable[[NDArray[np.int64], NDArray[np.int64]], Floats], first: Floats, second: Floats
) -> Floats:
    """A coefficient of min-ranks, some rows at a time."""
    shape, n = first.shape[:-1], first.shape[-1]
    left, right = first.reshape(-1, n), second.reshape(-1, n)
    parts = [
        coefficient(_ranked(left[i : i + CHUNK_ROWS]), _ranked(right[i : i + CHUNK_ROWS]))
        for i in range(0, len(left), CHUNK_ROWS)
    ]
    return np.concatenate(parts).reshape(shape) if parts else np.empty(shape)


def _ranked(rows: NDArray[Any]) -> NDArray[np.int64]:
    return rows if rows.dtype.kind == "i" else min_ranks(rows)


def paired_pearson(first: Floats, second: Floats) -> Floats:
    """Pearson's correlation of each row of `first` with the same row of `second`."""
    (a, a_varies), (b, b_varies) = unit_rows(first), unit_rows(second)
    product = snapped(total(a * b))
    return np.where(a_varies & b_varies, product, np.nan)


def paired_spearman(first: Floats, second: Floats) -> Floats:
    """Spearman's correlation of each row of `first` with the same row of `second`."""
    return paired_pearson(mean_ranks(first), mean_ranks(second))


def _knight(a: NDArray[np.int64], b: NDArray[np.int64]) -> Floats:
    """τ_b from min-ranks, rows × systems (Knight 1966)."""
    n = a.shape[-1]
    keys = np.sort(_packed(a, b), axis=-1)  # by the first ranking, ties by the second: tied pairs invert nothing
    discordant = _inversions(keys % n)
    pairs = n * (n - 1) // 2
    untied_a, untied_b = a.sum(axis=-1), b.sum(axis=-1)
    tied_both = pairs - run_starts(keys[..., 1:] > keys[..., :-1]).sum(axis=-1)
    concordant = untied_a + untied_b - (pairs - tied_both) - discordant
    norm = np.sqrt(untied_a.astype(np.float64) * untied_b)
    defined = norm > 0
    tau = (concordant - discordant) / np.where(defined, norm, 1.0)
    return np.where(defined, np.clip(tau, -1.0, 1.0), np.nan)


def _packed(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.unsignedinteger]:
    """Two ranks in one number, ordered by the first."""
    n = a.shape[-1]
    return (a * n + b).astype(np.uint32 if n < 1 << 16 else np.uint64)


def _inversions(ranks: NDArray[Any]) -> NDArray[np.int64]:
    """Pairs i < j with rank i above rank j, by row."""
    columns = _columns(ranks)
    count = np.zeros(columns.shape, dtype=columns.dtype)
    for distance in range(1, len(columns)):
        count[:-distance] += columns[distance:] < columns[:-distance]
    return count.sum(axis=0, dtype=np.int64)


def _columns(ranks: NDArray[Any]) -> NDArray[np.unsignedinteger]:
    """systems × rows, as few bytes as the ranks need: slices by distance are contiguous."""
    dtype: type[np.unsignedinteger] = np.uint8 if ranks.shape[-1] <= 256 else np.uint32
    return np.ascontiguousarray(ranks.T, dtype=dtype)


def _yilmaz(reference: NDArray[np.int64], judged: NDArray[np.int64]) -> Floats:
    """τ_AP from min-ranks, rows × systems: down the judged ranking, who is rightly above?"""
    n = judged.shape[-1]
    keys = np.sort(_packed(n - 1 - judged, reference), axis=-1)  # best judged first
    order, sought = _columns(keys // n), _columns(keys % n)
    right, wrong, above = (np.zeros(order.shape, dtype=order.dtype) for _ in range(3))
    for distance in range(1, n):
        strictly = order[:-distance] != order[distance:]  # ties in the judged ranking stand side by side
        right[distance:] += strictly & (sought[:-distance] > sought[distance:])
        wrong[distance:] += strictly & (sought[:-distance] < sought[distance:])
        above[distance:] += strictly
    shares = (right.astype(np.float64) - wrong) / np.maximum(above, 1)
    counted = (above > 0).sum(axis=0)
    defined = (counted > 0) & (reference.max(axis=-1, initial=0) > 0)
    tau = snapped(total(shares, axis=0) / np.maximum(counted, 1))
    return np.where(defined, np.clip(tau, -1.0, 1.0), np.nan)
