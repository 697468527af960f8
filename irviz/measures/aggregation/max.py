"""Maximum relevance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irviz.measures.aggregation.base import Aggregation, Walk
from irviz.measures.judged import Array


@dataclass(frozen=True, kw_only=True)
class MaximumRelevance(Aggregation):
    """The best document read."""

    symbol: ClassVar[str] = "max"
    title: ClassVar[str] = "Maximum"
    formula: ClassVar[str] = r"A(i) = \max_{j \le i} r_j"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (12)"
    whole: ClassVar[bool] = True

    def amount(self, walk: Walk) -> Array:
        return walk.peak
