"""Settings of the sidebar that are not the default: shown beside every page's title, where they can be reset."""

from __future__ import annotations

from typing import Any

import streamlit as st

from irviz.links.control import Choice, Control
from irviz.ui.sidebar import ALWAYS_SEEN
from irviz.ui.state import SIDEBAR, State
from irviz.ui.text import as_markdown, md_escape
from irviz.workspace.context import Context
from irviz.workspace.page import Page
from irviz.workspace.words import counted

_AVERAGE = ("summary", "eps")
_LONGEST = 40  #: signs of a value


def show_departures(session: State, page: Page, context: Context) -> None:
    """A chip for every setting of the sidebar that is not its default, and how much of the data is looked at."""
    fitted, values = session.sidebar
    moved = [control for name, control in fitted.items() if name not in ALWAYS_SEEN and _matters(control, values)]
    part = part_of(context)
    if not moved and not part:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="departures"):
        for control in moved:
            _show_chip(session, control, values[control.name])
        if part:
            st.caption(as_markdown(part), width="content")
    if not page.averaged and any(control.name in _AVERAGE for control in moved):
        st.caption("The average over topics chosen in the sidebar does not affect this page.")


def part_of(context: Context) -> str:
    """How much of the data is looked at; nothing where it is all of it."""
    parts = [
        f"{len(chosen):,} of {counted(len(every), word)}"
        for chosen, every, word in (
            (context.systems, context.opened.systems, "system"),
            (context.topics, context.opened.topics, "topic"),
        )
        if len(chosen) < len(every)
    ]
    return ", ".join(parts)


def _matters(control: Control, values: dict[str, Any]) -> bool:
    shown = control.shown_if is None or control.shown_if(values)
    return shown and values[control.name] != control.default


def _show_chip(session: State, control: Control, value: Any) -> None:
    """One setting, and the press that takes it back."""
    words = control.words(value) if isinstance(control, Choice) else control.format(value)
    cut = words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
    st.button(
        f"{md_escape(control.label)}: {md_escape(cut)} ✕",
        key=f"departures.{control.name}",
        help="Reset to the default.",
        on_click=_take_back,
        args=(session, control.name),
    )


def _take_back(session: State, name: str) -> None:
    session.touched()
    session.put(SIDEBAR, name, None)
