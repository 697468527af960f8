"""The judged runs of one topic: what is at every rank, what the whole pool holds, and where few documents stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from irviz.collection.model import BEYOND
from irviz.measures.arithmetic import Array
from irviz.measures.judged.tables import GainTables
from irviz.portable import Scattered, total

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
