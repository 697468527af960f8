"""Measures of trec_eval and ir_measures that look at little of a list: its set, its best point, its judgments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from irviz.collection.codes import ABSENT, BEYOND
from irviz.measures.arithmetic import Array
from irviz.measures.average_precision import BinaryMeasure
from irviz.measures.judged import Judged
from irviz.measures.language.base import Measure, Parts, Scale, parameter
from irviz.measures.language.parameters import Real
from irviz.measures.sets import SetMeasure

_EVERYWHERE = 0.1  #: a recall that one relevant document reaches, in pools of up to ten of them


def retrieved(judged: Judged) -> Array:
    """By list, the number of its documents, judged or not."""
    return np.asarray((judged.ranking != BEYOND).sum(axis=1))


@dataclass(frozen=True, kw_only=True)
class Success(BinaryMeasure):
    """1 if a relevant document is among the first k, else 0 (hit rate); without a cutoff, anywhere in the list."""

    symbol: ClassVar[str] = "Success"
    title: ClassVar[str] = "Success at the cutoff"
    formula: ClassVar[str] = r"\mathrm{Success} = \max_{i \le k} r_i"
    source: ClassVar[str] = "trec_eval's success"
    many_ranks: ClassVar[str] = "A second relevant document adds nothing; the total order distinguishes the runs."

    def evaluate(self, judged: Judged) -> Array:
        return judged.whole_numbers((judged.head(self.cutoff).hits(self.rel).counts > 0).astype(np.int64))

    def parts(self, judged: Judged) -> Parts:
        gain = judged.head(self.cutoff).relevant(self.rel)[0]
        first = (np.cumsum(gain) <= 1) & (gain > 0)
        return Parts(gain, first.astype(np.float64))


@dataclass(frozen=True, kw_only=True)
class InterpolatedPrecision(BinaryMeasure):
    """The highest precision at any rank from the one on at which the recall is reached; 0 if it never is.

    A recall of x is reached with ⌊x·RB + 0.9⌋ relevant documents, as in trec_eval up to 9 and pytrec_eval, and with
    one at least; the outputs that trec_eval 10 is tested with have one fewer in places.  The mean over the recalls
    0, 0.1, …, 1 is the 11-point average precision.
    """

    symbol: ClassVar[str] = "IPrec"
    title: ClassVar[str] = "Interpolated precision"
    formula: ClassVar[str] = r"\mathrm{IPrec}(x) = \max_{n:\, R(n) \ge x} \mathrm{P}(n)"
    source: ClassVar[str] = "trec_eval's iprec_at_recall"
    cut: ClassVar[str] = "none"
    recall: float = parameter(0.1, Real(low=0, high=1, step=0.1), "The recall to be reached.", shown=True)

    def needed(self, judged: Judged) -> Array:
        """By list, the number of relevant documents that reach the recall."""
        base = self.recall_base(judged).astype(np.float64)
        return np.maximum(np.floor(self.recall * base + 0.9), 1)

    def evaluate(self, judged: Judged) -> Array:
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


@dataclass(frozen=True, kw_only=True)
class SetPrecision(SetMeasure):
    """Share of the retrieved documents that are relevant, however many were retrieved; 0 for an empty list.

    Retrieved are the ranks that the collection keeps (``depth``).
    """

    symbol: ClassVar[str] = "SetP"
    title: ClassVar[str] = "Precision of the retrieved set"
    formula: ClassVar[str] = r"\mathrm{SetP} = \frac{1}{|L|}\sum_{i=1}^{|L|} r_i"
    source: ClassVar[str] = "trec_eval's set_P"
    cut: ClassVar[str] = "none"
    additive: ClassVar[bool] = False
    ideal_is_one: ClassVar[bool] = False

    def evaluate(self, judged: Judged) -> Array:
        return judged.share(self.found(judged), retrieved(judged))

    def parts(self, judged: Judged) -> Parts:
        gain = self.gain_by_rank(judged)
        return Parts(gain, np.repeat(judged.share(1.0, retrieved(judged)), len(gain)))


@dataclass(frozen=True, kw_only=True)
class SetRecall(SetMeasure):
    """Share of the relevant documents that are retrieved, as R without a cutoff; 0 for a topic without any."""

    symbol: ClassVar[str] = "SetR"
    title: ClassVar[str] = "Recall of the retrieved set"
    formula: ClassVar[str] = r"\mathrm{SetR} = \frac{1}{\mathrm{RB}}\sum_{i=1}^{|L|} r_i"
    source: ClassVar[str] = "trec_eval's set_recall"
    cut: ClassVar[str] = "none"
    additive: ClassVar[bool] = False

    def evaluate(self, judged: Judged) -> Array:
        return judged.share(self.found(judged), judged.pool_gain(judged.binary(self.rel)))

    def parts(self, judged: Judged) -> Parts:
        gain = self.gain_by_rank(judged)
        return Parts(gain, np.repeat(judged.share(1.0, judged.pool_gain(judged.binary(self.rel))), len(gain)))


@dataclass(frozen=True, kw_only=True)
class SetF(SetMeasure):
    """Harmonic mean of SetP and SetR (F1 of the retrieved set); 0 if nothing is retrieved and nothing relevant."""

    symbol: ClassVar[str] = "SetF"
    title: ClassVar[str] = "F-measure of the retrieved set"
    formula: ClassVar[str] = r"\mathrm{SetF} = \frac{2\sum_{i=1}^{|L|} r_i}{|L|+\mathrm{RB}}"
    source: ClassVar[str] = "trec_eval's set_F"
    cut: ClassVar[str] = "none"
    additive: ClassVar[bool] = False
    ideal_is_one: ClassVar[bool] = False

    def whole(self, judged: Judged) -> Array:
        """By list, retrieved and relevant documents, those that are both counted twice."""
        return judged.whole_numbers(retrieved(judged)) + judged.pool_gain(judged.binary(self.rel))

    def evaluate(self, judged: Judged) -> Array:
        return judged.share(2 * self.found(judged), self.whole(judged))

    def parts(self, judged: Judged) -> Parts:
        gain = self.gain_by_rank(judged)
        return Parts(gain, np.repeat(judged.share(2.0, self.whole(judged)), len(gain)))


@dataclass(frozen=True, kw_only=True)
class JudgedShare(Measure):
    """Share of the first k documents that are judged, whatever their grades; of fewer, if fewer were retrieved.

    No measure of quality: it says how far the others can be trusted.
    """

    symbol: ClassVar[str] = "Judged"
    title: ClassVar[str] = "Judged documents"
    group: ClassVar[str] = "Set-based"
    formula: ClassVar[str] = r"\mathrm{Judged} = \frac{|\{i \le k : d_i \text{ is judged}\}|}{\min(k, |L|)}"
    source: ClassVar[str] = "the measure Judged of ir_measures"
    set_based: ClassVar[bool] = True
    ideal_is_one: ClassVar[bool] = False
    constant: ClassVar[bool] = True  #: not 0 where nothing is relevant

    def evaluate(self, judged: Judged) -> Array:
        top = judged.head(self.cutoff)
        known = top.lists.marks(top.labels > ABSENT).sum(axis=1)
        return judged.share(judged.whole_numbers(known), retrieved(top))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        return Scale("neither", "It does not look at grades, so it ties all runs of judged documents.", "its formula")
