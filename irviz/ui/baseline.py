"""Pin as baseline: a button, and what differs since, on every page of an analysis."""

from __future__ import annotations

from typing import Any

import streamlit as st

from irviz.errors import IrvizError
from irviz.menu import PINNABLE
from irviz.ui import caches
from irviz.ui.link import view_of
from irviz.ui.show import show_panel
from irviz.ui.state import SIDEBAR, Session
from irviz.ui.text import as_markdown, shown_errors
from irviz.workspace.baseline import Side, bare, compared, pin, unusable
from irviz.workspace.data import BASELINE, library
from irviz.workspace.page import Page
from irviz.workspace.panel import Panel
from irviz.workspace.short_names import named_panel

_BEFORE = "irviz.before"  #: the panel of the baseline, drawn once


def show_pin(session: Session, page: Page) -> None:
    """Keep the present view, or let go of the one that is kept."""
    if "baseline" not in page.uses:
        return
    text = session.scope(SIDEBAR).get(BASELINE.name)
    label = "Unpin" if text else "Pin as baseline"
    if st.button(label, key="toolbar.pin", help="Keep this view and compare every later one with it."):
        session.touched()
        session.put(SIDEBAR, BASELINE.name, None if text else pin(view_of(session, page)))
        st.rerun()


def show_baseline(session: Session, page: Page, values: dict[str, Any], panel: Panel, above: Any) -> None:
    """Draw the differences from the baseline: a sentence `above` the page's figures, and who moved below them."""
    text, context = session.scope(SIDEBAR).get(BASELINE.name), session.run.context
    if not text or "baseline" not in page.uses or context is None:
        return
    with shown_errors():
        try:
            after = Side(bare(view_of(session, page)), page, context, values)
            opener = library(session.loaded.values(), caches.bundled_collection)
            own = session.scope(page.name)
            found = named_panel(
                lambda: compared(text, PINNABLE, after, own, panel, opener, _panel_before), context.short_names
            )
        except IrvizError as error:
            with above:
                st.warning(as_markdown(str(unusable(error))))
            session.put(SIDEBAR, BASELINE.name, None)
            return
        with above:
            st.info(as_markdown(found.sentence))
        if found.drawings:
            st.markdown("### Compared with the baseline")
            shown = Panel("", found.drawings, found.tables, found.notes)
            show_panel(shown, f"{page.name}.{BASELINE.name}", {})


def _panel_before(before: Side) -> Panel:
    """The page as it was, drawn again only for another baseline."""
    key = (before.page.name, before.view, before.context.mark)
    kept = st.session_state.get(_BEFORE)
    if kept is None or kept[0] != key:
        kept = (key, before.page.shown(before.context, before.values))
        st.session_state[_BEFORE] = kept
    return kept[1]
