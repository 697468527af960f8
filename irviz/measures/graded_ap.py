"""Average precision for graded relevance: GAP, xGAP and eGAP.

A user sets a threshold k on the grades with probability g_k.  GAP puts expected
quantities into AP; xGAP first picks the user, then a document relevant to that user;
eGAP is the expectation of AP itself.

Levels index g: a document of level r is relevant to users with thresholds 1 … r.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from irviz.errors import IrvizError
from irviz.measures.base import Measure, Scale
from irviz.measures.judged import Array, Judged
from irviz.measures.parameters import Numbers, parameter
from irviz.measures.scale_facts import precision_scale


@dataclass(frozen=True, kw_only=True)
class GradedAP(Measure):
    """Base of the three: the distribution g, and what it makes of the pool."""

    group: ClassVar[str] = "Graded average precision"
    per_base: ClassVar[bool] = True  #: users count alike, however many documents are relevant to them
    g: tuple[float, ...] = parameter(
        (1.0,),
        Numbers(simplex=True),
        "How likely a user's threshold is each grade: g_1 … g_c, summing to 1.",
        shown=True,
    )

    def thresholds(self, judged: Judged) -> list[Any]:
        """g_0 … g_c, with g_0 = 0, checked against the collection's grades.

        Without a grade above zero no g fits, and no user finds anything: only g_0.
        """
        if len(judged.grades) == 1:
            return [judged.number(0)]
        if len(self.g) != len(judged.grades) - 1:
            raise IrvizError(
                f"`g` of {self.symbol} lists {len(self.g)} numbers, but there are {len(judged.grades) - 1} grades "
                f"above zero. Give one number for each of them, lowest grade first."
            )
        return [judged.number(0), *(judged.number(x) for x in self.g)]

    def recall_bases(self, judged: Judged) -> list[int]:
        """RB(k): how many documents have level k or more, for k = 0 … c."""
        return np.cumsum(judged.pool()[::-1])[::-1].tolist()

    def nothing(self, judged: Judged) -> Array:
        return np.array([judged.number(0)] * judged.runs, dtype=judged.dtype)

    def nobody(self, judged: Judged, g: list[Any]) -> bool:
        """Whether no document of the pool is relevant to any user: ν > τ."""
        return not any(share and base for share, base in zip(g[1:], self.recall_bases(judged)[1:], strict=True))

    def worth(self, judged: Judged, g: list[Any], found: Found) -> Array:
        """For a topic on which `nobody` is false: what each found document adds to the score."""
        raise TypeError(f"{type(self).__name__} defines no worth.")

    def evaluate(self, judged: Judged) -> Array:
        g, top = self.thresholds(judged), judged.head(self.cutoff)
        if self.nobody(judged, g):
            return self.nothing(judged)
        found = judged.keep(("found", self.cutoff), lambda: Found(top))
        return found.per_run(self.worth(judged, g, found))

    def scale(self, grades: tuple[float, ...], depth: int | None = None) -> Scale:
        wanted = self.thresholds(Judged.of_grades(grades))
        pool = range(len(wanted) - 1, 0, -1) if self.per_base else [1] * (len(wanted) - 1)
        table = np.cumsum([wanted[0], *(share / base for share, base in zip(wanted[1:], pool, strict=True))])
        return precision_scale(table.tolist(), self.depth_seen(depth), "ordinal")


class Found:
    """The documents above level 0 that the runs found: one entry each, run by run in rank order.

    They are few, and only they add to a score or to the precision where they stand.
    """

    def __init__(self, judged: Judged) -> None:
        levels = judged.levels()
        place = np.flatnonzero(levels)
        self.run, rank = np.divmod(place, judged.depth)
        self.level, self.runs = levels.ravel()[place], judged.runs
        self.rank = judged.numbers((rank + 1).tolist()) if judged.exact else rank + 1
        self._first = np.searchsorted(self.run, np.arange(judged.runs + 1))

    def so_far(self, k: int) -> Array:
        """How many documents of level k or more the run has found down to here; 0 at lower levels."""
        here = self.level >= k
        count = np.concatenate([[0], np.cumsum(here)])
        return here * (count[1:] - count[self._first[self.run]])

    def per_run(self, worth: Array) -> Array:
        """The sum over each run's documents."""
        if worth.dtype != object:
            return np.bincount(self.run, weights=worth, minlength=self.runs)
        total = np.array([Fraction(0)] * self.runs, dtype=object)
        np.add.at(total, self.run, worth)
        return total


