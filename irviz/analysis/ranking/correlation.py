"""Correlations between all rankings of a set at once.

Kendall's τ_b of every pair of rankings is one matrix product: a ranking is the vector
of signs over all system pairs, and S Sᵀ counts concordant minus discordant pairs.
AP correlation counts the same pairs item by item, since each item has a weight of its own.
Counts are exact in any order of summation; whatever is not a count is added in irviz's own order.

Arrays are … × rankings × systems; results … × rankings × rankings.  Ties are exact
equality.  A constant row has no order: its coefficients are NaN, and it is for the
caller to say so.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.ranking.ranks import mean_ranks, min_ranks
from irviz.portable import mean, total

Floats = NDArray[np.float64]
CHUNK_BYTES, CHUNK_PAIRS = 1 << 26, 1 << 23  #: sign vectors held at a time; this many pairs count exactly in float32


def kendall_tau(values: Floats) -> Floats:
    r"""Kendall's τ_b (Ferrante et al. 2019, eq. (7)) between all rows.

    .. math:: \tau(X,Y) = \frac{P-Q}{\sqrt{(P+Q+T)(P+Q+U)}}

    P and Q count concordant and discordant pairs; T and U pairs tied in only one.

    Parameters
    ----------
    values : … × rankings × systems

    Returns
    -------
    … × rankings × rankings, symmetric, in [−1, 1]; NaN for a constant row.
    """
    ranks = min_ranks(values)
    untied = ranks.sum(axis=-1).astype(np.float64)  # an item has as many untied pairs below as its rank
    agreement = np.zeros(values.shape[:-1] + (values.shape[-2],))
    for signs in sign_chunks(ranks):
        agreement += np.matmul(signs, np.swapaxes(signs, -1, -2))
    return _ratio(agreement, np.sqrt(untied[..., :, None] * untied[..., None, :]))


def tau_ap(values: Floats) -> Floats:
    r"""AP correlation (Yilmaz, Aslam & Robertson 2008): agreement weighted towards the top.

    .. math:: \tau_{AP} = \frac{2}{N-1}\sum_{i=2}^{N}\frac{C(i)}{i-1} - 1

    C(i) is the number of items above rank i that the reference also places above the
    item at rank i.

    Parameters
    ----------
    values : … × rankings × systems

    Returns
    -------
    … × rankings × rankings; ``[…, i, j]`` takes row i as the reference and judges row j.
    Not symmetric.  NaN where either is constant.

    Notes
    -----
    Ties in the judged ranking: an item is compared with those strictly above it only, and
    i − 1 is their number; items with none above are left out of the mean (Urbano & Marrero
    2017, the agreement scenario).  A pair tied in the reference counts half.  Without
    ties this is the published coefficient; a ranking always agrees with itself to 1.
    """
    ranks, above = min_ranks(values), min_ranks(-values)
    lead = ranks.shape[:-2]
    sums = np.empty(values.shape[:-1] + (values.shape[-2],))
    for place in np.ndindex(*lead):
        sums[place] = _agreement_by_item(ranks[place], above[place])
    judged = (above > 0).sum(axis=-1).astype(np.float64)
    both = (judged > 0)[..., :, None] & (judged > 0)[..., None, :]
    return snapped(_ratio(sums, np.where(both, judged[..., None, :], 0.0)))


def _agreement_by_item(ranks: NDArray[np.int64], above: NDArray[np.int64]) -> Floats:
    """references × judged: the sum over items of (agreements − disagreements with those above it) / above."""
    rows, n = ranks.shape
    small = ranks.astype(np.float32)
    step = max(1, CHUNK_BYTES // (8 * rows * n))
    shares = np.zeros((n, rows, rows))
    for start in range(0, n, step):
        item = small[:, start : start + step].T[:, :, None]
        signs = np.clip(small - item, -1.0, 1.0)  # items × rows × systems
        higher = (small > item).astype(np.float32)
        shares[start : start + step] = np.matmul(signs, np.swapaxes(higher, -1, -2))  # whole numbers
    return total(shares / np.maximum(above.T, 1)[:, None, :], axis=0)


def pearson(values: Floats) -> Floats:
    """Pearson's correlation between all rows; NaN for a constant row."""
    unit, defined = unit_rows(values)
    rows = [total(unit[..., i : i + 1, :] * unit) for i in range(values.shape[-2])]
    product = snapped(np.stack(rows, axis=-2)) if rows else np.empty(values.shape[:-1] + (0,))
    return np.where(defined[..., :, None] & defined[..., None, :], product, np.nan)


def spearman(values: Floats) -> Floats:
    """Spearman's correlation between all rows: Pearson's of the mean ranks."""
    return pearson(mean_ranks(values))


def snapped(products: Floats) -> Floats:
    """Correlations with ±1 made exact: rounding must not leave an interval around a perfect one."""
    return np.where(np.abs(products) > 1 - 1e-12, np.sign(products), products)


def unit_rows(values: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Rows centred and scaled to length 1, and which of them vary at all (the others are 0)."""
    defined = values.max(axis=-1) > values.min(axis=-1)
    scale = np.abs(values).max(axis=-1, keepdims=True)
    scaled = values / np.where(scale > 0, scale, 1.0)  # squares of tiny scores must not underflow
    centred = np.where(defined[..., None], scaled - mean(scaled, keepdims=True), 0.0)
    length = np.sqrt(total(centred**2))[..., None]
    return centred / np.where(length > 0, length, 1.0), defined


def sign_chunks(ranks: NDArray[np.int64]) -> Iterator[NDArray[np.float32]]:
    """Signs of x_left − x_right over all pairs left < right of the last axis, some pairs at a time: … × pairs."""
    values = ranks.astype(np.float32)
    n = values.shape[-1]
    most = min(CHUNK_PAIRS, max(1, CHUNK_BYTES // max(1, values[..., 0].nbytes)))
    rows: list[int] = []
    held = 0
    for i in range(n - 1):
        rows.append(i)
        held += n - 1 - i
        if held >= most or i == n - 2:
            yield _signs(values, rows, held)
            rows, held = [], 0


def _signs(values: NDArray[np.float32], rows: list[int], pairs: int) -> NDArray[np.float32]:
    n = values.shape[-1]
    signs = np.empty(values.shape[:-1] + (pairs,), dtype=values.dtype)
    start = 0
    for i in rows:
        stop = start + n - 1 - i
        np.subtract(values[..., i : i + 1], values[..., i + 1 :], out=signs[..., start:stop])
        start = stop
    return np.clip(signs, -1.0, 1.0, out=signs)  # ranks are whole numbers


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    defined = denominator > 0
    quotient = numerator / np.where(defined, denominator, 1.0)
    return np.where(defined, np.clip(quotient, -1.0, 1.0), np.nan)
