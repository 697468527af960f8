"""Precision's user: reads exactly k documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irviz.measures.browsing.base import NEGLIGIBLE, BrowsingModel
from irviz.measures.judged import Array


@dataclass(frozen=True, kw_only=True)
class PrecisionModel(BrowsingModel):
    """Reads the first k documents and stops."""

    symbol: ClassVar[str] = "P"
    title: ClassVar[str] = "Precision: reads k documents"
    formula: ClassVar[str] = r"C(i) = 1 \text{ for } i < k, \text{ else } 0"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (3)"
    cut: ClassVar[str] = "required"
    adaptive: ClassVar[bool] = False

    def continuation(self, gains: Array) -> Array:
        return (np.arange(1, gains.shape[1] + 1) < self.reach())[None].astype(gains.dtype)

    def reach(self, negligible: float = NEGLIGIBLE) -> float:
        assert self.cutoff is not None  # "required"
        return self.cutoff
