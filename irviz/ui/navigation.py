"""The menu, and which page an address means.

The first page is the one at ``/``; it answers at its own name too, so that every link
names its page.
"""

from __future__ import annotations

from typing import NoReturn
from urllib.parse import urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from irviz.links.view import home
from irviz.menu import PAGES, SECTIONS
from irviz.menu import page as page_named
from irviz.places import SCRIPTS
from irviz.workspace.page import Page

EVERY = "page.py"  #: the script of a page that has none of its own name
HOME = "home"  #: the first page's second name, never seen
_MARKED = "rgba(122, 127, 133, 0.22)"  # reads on a light page and on a dark one


def navigate() -> tuple[StreamlitPage, Page]:
    """Draw the menu; the script to run, and the page it shows."""
    first = PAGES[0]
    named = urlsplit(st.context.url or "").path.rstrip("/").endswith(f"/{first.name}")
    menu = {
        heading: [_script(page, page.name, visible=page is not first or named) for page in pages]
        for heading, pages in SECTIONS.items()
    }
    menu[next(iter(SECTIONS))].insert(0, _script(first, HOME, visible=not named, default=True))
    chosen = st.navigation(menu, position="top")
    texts = st.query_params.to_dict()
    if chosen.url_path == HOME and (meant := home(texts)):
        st.switch_page(_script(page_named(meant), meant, visible=True), query_params=texts)
    page = next((page for page in PAGES if page.name == chosen.url_path), first)
    _mark_section(page)
    return chosen, page


def _mark_section(page: Page) -> None:
    """Show in which section of the menu the page is; Streamlit marks only pages that stand in the menu themselves."""
    alone, *sections = SECTIONS.values()
    place = next((n for n, pages in enumerate(sections, start=len(alone) + 1) if page in pages), None)
    if place is not None:
        item = f'[data-testid="stTopNav"] > .rc-overflow-item:nth-child({place}) [data-testid="stTopNavSection"]'
        st.html(f"<style>{item} {{ background: {_MARKED}; font-weight: 600; }}</style>")


def open_page(page: Page) -> NoReturn:
    """Go to another page."""
    st.switch_page(_script(page, page.name, visible=True))


def _script(page: Page, address: str, visible: bool, default: bool = False) -> StreamlitPage:
    own = SCRIPTS / f"{page.name}.py"
    return st.Page(
        own if own.is_file() else SCRIPTS / EVERY,
        title=page.title,
        url_path=address,
        default=default,
        visibility="visible" if visible else "hidden",
    )
