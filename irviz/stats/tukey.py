"""The studentized range, for thousands of differences at once.

Tukey's test needs one tail probability per pair of systems, 8,256 at TREC-8's size, and
:data:`scipy.stats.studentized_range` takes milliseconds for each.  All pairs share the number of systems and the
degrees of freedom, so the inner integral is tabulated once and the outer one is a sum over fixed nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, fdtrc

from irviz.portable import exact_totals, exp, log, normal_cdf, total
from irviz.stats.correlation import mean_ranks, tie_sizes
from irviz.stats.results import Draws, PairwiseTest
from irviz.workers import batches, run

Floats = NDArray[np.float64]

WIDEST = 16.0  #: beyond this the range of normal variables has probability below 1e-20
_TABLE_STEP = 0.01  #: step of the table, and half the distance of the inner integral's nodes
NODES = 96  #: of the outer integral
_AT_A_TIME = 4096  #: differences integrated at a time


def studentized_range_sf(q: Floats, groups: int, degrees: float) -> Floats:
    r"""P(Q ≥ q) for the range of `groups` normal means over an independent standard deviation.

    .. math::

        P(Q \ge q) = \int_0^\infty f_\nu(s)\, R_k(qs)\, ds, \qquad
        1 - R_k(r) = k \int \varphi(z) [\Phi(z) - \Phi(z - r)]^{k-1} dz

    where :math:`f_\nu(s) \propto s^{\nu-1} e^{-\nu s^2/2}` is the density of :math:`\sqrt{\chi^2_\nu/\nu}`.

    `q` is at least 0 and may be infinite, as `degrees` may.  Within 1e-9 of SciPy's.
    """
    flat = np.minimum(np.ravel(q), 1e12)
    if np.isinf(degrees):
        return range_tail(flat, groups).reshape(np.shape(q))
    parts = [_integrate(flat[i : i + _AT_A_TIME], groups, float(degrees)) for i in range(0, len(flat), _AT_A_TIME)]
    return np.clip(np.concatenate([np.empty(0), *parts]), 0.0, 1.0).reshape(np.shape(q))


def pairwise_sf(q: Floats, groups: int, degrees: float) -> Floats:
    """The same for a symmetric square of differences: every pair once, and 1 on the diagonal."""
    first, second = np.triu_indices(len(q), k=1)
    p = np.ones(q.shape)
    p[first, second] = p[second, first] = studentized_range_sf(q[first, second], groups, degrees)
    return p


def _integrate(q: Floats, groups: int, degrees: float) -> Floats:
    """The outer integral, with nodes below WIDEST, beyond which the tail vanishes."""
    lowest, highest = support(degrees)
    nodes, weights = gauss_legendre(NODES)
    half_width = (highest - lowest) / 2
    s = lowest + half_width * (nodes + 1)
    density = half_width * weights * chi_density(s, degrees)
    mass = total(density)
    near, out = q * highest <= WIDEST, np.zeros(len(q))
    far = ~near & (q * lowest < WIDEST)
    out[near] = total(density[:, None] * range_tail(s[:, None] * q[near], groups), axis=0)
    half = (WIDEST / q[far] - lowest) / 2
    s = lowest + half * (nodes[:, None] + 1)
    out[far] = total(half * weights[:, None] * chi_density(s, degrees) * range_tail(q[far] * s, groups), axis=0)
    return out / mass


def range_tail(r: Floats, groups: int) -> Floats:
    """P(range of k standard normal variables ≥ r), by cubic interpolation of an exact table (error below 1e-10)."""
    cells = _range_table(groups)
    place = np.minimum(r, WIDEST) / _TABLE_STEP
    cell = np.minimum(place.astype(np.intp), len(cells[0]) - 1)
    u = place - cell
    a, b, c, d = (column[cell] for column in cells)
    return np.where(r < WIDEST, np.clip(((d * u + c) * u + b) * u + a, 0.0, 1.0), 0.0)


@lru_cache(maxsize=32)
def _range_table(groups: int) -> tuple[Floats, Floats, Floats, Floats]:
    """By cell, the coefficients of the cubic with the values and slopes of both ends, lowest power first."""
    steps, reach = round(WIDEST / _TABLE_STEP), round(9.0 / _TABLE_STEP)
    grid = np.arange(-reach - steps, reach + 1) * _TABLE_STEP  # holds every z and every z − r
    cdf, density = normal_cdf(grid), exp(-(grid**2) / 2) / np.sqrt(2 * np.pi)
    z = np.arange(steps, len(grid), 2)[:, None]  # the trapezoidal rule is exact for such bell-shaped integrands
    shifted = z - np.arange(steps + 1)
    weight = 2 * _TABLE_STEP * density[z]
    inside = np.maximum(cdf[z] - cdf[shifted], 0.0)
    power = whole_power(inside, groups - 2)
    values = np.clip(1.0 - groups * total(power * inside * weight, axis=0), 0.0, 1.0)
    slopes = -groups * (groups - 1) * total(power * density[shifted] * weight, axis=0)
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


def support(degrees: float) -> tuple[float, float]:
    """Range of the standard deviation with all but 1e-16 of its probability (Laurent and Massart 2000, eq. (4.3))."""
    x = 39.0 / degrees  # e^−39 is 1e-17
    return max(0.0, 1.0 - 9.0 / float(np.sqrt(2 * degrees))), float(np.sqrt(1 + 2 * np.sqrt(x) + 2 * x))


def chi_density(s: Floats, degrees: float) -> Floats:
    r"""Density of :math:`\sqrt{\chi^2_\nu/\nu}` at s > 0, up to a constant factor: 1 at s = 1."""
    return exp((degrees - 1) * log(s) - degrees / 2 * (s**2 - 1))


@lru_cache(maxsize=4)
def gauss_legendre(nodes: int) -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss and Legendre's quadrature on [−1, 1], by Newton's method.

    The last bits of NumPy's depend on the processor; these are on a grid of 2⁻⁵⁰.

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


# -- Two-way analysis of variance, topics and systems, with Tukey's HSD on the systems -------------
#
# For interval scales, since it averages.  The effect of topics is removed before systems are compared.


@dataclass(frozen=True)
class Effects:
    """Sums of squares of topics, systems and residual, and the degrees of freedom of the last two."""

    topics: float
    systems: float
    residual: float
    system_degrees: int
    residual_degrees: int

    @property
    def error(self) -> float:
        """Mean square of the residual."""
        return self.residual / self.residual_degrees

    @property
    def p_value(self) -> float:
        """p-value of the F test for systems; 1 if nothing varies, 0 if systems vary and the residual does not."""
        if self.error == 0:
            return 1.0 if self.systems == 0 else 0.0
        return float(fdtrc(self.system_degrees, self.residual_degrees, self.systems / self.system_degrees / self.error))


def sums_of_squares(values: Floats) -> Effects:
    r"""Model :math:`x_{ts} = \mu + \alpha_t + \beta_s + \epsilon_{ts}` (no interaction: one score per cell)."""
    topics, systems = values.shape
    grand = exact_totals(values.reshape(-1, 1))[0] / values.size
    by_topic, by_system = exact_totals(values.T) / systems - grand, exact_totals(values) / topics - grand
    residual = values - grand - by_topic[:, None] - by_system[None, :]
    noise = 8 * np.finfo(np.float64).eps * np.abs(values).max()  # the rounding error of a cell
    squares = [
        float(total(np.where(np.abs(part) > noise, part, 0.0).ravel() ** 2)) for part in (by_topic, by_system, residual)
    ]
    return Effects(squares[0] * systems, squares[1] * topics, squares[2], systems - 1, (topics - 1) * (systems - 1))


def anova_tukey(values: Floats, draws: Draws) -> list[PairwiseTest]:
    r"""p-values of all pairs, Tukey's HSD after the two-way ANOVA; overall, the F test's for systems.

    As Carterette (2012) and Ferrante et al. 2019, section 5.3, test systems.

    .. math:: p_{ij} = P\big(Q_{k,\nu} \ge |\bar x_i - \bar x_j| / \sqrt{MSE/t}\big), \qquad \nu = (t-1)(k-1)

    Without residual variance every difference but 0 has p = 0.
    """
    return [_anova_one_measure(matrix) for matrix in values]


def _anova_one_measure(values: Floats) -> PairwiseTest:
    effects = sums_of_squares(values)
    means = exact_totals(values) / len(values)
    difference = np.abs(means[:, None] - means[None, :])
    difference[difference <= 8 * np.finfo(np.float64).eps * np.abs(values).max()] = 0.0
    if effects.error == 0:
        p = (difference == 0).astype(np.float64)
    else:
        q = difference / np.sqrt(effects.error / len(values))
        p = pairwise_sf(q, values.shape[1], effects.residual_degrees)
    return PairwiseTest(means, p, effects.p_value)


# -- The Kruskal-Wallis test with Tukey's comparison of mean ranks: for ordinal scales -------------
#
# One-way: all scores of all topics are ranked together, as in the tables of Ferrante et
# al. 2019, made with MATLAB's ``kruskalwallis`` and ``multcompare``.


def kruskal_wallis(values: Floats, ranks_and_variance: tuple[Floats, float] | None = None) -> tuple[float, float]:
    r"""Kruskal and Wallis's H of topics × systems, corrected for ties, and its p-value by :math:`\chi^2_{k-1}`.

    If all scores are equal, H is 0 and p is 1.  `ranks_and_variance` are their `pooled_ranks`, if known.
    """
    topics, systems = values.shape
    ranks, variance = ranks_and_variance or pooled_ranks(values)
    if variance == 0:
        return 0.0, 1.0
    spread = total((ranks.mean(axis=0) - (values.size + 1) / 2) ** 2)
    statistic = topics * float(spread) / variance
    return statistic, float(chdtrc(systems - 1, statistic))


def kruskal_tukey(values: Floats, draws: Draws) -> list[PairwiseTest]:
    r"""p-values of all pairs by Tukey's criterion on mean ranks; overall, the Kruskal-Wallis test's own.

    As Ferrante et al. 2019, section 5.3, compare systems.

    .. math::

        p_{ij} = P\Big(Q_{k,\infty} \ge \sqrt2\,
            \frac{|\bar R_i - \bar R_j|}{\sqrt{\sigma^2\,(1/t + 1/t)}}\Big), \qquad
        \sigma^2 = \frac{N(N+1)}{12} - \frac{\sum_g (u_g^3 - u_g)}{12 (N-1)}

    with N scores in all and tied groups of sizes :math:`u_g`.  Only the order of the scores, across all topics,
    matters.
    """
    return [_kruskal_one_measure(matrix) for matrix in values]


def _kruskal_one_measure(values: Floats) -> PairwiseTest:
    ranks, variance = pooled_ranks(values)
    means = ranks.mean(axis=0)
    difference = np.abs(means[:, None] - means[None, :])
    if variance == 0:
        return PairwiseTest(means, np.ones_like(difference), 1.0)
    p = pairwise_sf(difference / np.sqrt(variance / len(values)), values.shape[1], np.inf)
    return PairwiseTest(means, p, kruskal_wallis(values, (ranks, variance))[1])


def pooled_ranks(values: Floats) -> tuple[Floats, float]:
    """Ranks of all scores together, in the shape of `values`, and the variance of one rank given the ties."""
    size = values.size
    ties = tie_sizes(values)
    variance = size * (size + 1) / 12 - int((ties**3 - ties).sum()) / (12 * (size - 1))
    if len(ties) == 1:
        variance = 0.0
    return mean_ranks(values.ravel()).reshape(values.shape), variance


# -- Randomised Tukey HSD
#
# Under the null hypothesis a topic's scores are exchangeable between systems, so they are shuffled within the topic.
# All p-values are one search in the sorted ranges of the trials' means.

FEW_COLUMNS = 10  #: columns up to which whole columns are exchanged to sort their rows
BATCH_BYTES = 1 << 22  #: bytes of shuffling keys held at a time; about ten times as much memory is used
PART_BYTES = 1 << 20  #: bytes of scores added up together, to fit the cache


def randomised_tukey(values: Floats, draws: Draws) -> list[PairwiseTest]:
    r"""p-values of all pairs by the randomised Tukey HSD test (Carterette 2012; Chen & Sakai 2023, section 6).

    .. math::

        p_{ij} = \frac{1 + \sum_b
            \big[\max_k \bar x^{(b)}_k - \min_k \bar x^{(b)}_k \ge |\bar x_i - \bar x_j|\big]}{B + 1}

    All measures see the same shuffles; overall p is the smallest of the pairs. The null hypothesis is that all systems
    are equal, so the error rate is controlled for the whole family of pairs. The papers divide the count by B; here the
    observed arrangement counts as one draw, so no p is 0.  That keeps the error rate (Phipson & Smyth 2010) and changes
    no decision if α·B is whole.  Sums equal up to rounding count as equal.
    """
    return [_one_measure(matrix, ranges) for matrix, ranges in zip(values, null_ranges(values, draws), strict=True)]


def _one_measure(values: Floats, ranges: Floats) -> PairwiseTest:
    sums, trials = exact_totals(values), len(ranges)
    slack = np.finfo(np.float64).eps * len(values) * exact_totals(np.abs(values)).max()
    difference = np.abs(sums[:, None] - sums[None, :])
    p = (trials - np.searchsorted(np.sort(ranges), difference - slack, side="left") + 1) / (trials + 1)
    np.fill_diagonal(p, 1.0)
    return PairwiseTest(sums / len(values), p, float(p.min()), ranges)


def null_ranges(values: Floats, draws: Draws) -> Floats:
    """measures × trials: the range of the systems' sums in each trial of shuffled topics.

    A row is shuffled by sorting keys: at least 24 random bits, then the column.  Every trial takes the same number of
    words from one PCG64 stream, so the ranges do not depend on batch size or workers.
    """
    _, topics, systems = values.shape
    pieces = list(batches(draws.trials, topics * systems * 8, BATCH_BYTES))
    work, many = partial(_ranges, np.ascontiguousarray(values), draws.seed), f"of {draws.trials:,} shuffles"
    ranges = run(work, pieces, draws.workers, draws.progress, lambda batch: f"{batch.stop:,} {many}")
    return np.concatenate(ranges, axis=1)


def _ranges(values: Floats, seed: int | tuple[int, ...], batch: slice) -> Floats:
    """measures × the batch's trials."""
    from scipy.sparse import csr_array  # takes a tenth of a second to import

    measures, topics, systems = values.shape
    places = _shuffles(seed, topics, systems, batch.start, batch.stop)
    scores, rows = values.transpose(1, 2, 0), len(places)
    sums = np.zeros((rows, measures))
    for part in batches(topics, systems * measures * 8, PART_BYTES):
        many = part.stop - part.start
        cells = np.empty((rows, 1 + many), dtype=np.int32)
        cells[:, 0] = np.arange(rows)  # a sparse matrix adds in order: the sum so far, then topic after topic
        np.add(places[:, part], rows + systems * np.arange(many), out=cells[:, 1:], casting="unsafe")
        ends = np.arange(0, cells.size + 1, 1 + many, dtype=np.int32)
        chosen = csr_array((np.ones(cells.size), cells.ravel(), ends), shape=(rows, rows + systems * many))
        sums = chosen @ np.concatenate([sums, scores[part].reshape(-1, measures)])
    return np.ascontiguousarray(np.ptp(sums.reshape(-1, systems, measures), axis=1).T)


