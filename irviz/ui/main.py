"""The dashboard's script, run for every visit and every change: menu, sidebar, page, address bar."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from irviz.places import VERSION
from irviz.ui.caches import settle_memory
from irviz.ui.exercise import present_exercise
from irviz.ui.link import read_link, view_of, write_link
from irviz.ui.navigation import go_back_unchanged, grey_pages, navigate, open_awaited
from irviz.ui.page import note_before
from irviz.ui.report import show_offered
from irviz.ui.share import show_arrival
from irviz.ui.sidebar import settle_sidebar, show_sidebar
from irviz.ui.state import Run, Session, obey_forgetting, state
from irviz.ui.style import ALL_SCRIPTS, APP_STYLE, style_of
from irviz.ui.text import shown_errors
from irviz.ui.toolbar import show_toolbar
from irviz.workspace.page import Page

ICON = Path(__file__).parent / "icon.svg"
ABOUT = f"**irviz {VERSION}**: see what an information-retrieval evaluation measure does, before you trust it."


def main() -> None:
    """Draw the page that the address asks for."""
    st.set_page_config(page_title="irviz", page_icon=str(ICON), layout="wide", menu_items={"About": ABOUT})
    st.html(APP_STYLE)
    unseen = st.container(key="scripts")
    with unseen:
        st.html(ALL_SCRIPTS, unsafe_allow_javascript=True)  # constants: nothing that anybody typed or loaded
    settle_memory()
    chosen, page = navigate()
    session = state()
    if page is not session.run.page:
        session.box.refusal = ""  # it is about what was written on another page
        if page is not None and page.focus and session.measure:
            session.put(page.name, page.focus, session.box.current(session.measure))
    # a press that comes before the sidebar is drawn finds the choices of the last run
    session.run = Run(page, fitted_controls=session.run.fitted_controls, values=session.run.values)
    session.drawing = {}
    obey_forgetting(session)
    unseen.button("Draw again", key="redraw")  # a script presses it when the theme changes
    unseen.html(style_of(page, chosen.url_path == ""))
    if page is None:
        chosen.run()
    else:
        _show_view(session, page, chosen)
    # not of a run that another one interrupts: the browser may never have got it
    session.drawn_widgets = session.drawing


def _show_view(session: Session, page: Page, script: StreamlitPage) -> None:
    """A page of views: heading, sidebar, script, address bar."""
    open_awaited(session)
    is_arrival = read_link(session, page)
    go_back_unchanged(session, page, is_arrival)
    with shown_errors():
        session.run = settle_sidebar(session, page, is_arrival)
        if session.run.missing and (is_arrival or session.awaited_view is None):
            session.awaited_view = view_of(session, page)
        if session.run.context is not None:
            complaints = session.settle_page(page)
            if is_arrival:
                session.complaints += [*map(str, complaints), *present_exercise(session, page)[2]]
            note_before(session, page)  # before the address is written: a move is one step of Back
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.header(page.title, anchor=False)
        show_toolbar(session, page)
    show_arrival(view_of(session, page))
    show_offered(session)
    write_link(session, page)  # so that a reload during a long computation keeps what was changed
    if session.run.context is not None:
        grey_pages(session.run.context.dataset)
    script.run()
    show_sidebar(session)
    write_link(session, page)


main()
