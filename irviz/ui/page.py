"""One page: its question, its controls, its panel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from irviz.links.control import Choice, Control, Flag, Number
from irviz.links.view import settle
from irviz.menu import page as page_named
from irviz.ui.errors import shown_errors
from irviz.ui.progress import LateProgress
from irviz.ui.sharing.baseline import show_baseline
from irviz.ui.show import show_draft, show_panel
from irviz.ui.state import State, state
from irviz.ui.text import sentence
from irviz.ui.ways import show_way_back
from irviz.ui.widgets.controls import draw, draw_all, visible
from irviz.workspace.context import Context
from irviz.workspace.panel import Page, Panel


def show_page(name: str, before: Callable[[], None] | None = None) -> None:
    """Draw the page called `name` under what the sidebar chose; `before` draws what stands above its controls."""
    session, page = state(), page_named(name)
    show_way_back(session, page)
    st.header(page.title, anchor=False)
    st.caption(page.question)
    for complaint in session.complaints:
        st.warning(sentence(complaint))
    if before is not None:
        before()
    context = session.context
    if context is None:
        return
    with shown_errors():
        values = settle_page(session, page, context)
        fitted = {control.name: control.fit(context) for control in page.controls}
        show_controls(page.name, fitted, values)
        above = st.container()
        panel = compute(session, page, context, values)
        if panel is not None:
            show_panel(panel, page.name, fitted)
            show_baseline(session, page, values, panel, above)


def compute(session: State, page: Page, context: Context, values: dict[str, Any]) -> Panel | None:
    """The page's panel; nothing where a person has stopped just this work."""
    work = repr(
        (
            page.name,
            values,
            context.opened.key,
            context.measures,
            context.topics,
            context.systems,
            context.depth,
            context.summary,
            context.eps,
        )
    )
    if session.stopped == work:
        st.info("Stopped before it was done. Change a setting, or go on.")
        st.button("Go on", key="progress.go", on_click=session.resume)
        return None

    def first() -> None:
        draft = first_values(page, values)
        if draft != values:
            st.caption("A first answer, from fewer draws; the whole one is being computed.")
            show_draft(page.panel(context, draft), page.name)

    with LateProgress(on_stop=lambda: session.stop(work), first=first) as progress:
        return page.panel(replace(context, progress=progress), values)


def first_values(page: Page, values: dict[str, Any]) -> dict[str, Any]:
    """The values with every number cut to what is quick."""
    quick = {
        control.name: control.quick
        for control in page.controls
        if isinstance(control, Number) and control.quick is not None
    }
    return {name: min(value, quick[name]) if name in quick else value for name, value in values.items()}


def settle_page(session: State, page: Page, context: Context) -> dict[str, Any]:
    """The values of the page's controls; texts that mean nothing here are forgotten."""
    texts = session.scope(page.name)
    values, complaints = settle(page.controls, texts, context)
    for complaint in complaints:
        control = next(one for one in page.controls if one.name == complaint.key).fit(context)
        value = values[complaint.key]
        session.put(page.name, complaint.key, None if value == control.default else control.format(value))
    return values


def show_controls(scope: str, fitted: dict[str, Control], values: dict[str, Any]) -> None:
    """The controls of a page in one row, or under each other where there is no room."""
    shown = visible(fitted.values(), values)
    if not shown:
        return
    aside = [control for control in shown if control.aside]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for control in shown:
            if not control.aside:
                with st.container(width=width_of(control)):
                    draw(control, values[control.name], scope)
        if aside:
            more = st.popover("More choices", key=f"{scope}.more", on_change="rerun")  # with other words it would close
            if more.open:
                with more:
                    draw_all(aside, values, scope)
            if moved := sum(values[control.name] != control.default for control in aside):
                st.caption(f"{moved} changed", width="content")


def width_of(control: Control) -> int | Literal["content"]:
    """How much of the row a widget takes: as its words ask for, within bounds."""
    if isinstance(control, Flag) or (isinstance(control, Choice) and control.few):
        return "content"
    if isinstance(control, Number) and not control.slider:
        return max(150, 30 + 7 * len(control.label))
    if isinstance(control, Choice):
        return min(420, max(150, round(48 + 6.5 * max(len(words) for _, words in control.options))))
    return 240