@lru_cache(maxsize=128)
def _shuffles(
    seed: int | tuple[int, ...], topics: int, systems: int, start: int, stop: int
) -> NDArray[np.unsignedinteger]:
    """(trials · systems) × topics: the column that each place of a row is taken from, whatever the scores."""
    bits = (systems - 1).bit_length()
    dtype, width = (np.dtype("<u4"), 4) if bits <= 8 else (np.dtype("<u8"), 8)
    words, count = (topics * systems * width + 7) // 8, stop - start
    generator = np.random.PCG64(seed).advance(start * words)
    raw = generator.random_raw(count * words).astype("<u8", copy=False).view(dtype).reshape(count, -1)
    columns = shuffled_columns(raw[:, : topics * systems].reshape(count, topics, systems), bits)
    places = np.empty((count, systems, topics), dtype=np.uint8 if bits <= 8 else np.uint32)
    places[...] = columns.transpose(0, 2, 1)
    return places.reshape(-1, topics)


def shuffled_columns(keys: NDArray[np.unsignedinteger], bits: int) -> NDArray[np.unsignedinteger]:
    """Random orders of 0 … n − 1 along the last axis, from random words (which are used up)."""
    low = keys.dtype.type((1 << bits) - 1)
    few = keys.shape[-1] <= FEW_COLUMNS
    ordered = np.array(keys, order="F" if few else "C")
    ordered &= ~low
    ordered |= np.arange(keys.shape[-1], dtype=keys.dtype)
    if few:
        _sort_columns(ordered)
    else:
        ordered.sort(axis=-1)
    return ordered & low


def _sort_columns(rows: NDArray[np.unsignedinteger]) -> None:
    """Sort short rows by exchanging whole columns: half the time of sorting row by row."""
    for last in range(rows.shape[-1] - 1, 0, -1):
        for column in range(last):
            left, right = rows[..., column], rows[..., column + 1]
            less = np.minimum(left, right)
            np.maximum(left, right, out=right)
            left[...] = less
