"""Equivalence classes of label tuples: the distance order of several aspects.

A tuple of labels, one per aspect, is embedded as a point; the nearer to the point of the best labels, the better;
tuples at the same distance are one class.  Distances are compared as whole numbers, over a common denominator and
squared if Euclidean, so rounding never splits or joins classes.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import lcm, prod
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.codes import ABSENT
from irviz.collection.model import Collection
from irviz.errors import IrvizError, check_length, number_of
from irviz.measures.arithmetic import Array, fraction
from irviz.measures.aspect_means import MultiAspect, base_parameter
from irviz.measures.judged_lists import JudgedLists, Topics
from irviz.measures.language.base import Measure, Parts, Scale
from irviz.measures.language.parameters import Numbers, OneOf, parameter, value_text

DISTANCE = OneOf(("euclidean", "manhattan", "chebyshev"))
CLASSES = OneOf(("product", "dependent", "observed"))
EMBEDDING = Numbers(nested=True, ascending=True, optional=True)
WEIGHTS = Numbers(words=("classes", "half"), ascending=True, nonnegative=True, optional=True, each="class, worst first")
MOST_CLASSES = 30_000  # most grade levels of a collection
MOST_PAIRS = 3_000_000  # distances in one step
NOTHING_OBSERVED = "classes='observed' needs a collection to observe. Take 'product' or 'dependent'."


@dataclass(frozen=True)
class Space:
    """Label tuples as points, and their distances from the best."""

    counts: tuple[int, ...]  #: the number of grade levels of each aspect
    distance: str = "euclidean"  #: or "manhattan", "chebyshev"
    #: for every aspect one number per grade level; None places levels one unit apart
    embedding: tuple[tuple[float, ...], ...] | None = None
    #: "product", all tuples; "dependent", those in which the lowest level of the first aspect implies the lowest of
    #: all; "observed", those of the collection's documents
    classes: str = "product"
    #: all levels above the lowest are one, on every aspect; an embedding then lists two numbers per aspect
    binary: bool = False

    @cached_property
    def points(self) -> tuple[tuple[float, ...], ...]:
        """The coordinate of every level of every aspect."""
        if self.embedding is None:
            return tuple(tuple(float(level) for level in range(count)) for count in self.counts)
        aspects, advice = number_of(len(self.counts), "aspect"), "Give one list per aspect, in their order."
        check_length("`embedding` holds", self.embedding, len(self.counts), aspects, advice, "list")
        for i, (numbers, count) in enumerate(zip(self.embedding, self.counts, strict=True), start=1):
            if len(numbers) != count:
                raise IrvizError(
                    f"`embedding` lists {number_of(len(numbers), 'number')} for aspect {i}, which has "
                    f"{number_of(count, 'grade level')}. Give one number per level, lowest first."
                )
        return self.embedding

    @cached_property
    def unit(self) -> int:
        """The common denominator of all coordinates."""
        return lcm(*(fraction(x).denominator for x in {x for numbers in self.points for x in numbers}))

    @cached_property
    def steps(self) -> list[Array]:
        """For every aspect, by level: its part of the distance, a whole number of units (squared for Euclidean)."""
        power = 2 if self.distance == "euclidean" else 1
        each = {xs: [int((fraction(xs[-1]) - fraction(x)) * self.unit) ** power for x in xs] for xs in self.points}
        units = [each[xs] for xs in self.points]
        fits = sum(numbers[0] for numbers in units) < 2**62
        return [np.array(numbers, dtype=np.int64 if fits else object) for numbers in units]

    @property
    def join(self) -> np.ufunc:
        return np.maximum if self.distance == "chebyshev" else np.add

    def tuples(self, labels: Array) -> Array:
        """… × aspects: the tuple that each document counts as; an unjudged aspect is at its lowest level."""
        levels = np.clip(labels, 0, 1 if self.binary else None)
        return levels * (levels[..., :1] > 0) if self.classes == "dependent" else levels

    def observed_tuples(self, labels: Array) -> Array:
        """documents × aspects: the tuples of all documents judged on any aspect."""
        rows = labels.reshape(-1, labels.shape[-1])
        return self.tuples(rows[(rows > ABSENT).any(axis=1)])

    def has_grades(self, labels: Array) -> bool:
        """True if there is any tuple above the lowest level of every aspect."""
        if self.classes == "observed":
            return bool(self.observed_tuples(labels).any())
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

        `labels` (… × aspects) are the collection's, needed for "observed" classes.
        """
        if self.classes == "observed":
            if labels is None:
                raise IrvizError(NOTHING_OBSERVED)
            observed = self.observed_tuples(labels)
            return np.unique(self.distances(observed if len(observed) else np.zeros((1, len(self.counts)), dtype=int)))
        distances = self.steps[0][1:] if self.classes == "dependent" else self.steps[0]
        for step in self.steps[1:]:
            if len(distances) * len(step) > MOST_PAIRS:
                raise self._too_many()
            distances = np.unique(self.join.outer(distances, step))
        if self.classes == "dependent":
            worst = self.distances(np.zeros((1, len(self.counts)), dtype=int))
            distances = np.concatenate([distances, worst])
        distances = np.unique(distances)
        if len(distances) > MOST_CLASSES:
            raise self._too_many()
        return distances

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


