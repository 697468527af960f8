"""Grades as files have them, and the levels that irviz uses.

Level 0 is every grade at or below zero; the levels above are the distinct positive
grades of the collection, ascending, joined by those that were declared.  An aspect on
which nothing is above zero has the one level 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from irviz.collection.codes import MOST_LEVELS
from irviz.collection.model import NEGATIVE
from irviz.collection.reading.qrels import QrelsLines
from irviz.errors import FileProblem, IrvizError, listed, unknown


def grade_levels(
    aspect: str, lines: QrelsLines, column: NDArray[np.float64], declared: Sequence[float] | None
) -> tuple[float, ...]:
    """The grade of every level of an aspect, ascending; the first is 0.

    Parameters
    ----------
    column : float64, lines
        Every grade that was given.
    declared : sequence of float, optional
        All grades that could have been given; a used grade must be among them.
    """
    used = np.unique(column[column > 0])
    if declared is not None:
        known = np.unique([grade for grade in declared if grade > 0])
        extra = np.setdiff1d(used, known)
        if len(extra):
            line = lines.line_of(int(np.argmax(column == extra[0])))
            raise FileProblem(
                lines.file,
                line,
                f"the grade {extra[0]:g} ({aspect}) is not among the declared levels "
                f"{listed([f'{grade:g}' for grade in declared], joiner='and')}. Declare it, or leave `levels` out.",
            )
        used = known
    if len(used) >= MOST_LEVELS:
        raise IrvizError(
            f"{lines.file}: {len(used):,} different grades ({aspect}); "
            f"at most {MOST_LEVELS - 1:,} are supported. Round them."
        )
    return (0.0, *(float(grade) for grade in used))


def to_levels(column: NDArray[np.float64], grades: tuple[float, ...]) -> NDArray[np.int16]:
    """The level of every grade; `NEGATIVE` for a grade below zero.

    >>> to_levels(np.array([-2.0, 0.0, 1.0, 4.0]), (0.0, 1.0, 2.0, 4.0))
    array([-1,  0,  1,  3], dtype=int16)
    """
    level = np.searchsorted(np.array(grades), np.maximum(column, 0.0))
    return np.where(column < 0, NEGATIVE, level).astype(np.int16)


def check_levels(levels: Mapping[str, Sequence[float]] | None, aspects: Sequence[str]) -> None:
    """Refuse declared levels that name no aspect or hold no finite numbers."""
    if levels is None:
        return
    if not isinstance(levels, Mapping):
        raise IrvizError("`levels` must be a mapping such as {'relevance': [0, 1, 2, 3]}.")
    for aspect, declared in levels.items():
        if aspect not in aspects:
            raise unknown("aspect", str(aspect), aspects)
        numbers = isinstance(declared, (Sequence, np.ndarray)) and not isinstance(declared, (str, bytes))
        if not numbers or not all(_is_number(grade) for grade in declared):
            raise IrvizError(f"`levels[{aspect!r}]` must be a list of numbers such as [0, 1, 2, 3]; got {declared!r}.")


def _is_number(grade: object) -> bool:
    return isinstance(grade, (int, float, np.number)) and not isinstance(grade, bool) and math.isfinite(grade)
