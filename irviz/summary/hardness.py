"""How hard a topic is, judged by how the systems score on it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import choose
from irviz.portable import mean
from irviz.summary.matrix import matrix_of
from irviz.summary.standardise import row_spread

HARDNESS = {
    "surprise": "(maximum − mean) / standard deviation",
    "mean": "1 − mean",
    "max": "1 − maximum",
}  #: every kind, with its formula, in the order of a menu


def hardness(matrix: pd.DataFrame, kind: str = "surprise") -> pd.Series:
    r"""Hardness of every topic (Ravana & Moffat 2009, eq. (1) and (2)); higher is harder.

    .. math:: D_t = \frac{max_t - mean_t}{sd_t}, \qquad D_t = 1 - mean_t, \qquad D_t = 1 - max_t

    Parameters
    ----------
    matrix : DataFrame, topics × systems
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
    return pd.Series(topic_hardness(checked.values, kind), index=index, name=kind)


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
