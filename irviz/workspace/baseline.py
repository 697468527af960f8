"""A pinned view, and what has changed since: which systems moved, how far, and which pairs changed significance.

The baseline is a view, written into the link as its own address, so that a link to a
comparison shows the comparison.  Systems are ranked as everywhere (the sidebar's
average over topics) and tested by one test on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, join_words
from irviz.figures.ranking import slope
from irviz.figures.significance import pair_matrix
from irviz.measures.labels import changed_values
from irviz.stats.aggregate import aggregate
from irviz.stats.correlation import kendall_tau, movers, shared_ranks
from irviz.stats.scores import Scores
from irviz.stats.significance import METHODS, significance
from irviz.stats.similarity import overall
from irviz.workspace.context import SIDEBAR_CONTROLS, Context
from irviz.workspace.control import Control, Measures, Names, excerpt, join_names
from irviz.workspace.data import BASELINE, COLLECTION, SHARE, Opener, context_of, link_key, scopes, view_of_texts
from irviz.workspace.facts import Fact, extremes
from irviz.workspace.page import Page
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.task import PARTS, PREDICTION
from irviz.workspace.view import VERSION_KEY, Complaint, View, settle

# -- Two rankings of the same systems: which systems moved, how far, which pairs changed; drawn and tabulated
#
# Systems are ranked as everywhere (the sidebar's average over topics) and tested by one
# test on both sides.

Bools = NDArray[np.bool_]
Change = tuple[str, str, str]  #: the label of a setting, its text then ("" for a list), and now


@dataclass(frozen=True, eq=False)
class Moves:
    """One measure's ranking before, and the ranking now in its place.

    Attributes
    ----------
    old_measure, new_measure : labels of the measures
    systems : the systems of both sides
    ranks : 2 × systems; 1 is best, tied systems share their rank
    averages : 2 × systems
    tau : Kendall's τ_b between the two rankings
    """

    old_measure: str
    new_measure: str
    systems: tuple[str, ...]
    ranks: NDArray[np.int64]
    averages: NDArray[np.float64]
    tau: float

    @property
    def moved_systems(self) -> int:
        """Systems whose rank has changed."""
        return int((self.ranks[0] != self.ranks[1]).sum())


def moves(previous: Context, current: Context, pair: tuple[str, str]) -> Moves:
    """Two rankings of the systems that both sides have."""
    systems = tuple(name for name in current.systems if name in set(previous.systems))
    if len(systems) < 2:
        raise IrvizError("The baseline and this view have fewer than two systems in common. Pin another baseline.")
    cubes = [_cube(side, label, systems) for side, label in zip((previous, current), pair, strict=True)]
    ways = [(previous.summary, previous.eps), (current.summary, current.eps)]
    orders = np.concatenate([overall(cube, *way) for cube, way in zip(cubes, ways, strict=True)])
    averages = np.concatenate([aggregate(cube.values, *way) for cube, way in zip(cubes, ways, strict=True)])
    return Moves(*pair, systems, shared_ranks(orders), averages, float(kendall_tau(orders)[0, 1]))


def _cube(side: Context, label: str, systems: tuple[str, ...]) -> Scores:
    return side.scores([label]).select(systems=systems)


def separated_pairs(side: Context, label: str, systems: tuple[str, ...], test: Mapping[str, Any]) -> Bools | None:
    """systems × systems: pairs with p < α; None where there is nothing to test."""
    if len(side.topics) < 2:
        return None
    arguments = {name: test[name] for name in ("trials", "alpha", "seed")}
    return side.remember(significance, _cube(side, label, systems), test["method"], **arguments).separated


def pair_kinds(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> NDArray[np.float64]:
    """systems × systems: 0 neither, 1 only the first, 2 only the second, 3 both; NaN below the diagonal and on it."""
    kinds = first.astype(np.float64) + 2.0 * second
    kinds[np.tril_indices(len(kinds))] = np.nan
    return kinds


# -- drawn and tabulated ----------------------------------------------------------------


def slope_of(one: Moves) -> Drawing:
    """Ranks before and now, joined by lines."""
    names = ("in the baseline", "now")
    fig = slope(one.systems, one.ranks[0], one.ranks[1], names, movers(one.ranks), prefix="rank")
    return Drawing(fig, "Ranks in the baseline and now")


def separation_drawing(one: Moves, previous: Bools, current: Bools) -> Drawing:
    """Half a square of systems: pairs separated before, now, or both."""
    order = np.argsort(one.ranks[0], kind="stable")
    square = np.ix_(order, order)
    names = [one.systems[i] for i in order]
    kinds = pair_kinds(previous[square], current[square])
    return Drawing(pair_matrix(names, kinds, ("the baseline", "now")), "Pairs separated")


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
    about = f"`{one.old_measure}` before, `{one.new_measure}` now: one row per system, the widest moves first."
    return Table(frame.iloc[order].reset_index(drop=True), about)


def pair_table(one: Moves, previous: Bools, current: Bools) -> Table:
    """Pairs of systems that gained or lost significance."""
    rows, columns = np.nonzero(np.triu(previous != current))
    frame = pd.DataFrame(
        {
            "system": [one.systems[i] for i in rows],
            "compared with": [one.systems[j] for j in columns],
            "significance": ["gained" if current[i, j] else "lost" for i, j in zip(rows, columns, strict=True)],
        }
    )
    return Table(frame, "One row per pair of systems that is separated on one side only.")


def measure_table(comparisons: list[Moves]) -> Table:
    """τ and the number of moves under every measure."""
    rows = [
        {
            "before": comparison.old_measure,
            "now": comparison.new_measure,
            "Kendall's τ": comparison.tau,
            "systems moved": comparison.moved_systems,
        }
        for comparison in comparisons
    ]
    return Table(
        pd.DataFrame(rows), "One row per measure: τ between its ranking before and now, and how many systems moved."
    )


def numbers_changed(previous: Panel, current: Panel) -> Table | None:
    """Compare the first table that both panels have, row by row: numbers before, now, and their change.

    Of whole numbers, ranks are left out, and columns that have not changed.
    """
    for name, table in current.tables.items():
        if name not in previous.tables:
            continue
        old, new = previous.tables[name].frame, table.frame
        shared = [column for column in new.columns if column in old.columns]
        numbers = [column for column in shared if _is_number(old[column]) and _is_number(new[column])]
        keys = [column for column in shared if not pd.api.types.is_numeric_dtype(new[column])]
        if not numbers or not keys or old.duplicated(keys).any() or new.duplicated(keys).any():
            continue
        both = old[[*keys, *numbers]].merge(new[[*keys, *numbers]], on=keys, suffixes=(" before", " now"))
        heads = {column: table.heads[column] for column in keys if column in table.heads}
        for column in numbers:
            sides = (f"{column} before", f"{column} now")
            if all(pd.api.types.is_integer_dtype(both[side]) for side in sides):
                both = both.astype(dict.fromkeys(sides, "int64"))
                if re.match(r"rank\b", column) or both[sides[0]].equals(both[sides[1]]):
                    both = both.drop(columns=[*sides])
                    continue
            both[f"{column} change"] = both[sides[1]] - both[sides[0]]
            if column in table.heads:
                heads |= {f"{column} {when}": f"{table.heads[column]}, {when}" for when in ("before", "now", "change")}
        if len(both) and len(both.columns) > len(keys):
            about = f"{name}: the numbers of the baseline, those of now, and the difference."
            return Table(both, about, table.digits, names=table.names, words=table.words, heads=heads)
    return None


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


# --------------------------------------------------------------------------------------------------

TEST = {"method": "randomised_tukey", "trials": 1000, "alpha": 0.05, "seed": 0}  #: where a page has no test of its own
#: of a link, not settings of what it shows
_NOT_COMPARED = (BASELINE.name, SHARE.name, *(part.name for part in (*PARTS, PREDICTION)))


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a comparison: a context, the page and its values, and settings of its link that do not apply.

    `pinned_on` is the title of another page whose view the baseline is: it says nothing about the page's own settings.
    """

    view: View
    page: Page
    context: Context
    values: Mapping[str, Any]
    complaints: tuple[Complaint, ...] = ()
    pinned_on: str = ""


