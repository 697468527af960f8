"""The collections that all sessions share, read-only; what is computed from them is in :mod:`irviz.workspace.memo`."""

from __future__ import annotations

import gc

import streamlit as st

from irviz.collection.model import Collection
from irviz.workspace.context import Opened
from irviz.workspace.resolve import opened_bundled


@st.cache_resource(max_entries=12, show_spinner="Opening the collection …")
def bundled_collection(name: str, ties: str) -> Opened:
    """A bundled collection under a tie rule."""
    opened = opened_bundled(name, ties)
    settle_memory()
    return opened


@st.cache_resource(max_entries=12, show_spinner=False)
def cut_collection(identity: str, depth: int, _collection: Collection) -> Collection:
    """A collection cut at `depth`; kept, so that its fingerprint is computed once, by whose it is."""
    cut = _collection.subset(depth=depth)
    cut.fingerprint  # noqa: B018
    return cut


def settle_memory() -> None:
    """Streamlit collects garbage after every run; what stays for good need not be looked at again."""
    gc.collect()
    gc.freeze()
