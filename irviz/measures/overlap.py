"""Compatibility: how near a list comes to an ideal order of the documents that people prefer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from irviz.measures.arithmetic import Array, fraction, powers_like
from irviz.measures.judged_lists import JudgedLists, ListedDocuments
from irviz.measures.language.base import Measure, Parts, Scale
from irviz.measures.language.parameters import Real, Truth, parameter
from irviz.measures.scale_facts import BY_FORMULA, LOWER_RANKS_OUTWEIGH, only_grade, weighted_scale
from irviz.portable import total

DEPENDS = "The place of a lower grade in the ideal depends on the topic's number of documents of higher grades."


@dataclass(frozen=True, kw_only=True)
class Compatibility(Measure):
    """Compatibility: the largest rank-biased overlap of the list with an ideal one.

    The ideal has the documents with grades above 0, highest first; documents of one grade are in the list's own order,
    which makes the overlap largest.  D is the length of the list or of the ideal, whichever is longer.
    """

    symbol: ClassVar[str] = "Compat"
    title: ClassVar[str] = "Compatibility"
    group: ClassVar[str] = "Rank-based, graded"
    formula: ClassVar[str] = (
        r"\mathrm{RBO} = \frac{\sum_{i=1}^{D} p^{i-1} \, |I_{1..i} \cap R_{1..i}| / i}{\sum_{i=1}^{D} p^{i-1}},"
        r" \quad \mathrm{Compat} = \mathrm{RBO} / \mathrm{RBO}^{\star}"
    )
    source: ClassVar[str] = "Clarke, Vtyurina and Smucker 2021; the measure Compat of ir_measures"
    cut: ClassVar[str] = "none"
    p: float = parameter(
        0.95,
        Real(0, 1, open_low=True, open_high=True),
        "Persistence: smaller values look at fewer ranks.",
        always_written=True,
    )
    normalise: bool = parameter(
        True, Truth(), "Divide by the overlap of the ideal with itself, so that the best list scores 1."
    )

    @property
    def ideal_is_one(self) -> bool:  # type: ignore[override]
        return self.normalise

    def harmonic(self, lists: JudgedLists, ranks: int) -> Array:
        """Σ_{j ≤ i} p^(j − 1)/j for i = 0 … ranks."""
        each = powers_like(lists.nothing(), lists.number(self.p), ranks) / lists.ranks(ranks)
        return np.concatenate([[lists.number(0)], np.cumsum(each)])

    def lengths(self, lists: JudgedLists) -> Array:
        """By list, D."""
        return np.maximum(lists.lengths, lists.pool()[:, 1:].sum(axis=1))

    def overlap_place(self, lists: JudgedLists, documents: ListedDocuments) -> Array:
        """By relevant document found, the rank (from 0) down to which both lists hold it."""
        pool, levels = lists.pool(), lists.level(documents)
        better = pool[:, ::-1].cumsum(axis=1)[:, ::-1] - pool
        place = np.zeros(len(documents.run), dtype=np.intp)
        for level in range(1, len(lists.grades)):
            here = np.flatnonzero(levels == level)
            at_level = documents.select(levels == level)
            place[here] = np.maximum(at_level.place, better[at_level.run, level] + at_level.number - 1)
        return place

    def documents_and_worth(self, lists: JudgedLists) -> tuple[ListedDocuments, Array]:
        """The relevant documents found, and what each adds before any division."""
        documents = lists.documents()
        documents = documents.select(lists.level(documents) > 0)
        deepest = self.lengths(lists)
        sums = self.harmonic(lists, int(deepest.max(initial=0)))
        return documents, sums[deepest[documents.run]] - sums[self.overlap_place(lists, documents)]

    def whole(self, lists: JudgedLists) -> Array:
        """By list, the divisor: the overlap of the ideal with itself, or of any list with itself."""
        deepest, relevant = self.lengths(lists), lists.pool()[:, 1:].sum(axis=1)
        powers = powers_like(lists.nothing(), lists.number(self.p), int(deepest.max(initial=0)))
        sums, divisor = self.harmonic(lists, len(powers)), lists.nothing()
        pairs, which = np.unique(np.stack([deepest, relevant], axis=1), axis=0, return_inverse=True)
        for k, (depth, many) in enumerate(pairs.tolist()):
            divisor[which.ravel() == k] = total(sums[depth] - sums[:many] if self.normalise else powers[:depth])
        return np.where(relevant > 0, divisor, lists.number(0))

    def evaluate(self, lists: JudgedLists) -> Array:
        documents, worth = self.documents_and_worth(lists)
        return lists.share(documents.total(worth), self.whole(lists))

    def parts(self, lists: JudgedLists) -> Parts:
        documents, worth = self.documents_and_worth(lists)
        adds = np.zeros(lists.depth)
        adds[documents.place] = worth / (self.whole(lists)[0] or 1.0)
        return Parts.of_sums(lists.gains(lists.binary(lists.grades[min(1, len(lists.grades) - 1)]))[0], adds)

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        if scale := only_grade(grades):
            return scale
        if len(grades) > 2:
            return Scale("neither", DEPENDS, BY_FORMULA, proved_from=None)
        if depth is None:
            return replace(super().scale(grades, depth), reason=LOWER_RANKS_OUTWEIGH)
        sums = self.harmonic(JudgedLists.of_grades(grades), depth)
        table: Any = (fraction(0), fraction(1))
        return weighted_scale(sums[-1] - sums[-2::-1], depth, table)
