"""From one view to another and back: buttons that open a view, and the button that returns from it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from irviz.links.view import View
from irviz.menu import page as page_named
from irviz.ui.navigation import open_page
from irviz.ui.state import SIDEBAR, State, state
from irviz.ui.text import md_escape
from irviz.workspace.page import Page
from irviz.workspace.resolve import joined, scopes


def show_ways(ways: Sequence[tuple[str, View]], page: str) -> None:
    """Buttons that open other views; each remembers the one it was pressed on."""
    session = state()
    with st.container(horizontal=True):
        for n, (words, view) in enumerate(ways):
            if st.button(md_escape(words), key=f"{page}.way{n}"):
                here = page_named(page)
                session.back = joined(here, session.scope(SIDEBAR), session.scope(page))
                session.visited = view.page
                _go(session, view)


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
        _go(session, back)


def _go(session: State, view: View) -> None:
    page = page_named(view.page)
    session.texts[SIDEBAR], session.texts[page.name], complaints = scopes(page, view.values)
    session.opened_with = dict(session.texts[SIDEBAR])
    session.complaints = [str(complaint) for complaint in complaints]
    open_page(page)
