"""What a person does quickly, or while something is computed, is not lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.browser.rest import idle
from tests.app.browser.test_browser import visit

pytestmark = pytest.mark.browser


@pytest.fixture
def page(person) -> Iterator:
    with person(1280, 720, known=True) as page:
        yield page


def test_quick_presses_on_a_slider_keep_the_measure_that_is_shown(page, server):
    visit(page, f"{server.url}/scores?v=8&collection=adhoc&measures=AP,RBP(p%3D0.8)&measure=RBP(p%3D0.8)")
    page.get_by_role("slider", name="p · persistence").focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(15)
    idle(page)
    page.wait_for_function("() => decodeURIComponent(location.search).includes('RBP(p=0.6)')")
    idle(page)
    assert "measure=RBP%28p%3D0.6%29" in page.url


def test_one_press_of_back_leaves_a_page_that_the_menu_opened_and_keeps_what_was_chosen(page, server):
    visit(page, f"{server.url}/scores?v=8&collection=multiaspect&measure=nDCG%4010")
    page.get_by_role("link", name="Similarity").click()
    page.wait_for_function("() => location.pathname.endsWith('/similarity') && location.search.includes('multiaspect')")
    idle(page)
    page.go_back()
    page.wait_for_function("() => location.pathname.endsWith('/scores')")
    page.get_by_role("heading", name="Scores", exact=True).wait_for()
    idle(page)
    assert "collection=multiaspect" in page.url and "measure=nDCG%4010" in page.url
    page.get_by_text("By nDCG@10").first.wait_for()
    page.go_forward()
    page.get_by_role("heading", name="Similarity", exact=True).wait_for()
    idle(page)
    assert "/similarity?" in page.url and "collection=multiaspect" in page.url


def test_a_reload_as_soon_as_the_address_is_written_keeps_the_change(person, server):
    """The address is written before the page is computed, so that a reload in the middle of it loses nothing."""
    with person() as page:  # who leaves, so that nothing is computed for them any more
        measures = "RBP(p%3D0.8),AP,nDCG,P@10"
        link = f"v=8&collection=dl2021&method=paired_bootstrap&trials=10000&measures={measures}"
        page.goto(f"{server.url}/discriminative?{link}")
        slider = page.get_by_role("slider", name="p · persistence")
        slider.wait_for()
        slider.focus()
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => decodeURIComponent(location.search).includes('RBP(p=0.75)')")
        page.reload()
        slider.wait_for()
        assert slider.input_value() == "0.75" and "RBP%28p%3D0.75%29" in page.url


def test_what_is_written_into_the_box_of_measures_is_added_and_figures_follow_a_theme_that_changes(page, server):
    visit(page, f"{server.url}/scores?v=8&collection=adhoc&measures=AP")
    box = page.get_by_role("combobox", name="Add a measure")
    box.click()
    page.keyboard.type("nDCG@1")
    page.keyboard.press("Enter")
    page.wait_for_function("() => decodeURIComponent(location.search).includes('measures=AP,nDCG@1')")
    idle(page)
    assert page.url.endswith("measures=AP%2CnDCG%401") or "measures=AP%2CnDCG%401&" in page.url
    address = page.url
    ink = "getComputedStyle(document.querySelector('.js-plotly-plot .xtick text')).fill"
    for scheme, colour in (("dark", "rgb(232, 235, 238)"), ("light", "rgb(27, 31, 36)")):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(f"() => document.querySelector('.js-plotly-plot .xtick text') && {ink} === '{colour}'")
        idle(page)
    assert page.url == address  # nothing else has changed
