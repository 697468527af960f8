"""Reciprocal rank's user: stops at the first document with any gain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irviz.measures.browsing.base import BrowsingModel
from irviz.measures.judged import Array


@dataclass(frozen=True, kw_only=True)
class RRModel(BrowsingModel):
    """Reads until the first document that gives anything."""

    symbol: ClassVar[str] = "RR"
    title: ClassVar[str] = "RR: until the first relevant document"
    formula: ClassVar[str] = r"C(i) = 1 \text{ if } r_i = 0, \text{ else } 0"
    source: ClassVar[str] = "Moffat, Bailey, Scholer and Thomas 2017"

    def continuation(self, gains: Array) -> Array:
        return (gains == 0).astype(gains.dtype)
