"""Permissible statistics of a measure's scores, and the meaning of others.

A statistic assumes a scale: means, t, ANOVA and the tests on means an interval
scale, medians, ranks and Kruskal-Wallis an ordinal one, geometric and harmonic means an
interval scale with a true zero (Stevens 1946; Ferrante et al. 2019, section 3.3).  Every
page of statistics says so beside its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.measures.language.base import Measure, Scale
from irviz.stats.aggregate import SUMMARIES
from irviz.workspace.context import Context
from irviz.workspace.panel import Table

_ENOUGH = {"ordinal": ("ordinal", "interval"), "interval": ("interval",), "ratio": ("interval",)}
_ASSUMED = {
    "ordinal": "an ordinal scale, on which a higher score means a better result",
    "interval": "an interval scale, on which equal differences of scores mean equal differences of quality",
    "ratio": "a ratio scale, on which ratios of scores mean ratios of quality",
}  #: by the scale that a statistic needs
BY_SUMMARY = {"mean": "interval", "median": "ordinal"}  #: every other summary needs a ratio scale


@dataclass(frozen=True)
class Permissibility:
    """The scale that a statistic needs, and of each measure its scale, or None and why it is not known."""

    statistic: str
    needs: str
    scales: dict[str, tuple[Scale | None, str]]

    @property
    def permissible(self) -> list[str]:
        return [name for name, (scale, _) in self.scales.items() if scale and scale.kind in _ENOUGH[self.needs]]

    @property
    def note(self) -> str:
        """The assumption, and how many measures meet it."""
        count = f"{len(self.permissible)} of {len(self.scales)}"
        return f"Scale assumed by {self.statistic}: {self.needs}. Measures on it: {count} (table Scales)."

    def table(self) -> Table:
        """One row per measure: its scale type, whether the statistic is permissible, why, and who says so."""
        rows = [
            {
                "measure": name,
                "scale": scale.kind if scale else "not known",
                "permissible": "not known" if scale is None else "yes" if scale.kind in _ENOUGH[self.needs] else "no",
                "why": scale.reason if scale else why,
                "source": scale.source if scale else "",
            }
            for name, (scale, why) in self.scales.items()
        ]
        about = f"Assumed by {self.statistic}: {_ASSUMED[self.needs]}; without it, numbers compare scores, not quality."
        return Table(pd.DataFrame(rows, columns=["measure", "scale", "permissible", "why", "source"]), about)


def permissibility(
    context: Context, statistic: str, needs: str, measures: Sequence[str] | None = None
) -> Permissibility:
    """Permissibility of a statistic that `needs` an "ordinal", "interval" or "ratio" scale."""
    names = context.measures if measures is None else measures
    return Permissibility(statistic, needs, {name: scale_found(context, name) for name in names})


def average_permissibility(context: Context, measures: Sequence[str] | None = None) -> Permissibility:
    """Permissibility of the sidebar's average over topics."""
    return permissibility(
        context, f"the {SUMMARIES[context.summary]} over topics", BY_SUMMARY.get(context.summary, "ratio"), measures
    )


KINDS = {
    "interval": "an interval scale",
    "ordinal": "an ordinal scale",
    "neither": "neither an ordinal nor an interval scale",
}


def scale_found(context: Context, label: str) -> tuple[Scale | None, str]:
    """The scale type of a measure on the collection's grades (TOMA's: on its classes), or why it is not known."""
    collection = context.dataset.collection
    if collection is None:
        return None, "imported scores do not say on which grades they were measured"
    try:
        parsed: Measure = measure(label)
        return parsed.scale_in(collection), ""
    except IrvizError as error:
        return None, str(error).rstrip(".")


def scale_note(context: Context, label: str) -> tuple[str, ...]:
    """The scale of a measure and its reason, as a note for a page."""
    scale, why = scale_found(context, label)
    if scale is None:
        return (f"Scale of `{label}`: not known: {why}.",)
    return (f"Scale of `{label}` {measure(label).scale_words}: {KINDS[scale.kind]}. {scale.reason} ({scale.source})",)
