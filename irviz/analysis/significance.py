"""Which systems differ by more than chance?  Four tests, every pair of systems."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.anova import anova_tukey
from irviz.analysis.bootstrap import paired_bootstrap
from irviz.analysis.frozen import FrozenArrays
from irviz.analysis.groups import indistinguishable_runs
from irviz.analysis.kruskal import kruskal_tukey, pooled_ranks
from irviz.analysis.progress import Progress, whole_number
from irviz.analysis.tukey import randomised_tukey
from irviz.errors import IrvizError, choose, probability
from irviz.summary.matrix import Matrix, matrix_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Method:
    """A test, in words: what it is called, what scale it takes for granted, whether it draws at random."""

    label: str
    scale: str
    draws: bool
    familywise: bool


METHODS = {
    "randomised_tukey": Method("randomised Tukey HSD", "interval", True, True),
    "paired_bootstrap": Method("paired bootstrap", "interval", True, False),
    "anova_tukey": Method("two-way ANOVA with Tukey HSD", "interval", False, True),
    "kruskal_tukey": Method("Kruskal-Wallis with Tukey on mean ranks", "ordinal", False, True),
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
        As asked for; a test that draws nothing has no trials (0).
    overall : float or None
        p of the hypothesis that all systems are equal: F test, Kruskal-Wallis, or the
        smallest p of the randomised Tukey HSD; the pairwise bootstrap has none.
    """

    systems: tuple[str, ...]
    centres: Floats
    p_values: Floats
    method: str
    alpha: float
    trials: int
    seed: int
    overall: float | None

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
        """Longest runs of the ranking in which no pair is separated, from the top."""
        order = self.ranking
        runs = indistinguishable_runs(self.separated[np.ix_(order, order)])
        return tuple(tuple(self.systems[i] for i in order[a : b + 1]) for a, b in runs)

    def frame(self) -> pd.DataFrame:
        """One row a pair, smallest p first: better, worse, difference (of the centres), p, significant."""
        place = np.empty(len(self.systems), dtype=np.intp)
        place[self.ranking] = np.arange(len(self.systems))
        first, second = np.triu_indices(len(self.systems), k=1)
        swap = place[first] > place[second]
        better, worse = np.where(swap, second, first), np.where(swap, first, second)
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
    matrix: pd.DataFrame,
    method: str = "randomised_tukey",
    trials: int = 2000,
    alpha: float = 0.05,
    seed: int = 0,
    progress: Progress | None = None,
    order: Floats | None = None,
) -> Significance:
    """Test every pair of systems.

    Parameters
    ----------
    matrix : DataFrame, topics × systems
    method : {"randomised_tukey", "paired_bootstrap", "anova_tukey", "kruskal_tukey"}
        See :func:`~irviz.analysis.tukey.randomised_tukey`,
        :func:`~irviz.analysis.bootstrap.paired_bootstrap`,
        :func:`~irviz.analysis.anova.anova_tukey`,
        :func:`~irviz.analysis.kruskal.kruskal_tukey`.  All but the bootstrap hold the error
        rate for the whole family of pairs.
    trials : int
        Shuffles or resamples of the methods that draw.
    alpha : float in (0, 1)
        A pair is significant where p < alpha.
    progress : callable(fraction, text), optional
    order : array topics × systems, optional
        For Kruskal-Wallis: numbers ordered as the scores are, where doubles cannot tell
        scores apart (:meth:`irviz.scores.Scores.order`).

    Returns
    -------
    Significance

    Notes
    -----
    Needs two systems and two topics.  Where all scores are equal every p is 1.
    """
    choose("significance test", method, tuple(METHODS))
    checked = _enough(matrix_of(matrix))
    whole_number("trials", trials)
    whole_number("seed", seed, least=0)
    probability("alpha", alpha, usual=0.05)
    centres, p, overall = _test(checked.values, method, trials, seed, progress, order)
    drawn = trials if METHODS[method].draws else 0
    return Significance(checked.systems, centres, p, method, alpha, drawn, seed, overall)


def _test(
    values: Floats, method: str, trials: int, seed: int, progress: Progress | None, order: Floats | None
) -> tuple[Floats, Floats, float | None]:
    if method == "kruskal_tukey":
        ordered = values if order is None else np.asarray(order, dtype=np.float64)
        if ordered.shape != values.shape:
            raise IrvizError(f"`order` has shape {ordered.shape}, but the score matrix {values.shape}.")
        return pooled_ranks(ordered)[0].mean(axis=0), *kruskal_tukey(ordered)
    centres = values.mean(axis=0)
    if method == "anova_tukey":
        return centres, *anova_tukey(values)
    if method == "paired_bootstrap":
        return centres, paired_bootstrap(values, trials, seed, progress), None
    p = randomised_tukey(values, trials, seed, progress)
    return centres, p, float(p.min())


def _enough(matrix: Matrix) -> Matrix:
    for what, names in (("system", matrix.systems), ("topic", matrix.topics)):
        if len(names) < 2:
            raise IrvizError(f"A significance test needs at least two {what}s; there is only {names[0]}.")
    return matrix
