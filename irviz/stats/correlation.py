"""Correlations between all rankings of a set at once.

With S the signs of all system pairs by ranking, S Sᵀ counts concordant minus discordant pairs for Kendall's τ_b. AP
correlation counts the same pairs item by item, since each item has its own weight. Counts are exact in any order of
summation; other sums have a fixed order.

Arrays are … × rankings × systems; results … × rankings × rankings.  Ties are exact equality; :meth:`.Scores.order`
makes scores equal that differ by rounding.  A constant row has NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.portable import mean, total

Floats = NDArray[np.float64]


# -- Ranks with ties, many rows at a time ----------------------------------------------------------
#
# Rank correlations use only these integers, which are exact in any float type and equal for tied systems.


SAME = 1e-12  #: relative difference up to which numbers are equal


def merge_ties(values: Floats, same: float = SAME) -> Floats:
    """The numbers, of any shape, with those within a relative `same` of each other set to the least of them; NaN stays.

    >>> merge_ties(np.array([0.1 + 0.2, 0.3, 0.0, 1e-18])).tolist()
    [0.3, 0.3, 0.0, 1e-18]
    """
    ascending = np.sort(values, axis=None)
    lower, upper = ascending[:-1], ascending[1:]
    rises = upper - same * np.maximum(np.abs(lower), np.abs(upper)) > lower
    if (rises | (lower == upper)).all():
        return values
    least = ascending[np.append(True, rises)]
    return np.where(np.isnan(values), values, least[np.searchsorted(least, values, side="right") - 1])


def tie_tolerance(values: Floats) -> Floats:
    """The difference up to which averages of a row are equal, `SAME` of the largest: the order of sums matters."""
    return SAME * np.abs(values).max(axis=-1)


def varies(values: Floats) -> NDArray[np.bool_]:
    """Whether the numbers along the last axis are not all equal."""
    return values.max(axis=-1) - tie_tolerance(values) > values.min(axis=-1)


def min_ranks(values: Floats, tolerance: Floats | float = 0.0) -> NDArray[np.int64]:
    """How many items of its row lie below each, along the last axis; neighbours within `tolerance` tie.

    >>> min_ranks(np.array([[0.3, 0.1, 0.1, 0.2, 0.1 + 0.2]]), tolerance=1e-15)
    array([[3, 0, 0, 2, 3]])
    """
    order, rises = _sort_rows(values, tolerance)
    ranks = np.empty(values.shape, dtype=np.int64)
    ranks.ravel()[order] = run_starts(rises)
    return ranks


def _sort_rows(values: Floats, tolerance: Floats | float) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Places in the flat array of each row in order, and which neighbours in a row are not tied."""
    order = np.argsort(values, axis=-1)  # the order of tied items does not matter
    rows = np.arange(prod(values.shape[:-1])).reshape(*values.shape[:-1], 1)
    order += rows * values.shape[-1]  # from here on places in the whole array
    ordered = values.ravel()[order]
    return order, ordered[..., 1:] - ordered[..., :-1] > np.asarray(tolerance)[..., None]


