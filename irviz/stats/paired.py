"""Paired tests of per-topic differences, many pairs and worlds at once; and Holm's correction of their p-values.

Arrays are topics × columns; a column holds the scores of two systems under one measure.
Every test returns a two-sided p, in (0, 1], and by column the direction it points to: 1, 0 or −1.

SciPy's tail probabilities differ between processors in their last bits; these use :mod:`irviz.portable`.  The degrees
of freedom of Student's t are whole numbers, so the complete beta function is a product.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from irviz.portable import exact_totals, exp, log, normal_cdf, total
from irviz.stats.correlation import mean_ranks
from irviz.stats.groups import shares_of_mean

# -- Student's t, with the same bits on every processor ------------------------------------------

Floats = NDArray[np.float64]
_STEPS = 300  #: terms of the continued fraction, more than it needs


def two_sided(t: Floats, degrees: int) -> Floats:
    r"""P(|T| ≥ |t|) for Student's T.

    .. math:: p = I_{\nu / (\nu + t^2)}(\nu/2,\; 1/2)

    `t` may be infinite.  Within 1e-12 of SciPy's, relatively.

    >>> print(f"{two_sided(np.array(2.0), 10):.6f}")
    0.073388
    """
    square = np.minimum(np.square(np.asarray(t, dtype=np.float64)), 1e300)
    rest, x = square / (degrees + square), degrees / (degrees + square)
    a = degrees / 2
    front = exp(a * log(x)) * np.sqrt(rest) / _beta_with_half(degrees)
    below = x < (a + 1) / (a + 2.5)
    fraction = np.empty(x.shape)
    fraction[below], fraction[~below] = _fraction(a, 0.5, x[below]), _fraction(0.5, a, rest[~below])
    p = np.where(below, front * fraction / a, 1.0 - front * fraction / 0.5)
    return np.where(np.isinf(t), 0.0, p)


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


@lru_cache(maxsize=256)
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
    value, moving = d.copy(), np.ones(x.shape, dtype=np.bool_)
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = value.copy()
        for term in (even, odd):
            d = 1.0 / _away(1.0 + term * d, tiny)
            c = _away(1.0 + term / c, tiny)
            np.multiply(value, d * c, out=value, where=moving)
        moving &= np.abs(value - before) > 1e-15 * np.abs(value)  # each independently of the others
        if not moving.any():
            break
    return value


def _away(x: Floats, tiny: float) -> Floats:
    """`x`, kept away from 0 in place."""
    x[np.abs(x) < tiny] = tiny
    return x


# -- The tests -----------------------------------------------------------------------------------

EXACT_TOPICS = 50  #: Wilcoxon's statistic has its exact distribution up to here, as in SciPy
EXACT_TIED_TOPICS = 13  #: the same with ties or differences of 0


@dataclass(frozen=True, eq=False)
class Differences:
    """Per-topic differences of two systems, first minus second, and how they vary."""

    values: Floats  #: topics × columns: exactly 0 where the scores differ by rounding only
    noise: Floats  #: by column, the largest difference that rounding can leave
    #: by column; the deviation is the sample's, exactly 0 if all differences are equal up to rounding
    mean: Floats
    deviation: Floats

    @classmethod
    def from_scores(cls, first: Floats, second: Floats) -> Differences:
        n = len(first)
        scale = np.maximum(np.abs(first).max(axis=0), np.abs(second).max(axis=0))
        noise = 4 * n * np.finfo(np.float64).eps * scale
        values = first - second
        values = np.where(np.abs(values) <= noise, 0.0, values)
        mean = exact_totals(values) / n
        mean = np.where(np.abs(mean) <= noise, 0.0, mean)
        return cls(values, noise, mean, mean)._with_deviation()

    def of_groups(self, units: NDArray[np.intp] | None) -> Differences:
        """Differences of whole groups, with the same means; `units` is the number of each topic's group, None for
        none."""
        if units is None:
            return self
        return Differences(shares_of_mean(self.values, units), self.noise, self.mean, self.mean)._with_deviation()

    def _with_deviation(self) -> Differences:
        squares = total(np.square(self.centred_values), axis=0)
        return replace(self, deviation=np.sqrt(squares / (self.topics - 1)))

    @property
    def topics(self) -> int:
        return len(self.values)

    @property
    def centred_values(self) -> Floats:
        """Differences minus their mean, exactly 0 for rounding errors."""
        centred = self.values - self.mean
        return np.where(np.abs(centred) <= self.noise, 0.0, centred)

    def interval(self, alpha: float) -> tuple[Floats, Floats]:
        """Student's interval of the mean difference, at 1 − `alpha`; NaN for equal differences on few topics."""
        half = critical(self.topics - 1, alpha) * self.deviation / np.sqrt(self.topics)
        little = (self.deviation == 0) & (self.mean != 0) & (least_p(self.topics) >= alpha)
        half = np.where(little, np.nan, half)
        return self.mean - half, self.mean + half


