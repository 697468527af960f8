"""ERR over all orders of tied documents: a cascade needs products, because sums of gains do not suffice.

A user reaches the t-th of m tied documents with the probability of passing t − 1 of
them, averaged over all sets of t − 1: a mean of products, for which there is a recursion
of averages, so that nothing overflows even if many documents tie.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def expected_err(stops: Floats, first: NDArray[np.intp], size: NDArray[np.intp], cutoff: int) -> Floats:
    """The mean of ERR over all orders of tied documents, topics × systems.

    Parameters
    ----------
    stops : topics × systems × ranks
        The probability that the document at a rank satisfies the user; 0 past the end of a list.
    first, size : the same shape
        For every rank, the first rank (from 0) of its tie, and how many documents tie there.
    cutoff : ranks that count
    """
    depth = min(cutoff, stops.shape[2])
    found = np.zeros(stops.shape[:2])
    for place in np.ndindex(*found.shape):
        found[place] = _one(stops[place], first[place], size[place], depth)
    return found


def _one(stops: Floats, first: NDArray[np.intp], size: NDArray[np.intp], depth: int) -> float:
    """Of one list: Σ over ties of the probability of getting there, times that of stopping at each of its ranks."""
    score, reached = 0.0, 1.0
    for start in np.unique(first[:depth]):
        tied = int(size[start])
        pass_ = mean_products(1 - stops[start : start + tied], tied if start + tied <= depth else depth - int(start))
        ranks = np.arange(start + 1, start + len(pass_))
        score += reached * float(((pass_[:-1] - pass_[1:]) / ranks).sum())
        reached *= float(pass_[-1])
    return score


def mean_products(values: Floats, most: int) -> Floats:
    """For t = 0 … `most`: the mean, over all sets of t of the values, of their product.

    >>> mean_products(np.array([0.5, 0.25]), 2)
    array([1.   , 0.375, 0.125])
    """
    means = np.zeros(most + 1)
    means[0] = 1.0
    for n, value in enumerate(values, start=1):
        t = np.arange(1, min(n, most) + 1)
        means[t] = ((n - t) * means[t] + t * value * means[t - 1]) / n
    return means
