"""The set-based and rank-based total orders: interval scales by construction.

Their value is the rank function of a total order of all judged runs, divided by its maximum.  The rank function is a
whole number of up to thousands of bits, so a double cannot distinguish runs that differ deep down; ``exact`` gives the
whole number, for everything that depends on order (ties in τ, ranks).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm
from operator import truediv
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from irviz.errors import IrvizError, check_length, number_of
from irviz.measures.arithmetic import Array, fraction
from irviz.measures.judged_lists import JudgedLists, Topics
from irviz.measures.language.base import Measure, Parts, Scale
from irviz.measures.language.parameters import Numbers, parameter, value_text
from irviz.measures.scale_facts import geometric_scale, only_grade


@dataclass(frozen=True, kw_only=True)
class TotalOrder(Measure):
    """Base of the total orders: a rank function in whole numbers, and its maximum."""

    group: ClassVar[str] = "Interval scales"
    deepest: ClassVar[int] = 10_000  #: ρ has one digit per rank
    ideal_is_one: ClassVar[bool] = False

    def rank_function(self, lists: JudgedLists) -> NDArray[np.object_]:
        """ρ of every run, as Python integers (times a constant where weights are fractions)."""
        raise TypeError(f"{type(self).__name__} defines no rank function.")

    def maximum(self, lists: JudgedLists) -> int:
        """ρ of the run that has the highest grade at every rank."""
        raise TypeError(f"{type(self).__name__} defines no maximum.")

    def exact(self, topic: Topics) -> NDArray[np.object_]:
        lists = self.lists_of(topic)
        return lists.keep(self, lambda: self.rank_function(lists))

    def evaluate(self, lists: JudgedLists) -> Array:
        top = self.maximum(lists) or 1  # with a single grade ρ is 0 for every run
        divide = Fraction if lists.exact else truediv  # int / int rounds once, at any size
        rhos = lists.keep(self, lambda: self.rank_function(lists))  # also for the exact number
        return np.array([divide(rho, top) for rho in rhos], dtype=lists.dtype)

    def exact_bits(self, levels: int, depth: int) -> int:
        return int((self.cutoff or depth) * np.log2(max(2, levels))) + 1

    def seconds(self, depth: int, judged: int) -> float:
        return 3e-6 + 2.5e-8 * min(self.cutoff or depth, depth) + 3e-9 * (self.cutoff or depth)

    def window(self, lists: JudgedLists) -> Array:
        """runs × ranks: grade levels down to the cutoff or the end of the lists."""
        return lists.head(self.cutoff).levels()

    def length(self, lists: JudgedLists) -> int:
        """N, the length of every run."""
        return self.cutoff or lists.depth


@dataclass(frozen=True, kw_only=True)
class SBTO(TotalOrder):
    r"""Set-based total order: of two lists, the better has more documents of the highest grade; if equal, of the next.

    Ranks do not matter: a list is a multiset of grades, and ρ is the number of worse multisets.  The levels are in
    *descending* order, δ_1 ≥ … ≥ δ_N.  (In ascending order, as the equation is printed, different multisets share a
    value.)
    """

    symbol: ClassVar[str] = "SBTO"
    title: ClassVar[str] = "Set-based total order"
    formula: ClassVar[str] = (
        r"\rho = \sum_{j=1}^{N} \binom{\delta_j + N - j}{N - j + 1}, \quad \mathrm{SBTO} = \rho / \max\rho"
    )
    source: ClassVar[str] = "Ferrante et al. 2019, eq. (2) and (3)"
    set_based: ClassVar[bool] = True
    orders: ClassVar[str] = "set"

    def rank_function(self, lists: JudgedLists) -> NDArray[np.object_]:
        n, many = self.length(lists), lists.head(self.cutoff).found_levels()
        kind = np.zeros(len(many), dtype=np.intp)
        for column in many.T[1:]:  # one kind per distinct set; numpy's unique rows take 30 times as long
            kind = np.unique(kind * (n + 1) + column, return_inverse=True)[1]
        _, first = np.unique(kind, return_index=True)
        return np.array([_rho(row, n) for row in many[first].tolist()], dtype=object)[kind]

    def maximum(self, lists: JudgedLists) -> int:
        c, n = len(lists.grades) - 1, self.length(lists)
        return comb(n + c, c) - 1

    def parts(self, lists: JudgedLists) -> Parts:
        window, top = self.window(lists)[0], self.maximum(lists) or 1
        order = np.argsort(-window, kind="stable")  # eq. (2) takes documents of the best grades first
        adds, n = np.zeros(len(window)), len(window)
        adds[order] = [comb(int(level) + n - j, n - j + 1) / top for j, level in enumerate(window[order], start=1)]
        return Parts.of_sums(window.astype(np.float64), adds)

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        return only_grade(grades) or Scale(
            "interval", "It is the rank function of the set-based total order.", self.source
        )


def _rho(many: list[int], n: int) -> int:
    """ρ of a set of n documents, `many` at each level and the rest at level 0: eq. (2), one block per level.

    A block of m documents of level v that starts at position j adds
    Σ_{i=0}^{m−1} C(v + n − j − i, v − 1) = C(v + n − j + 1, v) − C(v + n − j − m + 1, v).
    """
    total, j = 0, 1
    for v in range(len(many) - 1, 0, -1):
        m = many[v]
        total += comb(v + n - j + 1, v) - comb(v + n - j - m + 1, v)
        j += m
    return total


@dataclass(frozen=True, kw_only=True)
class RBTO(TotalOrder):
    """Rank-based total order: of two lists, the better one has the higher grade at the first rank where they differ.

    A list is read as a number in base c + 1, its first rank the leading digit.
    With `weights` instead of the levels, distances between grades need not be equal.
    """

    symbol: ClassVar[str] = "RBTO"
    title: ClassVar[str] = "Rank-based total order"
    formula: ClassVar[str] = (
        r"\rho = \sum_{i=1}^{N} \delta(\hat r[i])\,(c+1)^{N-i}, \quad \mathrm{RBTO} = \rho / \max\rho"
    )
    source: ClassVar[str] = "Ferrante et al. 2019, eq. (5) and (6)"
    weights: tuple[float, ...] | None = parameter(
        None,
        Numbers(ascending=True, nonnegative=True, optional=True),
        "One number per grade level, lowest first, instead of 0, 1, 2, …",
    )

    def digits(self, lists: JudgedLists) -> list[int]:
        """The weight of every level as a whole number (fractions brought to one denominator)."""
        if self.weights is None:
            return list(range(len(lists.grades)))
        levels, advice = number_of(len(lists.grades), "grade level"), "Give one number per level, lowest first."
        check_length("`weights` of RBTO lists", self.weights, len(lists.grades), levels, advice)
        if self.weights[0] != 0 or (self.weights[-1] == 0 and len(self.weights) > 1):
            raise IrvizError(f"`weights` of RBTO must start at 0 and end above it; got {value_text(self.weights)}.")
        parts = [fraction(weight) for weight in self.weights]
        common = lcm(*(part.denominator for part in parts))
        return [int(part * common) for part in parts]

    def rank_function(self, lists: JudgedLists) -> NDArray[np.object_]:
        weights = self.digits(lists)
        integers = np.array(weights, dtype=np.int64 if max(weights) < 2**40 else object)
        window = self.window(lists)
        digits = _in_base(integers[window], _base(lists), max(1, *weights))
        return digits * _base(lists) ** (self.length(lists) - window.shape[1])

    def maximum(self, lists: JudgedLists) -> int:
        base, n = _base(lists), self.length(lists)
        return max(self.digits(lists)) * (base**n - 1) // (base - 1)

    def parts(self, lists: JudgedLists) -> Parts:
        window, top = self.window(lists)[0], self.maximum(lists) or 1
        gain, n = np.array(self.digits(lists), dtype=np.float64)[window], len(window)
        return Parts(gain, np.array([_base(lists) ** (n - i) / top for i in range(1, n + 1)]))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        if self.weights is None:
            return only_grade(grades) or Scale(
                "interval", "It is the rank function of the rank-based total order.", self.source
            )
        lists = JudgedLists.of_grades(grades)
        table = [Fraction(digit) for digit in self.digits(lists)]
        return geometric_scale(Fraction(1, len(grades)), table, self.depth_seen(depth))


def _base(lists: JudgedLists) -> int:
    """c + 1; 2 for a single grade."""
    return max(2, len(lists.grades))


def _in_base(digits: NDArray[Any], base: int, largest: int) -> NDArray[np.object_]:
    """Rows of digits, first the most significant, as Python integers; a digit may exceed the base."""
    chunk = 1
    while largest * base**chunk * 2 < 2**62:
        chunk += 1
    total = np.zeros(len(digits), dtype=object)
    for start in range(0, digits.shape[1], chunk):
        block = digits[:, start : start + chunk]
        powers = np.array([base**i for i in range(block.shape[1] - 1, -1, -1)], dtype=digits.dtype)
        total = total * base ** block.shape[1] + (block @ powers).astype(object)
    return total
