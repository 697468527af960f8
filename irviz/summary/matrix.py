"""What counts as a score matrix: topics × systems, finite numbers, named.

Every function that takes a matrix from outside lets it in through here, so that a
hole in an imported table is refused once, in one wording, before it can spread.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError
from irviz.scores import Scores


@dataclass(frozen=True, eq=False)
class Matrix:
    """Scores of systems on topics, checked: `values` is topics × systems, float64, finite."""

    values: NDArray[np.float64]
    topics: tuple[str, ...]
    systems: tuple[str, ...]


def matrix_of(matrix: pd.DataFrame | NDArray[np.float64]) -> Matrix:
    """The checked form of a DataFrame topics × systems (a bare array is numbered from 1)."""
    frame = matrix if isinstance(matrix, pd.DataFrame) else _numbered(matrix)
    if 0 in frame.shape:
        raise IrvizError(f"The score matrix is empty: {frame.shape[0]} topics × {frame.shape[1]} systems.")
    topics, systems = (tuple(str(name) for name in axis) for axis in (frame.index, frame.columns))
    try:
        values = np.ascontiguousarray(frame.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError) as error:
        raise IrvizError(
            f"The score matrix contains something that is not a number ({error}). Keep only numbers."
        ) from error
    _refuse_holes(values, topics, systems, "")
    return Matrix(values, topics, systems)


def finite(scores: Scores) -> NDArray[np.float64]:
    """The values of a cube in which every score is a finite number; otherwise an :class:`IrvizError`."""
    for position, measure in enumerate(scores.measures):
        _refuse_holes(scores.values[position], scores.topics, scores.systems, f" by {measure}")
    return scores.values


def _numbered(matrix: NDArray[np.float64]) -> pd.DataFrame:
    values = np.asarray(matrix)
    if values.ndim != 2:
        raise IrvizError(f"A score matrix has two axes, topics × systems; got {values.ndim}.")
    return pd.DataFrame(values, index=np.arange(1, values.shape[0] + 1), columns=np.arange(1, values.shape[1] + 1))


def _refuse_holes(values: NDArray[np.float64], topics: tuple[str, ...], systems: tuple[str, ...], by: str) -> None:
    holes = np.argwhere(~np.isfinite(values))
    if len(holes):
        t, s = holes[0]
        raise IrvizError(
            f"The score of system {systems[s]} on topic {topics[t]}{by} is {values[t, s]}, "
            f"one of {len(holes)} such cells. Fill it (0 if nothing was found) or leave out the topic or system."
        )
