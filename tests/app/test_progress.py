"""Long work: a first answer comes once the scores are there, and a server has a limit."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from irviz.ui import toolbar
from irviz.ui.progress import PageJob
from irviz.workspace import job
from irviz.workspace.panel import Panel
from tests.app.driving import assert_sound, figures, open_page, said


@pytest.fixture
def impatient(monkeypatch) -> None:
    """Everything takes long."""
    monkeypatch.setattr(job, "PATIENCE", -1.0)


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


def _expected(seconds: float) -> None:
    import streamlit as st

    from irviz.ui.progress import PageJob
    from irviz.workspace.job import FirstAnswer

    with PageJob(preliminary=True) as told:
        try:
            told.expect(seconds)
            st.session_state["work"] = "goes on"
        except FirstAnswer:
            st.session_state["work"] = "broken off"


@pytest.mark.parametrize(("seconds", "work"), [(0.01, "goes on"), (0.5, "broken off")])
def test_the_first_answer_to_what_is_expected_to_be_long_comes_at_once(seconds, work):
    at = AppTest.from_function(_expected, args=(seconds,)).run()
    assert at.session_state["work"] == work


def test_a_fold_that_takes_long_has_progress_of_its_own(impatient):
    """The panel's own progress has ended when a fold is opened."""
    at = open_page("judges", measures="AP@37", repeats="1")
    at.session_state["judges.folds"] = ["What if judgments were replaced"]
    at.run()
    assert_sound(at)
    assert "judgments of people" in said(at).replace("`", "")


def test_what_differs_from_a_baseline_has_progress_and_a_limit(monkeypatch):
    """A link may compare with minutes of work."""
    jobs = []
    monkeypatch.setattr(toolbar, "compare_with_pin", lambda *_: jobs.append(job.present_job()) or Panel("Compared."))
    assert_sound(open_page("scores", baseline="scores?v=8&show=box"))
    assert isinstance(jobs[0], PageJob)


def test_work_over_the_limit_of_a_server_says_what_to_reduce(monkeypatch):
    monkeypatch.setenv("IRVIZ_REQUEST_SECONDS", "1")
    at = open_page("incomplete", collection="adhoc", measures="AP,nDCG", repeats="100")
    assert not at.exception
    assert "Repeats (100)" in at.warning[0].value.replace("\\", "")


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


def _failing() -> None:
    import streamlit as st

    from irviz.errors import IrvizError
    from irviz.ui.page import compute
    from irviz.ui.state import state
    from irviz.ui.text import shown_errors
    from irviz.workspace.controls import trials
    from irviz.workspace.job import present_job
    from irviz.workspace.page import Page
    from irviz.workspace.panel import Panel

    def panel(context, values):
        if values["trials"] > 100:
            present_job()(0.5, "drawing")
            raise IrvizError("It failed")
        return Panel(f"{values['trials']} draws")

    slow = Page(name="slow", title="Slow", question="How slow?", panel=panel, controls=(trials(1000, 2000, ""),))
    with shown_errors():
        compute(state(), slow, None, {"trials": 1000}, lambda panel: st.markdown(panel.sentence))


def test_a_failure_removes_the_first_answer(impatient):
    at = AppTest.from_function(_failing).run()
    assert [one.value for one in at.error] == ["It failed"] and not at.markdown and not at.caption
