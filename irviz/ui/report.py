"""Views collected for a report, and those that came with an opened file."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from irviz.collection.model import Collection
from irviz.collection.saving import save
from irviz.errors import IrvizError, cut
from irviz.menu import page_named
from irviz.publish.code import file_of
from irviz.publish.draw import draw
from irviz.publish.report import report
from irviz.ui.caches import give_back, store
from irviz.ui.navigation import open_page
from irviz.ui.state import Session, state
from irviz.ui.text import as_markdown, md_escape
from irviz.ui.widgets import download
from irviz.workspace.context import SIDEBAR_CONTROLS, Dataset
from irviz.workspace.control import Choice, Control, Flag
from irviz.workspace.data import BASELINE, LINK_CONTROLS, library, link_key
from irviz.workspace.view import View

_MOST = 30  #: views in a report


def show_report(session: Session, view: View, dataset: Dataset | None) -> None:
    """Add the present view; look at what is collected; download it."""
    if give_back(session):
        st.rerun()
    views = session.report
    st.button(
        "Add this view", key="report.add", on_click=_add, args=(view,), type="primary", disabled=len(views) >= _MOST
    )
    for place, added in enumerate(views):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{place + 1}\\. {as_markdown(view_line(added))}", width="stretch")
            st.button("Remove", key=f"report.remove.{place}", on_click=_remove, args=(added,), type="tertiary")
    if not views:
        st.caption("A report is one file: the views you add with figures, numbers and settings. It needs no server.")
        return
    title = st.text_input("Title of the report", "irviz report", key="report.title", max_chars=200)
    with st.container(horizontal=True):
        chosen, data = tuple(views), library(session.datasets.values())

        def built() -> bytes:
            return report([draw(added, data, store=store) for added in chosen], title).encode()

        download("Report (HTML)", built, "irviz-report.html", "text/html", key="report.html")
        if dataset is not None and dataset.collection is not None:
            content = partial(pack, dataset.collection, [view.to_url() for view in views])
            download("Data and views (.irviz)", content, file_of(dataset), "application/zip", key="report.irviz")


def view_line(view: View) -> str:
    """A view in a line: its page and what was changed, in the words of its controls.

    >>> view_line(View.from_texts("scores", collection="adhoc", show="box"))
    'Scores (Collection: adhoc, Figure: Boxes)'
    """
    page = page_named(view.page)
    named = {control.name: control for control in (*LINK_CONTROLS, *SIDEBAR_CONTROLS)}
    named |= {link_key(page, control.name): control for control in page.controls}
    changed = [_setting(named[key], text) for key, text in view.items if key in named]
    return page.title + (f" ({cut(', '.join(changed), 160)})" if changed else "")


def _setting(control: Control, text: str) -> str:
    """One control and its value, as a person reads them."""
    if isinstance(control, Flag):
        return f"{control.label}: {'yes' if text == '1' else 'no'}"
    if control is BASELINE:
        return "with a pinned view"
    return f"{control.label}: {cut(control.words(text) if isinstance(control, Choice) else text, 40)}"


def _remove(view: View) -> None:
    """Take a view out, which a press before may have done."""
    if view in state().report:
        state().report.remove(view)


def _add(view: View) -> None:
    if view not in state().report:
        state().report.append(view)


def pack(collection: Collection, views: Sequence[str] = (), documents: bool = False, users: bool = False) -> bytes:
    """The bytes of the file that :func:`~irviz.collection.saving.save` writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "collection.irviz"
        return save(collection, path, views, documents=documents, users=users).read_bytes()


# -- views that came with a file -----------------------------------------------------------


def offer(texts: tuple[str, ...]) -> None:
    """Remember the views of an opened file, and what is wrong with those that cannot be read."""
    views, complaints = [], []
    for text in texts[:_MOST]:
        try:
            view = View.from_url(text)
            page_named(view.page)
            views.append(view)
        except IrvizError as error:
            complaints.append(f"A view of this file is left out: {error}")
    state().offered = views, complaints


def show_offered(session: Session) -> None:
    """Buttons that open the views that came with a file."""
    views, complaints = session.offered
    for complaint in complaints:
        st.warning(as_markdown(complaint))
    if not views:
        return
    with st.container(key="offered"), st.expander(f"Views saved with the collection ({len(views)})", expanded=True):
        for place, view in enumerate(views):
            if st.button(md_escape(view_line(view)), key=f"offered.{place}", type="tertiary"):
                page = page_named(view.page)
                session.show(page, view)
                session.box.reset()
                open_page(page)
