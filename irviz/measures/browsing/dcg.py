"""DCG's user: patience falls off like the logarithm of the rank, and ends at k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irviz.measures.arithmetic import log2_like
from irviz.measures.browsing.base import NEGLIGIBLE, BrowsingModel
from irviz.measures.judged import Array


@dataclass(frozen=True, kw_only=True)
class DCGModel(BrowsingModel):
    """Reads on with probability log2(i + 1)/log2(i + 2), up to rank k."""

    symbol: ClassVar[str] = "DCG"
    title: ClassVar[str] = "DCG: logarithmic patience, up to k"
    formula: ClassVar[str] = r"C(i) = \frac{\log_2(i+1)}{\log_2(i+2)} \text{ for } i < k, \text{ else } 0"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (4)"
    cut: ClassVar[str] = "required"
    adaptive: ClassVar[bool] = False

    def continuation(self, gains: Array) -> Array:
        logarithms = log2_like(gains, np.arange(2, gains.shape[1] + 3))
        reads_on = np.arange(1, gains.shape[1] + 1) < self.reach()
        return (reads_on * (logarithms[:-1] / logarithms[1:]))[None]

    def reach(self, negligible: float = NEGLIGIBLE) -> float:
        assert self.cutoff is not None  # "required"
        return self.cutoff
