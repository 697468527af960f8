"""Paired bootstrap hypothesis test, all pairs of systems at once.

A bootstrap sample is a row of weights: how often each topic was drawn.  The resampled sums of all systems are one
matrix product, and the sums of squares of all pairs' differences another.  Both are exact, so counts are the same on
every processor.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from irviz.portable import exact_totals, subset_totals, total
from irviz.stats.resampling import resampling_weights
from irviz.stats.results import Draws, PairwiseTest
from irviz.workers import batches, run

Floats = NDArray[np.float64]
SAMPLES = 1024  #: bootstrap samples in a piece of work
#: multiplications in one matrix product: a larger one wakes threads of the linear algebra, which wait
SMALL_PRODUCT = 1 << 18


def paired_bootstrap(values: Floats, draws: Draws) -> list[PairwiseTest]:
    r"""p-values of all pairs by the paired, studentised bootstrap (Sakai 2006; Maistro et al. 2021, section 4.3.2).

    For the differences :math:`z` of two systems on *n* topics,

    .. math::

        t = \frac{\bar z}{s / \sqrt n}, \qquad w = z - \bar z, \qquad
        p = \frac{1 + \sum_b \big[\,|t(w^{*b})| \ge |t|\,\big]}{B + 1}

    where :math:`w^{*b}` draws *n* of the *w* with replacement; all pairs and measures share the topics drawn.
    Two-sided, and not corrected for the number of pairs. The observed sample counts as one draw, so no p is 0
    (Davison & Hinkley 1997, eq. (4.11); Phipson & Smyth 2010).  Equal means give p = 1; a difference that is the same
    on all topics has no variance, an infinite t, and the smallest p.  A resample without variance has an infinite t
    too, unless its mean is 0. No p is below :math:`2/2^n`, the smallest that exchanging the systems on n topics can
    give: rounded scores of two topics often differ by the same, and would be significant.
    """
    measures, topics, systems = values.shape
    weights = resampling_weights(topics, draws.trials, draws.seed)
    pieces = [(m, batch) for m in range(measures) for batch in batches(draws.trials, 1, SAMPLES)]
    work, many = partial(_extreme, values, weights), f"of {draws.trials:,} samples, measure"
    counts = run(
        work, pieces, draws.workers, draws.progress, lambda p: f"{p[1].stop:,} {many} {p[0] + 1} of {measures}"
    )
    by_measure = np.stack(counts).reshape(measures, -1, systems, systems).sum(axis=1)
    return [
        PairwiseTest(exact_totals(x) / topics, np.maximum((count + 1) / (draws.trials + 1), np.ldexp(2.0, -topics)))
        for x, count in zip(values, by_measure, strict=True)
    ]


def _extreme(values: Floats, weights: Floats, piece: tuple[int, slice]) -> NDArray[np.int64]:
    """systems × systems: how many of a batch's samples are at least as extreme as the observed one."""
    measure, batch = piece
    scores = np.ascontiguousarray(values[measure].T)
    systems, topics = scores.shape
    centred = scores - (exact_totals(values[measure]) / topics)[:, None]
    sums = subset_totals(weights[batch], np.ascontiguousarray(centred.T))  # samples × systems
    width = max(8, SMALL_PRODUCT // (systems * topics))
    draws, sums = _side_by_side(weights[batch], width), _side_by_side(sums, width)
    count = np.full((systems, systems), batch.stop - batch.start)
    for i in range(systems - 1):
        others = slice(i + 1, None)
        extreme = _count_extreme(scores[i], scores[others], sums[:, i : i + 1] - sums[:, others], draws)
        count[i, others] = count[others, i] = np.minimum(extreme, count[i, i])
    return count


def _side_by_side(rows: Floats, width: int) -> Floats:
    """groups × columns × `width`: the rows stand side by side, `width` a group; the last group is filled with zeros."""
    groups = -(-len(rows) // width)
    filled = np.concatenate([rows, np.zeros((groups * width - len(rows), rows.shape[1]))])
    return np.ascontiguousarray(filled.reshape(groups, width, -1).swapaxes(1, 2))


def _count_extreme(one: Floats, others: Floats, sums: Floats, draws: Floats) -> NDArray[np.int64]:
    r"""How often |t*| ≥ |t|, one system against others.

    Without roots and quotients it is :math:`(\sum w^*)^2 \ge f \sum w^{*2}` with :math:`f = n t^2 / (n - 1 + t^2)`.
    Equality up to rounding counts; 0 ≥ 0 does not.  For equal means the count exceeds the number of samples.
    """
    n = len(one)
    z = one - others
    mean = total(z) / n
    noise = 4 * n * np.finfo(np.float64).eps * np.maximum(np.abs(one).max(), np.abs(others).max(axis=1))
    w = z - mean[:, None]
    w[np.abs(w) <= noise[:, None]] = 0.0
    variance = total(w**2) / (n - 1)
    equal, constant = np.abs(mean) <= noise, variance == 0
    t2 = n * mean**2 / np.where(constant, 1.0, variance)
    squares = _on_grid(w**2 * (n * t2 / (n - 1 + t2) * (1 - 1e-9))[:, None], n)
    needed = np.matmul(squares, draws)  # groups × others × width
    least = np.where(constant, np.inf, (2 * n * noise) ** 2)  # an infinite t is reached by no sample
    np.maximum(needed, least[:, None], out=needed)
    count = np.count_nonzero(np.square(sums, out=sums) > needed, axis=(0, 2))
    return np.where(equal, draws.size, count)


def _on_grid(rows: Floats, terms: int) -> Floats:
    """Rows rounded to multiples of a power of two, so that a double holds every sum of `terms` of a row's numbers."""
    top = np.frexp(np.abs(rows).max(axis=1, keepdims=True, initial=0.0))[1] + terms.bit_length()
    carry = np.ldexp(1.5, top - 1)  # a double of this size has a last bit of 2^(top − 53)
    return (rows + carry) - carry
