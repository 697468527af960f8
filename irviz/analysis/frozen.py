"""Read-only results: neither their fields nor their arrays can be changed.

Results are kept in caches that sessions share, and are compared with later ones; a change by one
user must not appear elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, ClassVar, Self

import numpy as np

from irviz.display import SelfShown


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
