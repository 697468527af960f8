"""One press of Back leaves a page that the menu opened.

Streamlit's menu opens a page at its bare address, and what the page shows is written behind it
at once: two entries of the browser's history for one click.  The second takes the place of the first.
The content security policy names this script by its digest.
"""

from __future__ import annotations

import base64
import hashlib

SCRIPT = """
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
DIGEST = f"'sha256-{base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()}'"
ELEMENT = f"<script>{SCRIPT}</script>"
