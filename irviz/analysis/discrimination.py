"""Discriminative power: how many pairs of systems does each measure separate, and which?

The same test under every measure of a cube, with the same seed, so that measures are
compared on the same shuffles or resamples (Chen & Sakai 2023, section 6; Maistro et al.
2021, section 4.3.2; Ferrante et al. 2019, section 5.3).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.frozen import ByMeasure
from irviz.analysis.significance import METHODS, Significance, checked_draws, result
from irviz.errors import choose, probability
from irviz.scores import Scores, check_scores
from irviz.summary.matrix import finite
from irviz.workers import Progress, Workers, takes


@dataclass(frozen=True, eq=False)
class DiscriminativePower(ByMeasure):
    """One test under many measures; `results` has one :class:`Significance` per measure."""

    by_measure: ClassVar[tuple[str, ...]] = ("results",)
    measures: tuple[str, ...]
    systems: tuple[str, ...]
    results: tuple[Significance, ...]

    def at(self, alpha: float) -> DiscriminativePower:
        """The same p-values with another `alpha`."""
        probability("alpha", alpha, usual=0.05)
        return replace(self, results=tuple(replace(result, alpha=alpha) for result in self.results))

    @cached_property
    def asl(self) -> NDArray[np.float64]:
        """measures × pairs: every measure's p-values, largest first; the curves of Chen & Sakai 2023, Figure 2."""
        return np.stack([result.asl for result in self.results])

    @cached_property
    def p_values(self) -> NDArray[np.float64]:
        """measures × pairs, pairs in the order of :meth:`pairs`."""
        upper = np.triu_indices(len(self.systems), k=1)
        return np.stack([result.p_values[upper] for result in self.results])

    @cached_property
    def separated(self) -> NDArray[np.bool_]:
        """measures × pairs: which pair is significant under which measure."""
        return self.p_values < np.array([[result.alpha] for result in self.results])

    def pairs(self) -> list[tuple[str, str]]:
        """All pairs of systems, in the order of the collection."""
        first, second = np.triu_indices(len(self.systems), k=1)
        return [(self.systems[i], self.systems[j]) for i, j in zip(first, second, strict=True)]

    def agreement(self) -> NDArray[np.int64]:
        """measures × measures: pairs that both separate; the diagonal counts what each separates."""
        found = self.separated.astype(np.int64)
        return found @ found.T

    def frame(self) -> pd.DataFrame:
        """One row per measure, most discriminative first: measure, significant, pairs, ratio."""
        columns = {
            "measure": list(self.measures),
            "significant": [result.significant for result in self.results],
            "pairs": [result.pairs for result in self.results],
            "ratio": [result.ratio for result in self.results],
        }
        return pd.DataFrame(columns).sort_values("significant", ascending=False, kind="stable", ignore_index=True)

    def pair_frame(self) -> pd.DataFrame:
        """One row per pair (a two-level index), one column per measure, p-values inside."""
        codes = np.triu_indices(len(self.systems), k=1)
        index = pd.MultiIndex(levels=[self.systems, self.systems], codes=codes, names=["first", "second"])
        return pd.DataFrame(self.p_values.T, index=index, columns=list(self.measures))


@takes(lambda s, method, trials, **_: METHODS[method].seconds(s.values.shape, trials))
def discriminative_power(
    s: Scores,
    method: str = "randomised_tukey",
    trials: int = 2000,
    alpha: float = 0.05,
    seed: int = 0,
    progress: Progress | None = None,
    workers: Workers = None,
) -> DiscriminativePower:
    """:func:`irviz.significance` under every measure of a cube, on the same draws; parameters as there.

    Kruskal-Wallis ranks the total orders by their exact scores.
    """
    check_scores(s)
    chosen = METHODS[choose("significance test", method, tuple(METHODS))]
    draws = checked_draws(s.systems, s.topics, trials, alpha, seed, workers, progress)
    values = finite(s)
    if chosen.scale == "ordinal":
        values = np.stack([s.order(measure) for measure in s.measures])
    tested = chosen.test(values, draws)
    return DiscriminativePower(
        s.measures, s.systems, tuple(result(s.systems, one, method, trials, alpha, seed) for one in tested)
    )
