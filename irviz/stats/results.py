"""Input and result of a significance test, for the registry in :mod:`irviz.stats.significance`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from irviz.display import SelfShown
from irviz.workers import Progress, Workers

# -- Read-only results: neither their fields nor their arrays can be changed -----------------------
#
# Results are kept in caches that sessions share, and are compared with later ones; a change by one
# user must not appear elsewhere.


class FrozenArrays(SelfShown):
    """Base of frozen dataclasses that hold arrays: they are read-only from the start."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)


class ByMeasure(FrozenArrays):
    """Base of results in which the numbers of a measure do not depend on the other measures.

    Such a result can be split by measure, kept, and combined again, so that only the
    measure that changed is computed anew.
    """

    measures: tuple[str, ...]
    by_measure: ClassVar[tuple[str, ...]]  #: the attributes that have one entry per measure, beside `measures`

    def parts(self) -> list[Self]:
        """One result per measure."""
        return [self._with([getattr(self, name)[m : m + 1] for name in self._cut]) for m in range(len(self.measures))]

    def joined(self, others: Sequence[Self]) -> Self:
        """This result and others of the same kind as one."""
        return self._with([_joined([getattr(one, name) for one in (self, *others)]) for name in self._cut])

    @property
    def _cut(self) -> tuple[str, ...]:
        return ("measures", *self.by_measure)

    def _with(self, values: Sequence[Any]) -> Self:
        return replace(self, **dict(zip(self._cut, values, strict=True)))  # type: ignore[type-var]


def _joined(values: Sequence[Any]) -> Any:
    return tuple(chain(*values)) if isinstance(values[0], tuple) else np.concatenate(values)


# --------------------------------------------------------------------------------------------------

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Draws:
    """How a test draws: how many trials, from which seed, by which workers."""

    trials: int = 2000
    seed: int | tuple[int, ...] = 0
    workers: Workers = None
    progress: Progress | None = None


@dataclass(frozen=True, eq=False)
class Comparison:
    """All pairs of systems under one measure.

    Attributes
    ----------
    centres : by system; what the test compares
    p_values : systems × systems, symmetric, 1 on the diagonal
    overall : p of the hypothesis that all systems are equal; None where the test has none
    """

    centres: Floats
    p_values: Floats
    overall: float | None = None


@dataclass(frozen=True)
class Method:
    """A significance test.

    Attributes
    ----------
    label : its name in words
    scale : the scale type it assumes, "interval" or "ordinal"
        Where it is "ordinal", the test is given numbers that are ordered as the exact scores are.
    draws : whether it draws at random
    familywise : whether its p-values are corrected for the number of pairs
    test : what is done with measures × topics × systems; one result per measure
    seconds : about what it takes, of the shape of its values and the trials; see :func:`irviz.workers.takes`
    """

    label: str
    scale: str
    draws: bool
    familywise: bool
    test: Callable[[Floats, Draws], list[Comparison]]
    seconds: Callable[[tuple[int, ...], int], float] = lambda shape, trials: 0.0

    def family(self, systems: int) -> str:
        """Which family of comparisons its p-values are corrected for, in words.

        >>> Method("", "interval", True, True, lambda values, draws: []).family(126)
        "Tukey's family: all pairs of the 126 systems given"
        """
        if not self.familywise:
            return "no family: each pair of systems is tested by itself"
        return f"Tukey's family: {'the pair' if systems == 2 else 'all pairs'} of the {systems} systems given"
