"""A lab on one screen: the sentence, the figure, the guess and the goals, and the way to real data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from irviz.labs.screen import Screen
from irviz.ui.navigation import COURSE, show_way
from irviz.ui.show import show_drawing
from irviz.ui.state import ControlsByName, Session
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets import heard, remember
from irviz.workspace.glossary import WORKS
from irviz.workspace.panel import Panel


def show_screen(
    session: Session,
    lab: Screen,
    fitted_controls: ControlsByName,
    values: dict[str, Any],
    compute: Callable[[], Panel | None],
    is_exercise: bool,
) -> None:
    """Draw the lab; what is dragged in its sentence comes by a text box that nobody sees."""
    key = f"{lab.name}.box"
    with st.container(key="lab"), st.container(key="motion-screen"), shown_errors():
        panel = compute()
        if panel is None:
            return
        above, guess_line, goals = lab.html(values, session.locked_controls(lab.name), _answer(lab, values))
        st.html(above)
        ((name, drawing),) = panel.drawings[0].items()
        with st.container(key="screen-figure"):
            show_drawing(
                replace(drawing, title=""), f"{lab.name}.{name}", lab.name, fitted_controls, "filled", in_place=False
            )
        with st.container(key="screen-below"):
            st.html(guess_line)
            st.html(goals)
            with st.container(key="screen-ways", horizontal=True):
                for words, view in panel.ways:
                    show_way(words, view, lab.name, f"{lab.name}.way")
                if not is_exercise:  # whose start is its link
                    st.button("Reset figure", key=f"{lab.name}.again", on_click=_start_again, args=(session, lab))
        st.caption(with_dois(f"Source: {lab.source}"))
        with st.container(key="screen-box"):
            st.text_input("What is dragged", **heard(key, _take, session, lab, fitted_controls, key))


def _answer(lab: Screen, values: dict[str, Any]) -> str:
    """The line of the guess; once a guess is made, its answer then, whatever is changed afterwards."""
    key = f"{lab.name}.answer"
    guess, line = st.session_state.get(key, (None, ""))
    if guess != values["guess"] or not lab.guessed(values):
        asked = lab.mark.answers if lab.mark and lab.guessed(values) else {}  # another choice may have come with it
        line = lab.guess_line({**values, **asked})
        st.session_state[key] = values["guess"], line
    return line


def _start_again(session: Session, lab: Screen) -> None:
    """Put all numbers, documents and the guess back."""
    session.forget_complaints()
    for control in lab.controls:
        session.put(lab.name, control.name, None)


def _take(session: Session, lab: Screen, fitted_controls: ControlsByName, key: str) -> None:
    """Keep the values of handles: a JSON object of texts by name."""
    texts, st.session_state[key] = json.loads(st.session_state[key] or "{}"), ""
    for name in texts.keys() & fitted_controls.keys() - session.locked_controls(lab.name):
        session.forget_complaints()
        remember(session, lab.name, fitted_controls[name], fitted_controls[name].parse(texts[name]))


def with_dois(text: str) -> str:
    """A text as Markdown, in which the works that it names are links to their DOI, or say what they are.

    >>> with_dois("Stevens 1946")
    '[Stevens 1946](https://doi.org/10.1126/science.103.2684.677)'
    """
    known = {
        name: f"https://doi.org/{doi}" if doi.startswith("10.") else f'./{COURSE.name}#reading "{md_escape(doi)}"'
        for name, doi in WORKS.items()
    }
    parts = re.split(f"({'|'.join(map(re.escape, known))})", text)
    return "".join(f"[{as_markdown(part)}]({known[part]})" if part in known else as_markdown(part) for part in parts)
