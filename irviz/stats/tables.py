"""The table of a paper: mean scores of systems, the best in bold, a dagger at significant differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.display import tex, tex_table
from irviz.errors import rounded
from irviz.stats.correlation import SAME
from irviz.stats.results import FrozenArrays

Floats = NDArray[np.float64]
_DAGGER = "†"


@dataclass(frozen=True, eq=False)
class SystemTable(FrozenArrays):
    """Mean scores, systems × measures, with the best of each measure and the differences from a baseline.

    Attributes
    ----------
    values : systems × measures
    best : systems × measures
        True for the highest mean of a measure, ties included.
    marked : systems × measures
        True where the difference from the baseline is significant.
    note : str
        What the marks mean; "" without a baseline.
    digits : int
        Decimal places.
    """

    values: Floats
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    best: NDArray[np.bool_]
    marked: NDArray[np.bool_]
    note: str = ""
    digits: int = 3

    def frame(self) -> pd.DataFrame:
        """Means, systems × measures."""
        return pd.DataFrame(self.values, index=pd.Index(self.systems, name="system"), columns=list(self.measures))

    def markdown(self) -> str:
        """The table in Markdown."""
        cells = self._cells("**{}**", _DAGGER)
        rows = [f"| {name.replace('|', chr(92) + '|')} | {' | '.join(row)} |" for name, row in cells]
        head = f"| system | {' | '.join(self.measures)} |"
        return "\n".join([head, "| --- |" + " ---: |" * len(self.measures), *rows, *self._notes()])

    def latex(self, caption: str = "Mean scores", label: str = "tab:means") -> str:
        """The table for LaTeX with booktabs."""
        rows = [[tex(name), *row] for name, row in self._cells(r"\textbf{{{}}}", r"$^{\dagger}$")]
        more = f" {self.note}" if self.note else ""
        lines = tex_table(tex(f"{caption}.{more}"), ["system", *map(tex, self.measures)], rows, label)
        return "\n".join(["% needs \\usepackage{booktabs}", *lines])

    def _cells(self, bold: str, dagger: str) -> list[tuple[str, list[str]]]:
        """By system its name and its cells."""
        out = []
        for name, values, best, marked in zip(self.systems, self.values, self.best, self.marked, strict=True):
            texts = ["--" if np.isnan(value) else rounded(float(value), self.digits) for value in values]
            texts = [bold.format(text) if high else text for text, high in zip(texts, best, strict=True)]
            out.append((name, [text + dagger * bool(mark) for text, mark in zip(texts, marked, strict=True)]))
        return out

    def _notes(self) -> list[str]:
        return ["", self.note] if self.note else []


def system_table(
    means: Floats,
    p_values: Floats,
    measures: Sequence[str],
    systems: Sequence[str],
    baseline: str | None = None,
    alpha: float = 0.05,
) -> SystemTable:
    """The table of mean scores and corrected p-values, both measures × systems."""
    highest = np.nanmax(means, axis=1, keepdims=True, initial=-np.inf)
    note = f"{_DAGGER}: differs from {baseline} (p < {alpha:g})." if baseline is not None else ""
    best = means >= highest - SAME * np.abs(highest)
    return SystemTable(means.T, tuple(systems), tuple(measures), best.T, (p_values < alpha).T, note)
