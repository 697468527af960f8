"""Student's t, with the same bits on every processor.

The libraries' tail probabilities change in their last bits with the processor; here they
are made of :mod:`irviz.portable`.  Degrees of freedom are whole numbers, so the complete
beta function is a product.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from irviz.portable import exp, log

Floats = NDArray[np.float64]
_STEPS = 300  #: of the continued fraction; it has converged long before


def two_sided(t: Floats, degrees: int) -> Floats:
    r"""P(|T| ≥ |t|) for Student's T.

    .. math:: p = I_{\nu / (\nu + t^2)}(\nu/2,\; 1/2)

    Parameters
    ----------
    t : array, any shape; infinity is allowed
    degrees : int ≥ 1

    Returns
    -------
    Probabilities of the shape of `t`; within 1e-12 of SciPy's, relatively.

    Examples
    --------
    >>> print(f"{two_sided(np.array(2.0), 10):.6f}")
    0.073388
    """
    square = np.minimum(np.square(np.asarray(t, dtype=np.float64)), 1e300)
    rest, x = square / (degrees + square), degrees / (degrees + square)
    a = degrees / 2
    front = exp(a * log(x)) * np.sqrt(rest) / _beta_with_half(degrees)
    below = x < (a + 1) / (a + 2.5)
    near = front * _fraction(a, 0.5, np.where(below, x, 0.0)) / a
    far = 1.0 - front * _fraction(0.5, a, np.where(below, 0.0, rest)) / 0.5
    return np.where(np.isinf(t), 0.0, np.where(below, near, far))


@lru_cache(maxsize=256)
def critical(degrees: int, alpha: float) -> float:
    """The |t| that is exceeded with probability `alpha`.

    >>> round(critical(10, 0.05), 6)
    2.228139
    """
    low, high = 0.0, 1.0
    while two_sided(np.array(high), degrees) > alpha:
        low, high = high, 2 * high
    for _ in range(11):  # 32 parts each: beyond the precision of a double
        points = low + (high - low) * np.arange(33) / 32
        above = int((two_sided(points, degrees) > alpha).sum())
        low, high = float(points[above - 1]), float(points[min(above, 32)])
    return high


def _beta_with_half(degrees: int) -> float:
    """B(ν/2, 1/2), from B(1/2, 1/2) = π or B(1, 1/2) = 2 upwards."""
    a, value = (0.5, float(np.pi)) if degrees % 2 else (1.0, 2.0)
    while a < degrees / 2:
        value *= a / (a + 0.5)
        a += 1.0
    return value


def _fraction(a: float, b: float, x: Floats) -> Floats:
    """The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method."""
    tiny = 1e-300
    c = np.ones_like(x)
    d = 1.0 / _away(1.0 - (a + b) * x / (a + 1), tiny)
    value, moving = d, np.ones(x.shape, dtype=np.bool_)
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = value
        for term in (even, odd):
            d = 1.0 / _away(1.0 + term * d, tiny)
            c = _away(1.0 + term / c, tiny)
            value = np.where(moving, value * (d * c), value)
        moving &= np.abs(value - before) > 1e-15 * np.abs(value)  # each by itself, whatever is computed beside it
        if not moving.any():
            break
    return value


def _away(x: Floats, tiny: float) -> Floats:
    """`x`, kept away from 0."""
    return np.where(np.abs(x) < tiny, tiny, x)
