"""A pinned view, and what differs since: who moved, how far, which pairs gained or lost significance.

The baseline is a view, written into the link as its own address, so that a link to a
comparison shows the comparison.  Systems are ranked as everywhere (the sidebar's
average over topics) and tested by one test on both sides.  May import every floor
below; never Streamlit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.analysis.correlation import kendall_tau
from irviz.analysis.overall import overall
from irviz.analysis.ranks import mean_ranks
from irviz.analysis.significance import METHODS, significance
from irviz.errors import IrvizError
from irviz.figures.separation import pair_matrix
from irviz.figures.slope import movers, slope
from irviz.scores import Scores
from irviz.summary.aggregate import aggregate
from irviz.views.context import CONTROLS, Context
from irviz.views.panel import Drawing, Page, Panel, Table
from irviz.views.resolve import BASELINE, SHARE, Opener, context_of, joined, scopes
from irviz.views.text import shown
from irviz.views.view import View, settle

PAGES = ("scores", "similarity", "cwla", "consistency", "discriminative", "incomplete", "aggregation")
TEST = {"method": "randomised_tukey", "trials": 1000, "alpha": 0.05, "seed": 0}  #: where a page has no test of its own
FOCUS = ("measure", "first")  #: controls that name the one measure a page is about
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a comparison: a context and the page's values in it."""

    view: View
    context: Context
    values: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Moves:
    """One measure's ranking before, and the ranking now in its place.

    Attributes
    ----------
    before, after : labels of the measures
    systems : the systems of both sides
    ranks : 2 × systems; 1 is best, ties share their mean rank
    averages : 2 × systems
    tau : Kendall's τ_b between the two rankings
    """

    before: str
    after: str
    systems: tuple[str, ...]
    ranks: NDArray[np.float64]
    averages: NDArray[np.float64]
    tau: float

    @property
    def moved(self) -> int:
        """Systems whose rank is another."""
        return int((self.ranks[0] != self.ranks[1]).sum())


# -- the pin ---------------------------------------------------------------------------


def pin(view: View) -> str:
    """The text that keeps `view` as a baseline in a link."""
    kept = tuple((key, text) for key, text in view.items if key not in (BASELINE.name, SHARE.name))
    return View(view.page, kept).to_url()[1:]


def pinned(text: str) -> View:
    """The view that :func:`pin` wrote, or one that a person did."""
    view, complaints = View.read_url(text)
    if view.page not in PAGES:
        raise IrvizError(f"`{shown(view.page, 30)}` is no page that can be a baseline")
    if complaints:
        raise IrvizError(complaints[0].sentence)
    return view


def side_before(base: View, page: Page, now: Mapping[str, str], opener: Opener, **more: Any) -> Side:
    """The baseline as `page` sees it: what its link says, and for another page's baseline the controls of `now`."""
    shared, own, _ = scopes(page, base.values)
    own = own if base.page == page.name else dict(now)
    context, _ = context_of(shared, opener, **more)
    values, _ = settle(page.controls, own, context)
    return Side(joined(page, shared, own), context, values)


# -- the comparison --------------------------------------------------------------------


def focus(before: Side, after: Side) -> list[tuple[str, str]]:
    """Pairs of measures to compare: the one a page is about, else those in the same place of both lists."""
    for name in FOCUS:
        if name in before.values and name in after.values:
            return [(before.values[name], after.values[name])]
    first, second = before.context.measures, after.context.measures
    if len(first) == len(second):
        return list(zip(first, second, strict=True))
    return [(name, name) for name in first if name in second] or [(first[0], second[0])]


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
    return Moves(*pair, systems, mean_ranks(-orders), averages, float(kendall_tau(orders)[0, 1]))


def _cube(side: Context, label: str, systems: tuple[str, ...]) -> Scores:
    return side.scores([label]).select(systems=systems)


def separated(side: Context, label: str, systems: tuple[str, ...], test: Mapping[str, Any]) -> Bools | None:
    """systems × systems: pairs with p < α; None where there is nothing to test."""
    if len(side.topics) < 2:
        return None
    cube = _cube(side, label, systems)
    order = cube.order(label) if test["method"] == "kruskal_tukey" else None
    return significance(cube[label], test["method"], test["trials"], test["alpha"], test["seed"], order=order).separated


def against(before: Side, after: Side, panels: Callable[[], tuple[Panel, Panel]] | None = None) -> Panel:
    """What differs between the baseline and the present view.

    Parameters
    ----------
    before, after : Side
    panels : callable, optional
        Gives the page's panel before and now, for the table of its own numbers.
    """
    if dict(before.view.items) == dict(after.view.items):
        return Panel("This view is the baseline. Change anything, and what moves is shown here.")
    found = [moves(before.context, after.context, pair) for pair in focus(before, after)]
    most = min(found, key=lambda one: one.tau if np.isfinite(one.tau) else 2.0)
    test = {name: after.values.get(name, value) for name, value in TEST.items()} if _tests(after) else TEST
    pairs = [separated(side.context, label, most.systems, test) for side, label in _sides(before, after, most)]
    tables = {"Systems against the baseline": _system_table(most)}
    drawings = {"moved": _slope(most)}
    if pairs[0] is not None and pairs[1] is not None:
        tables["Pairs that changed"] = _pair_table(most, pairs[0], pairs[1])
        drawings["pairs"] = _matrix(most, pairs[0], pairs[1])
    if len(found) > 1:
        tables["Measures against the baseline"] = _measure_table(found)
    own = numbers_changed(*panels()) if panels is not None else None
    if own is not None:
        tables["This page's numbers"] = own
    sentence = _sentence(found, most, pairs, test)
    return Panel(sentence, (drawings,), tables, _notes(before, after, most))


