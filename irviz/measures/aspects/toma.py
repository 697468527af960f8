"""TOMA: combine the labels of all aspects first, then score with any measure.

Documents are assigned to the equivalence classes of :mod:`irviz.measures.aspects.classes`, and the
weight of a class replaces the grade.  The classes are found once per collection,
the documents' classes once per topic, for all measures with the same settings.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures.aspects.classes import (
    CLASSES,
    DISTANCE,
    EMBEDDING,
    WEIGHTS,
    Space,
    class_numbers,
    class_weights,
)
from irviz.measures.aspects.means import MultiAspect, base_parameter
from irviz.measures.aspects.table import equivalence_classes
from irviz.measures.judged import Array, Judged, Topic, Topics
from irviz.measures.language.base import Measure, Parts, Scale
from irviz.measures.language.parameters import parameter, written


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
    distance: str = parameter("euclidean", DISTANCE, "How far a document is from the best one.", shown=True)
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
                f"With weights='half' a class weighs 0 or 1, and `rel` of {self.base} is {written(rel)}. "
                f"Leave `rel` out, or take weights='classes'."
            )

    def _default_weights(self) -> str:
        return "classes" if getattr(self.base, "rel", None) is None else "half"

    @property
    def weighting(self) -> Any:
        """The weights in force: those given, or the default of the base measure's kind."""
        return self._default_weights() if self.weights is None else self.weights

    def score(self, topic: Topics) -> NDArray[Any]:
        """One number per list."""
        return self.base.score(_ClassTopics(self.judged(topic)))

    def parts_of(self, topic: Topics) -> Parts:
        return self.base.parts(self.judged(topic))

    def exact(self, topic: Topics) -> NDArray[np.object_] | None:
        return self.base.exact(_ClassTopics(self.judged(topic)))

    def judged(self, topic: Topics) -> Judged:
        """The runs judged by class: weights take the place of grades."""
        key = self.settings
        found = self.found(topic)
        return topic.view(key, lambda: (topic.relabelled(("levels", key), found.levels), found.grades))

    def document_levels(self, topic: Topics) -> Array:
        return self.found(topic).levels(topic.labels)

    def found(self, topic: Topics) -> Classes:
        """The classes of the collection, the same for all of its topics."""
        return topic.shared(self.settings, lambda labels: Classes.of(self.space(topic.grades), self.weighting, labels))

    @cached_property
    def settings(self) -> Hashable:
        """What measures have in common that judge documents alike."""
        return "classes", self.distance, self.embedding, self.classes, self.binary, self.weighting

    def space(self, grades: tuple[tuple[float, ...], ...]) -> Space:
        """The label tuples of aspects with these grades, as points."""
        return Space.of(grades, self.distance, self.embedding, self.classes, self.binary)

    def table(self, collection: Collection) -> pd.DataFrame:
        """The equivalence classes of this measure; see :func:`~irviz.measures.aspects.table.equivalence_classes`."""
        return equivalence_classes(collection, self.distance, self.embedding, self.classes, self.weighting, self.binary)

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        """The scale type on as many classes as there are `grades`, or listed `weights`, against their order."""
        many = len(grades) if isinstance(self.weighting, str) else len(self.weighting)
        weights = class_weights(self.weighting, many)
        if len(set(weights)) < len(weights):
            return Scale("neither", "Its weights count classes alike that the order keeps apart.", self.source)
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
        return len(self.found(Topic(collection, 0)).distinct)


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of one collection, and what each is worth.

    Attributes
    ----------
    space : Space
    distinct : whole numbers, ascending
        The distance of each class, the best first.
    level : int16
        By class, worst first: an index into `grades`.
    grades : tuple of float
        0 and the distinct weights, ascending.
    """

    space: Space
    distinct: Array
    level: Array
    grades: tuple[float, ...]

    @classmethod
    def of(cls, space: Space, weights: Any, labels: Array) -> Classes:
        distinct = space.distinct(labels)
        worth = class_weights(weights, len(distinct), space.graded(labels))
        grades = sorted({0.0, *worth})  # 0 is what unjudged documents are worth, also where no class is
        return cls(space, distinct, np.searchsorted(grades, worth).astype(np.int16), tuple(grades))

    def levels(self, labels: Array) -> Array:
        """The level of every document; one judged on no aspect, or below zero on all, keeps its code."""
        numbers = class_numbers(self.space.distances(self.space.tuples(labels)), self.distinct)
        best = labels.max(axis=-1)
        outside = (best < 0) & (best == labels.min(axis=-1))
        return np.where(outside, best, self.level[numbers])


class _ClassTopics(Topics):
    """Topics whose one aspect is the classes of their documents."""

    def __init__(self, judged: Judged) -> None:
        self._classes = judged

    def aspect(self, name: str | None) -> Judged:
        return self._classes
