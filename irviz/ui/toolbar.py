"""The top of a page: its title, and what is done with a view: compare, share, report, copy as code."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from irviz.errors import IrvizError
from irviz.menu import PINNABLE
from irviz.publish.code import command, figures_code, python_code
from irviz.ui.link import view_of
from irviz.ui.navigation import stay_on
from irviz.ui.report import show_report
from irviz.ui.share import show_share
from irviz.ui.state import SIDEBAR, Session
from irviz.ui.text import md_escape, shown_errors
from irviz.workspace.baseline import NOTHING, pin
from irviz.workspace.context import Context
from irviz.workspace.control import excerpt
from irviz.workspace.data import BASELINE
from irviz.workspace.page import BEFORE, Page
from irviz.workspace.view import View


@st.fragment
def show_toolbar(session: Session, page: Page) -> None:
    """A row of popovers; only an open one is filled, and filling it draws nothing else anew."""
    stay_on(page)
    view, context = view_of(session, page), session.run.context
    dataset = None if context is None else context.dataset
    content: dict[str, Callable[[], None]] = {
        "Before": partial(_show_before, session, page),
        "Share": partial(show_share, view, dataset),
        "Report": partial(show_report, session, view, dataset),
        "Code": partial(_show_code, session, page, view, context),
    }
    if BEFORE not in page.controls:
        del content["Before"]
    with st.container(horizontal=True, horizontal_alignment="right", gap="small", key="toolbar"):
        popovers = [st.popover(name, key=f"toolbar.{name.lower()}", on_change="rerun") for name in content]
    for popover, show in zip(popovers, content.values(), strict=True):
        if popover.open:
            with popover, shown_errors():
                show()


def _show_code(session: Session, page: Page, view: View, context: Context | None) -> None:
    """Python and commands that give the numbers on the screen."""
    if context is None:
        raise IrvizError("Without data there is nothing to compute.")
    values = session.run.page_values
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


# -- the state before ------------------------------------------------------------------------


def _show_before(session: Session, page: Page) -> None:
    """Choose what the figures have in grey: the last view, a pinned one, or nothing."""
    chosen = session.scope(SIDEBAR).get(BASELINE.name, "")
    if chosen not in ("", NOTHING, *session.pins):
        session.pins.append(chosen)
    states = ["", *session.pins, NOTHING]
    new = st.radio(
        "In grey, before",
        states,
        states.index(chosen),
        format_func=lambda text: {"": "the last view", NOTHING: "nothing"}.get(text) or md_escape(_pin_words(text)),
    )
    if st.button("Pin this view", key="toolbar.pin"):
        new = pin(view_of(session, page))
    if new != chosen:
        session.forget_complaints()
        session.put(SIDEBAR, BASELINE.name, new or None)
        st.rerun()


def _pin_words(text: str) -> str:
    """The page of a pinned view, and what is not its default."""
    view, _ = View.read_url(text)
    page = PINNABLE.get(view.page)
    settings = ", ".join(f"{key} {value}" for key, value in view.values.items())
    return excerpt(f"{view.page if page is None else page.title}: {settings or 'defaults'}", 120)
