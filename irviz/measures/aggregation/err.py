"""ERR's aggregation: one over the rank of the last document read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irviz.measures.aggregation.base import Aggregation, Walk
from irviz.measures.judged import Array


@dataclass(frozen=True, kw_only=True)
class ReciprocalRank(Aggregation):
    """The sooner the user stops, the better; what was read does not matter.

    A user who would read on past the cutoff never stops, and A → 0 with growing rank:
    such a user gets nothing.  With C=ERR this is ERR exactly.
    """

    symbol: ClassVar[str] = "ERR"
    title: ClassVar[str] = "Reciprocal rank of the stop"
    formula: ClassVar[str] = r"A(i) = 1/i"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (15)"
    blind: ClassVar[bool] = True
    unfinished: ClassVar[float | None] = 0.0

    def amount(self, walk: Walk) -> Array:
        return (1 / walk.ranks)[None]
