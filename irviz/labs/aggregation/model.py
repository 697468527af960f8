"""Six averages of a few systems' scores, which system is first by each, and at which ε the winner changes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from irviz.stats.aggregate import aggregate
from irviz.workspace.phrases import extremes

GRID = 10.0 ** np.linspace(-6, 2, 81)  #: the values of ε in the lab
Floats = NDArray[np.float64]


def six_means(scores: Floats, eps: float) -> dict[str, Floats]:
    """AM, GM, εGM, HM, εHM and the median of every system; scores: topics × systems.

    The harmonic mean of scores with a zero among them is undefined; its limit, 0, is used instead.
    """
    found = {
        "AM": aggregate(scores, "mean"),
        "GM": aggregate(scores, "geometric", 0.0),
        "εGM": aggregate(scores, "geometric", eps),
        "HM": aggregate(scores, "harmonic", 0.0),
        "εHM": aggregate(scores, "harmonic", eps),
        "median": aggregate(scores, "median"),
    }
    return {name: np.where(np.abs(values) < 1e-12, 0.0, values) for name, values in found.items()}  # ε − ε is 0


def winners(values: Floats) -> list[int]:
    """The systems with the highest value; equal but for rounding is equal."""
    return extremes(values)


def handovers(scores: Floats, how: str) -> list[tuple[float, list[int]]]:
    """The winners along ε, each with the smallest ε from which it is first."""
    changes: list[tuple[float, list[int]]] = []
    for eps in GRID:
        first = winners(aggregate(scores, how, float(eps)))
        if not changes or first != changes[-1][1]:
            changes.append((float(eps), first))
    return changes
