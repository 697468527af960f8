"""Answers: the files of a class, dropped in, checked by irviz, and deleted with the page."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from irviz.classroom.answers import LARGEST_ANSWER
from irviz.classroom.collected import MOST_FILES, Collected, collect
from irviz.ui.show import show_drawing, show_table
from irviz.ui.text import as_markdown, shown_errors
from irviz.workspace.panel import Table

LINK = "exercise"  #: key of the page's address that holds the exercise's
_FOUND = "irviz.answers"
MOST_SAID = 20  #: refusals that are named one by one


def show_answers() -> None:
    """The exercise, the files, what they say."""
    st.header("Answers", anchor=False)
    st.caption(
        f"Drop in the answer.json files of a class, up to {MOST_FILES}. irviz computes from each view whether the "
        "condition is met. The files are read in memory and not kept."
    )
    link = st.text_input(
        "Link of the exercise",
        key=LINK,
        bind="query-params",
        max_chars=8_000,
        help="The link that the class was given.",
    )
    given = st.file_uploader("Answers", "json", accept_multiple_files=True, key="answers.files", max_upload_size=1)
    if not link:
        st.info("Give the link of the exercise first: answers are only compared with it.")
        return
    with shown_errors():
        _show_found(_collected(link.strip(), given or []))


def _collected(link: str, given: Sequence[UploadedFile]) -> Collected:
    """The answers in the files, computed once for the same files."""
    files = [(one.name, one.getvalue()[: LARGEST_ANSWER + 1]) for one in given[: MOST_FILES + 1]]
    work = hashlib.sha256(repr((link, files)).encode("utf-8", "surrogatepass")).hexdigest()
    known: tuple[str, Collected] | None = st.session_state.get(_FOUND)
    if known is None or known[0] != work:
        known = (work, collect(link, files))
        st.session_state[_FOUND] = known
    return known[1]


def _show_found(found: Collected) -> None:
    title = found.exercise.title or "Exercise"
    with st.container(key="sentence.answers"):
        st.markdown(f"**{as_markdown(title)}**: {as_markdown(found.sentence)}")
    for why in found.refused[:MOST_SAID]:
        st.warning(as_markdown(why))
    if len(found.refused) > MOST_SAID:
        st.warning(f"{len(found.refused) - MOST_SAID} more files were left out.")
    questions = found.questions()
    if questions:
        asked = st.selectbox("Predictions", questions, key="answers.question") if len(questions) > 1 else questions[0]
        show_drawing(found.predicted(asked), f"answers.{asked}", "answers", {})
    if found.answers:
        show_table(Table(found.frame(), "One row per answer; `view` opens what was handed in."), "answers")
