"""Two arithmetics: doubles for scores, fractions for proofs.

In exact arithmetic an array holds :class:`fractions.Fraction` objects, and the measures
run on it unchanged.  There, irrational numbers (logarithms, roots) are also fractions,
correct to `DIGITS` decimals; comparisons of their sums tolerate `AGREE`.

In doubles, logarithms and powers are the exact numbers rounded once, so that a table of
discounts is the same on every machine.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import floor, ldexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

DIGITS = 60  # decimals of an irrational number in exact arithmetic
AGREE = Fraction(1, 10**50)  # sums of a few such numbers that differ by less are taken to be equal


def fraction(x: float) -> Fraction:
    """The simplest fraction with this double: 1/3 for 0.3333333333333333, 1/5 for 0.2.

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


def log2_of_ranks(array: Array, first: int, last: int) -> Array:
    """log2 of first, first + 1, …, last (first ≥ 1), in the arithmetic of `array`."""
    if not is_exact(array):
        return _rounded_logarithms(1 << last.bit_length())[first : last + 1]
    logarithms = _fixed_logarithms(1 << last.bit_length())[first : last + 1]
    return np.array([Fraction(x, 1 << _BITS) for x in logarithms], dtype=object)


_BITS = 240  # of the fractional part of a logarithm: more than `DIGITS` decimals


@lru_cache(maxsize=4)
def _fixed_logarithms(size: int) -> tuple[int, ...]:
    """log2 of 0 (meaningless), 1, …, size − 1 in units of 2**−_BITS: computed for primes, added up for products."""
    factor = np.zeros(size, dtype=np.int64)  # the smallest prime factor; 0 for primes
    for n in range(2, int(size**0.5) + 1):
        if not factor[n]:
            multiples = factor[n * n :: n]
            multiples[multiples == 0] = n
    logarithms = [0, 0]
    for n, prime in enumerate(factor.tolist()[2:], start=2):
        logarithms.append(logarithms[prime] + logarithms[n // prime] if prime else _fixed_logarithm(n))
    return tuple(logarithms[:size])


@lru_cache(maxsize=32)
def _rounded_logarithms(size: int) -> Array:
    """The same as doubles."""
    logarithms = np.array([x / (1 << _BITS) for x in _fixed_logarithms(size)])  # int / int rounds once
    logarithms.setflags(write=False)
    return logarithms


def _fixed_logarithm(n: int) -> int:
    with localcontext(prec=_BITS // 3 + 5):
        return round(Decimal(n).ln() / Decimal(2).ln() * (1 << _BITS))


@lru_cache(maxsize=256)
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


@lru_cache(maxsize=1024)
def power2(x: Fraction) -> Fraction:
    """2**x: exact for whole x, else right to `DIGITS` decimals."""
    if x.denominator == 1:
        return Fraction(2) ** int(x)
    with localcontext(prec=DIGITS + 40):
        value = Decimal(2) ** (Decimal(x.numerator) / Decimal(x.denominator))
        return Fraction(round(value.scaleb(DIGITS)), 10**DIGITS)


@lru_cache(maxsize=1024)
def power2_rounded(x: float) -> float:
    """2**x as a double, rounded once.

    >>> power2_rounded(-3.0), power2_rounded(0.5)
    (0.125, 1.4142135623730951)
    """
    exponent = floor(x)
    return ldexp(float(power2(Fraction(x) - exponent)), exponent)


def powers_like(array: Array, p: Any, many: int) -> Array:
    """1, p, p², … (`many` of them), in the arithmetic of `array`."""
    if is_exact(array):
        return np.array([p**i for i in range(many)], dtype=object)
    return _powers(float(p), many)


@lru_cache(maxsize=64)
def _powers(p: float, many: int) -> Array:
    terms, power = [], Decimal(1)
    with localcontext(prec=45):
        for _ in range(many):
            terms.append(float(power))
            power *= Decimal(p)
    powers = np.array(terms)
    powers.setflags(write=False)
    return powers
