"""The lines of a run that belong to judged topics, topic by topic.

May import :mod:`irviz.errors` and its neighbours in ``collection``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from irviz.collection.judged import Judged
from irviz.collection.names import natural_order, text_of
from irviz.collection.runs import RunLines
from irviz.errors import FileProblem, listed


@dataclass(frozen=True, eq=False)
class Grouped:
    """Lines of a run sorted by topic, and in the order of the file within a topic.

    Attributes
    ----------
    topic : int, lines
        Index among the judged topics, ascending.
    rows : int, lines
        Row of the run each line comes from.
    docs, score, rank : lines
        As in :class:`~irviz.collection.runs.RunLines`.
    """

    topic: NDArray[np.intp]
    rows: NDArray[np.intp]
    docs: pa.BinaryArray
    score: NDArray[np.float64]
    rank: NDArray[np.float64] | None

    def spans(self) -> Iterator[tuple[int, int, int]]:
        """(topic, first line, line after the last) of every topic the run has."""
        starts = np.flatnonzero(np.append(True, self.topic[1:] != self.topic[:-1]))
        stops = np.append(starts[1:], len(self.topic))
        yield from zip(self.topic[starts].tolist(), starts.tolist(), stops.tolist(), strict=True)


def grouped(run: RunLines, judged: Judged) -> Grouped:
    """The lines of `run` on judged topics; a run without any is refused."""
    index = {key: i for i, key in enumerate(judged.keys)}
    positions = np.array([index.get(key, -1) for key in run.topics], dtype=np.intp)
    if (positions < 0).all():
        raise _nothing_in_common(run, judged)
    topic = positions[run.topic]
    rows = np.arange(len(topic))
    if (positions < 0).any():
        rows = np.flatnonzero(topic >= 0)
        topic = topic[rows]
    if (topic[1:] < topic[:-1]).any():
        order = np.argsort(topic, kind="stable")
        rows, topic = rows[order], topic[order]
    elif len(rows) == len(run.topic):
        return Grouped(topic, rows, run.docs, run.score, run.rank)
    rank = None if run.rank is None else run.rank[rows]
    return Grouped(topic, rows, run.docs.take(pa.array(rows)), run.score[rows], rank)


def _nothing_in_common(run: RunLines, judged: Judged) -> FileProblem:
    theirs = natural_order(text_of(key) for key in run.topics)
    return FileProblem(
        run.file,
        None,
        f"none of its topics is in {judged.file}. Topics of the run: {listed(theirs, joiner='and')}; "
        f"of the qrels: {listed(judged.topics, joiner='and')}. Give the qrels that these runs were made for.",
    )
