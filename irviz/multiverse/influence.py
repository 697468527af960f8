"""The choices and the topics that carry a conclusion.

`attribution` divides the variation among the worlds between the choices; `nearest` finds the fewest changes
of choices that turn a verdict; a `Contrast` of two systems says how much each topic adds, and the fewest
topics that decide.  For means the answers about topics are exact; Broderick, Giordano and Meager 2020
approximate the same question for any statistic.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, choose, join_words
from irviz.multiverse.compare import PairScores, Procedure, compare_pairs
from irviz.multiverse.dimensions import CERTAINTY_ONLY, DIMENSIONS, Average
from irviz.multiverse.resampling import mean_of
from irviz.multiverse.worlds import Worlds
from irviz.portable import exact_totals
from irviz.stats.aggregate import aggregate
from irviz.stats.paired import Differences, t_p

_ALL_RUNS = 100  #: topics up to which every run of them is taken away in turn

# -- Choices -------------------------------------------------------------------------------------

Floats = NDArray[np.float64]


def attribution(w: Worlds, values: Floats) -> pd.Series:
    r"""Share of the variance of `values` over the worlds that each dimension explains.

    Main effects of an additive model (one mean for each option), the rest being interactions:

    .. math::

        \text{share}_j = \operatorname{mean}_{\text{orders}}
            \big(R^2(\text{dimensions before and with } j) - R^2(\text{those before})\big)

    Where every combination of options is there, the order does not matter, and this is the sum of squares of the
    analysis of variance over the total.  Where some are left out or were not drawn, dimensions overlap; the mean over
    orders (Lindeman, Merenda & Gold 1980, p. 119 ff.) divides what they share.

    The last share is that of ``"interactions"``; they add up to 1, and are NaN where all values are equal.  Values that
    are not finite are left out.  The test and its family do not affect a difference: worlds that differ only in these
    count once.
    """
    codes, rows = w.codes.copy(), np.flatnonzero(np.isfinite(values))
    codes[:, [list(DIMENSIONS).index(name) for name in CERTAINTY_ONLY]] = 0
    first = rows[np.sort(np.unique(codes[rows], axis=0, return_index=True)[1])]
    shares, rest = main_effects(codes[first], values[first])
    parts = dict(zip(DIMENSIONS, shares.tolist(), strict=True))
    kept = {name: parts[name] for name in w.dimensions} | {"interactions": rest}
    return pd.Series(kept, name="share").rename_axis("choice")


def main_effects(codes: NDArray[np.int16], values: Floats) -> tuple[Floats, float]:
    """Shares of the variance that the dimensions (columns of `codes`) explain, and what is left for interactions."""
    shares = np.zeros(codes.shape[1])
    if not len(values):
        return np.full_like(shares, np.nan), float("nan")
    varying = [j for j in range(codes.shape[1]) if np.ptp(codes[:, j]) > 0]
    centred = values - exact_totals(values[:, None])[0] / len(values)
    noise = 8 * np.finfo(np.float64).eps * np.abs(values).max()
    centred = np.where(np.abs(centred) <= noise, 0.0, centred)
    variation = float(exact_totals((centred * centred)[:, None])[0])
    if variation == 0:
        return np.full_like(shares, np.nan), float("nan")
    explained = _explained_squares(codes, varying, centred, variation)
    for j in varying:
        shares[j] = _mean_over_orders(j, varying, explained) / variation
    return shares, max(0.0, 1.0 - float(shares.sum()))


def _mean_over_orders(j: int, varying: Sequence[int], explained_squares: Mapping[tuple[int, ...], float]) -> float:
    """The mean contribution of `j` to sets of the other dimensions, over all orders."""
    others = [i for i in varying if i != j]
    added = 0.0
    for size in range(len(others) + 1):
        weight = 1.0 / (len(varying) * comb(len(others), size))
        for before in combinations(others, size):
            added += weight * (explained_squares[tuple(sorted((*before, j)))] - explained_squares[before])
    return max(added, 0.0)


def _explained_squares(
    codes: NDArray[np.int16], varying: Sequence[int], centred_values: Floats, whole: float
) -> dict[tuple[int, ...], float]:
    """By set of dimensions, the sum of squares that their additive model explains, by sweeping (Goodnight 1979)."""
    blocks = {j: [codes[:, j] == option for option in np.unique(codes[:, j])[1:]] for j in varying}
    design = np.stack([np.ones(len(codes), dtype=bool), *(mark for j in varying for mark in blocks[j])])
    matrix = np.empty((len(design) + 1, len(design) + 1))
    matrix[:-1, :-1] = design.astype(np.float64) @ design.T  # counts: exact in any order
    matrix[-1, :-1] = matrix[:-1, -1] = exact_totals(design.T * centred_values[:, None])
    matrix[-1, -1] = whole
    ends = 1 + np.cumsum([len(blocks[j]) for j in varying])
    explained: dict[tuple[int, ...], float] = {}

    def sweep(state: Floats, start: int, subset: tuple[int, ...]) -> None:
        explained[subset] = whole - float(state[-1, -1])
        for place in range(start, len(varying)):
            after = state
            for option in range(int(ends[place]) - len(blocks[varying[place]]), int(ends[place])):
                after = _residual_products(after, option)
            sweep(after, place + 1, (*subset, varying[place]))

    sweep(_residual_products(matrix, 0), 0, ())
    return explained


def _residual_products(matrix: Floats, pivot: int) -> Floats:
    """The residual sums of squares and products after this column; as it stands where the column adds nothing new."""
    size = matrix[pivot, pivot]
    if size < 1e-9 * matrix.shape[0]:
        return matrix
    return matrix - matrix[:, pivot, None] * (matrix[pivot] / size)


def nearest(
    w: Worlds, verdict: NDArray[np.int8], significant: NDArray[np.bool_] | None, here: int
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The worlds nearest to row `here` with another verdict, fewest changes first; and rows × dimensions, what differs.

    A world is left out if some of its changes alone turn the verdict. The test and its family count if `significant` is
    given.
    """
    codes, other = w.codes.copy(), verdict != verdict[here]
    if significant is not None:
        other = other | (significant != significant[here])
    else:
        places = [list(DIMENSIONS).index(name) for name in CERTAINTY_ONLY]
        codes[:, places] = codes[here, places]
    changed = codes != codes[here]
    rows = np.flatnonzero(other)
    rows = rows[np.argsort(changed[rows].sum(axis=1), kind="stable")]
    rows = rows[_irreducible_rows(codes[rows], changed[rows])]
    return rows, changed[rows]


