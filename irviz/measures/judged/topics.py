"""Some topics of a collection, seen under one aspect or another; or a topic made of runs that are enumerated."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures.arithmetic import Array
from irviz.measures.judged.runs import Judged, RankedLists

_SHARED: WeakKeyDictionary[Collection, dict[Hashable, Any]] = WeakKeyDictionary()
_MOST_SHARED = 32  # settings a collection; someone who moves a slider leaves many behind


class Topics:
    """Some topics of a collection, one after another: all of their lists, all of their aspects.

    Parameters
    ----------
    collection : Collection
    which : slice of topics
    ranking : lists × depth, optional
        Other lists of these topics, as many of each.
    wider : Topics, optional
        The same topics and lists under these judgments and more.

    Attributes
    ----------
    labels : topics × judged documents × aspects
    """

    exact: bool = False

    def __init__(
        self, collection: Collection, which: slice, ranking: Array | None = None, wider: Topics | None = None
    ) -> None:
        self.collection, self.which, self.wider = collection, which, wider
        self.aspects, self.grades = collection.aspects, collection.grades
        self.labels: Array = collection.labels[which]
        self.ranking: Array = collection.ranking[which].reshape(-1, collection.depth) if ranking is None else ranking
        self._kept: dict[Hashable, Judged] = {}

    @cached_property
    def lists(self) -> RankedLists:
        """What is known of the lists, whatever the judgments."""
        return RankedLists(self.ranking, self.labels.shape[:2]) if self.wider is None else self.wider.lists

    def aspect(self, name: str | None) -> Judged:
        """The lists judged on one aspect; None is the first."""
        place = self.collection.aspect_index(name)
        wider = None if self.wider is None else self.wider.aspect(name)
        return self.view(("aspect", place), lambda: (self.labels[:, :, place], self.grades[place]), wider)

    def view(
        self, key: Hashable, make: Callable[[], tuple[Array, Sequence[float]]], wider: Judged | None = None
    ) -> Judged:
        """The lists under labels and grades of one's own, made once."""
        if key not in self._kept:
            self._kept[key] = Judged(self.lists, *make(), exact=self.exact, wider=wider)
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
        """The part of `make(labels of the whole collection)` that is of these topics."""
        return self.shared(key, make)[self.which]


class Topic(Topics):
    """One topic of a collection: all of its runs, or other lists of it."""

    def __init__(self, collection: Collection, index: int, ranking: Array | None = None) -> None:
        super().__init__(collection, slice(index, index + 1), ranking)


class ChangedTopics(Topics):
    """Topics with lists and labels (topics × documents × aspects) of their own."""

    def __init__(self, collection: Collection, ranking: Array, labels: Array) -> None:
        super().__init__(collection, slice(0, 0), ranking)
        self.labels = labels

    def relabelled(self, key: Hashable, make: Callable[[Array], Array]) -> Array:
        return make(self.labels)


class BinaryTopics(Topics):
    """Topics on which all grades above zero count as one, on every aspect."""

    def __init__(self, topics: Topics) -> None:
        self.topics, self.aspects = topics, topics.aspects

    def aspect(self, name: str | None) -> Judged:
        place = self.topics.collection.aspect_index(name)
        grades = (0.0, 1.0)[: len(self.topics.grades[place])]
        return self.topics.view(("binary", place), lambda: (np.minimum(self.topics.labels[:, :, place], 1), grades))


class ExactTopic(Topics):
    """A topic made of judged runs themselves, in exact arithmetic.

    Every run of `levels` (runs × depth) is retrieved from a pool that holds `depth`
    documents of every level, so that each judged run is possible.  With ``exact=False``
    they are scored in doubles.
    """

    def __init__(self, levels: Array, grades: Sequence[float], exact: bool = True) -> None:
        self.exact, self.wider = exact, None
        depth = levels.shape[1]
        self.aspects, self.grades = ("relevance",), (tuple(grades),)
        self.labels = np.repeat(np.arange(len(grades), dtype=np.int16), depth)[None, :, None]
        self.ranking = levels.astype(np.int32) * depth + np.arange(depth, dtype=np.int32)
        self._kept = {}

    def aspect(self, name: str | None) -> Judged:
        if name is not None:
            raise IrvizError(f"Enumerated runs have one aspect; got `{name}`.")
        return self.view("aspect", lambda: (self.labels[:, :, 0], self.grades[0]))

    def shared(self, key: Hashable, make: Callable[[Array], Any]) -> Any:
        return make(self.labels)

    def relabelled(self, key: Hashable, make: Callable[[Array], Array]) -> Array:
        return make(self.labels)
