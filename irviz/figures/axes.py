"""Explicit axis ranges: a figure that changes keeps the frame a reader has in mind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def padded_range(values: NDArray[np.float64], share: float = 0.04) -> list[float]:
    """From 0, or the lowest value where that is below it, to the highest, with a little room.

    >>> padded_range(np.array([0.2, 0.5]))
    [-0.02, 0.52]
    """
    finite = values[np.isfinite(values)]
    low, high = (min(0.0, float(finite.min())), float(finite.max())) if finite.size else (0.0, 1.0)
    if high <= low:
        high = low + 1.0
    room = share * (high - low)
    return [round(low - room, 6), round(high + room, 6)]
