"""The start page: what irviz is, a figure that moves, and three ways in."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from irviz.collection.catalogue import bundled_collections
from irviz.labs.welcome import welcome
from irviz.menu import LABS, page_named
from irviz.ui.loading import OWN_DATA
from irviz.ui.navigation import COURSE, arrive, open_page
from irviz.ui.show import show_drawing
from irviz.ui.text import md_escape
from irviz.workspace.data import COLLECTION
from irviz.workspace.view import View

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
    show_drawing(welcome(COLLECTION.default), "start.figure", "start", {})
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
            f"{len(LABS)} labs of a few minutes: guess, then see the answer move.",
            COURSE.name,
        ),
    )
    columns = st.container(key="ways").columns(len(ways))
    for column, (label, words, page) in zip(columns, ways, strict=True):
        with column, st.container(border=True):
            st.markdown(md_escape(words))
            with st.container(horizontal=True):
                learns = page == COURSE.name
                first = learns and st.button("Start the first lab", key="start.lab", type="primary", width="stretch")
                kind: Literal["primary", "secondary"] = "secondary" if learns else "primary"
                pressed = st.button(label, key=f"start.{page}", type=kind, width="stretch")
            if pressed:
                st.session_state[OWN_DATA] = page == "collection"
                open_page(COURSE) if learns else arrive(View(page))
            if first:
                arrive(View(LABS[0].name))
