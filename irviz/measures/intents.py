"""Novelty and diversity: measures of several intents of a topic, each of them an aspect.

All are one sum: a document adds, for each intent that it is relevant to, (1 − α)^c times the discount of its rank,
where c documents above it were relevant to that intent.  Intents without a relevant document do not count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from irviz.measures.arithmetic import Array, log2_of_ranks, powers_like
from irviz.measures.average_precision import AP
from irviz.measures.judged_lists import JudgedLists, ListedDocuments, Topics
from irviz.measures.language.base import Measure, Parts, Scale, rel_parameter
from irviz.measures.language.parameters import Real, parameter
from irviz.portable import total


def redundancy_parameter() -> Any:
    """`alpha`: how little a second document of an intent is worth."""
    doc = "Redundancy: each document relevant to an intent leaves the next one 1 − alpha of its worth."
    return parameter(0.5, Real(low=0, high=1, open_high=True), doc)


@dataclass(frozen=True, kw_only=True)
class IntentMeasure(Measure):
    """Base: the discount of a rank, the redundancy of an intent, and the divisor of the sum."""

    group: ClassVar[str] = "Several intents"
    several_aspects: ClassVar[bool] = True
    ideal_is_one: ClassVar[bool] = False
    aspect: str | None = field(default=None, init=False)  # not a parameter here: it looks at all of them
    judged_only: bool = field(default=False, init=False)
    rel: float = rel_parameter()
    alpha: float = field(default=0.5, init=False)

    def discounts(self, lists: JudgedLists, ranks: int) -> Array:
        """By rank, the worth of a document: by default the same at every rank."""
        return lists.whole_numbers(np.ones(ranks, dtype=np.int64))

    def best(self, topic: Topics, lists: JudgedLists) -> Array:
        """By topic, the sum for a whole list of documents relevant to all of its intents."""
        ranks = self.cutoff or lists.depth
        each = self.remaining(lists, ranks) * self.discounts(lists, ranks)
        return lists.whole_numbers(self.relevant(topic).any(axis=1).sum(axis=1)) * total(each)

    def remaining(self, lists: JudgedLists, many: int) -> Array:
        """(1 − α)^c for c = 0, 1, …"""
        return powers_like(lists.nothing(), 1 - lists.number(self.alpha), max(many, 1))

    def lists_by_intent(self, topic: Topics) -> list[JudgedLists]:
        """The lists judged for each intent."""
        names = topic.aspects if len(topic.aspects) > 1 else (None,)
        return [topic.aspect(name) for name in names]

    def relevant(self, topic: Topics) -> Array:
        """topics × documents × intents."""
        by_intent = [
            np.array([*map(bool, lists.binary(self.rel)), False, False])[lists.labels]
            for lists in self.lists_by_intent(topic)
        ]
        return np.stack(by_intent, axis=2)

    def documents_and_worth(self, topic: Topics) -> tuple[ListedDocuments, Array]:
        """The documents that are relevant to any intent, and the worth of each, before any discount."""
        relevant, lists = self.relevant(topic), self.lists_by_intent(topic)[0]
        documents = lists.head(self.cutoff).ranked_lists.find(np.any(relevant, axis=2))
        here = relevant.reshape(-1, relevant.shape[2])[documents.document]
        before = np.cumsum(here, axis=0) - here
        above = before - before[np.arange(len(here)) - documents.number + 1]
        worth = self.remaining(lists, int(above.max(initial=0)) + 1)[above]
        return documents, total(np.where(here, worth, lists.number(0)))

    def score(self, topic: Topics) -> Array:
        lists = self.lists_by_intent(topic)[0]
        documents, worth = self.documents_and_worth(topic)
        discounts = self.discounts(lists, lists.head(self.cutoff).depth)
        return lists.share(documents.total(worth * discounts[documents.place]), self.best(topic, lists)[lists.topic])

    def parts_of(self, topic: Topics) -> Parts:
        lists = self.lists_by_intent(topic)[0]
        documents, worth = self.documents_and_worth(topic)
        gain = np.zeros(lists.head(self.cutoff).depth)
        gain[documents.place] = worth
        return Parts(gain, self.discounts(lists, len(gain)) / (self.best(topic, lists)[0] or 1.0))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        reason = "Documents that are relevant to different intents have no order, so there is no total order of runs."
        return Scale("neither", reason, "its formula", proved_from=None)


@dataclass(frozen=True, kw_only=True)
class OverGreedyIdeal(IntentMeasure):
    """Base of those divided by the score of an ideal list.

    The ideal is greedy, as in ndeval: always the document of the largest gain, of equal ones the last by identifier.
    """

    ideal_is_one: ClassVar[bool] = True
    alpha: float = redundancy_parameter()

    def best(self, topic: Topics, lists: JudgedLists) -> Array:
        gains = self.ideal(self.relevant(topic), lists)
        return total(gains * self.discounts(lists, gains.shape[1]))

    def ideal(self, relevant: Array, lists: JudgedLists) -> Array:
        """topics × ranks: the gains of the greedy ideal lists of documents (topics × documents × intents)."""
        pool, nothing = relevant.any(axis=2), lists.number(0)
        deepest = int(pool.sum(axis=1).max(initial=0))
        first = np.argsort(pool, axis=1, kind="stable")[:, pool.shape[1] - deepest :]  # the relevant ones, in order
        relevant = np.take_along_axis(relevant, first[:, :, None], axis=1)
        pool = np.take_along_axis(pool, first, axis=1)
        shares, rows = self.remaining(lists, deepest + 1), np.arange(len(relevant))
        covered = np.zeros((len(relevant), relevant.shape[2]), dtype=np.intp)
        gains: Array = np.full((len(relevant), min(self.cutoff or deepest, deepest)), nothing, dtype=lists.dtype)
        for rank in range(gains.shape[1]):
            worth = np.where(pool, total(np.where(relevant, shares[covered][:, None], nothing)), nothing)
            best = deepest - 1 - np.argmax(worth[:, ::-1], axis=1)
            gains[:, rank] = worth[rows, best]
            covered += relevant[rows, best] & pool[rows, best][:, None]
            pool[rows, best] = False
        return gains


@dataclass(frozen=True, kw_only=True)
class AlphaNDCG(OverGreedyIdeal):
    """α-nDCG: gain that shrinks with every document relevant to the same intent, over that of an ideal list."""

    symbol: ClassVar[str] = "alpha_nDCG"
    title: ClassVar[str] = "Normalised α-discounted cumulated gain"
    formula: ClassVar[str] = (
        r"\alpha\text{-}\mathrm{nDCG} = \frac{1}{\mathrm{ideal}} \sum_{i} \frac{\sum_s r_s[i]\,(1-\alpha)^{c_s(i)}}"
        r"{\log_2(i+1)}"
    )
    source: ClassVar[str] = "Clarke et al. 2008; ndeval's alpha-nDCG"

    def discounts(self, lists: JudgedLists, ranks: int) -> Array:
        return 1 / log2_of_ranks(lists.nothing(), 2, ranks + 1)


@dataclass(frozen=True, kw_only=True)
class IntentERR(IntentMeasure):
    """Intent-aware ERR: expected reciprocal rank for users of each intent, over the highest that k ranks allow."""

    symbol: ClassVar[str] = "ERR_IA"
    title: ClassVar[str] = "Intent-aware expected reciprocal rank"
    formula: ClassVar[str] = (
        r"\text{ERR-IA} = \frac{1}{S \sum_{i \le k} (1-\alpha)^{i-1}/i} \sum_{i \le k} \frac{1}{i}"
        r" \sum_s r_s[i]\,(1-\alpha)^{c_s(i)}"
    )
    source: ClassVar[str] = "Chapelle et al. 2009; ndeval's ERR-IA"
    alpha: float = redundancy_parameter()

    def discounts(self, lists: JudgedLists, ranks: int) -> Array:
        return lists.number(1) / lists.ranks(ranks)


@dataclass(frozen=True, kw_only=True)
class NormalisedIntentERR(OverGreedyIdeal):
    """Intent-aware ERR over that of an ideal list."""

    symbol: ClassVar[str] = "nERR_IA"
    title: ClassVar[str] = "Normalised intent-aware expected reciprocal rank"
    formula: ClassVar[str] = (
        r"\text{nERR-IA} = \frac{1}{\mathrm{ideal}} \sum_{i} \frac{1}{i} \sum_s r_s[i]\,(1-\alpha)^{c_s(i)}"
    )
    source: ClassVar[str] = "Chapelle et al. 2009; ndeval's nERR-IA"

    def discounts(self, lists: JudgedLists, ranks: int) -> Array:
        return lists.number(1) / lists.ranks(ranks)


@dataclass(frozen=True, kw_only=True)
class NRBP(IntentMeasure):
    """Novelty- and rank-biased precision: RBP of a user who wants one intent, and gains less from each repetition."""

    symbol: ClassVar[str] = "NRBP"
    title: ClassVar[str] = "Novelty- and rank-biased precision"
    formula: ClassVar[str] = (
        r"\mathrm{NRBP} = \frac{1-(1-\alpha)\beta}{S} \sum_{i} \beta^{\,i-1} \sum_s r_s[i]\,(1-\alpha)^{c_s(i)}"
    )
    source: ClassVar[str] = "Clarke, Kolla and Vechtomova 2009; ndeval's NRBP"
    alpha: float = redundancy_parameter()
    beta: float = parameter(
        0.5, Real(0, 1, open_low=True, open_high=True), "Patience: the probability of reading on, p of RBP."
    )

    def discounts(self, lists: JudgedLists, ranks: int) -> Array:
        return powers_like(lists.nothing(), lists.number(self.beta), ranks)

    def best(self, topic: Topics, lists: JudgedLists) -> Array:
        intents = lists.whole_numbers(self.relevant(topic).any(axis=1).sum(axis=1))
        return intents / (1 - (1 - lists.number(self.alpha)) * lists.number(self.beta))


@dataclass(frozen=True, kw_only=True)
class SubtopicRecall(IntentMeasure):
    """Subtopic recall: the share of the intents to which one of the first k documents is relevant."""

    symbol: ClassVar[str] = "StRecall"
    title: ClassVar[str] = "Subtopic recall"
    formula: ClassVar[str] = r"\mathrm{StRecall} = \frac{1}{S} \sum_s \max_{i \le k} r_s[i]"
    source: ClassVar[str] = "Zhai, Cohen and Lafferty 2003; ndeval's strec"
    set_based: ClassVar[bool] = True
    orders: ClassVar[str] = "set"
    ideal_is_one: ClassVar[bool] = True
    alpha: float = field(default=1.0, init=False)


@dataclass(frozen=True, kw_only=True)
class IntentPrecision(IntentMeasure):
    """Intent-aware precision: the mean, over intents, of the share of the first k documents that are relevant to it."""

    symbol: ClassVar[str] = "P_IA"
    title: ClassVar[str] = "Intent-aware precision"
    formula: ClassVar[str] = r"\text{P-IA} = \frac{1}{S k} \sum_s \sum_{i \le k} r_s[i]"
    source: ClassVar[str] = "Agrawal et al. 2009; ndeval's P-IA"
    set_based: ClassVar[bool] = True
    orders: ClassVar[str] = "set"
    alpha: float = field(default=0.0, init=False)


@dataclass(frozen=True, kw_only=True)
class IntentAP(IntentMeasure):
    """Intent-aware average precision: the mean of the AP of each intent that has a relevant document."""

    symbol: ClassVar[str] = "AP_IA"
    title: ClassVar[str] = "Intent-aware average precision"
    formula: ClassVar[str] = r"\text{AP-IA} = \frac{1}{S} \sum_s \mathrm{AP}_s"
    source: ClassVar[str] = "Agrawal et al. 2009; ndeval's MAP-IA"

    def score(self, topic: Topics) -> Array:
        each = [self.of_one.evaluate(lists) for lists in self.lists_by_intent(topic)]
        return total(np.stack(each), axis=0) * self.shares(topic)

    @property
    def of_one(self) -> AP:
        """The measure of one intent."""
        return AP(rel=self.rel, cutoff=self.cutoff)

    def shares(self, topic: Topics) -> Array:
        """By list, the share of each of its topic's intents."""
        lists = self.lists_by_intent(topic)[0]
        intents = self.relevant(topic).any(axis=1).sum(axis=1)[lists.topic]
        return lists.share(lists.number(1), intents)

    def parts_of(self, topic: Topics) -> Parts:
        parts = [self.of_one.parts(lists) for lists in self.lists_by_intent(topic)]
        adds = total(np.stack([gain * weight for gain, weight in parts]), axis=0) * self.shares(topic)[0]
        return Parts.of_sums(np.max([gain for gain, _ in parts], axis=0), adds)
