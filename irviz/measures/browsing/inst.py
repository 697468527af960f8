"""INST's user: expects to gain T in all, and adapts to what was gained so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from irviz.measures.arithmetic import like, ranks_like
from irviz.measures.browsing.base import BrowsingModel
from irviz.measures.judged import Array
from irviz.measures.parameters import Real, parameter


@dataclass(frozen=True, kw_only=True)
class INSTModel(BrowsingModel):
    """Goes on the more readily, the deeper already and the more is still missing to T.

    With T below 0.5 the formula leaves [0, 1] on a list of nothing but gain: refused.
    """

    symbol: ClassVar[str] = "INST"
    title: ClassVar[str] = "INST: wants a gain of T, adapts"
    formula: ClassVar[str] = r"C(i) = \left(\frac{i-1+T+T_i}{i+T+T_i}\right)^2,\; T_i = T - \sum_{j \le i} r_j"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (6)"
    T: float = parameter(2.25, Real(low=0.5, step=0.25, slider=(0.5, 10)), "The gain the user hopes for.", shown=True)

    def continuation(self, gains: Array) -> Array:
        wanting = ranks_like(gains) + 2 * like(gains, self.T) - np.cumsum(gains, axis=1)
        return ((wanting - 1) / wanting) ** 2
