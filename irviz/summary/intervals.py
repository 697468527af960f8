"""How sure a system's summary over topics is, were the topics another sample.

May import :mod:`irviz.errors` and its neighbours in ``summary``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from irviz.errors import probability
from irviz.summary.aggregate import aggregate

Floats = NDArray[np.float64]
_BUDGET = 1 << 25  # bytes of resampled scores held at a time


def summary_interval(
    values: Floats,
    how: str = "mean",
    eps: float | None = None,
    confidence: float = 0.95,
    samples: int = 1000,
    seed: int = 0,
) -> tuple[Floats, Floats]:
    r"""Confidence interval of every system's summary over topics.

    For the mean, Student's

    .. math:: \bar x \pm t_{n-1}\, sd / \sqrt{n},

    for every other summary the percentile bootstrap over topics (Efron & Tibshirani
    1993, section 13.3).

    Parameters
    ----------
    values : topics × systems
    how, eps : as in :func:`irviz.summarise`
    confidence : float in (0, 1)
    samples, seed : int
        Of the bootstrap; all systems share the resampled topics.

    Returns
    -------
    low, high : by system, in the unit of the scores; NaN below two topics.

    Examples
    --------
    >>> low, high = summary_interval(np.array([[0.2], [0.4], [0.6]]))
    >>> print(f"{low[0]:.3f} {high[0]:.3f}")
    -0.097 0.897
    """
    probability("confidence", confidence, usual=0.95)
    topics, systems = values.shape
    if topics < 2:
        return np.full(systems, np.nan), np.full(systems, np.nan)
    if how == "mean":
        half = stdtrit(topics - 1, (1 + confidence) / 2) * values.std(axis=0, ddof=1) / np.sqrt(topics)
        return values.mean(axis=0) - half, values.mean(axis=0) + half
    drawn = np.random.default_rng(seed).integers(0, topics, (samples, topics))
    step = max(1, _BUDGET // values.nbytes)
    parts = [aggregate(values[drawn[i : i + step]], how, eps) for i in range(0, samples, step)]
    tail = (1 - confidence) / 2
    low, high = np.quantile(np.concatenate(parts), [tail, 1 - tail], axis=0)
    return low, high