def world_at(w: Worlds, current: Mapping[str, Any]) -> int:
    """The row of the world with these choices, all others being those of the first world."""
    wanted = w.codes[0].copy()
    for name, option in current.items():
        choose("choice", name, tuple(DIMENSIONS))
        if option not in w.options[name]:
            known = join_words(w.options[name], most=40, joiner="and")
            raise IrvizError(f"`{option}` is no {DIMENSIONS[name]} of these worlds. There are {known}.")
        wanted[list(DIMENSIONS).index(name)] = w.options[name].index(option)
    same = np.flatnonzero((w.codes == wanted).all(axis=1))
    if not len(same):
        choices = ", ".join(f"{name} {w.options[name][code]}" for name, code in zip(DIMENSIONS, wanted, strict=True))
        why = "it was not drawn" if w.drawn else "it was left out"
        raise IrvizError(f"This world is not among the {len(w):,}: {why} ({choices}). Choose one of the frame's rows.")
    return int(same[0])


def _irreducible_rows(codes: NDArray[np.int16], change_mask: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Rows of which no part of the changes makes a row of its own; rows come fewest changes first."""
    chosen: list[int] = []
    for i in range(len(codes)):
        part = (~change_mask[chosen] | (change_mask[i] & (codes[chosen] == codes[i]))).all(axis=1)
        if not part.any():
            chosen.append(i)
    return np.array(chosen, dtype=np.intp)


# -- Topics --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Contrast:
    """Two systems on the topics of one world."""

    names: tuple[str, str]  #: the first and the second system
    topics: tuple[str, ...]
    #: by topic, scores: standardised where the world's average is of standardised scores
    first: Floats
    second: Floats
    #: the world's own
    average: Average
    test: str
    alpha: float
    trials: int
    seed: int

    @cached_property
    def difference(self) -> float:
        """Average of the first minus average of the second."""
        first, second = self._averages(np.arange(len(self.topics)))
        return float(first - second)

    def _averages(self, topics: NDArray[np.intp]) -> Floats:
        """Of the two systems, over these topics."""
        both = np.stack([self.first[topics], self.second[topics]], axis=1)
        return aggregate(both, self.average.how, self.average.eps)

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        """Topics in the order in which they support the difference."""
        return np.argsort(-np.sign(self.difference) * (self.first - self.second), kind="stable")

    @property
    def adds(self) -> pd.Series:
        r"""The part of each topic in the difference, largest first.

        .. math:: D_t = D \cdot \frac{g(a_t) - g(b_t)}{\sum_u g(a_u) - g(b_u)}

        for a mean :math:`g^{-1}(\frac1n \sum_t g(x_t))`; for the arithmetic mean that is
        :math:`(a_t - b_t) / n`.  To a median no topic adds anything by itself, so it is given
        the same :math:`(a_t - b_t) / n`, which does not add up to the difference of medians.
        """
        parts = (self.first - self.second) / len(self.topics)
        if self.average.how not in ("mean", "median"):
            mean, eps = mean_of(self.average)
            moved = mean.forward(self.first, eps) - mean.forward(self.second, eps)
            moved_sum = moved.sum()
            parts = moved * (self.difference / moved_sum) if moved_sum != 0 else np.zeros_like(moved)
        series = pd.Series(parts, index=pd.Index(self.topics, name="topic"), name="adds")
        return series.sort_values(ascending=False, kind="stable")

    @property
    def exact(self) -> dict[str, bool]:
        """True if :meth:`fewest` gives the least numbers; False if they are enough, but perhaps not the least."""
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
        those.  For the sign test they are the topics ahead.  For other averages and tests the
        numbers are the fewest of that kind (of more than a hundred topics: of the largest differences), and fewer
        might do: read them as "at most" (:attr:`exact`).
        """
        return {"significance": self._significance(), "sign": self._sign()}

    def _sign(self) -> int | None:
        """Remove the topics that support the difference most, one by one."""
        if self.difference == 0:
            return 0
        towards = np.sign(self.difference)
        for k in range(1, len(self.topics)):
            first, second = self._averages(self._order[k:])
            noise = 4 * len(self.topics) * np.finfo(np.float64).eps * max(abs(first), abs(second))
            if (first - second) * towards <= noise:
                return k
        return None

    def _significance(self) -> int | None:
        """The length of the shortest run of topics, in their order, whose removal is enough."""
        n = len(self.topics)
        if self.test == "sign" or (n > _ALL_RUNS and not self.exact["significance"]):
            return self._leading()
        if self.exact["significance"]:
            return next((k for k in range(n - 1) if self._t_lost(k)), None)
        for k in range(n - 1):
            starts = range(n - k + 1 if k else 1)
            if self._insignificant(np.stack([np.delete(self._order, np.s_[s : s + k]) for s in starts])).any():
                return k
        return None

    def _leading(self) -> int | None:
        """How many of the first topics, in their order, must go for significance to be lost, by bisection."""

        def is_lost(k: int) -> bool:
            return bool(self._insignificant(self._order[None, k:])[0])

        most = len(self.topics) - 2
        if is_lost(0) or not is_lost(most):
            return 0 if is_lost(0) else None
        return 1 + bisect_left(range(1, most), True, key=is_lost)

    @cached_property
    def _sorted_differences(self) -> tuple[Differences, Floats]:
        """Differences in the order in which they support the claim, and as they are about their mean."""
        d = Differences.from_scores(self.first[self._order, None], self.second[self._order, None])
        return d, d.values[:, 0] - d.mean

    def _t_lost(self, k: int) -> bool:
        """True if the t test loses significance without some run of k topics."""
        d, about = self._sorted_differences
        m, sums, squares = d.topics - k, _sums_without(about, k), _sums_without(np.square(about), k)
        rest = squares - sums * sums / m
        rest = np.where(rest <= 64 * d.topics * np.finfo(np.float64).eps * squares, 0.0, rest)
        mean = sums / m + d.mean
        mean = np.where(np.abs(mean) <= d.noise, 0.0, mean)
        if (np.sign(mean) != np.sign(self.difference)).any():
            return True
        least = np.argmin(np.abs(mean) / np.sqrt(np.where(rest > 0, rest, 1e-300)))
        return bool(t_p(mean[least], np.sqrt(rest[least] / (m - 1)), m) >= self.alpha)

    def _insignificant(self, keep: NDArray[np.intp]) -> NDArray[np.bool_]:
        """By row of candidates × topics, whether on these p ≥ alpha or the test points the other way."""
        values = np.stack([self.first[keep], self.second[keep]], axis=2)
        average = Average(self.average.how, self.average.eps)
        how = Procedure((average,), (self.test,), self.alpha, self.trials, self.seed)
        scores = PairScores({False: values}, np.array([0]), np.array([1]), np.array([0, 1]))
        compared = compare_pairs(scores, how)
        away = compared.direction[0, 0, :, 0] != np.sign(self.difference)
        return (compared.p[0, 0, :, 0] >= self.alpha) | away


def _sums_without(values: NDArray[Any], k: int) -> NDArray[Any]:
    """The sums of all but a run of k values, by its start."""
    before = np.concatenate([np.zeros(1, dtype=values.dtype), np.cumsum(values)])
    return before[-1] - (before[k:] - before[: len(before) - k]) if k else before[-1:]
