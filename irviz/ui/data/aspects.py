"""The order of the aspects of a collection that is open already."""

from __future__ import annotations

import streamlit as st

from irviz.ui.data.loading import keep_loaded
from irviz.ui.sharing.borrowed import lender
from irviz.ui.sidebar import open_key
from irviz.ui.state import state
from irviz.ui.widgets.controls import put_widget
from irviz.workspace.resolve import opened_collection

_KEY = "loading.main"


def show_aspects() -> None:
    """Which of several aspects comes first, to be changed; data that are another's stay as they are."""
    session = state()
    context = session.context
    if context is None or context.opened.collection is None or lender(session, context.opened.key) is not None:
        return
    aspects = context.opened.collection.aspects
    if len(aspects) < 2:
        return
    put_widget(_KEY, aspects[0])
    st.selectbox(
        "Most important aspect of this collection",
        sorted(aspects),
        key=_KEY,
        on_change=_put_first,
        args=(context.opened.key,),
        width=320,
        help="Measures of one aspect use this one. Another choice makes another collection and keeps the open one.",
    )


def _put_first(key: str) -> None:
    """The same collection with another aspect first."""
    session, first = state(), st.session_state[_KEY]
    whole = open_key(session, key).collection
    if whole is not None:
        keep_loaded(
            session, opened_collection(whole.with_aspects([first, *(one for one in whole.aspects if one != first)]))
        )
