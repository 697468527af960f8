"""What topics do: scores in units of a topic's own standard deviation, hard topics, and subsets of topics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError, choose
from irviz.portable import exponents, mean, normal_cdf, total
from irviz.stats.aggregate import ScoreMatrix, finite, matrix_of, summarise
from irviz.stats.scores import Scores
from irviz.stats.words import Hardness


def standardise(matrix: ScoreMatrix, *, cdf: bool = True) -> pd.DataFrame:
    r"""Standardised scores (Webber, Moffat & Zobel 2008, as used by Ravana & Moffat 2009, section 5.3).

    .. math:: z_{ts} = (x_{ts} - \bar x_t) / sd_t, \qquad e_{ts} = \Phi(z_{ts})

    Parameters
    ----------
    matrix : DataFrame, topics × systems, or Scores of one measure
    cdf : bool, default True
        False leaves the z-scores.

    Returns
    -------
    DataFrame topics × systems; in (0, 1) with `cdf`, without unit otherwise.

    Notes
    -----
    *sd* is the sample standard deviation (divisor n − 1).  A topic on which all systems
    score the same says nothing: z = 0 there, hence 0.5; the same holds for a single system.

    Examples
    --------
    >>> standardise(pd.DataFrame({"a": [0.1, 0.5], "b": [0.3, 0.5]}), cdf=False).round(3).to_numpy().tolist()
    [[-0.707, 0.707], [0.0, 0.0]]
    """
    checked = matrix_of(matrix)
    values = z_scores(checked.values[0])
    index, columns = pd.Index(checked.topics, name="topic"), pd.Index(checked.systems, name="system")
    return pd.DataFrame(normal_cdf(values) if cdf else values, index=index, columns=columns)


def standardised_scores(scores: Scores) -> Scores:
    """The whole cube standardised, every measure by itself; labels stay."""
    return Scores(normal_cdf(z_scores(finite(scores))), scores.measures, scores.topics, scores.systems)


def z_scores(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """z along the last axis (systems); 0 where all values are equal."""
    spread = row_spread(values)
    centred = values - mean(values, keepdims=True)
    return np.where(spread > 0, centred / np.where(spread > 0, spread, 1.0), 0.0)


def row_spread(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sample standard deviation along the last axis, kept; exactly 0 where all values are equal.

    Comparing extremes first keeps the rounding of the mean from passing as a spread.
    """
    if values.shape[-1] < 2:
        return np.zeros(values.shape[:-1] + (1,))
    off = values - mean(values, keepdims=True)
    size = exponents(off, -1)
    scaled = np.ldexp(off, -size)  # squares of the largest and the smallest doubles are none
    deviation = np.ldexp(np.sqrt(total(scaled * scaled)[..., None] / (values.shape[-1] - 1)), size)
    varies = values.max(axis=-1, keepdims=True) > values.min(axis=-1, keepdims=True)
    return np.where(varies, deviation, 0.0)


# -- How hard a topic is, judged by how the systems score on it ------------------------------------

HARDNESS = {
    "surprise": "(maximum − mean) / standard deviation",
    "mean": "1 − mean",
    "max": "1 − maximum",
}  #: every kind, with its formula, in the order of a menu


def hardness(matrix: ScoreMatrix, kind: Hardness = "surprise") -> pd.Series:
    r"""Hardness of every topic (Ravana & Moffat 2009, eq. (1) and (2)); higher is harder.

    .. math:: D_t = \frac{max_t - mean_t}{sd_t}, \qquad D_t = 1 - mean_t, \qquad D_t = 1 - max_t

    Parameters
    ----------
    matrix : DataFrame, topics × systems, or Scores of one measure
    kind : {"surprise", "mean", "max"}
        ``surprise`` counts sample standard deviations from the mean to the best system:
        a topic is hard if one system is surprisingly good.

    Returns
    -------
    Series by topic; standard deviations for ``surprise``, else in [0, 1] for scores in [0, 1].

    Notes
    -----
    If all systems score the same, ``surprise`` is 0.

    Examples
    --------
    >>> hardness(pd.DataFrame({"a": [0.0, 0.5], "b": [0.0, 0.5], "c": [0.9, 0.5]})).round(3).tolist()
    [1.155, 0.0]
    """
    checked = matrix_of(matrix)
    index = pd.Index(checked.topics, name="topic")
    return pd.Series(topic_hardness(checked.values[0], kind), index=index, name=kind)


