"""Average precision for graded relevance: GAP, xGAP and eGAP, and the Q-measure.

A user sets a threshold k on the grades with probability g_k.  GAP replaces the quantities of AP by their expectations;
xGAP draws a user, then a document relevant to that user, and takes the mean precision there over all users to whom it
is relevant; eGAP is the expectation of AP.

Levels index g: a document of level r is relevant to users with thresholds 1 … r.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from irviz.collection.judgments import pad
from irviz.errors import check_length, number_of
from irviz.measures.arithmetic import Array, fraction
from irviz.measures.judged_lists import JudgedLists, ListedDocuments
from irviz.measures.language.base import OWN_GAINS, Measure, Parts, Scale
from irviz.measures.language.parameters import Numbers, Real, parameter
from irviz.measures.scale_facts import precision_scale
from irviz.portable import total


@dataclass(frozen=True, kw_only=True)
class GradedAP(Measure):
    """Base of the three: the distribution g and the recall bases."""

    group: ClassVar[str] = "Graded average precision"
    per_base: ClassVar[bool] = True  #: users have equal weight for any number of relevant documents
    g: tuple[float, ...] = parameter(
        (1.0,),
        Numbers(simplex=True),
        "The probability that a user's threshold is each grade: g_1 … g_c, summing to 1.",
        always_written=True,
    )

    def thresholds(self, lists: JudgedLists) -> list[Any]:
        """g_0 … g_c, with g_0 = 0, checked against the collection's grades.

        Only g_0 if there is no grade above zero.
        """
        if len(lists.grades) == 1:
            return [lists.number(0)]
        above = len(lists.grades) - 1
        grades = f"{number_of(above, 'grade')} above zero"
        advice = "Give one number for each of them, lowest grade first."
        check_length(f"`g` of {self.symbol} lists", self.g, above, grades, advice)
        return [lists.number(0), *(lists.number(x) for x in self.g)]

    def recall_bases(self, lists: JudgedLists) -> Array:
        """levels × lists: RB(k), how many documents of the topic have level k or more, for k = 0 … c."""
        return np.cumsum(lists.pool()[:, ::-1], axis=1)[:, ::-1].T

    def combine(self, lists: JudgedLists, g: list[Any], documents: FoundDocuments) -> Array:
        """The score of every list; 0 where no document of the pool is relevant to any user (ν > τ)."""
        raise TypeError(f"{type(self).__name__} combines nothing.")

    def evaluate(self, lists: JudgedLists) -> Array:
        g, top = self.thresholds(lists), lists.head(self.cutoff)
        return self.combine(lists, g, lists.keep(("found", self.cutoff), lambda: FoundDocuments(top)))

    def contributions(self, lists: JudgedLists, g: list[Any], documents: FoundDocuments) -> Array:
        """By document found in the only list, its addend to the score."""
        raise TypeError(f"{type(self).__name__} adds nothing.")

    def parts(self, lists: JudgedLists) -> Parts:
        g, top = self.thresholds(lists), lists.head(self.cutoff)
        levels = top.levels()[0]
        gain, adds = np.cumsum(g)[levels], np.zeros(len(levels))  # the probability that a user finds it relevant
        if any(share and base for share, base in zip(g[1:], self.recall_bases(lists)[1:, 0].tolist(), strict=True)):
            adds[levels > 0] = self.contributions(lists, g, FoundDocuments(top))
        return Parts.of_sums(gain, adds)

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        wanted = self.thresholds(JudgedLists.of_grades(grades))
        pool = range(len(wanted) - 1, 0, -1) if self.per_base else [1] * (len(wanted) - 1)
        table = np.cumsum([wanted[0], *(share / base for share, base in zip(wanted[1:], pool, strict=True))])
        return precision_scale(table.tolist(), self.depth_seen(depth), "ordinal")


class FoundDocuments:
    """The documents above level 0 in the lists: one entry each, list by list in rank order.

    Only they add to a score.  For the user with threshold k, each at level k or more adds the precision at its rank, as
    in AP; all three measures weigh these numbers, which do not depend on g.
    """

    def __init__(self, lists: JudgedLists) -> None:
        documents = lists.documents()
        self.run, self.level = documents.run, lists.level(documents)
        self.runs, self.levels = lists.runs, len(lists.grades)
        self.rank = lists.ranks()[documents.place]
        self._first = np.cumsum(documents.counts) - documents.counts
        self._sums: dict[int, Array] = {}

    def precision(self, k: int) -> Array:
        """By document: the share of documents of level k or more among those down to it; 0 at lower levels."""
        here = self.level >= k
        count = np.concatenate([[0], np.cumsum(here)])
        return here * (count[1:] - count[self._first[self.run]]) / self.rank

    def expected_precision(self, g: list[Any]) -> Array:
        """By document, the precision that a user sees there, over the users' thresholds."""
        return total(np.stack([g[k] * self.precision(k) for k in range(1, len(g))]), axis=0)

    def precision_sum(self, k: int) -> Array:
        """By list: the sum of `precision(k)`."""
        if k not in self._sums:
            self._sums[k] = self._sum_by_cell(self.run, self.runs, self.precision(k))
        return self._sums[k]

    def precision_sums_by_level(self, k: int) -> Array:
        """Lists × levels: the sum of `precision(k)` over the documents of each level."""
        cell = self.run * self.levels + self.level
        return self._sum_by_cell(cell, self.runs * self.levels, self.precision(k)).reshape(self.runs, self.levels)

    def _sum_by_cell(self, cell: Array, cells: int, worth: Array) -> Array:
        """The sum of the numbers of each cell, added in rank order."""
        if worth.dtype != object:
            return np.bincount(cell, weights=worth, minlength=cells)
        sums = np.array([Fraction(0)] * cells, dtype=object)
        np.add.at(sums, cell, worth)
        return sums