# -- the pin ---------------------------------------------------------------------------


def pin(view: View) -> str:
    """The text that keeps `view` as a baseline in a link."""
    return bare(view).to_url()[1:]


def bare(view: View) -> View:
    """The view without a baseline or a share: what it is about."""
    return View(view.page, tuple((key, text) for key, text in view.items if key not in _NOT_COMPARED))


def read_pin(text: str, pinnable: Container[str]) -> View:
    """The view that :func:`pin` wrote, or one that a person did; of a page in `pinnable`."""
    view, complaints = View.read_url(text)
    if view.page not in pinnable:
        raise IrvizError(f"`{excerpt(view.page, 30)}` is not a page that can be a baseline")
    if complaints:
        raise IrvizError(complaints[0].sentence)
    return view


def side_before(base: View, page: Page, now: Mapping[str, str], opener: Opener, origin: Page | None = None) -> Side:
    """The baseline as `page` sees it: what its link says.

    The baseline of another page, `origin`, says what the two have in common; the other controls are those of `now`.
    """
    shared, page_texts, unknown = scopes(page, base.values)
    elsewhere = base.page != page.name
    if elsewhere:
        shared_with = () if origin is None else origin.controls
        common = {control.name for control in page.controls if control in shared_with}
        page_texts = {name: text for name, text in now.items() if name not in common} | {
            name: text for name, text in page_texts.items() if name in common
        }
        unknown = []
    context, complaints = context_of(shared, opener, page)
    values, others = settle(page.controls, page_texts, context)
    all_complaints = (*unknown, *complaints, *others)
    pinned_on = "" if origin is None or not elsewhere else origin.title
    return Side(view_of_texts(page, shared, page_texts), page, context, values, all_complaints, pinned_on)


