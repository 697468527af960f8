"""Presenting: one figure at a time in large type, without menu and sidebar; ``mode=present`` in a link.

``mode=present-2`` is the second figure of the page.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from irviz.ui.show import show_drawing
from irviz.ui.state import PRESENTED_FIRST, SIDEBAR, Fitted, Session
from irviz.ui.style import PRESENTING
from irviz.ui.text import as_markdown
from irviz.workspace.data import MODE
from irviz.workspace.page import Page
from irviz.workspace.panel import Panel


def present(session: Session, place: int | None = 0) -> None:
    """Present a figure, or stop presenting."""
    text = None if place is None else PRESENTED_FIRST if place == 0 else f"{PRESENTED_FIRST}-{place + 1}"
    session.put(SIDEBAR, MODE.name, text)


def show_style() -> None:
    """Large type, and nothing around it."""
    st.html(PRESENTING)


def show_leave(session: Session) -> None:
    """The way out."""
    st.button("Stop presenting", key="present.leave", on_click=present, args=(session, None))


def show_presented(session: Session, page: Page, fitted: Fitted, panel: Panel) -> None:
    """The sentence of a page and one of its figures, with the way to the others."""
    drawings = [drawing for row in panel.drawings for drawing in row.values()]
    place = min(session.presented or 0, max(0, len(drawings) - 1))
    with st.container(key=f"sentence.{page.name}"):
        st.markdown(as_markdown(panel.sentence))
    if not drawings:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{as_markdown(drawings[place].title)}**")
        if len(drawings) > 1:
            _turn("‹ Back", session, place - 1, len(drawings))
            st.caption(f"{place + 1} of {len(drawings)}", width="content")
            _turn("Next ›", session, place + 1, len(drawings))
    show_drawing(replace(drawings[place], title=""), f"{page.name}.presented.{place}", page.name, fitted)


def _turn(label: str, session: Session, place: int, count: int) -> None:
    st.button(label, key=f"present.{label}", on_click=present, args=(session, place), disabled=not 0 <= place < count)
