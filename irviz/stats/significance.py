"""Which systems differ by more than chance?  Four tests, every pair of systems."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, choose, join_words, probability, whole_number
from irviz.portable import exact_totals
from irviz.stats.aggregate import ScoreMatrix, complete, matrix_of
from irviz.stats.bootstrap import paired_bootstrap
from irviz.stats.groups import Groups, group_totals, units_of
from irviz.stats.results import ByMeasure, Draws, FrozenArrays, Method, better_first
from irviz.stats.scores import Scores, check_scores
from irviz.stats.tukey import anova_tukey, kruskal_tukey, randomised_tukey
from irviz.stats.words import Test
from irviz.workers import Listener, Workers, check_workers, listener

# -- Groups in a ranking: consecutive systems that a test does not separate ------------------------


def indistinguishable_runs(separated: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Longest runs of a ranking in which no pair is separated, as (first, last) positions from the top.

    `separated` is systems × systems, in ranking order.  Every system is in at least one run.

    >>> apart = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> indistinguishable_runs(apart)
    [(0, 1), (1, 2)]
    """
    runs: list[tuple[int, int]] = []
    last = -1
    start = 0
    n = len(separated)
    for end in range(n):
        blocking = np.flatnonzero(separated[start:end, end])
        if len(blocking):
            if end - 1 > last:
                runs.append((start, end - 1))
                last = end - 1
            start += int(blocking[-1]) + 1
    if n - 1 > last:
        runs.append((start, n - 1))
    return runs


# --------------------------------------------------------------------------------------------------

Floats = NDArray[np.float64]


METHODS = {
    "randomised_tukey": Method("randomised Tukey HSD", "interval", True, True, randomised_tukey),
    "paired_bootstrap": Method("paired bootstrap", "interval", True, False, paired_bootstrap),
    "anova_tukey": Method("two-way ANOVA with Tukey HSD", "interval", False, True, anova_tukey),
    "kruskal_tukey": Method("Kruskal-Wallis with Tukey on mean ranks", "ordinal", False, True, kruskal_tukey),
}  #: every test, in the order of a menu


