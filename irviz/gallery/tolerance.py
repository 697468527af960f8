"""How far two estimates of one number may lie apart by chance.

The paper drew at random and so does irviz: from the same data both print estimates of one
number.  Their difference has the variance of two means, s²/B + s²/B', and stays within
`_DEVIATIONS_OF_99` standard deviations in 99 of 100 cells.  Numbers without draws have no such tolerance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_DEVIATIONS_OF_99 = 2.5758  #: standard deviations that hold 99% of a normal distribution


def mean_tolerance(trials: NDArray[np.float64], paper_trials: int) -> NDArray[np.float64]:
    """By row, for means over trials: those of irviz in the columns, the paper's number of trials is `paper_trials`.

    Zero for a single trial, which is not a random draw.

    >>> round(float(mean_tolerance(np.array([[0.0, 1.0] * 50]), 100)[0]), 3)
    0.183
    """
    known = np.isfinite(trials)
    count = known.sum(axis=1)
    spread = np.array(
        [
            np.std(row[mask]) * np.sqrt(mask.sum() / max(mask.sum() - 1, 1)) if mask.any() else 0.0
            for row, mask in zip(trials, known, strict=True)
        ]
    )
    return np.where(count > 1, _DEVIATIONS_OF_99 * spread * np.sqrt(1 / np.maximum(count, 1) + 1 / paper_trials), 0.0)


def share_tolerance(p_values: NDArray[np.float64], alpha: float, trials: int, paper_trials: int) -> float:
    """For a share of p-values below `alpha`, each estimated from `trials` draws.

    A p-value of `alpha` is estimated with the standard deviation of a share; every pair
    nearer to `alpha` than that may fall on either side.

    >>> share_tolerance(np.array([0.0, 0.01, 0.5, 1.0]), 0.01, 1000, 10_000)
    0.25
    """
    room = _DEVIATIONS_OF_99 * np.sqrt(alpha * (1 - alpha) * (1 / trials + 1 / paper_trials))
    return float((np.abs(p_values - alpha) <= room).mean()) if len(p_values) else 0.0
