"""One page: its question, its controls, what it shows; pages and labs alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from irviz.errors import IrvizError
from irviz.labs.screen import Screen
from irviz.measures import measure
from irviz.menu import PINNABLE, page_named
from irviz.ui.exercise import present_exercise, show_goal, show_task
from irviz.ui.frames import show_frames
from irviz.ui.lab_screen import show_screen
from irviz.ui.link import view_of
from irviz.ui.measure_picker import show_facts, show_knobs
from irviz.ui.navigation import open_page, show_way_back
from irviz.ui.progress import PageJob
from irviz.ui.show import show_figures, show_rest, show_rows, show_sentence
from irviz.ui.sidebar import IN_HAND, show_departures, show_selection, show_sidebar
from irviz.ui.state import SIDEBAR, PageWork, Session, StateBefore, present_page, state
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets import STAYS, show_control, visible
from irviz.workspace.baseline import bare, differences, unusable, values_with_before
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Control, Flag, Number
from irviz.workspace.data import BASELINE, COLLECTION, library, missing_words
from irviz.workspace.page import BEFORE, Page, lacking
from irviz.workspace.panel import Panel
from irviz.workspace.view import View

BURST = 1.0  #: seconds between two moves that are one
_LOADING = "collection"  #: the page on which data are loaded


def show_page(draw_above: Callable[[], bool] | None = None) -> None:
    """Draw the session's page under what the sidebar chose.

    `draw_above` draws what stands above its controls, and says whether anything follows.
    """
    session, page = state(), present_page()
    if not page.lab:
        st.caption(as_markdown(page.question))
    show_way_back(session, page)
    for complaint in session.complaints:
        if not (page.lab and complaint.endswith(STAYS)):  # which stands below its control
            st.warning(as_markdown(complaint))
    exercise, prediction, _ = present_exercise(session, page)
    if exercise is not None:
        show_task(session, page, exercise, prediction)
    if (missing := session.run.missing) is not None:  # nothing is drawn in the place of other data
        st.warning(as_markdown(missing_words(missing)))
        if "~" in missing and page.name != _LOADING and st.button("Load its data", key="missing.load", type="primary"):
            open_page(page_named(_LOADING))
    if draw_above is not None and not draw_above():
        return
    context: Any = session.run.context
    if context is not None and not page.lab:
        show_departures(session, page, context)
    if context is None and not page.lab:  # a lab is drawn without a collection, too
        return
    with shown_errors():
        values = _values_with_before(session, page, context)
        session.run = replace(session.run, page_values=values)
        session.measure = values.get(page.focus, session.measure)
        if not page.lab:
            show_selection(session, page, context)
        if exercise is not None and exercise.ask and prediction is None:
            if not page.lab:
                show_controls(session, page)
            st.info("The results come after your prediction.")
            return
        if isinstance(page, Screen):
            drawn = partial(compute, session, page)
            show_screen(session, page, session.run.page_controls, values, drawn, exercise is not None)
        else:
            _show_plain(session, page, context)
        if exercise is not None:
            show_goal(page, exercise, values)


def note_before(session: Session, page: Page) -> None:
    """Make what was seen before the state before; other data have none."""
    if BEFORE not in page.controls:
        return
    values = session.run.page_values
    seen = bare(view_of(session, page)).values | ({page.focus: values[page.focus]} if page.focus else {})
    view = View.from_texts(page.name, **seen)
    shown = session.comparison.now
    if shown is not None and shown.values.get(COLLECTION.name) != view.values.get(COLLECTION.name):
        session.comparisons[page.name] = StateBefore()
        session.put(page.name, BEFORE.name, None)
        values[BEFORE.name] = BEFORE.default
    session.comparison.see(page, view, BURST)
    previous = session.comparison.previous
    if previous is not None and (text := differences(previous, view, page)):
        session.put(page.name, BEFORE.name, text)
        values[BEFORE.name] = text


def _values_with_before(session: Session, page: Page, context: Context) -> dict[str, Any]:
    """The page's values with the state before; one that cannot be shown is said, and forgotten."""
    shared, own, values = session.scope(SIDEBAR), session.scope(page.name), session.run.page_values
    try:
        return values_with_before(values, page, context, shared, own, library(session.datasets.values()), PINNABLE)
    except IrvizError as error:
        st.warning(as_markdown(str(unusable(error))))
        session.put(SIDEBAR, BASELINE.name, None)
        session.put(page.name, BEFORE.name, None)
        return {**values, BEFORE.name: ""}


