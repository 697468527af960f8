"""The dashboard's script, run for every visit and every change: menu, sidebar, page, address bar."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from irviz.links.view import settle
from irviz.places import VERSION
from irviz.ui.errors import shown_errors
from irviz.ui.link import read_link, write_link
from irviz.ui.navigation import navigate
from irviz.ui.sharing.report import show_offered
from irviz.ui.sharing.share import show_arrival
from irviz.ui.sidebar import show_sidebar
from irviz.ui.state import obey_forgetting, state
from irviz.ui.toolbar import show_toolbar

ICON = Path(__file__).parent / "icon.svg"
ABOUT = f"**irviz {VERSION}**: see what an information-retrieval evaluation measure does, before you trust it."
STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding-top: 3.9rem; padding-bottom: 3rem; }
[data-testid="stSidebarHeader"] { height: 2.5rem; margin-bottom: 0; }
.st-key-toolbar { position: relative; z-index: 1; margin: 0 0 -4.8rem 0; }
[class*="st-key-sentence"] p { font-size: 1.1rem; line-height: 1.5; }
[class*="st-key-sentence"] code { font-size: 0.95em; }
[data-testid="stMultiSelectTagsContainer"] > span > span { background: #0072B2; color: #fff; height: auto; }
[data-testid="stMultiSelectTagsContainer"] > span > span > span:first-child {
  white-space: normal; overflow-wrap: anywhere;
}
[data-testid="stApp"]:not([data-test-connection-state="CONNECTED"])::after {
  content: "The connection to irviz is lost. What is on the screen stays; changes wait until it is back.";
  position: fixed; z-index: 999999; bottom: 1rem; left: 50%; transform: translateX(-50%); width: max-content;
  max-width: 90vw; padding: 0.6rem 1rem; border-radius: 0.4rem; background: #8A3B00; color: #fff;
  visibility: hidden; animation: irviz-lost 0s linear 2s forwards;
}
@keyframes irviz-lost { to { visibility: visible; } }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding-left: 0.9rem; padding-right: 0.9rem; padding-top: 4.25rem; }
  .st-key-toolbar { margin-bottom: 0; gap: 0.35rem; }
  .st-key-toolbar button { padding-left: 0.5rem; padding-right: 0.5rem; }
}
</style>"""


def main() -> None:
    """Draw the page that the address asks for."""
    st.set_page_config(page_title="irviz", page_icon=str(ICON), layout="wide", menu_items={"About": ABOUT})
    st.html(STYLE)
    script, page = navigate()
    session = state()
    session.page = page
    obey_forgetting(session)
    arrived = read_link(session, page)
    session.context = None
    with shown_errors():
        session.context = show_sidebar(session, arrived)
        if arrived:
            _, complaints = settle(page.controls, session.scope(page.name), session.context)
            session.complaints += [str(complaint) for complaint in complaints]
    show_arrival()
    show_offered(session)
    show_toolbar(session, page)
    write_link(session, page)  # so that a reload during a long computation keeps what was changed
    script.run()
    write_link(session, page)


main()
