"""What an aggregation is: A(i), what a user who stops at rank i takes away.

`Walk` holds what aggregations share, computed once a topic.  A new aggregation is one
short file with `amount`, and one line in ``aggregation/__init__.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from irviz.measures.arithmetic import ranks_like
from irviz.measures.expression import Expression
from irviz.measures.judged import Array


class Walk:
    """The gains along the ranks, runs × ranks, and their running sum and maximum."""

    def __init__(self, gains: Array) -> None:
        self.gains = gains

    @cached_property
    def ranks(self) -> Array:
        return ranks_like(self.gains)

    @cached_property
    def cumulated(self) -> Array:
        return np.cumsum(self.gains, axis=1)

    @cached_property
    def mean(self) -> Array:
        return self.cumulated / self.ranks

    @cached_property
    def peak(self) -> Array:
        return np.maximum.accumulate(self.gains, axis=1)


@dataclass(frozen=True, kw_only=True)
class Aggregation(Expression):
    """How a user sums up the documents read."""

    family: ClassVar[str] = "aggregation"
    cut: ClassVar[str] = "none"
    formula: ClassVar[str] = ""
    source: ClassVar[str] = ""
    per_item: ClassVar[bool] = False  #: the amount is divided by V+, the items read on average
    blind: ClassVar[bool] = False  #: A does not look at the gains
    unfinished: ClassVar[float | None] = None  #: what those get whom only the cutoff stops; None: A of the last rank

    total: ClassVar[bool] = False  #: gains are added up, and may go beyond 1
    whole: ClassVar[bool] = False  #: at the last document, A does not depend on the order of those read

    def weights(self, last: Array) -> Array | None:
        """Where Σ L(i) A(i) is a sum Σ w_i r_i for given L: these w; None where it is no such sum."""
        return None

    def amount(self, walk: Walk) -> Array:
        """A(i), runs × ranks (1 × ranks where no gain matters), before any division by V+."""
        raise TypeError(f"{type(self).__name__} defines no amount.")
