"""The peak-end rule: between the best and the last document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irviz.measures.aggregation.base import Aggregation, Walk
from irviz.measures.arithmetic import like
from irviz.measures.judged import Array
from irviz.measures.parameters import Real, parameter


@dataclass(frozen=True, kw_only=True)
class PeakEnd(Aggregation):
    """People judge an experience by its peak and by its end."""

    symbol: ClassVar[str] = "PE"
    title: ClassVar[str] = "Peak-end"
    formula: ClassVar[str] = r"A(i) = \beta \max_{j \le i} r_j + (1-\beta)\, r_i"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (14)"
    beta: float = parameter(0.5, Real(0, 1), "The weight of the peak; the end has the rest.", shown=True)

    def amount(self, walk: Walk) -> Array:
        beta = like(walk.gains, self.beta)
        return beta * walk.peak + (1 - beta) * walk.gains

    def weights(self, last: Array) -> Array | None:
        return None if self.beta else last
