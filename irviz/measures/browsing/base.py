"""What a browsing model is: the probability C(i) of reading on after the document at rank i.

L, W and the expected number of items follow from C and need no code of a model; a
`Reading` keeps them for all measures that share the model.  A new model is one short
file with `continuation`, and one line in ``browsing/__init__.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from irviz.measures.arithmetic import like
from irviz.measures.expression import Expression
from irviz.measures.judged import Array

NEGLIGIBLE = 1e-16  # survival below which no rank can change a double


@dataclass(frozen=True, kw_only=True)
class BrowsingModel(Expression):
    """A user who walks down the list and stops somewhere.

    All arrays are runs × ranks, or 1 × ranks where the model does not look at the gains.

    Examples
    --------
    >>> from irviz.measures.browsing import RBPModel
    >>> RBPModel(p=0.5).last(np.zeros((1, 4))).tolist()
    [[0.5, 0.25, 0.125, 0.125]]
    """

    family: ClassVar[str] = "browsing model"
    cut: ClassVar[str] = "none"
    formula: ClassVar[str] = ""
    source: ClassVar[str] = ""
    adaptive: ClassVar[bool] = True  #: C depends on the gains seen
    default_gains: ClassVar[str] = "linear"
    canonical: ClassVar[str] = "ERG"  #: the aggregation that gives the measure of this name

    def continuation(self, gains: Array) -> Array:
        """C(i), for gains in [0, 1]."""
        raise TypeError(f"{type(self).__name__} defines no continuation.")

    def survival(self, gains: Array) -> Array:
        """Probability of reading the document at rank i: Π_{j<i} C(j)."""
        c = self.continuation(gains)
        return np.cumprod(np.concatenate([np.ones_like(c[:, :1]), c[:, :-1]], axis=1), axis=1)

    def last(self, gains: Array) -> Array:
        """L(i) of Chen & Sakai 2023, eq. (2): rank i is read last; whoever reaches the end stops there."""
        return Reading(self, gains).last

    def weight(self, gains: Array) -> Array:
        """W(i) of Chen & Sakai 2023, section 2.1: the share of attention on rank i."""
        return Reading(self, gains).weight

    def unfinished(self, gains: Array, survival: Array) -> Array:
        """1 or runs: the probability of wanting to read on at the end of the list."""
        return survival[:, -1] * self.continuation(gains)[:, -1]

    def expected_items(self, gains: Array, survival: Array, pool_gain: Any) -> Array:
        """V+ = Σ_i Π_{j<i} C(j), the number of documents read on average.

        The text of the paper needs this reading; its eq. (9) prints the reciprocal.
        """
        return survival.sum(axis=1)

    def reach(self, negligible: float = NEGLIGIBLE) -> float:
        """Ranks after which at most a `negligible` share of users reads on, whatever the gains."""
        return math.inf


class Reading:
    """One model on the gains of one topic: every quantity is computed once."""

    def __init__(self, model: BrowsingModel, gains: Array) -> None:
        self.model, self.gains = model, gains

    @cached_property
    def survival(self) -> Array:
        return self.model.survival(self.gains)

    @cached_property
    def last(self) -> Array:
        after = np.concatenate([self.survival[:, 1:], np.zeros_like(self.survival[:, :1])], axis=1)
        return self.survival - after

    @cached_property
    def weight(self) -> Array:
        total = self.survival.sum(axis=1, keepdims=True)
        return np.divide(self.survival, total, out=np.zeros_like(self.survival), where=total > 0)

    @cached_property
    def unfinished(self) -> Array:
        return self.model.unfinished(self.gains, self.survival)

    def expected_items(self, pool_gain: Any) -> Array:
        return self.model.expected_items(self.gains, self.survival, pool_gain)


def constant(value: float, gains: Array) -> Array:
    """1 × ranks of one value."""
    return np.full((1, gains.shape[1]), like(gains, value), dtype=gains.dtype)
