"""Arithmetic that gives the same bits on every processor.

Two things make floating-point results depend on the machine.  A sum depends on the order of
its terms, and matrix products and library loops choose that order by the processor.  And
functions such as log, exp and power are rounded differently by every library and instruction
set.  Adding, subtracting, multiplying, dividing and taking a square root of two doubles are
rounded alike everywhere (IEEE 754), so everything here is made of these, one step at a time.

All numbers that irviz returns are computed with these sums: `total` (one order, that of the
ranks), `mean`, or `subset_totals` (exact, so that no order matters), and these functions: `log`,
`exp` and `normal_cdf`.  Tables of discounts are in :mod:`irviz.measures.arithmetic`.
Maxima, counts, sums of whole numbers and ``np.sqrt`` need no help; sorting is the same
everywhere if it is stable (``kind="stable"`` or ``np.lexsort``).  `digest` gives content the same
name on every machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_TERMS, _COLUMNS, _ROWS = 128, 128, 256  # of a product that are added up at a time
_SMALL = 1 << 18  # multiplications up to which OpenBLAS stays in one thread; its threads wait for busy processors


def total(values: NDArray[Any], axis: int = -1) -> NDArray[Any]:
    """The sum along an axis: neighbours are added, then neighbouring sums, until one is left.

    The order depends on nothing but the position, so a term has the same neighbours in a
    longer array: zeros at the end change no bit.  The rounding error grows with the
    logarithm of the length.  Works on fractions too.

    >>> float(total(np.array([0.1, 0.2, 0.3])))
    0.6000000000000001
    """
    left = np.asarray(values)
    if axis != -1:
        left = np.moveaxis(left, axis, -1)
    length = left.shape[-1]
    if not length:
        return np.zeros(left.shape[:-1], dtype=left.dtype)
    while length > 1:
        pairs = length // 2
        sums = left[..., 0 : 2 * pairs : 2] + left[..., 1 : 2 * pairs : 2]
        left = np.concatenate([sums, left[..., -1:]], axis=-1) if length % 2 else sums
        length -= pairs
    return left[..., 0]


class SparseCells:
    """A few cells of an array that is 0 elsewhere, row by row in order: added up as `total` does, without the array.

    Adding a zero changes no bit, so only those cells are added that meet in `total`; where they meet is found once.

    >>> cells = SparseCells((2, 100), np.array([0, 0, 1]), np.array([3, 99, 40]))
    >>> cells.total(np.array([0.1, 0.2, 0.3])).tolist()
    [0.30000000000000004, 0.3]
    """

    def __init__(self, shape: tuple[int, ...], rows: NDArray[Any], places: NDArray[Any]) -> None:
        self._rows, halvings = shape[0], max(shape[1] - 1, 0).bit_length()
        meet = np.frexp((places[1:] ^ places[:-1]).astype(np.float64))[1]  # with its neighbour, after so many halvings
        apart = rows[1:] != rows[:-1]
        meet[apart] = halvings + 1
        order = meet.astype(np.uint8).argsort(kind="stable")
        ends = np.bincount(meet, minlength=halvings + 2).cumsum().tolist()
        first = np.arange(len(rows))  # of what is added up: by its last, and the other way
        last = first.copy()
        self._meetings: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []
        for start, stop in zip(ends, ends[1:-1], strict=False):
            left = order[start:stop]
            if len(left):
                here, there = first[left], left + 1
                end = last[there]
                first[end], last[here] = here, end
                self._meetings.append((here, there))
        self._row_starts = np.concatenate([[0], apart.nonzero()[0] + 1])[: len(rows)]
        self._row = rows[self._row_starts]

    def total(self, values: NDArray[Any]) -> NDArray[Any]:
        """By row, the sum of what stands in its cells."""
        sums = values.copy()
        for here, there in self._meetings:
            sums[here] += sums[there]
        found = np.zeros(self._rows, dtype=values.dtype)
        found[self._row] = sums[self._row_starts]
        return found


def mean(values: NDArray[Any], axis: int = -1, keepdims: bool = False) -> Floats:
    """The total along an axis divided by its length, also if the total exceeds every double."""
    size = exponents(values, axis)
    found = np.ldexp(total(np.ldexp(values, -size), axis) / values.shape[axis], np.squeeze(size, axis))
    return np.expand_dims(found, axis) if keepdims else found


def exponents(values: Floats, axis: int) -> NDArray[np.int32]:
    """The least e with all |values| < 2^e along an axis, which is kept: scaled by 2^−e, sums stay in range."""
    return np.frexp(np.abs(values).max(axis=axis, keepdims=True, initial=0.0))[1]


def subset_totals(
    weights: NDArray[Any], values: Floats, divisor: NDArray[Any] | float = 1, rest: bool = False
) -> Floats:
    r"""Exact sums over subsets, rounded once: :math:`\sum_t w_{nt} x_{ts}`, a matrix product that no order can change.

    Parameters
    ----------
    weights : n × t whole numbers
        How often each term counts in each sum: 0 or 1 for subsets, more for resamples.
    values : … × t × s
    divisor : number, or n × 1
        What each sum is divided by, once it is made: for means, also of the largest doubles.
    rest : bool
        Weights are 0 and 1: after the n sums, those of all other terms, with as many rows of `divisor`.

    Returns
    -------
    … × n × s, or 2n with the `rest`

    Notes
    -----
    Every column is cut into two parts of so few bits that all their sums fit a double: then
    every order of summation, and every processor, gives the same exact sum (Ozaki et al. 2012).
    What is smaller than 2⁻⁹⁰ of the column's largest value (for 64 terms) is left out.
    """
    sizes = np.abs(weights) if weights.dtype.kind in "if" else weights
    sums = sizes.sum(axis=1, dtype=np.float64 if weights.dtype.kind == "f" else np.intp)
    most = int(max(sums.max(initial=1), weights.shape[1] - sums.min(initial=weights.shape[1]) if rest else 1))
    return Addends(values, most).totals(weights, divisor, rest)


class Addends:
    """Numbers to be added up over many subsets, as :func:`subset_totals` does, cut into their parts once.

    Parameters
    ----------
    values : … × t × s
    most : the largest sum of the sizes of a row of weights
    parts : 2, or 1 where the first 53 − log2(most) bits of a column's largest value are enough
    """

    def __init__(self, values: Floats, most: int, parts: int = 2) -> None:
        self._shape = (*values.shape[:-2], values.shape[-1])
        flat = np.moveaxis(values, -2, 0).reshape(values.shape[-2], -1)
        self._bits = max(2, most.bit_length())
        high, low, self._exponent = _parts(flat, self._bits)
        self._cut = np.concatenate([high, low], axis=1) if parts == 2 else high

    def totals(self, weights: NDArray[Any], divisor: NDArray[Any] | float = 1, rest: bool = False) -> Floats:
        """… × n × s: the sum of every subset, for weights n × t; with the `rest` as :func:`subset_totals`."""
        terms, columns = len(weights), self._exponent.shape[1]
        unit = np.repeat([2.0 ** (self._bits - 53), 2.0 ** (2 * self._bits - 107)], columns)[: self._cut.shape[1]]
        whole = (self._cut / unit).astype(np.int64).sum(axis=0) if rest else None
        found, start = np.empty((terms * (1 + rest), columns)), 0
        for sums in _products(weights, self._cut):
            stop = start + len(sums)
            self._join(sums, found[start:stop])
            if whole is not None:
                self._join((whole - (sums / unit).astype(np.int64)) * unit, found[terms + start : terms + stop])
            start = stop
        if isinstance(divisor, np.ndarray) or divisor != 1:
            found /= divisor
        np.ldexp(found, self._exponent, out=found)
        return np.moveaxis(found.reshape(len(found), *self._shape), 0, -2)

    def _join(self, sums: Floats, out: Floats) -> None:
        """Put in the sums of both parts."""
        columns = out.shape[1]
        if columns == sums.shape[1]:
            out[:] = sums
        else:
            np.add(sums[:, :columns], sums[:, columns:], out=out)


def _products(weights: NDArray[Any], values: Floats) -> Iterator[Floats]:
    """A matrix product of whole numbers and `values`, some rows at a time; its sums are exact in any order.

    Pieces are so small that they stay in the cache, and in one thread.
    """
    terms, columns = values.shape
    tall = max(1, _SMALL // max(1, min(terms, _TERMS) * min(columns, _COLUMNS)))
    step = tall * max(1, _ROWS // tall)
    for start in range(0, len(weights), step):
        rows = min(step, len(weights) - start)
        even = rows - rows % tall
        found = np.zeros((rows, columns))
        for at in range(0, terms, _TERMS):
            counts = weights[start : start + step, at : at + _TERMS].astype(np.float64)
            stacked = counts[:even].reshape(even // tall, tall, counts.shape[1])
            for first in range(0, columns, _COLUMNS):
                here = slice(first, first + _COLUMNS)
                part = values[at : at + _TERMS, here]
                found[:even, here] += np.matmul(stacked, part).reshape(even, part.shape[1])
                found[even:, here] += np.matmul(counts[even:], part)
        yield found


def exact_totals(values: Floats, divisor: float = 1) -> Floats:
    """The exact sum over the last axis but one, rounded once: `subset_totals` for one subset, all terms.

    >>> float(exact_totals(np.array([[1e16], [1.0], [-1e16]]))[0])
    1.0
    """
    high, low, exponent = _parts(values, max(2, values.shape[-2].bit_length()))
    return np.ldexp((high.sum(axis=-2) + low.sum(axis=-2)) / divisor, exponent[..., 0, :])


def _parts(values: Floats, bits: int) -> tuple[Floats, Floats, NDArray[np.int32]]:
    """values = 2^exponent (high + low), by column; sums of 2^bits parts of one kind are exact."""
    exponent = exponents(values, -2)
    scaled = np.ldexp(values, -exponent)  # below 1
    high = _round_to(scaled, bits - 53)
    return high, _round_to(scaled - high, 2 * bits - 107), exponent


def _round_to(values: Floats, exponent: int) -> Floats:
    """To whole multiples of 2^exponent."""
    carry = 1.5 * 2.0 ** (52 + exponent)
    return (values + carry) - carry


# -- functions ---------------------------------------------------------------------------

_LN2 = (6.93147180369123816490e-01, 1.90821492927058770002e-10)  # high and low part
_LOG_ODD = (6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01, 1.479819860511658591e-01)
_LOG_EVEN = (3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01)
_EXP = (
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)


def log(values: NDArray[Any] | float) -> Floats:
    """The natural logarithm of numbers above 0, to within a unit in the last place (fdlibm's method).

    >>> float(log(1.0)), float(log(10.0))
    (0.0, 2.302585092994046)
    """
    fraction, power = np.frexp(np.asarray(values, dtype=np.float64))
    small = fraction < np.sqrt(0.5)
    f = np.where(small, 2 * fraction, fraction) - 1
    k = (power - small).astype(np.float64)
    s = f / (2 + f)
    z = s * s
    w = z * z
    r = z * _polynomial(w, _LOG_ODD) + w * _polynomial(w, _LOG_EVEN)
    half = 0.5 * f * f
    return k * _LN2[0] - ((half - (s * (half + r) + k * _LN2[1])) - f)


def exp(values: NDArray[Any] | float) -> Floats:
    """e to the power of numbers, to within a unit in the last place (fdlibm's method).

    >>> float(exp(0.0)), float(exp(2.0)), float(exp(-1000.0))
    (1.0, 7.38905609893065, 0.0)
    """
    x = np.clip(np.asarray(values, dtype=np.float64), -760, 720)  # beyond: 0 and infinity
    k = np.rint(x * 1.4426950408889634)
    high, low = x - k * _LN2[0], k * _LN2[1]
    r = high - low
    t = r * r
    c = r - t * _polynomial(t, _EXP)
    y = 1 - ((low - (r * c) / (2 - c)) - high)
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(y, k.astype(np.int32))


def _parse_numbers(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.split()))


# Numerators and denominators of Cephes' ndtr.c (S. L. Moshier), lowest power first.
_ERF = (
    _parse_numbers("55592.3013010394962768 7003.32514112805075473 2232.00534594684319226 90.0260197203842689217")
    + _parse_numbers("9.60497373987051638749"),
    _parse_numbers("49267.3942608635921086 22629.0000613890934246 4594.32382970980127987 521.357949780152679795")
    + _parse_numbers("33.5617141647503099647 1"),
)
_ERFC = (
    _parse_numbers("557.535335369399327526 1027.55188689515710272 934.528527171957607540 526.445194995477358631")
    + _parse_numbers("196.520832956077098242 48.6371970985681366614 7.46321056442269912687 0.564189564831068821977")
    + _parse_numbers("2.46196981473530512524e-10"),
    _parse_numbers("557.535340817727675546 1656.66309194161350182 2246.33760818710981792 1823.90916687909736289")
    + _parse_numbers("975.708501743205489753 354.937778887819891062 86.7072140885989742329 13.2281951154744992508 1"),
)
_ERFC_FAR = (
    _parse_numbers("2.97886665372100240670 7.40974269950448939160 6.16021097993053585195 5.01905042251180477414")
    + _parse_numbers("1.27536670759978104416 0.564189583547755073984"),
    _parse_numbers("3.36907645100081516050 9.60896809063285878198 17.0814450747565897222 12.0489539808096656605")
    + _parse_numbers("9.39603524938001434673 2.26052863220117276590 1"),
)


def normal_cdf(values: NDArray[Any] | float) -> Floats:
    """Φ, the standard normal distribution function (the method of Cephes, as in ``scipy.special.ndtr``).

    >>> float(normal_cdf(0.0)), round(float(normal_cdf(1.96)), 6)
    (0.5, 0.975002)
    """
    x = np.clip(np.asarray(values, dtype=np.float64) * np.sqrt(0.5), -30, 30)  # Φ(−42) is below every double
    z = np.abs(x)
    near = 0.5 + 0.5 * (x * _ratio(x * x, _ERF))
    tail = 0.5 * (exp(-z * z) * np.where(z < 8, _ratio(z, _ERFC), _ratio(z, _ERFC_FAR)))
    return np.where(z < 1, near, np.where(x > 0, 1 - tail, tail))


def _ratio(x: Floats, parts: tuple[tuple[float, ...], tuple[float, ...]]) -> Floats:
    return _polynomial(x, parts[0]) / _polynomial(x, parts[1])


def _polynomial(x: Floats, coefficients: tuple[float, ...]) -> Floats:
    """Σ c_i x^i, by Horner's rule."""
    value = np.full_like(x, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = value * x + coefficient
    return value


def digest(values: Any, *arrays: np.ndarray | Iterable[np.ndarray]) -> str:
    """Hex digest of plain values and of the bytes of arrays, each whole or in parts.

    >>> digest([1, "a"]) == digest((1, "a")) != digest([1, "b"])
    True
    """
    found = hashlib.sha256(json.dumps(values, ensure_ascii=True).encode())
    for array in arrays:
        for part in (array,) if isinstance(array, np.ndarray) else array:
            found.update(np.ascontiguousarray(part).data)
    return found.hexdigest()
