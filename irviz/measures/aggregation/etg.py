"""Expected total gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irviz.measures.aggregation.base import Aggregation, Walk
from irviz.measures.judged import Array


@dataclass(frozen=True, kw_only=True)
class ExpectedTotalGain(Aggregation):
    """Everything gained on the way."""

    symbol: ClassVar[str] = "ETG"
    title: ClassVar[str] = "Expected total gain"
    formula: ClassVar[str] = r"A(i) = \sum_{j \le i} r_j"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (10)"
    total: ClassVar[bool] = True
    whole: ClassVar[bool] = True

    def amount(self, walk: Walk) -> Array:
        return walk.cumulated

    def weights(self, last: Array) -> Array | None:
        return np.cumsum(last[::-1])[::-1]