def _tests(side: Side) -> bool:
    return side.values.get("method") in METHODS


def _sides(before: Side, after: Side, one: Moves) -> tuple[tuple[Side, str], tuple[Side, str]]:
    return (before, one.before), (after, one.after)


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
            return Table(both, f"{name}: the numbers of the baseline, those of now, and the difference.", table.digits)
    return None


# -- in words and figures --------------------------------------------------------------


def _sentence(found: list[Moves], most: Moves, pairs: list[Bools | None], test: Mapping[str, Any]) -> str:
    names = f"`{most.after}`" if most.before == most.after else f"`{most.before}` then and `{most.after}` now"
    start = f"Against the baseline, by {names}"
    if len(found) > 1:
        start = f"Against the baseline, of {len(found)} measures the ranking by {names} changes most"
    tau = f"τ {most.tau:.2f}" if np.isfinite(most.tau) else "τ is not defined, as all systems are tied"
    count = len(most.systems)
    if not most.moved:
        return f"{start}: {tau}, none of the {count} systems moved{_gained(pairs, test)}."
    first = movers(most.ranks[0], most.ranks[1], 1)[0]
    place = f"from rank {most.ranks[0, first]:g} to {most.ranks[1, first]:g}"
    moved = f"{most.moved} of {count} systems moved, `{most.systems[first]}` most, {place}"
    return f"{start}: {tau}, {moved}{_gained(pairs, test)}."


def _gained(pairs: list[Bools | None], test: Mapping[str, Any]) -> str:
    before, after = pairs
    if before is None or after is None:
        return ""
    gained, lost = (int(np.triu(change).sum()) for change in (after & ~before, before & ~after))
    words = f"({METHODS[test['method']].label}, α = {test['alpha']:g})"
    return f"; {gained:,} pair{'' if gained == 1 else 's'} gained significance and {lost:,} lost it {words}"


def _notes(before: Side, after: Side, most: Moves) -> tuple[str, ...]:
    notes = [f"Since the baseline: {changes(before, after)}."]
    sizes = [len(side.context.systems) for side in (before, after)]
    if sizes != [len(most.systems)] * 2:
        notes.append(
            f"Only the {len(most.systems)} systems of both sides are compared ({sizes[0]} then, {sizes[1]} now)."
        )
    if {before.context.summary, after.context.summary} != {"mean"}:
        notes.append("The test compares scores over topics as they are, whatever average ranks the systems.")
    return tuple(notes)


def changes(before: Side, after: Side) -> str:
    """Which settings differ, by their labels."""
    labels = {control.name: control.label for control in CONTROLS} | {"collection": "Collection"}
    old, new = before.view.values, after.view.values
    keys = [key for key in dict.fromkeys([*old, *new]) if old.get(key) != new.get(key) and key not in _SKIPPED]
    told = [
        f"{labels.get(key, key)} `{shown(old.get(key, 'default'), 80)}`, now `{shown(new.get(key, 'default'), 80)}`"
        for key in keys
    ]
    return "; ".join(told) or "another page"


_SKIPPED = (BASELINE.name, SHARE.name)


def _slope(one: Moves) -> Drawing:
    drawn = slope(one.systems, one.ranks[0], one.ranks[1], (f"{one.before}, baseline", f"{one.after}, now"))
    alt = f"Ranks of {len(one.systems)} systems in the baseline and now, joined by lines; {one.moved} of them move."
    return Drawing(drawn, "Who moved since the baseline", alt)


def _matrix(one: Moves, before: Bools, after: Bools) -> Drawing:
    order = np.argsort(one.ranks[0], kind="stable")
    square = np.ix_(order, order)
    names = [one.systems[i] for i in order]
    gained, lost = (int(np.triu(change).sum()) for change in (after & ~before, before & ~after))
    alt = f"Half a square of systems, best of the baseline first: {gained} pairs only now separated, {lost} no longer."
    return Drawing(pair_matrix(names, before[square], after[square], ("the baseline", "now")), "Pairs told apart", alt)


def _system_table(one: Moves) -> Table:
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
    about = f"`{one.before}` before, `{one.after}` now: one row a system, the widest moves first."
    return Table(frame.iloc[order].reset_index(drop=True), about)


def _pair_table(one: Moves, before: Bools, after: Bools) -> Table:
    rows, columns = np.nonzero(np.triu(before != after))
    frame = pd.DataFrame(
        {
            "system": [one.systems[i] for i in rows],
            "and": [one.systems[j] for j in columns],
            "significance": ["gained" if after[i, j] else "lost" for i, j in zip(rows, columns, strict=True)],
        }
    )
    return Table(frame, "One row a pair of systems that is told apart on one side only.")


def _measure_table(found: list[Moves]) -> Table:
    rows = [
        {"before": one.before, "now": one.after, "Kendall's τ": one.tau, "systems moved": one.moved} for one in found
    ]
    return Table(
        pd.DataFrame(rows), "One row a measure: τ between its ranking before and now, and how many systems moved."
    )
