"""The start page: what irviz is, three ways in, and the last view to continue with."""

from __future__ import annotations

import streamlit as st

from irviz.collection.catalogue import bundled
from irviz.errors import IrvizError
from irviz.menu import LABS, page_named
from irviz.server.middleware import present_owner
from irviz.server.session_store import belongings
from irviz.ui.navigation import arrive
from irviz.ui.text import md_escape
from irviz.workspace.data import COLLECTION
from irviz.workspace.view import View

_BENCH = page_named("what_if").name  #: where exploring begins
WHAT = (
    "irviz shows what an information-retrieval evaluation measure does before you trust it. "
    "It scores the runs of a test collection under many measures, and shows how the ranking of systems, the "
    "significant differences and your conclusions change with the choice. "
    "Every page is a link that you can send, and only your browser sees what you load."
)


def show_start() -> None:
    """What irviz is, and the ways in."""
    st.header("irviz", anchor=False)
    with st.container(key="sentence.start"):
        st.markdown(WHAT)
    _show_last()
    title = next(entry.title for entry in bundled() if entry.name == COLLECTION.default)
    ways = (
        (
            "Explore",
            f"Turn one knob of a measure and see scores, τ, p-values and smaller pools change, on {title}, a bundled "
            "collection.",
            _BENCH,
        ),
        ("Load your own", "Judgments and runs in the format of TREC, an .irviz file, or scores as CSV.", "collection"),
        (
            "Learn",
            "Labs that explain one idea each: predict, then see the result, on a small example that you can change.",
            LABS[0].name,
        ),
    )
    for column, (label, words, page) in zip(st.columns(len(ways)), ways, strict=True):
        with column, st.container(border=True):
            st.markdown(md_escape(words))
            if st.button(label, key=f"start.{page}", type="primary", width="stretch"):
                arrive(View(page))


def _show_last() -> None:
    """The view that this browser looked at last."""
    link = belongings().last_view(present_owner())
    if not link:
        return
    try:
        view = View.from_url(link)
        title = page_named(view.page).title
    except IrvizError:  # of a version that this irviz no longer reads
        return
    if st.button(f"Continue with your last view: {md_escape(title)}", key="start.last"):
        arrive(view)
