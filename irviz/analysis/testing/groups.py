"""Groups in a ranking: consecutive systems that a test does not separate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def indistinguishable_runs(separated: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Longest runs of a ranking in which no pair is separated, as (first, last) positions.

    Parameters
    ----------
    separated : systems × systems, in the order of the ranking

    Returns
    -------
    Runs from the top, none inside another; every system is in at least one.

    Examples
    --------
    >>> apart = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    >>> indistinguishable_runs(apart)
    [(0, 1), (1, 2)]
    """
    runs: list[tuple[int, int]] = []
    last = -1
    start = 0
    n = len(separated)
    for end in range(n):
        blocking = np.flatnonzero(separated[start:end, end])
        if len(blocking):
            if end - 1 > last:
                runs.append((start, end - 1))
                last = end - 1
            start += int(blocking[-1]) + 1
    if n - 1 > last:
        runs.append((start, n - 1))
    return runs
