"""Randomised Tukey HSD: which differences are larger than the largest one chance brings?

Under the null hypothesis a topic's scores could have come from any system, so they are
shuffled within the topic.  Only the range of the means of each trial matters; all
p-values are then one search in the sorted ranges.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.progress import Progress, batches, report

Floats = NDArray[np.float64]
BATCH_BYTES = 1 << 20  #: of shuffling keys held at a time; about ten times as much memory is used


def randomised_tukey(
    values: Floats, trials: int, seed: int | tuple[int, ...], progress: Progress | None = None
) -> Floats:
    r"""p-values of all pairs by the randomised Tukey HSD test (Carterette 2012; Chen & Sakai 2023, section 6).

    .. math::

        p_{ij} = \frac1B \sum_b
            \big[\max_k \bar x^{(b)}_k - \min_k \bar x^{(b)}_k \ge |\bar x_i - \bar x_j|\big]

    Parameters
    ----------
    values : topics × systems
    trials : int
        B; the smallest p-value above 0 is 1/B.
    seed : int, or several that make one

    Returns
    -------
    systems × systems, symmetric, 1 on the diagonal.

    Notes
    -----
    As published, the observed arrangement is not counted among the trials, so 0 means
    *below 1/B*.  The null hypothesis is that all systems are equal: the error rate is
    controlled for the whole family of pairs.  Sums equal but for rounding count as equal.
    """
    sums = values.sum(axis=0)
    ranges = np.sort(null_ranges(values, trials, seed, progress))
    slack = np.finfo(np.float64).eps * len(values) * np.abs(values).sum(axis=0).max()
    difference = np.abs(sums[:, None] - sums[None, :])
    p = (trials - np.searchsorted(ranges, difference - slack, side="left")) / trials
    np.fill_diagonal(p, 1.0)
    return p


def null_ranges(values: Floats, trials: int, seed: int | tuple[int, ...], progress: Progress | None = None) -> Floats:
    """Range of the systems' sums in each trial of shuffled topics.

    A row is shuffled by sorting random keys whose low bits are the column, at least 24
    bits of each key being random.  Every trial draws the same number of words from one
    PCG64 stream, hence the same ranges for any batch size.
    """
    topics, systems = values.shape
    bits = (systems - 1).bit_length()
    dtype, width = (np.dtype("<u4"), 4) if bits <= 8 else (np.dtype("<u8"), 8)
    words = (topics * systems * width + 7) // 8
    generator = np.random.PCG64(seed)
    flat, first = np.ascontiguousarray(values).ravel(), systems * np.arange(topics)[:, None]
    ranges = np.empty(trials)
    for batch in batches(trials, topics * systems * width, BATCH_BYTES):
        count = batch.stop - batch.start
        raw = generator.random_raw(count * words).astype("<u8", copy=False).view(dtype).reshape(count, -1)
        columns = shuffled_columns(raw[:, : topics * systems].reshape(count, topics, systems), bits)
        columns += first
        sums = flat.take(columns, mode="clip").sum(axis=1)
        ranges[batch] = sums.max(axis=-1) - sums.min(axis=-1)
        report(progress, batch.stop, trials, f"{batch.stop:,} of {trials:,} shuffles")
    return ranges


def shuffled_columns(keys: NDArray[np.unsignedinteger], bits: int) -> NDArray[np.intp]:
    """Random orders of 0 … n − 1 along the last axis, from random words (which are used up)."""
    low = keys.dtype.type((1 << bits) - 1)
    ordered = keys & ~low
    ordered |= np.arange(keys.shape[-1], dtype=keys.dtype)
    ordered.sort(axis=-1)
    return (ordered & low).astype(np.intp)
