"""RBP's user: reads on with a fixed probability."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from irviz.measures.browsing.base import NEGLIGIBLE, BrowsingModel, constant
from irviz.measures.judged import Array
from irviz.measures.parameters import Real, parameter


@dataclass(frozen=True, kw_only=True)
class RBPModel(BrowsingModel):
    """After each document, reads on with probability p; 1/(1 − p) documents on average.

    Examples
    --------
    >>> import numpy as np
    >>> RBPModel(p=0.5).last(np.zeros((1, 4))).tolist()
    [[0.5, 0.25, 0.125, 0.125]]
    """

    symbol: ClassVar[str] = "RBP"
    title: ClassVar[str] = "RBP: fixed probability of reading on"
    formula: ClassVar[str] = r"C(i) = p"
    source: ClassVar[str] = "Chen & Sakai 2023, eq. (5)"
    adaptive: ClassVar[bool] = False
    p: float = parameter(
        0.8,
        Real(0, 1, open_low=True, open_high=True, hint="For a fixed depth use P@k."),
        "Persistence: the probability of reading on.",
        shown=True,
    )

    def continuation(self, gains: Array) -> Array:
        return constant(self.p, gains)

    def reach(self, negligible: float = NEGLIGIBLE) -> float:
        return math.ceil(math.log(negligible) / math.log(self.p)) + 1 if negligible else math.inf
