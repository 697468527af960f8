"""A lab: the bar that says where the reader is, and below it a step, or all of the lab."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from irviz.labs.lab import YOURS
from irviz.labs.steps import Staged
from irviz.ui.lesson.bar import show_bar
from irviz.ui.lesson.explain import show_lesson
from irviz.ui.lesson.stage import show_challenge, show_stage
from irviz.ui.show import show_panel
from irviz.ui.state import Fitted, State
from irviz.ui.text import as_markdown, shown_errors
from irviz.ui.widgets import draw_all, fold, show_control, visible
from irviz.workspace.page import Page
from irviz.workspace.panel import Lab, Panel

MOST_SHOWN = 9  #: controls beside a lab's figures; further ones are folded up
LESSON = ("step", "guess", "seed")  #: controls that the bar and the question stand for
Compute = Callable[[], Panel | Lab | None]
ShowKey = Callable[[Panel | Lab], None]


def show_lab(
    session: State, page: Page, fitted: Fitted, values: dict[str, Any], compute: Compute, show_key: ShowKey
) -> None:
    """The lab as far as the reader is in it."""
    show_bar(session, page, values)
    place = values["step"]
    if place.isdigit() or place == "quiz":
        with shown_errors():
            found = compute()
            if isinstance(found, Staged):
                show_stage(session, page, fitted, values, found)
                if found.guess:
                    show_key(found)
        return
    _show_all(page, fitted, values, compute, show_key)


def _show_all(page: Page, fitted: Fitted, values: dict[str, Any], compute: Compute, show_key: ShowKey) -> None:
    """Controls beside the figures; the part on the loaded collection comes last, when asked for."""
    challenge = st.container()
    with st.container(key="lab"):
        side, main = st.columns([3, 8], gap="medium")
    with side:
        how = st.container()
        own = [one for one in fitted.values() if one.name not in (YOURS.name, *LESSON)]
        shown = visible(own, values)
        draw_all(shown[:MOST_SHOWN], values, page.name)
        if rest := shown[MOST_SHOWN:]:
            fold("More choices", f"{page.name}.more", partial(draw_all, rest, values, page.name))
    lab = None
    with main, shown_errors():
        lab = compute()
        if isinstance(lab, Lab):
            how.caption(as_markdown(lab.how))
            if isinstance(lab, Staged):
                with challenge:
                    show_challenge(lab)
            show_lesson(_without_challenge(lab), page.name, fitted)
            show_key(lab)
    st.divider()
    show_control(fitted[YOURS.name], values[YOURS.name], page.name)
    if isinstance(lab, Lab) and lab.yours is not None:
        show_panel(lab.yours, f"{page.name}.{YOURS.name}", fitted)


def _without_challenge(lab: Lab) -> Lab:
    """The lab without the note on its challenge, which stands above it."""
    return replace(lab, panel=replace(lab.panel, notes=lab.panel.notes[1:])) if isinstance(lab, Staged) else lab