def compare_with_pin(
    text: str,
    pinnable: Mapping[str, Page],
    current: Side,
    own: Mapping[str, str],
    panel: Panel,
    opener: Opener,
    redraw: Callable[[Side], Panel] | None = None,
) -> Panel:
    """Differences between a page now and the baseline in a link's `text`.

    Parameters
    ----------
    pinnable
        The pages whose views can be a baseline, by name.
    own, panel
        The texts of the page's controls now, and what it shows.
    redraw : callable, optional
        Draws the page as it was, for a caller who keeps that.
    """
    base = read_pin(text, pinnable)
    before = side_before(base, current.page, own, opener, pinnable[base.page])
    draw = redraw or (lambda side: side.page.draw_panel(side.context, side.values))
    return compare_sides(before, current, lambda: (draw(before), panel))


# -- the state before, which a page draws in grey


@dataclass(frozen=True, eq=False)
class Before:
    """A state of a page, what has changed since, and what that was."""

    view: View
    changed: str
    was: str
    measure: str
    context: Context = field(repr=False)
    values: Mapping[str, Any] = field(repr=False)


#: of a view, not settings of what it shows; what a page is about is among its measures
_BESIDE = (*_NOT_COMPARED, "measures", "highlight", "sweep", "points", "before")


def differences(old: View, now: View, focus: str) -> str:
    """The text of a state before: its measure, the control `focus`, where all else is as now; else a query of texts."""
    sides = [{key: text for key, text in view.items if key not in _BESIDE} for view in (old, now)]
    keys = [key for key in dict.fromkeys([*sides[0], *sides[1]]) if sides[0].get(key) != sides[1].get(key)]
    texts = {key: sides[0].get(key, "") for key in keys}
    return texts[focus] if keys == [focus] else View.from_texts("", **texts).to_query() if keys else ""


def with_before(
    values: Mapping[str, Any],
    page: Page,
    context: Context,
    shared: Mapping[str, str],
    own: Mapping[str, str],
    opener: Opener,
    pinnable: Mapping[str, Page],
) -> Mapping[str, Any]:
    """The values of a page that draws the state before, with that state where more than its measure may differ.

    It is the pinned view, if there is one.

    Parameters
    ----------
    shared, own : texts of the sidebar and of the page
    pinnable : the pages whose views can be pinned, by name
    """
    name, pinned, origin = page.previous_measure, shared.get(BASELINE.name), None
    if not name or (pinned is None and not str(values[name]).startswith(f"{VERSION_KEY}=")):
        return values
    now = bare(view_of_texts(page, shared, own))
    if pinned is not None:
        base = read_pin(pinned, pinnable)
        origin = pinnable[base.page]
    else:
        changed, _ = View.read_url(f"{page.name}?{values[name]}")
        texts = {**now.values, page.focus: values[page.focus], **changed.values}
        write = ",".join if context.dataset.imported_scores is None else join_names
        texts["measures"] = write(dict.fromkeys((*context.measures, texts[page.focus])))
        base = View.from_texts(page.name, **{key: text for key, text in texts.items() if text})
    side = side_before(base, page, own, opener, origin)
    found = changes(side, Side(now, page, context, values))
    was = "; ".join(f"{label} {then}".strip() for label, then, _ in found)
    since = change_words(found, context)
    return {**values, name: Before(base, since, was, str(side.values[page.focus]), side.context, side.values)}


