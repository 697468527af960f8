"""Systems against a baseline, or each other: differences of means, tested and corrected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, choose, probability
from irviz.multiverse.compare import RESAMPLING_TESTS, PairScores, Procedure, compare_pairs
from irviz.multiverse.dimensions import Average
from irviz.stats.aggregate import complete
from irviz.stats.groups import Groups, units_of
from irviz.stats.paired import CORRECTIONS, PAIRED_TESTS
from irviz.stats.results import FrozenArrays
from irviz.stats.scores import Scores, check_scores
from irviz.stats.tables import SystemTable, system_table
from irviz.stats.words import Correction, PairedTest

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Comparisons(FrozenArrays):
    """Differences of the means of pairs of systems under every measure, with tests.

    Attributes
    ----------
    first, second : tuple of str
        The systems of each pair; the second is the baseline, where there is one.
    topics : int
        On which all systems have a score under all measures.
    means : measures × systems
    difference : measures × pairs
        Mean of the first minus mean of the second.
    low, high : measures × pairs
        Limits of the test's interval at 1 − alpha, not corrected; NaN where the test has none.
    p_values : measures × pairs
        Corrected over the pairs, measure by measure.
    """

    measures: tuple[str, ...]
    systems: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    topics: int
    means: Floats
    difference: Floats
    low: Floats
    high: Floats
    p_values: Floats
    baseline: str | None
    test: str
    correction: str
    alpha: float

    def frame(self) -> pd.DataFrame:
        """One row per measure and pair: measure, system, baseline, difference, low, high, p, significant."""
        count = len(self.first)
        return pd.DataFrame(
            {
                "measure": np.repeat(np.array(self.measures, dtype=object), count),
                "system": self.first * len(self.measures),
                "baseline": self.second * len(self.measures),
                "difference": self.difference.ravel(),
                "low": self.low.ravel(),
                "high": self.high.ravel(),
                "p": self.p_values.ravel(),
                "significant": self.p_values.ravel() < self.alpha,
            }
        )

    def table(self) -> SystemTable:
        """Means of the systems, with a mark at those that differ significantly from the baseline."""
        if self.baseline is None:
            raise IrvizError("A table marks differences from a baseline. Name one: irviz.compare(s, baseline=…).")
        p_values = np.ones(self.means.shape)
        p_values[:, [self.systems.index(name) for name in self.first]] = self.p_values
        return system_table(self.means, p_values, self.measures, self.systems, self.baseline, self.alpha)


def compare(
    s: Scores,
    baseline: str | int | None = None,
    *,
    test: PairedTest = "t",
    correction: Correction = "holm",
    alpha: float = 0.05,
    trials: int = 10_000,
    seed: int = 0,
    groups: Groups | None = None,
) -> Comparisons:
    """Test the differences of mean scores between every system and a baseline, or between all pairs.

    Parameters
    ----------
    s : Scores
        Compared on the topics on which all systems have a score under all measures.
    baseline : str or int, optional
        A system, by name or position; None for all pairs.
    test : "t", "wilcoxon", "sign", "bootstrap" or "randomisation"
        Paired tests of per-topic differences, as in :func:`irviz.conclusion`.
    correction : "holm", "bonferroni" or "none"
        Of the p-values of one measure.
    alpha : float
        Significance level.
    trials, seed : int
        Random draws of bootstrap and randomisation.
    groups : path, (name, bytes), mapping or Series of topic to group, optional
        Topics that belong together, as in :func:`irviz.conclusion`.

    Returns
    -------
    Comparisons

    Raises
    ------
    IrvizError
        For an unknown system, test or correction, fewer than two systems or two common topics.

    Examples
    --------
    >>> import irviz
    >>> s = irviz.score(irviz.open_collection("dl2021"), ["AP", "nDCG@10"])
    >>> int(irviz.compare(s, baseline=s.systems[0]).frame().significant.sum())
    57
    """
    check_scores(s)
    choose("test", test, (*PAIRED_TESTS, *RESAMPLING_TESTS))
    choose("correction", correction, tuple(CORRECTIONS))
    s = complete(s)
    count = len(s.systems)
    if count < 2 or len(s.topics) < 2:
        raise IrvizError(f"At least two systems and two topics are compared; got {count} and {len(s.topics)}.")
    first, second = np.triu_indices(count, 1)
    name = None
    if baseline is not None:
        name = s.systems[baseline] if isinstance(baseline, int) and -count <= baseline < count else str(baseline)
        place = s.systems.index(choose("system", name, s.systems))
        first = np.delete(np.arange(count), place)
        second = np.full(count - 1, place)
    how = Procedure((Average("mean"),), (test,), probability("alpha", alpha, 0.05), trials, seed)
    units = None if groups is None else units_of(groups, s.topics)
    found = compare_pairs(PairScores({False: s.values}, first, second, np.empty(0, dtype=np.intp), units), how)
    return Comparisons(
        s.measures,
        s.systems,
        tuple(s.systems[i] for i in first),
        tuple(s.systems[i] for i in second),
        len(s.topics),
        s.means().to_numpy().T,
        found.difference[0],
        found.low[0, 0],
        found.high[0, 0],
        CORRECTIONS[correction](found.p[0, 0]),
        name,
        test,
        correction,
        how.alpha,
    )
