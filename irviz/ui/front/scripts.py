"""The two scripts of irviz's own that run in the browser; the content security policy names each by its digest."""

from __future__ import annotations

import base64
import hashlib

#: A finger on a figure is a click: the first tap counts, and a swipe scrolls the page.  Plotly takes a touch for the
#: start of a drag and knows no point under it before the second.  Where it does not see the touch, the browser makes
#: a mouse of it: moved there, pressed, released.
TOUCH = """
if (!window.irvizTouch) {
  window.irvizTouch = true;
  document.addEventListener("touchstart", (event) => {
    if (event.target.closest && event.target.closest(".js-plotly-plot")) event.stopPropagation();
  }, { capture: true, passive: true });
}
"""

#: One press of Back leaves a page that the menu opened.  Streamlit's menu opens a page at its bare address, and what
#: the page shows is written behind it at once: two entries of the browser's history for one click.  The second takes
#: the place of the first.
HISTORY = """
if (!window.irvizHistory) {
  window.irvizHistory = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const next = new URL(url ?? "", location.href);
    const completes = location.search === "" && next.search !== "" && next.pathname === location.pathname;
    return completes ? history.replaceState(state, title, url) : push(state, title, url);
  };
}
"""

OWN_SCRIPTS = (TOUCH, HISTORY)


def element(script: str) -> str:
    """The element that runs a script; its digest is that of the text between the tags."""
    return f"<script>{script}</script>"


def digest(script: str) -> str:
    """A script as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
