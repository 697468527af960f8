"""Correlations between all rankings of a set at once.

Kendall's τ_b of every pair of rankings is one matrix product: a ranking is the vector
of signs over all system pairs, and S Sᵀ counts concordant minus discordant pairs.
AP correlation is the same product with the pairs weighted.

Arrays are … × rankings × systems; results … × rankings × rankings.  Ties are exact
equality.  A constant row has no order: its coefficients are NaN, and it is for the
caller to say so.  May import NumPy and :mod:`irviz.analysis.ranks` only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from irviz.analysis.ranks import mean_ranks, min_ranks

Floats = NDArray[np.float64]
CHUNK_BYTES, CHUNK_PAIRS = 1 << 26, 1 << 23  #: sign vectors held at a time; so many pairs count exactly in float32


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
    for signs, _ in sign_chunks(ranks.astype(np.float32)):
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
    ranks = min_ranks(values)
    above = min_ranks(-values)  # items strictly above each
    weight = np.where(above > 0, 1.0 / np.maximum(above, 1), 0.0)
    agreement = np.zeros(values.shape[:-1] + (values.shape[-2],))
    for signs, (left, right) in sign_chunks(ranks.astype(np.float64)):
        lower = np.where(signs > 0, weight[..., right], weight[..., left])
        agreement += np.matmul(signs, np.swapaxes(signs * lower, -1, -2))
    judged = (above > 0).sum(axis=-1).astype(np.float64)
    both = (judged > 0)[..., :, None] & (judged > 0)[..., None, :]
    return snapped(_ratio(agreement, np.where(both, judged[..., None, :], 0.0)))


def pearson(values: Floats) -> Floats:
    """Pearson's correlation between all rows; NaN for a constant row."""
    unit, defined = unit_rows(values)
    product = snapped(np.matmul(unit, np.swapaxes(unit, -1, -2)))
    return np.where(defined[..., :, None] & defined[..., None, :], product, np.nan)


def spearman(values: Floats) -> Floats:
    """Spearman's correlation between all rows: Pearson's of the mean ranks."""
    return pearson(mean_ranks(values))


ALL_PAIRS: dict[str, Callable[[Floats], Floats]] = {
    "tau": kendall_tau,
    "tau_ap": tau_ap,
    "pearson": pearson,
    "spearman": spearman,
}


def snapped(products: Floats) -> Floats:
    """Correlations with ±1 made exact: rounding must not leave an interval around a perfect one."""
    return np.where(np.abs(products) > 1 - 1e-12, np.sign(products), products)


def unit_rows(values: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Rows centred and scaled to length 1, and which of them vary at all (the others are 0)."""
    defined = values.max(axis=-1) > values.min(axis=-1)
    scale = np.abs(values).max(axis=-1, keepdims=True)
    scaled = values / np.where(scale > 0, scale, 1.0)  # squares of tiny scores must not underflow
    centred = np.where(defined[..., None], scaled - scaled.mean(axis=-1, keepdims=True), 0.0)
    length = np.sqrt((centred**2).sum(axis=-1, keepdims=True))
    return centred / np.where(length > 0, length, 1.0), defined


def sign_chunks(values: NDArray[np.floating]) -> Iterator[tuple[NDArray[np.floating], tuple[NDArray, NDArray]]]:
    """Signs of x_left − x_right over all pairs left < right of the last axis, some pairs at a time.

    Yields the signs (… × pairs, the dtype of `values`) and the two index arrays.
    """
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


def _signs(values: NDArray[np.floating], rows: list[int], pairs: int) -> tuple[NDArray, tuple[NDArray, NDArray]]:
    n = values.shape[-1]
    signs = np.empty(values.shape[:-1] + (pairs,), dtype=values.dtype)
    start = 0
    for i in rows:
        stop = start + n - 1 - i
        np.subtract(values[..., i : i + 1], values[..., i + 1 :], out=signs[..., start:stop])
        start = stop
    np.clip(signs, -1.0, 1.0, out=signs)  # ranks are whole numbers
    left = np.repeat(rows, [n - 1 - i for i in rows])
    right = np.concatenate([np.arange(i + 1, n) for i in rows])
    return signs, (left, right)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    defined = denominator > 0
    quotient = numerator / np.where(defined, denominator, 1.0)
    return np.where(defined, np.clip(quotient, -1.0, 1.0), np.nan)
