"""The tie rules: in which order the documents of a topic stand in a run.

trec_eval orders by score, descending, and documents of equal score by identifier,
descending; up to version 9 it compares scores as C floats, so that scores that
differ only beyond seven digits tie.  Sorting is left out where a file is in order
already, as most are.

May import its neighbours in ``collection``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Ordered:
    """Rows of a run in some order of scores, topic by topic.

    Attributes
    ----------
    rows : int, lines
        Row of the file at every place; topics ascending.
    tied : int, places
        The places whose document ties with a neighbour.
    group : int, tied
        Which tie each of them belongs to.
    """

    rows: Rows
    tied: Rows
    group: Rows


def single(score: NDArray[np.float64]) -> NDArray[np.float32]:
    """Scores as C's ``(float) atof`` gives them; what is too large becomes infinite."""
    with np.errstate(over="ignore", under="ignore"):
        return score.astype(np.float32)


def by_score(topic: NDArray[np.integer], score: NDArray[np.floating]) -> Ordered:
    """Topics ascending, scores descending, ties in the order of the file.  `topic` ascends."""
    rows = np.arange(len(topic))
    same_topic = topic[1:] == topic[:-1]
    if (same_topic & (score[1:] > score[:-1])).any():
        rows = np.lexsort((-score, topic))
        score = score[rows]
    equal = same_topic & (score[1:] == score[:-1])
    if not equal.any():
        nothing = np.empty(0, dtype=np.intp)
        return Ordered(rows, nothing, nothing)
    tied = np.flatnonzero(np.append(equal, False) | np.append(False, equal))
    starts = ~np.append(False, equal)[tied]
    return Ordered(rows, tied, np.cumsum(starts) - 1)


def break_ties(ordered: Ordered, docs: pa.BinaryArray, descending: bool) -> Rows:
    """The rows of `ordered` with tied documents by identifier, compared byte by byte."""
    if not len(ordered.tied):
        return ordered.rows
    rows = ordered.rows[ordered.tied]
    direction = "descending" if descending else "ascending"
    order = pc.array_sort_indices(docs.take(pa.array(rows)), order=direction).to_numpy()
    rank = np.empty(len(rows), dtype=np.intp)
    rank[order] = np.arange(len(rows))
    out = ordered.rows.copy()
    out[ordered.tied] = rows[np.lexsort((rank, ordered.group))]
    return out


def by_rank(topic: NDArray[np.integer], rank: NDArray[np.float64]) -> Rows:
    """Topics ascending, ranks ascending, equal ranks in the order of the file."""
    rows = np.arange(len(topic))
    if ((topic[1:] == topic[:-1]) & (rank[1:] < rank[:-1])).any():
        return np.lexsort((rank, topic))
    return rows


def ranked(
    ties: str,
    topic: NDArray[np.integer],
    score: NDArray[np.float64],
    docs: pa.BinaryArray,
    rank: NDArray[np.float64] | None,
    in_single: Ordered,
) -> Rows:
    """Rows in the order of the tie rule; `in_single` is the order by single-precision scores."""
    if ties == "file":
        return np.arange(len(topic))
    if ties == "rank":
        return by_rank(topic, np.asarray(rank))  # the caller refused a file without ranks, with its line
    if ties == "trec_eval10":
        return break_ties(by_score(topic, score), docs, descending=True)
    return break_ties(in_single, docs, descending=ties == "trec_eval")