def in_deviations(difference: Floats, deviation: Floats) -> Floats:
    """Differences over their standard deviations, arrays of one shape; infinite where only the deviation is 0."""
    varies = deviation > 0
    ratio = difference / np.where(varies, deviation, 1.0)
    return np.where(varies | (ratio == 0) | np.isnan(ratio), ratio, np.copysign(np.inf, ratio))


def t_test(d: Differences) -> tuple[Floats, NDArray[np.int8]]:
    """Paired t test, as ``scipy.stats.ttest_rel``; equal means have p = 1, a constant difference :func:`least_p`."""
    return t_p(d.mean, d.deviation, d.topics), _sign(d.mean)


def t_p(mean: Floats, deviation: Floats, topics: int) -> Floats:
    """p of mean differences and their sample standard deviations, arrays of any one shape."""
    varies = deviation > 0
    t = mean * np.sqrt(topics) / np.where(varies, deviation, 1.0)
    return np.where(varies | (mean == 0), two_sided(t, topics - 1), least_p(topics))


def least_p(topics: int) -> float:
    """2/2ⁿ: the smallest p that exchanging two systems on n topics can give.

    >>> least_p(5), least_p(6)
    (0.0625, 0.03125)
    """
    return float(np.ldexp(2.0, -topics))


def sign_test(d: Differences) -> tuple[Floats, NDArray[np.int8]]:
    """Sign test: exact binomial on the topics with a difference, as ``scipy.stats.binomtest``."""
    ahead, behind = (d.values > 0).sum(axis=0), (d.values < 0).sum(axis=0)
    return sign_p(ahead, behind), _sign(ahead - behind)


def sign_p(ahead: NDArray[np.integer], behind: NDArray[np.integer]) -> Floats:
    """p of numbers of topics ahead and behind, … × columns; their sum is the same throughout a column."""
    fewer, many = np.minimum(ahead, behind), (ahead + behind).reshape(-1, ahead.shape[-1])[0]
    columns = [_binomial_tails(int(n))[fewer[..., k]] for k, n in enumerate(many)]
    return np.stack(columns, axis=-1) if columns else np.empty(fewer.shape)