@dataclass(frozen=True, kw_only=True)
class GAP(GradedAP):
    """Graded average precision: the mean of all users' precisions together, where who wants more counts more."""

    symbol: ClassVar[str] = "GAP"
    title: ClassVar[str] = "Graded average precision"
    formula: ClassVar[str] = (
        r"\mathrm{GAP} = \frac{\sum_{n} \frac{1}{n} \sum_{m \le n} \Delta_{m,n}}{\sum_{k} R(k) \sum_{j \le k} g_j}"
    )
    source: ClassVar[str] = "Ferrante et al. 2014, eq. (4)"
    per_base: ClassVar[bool] = False

    def combine(self, lists: JudgedLists, g: list[Any], documents: FoundDocuments) -> Array:
        """Both sums run over the thresholds, so the ideal ranking scores exactly 1."""
        gained, expected = lists.nothing(), lists.nothing()
        for k, base in enumerate(self.recall_bases(lists)[1:], start=1):
            gained = gained + g[k] * documents.precision_sum(k)
            expected = expected + g[k] * lists.whole_numbers(base)
        return lists.share(gained, expected)

    def contributions(self, lists: JudgedLists, g: list[Any], documents: FoundDocuments) -> Array:
        bases = self.recall_bases(lists)[:, 0].tolist()
        return documents.expected_precision(g) / total(np.array([g[k] * bases[k] for k in range(1, len(g))]))


@dataclass(frozen=True, kw_only=True)
class XGAP(GradedAP):
    """Extended graded AP: draw a user, then a document they want; the mean precision there of all who want it.

    Users whose threshold no document of the topic reaches add nothing, so the ideal ranking
    scores below 1 on a topic without documents of a grade that has g_k > 0.
    """

    symbol: ClassVar[str] = "xGAP"
    own_to_pools: ClassVar[bool] = True
    title: ClassVar[str] = "Extended graded average precision"
    formula: ClassVar[str] = (
        r"\mathrm{xGAP} = \sum_{n} \frac{1}{n} \frac{\sum_{k \le r[n]} g_k / \mathrm{RB}(k)}{\sum_{k \le r[n]} g_k}"
        r" \sum_{m \le n} \Delta_{m,n}"
    )
    source: ClassVar[str] = "Ferrante et al. 2014, eq. (5)"
    ideal_is_one: ClassVar[bool] = False

    def combine(self, lists: JudgedLists, g: list[Any], documents: FoundDocuments) -> Array:
        shared = sum(g[k] * documents.precision_sums_by_level(k) for k in range(1, len(g)))
        return total(self.selection(lists, g) * shared)

    def contributions(self, lists: JudgedLists, g: list[Any], documents: FoundDocuments) -> Array:
        return self.selection(lists, g)[0, documents.level] * documents.expected_precision(g)

    def selection(self, lists: JudgedLists, g: list[Any]) -> Array:
        """Lists × levels r: Σ_{k ≤ r} g_k/RB(k) over Σ_{k ≤ r} g_k; 0 where no user finds that level relevant."""
        picked, users = lists.nothing(), lists.number(0)
        table = [picked]
        for share, base in zip(g[1:], self.recall_bases(lists)[1:], strict=True):
            picked = picked + lists.share(share, base)
            users = users + share
            table.append(picked / users if users else lists.nothing())
        return np.stack(table, axis=1)


