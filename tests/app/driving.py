"""Driving the dashboard's script without a browser: open a page under a link, read what it shows."""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from pathlib import Path

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

ROOT = Path(__file__).resolve().parents[2]
MAIN = ROOT / "irviz" / "ui" / "main.py"

#: Every AppTest looks through all installed packages for components, longer than its script runs: once is enough.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def open_page(name: str = "", **link: str) -> AppTest:
    """The dashboard at a page, as if someone came by a link with these parameters."""
    at = AppTest.from_file(str(MAIN), default_timeout=60)
    if name:
        turn_to(at, name)
    usual = {} if "s" in link or "v" in link else {"collection": "adhoc"}
    for key, text in {**usual, **link}.items():
        at.query_params[key] = text
    return at.run()


def turn_to(at: AppTest, name: str) -> AppTest:
    """The same session at another page; AppTest goes by scripts, and most pages share one."""
    at._page_hash = calc_hash(name)
    return at


def said(at: AppTest) -> str:
    """All text of the page, unescaped."""
    parts = [one.value for kind in (at.header, at.markdown, at.caption) for one in kind]
    return "\n".join(parts).replace("\\", "")


def warnings(at: AppTest) -> list[str]:
    """The complaints on the page."""
    return [one.value.replace("\\", "").replace("\u2060", "") for one in at.warning]


def errors(at: AppTest) -> list[str]:
    return [one.value.replace("\\", "").replace("\u2060", "") for one in at.error]


def chosen(at: AppTest) -> list[str]:
    """The measures of the sidebar."""
    return list(at.session_state["irviz"].run.values["measures"])


def add_measure(at: AppTest, text: str) -> AppTest:
    """Type a measure into the box of the sidebar, and press Enter."""
    box = at.selectbox(key="sidebar.add")
    box.options.append(text)  # AppTest knows no new options
    return box.set_value(text).run()


def figures(at: AppTest) -> list[dict]:
    """The figures of the page, as data."""
    sent = "\n".join(one.proto.body for one in at.get("html"))
    drawn = iter(re.findall('<div hidden class="irviz-drawn"[^>]*>(.*)</div>', sent))  # into charts without traces
    charts = [json.loads(one.proto.spec) for one in at.get("plotly_chart")]
    return [one if one["data"] else json.loads(unescape(next(drawn))) for one in charts]


def assert_sound(at: AppTest) -> None:
    """No traceback, no apology, a heading."""
    assert not at.exception
    assert not [text for text in errors(at) if "irviz's fault" in text]
    assert len(at.header) == 1
