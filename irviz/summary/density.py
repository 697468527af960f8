"""The distribution of scores: a smooth density instead of a histogram."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_REACH = 9.0  # bandwidths beyond which a kernel adds nothing that a double could hold


def smoothed(sample: Floats, grid: Floats) -> Floats:
    r"""Gaussian kernel density on `grid`, mass beyond its ends reflected.

    The bandwidth is that of Silverman (1986), eq. (3.31), *s* being the smaller of the standard deviation and
    the interquartile range over 1.349, and at least a hundredth of the grid:

    .. math:: h = 0.9 \, s \, n^{-1/5}

    Parameters
    ----------
    sample : finite numbers within the grid
    grid : rising

    Returns
    -------
    One density per point of the grid; its integral over the grid is about 1.
    """
    span = grid[-1] - grid[0]
    spread = min(sample.std(), float(np.subtract(*np.quantile(sample, [0.75, 0.25]))) / 1.349 or sample.std())
    width = max(0.9 * spread * len(sample) ** -0.2, span / 100)
    low, high = sample[sample < grid[0] + _REACH * width], sample[sample > grid[-1] - _REACH * width]
    steps = (grid[:, None] - np.concatenate([sample, 2 * grid[0] - low, 2 * grid[-1] - high])) / width
    steps *= steps
    steps *= -0.5
    return np.exp(steps, out=steps).sum(axis=1) / (len(sample) * width * np.sqrt(2 * np.pi))
