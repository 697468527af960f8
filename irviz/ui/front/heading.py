"""The heading of a page: its title, and beside or below it what can be done with the view."""

from __future__ import annotations

import streamlit as st

from irviz.ui.front.large import presented
from irviz.ui.front.present import show_leave, show_style
from irviz.ui.state import State
from irviz.ui.toolbar import show_toolbar
from irviz.workspace.page import Page


def show_heading(session: State, page: Page) -> None:
    """Title and toolbar in one row, or below each other where there is no room: they never touch."""
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.header(page.title, anchor=False)
        if presented(session) is None:
            show_toolbar(session, page)
        else:
            show_leave(session)
    if presented(session) is not None:
        show_style()
