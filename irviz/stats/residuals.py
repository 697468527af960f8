"""Residuals: how much a score depends on documents that nobody judged."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT, UNJUDGED
from irviz.collection.model import Collection
from irviz.measures import measure
from irviz.measures.judged import Topics
from irviz.measures.language.base import Measure
from irviz.stats.scores import Scores, in_blocks, score
from irviz.workers import Progress

MOST_ADDED = 1 << 20  #: documents of the pools that are made at a time, one pool for each list


def residual(
    c: Collection,
    measures: Iterable[str | Measure] | str | Measure,
    *,
    progress: Progress | None = None,
) -> Scores:
    r"""How much higher each score could be if all unjudged documents had the best grade.

    .. math:: \max\{0,\; M(\text{unjudged at the best grade}) - M\}

    Parameters
    ----------
    c : Collection
    measures : expressions or measures
    progress : callable, optional
        Called with the share done (0 to 1) and a sentence, after each block of topics.

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
    before = score(c, measures)
    wanted = [measure(name) for name in before.measures]
    values = np.zeros_like(before.values)
    _, systems, depth = c.ranking.shape
    for block in in_blocks(c, MOST_ADDED // (systems * (depth + c.labels.shape[1]))):
        doubtful, best = _best_case(c, block.topics)
        for m, one in enumerate(wanted if doubtful.any() else []):
            part = values[m, block.topics]
            part[doubtful] = np.maximum(one.score(best) - before.values[m, block.topics][doubtful], 0.0)
        if progress is not None:
            progress(block.share, f"Residuals of {block.name}")
    return Scores(values, before.measures, before.topics, before.systems)


def _best_case(collection: Collection, which: slice) -> tuple[NDArray[np.bool_], Topics]:
    """topics × systems: which lists hold documents that are not judged; and those lists with these at the best grade.

    Every list is a topic of its own, since its pool is: the judged documents, and those of the list that were not.
    """
    ranking, labels = collection.ranking[which], collection.labels[which]
    unsure = np.concatenate([(labels == ABSENT).any(axis=2), np.tile([False, True], (len(labels), 1))], axis=1)
    open_ = np.take_along_axis(unsure, ranking.reshape(len(ranking), -1), axis=1).reshape(ranking.shape)
    doubtful: NDArray[np.bool_] = np.any(open_, axis=2)
    lists = ranking[doubtful]
    topic, judged = np.nonzero(doubtful)[0], labels.shape[1]
    new = lists == UNJUDGED
    added = int(new.sum(axis=1).max(initial=0))
    best = np.array([len(grades) - 1 for grades in collection.grades], dtype=labels.dtype)
    pools = np.full((len(lists), judged + added, len(best)), ABSENT, dtype=labels.dtype)
    pools[:, :judged] = labels[topic]
    run, rank = np.nonzero(lists >= 0)
    known = pools[run, lists[run, rank]]
    pools[run, lists[run, rank]] = np.where(known == ABSENT, best, known)
    place = judged + np.cumsum(new, axis=1) - 1
    pools[np.nonzero(new)[0], place[new]] = best
    return doubtful, Topics(collection, slice(0), np.where(new, place, lists).astype(np.int32), labels=pools)
