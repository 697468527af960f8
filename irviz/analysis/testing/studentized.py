"""The studentized range, for thousands of differences at once.

Tukey's test asks for one tail probability per pair of systems: 8,256 of them at TREC-8's
size, and :data:`scipy.stats.studentized_range` takes milliseconds for each.  All share
the number of systems and the degrees of freedom, so the inner integral is tabulated once
and the outer one is a sum over fixed nodes.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from irviz.portable import exp, log, normal_cdf, total

Floats = NDArray[np.float64]
WIDEST = 16.0  #: beyond this the range of normal variables has probability below 1e-20
_TABLE_STEP = 0.01  #: of the table, and half the distance of the inner integral's nodes
NODES = 96  #: of the outer integral
_AT_A_TIME = 4096  #: differences integrated at a time


def studentized_range_sf(q: Floats, groups: int, degrees: float) -> Floats:
    r"""P(Q ≥ q) for the range of `groups` normal means over an independent standard deviation.

    .. math::

        P(Q \ge q) = \int_0^\infty f_\nu(s)\, R_k(qs)\, ds, \qquad
        1 - R_k(r) = k \int \varphi(z) [\Phi(z) - \Phi(z - r)]^{k-1} dz

    where :math:`f_\nu(s) \propto s^{\nu-1} e^{-\nu s^2/2}` is the density of :math:`\sqrt{\chi^2_\nu/\nu}`.

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
    parts = [_integrated(flat[i : i + _AT_A_TIME], tail, float(degrees)) for i in range(0, len(flat), _AT_A_TIME)]
    return np.clip(np.concatenate([np.empty(0), *parts]), 0.0, 1.0).reshape(np.shape(q))


def pairwise_sf(q: Floats, groups: int, degrees: float) -> Floats:
    """The same for a symmetric square of differences: every pair once, and 1 on the diagonal."""
    first, second = np.triu_indices(len(q), k=1)
    p = np.ones(q.shape)
    p[first, second] = p[second, first] = studentized_range_sf(q[first, second], groups, degrees)
    return p


def _integrated(q: Floats, tail: RangeTail, degrees: float) -> Floats:
    """The outer integral.  The tail vanishes beyond WIDEST: the nodes go where there is something to add up."""
    lowest, highest = support(degrees)
    nodes, weights = gauss_legendre(NODES)
    whole = (highest - lowest) / 2
    s = lowest + whole * (nodes + 1)
    density = whole * weights * chi_density(s, degrees)
    mass = total(density)
    near, out = q * highest <= WIDEST, np.zeros(len(q))
    far = ~near & (q * lowest < WIDEST)
    out[near] = total(density[:, None] * tail(s[:, None] * q[near]), axis=0)
    half = (WIDEST / q[far] - lowest) / 2
    s = lowest + half * (nodes[:, None] + 1)
    out[far] = total(half * weights[:, None] * chi_density(s, degrees) * tail(q[far] * s), axis=0)
    return out / mass


class RangeTail:
    """P(range of k standard normal variables ≥ r), by cubic interpolation of an exact table (error below 1e-10)."""

    def __init__(self, groups: int) -> None:
        steps, reach = round(WIDEST / _TABLE_STEP), round(9.0 / _TABLE_STEP)
        grid = np.arange(-reach - steps, reach + 1) * _TABLE_STEP  # every z and every z − r lies on it
        cdf, density = normal_cdf(grid), exp(-(grid**2) / 2) / np.sqrt(2 * np.pi)
        z = np.arange(steps, len(grid), 2)[:, None]  # the trapezoidal rule is exact for such bell-shaped integrands
        shifted = z - np.arange(steps + 1)
        weight = 2 * _TABLE_STEP * density[z]
        inside = np.maximum(cdf[z] - cdf[shifted], 0.0)
        power = whole_power(inside, groups - 2)
        values = np.clip(1.0 - groups * total(power * inside * weight, axis=0), 0.0, 1.0)
        slopes = -groups * (groups - 1) * total(power * density[shifted] * weight, axis=0)
        self._cells = _hermite(values, slopes)

    def __call__(self, r: Floats) -> Floats:
        place = np.minimum(r, WIDEST) / _TABLE_STEP
        cell = np.minimum(place.astype(np.intp), len(self._cells[0]) - 1)
        u = place - cell
        a, b, c, d = (column[cell] for column in self._cells)
        return np.where(r < WIDEST, np.clip(((d * u + c) * u + b) * u + a, 0.0, 1.0), 0.0)


def _hermite(values: Floats, slopes: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """By cell of the table, the cubic through both ends with both slopes: its coefficients, lowest power first."""
    rise, start, end = np.diff(values), _TABLE_STEP * slopes[:-1], _TABLE_STEP * slopes[1:]
    return values[:-1], start, 3 * rise - 2 * start - end, start + end - 2 * rise


def whole_power(values: Floats, exponent: int) -> Floats:
    """values ** exponent for a whole exponent of at least 0, by squaring; the same bits everywhere.

    >>> whole_power(np.array([2.0, 3.0]), 5).tolist()
    [32.0, 243.0]
    """
    result = np.ones_like(values)
    while exponent:
        if exponent & 1:
            result = result * values
        exponent >>= 1
        values = values * values if exponent else values
    return result


@lru_cache(maxsize=32)
def range_tail(groups: int) -> RangeTail:
    """The tabulated tail for `groups` normal variables; the same table for every caller."""
    return RangeTail(groups)


def support(degrees: float) -> tuple[float, float]:
    """Where all but 1e-16 of the standard deviation's distribution lies (Laurent and Massart 2000, eq. (4.3))."""
    x = 39.0 / degrees  # e^−39 is 1e-17
    return max(0.0, 1.0 - 9.0 / float(np.sqrt(2 * degrees))), float(np.sqrt(1 + 2 * np.sqrt(x) + 2 * x))


def chi_density(s: Floats, degrees: float) -> Floats:
    r"""Density of :math:`\sqrt{\chi^2_\nu/\nu}` at s > 0, but for a constant factor: 1 at s = 1."""
    return exp((degrees - 1) * log(s) - degrees / 2 * (s**2 - 1))


@lru_cache(maxsize=4)
def gauss_legendre(nodes: int) -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss and Legendre's quadrature on [−1, 1], by Newton's method.

    NumPy's come from an eigenvalue problem, whose last bits depend on the processor;
    these are on a grid of 2⁻⁵⁰.

    >>> x, w = gauss_legendre(2)
    >>> x.round(6).tolist(), w.round(6).tolist()
    ([-0.57735, 0.57735], [1.0, 1.0])
    """
    x = -np.cos(np.pi * (np.arange(1, nodes + 1) - 0.25) / (nodes + 0.5))
    for _ in range(8):
        value, slope = _legendre(x, nodes)
        x = x - value / slope
    x = np.rint(x * 2.0**50) / 2.0**50
    return x, 2 / ((1 - x * x) * _legendre(x, nodes)[1] ** 2)


def _legendre(x: Floats, order: int) -> tuple[Floats, Floats]:
    """The Legendre polynomial of `order` (at least 1) and its derivative."""
    before, value = np.ones_like(x), x
    for n in range(1, order):
        before, value = value, ((2 * n + 1) * x * value - n * before) / (n + 1)
    return value, order * (x * value - before) / (x * x - 1)
