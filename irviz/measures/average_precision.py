"""Binary measures along the ranking: AP, RR, R-precision and bpref, as trec_eval computes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irviz.measures.judged import Array, Judged, ListedDocuments
from irviz.measures.language.base import Measure, Scale, rel_parameter
from irviz.measures.scale_facts import BY_FORMULA, OUTWEIGHED, SECTION_4_3, precision_scale


@dataclass(frozen=True, kw_only=True)
class BinaryMeasure(Measure):
    """Base: a threshold on the grades, and the recall base it leaves."""

    group: ClassVar[str] = "Rank-based, binary"
    rel: float = rel_parameter()

    two_ranks: ClassVar[str] = "neither"  #: the scale type on two ranks and two grades
    many_ranks: ClassVar[str] = OUTWEIGHED  #: why it orders more ranks otherwise than the total order
    proved_in: ClassVar[str] = BY_FORMULA  #: where its scale type was found

    def recall_base(self, judged: Judged) -> int:
        return int(judged.pool_gain(judged.binary(self.rel)))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        table = Judged.of_grades(grades).binary(self.rel)
        return precision_scale(table, self.depth_seen(depth), self.two_ranks, self.many_ranks, self.proved_in)


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
    proved_in: ClassVar[str] = SECTION_4_3

    def evaluate(self, judged: Judged) -> Array:
        top = judged.head(self.cutoff)
        hits = top.hits(self.rel)
        precision = hits.number / top.ranks()[hits.place]
        return judged.share(hits.total(precision), judged.pool_gain(judged.binary(self.rel)))


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

    def evaluate(self, judged: Judged) -> Array:
        top = judged.head(self.cutoff)
        hits = top.hits(self.rel)
        first = hits.number == 1
        found: Array = np.full(judged.runs, judged.number(0), dtype=judged.dtype)
        found[hits.run[first]] = judged.number(1) / top.ranks()[hits.place[first]]
        return found


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
        return judged.share(judged.hits(self.rel).up_to(base).astype(judged.dtype), judged.number(base))


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
    cut: ClassVar[str] = "none"

    def evaluate(self, judged: Judged) -> Array:
        base = self.recall_base(judged)
        bound = min(base, int(judged.pool().sum()) - base)
        hits = judged.hits(self.rel)
        above = np.minimum(_above(hits, judged.judged_nonrelevant(self.rel)), base)
        worth = 1 - above / judged.number(max(bound, 1))  # with bound 0 nothing stands above
        return judged.share(hits.total(worth), judged.number(base))


def _above(documents: ListedDocuments, marked: Array) -> Array:
    """By document, how many of the marks (runs × depth) of its run are above it; counted eight at a time."""
    eights = np.packbits(marked, axis=1)  # the first of eight is the highest bit
    through = np.cumsum(np.bitwise_count(eights), axis=1, dtype=np.int32)
    run, eight, rest = documents.run, documents.place >> 3, documents.place & 7
    return through[run, eight] - np.bitwise_count(eights[run, eight] & (255 >> rest))
