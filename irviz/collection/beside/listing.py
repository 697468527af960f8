"""One list in readable form: rank, document, score of the run, grades."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.beside.documents import NO_INDEX, Documents
from irviz.collection.codes import ABSENT, BEYOND, NEGATIVE, UNJUDGED


def list_frame(
    ranking: NDArray[np.int32],
    labels: NDArray[np.int16],
    aspects: tuple[str, ...],
    grades: tuple[tuple[float, ...], ...],
    documents: Documents | None,
    topic: int,
    system: int,
) -> pd.DataFrame:
    """One row per rank of one system's list for one topic, both by index; see :meth:`Collection.list`."""
    listed = ranking[topic, system]
    listed = listed[listed != BEYOND]
    names, scores, below = known_of(documents, topic, system, listed)
    columns = {
        aspect: grades_of(listed, labels[topic, :, a], grades[a], None if below is None else below[:, a])
        for a, aspect in enumerate(aspects)
    }
    known = {"rank": np.arange(1, len(listed) + 1), "document": names, "score": scores}
    return pd.concat([pd.DataFrame(known), pd.DataFrame(columns)], axis=1)


def known_of(
    documents: Documents | None, topic: int, system: int, ranking: NDArray[np.integer]
) -> tuple[list[str | None], NDArray[np.float64], NDArray[np.float64] | None]:
    """Identifiers and run-file scores of one list, as far as they are known, and its topic's grades below zero."""
    names, scores = np.full(len(ranking), NO_INDEX, dtype=np.int32), np.full(len(ranking), np.nan)
    if documents is None:
        return [None] * len(ranking), scores, None
    names[ranking >= 0] = documents.judged[topic][ranking[ranking >= 0]]
    first = min(documents.ranks, len(ranking))
    names[:first] = documents.listed[topic, system, :first]
    scores[:first] = documents.scores[topic, system, :first]
    return documents.names(names), scores, None if documents.below is None else documents.below[topic]


def grades_of(
    indices: NDArray[np.integer],
    labels: NDArray[np.int16],
    grades: tuple[float, ...],
    below: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """The grade of judged documents on one aspect; NaN where a document was not judged.

    Parameters
    ----------
    indices : int, any shape
        Judged document; negative for none.
    labels : int16, judged documents
    grades : tuple of float
        Of every level.
    below : float64, judged documents, or None
        The grades below zero as they were written; without them such a grade reads −1.
    """
    return np.append(all_grades(labels, grades, below), np.nan)[np.where(indices < 0, UNJUDGED, indices)]


def all_grades(
    labels: NDArray[np.int16], grades: tuple[float, ...], below: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """The grade of every label, in the shape of `labels`; NaN where a document was not judged."""
    table = np.array(grades, dtype=np.float64)[np.maximum(labels, 0)]
    table[labels == NEGATIVE] = -1.0 if below is None else below[labels == NEGATIVE]
    table[labels == ABSENT] = np.nan
    return table