@dataclass(frozen=True, kw_only=True)
class EGAP(GradedAP):
    """Expected graded average precision: the mean of AP over the users' thresholds, Σ_k g_k AP(k)."""

    symbol: ClassVar[str] = "eGAP"
    own_to_pools: ClassVar[bool] = True
    title: ClassVar[str] = "Expected graded average precision"
    formula: ClassVar[str] = r"\mathrm{eGAP} = \sum_{k} g_k\,\mathrm{AP}(k)"
    source: ClassVar[str] = "Ferrante et al. 2014, eq. (6)"
    ideal_is_one: ClassVar[bool] = False

    def combine(self, lists: JudgedLists, g: list[Any], documents: FoundDocuments) -> Array:
        score = lists.nothing()
        for k, base in enumerate(self.recall_bases(lists)[1:], start=1):
            score = score + lists.share(g[k] * documents.precision_sum(k), base)
        return score

    def contributions(self, lists: JudgedLists, g: list[Any], documents: FoundDocuments) -> Array:
        bases = self.recall_bases(lists)[:, 0].tolist()
        each = [g[k] * documents.precision(k) / bases[k] for k in range(1, len(g)) if bases[k]]
        return total(np.stack(each), axis=0)


@dataclass(frozen=True, kw_only=True)
class QMeasure(Measure):
    """Q-measure: average precision whose precision is blended with the gain so far, as a share of the ideal list's.

    Relevant are all grades above zero.  With a cutoff k the mean is over min(R, k) documents, as in NTCIREVAL; with
    ``beta=0`` and without a cutoff it is AP.
    """

    symbol: ClassVar[str] = "Q"
    own_to_pools: ClassVar[bool] = True
    title: ClassVar[str] = "Q-measure"
    group: ClassVar[str] = "Graded average precision"
    formula: ClassVar[str] = (
        r"\mathrm{Q} = \frac{1}{R} \sum_{n:\,r[n] > 0} \frac{C(n) + \beta \sum_{m \le n} g_m}"
        r"{n + \beta \sum_{m \le n} g^{\star}_m}"
    )
    source: ClassVar[str] = "Sakai and Song 2011; NTCIREVAL's Q-measure"
    beta: float = parameter(1.0, Real(low=0, step=0.5, slider=(0, 10)), "The weight of the gain; 0 leaves AP.")
    gains: Any = parameter(
        None,
        OWN_GAINS,
        "Gains: the grades by default, or one number per grade level, lowest first; or 'linear', 'exp'.",
    )

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        return lists.own_table(self.gains)

    def relevant_documents(self, lists: JudgedLists) -> ListedDocuments:
        """The relevant documents above the cutoff."""
        found = lists.head(self.cutoff).documents()
        return found.select(lists.level(found) > 0)

    def blended_ratio(self, lists: JudgedLists, documents: ListedDocuments) -> Array:
        """By document found, the blended ratio there."""
        table, beta = self.table(lists), lists.number(self.beta)
        gain: Array = np.array(table, dtype=lists.dtype)[lists.level(documents)]
        gained = np.cumsum(pad(gain, documents.counts, lists.number(0)), axis=1)[documents.run, documents.number - 1]
        ideal = np.cumsum(lists.ideal(table), axis=1)
        best = ideal[lists.topic[documents.run], np.minimum(documents.place, ideal.shape[1] - 1)]
        return (lists.whole_numbers(documents.number) + beta * gained) / (lists.ranks()[documents.place] + beta * best)

    def base(self, lists: JudgedLists) -> Array:
        """By list, min(R, k)."""
        relevant = lists.pool()[:, 1:].sum(axis=1)
        return relevant if self.cutoff is None else np.minimum(relevant, self.cutoff)

    def evaluate(self, lists: JudgedLists) -> Array:
        documents = self.relevant_documents(lists)
        return lists.share(documents.total(self.blended_ratio(lists, documents)), self.base(lists))

    def parts(self, lists: JudgedLists) -> Parts:
        documents, top = self.relevant_documents(lists), lists.head(self.cutoff)
        adds = np.zeros(top.depth)
        adds[documents.place] = self.blended_ratio(lists, documents) / max(int(self.base(lists)[0]), 1)
        return Parts.of_sums(top.gains(self.table(lists))[0], adds)

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        nothing, *gains = self.table(JudgedLists.of_grades(grades))
        table = [nothing, *(1 + fraction(self.beta) * gain for gain in gains)]  # of a document at rank 1
        return precision_scale(table, self.depth_seen(depth), "ordinal")
