"""What a significance test takes and gives: the terms of the registry in :mod:`irviz.analysis.significance`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from irviz.workers import Progress, Workers

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Draws:
    """How a test draws: how many trials, from which seed, by which workers."""

    trials: int = 2000
    seed: int | tuple[int, ...] = 0
    workers: Workers = None
    progress: Progress | None = None


@dataclass(frozen=True, eq=False)
class Comparison:
    """All pairs of systems under one measure.

    Attributes
    ----------
    centres : by system; what the test compares
    p_values : systems × systems, symmetric, 1 on the diagonal
    overall : p of the hypothesis that all systems are equal; None where the test has none
    """

    centres: Floats
    p_values: Floats
    overall: float | None = None


@dataclass(frozen=True)
class Method:
    """A significance test.

    Attributes
    ----------
    label : its name in words
    scale : the scale type it assumes, "interval" or "ordinal"
        Where it is "ordinal", the test is given numbers that are ordered as the exact scores are.
    draws : whether it draws at random
    familywise : whether its p-values are corrected for the number of pairs
    test : what is done with measures × topics × systems; one result per measure
    seconds : about what it takes, of the shape of its values and the trials; see :func:`irviz.workers.takes`
    """

    label: str
    scale: str
    draws: bool
    familywise: bool
    test: Callable[[Floats, Draws], list[Comparison]]
    seconds: Callable[[tuple[int, ...], int], float] = lambda shape, trials: 0.0

    def family(self, systems: int) -> str:
        """Which family of comparisons its p-values are corrected for, in words.

        >>> Method("", "interval", True, True, lambda values, draws: []).family(126)
        "Tukey's family: all pairs of the 126 systems given"
        """
        if not self.familywise:
            return "no family: each pair of systems is tested by itself"
        return f"Tukey's family: {'the pair' if systems == 2 else 'all pairs'} of the {systems} systems given"