def _show_plain(session: Session, page: Page, context: Context) -> None:
    """Controls in a row, and the panel; a page that turns a measure has knobs in the sidebar."""
    if "turns" in page.uses:
        with show_sidebar(session):
            show_knobs(session, page, context)
            show_controls(session, page)  # below the buttons of sweeps, which stay where they are
        with st.container(key="bench"):
            _show_results(session, page, context)
        show_frames(session, page, context)
        return
    if page.offers_choices(context.dataset):
        show_controls(session, page)
    elif context.dataset.collection is None and page.name != _LOADING:
        panel = lacking(context, "rankings and judgments", page.name, COLLECTION.default)
        show_sentence(page.name, panel)
        show_rest(panel, page.name, {})
        return
    _show_results(session, page, context)


def _show_results(session: Session, page: Page, context: Context) -> None:
    """Figures as they are ready, and no statement before its numbers; a failure stands in the place of statements."""
    fitted_controls = session.run.page_controls
    top, figures, drawn, listed = st.container(), st.container(), 0, 0
    rows = st.container(gap="xxsmall")

    def draw(panel: Panel) -> None:
        """Draw the rows of figures, and the answers that are rows, that are not drawn yet."""
        nonlocal drawn, listed
        more = replace(panel, drawings=panel.drawings[drawn:])
        drawn = len(panel.drawings)
        with figures:
            show_figures(more, page.name, page.name, fitted_controls)
        if panel.unfolded is not None:
            with rows:
                listed = show_rows(panel, page.name, fitted_controls, listed)

    panel = None
    with top, shown_errors():
        panel = compute(session, page, draw)
    if panel is None:
        return
    with top:
        show_sentence(page.name, panel)
    draw(panel)
    if "turns" in page.uses and context.dataset.collection is not None:
        with st.container(key="facts"), shown_errors():
            show_facts(measure(session.run.page_values[page.focus]), context, wide=True)
    with st.container(key="rest"):
        show_rest(replace(panel, folds={}) if listed else panel, page.name, fitted_controls)


def compute(session: Session, page: Page, draw: Callable[[Panel], None] | None = None) -> Panel | None:
    """Compute what the page shows, if anything it depends on has changed; None while a person keeps it stopped.

    `draw` draws the figures that are ready before the others.
    """
    context, values = session.run.context, session.run.page_values
    work, place = repr((page.name, values, None if context is None else context.mark)), st.empty()
    if session.page_work.work != work:
        session.page_work = PageWork(work, drawn=session.page_work.drawn)
    answer = session.page_work
    if answer.panel is not None:
        return answer.panel
    if answer.is_stopped:
        st.info("Stopped before it was done. Change a setting, or resume.")
        st.button("Resume", key="progress.go", on_click=setattr, args=(answer, "is_stopped", False))
        if draw is not None and answer.ready is not None:
            draw(answer.ready)
        return None
    with PageJob(place, partial(setattr, answer, "is_stopped", True), partial(show_sidebar, session)):
        for panel in page.draw_steps(context, values, answer.drawn):
            answer.ready = panel
            if draw is not None:
                draw(panel)
                show_sidebar(session)
    answer.panel = panel
    return panel


def show_controls(session: Session, page: Page) -> None:
    """The controls of a page in one row, or under each other where there is no room."""
    scope, values = page.name, session.run.page_values
    taken = {IN_HAND} if "highlights" in page.uses else set()
    controls = [one for one in visible(session.run.page_controls.values(), values) if one.name not in taken]
    if not controls:
        return
    aside = [control for control in controls if control.aside]
    row = partial(st.container, horizontal=True, vertical_alignment="bottom")
    with row(key=f"choices.{scope}"):
        _draw_beside([control for control in controls if not control.aside], values, scope)
        if aside:
            words = ", ".join(md_escape(control.label) for control in aside)
            more = st.toggle("More choices", key=f"{scope}.more", help=f"{words}.")
            if moved := sum(values[control.name] != control.default for control in aside):
                st.caption(f"{moved} changed", width="content")
    if aside and more:  # above the figures, which stay in sight
        with row():
            _draw_beside(aside, values, scope)


def _draw_beside(controls: Iterable[Control], values: dict[str, Any], scope: str) -> None:
    """The widgets of several controls, each as wide as its words."""
    for control in controls:
        with st.container(width=width_of(control)):
            show_control(control, values[control.name], scope)


def width_of(control: Control) -> int | Literal["content"]:
    """How much of the row a widget takes: as its words ask for, within bounds."""
    if isinstance(control, Flag) or (isinstance(control, Choice) and control.few):
        return "content"
    if isinstance(control, Number) and not control.slider:
        return max(150, 30 + 7 * len(control.label))
    if isinstance(control, Choice):
        return min(420, max(150, round(48 + 6.5 * max(len(words) for _, words in control.options))))
    return 240
