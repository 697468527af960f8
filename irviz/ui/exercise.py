"""An exercise on its page: what is to be done, whether it is done, and the file to hand in; and the course."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from irviz.labs.lab import YOURS, Lab
from irviz.menu import LABS
from irviz.publish.answers import LARGEST_ANSWER, MOST_FILES, Answer, ClassAnswers, answer_file, collect, write_answer
from irviz.publish.course import CASES, FOR_THE_TEACHER, course_markdown, teacher_notes
from irviz.publish.exercise import check_goal, readings_of
from irviz.ui.link import view_of
from irviz.ui.show import show_drawing, show_table
from irviz.ui.sidebar import choose_data
from irviz.ui.state import SIDEBAR, Session
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets import download, fold, put_widget
from irviz.workspace.control import Text, plain
from irviz.workspace.data import COLLECTION
from irviz.workspace.page import Page
from irviz.workspace.panel import Table
from irviz.workspace.task import ANSWER_WORDS, FARTHEST, NAME, PREDICTION, Attempt, Exercise, without_task
from irviz.workspace.view import View

# -- Answers: the files of a class, dropped in, checked by irviz, and deleted with the page --------

LINK = "exercise"  #: key of the page's address that holds the exercise's
_ANSWERS = "irviz.answers"
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
    files = st.file_uploader("Answers", "json", accept_multiple_files=True, key="answers.files", max_upload_size=1)
    if not link:
        st.info("Give the link of the exercise first: answers are only compared with it.")
        return
    with shown_errors():
        _show_class_answers(_collect_answers(link.strip(), files or []))


def _collect_answers(link: str, uploads: Sequence[UploadedFile]) -> ClassAnswers:
    """The answers in the files, computed once for the same files."""
    files = [(file.name, file.getvalue()[: LARGEST_ANSWER + 1]) for file in uploads[: MOST_FILES + 1]]
    work = hashlib.sha256(repr((link, files)).encode("utf-8", "surrogatepass")).hexdigest()
    known: tuple[str, ClassAnswers] | None = st.session_state.get(_ANSWERS)
    if known is None or known[0] != work:
        known = (work, collect(link, files))
        st.session_state[_ANSWERS] = known
    return known[1]


def _show_class_answers(class_answers: ClassAnswers) -> None:
    title = class_answers.exercise.title or "Exercise"
    with st.container(key="sentence.answers"):
        st.markdown(f"**{as_markdown(title)}**: {as_markdown(class_answers.sentence)}")
    for why in (*class_answers.repeated_names, *class_answers.refusals[:MOST_SAID]):
        st.warning(as_markdown(why))
    if len(class_answers.refusals) > MOST_SAID:
        st.warning(f"{len(class_answers.refusals) - MOST_SAID} more files were left out.")
    questions = class_answers.questions()
    if questions:
        question = (
            st.selectbox("Predictions", questions, key="answers.question") if len(questions) > 1 else questions[0]
        )
        truth = st.number_input("True value", value=None, key="answers.truth") if question == "exercise" else None
        show_drawing(class_answers.prediction_drawing(question, truth), f"answers.{question}", "answers", {})
    if class_answers.answers:
        show_table(Table(class_answers.frame(), "One row per answer; `view` opens what was handed in."), "answers")


# --------------------------------------------------------------------------------------------------

_TRIED_LABS = "irviz.tried"  #: labs that look at a collection


def present_exercise(session: Session, page: Page) -> Exercise | None:
    """The exercise of the page's link, if it has one."""
    return Exercise.read(session.scope(page.name), [control.name for control in page.controls])[0]


def complaints_of(session: Session, page: Page) -> list[str]:
    """Complaints about the parts of an exercise and of its answer that cannot be used."""
    texts = session.scope(page.name)
    _, complaints = Exercise.read(texts, [control.name for control in page.controls])
    return [str(complaint) for complaint in (*complaints, *Attempt.read(texts)[1])]


def show_task(session: Session, page: Page, exercise: Exercise) -> None:
    """Draw the task above the page."""
    attempt, _ = Attempt.read(session.scope(page.name))
    with st.container(border=True, key="task"):
        st.markdown(f"**Exercise{': ' if exercise.title else ''}{md_escape(exercise.title)}**")
        for line in exercise.text.splitlines():
            if line.strip():
                st.markdown(md_escape(line))
        if exercise.ask:
            key = f"{page.name}.task.prediction"
            put_widget(key, attempt.prediction)
            when = "Predict first" if exercise.waits(page.lab) else "Before you change anything"
            st.number_input(
                f"{when}: {md_escape(exercise.ask)}",
                format="%g",
                key=key,
                placeholder="your prediction",
                min_value=-FARTHEST,
                max_value=FARTHEST,
                on_change=_keep,
                args=(session, page, PREDICTION, key),
            )
        if exercise.hint:
            fold("Hint", f"{page.name}.task.hint", partial(st.markdown, md_escape(exercise.hint)))
        key = f"{page.name}.task.hand"
        if attempt.words or attempt.name:  # they come by a reload, and look for what they wrote
            st.session_state.setdefault(key, True)
        fold("Hand in", key, partial(_show_hand_in, session, page, exercise, attempt))


