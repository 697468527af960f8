"""Scores in units of a topic's own standard deviation, so that all topics count alike."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.portable import exponents, mean, normal_cdf, total
from irviz.scores import Scores
from irviz.summary.matrix import finite, matrix_of


def standardise(matrix: pd.DataFrame, cdf: bool = True) -> pd.DataFrame:
    r"""Standardised scores (Webber, Moffat & Zobel 2008, as used by Ravana & Moffat 2009, section 5.3).

    .. math:: z_{ts} = (x_{ts} - \bar x_t) / sd_t, \qquad e_{ts} = \Phi(z_{ts})

    Parameters
    ----------
    matrix : DataFrame, topics × systems
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
    values = z_scores(checked.values)
    index, columns = pd.Index(checked.topics, name="topic"), pd.Index(checked.systems, name="system")
    return pd.DataFrame(normal_cdf(values) if cdf else values, index=index, columns=columns)


def standardised_scores(scores: Scores, cdf: bool = True) -> Scores:
    """The whole cube standardised, every measure by itself; labels stay."""
    values = z_scores(finite(scores))
    return Scores(normal_cdf(values) if cdf else values, scores.measures, scores.topics, scores.systems)


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
