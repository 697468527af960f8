"""Share → Exercise: the present view as the start of something to be done, in a link."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from irviz.labs.goals import IS, Reading
from irviz.menu import page_named
from irviz.publish.draw import ViewContent, draw
from irviz.publish.exercise import (
    PAPER_SIZES,
    answer_key,
    check_goal,
    code_of,
    exercise_view,
    lockable,
    only_here,
    read_exercise,
    readings_of,
    settle_page,
    sheet,
)
from irviz.ui.caches import opener
from irviz.ui.navigation import ANSWERS, address, arrive, open_page
from irviz.ui.state import state
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets import download, fold
from irviz.workspace.data import COLLECTION, scopes
from irviz.workspace.page import Page
from irviz.workspace.phrases import number
from irviz.workspace.task import ASK, GOAL, HINT, TEXT, TITLE, Exercise
from irviz.workspace.view import LONG_LINK, View

#: how a condition compares, and how a teacher says it
OPERATORS = {sign: f"is {words}".strip() for sign, words in IS.items()}


def show_builder(view: View) -> None:
    """The parts of an exercise, its link, and what can be made of it."""
    page = page_named(view.page)
    _, page_texts, _ = scopes(page, view.values)
    now = Exercise.read(page_texts)[0] or Exercise()
    st.caption(
        "The exercise starts from what is on the screen. The link contains all of it; nothing is kept on the server."
    )
    title = st.text_input("Title of the exercise", now.title, key=f"{page.name}.build.title", max_chars=TITLE.most)
    text = st.text_area("Task", now.text, key=f"{page.name}.build.text", max_chars=TEXT.most, height=100)
    ask = st.text_input(
        "A number to predict first",
        now.ask,
        key=f"{page.name}.build.ask",
        max_chars=ASK.most,
        placeholder="How large can GAP become?",
    )
    lab_asks = page.lab and bool(ask.strip())  # any other page waits
    gate = lab_asks and st.toggle("Figures wait for the prediction", now.gate, key=f"{page.name}.build.gate")
    goal = _show_condition(page, page_texts, now)
    labels = {control.name: control.label for control in lockable(page)}
    lock = st.multiselect(
        "Locked controls",
        list(labels),
        [name for name in now.lock if name in labels],
        key=f"{page.name}.build.lock",
        format_func=lambda name: md_escape(labels[name]),
        placeholder="none",
    )
    hint = st.text_input("Hint", now.hint, key=f"{page.name}.build.hint", max_chars=HINT.most)
    exercise = Exercise(title.strip(), text.strip(), ask.strip(), goal.strip(), tuple(lock), hint.strip(), gate)
    if Exercise.read(exercise.texts())[0] is None:
        st.caption("Give the exercise a title or a text.")
        return
    _show_link(page, exercise_view(page, view, exercise))


def _show_condition(page: Page, own: dict[str, str], now: Exercise) -> str:
    """The condition as a text, a way to put it together, and what is so at the start."""
    key = f"{page.name}.build.goal"
    readings = readings_of(page, settle_page(page, own)[0])
    if not readings:
        return ""
    if key not in st.session_state:
        st.session_state[key] = now.goal
    names = list(readings)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Solved when",
            names,
            key=f"{key}.reading",
            format_func=lambda name: f"{name}: {_reading_text(readings[name])}",
        )
        operator = st.selectbox(
            "how", list(OPERATORS), key=f"{key}.operator", width=130, format_func=OPERATORS.__getitem__
        )
        wanted = st.text_input(
            "what", _reading_text(readings[chosen]), key=f"{key}.wanted.{names.index(chosen)}", width=110
        )
        st.button("Add", key=f"{key}.add", on_click=_add, args=(key, f"{chosen} {operator} {wanted}"))
    goal = st.text_input("Condition", key=key, max_chars=GOAL.most, placeholder="GAP > 0.9; eGAP < 0.2")
    words, met = check_goal(goal, readings)
    if words:
        st.caption(f"At this start: {as_markdown(words)}" + (" The condition is already met." if met else ""))
    return goal


def _reading_text(reading: Reading) -> str:
    return reading if isinstance(reading, str) else number(reading)


def _add(key: str, condition: str) -> None:
    before = str(st.session_state[key]).strip().rstrip(";")
    st.session_state[key] = f"{before}; {condition}" if before else condition


def _show_link(page: Page, view: View) -> None:
    """The link to hand out, and the ways on."""
    link = address() + view.to_url()
    st.code(link, language=None, wrap_lines=True, height="content" if len(link) < 300 else 110)
    if here := only_here(link):
        st.warning(as_markdown(here))
    if len(link) > LONG_LINK:
        st.caption(f"It has {len(link):,} characters, and some programs cut such a link: shorten the text.")
    if "~" in view.values.get(COLLECTION.name, ""):
        st.caption("The page shows data that you loaded: your class has to load them, too.")
    with st.container(horizontal=True):
        if st.button("Open it", key=f"{page.name}.build.open"):
            arrive(view)
        if st.button("Collect answers", key=f"{page.name}.build.collect"):
            open_page(ANSWERS, exercise=link)
    fold("Sheet to print", f"{page.name}.build.sheet", partial(_show_sheet, page, view, link))


def _show_sheet(page: Page, view: View, link: str) -> None:
    """The sheet to print, and its key: two files."""
    key = f"{page.name}.build"
    paper = st.segmented_control(
        "Paper", list(PAPER_SIZES), key=f"{key}.paper", default="A4", required=True, format_func=PAPER_SIZES.__getitem__
    )
    solution = st.text_area("Solution, for the key only", key=f"{key}.solution", max_chars=2_000, height=80)
    with shown_errors():
        code_of(link)
        with st.container(horizontal=True):
            for label, file, make in (
                (
                    "Sheet (HTML)",
                    "exercise.html",
                    lambda content, exercise: sheet(content, exercise, link, paper or "A4"),
                ),
                (
                    "Key (HTML)",
                    "key.html",
                    lambda content, exercise: answer_key(content, exercise, paper or "A4", solution),
                ),
            ):
                built = partial(_file_content, view, make)
                download(label, built, file, "text/html", key=f"{key}.{file}")


def _file_content(view: View, make: Callable[[ViewContent, Exercise], str]) -> bytes:
    """A file, drawn when it is asked for."""
    exercise, _ = read_exercise(page_named(view.page), view)
    return make(draw(view, opener(state())), exercise).encode()