def awaits_prediction(session: Session, page: Page, exercise: Exercise) -> bool:
    """True if the results of the page wait for the prediction."""
    return exercise.waits(page.lab) and Attempt.read(session.scope(page.name))[0].prediction is None


def _keep(session: Session, page: Page, part: Text, key: str) -> None:
    """A student wrote something: it stands in their address, so that a reload loses nothing."""
    value = st.session_state[key]
    text = "" if value is None else value if isinstance(value, str) else plain(value)
    texts = session.scope(page.name)
    texts.pop(part.name, None)
    if text:
        texts[part.name] = text


def show_goal(page: Page, exercise: Exercise, values: Mapping[str, Any]) -> None:
    """Show whether the condition is met; the line stays in sight while the page is scrolled."""
    if not exercise.goal:
        return
    with shown_errors():
        words, met = check_goal(exercise.goal, readings_of(page, values))
        with st.container(key="goal"):
            sentence = f"**{'Solved' if met else 'Condition'}:** {as_markdown(words)}"
            (st.success if met else st.info if met is False else st.warning)(sentence)


def _show_hand_in(session: Session, page: Page, exercise: Exercise, attempt: Attempt) -> None:
    """The words of a student, and the file with them and the view; nothing is kept on the server."""
    for part, text, box in ((ANSWER_WORDS, attempt.words, st.text_area), (NAME, attempt.name, st.text_input)):
        key = f"{page.name}.{part.name}"
        put_widget(key, text)
        box(part.label, key=key, max_chars=part.most, on_change=_keep, args=(session, page, part, key))
    with st.container(horizontal=True):
        content, key = partial(_answer_content, session, page, exercise), f"{page.name}.task.download"
        download("Download answer", content, answer_file(attempt.name), "application/json", key=key, type="primary")
        st.button(
            "Leave the exercise", key=f"{page.name}.task.leave", on_click=_leave, args=(session, page), type="tertiary"
        )
    st.caption(
        "The file holds this view, your prediction and your words. Send it to your teacher; irviz keeps nothing. Your "
        "answer is also in the address of this page, so a reload does not lose it."
    )


def _answer_content(session: Session, page: Page, exercise: Exercise) -> bytes:
    """The file as things stand when it is asked for, with what was typed last."""
    attempt, _ = Attempt.read(session.scope(page.name))
    prediction = attempt.prediction if exercise.ask else None
    return write_answer(Answer(view_of(session, page), prediction, attempt.words, attempt.name))


def _leave(session: Session, page: Page) -> None:
    """The page as it is, without what was asked."""
    session.forget_complaints()
    session.texts[page.name] = without_task(session.scope(page.name))


def show_course() -> None:
    """The plan with links into the dashboard."""
    st.header("Learn", anchor=False)
    plan, notes, rest = course_markdown(_course_link, "###").partition(FOR_THE_TEACHER)
    st.markdown(plan + notes)
    for lab in LABS:
        fold(f"Notes on {lab.title}", f"notes.{lab.name}", partial(_show_notes, lab))
    st.markdown(rest)


def _show_notes(lab: Lab) -> None:
    st.markdown(teacher_notes(lab, as_markdown))


def _course_link(words: str, view: View) -> str:
    return f"[{words}](.{view.to_url()})"


def open_case(session: Session, page: Page, is_arrival: bool) -> None:
    """Open the bundled collection on which the lab's case occurs.

    Data that a person loaded, and what a link says, stay.
    """
    tried: set[str] = st.session_state.setdefault(_TRIED_LABS, set())
    on, before = session.scope(page.name).get(YOURS.name) == YOURS.format(True), page.name in tried
    (tried.add if on else tried.discard)(page.name)
    case = CASES.get(page.name, "")
    present = session.scope(SIDEBAR).get(COLLECTION.name, COLLECTION.default)
    if on and not before and not is_arrival and case not in ("", present) and "~" not in present:
        choose_data(session, case)
