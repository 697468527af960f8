"""Which topics carry a difference: what each adds, and the fewest that decide it.

For means the answers are exact; Broderick, Giordano and Meager 2020 approximate the same
question for any statistic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.conclusions.choices.dimensions import Average
from irviz.conclusions.comparing.outcomes import Asked, Group, outcomes
from irviz.conclusions.comparing.resampling import draws, mean_of
from irviz.summary.aggregate import aggregate

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Contrast:
    """Two systems on the topics of one world.

    Attributes
    ----------
    names : the first and the second system
    topics : tuple of str
    first, second : by topic, scores
        Standardised where the world's average is of standardised scores.
    average, test : the world's own
    """

    names: tuple[str, str]
    topics: tuple[str, ...]
    first: Floats
    second: Floats
    average: Average
    test: str
    alpha: float
    trials: int
    seed: int

    @cached_property
    def difference(self) -> float:
        """Average of the first minus average of the second."""
        both = np.stack([self.first, self.second], axis=1)
        one, other = aggregate(both, self.average.how, self.average.eps)
        return float(one - other)

    @property
    def adds(self) -> pd.Series:
        r"""What each topic adds to the difference, largest first.

        .. math:: D_t = D \cdot \frac{g(a_t) - g(b_t)}{\sum_u g(a_u) - g(b_u)}

        for a mean :math:`g^{-1}(\frac1n \sum_t g(x_t))`; for the arithmetic mean that is
        :math:`(a_t - b_t) / n`.  To a median no topic adds anything by itself, so it is given
        the same :math:`(a_t - b_t) / n`, which does not add up to the difference of medians.
        """
        parts = (self.first - self.second) / len(self.topics)
        if self.average.how not in ("mean", "median"):
            mean, eps = mean_of(self.average)
            moved = mean.forward(self.first, eps) - mean.forward(self.second, eps)
            whole = moved.sum()
            parts = moved * (self.difference / whole) if whole != 0 else np.zeros_like(moved)
        found = pd.Series(parts, index=pd.Index(self.topics, name="topic"), name="adds")
        return found.sort_values(ascending=False, kind="stable")

    @property
    def exact(self) -> dict[str, bool]:
        """Whether :meth:`fewest` gives the least numbers, or only numbers that are enough."""
        mean = self.average.how == "mean"
        return {"significance": self.test == "sign" or (mean and self.test == "t"), "sign": mean}

    def fewest(self) -> dict[str, int | None]:
        """Fewest topics without which significance, or the sign, is lost.

        Returns
        -------
        dict
            ``"significance"``: without this many, the world's own test (of these two systems alone)
            has p ≥ alpha or points the other way; 0 where it is not significant to begin with.
            ``"sign"``: without this many, the difference is 0 or of the other sign; 0 where it is 0.
            None where no removal that leaves two topics (for the sign: one) does it.

        Notes
        -----
        Topics are taken away that lie next to each other in the order of their differences.
        For the sign of a mean these are the largest ones.  For the *t* test they are a run
        somewhere in that order: with m topics left, p ≥ alpha is :math:`\\sum d \\le c \\sqrt{\\sum d^2}`
        for some c, and as a function of one d, :math:`S + d - c\\sqrt{Q + d^2}` is concave, so
        that keeping a topic between two removed ones is never better than keeping one of
        those.  The same run is exact for the sign test.  For other averages and tests the
        numbers are the fewest of that kind, and fewer might do: read them as "at most"
        (:attr:`exact`).
        """
        order = np.argsort(-np.sign(self.difference) * (self.first - self.second), kind="stable")
        return {"significance": self._search(order, self._insignificant, 2), "sign": self._sign(order)}

    def _sign(self, order: NDArray[np.intp]) -> int | None:
        """Remove the topics that support the difference most, one by one."""
        if self.difference == 0:
            return 0
        towards = np.sign(self.difference)
        for k in range(1, len(order)):
            left = order[k:]
            one, other = aggregate(
                np.stack([self.first[left], self.second[left]], axis=1), self.average.how, self.average.eps
            )
            noise = 4 * len(order) * np.finfo(np.float64).eps * max(abs(one), abs(other))
            if (one - other) * towards <= noise:
                return k
        return None

    def _search(
        self, order: NDArray[np.intp], lost: Callable[[Floats, Floats], NDArray[np.bool_]], least: int
    ) -> int | None:
        """The shortest run of `order` whose removal is enough."""
        n = len(order)
        for k in range(n - least + 1):
            keep = np.stack([np.delete(order, np.s_[start : start + k]) for start in range(n - k + 1 if k else 1)])
            if lost(self.first[keep], self.second[keep]).any():
                return k
        return None

    def _insignificant(self, first: Floats, second: Floats) -> NDArray[np.bool_]:
        """By row of candidates × topics, whether p ≥ alpha or the test points the other way."""
        values = np.stack([first, second], axis=2)
        average = Average(self.average.how, self.average.eps)
        asked = Asked((average,), (self.test,), self.alpha, self.trials, self.seed)
        group = Group(values, values, np.array([0]), np.array([1]), np.array([0, 1]))
        found = outcomes(group, asked, draws(group.topics, self.trials, self.seed))
        away = found.direction[0, 0, :, 0] != np.sign(self.difference)
        return (found.p[0, 0, :, 0] >= self.alpha) | away
