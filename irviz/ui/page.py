"""One page: its question, its controls, what it shows; pages and labs alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from irviz.labs.lab import FREE, YOURS, Lab
from irviz.limits import switch
from irviz.menu import page_named
from irviz.server.queue import Budget, OverBudget, request_seconds
from irviz.ui.baseline import show_baseline
from irviz.ui.exercise import present_exercise, show_goal, show_task
from irviz.ui.lesson.step import LESSON, show_lab
from irviz.ui.navigation import open_page, show_way_back
from irviz.ui.present import show_presented
from irviz.ui.progress import LET_DRAW, LateProgress, TakesLong, Tell
from irviz.ui.show import show_draft, show_panel
from irviz.ui.sidebar import show_departures
from irviz.ui.state import KEEP, Early, Fitted, State, present_page, state
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets import draw_all, fold, show_control, visible
from irviz.workspace.context import Context
from irviz.workspace.control import Choice, Control, Flag, Number, plain
from irviz.workspace.data import missing_words
from irviz.workspace.glossary import legend_of
from irviz.workspace.page import FEW_MEASURES, Page
from irviz.workspace.panel import Panel

_LOADING = "collection"  #: the page on which data are loaded


def show_page(before: Callable[[], None] | None = None) -> None:
    """Draw the session's page under what the sidebar chose; `before` draws what stands above its controls."""
    session, page = state(), present_page()
    presenting = session.presented is not None
    if not presenting:
        _show_question(page)
    show_way_back(session, page)
    for complaint in session.complaints:
        st.warning(as_markdown(complaint))
    exercise = present_exercise(session, page)
    if exercise is not None:
        show_task(session, page, exercise)
    if session.missing is not None:
        _show_missing(session.missing, page)
    if before is not None:
        before()
    context: Any = session.context
    alone = page.lab and YOURS.name not in session.scope(page.name)  # looks at no collection
    if context is not None and not alone:
        show_departures(session, page, context)
    if context is None and not page.lab:  # a lab is drawn without a collection, too
        return
    with shown_errors():
        fitted = {control.name: control.fit(context) for control in page.controls_for(session.scope(page.name))}
        values, _ = session.settle(page.name, fitted, context)
        values = with_before(session, page, context, values)
        stepwise = isinstance(page, Lab) and page.step(values["step"]) is not None
        if presenting and not stepwise:
            _show_presenting(session, page, context, fitted, values)
        elif isinstance(page, Lab):
            _show_lab(session, page, context, fitted, values)
        else:
            _show_plain(session, page, context, fitted, values)
        if exercise is not None:
            show_goal(page, exercise, values)


def with_before(session: State, page: Page, context: Context | None, values: dict[str, Any]) -> dict[str, Any]:
    """The values, with the measure last shown in full as the state before, unless a person keeps another."""
    if not page.before or context is None or values[KEEP]:
        return values
    data, label = session.settled
    if data != context.opened.key or label in ("", values[page.focus]):
        return values
    session.put(page.name, page.before, label)
    return values | {page.before: label}


def _show_missing(key: str, page: Page) -> None:
    """Which data the link needs, and the way to load them; nothing is drawn in their place."""
    st.warning(as_markdown(missing_words(key)))
    if "~" in key and page.name != _LOADING and st.button("Load its data", key="missing.load", type="primary"):
        open_page(page_named(_LOADING))


def _show_question(page: Page) -> None:
    if isinstance(page, Lab):
        return  # the title of a step stands in its place
    st.caption(as_markdown(page.question))


def _show_presenting(
    session: State, page: Page, context: Context | None, fitted: Fitted, values: dict[str, Any]
) -> None:
    """One figure; the controls are folded away below it."""
    show = partial(show_presented, session, page, fitted)
    found = compute(session, page, context, values, show)
    if found is not None:
        show(found)
    shown = visible([one for one in fitted.values() if one.name not in LESSON], values)
    if shown:
        fold("Controls", f"{page.name}.controls", partial(draw_all, shown, values, page.name))


def _show_plain(session: State, page: Page, context: Context, fitted: Fitted, values: dict[str, Any]) -> None:
    """Controls in a row, what differs from the baseline, the panel."""
    if page.offers_choices(context.opened):
        show_controls(page.name, fitted, values)
    above = st.container()
    found = compute(session, page, context, values, partial(show_draft, page.name, fitted, pause=LET_DRAW))
    if found is not None:
        show_panel(found, page.name, fitted)
        show_key(found)
        if page.before:
            session.settled = (context.opened.key, values[page.focus])
        show_baseline(session, page, values, found, above)


def _show_lab(session: State, page: Lab, context: Context | None, fitted: Fitted, values: dict[str, Any]) -> None:
    """The lab as far as the reader is in it; a step has no first answer, which could tell what is to be predicted."""
    draft = partial(show_draft, page.name, fitted, pause=LET_DRAW) if values["step"] == FREE else None
    panel = show_lab(session, page, fitted, values, partial(compute, session, page, context, values, draft))
    if panel is not None:
        show_key(panel)


