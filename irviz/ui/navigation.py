"""The menu, and which page an address means; from one view to another and back.

Pages of views are those of :mod:`irviz.menu`; beside them stand a few that show no view.  The
start page is at ``/``; an address there that says anything is a view of the page that it means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn
from urllib.parse import urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from irviz.menu import PAGES, SECTIONS, page_named
from irviz.places import SCRIPTS
from irviz.ui.state import SIDEBAR, Session, state
from irviz.ui.text import as_markdown, md_escape
from irviz.workspace.context import Dataset
from irviz.workspace.data import COLLECTION, START_DATA, find_data, view_of_texts
from irviz.workspace.page import Page
from irviz.workspace.view import FOREIGN, SCHEMA, VERSION_KEY, View

_PAGE_SCRIPT = "page.py"  #: the script of a page that has none of its own name
_CURRENT_COLOUR = "rgba(122, 127, 133, 0.22)"  # reads on a light page and on a dark one


@dataclass(frozen=True)
class ToolPage:
    """A page of the dashboard that shows no view; its script has its name."""

    name: str
    title: str


START = ToolPage("start", "Start")
LEARN = ToolPage("labs", "All labs")
COURSE = ToolPage("teaching", "Course for teachers")
TOOL_PAGES = {"Labs": (LEARN, COURSE)}  #: further ones, by the heading that they stand below


def navigate() -> tuple[StreamlitPage, Page | None]:
    """Draw the menu; return the script to run, and the page whose view it shows, or None."""
    menu = {heading: [_script(page) for page in pages] for heading, pages in SECTIONS.items()}
    menu |= {heading: [*map(_script, desks), *menu.get(heading, ())] for heading, desks in TOOL_PAGES.items()}
    first = st.Page(SCRIPTS / f"{START.name}.py", title=START.title, url_path=START.name, default=True)
    menu[next(iter(SECTIONS))].insert(0, first)
    chosen = st.navigation(menu, position="top")
    session, context = state(), get_script_run_ctx()
    if context is not None:
        session.script = context.page_script_hash
    # back to the start page Streamlit writes what a page was opened with behind its address, which then says nothing
    stays = session.at_start or bool(context and context.is_history_navigation)
    told = any(key not in FOREIGN for key in st.query_params.to_dict()) or (START_DATA and session.arriving is not None)
    session.at_start = chosen.url_path == "" and (stays or not told)
    if chosen.url_path == "" and not session.at_start:
        st.switch_page(_script(page_named("what_if")), query_params=st.query_params.to_dict())
    _mark_section(menu, chosen)
    return chosen, next((page for page in PAGES if page.name == chosen.url_path), None)


def _mark_section(menu: Mapping[str, Sequence[StreamlitPage]], current_page: StreamlitPage) -> None:
    """Show in which section of the menu the page is; Streamlit marks only pages that stand in the menu themselves.

    On a narrow screen the item may be folded into "N more", which is then marked.
    """
    alone, *sections = [[page.url_path for page in pages] for pages in menu.values()]
    items = [*([path] for path in alone), *sections]
    place = next((n for n, paths in enumerate(items, start=1) if current_page.url_path in paths), None)
    if place is not None:
        item, button = f".rc-overflow-item:nth-child({place})", '[data-testid="stTopNavSection"]'
        menu_bar = '[data-testid="stTopNav"]'
        marked = f"{menu_bar} > {item} {button}, {menu_bar}:has(> {item}[inert]) > .rc-overflow-item-rest {button}"
        st.html(f"<style>{marked} {{ background: {_CURRENT_COLOUR}; font-weight: 600; }}</style>")


def grey_pages(dataset: Dataset) -> None:
    """Grey the pages of the menu that need rankings, where only scores are open; the pages say why."""
    if dataset.collection is None:
        empty = [page.name for page in PAGES if not page.offers_choices(dataset) and page.name != "collection"]
        links = ", ".join(
            f'[data-testid^="stTopNav"] a[href$="/{name}"], a[data-testid^="stTopNav"][href$="/{name}"]'
            for name in empty
        )
        st.html(f"<style>:is({links}) {{ opacity: 0.45; }}</style>")


def open_page(page: Page | ToolPage, **texts: str) -> NoReturn:
    """Go to another page; a desk may be told something."""
    st.switch_page(_script(page), query_params=texts or None)


def stay_on(page: Page) -> None:
    """Draw the page anew if this run is of a fragment on one that was left: Streamlit shows it again, without content.

    A popover that closes as its page is left is such a fragment.
    """
    context = get_script_run_ctx()
    if context is not None and context.page_script_hash != state().script:
        open_page(page)


def arrive(view: View, *said: str) -> NoReturn:
    """Go to a view as if by its link, where what is `said` is repeated."""
    state().arriving = list(said)
    st.switch_page(_script(page_named(view.page)), query_params={VERSION_KEY: str(SCHEMA), **view.values})


def open_awaited(session: Session) -> None:
    """Go to the view of a link that came before its data, once they are loaded."""
    view = session.awaited_view
    dataset = None if view is None else find_data(view.values.get(COLLECTION.name, ""), session.datasets.values())
    if view is None or dataset is None:
        return
    session.awaited_view = None
    arrive(view, *session.complaints)


def address() -> str:
    """The address of this dashboard, without the page, as the browser has it.

    Streamlit's own takes the name of another page off where that is the end of this one's: `lab_aggregation`.
    """
    context = get_script_run_ctx()
    parts = urlsplit("" if context is None or context.context_info is None else context.context_info.url)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rpartition('/')[0]}" if parts.netloc else ""


def _script(page: Page | ToolPage) -> StreamlitPage:
    title = page.name.capitalize() if page.title.endswith("?") else page.title  # a question is too long for the bar
    title = page.question if isinstance(page, Page) and page.lab else title
    return copy(_streamlit_page(page.name, title))  # a run of the script writes in its own


@cache
def _streamlit_page(name: str, title: str) -> StreamlitPage:
    own_script = SCRIPTS / f"{name}.py"
    script = own_script if own_script.is_file() else SCRIPTS / _PAGE_SCRIPT
    return st.Page(script, title=title, url_path=name)


def show_ways(ways: Sequence[tuple[str, View]], page: str) -> None:
    """Buttons that open other views; each remembers the one it was pressed on."""
    with st.container(horizontal=True):
        for n, (words, view) in enumerate(ways):
            show_way(words, view, page, f"{page}.way{n}")


def show_way(words: str, view: View, page: str, key: str, **look: Any) -> None:
    """The button that opens another view."""
    if st.button(md_escape(words), key=key, **look):
        visit(view, page)


def visit(view: View, page: str) -> NoReturn:
    """Open a view with a way back to `page` as it is."""
    session = state()
    here, there = page_named(page), page_named(view.page)
    back = view_of_texts(here, session.scope(SIDEBAR), session.scope(page))
    session.show(there, view)
    session.way_back = (back, view.page, dict(session.scope(SIDEBAR)))
    open_page(there)


def go_back_unchanged(session: Session, page: Page, is_arrival: bool) -> None:
    """The view that a person left by a button, where the menu leads back to its page and the sidebar was not touched.

    Else the other page's topics and average would stay, and the question would be another one.
    """
    view, there, sidebar = session.way_back or (None, "", {})
    if view is None or page.name != view.page or there == page.name:
        return
    session.way_back = None
    if not is_arrival and session.scope(SIDEBAR) == sidebar:
        session.show(page, view)


def show_way_back(session: Session, page: Page) -> None:
    """The button back to the view that sent a person here, on the page it sent them to."""
    view, there, _ = session.way_back or (None, "", {})
    if view is None or there != page.name:
        return
    back, run = page_named(view.page), session.run
    own = view.values.get(COLLECTION.name, COLLECTION.default)
    if back is page and run.context is not None and run.context.dataset.key != own:
        st.info(as_markdown(f"This is an example: `{run.context.dataset.title}`, not `{own.partition('~')[0]}`."))
    if st.button(f"← Back to {back.title}", key="way.back"):
        session.way_back = None
        session.show(back, view)
        open_page(back)