@dataclass(frozen=True, eq=False)
class Significance(FrozenArrays):
    """All pairs of systems under one test.

    Attributes
    ----------
    systems : tuple of str
    centres : by system; the mean, or for Kruskal-Wallis the mean rank
    p_values : systems × systems, symmetric, in [0, 1], 1 on the diagonal
    method, alpha, trials, seed
        As requested; a test without random draws has no trials (0).
    overall : float or None
        p of the hypothesis that all systems are equal: F test, Kruskal-Wallis, or the
        smallest p of the randomised Tukey HSD; the pairwise bootstrap has none.
    family : str
        The comparisons that the p-values are corrected for; a pair's p depends on the other systems given.
    ranges : by trial, or None
        The randomised Tukey HSD's largest difference in each shuffle, of sums over topics.
    topics : int
        Number of topics tested: those with scores of every system.
    """

    systems: tuple[str, ...]
    centres: Floats
    p_values: Floats
    method: str
    alpha: float
    trials: int
    seed: int
    overall: float | None
    family: str
    ranges: Floats | None = None
    topics: int = 0

    @property
    def pairs(self) -> int:
        """Number of pairs of systems."""
        return len(self.systems) * (len(self.systems) - 1) // 2

    @cached_property
    def separated(self) -> NDArray[np.bool_]:
        """systems × systems: p < alpha."""
        return self.p_values < self.alpha

    @property
    def significant(self) -> int:
        """Number of pairs with p < alpha."""
        return int(self.separated.sum()) // 2

    @property
    def ratio(self) -> float:
        """Share of all pairs that are significant: discriminative power, in [0, 1]."""
        return self.significant / self.pairs

    @cached_property
    def asl(self) -> Floats:
        """Achieved significance levels: the p-values of all pairs, largest first."""
        return np.sort(self.p_values[np.triu_indices(len(self.systems), k=1)])[::-1]

    @cached_property
    def ranking(self) -> NDArray[np.intp]:
        """Positions of the systems, best centre first; equal ones in their given order."""
        return np.argsort(-self.centres, kind="stable")

    @cached_property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Longest runs of the ranking in which no pair is separated, from the top.

        If p depends only on the difference of the centres, as in Tukey's tests, the runs contain all non-separated
        pairs; for the others see `across`.
        """
        return tuple(tuple(self.systems[i] for i in self.ranking[a : b + 1]) for a, b in self._runs)

    @cached_property
    def across(self) -> tuple[tuple[str, str], ...]:
        """Non-separated pairs that no group holds, better first; none under Tukey's tests."""
        order = self.ranking
        apart = self.separated[np.ix_(order, order)].copy()
        for a, b in self._runs:
            apart[a : b + 1, a : b + 1] = True
        pairs = np.argwhere(~np.tril(np.ones_like(apart)) & ~apart)
        return tuple((self.systems[order[i]], self.systems[order[j]]) for i, j in pairs)

    def not_separated_from(self, system: str) -> tuple[str, ...]:
        """The other systems that the test does not separate from this one, best centre first."""
        place = self.systems.index(choose("system", system, self.systems))
        return tuple(self.systems[i] for i in self.ranking if i != place and not self.separated[place, i])

    @cached_property
    def _runs(self) -> list[tuple[int, int]]:
        order = self.ranking
        return indistinguishable_runs(self.separated[np.ix_(order, order)])

    def frame(self) -> pd.DataFrame:
        """One row per pair, smallest p first: better, worse, difference (of the centres), p, significant."""
        better, worse = better_first(np.subtract.outer(self.centres, self.centres))
        names = np.array(self.systems, dtype=object)
        p = self.p_values[better, worse]
        frame = pd.DataFrame(
            {
                "better": names[better],
                "worse": names[worse],
                "difference": self.centres[better] - self.centres[worse],
                "p": p,
                "significant": p < self.alpha,
            }
        )
        return frame.iloc[np.lexsort((-frame.difference.to_numpy(), p))].reset_index(drop=True)

    def matrix(self) -> pd.DataFrame:
        """The p-values as a labelled square."""
        return pd.DataFrame(self.p_values, index=list(self.systems), columns=list(self.systems))


def significance(
    matrix: ScoreMatrix,
    method: Test = "randomised_tukey",
    *,
    trials: int = 2000,
    alpha: float = 0.05,
    seed: int = 0,
    progress: Listener = None,
    workers: Workers = None,
    groups: Groups | None = None,
) -> Significance:
    """Test every pair of systems.

    Parameters
    ----------
    matrix : DataFrame, topics × systems, or Scores of one measure
        Of Scores, Kruskal-Wallis sees the exact order also where doubles cannot distinguish them.
    method : {"randomised_tukey", "paired_bootstrap", "anova_tukey", "kruskal_tukey"}
        The test of every pair of systems.  See :func:`~irviz.stats.tukey.randomised_tukey`,
        :func:`~irviz.stats.bootstrap.paired_bootstrap`,
        :func:`~irviz.stats.tukey.anova_tukey`,
        :func:`~irviz.stats.tukey.kruskal_tukey`.  All but the bootstrap control the
        family-wise error rate over all pairs.
    trials : int
        Shuffles or resamples of the methods that draw at random.
    alpha : float in (0, 1)
        A pair is significant if p < alpha.
    seed : int
    progress : callable, or True for a bar, optional
    workers : see :func:`irviz.workers.run`
    groups : path, (name, bytes), mapping or Series of topic to group, optional
        Topics that are not independent, such as the turns of a conversation.  Whole groups are shuffled or drawn: the
        test is that of the groups' sums of scores; a topic without a group is one by itself.  Of
        ``"randomised_tukey"`` and ``"paired_bootstrap"`` only.

    Returns
    -------
    Significance

    Notes
    -----
    Needs two systems and two topics.  Topics on which a system has no score are left out.
    If all scores are equal, every p is 1.  A p that is
    counted from B draws is (count + 1)/(B + 1), so it is never 0.
    """
    one = matrix_of(matrix)
    return discriminative_power(
        one, method, trials=trials, alpha=alpha, seed=seed, progress=progress, workers=workers, groups=groups
    ).results[0]