def unusable(error: IrvizError) -> Complaint:
    """The message for a link whose baseline cannot be shown."""
    reason = str(error).rstrip(".")
    name = BASELINE.name
    return Complaint(name, f"The link's `{name}` cannot be used: {reason}. There is no baseline now.")


# -- the comparison --------------------------------------------------------------------


def focus(previous: Side, current: Side) -> list[tuple[str, str]]:
    """Pairs of measures to compare: the one that the page is about, else those in the same place of both lists."""
    if name := current.page.focus:
        return [(previous.values[name], current.values[name])]
    first, second = previous.context.measures, current.context.measures
    if len(first) == len(second):
        return list(zip(first, second, strict=True))
    return [(name, name) for name in first if name in second] or [(first[0], second[0])]


def compare_sides(previous: Side, current: Side, panels: Callable[[], tuple[Panel, Panel]] | None = None) -> Panel:
    """Differences between the baseline and the present view.

    Parameters
    ----------
    previous, current : Side
    panels : callable, optional
        Gives the page's panel before and now, for the table of its own numbers.
    """
    since = change_words(changes(previous, current), current.context)
    if not since:
        return Panel(_ELSEWHERE.format(previous.pinned_on) if previous.pinned_on else _SAME)
    alike = previous.context.mark == current.context.mark and all(then == now for then, now in focus(previous, current))
    if panels is not None and alike:  # only settings of the page itself were changed
        return _own_settings(previous, since, *panels())
    comparisons = [moves(previous.context, current.context, pair) for pair in focus(previous, current)]
    most = min(comparisons, key=lambda comparison: comparison.tau if np.isfinite(comparison.tau) else 2.0)
    tests = current.values.get("method") in METHODS
    test = {name: current.values.get(name, value) for name, value in TEST.items()} if tests else TEST
    labels = (previous, most.old_measure), (current, most.new_measure)
    pairs = [separated_pairs(side.context, label, most.systems, test) for side, label in labels]
    tables = {"Systems against the baseline": system_table(most)}
    drawings = {"moved": slope_of(most)}
    if pairs[0] is not None and pairs[1] is not None:
        tables["Pairs that changed"] = pair_table(most, pairs[0], pairs[1])
        drawings["pairs"] = separation_drawing(most, pairs[0], pairs[1])
    if len(comparisons) > 1:
        tables["Measures against the baseline"] = measure_table(comparisons)
    changed_numbers = numbers_changed(*panels()) if panels is not None else None
    if changed_numbers is not None:
        tables["This page's numbers"] = changed_numbers
    facts = (*_facts(comparisons, most), *_significance_facts(pairs, test))
    return Panel(_SINCE.format(since), (drawings,), tables, _notes(previous, current, most, test), facts)


_SAME = "This view is the baseline. Change a setting to see its effect here."
_ELSEWHERE = (
    "The baseline was pinned on {}, and nothing in the sidebar has changed since. Pin this page to compare its own "
    "settings."
)
_SINCE = "Since the baseline: {}."


def _own_settings(previous: Side, since: str, then: Panel, now: Panel) -> Panel:
    """The headline of a page before its own settings changed, and the numbers that differ."""
    changed_numbers = numbers_changed(then, now)
    return Panel(
        _SINCE.format(since),
        tables={} if changed_numbers is None else {"This page's numbers": changed_numbers},
        notes=(f"Headline of the baseline: {then.sentence}", *_unusable_settings(previous)),
    )


def _unusable_settings(previous: Side) -> list[str]:
    """Complaints about settings of the baseline's link that cannot be applied."""
    return [f"In the baseline: {complaint}" for complaint in previous.complaints]


# -- facts and notes -------------------------------------------------------------------


def _facts(comparisons: list[Moves], most: Moves) -> tuple[Fact, ...]:
    """How alike both rankings are, how many systems moved, and which of them most."""
    moved = dict(zip(most.systems, np.abs(most.ranks[0] - most.ranks[1]).tolist(), strict=True))
    measures = tuple(dict.fromkeys((most.old_measure, most.new_measure)))
    why = f"The measure that changes most of {len(comparisons)}; undefined if all systems tie."
    return (
        Fact("τ with the baseline", most.tau, measures, digits=2, why=why),
        Fact("systems that moved", most.moved_systems, of=len(most.systems)),
        *extremes(moved, ("largest change of rank", ""))[:1],
    )


