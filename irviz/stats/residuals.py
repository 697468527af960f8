"""Residuals: how much a score depends on documents that nobody judged."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT, UNJUDGED
from irviz.collection.model import Collection
from irviz.measures import measure
from irviz.measures.arithmetic import Array
from irviz.measures.judged import Judged, Topic
from irviz.measures.language.base import Measure
from irviz.stats.scores import Scores, score


def residual(
    collection: Collection,
    measures: Iterable[str | Measure] | str | Measure,
    progress: Callable[[float, str], None] | None = None,
) -> Scores:
    r"""How much higher each score could be if all unjudged documents had the best grade.

    .. math:: \max\{0,\; M(\text{unjudged at the best grade}) - M\}

    Parameters
    ----------
    collection : Collection
    measures : expressions or measures
    progress : callable, optional
        Called with the share done (0 to 1) and a sentence, topic by topic.

    Returns
    -------
    Scores
        float64, measures × topics × systems, in the units of the measure, at least 0;
        0 where every document of the list is judged.

    Notes
    -----
    A document is unjudged where no aspect, or not the one scored, has a judgment of it;
    the best grade is that of the whole collection, on every aspect.  Only documents in
    the list count: ranks beyond its end hold none.  (cwl_eval fills them with the
    maximum gain, so its residuals of short lists are larger.)

    The documents found relevant this way join the run's own pool: recall bases and ideal
    lists grow with them, so that recall stays within 1.  They are the documents of this
    list only, whole; what other runs found is not known to be the same.  A larger
    recall base can cost more than the new documents add, as for a perfect list with an
    unjudged document at its end; the score then could not rise by these judgments, and
    the residual is 0.
    """
    before = score(collection, measures)
    wanted = [measure(name) for name in before.measures]
    values = np.zeros_like(before.values)
    for t, name in enumerate(collection.topics):
        best = _BestCase(collection, t)
        for m, one in enumerate(wanted):
            values[m, t] = np.maximum(best.score(one, before.values[m, t]) - before.values[m, t], 0.0)
        if progress is not None:
            progress((t + 1) / len(collection.topics), f"Residuals of topic {name}")
    return Scores(values, before.measures, before.topics, before.systems)


class _BestCase:
    """One topic with its unjudged documents at the best grade."""

    def __init__(self, collection: Collection, index: int) -> None:
        self.topic = Topic(collection, index)
        labels = self.topic.labels
        self.best = np.array([len(grades) - 1 for grades in collection.grades], dtype=labels.dtype)
        self.filled = np.where(labels == ABSENT, self.best, labels)
        self.doubtful = np.append((labels == ABSENT).any(axis=1), [False, True])  # also of BEYOND and UNJUDGED
        self.open = np.flatnonzero(self.doubtful[self.topic.ranking].any(axis=1)).tolist()
        self._together: Topic | None = None
        self._apart: dict[int, Topic] = {}

    def score(self, one: Measure, before: Array) -> NDArray[np.float64]:
        """One score per run.  Runs have different pools, so where a measure asks for it, they are scored one by one."""
        after = before.copy()
        if not self.open:
            return after
        try:
            after[self.open] = one.score(self.together())[self.open]
        except _PoolAskedFor:
            for run in self.open:
                after[run] = one.score(self.apart(run))[0]
        return after

    def together(self) -> Topic:
        """All runs, for measures that look at the ranked documents only."""
        if self._together is None:
            ranking = np.where(self.topic.ranking == UNJUDGED, len(self.filled), self.topic.ranking)
            self._together = _Poolless(self.topic, ranking, np.vstack([self.filled, self.best]))
        return self._together

    def apart(self, run: int) -> Topic:
        """One run with its own pool: the judged documents, and those of its list that were not."""
        if run not in self._apart:
            ranking = self.topic.ranking[[run]].copy()
            unjudged = ranking == UNJUDGED
            known = ranking[ranking >= 0]
            labels = self.topic.labels.copy()
            labels[known] = self.filled[known]
            ranking[unjudged] = len(labels) + np.arange(int(unjudged.sum()))
            added = np.tile(self.best, (int(unjudged.sum()), 1))
            self._apart[run] = _Changed(self.topic, ranking, np.vstack([labels, added]))
        return self._apart[run]


class _Changed(Topic):
    """A topic with rankings and labels of its own."""

    def __init__(self, topic: Topic, ranking: Array, labels: Array) -> None:
        super().__init__(topic.collection, topic.index)
        self.ranking, self.labels = ranking, labels

    def relabelled(self, key: Hashable, make: Callable[[Array], Array]) -> Array:
        return make(self.labels)


class _PoolAskedFor(Exception):
    """A measure needs the pool of a topic that has none."""


class _JudgedWithoutPool(Judged):
    def pool(self) -> Array:
        raise _PoolAskedFor


class _Poolless(_Changed):
    """A topic whose runs share no pool."""

    judged: ClassVar[type[Judged]] = _JudgedWithoutPool
