"""C/W/L/A: any browsing model with any aggregation.

The score is Σ_i L(i) A(i): the probability of stopping at a rank, times the user's aggregate
there.  A list is padded with zero gain to the cutoff, where the user stops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from irviz.errors import IrvizError
from irviz.measures.aggregation import (
    Aggregation,
    CumulatedGain,
    ExpectedRateOfGain,
    MaximumRelevance,
    PeakEnd,
    ReciprocalRank,
    Walk,
    WeightedGains,
)
from irviz.measures.arithmetic import Array
from irviz.measures.browsing import (
    NEGLIGIBLE,
    APModel,
    BPMModel,
    BrowsingModel,
    ERRModel,
    INSQModel,
    INSTModel,
    ModelOnGains,
    PrecisionModel,
    RBPModel,
)
from irviz.measures.judged_lists import JudgedLists
from irviz.measures.language.base import GAINS, OWN_GAINS, Measure, Parts, Scale
from irviz.measures.language.parameters import Subexpression, declarations, parameter, same_parameter
from irviz.measures.scale_facts import CONSTANT, cascade_scale, geometric_scale, precision_scale, set_scale
from irviz.portable import total

DEFAULT_CUTOFF = 1000  # the depth of cwl_eval, and of the paper's runs
DEEPEST = 10_000  # lists are padded to the cutoff
MOST_PROVED = 1000  # ranks over which a proof adds up fractions, whose digits grow with the ranks
NO_PROOF = Scale(
    "neither",
    "No proof: the user adapts to the gains, so steps differ from run to run.",
    "irviz.scale_type enumerates small depths",
    proved_from=None,
)
_NO_FORMULA = f"No proof on runs of more than {MOST_PROVED:,} ranks, and no formula that covers all depths."
TOO_DEEP = replace(NO_PROOF, reason=_NO_FORMULA)


@lru_cache(maxsize=256)
def _fixed_reading_scale(model: BrowsingModel, kind: Aggregation, table: tuple[Fraction, ...], ranks: int) -> Scale:
    """The scale type if every run is read alike: L is the same for all, and the aggregation decides."""
    return kind.scale(model.last(np.zeros((1, ranks), dtype=object))[0], table, model.margin)


ADAPTIVE: dict[tuple[type, type], Callable[[Sequence[Fraction], int | None], Scale]] = {
    (ERRModel, ReciprocalRank): cascade_scale,
    (APModel, ExpectedRateOfGain): lambda table, depth: (
        precision_scale(table, depth, "ordinal") if len(table) <= 2 else NO_PROOF
    ),
}  # the measures of adaptive users with a known scale type


@dataclass(frozen=True, kw_only=True)
class CWLA(Measure):
    """A C/W/L/A measure: browsing model C, aggregation A.

    Gains are x/x_max, or (2^x − 1)/2^x_max with C=ERR; a `gains` list replaces the grades x.
    They are not divided by the maximum gain, which is below 1 with 'exp':
    CWLA(C=RBP,A=ERG) is RBP for 'linear' and for a list, but for 'exp' it is RBP times
    (2^x_max − 1)/2^x_max.  If neither C nor A uses the gains, the score is a constant.
    Nevertheless a topic that a run lacks scores 0.
    """

    symbol: ClassVar[str] = "CWLA"
    deepest: ClassVar[int] = DEEPEST
    title: ClassVar[str] = "C/W/L/A measure"
    group: ClassVar[str] = "Browsing models and aggregations"
    formula: ClassVar[str] = r"M = \sum_{i} L(i)\,A(i), \quad L(i) = (1 - C(i)) \prod_{j<i} C(j)"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (1) and (2)"
    range_note: ClassVar[str] = "With A=ETG, up to the number of documents read on average, V+ (at most the cutoff)."
    ideal_is_one: ClassVar[bool] = False
    C: BrowsingModel = parameter(
        RBPModel(), Subexpression("browsing model"), "How the user reads.", always_written=True
    )
    A: Aggregation = parameter(
        ExpectedRateOfGain(),
        Subexpression("aggregation"),
        "How the user sums up the documents read.",
        always_written=True,
    )
    gains: Any = parameter(
        None,
        OWN_GAINS,
        "What a grade is worth: 'linear' (the default), 'exp' (the default with C=ERR), or one number per grade level.",
    )

    @property
    def set_based(self) -> bool:  # type: ignore[override]
        """True if the order of the documents read does not matter: all k are read, and all count alike."""
        return isinstance(self.C, PrecisionModel) and self.A.whole

    @property
    def orders(self) -> str:  # type: ignore[override]
        return "set" if self.set_based else "rank"

    @property
    def constant(self) -> bool:
        """True if every run scores the same, because neither C nor A depends on gains."""
        return self.A.blind and not self.C.adaptive

    def table(self, lists: JudgedLists) -> tuple[Any, ...]:
        """The gain of every grade level, in [0, 1]."""
        return lists.gain_table(self.gains or self.C.default_gains, default=self.C.default_gains)

    def depth_read(self, negligible: float = NEGLIGIBLE) -> int:
        """Ranks that can matter: down to the cutoff, or to the rank after which (almost) nobody reads on."""
        return int(min(self.cutoff or DEFAULT_CUTOFF, self.C.reach(negligible)))

    def ranks_walked(self) -> int:
        return self.depth_read()

    def walk(self, lists: JudgedLists) -> Walk:
        """The gains down to where the user stops; kept for all measures that share them."""
        table = self.table(lists)
        depth = self.depth_read(0 if lists.exact else NEGLIGIBLE)

        def padded() -> Walk:
            gains = lists.head(depth).gains(table)
            lacking = depth - gains.shape[1]  # shorter lists are filled with documents without gain
            gains = np.pad(gains, [(0, 0), (0, lacking)], constant_values=lists.number(0)) if lacking else gains
            return Walk(gains)

        return lists.keep(("walk", table, depth), padded)

    def reading(self, lists: JudgedLists) -> ModelOnGains:
        """C, L, W and V of every run; kept for all measures that share them."""
        walk = self.walk(lists)
        key = ("reading", self.C, self.table(lists), len(walk.ranks))
        return lists.keep(key, lambda: ModelOnGains(self.C, walk.gains))

    def expected_items(self, lists: JudgedLists) -> Array:
        """V+, 1 or runs: the number of documents read on average."""
        return self.reading(lists).expected_items(lists.pool_gain(self.table(lists)))

    def evaluate(self, lists: JudgedLists) -> Array:
        reading, amount = self.reading(lists), self._expected_amount(lists)
        score = np.where(lists.has_documents, amount, lists.number(0))
        divisor = reading.counted_items(lists.pool_gain(self.table(lists))) if self.A.per_item else reading.whole
        return score if divisor is None else lists.share(score, np.broadcast_to(divisor, score.shape))

    def _expected_amount(self, lists: JudgedLists) -> Array:
        """Σ_i L(i) A(i), before any division by V+ or by the common divisor of the user's probabilities."""
        walk, reading = self.walk(lists), self.reading(lists)
        setting = (self.table(lists), len(walk.ranks))
        parts = lists.keep(("amount", self.A, *setting), lambda: self.A.amount_parts(walk))
        # keyed by the arrays: ERG and ETG have the same
        expected = lists.keep(("expected", self.C, *map(id, parts), *setting), lambda: reading.expected_amount(*parts))
        if self.A.amount_at_cutoff is None:
            return expected
        unfinished = self.C.unfinished_mass(walk.gains, reading.survival)
        return expected + unfinished * (lists.number(self.A.amount_at_cutoff) - parts[1][:, -1])

    def parts(self, lists: JudgedLists) -> Parts:
        walk, reading = self.walk(lists), self.reading(lists)
        gain = walk.gains[0]
        last, survival = (np.broadcast_to(part, walk.gains.shape)[0] for part in (reading.last, reading.survival))
        if isinstance(self.A, WeightedGains):
            weight = np.array(list(self.A.weights_upwards(last)))[::-1]
            parts = Parts(gain, weight)
            return parts.divide_by(np.broadcast_to(self.expected_items(lists), 1)[0]) if self.A.per_item else parts
        rise = walk.rises[0]
        if isinstance(self.A, MaximumRelevance):
            return Parts.of_sums(gain, survival * rise)
        if isinstance(self.A, PeakEnd):
            return Parts.of_sums(gain, self.A.beta * survival * rise + (1 - self.A.beta) * last * gain)
        if isinstance(self.C, ERRModel):  # users who stop satisfied, not at the end of the list
            return Parts.of_sums(gain, gain * np.concatenate([[1.0], np.cumprod(1 - gain)[:-1]]) / walk.ranks)
        raise IrvizError(
            f"{self} counts the rank where the user stops, not the document there, so no document adds anything. "
            f"Take another aggregation, or C=ERR."
        )

    def at_depth(self, depth: int) -> Measure:
        return replace(self, cutoff=min(self.cutoff or DEFAULT_CUTOFF, depth))

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """0 to 1; a total gain (A=ETG) goes up to the number of documents read."""
        if not self.A.total:
            return (0.0, 1.0)
        ranks = self.depth_read()
        return (0.0, float(ranks if self.C.adaptive else total(self.C.survival(np.zeros((1, ranks))))[0]))

    def depth_seen(self, depth: int | None) -> int:
        ends = [self.depth_read(0)] if depth is None else [depth, self.depth_read(0)]
        return min(ends)

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        """Proven if the user ignores the gains, or if it is a measure of another name (ERR, AP)."""
        lists, ranks = JudgedLists.of_grades(grades), self.depth_seen(depth)
        table = self.table(lists)
        if self.constant:
            return CONSTANT
        if self.C.adaptive:
            known = ADAPTIVE.get((type(self.C), type(self.A)))
            return known(table, ranks) if known else NO_PROOF
        if self.set_based and isinstance(self.A, WeightedGains):
            return set_scale(table, ranks)
        if isinstance(self.C, RBPModel) and isinstance(self.A, CumulatedGain):
            return geometric_scale(lists.number(self.C.p), table, ranks)
        return _fixed_reading_scale(self.C, self.A, table, ranks) if ranks <= MOST_PROVED else TOO_DEEP