# -- Discriminative power: how many pairs of systems does each measure separate, and which? --------
#
# The same test under every measure of a cube, on the same shuffles or resamples (Chen & Sakai 2023, section 6; Maistro
# et al. 2021, section 4.3.2; Ferrante et al. 2019, section 5.3).


@dataclass(frozen=True, eq=False)
class DiscriminativePower(ByMeasure):
    """One test under many measures.

    Attributes
    ----------
    measures, systems : tuple of str
    results : tuple of Significance, by measure
    """

    by_measure: ClassVar[tuple[str, ...]] = ("results",)
    measures: tuple[str, ...]
    systems: tuple[str, ...]
    results: tuple[Significance, ...]

    def with_alpha(self, alpha: float) -> DiscriminativePower:
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
        """measures × measures: number of pairs that both separate; on the diagonal, that each separates."""
        separated = self.separated.astype(np.int64)
        return separated @ separated.T

    def frame(self) -> pd.DataFrame:
        """One row per measure, most discriminative first: measure, significant, pairs, ratio."""
        rows = [(result.significant, result.pairs, result.ratio) for result in self.results]
        frame = pd.DataFrame(rows, columns=["significant", "pairs", "ratio"])
        frame.insert(0, "measure", list(self.measures))
        return frame.sort_values("significant", ascending=False, kind="stable", ignore_index=True)

    def pair_frame(self) -> pd.DataFrame:
        """One row per pair (a two-level index), one column per measure, p-values inside."""
        codes = np.triu_indices(len(self.systems), k=1)
        index = pd.MultiIndex(levels=[self.systems, self.systems], codes=codes, names=["first", "second"])
        return pd.DataFrame(self.p_values.T, index=index, columns=list(self.measures))


def discriminative_power(
    s: Scores,
    method: Test = "randomised_tukey",
    *,
    trials: int = 2000,
    alpha: float = 0.05,
    seed: int = 0,
    progress: Listener = None,
    workers: Workers = None,
    groups: Groups | None = None,
) -> DiscriminativePower:
    """:func:`irviz.significance` under every measure, on the same draws.

    Parameters
    ----------
    s : Scores
    method, trials, alpha, seed, progress, workers, groups
        As of :func:`irviz.significance`.

    Returns
    -------
    DiscriminativePower
    """
    check_scores(s)
    progress = listener(progress)
    chosen = METHODS[choose("significance test", method, METHODS)]
    s = complete(s)
    values = s.values
    for what, names in (("system", s.systems), ("topic", s.topics)):
        if len(names) < 2:
            raise IrvizError(f"A significance test needs at least two {what}s; there is only {names[0]}.")
    whole_number("trials", trials)
    whole_number("seed", seed, least=0)
    probability("alpha", alpha, usual=0.05)
    if chosen.scale == "ordinal":
        values = np.stack([s.order(measure) for measure in s.measures])
    drawn, family = trials if chosen.draws else 0, chosen.family(len(s.systems))
    how, topics = (method, alpha, drawn, seed), len(s.topics)
    if groups is not None:
        if not chosen.draws:
            known = join_words(name for name, one in METHODS.items() if one.draws)
            raise IrvizError(f"Groups of topics are drawn or shuffled together; `{method}` does neither. Use {known}.")
        values = group_totals(values, units_of(groups, s.topics))
        if values.shape[1] < 2:
            raise IrvizError("A significance test needs at least two groups of topics; there is only one.")
    results = tuple(
        Significance(s.systems, one.centres, one.p_values, *how, one.overall, family, one.ranges, topics)
        for one in chosen.test(values, Draws(trials, seed, check_workers(workers), progress))
    )
    if groups is not None:  # what was tested are sums over groups
        centres = exact_totals(s.values) / topics
        results = tuple(replace(one, centres=mean) for one, mean in zip(results, centres, strict=True))
    return DiscriminativePower(s.measures, s.systems, results)
