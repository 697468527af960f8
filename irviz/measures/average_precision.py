"""Binary measures along the ranking: AP, RR, R-precision and bpref, as trec_eval computes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irviz.measures.base import Measure, Scale, rel_parameter
from irviz.measures.judged import Array, Judged
from irviz.measures.scale_facts import precision_scale
from irviz.portable import total


@dataclass(frozen=True, kw_only=True)
class BinaryMeasure(Measure):
    """Base: a threshold on the grades, and the recall base it leaves."""

    group: ClassVar[str] = "Rank-based, binary"
    rel: float = rel_parameter()

    two_ranks: ClassVar[str] = "neither"  #: the scale type on two ranks and two grades

    def recall_base(self, judged: Judged) -> int:
        return int(judged.pool_gain(judged.binary(self.rel)))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        return precision_scale(Judged.of_grades(grades).binary(self.rel), self.depth_seen(depth), self.two_ranks)


@dataclass(frozen=True, kw_only=True)
class AP(BinaryMeasure):
    """Average precision: the mean, over all relevant documents, of the precision where each is found.

    A relevant document that is not retrieved adds 0; the denominator is the number of
    relevant documents of the topic also under a cutoff (trec_eval's map and map_cut).
    """

    symbol: ClassVar[str] = "AP"
    title: ClassVar[str] = "Average precision"
    formula: ClassVar[str] = r"\mathrm{AP} = \frac{1}{\mathrm{RB}}\sum_{n} r[n]\,\frac{1}{n}\sum_{m \le n} r[m]"
    source: ClassVar[str] = "Ferrante et al. 2014, eq. (1); Ferrante et al. 2019, section 4.1.2; trec_eval's map"
    two_ranks: ClassVar[str] = "ordinal"

    def evaluate(self, judged: Judged) -> Array:
        top = judged.head(self.cutoff)
        run, place, number = top.hits(self.rel)
        precision: Array = np.zeros(top.ranking.shape, dtype=judged.dtype)
        precision[run, place] = number / top.ranks()[place]
        return judged.share(total(precision), judged.pool_gain(judged.binary(self.rel)))


@dataclass(frozen=True, kw_only=True)
class RR(BinaryMeasure):
    """Reciprocal rank: one over the rank of the first relevant document, 0 without one."""

    symbol: ClassVar[str] = "RR"
    title: ClassVar[str] = "Reciprocal rank"
    formula: ClassVar[str] = r"\mathrm{RR} = 1 / \min\{i : r[i] = 1\}"
    source: ClassVar[str] = "trec_eval's recip_rank"

    def evaluate(self, judged: Judged) -> Array:
        top = judged.head(self.cutoff)
        hits = top.relevant(self.rel) > 0
        first = judged.number(1) / top.ranks()
        return np.where(hits.any(axis=1), first[hits.argmax(axis=1)], judged.number(0))


@dataclass(frozen=True, kw_only=True)
class RPrecision(BinaryMeasure):
    """Precision at R, the number of relevant documents of the topic."""

    symbol: ClassVar[str] = "Rprec"
    additive: ClassVar[bool] = True
    title: ClassVar[str] = "R-precision"
    formula: ClassVar[str] = r"\mathrm{Rprec} = \frac{1}{R}\sum_{i=1}^{R} r_i"
    source: ClassVar[str] = "trec_eval's Rprec"
    cut: ClassVar[str] = "none"

    def evaluate(self, judged: Judged) -> Array:
        base = self.recall_base(judged)
        found = judged.relevant(self.rel)[:, :base].sum(axis=1)
        return judged.share(found, judged.number(base))


@dataclass(frozen=True, kw_only=True)
class Bpref(BinaryMeasure):
    """Binary preference: how seldom a judged non-relevant document stands above a relevant one.

    Documents without a judgment, or judged below zero, are passed over, as in trec_eval.
    """

    symbol: ClassVar[str] = "Bpref"
    title: ClassVar[str] = "Binary preference"
    formula: ClassVar[str] = (
        r"\mathrm{bpref} = \frac{1}{R}\sum_{r}\Bigl(1 - \frac{\min(|n \text{ above } r|, R)}{\min(R, N)}\Bigr)"
    )
    source: ClassVar[str] = "Buckley and Voorhees 2004; trec_eval's bpref"
    two_ranks: ClassVar[str] = "ordinal"
    cut: ClassVar[str] = "none"

    def evaluate(self, judged: Judged) -> Array:
        base = self.recall_base(judged)
        bound = min(base, int(judged.pool().sum()) - base)
        nonrelevant = judged.judged_nonrelevant(self.rel)
        run, place, _ = judged.hits(self.rel)
        passed = np.flatnonzero(nonrelevant)
        start = np.searchsorted(passed, judged.depth * np.arange(judged.runs))
        above = np.minimum(np.searchsorted(passed, judged.depth * run + place) - start[run], base)
        worth: Array = np.zeros(judged.ranking.shape, dtype=judged.dtype)
        worth[run, place] = 1 - above / judged.number(max(bound, 1))  # with bound 0 nothing stands above
        return judged.share(total(worth), judged.number(base))