def topic_hardness(values: NDArray[np.float64], kind: str = "surprise") -> NDArray[np.float64]:
    """Hardness by topic of … × topics × systems."""
    choose("kind of hardness", kind, tuple(HARDNESS))
    return FORMULAS[kind](values)


def _surprise(values: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = row_spread(values)[..., 0]
    surplus = values.max(axis=-1) - mean(values)
    return np.where(spread > 0, surplus / np.where(spread > 0, spread, 1.0), 0.0)


FORMULAS: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "surprise": _surprise,
    "mean": lambda values: 1.0 - mean(values),
    "max": lambda values: 1.0 - values.max(axis=-1),
}


# -- Subsets of topics and systems, by name, that are analysed by themselves -----------------------


def level_counts(c: Collection) -> pd.DataFrame:
    """R(k) of Ferrante et al. 2014: documents of each level of the first aspect above 0; topics × levels."""
    labels, levels = c.labels[:, :, 0], range(1, len(c.grades[0]))
    counts = {level: (labels == level).sum(axis=1) for level in levels}
    return pd.DataFrame(counts, index=pd.Index(c.topics, name="topic")).rename_axis(columns="level")


def few_highly_relevant(c: Collection, level: int | None = None) -> tuple[str, ...]:
    r"""Topics with few documents of a higher level (Ferrante et al. 2014, section 6).

    .. math:: R(1) \ge 10 \cdot R(k), \qquad R(k) \ne 0

    `level` is k: "few highly relevant" is 2, the default, and "few key" 3 where there are key documents.
    """
    counts = level_counts(c)
    top = len(counts.columns)
    if top < 2:
        raise IrvizError(
            "Few highly relevant documents: the collection has no level above relevant. Choose all topics."
        )
    k = 2 if level is None else level
    if not 2 <= k <= top:
        raise IrvizError(f"`level` must be between 2 and {top}, the highest; got {k}.")
    chosen = (counts[k] > 0) & (counts[1] >= 10 * counts[k])
    return tuple(counts.index[chosen])


def by_hardness(matrix: pd.DataFrame, quarter: int) -> tuple[str, ...]:
    """Topics of one quarter by hardness (surprise): 1 holds the easiest, 4 the hardest; see :func:`irviz.hardness`.

    Quarters differ by one topic at most; equally hard topics stay in their given order.
    """
    if quarter not in (1, 2, 3, 4):
        raise IrvizError(f"`quarter` must be 1 (easiest), 2, 3 or 4 (hardest); got {quarter}.")
    hard = hardness(matrix)
    order = np.argsort(hard.to_numpy(), kind="stable")
    chosen = set(np.array_split(order, 4)[quarter - 1].tolist())
    return tuple(topic for i, topic in enumerate(hard.index) if i in chosen)


def above_first_quartile(matrix: pd.DataFrame) -> tuple[str, ...]:
    """Systems above the first (lower) quartile of means, given scores by AP (Ferrante et al. 2014, section 6).

    Keeps poor runs from deciding a comparison of measures.  The quartile is MATLAB's, and
    systems must lie strictly above it: 95, 74 and 27 systems leave 71, 55 and 20, as in
    the paper's Table 1.  Where all systems tie, all stay.
    """
    values = summarise(matrix)
    if values.max() == values.min():
        return tuple(values.index)
    return tuple(values.index[values > np.quantile(values, 0.25, method="hazen")])
