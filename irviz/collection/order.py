"""The lines of a run topic by topic, and within a topic by a tie rule.

trec_eval orders by score and equal scores by identifier, both descending; up to version 9 it compares scores as C
floats, so that scores that differ only beyond seven digits tie.  A file in order, as most are, is not sorted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from irviz.collection.judgments import Judgments
from irviz.collection.lines import Lines
from irviz.collection.names import almost_equal, natural_order, text_of
from irviz.errors import FileProblem, join_words

Rows = NDArray[np.intp]


def lines_by_topic(run: Lines, judgments: Judgments) -> Lines:
    """The lines of `run` on judged topics, in the order of these; a run that has only other topics is refused."""
    places = np.array([judgments.places.get(key, -1) for key in run.topics], dtype=np.intp)
    if len(places) and (places < 0).all():
        topics = natural_order(text_of(key) for key in run.topics)
        alike = almost_equal([(0, topic) for topic in topics], [(0, topic) for topic in judgments.topics])
        advice = f"{alike}. Write them alike." if alike else "Give the qrels that these runs were made for."
        ours, theirs = (join_words(names, joiner="and") for names in (topics, judgments.topics))
        what = f"none of its topics is in {judgments.file}. Topics of the run: {ours}; of the qrels: {theirs}. {advice}"
        raise FileProblem(run.file, None, what)
    topic = places[run.topic]
    if (topic[1:] >= topic[:-1]).all() and (topic[:1] >= 0).all():
        return replace(run, topics=judgments.keys, topic=topic)
    order = stable_order(topic)
    return run.take(order[np.count_nonzero(topic < 0) :], judgments.keys, topic)


def stable_order(numbers: NDArray[np.integer]) -> NDArray[np.intp]:
    """``np.argsort(numbers, kind="stable")``, quick where equal numbers stand together, as a file's topics do.

    >>> stable_order(np.array([7, 7, 3, 5, 5, 5])).tolist()
    [2, 3, 4, 5, 0, 1]
    """
    starts = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)])
    order = np.argsort(numbers[starts], kind="stable")
    lengths = np.diff(np.append(starts, len(numbers)))[order]
    return np.repeat(starts[order] - (np.cumsum(lengths) - lengths), lengths) + np.arange(len(numbers))


class RunOrder(NamedTuple):
    """Lines of a run ordered by topic and score; the places of tied documents, and the number of each one's tie."""

    rows: Rows
    tied_places: Rows
    group: Rows


def single_precision(score: NDArray[np.float64]) -> NDArray[np.float32]:
    """Scores as C's ``(float) atof`` gives them; infinite where too large."""
    with np.errstate(over="ignore", under="ignore"):
        return score.astype(np.float32)


def by_score(topic: NDArray[np.integer], score: NDArray[np.floating]) -> RunOrder:
    """Topics ascending, scores descending, ties in the order of the file.  `topic` ascends."""
    rows = np.arange(len(topic))
    same_topic = topic[1:] == topic[:-1]
    if (same_topic & (score[1:] > score[:-1])).any():
        rows = np.lexsort((-score, topic))
        score = score[rows]
    equal = same_topic & (score[1:] == score[:-1])
    tied = np.flatnonzero(np.append(equal, False) | np.append(False, equal))
    starts = ~np.append(False, equal)[tied]
    return RunOrder(rows, tied, np.cumsum(starts) - 1)


def break_ties(run_order: RunOrder, lines: Lines, descending: bool) -> Rows:
    """The lines of `run_order` with tied documents by identifier, compared byte by byte."""
    rows = run_order.rows[run_order.tied_places]
    direction = "descending" if descending else "ascending"
    order = pc.array_sort_indices(lines.docs.take(pa.array(rows)), order=direction).to_numpy()
    order = order[stable_order(run_order.group[order])]
    out = run_order.rows.copy()
    out[run_order.tied_places] = rows[order]
    return out


def order_by_rule(ties: str, lines: Lines, in_single: RunOrder) -> Rows:
    """The lines in the order of the tie rule; `in_single` is the order by single-precision scores."""
    if ties == "file":
        return np.arange(len(lines.topic))
    if ties == "rank":
        if lines.rank is None:
            row, why = lines.rank_problem
            advice = "ties='rank' cannot order by it. Choose ties='trec_eval', or ties='file' for the order of lines."
            raise FileProblem(lines.file, None if row is None else lines.line_of(row), f"{why}; {advice}")
        return by_score(lines.topic, -lines.rank).rows
    if ties == "trec_eval10":
        return break_ties(by_score(lines.topic, lines.score), lines, descending=True)
    return break_ties(in_single, lines, descending=ties != "trec_eval_ascending")
