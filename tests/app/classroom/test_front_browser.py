"""In a real browser: taps on a phone, presenting on a projector, the way back to where one was."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from irviz.ui.presenting import LARGER
from tests.app.browser.test_browser import idle, visit
from tests.app.classroom.test_class_browser import PHONE, tap

pytestmark = pytest.mark.browser


def test_the_first_tap_on_a_document_counts_and_each_later_one_where_it_falls(person, server):
    with person(**PHONE, known=True) as page:
        visit(page, f"{server.url}/lab_graded_ap?v=8&step=free&grades=0,0,0")
        tap(page, 1)
        page.wait_for_function("() => location.search.includes('1%2C0%2C0')")
        idle(page)  # the address is written before the list is drawn again
        tap(page, 3)
        page.wait_for_function("() => location.search.includes('1%2C0%2C1')")


def test_presenting_fits_a_projector_and_ends(person, server):
    with person(1024, 768, known=True) as page:
        visit(page, f"{server.url}/lab_aspects?v=8&step=free")
        page.get_by_role("button", name="Share", exact=True).click()
        page.get_by_role("button", name="Present", exact=True).click()
        page.wait_for_function("() => location.search.includes('mode=present')")
        idle(page)
        for _ in range(2):
            expect(page.locator(".js-plotly-plot")).to_have_count(1)
            box = page.locator(".js-plotly-plot").bounding_box()
            assert box["y"] + box["height"] <= 768 and box["x"] + box["width"] <= 1024
            page.get_by_role("button", name="Next").click() if page.get_by_role(
                "button", name="Next"
            ).is_enabled() else 0
            idle(page)
        assert page.locator('[data-testid="stSidebar"]').count() == 0
        assert not page.locator('[data-testid="stHeader"]').is_visible()
        page.get_by_role("button", name="Stop presenting").press("Enter")
        page.wait_for_function("() => !location.search.includes('mode')")


@pytest.mark.parametrize(("scheme", "place"), [("light", "present"), ("dark", "present-2")])
def test_a_presented_figure_takes_the_rest_of_the_screen_with_large_type_in_both_themes(person, server, scheme, place):
    with person(1440, 900, scheme=scheme, known=True) as page:
        visit(page, f"{server.url}/similarity?v=8&collection=adhoc&mode={place}")
        box, fold = (page.locator(one).last.bounding_box() for one in (".js-plotly-plot", '[data-testid="stExpander"]'))
        assert box["height"] > 0.65 * 900 and box["y"] + box["height"] <= fold["y"]
        assert 0.97 * 900 <= fold["y"] + fold["height"] <= 900
        drawn = page.locator(".js-plotly-plot .main-svg").first.bounding_box()
        assert drawn["height"] == pytest.approx(box["height"], abs=1)
        sizes = page.locator(".js-plotly-plot .ytick text").evaluate_all(
            "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
        )
        assert sizes and min(sizes) == pytest.approx(11 * LARGER, abs=0.1)


def test_the_last_view_of_this_browser_is_offered_and_back_leads_to_the_start(person, server):
    with person() as page:
        visit(page, f"{server.url}/scores?v=8&collection=adhoc&show=box")
        page.goto(f"{server.url}/")
        page.get_by_role("button", name="Continue with your last view: Scores").click()
        page.wait_for_function("() => location.pathname.endsWith('/scores') && location.search.includes('show=box')")
        idle(page)
        page.go_back()
        page.get_by_role("heading", name="irviz", exact=True).wait_for()
    with person() as other:  # in the same tab even, but without the cookie
        other.goto(f"{server.url}/")
        other.get_by_role("button", name="Learn").wait_for()
        assert other.get_by_text("Continue with your last view").count() == 0
