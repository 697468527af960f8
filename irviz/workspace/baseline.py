"""The state before: a pinned view or the last one, what has changed since, and which systems moved.

A pinned view is written into the link as its own address.  Systems are ranked as everywhere
(the sidebar's average over topics).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from irviz.errors import IrvizError, join_words
from irviz.figures.ranking import slope
from irviz.measures.labels import changed_values
from irviz.stats.aggregate import aggregate
from irviz.stats.correlation import kendall_tau, movers, shared_ranks
from irviz.stats.similarity import overall
from irviz.workspace.context import SIDEBAR_CONTROLS, Context
from irviz.workspace.control import Control, Measures, Names, excerpt, join_names
from irviz.workspace.data import BASELINE, COLLECTION, SHARE, Opener, context_of, link_key, scopes, view_of_texts
from irviz.workspace.page import BEFORE, Before, Page
from irviz.workspace.panel import Drawing, Panel, Table
from irviz.workspace.task import PARTS, PREDICTION
from irviz.workspace.view import VERSION_KEY, Complaint, View, settle

# -- Two rankings of the same systems: which systems moved, and how far

Change = tuple[str, str, str]  #: the label of a setting, its text then ("" for a list), and now


@dataclass(frozen=True, eq=False)
class Moves:
    """One measure's ranking before, and the ranking now in its place."""

    #: labels of the measures
    old_measure: str
    new_measure: str
    systems: tuple[str, ...]  #: the systems of both sides
    ranks: NDArray[np.int64]  #: 2 × systems; 1 is best, tied systems share their rank
    averages: NDArray[np.float64]  #: 2 × systems
    tau: float  #: Kendall's τ_b between the two rankings


def moves(previous: Context, current: Context, pair: tuple[str, str]) -> Moves:
    """Two rankings of the systems that both sides have, which are two or more."""
    systems = tuple(name for name in current.systems if name in set(previous.systems))
    sides = zip((previous, current), pair, strict=True)
    cubes = [side.scores([label]).select(systems=systems) for side, label in sides]
    ways = [(previous.summary, previous.eps), (current.summary, current.eps)]
    orders = np.concatenate([overall(cube, *way) for cube, way in zip(cubes, ways, strict=True)])
    averages = np.concatenate([aggregate(cube.values, *way) for cube, way in zip(cubes, ways, strict=True)])
    return Moves(*pair, systems, shared_ranks(orders), averages, float(kendall_tau(orders)[0, 1]))


def moves_panel(one: Moves) -> Panel:
    """Ranks before and now, joined by lines, and a table of every system, the widest moves first."""
    names = ("before", "now")
    fig = slope(one.systems, one.ranks[0], one.ranks[1], names, movers(one.ranks), prefix="rank")
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
    table = Table(frame.iloc[order].reset_index(drop=True), about)
    return Panel("", ({"moved": Drawing(fig, "Ranks before and now")},), {"Systems": table})


# -- the pin ---------------------------------------------------------------------------

NOTHING = "none"  #: in the place of a pinned view: nothing is drawn before
_NOT_COMPARED = (BASELINE.name, SHARE.name, BEFORE.name, *(part.name for part in (*PARTS, PREDICTION)))


def bare(view: View) -> View:
    """The view without a state before or a share: what it is about."""
    return View(view.page, tuple((key, text) for key, text in view.items if key not in _NOT_COMPARED))


def pin(view: View) -> str:
    """The text that keeps `view` as the state before in a link."""
    return bare(view).to_url()[1:]


def read_pin(text: str, pinnable: Container[str]) -> View:
    """The view that :func:`pin` wrote, or one that a person did; of a page in `pinnable`."""
    view, complaints = View.read_url(text)
    if view.page not in pinnable:
        raise IrvizError(f"`{excerpt(view.page, 30)}` is not a page that can be a baseline")
    if complaints:
        raise IrvizError(complaints[0].sentence)
    return view


def unusable(error: IrvizError) -> Complaint:
    """The message for a link whose state before cannot be shown."""
    reason = str(error).rstrip(".")
    name = BASELINE.name
    return Complaint(name, f"The link's `{name}` cannot be used: {reason}. There is no baseline now.")


# -- the state before ------------------------------------------------------------------


def _beside(page: Page) -> tuple[str, ...]:
    """Of a view, not settings of what it shows; what a page turns is among its measures."""
    return (*_NOT_COMPARED, "highlight", *(("measures", "sweep", "points") if "turns" in page.uses else ()))


def differences(old: View, now: View, page: Page) -> str:
    """The text of a state before: its measure, where all else is as now; else a query of texts."""
    sides = [{key: text for key, text in view.items if key not in _beside(page)} for view in (old, now)]
    keys = [key for key in dict.fromkeys([*sides[0], *sides[1]]) if sides[0].get(key) != sides[1].get(key)]
    texts = {key: sides[0].get(key, "") for key in keys}
    return texts[page.focus] if keys == [page.focus] else View.from_texts("", **texts).to_query() if keys else ""


