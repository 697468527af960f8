"""What the figures of a conclusion are drawn from: the specification curve, and measures × averages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.frozen import FrozenArrays
from irviz.conclusions.choices.dimensions import DIMENSIONS
from irviz.conclusions.decided import Decided

Floats = NDArray[np.float64]
SIGNS = {1: "+", 0: "=", -1: "−"}  #: by verdict
STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))  #: by p, the smallest first


@dataclass(frozen=True)
class Mark:
    """One line of the dots below a specification curve: an option, and which worlds take it, in the curve's order."""

    dimension: str
    option: Any
    taken: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SpecificationCurve(FrozenArrays):
    """The worlds sorted by their difference (Simonsohn, Simmons & Nelson 2020, Figure 2).

    Attributes
    ----------
    order, numbers : by place, the row of the world in the conclusion's frame, and its number
    difference, low, high, p, verdict, significant : by place
    marks : one an option, for the dimensions on which worlds differ
    null_low, null_high : by place; between them lie 95% of the curves of exchanged systems
        Empty without a joint test, and for claims of several comparisons.
    """

    order: NDArray[np.intp]
    numbers: NDArray[np.intp]
    difference: Floats
    low: Floats
    high: Floats
    p: Floats
    verdict: NDArray[np.int8]
    significant: NDArray[np.bool_]
    marks: tuple[Mark, ...]
    null_low: Floats
    null_high: Floats


def curve(r: Decided) -> SpecificationCurve:
    """The specification curve: the smallest difference first, equal ones in the order of the worlds."""
    order = np.argsort(r.difference, kind="stable")
    w = r.worlds
    marks = tuple(
        Mark(name, option, (w.code(name) == code)[order])
        for name in w.varying
        for code, option in enumerate(w.options[name])
        if (w.code(name) == code).any()
    )
    sure = r.significant[order]
    low, high = (np.empty(0), np.empty(0)) if r.null is None else (r.null.low, r.null.high)
    return SpecificationCurve(
        order,
        w.numbers[order],
        r.difference[order],
        r.low[order],
        r.high[order],
        r.p[order],
        r.verdict[order],
        sure,
        marks,
        low,
        high,
    )


@dataclass(frozen=True, eq=False)
class Grid(FrozenArrays):
    """Measures × averages, everything else being as in one world.

    Attributes
    ----------
    measures, averages : tuple of str
    difference, p : measures × averages; NaN where there is no such world
    verdict : measures × averages; 1, 0, −1
    significant : measures × averages
    holds : measures × averages
        Share of all worlds with this measure and average in which the claim holds; NaN where there is none.
    rows : measures × averages
        The row of the world in the conclusion's frame; −1 where there is no such world.
    numbers : measures × averages; the number of that world, 0 where there is none
    others : by average, the test in place of the world's own, which does not test that average
    """

    measures: tuple[str, ...]
    averages: tuple[str, ...]
    difference: Floats
    p: Floats
    verdict: NDArray[np.int8]
    significant: NDArray[np.bool_]
    holds: Floats
    rows: NDArray[np.intp]
    numbers: NDArray[np.intp]
    others: Mapping[str, str]

    def signs(self) -> pd.DataFrame:
        """``+``, ``=`` or ``−``, with stars for p < .05, .01 and .001; empty where there is no such world."""
        cells = [[self._cell(m, a) for a in range(len(self.averages))] for m in range(len(self.measures))]
        return pd.DataFrame(cells, index=list(self.measures), columns=list(self.averages), dtype=object)

    def _cell(self, m: int, a: int) -> str:
        if self.rows[m, a] < 0:
            return ""
        return SIGNS[int(self.verdict[m, a])] + stars(float(self.p[m, a]), bool(self.significant[m, a]))


def stars(p: float, significant: bool) -> str:
    """Stars of a significant difference by its p.

    >>> stars(0.004, True), stars(0.004, False), stars(0.2, True)
    ('**', '', '')
    """
    return next((mark for limit, mark in STARS if p < limit), "") if significant else ""


def grid(r: Decided, row: int = 0) -> Grid:
    """Measures × averages; all other choices are those of the world in `row`.

    An average that its test does not test is shown with the first test that does.
    """
    codes = r.worlds.codes
    m, a = r.worlds.code("measure"), r.worlds.code("average")
    rest = [i for i, name in enumerate(DIMENSIONS) if name not in ("measure", "average", "test")]
    here = codes[row, rest]
    shape = (len(r.worlds.options["measure"]), len(r.worlds.options["average"]))
    difference, p = np.full(shape, np.nan), np.full(shape, np.nan)
    verdict, significant = np.zeros(shape, dtype=np.int8), np.zeros(shape, dtype=bool)
    rows = np.full(shape, -1, dtype=np.intp)
    test = r.worlds.code("test")
    same = np.flatnonzero((codes[:, rest] == here).all(axis=1))
    tests = {one: min(test[same[a[same] == one]], key=lambda t: (t != test[row], t)) for one in set(a[same].tolist())}
    same = same[test[same] == np.array([tests[one] for one in a[same].tolist()], dtype=test.dtype)]
    where = m[same], a[same]
    difference[where], p[where], rows[where] = r.difference[same], r.p[same], same
    verdict[where], significant[where] = r.verdict[same], r.significant[same]
    counted, holding = np.zeros(shape), np.zeros(shape)
    np.add.at(counted, (m, a), 1)
    np.add.at(holding, (m, a), r.verdict > 0)
    holds = np.divide(holding, counted, out=np.full(shape, np.nan), where=counted > 0)
    measures, averages = (tuple(map(str, r.worlds.options[name])) for name in ("measure", "average"))
    numbers = np.where(rows < 0, 0, r.worlds.numbers[rows])
    others = {averages[one]: r.worlds.options["test"][t] for one, t in sorted(tests.items()) if t != test[row]}
    return Grid(measures, averages, difference, p, verdict, significant, holds, rows, numbers, others)
