"""Discounted cumulated gain, plain and normalised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from irviz.errors import IrvizError
from irviz.measures.arithmetic import AGREE, Array, fraction, log2, log2_of_ranks
from irviz.measures.judged_lists import JudgedLists
from irviz.measures.language.base import OWN_GAINS, Measure, Parts, Scale
from irviz.measures.language.parameters import OneOf, Real, parameter
from irviz.measures.scale_facts import BY_FORMULA, SECTION_4_3, weighted_scale
from irviz.portable import total

_ENOUGH_RANKS = 64  # ranks that a proof needs: what outweighs one grade more only grows with further ranks
_DIVERGES = "Its discounts decrease so slowly that documents further down outweigh one grade more."


@dataclass(frozen=True, kw_only=True)
class Discounted(Measure):
    """Base: gains divided by a number that grows with the rank."""

    group: ClassVar[str] = "Rank-based, graded"
    additive: ClassVar[bool] = True
    averages_ties: ClassVar[bool] = True
    proved_in: ClassVar[str] = BY_FORMULA  #: where its scale type was found

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        """The gain of every grade level."""
        raise TypeError(f"{type(self).__name__} defines no gains.")

    def divisors(self, lists: JudgedLists, depth: int) -> Array:
        """log2(i + 1) for i = 1 … depth, unless a measure says otherwise."""
        return log2_of_ranks(lists.nothing(), 2, depth + 1)

    def parts(self, lists: JudgedLists) -> Parts:
        top = lists.head(self.cutoff)
        return Parts(top.gains(self.table(lists))[0], 1 / self.divisors(lists, top.depth))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        lists, ranks = JudgedLists.of_grades(grades), self.depth_seen(depth)
        if ranks is None:
            return Scale("neither", _DIVERGES, self.proved_in)
        divisors = self.divisors(lists, min(ranks, _ENOUGH_RANKS))
        return weighted_scale(1 / divisors[::-1], len(divisors), self.table(lists), AGREE, self.proved_in)


@dataclass(frozen=True, kw_only=True)
class NDCG(Discounted):
    """Normalised discounted cumulated gain: DCG over the DCG of the ideal list, discount log2(rank + 1).

    Gains are the grades, or 2^x − 1 with ``dcg='exp-log2'``; the ideal list is made of
    all judged documents, cut like the run (trec_eval's ndcg and ndcg_cut), or with ``ideal='retrieved'`` to as many
    as were retrieved: one of several best documents alone then scores 1 (Elasticsearch's and OpenSearch's _rank_eval).
    """

    symbol: ClassVar[str] = "nDCG"
    title: ClassVar[str] = "Normalised discounted cumulated gain"
    formula: ClassVar[str] = (
        r"\mathrm{nDCG} = \sum_{i} \frac{g_i}{\log_2(i+1)} \Big/ \sum_{i} \frac{g^{\star}_i}{\log_2(i+1)}"
    )
    source: ClassVar[str] = "Järvelin and Kekäläinen 2002; trec_eval's ndcg and ndcg_cut"
    dcg: str = parameter(
        "log2", OneOf(("log2", "exp-log2")), "'log2' takes the grades as gains, 'exp-log2' takes 2^x − 1."
    )
    gains: Any = parameter(
        None,
        OWN_GAINS,
        "One number per grade level, lowest first, instead of the grades; "
        "or 'linear' and 'exp', which mean the same as the two values of `dcg` and replace them.",
    )
    ideal: str = parameter(
        "judged",
        OneOf(("judged", "retrieved")),
        "Documents of the ideal list: 'judged', all; 'retrieved', as many of the best judged ones as were retrieved.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.gains, str):  # only ratios of gains matter, so these are the same measures
            if (self.dcg, self.gains) == ("exp-log2", "linear"):
                raise IrvizError(
                    "`dcg` and `gains` of nDCG both say how grades become gains: 'exp-log2' and 'linear'. "
                    "Leave one out."
                )
            object.__setattr__(self, "dcg", "exp-log2" if self.gains == "exp" else "log2")
            object.__setattr__(self, "gains", None)

    def evaluate(self, lists: JudgedLists) -> Array:
        top = lists.head(self.cutoff)
        gain = top.weighted_gain(self.table(lists), self.divisors(lists, top.depth), np.divide)
        best = lists.ideal(self.table(lists), self.cutoff)
        discounted = best / self.divisors(lists, best.shape[1])
        if self.ideal == "judged":
            return lists.share(gain, total(discounted)[lists.topic])
        retrieved = np.arange(best.shape[1]) < lists.lengths[:, None]
        return lists.share(gain, total(discounted[lists.topic] * retrieved))

    def parts(self, lists: JudgedLists) -> Parts:
        best = self.ideal_gains(lists)
        return super().parts(lists).divide_by(float(total(best / self.divisors(lists, len(best)))))

    def ideal_gains(self, lists: JudgedLists) -> NDArray[np.float64]:
        best = lists.ideal(self.table(lists), self.cutoff)[lists.topic[0]]
        return best if self.ideal == "judged" else best[: int(lists.lengths[0])]

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        numbers = lists.grade_table(self.gains)
        return numbers if self.dcg == "log2" else tuple(lists.power2(x) - 1 for x in numbers)


@dataclass(frozen=True, kw_only=True)
class DCG(Discounted):
    """Discounted cumulated gain with unnormalised gains and no discount up to rank `base`.

    ``discount='log2'`` divides by log2(i + 1) instead, as the numerator of nDCG does (Burges et al. 2005); `base`
    then has no effect.
    """

    symbol: ClassVar[str] = "DCG"
    title: ClassVar[str] = "Discounted cumulated gain"
    formula: ClassVar[str] = r"\mathrm{DCG}_b = \sum_{i=1}^{k} \frac{g(\hat r[i])}{\max\{1, \log_b i\}}"
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.1.2; Järvelin and Kekäläinen 2002"
    proved_in: ClassVar[str] = SECTION_4_3
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    ideal_is_one: ClassVar[bool] = False
    base: float = parameter(
        2.0,
        Real(low=1, open_low=True, step=1, slider=(2, 10)),
        "Base of the logarithm; a larger base models a more patient user.",
        always_written=True,
    )
    discount: str = parameter(
        "base",
        OneOf(("base", "log2")),
        "'base' divides by log_b(i), not before rank b; 'log2' by log2(i + 1), as the numerator of nDCG.",
    )
    gains: Any = parameter(
        None,
        OWN_GAINS,
        "Gains: the grades by default, or one number per grade level, lowest first, "
        "or 'linear' (x/x_max) or 'exp' ((2^x − 1)/2^x_max).",
    )

    def evaluate(self, lists: JudgedLists) -> Array:
        top = lists.head(self.cutoff)
        return top.weighted_gain(self.table(lists), self.divisors(lists, top.depth), np.divide)

    def divisors(self, lists: JudgedLists, depth: int) -> Array:
        """max(1, log_b i), or log2(i + 1), for i = 1 … depth."""
        if self.discount == "log2":
            return super().divisors(lists, depth)
        base = log2(fraction(self.base))
        logarithms = log2_of_ranks(lists.nothing(), 1, depth) / (base if lists.exact else float(base))
        return np.maximum(lists.number(1), logarithms)

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        return lists.own_table(self.gains)
