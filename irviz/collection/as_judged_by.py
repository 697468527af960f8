"""Judgments of several judges → those of one, as if that judge's file alone had been loaded."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT, BEYOND, UNJUDGED
from irviz.collection.documents import NO_INDEX, Documents


def seen_by(
    c: Any, judge: int, least: int = 0
) -> tuple[list[int], NDArray[np.int32], NDArray[np.int16], Documents | None]:
    """The topics that the judge at index `judge` judged (as indices), and their rankings, labels and identifiers.

    Documents that only others judged are unjudged.  `c` is a Collection, whose module imports this one; `least` is the
    width of the labels, where the judgments alone need less.
    """
    own = c.labels[:, :, judge] != ABSENT
    topics = np.flatnonzero(own.any(axis=1))
    labels, own = c.labels[topics], own[topics]
    place = np.where(own, np.cumsum(own, axis=1, dtype=np.int32) - 1, np.int32(UNJUDGED))
    rows, columns = np.nonzero(own)
    here = rows, place[own]
    alone = np.full((len(topics), max(int(own.sum(axis=1).max()), least), 1), ABSENT, dtype=np.int16)
    alone[*here, 0] = labels[rows, columns, judge]
    stays = bool((place[own] == columns).all() and (own == (labels != ABSENT).any(axis=2)).all())
    moved = _moved(c.ranking, topics, place, stays)
    if c.documents is None:
        return topics.tolist(), moved, alone, None
    kept = c.documents.subset(topics.tolist(), list(range(c.documents.listed.shape[1])), moved.shape[2])
    judged = np.full(alone.shape[:2], NO_INDEX, dtype=np.int32)
    judged[here] = kept.judged[rows, columns]
    below = None
    if kept.below is not None:
        below = np.zeros(alone.shape)
        below[*here, 0] = kept.below[rows, columns, judge]
    return topics.tolist(), moved, alone, Documents(kept.identifiers, judged, kept.listed, kept.scores, below)


def _moved(
    ranking: NDArray[np.int32], topics: NDArray[np.intp], place: NDArray[np.int32], stays: bool
) -> NDArray[np.int32]:
    """Rankings that point to the documents' new places, as deep as their longest list.

    Where every document stays at its place and nothing is cut, they are the old ones, not copied.
    """
    longest = max(1, int((ranking[topics] != BEYOND).any(axis=(0, 1)).sum()))
    if stays and (len(topics), longest) == (len(ranking), ranking.shape[2]):
        return ranking
    ends = np.array([[BEYOND, UNJUDGED]], dtype=np.int32)  # the indices −2 and −1 reach these
    table = np.concatenate([place, np.repeat(ends, len(place), axis=0)], axis=1)
    return np.stack([table[i][ranking[topic, :, :longest]] for i, topic in enumerate(topics.tolist())])
