"""The judged runs of one topic: what is at every rank, what the whole pool holds, and where few documents stand."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from irviz.collection.codes import BEYOND
from irviz.collection.model import Collection
from irviz.errors import IrvizError, counted, verb
from irviz.measures.arithmetic import Array, fraction, power2, power2_rounded
from irviz.measures.language.parameters import MOST_GAIN, written
from irviz.portable import Scattered, total

# -- What the grade levels are worth: one number per level, in doubles or in fractions -------------

MOST_POWER = 1000  #: the largest x of a 2^x: beyond, doubles end, and whole numbers grow without bound


class GainTables:
    """The worth of every grade level, as measures define it.

    Parameters
    ----------
    grades : sequence of float
        The grade of each level; grades[0] is 0.
    exact : bool
        Compute with fractions instead of doubles.
    wider : GainTables, optional
        One of the same grades, whose tables hold here.
    """

    def __init__(self, grades: Sequence[float], exact: bool, wider: GainTables | None) -> None:
        self.grades, self.exact, self.wider = tuple(grades), exact, wider
        self._kept: dict[Hashable, Any] = {}

    def keep(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """`make()`, computed once for this topic under `key`."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    @property
    def dtype(self) -> type:
        return object if self.exact else float

    def number(self, x: float) -> Any:
        """A parameter as a number of this arithmetic; 0.3333333333333333 is 1/3 where exact."""
        return fraction(x) if self.exact else float(x)

    def numbers(self, xs: Sequence[float]) -> Array:
        return np.array([self.number(x) for x in xs], dtype=self.dtype)

    def binary(self, rel: float) -> tuple[Any, ...]:
        """1 for the levels whose grade is at least `rel` (level 0 never), else 0."""
        return tuple(self.number(level > 0 and grade >= rel) for level, grade in enumerate(self.grades))

    def grade_table(self, gains: Any = "linear") -> tuple[float, ...]:
        """The grades; or the numbers that a `gains` list puts in their place, one per level."""
        if isinstance(gains, str):
            if self.grades[-1] > MOST_GAIN:
                raise IrvizError(
                    f"There is a grade of {self.grades[-1]:g}; gains are made of grades up to {MOST_GAIN:g}. "
                    f"List smaller `gains`, or correct the qrels."
                )
            return self.grades
        if len(gains) != len(self.grades):
            raise IrvizError(
                f"`gains` lists {counted(len(gains), 'number')}, but there {verb(len(self.grades), 'is', 'are')} "
                f"{counted(len(self.grades), 'grade level')} ({', '.join(map(written, self.grades))}). "
                f"Give one number per level, lowest first."
            )
        if gains[0] != 0:
            raise IrvizError(f"`gains` must give the lowest level 0, as it does unjudged documents; got {gains[0]:g}.")
        return tuple(gains)

    def gain_table(self, gains: Any = "linear", default: str = "linear", top: float | None = None) -> tuple[Any, ...]:
        """The gain of every level, in [0, 1]: x/x_max, or (2^x − 1)/2^x_max.

        A list takes the place of the grades x; the mapping is then `default`.  x_max is the
        highest of them, or `top`.
        """
        if self.wider is not None:
            return self.wider.gain_table(gains, default, top)
        return self.keep(("gain table", gains, default, top), lambda: self._gain_table(gains, default, top))

    def _gain_table(self, gains: Any, default: str, x_max: float | None) -> tuple[Any, ...]:
        numbers = [self.number(x) for x in self.grade_table(gains)]
        top = max(numbers) if x_max is None else self.number(x_max)
        if max(numbers) > top:
            raise IrvizError(
                f"`gmax` is {written(x_max)}, but there is a grade of {float(max(numbers)):g}. "
                f"Give `gmax` the highest grade there can be, or leave it out."
            )
        how = gains if isinstance(gains, str) else default
        if top == 0:
            return tuple(numbers)
        if how == "linear":
            return tuple(x / top for x in numbers)
        self.power2(top)  # refuses what is too large
        return tuple(self.power2(x - top) - self.power2(-top) for x in numbers)  # small ones keep all their digits

    def gain_shares(self, gains: Any = "linear") -> tuple[Any, ...]:
        """The gain of every level over the maximum gain, g(a)/g(a_c): 1 for the highest, however gains are made."""
        table = self.gain_table(gains)
        return tuple(worth / table[-1] for worth in table) if table[-1] > 0 else table

    def power2(self, x: Any) -> Any:
        """2**x in this arithmetic, for x up to `MOST_POWER`."""
        if x > MOST_POWER:
            raise IrvizError(
                f"2^x is taken of grades and gains up to {MOST_POWER:,}; here x is {float(x):g}. "
                f"Use the grades themselves as gains, or list smaller `gains`."
            )
        return power2(x) if self.exact else power2_rounded(x)


# --------------------------------------------------------------------------------------------------

SMALL_RUNS = 1 << 14  #: ranks of all runs, up to which nothing is gained by looking at single documents


