"""The menu, and which page an address means; from one view to another and back.

Pages of views are those of :mod:`irviz.menu`; beside them stand a few that show no view.  The
start page is at ``/``; an address there that says anything is a view of the page that it means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn
from urllib.parse import urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from irviz.menu import PAGES, SECTIONS, UNLISTED, page_named
from irviz.places import SCRIPTS
from irviz.ui.state import SIDEBAR, State, state
from irviz.ui.text import md_escape
from irviz.workspace.data import COLLECTION, STARTED, find_data, joined, scopes
from irviz.workspace.page import Page
from irviz.workspace.view import FOREIGN, SCHEMA, VERSION_KEY, View, home

_STAYS = "irviz.start"
_PAGE_SCRIPT = "page.py"  #: the script of a page that has none of its own name
_MARKED = "rgba(122, 127, 133, 0.22)"  # reads on a light page and on a dark one


@dataclass(frozen=True)
class Desk:
    """A page of the dashboard that shows no view; its script has its name."""

    name: str
    title: str


START = Desk("start", "Start")
ANSWERS = Desk("answers", "Answers")
DESKS = {"Teaching": (Desk("teaching", "Course"), ANSWERS)}  #: further ones, by the heading that they stand below


def navigate() -> tuple[StreamlitPage, Page | None]:
    """Draw the menu; the script to run, and the page whose view it shows, if it shows one."""
    menu = {heading: [_script(page) for page in pages] for heading, pages in SECTIONS.items()}
    for heading, pages in UNLISTED.items():
        menu[heading] += [_script(page, "hidden") for page in pages]
    menu |= {heading: [*menu.get(heading, ()), *map(_script, desks)] for heading, desks in DESKS.items()}
    first = st.Page(SCRIPTS / f"{START.name}.py", title=START.title, url_path=START.name, default=True)
    menu[next(iter(SECTIONS))].insert(0, first)
    chosen = st.navigation(menu, position="top")
    st.session_state[_STAYS] = chosen.url_path == "" and (_stays() or not _says_something())
    if chosen.url_path == "" and not st.session_state[_STAYS]:
        texts = st.query_params.to_dict()
        st.switch_page(_script(page_named(home(texts) or PAGES[0].name)), query_params=texts)
    _mark_section(menu, chosen)
    return chosen, next((page for page in PAGES if page.name == chosen.url_path), None)


def _mark_section(menu: Mapping[str, Sequence[StreamlitPage]], chosen: StreamlitPage) -> None:
    """Show in which section of the menu the page is; Streamlit marks only pages that stand in the menu themselves.

    On a narrow screen the item may be folded into "N more", which is then marked.
    """
    alone, *sections = [[page.url_path for page in pages] for pages in menu.values()]
    items = [*([path] for path in alone), *sections]
    place = next((n for n, paths in enumerate(items, start=1) if chosen.url_path in paths), None)
    if place is not None:
        item, button = f".rc-overflow-item:nth-child({place})", '[data-testid="stTopNavSection"]'
        menu_bar = '[data-testid="stTopNav"]'
        marked = f"{menu_bar} > {item} {button}, {menu_bar}:has(> {item}[inert]) > .rc-overflow-item-rest {button}"
        st.html(f"<style>{marked} {{ background: {_MARKED}; font-weight: 600; }}</style>")


def _says_something() -> bool:
    """Whether an address without a page means one: by what it says, or by what the server was started with."""
    texts = [key for key in st.query_params.to_dict() if key not in FOREIGN]
    return bool(texts) or (bool(STARTED) and not state().started)


def _stays() -> bool:
    """Whether the start page is what the session shows, or goes back to.

    Streamlit writes what a page is opened with behind the address of the page before, so that address says nothing.
    """
    context = get_script_run_ctx()
    return bool(st.session_state.get(_STAYS)) or bool(context and context.is_history_navigation)


def open_page(page: Page | Desk, **texts: str) -> NoReturn:
    """Go to another page; a desk may be told something."""
    st.switch_page(_script(page), query_params=texts or None)


def arrive(view: View) -> NoReturn:
    """Go to a view as if by its link."""
    state().started = False
    st.switch_page(_script(page_named(view.page)), query_params={VERSION_KEY: str(SCHEMA), **view.values})


def open_awaited(session: State) -> None:
    """Go to the view of a link that came before its data, once they are loaded."""
    view = session.awaited
    found = None if view is None else find_data(view.values.get(COLLECTION.name, ""), session.loaded.values())
    if view is None or found is None:
        return
    session.awaited = None
    session.said = list(session.complaints)
    arrive(view)


def address() -> str:
    """Where this dashboard answers, without the page."""
    parts = urlsplit(st.context.url or "")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rpartition('/')[0]}" if parts.netloc else ""


def _script(page: Page | Desk, visibility: Literal["visible", "hidden"] = "visible") -> StreamlitPage:
    own = SCRIPTS / f"{page.name}.py"
    script = own if own.is_file() else SCRIPTS / _PAGE_SCRIPT
    return st.Page(script, title=page.title, url_path=page.name, visibility=visibility)


def show_ways(ways: Sequence[tuple[str, View]], page: str) -> None:
    """Buttons that open other views; each remembers the one it was pressed on."""
    session = state()
    with st.container(horizontal=True):
        for n, (words, view) in enumerate(ways):
            if st.button(md_escape(words), key=f"{page}.way{n}"):
                here = page_named(page)
                session.back = joined(here, session.scope(SIDEBAR), session.scope(page))
                session.visited = view.page
                _go_to(session, view)


def go_back_unchanged(session: State, page: Page, arrived: bool) -> None:
    """The view that a person left by a button, where the menu leads back to its page and the sidebar was not touched.

    Else the other page's topics and average would stay, and the question would be another one.
    """
    back = session.back
    if back is None or page.name != back.page or session.visited == page.name:
        return
    session.back = None
    if not arrived and session.scope(SIDEBAR) == session.opened_with:
        session.texts[SIDEBAR], session.texts[page.name], _ = scopes(page, back.values)


def show_way_back(session: State, page: Page) -> None:
    """The button back to the view that sent a person here, on the page it sent them to."""
    back = session.back
    if back is None or session.visited != page.name:
        return
    if st.button(f"← Back to {page_named(back.page).title}", key="way.back"):
        session.back = None
        _go_to(session, back)


def _go_to(session: State, view: View) -> None:
    page = page_named(view.page)
    session.texts[SIDEBAR], session.texts[page.name], complaints = scopes(page, view.values)
    session.opened_with = dict(session.texts[SIDEBAR])
    session.complaints = [str(complaint) for complaint in complaints]
    open_page(page)
