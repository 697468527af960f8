"""The start page: what irviz is, the first lab, and three ways in; and the page with all labs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from html import escape

import streamlit as st

from irviz.collection.catalogue import bundled_collections
from irviz.figures.unchecked import layout_of
from irviz.labs.screen import Screen
from irviz.menu import LABS, page_named
from irviz.ui.navigation import LEARN, arrive, open_page
from irviz.ui.show import show_drawing
from irviz.ui.state import state
from irviz.ui.text import md_escape
from irviz.workspace.data import COLLECTION
from irviz.workspace.panel import Drawing
from irviz.workspace.view import View, settle

_BENCH = page_named("what_if").name  #: where exploring begins
WHAT = (
    "See what an evaluation measure really does, before you trust it: how the ranking of systems and your conclusions "
    "change with the choice."
)


def show_start() -> None:
    """Draw what irviz is, and the ways in."""
    st.header("irviz", anchor=False)
    with st.container(key="sentence.start"):
        st.markdown(WHAT)
    _show_moving(LABS[0].without_server(*LABS[0].handles))
    title = next(entry.title for entry in bundled_collections() if entry.name == COLLECTION.default)
    ways = (
        (
            "Explore",
            f"Turn one knob of a measure and see scores and p-values change, on {title}.",
            _BENCH,
        ),
        (
            "Load your own",
            "Judgments and runs, or scores: kept in the server's memory, seen by nobody else unless you share them.",
            "collection",
        ),
        (
            "Learn",
            f"{len(LABS)} labs, each one figure: guess, then drag its number.",
            LEARN.name,
        ),
    )
    columns = st.container(key="ways").columns(len(ways))
    for column, (label, words, page) in zip(columns, ways, strict=True):
        with column, st.container(border=True):
            st.markdown(md_escape(words))
            if st.button(label, key=f"start.{page}", type="primary", width="stretch"):
                state().brings_data = page == "collection"
                open_page(LEARN) if page == LEARN.name else arrive(View(page))


def show_learn() -> None:
    """Every lab as a card: its question, and its figure, which the number above it moves; first all questions."""
    st.header("Learn", anchor=False)
    rows = [st.columns(2, gap="medium") for _ in range(0, len(LABS), 2)]
    cards = [rows[n // 2][n % 2].container(border=True) for n in range(len(LABS))]
    for card, lab in zip(cards, LABS, strict=True):
        with card:
            st.html(f'<p class="irviz-question">{escape(lab.question)}</p>')
            if st.button(lab.title, key=f"learn.{lab.name}", type="primary"):
                arrive(View(lab.name))
    for card, lab in zip(cards, LABS, strict=True):
        with card:
            _show_moving(replace(lab.without_server(lab.carrier), question=""))


def _show_moving(lab: Screen) -> None:
    """The sentence of a lab and its figure, whose numbers the browser moves alone."""
    values, _ = settle(lab.controls, {}, None)
    with st.container(key=f"motion-{lab.name}"):
        st.html(lab.html(values, frozenset(lab.choices))[0])
        drawing = _moving_figure(lab.name, tuple(lab.handles))
        show_drawing(replace(drawing, title=""), f"moving.{lab.name}", lab.name, {}, in_place=False)


@cache
def _moving_figure(name: str, handles: tuple[str, ...]) -> Drawing:
    """The figure of a lab in a small height, which no visitor changes."""
    lab = next(lab for lab in LABS if lab.name == name).without_server(*handles)
    drawing = lab.moving_figure(settle(lab.controls, {}, None)[0])
    layout_of(drawing.figure)["height"] = 400
    return drawing
