"""Two arithmetics: doubles for scores, fractions for proofs.

In exact arithmetic an array holds :class:`fractions.Fraction` objects, and the measures
run on it unchanged.  Irrational numbers (logarithms, roots) are fractions too there,
right to `DIGITS` decimals; whoever compares their sums allows for `AGREE`.
This module imports nothing of irviz.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

DIGITS = 60  # decimals of an irrational number in exact arithmetic
AGREE = Fraction(1, 10**50)  # sums of a few such numbers that differ by less are taken to be equal


def fraction(x: float) -> Fraction:
    """The fraction a person meant by a double: 1/3 for 0.3333333333333333, 1/5 for 0.2.

    >>> fraction(1 / 3), fraction(0.2), fraction(2**-40)
    (Fraction(1, 3), Fraction(1, 5), Fraction(1, 1099511627776))
    """
    simple = Fraction(x).limit_denominator(10**6)
    return simple if float(simple) == float(x) else Fraction(x)


def is_exact(array: Array) -> bool:
    return array.dtype == object


def like(array: Array, x: float) -> Any:
    """A parameter as a number of the array's arithmetic."""
    return fraction(x) if is_exact(array) else float(x)


def ranks_like(gains: Array) -> Array:
    """1, 2, …: the ranks of the last axis, in the arithmetic of `gains`."""
    ranks = np.arange(1, gains.shape[-1] + 1)
    return np.array([Fraction(int(i)) for i in ranks], dtype=object) if is_exact(gains) else ranks


def log2_like(array: Array, numbers: Array) -> Array:
    """Logarithms to base 2 of numbers ≥ 1, in the arithmetic of `array`."""
    if not is_exact(array):
        return np.log2(numbers)
    return np.array([log2(Fraction(n)) for n in numbers.tolist()], dtype=object)


def log2(x: Fraction) -> Fraction:
    """log2 of a positive fraction: exact for powers of two, else right to `DIGITS` decimals.

    >>> log2(Fraction(8)), float(log2(Fraction(3)))
    (Fraction(3, 1), 1.584962500721156)
    """
    if x.denominator == 1 and x.numerator.bit_count() == 1:
        return Fraction(x.numerator.bit_length() - 1)
    with localcontext(prec=DIGITS + 20):
        value = (Decimal(x.numerator) / Decimal(x.denominator)).ln() / Decimal(2).ln()
        return Fraction(round(value.scaleb(DIGITS)), 10**DIGITS)


def power2(x: Fraction) -> Fraction:
    """2**x: exact for whole x, else right to `DIGITS` decimals."""
    if x.denominator == 1:
        return Fraction(2) ** int(x)
    with localcontext(prec=DIGITS + 40):
        value = Decimal(2) ** (Decimal(x.numerator) / Decimal(x.denominator))
        return Fraction(round(value.scaleb(DIGITS)), 10**DIGITS)