def shared_thresholds(g: list[Any], found: Found) -> Array:
    """Σ_{m ≤ n} Δ_{m,n} at every found document n, Δ = Σ_{h ≤ min(r[m], r[n])} g_h; eq. (4)."""
    return sum(g[k] * found.so_far(k) for k in range(1, len(g)))


@dataclass(frozen=True, kw_only=True)
class GAP(GradedAP):
    """Graded average precision (Robertson, Kanoulas and Yilmaz 2010)."""

    symbol: ClassVar[str] = "GAP"
    title: ClassVar[str] = "Graded average precision"
    formula: ClassVar[str] = (
        r"\mathrm{GAP} = \frac{\sum_{n} \frac{1}{n} \sum_{m \le n} \Delta_{m,n}}{\sum_{k} R(k) \sum_{j \le k} g_j}"
    )
    source: ClassVar[str] = "Ferrante et al. 2014, eq. (4)"
    per_base: ClassVar[bool] = False

    def worth(self, judged: Judged, g: list[Any], found: Found) -> Array:
        expected_base = sum(share * base for share, base in zip(g, self.recall_bases(judged), strict=True))
        return shared_thresholds(g, found) / found.rank / expected_base


@dataclass(frozen=True, kw_only=True)
class XGAP(GradedAP):
    """Extended graded average precision: first a user, then a document relevant to that user.

    Users whose threshold no document of the topic reaches add nothing, so that the
    ideal ranking scores below 1 on a topic without documents of a grade that has g_k > 0.
    """

    symbol: ClassVar[str] = "xGAP"
    title: ClassVar[str] = "Extended graded average precision"
    formula: ClassVar[str] = (
        r"\mathrm{xGAP} = \sum_{n} \frac{1}{n} \frac{\sum_{k \le r[n]} g_k / \mathrm{RB}(k)}{\sum_{k \le r[n]} g_k}"
        r" \sum_{m \le n} \Delta_{m,n}"
    )
    source: ClassVar[str] = "Ferrante et al. 2014, eq. (5)"
    ideal_is_one: ClassVar[bool] = False

    def worth(self, judged: Judged, g: list[Any], found: Found) -> Array:
        chosen: Array = np.array(self.selection(judged, g), dtype=judged.dtype)[found.level]
        return chosen * shared_thresholds(g, found) / found.rank

    def selection(self, judged: Judged, g: list[Any]) -> tuple[Any, ...]:
        """By level r: Σ_{k ≤ r} g_k/RB(k) over Σ_{k ≤ r} g_k; 0 where no user finds that level relevant."""
        table, picked, users = [judged.number(0)], judged.number(0), judged.number(0)
        for share, base in zip(g[1:], self.recall_bases(judged)[1:], strict=True):
            picked = picked + (share / base if base else 0)
            users = users + share
            table.append(picked / users if users else judged.number(0))
        return tuple(table)


@dataclass(frozen=True, kw_only=True)
class EGAP(GradedAP):
    """Expected graded average precision: Σ_k g_k AP at threshold k."""

    symbol: ClassVar[str] = "eGAP"
    title: ClassVar[str] = "Expected graded average precision"
    formula: ClassVar[str] = r"\mathrm{eGAP} = \sum_{k} g_k\,\mathrm{AP}(k)"
    source: ClassVar[str] = "Ferrante et al. 2014, eq. (6)"
    ideal_is_one: ClassVar[bool] = False

    def worth(self, judged: Judged, g: list[Any], found: Found) -> Array:
        bases = self.recall_bases(judged)
        shares = [share / base if base else share * 0 for share, base in zip(g, bases, strict=True)]
        return shared_thresholds(shares, found) / found.rank