@dataclass(frozen=True, eq=False)
class ListedDocuments:
    """Some of the documents in the lists of one topic: run by run, and there by rank.

    Attributes
    ----------
    shape : (int, int)
        Runs and ranking depth.
    run, place, document, level : by document
        The run; the place in its list, where 0 is rank 1; which judged document it is; and its grade level.
    """

    shape: tuple[int, int]
    run: Array
    place: Array
    document: Array
    level: Array

    @cached_property
    def number(self) -> Array:
        """By document, its number among its run's: 1 for the first."""
        first = np.searchsorted(self.run, np.arange(self.shape[0]))
        return np.arange(1, len(self.run) + 1) - first[self.run]

    def chosen(self, which: Array) -> ListedDocuments:
        """Those for which `which` is true."""
        at = np.flatnonzero(which)
        return ListedDocuments(self.shape, self.run[at], self.place[at], self.document[at], self.level[at])

    def judged(self, levels: Array) -> ListedDocuments:
        """Those that are above level 0 under other judgments of them."""
        return replace(self, level=levels).chosen(levels > 0)

    def up_to(self, rank: int) -> Array:
        """runs: how many there are among the first `rank`."""
        return np.bincount(self.run[self.place < rank], minlength=self.shape[0])

    @cached_property
    def _cells(self) -> Scattered:
        return Scattered(self.shape, self.run, self.place)

    def total(self, worth: Array) -> Array:
        """runs: what the documents are worth, added up along the ranks."""
        return self._cells.total(worth)


