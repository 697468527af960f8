"""Measures of a user who reads down the list: RBP's user stops by chance, ERR's user when satisfied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from irviz.collection.judgments import pad
from irviz.measures.arithmetic import Array, powers_like
from irviz.measures.browsing import RBPModel
from irviz.measures.judged_lists import JudgedLists
from irviz.measures.language.base import Measure, Parts, Scale, gains_parameter
from irviz.measures.language.parameters import Real, parameter, same_parameter
from irviz.measures.scale_facts import cascade_scale, geometric_scale
from irviz.portable import total


@dataclass(frozen=True, kw_only=True)
class RBP(Measure):
    """Rank-biased precision: the gain of a user who reads on with probability p after every document.

    Graded by default, with gain/maximum gain; binary with `rel`.
    """

    symbol: ClassVar[str] = "RBP"
    additive: ClassVar[bool] = True
    averages_ties: ClassVar[bool] = True
    title: ClassVar[str] = "Rank-biased precision"
    group: ClassVar[str] = "Rank-based, graded"
    formula: ClassVar[str] = r"\mathrm{RBP} = \frac{1-p}{g(a_c)} \sum_{i} p^{\,i-1} g(\hat r[i])"
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.1.2; Moffat and Zobel 2008"
    ideal_is_one: ClassVar[bool] = False
    rounding: ClassVar[float] = 0.0  # lists that first differ at rank i differ by about p^i, and seldom tie
    p: float = same_parameter(RBPModel, "p")
    rel: float | None = parameter(
        None,
        Real(low=0, open_low=True, optional=True, step=1),
        "Relevant from: the smallest grade that counts as relevant, for binary RBP.",
    )
    gains: Any = gains_parameter(shares=True)

    @property
    def closed_form(self) -> str:  # type: ignore[override]
        return "binary" if self.p == 0.5 else ""

    def evaluate(self, lists: JudgedLists) -> Array:
        top = lists.head(self.cutoff)
        return top.weighted_gain(self.table(lists), self.weights(lists, top.depth))

    def weights(self, lists: JudgedLists, depth: int) -> Array:
        """(1 − p) p^(i − 1) for i = 1 … depth."""
        p = lists.number(self.p)
        return (1 - p) * powers_like(lists.nothing(), p, depth)

    def parts(self, lists: JudgedLists) -> Parts:
        top = lists.head(self.cutoff)
        return Parts(top.gains(self.table(lists))[0], self.weights(lists, top.depth))

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        return lists.gain_shares(self.gains) if self.rel is None else lists.binary(self.rel)

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        lists = JudgedLists.of_grades(grades)
        return geometric_scale(lists.number(self.p), self.table(lists), self.depth_seen(depth))


@dataclass(frozen=True, kw_only=True)
class ERR(Measure):
    """Expected reciprocal rank of the document that satisfies the user.

    A document of grade x satisfies the user with probability (2^x − 1)/2^g_max; a `gains` list
    replaces the grades.  g_max is the collection's highest grade, so the same grades are worth
    more on a collection with a lower g_max; ``gmax=4`` fixes it, as gdeval and ir_measures do,
    and makes scores comparable across collections.
    """

    symbol: ClassVar[str] = "ERR"
    averages_ties: ClassVar[bool] = True
    title: ClassVar[str] = "Expected reciprocal rank"
    group: ClassVar[str] = "Rank-based, graded"
    formula: ClassVar[str] = (
        r"\mathrm{ERR} = \sum_{i} \frac{1}{i}\, x_i \prod_{j<i} (1 - x_j), \quad x = \frac{2^{g}-1}{2^{g_{\max}}}"
    )
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.1.2; Chapelle et al. 2009"
    ideal_is_one: ClassVar[bool] = False
    gains: Any = gains_parameter("exp")
    gmax: float | None = parameter(
        None,
        Real(low=0, open_low=True, optional=True, step=1),
        "The grade g_max; by default the highest of the collection. gdeval and ir_measures take 4.",
    )

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        """The probability that a document of each level satisfies."""
        return lists.gain_table(self.gains, default="exp", top=self.gmax)

    def evaluate(self, lists: JudgedLists) -> Array:
        top = lists.head(self.cutoff)
        if top.tied:
            return top.expected_stop(self.table(lists), 1 / top.ranks())
        documents = top.documents()
        stop: Array = np.array(self.table(lists), dtype=lists.dtype)[top.level(documents)]
        reads_on = np.cumprod(pad(1 - stop, documents.counts, lists.number(1)), axis=1)
        reached = np.where(documents.number > 1, reads_on[documents.run, documents.number - 2], lists.number(1))
        return documents.total(stop * reached / top.ranks()[documents.place])

    def parts(self, lists: JudgedLists) -> Parts:
        top = lists.head(self.cutoff)
        stop = top.gains(self.table(lists))[0]
        reached = np.concatenate([[1.0], np.cumprod(1 - stop)[:-1]])
        return Parts(stop, reached / top.ranks())

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        return cascade_scale(self.table(JudgedLists.of_grades(grades)), self.depth_seen(depth))


@dataclass(frozen=True, kw_only=True)
class NERR(ERR):
    """Normalised ERR: ERR over the ERR of the ideal list, both cut at k.

    NTCIREVAL takes x/(x_max + 1) as the probability that a document of gain x satisfies; ``gains`` that list
    log2(x + 1) by level give the same.
    """

    symbol: ClassVar[str] = "nERR"
    title: ClassVar[str] = "Normalised expected reciprocal rank"
    formula: ClassVar[str] = r"\mathrm{nERR} = \mathrm{ERR} / \mathrm{ERR}^{\star}"
    source: ClassVar[str] = "Sakai and Song 2011; NTCIREVAL's nERR"
    ideal_is_one: ClassVar[bool] = True

    def best(self, lists: JudgedLists) -> Array:
        """By list, the ERR of the ideal list of its topic."""
        stop = lists.ideal(self.table(lists), self.cutoff)
        reads_on = np.cumprod(1 - stop, axis=1)
        reached = np.concatenate([np.ones_like(stop[:, :1]), reads_on[:, :-1]], axis=1)
        return total(stop * reached / lists.ranks(stop.shape[1]))[lists.topic]

    def evaluate(self, lists: JudgedLists) -> Array:
        return lists.share(super().evaluate(lists), self.best(lists))

    def parts(self, lists: JudgedLists) -> Parts:
        return super().parts(lists).divide_by(self.best(lists)[0])