def run_starts(rises: NDArray[np.bool_]) -> NDArray[np.int64]:
    """By position in sorted rows, the start of its run of tied items; `rises` says which neighbours differ.

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
    order, rises = _sort_rows(values, tolerance)
    first = run_starts(rises)
    last = values.shape[-1] - 1 - run_starts(rises[..., ::-1])[..., ::-1]
    ranks = np.empty(values.shape)
    ranks.ravel()[order] = (first + last) / 2 + 1
    return ranks


def shared_ranks(values: Floats, tolerance: Floats | float = 0.0) -> NDArray[np.int64]:
    """Ranks from 1, the highest first, along the last axis; tied items share the best of their ranks.

    >>> shared_ranks(np.array([[0.3, 0.1, 0.3, 0.2]]))
    array([[1, 4, 1, 3]])
    """
    return min_ranks(-values, tolerance) + 1


def tie_sizes(values: Floats) -> NDArray[np.int64]:
    """Sizes of the groups of equal numbers in a flat array, in ascending order of the number."""
    return np.unique(values, return_counts=True)[1]


def movers(ranks: NDArray[np.integer] | Floats, most: int = 6) -> list[int]:
    """Positions of up to `most` systems with the largest differences of ranks, all above 0.

    >>> movers(np.array([[1, 2, 3], [1, 3, 2]]))
    [1, 2]
    """
    moved = ranks.max(axis=0) - ranks.min(axis=0)
    order = np.argsort(-moved, kind="stable")[:most]
    return [int(s) for s in order if moved[s] > 0]


# --------------------------------------------------------------------------------------------------

CHUNK_BYTES, CHUNK_PAIRS = 1 << 26, 1 << 23  #: pairs in one piece; their counts are exact in float32


def kendall_tau(values: Floats) -> Floats:
    r"""Kendall's τ_b (Ferrante et al. 2019, eq. (7)) between all rows.

    .. math:: \tau(X,Y) = \frac{P-Q}{\sqrt{(P+Q+T)(P+Q+U)}}

    P and Q count concordant and discordant pairs; T and U pairs tied in only one.
    """
    ranks = min_ranks(values)
    untied = ranks.sum(axis=-1).astype(np.float64)  # an item's rank is the number of items below it
    agreement = np.zeros(values.shape[:-1] + (values.shape[-2],))
    for signs in sign_chunks(ranks):
        agreement += np.matmul(signs, np.swapaxes(signs, -1, -2))
    return _ratio(agreement, np.sqrt(untied[..., :, None] * untied[..., None, :]))


def tau_ap(values: Floats) -> Floats:
    r"""AP correlation (Yilmaz, Aslam & Robertson 2008): agreement weighted towards the top.

    .. math:: \tau_{AP} = \frac{2}{N-1}\sum_{i=2}^{N}\frac{C(i)}{i-1} - 1

    C(i) counts the items above rank i that the reference also places above the item at rank i.  ``[…, i, j]`` takes row
    i as the reference and judges row j: it is not symmetric.

    Ties in the judged ranking: an item is compared only with the i − 1 items strictly above it; items with none above
    are left out of the mean (Urbano & Marrero 2017, the agreement scenario).  A pair tied in the reference counts half.
    Without ties this is the published coefficient; a ranking always agrees with itself to 1.
    """
    ranks, above = min_ranks(values), min_ranks(-values)
    lead = ranks.shape[:-2]
    sums = np.empty(values.shape[:-1] + (values.shape[-2],))
    for place in np.ndindex(*lead):
        sums[place] = _agreement_by_item(ranks[place], above[place])
    judged = (above > 0).sum(axis=-1).astype(np.float64)
    both = (judged > 0)[..., :, None] & (judged > 0)[..., None, :]
    return snap_to_one(_ratio(sums, np.where(both, judged[..., None, :], 0.0)))


def _agreement_by_item(ranks: NDArray[np.int64], count_above: NDArray[np.int64]) -> Floats:
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
    return total(shares / np.maximum(count_above.T, 1)[:, None, :], axis=0)


def pearson(values: Floats) -> Floats:
    """Pearson's correlation between all rows; NaN for a constant row."""
    unit, defined = unit_rows(values)
    rows = [total(unit[..., i : i + 1, :] * unit) for i in range(values.shape[-2])]
    product = snap_to_one(np.stack(rows, axis=-2)) if rows else np.empty(values.shape[:-1] + (0,))
    return np.where(defined[..., :, None] & defined[..., None, :], product, np.nan)


def spearman(values: Floats) -> Floats:
    """Spearman's correlation between all rows: Pearson's of the mean ranks."""
    return pearson(mean_ranks(values))


