"""In a real browser: nothing covers a title, figures come first on a phone, presenting fits a projector."""

from __future__ import annotations

import pytest

from irviz.menu import LABS, PAGES
from irviz.menu import page as page_named
from tests.app.browser.test_browser import idle, visit
from tests.app.browser.test_walk_browser import widest
from tests.app.classroom.test_class_browser import PHONE, tap
from tests.unit.labs.test_lessons import staged

pytestmark = pytest.mark.browser
COVERED = """() => { const a = document.querySelector('h2').getBoundingClientRect();
  return [...document.querySelectorAll('.st-key-toolbar button')].map(e => e.getBoundingClientRect())
    .filter(b => b.left < a.left + measured() && b.right > a.left && b.top < a.bottom && b.bottom > a.top).length;
  function measured() { const r = document.createRange(); r.selectNodeContents(document.querySelector('h2'));
    return r.getBoundingClientRect().width; } }"""


@pytest.mark.parametrize("name", ["conclusion", "discriminative", "lab_aggregation"])
def test_no_button_touches_a_title(person, server, name):
    with person(390, 800) as page:
        visit(page, f"{server.url}/{name}")
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
        for width in (390, 1024, 1440):
            page.set_viewport_size({"width": width, "height": 800})
            page.wait_for_function("width => innerWidth === width", arg=width)
            idle(page)
            assert page.evaluate(COVERED) == 0, width


@pytest.mark.parametrize("name", [page.name for page in LABS])
def test_on_a_phone_the_figure_stands_above_the_controls_and_all_fits(person, server, name):
    with person(**PHONE) as page:
        visit(page, f"{server.url}/{name}?v=3&step=free")
        top = "e => e.getBoundingClientRect().top"
        figure = page.locator(".st-key-lab .js-plotly-plot").first.evaluate(top)
        last_figure = page.locator(".st-key-lab .js-plotly-plot").last.evaluate(top)
        control = page.locator('.st-key-lab [data-testid="stWidgetLabel"]').first.evaluate(top)
        reading = page.locator(".st-key-reading").evaluate(top)
        assert figure <= last_figure < control < reading
        page.get_by_text("Try it on your collection").scroll_into_view_if_needed()
        idle(page)
        assert widest(page, settle=390) <= 390
        page.goto(f"{server.url}/{name}?step=1&guess=1:{staged(page_named(name), step='1').question.answer}")
        page.get_by_text("What to notice").wait_for()
        idle(page)
        assert widest(page, settle=390) <= 390


def test_the_first_tap_on_a_document_counts_and_each_later_one_where_it_falls(person, server):
    with person(**PHONE) as page:
        visit(page, f"{server.url}/lab_graded_ap?v=3&step=free&grades=0,0,0")
        tap(page, 1)
        page.wait_for_function("() => location.search.includes('1%2C0%2C0')")
        tap(page, 3)
        page.wait_for_function("() => location.search.includes('1%2C0%2C1')")


def test_presenting_fits_a_projector_and_ends(person, server):
    with person(1024, 768) as page:
        visit(page, f"{server.url}/lab_aspects?v=3&step=free")
        page.get_by_role("button", name="Share", exact=True).click()
        page.get_by_role("button", name="Present", exact=True).click()
        page.wait_for_function("() => location.search.includes('mode=present')")
        idle(page)
        for _ in range(2):
            box = page.locator(".js-plotly-plot").bounding_box()
            assert page.locator(".js-plotly-plot").count() == 1
            assert box["y"] + box["height"] <= 768 and box["x"] + box["width"] <= 1024
            page.get_by_role("button", name="Next").click() if page.get_by_role(
                "button", name="Next"
            ).is_enabled() else 0
            idle(page)
        assert page.locator('[data-testid="stSidebar"]').count() == 0
        assert not page.locator('[data-testid="stHeader"]').is_visible()
        page.get_by_role("button", name="Stop presenting").press("Enter")
        page.wait_for_function("() => !location.search.includes('mode')")


def test_the_last_view_of_this_browser_is_offered_and_back_leads_to_the_start(person, server):
    with person() as page:
        visit(page, f"{server.url}/scores?v=3&collection=adhoc&show=box")
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


def test_every_page_of_the_menu_has_one_title(person, server):
    with person() as page:
        for name in ("", "teaching", "answers"):
            page.goto(f"{server.url}/{name}")
            page.locator("h2").first.wait_for()
            idle(page)
            assert page.locator("h2").count() == 1
    assert len(PAGES) == len({page.title for page in PAGES})
