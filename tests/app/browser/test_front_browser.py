"""In a real browser: taps on a phone, the way back to where one was."""

from __future__ import annotations

import pytest

from tests.app.browser.test_browser import idle, visit

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844, "touched": True}


def tap(page, rank: int) -> None:
    box = page.locator(".js-plotly-plot .point").nth(rank - 1).bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    idle(page)


def test_the_first_tap_on_a_document_counts_and_each_later_one_where_it_falls(person, server):
    with person(**PHONE, known=True) as page:
        visit(page, f"{server.url}/lab_browsing?v=8&step=free&grades=0,0,0")
        tap(page, 1)
        page.wait_for_function("() => location.search.includes('1%2C0%2C0')")
        idle(page)  # the address is written before the list is drawn again
        tap(page, 3)
        page.wait_for_function("() => location.search.includes('1%2C0%2C1')")
