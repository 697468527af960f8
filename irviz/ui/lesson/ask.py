"""A question as widgets, and the prediction that a person makes."""

from __future__ import annotations

from functools import singledispatch

import streamlit as st

from irviz.errors import IrvizError
from irviz.labs.questions import Amount, InOrder, MultipleChoice, Question
from irviz.labs.steps import Guesses, Staged, with_guess
from irviz.ui.state import State
from irviz.ui.text import as_markdown, md_escape
from irviz.workspace.page import Page

_WIDGET = "lesson.prediction"


def ask(session: State, page: Page, found: Staged, guesses: Guesses) -> None:
    """The question with its widget, and the button that predicts."""
    question = found.question
    assert question is not None
    key = f"{_WIDGET}.{page.name}.{found.key}"
    with st.form(f"{page.name}.ask.{found.key}"):
        st.markdown(f"**{as_markdown(question.text)}**")
        _widget(question, key)
        st.form_submit_button("Predict", type="primary", on_click=_predicted, args=(session, page, found, key, guesses))


def _predicted(session: State, page: Page, found: Staged, key: str, guesses: Guesses) -> None:
    """A person pressed the button: keep what they predict, or say what is missing."""
    said = st.session_state.get(key)
    text = ",".join(said) if isinstance(said, list) else "" if said is None else str(said)
    assert found.question is not None
    try:
        guess = found.question.read(text)
    except IrvizError as error:
        session.complaints[:] = ["Predict first: choose an answer." if not text else str(error)]
        return
    keep_guess(session, page, found.key, guess, guesses)


def keep_guess(session: State, page: Page, key: str, guess: str, guesses: Guesses) -> None:
    """Remember a prediction among those of the lab; "" takes it back."""
    session.touched()
    rest = with_guess(guesses, key, guess) if guess else tuple(one for one in guesses if one[0] != key)
    control = next(one for one in page.controls if one.name == "guess")
    session.put(page.name, "guess", control.format(rest) if rest else None)


@singledispatch
def _widget(question: Question, key: str) -> None:
    raise TypeError(f"No widget asks a {type(question).__name__}.")


@_widget.register
def _(question: MultipleChoice, key: str) -> None:
    words = dict(question.options)
    st.radio(
        question.text,
        list(words),
        index=None,
        key=key,
        format_func=lambda one: md_escape(words[one]),
        label_visibility="collapsed",
    )


@_widget.register
def _(question: Amount, key: str) -> None:
    whole = question.step == int(question.step)
    kind = int if whole else float
    st.number_input(
        question.text,
        kind(question.low),
        kind(question.high),
        value=None,
        step=kind(question.step),
        key=key,
        label_visibility="collapsed",
        format=None if whole else "%g",
        width=220,
        placeholder="a number",
    )


@_widget.register
def _(question: InOrder, key: str) -> None:
    words = dict(question.items)
    st.multiselect(
        question.text,
        list(words),
        key=key,
        format_func=words.__getitem__,
        label_visibility="collapsed",
        placeholder="choose them in order, best first",
    )
