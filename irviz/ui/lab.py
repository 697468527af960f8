"""A lab on the screen: controls, figures, what they show, formulas, and the reader's own collection."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from irviz.errors import IrvizError
from irviz.labs.conventions.listing import Listing
from irviz.labs.lab import YOURS, Claim, Formula, Grades, Lab, Row
from irviz.links.control import Control
from irviz.menu import page as page_named
from irviz.ui.errors import shown_errors
from irviz.ui.page import settle_page
from irviz.ui.show import show_drawing, show_numbers, show_panel
from irviz.ui.state import state
from irviz.ui.text import sentence
from irviz.ui.widgets.controls import WIDGETS, draw, draw_all, fold, put_widget, visible

MOST_SHOWN = 9  #: controls beside the figures; further ones are folded up


def show_lab(name: str) -> None:
    """Draw the lab called `name`; its part on the loaded collection comes last, when asked for."""
    session, page = state(), page_named(name)
    st.header(page.title, anchor=False)
    st.markdown(f"#### {sentence(page.question)}")
    for complaint in session.complaints:
        st.warning(sentence(complaint))
    context: Any = session.context  # a lab is drawn without a collection, too
    with shown_errors():
        values = settle_page(session, page, context)
        fitted = {control.name: control.fit(context) for control in page.controls}
        side, main = st.columns([3, 8], gap="medium")
        with side:
            how = st.container()
            shown = visible([one for one in fitted.values() if one.name != YOURS.name], values)
            draw_all(shown[:MOST_SHOWN], values, page.name)
            if rest := shown[MOST_SHOWN:]:
                fold("More choices", f"{page.name}.more", partial(draw_all, rest, values, page.name))
        lab = None
        with main, shown_errors():
            lab = page.panel(context, values)
            assert isinstance(lab, Lab)
            how.caption(sentence(lab.how))
            _show_figures(lab, page.name, fitted)
            _show_words(lab, page.name)
        st.divider()
        draw(fitted[YOURS.name], values[YOURS.name], page.name)
        if isinstance(lab, Lab) and lab.yours is not None:
            show_panel(lab.yours, f"{page.name}.{YOURS.name}", fitted)


def _show_figures(lab: Lab, page: str, controls: dict[str, Control]) -> None:
    st.markdown(f"##### {sentence(lab.sentence)}")
    for row in lab.drawings:
        columns = st.columns(len(row), gap="small") if len(row) > 1 else [st.container()]
        for column, (name, drawing) in zip(columns, row.items(), strict=True):
            with column:
                show_drawing(drawing, f"{page}.figure.{name}", page, controls)


def _show_words(lab: Lab, page: str) -> None:
    """What the figures show, the formulas behind them, and the numbers."""
    _show_claims(lab.claims)
    for note in lab.remarks:
        st.caption(sentence(note))
    _show_formulas(lab.formulas)
    if lab.tables:
        show_numbers(lab, page)


def _show_claims(claims: Sequence[Claim]) -> None:
    """What is to be seen, each with who says so."""
    lines = [f"- {sentence(claim.text)}  \n  :gray[{sentence(claim.source)}]" for claim in claims]
    if lines:
        st.markdown("###### What is to be seen\n" + "\n".join(lines))


def _show_formulas(formulas: Sequence[Formula]) -> None:
    """LaTeX, and under it the name in irviz and the source."""
    with st.expander("Formulas, and what irviz calls them", expanded=True):
        for formula in formulas:
            st.markdown(f"$\\displaystyle {formula.tex}$  \n`{formula.code}` — :gray[{sentence(formula.source)}]")


# -- widgets of the kinds of controls that only labs have ---------------------------------------


def _list(control: Grades | Row | Listing, value: Any, key: str, args: tuple) -> None:
    """A list of numbers as a line of text."""
    put_widget(key, control.format(value))
    st.text_input(control.label, key=key, help=control.help, on_change=_typed, args=args)


def _typed(scope: str, control: Control, key: str) -> None:
    """A person typed a list: kept if it is one, else said what is wrong with it."""
    session = state()
    session.touched()
    try:
        value = control.parse(st.session_state[key])
    except IrvizError as error:
        session.complaints.append(f"{control.label}: {str(error).rstrip('.')}. It stays as it was.")
        return
    session.put(scope, control.name, None if value == control.default else control.format(value))


WIDGETS[Grades] = WIDGETS[Row] = WIDGETS[Listing] = _list
