"""The address bar: read when someone arrives or goes back, written before and after every run.

The whole state of a page is in its link, by way of :class:`irviz.workspace.view.View`.
Widgets are not bound to the URL one by one: a measure's parameters are parts of one
expression, and one codec serves links, saved views, reports and the command line.
"""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from irviz.ui.caches import give_back
from irviz.ui.share import take_share
from irviz.ui.state import SIDEBAR, Session, StateBefore, state
from irviz.workspace.data import first_look, scopes, view_of_texts
from irviz.workspace.page import Page
from irviz.workspace.task import PREDICTION, without_task
from irviz.workspace.view import FOREIGN, SCHEMA, VERSION_KEY, View


def read_link(session: Session, page: Page) -> bool:
    """Take over what the address bar says, if a person just came by it; whether that was so."""
    give_back(session)
    context = get_script_run_ctx()
    back = bool(context and context.is_history_navigation)
    if session.arriving is None and (not back or _says_nothing(page)):
        return False
    texts, refused = take_share(session, page, first_look(st.query_params.to_dict()))
    session.texts[SIDEBAR], session.texts[page.name], complaints = scopes(page, texts)
    session.complaints = [*(session.arriving or ()), *refused, *(str(complaint) for complaint in complaints)]
    session.arriving, session.comparisons[page.name] = None, StateBefore()
    session.box.reset()
    return True


def _says_nothing(page: Page) -> bool:
    """True for the bare address of a page, by which the menu opens it and Back comes to it.

    The browser may also have put what the next page's address says behind that of the page which was left for it.
    """
    name, written = state().written_link
    texts = st.query_params.to_dict()
    return not texts or (name != page.name and texts == written)


def view_of(session: Session, page: Page) -> View:
    """The view on the screen, without what a student wrote to an exercise."""
    return view_of_texts(page, session.scope(SIDEBAR), without_task(session.scope(page.name), [PREDICTION]))


def write_link(session: Session, page: Page) -> None:
    """Make the address bar say what is on the screen."""
    wanted = {VERSION_KEY: str(SCHEMA), **view_of_texts(page, session.scope(SIDEBAR), session.scope(page.name)).values}
    present = st.query_params.to_dict()
    wanted |= {key: text for key, text in present.items() if key in FOREIGN}
    if present != wanted or session.written_link != (page.name, wanted):
        st.query_params.from_dict(wanted)
        session.written_link = page.name, wanted
