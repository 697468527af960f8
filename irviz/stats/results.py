"""What the results of all analyses share; and the input and result of a significance test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.display import Displayable
from irviz.errors import IrvizError, is_number
from irviz.workers import Progress, Workers

# -- Read-only results: neither their fields nor their arrays can be changed -----------------------
#
# Sessions share cached results; a change by one user must not appear elsewhere.


class FrozenArrays(Displayable):
    """Base of frozen dataclasses that hold arrays: they are read-only from the start."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)


class ByMeasure(FrozenArrays):
    """Base of results that can be split by measure and combined, so that only new measures are computed."""

    measures: tuple[str, ...]
    by_measure: ClassVar[tuple[str, ...]]  #: the attributes with one entry per measure, beside `measures`

    def parts(self) -> list[Self]:
        """One result per measure."""
        return [self._with([getattr(self, name)[m : m + 1] for name in self._cut]) for m in range(len(self.measures))]

    def joined(self, others: Sequence[Self]) -> Self:
        """This result and others of the same kind as one."""
        return self._with([_concatenate([getattr(result, name) for result in (self, *others)]) for name in self._cut])

    @property
    def _cut(self) -> tuple[str, ...]:
        return ("measures", *self.by_measure)

    def _with(self, values: Sequence[Any]) -> Self:
        return replace(self, **dict(zip(self._cut, values, strict=True)))  # type: ignore[type-var]


def _concatenate(values: Sequence[Any]) -> Any:
    return tuple(chain(*values)) if isinstance(values[0], tuple) else np.concatenate(values)


def tidy(axes: Mapping[str, Sequence[Any] | NDArray[Any]], **values: NDArray[Any]) -> pd.DataFrame:
    """One row per cell: the labels of the axes, then the values, which may lack leading or have short axes.

    >>> tidy({"measure": ["AP"], "rate": [0.5, 0.1]}, tau=np.array([[1.0, 0.8]]))
      measure  rate  tau
    0      AP   0.5  1.0
    1      AP   0.1  0.8
    """
    shape = tuple(map(len, axes.values()))
    cells = zip(axes.items(), np.indices(shape), strict=True)
    columns = {name: pd.Index(labels).take(index.ravel()).array for (name, labels), index in cells}
    return pd.DataFrame(columns | {name: np.broadcast_to(array, shape).ravel() for name, array in values.items()})


def better_first(lead: NDArray[np.floating]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs of systems, the leading one first; `lead` is systems × systems, below 0 where the row is behind.

    >>> better_first(np.array([[0.0, -1.0], [1.0, 0.0]]))
    (array([1]), array([0]))
    """
    first, second = np.triu_indices(len(lead), k=1)
    behind = lead[first, second] < 0
    return np.where(behind, second, first), np.where(behind, first, second)


def part(progress: Progress | None, start: float, end: float, prefix: str = "") -> Progress | None:
    """A listener to progress between two shares of the work; `prefix` is put before its messages."""
    return None if progress is None else lambda share, text: progress(start + share * (end - start), prefix + text)


def stages(progress: Progress | None, count: int) -> list[Progress | None]:
    """The progress of each of `count` stages as a part of the whole."""
    return [part(progress, number / count, (number + 1) / count) for number in range(count)]


def shares_of(name: str, numbers: object, what: str, zero: bool = False) -> tuple[float, ...]:
    """A list of shares of `what`, in (0, 1], or with `zero` in [0, 1]; refuses anything else."""
    least = "[0" if zero else "(0"
    if isinstance(numbers, str) or not isinstance(numbers, Iterable):
        raise IrvizError(f"`{name}` must be a list of shares in {least}, 1], such as [0.5, 1]; got {numbers!r}.")
    shares = tuple(numbers)
    if not shares:
        raise IrvizError(f"`{name}` is empty. Give at least one share, such as 0.5.")
    for share in shares:
        if not is_number(share) or not (0 <= share <= 1 and (zero or share > 0)):
            written = f"{share:g}" if is_number(share) else repr(share)
            raise IrvizError(f"All of `{name}` must lie in {least}, 1]; got {written}. Half of the {what} is 0.5.")
    return tuple(map(float, shares))


# --------------------------------------------------------------------------------------------------

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Draws:
    """The random draws of a test: trials, seed and workers."""

    trials: int = 2000
    seed: int | tuple[int, ...] = 0
    workers: Workers = None
    progress: Progress | None = None


@dataclass(frozen=True, eq=False)
class PairwiseTest:
    """All pairs of systems under one measure."""

    centres: Floats  #: by system; the values compared by the test
    p_values: Floats  #: systems × systems, symmetric, 1 on the diagonal
    overall: float | None = None  #: p of the hypothesis that all systems are equal; None where the test has none
    #: by trial, the statistic that all pairs are compared with; None if there is no common one
    ranges: Floats | None = None


@dataclass(frozen=True)
class Method:
    """A significance test."""

    label: str  #: its name in words
    #: the scale type it assumes, "interval" or "ordinal": an ordinal test gets numbers in the order of the exact scores
    scale: str
    draws: bool  #: whether it draws at random
    familywise: bool  #: whether its p-values are corrected for the number of pairs
    test: Callable[[Floats, Draws], list[PairwiseTest]]  #: measures × topics × systems, draws → one result per measure

    def family(self, systems: int) -> str:
        """Which family of comparisons its p-values are corrected for, in words.

        >>> Method("", "interval", True, True, lambda values, draws: []).family(126)
        "Tukey's family: all pairs of the 126 systems given"
        >>> Method("", "interval", True, False, lambda values, draws: []).family(2)
        'no family: each pair of systems is tested by itself'
        """
        if not self.familywise:
            return "no family: each pair of systems is tested by itself"
        return f"Tukey's family: {'the pair' if systems == 2 else 'all pairs'} of the {systems} systems given"
