"""One topic of a collection, seen under one aspect or another, or made of runs that are enumerated."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures.arithmetic import Array
from irviz.measures.judged.runs import Judged

_SHARED: WeakKeyDictionary[Collection, dict[Hashable, Any]] = WeakKeyDictionary()
_MOST_SHARED = 32  # settings a collection; someone who moves a slider leaves many behind


class Topic:
    """One topic of a collection: all of its runs, all of its aspects."""

    exact: bool = False
    judged: ClassVar[type[Judged]] = Judged  #: what its views are made of

    def __init__(self, collection: Collection, index: int, runs: int | None = None, wider: Topic | None = None) -> None:
        """`runs` looks at this many first runs only; `wider` has the same lists, and these judgments and more."""
        self.collection, self.index, self.wider = collection, index, wider
        self.aspects, self.grades = collection.aspects, collection.grades
        self.ranking: Array = collection.ranking[index, :runs]
        self.labels: Array = collection.labels[index]
        self._kept: dict[Hashable, Judged] = {}

    def aspect(self, name: str | None) -> Judged:
        """The runs judged on one aspect; None is the first."""
        place = self.collection.aspect_index(name)
        wider = None if self.wider is None else self.wider.aspect(name)
        return self.view(("aspect", place), lambda: (self.labels[:, place], self.grades[place]), wider)

    def view(
        self, key: Hashable, make: Callable[[], tuple[Array, Sequence[float]]], wider: Judged | None = None
    ) -> Judged:
        """The runs under labels and grades of one's own, made once for this topic."""
        if key not in self._kept:
            self._kept[key] = self.judged(self.ranking, *make(), exact=self.exact, wider=wider)
        return self._kept[key]

    def shared(self, key: Hashable, make: Callable[[Array], Any]) -> Any:
        """`make(labels of the whole collection)`, computed once for all topics of the collection."""
        kept = _SHARED.setdefault(self.collection, {})
        found = kept.get(key)
        if found is None:
            while len(kept) >= _MOST_SHARED:
                kept.pop(next(iter(kept)), None)
            found = kept[key] = make(self.collection.labels)
        return found

    def relabelled(self, key: Hashable, make: Callable[[Array], Array]) -> Array:
        """This topic's part of `make(labels of the whole collection)`."""
        return self.shared(key, make)[self.index]


class BinaryTopic(Topic):
    """A topic on which all grades above zero count as one, on every aspect."""

    def __init__(self, topic: Topic) -> None:
        self.topic, self.aspects = topic, topic.aspects

    def aspect(self, name: str | None) -> Judged:
        place = self.topic.collection.aspect_index(name)
        grades = (0.0, 1.0)[: len(self.topic.grades[place])]
        return self.topic.view(("binary", place), lambda: (np.minimum(self.topic.labels[:, place], 1), grades))


class ExactTopic(Topic):
    """A topic made of judged runs themselves, in exact arithmetic.

    Every run of `levels` (runs × depth) is retrieved from a pool that holds `depth`
    documents of every level, so that each judged run is possible.  With ``exact=False``
    they are scored in doubles.
    """

    def __init__(self, levels: Array, grades: Sequence[float], exact: bool = True) -> None:
        self.exact = exact
        depth = levels.shape[1]
        self.aspects, self.grades = ("relevance",), (tuple(grades),)
        self.labels = np.repeat(np.arange(len(grades), dtype=np.int16), depth)[:, None]
        self.ranking = levels.astype(np.int32) * depth + np.arange(depth, dtype=np.int32)
        self._kept = {}

    def aspect(self, name: str | None) -> Judged:
        if name is not None:
            raise IrvizError(f"Enumerated runs have one aspect; got `{name}`.")
        return self.view("aspect", lambda: (self.labels[:, 0], self.grades[0]))

    def shared(self, key: Hashable, make: Callable[[Array], Any]) -> Any:
        return make(self.labels)

    def relabelled(self, key: Hashable, make: Callable[[Array], Array]) -> Array:
        return make(self.labels)
