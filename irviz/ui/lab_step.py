"""A lab on the screen: one step with its question and its one figure, or all of the lab with its controls."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from irviz.errors import IrvizError
from irviz.labs.cards import BOX as CARDS_BOX
from irviz.labs.cards import cards
from irviz.labs.lab import FREE, DocumentList, Lab
from irviz.labs.step import Guesses, Question, Step, with_guess
from irviz.publish.course import DOIS, FURTHER, is_doi
from irviz.publish.report import to_html
from irviz.ui.lab_progress import next_place, show_bar, show_next, show_next_in_course
from irviz.ui.navigation import COURSE, show_ways
from irviz.ui.show import show_drawing, show_figures, show_numbers, show_panel
from irviz.ui.state import ControlsByName, Session, state
from irviz.ui.text import as_markdown, md_escape, shown_errors
from irviz.ui.widgets import draw_all, fold, visible
from irviz.workspace.control import Text
from irviz.workspace.glossary import TERMS, measure_terms
from irviz.workspace.panel import Panel

TALL = 250  #: pixels of a figure that grows with the screen; lower ones are rows of documents
LESSON = ("step", "guess")  #: controls that the bar and the question stand for
_LACKING = "irviz.lacking"  #: what a prediction lacks, said below its button
_AFTER_NAME, _NAME_GOES_ON = re.compile(r"(?<=[\w)])@|(?<=\w\()\w"), re.compile(r"[@_(]\w")  #: parts of an expression
_UNSORTED = "irviz.unmoved"  #: sorting question whose cards were handed in as they were dealt, once
Compute = Callable[[], Any]


def show_lab(
    session: Session, lab: Lab, fitted_controls: ControlsByName, values: dict[str, Any], compute: Compute
) -> Panel | None:
    """The lab as far as the reader is in it; the panel that was drawn."""
    show_bar(session, lab, values)
    if lab.step(values["step"]) is None:
        return _show_all(lab, fitted_controls, values, compute)
    panel: Panel | None = None
    with shown_errors():
        panel = compute()
        if panel is not None:
            _show_step(session, lab, fitted_controls, values, panel)
    return panel


def _show_step(
    session: Session, lab: Lab, fitted_controls: ControlsByName, values: dict[str, Any], panel: Panel
) -> None:
    """Draw a step: its text, its figure, and beside it the question or the answer."""
    step, guess = lab.filled_step(values)
    with st.container(key="lesson-step"):
        st.markdown(f"### {as_markdown(step.title)}")
        st.markdown(with_terms(step.text))
        left, right = st.columns([3, 2], gap="medium")
        with left:
            ((name, drawing),) = panel.drawings[0].items()
            at = f"{lab.name}.step.{name}"
            kind = "tall" if drawing.figure.layout.height >= TALL else "rows"
            plays = bool(guess) and lab.is_at_start(values)  # what a control changes is seen at once
            with st.container(key=f"lesson-{kind}"):
                show_drawing(drawing, at, lab.name, fitted_controls, plays=plays, fills="filled")
        with right:
            if guess:
                _show_answer(session, lab, fitted_controls, values, step, guess, drawing.picks)
            else:
                _ask(lab, step, values["step"], values["guess"])


def _show_answer(
    session: Session,
    lab: Lab,
    fitted_controls: ControlsByName,
    values: dict[str, Any],
    step: Step,
    guess: str,
    picks: Sequence[str],
) -> None:
    """The prediction beside the answer, what else to see, and what to try; texts that a pick sets are folded up."""
    question = step.question
    with st.container(key="lesson-verdict"):
        if question.controls_moved:  # what is drawn first
            st.markdown(f"**Now**: {with_terms(step.notice.removeprefix('Now: '), step.text)}")
        mark = "" if question.open else "✓ " if question.is_right(guess) else "✗ "
        reason = question.reason(guess)
        with st.container(key="lesson-predicted"):  # on a phone it makes room for what is tried
            st.caption(f"{'**At the start**: ' if question.controls_moved else ''}{as_markdown(question.text)}")
            st.markdown(f"{mark}**Your prediction**: {as_markdown(question.words(guess))}.")
            if reason:
                st.markdown(as_markdown(reason))
        before = f"{step.text} {question.text}"
        st.markdown(
            f"**Answer{' at the start' if question.controls_moved else ''}**: "
            f"{with_terms(question.answer_text, before)}"
        )
        if step.notice and not question.controls_moved:
            st.markdown(with_terms(step.notice, f"{before} {question.answer_text}"))
        _mark_done(lab, values["step"])
    with st.container(horizontal=True, vertical_alignment="center"):
        asked = (lab, step, values["step"], values["guess"])
        st.button("Predict again", key="lesson.again", on_click=_ask_again, args=asked)
        onwards = next_place(lab, values["step"])
        show_next(session, lab, onwards, "lesson.on", primary=True)
        if onwards == FREE:
            show_next_in_course(lab)
    if step.controls:
        controls = visible([fitted_controls[name] for name in step.controls], values)  # none if all is in the figure
        with st.container(key="lesson-try"):
            box = '<input type="checkbox">' if controls else ""  # on a phone it unfolds the controls
            then = f": {to_html(step.then)}" if step.then else ""
            st.html(f'<label class="irviz-try">{box}<span><b>Try it</b>{then}</span></label>')
            typed = [control for control in controls if control.name in picks and isinstance(control, Text)]
            draw_all([control for control in controls if control not in typed], values, lab.name)
            if typed:
                fold("Type the numbers", f"{lab.name}.typed", partial(draw_all, typed, values, lab.name))
    st.caption(with_dois(f"Source: {step.source}"))


def _mark_done(lab: Lab, place: str) -> None:
    """Tell the browser, which remembers it, that a step or a challenge is done."""
    of = sum(step.isdigit() for step in lab.places)
    st.html(f'<span class="irviz-done" data-lab="{lab.name}" data-step="{place}" data-of="{of}"></span>')


def with_terms(text: str, earlier_text: str = "") -> str:
    r"""A sentence as Markdown, in which the first mention of a measure or a word of the glossary is a link.

    Words of `earlier_text`, which precedes it, are no first mention; of an expression all is the link, or nothing.

    >>> with_terms("The runs.")[:24], with_terms("By `AP@10` or AP.")[:22], with_terms("recall@5, P(rel=2), CAM(AP)")
    ('The [runs](./teaching#te', 'By [`AP@10`](./teachin', 'recall\\@5, P\\(rel\\=2\\), CAM\\(AP\\)')
    >>> with_terms("RBP(p=0.8) and RBP.")[:31]
    'RBP\\(p\\=0\\.8\\) and [RBP](./teac'
    """
    parts, at = [], 0
    terms = [term for term in (*TERMS, *measure_terms()) if not re.search(term.pattern, earlier_text)]
    mentions = [(place, term) for term in terms if (place := _first_mention(term.pattern, text))]
    for (start, end), term in sorted(mentions, key=lambda mention: mention[0]):
        if start >= at:
            link = f'[{as_markdown(text[start:end])}](./{COURSE.name}#terms "{md_escape(term.meaning)}")'
            parts += [as_markdown(text[at:start]), link]
            at = end
    return "".join((*parts, as_markdown(text[at:])))


def _first_mention(pattern: str, text: str) -> tuple[int, int] | None:
    """Where a term stands first that is no part of an expression; in a code span, all of the span."""
    for match in re.finditer(pattern, text):
        start, end = match.span()
        if text.count("`", 0, start) % 2:
            start, end = text.rindex("`", 0, start), text.index("`", end) + 1
        if not (_AFTER_NAME.match(text, start) or _NAME_GOES_ON.match(text, end)):
            return start, end
    return None


def with_dois(text: str) -> str:
    """A text as Markdown, in which the works that it names are links to their DOI, or say what they are.

    >>> with_dois("Stevens 1946")
    '[Stevens 1946](https://doi.org/10.1126/science.103.2684.677)'
    """
    known = {
        name: f"https://doi.org/{doi}" if is_doi(doi) else f'./{COURSE.name}#terms "{md_escape(doi)}"'
        for name, doi in (DOIS | FURTHER).items()
    }
    parts = re.split(f"({'|'.join(map(re.escape, known))})", text)
    return "".join(f"[{as_markdown(part)}]({known[part]})" if part in known else as_markdown(part) for part in parts)


def _ask(lab: Lab, step: Step, key: str, guesses: Guesses) -> None:
    """The question with its widget, and the button that predicts."""
    question = step.question
    widget = f"lesson.prediction.{lab.name}.{key}"
    with st.form(f"{lab.name}.ask.{key}"):
        st.markdown(f"**{with_terms(question.text, step.text)}**")
        _answer_widget(question, widget)
        asked = (lab, question, key, widget, guesses)
        st.form_submit_button("Predict", type="primary", on_click=_take_prediction, args=asked)
        if lacking := st.session_state.pop(_LACKING, ""):
            st.markdown(f":red[{as_markdown(lacking)}]")


def _answer_widget(question: Question, key: str) -> None:
    """Options to choose from, cards to put in order, or a box for a number."""
    words = question.options
    if not words:
        # not a box for numbers, which the browser reads: it takes no comma
        st.text_input(question.text, key=key, width=220, placeholder="a number", label_visibility="collapsed")
    elif question.asks_order:
        order = question.shuffled_options
        with st.container(key=f"{CARDS_BOX}.{key}"):
            st.html(cards(question, order))
            st.text_input(question.text, ",".join(order), key=key, label_visibility="collapsed")
    else:
        st.radio(
            question.text,
            list(words),
            index=None,
            key=key,
            format_func=lambda option: md_escape(words[option]),
            label_visibility="collapsed",
        )


def _take_prediction(lab: Lab, question: Question, key: str, widget: str, guesses: Guesses) -> None:
    """A person pressed the button: keep what they predict, or say what is missing."""
    answer = st.session_state.get(widget)
    text = "" if answer is None else str(answer).strip()
    if question.asks_order and text == ",".join(question.shuffled_options) and st.session_state.get(_UNSORTED) != key:
        st.session_state[_UNSORTED] = key
        st.session_state[_LACKING] = "If this is your order, press Predict again."
        return
    try:
        guess = question.read(text)
    except IrvizError as error:
        wanted = "choose an answer" if question.options else "type a number"
        st.session_state[_LACKING] = str(error) if text else f"First {wanted}."
        return
    _keep_guess(lab, key, guess, guesses)


def _ask_again(lab: Lab, step: Step, key: str, guesses: Guesses) -> None:
    """Take a prediction back, and what was changed since: the question is about the start."""
    for name in step.controls:
        state().put(lab.name, name, None)
    _keep_guess(lab, key, "", guesses)


def _keep_guess(lab: Lab, key: str, guess: str, guesses: Guesses) -> None:
    """Remember a prediction among those of the lab; "" takes it back."""
    session = state()
    session.forget_complaints()
    rest = with_guess(guesses, key, guess) if guess else tuple(other for other in guesses if other[0] != key)
    control = next(candidate for candidate in lab.controls if candidate.name == "guess")
    session.put(lab.name, "guess", control.format(rest) if rest else None)


def _show_all(lab: Lab, fitted_controls: ControlsByName, values: dict[str, Any], compute: Compute) -> Panel | None:
    """A few controls beside the figure, above them the challenge, where one was chosen; all else is folded up."""
    with st.container(key="lab"):
        side, main = st.columns([3, 8], gap="medium")
    panel: Panel | None = None
    with main, shown_errors():
        panel = compute()
    challenge = lab.challenge(values["step"])
    visible_rows = 1 if challenge is not None and challenge.figure else lab.rows
    rows = panel.drawings[:visible_rows] if panel else ()
    dragged = {name for row in rows for figure in row.values() for name in figure.picks}
    dragged -= state().locked_controls(lab.name)  # what an exercise locks is shown
    with side:
        if panel is not None and challenge is not None:
            _show_challenge(lab, values)
        with st.container(key="lab-controls"):
            controls = visible([control for control in fitted_controls.values() if control.name not in LESSON], values)
            if challenge is not None:  # whose documents are moved, also where they are typed
                controls = [control for control in controls if control.name in (challenge.controls or fitted_controls)]
                if not challenge.can_regrade:
                    controls = [
                        replace(control, required_list=values[control.name])
                        if isinstance(control, DocumentList)
                        else control
                        for control in controls
                    ]
            typed = [control.name for control in controls if control.name in dragged and isinstance(control, Text)]
            folded = {control.name for control in controls if control.aside} - set(
                challenge.solution if challenge else ()
            )
            rest = [control for control in controls if control.name in {*typed, *folded}]
            draw_all([control for control in controls if control not in rest], values, lab.name)
            if rest:
                fold("More choices", f"{lab.name}.more", partial(draw_all, rest, values, lab.name))
    with main, shown_errors():
        if panel is not None:
            if values["step"] == FREE:
                st.markdown(f"### {as_markdown(panel.sentence)}")
            for name, drawing in ((name, figure) for row in rows for name, figure in row.items()):
                with st.container(key=f"lesson-{'tall' if visible_rows == 1 else name}"):
                    fills = "filled" if visible_rows == 1 else ""
                    show_drawing(drawing, f"{lab.name}.{name}", lab.name, fitted_controls, fills=fills)
            with st.container(key="reading"):  # on a phone the controls stand before it
                if panel.folds:
                    show_panel(Panel("", folds=panel.folds), lab.name, fitted_controls)
                # the first note is that of the challenge, whose status stands beside the figure
                notes = panel.notes if values["step"] == FREE else (panel.sentence, *panel.notes[1:])
                rest_of = replace(panel, drawings=panel.drawings[visible_rows:], notes=notes, folds={})
                fold("Why, and more", f"{lab.name}.reading", partial(_show_reading, lab, fitted_controls, rest_of))
    return panel


def _show_reading(lab: Lab, fitted_controls: ControlsByName, panel: Panel) -> None:
    """Draw what to notice, further figures, where to look further, formulas with their source, and numbers."""
    st.markdown("\n".join(f"- {with_dois(note)}" for note in panel.notes if note))
    show_figures(panel, lab.name, lab.name, fitted_controls, gap="small")
    show_ways(panel.ways, lab.name)
    for formula in panel.formulas:
        st.markdown(f"$\\displaystyle {formula.tex}$  \n`{formula.code}` — :gray[{with_dois(formula.source)}]")
    show_numbers(replace(panel, has_open_tables=True), lab.name)


def _show_challenge(lab: Lab, values: dict[str, Any]) -> None:
    """The task, a hint, and how far each of its conditions is, which stays in sight on a phone."""
    challenge, readings = lab.challenge(values["step"]), lab.readings(values)
    assert challenge is not None
    done = challenge.goal.is_met(readings)
    with st.container(border=True, key="lesson-challenge"):
        st.markdown(f"**{as_markdown(challenge.title)}**")
        if not done:
            with st.expander("A hint"):
                st.markdown(as_markdown(challenge.hint))
    with st.container(key="lesson-goal"):
        st.markdown("  \n".join(map(as_markdown, challenge.goal.lines(readings, lab.wording))))
        if done:
            st.markdown("**Done: the goal is reached.**")
            _mark_done(lab, values["step"])
