"""Keeping the loaded collection as one file."""

from __future__ import annotations

import re
import tempfile
from functools import partial
from pathlib import Path

import streamlit as st

from irviz.collection.model import Collection
from irviz.ui.state import state


def show_saving() -> None:
    """A button that downloads the collection as an ``.irviz`` file."""
    context = state().context
    if context is None or context.opened.collection is None:
        return
    collection = context.opened.collection
    st.markdown("### Keep it")
    with_ids = collection.documents is not None and st.checkbox(
        "With document identifiers and texts of topics",
        key="saving.documents",
        help="Without them the file contains only ranks and grades, and its warnings do not quote identifiers.",
    )
    held = (
        "It also contains them and the scores of the runs." if with_ids else "It does not contain document identifiers."
    )
    st.caption(f"One file with rankings and judgments; opening it anywhere gives the same scores. {held}")
    st.download_button(
        "Save as .irviz",
        partial(packed, collection, with_ids),
        f"{safe_name(collection.name)}.irviz",
        "application/zip",
        on_click="ignore",
    )


def packed(collection: Collection, documents: bool = False) -> bytes:
    """The bytes of the file that :meth:`Collection.save` writes."""
    with tempfile.TemporaryDirectory() as folder:
        return collection.save(Path(folder) / "collection.irviz", documents=documents).read_bytes()


def safe_name(name: str) -> str:
    """A name without anything that a file system could take for more than a name.

    >>> safe_name("../a b")
    'a-b'
    """
    return re.sub(r"[^\w.-]+", "-", name).strip(".-") or "collection"
