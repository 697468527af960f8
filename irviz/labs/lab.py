"""What a lab shows beside a page: formulas, claims with their sources, and the reader's own collection.

A lab explains one idea with a small example that needs no collection.  Whatever it says
in words is computed from the example, and says who claims it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from irviz.errors import IrvizError, counted
from irviz.measures.judged import Judged
from irviz.workspace.context import Context
from irviz.workspace.control import Flag, Typed, shown
from irviz.workspace.panel import Panel

HIGHEST = 3  #: the highest grade of the labs' rankings
LONGEST_LIST = 15  #: documents of a ranking that can be edited by hand
YOURS = Flag(
    name="yours",
    label="Try it on your collection",
    help="Computes the same for the collection chosen in the sidebar.",
)


@dataclass(frozen=True, kw_only=True)
class Grades(Typed):
    """The grades of a ranking, first rank first, such as ``2,0,1,0,0``."""

    default: tuple[int, ...] = ()
    top: int = HIGHEST  #: highest grade
    least: int = 1
    most: int = LONGEST_LIST

    def read(self, text: str) -> tuple[int, ...]:
        parts = text.replace(",", " ").split()
        if len(parts) == 1 and len(text.strip()) > 1:
            parts = list(text.strip())
        try:
            return tuple(int(part) for part in parts)
        except ValueError as error:
            raise IrvizError(f"`{shown(text)}` is not a list of grades such as 2,0,1,0,0") from error

    def check(self, value: Sequence[int]) -> tuple[int, ...]:
        if not self.least <= len(value) <= self.most:
            raise IrvizError(f"it lists {counted(len(value), 'grade')}; {self.least} to {self.most} can be given")
        for grade in value:
            if not 0 <= grade <= self.top:
                raise IrvizError(f"the grade {grade} does not lie between 0 and {self.top}")
        return tuple(value)

    def format(self, value: Sequence[int] | str) -> str:
        """Grades as a text; a text, as a click on a figure carries it, as it is."""
        return value if isinstance(value, str) else ",".join(str(grade) for grade in value)


@dataclass(frozen=True, kw_only=True)
class Row(Typed):
    """A few numbers in [low, high], such as the scores of a system on some topics."""

    default: tuple[float, ...] = ()
    length: int = 5
    low: float = 0.0
    high: float = 1.0

    def read(self, text: str) -> tuple[float, ...]:
        try:
            return tuple(float(part) for part in text.replace(",", " ").split())
        except ValueError as error:
            raise IrvizError(f"`{shown(text)}` is not a list of numbers such as 0.1,0.5,0.3") from error

    def check(self, value: Sequence[float]) -> tuple[float, ...]:
        if len(value) != self.length:
            raise IrvizError(f"it lists {counted(len(value), 'number')}; {self.length} are needed")
        for number in value:
            if not self.low <= number <= self.high:
                raise IrvizError(f"{number:g} does not lie between {self.low:g} and {self.high:g}")
        return tuple(float(number) for number in value)

    def format(self, value: Sequence[float]) -> str:
        return ",".join(f"{number:g}" for number in value)


def judged_lists(lists: Sequence[Sequence[int]], top: int, missed: Sequence[int] = ()) -> Judged:
    """Rankings of equal length as a measure sees them; `missed` are judged documents that no list retrieved.

    All lists are rankings of documents of their own; the pool is that of the first one.

    >>> judged_lists([[2, 0, 1]], top=2).levels().tolist()
    [[2, 0, 1]]
    """
    first = list(lists[0])
    if any(sorted(one) != sorted(first) for one in lists):
        raise IrvizError("These lists do not contain the same documents, so they share no pool.")
    labels = np.array([*first, *missed], dtype=np.int16)
    ranking = np.stack([_places(first, one) for one in lists]).astype(np.int32)
    return Judged(ranking, labels, tuple(float(grade) for grade in range(top + 1)))


def _places(pool: list[int], wanted: Sequence[int]) -> np.ndarray:
    """For every grade of `wanted` a document of `pool` that has it, each used once."""
    free = {grade: [i for i, one in enumerate(pool) if one == grade] for grade in set(pool)}
    return np.array([free[grade].pop(0) for grade in wanted])


def bumped(grades: Sequence[int], top: int) -> list[str]:
    """For every rank, the text of the ranking after its grade was raised by one, or reset from the highest grade to 0.

    >>> bumped((2, 0), top=2)
    ['0,0', '2,1']
    """
    texts = []
    for place, grade in enumerate(grades):
        changed = [*grades[:place], (grade + 1) % (top + 1), *grades[place + 1 :]]
        texts.append(",".join(str(one) for one in changed))
    return texts


def on_yours(context: Context | None, values: Mapping[str, Any], make: Callable[[Context], Panel]) -> Panel | None:
    """The part on the loaded collection, if the reader asked for it; an error becomes its sentence."""
    if not values[YOURS.name]:
        return None
    if context is None:
        return Panel("No collection is open. Choose one in the sidebar.")
    try:
        return make(context)
    except IrvizError as error:
        return Panel(str(error))
