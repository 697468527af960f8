"""A step: what is told, the question, and below a prediction what irviz computes; a challenge and how far it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from irviz.labs.lesson import LabPage
from irviz.labs.questions import Question
from irviz.labs.steps import Staged
from irviz.ui.lesson.ask import ask, keep_guess
from irviz.ui.lesson.bar import after, show_next
from irviz.ui.lesson.explain import show_claims, show_formulas
from irviz.ui.show import show_figures, show_numbers
from irviz.ui.state import Fitted, State
from irviz.ui.text import as_markdown
from irviz.ui.widgets import show_control, visible
from irviz.workspace.page import Page


def show_stage(session: State, page: Page, fitted: Fitted, values: dict[str, Any], found: Staged) -> None:
    """One step, or one question of the quiz."""
    assert isinstance(page, LabPage) and found.question is not None
    st.markdown(f"### {as_markdown(found.title)}")
    st.markdown(as_markdown(found.text))
    rows = found.panel.drawings
    _show_rows(found, rows[: found.before], page.name, "shown", fitted)
    if not found.guess:
        ask(session, page, found, values["guess"])
        return
    _show_verdict(session, page, found, values["guess"])
    if controls := visible([fitted[name] for name in found.controls], values):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for control in controls:
                with st.container(width=300):
                    show_control(control, values[control.name], page.name)
    _show_rows(found, rows[found.before :], page.name, "revealed", fitted)
    show_claims(found.claims)
    if found.formulas:
        show_formulas(found.formulas)
    if found.panel.tables:
        show_numbers(found.panel, page.name)
    if values["step"].isdigit():
        show_next(session, page, after(page, values["step"]), "lesson.on", primary=True)


def _show_rows(found: Staged, rows: Any, page: str, part: str, fitted: Fitted) -> None:
    if rows:
        show_figures(replace(found.panel, drawings=rows), f"{page}.{part}", page, fitted, gap="small")


def _show_verdict(session: State, page: Page, found: Staged, guesses: Any) -> None:
    """The prediction beside what irviz computes."""
    question: Question = found.question  # type: ignore[assignment]
    mark = "" if question.open else "✓ " if question.right(found.guess) else "✗ "
    with st.container(border=True, key="lesson-verdict"):
        st.markdown(f"**{as_markdown(question.text)}**")
        yours, irviz = st.columns([2, 3], gap="medium")
        yours.markdown(f"{mark}**Your prediction**  \n{as_markdown(question.words(found.guess))}")
        irviz.markdown(f"**irviz computes**  \n{as_markdown(question.told)}")
        st.button(
            "Predict again", key="lesson.again", on_click=keep_guess, args=(session, page, found.key, "", guesses)
        )


def show_challenge(found: Staged) -> None:
    """The task, and which of its conditions are met."""
    with st.container(border=True, key="lesson-challenge"):
        st.markdown(f"### {as_markdown(found.title)}")
        st.markdown(as_markdown(found.check))
        if found.met:
            st.success("Done: the goal is reached.")
        else:
            with st.expander("A hint"):
                st.markdown(as_markdown(found.hint))
