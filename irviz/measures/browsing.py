"""Browsing models: the probability C(i) of reading on after the document at rank i.

A new model is one class here, with `continuation`.  The survival Π_{j<i} C(j), L (which rank is read last), W (the
share of attention) and V+ (how many documents are read on average) follow from C; a `ModelOnGains` keeps them for all
measures that share the model.

Some users ignore the gains (P, DCG, RBP, INSQ), some adapt to the gain so far (INST, ERR, RR, BPM), and the user of AP
knows the gains below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np

from irviz.measures.arithmetic import AGREE, Array, is_exact, like, log2_of_ranks, powers_like, ranks_like
from irviz.measures.language.base import Expression, registered_classes
from irviz.measures.language.parameters import Integer, Real, parameter
from irviz.portable import log, total

_LEAST = 1e-300  # a smaller share of a number is negligible
_SHORT = 22  # ranks with a least common multiple, 232,792,560, that leaves room for gains in a double
NEGLIGIBLE = 1e-16  # survival below which no rank can change a double
_ANY_GAIN = Real(low=0, open_low=True, step=0.25, slider=(0.25, 10))
_HOPED_FOR = "The gain the user hopes for."


@dataclass(frozen=True, kw_only=True)
class BrowsingModel(Expression):
    """A user who reads down the list and stops somewhere.

    All arrays are runs × ranks, or 1 × ranks if the model does not use the gains.
    """

    family: ClassVar[str] = "browsing model"
    cut: ClassVar[str] = "none"
    formula: ClassVar[str] = ""
    source: ClassVar[str] = ""
    adaptive: ClassVar[bool] = True  #: C depends on the gains seen
    stops_at_gains: ClassVar[bool] = False  #: L is 0 at documents without gain, except at the end of the list
    default_gains: ClassVar[str] = "linear"
    margin: ClassVar[Fraction] = Fraction(0)  #: uncertainty of irrational probabilities in exact arithmetic
    canonical: ClassVar[str] = "ERG"  #: the aggregation of the measure of this name

    def continuation(self, gains: Array) -> Array:
        """C(i), for gains in [0, 1]."""
        raise TypeError(f"{type(self).__name__} defines no continuation.")

    def survival(self, gains: Array) -> Array:
        """Probability of reading the document at rank i: Π_{j<i} C(j)."""
        c = self.continuation(gains)
        return np.cumprod(np.concatenate([np.ones_like(c[:, :1]), c[:, :-1]], axis=1), axis=1)

    def last(self, gains: Array) -> Array:
        """L(i) of Chen & Sakai 2023, eq. (2): rank i is read last; a user who reaches the end stops there."""
        return ModelOnGains(self, gains).last

    def unfinished_mass(self, gains: Array, survival: Array) -> Array:
        """1 or runs: the probability of wanting to read on at the end of the list."""
        return survival[:, -1] * self.continuation(gains)[:, -1]

    def expected_items(self, gains: Array, survival: Array, pool_gain: Any) -> Array:
        """V+ = Σ_i Π_{j<i} C(j), the number of documents read on average.

        The paper's text implies this; its eq. (9) prints the reciprocal.
        """
        return total(survival)

    def counts(self, gains: Array) -> tuple[Array, Array] | None:
        """Survival and L before a common division; None if there is none."""
        return None

    def counted_items(self, gains: Array, pool_gain: Any) -> Array | None:
        """V+ before that division."""
        return None

    def reach(self, negligible: float = NEGLIGIBLE) -> float:
        """The rank after which at most a `negligible` share of users reads on, for any gains."""
        return math.inf if self.cutoff is None else self.cutoff


class ModelOnGains:
    """One model on the gains of one topic, every quantity computed once."""

    def __init__(self, model: BrowsingModel, gains: Array) -> None:
        self.model, self.gains = model, gains

    @cached_property
    def survival(self) -> Array:
        return self.model.survival(self.gains)

    @cached_property
    def last(self) -> Array:
        stopped = self.survival.copy()
        stopped[:, :-1] -= self.survival[:, 1:]
        return stopped

    @cached_property
    def counts(self) -> tuple[Array, Array]:
        """Survival and L times `whole`."""
        counted = self.model.counts(self.gains)
        return (self.survival, self.last) if counted is None else counted

    @cached_property
    def whole(self) -> Array | None:
        """By run, the divisor of survival and L; None if they are not quotients."""
        return None if self.counts[0] is self.survival else self.counts[0][:, 0]

    @cached_property
    def stops(self) -> tuple[Array, Array, Array, Array]:
        """The run, the rank and both counts of every place where L is above 0, run by run in rank order."""
        reached, stopped = self.counts
        run, rank = np.divmod(np.flatnonzero(stopped), stopped.shape[1])
        return run, rank, reached[run, rank], stopped[run, rank]

    def expected_amount(self, increments: Array | None, final_amounts: Array | None) -> Array:
        """Σ_i of survival times the increment at rank i, and of L times the final amount there; 1 or runs.

        Sums of rises, not differences of sums, so that mathematically equal scores are mostly equal doubles.
        """
        if not self.model.stops_at_gains or is_exact(self.gains):
            sums = [
                total(count * part)
                for count, part in zip(self.counts, (increments, final_amounts), strict=True)
                if part is not None
            ]
            return sums[0] if len(sums) == 1 else sums[0] + sums[1]
        run, rank, *counts = self.stops
        adds = np.zeros(len(rank))
        for count, part in zip(counts, (increments, final_amounts), strict=True):
            if part is not None:
                adds += count * (part[0, rank] if len(part) == 1 else part[run, rank])
        return np.bincount(run, weights=adds, minlength=len(self.gains))

    @cached_property
    def weight(self) -> Array:
        """W(i) of Chen & Sakai 2023, section 2.1: the share of attention on rank i."""
        items = total(self.survival)[:, None]
        return np.divide(self.survival, items, out=np.zeros_like(self.survival), where=items > 0)

    def expected_items(self, pool_gain: Any) -> Array:
        return self.model.expected_items(self.gains, self.survival, pool_gain)

    def counted_items(self, pool_gain: Any) -> Array:
        """V+ times `whole`."""
        counted = self.model.counted_items(self.gains, pool_gain)
        return self.expected_items(pool_gain) if counted is None else counted


@dataclass(frozen=True, kw_only=True)
class PrecisionModel(BrowsingModel):
    """Reads the first k documents and stops."""

    symbol: ClassVar[str] = "P"
    title: ClassVar[str] = "Precision: reads k documents"
    formula: ClassVar[str] = r"C(i) = 1 \text{ for } i < k, \text{ else } 0"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (3)"
    cut: ClassVar[str] = "required"
    adaptive: ClassVar[bool] = False

    def continuation(self, gains: Array) -> Array:
        return (np.arange(1, gains.shape[1] + 1) < self.reach())[None].astype(gains.dtype)


@dataclass(frozen=True, kw_only=True)
class DCGModel(BrowsingModel):
    """Reads on with probability log2(i + 1)/log2(i + 2), up to rank k."""

    symbol: ClassVar[str] = "DCG"
    title: ClassVar[str] = "DCG: logarithmic patience, up to k"
    formula: ClassVar[str] = r"C(i) = \frac{\log_2(i+1)}{\log_2(i+2)} \text{ for } i < k, \text{ else } 0"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (4)"
    cut: ClassVar[str] = "required"
    adaptive: ClassVar[bool] = False
    margin: ClassVar[Fraction] = AGREE

    def continuation(self, gains: Array) -> Array:
        logarithms = log2_of_ranks(gains, 2, gains.shape[1] + 2)
        reads_on = np.arange(1, gains.shape[1] + 1) < self.reach()
        return (reads_on * (logarithms[:-1] / logarithms[1:]))[None]

    def survival(self, gains: Array) -> Array:
        """1/log2(i + 1), without the rounding errors of i − 1 products."""
        read = np.arange(1, gains.shape[1] + 1) <= self.reach()
        return (read / log2_of_ranks(gains, 2, gains.shape[1] + 1))[None]


@dataclass(frozen=True, kw_only=True)
class RBPModel(BrowsingModel):
    """After each document, reads on with probability p; 1/(1 − p) documents on average.

    Examples
    --------
    >>> RBPModel(p=0.5).last(np.zeros((1, 4))).tolist()
    [[0.5, 0.25, 0.125, 0.125]]
    """

    symbol: ClassVar[str] = "RBP"
    title: ClassVar[str] = "RBP: fixed probability of reading on"
    formula: ClassVar[str] = r"C(i) = p"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (5)"
    adaptive: ClassVar[bool] = False
    p: float = parameter(
        0.8,
        Real(0, 1, open_low=True, open_high=True, hint="For a fixed depth use P@k."),
        "Persistence: the probability of reading on; 1/(1 − p) documents are read on average.",
        always_written=True,
    )

    def continuation(self, gains: Array) -> Array:
        return np.full((1, gains.shape[1]), like(gains, self.p), dtype=gains.dtype)

    def survival(self, gains: Array) -> Array:
        """p^{i−1}, without the rounding errors of i − 1 products."""
        return powers_like(gains, like(gains, self.p), gains.shape[1])[None]

    def reach(self, negligible: float = NEGLIGIBLE) -> float:
        return _ranks_until(negligible, self.p) if negligible else math.inf


@lru_cache(maxsize=256)
def _ranks_until(negligible: float, p: float) -> int:
    return math.ceil(log(negligible) / log(p)) + 1


@dataclass(frozen=True, kw_only=True)
class INSTModel(BrowsingModel):
    """The probability of reading on increases with depth and with the gain that is still missing to T.

    T below 0.5 is refused.  On a list in which every document has the full gain, C(i) is ((2T − 1)/(2T))², which falls
    to 0 at T = 0.5 and rises again below it: a user who hopes for less would read further, and C would be above 1 for
    T < 0.25.
    """

    symbol: ClassVar[str] = "INST"
    title: ClassVar[str] = "INST: wants a gain of T, adapts"
    formula: ClassVar[str] = r"C(i) = \left(\frac{i-1+T+T_i}{i+T+T_i}\right)^2,\; T_i = T - \sum_{j \le i} r_j"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (6)"
    T: float = parameter(
        2.25,
        Real(low=0.5, step=0.25, slider=(0.5, 10), hint="With a smaller T, users who want less would read further."),
        _HOPED_FOR,
        always_written=True,
    )

    def continuation(self, gains: Array) -> Array:
        target = like(gains, min(self.T, 1e300))  # twice as much is still a number
        wanting = ranks_like(gains) + 2 * target - np.cumsum(gains, axis=1)
        ratio = (wanting - 1) / wanting
        return ratio * ratio


@lru_cache(maxsize=64)
def _common_multiple(ranks: int) -> int:
    """The least common multiple of 1, 2, … `ranks`; 1 if sums of its parts would not be exact in a double."""
    return math.lcm(*range(1, ranks + 1)) if ranks <= _SHORT else 1


@dataclass(frozen=True, kw_only=True)
class APModel(BrowsingModel):
    """Reads on in proportion to the gain ahead: C(i) is the share of Σ_{j ≥ i} r_j/j that comes from below rank i.

    Rank i is therefore the last one read with probability (r_i/i) / Σ_j r_j/j: the user stops only at documents with a
    gain, more probably at high gains and early ranks.  The user does not read a list without any gain: every aggregate
    is 0. V+ counts the gain of all judged documents, retrieved or not, so that ERG on binary gains is average
    precision.
    """

    symbol: ClassVar[str] = "AP"
    title: ClassVar[str] = "AP: reads on for the gain still ahead"
    formula: ClassVar[str] = r"C(i) = \sum_{j > i} \frac{r_j}{j} \Big/ \sum_{j \ge i} \frac{r_j}{j}"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (7)"
    stops_at_gains: ClassVar[bool] = True

    def counts(self, gains: Array) -> tuple[Array, Array]:
        """Σ_{j ≥ i} r_j / j and r_i / i; for a short list times a multiple of its ranks, to be exact."""
        here = gains * _common_multiple(gains.shape[1]) / ranks_like(gains)
        return np.cumsum(here[:, ::-1], axis=1)[:, ::-1], here

    def counted_items(self, gains: Array, pool_gain: Any) -> Array:
        return pool_gain * _common_multiple(gains.shape[1])

    def continuation(self, gains: Array) -> Array:
        here = self.counts(gains)[0]
        after = np.concatenate([here[:, 1:], np.zeros_like(here[:, :1])], axis=1)
        return np.divide(after, here, out=np.zeros_like(here), where=here > 0)

    def survival(self, gains: Array) -> Array:
        """The telescoped product of the C(j), as one quotient."""
        here = self.counts(gains)[0]
        return np.divide(here, here[:, :1], out=np.zeros_like(here), where=here[:, :1] > 0)

    def unfinished_mass(self, gains: Array, survival: Array) -> Array:
        return np.zeros_like(survival[:, -1])

    def expected_items(self, gains: Array, survival: Array, pool_gain: Any) -> Array:
        """All judged gain over Σ_j r_j / j; 0 if nobody reads, or the quotient overflows."""
        harmonic = total(gains / ranks_like(gains))
        return np.divide(pool_gain, harmonic, out=np.zeros_like(harmonic), where=harmonic > pool_gain * _LEAST)


@dataclass(frozen=True, kw_only=True)
class ERRModel(BrowsingModel):
    """The document at rank i satisfies the user with probability r_i; otherwise the user reads on."""

    symbol: ClassVar[str] = "ERR"
    title: ClassVar[str] = "ERR: until satisfied"
    formula: ClassVar[str] = r"C(i) = 1 - r_i"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (8)"
    stops_at_gains: ClassVar[bool] = True
    default_gains: ClassVar[str] = "exp"
    canonical: ClassVar[str] = "ERR"

    def continuation(self, gains: Array) -> Array:
        return 1 - gains


@dataclass(frozen=True, kw_only=True)
class RRModel(BrowsingModel):
    """Reads until the first document with a gain above 0."""

    symbol: ClassVar[str] = "RR"
    title: ClassVar[str] = "RR: until the first relevant document"
    formula: ClassVar[str] = r"C(i) = 1 \text{ if } r_i = 0, \text{ else } 0"
    source: ClassVar[str] = "Moffat, Bailey, Scholer and Thomas 2017; cwl_eval's RR"
    stops_at_gains: ClassVar[bool] = True

    def continuation(self, gains: Array) -> Array:
        return (gains == 0).astype(gains.dtype)


@dataclass(frozen=True, kw_only=True)
class INSQModel(BrowsingModel):
    """INST without adaptation: the probability of reading on increases with T and with depth."""

    symbol: ClassVar[str] = "INSQ"
    title: ClassVar[str] = "INSQ: wants a gain of T, does not adapt"
    formula: ClassVar[str] = r"C(i) = \left(\frac{i-1+2T}{i+2T}\right)^2"
    source: ClassVar[str] = "Moffat, Scholer and Thomas 2012; cwl_eval's INSQ"
    adaptive: ClassVar[bool] = False
    T: float = parameter(2.25, _ANY_GAIN, _HOPED_FOR, always_written=True)

    def continuation(self, gains: Array) -> Array:
        wanting = ranks_like(gains) + 2 * like(gains, self.T)
        ratio = (wanting - 1) / wanting
        return (ratio * ratio)[None]


@dataclass(frozen=True, kw_only=True)
class BPMModel(BrowsingModel):
    """Reads on while the gain so far is below T and fewer than K documents have been read."""

    symbol: ClassVar[str] = "BPM"
    title: ClassVar[str] = "BPM: stops at a gain of T or after K documents"
    formula: ClassVar[str] = r"C(i) = 1 \text{ while } \sum_{j \le i} r_j < T \text{ and } i < K, \text{ else } 0"
    source: ClassVar[str] = "Zhang et al. 2017 (the static model); cwl_eval's BPM"
    T: float = parameter(1.0, _ANY_GAIN, "The gain that is enough.", always_written=True)
    K: int = parameter(10, Integer(), "The number of documents after which the user stops.", always_written=True)

    def continuation(self, gains: Array) -> Array:
        hungry = np.cumsum(gains, axis=1) < like(gains, self.T)
        return (hungry & (np.arange(1, gains.shape[1] + 1) < self.K)).astype(gains.dtype)

    def reach(self, negligible: float = NEGLIGIBLE) -> float:
        return self.K


BROWSING_MODELS = registered_classes(BrowsingModel)  #: the catalogue, in the order they are offered
