"""A claim in every world, decided: the numbers and the verdict of each, before anything is said about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.frozen import FrozenArrays
from irviz.conclusions.attribution import attribution
from irviz.conclusions.choices.worlds import Worlds
from irviz.conclusions.claims import Claim
from irviz.conclusions.influence import Contrast
from irviz.conclusions.joint import Joint

Floats = NDArray[np.float64]
VERDICTS = ("reversed", "tie", "holds")  #: by verdict + 1


@dataclass(frozen=True, eq=False, repr=False)
class Decided(FrozenArrays):
    """One row per world; the fields are those of :class:`~irviz.conclusions.multiverse.Conclusion`."""

    claim: Claim
    systems: tuple[str, ...]
    worlds: Worlds
    difference: Floats
    standardised: Floats
    low: Floats
    high: Floats
    p: Floats
    verdict: NDArray[np.int8]
    significant: NDArray[np.bool_]
    decides: NDArray[np.intp]
    first: Contrast
    alpha: float
    trials: int
    seed: int
    null: Joint | None = None

    def __len__(self) -> int:
        return len(self.worlds)

    @property
    def left_out(self) -> Mapping[str, int]:
        """Combinations that are not among the worlds, by reason."""
        return self.worlds.left_out

    @property
    def holds(self) -> float:
        """Share of the worlds in which the claim holds."""
        return float((self.verdict > 0).mean())

    @property
    def holds_significantly(self) -> float:
        """Share of the worlds in which it holds significantly."""
        return float(((self.verdict > 0) & self.significant).mean())

    @property
    def reversed(self) -> float:
        """Share of the worlds in which the opposite holds."""
        return float((self.verdict < 0).mean())

    @property
    def reversed_significantly(self) -> float:
        """Share of the worlds in which the opposite holds significantly."""
        return float(((self.verdict < 0) & self.significant).mean())

    @cached_property
    def joint(self) -> pd.DataFrame | None:
        """The joint test of all worlds, one row per statistic: observed, expected, p; None without exchanges.

        ``"direction"``: how many worlds agree with the majority; ``"significant"``: how many are significant
        that way; ``"median"``: size of the median standardised difference.  See
        :func:`~irviz.conclusions.joint.joint_test`; of a claim of several comparisons, that of the largest p.
        """
        return None if self.null is None else self.null.frame()

    @cached_property
    def attribution(self) -> pd.Series:
        """Share of the variance of `standardised` by choice; see :func:`~irviz.conclusions.attribution.attribution`."""
        return attribution(self.worlds, self.standardised)

    def frame(self) -> pd.DataFrame:
        """One row per world: its choices, then difference, standardised, low, high, p, verdict, significant."""
        numbers = {name: getattr(self, name) for name in ("difference", "standardised", "low", "high", "p")}
        verdict = np.array(VERDICTS, dtype=object)[self.verdict + 1]
        return self.worlds.frame().assign(**numbers, verdict=verdict, significant=self.significant)
