"""An exercise: made under Share, shown on its page, with whether it is solved; and the course."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from irviz.labs.screen import Screen
from irviz.menu import LABS, page_named
from irviz.publish.exercise import check_goal, exercise_view, lockable
from irviz.ui.lab_screen import with_dois
from irviz.ui.navigation import address
from irviz.ui.state import Session
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets import fold
from irviz.workspace.control import plain
from irviz.workspace.data import COLLECTION, scopes, view_of_texts
from irviz.workspace.glossary import TERMS, WORKS
from irviz.workspace.page import Page
from irviz.workspace.task import ASK, FARTHEST, PREDICTION, TEXT, TITLE, Exercise, prediction_in, without_task
from irviz.workspace.view import LONG_LINK, View

COURSE_TEXT = Path(__file__).with_name("course.md")

# -- An exercise on its page -----------------------------------------------------------------------


def present_exercise(session: Session, page: Page) -> tuple[Exercise | None, float | None, list[str]]:
    """The exercise of the page's link, if it has one, the prediction, and complaints about what cannot be used."""
    texts = session.scope(page.name)
    exercise, complaints = Exercise.read(texts, [control.name for control in page.controls])
    prediction, more = prediction_in(texts)
    return exercise, prediction, [str(complaint) for complaint in (*complaints, *more)]


def show_task(session: Session, page: Page, exercise: Exercise, prediction: float | None) -> None:
    """Draw the task above the page; a prediction is made once."""
    with st.container(border=True, key="task"):
        st.markdown(f"**Exercise{': ' if exercise.title else ''}{md_escape(exercise.title)}**")
        for line in exercise.text.splitlines():
            if line.strip():
                st.markdown(md_escape(line))
        if prediction is not None:
            st.markdown(f"{md_escape(exercise.ask)} **Your prediction: {plain(prediction)}**")
        elif exercise.ask:
            _ask(session, page, exercise)
        st.button(
            "Leave the exercise", key=f"{page.name}.task.leave", on_click=_leave, args=(session, page), type="tertiary"
        )


def _ask(session: Session, page: Page, exercise: Exercise) -> None:
    key = f"{page.name}.task.prediction"
    with st.form(f"{key}.form", border=False):
        st.number_input(
            f"Predict first: {md_escape(exercise.ask)}",
            value=None,
            format="%g",
            key=key,
            min_value=-FARTHEST,
            max_value=FARTHEST,
        )
        st.form_submit_button("Predict", type="primary", on_click=_predict, args=(session, page, key))


def _predict(session: Session, page: Page, key: str) -> None:
    """The prediction stands in the student's address, so that a reload keeps it."""
    if (value := st.session_state[key]) is not None:
        session.scope(page.name)[PREDICTION.name] = plain(value)


def show_goal(page: Page, exercise: Exercise, values: Mapping[str, Any]) -> None:
    """Show whether the condition is met; the line stays in sight while the page is scrolled."""
    if not exercise.goal:
        return
    with shown_errors():
        words, met = check_goal(exercise.goal, page.readings(values) if isinstance(page, Screen) else {})
        with st.container(key="goal"):
            sentence = f"**{'Solved' if met else 'Condition'}:** {as_markdown(words)}"
            (st.success if met else st.info if met is False else st.warning)(sentence)


def _leave(session: Session, page: Page) -> None:
    """The page as it is, without what was asked."""
    session.forget_complaints()
    session.texts[page.name] = without_task(session.scope(page.name))


# -- Share → Exercise: the present view as the start of something to be done -----------------------


def show_builder(view: View) -> None:
    """The parts of an exercise, and its link."""
    page = page_named(view.page)
    _, page_texts, _ = scopes(page, view.values)
    now, key = Exercise.read(page_texts)[0] or Exercise(), f"{page.name}.build"
    st.caption("The exercise starts from what is on the screen. The link contains all of it.")
    title = st.text_input("Title of the exercise", now.title, key=f"{key}.title", max_chars=TITLE.most)
    text = st.text_area("Task", now.text, key=f"{key}.text", max_chars=TEXT.most, height=100)
    ask = st.text_input("A number to predict before the results", now.ask, key=f"{key}.ask", max_chars=ASK.most)
    labels = {control.name: control.label for control in lockable(page)}
    lock = st.multiselect(
        "Locked controls",
        list(labels),
        [name for name in now.lock if name in labels],
        key=f"{key}.lock",
        format_func=lambda name: md_escape(labels[name]),
        placeholder="none",
    )
    goal = ""
    if isinstance(page, Screen):  # that of one of the lab's challenges, that of the link, or none
        goals = {"": "nothing in particular"} | ({now.goal: now.goal} if now.goal else {})
        goals |= {challenge.goal.format(): challenge.title for challenge in page.goals}
        place, words = list(goals).index(now.goal), {one: md_escape(title) for one, title in goals.items()}
        goal = st.selectbox("Solved when", list(goals), place, key=f"{key}.goal", format_func=words.__getitem__)
    exercise = Exercise(title.strip(), text.strip(), ask.strip(), goal, tuple(lock))
    if Exercise.read(exercise.texts())[0] is None:
        st.caption("Give the exercise a title or a text.")
        return
    view = exercise_view(page, view, exercise)
    link = address() + view.to_url()
    st.code(link, language=None, wrap_lines=True, height="content" if len(link) < 300 else 110)
    if len(link) > LONG_LINK:
        st.caption(f"The link has {len(link):,} characters; some programs cut such links. Shorten the text.")
    if "~" in view.values.get(COLLECTION.name, ""):
        st.caption("This page shows data that you loaded; your class must load them, too.")


# --------------------------------------------------------------------------------------------------


def show_course() -> None:
    """The plan with links into the dashboard, notes on each lab, works and terms."""
    st.header("Course", anchor=False)
    st.markdown(COURSE_TEXT.read_text(encoding="utf-8"))
    for lab in LABS:
        fold(f"Notes on {lab.title}", f"notes.{lab.name}", partial(_show_notes, lab))
    st.subheader("Reading")
    st.markdown("\n".join(f"- {with_dois(name)}" for name in WORKS))
    st.subheader("Terms")
    st.markdown("\n".join(f"- **{word}**: {meaning}" for word, meaning in TERMS.items()))


def _show_notes(lab: Screen) -> None:
    answers = [f"[An answer](.{view_of_texts(lab, {}, goal.solution).to_url()})" for goal in lab.goals]
    goals = [f"Goal: {goal.title} {goal.hint}" for goal in lab.goals]
    st.markdown("\n".join(f"- {as_markdown(note)}" for note in lab.notes))
    st.markdown("\n".join(f"- {as_markdown(goal)} {answer}" for goal, answer in zip(goals, answers, strict=True)))
