"""Set-based measures: the retrieved documents count, their order does not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from irviz.collection.codes import ABSENT
from irviz.measures.arithmetic import Array
from irviz.measures.judged_lists import JudgedLists
from irviz.measures.language.base import Measure, Parts, Scale, gains_parameter, rel_parameter
from irviz.measures.language.parameters import Real, parameter
from irviz.measures.scale_facts import BY_FORMULA, CONSTANT, set_scale


@dataclass(frozen=True, kw_only=True)
class SetMeasure(Measure):
    """Base: the summed worth of the documents found, over a divisor."""

    group: ClassVar[str] = "Set-based"
    set_based: ClassVar[bool] = True
    additive: ClassVar[bool] = True
    averages_ties: ClassVar[bool] = True
    orders: ClassVar[str] = "set"
    closed_form: ClassVar[str] = "count"

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        """The worth of every grade level."""
        raise TypeError(f"{type(self).__name__} defines no worth.")

    def found_worth(self, lists: JudgedLists) -> Array:
        """By list, the worth of its first `cutoff` documents."""
        top = lists.head(self.cutoff)
        return top.gain_of(top.found_levels(), self.table(lists))

    def base(self, lists: JudgedLists) -> Array:
        """By list, the worth of all documents of its topic: the recall base."""
        return lists.pool_gain(self.table(lists))

    def length(self, lists: JudgedLists) -> Array:
        """By list, the number of documents that count: k, or without a cutoff all retrieved."""
        if self.cut == "none":
            return lists.whole_numbers(lists.lengths)
        return np.full(lists.runs, lists.number(self.cutoff or lists.depth), dtype=lists.dtype)

    def divisor(self, lists: JudgedLists) -> Array:
        """By list, the divisor, by default the length; the score is 0 where it is 0."""
        return self.length(lists)

    def evaluate(self, lists: JudgedLists) -> Array:
        top = lists.head(self.cutoff)
        found = top.expected_gain(self.table(lists), np.ones(top.depth)) if top.tied else self.found_worth(lists)
        return lists.share(self.times(lists) * found, self.divisor(lists))

    def times(self, lists: JudgedLists) -> Any:
        """How often each document found counts."""
        return lists.number(1)

    def parts(self, lists: JudgedLists) -> Parts:
        gain = lists.head(self.cutoff).gains(self.table(lists))[0]
        return Parts(gain, np.repeat(lists.share(self.times(lists), self.divisor(lists)), len(gain)))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        return set_scale(self.table(JudgedLists.of_grades(grades)), self.depth_seen(depth))


@dataclass(frozen=True, kw_only=True)
class BinarySetMeasure(SetMeasure):
    """Base of set-based measures that count relevant documents."""

    rel: float = rel_parameter()

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        return lists.binary(self.rel)

    def found_worth(self, lists: JudgedLists) -> Array:
        return lists.whole_numbers(lists.head(self.cutoff).hits(self.rel).counts)


@dataclass(frozen=True, kw_only=True)
class Precision(BinarySetMeasure):
    """Share of the first k documents that are relevant; without a cutoff k is the collection's depth.

    A list shorter than k is treated as if documents that are not relevant followed.
    """

    symbol: ClassVar[str] = "P"
    title: ClassVar[str] = "Precision"
    formula: ClassVar[str] = r"\mathrm{P} = \frac{1}{k}\sum_{i=1}^{k} r_i"
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.1.1; trec_eval's P"
    ideal_is_one: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class Recall(BinarySetMeasure):
    """Share of the relevant documents that are among the first k; 0 for a topic without any."""

    symbol: ClassVar[str] = "R"
    title: ClassVar[str] = "Recall"
    formula: ClassVar[str] = r"\mathrm{R} = \frac{1}{\mathrm{RB}}\sum_{i=1}^{k} r_i"
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.1.1; trec_eval's recall"

    def divisor(self, lists: JudgedLists) -> Array:
        return self.base(lists)


@dataclass(frozen=True, kw_only=True)
class FMeasure(BinarySetMeasure):
    """Harmonic mean of precision and recall of the first k documents; recall counts beta² times as much."""

    symbol: ClassVar[str] = "F"
    title: ClassVar[str] = "F-measure"
    formula: ClassVar[str] = (
        r"\mathrm{F} = \frac{(1+\beta^2)\,\mathrm{P}\,\mathrm{R}}{\beta^2\,\mathrm{P}+\mathrm{R}}"
        r" = \frac{(1+\beta^2)\sum r_i}{k+\beta^2\,\mathrm{RB}}"
    )
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.2.1"
    ideal_is_one: ClassVar[bool] = False
    beta: float = parameter(
        1.0, Real(low=0, high=1000, step=0.5, slider=(0, 4)), "Recall counts beta² times as much as precision."
    )

    def times(self, lists: JudgedLists) -> Any:
        return 1 + lists.number(self.beta) * lists.number(self.beta)

    def divisor(self, lists: JudgedLists) -> Array:
        return self.length(lists) + lists.number(self.beta) * lists.number(self.beta) * self.base(lists)


@dataclass(frozen=True, kw_only=True)
class GradedSetMeasure(SetMeasure):
    """Base of set-based measures that add up gains, each divided by the maximum gain."""

    gains: Any = gains_parameter(shares=True)

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        return lists.gain_shares(self.gains)


@dataclass(frozen=True, kw_only=True)
class GeneralisedPrecision(GradedSetMeasure):
    """Mean gain of the first k documents, divided by the maximum gain (Kekäläinen and Järvelin 2002)."""

    symbol: ClassVar[str] = "gP"
    title: ClassVar[str] = "Generalised precision"
    formula: ClassVar[str] = r"\mathrm{gP} = \frac{1}{k}\sum_{i=1}^{k} \frac{g(\hat r_i)}{g(a_c)}"
    source: ClassVar[str] = "Ferrante et al. 2019, section 4.1.1"
    ideal_is_one: ClassVar[bool] = False


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

    def divisor(self, lists: JudgedLists) -> Array:
        return self.base(lists)


@dataclass(frozen=True, kw_only=True)
class SetPrecision(Precision):
    """Share of the retrieved documents that are relevant, however many were retrieved; 0 for an empty list.

    Retrieved are the ranks that the collection keeps (``depth``).
    """

    symbol: ClassVar[str] = "SetP"
    title: ClassVar[str] = "Precision of the retrieved set"
    formula: ClassVar[str] = r"\mathrm{SetP} = \frac{1}{|L|}\sum_{i=1}^{|L|} r_i"
    source: ClassVar[str] = "trec_eval's set_P"
    cut: ClassVar[str] = "none"
    additive: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class SetRecall(Recall):
    """Share of the relevant documents that are retrieved, as R without a cutoff; 0 for a topic without any."""

    symbol: ClassVar[str] = "SetR"
    title: ClassVar[str] = "Recall of the retrieved set"
    formula: ClassVar[str] = r"\mathrm{SetR} = \frac{1}{\mathrm{RB}}\sum_{i=1}^{|L|} r_i"
    source: ClassVar[str] = "trec_eval's set_recall"
    cut: ClassVar[str] = "none"
    additive: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class SetF(FMeasure):
    """Harmonic mean of SetP and SetR, where SetR counts beta² times as much; 0 if nothing relevant is retrieved.

    trec_eval's parameter of set_F is beta².
    """

    symbol: ClassVar[str] = "SetF"
    title: ClassVar[str] = "F-measure of the retrieved set"
    formula: ClassVar[str] = r"\mathrm{SetF} = \frac{(1+\beta^2)\sum_{i=1}^{|L|} r_i}{|L|+\beta^2\,\mathrm{RB}}"
    source: ClassVar[str] = "trec_eval's set_F"
    cut: ClassVar[str] = "none"
    additive: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class SetAP(SetPrecision):
    """Precision of the retrieved set times its recall: AP if every retrieved relevant document had that precision."""

    symbol: ClassVar[str] = "SetAP"
    title: ClassVar[str] = "Average precision of the retrieved set"
    formula: ClassVar[str] = r"\mathrm{SetAP} = \mathrm{SetP} \cdot \mathrm{SetR}"
    source: ClassVar[str] = "trec_eval's set_map"
    closed_form: ClassVar[str] = ""

    def times(self, lists: JudgedLists) -> Any:
        return lists.share(self.found_worth(lists), self.base(lists))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        scale = super().scale(grades, depth)
        if scale.kind != "interval" or depth == 1:
            return scale
        return Scale("ordinal", "It grows with the square of the number of relevant documents.", BY_FORMULA, 2)


@dataclass(frozen=True, kw_only=True)
class NumRel(Measure):
    """Number of relevant documents of the topic, the same for every list."""

    symbol: ClassVar[str] = "NumRel"
    title: ClassVar[str] = "Relevant documents"
    group: ClassVar[str] = "Set-based"
    formula: ClassVar[str] = r"\mathrm{NumRel} = \mathrm{RB}"
    source: ClassVar[str] = "trec_eval's num_rel"
    cut: ClassVar[str] = "none"
    set_based: ClassVar[bool] = True
    ideal_is_one: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    judged_only: bool = field(default=False, init=False)
    rel: float = rel_parameter()

    def evaluate(self, lists: JudgedLists) -> Array:
        return lists.pool_gain(lists.binary(self.rel))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        return CONSTANT


@dataclass(frozen=True, kw_only=True)
class NumRet(SetMeasure):
    """Number of retrieved documents; with `rel`, of those with at least this grade.

    Retrieved are the ranks that the collection keeps (``depth``).
    """

    symbol: ClassVar[str] = "NumRet"
    title: ClassVar[str] = "Retrieved documents"
    formula: ClassVar[str] = r"\mathrm{NumRet} = |L|, \quad \mathrm{NumRet(rel)} = \sum_{i=1}^{|L|} r_i"
    source: ClassVar[str] = "trec_eval's num_ret and num_rel_ret"
    cut: ClassVar[str] = "none"
    additive: ClassVar[bool] = False
    ideal_is_one: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    constant: ClassVar[bool] = True  #: not 0 where nothing is relevant
    rel: float | None = parameter(
        None, Real(low=0, open_low=True, step=1, optional=True), "Relevant from: the smallest grade that is counted."
    )

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        return lists.binary(self.rel) if self.rel else (lists.number(1),) * len(lists.grades)

    def found_worth(self, lists: JudgedLists) -> Array:
        return super().found_worth(lists) if self.rel else self.length(lists)

    def divisor(self, lists: JudgedLists) -> Array:
        return lists.nothing() + 1


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
    judged_only: bool = field(default=False, init=False)

    def evaluate(self, lists: JudgedLists) -> Array:
        top = lists.head(self.cutoff)
        known = top.ranked_lists.marks(top.labels > ABSENT).sum(axis=1)
        return lists.share(lists.whole_numbers(known), top.lengths)

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        return Scale("neither", "It ignores grades, so all runs of judged documents tie.", "its formula")
