"""Scores of answers from the nuggets that they support, with two choices: partial support, and okay nuggets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd

from irviz.collection.nuggets import read_nuggets
from irviz.collection.sources import DEFAULT_LIMITS, Limits, Source
from irviz.stats.results import shares_of
from irviz.stats.scores import Scores


def load_nuggets(
    source: Source | pd.DataFrame,
    *,
    partial: float | Sequence[float] = 0.5,
    okay: float | Sequence[float] = (0, 0.5, 1),
    limits: Limits = DEFAULT_LIMITS,
) -> Scores:
    r"""Scores from assignments of nuggets (Pradeep et al. 2024).

    .. math::

        \frac{V_s + p V_p + w (O_s + p O_p)}{V + w O}

    with *V* vital and *O* okay nuggets of the topic, of which an answer supports those with the index *s*, and partly
    those with *p*.

    Parameters
    ----------
    source : path, (name, bytes) or DataFrame
        With the columns ``topic``, ``nugget``, ``importance`` (``vital``, ``okay``), ``system`` and ``support``
        (``support``, ``partial``, ``not``; also ``partial_support`` and ``not_support``).
    partial : in [0, 1], or a list
        Credit of partial support; 0 is strict.
    okay : in [0, 1], or a list
        Weight of an okay nugget; with 0 the score is that of the vital nuggets alone.
    limits : Limits
        As in :func:`irviz.load_collection`.

    Returns
    -------
    Scores
        In [0, 1], a measure for every pair of the two, ``nuggets(partial=0.5,okay=0)``.  A system without assignments
        on a topic has no score there, nor has any where the nuggets weigh 0.

    Raises
    ------
    IrvizError
        With file and line, for what is no assignment, and where a system lacks some of a topic's nuggets.
    """
    credits, weights = (
        shares_of(name, (given,) if isinstance(given, (int, float)) else given, "credit", zero=True)
        for name, given in (("partial", partial), ("okay", okay))
    )
    counts = read_nuggets(source, limits)
    values = []
    for credit, weight in product(credits, weights):
        vital, minor = counts.found[:, 0] + credit * counts.found[:, 1]
        whole = (counts.nuggets[0] + weight * counts.nuggets[1])[:, None]
        there = counts.answered & (whole > 0)
        values.append(np.where(there, (vital + weight * minor) / np.where(whole > 0, whole, 1), np.nan))
    measures = tuple(f"nuggets(partial={credit:g},okay={weight:g})" for credit, weight in product(credits, weights))
    return Scores(np.array(values), measures, counts.topics, counts.systems)
