"""Equivalence classes of label tuples: the distance order of several aspects.

A tuple of labels, one per aspect, is embedded as a point; the nearer to the point of
the best labels, the better; tuples at the same distance are one class.  Whether two
distances are the same is decided in whole numbers: the embedding is brought to a
common denominator, and Euclidean distances are compared squared.  A double's rounding
never splits a class or joins two.

A document is not looked up as a tuple: its distance determines its class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm, prod
from typing import Any

import numpy as np

from irviz.collection.model import ABSENT
from irviz.errors import IrvizError, counted, verb
from irviz.measures.arithmetic import Array, fraction
from irviz.measures.language.parameters import Numbers, OneOf

DISTANCE = OneOf(("euclidean", "manhattan", "chebyshev"))
CLASSES = OneOf(("product", "dependent", "observed"))
EMBEDDING = Numbers(nested=True, ascending=True, optional=True)
WEIGHTS = Numbers(words=("classes", "half"), ascending=True, nonnegative=True, optional=True, each="class, worst first")
MOST_CLASSES = 30_000  # as many as a collection may have grade levels
MOST_PAIRS = 3_000_000  # of distances looked at in one step


@dataclass(frozen=True)
class Space:
    """Label tuples as points, and how far each is from the best.

    Parameters
    ----------
    counts : tuple of int
        The number of grade levels of each aspect.
    distance : "euclidean", "manhattan" or "chebyshev"
    embedding : tuple of tuple of float, or None
        For every aspect one number per grade level; None places levels one unit apart.
    classes : "product", "dependent" or "observed"
        Which tuples there are: all; those in which the lowest level of the first aspect
        goes with the lowest of all; or those that documents of the collection have.
    binary : bool
        Take all levels above the lowest as one, on every aspect; an embedding then lists
        two numbers per aspect.
    """

    counts: tuple[int, ...]
    distance: str = "euclidean"
    embedding: tuple[tuple[float, ...], ...] | None = None
    classes: str = "product"
    binary: bool = False

    @classmethod
    def of(
        cls,
        grades: Sequence[Sequence[float]],
        distance: str,
        embedding: tuple[tuple[float, ...], ...] | None,
        classes: str,
        binary: bool,
    ) -> Space:
        """The tuples of aspects with these grades."""
        counts = tuple(min(len(levels), 2) if binary else len(levels) for levels in grades)
        return cls(counts, distance, embedding, classes, binary)

    @cached_property
    def points(self) -> tuple[tuple[float, ...], ...]:
        """The coordinate of every level of every aspect."""
        if self.embedding is None:
            return tuple(tuple(float(level) for level in range(count)) for count in self.counts)
        if len(self.embedding) != len(self.counts):
            raise IrvizError(
                f"`embedding` holds {counted(len(self.embedding), 'list')}, but there "
                f"{verb(len(self.counts), 'is', 'are')} {counted(len(self.counts), 'aspect')}. "
                f"Give one list per aspect, in their order."
            )
        for i, (numbers, count) in enumerate(zip(self.embedding, self.counts, strict=True), start=1):
            if len(numbers) != count:
                raise IrvizError(
                    f"`embedding` lists {counted(len(numbers), 'number')} for aspect {i}, which has "
                    f"{counted(count, 'grade level')}. Give one number per level, lowest first."
                )
        return self.embedding

    @cached_property
    def unit(self) -> int:
        """The common denominator of all coordinates."""
        return lcm(*(fraction(x).denominator for numbers in self.points for x in numbers))

    @cached_property
    def steps(self) -> list[Array]:
        """For every aspect, by level: what it adds to the distance, a whole number of units (squared: euclidean)."""
        power = 2 if self.distance == "euclidean" else 1
        whole = [[int((fraction(xs[-1]) - fraction(x)) * self.unit) ** power for x in xs] for xs in self.points]
        fits = sum(numbers[0] for numbers in whole) < 2**62
        return [np.array(numbers, dtype=np.int64 if fits else object) for numbers in whole]

    @property
    def join(self) -> np.ufunc:
        return np.maximum if self.distance == "chebyshev" else np.add

    def tuples(self, labels: Array) -> Array:
        """… × aspects: the tuple each document counts as; what is unjudged is at its lowest level."""
        levels = np.clip(labels, 0, 1 if self.binary else None)
        return levels * (levels[..., :1] > 0) if self.classes == "dependent" else levels

    def observed(self, labels: Array) -> Array:
        """documents × aspects: the tuples of all documents judged on any aspect."""
        return self.tuples(judged_rows(labels))

    def graded(self, labels: Array) -> bool:
        """Whether there is any tuple above the lowest level of every aspect."""
        if self.classes == "observed":
            return bool(self.observed(labels).any())
        return max(self.counts[:1] if self.classes == "dependent" else self.counts) > 1

    def distances(self, tuples: Array) -> Array:
        """The distance of every tuple (last axis: aspects) from the best one, in whole units."""
        total = self.steps[0][tuples[..., 0]]
        for a in range(1, len(self.counts)):
            total = self.join(total, self.steps[a][tuples[..., a]])
        return total

    def length(self, whole: Array) -> Array:
        """Distances in whole units, as doubles in units of the embedding."""
        if self.distance == "euclidean":
            return np.sqrt(np.array([int(d) / self.unit**2 for d in whole]))
        return np.array([int(d) / self.unit for d in whole])

    def distinct(self, labels: Array | None = None) -> Array:
        """The distances of all classes, ascending: the best class first.

        `labels` (… × aspects) are those of the collection, where the classes are "observed".
        """
        if self.classes == "observed":
            if labels is None:
                raise nothing_observed()
            seen = self.observed(labels)
            return np.unique(self.distances(seen if len(seen) else np.zeros((1, len(self.counts)), dtype=int)))
        found = self.steps[0][1:] if self.classes == "dependent" else self.steps[0]
        for step in self.steps[1:]:
            if len(found) * len(step) > MOST_PAIRS:
                raise self._too_many()
            found = np.unique(self.join.outer(found, step))
        if self.classes == "dependent":
            worst = self.distances(np.zeros((1, len(self.counts)), dtype=int))
            found = np.concatenate([found, worst])
        found = np.unique(found)
        if len(found) > MOST_CLASSES:
            raise self._too_many()
        return found

    def _too_many(self) -> IrvizError:
        return IrvizError(
            f"The {prod(self.counts):,} label tuples have too many distances: "
            f"at most {MOST_CLASSES:,} classes are kept. Use classes='observed' or an embedding with equal steps."
        )


def class_numbers(distances: Array, distinct: Array) -> Array:
    """The class of every distance: 0 is the worst, ``len(distinct) − 1`` the best.

    A distance that no class has belongs to the best class that is not nearer.
    """
    return np.maximum(len(distinct) - 1 - np.searchsorted(distinct, distances), 0)


def class_weights(weights: Any, count: int, graded: bool = True) -> tuple[float, ...]:
    """The weight of each of `count` classes, worst first: eq. (4) of Maistro et al. 2021.

    "classes" weighs them 0, 1, 2, …; "half" gives the better half, rounded up, 1 and the
    others 0.  A single class is therefore 1 by "half", unless no document in it is above
    the lowest level on any aspect (`graded` is false): nothing can be gained there.

    >>> class_weights("half", 5), class_weights("half", 1), class_weights("half", 1, graded=False)
    ((0.0, 0.0, 1.0, 1.0, 1.0), (1.0,), (0.0,))
    """
    if weights == "half" and graded:
        return tuple(float(i >= count // 2) for i in range(count))
    if isinstance(weights, str):
        return tuple(float(i) for i in range(count))
    if len(weights) != count:
        raise IrvizError(
            f"`weights` lists {counted(len(weights), 'number')}, but there {verb(count, 'is', 'are')} "
            f"{counted(count, 'class', 'classes')}. Give one number per class, worst first."
        )
    if weights[0] != 0:
        raise IrvizError(f"`weights` must give the worst class 0, as it does unjudged documents; got {weights[0]:g}.")
    return tuple(weights)


def nothing_observed() -> IrvizError:
    return IrvizError("classes='observed' needs a collection to observe. Take 'product' or 'dependent'.")


def judged_rows(labels: Array) -> Array:
    """documents × aspects: the labels of all documents judged on any aspect."""
    rows = labels.reshape(-1, labels.shape[-1])
    return rows[(rows > ABSENT).any(axis=1)]
