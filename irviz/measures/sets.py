"""Set-based measures: the retrieved documents count, their order does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from irviz.measures.arithmetic import Array
from irviz.measures.judged import Judged
from irviz.measures.language.base import Measure, Parts, Scale, gains_parameter, rel_parameter
from irviz.measures.scale_facts import set_scale


@dataclass(frozen=True, kw_only=True)
class SetMeasure(Measure):
    """Base of the binary set-based measures: a threshold, and the number found above it."""

    group: ClassVar[str] = "Set-based"
    set_based: ClassVar[bool] = True
    additive: ClassVar[bool] = True
    orders: ClassVar[str] = "set"
    rel: float = rel_parameter()

    def found(self, judged: Judged) -> Array:
        """Relevant documents among the first `cutoff`, by list."""
        return judged.whole_numbers(judged.head(self.cutoff).hits(self.rel).counts)

    def gain_by_rank(self, judged: Judged) -> Array:
        """By rank of the only list, 1 for a relevant document."""
        return judged.head(self.cutoff).relevant(self.rel)[0]

    def length(self, judged: Judged) -> Any:
        return judged.number(self.cutoff or judged.depth)

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        return set_scale(Judged.of_grades(grades).binary(self.rel), self.depth_seen(depth))


@dataclass(frozen=True, kw_only=True)
class Precision(SetMeasure):
    """Share of the first k documents that are relevant; without a cutoff k is the collection's depth.

    A list shorter than k is treated as if documents that are not relevant followed.
    """

    symbol: ClassVar[str] = "P"
    title: ClassVar[str] = "Precision"
    formula: ClassVar[str] = r"\mathrm{P} = \frac{1}{k}\sum_{i=1}^{k} r_i"
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.1.1; trec_eval's P"
    ideal_is_one: ClassVar[bool] = False

    def evaluate(self, judged: Judged) -> Array:
        return self.found(judged) / self.length(judged)

    def parts(self, judged: Judged) -> Parts:
        gain = self.gain_by_rank(judged)
        return Parts(gain, np.ones(len(gain)) / self.length(judged))


@dataclass(frozen=True, kw_only=True)
class Recall(SetMeasure):
    """Share of the relevant documents that are among the first k; 0 for a topic without any."""

    symbol: ClassVar[str] = "R"
    title: ClassVar[str] = "Recall"
    formula: ClassVar[str] = r"\mathrm{R} = \frac{1}{\mathrm{RB}}\sum_{i=1}^{k} r_i"
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.1.1; trec_eval's recall"

    def evaluate(self, judged: Judged) -> Array:
        return judged.share(self.found(judged), judged.pool_gain(judged.binary(self.rel)))

    def parts(self, judged: Judged) -> Parts:
        gain = self.gain_by_rank(judged)
        return Parts(gain, np.repeat(judged.share(1.0, judged.pool_gain(judged.binary(self.rel))), len(gain)))


@dataclass(frozen=True, kw_only=True)
class FMeasure(SetMeasure):
    """Harmonic mean of precision and recall of the first k documents (F1)."""

    symbol: ClassVar[str] = "F"
    title: ClassVar[str] = "F-measure"
    formula: ClassVar[str] = (
        r"\mathrm{F} = \frac{2\,\mathrm{P}\,\mathrm{R}}{\mathrm{P}+\mathrm{R}} = \frac{2\sum r_i}{k+\mathrm{RB}}"
    )
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.2.1"
    ideal_is_one: ClassVar[bool] = False

    def evaluate(self, judged: Judged) -> Array:
        relevant = judged.pool_gain(judged.binary(self.rel))
        return 2 * self.found(judged) / (self.length(judged) + relevant)

    def parts(self, judged: Judged) -> Parts:
        gain, relevant = self.gain_by_rank(judged), judged.pool_gain(judged.binary(self.rel))
        return Parts(gain, np.repeat(2 / (self.length(judged) + relevant), len(gain)))


@dataclass(frozen=True, kw_only=True)
class GradedSetMeasure(Measure):
    """Base of the graded set-based measures: the gain of the first k documents."""

    group: ClassVar[str] = "Set-based"
    set_based: ClassVar[bool] = True
    additive: ClassVar[bool] = True
    orders: ClassVar[str] = "set"
    gains: Any = gains_parameter(shares=True)

    def gain(self, judged: Judged) -> Array:
        return judged.head(self.cutoff).found_gain(judged.gain_shares(self.gains))

    def gain_by_rank(self, judged: Judged) -> Array:
        """By rank of the only list, the gain of its document."""
        return judged.head(self.cutoff).gains(judged.gain_shares(self.gains))[0]

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        return set_scale(Judged.of_grades(grades).gain_shares(self.gains), self.depth_seen(depth))


@dataclass(frozen=True, kw_only=True)
class GeneralisedPrecision(GradedSetMeasure):
    """Mean gain of the first k documents, divided by the maximum gain (Kekäläinen and Järvelin 2002)."""

    symbol: ClassVar[str] = "gP"
    title: ClassVar[str] = "Generalised precision"
    formula: ClassVar[str] = r"\mathrm{gP} = \frac{1}{k}\sum_{i=1}^{k} \frac{g(\hat r_i)}{g(a_c)}"
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.1.1"
    ideal_is_one: ClassVar[bool] = False

    def evaluate(self, judged: Judged) -> Array:
        return self.gain(judged) / judged.number(self.cutoff or judged.depth)

    def parts(self, judged: Judged) -> Parts:
        gain = self.gain_by_rank(judged)
        return Parts(gain, np.ones(len(gain)) / float(self.cutoff or judged.depth))


@dataclass(frozen=True, kw_only=True)
class GeneralisedRecall(GradedSetMeasure):
    """Gain of the first k documents as a share of the gain of all judged ones.

    Gains and recall base are both divided by the maximum gain, so that it equals
    recall on binary grades and a complete list scores 1.  (The equation as printed divides
    the gains only.)
    """

    symbol: ClassVar[str] = "gR"
    title: ClassVar[str] = "Generalised recall"
    formula: ClassVar[str] = r"\mathrm{gR} = \frac{\sum_{i=1}^{k} g(\hat r_i)}{\sum_{d} g(d)}"
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.1.1"

    def evaluate(self, judged: Judged) -> Array:
        return judged.share(self.gain(judged), judged.pool_gain(judged.gain_shares(self.gains)))

    def parts(self, judged: Judged) -> Parts:
        gain = self.gain_by_rank(judged)
        return Parts(gain, np.repeat(judged.share(1.0, judged.pool_gain(judged.gain_shares(self.gains))), len(gain)))
