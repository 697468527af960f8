"""Long work: a first answer comes once the scores are there, and nobody waits for himself."""

from __future__ import annotations

import os

import pytest
from streamlit.testing.v1 import AppTest

from irviz.ui import toolbar
from irviz.ui.progress import PageJob
from irviz.workers import run
from irviz.workspace import job
from irviz.workspace.job import end_processes
from irviz.workspace.panel import Panel
from tests.app.driving import assert_sound, figures, open_page, said


@pytest.fixture
def impatient(monkeypatch) -> None:
    """Everything takes long."""
    monkeypatch.setattr(job, "PATIENCE", -1.0)
    monkeypatch.setattr(job, "PAUSE", 0.0)


def test_the_full_answer_stands_where_the_first_one_stood(impatient):
    at = open_page("consistency", measures="AP@38,nDCG@38", trials="300")
    assert_sound(at)
    assert "300 splits" in said(at) and "100 splits" not in said(at) and "Preliminary" not in said(at)
    assert len(figures(at)) == 2


@pytest.mark.parametrize("name", ["consistency", "discriminative", "incomplete", "gallery"])
def test_the_first_answer_waits_for_the_scores_it_needs(impatient, name):
    at = open_page(name, measures="AP@37,nDCG@37,P@37")  # in no cache yet
    assert_sound(at)
    assert "37" in said(at) or name == "gallery"


def _work() -> None:
    import streamlit as st

    from irviz.ui.progress import PageJob
    from irviz.workspace.job import FirstAnswer

    with PageJob(preliminary=True) as told:
        told.before_first(0.1, "scoring")
        told.expect(5.0, first=False)
        try:
            told(0.5, "drawing")
            st.session_state["broken off"] = "late"
        except FirstAnswer:
            st.session_state["broken off"] = "at once"
            told.answer("A first answer")
        told(0.9, "drawing")


def test_work_is_broken_off_once_for_a_first_answer_and_not_before_its_time(impatient):
    at = AppTest.from_function(_work).run()
    assert at.session_state["broken off"] == "at once"
    assert not at.caption  # what is said of it is taken away with the work


def _expected(seconds: float, others: bool) -> None:
    import streamlit as st

    from irviz.ui.progress import PageJob
    from irviz.workspace.job import QUEUE, FirstAnswer, Job

    other = Job("somebody else", QUEUE)
    if others:
        QUEUE.join(other)
    with PageJob(preliminary=True) as told:
        try:
            told.expect(seconds)
            st.session_state["work"] = "goes on"
        except FirstAnswer:
            st.session_state["work"] = "broken off"
    if others:
        QUEUE.leave(other)


@pytest.mark.parametrize(
    ("seconds", "others", "work"),
    [
        (0.01, False, "goes on"),
        (0.5, False, "broken off"),
        (5.0, False, "broken off"),
        (0.5, True, "goes on"),
        (5.0, True, "broken off"),
    ],
)
def test_the_first_answer_to_what_is_expected_to_be_long_comes_at_once(seconds, others, work):
    """And where others compute, to longer work only."""
    at = AppTest.from_function(_expected, args=(seconds, others)).run()
    assert at.session_state["work"] == work


def test_a_fold_that_takes_long_has_progress_and_a_turn_of_its_own(impatient):
    """The panel's own progress has ended, and with it its place in the queue, when a fold is opened."""
    at = open_page("judges", measures="AP@37", repeats="1")
    at.session_state["judges.folds"] = ["What if judgments were replaced"]
    at.run()
    assert_sound(at)
    assert "judgments of people" in said(at).replace("`", "")


def test_what_differs_from_a_baseline_has_a_turn_and_a_budget(monkeypatch):
    """A link may compare with minutes of work."""
    jobs = []
    monkeypatch.setattr(toolbar, "compare_with_pin", lambda *_: jobs.append(job.present_job()) or Panel("Compared."))
    assert_sound(open_page("scores", baseline="scores?v=8&show=box"))
    assert isinstance(jobs[0], PageJob)


def _crowded() -> None:
    import streamlit as st

    from irviz.ui.progress import PageJob
    from irviz.workspace.job import QUEUE, Job

    with PageJob() as told:
        st.session_state["alone"] = told.workers(-1)
        with Job("somebody else", QUEUE):
            first = told.workers(-1)
            while (then := told.workers(-1)) == 1:
                told.wait()
            st.session_state["beside another"] = (first, then, told.workers(1))


def test_processes_do_it_where_others_compute_too_once_they_have_started():
    end_processes()
    at = AppTest.from_function(_crowded, default_timeout=30).run()
    first, then, one = at.session_state["beside another"]
    assert (at.session_state["alone"], first, one) == (-1, 1, 1)
    assert os.getpid() not in run(_process, range(2), then)
    end_processes()


def _process(_: int) -> int:
    return os.getpid()


def _too_long() -> None:
    from irviz.ui.page import compute
    from irviz.ui.state import state
    from irviz.workspace.job import TooLong
    from irviz.workspace.page import Page

    def panel(context, values):
        raise TooLong("It takes too long.")

    compute(state(), Page(name="slow", title="Slow", question="How slow?", panel=panel), None, {}, lambda panel: None)


@pytest.mark.parametrize(("anyway", "offered"), [("1", ["Compute anyway"]), ("0", [])])
def test_work_over_the_limit_is_computed_anyway_only_where_that_is_allowed(monkeypatch, anyway, offered):
    monkeypatch.setenv("IRVIZ_ANYWAY", anyway)
    at = AppTest.from_function(_too_long).run()
    assert not at.exception and [one.label for one in at.button] == offered
    assert "takes too long" in at.warning[0].value


def _stopped() -> None:
    import streamlit as st

    from irviz.ui.page import compute
    from irviz.ui.state import state
    from irviz.workspace.controls import trials
    from irviz.workspace.job import present_job
    from irviz.workspace.page import Page
    from irviz.workspace.panel import Panel

    def panel(context, values):
        if values["trials"] > 100:
            present_job()(0.5, "drawing")
            state().page_work.is_stopped = True
            st.stop()
        return Panel(f"{values['trials']} draws")

    slow = Page(name="slow", title="Slow", question="How slow?", panel=panel, controls=(trials(1000, 2000, ""),))
    compute(state(), slow, None, {"trials": 1000}, lambda panel: st.markdown(panel.sentence))


def test_the_first_answer_stays_when_the_work_is_stopped(impatient):
    at = AppTest.from_function(_stopped).run()
    assert [one.value for one in at.markdown] == ["100 draws"]
    at.run()
    assert [one.value for one in at.caption] == ["Preliminary result from fewer samples."]
    assert [one.value for one in at.markdown] == ["100 draws"] and [one.label for one in at.button] == ["Resume"]
