"""Whether a statistic may be computed from a measure's scores, and what it means where it may not.

A statistic takes a scale for granted: means, t, ANOVA and the tests on means an interval
scale, medians, ranks and Kruskal-Wallis an ordinal one, geometric and harmonic means an
interval scale with a true zero (Stevens 1946; Ferrante et al. 2019, section 3.3).  Every
page of statistics says so beside its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from irviz.errors import listed
from irviz.measures.base import Scale
from irviz.workspace.context import Context
from irviz.workspace.panel import Table
from irviz.workspace.scale import scale_found

ENOUGH = {"ordinal": ("ordinal", "interval"), "interval": ("interval",), "ratio": ("interval",)}
NEEDS = {
    "ordinal": "assumes an ordinal scale: a higher score must mean a better result",
    "interval": "assumes an interval scale: equal differences of scores must be equal differences of quality",
    "ratio": "assumes a ratio scale: equal differences of scores must be equal differences of quality, and zero must "
    "mean none at all",
}
BY_SUMMARY = {"mean": "interval", "median": "ordinal"}  #: every other summary needs a ratio scale
OTHERWISE = {
    "ordinal": "Without such a scale it orders scores, which need not be the order of the results.",
    "interval": "Without such a scale it says how scores differ, not how much better the results are; statistics of "
    "order alone (median, ranks, Kruskal-Wallis) assume less.",
    "ratio": "Without such a scale it says how scores differ, not how much better the results are; the median assumes "
    "order alone.",
}


@dataclass(frozen=True)
class Licence:
    """What a statistic needs, and the scale of each measure it is computed from (None: not known, for `reasons`)."""

    statistic: str
    needs: str
    scales: dict[str, Scale | None]
    reasons: dict[str, str]

    @property
    def licensed(self) -> list[str]:
        return [name for name, scale in self.scales.items() if scale and scale.kind in ENOUGH[self.needs]]

    @property
    def unlicensed(self) -> list[str]:
        return [name for name, scale in self.scales.items() if scale and scale.kind not in ENOUGH[self.needs]]

    @property
    def note(self) -> str:
        """A few sentences for beside the result."""
        start = f"{self.statistic[0].upper()}{self.statistic[1:]} {NEEDS[self.needs]}."
        if not any(self.scales.values()):
            why = next(iter(self.reasons.values()), "no measure is chosen")
            return f"{start} The scale is not known: {why}."
        good, bad = self.licensed, self.unlicensed
        if not bad:
            return (
                f"{start} On this collection's grades {_named(good)} {_are(good)} on such a scale: it is permissible."
            )
        none = "None of the measures is on such a scale" if len(bad) > 1 else f"{_named(bad)} is not on such a scale"
        first = f"{_named(good)} {_are(good)} on such a scale" if good else none
        second = f"; {_named(bad)} {_are(bad)} not" if good else ""
        return f"{start} {first}{second} (the table of scales says why). {OTHERWISE[self.needs]}"

    def table(self) -> Table:
        """One row per measure: its scale type, whether the statistic is permissible, why, and who says so."""
        rows = [
            {
                "measure": name,
                "scale": scale.kind if scale else "not known",
                "permissible": "not known" if scale is None else "yes" if scale.kind in ENOUGH[self.needs] else "no",
                "why": scale.reason if scale else self.reasons[name],
                "source": scale.source if scale else "",
            }
            for name, scale in self.scales.items()
        ]
        about = f"One row per measure: its scale type on these grades, and whether {self.statistic} is permissible."
        return Table(pd.DataFrame(rows, columns=["measure", "scale", "permissible", "why", "source"]), about)


def licence(context: Context, statistic: str, needs: str, measures: Sequence[str] | None = None) -> Licence:
    """The licence of a statistic that `needs` an "ordinal", "interval" or "ratio" scale."""
    names = context.measures if measures is None else measures
    found = {name: scale_found(context, name) for name in names}
    scales = {name: scale for name, (scale, _) in found.items()}
    return Licence(statistic, needs, scales, {name: why for name, (_, why) in found.items() if why})


def summary_licence(context: Context, measures: Sequence[str] | None = None) -> Licence:
    """The licence of the sidebar's way to average over topics."""
    words = "arithmetic mean" if context.summary == "mean" else context.average
    return licence(context, f"the {words} over topics", BY_SUMMARY.get(context.summary, "ratio"), measures)


def _named(names: Sequence[str]) -> str:
    return listed((f"`{name}`" for name in names), most=8, joiner="and")


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"
