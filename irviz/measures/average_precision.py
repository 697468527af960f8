"""Binary measures along the ranking, as trec_eval computes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from irviz.measures.arithmetic import Array
from irviz.measures.judged import JudgedLists
from irviz.measures.language.base import Measure, Parts, Scale, rel_parameter
from irviz.measures.language.parameters import Real, parameter
from irviz.measures.scale_facts import BY_FORMULA, OUTWEIGHED, SECTION_4_3, precision_scale

_EVERYWHERE = 0.1  #: a recall that one relevant document reaches, in pools of up to ten of them


@dataclass(frozen=True, kw_only=True)
class BinaryMeasure(Measure):
    """Base: a threshold on the grades, and the recall base it leaves."""

    group: ClassVar[str] = "Rank-based, binary"
    rel: float = rel_parameter()

    two_ranks: ClassVar[str] = "neither"  #: the scale type on two ranks and two grades
    many_ranks: ClassVar[str] = OUTWEIGHED  #: why it orders more ranks otherwise than the total order
    proved_in: ClassVar[str] = BY_FORMULA  #: where its scale type was found

    def table(self, judged: JudgedLists) -> tuple[Any, ...]:
        """By grade level, 1 where relevant."""
        return judged.binary(self.rel)

    def recall_base(self, judged: JudgedLists) -> Array:
        """By list, the number of relevant documents of its topic."""
        return judged.pool_gain(self.table(judged))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        table = self.table(JudgedLists.of_grades(grades))
        return precision_scale(table, self.depth_seen(depth), self.two_ranks, self.many_ranks, self.proved_in)


@dataclass(frozen=True, kw_only=True)
class AP(BinaryMeasure):
    """Average precision: the mean, over all relevant documents, of the precision where each is found.

    A relevant document that is not retrieved adds 0; the denominator is the number of
    relevant documents of the topic also under a cutoff (trec_eval's map and map_cut).
    """

    symbol: ClassVar[str] = "AP"
    title: ClassVar[str] = "Average precision"
    precisions: ClassVar[bool] = True
    formula: ClassVar[str] = r"\mathrm{AP} = \frac{1}{\mathrm{RB}}\sum_{n} r[n]\,\frac{1}{n}\sum_{m \le n} r[m]"
    source: ClassVar[str] = "Ferrante et al. 2014, eq. (1); Ferrante et al. 2019, section 4.1.2; trec_eval's map"
    two_ranks: ClassVar[str] = "ordinal"
    proved_in: ClassVar[str] = SECTION_4_3

    def evaluate(self, judged: JudgedLists) -> Array:
        top = judged.head(self.cutoff)
        hits = top.hits(self.rel)
        precision = hits.number / top.ranks()[hits.place]
        return judged.share(hits.total(precision), self.recall_base(judged))

    def parts(self, judged: JudgedLists) -> Parts:
        top, table = judged.head(self.cutoff), self.table(judged)
        gain = top.gains(table)[0]
        return Parts(gain, np.cumsum(gain) / top.ranks()).over(self.recall_base(judged)[0])


@dataclass(frozen=True, kw_only=True)
class RR(BinaryMeasure):
    """Reciprocal rank: one over the rank of the first relevant document, 0 without one."""

    symbol: ClassVar[str] = "RR"
    title: ClassVar[str] = "Reciprocal rank"
    formula: ClassVar[str] = r"\mathrm{RR} = 1 / \min\{i : r[i] = 1\}"
    source: ClassVar[str] = "trec_eval's recip_rank"
    many_ranks: ClassVar[str] = (
        "Runs with their first relevant document at the same rank tie, whatever follows it; the total order "
        "distinguishes them."
    )

    def evaluate(self, judged: JudgedLists) -> Array:
        top = judged.head(self.cutoff)
        hits = top.hits(self.rel)
        first = hits.number == 1
        found = judged.nothing()
        found[hits.run[first]] = judged.number(1) / top.ranks()[hits.place[first]]
        return found

    def parts(self, judged: JudgedLists) -> Parts:
        top = judged.head(self.cutoff)
        gain = top.gains(self.table(judged))[0]
        first = np.cumsum(gain) <= 1
        return Parts(gain, np.where(first & (gain > 0), 1 / top.ranks(), 0.0))


@dataclass(frozen=True, kw_only=True)
class RPrecision(BinaryMeasure):
    """Precision at R, the number of relevant documents of the topic."""

    symbol: ClassVar[str] = "Rprec"
    additive: ClassVar[bool] = True
    title: ClassVar[str] = "R-precision"
    formula: ClassVar[str] = r"\mathrm{Rprec} = \frac{1}{R}\sum_{i=1}^{R} r_i"
    source: ClassVar[str] = "trec_eval's Rprec"
    cut: ClassVar[str] = "none"

    def evaluate(self, judged: JudgedLists) -> Array:
        base, hits = self.recall_base(judged), judged.hits(self.rel)
        return judged.share(judged.whole_numbers(hits.chosen(hits.place < base[hits.run]).counts), base)

    def parts(self, judged: JudgedLists) -> Parts:
        gain, base = judged.gains(self.table(judged))[0], self.recall_base(judged)[0]
        return Parts(gain, (np.arange(len(gain)) < base).astype(np.float64)).over(base)


@dataclass(frozen=True, kw_only=True)
class Bpref(BinaryMeasure):
    """Binary preference: how rarely a judged non-relevant document is ranked above a relevant one.

    Documents without a judgment, or judged below zero, are ignored, as in trec_eval.
    """

    symbol: ClassVar[str] = "Bpref"
    title: ClassVar[str] = "Binary preference"
    formula: ClassVar[str] = (
        r"\mathrm{bpref} = \frac{1}{R}\sum_{r}\Bigl(1 - \frac{\min(|n \text{ above } r|, R)}{\min(R, N)}\Bigr)"
    )
    source: ClassVar[str] = "Buckley and Voorhees 2004; trec_eval's bpref"
    two_ranks: ClassVar[str] = "ordinal"
    ignores_unjudged: ClassVar[bool] = True
    cut: ClassVar[str] = "none"

    def evaluate(self, judged: JudgedLists) -> Array:
        base, hits, bound = self.recall_base(judged), judged.hits(self.rel), self.bound(judged)
        above = np.minimum(judged.whole_numbers(judged.above(hits, self.unwanted(judged))), base[hits.run])
        return judged.share(hits.total(1 - above / bound[hits.run]), base)

    def unwanted(self, judged: JudgedLists) -> Array:
        """topics × documents: true where a document was judged, at zero or more, and is not relevant."""
        return np.array([not worth for worth in self.table(judged)] + [False])[np.maximum(judged.labels, -1)]

    def bound(self, judged: JudgedLists) -> Array:
        """By list, min(R, N), and 1 for 0: then nothing stands above."""
        base = self.recall_base(judged)
        return np.maximum(np.minimum(base, judged.pool().sum(axis=1) - base), 1)

    def parts(self, judged: JudgedLists) -> Parts:
        gain = judged.gains(self.table(judged))[0]
        passed, base = judged.lists.marks(self.unwanted(judged))[0], self.recall_base(judged)[0]
        return Parts(gain, 1 - np.minimum(np.cumsum(passed), base) / self.bound(judged)[0]).over(base)


@dataclass(frozen=True, kw_only=True)
class Success(BinaryMeasure):
    """1 if a relevant document is among the first k, else 0 (hit rate); without a cutoff, anywhere in the list."""

    symbol: ClassVar[str] = "Success"
    title: ClassVar[str] = "Success at the cutoff"
    formula: ClassVar[str] = r"\mathrm{Success} = \max_{i \le k} r_i"
    source: ClassVar[str] = "trec_eval's success"
    many_ranks: ClassVar[str] = "A second relevant document adds nothing; the total order distinguishes the runs."

    def evaluate(self, judged: JudgedLists) -> Array:
        return judged.whole_numbers((judged.head(self.cutoff).hits(self.rel).counts > 0).astype(np.int64))

    def parts(self, judged: JudgedLists) -> Parts:
        gain = judged.head(self.cutoff).gains(self.table(judged))[0]
        first = (np.cumsum(gain) <= 1) & (gain > 0)
        return Parts(gain, first.astype(np.float64))


@dataclass(frozen=True, kw_only=True)
class InterpolatedPrecision(BinaryMeasure):
    """The highest precision at any rank from the one on at which the recall is reached; 0 if it never is.

    A recall of x is reached with ⌊x·RB + 0.9⌋ relevant documents, as in trec_eval up to 9 and pytrec_eval, and with
    one at least; the outputs that trec_eval 10 is tested with have ⌊x·RB + 0.5⌋.  The mean over the recalls 0, 0.1,
    …, 1 is the 11-point average precision.
    """

    symbol: ClassVar[str] = "IPrec"
    title: ClassVar[str] = "Interpolated precision"
    formula: ClassVar[str] = r"\mathrm{IPrec}(x) = \max_{n:\, R(n) \ge x} \mathrm{P}(n)"
    source: ClassVar[str] = "trec_eval's iprec_at_recall"
    cut: ClassVar[str] = "none"
    recall: float = parameter(0.1, Real(low=0, high=1, step=0.1), "The recall to be reached.", shown=True)

    def needed(self, judged: JudgedLists) -> Array:
        """By list, the number of relevant documents that reach the recall."""
        base = self.recall_base(judged).astype(np.float64)
        return np.maximum(np.floor(self.recall * base + 0.9), 1)

    def evaluate(self, judged: JudgedLists) -> Array:
        hits = judged.hits(self.rel)
        reached = hits.number >= self.needed(judged)[hits.run]
        precision = judged.whole_numbers(hits.number) / judged.ranks()[hits.place]
        best = judged.nothing()
        np.maximum.at(best, hits.run[reached], precision[reached])
        return best

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        found = super().scale(grades, depth)
        if depth == 1 and self.recall > _EVERYWHERE:
            return replace(found, kind="neither", reason="One document may not reach the recall.", proved_from=None)
        return found
