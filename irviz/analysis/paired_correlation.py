"""Correlations row against row: many pairs of rankings, each pair by itself.

Split halves and reduced pools ask for the diagonal of what
:mod:`irviz.analysis.correlation` computes, half a million times.  τ is Knight's count:
sort by one ranking, count inversions of the other; the inner loop runs over the
distance between two systems, on bytes.

Arrays are … × systems; results have the leading shape.  Ties are exact equality; a
constant row gives NaN.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.correlation import snapped, tau_ap, unit_rows
from irviz.analysis.ranks import mean_ranks, min_ranks

Floats = NDArray[np.float64]
CHUNK_ROWS = 8192


def paired_tau(first: Floats, second: Floats) -> Floats:
    """Kendall's τ_b of each row of `first` with the same row of `second`."""
    shape, n = first.shape[:-1], first.shape[-1]
    left, right = first.reshape(-1, n), second.reshape(-1, n)
    parts = [
        _knight(min_ranks(left[i : i + CHUNK_ROWS]), min_ranks(right[i : i + CHUNK_ROWS]))
        for i in range(0, len(left), CHUNK_ROWS)
    ]
    return np.concatenate(parts).reshape(shape) if parts else np.empty(shape)


def paired_tau_ap(first: Floats, second: Floats) -> Floats:
    """AP correlation of each row: `first` is the reference, `second` is judged."""
    shape, n = first.shape[:-1], first.shape[-1]
    rows = np.stack([first, second], axis=-2).reshape(-1, 2, n)
    step = max(1, CHUNK_ROWS // 16)
    parts = [tau_ap(rows[i : i + step])[:, 0, 1] for i in range(0, len(rows), step)]
    return np.concatenate(parts).reshape(shape) if parts else np.empty(shape)


def paired_pearson(first: Floats, second: Floats) -> Floats:
    """Pearson's correlation of each row of `first` with the same row of `second`."""
    (a, a_varies), (b, b_varies) = unit_rows(first), unit_rows(second)
    product = snapped((a * b).sum(axis=-1))
    return np.where(a_varies & b_varies, product, np.nan)


def paired_spearman(first: Floats, second: Floats) -> Floats:
    """Spearman's correlation of each row of `first` with the same row of `second`."""
    return paired_pearson(mean_ranks(first), mean_ranks(second))


ROW_BY_ROW: dict[str, Callable[[Floats, Floats], Floats]] = {
    "tau": paired_tau,
    "tau_ap": paired_tau_ap,
    "pearson": paired_pearson,
    "spearman": paired_spearman,
}


def _knight(a: NDArray[np.int64], b: NDArray[np.int64]) -> Floats:
    """τ_b from min-ranks, rows × systems (Knight 1966)."""
    n = a.shape[-1]
    keys = np.sort(a * n + b, axis=-1)  # by the first ranking, ties by the second: tied pairs invert nothing
    discordant = _inversions(keys % n)
    pairs = n * (n - 1) // 2
    untied_a, untied_b = a.sum(axis=-1), b.sum(axis=-1)
    tied_both = pairs - min_ranks(keys.astype(np.float64)).sum(axis=-1)
    concordant = untied_a + untied_b - (pairs - tied_both) - discordant
    norm = np.sqrt(untied_a.astype(np.float64) * untied_b)
    defined = norm > 0
    tau = (concordant - discordant) / np.where(defined, norm, 1.0)
    return np.where(defined, np.clip(tau, -1.0, 1.0), np.nan)


def _inversions(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs i < j with rank i above rank j, by row."""
    n = ranks.shape[-1]
    dtype: type[np.unsignedinteger] = np.uint8 if n <= 256 else np.uint32
    columns: NDArray[np.unsignedinteger] = np.ascontiguousarray(
        ranks.T, dtype=dtype
    )  # systems × rows: slices by distance are contiguous
    count = np.zeros(columns.shape, dtype=dtype)
    for distance in range(1, n):
        count[:-distance] += columns[distance:] < columns[:-distance]
    return count.sum(axis=0, dtype=np.int64)
