"""Long work: figures come as they are ready, no statement before its numbers, and a server has a limit."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from irviz.workspace import job
from tests.app.driving import open_page, said


@pytest.fixture
def impatient(monkeypatch) -> None:
    """Everything takes long."""
    monkeypatch.setattr(job, "PATIENCE", -1.0)


def test_work_over_the_limit_of_a_server_is_refused(monkeypatch):
    monkeypatch.setenv("IRVIZ_REQUEST_SECONDS", "1")
    at = open_page("incomplete", collection="adhoc", measures="AP,nDCG", repeats="100")
    assert not at.exception
    assert "1 second" in at.error[0].value


def _growing(end: str) -> None:
    """A page whose first row is ready before its statement; then the work goes on, is stopped or fails."""
    import plotly.graph_objects as go
    import streamlit as st

    from irviz.errors import IrvizError
    from irviz.ui.page import _show_results
    from irviz.ui.state import Run, state
    from irviz.workspace.context import Context, Dataset
    from irviz.workspace.job import present_job
    from irviz.workspace.page import Page, RowByRow
    from irviz.workspace.panel import Drawing, Panel
    from tests.panels import opened_once

    @RowByRow
    def panel(context, values):
        rows = ({"first": Drawing(go.Figure(), "First")}, {"second": Drawing(go.Figure(), "Second")})
        yield Panel("Too early", rows[:1])
        present_job()(0.5, "drawing")
        if end == "stops" and "stopped" not in st.session_state:
            st.session_state["stopped"] = state().page_work.is_stopped = True
            st.stop()
        if end == "fails":
            raise IrvizError("It failed")
        yield Panel("In time", rows)

    page = Page(name="slow", title="Slow", question="How slow?", panel=panel)
    context = Context(Dataset("some", "Some", opened_once("adhoc")), measures=("AP",))
    state().run = Run(page, context)
    _show_results(state(), page, context)


@pytest.mark.parametrize(("end", "rows"), [("ends", ["First", "Second"]), ("stops", ["First"]), ("fails", ["First"])])
def test_figures_come_as_they_are_ready_and_a_statement_with_its_numbers(impatient, end, rows):
    at = AppTest.from_function(_growing, args=(end,)).run()
    assert not at.exception
    words = [one.value.strip("*") for one in at.markdown]
    assert [word for word in words if word in ("First", "Second")] == rows
    assert not any("Too early" in word for word in words)
    assert any("In time" in word for word in words) == (end == "ends")
    assert [one.value for one in at.error] == (["It failed"] if end == "fails" else [])


def test_stopped_work_is_left_alone_until_it_is_resumed(impatient):
    at = AppTest.from_function(_growing, args=("stops",)).run().run()
    assert [one.label for one in at.button] == ["Resume"]
    at.button[0].click().run()
    assert "In time" in said(at) and not at.button


def _ordered(takes_long: bool) -> None:
    """A page that notes when its figures are computed, and when its sidebar is drawn."""
    import streamlit as st

    from irviz.ui.page import _show_results
    from irviz.ui.state import Run, state
    from irviz.workspace.job import present_job
    from irviz.workspace.page import Page, RowByRow
    from irviz.workspace.panel import Panel

    order = st.session_state["order"] = []

    @RowByRow
    def panel(context, values):
        if takes_long:
            present_job()(0.5, "computing")
        for row in ("first", "second"):
            order.append(row)
            yield Panel(row)

    page = Page(name="any", title="Any", question="Which?", panel=panel)
    state().run = Run(page, sidebar=lambda: order.append("sidebar"))
    _show_results(state(), page, None)


@pytest.mark.parametrize(
    ("takes_long", "order"), [(False, ["first", "sidebar", "second"]), (True, ["sidebar", "first", "second"])]
)
def test_the_sidebar_follows_the_first_figures_unless_they_take_long(takes_long, order):
    at = AppTest.from_function(_ordered, args=(takes_long,)).run()
    assert not at.exception and at.session_state["order"] == order
