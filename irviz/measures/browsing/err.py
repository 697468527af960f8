"""ERR's user: stops when satisfied, with the gain as the probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irviz.measures.browsing.base import BrowsingModel
from irviz.measures.judged import Array


@dataclass(frozen=True, kw_only=True)
class ERRModel(BrowsingModel):
    """Is satisfied by the document at rank i with probability r_i, and reads on otherwise."""

    symbol: ClassVar[str] = "ERR"
    title: ClassVar[str] = "ERR: until satisfied"
    formula: ClassVar[str] = r"C(i) = 1 - r_i"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (8)"
    default_gains: ClassVar[str] = "exp"
    canonical: ClassVar[str] = "ERR"

    def continuation(self, gains: Array) -> Array:
        return 1 - gains