def snap_to_one(products: Floats) -> Floats:
    """Correlations with ±1 made exact: rounding must not leave an interval around a perfect one."""
    return np.where(np.abs(products) > 1 - SAME, np.sign(products), products)


def unit_rows(values: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Rows centred and scaled to length 1, and which of them vary at all (the others are 0)."""
    defined = varies(values)
    scale = np.abs(values).max(axis=-1, keepdims=True)
    scaled = values / np.where(scale > 0, scale, 1.0)  # squares of tiny scores must not underflow
    centred = np.where(defined[..., None], scaled - mean(scaled, keepdims=True), 0.0)
    length = np.sqrt(total(centred**2))[..., None]
    return centred / np.where(length > 0, length, 1.0), defined


def sign_chunks(ranks: NDArray[np.int64]) -> Iterator[NDArray[np.float32]]:
    """… × pairs, in pieces: signs of x_left − x_right over all pairs left < right of the last axis."""
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


# -- Correlations row against row: many pairs of rankings, each pair by itself ---------------------
#
# For split halves and reduced pools.  τ is Knight's count: sort by one ranking, count inversions of the other; the
# inner loop runs over the distance between two systems, on bytes.
#
# Arrays are … × systems; results have the leading shape.  Ties are exact equality; a
# constant row gives NaN.  Arrays of integers are taken for min-ranks (:func:`min_ranks`) where only order matters.

CHUNK_ROWS = 8192


def paired_tau(first: Floats, second: Floats) -> Floats:
    """Kendall's τ_b of each row of `first` with the same row of `second`."""
    return _by_rows(_knight, first, second)


def _by_rows(
    coefficient: Callable[[NDArray[np.int64], NDArray[np.int64]], Floats], first: Floats, second: Floats
) -> Floats:
    """A coefficient of min-ranks, computed in pieces."""
    shape, n = first.shape[:-1], first.shape[-1]
    left, right = first.reshape(-1, n), second.reshape(-1, n)
    parts = [
        coefficient(_integer_ranks(left[i : i + CHUNK_ROWS]), _integer_ranks(right[i : i + CHUNK_ROWS]))
        for i in range(0, len(left), CHUNK_ROWS)
    ]
    return np.concatenate(parts).reshape(shape) if parts else np.empty(shape)


def _integer_ranks(rows: NDArray[Any]) -> NDArray[np.int64]:
    return rows if rows.dtype.kind == "i" else min_ranks(rows)


def paired_pearson(first: Floats, second: Floats) -> Floats:
    """Pearson's correlation of each row of `first` with the same row of `second`."""
    (a, a_varies), (b, b_varies) = unit_rows(first), unit_rows(second)
    product = snap_to_one(total(a * b))
    return np.where(a_varies & b_varies, product, np.nan)


def _knight(a: NDArray[np.int64], b: NDArray[np.int64]) -> Floats:
    """τ_b from min-ranks, rows × systems (Knight 1966)."""
    n = a.shape[-1]
    keys = np.sort(_pack_ranks(a, b), axis=-1)  # by the first ranking, ties by the second: tied pairs invert nothing
    discordant = _inversions(keys % n)
    pairs = n * (n - 1) // 2
    untied_a, untied_b = a.sum(axis=-1), b.sum(axis=-1)
    tied_both = pairs - run_starts(keys[..., 1:] > keys[..., :-1]).sum(axis=-1)
    concordant = untied_a + untied_b - (pairs - tied_both) - discordant
    return _ratio(concordant - discordant, np.sqrt(untied_a.astype(np.float64) * untied_b))


def _pack_ranks(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.unsignedinteger]:
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


def _yilmaz(reference: NDArray[np.int64], ranking: NDArray[np.int64]) -> Floats:
    """τ_AP from min-ranks, rows × systems."""
    n = ranking.shape[-1]
    keys = np.sort(_pack_ranks(n - 1 - ranking, reference), axis=-1)  # best judged first
    order, sought = _columns(keys // n), _columns(keys % n)
    right, wrong, above = (np.zeros(order.shape, dtype=order.dtype) for _ in range(3))
    for distance in range(1, n):
        strictly = order[:-distance] != order[distance:]  # ties in the judged ranking are adjacent
        right[distance:] += strictly & (sought[:-distance] > sought[distance:])
        wrong[distance:] += strictly & (sought[:-distance] < sought[distance:])
        above[distance:] += strictly
    shares = (right.astype(np.float64) - wrong) / np.maximum(above, 1)
    counted = (above > 0).sum(axis=0)
    defined = (counted > 0) & (reference.max(axis=-1, initial=0) > 0)
    tau = snap_to_one(total(shares, axis=0) / np.maximum(counted, 1))
    return np.where(defined, np.clip(tau, -1.0, 1.0), np.nan)


# -- Means of coefficients, some of which are undefined --------------------------------------------


def defined_mean(coefficients: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Mean of the defined values along the last axis (NaN if none), and their number."""
    defined = np.isfinite(coefficients)
    count = defined.sum(axis=-1)
    sums = total(np.where(defined, coefficients, 0.0))
    return np.where(count > 0, sums / np.maximum(count, 1), np.nan), count


def mean_margin(coefficients: Floats, confidence: float = 0.95) -> Floats:
    """Half the width of Student's interval of that mean; NaN for fewer than two defined values."""
    from scipy.special import stdtrit  # reading and scoring need no scipy

    mean, count = defined_mean(coefficients)
    off = np.where(np.isfinite(coefficients), coefficients - mean[..., None], 0.0)
    spread = np.sqrt(total(off * off) / np.maximum(count - 1, 1) / np.maximum(count, 1))
    return np.where(count > 1, stdtrit(np.maximum(count - 1, 1), (1 + confidence) / 2) * spread, np.nan)


# -- The coefficients that compare two rankings ----------------


@dataclass(frozen=True)
class Coefficient:
    """A correlation of two rankings, in [−1, 1]."""

    label: str  #: its name in words
    symbol: str  #: its name beside a number
    all_pairs: Callable[[Floats], Floats]  #: … × rankings × systems → … × rankings × rankings
    row_by_row: Callable[[Floats, Floats], Floats]  #: two arrays … × systems → …; the first ranking is the reference
    by_order: bool  #: whether only the order of the scores matters, not their distances
    #: (c, k) if the variance of atanh(coefficient) over n systems is c/(n − k); None if none is published
    fisher: tuple[float, int] | None


def pairs_of_known(coefficient: Coefficient, values: Floats) -> Floats:
    """… × rows × rows: the coefficient of every two rows over the systems in both; NaN below two systems."""
    known = ~np.isnan(values)
    if known.all():
        return coefficient.all_pairs(values)
    result = np.full((*values.shape[:-1], values.shape[-2]), np.nan)
    for place in np.ndindex(values.shape[:-2]):
        if known[place].all():
            result[place] = coefficient.all_pairs(values[place])
            continue
        for i, j in np.ndindex(result.shape[-2:]):
            both = known[place][i] & known[place][j]
            if both.sum() > 1:
                rows = values[place][[i, j]][:, None, both]
                result[place][i, j] = coefficient.row_by_row(*rows)[0]
    return result


COEFFICIENTS = {
    "tau": Coefficient("Kendall's τ", "τ", kendall_tau, paired_tau, True, (0.437, 4)),
    "tau_ap": Coefficient("AP correlation", "τ_AP", tau_ap, partial(_by_rows, _yilmaz), True, None),
    "pearson": Coefficient("Pearson's r", "r", pearson, paired_pearson, False, (1.0, 3)),
    "spearman": Coefficient(
        "Spearman's ρ", "ρ", spearman, lambda a, b: paired_pearson(mean_ranks(a), mean_ranks(b)), True, (1.06, 3)
    ),
}  #: every coefficient, in the order of a menu
