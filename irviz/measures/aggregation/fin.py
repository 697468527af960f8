"""Final relevance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irviz.measures.aggregation.base import Aggregation, Walk
from irviz.measures.judged import Array


@dataclass(frozen=True, kw_only=True)
class FinalRelevance(Aggregation):
    """The last document read."""

    symbol: ClassVar[str] = "fin"
    title: ClassVar[str] = "Last"
    formula: ClassVar[str] = r"A(i) = r_i"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (13)"

    def amount(self, walk: Walk) -> Array:
        return walk.gains

    def weights(self, last: Array) -> Array | None:
        return last
