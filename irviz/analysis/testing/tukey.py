"""Randomised Tukey HSD: which differences are larger than the largest difference expected by chance?

Under the null hypothesis a topic's scores could have come from any system, so they are
shuffled within the topic.  Only the range of the means of each trial matters; all
p-values are then one search in the sorted ranges.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.testing.methods import Comparison, Draws
from irviz.portable import exact_totals
from irviz.workers import batches, run

Floats = NDArray[np.float64]
FEW_COLUMNS = 10  #: columns up to which whole columns are exchanged to sort their rows
BATCH_BYTES = 1 << 21  #: of shuffling keys held at a time; about ten times as much memory is used


def randomised_tukey(values: Floats, draws: Draws) -> list[Comparison]:
    r"""p-values of all pairs by the randomised Tukey HSD test (Carterette 2012; Chen & Sakai 2023, section 6).

    .. math::

        p_{ij} = \frac{1 + \sum_b
            \big[\max_k \bar x^{(b)}_k - \min_k \bar x^{(b)}_k \ge |\bar x_i - \bar x_j|\big]}{B + 1}

    Parameters
    ----------
    values : measures × topics × systems
    draws : Draws
        B and the seed; all measures see the same shuffles.

    Returns
    -------
    One :class:`~irviz.analysis.testing.methods.Comparison` per measure; overall is the smallest p.

    Notes
    -----
    The null hypothesis is that all systems are equal: the error rate is controlled for the
    whole family of pairs.  The papers divide the count by B; counting the observed
    arrangement among those that could have been drawn, so that no p is 0, keeps the error
    rate (Phipson & Smyth 2010), and changes no decision where α·B is whole.  Sums equal but
    for rounding count as equal.
    """
    ranges = np.sort(null_ranges(values, draws), axis=1)
    return [_one_measure(matrix, drawn) for matrix, drawn in zip(values, ranges, strict=True)]


def _one_measure(values: Floats, ranges: Floats) -> Comparison:
    sums, trials = exact_totals(values), len(ranges)
    slack = np.finfo(np.float64).eps * len(values) * exact_totals(np.abs(values)).max()
    difference = np.abs(sums[:, None] - sums[None, :])
    p = (trials - np.searchsorted(ranges, difference - slack, side="left") + 1) / (trials + 1)
    np.fill_diagonal(p, 1.0)
    return Comparison(sums / len(values), p, float(p.min()))


def null_ranges(values: Floats, draws: Draws) -> Floats:
    """measures × trials: the range of the systems' sums in each trial of shuffled topics.

    A row is shuffled by sorting random keys whose low bits are the column, at least 24
    bits of each key being random.  Every trial takes the same number of words from one
    PCG64 stream, hence the same ranges for any batch size and any number of workers.
    """
    _, topics, systems = values.shape
    pieces = list(batches(draws.trials, topics * systems * 8, BATCH_BYTES))
    found = run(
        partial(_ranges, np.ascontiguousarray(values), draws.seed),
        pieces,
        draws.workers,
        draws.progress,
        lambda batch: f"{batch.stop:,} of {draws.trials:,} shuffles",
    )
    return np.concatenate(found, axis=1)


def _ranges(values: Floats, seed: int | tuple[int, ...], batch: slice) -> Floats:
    """measures × the batch's trials."""
    measures, topics, systems = values.shape
    bits = (systems - 1).bit_length()
    dtype, width = (np.dtype("<u4"), 4) if bits <= 8 else (np.dtype("<u8"), 8)
    words, count = (topics * systems * width + 7) // 8, batch.stop - batch.start
    generator = np.random.PCG64(seed).advance(batch.start * words)
    raw = generator.random_raw(count * words).astype("<u8", copy=False).view(dtype).reshape(count, -1)
    columns = shuffled_columns(raw[:, : topics * systems].reshape(count, topics, systems), bits)
    columns += systems * np.arange(topics)[:, None]
    ranges = np.empty((measures, count))
    for m in range(measures):
        sums = values[m].ravel()[columns].sum(axis=1)  # topic after topic
        ranges[m] = sums.max(axis=-1) - sums.min(axis=-1)
    return ranges


def shuffled_columns(keys: NDArray[np.unsignedinteger], bits: int) -> NDArray[np.intp]:
    """Random orders of 0 … n − 1 along the last axis, from random words (which are used up)."""
    low = keys.dtype.type((1 << bits) - 1)
    few = keys.shape[-1] <= FEW_COLUMNS
    ordered = np.array(keys, order="F" if few else "C")
    ordered &= ~low
    ordered |= np.arange(keys.shape[-1], dtype=keys.dtype)
    if few:
        _sort_columns(ordered)
    else:
        ordered.sort(axis=-1)
    return (ordered & low).astype(np.intp)


def _sort_columns(rows: NDArray[np.unsignedinteger]) -> None:
    """Sort short rows by exchanging whole columns: half the time of sorting row by row."""
    for last in range(rows.shape[-1] - 1, 0, -1):
        for column in range(last):
            left, right = rows[..., column], rows[..., column + 1]
            less = np.minimum(left, right)
            np.maximum(left, right, out=right)
            left[...] = less
