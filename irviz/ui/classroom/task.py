"""An exercise on its page: what is to be done, whether it is done, and the file to hand in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from irviz.classroom.answers import LONGEST, Answer, write_answer
from irviz.classroom.exercise import checked, readings_of
from irviz.links.task import Exercise, without
from irviz.ui.errors import shown_errors
from irviz.ui.link import view_of
from irviz.ui.state import State
from irviz.ui.text import md_escape, sentence
from irviz.ui.widgets.controls import fold
from irviz.workspace.page import Page


def present_exercise(session: State, page: Page) -> Exercise | None:
    """The exercise of the page's link, if it has one."""
    return Exercise.read(session.scope(page.name), [control.name for control in page.controls])[0]


def complaints_of(session: State, page: Page) -> list[str]:
    """What of the link's exercise cannot be used."""
    return [str(one) for one in Exercise.read(session.scope(page.name), [one.name for one in page.controls])[1]]


def show_task(session: State, page: Page, exercise: Exercise) -> None:
    """What is to be done, above the page."""
    with st.container(border=True, key="task"):
        st.markdown(f"**Exercise{': ' if exercise.title else ''}{md_escape(exercise.title)}**")
        for line in exercise.text.splitlines():
            if line.strip():
                st.markdown(md_escape(line))
        if exercise.ask:
            st.number_input(
                f"Before you change anything: {md_escape(exercise.ask)}",
                value=None,
                format="%g",
                key=f"{page.name}.task.prediction",
                placeholder="your prediction",
                min_value=-1e15,
                max_value=1e15,
            )
        if exercise.hint:
            fold("Hint", f"{page.name}.task.hint", partial(st.markdown, md_escape(exercise.hint)))
        fold("Hand in", f"{page.name}.task.hand", partial(_show_hand_in, session, page, exercise))


def show_goal(page: Page, exercise: Exercise, values: Mapping[str, Any]) -> None:
    """Whether the condition is met now; it stays in sight while the page is scrolled."""
    if not exercise.goal:
        return
    with shown_errors():
        found = checked(exercise.goal, readings_of(page, values))
        with st.container(key="goal"):
            said = f"**{'Solved' if found.met else 'Condition'}:** {sentence(found.words)}"
            (st.success if found.met else st.info if found.met is False else st.warning)(said)


def _show_hand_in(session: State, page: Page, exercise: Exercise) -> None:
    """The words of a student, and the file with them and the view; nothing is kept on the server."""
    text = st.text_area("Your answer in words", key=f"{page.name}.task.text", max_chars=LONGEST["text"], height=100)
    name = st.text_input(
        "Your name, if it is to be in the file", key=f"{page.name}.task.name", max_chars=LONGEST["name"]
    )
    said = st.session_state.get(f"{page.name}.task.prediction") if exercise.ask else None
    with st.container(horizontal=True):
        st.download_button(
            "Download answer",
            write_answer(Answer(view_of(session, page), said, text, name)),
            "answer.json",
            "application/json",
            key=f"{page.name}.task.download",
            on_click="ignore",
            type="primary",
        )
        st.button(
            "Leave the exercise", key=f"{page.name}.task.leave", on_click=_leave, args=(session, page), type="tertiary"
        )
    st.caption(
        "The file holds this view, your prediction and your words. Send it to your teacher; irviz keeps nothing."
    )


def _leave(session: State, page: Page) -> None:
    """The page as it is, without what was asked."""
    session.touched()
    session.texts[page.name] = without(session.scope(page.name))
