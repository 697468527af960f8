"""What stands around a lab's figures on the screen: what to notice, with sources; formulas; numbers."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from irviz.ui.show import show_figures, show_numbers
from irviz.ui.text import as_markdown
from irviz.workspace.control import Control
from irviz.workspace.panel import Formula, Lab, LabClaim


def show_lesson(lab: Lab, page: str, controls: dict[str, Control]) -> None:
    """The example: its sentence and figures, what they show, the formulas behind them, and the numbers."""
    st.markdown(f"### {as_markdown(lab.panel.sentence)}")
    show_figures(lab.panel, f"{page}.figure", page, controls, gap="small")
    with st.container(key="reading"):  # on a phone the controls stand before it
        show_claims(lab.claims)
        for note in lab.panel.notes:
            st.caption(as_markdown(note))
        show_formulas(lab.formulas)
        if lab.panel.tables:
            show_numbers(lab.panel, page)


def show_claims(claims: Sequence[LabClaim]) -> None:
    """What to notice, each with its source."""
    lines = [f"- {as_markdown(claim.text)}  \n  :gray[{as_markdown(claim.source)}]" for claim in claims]
    if lines:
        st.markdown("### What to notice\n" + "\n".join(lines))


def show_formulas(formulas: Sequence[Formula]) -> None:
    """LaTeX, and under it the name in irviz and the source."""
    with st.expander("Formulas and their names in irviz", expanded=True):
        for formula in formulas:
            st.markdown(f"$\\displaystyle {formula.tex}$  \n`{formula.code}` — :gray[{as_markdown(formula.source)}]")
