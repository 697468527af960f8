"""The Kruskal-Wallis test with Tukey's comparison of mean ranks: for ordinal scales.

One-way: all scores of all topics are ranked together, as in the tables of Ferrante et
al. 2019, made with MATLAB's ``kruskalwallis`` and ``multcompare``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from irviz.analysis.ranking.ranks import mean_ranks, tie_sizes
from irviz.analysis.testing.methods import Comparison, Draws
from irviz.analysis.testing.studentized import pairwise_sf
from irviz.portable import total

Floats = NDArray[np.float64]


def kruskal_wallis(values: Floats) -> tuple[float, float]:
    r"""Kruskal and Wallis's H, corrected for ties, and its p-value by :math:`\chi^2_{k-1}`.

    Parameters
    ----------
    values : observations × groups (topics × systems)

    Notes
    -----
    Where all scores are equal H is 0 and p is 1.
    """
    topics, systems = values.shape
    ranks, variance = pooled_ranks(values)
    if variance == 0:
        return 0.0, 1.0
    spread = total((ranks.mean(axis=0) - (values.size + 1) / 2) ** 2)
    statistic = topics * float(spread) / variance
    return statistic, float(chdtrc(systems - 1, statistic))


def kruskal_tukey(values: Floats, draws: Draws) -> list[Comparison]:
    r"""p-values of all pairs by Tukey's criterion on mean ranks; overall, the Kruskal-Wallis test's own.

    As Ferrante et al. 2019, section 5.3, compare systems.

    .. math::

        p_{ij} = P\Big(Q_{k,\infty} \ge \sqrt2\,
            \frac{|\bar R_i - \bar R_j|}{\sqrt{\sigma^2\,(1/t + 1/t)}}\Big), \qquad
        \sigma^2 = \frac{N(N+1)}{12} - \frac{\sum_g (u_g^3 - u_g)}{12 (N-1)}

    with N scores in all and tied groups of sizes :math:`u_g`.

    Parameters
    ----------
    values : measures × topics × systems
        Only their order within a measure matters, across topics too; dense ranks of exact scores will do.
    draws : Draws
        Nothing is drawn.
    """
    return [_one_measure(matrix) for matrix in values]


def _one_measure(values: Floats) -> Comparison:
    ranks, variance = pooled_ranks(values)
    means = ranks.mean(axis=0)
    difference = np.abs(means[:, None] - means[None, :])
    if variance == 0:
        return Comparison(means, np.ones_like(difference), 1.0)
    p = pairwise_sf(difference / np.sqrt(variance / len(values)), values.shape[1], np.inf)
    return Comparison(means, p, kruskal_wallis(values)[1])


def pooled_ranks(values: Floats) -> tuple[Floats, float]:
    """Ranks of all scores together, in the shape of `values`, and the variance of one rank given the ties."""
    size = values.size
    ties = tie_sizes(values)
    variance = size * (size + 1) / 12 - int((ties**3 - ties).sum()) / (12 * (size - 1))
    if len(ties) == 1:
        variance = 0.0
    return mean_ranks(values.ravel()).reshape(values.shape), variance