class Judged(GainTables):
    """The judged runs of one topic under one aspect.

    Parameters
    ----------
    ranking : int array, runs × depth
        Index into `labels`; negative where there is no judged document.
    labels : int array, judged documents
        Grade level; below zero for a document that is worth nothing and not counted as judged.
    grades : sequence of float
        The grade of each level; grades[0] is 0.
    exact : bool
        Compute with fractions instead of doubles.
    wider : Judged, optional
        The same runs under judgments of which these are a part: what was found out about the lists there holds here.
    """

    wider: Judged | None

    def __init__(
        self,
        ranking: Array,
        labels: Array,
        grades: Sequence[float],
        *,
        exact: bool = False,
        wider: Judged | None = None,
    ) -> None:
        super().__init__(grades, exact, wider)
        self.ranking, self.labels = ranking, labels

    @classmethod
    def of_grades(cls, grades: Sequence[float]) -> Judged:
        """No runs and no documents, in exact arithmetic: for what depends on the grades alone."""
        return cls(np.empty((0, 0), dtype=np.int32), np.empty(0, dtype=np.int16), grades, exact=True)

    @property
    def runs(self) -> int:
        return int(self.ranking.shape[0])

    @property
    def depth(self) -> int:
        return int(self.ranking.shape[1])

    @property
    def answered(self) -> Array:
        """runs: whether the list holds any document; a run that lacks a topic scores 0 on it."""
        return self.ranking[:, 0] != BEYOND

    def head(self, cutoff: int | None) -> Judged:
        """The first `cutoff` ranks (all of them for None); the judgments stay whole."""
        if cutoff is None or cutoff >= self.depth:
            return self
        wider = None if self.wider is None else self.wider.head(cutoff)
        return self.keep(
            ("head", cutoff),
            lambda: type(self)(self.ranking[:, :cutoff], self.labels, self.grades, exact=self.exact, wider=wider),
        )

    def ranks(self, depth: int | None = None) -> Array:
        """1, 2, …, depth as numbers of this arithmetic."""
        last = self.depth if depth is None else depth
        return self.numbers(range(1, last + 1)) if self.exact else np.arange(1.0, last + 1)

    # -- what documents are worth -----------------------------------------------------

    def gather(self, table: Array, nothing: Any) -> Array:
        """runs × depth: `table` (by level) at every rank, `nothing` where no document counts."""
        worth = np.append(table, [nothing]).astype(table.dtype)
        levels = np.full(len(self.labels) - BEYOND, len(table))
        np.copyto(levels[-BEYOND:], self.labels, where=self.labels >= 0)
        return worth.take(levels).take(self.places, mode="clip")

    @property
    def places(self) -> Array:
        """Where each rank finds its document's worth, behind two entries for no document: no sign is asked for."""
        if self.wider is not None:
            return self.wider.places
        return self.keep("places", lambda: np.add(self.ranking, -BEYOND, dtype=np.intp))

    def levels(self) -> Array:
        """runs × depth: grade level at every rank, 0 for everything that is worth nothing."""
        return self.keep("levels", lambda: self.gather(np.arange(len(self.grades), dtype=np.int16), np.int16(0)))

    def gains(self, table: tuple[Any, ...]) -> Array:
        """runs × depth: gain at every rank, given the gain of every level."""
        return self.keep(("gains", table), lambda: self.gather(np.array(table, dtype=self.dtype), self.number(0)))

    def cumulated_gains(self, table: tuple[Any, ...]) -> Array:
        """runs × depth: gain of the first i documents together."""
        return self.keep(("cumulated", table), lambda: np.cumsum(self.gains(table), axis=1))

    def relevant(self, rel: float) -> Array:
        """runs × depth: 1 where the grade is at least `rel`, else 0."""
        return self.gains(self.binary(rel))

    def judged_nonrelevant(self, rel: float) -> Array:
        """runs × depth: true where a document was judged, at zero or more, and its grade is below `rel`."""
        table = np.array([not worth for worth in self.binary(rel)])
        return self.keep(("nonrelevant", rel), lambda: self.gather(table, np.False_))

    # -- single documents: those above level 0, which are few -----------------------------

    def documents(self) -> ListedDocuments:
        """The ranked documents above level 0."""
        return self.keep("documents", self._documents)

    def _documents(self) -> ListedDocuments:
        if self.wider is not None:
            there = self.wider.documents()
            return there.judged(self.labels[there.document])
        levels = self.levels()
        cells = np.flatnonzero(levels > 0)
        run, place = np.divmod(cells, max(self.depth, 1))
        return ListedDocuments((self.runs, self.depth), run, place, self.ranking.ravel()[cells], levels.ravel()[cells])

    def hits(self, rel: float) -> ListedDocuments:
        """The relevant documents in the lists."""
        return self.keep(("hits", rel), lambda: self._hits(np.array([worth > 0 for worth in self.binary(rel)])))

    def _hits(self, relevant: Array) -> ListedDocuments:
        found = self.documents()
        return found if relevant[1:].all() else found.chosen(relevant[found.level])

    def weighed(self, table: tuple[Any, ...], weights: Array, how: np.ufunc = np.multiply) -> Array:
        """runs: the gain of each document times the weight of its rank (over it: np.divide), added up along the ranks.

        A document of level 0 adds nothing; where the others are few, only they are looked at.
        """
        if not self.exact and self.ranking.size > SMALL_RUNS:
            found, levels = self._few()
            if len(found.run) * 8 < self.ranking.size:
                return found.total(how(np.array(table).take(levels), weights.take(found.place)))
        return total(how(self.gains(table), weights[: self.depth]))

    def _few(self) -> tuple[ListedDocuments, Array]:
        """Documents, all above level 0 among them, and their levels: where they are few, those of the wider judgments.

        Additional zeros change no sum, and their places are already known.
        """
        if self.wider is not None and len(self.wider.documents().run) * 8 < self.ranking.size:
            there = self.wider.documents()
            return there, np.maximum(self.labels.take(there.document), 0)
        return self.documents(), self.documents().level

    # -- the whole pool -----------------------------------------------------------------

    def pool(self) -> Array:
        """levels: how many judged documents there are at each level."""
        return self.keep("pool", lambda: np.bincount(self.labels[self.labels >= 0], minlength=len(self.grades)))

    def pool_gain(self, table: tuple[Any, ...]) -> Any:
        """The gain of all judged documents together: the recall base."""
        return self._gain_of(self.pool(), table)

    def found_gain(self, table: tuple[Any, ...]) -> Array:
        """runs: the gain of all ranked documents together, added up as `pool_gain` is: level by level."""
        return self._gain_of(self.found(), table)

    def found(self) -> Array:
        """runs × levels: how many ranked documents there are at each level, 0 among them."""
        return self.keep("found levels", self._count_levels)

    def _count_levels(self) -> Array:
        many = len(self.grades)
        cells = self.levels() + np.arange(self.runs)[:, None] * many
        return np.bincount(cells.ravel(), minlength=self.runs * many).reshape(self.runs, many)

    def _gain_of(self, counts: Array, table: tuple[Any, ...]) -> Any:
        """Σ over levels (the last axis of `counts`), one after another."""
        numbers: Array = counts.astype(self.dtype)
        gain = self.number(0)
        for level, worth in enumerate(table):
            gain = gain + numbers[..., level] * worth
        return gain

    def ideal(self, table: tuple[Any, ...], depth: int) -> Array:
        """The largest gains of the pool in descending order, padded with zeros to `depth`."""
        order = sorted(zip(table, self.pool().tolist(), strict=True), key=lambda pair: pair[0], reverse=True)
        worths, counts = [*(worth for worth, _ in order), self.number(0)], [*(n for _, n in order), depth]
        return np.repeat(np.array(worths, dtype=self.dtype), np.minimum(counts, depth))[:depth]

    def share(self, part: Array, whole: Any) -> Array:
        """part / whole, and 0 where there is nothing to divide by (no relevant document)."""
        return part / whole if whole > 0 else np.array([self.number(0)] * len(part), dtype=self.dtype)


def padded(values: Array, depth: int, nothing: Any = 0) -> Array:
    """Cut or fill the last axis to `depth`."""
    have = values.shape[-1]
    if have >= depth:
        return values[..., :depth]
    return np.pad(values, [(0, 0)] * (values.ndim - 1) + [(0, depth - have)], constant_values=nothing)


# -- One topic of a collection, seen under one aspect or another, or made of runs that are enumerated

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
