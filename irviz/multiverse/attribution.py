"""Attribution: how much of the variation among worlds each choice explains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.multiverse.dimensions import DIMENSIONS, UNTOUCHED
from irviz.multiverse.worlds import Worlds
from irviz.portable import exact_totals

Floats = NDArray[np.float64]


def attribution(w: Worlds, values: Floats) -> pd.Series:
    r"""Share of the variance of `values` over the worlds that each dimension explains.

    Main effects of an additive model (one mean for each option), the rest being
    interactions:

    .. math::

        \text{share}_j = \operatorname{mean}_{\text{orders}}
            \big(R^2(\text{dimensions before and with } j) - R^2(\text{those before})\big)

    Where every combination of options is there, the order does not matter, and this is
    the sum of squares of the analysis of variance over the total.  Where some are left out or were not
    drawn, dimensions overlap; the mean over orders (Lindeman, Merenda & Gold 1980, p. 119 ff.)
    divides what they share.

    Parameters
    ----------
    w : Worlds
    values : by world
        Those that are not finite are left out.

    Returns
    -------
    Series by dimension, then ``"interactions"``; in [0, 1], adding up to 1; NaN where all values are equal.

    Notes
    -----
    The test and its family do not affect a difference.  Worlds that differ only in these count once.
    """
    codes, first = settings_of(w, np.isfinite(values))
    shares, rest = main_effects(codes, values[first])
    found = dict(zip(DIMENSIONS, shares.tolist(), strict=True)) | {"interactions": rest}
    return pd.Series(found, name="share").rename_axis("choice")


def settings_of(w: Worlds, counted: NDArray[np.bool_]) -> tuple[NDArray[np.int16], NDArray[np.intp]]:
    """The distinct settings of the `counted` worlds, and the first world of each; test and family are put to 0."""
    codes = w.codes.copy()
    codes[:, [list(DIMENSIONS).index(name) for name in UNTOUCHED]] = 0
    rows = np.flatnonzero(counted)
    first = rows[np.sort(np.unique(codes[rows], axis=0, return_index=True)[1])]
    return codes[first], first


def main_effects(codes: NDArray[np.int16], values: Floats) -> tuple[Floats, float]:
    """Shares of the variance that the dimensions (columns of `codes`) explain, and what is left for interactions."""
    shares = np.zeros(codes.shape[1])
    if not len(values):
        return np.full_like(shares, np.nan), float("nan")
    varying = [j for j in range(codes.shape[1]) if np.ptp(codes[:, j]) > 0]
    centred = values - exact_totals(values[:, None])[0] / len(values)
    noise = 8 * np.finfo(np.float64).eps * np.abs(values).max()
    centred = np.where(np.abs(centred) <= noise, 0.0, centred)
    whole = float(exact_totals((centred * centred)[:, None])[0])
    if whole == 0:
        return np.full_like(shares, np.nan), float("nan")
    explained = _explained(codes, varying, centred, whole)
    for j in varying:
        shares[j] = _mean_over_orders(j, varying, explained) / whole
    return shares, max(0.0, 1.0 - float(shares.sum()))


def _mean_over_orders(j: int, varying: Sequence[int], explained: Mapping[tuple[int, ...], float]) -> float:
    """What `j` adds to the sets of the other dimensions, averaged over the orders in which they can come."""
    others = [i for i in varying if i != j]
    added = 0.0
    for size in range(len(others) + 1):
        weight = 1.0 / (len(varying) * comb(len(others), size))
        for before in combinations(others, size):
            added += weight * (explained[tuple(sorted((*before, j)))] - explained[before])
    return max(added, 0.0)


def _explained(
    codes: NDArray[np.int16], varying: Sequence[int], centred: Floats, whole: float
) -> dict[tuple[int, ...], float]:
    """By set of dimensions, the sum of squares that their additive model explains.

    The normal equations are swept (Goodnight 1979) one option after the other; a set shares
    the steps of the sets that it begins with.
    """
    blocks = {j: [codes[:, j] == option for option in np.unique(codes[:, j])[1:]] for j in varying}
    design = np.stack([np.ones(len(codes), dtype=bool), *(mark for j in varying for mark in blocks[j])])
    matrix = np.empty((len(design) + 1, len(design) + 1))
    matrix[:-1, :-1] = design.astype(np.float64) @ design.T  # counts: exact in any order
    matrix[-1, :-1] = matrix[:-1, -1] = exact_totals(design.T * centred[:, None])
    matrix[-1, -1] = whole
    ends = 1 + np.cumsum([len(blocks[j]) for j in varying])
    found: dict[tuple[int, ...], float] = {}

    def sweep(state: Floats, start: int, chosen: tuple[int, ...]) -> None:
        found[chosen] = whole - float(state[-1, -1])
        for place in range(start, len(varying)):
            after = state
            for option in range(int(ends[place]) - len(blocks[varying[place]]), int(ends[place])):
                after = _swept(after, option)
            sweep(after, place + 1, (*chosen, varying[place]))

    sweep(_swept(matrix, 0), 0, ())
    return found


def _swept(matrix: Floats, pivot: int) -> Floats:
    """The residual sums of squares and products after this column; as it stands where the column adds nothing new."""
    size = matrix[pivot, pivot]
    if size < 1e-9 * matrix.shape[0]:
        return matrix
    return matrix - matrix[:, pivot, None] * (matrix[pivot] / size)
