"""INSQ's user: expects to gain T in all, and does not look at what was gained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from irviz.measures.arithmetic import like, ranks_like
from irviz.measures.browsing.base import BrowsingModel
from irviz.measures.judged import Array
from irviz.measures.parameters import Real, parameter


@dataclass(frozen=True, kw_only=True)
class INSQModel(BrowsingModel):
    """INST without the adaptation: patience grows with T and with depth."""

    symbol: ClassVar[str] = "INSQ"
    title: ClassVar[str] = "INSQ: wants a gain of T, does not adapt"
    formula: ClassVar[str] = r"C(i) = \left(\frac{i-1+2T}{i+2T}\right)^2"
    source: ClassVar[str] = "Moffat, Scholer and Thomas 2012"
    adaptive: ClassVar[bool] = False
    T: float = parameter(
        2.25, Real(low=0, open_low=True, step=0.25, slider=(0.25, 10)), "The gain the user hopes for.", shown=True
    )

    def continuation(self, gains: Array) -> Array:
        wanting = ranks_like(gains) + 2 * like(gains, self.T)
        return (((wanting - 1) / wanting) ** 2)[None]
