"""Expected rate of gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irviz.measures.aggregation.base import Aggregation, Walk
from irviz.measures.judged import Array


@dataclass(frozen=True, kw_only=True)
class ExpectedRateOfGain(Aggregation):
    """What was gained, per document read on average."""

    symbol: ClassVar[str] = "ERG"
    title: ClassVar[str] = "Expected rate of gain"
    formula: ClassVar[str] = r"A(i) = \frac{1}{V^{+}} \sum_{j \le i} r_j"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (9)"
    per_item: ClassVar[bool] = True
    whole: ClassVar[bool] = True

    def amount(self, walk: Walk) -> Array:
        return walk.cumulated

    def weights(self, last: Array) -> Array | None:
        return np.cumsum(last[::-1])[::-1]