def show_key(drawn: Panel) -> None:
    """The measures in full, and the terms of the page in a tooltip."""
    key = legend_of(drawn)
    if key.names or key.terms:
        words = f"{key.sentence} Terms: {', '.join(term.word for term in key.terms)}." if key.terms else key.sentence
        meanings = "\n\n".join(f"**{md_escape(term.word)}**: {md_escape(term.meaning)}" for term in key.terms)
        with st.container(key="key"):
            st.caption(md_escape(words.strip()), help=meanings or None)


def compute(
    session: State,
    page: Page,
    context: Context | None,
    values: dict[str, Any],
    draft: Callable[[Panel], None] | None = None,
) -> Panel | None:
    """What the page shows, computed where anything it depends on has changed; nothing where a person stopped it.

    `draft` draws a first answer where the full one will stand; an element is drawn once a run, so another run follows.
    """
    work, place = repr((page.name, values, None if context is None else context.mark)), st.empty()
    if session.drawn is not None and session.drawn[0] == work:
        return session.drawn[1]
    budget = Budget(0 if session.anyway == work else request_seconds(), reducible(page, context, values))
    if session.stopped == work:
        st.info("Stopped before it was done. Change a setting, or resume.")
        st.button("Resume", key="progress.go", on_click=session.resume)
        if draft is not None and session.early is not None and session.early.work == work:
            st.caption(f"{session.early.words}.")
            draft(session.early.panel)
        return None
    quick = first_values(page, values)
    first = draft if quick != values else None
    try:
        with LateProgress(place, lambda: session.stop(work), first is not None, budget) as progress:
            given = None if context is None else replace(context, progress=Tell())
            try:
                found = page.shown(given, values)
            except TakesLong:
                assert first is not None  # only then it is raised
                early, words = few_measures(page, given)
                session.early = Early(work, page.shown(early, quick), words)
                progress.answer(words)
                first(session.early.panel)
                time.sleep(LET_DRAW)
                found = page.shown(given, values)
    except OverBudget as error:
        st.warning(as_markdown(str(error)))
        if switch("IRVIZ_ANYWAY"):
            st.button("Compute anyway", key="progress.anyway", on_click=session.compute_anyway, args=(work,))
        return None
    session.drawn, session.early = (work, found), None
    if progress.answered:
        st.rerun()
    return found


def reducible(page: Page, context: Context | None, values: dict[str, Any]) -> list[str]:
    """What a person could ask for less of, where work takes too long."""
    larger = [
        f"less under {control.label} ({plain(values[control.name])})"
        for control in page.controls
        if isinstance(control, Number) and _is_large(control, values) and visible([control], values)
    ]
    if context is not None and len(context.measures) > 1:
        larger.append(f"fewer than {len(context.measures)} measures")
    if context is not None and context.opened.collection is not None:
        larger.append(f"lists of fewer than {context.depth:,} ranks")
    return larger


def _is_large(control: Number, values: dict[str, Any]) -> bool:
    """Whether a number is beyond what is quick, or usual."""
    usual = control.default if control.quick is None else control.quick
    return usual is not None and values[control.name] is not None and values[control.name] > usual


def first_values(page: Page, values: dict[str, Any]) -> dict[str, Any]:
    """The values with all that is cut down for a first answer."""
    return values | {control.name: control.early(values[control.name]) for control in page.controls}


def few_measures(page: Page, context: Context | None) -> tuple[Context | None, str]:
    """The context in which long work is done for no more measures than are quick; what a result of it is."""
    words = "Preliminary result from fewer samples"
    if context is None or "few measures" not in page.uses or len(context.measures) <= FEW_MEASURES:
        return context, words
    return replace(context, few=FEW_MEASURES), f"{words} and {FEW_MEASURES} of {len(context.measures)} measures"


def show_controls(scope: str, fitted: Fitted, values: dict[str, Any]) -> None:
    """The controls of a page in one row, or under each other where there is no room."""
    shown = visible(fitted.values(), values)
    if not shown:
        return
    aside = [control for control in shown if control.aside]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for control in shown:
            if not control.aside:
                with st.container(width=width_of(control)):
                    show_control(control, values[control.name], scope)
        if aside:
            more = st.popover("More choices", key=f"{scope}.more", on_change="rerun")  # with other words it would close
            if more.open:
                with more:
                    draw_all(aside, values, scope)
            if moved := sum(values[control.name] != control.default for control in aside):
                st.caption(f"{moved} changed", width="content")


def width_of(control: Control) -> int | Literal["content"]:
    """How much of the row a widget takes: as its words ask for, within bounds."""
    if isinstance(control, Flag) or (isinstance(control, Choice) and control.few):
        return "content"
    if isinstance(control, Number) and not control.slider:
        return max(150, 30 + 7 * len(control.label))
    if isinstance(control, Choice):
        return min(420, max(150, round(48 + 6.5 * max(len(words) for _, words in control.options))))
    return 240
