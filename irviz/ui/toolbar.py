"""The top of a page: its title, and the actions on a view: share it, add it to a report, copy it as code, pin it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from irviz.errors import IrvizError
from irviz.menu import PINNABLE
from irviz.publish.code import command, figures_code, python_code
from irviz.ui.link import view_of
from irviz.ui.progress import PageJob
from irviz.ui.report import show_report
from irviz.ui.share import show_share
from irviz.ui.show import show_panel
from irviz.ui.state import SIDEBAR, Session
from irviz.ui.text import as_markdown, shown_errors
from irviz.workspace.baseline import Side, bare, compare_with_pin, pin, unusable
from irviz.workspace.context import Context
from irviz.workspace.data import BASELINE, library
from irviz.workspace.facts import facts_html
from irviz.workspace.page import Page
from irviz.workspace.panel import Panel
from irviz.workspace.view import View, settle

_BASELINE_PANEL = "irviz.before"  #: the panel of the baseline, drawn once


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
                show_share(view, None if context is None else context.dataset)
        if reporting.open:
            with reporting:
                show_report(session, view, None if context is None else context.dataset)
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
    numbers, figures = python_code(view, context, values), figures_code(view, context)
    st.code(numbers, wrap_lines=True)
    if figures != numbers:
        st.markdown("**The figures, in a notebook**")
        st.code(figures, wrap_lines=True)
    st.markdown("**As a command**")
    st.code(command(view, context, values), language="bash", wrap_lines=True)
    if context.dataset.collection is not None and "~" in context.dataset.key:
        st.caption(
            "Save the collection with “Save as .irviz” on the Collection page, and run this in the folder of that file."
        )


def show_heading(session: Session, page: Page) -> None:
    """Title and toolbar in one row, or below each other where there is no room: they never touch."""
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.header(page.title, anchor=False)
        show_toolbar(session, page)


# -- the baseline ----------------------------------------------------------------------------


def show_pin(session: Session, page: Page) -> None:
    """Keep the present view, or let go of the one that is kept."""
    if "baseline" not in page.uses:
        return
    text = session.scope(SIDEBAR).get(BASELINE.name)
    label = "Unpin" if text else "Pin as baseline"
    if st.button(label, key="toolbar.pin", help="Keep this view and compare every later one with it."):
        session.forget_complaints()
        session.put(SIDEBAR, BASELINE.name, None if text else pin(view_of(session, page)))
        st.rerun()


def show_baseline(session: Session, page: Page, values: dict[str, Any], panel: Panel, top_box: Any) -> None:
    """Draw the differences from the baseline: a sentence in `top_box`, and below the figures who moved."""
    text, context = session.scope(SIDEBAR).get(BASELINE.name), session.run.context
    if not text or "baseline" not in page.uses or page.previous_measure or context is None:
        return
    with shown_errors():
        try:
            after = Side(bare(view_of(session, page)), page, context, values)
            page_texts, data = session.scope(page.name), library(session.datasets.values())
            with PageJob():
                comparison = compare_with_pin(text, PINNABLE, after, page_texts, panel, data, _panel_before)
        except IrvizError as error:
            with top_box:
                st.warning(as_markdown(str(unusable(error))))
            session.put(SIDEBAR, BASELINE.name, None)
            return
        with top_box:
            st.info(as_markdown(comparison.sentence))
            st.html(facts_html(comparison.facts))
        if comparison.drawings or comparison.tables:
            st.markdown("### Compared with the baseline")
            show_panel(replace(comparison, sentence="", facts=()), f"{page.name}.{BASELINE.name}", {})


def _panel_before(previous: Side) -> Panel:
    """The page as it was, drawn again only for another baseline."""
    key = (previous.page.name, previous.view, previous.context.mark)
    cached = st.session_state.get(_BASELINE_PANEL)
    if cached is None or cached[0] != key:
        cached = (key, previous.page.draw_panel(previous.context, previous.values))
        st.session_state[_BASELINE_PANEL] = cached
    return cached[1]
