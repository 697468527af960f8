"""The partial order of judged runs: what is undisputed, before a total order decides the rest.

A run is better if it can be reached by giving documents a higher grade, or, where order
matters, by letting a better document change places with a worse one above it (Ferrante,
Ferro & Maistro 2015: replacement and swap).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from irviz.stats.scales import Run


@dataclass(frozen=True, eq=False)
class PartialOrder:
    """By position in the list of runs.

    Attributes
    ----------
    below : bool, runs × runs
        ``below[a, b]``: b can be reached from a, and is not a.
    edges : list of pairs (lower, higher) with no run between them
    heights : by run, the longest chain down to the worst
    """

    below: np.ndarray
    edges: list[tuple[int, int]]
    heights: list[int]

    @property
    def disputed(self) -> int:
        """How many pairs cannot be compared."""
        n = len(self.below)
        return n * (n - 1) // 2 - int(self.below.sum())


def partial_order(runs: Sequence[Run], ranked: bool) -> PartialOrder:
    """The order that replacements (and swaps, where the rank matters) make of all judged runs, given in total order."""
    place = {run: i for i, run in enumerate(runs)}
    top = max(max(run) for run in runs)
    below = np.zeros((len(runs), len(runs)), dtype=bool)
    for run, a in place.items():
        for better in _one_step(run, top, ranked):
            below[a, place[better]] = True
    for middle in range(len(runs)):  # everything reachable in more steps
        below |= below[:, [middle]] & below[[middle], :]
    direct = below & ~((below.astype(np.int32) @ below.astype(np.int32)) > 0)
    heights: list[int] = []
    for b in range(len(runs)):  # the total order is an extension: what is below comes first
        heights.append(1 + max((heights[a] for a in np.flatnonzero(below[:, b])), default=-1))
    return PartialOrder(below, [(int(a), int(b)) for a, b in np.argwhere(direct)], heights)


def _one_step(run: Run, top: int, ranked: bool) -> list[Run]:
    """The runs that one replacement or swap makes of `run`; sets are written highest grade first."""
    found = []
    for i, grade in enumerate(run):
        if grade < top:
            raised = (*run[:i], grade + 1, *run[i + 1 :])
            found.append(raised if ranked else tuple(sorted(raised, reverse=True)))
    if ranked:
        for i, j in combinations(range(len(run)), 2):
            if run[i] < run[j]:
                swapped = list(run)
                swapped[i], swapped[j] = run[j], run[i]
                found.append(tuple(swapped))
    return found


def equal_gains(values: np.ndarray, order: PartialOrder) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two undisputed improvements (before, after) of equal gain; the second climbs as many more ranks as possible.

    If no two differ, both are the same improvement.
    """
    moves = [(int(a), int(b)) for a, b in np.argwhere(order.below)]
    best = (moves[0], moves[0])
    for one, other in product(moves, moves):
        alike = abs((values[one[1]] - values[one[0]]) - (values[other[1]] - values[other[0]])) <= 1e-9
        if alike and _further(one, other) > _further(*best):
            best = (one, other)
    return best


def _further(one: tuple[int, int], other: tuple[int, int]) -> int:
    """How many ranks more the second climbs."""
    return (other[1] - other[0]) - (one[1] - one[0])
