"""Average relevance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irviz.measures.aggregation.base import Aggregation, Walk
from irviz.measures.arithmetic import ranks_like
from irviz.measures.judged import Array


@dataclass(frozen=True, kw_only=True)
class AverageRelevance(Aggregation):
    """The mean gain of the documents read."""

    symbol: ClassVar[str] = "avg"
    title: ClassVar[str] = "Average"
    formula: ClassVar[str] = r"A(i) = \frac{1}{i} \sum_{j \le i} r_j"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (11)"
    whole: ClassVar[bool] = True

    def amount(self, walk: Walk) -> Array:
        return walk.mean

    def weights(self, last: Array) -> Array | None:
        return np.cumsum((last / ranks_like(last))[::-1])[::-1]
