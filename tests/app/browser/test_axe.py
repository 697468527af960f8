"""Every page against axe's rules for accessibility, wide and narrow, light and dark.

What Streamlit itself causes is written in ``axe_baseline.json``, with the reason; anything else fails.
axe does not look at the contrast of text within figures: `tests/unit/figures` does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from irviz.menu import PAGES
from tests.app.browser.test_browser import idle

pytestmark = [pytest.mark.browser, pytest.mark.slow]
BASELINE = json.loads(Path(__file__).with_name("axe_baseline.json").read_text())
LOOKS = [("light", 1280), ("light", 390), ("dark", 390), ("dark", 1280)]
SMALL = "v=2&collection=adhoc&systems=top5&depth=20&measures=AP,P@10&trials=100"
RUN = "() => axe.run(document, {resultTypes: ['violations'], iframes: false})"


@pytest.fixture(scope="module")
def page(browser, server) -> Iterator:
    with closing(browser.new_context(color_scheme="light")) as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def axe() -> str:
    return Path(pytest.importorskip("axe_playwright_python").__file__).with_name("axe.min.js").read_text()


@pytest.mark.parametrize("name", [*(page.name for page in PAGES), ""])
def test_a_page_has_no_violation_that_streamlit_does_not_cause(page, server, axe, name):
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{server.url}/{name}?{SMALL}" if name else server.url)
    page.locator("h2").first.wait_for(timeout=60_000)
    idle(page)
    page.evaluate(axe)
    wrong = []
    for scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        idle(page)
        wrong += [f"{scheme}, {width}: {one}" for one in violations(page.evaluate(RUN))]
    assert not wrong, "\n".join(wrong)


def violations(found: dict[str, Any]) -> list[str]:
    """What axe found and the baseline does not know: rule, element, and what is wrong with it."""
    return [
        f"{rule['id']}: {node['html'][:200]} ({' '.join(node['failureSummary'].split())})"
        for rule in found["violations"]
        for node in rule["nodes"]
        if not known(rule["id"], node["html"])
    ]


def known(rule: str, html: str) -> bool:
    """Whether the baseline has this rule for such an element."""
    return any(one["rule"] == rule and html.startswith(one["element"]) for one in BASELINE)


def test_the_baseline_says_why_and_is_about_streamlits_own_elements_only():
    assert all(one.keys() == {"rule", "element", "why"} and len(one["why"]) > 20 for one in BASELINE)
    assert all("stSidebarNav" in one["element"] or "st-emotion-cache" in one["element"] for one in BASELINE)
    assert not known("color-contrast", "<p>Any text of irviz</p>")
