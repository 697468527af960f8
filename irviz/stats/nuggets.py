"""Scores of answers from the nuggets they support, given a credit of partial support and a weight of okay nuggets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np
import pandas as pd

from irviz.collection.nuggets import read_nuggets
from irviz.collection.sources import DEFAULT_LIMITS, Limits, Source
from irviz.stats.results import shares_of
from irviz.stats.scores import Scores

_NAME = re.compile(r"nuggets\(partial=([\d.e-]+),okay=([\d.e-]+)\)")


def nuggets_name(partial: float, okay: float) -> str:
    """Name of the measure with a credit of partial support and a weight of okay nuggets."""
    return f"nuggets(partial={partial:g},okay={okay:g})"


def nugget_handles(measures: Iterable[str]) -> tuple[tuple[float, ...], ...]:
    """Credits of partial support and weights of okay nuggets, if the measures are all pairs of the two.

    >>> nugget_handles(["nuggets(partial=0,okay=1)", "nuggets(partial=0.5,okay=1)"]), nugget_handles(["AP"])
    (((0.0, 0.5), (1.0,)), ())
    """
    pairs = [tuple(map(float, found.groups())) for name in measures if (found := _NAME.fullmatch(name))]
    handles = tuple(tuple(dict.fromkeys(pair[i] for pair in pairs)) for i in range(2))
    return handles if len(handles[0]) * len(handles[1]) == len(tuple(measures)) > 1 else ()


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

    with *V* vital and *O* okay nuggets of the topic; the answer supports those with index *s*, and partly those with
    *p*.

    Parameters
    ----------
    source : path, (name, bytes) or DataFrame
        With the columns ``topic``, ``nugget``, ``importance`` (``vital``, ``okay``), ``system`` and ``support``
        (``support``, ``partial``, ``not``; also ``partial_support`` and ``not_support``).
    partial : in [0, 1], or a list
        Credit of partial support; 0 is strict.
    okay : in [0, 1], or a list
        Weight of an okay nugget; 0 scores the vital nuggets alone.
    limits : Limits
        As in :func:`irviz.load_collection`.

    Returns
    -------
    Scores
        In [0, 1], a measure for every pair of the two, such as ``nuggets(partial=0.5,okay=0)``.  No score if a system
        has no assignments on the topic, or the topic's nuggets weigh 0.

    Raises
    ------
    IrvizError
        With file and line, for a line that is no assignment, or a system that lacks some of a topic's nuggets.
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
    measures = tuple(nuggets_name(*pair) for pair in product(credits, weights))
    return Scores(np.array(values), measures, counts.topics, counts.systems)