def class_weights(weights: Any, count: int, has_grades: bool = True) -> tuple[float, ...]:
    """The weight of each of `count` classes, worst first: eq. (4) of Maistro et al. 2021.

    "classes" weighs them 0, 1, 2, …; "half" gives the better half, rounded up, 1 and the others 0.  A single class
    therefore has 1 by "half", unless it holds only the lowest levels (`has_grades` is false).

    >>> class_weights("half", 5), class_weights("half", 1), class_weights("half", 1, has_grades=False)
    ((0.0, 0.0, 1.0, 1.0, 1.0), (1.0,), (0.0,))
    """
    if weights == "half" and has_grades:
        return tuple(float(i >= count // 2) for i in range(count))
    if isinstance(weights, str):
        return tuple(float(i) for i in range(count))
    classes, advice = number_of(count, "class", "classes"), "Give one number per class, worst first."
    check_length("`weights` lists", weights, count, classes, advice)
    if weights[0] != 0:
        raise IrvizError(
            f"`weights` must begin with 0, for the worst class and unjudged documents; got {weights[0]:g}."
        )
    return tuple(weights)


# -- TOMA: combine the labels of all aspects first, then score with any measure --------------------
#
# The weight of a document's class replaces its grade.  Classes are found once per collection, the documents' classes
# once per topic, for all measures with the same settings.


@dataclass(frozen=True, kw_only=True)
class TOMA(MultiAspect):
    """Total order multi-aspect evaluation: the base measure on classes of documents.

    The class of a document is determined by its distance, over all aspects, from a document
    with the best label on each.  The base measure uses the weight of the class as the grade, and
    its own parameters (`gains`, `rel`, `g`, …) apply to these weights.  A document judged on
    some aspects only has the lowest level on the others; one judged on none is unjudged,
    and one judged below zero on all of them stays below zero (Bpref ignores both).

    There are two ways to use a binary base.  Table 3 of Maistro et al. 2021 keeps the grades
    and treats the better half of the classes as relevant: ``weights='half'``, the default
    with a binary base.  The paper's experiments with AP (section 4.1; its tables from 4 on)
    first treat all grades above zero as one, on every aspect: ``binary=True``; then
    Euclidean and Manhattan distances give the same classes.
    """

    symbol: ClassVar[str] = "TOMA"
    title: ClassVar[str] = "Total order multi-aspect"
    formula: ClassVar[str] = (
        r"\mathrm{TOMA} = \mu\bigl(W(\mathbf{l}_1), W(\mathbf{l}_2), \ldots\bigr), \quad"
        r"\mathbf{l} \preceq_* \mathbf{l}' \iff"
        r" \mathrm{Dist}(\vec l, \vec l^{\star}) \ge \mathrm{Dist}(\vec l', \vec l^{\star})"
    )
    source: ClassVar[str] = "Maistro et al. 2021, eq. (2) to (4)"
    scale_words: ClassVar[str] = "on its classes"
    base: Measure = base_parameter()
    distance: str = parameter("euclidean", DISTANCE, "The distance from the best tuple.", always_written=True)
    embedding: tuple[tuple[float, ...], ...] | None = parameter(
        None, EMBEDDING, "One list per aspect, one number per grade level; by default levels are one unit apart."
    )
    classes: str = parameter(
        "product",
        CLASSES,
        "Which label tuples there are: 'product' takes all, 'dependent' those in which the lowest label of the first "
        "aspect goes with the lowest of all, 'observed' those that documents have.",
    )
    weights: Any = parameter(
        None,
        WEIGHTS,
        "The weight of a class: 'classes' is 0 for the worst and one more for each better one, 'half' (the default of "
        "binary measures) is 1 for the better half, rounded up; or one number per class, worst first.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights == self._default_weights():
            object.__setattr__(self, "weights", None)
        rel = getattr(self.base, "rel", None)
        if self.weighting == "half" and rel is not None and rel > 1:
            raise IrvizError(
                f"With weights='half' a class weighs 0 or 1, and `rel` of {self.base} is {value_text(rel)}. "
                f"Leave `rel` out, or take weights='classes'."
            )

    def _default_weights(self) -> str:
        return "classes" if getattr(self.base, "rel", None) is None else "half"

    @property
    def weighting(self) -> Any:
        """The weights: those given, or the default for the base measure."""
        return self._default_weights() if self.weights is None else self.weights

    def score(self, topic: Topics) -> NDArray[Any]:
        """One number per list."""
        return self.base.score(_ClassTopics(self.judged_lists(topic)))

    def parts_of(self, topic: Topics) -> Parts:
        return self.base.parts_of(_ClassTopics(self.judged_lists(topic)))

    def exact(self, topic: Topics) -> NDArray[np.object_] | None:
        return self.base.exact(_ClassTopics(self.judged_lists(topic)))

    def judged_lists(self, topic: Topics) -> JudgedLists:
        """The runs judged by class: weights take the place of grades."""
        key = self.settings
        classes = self.classes_of(topic)
        return topic.view(key, lambda: (topic.relabel(("levels", key), classes.levels), classes.grades))

    def document_levels(self, topic: Topics) -> Array:
        return self.classes_of(topic).levels(topic.labels)

    def classes_of(self, topic: Topics) -> Classes:
        """The classes of the collection, the same for all of its topics."""
        return topic.keep_for_collection(
            self.settings, lambda labels: Classes.from_labels(self.space(topic.grades), self.weighting, labels)
        )

    @cached_property
    def settings(self) -> Hashable:
        """The key of measures that judge documents alike."""
        return "classes", self.distance, self.embedding, self.classes, self.binary, self.weighting

    def space(self, grades: tuple[tuple[float, ...], ...]) -> Space:
        """The label tuples of aspects with these grades, as points."""
        counts = tuple(min(len(levels), 2) if self.binary else len(levels) for levels in grades)
        return Space(counts, self.distance, self.embedding, self.classes, self.binary)

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        """The scale type for the order of as many classes as there are `grades`, or listed `weights`."""
        many = len(grades) if isinstance(self.weighting, str) else len(self.weighting)
        weights = class_weights(self.weighting, many)
        if len(set(weights)) < len(weights):
            return Scale(
                "neither", "Some classes have equal weights, so it ties runs that the order distinguishes.", self.source
            )
        base = self.base.scale(weights, depth)
        return replace(base, reason=f"On the weights of the classes: {base.reason}")

    def grades_in(self, collection: Collection) -> tuple[float, ...]:
        """A grade for each class of the collection."""
        return tuple(map(float, range(self.count(collection))))

    def exact_bits(self, levels: int, depth: int) -> int:
        weights = self.weighting if not isinstance(self.weighting, str) else ()
        return self.base.exact_bits(2 if self.weighting == "half" else max(levels, len(weights)), depth)

    def count(self, collection: Collection) -> int:
        """How many classes there are in a collection."""
        return len(self.classes_of(Topics(collection, [0])).distinct)


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of one collection, and their weights."""

    space: Space
    distinct: Array  #: whole numbers, ascending: the distance of each class, the best first
    level: Array  #: by class, worst first: an index into `grades`
    grades: tuple[float, ...]  #: 0 and the distinct weights, ascending

    @classmethod
    def from_labels(cls, space: Space, weights: Any, labels: Array) -> Classes:
        distinct = space.distinct(labels)
        worth = class_weights(weights, len(distinct), space.has_grades(labels))
        grades = sorted({0.0, *worth})  # 0 for unjudged documents, even if no class has it
        return cls(space, distinct, np.searchsorted(grades, worth).astype(np.int16), tuple(grades))

    def levels(self, labels: Array) -> Array:
        """The level of every document; one judged on no aspect, or below zero on all, keeps its code."""
        numbers = class_numbers(self.space.distances(self.space.tuples(labels)), self.distinct)
        best = labels.max(axis=-1)
        outside = (best < 0) & (best == labels.min(axis=-1))
        return np.where(outside, best, self.level[numbers])


class _ClassTopics(Topics):
    """Topics with the classes of their documents as the only aspect."""

    def __init__(self, lists: JudgedLists) -> None:
        self._classes = lists

    def aspect(self, name: str | None) -> JudgedLists:
        return self._classes


# -- The equivalence classes of label tuples as a readable table -----------------------------------
#
# A row is a tuple of labels with its point, its distance from the best, its class and the class's weight.

MOST_TUPLES = 100_000  # nobody reads a longer table


def equivalence_classes(
    source: Collection | Mapping[str, Sequence[float]] | Sequence[int],
    distance: str = "euclidean",
    embedding: Sequence[Sequence[float]] | None = None,
    classes: str = "product",
    weights: str | Sequence[float] = "classes",
    binary: bool = False,
) -> pd.DataFrame:
    """The distance order of label tuples as a table, best tuples first (Maistro et al. 2021, eq. (2) to (4)).

    The aspects and their grades are those of `source`: a collection, grades by aspect, or numbers of grade levels.
    `embedding`, `classes` and `binary` are as in :class:`Space`; "observed" classes need a collection.  `weights` are
    "classes", "half", or one number per class, worst first.

    The table is indexed by label tuple, one level per aspect, the grades.  Its columns are ``embedded <aspect>`` (the
    coordinates), ``distance`` from the best tuple, ``class`` (0 is the worst), ``weight``, and for a collection
    ``documents``, how many judged documents count as the tuple.
    """
    aspects, grades = _aspects(source)
    if binary:
        grades = [(0.0, 1.0)[: len(levels)] for levels in grades]
    space = Space(
        tuple(map(len, grades)),
        DISTANCE.check(distance, "the classes", "distance"),
        EMBEDDING.check(embedding, "the classes", "embedding"),
        CLASSES.check(classes, "the classes", "classes"),
        binary,
    )
    observed = space.observed_tuples(source.labels[:]) if isinstance(source, Collection) else None
    rows = _rows(space, observed)
    distances = space.distances(rows)
    number = class_numbers(distances, np.unique(distances))
    weighing = WEIGHTS.check(weights, "the classes", "weights") or "classes"
    worth = class_weights(weighing, int(number.max()) + 1, bool(rows.any()))
    order = np.lexsort([*(-rows[:, ::-1].T), -number])
    columns = {
        f"embedded {name}": np.array(xs)[rows[:, a]]
        for a, (name, xs) in enumerate(zip(aspects, space.points, strict=True))
    }
    columns |= {"distance": space.length(distances), "class": number, "weight": np.array(worth)[number]}
    if observed is not None:
        tuples, counts = np.unique(observed, axis=0, return_counts=True)
        many = dict(zip(map(tuple, tuples.tolist()), counts.tolist(), strict=True))
        columns["documents"] = np.array([many.get(tuple(row), 0) for row in rows.tolist()])
    labels = [np.array(levels)[rows[:, a]] for a, levels in enumerate(grades)]
    return pd.DataFrame(columns, index=pd.MultiIndex.from_arrays(labels, names=aspects)).iloc[order]


def _aspects(source: Any) -> tuple[list[str], list[Sequence[float]]]:
    if isinstance(source, Collection):
        return list(source.aspects), list(source.grades)
    if isinstance(source, Mapping):
        return list(source), list(source.values())
    return [f"aspect{i}" for i in range(1, len(source) + 1)], [range(count) for count in source]


def _rows(space: Space, observed_tuples: Array | None) -> Array:
    """All tuples there are, one per row."""
    if space.classes == "observed":
        if observed_tuples is None:
            raise IrvizError(NOTHING_OBSERVED)
        return np.unique(observed_tuples, axis=0)
    if prod(space.counts) > MOST_TUPLES:
        raise IrvizError(
            f"There are {prod(space.counts):,} label tuples; a table holds at most {MOST_TUPLES:,}. "
            f"Take classes='observed'."
        )
    rows = np.array(list(product(*(range(count) for count in space.counts))))
    return np.unique(space.tuples(rows), axis=0)
