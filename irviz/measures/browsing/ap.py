"""Average precision's user: stops at a relevant document chosen at random, the earlier the likelier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from irviz.measures.arithmetic import ranks_like
from irviz.measures.browsing.base import BrowsingModel
from irviz.measures.judged import Array


@dataclass(frozen=True, kw_only=True)
class APModel(BrowsingModel):
    """Stops at rank i in proportion to r_i/i.

    A list without any gain has no such rank: nobody reads it, and every aggregate is 0.
    V+ counts the gain of all judged documents, retrieved or not, so that ERG on binary
    gains is average precision.
    """

    symbol: ClassVar[str] = "AP"
    title: ClassVar[str] = "AP: until a random relevant document"
    formula: ClassVar[str] = r"C(i) = \sum_{j > i} \frac{r_j}{j} \Big/ \sum_{j \ge i} \frac{r_j}{j}"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (7)"

    def ahead(self, gains: Array) -> Array:
        """Σ_{j ≥ i} r_j / j."""
        return np.cumsum((gains / ranks_like(gains))[:, ::-1], axis=1)[:, ::-1]

    def continuation(self, gains: Array) -> Array:
        here = self.ahead(gains)
        after = np.concatenate([here[:, 1:], np.zeros_like(here[:, :1])], axis=1)
        return np.divide(after, here, out=np.zeros_like(here), where=here > 0)

    def survival(self, gains: Array) -> Array:
        """The product of the C(j) telescopes; a direct quotient loses no digits."""
        here = self.ahead(gains)
        return np.divide(here, here[:, :1], out=np.zeros_like(here), where=here[:, :1] > 0)

    def unfinished(self, gains: Array, survival: Array) -> Array:
        return np.zeros_like(survival[:, -1])

    def expected_items(self, gains: Array, survival: Array, pool_gain: Any) -> Array:
        """All judged gain over Σ_j r_j / j; 0 where nobody reads."""
        harmonic = (gains / ranks_like(gains)).sum(axis=1)
        return np.divide(pool_gain, harmonic, out=np.zeros_like(harmonic), where=harmonic > 0)