@lru_cache(maxsize=2048)
def _binomial_tails(n: int) -> Floats:
    """2 P(X ≤ k), at most 1, for k = 0 … n // 2 of n fair coins."""
    tails, below, ways, all_ways = [], 0, 1, 1 << n
    for k in range(n // 2 + 1):
        below += ways
        ways = ways * (n - k) // (k + 1)
        tails.append(min(1.0, 2 * below / all_ways))
    return np.array(tails)


def wilcoxon_test(d: Differences) -> tuple[Floats, NDArray[np.int8]]:
    r"""Wilcoxon's signed-rank test with Pratt's zeros, as ``scipy.stats.wilcoxon(zero_method="pratt")``.

    Differences of 0 are ranked and then dropped; tied ones share the mean of their ranks. As in SciPy, the distribution
    is exact up to 50 topics without ties and zeros, and up to 13 with them; else it is normal, with Cureton's (1967)
    moments and no continuity correction. Differences that are equal up to rounding tie, such as .3 − .2 and .2 − .1.
    """
    ranks, ahead, behind = signed_ranks(d)
    return wilcoxon_p(d, ranks, ahead), _sign(ahead - behind)


def signed_ranks(d: Differences) -> tuple[Floats, Floats, Floats]:
    """Ranks of the sizes (topics × columns), and by column the sums of those above and below 0."""
    ranks = mean_ranks(np.ascontiguousarray(np.abs(d.values).T), d.noise).T
    ahead, behind = ((ranks * side).sum(axis=0) for side in (d.values > 0, d.values < 0))  # halves: exact in any order
    return ranks, ahead, behind


def wilcoxon_p(d: Differences, ranks: Floats, ahead: Floats) -> Floats:
    """p of sums of the ranks above 0, … × columns: those of `d`, or of the same differences with other signs."""
    zero = d.values == 0
    zeros, ties = zero.sum(axis=0), _ties(ranks, zero)
    least = np.minimum(ahead, (ranks * ~zero).sum(axis=0) - ahead)
    plain = (zeros == 0) & (ties == 0)
    p = _normal_p(ahead, d.topics, zeros, ties)
    if d.topics <= EXACT_TOPICS:
        tails = _signed_rank_tails(tuple(range(2, 2 * d.topics + 2, 2)))
        p[..., plain] = tails[least[..., plain].astype(np.intp) * 2]
    if d.topics <= EXACT_TIED_TOPICS:
        for column in np.flatnonzero(~plain):
            doubled = (2 * ranks[~zero[:, column], column]).astype(np.intp)
            tails = _signed_rank_tails(tuple(sorted(doubled.tolist())))
            p[..., column] = tails[(2 * least[..., column]).astype(np.intp)]
    return p


def _ties(ranks: Floats, zero: NDArray[np.bool_]) -> Floats:
    """Σ (t³ − t) over the groups of tied differences other than 0, by column: what ties take off the variance."""
    ordered = np.sort(np.where(zero, -np.arange(1, len(ranks) + 1)[:, None], 2 * ranks), axis=0, kind="stable")
    new = np.ones(ordered.shape, dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    start = np.maximum.accumulate(np.where(new, np.arange(len(ranks))[:, None], 0), axis=0)
    place = np.arange(len(ranks))[:, None] - start + 1  # 1, 2, … t within a group; differences of t³ − t add up to it
    return (3 * place * (place - 1)).sum(axis=0).astype(np.float64)


def _normal_p(ahead: Floats, n: int, zeros: NDArray[np.integer], ties: Floats) -> Floats:
    mean = (n * (n + 1) - zeros * (zeros + 1)) / 4
    variance = (n * (n + 1) * (2 * n + 1) - zeros * (zeros + 1) * (2 * zeros + 1) - ties / 2) / 24
    known = variance > 0
    z = (ahead - mean) / np.sqrt(np.where(known, variance, 1.0))
    return np.where(known, np.minimum(2 * normal_cdf(-np.abs(z)), 1.0), 1.0)


@lru_cache(maxsize=512)
def _signed_rank_tails(doubled_ranks: tuple[int, ...]) -> Floats:
    """2 P(W ≤ w), at most 1, for 2w = 0, 1, …: W adds each rank with probability ½; counts are exact below 2⁵³."""
    counts = np.zeros(sum(doubled_ranks) + 1)
    counts[0] = 1.0
    for rank in doubled_ranks:
        counts[rank:] += counts[: len(counts) - rank].copy()
    return np.minimum(2 * np.cumsum(counts) / 2.0 ** len(doubled_ranks), 1.0)


def _sign(numbers: NDArray[np.floating] | NDArray[np.integer]) -> NDArray[np.int8]:
    return np.sign(numbers).astype(np.int8)


PAIRED_TESTS: dict[str, Callable[[Differences], tuple[Floats, NDArray[np.int8]]]] = {
    "t": t_test,
    "wilcoxon": wilcoxon_test,
    "sign": sign_test,
}  #: tests of the mean of the per-topic differences


# -- Several tests --------------------------------------------------------------------------------


def holm(p: Floats) -> Floats:
    """Holm's (1979) step-down correction along the last axis; NaN is no hypothesis.

    >>> holm(np.array([0.01, 0.04, np.nan, 0.03])).round(3).tolist()
    [0.03, 0.06, nan, 0.06]
    """
    order = np.argsort(p, axis=-1, kind="stable")  # NaN last
    ordered = np.take_along_axis(p, order, axis=-1)
    remaining = np.isfinite(p).sum(axis=-1, keepdims=True) - np.arange(p.shape[-1])
    stepped = np.minimum(np.maximum.accumulate(np.where(remaining > 0, ordered * remaining, 0.0), axis=-1), 1.0)
    out = np.empty_like(p)
    np.put_along_axis(out, order, np.where(remaining > 0, stepped, np.nan), axis=-1)
    return out


def bonferroni(p: Floats) -> Floats:
    """Every p times the number of hypotheses along the last axis, at most 1; NaN is no hypothesis."""
    return np.minimum(p * np.isfinite(p).sum(axis=-1, keepdims=True), 1.0)


CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {"holm": holm, "bonferroni": bonferroni, "none": np.copy}
