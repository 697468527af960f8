"""The sidebar: the data, the measures and how they are looked at, the same on every page.

Settings that are not the default are shown beside every page's title, where they can be reset.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from irviz.collection.codes import TIE_RULES
from irviz.errors import number_of
from irviz.server.internals import as_main
from irviz.server.middleware import present_owner
from irviz.server.session_store import owner_store
from irviz.ui import caches
from irviz.ui.measure_picker import show_picker
from irviz.ui.state import SIDEBAR, ControlsByName, Run, Session, state
from irviz.ui.text import as_markdown, md_escape
from irviz.ui.widgets import draw_all, fold, heard, put_widget, remember, show_control, visible
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Dataset
from irviz.workspace.control import Choice, Control, Names
from irviz.workspace.data import (
    COLLECTION,
    MATRICES,
    NUGGETS,
    SHARE,
    bundled_titles,
    computable,
    find_data,
    opened_bundled,
)
from irviz.workspace.nugget_handles import NUGGET_HANDLES
from irviz.workspace.page import Page
from irviz.workspace.topic_groups import GROUPS
from irviz.workspace.view import settle

_KEY = "sidebar.collection"
_ALWAYS_SEEN = ("measures", "partial", "okay", "highlight")  #: what has a place of its own
IN_HAND = "measure"  #: the control of the measure in hand, beside the selected systems
_PICKED = "picked"  #: the box that a click on a figure writes to
#: what a change of the data makes meaningless
_OF_THE_DATA = (
    *("partial", "okay", "topics", "group", "groups", "independent"),
    *("which", "only", "systems", "highlight", "depth", "ties"),
)
_AVERAGE = ("summary", "eps")  #: its settings
_LONGEST = 40  #: signs of a value
_LONGEST_TITLE = 27  #: signs that the box of a collection shows; a longer title stands below it, too


def settle_sidebar(session: Session, page: Page, is_arrival: bool) -> Run:
    """Read the choices of the sidebar, which is drawn later; a lab has no widgets there, and misses no data.

    `is_arrival` says that a link was just read: what it asked for and did not get is a
    complaint then, and quietly forgotten otherwise; a lab keeps it for other pages.
    """
    key = _chosen_key(session) or (COLLECTION.default if page.lab else None)
    if key is None:
        choice = partial(_show_collections, session, key)
        return Run(page, missing=session.scope(SIDEBAR)[COLLECTION.name], sidebar=choice)
    opened = open_key(session, key)
    fitted: ControlsByName = {control.name: control.fit(opened) for control in SIDEBAR_CONTROLS}
    if page.lab:
        values, _ = settle(fitted.values(), session.scope(SIDEBAR), opened)
    else:
        values, complaints = session.settle(SIDEBAR, fitted, opened)
        session.complaints += map(str, complaints if is_arrival else ())
    collection = opened.collection
    if collection is not None and values["depth"] < collection.depth:
        cut = caches.cut_collection(collection.identity, values["depth"], collection)
        opened = replace(opened, collection=cut)
    context = Context.from_values(opened, values, "holes" in page.uses)
    if page.lab:
        return Run(page, context, fitted_controls=fitted, values=values)
    refused = context.refusals()

    def draw() -> Any:
        _show_collections(session, key)
        place = _show_controls(context, fitted, values, page)
        for name, why in refused.items():
            st.warning(as_markdown(f"`{name}` is left out: {why}"))
        return place

    session.run = replace(session.run, sidebar=draw)  # which is there if no measure can be computed, too
    return Run(page, computable(context, refused), fitted_controls=fitted, values=values, sidebar=draw)


def show_sidebar(session: Session) -> Any:
    """Draw the sidebar where it is not drawn yet: the place below the measures, for a page that turns one.

    The first figures come before it, unless they take long: a browser takes as long for widgets as for figures.
    """
    draw, session.run = session.run.sidebar, replace(session.run, sidebar=None)
    if draw is not None:
        with st.sidebar, as_main():
            return draw()


def _chosen_key(session: Session) -> str | None:
    """The key of the data that are looked at, found by their fingerprint if need be; None where they are not here."""
    key = session.scope(SIDEBAR).get(COLLECTION.name, COLLECTION.default)
    if key in bundled_titles() or key in session.datasets:
        return key
    dataset = find_data(key, session.datasets.values())
    if dataset is None:
        return None
    session.put(SIDEBAR, COLLECTION.name, dataset.key)
    return dataset.key


def _show_collections(session: Session, key: str | None) -> None:
    titles = distinct_titles(bundled_titles() | {key: dataset.title for key, dataset in session.datasets.items()})
    put_widget(_KEY, key)
    st.selectbox(
        COLLECTION.label,
        list(titles),
        index=None if key is None else 0,
        help=COLLECTION.help,
        format_func=titles.__getitem__,
        **heard(_KEY, _collection_changed),
        placeholder="Not loaded here",
    )
    if key is not None and len(titles[key]) > _LONGEST_TITLE:
        st.caption(md_escape(titles[key]))


def distinct_titles(titles: dict[str, str]) -> dict[str, str]:
    """Titles by key, with the key behind them where two are the same: a menu knows its items by their words.

    >>> distinct_titles({"a": "A", "m~1": "M", "m~2": "M"})
    {'a': 'A', 'm~1': 'M (1)', 'm~2': 'M (2)'}
    """
    often = Counter(titles.values())
    return {key: title if often[title] == 1 else f"{title} ({key.rpartition('~')[2]})" for key, title in titles.items()}


def open_key(session: Session, key: str) -> Dataset:
    """The data behind a key, compiled under the tie rule the session asks for."""
    if key in session.datasets:  # the last ones used from now on
        session.datasets[key] = session.datasets.pop(key)
        owner_store().use(present_owner(), key)
        return session.datasets[key]
    ties = session.scope(SIDEBAR).get("ties", "trec_eval")
    return opened_bundled(key, ties if ties in TIE_RULES else "trec_eval")


def choose_data(session: Session, key: str) -> None:
    """Look at other data from the next run on."""
    before = session.scope(SIDEBAR).get(COLLECTION.name, COLLECTION.default)
    session.put(SIDEBAR, COLLECTION.name, None if key == COLLECTION.default else key)
    if key != before:
        session.put(SIDEBAR, SHARE.name, None)
    for name in _OF_THE_DATA:
        session.put(SIDEBAR, name, None)
    imported = [one.key for one in session.datasets.values() if one.imported_scores is not None]
    scores = {*MATRICES, *NUGGETS, *imported}
    old, new = (data_key if data_key in scores else "" for data_key in (before, key))
    if old != new:  # imported scores have measures of their own; those of the collections come back with a collection
        session.box.measures_by_data[old] = session.scope(SIDEBAR).get("measures")
        session.put(SIDEBAR, "measures", session.box.measures_by_data.get(new))
        session.box.reset()


def _collection_changed() -> None:
    session = state()
    session.forget_complaints()
    if st.session_state[_KEY] is not None:
        choose_data(session, st.session_state[_KEY])


def _show_controls(context: Context, fitted_controls: ControlsByName, values: dict[str, Any], page: Page) -> Any:
    """Draw the controls that the page uses: the measures, and the rest folded away; the place between the two."""
    folded = {name: control for name, control in fitted_controls.items() if name not in _ALWAYS_SEEN}
    opened = context.dataset
    choices, place = page.offers_choices(opened), None
    if choices and "measures" in page.uses:
        place = show_picker(fitted_controls["measures"], values["measures"], context, page)  # type: ignore[arg-type]
    for handle in visible([fitted_controls[one.name] for one in NUGGET_HANDLES], values):
        show_control(handle, values[handle.name], SIDEBAR)
    del folded[GROUPS]  # on the page Collection
    if opened.collection is None:
        del folded["depth"]
    content = partial(draw_all, visible(folded.values(), values), values, SIDEBAR)
    moved = any(values[name] != one.default for name, one in folded.items() if not isinstance(one, Choice))
    fold("Topics, averages and conventions", "sidebar.more", content, expanded=moved)
    return place


def show_selection(session: Session, page: Page, context: Context) -> None:
    """Draw the measure in hand, the selected systems, and the box that takes what is clicked in figures."""
    if "highlights" not in page.uses or not page.offers_choices(context.dataset):
        return
    control, chosen = session.run.fitted_controls["highlight"], context.highlight
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="selection"):
        run = session.run
        in_hand = filter(None, [run.page_controls.get(IN_HAND)])
        draw_all(visible(in_hand, run.page_values), run.page_values, page.name)
        show_control(control, chosen, SIDEBAR)
        if len(chosen) > 1 and set(chosen) != set(context.systems):
            only = session.run.fitted_controls["only"]
            st.button(
                "Only these",
                help="Compare only these systems, on every page.",
                on_click=remember,
                args=(session, SIDEBAR, only, chosen),
            )
    with st.container(key=_PICKED):
        st.text_input("What was clicked in a figure", label_visibility="collapsed", **heard(f"{_PICKED}.box", _pick))


def _pick() -> None:
    """Select the systems that a click named, or let go of them where all are selected; no name lets go of all."""
    session, text = state(), st.session_state[f"{_PICKED}.box"]
    st.session_state[f"{_PICKED}.box"] = ""
    control = session.run.fitted_controls["highlight"]
    assert isinstance(control, Names)
    chosen = control.rescue(session.scope(SIDEBAR).get("highlight", ""))
    try:
        named = json.loads(text)
    except ValueError:  # written by a person
        return
    clicked = [name for name in control.options if name in named] if isinstance(named, list) else []
    if clicked or named == []:
        session.forget_complaints()
        kept = tuple(name for name in chosen if clicked and name not in clicked)
        more = () if set(clicked) <= set(chosen) else chosen + tuple(name for name in clicked if name not in chosen)
        remember(session, SIDEBAR, control, more or kept)


def show_departures(session: Session, page: Page, context: Context) -> None:
    """A chip for every setting of the sidebar that is not its default, and how much of the data is looked at."""
    fitted, values = session.run.fitted_controls, session.run.values
    moved = [one for one in fitted.values() if one.name not in _ALWAYS_SEEN and one.matters(values)]
    moved = [control for control in moved if values[control.name] != control.default]
    part = part_of(context)
    if not moved and not part:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="departures"):
        for control in moved:
            _show_chip(session, control, values[control.name])
        if part:
            st.caption(as_markdown(part), width="content")
    if "average" not in page.uses and any(control.name in _AVERAGE for control in moved):
        st.caption("The average over topics chosen in the sidebar does not affect this page.")
    if context.units and "groups" not in page.uses:
        st.caption("Tests and intervals on this page take topics as independent.")


def part_of(context: Context) -> str:
    """How much of the data is looked at; nothing where it is all of it."""
    parts = [
        f"{len(chosen):,} of {number_of(len(available), word)}"
        for chosen, available, word in (
            (context.systems, context.dataset.systems, "system"),
            (context.topics, context.dataset.topics, "topic"),
        )
        if len(chosen) < len(available)
    ]
    return ", ".join(parts)


def _show_chip(session: Session, control: Control, value: Any) -> None:
    """One setting, and the press that takes it back."""
    words = control.words(value) if isinstance(control, Choice) else control.format(value)
    cut = words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
    st.button(
        f"{md_escape(control.label)}: {md_escape(cut)} ✕",
        key=f"departures.{control.name}",
        help="Reset to the default.",
        on_click=_take_back,
        args=(session, control.name),
    )


def _take_back(session: Session, name: str) -> None:
    session.forget_complaints()
    session.put(SIDEBAR, name, None)
