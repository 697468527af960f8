"""A lab on one screen: the sentence, the figure, the guess and the goals, and the way to real data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from irviz.labs.screen import Screen
from irviz.ui.lab_step import with_dois
from irviz.ui.navigation import show_ways
from irviz.ui.show import show_drawing
from irviz.ui.state import ControlsByName, Session
from irviz.ui.text import shown_errors
from irviz.ui.widgets import remember
from irviz.workspace.panel import Panel


def show_screen(
    session: Session,
    lab: Screen,
    fitted_controls: ControlsByName,
    values: dict[str, Any],
    compute: Callable[[], Panel | None],
) -> None:
    """Draw the lab; what is dragged in its sentence comes by a text box that nobody sees."""
    key = f"{lab.name}.box"
    with st.container(key="lab"), st.container(key="motion-screen"), shown_errors():
        panel = compute()
        if panel is None:
            return
        above, below = lab.html(values, frozenset(session.locked_controls(lab.name)))
        st.html(above)
        ((name, drawing),) = panel.drawings[0].items()
        with st.container(key="screen-figure"):
            show_drawing(replace(drawing, title=""), f"{lab.name}.{name}", lab.name, fitted_controls, fills="filled")
        st.html(below)
        show_ways(panel.ways, lab.name)
        st.caption(with_dois(f"Source: {lab.source}"))
        with st.container(key="screen-box"):
            st.text_input("What is dragged", key=key, on_change=_take, args=(session, lab, fitted_controls, key))


def _take(session: Session, lab: Screen, fitted_controls: ControlsByName, key: str) -> None:
    """Keep the value of a handle."""
    name, _, text = str(st.session_state[key]).partition("=")
    st.session_state[key] = ""
    if name in fitted_controls and name not in session.locked_controls(lab.name):
        session.forget_complaints()
        remember(session, lab.name, fitted_controls[name], fitted_controls[name].parse(text))
