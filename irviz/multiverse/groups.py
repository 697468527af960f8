"""In which group of topics does a difference turn?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import NO_GROUP, Collection
from irviz.collection.names import natural_order
from irviz.errors import IrvizError, number_of, probability
from irviz.measures.language.base import Measure
from irviz.stats.claims import Claim, read_claim
from irviz.stats.groups import Groups, groups_of, read_groups
from irviz.stats.paired import Differences, holm, t_test
from irviz.stats.results import FrozenArrays
from irviz.stats.scores import Scores, score

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ByGroup(FrozenArrays):
    """A difference of two systems in every group of topics.

    Attributes
    ----------
    claim : Claim
    measure : str
    groups : tuple of str
        In natural order, ``"(none)"`` last.
    topics : by group and, last, of all: how many have a score of both systems
    difference, low, high : as `topics`
        Mean difference, and Student's interval at 1 − `alpha`, not corrected for the number of groups.
    p : as `topics`
        Of the paired t test; those of the groups are corrected by Holm's procedure, that of all topics is not.

    A group with one topic has no interval and no p (NaN).
    """

    claim: Claim
    measure: str
    groups: tuple[str, ...]
    topics: NDArray[np.intp]
    difference: Floats
    low: Floats
    high: Floats
    p: Floats
    alpha: float

    @property
    def turns(self) -> tuple[str, ...]:
        """The groups in which the sign of the difference is not that of all topics."""
        sign = np.sign(self.difference)
        return tuple(group for group, own in zip(self.groups, sign, strict=False) if own != sign[-1])

    def frame(self) -> pd.DataFrame:
        """A row a group, and last ``"all"``: group, topics, difference, low, high, p."""
        columns = {name: getattr(self, name) for name in ("topics", "difference", "low", "high", "p")}
        return pd.DataFrame({"group": [*self.groups, "all"], **columns})

    def _summary(self) -> str:
        return f"{self.claim} in {number_of(len(self.groups), 'group')} of topics"


def by_group(
    c: Collection | Scores, measure: str | Measure, claim: str, *, groups: Groups | None = None, alpha: float = 0.05
) -> ByGroup:
    """The difference of two systems in every group of topics, and on all topics.

    Parameters
    ----------
    c : Collection or Scores
    measure : expression or measure
    claim : str
        As "A > B"; unusual names in backticks.
    groups : path, (name, bytes), mapping or Series of topic to group, optional
        By default those of the collection.  Topics without one are the group ``"(none)"``.
    alpha : float in (0, 1)
        Of the intervals.

    Returns
    -------
    ByGroup

    Notes
    -----
    Topics without a score of both systems are left out.
    """
    probability("alpha", alpha, usual=0.05)
    if groups is None and not c.groups:
        raise IrvizError("No groups of topics are given. Give groups=, a file or a mapping of topic to group.")
    known = groups_of(read_groups(c.groups if groups is None else groups), c.topics)
    parsed = read_claim(claim, c.systems)
    if parsed.kind != "pair":
        raise IrvizError(f"Groups are compared for a claim such as `A > B`; got `{parsed}`.")
    s = c.select([measure]) if isinstance(c, Scores) else score(c, [measure])
    first, second = s.values[0][:, list(parsed.pairs[0])].T
    there = ~np.isnan(first + second)
    if not there.any():
        raise IrvizError(f"No topic has a score of both systems of `{parsed}`.")
    own = np.array([known.get(topic, NO_GROUP) for topic in s.topics], dtype=object)
    names = natural_order(dict.fromkeys(own[there].tolist()))
    names = [name for name in names if name != NO_GROUP] + [NO_GROUP] * (NO_GROUP in names)
    rows = [there & (own == name) for name in names]
    table = np.array([_compare(first[row], second[row], alpha) for row in (*rows, there)])
    topics = np.array([row.sum() for row in (*rows, there)], dtype=np.intp)
    table[:-1, 3] = holm(table[:-1, 3])
    difference, low, high, p = table.T.copy()
    return ByGroup(parsed, s.measures[0], tuple(names), topics, difference, low, high, p, alpha)


def _compare(first: Floats, second: Floats, alpha: float) -> list[float]:
    """Mean difference, its interval, and p."""
    if len(first) < 2:
        return [float(first[0] - second[0]), np.nan, np.nan, np.nan]
    d = Differences.from_scores(first[:, None], second[:, None])
    return [float(numbers[0]) for numbers in (d.mean, *d.interval(alpha), t_test(d)[0])]
