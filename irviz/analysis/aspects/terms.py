"""One topic under one measure, taken apart: what each rank weighs and each document is worth, aspect by aspect.

The measures are asked, not copied: lists with a single document say what that document is
worth and what its rank weighs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from irviz.collection.model import ABSENT, BEYOND, UNJUDGED, Collection
from irviz.measures.judged import Topic
from irviz.measures.language.base import Measure, Term
from irviz.portable import total

Floats = NDArray[np.float64]
Order = NDArray[np.intp]  #: documents of the topic, first rank first


class ScoreBound(NamedTuple):
    """No order scores above `value`; `order` reaches it where it is known to."""

    value: float
    order: Order | None


@dataclass(frozen=True, eq=False)
class Task:
    """Order the judged documents of a topic so that a measure is as high as can be.

    A mean of aspects has one part per aspect that counts; any other measure is its own and
    only part.
    """

    collection: Collection
    topic: int
    measure: Measure

    @property
    def width(self) -> int:
        """Ranks of a list: as many as the collection has judged documents on its largest topic."""
        return int(self.collection.labels.shape[1])

    def scores(self, orders: Sequence[Order] | NDArray[np.intp], part: Measure | None = None) -> Floats:
        """One number per order (all of one length), by the measure or one of its parts; nothing follows in the list."""
        given = np.array(orders, dtype=np.int32)
        rows = np.full((len(given), self.width), BEYOND, dtype=np.int32)
        rows[:, : given.shape[1]] = given
        return self.of_lists(rows, part)

    def of_lists(self, rows: NDArray[np.int32], part: Measure | None = None) -> Floats:
        """One number per list, as the topic's runs are scored."""
        topic = Topic(self.collection, self.topic, rows)
        if part is None:
            return np.asarray(self.measure.score(topic), dtype=np.float64)
        return np.asarray(part.score(self.measure.seen_by_terms(topic)), dtype=np.float64)

    @property
    def documents(self) -> Order:
        """The judged documents."""
        return np.flatnonzero((self.collection.labels[self.topic] != ABSENT).any(axis=1))

    @property
    def kinds(self) -> NDArray[np.intp]:
        """By document: which of the different label tuples it has."""
        return np.unique(self.collection.labels[self.topic], axis=0, return_inverse=True)[1].ravel()

    @property
    def base(self) -> Measure:
        """The measure of one list of gains that the measure is made of."""
        return self.measure.single

    @property
    def parts(self) -> list[Term]:
        """The scores that the measure is the mean of."""
        return self.measure.terms(self.collection)

    def mean(self, scores: Floats) -> Floats:
        """The measure from the scores of its parts (parts × …)."""
        flat = scores.reshape(len(scores), -1)
        return self.measure.mean([part.share for part in self.parts], flat).reshape(scores.shape[1:])


@dataclass(frozen=True, eq=False)
class Additive:
    """Parts of the form Σ over ranks of weight(rank) × worth(document); weights do not rise.

    Attributes
    ----------
    weights : parts × ranks
    worth : parts × documents of the topic
    """

    weights: Floats
    worth: Floats

    def sides(self, order: Order) -> tuple[Floats, Floats, Floats]:
        """parts × ranks: x, u and v, such that exchanging ranks i < j adds (x_j − x_i)(u_i − v_j)."""
        weights = self.weights[:, : len(order)]
        return self.worth[:, order], weights, weights

    def values(self, order: Order) -> Floats:
        """The parts' scores."""
        return total(self.worth[:, order] * self.weights[:, : len(order)])


@dataclass(frozen=True, eq=False)
class Precisions:
    """Parts that are average precisions.

    Attributes
    ----------
    worth : parts × documents of the topic, 1 where relevant
    bases : by part, the number of relevant documents (0 where there is none)
    inverse : by rank, one over the rank; 0 below the cutoff
    """

    worth: Floats
    bases: NDArray[np.int64]
    inverse: Floats

    def sides(self, order: Order) -> tuple[Floats, Floats, Floats]:
        """parts × ranks: x, u and v, such that exchanging ranks i < j adds (x_j − x_i)(u_i − v_j).

        With C relevant documents down to a rank and H the sum of their 1/rank, a document
        that comes up to rank i adds (C_i + 1)/i, no longer adds C_j/j, and lifts the
        precision of all between by 1/rank each.
        """
        x, inverse = self.worth[:, order], self.inverse[: len(order)]
        found, lifted = np.cumsum(x, axis=1), np.cumsum(x * inverse, axis=1)
        up, down = (found - x + 1) * inverse - lifted, found * inverse - (lifted - x * inverse)
        scale = np.maximum(self.bases, 1)[:, None]
        return x, up / scale, down / scale

    def values(self, order: Order) -> Floats:
        """The parts' scores."""
        x = self.worth[:, order]
        return total(x * np.cumsum(x, axis=1) * self.inverse[: len(order)]) / np.maximum(self.bases, 1)


def taken_apart(task: Task) -> Additive | Precisions | None:
    """The parts in a form that can be maximised; None for measures without one."""
    if not (task.base.additive or task.base.precisions) or not len(task.documents):
        return None
    worth = np.stack([_worth(task, part.measure) for part in task.parts])
    if not task.base.precisions:
        return Additive(np.stack([_weights(task, *own) for own in zip(task.parts, worth, strict=True)]), worth)
    ranks = np.arange(1, task.width + 1)
    inverse = np.where(ranks <= (task.base.cutoff or len(ranks)), 1 / ranks, 0.0)
    bases = np.array([round(1 / own.max()) if own.max() > 0 else 0 for own in worth])
    return Precisions((worth > 0).astype(np.float64), bases, inverse)


def _worth(task: Task, part: Measure) -> Floats:
    """By document of the topic: the score of a list that holds it alone."""
    kinds = task.kinds
    first = np.unique(kinds, return_index=True)[1]
    return task.scores([np.array([d]) for d in first], part)[kinds]


def _weights(task: Task, part: Term, worth: Floats) -> Floats:
    """By rank: what a document is worth there, of what it is worth at rank 1."""
    best, width = int(np.argmax(worth)), len(worth)
    if not worth[best] > 0:
        return np.zeros(width)
    rows = np.full((width, width), UNJUDGED, dtype=np.int32)
    np.fill_diagonal(rows, best)
    return task.of_lists(rows, part.measure) / worth[best]
