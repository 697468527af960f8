"""Subsets of topics and systems that are analysed by themselves.

Functions return names, which :meth:`irviz.collection.model.Collection.subset` and
:meth:`irviz.stats.scores.Scores.select` accept.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.stats.aggregate import summarise
from irviz.stats.topic_effects import hardness


def level_counts(c: Collection) -> pd.DataFrame:
    """R(k) of Ferrante et al. 2014: documents of each level of the first aspect above 0; topics × levels."""
    labels, levels = c.labels[:, :, 0], range(1, len(c.grades[0]))
    counts = {level: (labels == level).sum(axis=1) for level in levels}
    return pd.DataFrame(counts, index=pd.Index(c.topics, name="topic")).rename_axis(columns="level")


def few_highly_relevant(c: Collection, level: int | None = None, ratio: float = 10.0) -> tuple[str, ...]:
    r"""Topics with few documents of a higher level (Ferrante et al. 2014, section 6).

    .. math:: R(1) \ge 10 \cdot R(k), \qquad R(k) \ne 0

    Parameters
    ----------
    level : int ≥ 2, optional
        k; the lowest level above relevant by default: "few highly relevant" is 2, "few
        key" 3 where there are key documents.
    ratio : float > 0
        The paper uses 10.

    Returns
    -------
    tuple of str; empty if there is no such topic.
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
    chosen = (counts[k] > 0) & (counts[1] >= ratio * counts[k])
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
