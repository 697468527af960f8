"""Paired bootstrap hypothesis test, all pairs of systems at once.

A bootstrap sample is a row of weights: how often each topic was drawn.  The resampled
means of all systems are then one matrix product, and the second moments of all pairs'
differences another; what is left is one comparison a sample and pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.progress import Progress, batches, report

Floats = NDArray[np.float64]
SAMPLES = 256  #: bootstrap samples compared at a time
TILE_BYTES = 1 << 21  #: of sample × pair comparisons held at a time: what a processor's cache holds


def paired_bootstrap(values: Floats, trials: int, seed: int, progress: Progress | None = None) -> Floats:
    r"""p-values of all pairs by the paired, studentised bootstrap (Sakai 2006; Maistro et al. 2021, section 4.3.2).

    For the differences :math:`z` of two systems on *n* topics,

    .. math::

        t = \frac{\bar z}{s / \sqrt n}, \qquad w = z - \bar z, \qquad
        p = \frac1B \sum_b \big[\,|t(w^{*b})| \ge |t|\,\big]

    where :math:`w^{*b}` draws *n* of the *w* with replacement.

    Parameters
    ----------
    values : topics × systems
    trials : int
        B; the same resampled topics serve all pairs.
    seed : int

    Returns
    -------
    systems × systems, symmetric, 1 on the diagonal.

    Notes
    -----
    Two-sided, a test of each pair by itself: nothing is corrected for the number of pairs.
    0 means *below 1/B*.  Equal means give p = 1; a difference that is the same on all
    topics has no variance, an infinite t, and p = 0.  A resample without variance has
    an infinite t too, unless its mean is 0.
    """
    topics, systems = values.shape
    centred = values - values.mean(axis=0)
    weights = resampling_weights(topics, trials, seed)
    left, right = np.triu_indices(systems, k=1)
    p = np.ones((systems, systems))
    for pairs in batches(len(left), 8 * SAMPLES, TILE_BYTES):
        i, j = left[pairs], right[pairs]
        found = _pair_p_values(values, centred, weights, i, j)
        p[i, j] = p[j, i] = found
        report(progress, pairs.stop, len(left), f"{pairs.stop:,} of {len(left):,} pairs")
    return p


def resampling_weights(topics: int, trials: int, seed: int) -> Floats:
    """trials × topics: how often each topic was drawn; every row sums to `topics`."""
    drawn = np.random.Generator(np.random.PCG64(seed)).integers(0, topics, size=(trials, topics))
    cells = drawn + topics * np.arange(trials)[:, None]
    return np.bincount(cells.ravel(), minlength=trials * topics).reshape(trials, topics).astype(np.float64)


def _pair_p_values(values: Floats, centred: Floats, weights: Floats, i: NDArray, j: NDArray) -> Floats:
    r"""|t*| ≥ |t|, cleared of roots and quotients: :math:`(\sum w^*)^2 (n-1+t^2)/t^2 \ge n \sum w^{*2}`."""
    n = len(values)
    mean = (values[:, i] - values[:, j]).mean(axis=0)
    w = centred[:, i] - centred[:, j]
    scale = np.maximum(np.abs(values[:, i]).max(axis=0), np.abs(values[:, j]).max(axis=0))
    noise = 4 * n * np.finfo(np.float64).eps * scale
    w[np.abs(w) <= noise] = 0.0
    variance = (w**2).sum(axis=0) / (n - 1)
    equal, constant = np.abs(mean) <= noise, variance == 0
    testable = ~(equal | constant)
    t2 = n * mean[testable] ** 2 / variance[testable]
    p = np.where(equal, 1.0, 0.0)
    p[testable] = _count_extreme(weights, w[:, testable], n * t2 / (n - 1 + t2)) / len(weights)
    return p


def _count_extreme(weights: Floats, w: Floats, factor: Floats) -> NDArray[np.int64]:
    """How many samples have (Σ w*)² above `factor` · Σ w*², by pair."""
    squares = w**2 * (factor * (1 - 1e-12))  # equality but for rounding counts; 0 above 0 does not
    count = np.zeros(w.shape[1], dtype=np.int64)
    for start in range(0, len(weights), SAMPLES):
        rows = weights[start : start + SAMPLES]
        sums = rows @ w
        count += np.count_nonzero(np.square(sums, out=sums) > rows @ squares, axis=0)
    return count
