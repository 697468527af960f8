"""The top of a page: its title, and the actions on a view: share it, add it to a report, copy it as code, pin it."""

from __future__ import annotations

import streamlit as st

from irviz.errors import IrvizError
from irviz.publish.code import command, python_code, render_command
from irviz.ui.baseline import show_pin
from irviz.ui.link import view_of
from irviz.ui.present import present, show_leave, show_style
from irviz.ui.report import show_report
from irviz.ui.share import show_share
from irviz.ui.state import Session
from irviz.ui.text import shown_errors
from irviz.workspace.context import Context
from irviz.workspace.page import Page
from irviz.workspace.view import View, settle


@st.fragment
def show_toolbar(session: Session, page: Page) -> None:
    """A row of popovers; only an open one is filled, and filling it draws nothing else anew."""
    view, context = view_of(session, page), session.run.context
    with st.container(horizontal=True, horizontal_alignment="right", gap="small", key="toolbar"):
        show_pin(session, page)
        share = st.popover("Share", key="toolbar.share", on_change="rerun")
        reporting = st.popover("Report", key="toolbar.report", on_change="rerun")
        code = st.popover("Code", key="toolbar.code", on_change="rerun")
    with shown_errors():
        if share.open:
            with share:
                if st.button("Present", key="present.go", help="One figure at a time, in large type."):
                    present(session)
                    st.rerun()
                show_share(view, None if context is None else context.opened)
        if reporting.open:
            with reporting:
                show_report(session, view, None if context is None else context.opened)
        if code.open:
            with code:
                _show_code(session, page, view, context)


def _show_code(session: Session, page: Page, view: View, context: Context | None) -> None:
    """Python and commands that give the numbers on the screen."""
    if context is None:
        raise IrvizError("Without data there is nothing to compute.")
    texts = session.scope(page.name)
    values, _ = settle(page.controls_for(texts), texts, context)
    st.markdown("**As Python**")
    st.code(python_code(view, context, values), wrap_lines=True)
    st.markdown("**As a command**")
    st.code(command(view, context, values), language="bash", wrap_lines=True)
    st.markdown("**As a report**")
    st.code(render_command(view, context, "report.html"), language="bash", wrap_lines=True)
    if context.opened.collection is not None and "~" in context.opened.key:
        st.caption(
            "Save the collection with “Save as .irviz” on the Collection page, and run this in the folder of that file."
        )


def show_heading(session: Session, page: Page) -> None:
    """Title and toolbar in one row, or below each other where there is no room: they never touch."""
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.header(page.title, anchor=False)
        if session.presented is None:
            show_toolbar(session, page)
        else:
            show_leave(session)
    if session.presented is not None:
        show_style()