def _significance_facts(pairs: list[Bools | None], test: Mapping[str, Any]) -> tuple[Fact, ...]:
    before, after = pairs
    if before is None or after is None:
        return ()
    gained, lost = (int(np.triu(change).sum()) for change in (after & ~before, before & ~after))
    why = f"{METHODS[test['method']].label}, α = {test['alpha']:g}"
    return Fact("pairs that gain significance", gained, why=why), Fact("pairs that lose it", lost, why=why)


def _notes(previous: Side, current: Side, most: Moves, test: Mapping[str, Any]) -> tuple[str, ...]:
    notes = _unusable_settings(previous)
    if previous.pinned_on:
        notes.append(f"The baseline was pinned on {previous.pinned_on}: this page's own settings are as now.")
    sizes = [len(side.context.systems) for side in (previous, current)]
    if sizes != [len(most.systems)] * 2:
        notes.append(f"Systems compared: {len(most.systems)} of {sizes[0]} then and {sizes[1]} now.")
    if METHODS[test["method"]].familywise:
        notes.append(f"p-values are corrected for all pairs of these {len(most.systems)} systems, on each side.")
    else:
        notes.append("p-values are not corrected for the number of pairs.")
    if {previous.context.summary, current.context.summary} != {"mean"}:
        notes.append("p-values are of means, whatever average ranks the systems.")
    return tuple(notes)


def changes(previous: Side, current: Side) -> list[Change]:
    """Which settings differ."""
    controls: dict[str, Control] = {link_key(current.page, control.name): control for control in current.page.controls}
    controls |= {control.name: control for control in (*SIDEBAR_CONTROLS, COLLECTION)}
    old, new = previous.view.values, current.view.values
    skipped = _BESIDE if current.page.previous_measure else _NOT_COMPARED
    keys = [key for key in dict.fromkeys([*old, *new]) if old.get(key) != new.get(key) and key not in skipped]
    found = []
    for key in keys:
        control = controls.get(key, Control(name=key, label=key))
        if isinstance(control, Measures):
            then, now = _changed_items(previous.context.measures, current.context.measures)
        elif isinstance(control, Names) and key in old and key in new:
            then, now = _changed_items(control.read(old[key]), control.read(new[key]))
        else:
            then, now = (excerpt(_setting(side, control, key), 80) for side in (previous, current))
        if then != now:  # one link leaves out the default that the other spells out
            found.append((control.label, then, now))
    pages = ("Page", previous.view.page, current.view.page)
    return found or ([pages] if pages[1] != pages[2] else [])


def change_words(found: Sequence[Change], context: Context) -> str:
    """Changes in one line; of two measures of one kind, only the values that differ."""
    collection = context.dataset.collection
    grades = () if collection is None else collection.grades[0]
    words = [(label, changed_values(then, now, grades), then, now) for label, then, now in found]
    texts = (f"{label} {values or (f'{then} → {now}' if then else now)}" for label, values, then, now in words)
    return "; ".join(texts).strip()


def _setting(side: Side, control: Control, key: str) -> str:
    """The text of a control in a side's link; where that leaves it out, the default."""
    if key in side.view.values:
        return side.view.values[key]
    fitted = control.fit(side.context.dataset if control in SIDEBAR_CONTROLS else side.context)
    text = "" if fitted.default is None else fitted.format(fitted.default) or fitted.words(fitted.default)
    return text or getattr(fitted, "empty", "") or "default"


def _changed_items(old: Sequence[str], new: Sequence[str]) -> tuple[str, str]:
    """One exchanged item of a list, before and now; else nothing, and the items removed (−) and added (+).

    >>> _changed_items(["AP", "P@10"], ["AP", "P@20"]), _changed_items(["AP"], ["P@10", "AP", "P@20"])
    (('P@10', 'P@20'), ('', '+P@10 and +P@20'))
    """
    removed, added = ([item for item in these if item not in set(those)] for these, those in ((old, new), (new, old)))
    if len(removed) == len(added) == 1:
        return excerpt(removed[0], 80), excerpt(added[0], 80)
    items = [*(f"−{excerpt(item, 80)}" for item in removed), *(f"+{excerpt(item, 80)}" for item in added)]
    return "", join_words(items, most=8, joiner="and") or "in another order"