@dataclass(frozen=True, kw_only=True)
class NamedCWLA(CWLA):
    """Base of the C/W/L/A measures that have a name of their own: the expected rate of gain under one model."""

    formula: ClassVar[str] = r"M = \sum_i W(i)\, r_i"
    range_note: ClassVar[str] = ""
    model: ClassVar[type[BrowsingModel]]  #: the browsing model; its parameters are the measure's
    C: BrowsingModel = field(default=RBPModel(), init=False)  # no parameters here: fixed by the name
    A: Aggregation = field(default=ExpectedRateOfGain(), init=False)
    gains: Any = parameter("linear", GAINS, "Gains: 'linear', 'exp', or one number per grade level, lowest first.")

    def __post_init__(self) -> None:
        super().__post_init__()
        given = {name: getattr(self, name) for name in declarations(self.model)}
        object.__setattr__(self, "C", self.model(**given))


@dataclass(frozen=True, kw_only=True)
class INST(NamedCWLA):
    """INST: the expected rate of gain of a user who wants a gain of T and adapts; CWLA(C=INST(T),A=ERG)."""

    symbol: ClassVar[str] = "INST"
    title: ClassVar[str] = "INST"
    source: ClassVar[str] = "Moffat, Bailey, Scholer and Thomas 2015; Chen & Sakai 2023, eq. (6) and (9)"
    model: ClassVar[type[BrowsingModel]] = INSTModel
    T: float = same_parameter(INSTModel, "T")


@dataclass(frozen=True, kw_only=True)
class INSQ(NamedCWLA):
    """INSQ: the expected rate of gain of a user who wants a gain of T and does not adapt; CWLA(C=INSQ(T),A=ERG)."""

    symbol: ClassVar[str] = "INSQ"
    title: ClassVar[str] = "INST without adaptation"
    source: ClassVar[str] = "Moffat, Scholer and Thomas 2012; cwl_eval's INSQ"
    model: ClassVar[type[BrowsingModel]] = INSQModel
    T: float = same_parameter(INSQModel, "T")


@dataclass(frozen=True, kw_only=True)
class BPM(NamedCWLA):
    """Bejeweled player model: the user stops at a gain of T or after K documents; CWLA(C=BPM(T,K),A=ERG)."""

    symbol: ClassVar[str] = "BPM"
    title: ClassVar[str] = "Bejeweled player model"
    source: ClassVar[str] = "Zhang et al. 2017 (the static model); cwl_eval's BPM"
    model: ClassVar[type[BrowsingModel]] = BPMModel
    T: float = same_parameter(BPMModel, "T")
    K: int = same_parameter(BPMModel, "K")
