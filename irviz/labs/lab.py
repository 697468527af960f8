"""Controls of labs, and lists of grades as a measure sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irviz.errors import IrvizError, number_of
from irviz.measures.judged_lists import JudgedLists
from irviz.workspace.control import Number, Text, excerpt

HIGHEST = 3  #: the highest grade of the labs' rankings
LONGEST_LIST = 15  #: documents of a ranking


def whole(name: str, label: str, default: int, ends: tuple[int, int], help: str, **more: Any) -> Number:
    """A whole number, in steps of 1."""
    low, high = ends
    return Number(name=name, label=label, default=default, low=low, high=high, step=1, whole=True, help=help, **more)


def verdict(guess: float, none: float, found: float, exact: float, near: float = 0.1) -> str:
    """Yes, Near or No, by how far a guess is from what is found; "" for none.

    >>> [verdict(guess, 0.37, 0.497, 0.01) for guess in (0.5, 0.4, 0.9, 0.37)]
    ['Yes: ', 'Near: ', 'No: ', '']
    """
    far = abs(guess - found)
    return "" if guess == none else "Yes: " if far <= exact else "Near: " if far <= near else "No: "


@dataclass(frozen=True, kw_only=True)
class Grades(Text):
    """The grades of a ranking, first rank first, such as ``2,0,1,0,0``."""

    default: tuple[int, ...] = ()
    top: int = HIGHEST  #: highest grade
    longest: int = LONGEST_LIST  #: grades

    def read(self, text: str) -> tuple[int, ...]:
        parts = text.replace(",", " ").split()
        if len(parts) == 1 and len(text.strip()) > 1:
            parts = list(text.strip())
        try:
            return tuple(int(part) for part in parts)
        except ValueError as error:
            raise IrvizError(f"`{excerpt(text)}` is not a list of grades such as 2,0,1,0,0") from error

    def check(self, value: Sequence[int]) -> tuple[int, ...]:
        if not 1 <= len(value) <= self.longest:
            raise IrvizError(f"it lists {number_of(len(value), 'grade')}; 1 to {self.longest} can be given")
        for grade in value:
            if not 0 <= grade <= self.top:
                raise IrvizError(f"the grade {grade} does not lie between 0 and {self.top}")
        return tuple(value)

    def format(self, value: Sequence[int] | str) -> str:
        """Grades as a text; a text, as a click on a figure carries it, as it is."""
        return value if isinstance(value, str) else ",".join(str(grade) for grade in value)


@dataclass(frozen=True, kw_only=True)
class NumberList(Text):
    """A few numbers in [0, 1], such as the scores of a system on some topics."""

    default: tuple[float, ...] = ()
    length: int = 5

    def read(self, text: str) -> tuple[float, ...]:
        try:
            return tuple(float(part) for part in text.replace(",", " ").split())
        except ValueError as error:
            raise IrvizError(f"`{excerpt(text)}` is not a list of numbers such as 0.1,0.5,0.3") from error

    def check(self, value: Sequence[float]) -> tuple[float, ...]:
        if len(value) != self.length:
            raise IrvizError(f"it lists {number_of(len(value), 'number')}; {self.length} are needed")
        for number in value:
            if not 0 <= number <= 1:
                raise IrvizError(f"{number:g} does not lie between 0 and 1")
        return tuple(float(number) for number in value)

    def format(self, value: Sequence[float]) -> str:
        return ",".join(f"{number:g}" for number in value)


def judged_list(grades: Sequence[int], top: int) -> JudgedLists:
    """A ranking as a measure sees it; its documents are the pool.

    >>> judged_list([2, 0, 1], top=2).levels().tolist()
    [[2, 0, 1]]
    """
    ranking = np.arange(len(grades), dtype=np.int32)[None]
    return JudgedLists(ranking, np.array(grades, dtype=np.int16), tuple(float(grade) for grade in range(top + 1)))
