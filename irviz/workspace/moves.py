"""Two rankings of the same systems: which systems moved, how far, which pairs changed; drawn and tabulated.

Systems are ranked as everywhere (the sidebar's average over topics) and tested by one
test on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.overall import overall
from irviz.analysis.ranking.correlation import kendall_tau
from irviz.analysis.ranking.ranks import movers, shared_ranks
from irviz.analysis.significance import significance
from irviz.errors import IrvizError
from irviz.figures.separation import pair_matrix
from irviz.figures.slope import slope
from irviz.scores import Scores
from irviz.summary.aggregate import aggregate
from irviz.workspace.context import Context
from irviz.workspace.panel import Drawing, Panel, Table

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Moves:
    """One measure's ranking before, and the ranking now in its place.

    Attributes
    ----------
    before, after : labels of the measures
    systems : the systems of both sides
    ranks : 2 × systems; 1 is best, tied systems share their rank
    averages : 2 × systems
    tau : Kendall's τ_b between the two rankings
    """

    before: str
    after: str
    systems: tuple[str, ...]
    ranks: NDArray[np.int64]
    averages: NDArray[np.float64]
    tau: float

    @property
    def moved(self) -> int:
        """Systems whose rank has changed."""
        return int((self.ranks[0] != self.ranks[1]).sum())


def moves(before: Context, after: Context, pair: tuple[str, str]) -> Moves:
    """Two rankings of the systems that both sides have."""
    systems = tuple(name for name in after.systems if name in set(before.systems))
    if len(systems) < 2:
        raise IrvizError("The baseline and this view have fewer than two systems in common. Pin another baseline.")
    cubes = [_cube(side, label, systems) for side, label in zip((before, after), pair, strict=True)]
    orders = np.concatenate(
        [overall(cube, side.summary, side.eps) for cube, side in zip(cubes, (before, after), strict=True)]
    )
    averages = np.concatenate(
        [aggregate(cube.values, side.summary, side.eps) for cube, side in zip(cubes, (before, after), strict=True)]
    )
    return Moves(*pair, systems, shared_ranks(orders), averages, float(kendall_tau(orders)[0, 1]))


def _cube(side: Context, label: str, systems: tuple[str, ...]) -> Scores:
    return side.scores([label]).select(systems=systems)


def separated(side: Context, label: str, systems: tuple[str, ...], test: Mapping[str, Any]) -> Bools | None:
    """systems × systems: pairs with p < α; None where there is nothing to test."""
    if len(side.topics) < 2:
        return None
    cube = _cube(side, label, systems)
    order = cube.order(label) if test["method"] == "kruskal_tukey" else None
    drawn = (test["method"], test["trials"], test["alpha"], test["seed"])
    return side.remember(significance, cube[label], *drawn, order=order).separated


def pair_kinds(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> NDArray[np.float64]:
    """systems × systems: 0 neither, 1 only the first, 2 only the second, 3 both; NaN below the diagonal and on it."""
    kinds = first.astype(np.float64) + 2.0 * second
    kinds[np.tril_indices(len(kinds))] = np.nan
    return kinds


# -- drawn and tabulated ----------------------------------------------------------------


def slope_of(one: Moves) -> Drawing:
    """Ranks before and now, joined by lines."""
    names = (f"{one.before}, baseline", f"{one.after}, now")
    drawn = slope(one.systems, one.ranks[0], one.ranks[1], names, movers(one.ranks))
    alt = f"Ranks of {len(one.systems)} systems in the baseline and now, joined by lines; {one.moved} of them move."
    return Drawing(drawn, "Systems that moved since the baseline", alt)


def separation_drawing(one: Moves, before: Bools, after: Bools) -> Drawing:
    """Half a square of systems: pairs separated before, now, or both."""
    order = np.argsort(one.ranks[0], kind="stable")
    square = np.ix_(order, order)
    names = [one.systems[i] for i in order]
    gained, lost = (int(np.triu(change).sum()) for change in (after & ~before, before & ~after))
    kinds = pair_kinds(before[square], after[square])
    alt = f"Half a square of systems, best of the baseline first: {gained} pairs only now separated, {lost} no longer."
    return Drawing(pair_matrix(names, kinds, ("the baseline", "now")), "Pairs separated", alt)


def system_table(one: Moves) -> Table:
    """Ranks and averages of every system, the widest moves first."""
    frame = pd.DataFrame(
        {
            "system": list(one.systems),
            "rank before": one.ranks[0],
            "rank now": one.ranks[1],
            "up by": one.ranks[0] - one.ranks[1],
            "average before": one.averages[0],
            "average now": one.averages[1],
        }
    )
    order = np.argsort(-np.abs(frame["up by"].to_numpy()), kind="stable")
    about = f"`{one.before}` before, `{one.after}` now: one row per system, the widest moves first."
    return Table(frame.iloc[order].reset_index(drop=True), about)


def pair_table(one: Moves, before: Bools, after: Bools) -> Table:
    """Pairs of systems that gained or lost significance."""
    rows, columns = np.nonzero(np.triu(before != after))
    frame = pd.DataFrame(
        {
            "system": [one.systems[i] for i in rows],
            "compared with": [one.systems[j] for j in columns],
            "significance": ["gained" if after[i, j] else "lost" for i, j in zip(rows, columns, strict=True)],
        }
    )
    return Table(frame, "One row per pair of systems that is separated on one side only.")


def measure_table(found: list[Moves]) -> Table:
    """τ and the number of moves under every measure."""
    rows = [
        {"before": one.before, "now": one.after, "Kendall's τ": one.tau, "systems moved": one.moved} for one in found
    ]
    return Table(
        pd.DataFrame(rows), "One row per measure: τ between its ranking before and now, and how many systems moved."
    )


def numbers_changed(before: Panel, after: Panel) -> Table | None:
    """The first table of a page whose rows and numbers are found on both sides: before, now and change."""
    for name, table in after.tables.items():
        if name not in before.tables:
            continue
        old, new = before.tables[name].frame, table.frame
        shared = [column for column in new.columns if column in old.columns]
        numbers = [
            one for one in shared if pd.api.types.is_float_dtype(new[one]) and pd.api.types.is_float_dtype(old[one])
        ]
        keys = [one for one in shared if one not in numbers and not pd.api.types.is_numeric_dtype(new[one])]
        if not numbers or not keys or old.duplicated(keys).any() or new.duplicated(keys).any():
            continue
        both = old[[*keys, *numbers]].merge(new[[*keys, *numbers]], on=keys, suffixes=(" before", " now"))
        if len(both):
            for one in numbers:
                both[f"{one} change"] = both[f"{one} now"] - both[f"{one} before"]
            return Table(
                both,
                f"{name}: the numbers of the baseline, those of now, and the difference.",
                table.digits,
                names=table.names,
                words=table.words,
            )
    return None
