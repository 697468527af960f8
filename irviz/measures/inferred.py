"""Average precision inferred from a sample of the judgments: infAP, and xinfAP for stratified samples.

A grade below zero marks a document that was in the pool but not in the sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from irviz.collection.codes import ABSENT
from irviz.measures.arithmetic import Array, fraction
from irviz.measures.average_precision import BinaryMeasure
from irviz.measures.judged import JudgedLists, ListedDocuments, Topics
from irviz.measures.language.base import Parts
from irviz.measures.language.parameters import Name, parameter

SMOOTHING = 1e-5  #: of both tools: where nothing was sampled, half of the pool is taken to be relevant


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

    def strata(self, topic: Topics) -> Array:
        """topics × documents: the number of the stratum, from 0."""
        return np.zeros(topic.aspect(self.aspect).labels.shape, dtype=np.intp)

    def score(self, topic: Topics) -> Array:
        judged = topic.aspect(self.aspect)
        found, worth, relevant = self.expected(judged, self.strata(topic))
        return judged.share(found.total(worth), relevant)

    def parts_of(self, topic: Topics) -> Parts:
        judged = topic.aspect(self.aspect)
        found, worth, relevant = self.expected(judged, self.strata(topic))
        adds = np.zeros(judged.depth)
        adds[found.place] = worth / (relevant[0] or 1)
        return Parts.of_sums(judged.gains(self.table(judged))[0], adds)

    def expected(self, judged: JudgedLists, strata: Array) -> tuple[ListedDocuments, Array, Array]:
        """The relevant documents of the lists; what each adds, by sampling rates; and by list, the estimate of R."""
        hits, labels = judged.hits(self.rel), judged.labels
        relevant = np.array([*map(bool, judged.binary(self.rel)), False, False])[labels]
        sampled, pooled = labels >= 0, labels > ABSENT
        whose = strata.ravel()[hits.document] if len(hits.document) else hits.document
        above: Array = np.full(len(hits.run), judged.number(0), dtype=judged.dtype)
        share: Array = np.full(len(hits.run), judged.number(1), dtype=judged.dtype)
        base = judged.nothing()
        tiny: Any = fraction(SMOOTHING) if judged.exact else SMOOTHING
        strata_seen = range(int(strata.max(initial=0)) + 1)
        for one in strata_seen:
            here = strata == one
            those = (judged.above(hits, which & here) for which in (pooled, sampled, relevant))
            pool, known, good = map(judged.whole_numbers, those)
            above = above + pool * (good + tiny) / (known + 2 * tiny)
            size, seen, many = ((which & here).sum(axis=1)[judged.topic] for which in (pooled, sampled, relevant))
            inverse = judged.share(judged.whole_numbers(size), judged.whole_numbers(seen))
            if len(strata_seen) == 1:  # the rate would cancel, but for rounding
                inverse = judged.whole_numbers(np.ones_like(size))
            base = base + judged.whole_numbers(many) * inverse
            share = np.where(whose == one, inverse[hits.run], share)
        return hits, share * (1 + above) / judged.ranks()[hits.place], base


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
        None, Name(optional=True), "The aspect whose grades are the strata; by default there is one."
    )

    def strata(self, topic: Topics) -> Array:
        if self.by is None:
            return super().strata(topic)
        return np.maximum(topic.aspect(self.by).labels, 0).astype(np.intp)
