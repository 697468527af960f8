"""Judgments of several judges → those of one, as if that judge's file alone had been loaded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT, BEYOND, UNJUDGED
from irviz.collection.documents import NO_INDEX, Documents


def seen_by(
    ranking: NDArray[np.int32],
    labels: NDArray[np.int16],
    judge: int,
    documents: Documents | None,
    least: int = 0,
) -> tuple[list[int], NDArray[np.int32], NDArray[np.int16], Documents | None]:
    """The topics that the judge at index `judge` judged (as indices), and their rankings, labels and identifiers.

    Documents that only others judged are unjudged.

    Parameters
    ----------
    ranking : int32, topics × systems × depth
    labels : int16, topics × judged documents × judges
    least : int
        Width of the labels, where the judgments alone need less.
    """
    own = labels[:, :, judge] != ABSENT
    topics = np.flatnonzero(own.any(axis=1))
    own, pools = own[topics], own[topics].sum(axis=1)
    place = np.where(own, np.cumsum(own, axis=1, dtype=np.int32) - 1, np.int32(UNJUDGED))
    width = max(int(pools.max()), least)
    rows, columns = np.nonzero(own)
    alone = np.full((len(topics), width, 1), ABSENT, dtype=np.int16)
    alone[rows, place[own], 0] = labels[topics[rows], columns, judge]
    stays = bool((place[own] == columns).all() and (own == (labels[topics] != ABSENT).any(axis=2)).all())
    moved = _moved(ranking, topics, place, stays)
    if documents is not None:
        documents = _documents(documents, topics, own, place, alone.shape[1], moved.shape[2], judge)
    return topics.tolist(), moved, alone, documents


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


def _documents(
    documents: Documents,
    topics: NDArray[np.intp],
    own: NDArray[np.bool_],
    place: NDArray[np.int32],
    width: int,
    depth: int,
    judge: int,
) -> Documents:
    rows, columns = np.nonzero(own)
    judged = np.full((len(topics), width), NO_INDEX, dtype=np.int32)
    judged[rows, place[own]] = documents.judged[topics[rows], columns]
    below = None
    if documents.below is not None:
        below = np.zeros((*judged.shape, 1))
        below[rows, place[own], 0] = documents.below[topics[rows], columns, judge]
    kept = documents.subset(topics.tolist(), list(range(documents.listed.shape[1])), depth)
    return Documents(kept.identifiers, judged, kept.listed, kept.scores, below)
