"""The course page, and the collection on which a lab's case occurs."""

from __future__ import annotations

import streamlit as st

from irviz.classroom.course import CASES, markdown
from irviz.labs.lab import YOURS
from irviz.links.view import View
from irviz.ui.sidebar import choose_data
from irviz.ui.state import SIDEBAR, State
from irviz.workspace.page import Page
from irviz.workspace.resolve import COLLECTION

_TRIED = "irviz.tried"  #: labs that look at a collection


def show_course() -> None:
    """The plan with links into the dashboard."""
    st.header("Course", anchor=False)
    st.markdown(markdown(_link, "###"))


def _link(words: str, view: View) -> str:
    return f"[{words}](.{view.to_url()})"


def open_case(session: State, page: Page, arrived: bool) -> None:
    """Where somebody has a lab look at a bundled collection, it is the one on which the lab's case occurs.

    Data that a person loaded, and what a link says, stay.
    """
    tried: set[str] = st.session_state.setdefault(_TRIED, set())
    on, before = session.scope(page.name).get(YOURS.name) == YOURS.format(True), page.name in tried
    (tried.add if on else tried.discard)(page.name)
    case = CASES.get(page.name, "")
    present = session.scope(SIDEBAR).get(COLLECTION.name, COLLECTION.default)
    if on and not before and not arrived and case not in ("", present) and "~" not in present:
        choose_data(session, case)
