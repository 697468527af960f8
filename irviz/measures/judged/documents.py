"""Single documents in the lists of a topic: the relevant ones are few, and many measures look only at them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from irviz.measures.arithmetic import Array
from irviz.portable import Scattered


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
