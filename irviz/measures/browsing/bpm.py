"""The static bejewelled player: stops once gained T, or after K documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irviz.measures.arithmetic import like
from irviz.measures.browsing.base import NEGLIGIBLE, BrowsingModel
from irviz.measures.judged import Array
from irviz.measures.parameters import Real, Whole, parameter


@dataclass(frozen=True, kw_only=True)
class BPMModel(BrowsingModel):
    """Reads on while the gain so far is below T and fewer than K documents are read."""

    symbol: ClassVar[str] = "BPM"
    title: ClassVar[str] = "BPM: stops at a gain of T or after K documents"
    formula: ClassVar[str] = r"C(i) = 1 \text{ while } \sum_{j \le i} r_j < T \text{ and } i < K, \text{ else } 0"
    source: ClassVar[str] = "Zhang et al. 2017 (the static model)"
    T: float = parameter(
        1.0, Real(low=0, open_low=True, step=0.25, slider=(0.25, 10)), "The gain that is enough.", shown=True
    )
    K: int = parameter(10, Whole(), "The number of documents that is enough.", shown=True)

    def continuation(self, gains: Array) -> Array:
        hungry = np.cumsum(gains, axis=1) < like(gains, self.T)
        return (hungry & (np.arange(1, gains.shape[1] + 1) < self.K)).astype(gains.dtype)

    def reach(self, negligible: float = NEGLIGIBLE) -> float:
        return self.K
