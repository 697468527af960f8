"""Binary measures along the ranking, as trec_eval computes them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from irviz.collection.codes import ABSENT
from irviz.collection.ragged import tie_groups
from irviz.measures.arithmetic import Array, fraction
from irviz.measures.judged_lists import JudgedLists, ListedDocuments, Topics
from irviz.measures.language.base import Measure, Parts, Scale, rel_parameter
from irviz.measures.language.parameters import Name, OneOf, Real, parameter
from irviz.measures.scale_facts import BY_FORMULA, LOWER_RANKS_OUTWEIGH, SECTION_4_3, precision_scale

_EVERYWHERE = 0.1  #: a recall that one relevant document reaches, in pools of up to ten of them


@dataclass(frozen=True, kw_only=True)
class BinaryMeasure(Measure):
    """Base: a threshold on the grades, and the recall base it leaves."""

    group: ClassVar[str] = "Rank-based, binary"
    rel: float = rel_parameter()

    two_ranks: ClassVar[str] = "neither"  #: the scale type on two ranks and two grades
    many_ranks: ClassVar[str] = LOWER_RANKS_OUTWEIGH  #: why it breaks the total order on more ranks
    proved_in: ClassVar[str] = BY_FORMULA  #: where its scale type was found

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        """By grade level, 1 where relevant."""
        return lists.binary(self.rel)

    def recall_base(self, lists: JudgedLists) -> Array:
        """By list, the number of relevant documents of its topic."""
        return lists.pool_gain(self.table(lists))

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
    averages_ties: ClassVar[bool] = True
    title: ClassVar[str] = "Average precision"
    precisions: ClassVar[bool] = True
    formula: ClassVar[str] = r"\mathrm{AP} = \frac{1}{\mathrm{RB}}\sum_{n} r[n]\,\frac{1}{n}\sum_{m \le n} r[m]"
    source: ClassVar[str] = "Ferrante et al. 2014, eq. (1); Ferrante et al. 2019, section 4.1.2; trec_eval's map"
    two_ranks: ClassVar[str] = "ordinal"
    proved_in: ClassVar[str] = SECTION_4_3

    def evaluate(self, lists: JudgedLists) -> Array:
        top = lists.head(self.cutoff)
        if top.tied:
            return lists.share(self._expected_sum(top), self.recall_base(lists))
        hits = top.hits(self.rel)
        precision = hits.number / top.ranks()[hits.place]
        return lists.share(hits.total(precision), self.recall_base(lists))

    def _expected_sum(self, top: JudgedLists) -> Array:
        """By list, the sum of precisions, averaged over all orders of tied documents (McSherry and Najork 2008).

        Let b relevant documents be above `size` tied ones, m of them relevant.  Down to one of the m at rank n there
        are on average b + 1 + (m − 1)(n − 1 − first)/(size − 1) relevant documents.
        """
        ties = top.ties(self.table(top))
        groups = tie_groups(ties.run, ties.first)
        above = groups.first[groups.number] - np.searchsorted(ties.run, ties.run)
        others = (groups.sizes[groups.number] - 1) / np.maximum(ties.size - 1, 1)
        inverse, inside = ties.mean_weight(1 / top.ranks()), ties.mean_weight(np.ones(top.depth))
        sums = (above + 1) * inverse + others * (inside - (ties.first + 1) * inverse)
        return np.bincount(ties.run, sums, top.runs)

    def parts(self, lists: JudgedLists) -> Parts:
        top, table = lists.head(self.cutoff), self.table(lists)
        gain = top.gains(table)[0]
        return Parts(gain, np.cumsum(gain) / top.ranks()).divide_by(self.recall_base(lists)[0])


@dataclass(frozen=True, kw_only=True)
class RR(BinaryMeasure):
    """Reciprocal rank: one over the rank of the first relevant document, 0 without one."""

    symbol: ClassVar[str] = "RR"
    averages_ties: ClassVar[bool] = True
    title: ClassVar[str] = "Reciprocal rank"
    formula: ClassVar[str] = r"\mathrm{RR} = 1 / \min\{i : r[i] = 1\}"
    source: ClassVar[str] = "trec_eval's recip_rank"
    many_ranks: ClassVar[str] = (
        "Runs with their first relevant document at the same rank tie; the total order distinguishes them."
    )
    closed_form: ClassVar[str] = "first"

    def evaluate(self, lists: JudgedLists) -> Array:
        top = lists.head(self.cutoff)
        if top.tied:
            return top.expected_stop(self.table(lists), 1 / top.ranks())
        hits = top.hits(self.rel)
        first = hits.number == 1
        scores = lists.nothing()
        scores[hits.run[first]] = lists.number(1) / top.ranks()[hits.place[first]]
        return scores

    def parts(self, lists: JudgedLists) -> Parts:
        top = lists.head(self.cutoff)
        gain = top.gains(self.table(lists))[0]
        first = np.cumsum(gain) <= 1
        return Parts(gain, np.where(first & (gain > 0), 1 / top.ranks(), 0.0))


@dataclass(frozen=True, kw_only=True)
class RPrecision(BinaryMeasure):
    """Precision at R, the number of relevant documents of the topic."""

    symbol: ClassVar[str] = "Rprec"
    averages_ties: ClassVar[bool] = True
    additive: ClassVar[bool] = True
    title: ClassVar[str] = "R-precision"
    formula: ClassVar[str] = r"\mathrm{Rprec} = \frac{1}{R}\sum_{i=1}^{R} r_i"
    source: ClassVar[str] = "trec_eval's Rprec"
    cut: ClassVar[str] = "none"

    def evaluate(self, lists: JudgedLists) -> Array:
        base = self.recall_base(lists)
        if lists.tied:
            ties = lists.ties(self.table(lists))
            inside = np.clip(np.minimum(base[ties.run], lists.depth) - ties.first, 0, ties.size) / ties.size
            return lists.share(np.bincount(ties.run, inside, lists.runs), base)
        hits = lists.hits(self.rel)
        return lists.share(lists.whole_numbers(hits.select(hits.place < base[hits.run]).counts), base)

    def parts(self, lists: JudgedLists) -> Parts:
        gain, base = lists.gains(self.table(lists))[0], self.recall_base(lists)[0]
        return Parts(gain, (np.arange(len(gain)) < base).astype(np.float64)).divide_by(base)


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
    judged_only: bool = field(default=False, init=False)  # it always is

    def evaluate(self, lists: JudgedLists) -> Array:
        base, hits, bound = self.recall_base(lists), lists.hits(self.rel), self.divisor(lists)
        above = np.minimum(lists.whole_numbers(lists.count_above(hits, self.judged_nonrelevant(lists))), base[hits.run])
        return lists.share(hits.total(1 - above / bound[hits.run]), base)

    def judged_nonrelevant(self, lists: JudgedLists) -> Array:
        """topics × documents: true where a document has a grade of at least zero and is not relevant."""
        return np.array([not worth for worth in self.table(lists)] + [False])[np.maximum(lists.labels, -1)]

    def divisor(self, lists: JudgedLists) -> Array:
        """By list, min(R, N), at least 1."""
        base = self.recall_base(lists)
        return np.maximum(np.minimum(base, lists.pool().sum(axis=1) - base), 1)

    def parts(self, lists: JudgedLists) -> Parts:
        gain = lists.gains(self.table(lists))[0]
        passed, base = lists.ranked_lists.marks(self.judged_nonrelevant(lists))[0], self.recall_base(lists)[0]
        return Parts(gain, 1 - np.minimum(np.cumsum(passed), base) / self.divisor(lists)[0]).divide_by(base)


@dataclass(frozen=True, kw_only=True)
class Success(BinaryMeasure):
    """1 if a relevant document is among the first k, else 0 (hit rate); without a cutoff, anywhere in the list."""

    symbol: ClassVar[str] = "Success"
    averages_ties: ClassVar[bool] = True
    title: ClassVar[str] = "Success at the cutoff"
    formula: ClassVar[str] = r"\mathrm{Success} = \max_{i \le k} r_i"
    source: ClassVar[str] = "trec_eval's success"
    many_ranks: ClassVar[str] = "A second relevant document adds nothing; the total order distinguishes the runs."
    closed_form: ClassVar[str] = "any"

    def evaluate(self, lists: JudgedLists) -> Array:
        top = lists.head(self.cutoff)
        if top.tied:
            return top.expected_stop(self.table(lists), np.ones(top.depth))
        return lists.whole_numbers((top.hits(self.rel).counts > 0).astype(np.int64))

    def parts(self, lists: JudgedLists) -> Parts:
        gain = lists.head(self.cutoff).gains(self.table(lists))[0]
        first = (np.cumsum(gain) <= 1) & (gain > 0)
        return Parts(gain, first.astype(np.float64))


@dataclass(frozen=True, kw_only=True)
class InterpolatedPrecision(BinaryMeasure):
    """The highest precision at any rank from the one on at which the recall is reached; 0 if it never is.

    A recall of x is reached with ⌊x·RB + 0.9⌋ relevant documents, as in trec_eval up to 9 and pytrec_eval, and with
    one at least; ``trec_eval='10'`` takes ⌊x·RB + 0.5⌋, as in the outputs that trec_eval 10 is tested with.  The mean
    over the recalls 0, 0.1, …, 1 is the 11-point average precision.
    """

    symbol: ClassVar[str] = "IPrec"
    title: ClassVar[str] = "Interpolated precision"
    formula: ClassVar[str] = r"\mathrm{IPrec}(x) = \max_{n:\, R(n) \ge x} \mathrm{P}(n)"
    source: ClassVar[str] = "trec_eval's iprec_at_recall"
    cut: ClassVar[str] = "none"
    recall: float = parameter(0.1, Real(low=0, high=1, step=0.1), "The recall to be reached.", always_written=True)
    trec_eval: str = parameter(
        "9", OneOf(("9", "10")), "Rounding of trec_eval: '9' takes ⌊x·RB + 0.9⌋ relevant documents, '10' ⌊x·RB + 0.5⌋."
    )

    def evaluate(self, lists: JudgedLists) -> Array:
        hits, base = lists.hits(self.rel), self.recall_base(lists).astype(np.float64)
        needed = np.floor(self.recall * base + (0.9 if self.trec_eval == "9" else 0.5))
        reached = hits.number >= np.maximum(needed, 1)[hits.run]
        precision = lists.whole_numbers(hits.number) / lists.ranks()[hits.place]
        best = lists.nothing()
        np.maximum.at(best, hits.run[reached], precision[reached])
        return best

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        scale = super().scale(grades, depth)
        if depth == 1 and self.recall > _EVERYWHERE:
            return replace(scale, kind="neither", reason="One document may not reach the recall.", proved_from=None)
        return scale


# -- Average precision inferred from a sample of the judgments
#
# A grade below zero marks a document of the pool outside the sample.

SMOOTHING = 1e-5  #: as in both tools: without a sample, half of the pool counts as relevant


@dataclass(frozen=True, kw_only=True)
class InferredAP(BinaryMeasure):
    """Inferred average precision: the precision above each relevant document is estimated from the judged ones there.

    A document with a grade below zero was in the pool but not judged: it counts as relevant with the probability seen
    among the judged documents above.  Documents without any line in the qrels count as not relevant.
    """

    symbol: ClassVar[str] = "infAP"
    title: ClassVar[str] = "Inferred average precision"
    formula: ClassVar[str] = (
        r"\mathrm{infAP} = \frac{1}{R} \sum_{n} r[n] \Bigl(\frac{1}{n} + \frac{n-1}{n} \cdot"
        r"\frac{|\text{pool above}|}{n-1} \cdot \frac{|\text{rel above}| + \varepsilon}"
        r"{|\text{rel above}| + |\text{nonrel above}| + 2\varepsilon}\Bigr)"
    )
    source: ClassVar[str] = "Yilmaz and Aslam 2006; trec_eval's infAP"
    two_ranks: ClassVar[str] = "ordinal"
    cut: ClassVar[str] = "none"
    ideal_is_one: ClassVar[bool] = False
    judged_only: bool = field(default=False, init=False)

    def strata(self, topic: Topics) -> Array:
        """topics × documents: the number of the stratum, from 0."""
        return np.zeros(topic.aspect(self.aspect).labels.shape, dtype=np.intp)

    def score(self, topic: Topics) -> Array:
        lists = topic.aspect(self.aspect)
        hits, worth, relevant = self.estimates(lists, self.strata(topic))
        return lists.share(hits.total(worth), relevant)

    def parts_of(self, topic: Topics) -> Parts:
        lists = topic.aspect(self.aspect)
        hits, worth, relevant = self.estimates(lists, self.strata(topic))
        adds = np.zeros(lists.depth)
        adds[hits.place] = worth / (relevant[0] or 1)
        return Parts.of_sums(lists.gains(self.table(lists))[0], adds)

    def estimates(self, lists: JudgedLists, strata: Array) -> tuple[ListedDocuments, Array, Array]:
        """The relevant documents of the lists; the addend of each, by sampling rates; and by list, the estimate of
        R."""
        hits, labels = lists.hits(self.rel), lists.labels
        relevant = np.array([*map(bool, lists.binary(self.rel)), False, False])[labels]
        sampled, pooled = labels >= 0, labels > ABSENT
        whose = strata.ravel()[hits.document] if len(hits.document) else hits.document
        above: Array = np.full(len(hits.run), lists.number(0), dtype=lists.dtype)
        share: Array = np.full(len(hits.run), lists.number(1), dtype=lists.dtype)
        base = lists.nothing()
        tiny: Any = fraction(SMOOTHING) if lists.exact else SMOOTHING
        strata_seen = range(int(strata.max(initial=0)) + 1)
        for stratum in strata_seen:
            here = strata == stratum
            those = (lists.count_above(hits, which & here) for which in (pooled, sampled, relevant))
            pool, known, good = map(lists.whole_numbers, those)
            above = above + pool * (good + tiny) / (known + 2 * tiny)
            size, assessed, many = ((which & here).sum(axis=1)[lists.topic] for which in (pooled, sampled, relevant))
            inverse = lists.share(lists.whole_numbers(size), lists.whole_numbers(assessed))
            if len(strata_seen) == 1:  # the rate cancels, up to rounding
                inverse = lists.whole_numbers(np.ones_like(size))
            base = base + lists.whole_numbers(many) * inverse
            share = np.where(whose == stratum, inverse[hits.run], share)
        return hits, share * (1 + above) / lists.ranks()[hits.place], base


@dataclass(frozen=True, kw_only=True)
class ExtendedInferredAP(InferredAP):
    """Extended inferred average precision: infAP of a sample that was drawn with another rate from each stratum.

    The grades of the aspect `strata` are the numbers of the strata; qrels with a column for the stratum and one for
    the grade have two aspects.  Without `strata`, the pool is one stratum, and xinfAP is infAP.
    """

    symbol: ClassVar[str] = "xinfAP"
    title: ClassVar[str] = "Extended inferred average precision"
    formula: ClassVar[str] = (
        r"\mathrm{xinfAP} = \frac{1}{\hat R} \sum_{n} \frac{r[n]}{\rho_{s(n)}}\,\frac{1}{n} \Bigl(1 + \sum_{s}"
        r"|\text{pool}_s \text{ above}| \frac{|\text{rel}_s \text{ above}| + \varepsilon}"
        r"{|\text{judged}_s \text{ above}| + 2\varepsilon}\Bigr), \quad \hat R = \sum_s R_s / \rho_s"
    )
    source: ClassVar[str] = "Yilmaz, Kanoulas and Aslam 2008"
    by: str | None = parameter(
        None, Name(optional=True), "The aspect with the numbers of the strata as grades; by default one stratum."
    )

    def strata(self, topic: Topics) -> Array:
        if self.by is None:
            return super().strata(topic)
        return np.maximum(topic.aspect(self.by).labels, 0).astype(np.intp)
