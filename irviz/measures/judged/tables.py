"""What the grade levels are worth: one number per level, in doubles or in fractions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from irviz.errors import IrvizError, counted, verb
from irviz.measures.arithmetic import Array, fraction, power2, power2_rounded
from irviz.measures.language.parameters import MOST_GAIN, written

MOST_POWER = 1000  #: the largest x of a 2^x: beyond, doubles end, and whole numbers grow without bound


class GainTables:
    """The worth of every grade level, as measures define it.

    Parameters
    ----------
    grades : sequence of float
        The grade of each level; grades[0] is 0.
    exact : bool
        Compute with fractions instead of doubles.
    """

    def __init__(self, grades: Sequence[float], exact: bool) -> None:
        self.grades, self.exact = tuple(grades), exact
        self._kept: dict[Hashable, Any] = {}

    def keep(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """`make()`, computed once for these lists under `key`."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def keeps(self, key: Hashable) -> bool:
        """Whether it was computed already."""
        return key in self._kept

    @property
    def dtype(self) -> type:
        return object if self.exact else float

    def number(self, x: float) -> Any:
        """A parameter as a number of this arithmetic; 0.3333333333333333 is 1/3 where exact."""
        return fraction(x) if self.exact else float(x)

    def numbers(self, xs: Sequence[float]) -> Array:
        return np.array([self.number(x) for x in xs], dtype=self.dtype)

    def whole_numbers(self, counts: Array) -> Array:
        """Whole numbers as numbers of this arithmetic."""
        if not self.exact:
            return counts.astype(float)
        return np.array([Fraction(n) for n in counts.tolist()], dtype=object)

    def binary(self, rel: float) -> tuple[Any, ...]:
        """1 for the levels whose grade is at least `rel` (level 0 never), else 0."""
        return tuple(self.number(level > 0 and grade >= rel) for level, grade in enumerate(self.grades))

    def grade_table(self, gains: Any = "linear") -> tuple[float, ...]:
        """The grades; or the numbers that a `gains` list puts in their place, one per level."""
        if isinstance(gains, str):
            if self.grades[-1] > MOST_GAIN:
                raise IrvizError(
                    f"There is a grade of {self.grades[-1]:g}; gains are made of grades up to {MOST_GAIN:g}. "
                    f"List smaller `gains`, or correct the qrels."
                )
            return self.grades
        if len(gains) != len(self.grades):
            raise IrvizError(
                f"`gains` lists {counted(len(gains), 'number')}, but there {verb(len(self.grades), 'is', 'are')} "
                f"{counted(len(self.grades), 'grade level')} ({', '.join(map(written, self.grades))}). "
                f"Give one number per level, lowest first."
            )
        if gains[0] != 0:
            raise IrvizError(f"`gains` must give the lowest level 0, as it does unjudged documents; got {gains[0]:g}.")
        return tuple(gains)

    def gain_table(self, gains: Any = "linear", default: str = "linear", top: float | None = None) -> tuple[Any, ...]:
        """The gain of every level, in [0, 1]: x/x_max, or (2^x − 1)/2^x_max.

        A list takes the place of the grades x; the mapping is then `default`.  x_max is the
        highest of them, or `top`.
        """
        return self.keep(("gain table", gains, default, top), lambda: self._gain_table(gains, default, top))

    def _gain_table(self, gains: Any, default: str, x_max: float | None) -> tuple[Any, ...]:
        numbers = [self.number(x) for x in self.grade_table(gains)]
        top = max(numbers) if x_max is None else self.number(x_max)
        if max(numbers) > top:
            raise IrvizError(
                f"`gmax` is {written(x_max)}, but there is a grade of {float(max(numbers)):g}. "
                f"Give `gmax` the highest grade there can be, or leave it out."
            )
        how = gains if isinstance(gains, str) else default
        if top == 0:
            return tuple(numbers)
        if how == "linear":
            return tuple(x / top for x in numbers)
        self.power2(top)  # refuses what is too large
        return tuple(self.power2(x - top) - self.power2(-top) for x in numbers)  # small ones keep all their digits

    def gain_shares(self, gains: Any = "linear") -> tuple[Any, ...]:
        """The gain of every level over the maximum gain, g(a)/g(a_c): 1 for the highest, however gains are made."""
        table = self.gain_table(gains)
        return tuple(worth / table[-1] for worth in table) if table[-1] > 0 else table

    def power2(self, x: Any) -> Any:
        """2**x in this arithmetic, for x up to `MOST_POWER`."""
        if x > MOST_POWER:
            raise IrvizError(
                f"2^x is taken of grades and gains up to {MOST_POWER:,}; here x is {float(x):g}. "
                f"Use the grades themselves as gains, or list smaller `gains`."
            )
        return power2(x) if self.exact else power2_rounded(x)