def values_with_before(
    values: Mapping[str, Any],
    page: Page,
    context: Context,
    shared: Mapping[str, str],
    own: Mapping[str, str],
    opener: Opener,
    pinnable: Mapping[str, Page],
) -> dict[str, Any]:
    """The values of a page with its state before: the pinned view, else what its link says.

    On a page that turns a measure, that is the measure's name if all else is as now.
    """
    name, pinned = BEFORE.name, shared.get(BASELINE.name)
    text = str(values.get(name) or "")
    if name not in values or pinned == NOTHING:
        return {**values, name: ""} if name in values else dict(values)
    is_measure = not text.startswith(f"{VERSION_KEY}=")
    if pinned is None and (not text or ("turns" in page.uses and is_measure)):
        return dict(values)
    now = bare(view_of_texts(page, shared, own))
    if pinned is not None:
        base = read_pin(pinned, pinnable)
    else:
        changed = {page.focus: text} if is_measure else View.read_url(f"{page.name}?{text}")[0].values
        texts = {**now.values, **changed}
        if "turns" in page.uses:
            texts = {page.focus: values[page.focus], **texts}
            write = ",".join if context.dataset.imported_scores is None else join_names
            texts["measures"] = write(dict.fromkeys((*context.measures, texts[page.focus])))
        base = View.from_texts(page.name, **{key: text for key, text in texts.items() if text})
    return {**values, name: _before(base, page, now, context, own, opener, pinnable)}


def _before(
    base: View,
    page: Page,
    now: View,
    context: Context,
    own: Mapping[str, str],
    opener: Opener,
    pinnable: Mapping[str, Page],
) -> Before:
    """The state before as `page` sees it; of another page, the common controls and its own measure."""
    shared, page_texts, unknown = scopes(page, base.values)
    if base.page != page.name:
        common = {control.name for control in page.controls if control in pinnable[base.page].controls}
        mine = {name: text for name, text in own.items() if name not in common}
        page_texts = mine | {name: text for name, text in page_texts.items() if name in common}
        unknown = []
    then, complaints = context_of(shared, opener, page)
    if base.page != page.name and page_texts.get(page.focus, then.measures[0]) not in then.measures:
        other = pinnable[base.page]
        pinned = scopes(other, base.values)[1].get(other.focus)
        page_texts |= {page.focus: pinned} if pinned else {}
    values, others = settle(page.controls, page_texts, then)
    view = bare(view_of_texts(page, shared, page_texts))
    found = changes(page, (view, then), (now, context))
    since, was = change_words(found, context), "; ".join(f"{label} {text}".strip() for label, text, _ in found)
    complained = tuple(map(str, (*unknown, *complaints, *others)))
    lacks = page.focus in [one.key for one in others]
    refusal = f"it has no `{excerpt(page_texts[page.focus], 80)}`" if lacks else ""
    return Before(view, since, was, str(values.get(page.focus, "")), complained, then, values, refusal)


def changes(page: Page, before: tuple[View, Context], now: tuple[View, Context]) -> list[Change]:
    """Which settings of a page differ between two views and their data."""
    controls: dict[str, Control] = {link_key(page, control.name): control for control in page.controls}
    controls |= {control.name: control for control in (*SIDEBAR_CONTROLS, COLLECTION)}
    sides = (before[0].values, before[1]), (now[0].values, now[1])
    (old, then), (new, context) = sides
    keys = [key for key in dict.fromkeys([*old, *new]) if old.get(key) != new.get(key) and key not in _beside(page)]
    found = []
    for key in keys:
        control = controls.get(key, Control(name=key, label=key))
        if isinstance(control, Measures):
            was, is_now = _changed_items(then.measures, context.measures)
        elif isinstance(control, Names) and key in old and key in new:
            was, is_now = _changed_items(control.read(old[key]), control.read(new[key]))
        else:
            was, is_now = (excerpt(_setting(texts, one, control, key), 80) for texts, one in sides)
        if was != is_now:  # one link leaves out the default that the other spells out
            found.append((control.label, was, is_now))
    return found


def change_words(found: Sequence[Change], context: Context) -> str:
    """Changes in one line; of two measures of one kind, only the values that differ."""
    collection = context.dataset.collection
    grades = () if collection is None else collection.grades[0]
    words = [(label, changed_values(then, now, grades), then, now) for label, then, now in found]
    texts = (f"{label} {values or (f'{then} → {now}' if then else now)}" for label, values, then, now in words)
    return "; ".join(texts).strip()


def _setting(texts: Mapping[str, str], context: Context, control: Control, key: str) -> str:
    """The text of a control in a link; where that leaves it out, the default."""
    if key in texts:
        return texts[key]
    fitted = control.fit(context.dataset if control in SIDEBAR_CONTROLS else context)
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
