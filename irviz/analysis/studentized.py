"""The studentized range, for thousands of differences at once.

Tukey's test asks for one tail probability a pair of systems: 8,256 of them at TREC-8's
size, and :data:`scipy.stats.studentized_range` takes milliseconds for each.  All share
the number of systems and the degrees of freedom, so the inner integral is tabulated once
and the outer one is a sum over fixed nodes.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicHermiteSpline
from scipy.special import chdtri, gammaln, ndtr

Floats = NDArray[np.float64]
WIDEST = 16.0  #: beyond this the range of normal variables has probability below 1e-20
STEP = 0.01


def studentized_range_sf(q: Floats, groups: int, degrees: float) -> Floats:
    r"""P(Q ≥ q) for the range of `groups` normal means over an independent standard deviation.

    .. math::

        P(Q \ge q) = \int_0^\infty f_\nu(s)\, R_k(qs)\, ds, \qquad
        1 - R_k(r) = k \int \varphi(z) [\Phi(z) - \Phi(z - r)]^{k-1} dz

    where :math:`f_\nu` is the density of :math:`\sqrt{\chi^2_\nu/\nu}`.

    Parameters
    ----------
    q : array of numbers ≥ 0, any shape; infinity is allowed
    groups : int ≥ 2
    degrees : float ≥ 1, or infinity

    Returns
    -------
    Probabilities of the shape of `q`; within 1e-9 of SciPy's.
    """
    flat = np.minimum(np.ravel(q), 1e12)
    tail = range_tail(groups)
    if np.isinf(degrees):
        return tail(flat).reshape(np.shape(q))
    lowest, highest = chi_support(degrees)
    nodes, weights = np.polynomial.legendre.leggauss(96)
    out = np.zeros(flat.shape)
    for start in range(0, len(flat), 4096):
        part = flat[start : start + 4096, None]
        # the tail vanishes beyond WIDEST: put the nodes where there is something to add up
        upper = np.clip(WIDEST / np.maximum(part, 1e-12), lowest, highest)
        half = (upper - lowest) / 2
        s = lowest + half * (nodes + 1)
        out[start : start + 4096] = (weights * half * chi_density(s, degrees) * tail(part * s)).sum(axis=1)
    return np.clip(out, 0.0, 1.0).reshape(np.shape(q))


class RangeTail:
    """P(range of k standard normal variables ≥ r), by cubic interpolation of an exact table (error below 1e-10)."""

    def __init__(self, groups: int) -> None:
        z = np.linspace(-9.0, 9.0, 721)  # the trapezoidal rule is exact to rounding for such bell-shaped integrands
        density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
        r = np.arange(0.0, WIDEST + STEP / 2, STEP)[:, None]
        inside = np.maximum(ndtr(z) - ndtr(z - r), 0.0)
        below = groups * (inside ** (groups - 1)) @ density
        edge = np.exp(-((z - r) ** 2) / 2) / np.sqrt(2 * np.pi)
        slope = groups * (groups - 1) * (inside ** (groups - 2) * edge) @ density
        self._table = CubicHermiteSpline(r[:, 0], np.clip(1.0 - below, 0.0, 1.0), -slope)

    def __call__(self, r: Floats) -> Floats:
        return np.where(r < WIDEST, np.clip(self._table(np.minimum(r, WIDEST)), 0.0, 1.0), 0.0)


@lru_cache(maxsize=32)
def range_tail(groups: int) -> RangeTail:
    """The tabulated tail for `groups` normal variables; the same table for every caller."""
    return RangeTail(groups)


def chi_support(degrees: float) -> tuple[float, float]:
    """Where all but 1e-16 of the standard deviation's distribution lies."""
    highest = np.sqrt(chdtri(degrees, 1e-17) / degrees)
    return max(0.0, 1.0 - 9.0 / np.sqrt(2 * degrees)), float(highest)


def chi_density(s: Floats, degrees: float) -> Floats:
    r"""Density of :math:`\sqrt{\chi^2_\nu/\nu}` at s > 0."""
    half = degrees / 2
    log = np.log(2.0) + half * np.log(half) - gammaln(half) + (degrees - 1) * np.log(s) - half * s**2
    return np.exp(log)
