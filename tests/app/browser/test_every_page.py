"""Every page at a desk, the main ones on a phone in the dark, and labs by mouse, by keys and by finger.

A figure counts as drawn when the browser has put marks or an image into it.  axe's rules for accessibility are asked
about every page that is seen; what Streamlit itself causes is written in ``axe_baseline.json``, with the reason.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from irviz.figures import theme
from irviz.menu import SECTIONS, page_named
from irviz.workspace.page import Page
from irviz.workspace.view import SCHEMA
from tests.app.browser.rest import PLACES, follow, idle, said_in

pytestmark = pytest.mark.browser
BASELINE = json.loads(Path(__file__).with_name("axe_baseline.json").read_text())
#: on a phone and in the dark, too
MAIN = ("conclusion", "scores", "collection", "what_if", "similarity", "topics", "findings", "lab_browsing")
LABELLED = 40  #: letters that the words for a figure have at least
MARKS = ".js-plotly-plot .main-svg .trace, .js-plotly-plot .heatmaplayer image"
#: what a page shows: its headings, its figures (drawn or not, with their words), what went wrong
SEEN = """() => {
  const main = document.querySelector('[data-testid=stMain]');
  const all = (selector) => [...main.querySelectorAll(selector)];
  return {
    headings: all('h1, h2').map(one => one.innerText),
    figures: all('[data-testid=stPlotlyChart]').map(one => ({
      drawn: one.querySelectorAll('MARKS').length,
      role: one.getAttribute('role'), words: one.getAttribute('aria-label') || '',
    })),
    alerts: all('[data-testid=stAlert], [data-testid=stException]').map(one => one.innerText),
  };
}""".replace("MARKS", MARKS)
DRAWN = """() => document.querySelector('[data-testid=stMain] :is(h1, h2)') &&
  [...document.querySelectorAll('[data-testid=stMain] [data-testid=stPlotlyChart]')]
    .every(one => one.querySelector('MARKS'))""".replace("MARKS", MARKS)
#: where a page has figures that has none at first
BY_LINK = {
    "users": {"collection": "tiangong"},
    "findings": {"row": "1", "collection": "adhoc"},
}
#: whether the document, and each figure but those that scroll in their place, ends within the screen
FITS = """() => Math.max(
  ...['[data-testid=stMain]', 'body', 'html'].map(part => document.querySelector(part).scrollWidth),
  ...[...document.querySelectorAll('.js-plotly-plot')].map(one => {
    const place = one.closest('[data-testid=stElementContainer]'), scrolls = getComputedStyle(place).overflowX;
    return Math.floor((scrolls === 'auto' ? place : one).getBoundingClientRect().right); })) <= innerWidth"""
#: The marks of figures are put aside meanwhile, half of what axe would look at: without anything that a rule is about.
#: A figure's own role and words stay, and so do its buttons.
RUN = """async () => {
  if (document.querySelector('.main-svg :is(a, [role], [tabindex], [aria-label], [title])')) throw 'more than marks';
  const marks = [...document.querySelectorAll('.main-svg')].map(one => [one, [...one.childNodes]]);
  marks.forEach(([one]) => one.replaceChildren());
  try { return await axe.run(document, {
    resultTypes: ['violations'], iframes: false, selectors: false, preload: false }); }
  finally { marks.forEach(([one, parts]) => one.replaceChildren(...parts)); }
}"""
#: whether the page and all its figures are drawn in the dark
DARK = """ink => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === 'dark' &&
  [...document.querySelectorAll('.js-plotly-plot')].every(one => one._fullLayout?.font.color === ink)"""


def drawn(page) -> None:
    """Wait until the page rests and every figure in it is drawn."""
    idle(page)
    page.wait_for_function(DRAWN, polling=50)


def assert_sound(page, title: str) -> None:
    """Nothing went wrong, and whoever does not see a figure is told what it shows."""
    page.wait_for_selector(MARKS, state="attached")
    drawn(page)
    seen = page.evaluate(SEEN)
    assert seen["alerts"] == [] and seen["headings"] == [title] and seen["figures"], page.url
    for figure in seen["figures"]:
        assert figure["drawn"] and figure["role"] == "figure" and len(figure["words"]) > LABELLED


def assert_accessible(page) -> None:
    """axe finds nothing that Streamlit does not cause itself."""
    page.mouse.move(1, 380)  # where nothing explains itself
    page.wait_for_function("() => !document.querySelector('#stFloatingOverlayPortal > *')")
    found: list[dict[str, Any]] = page.evaluate(RUN)["violations"]
    assert [
        (page.url, rule["id"], node["html"][:200], node["failureSummary"])
        for rule in found
        for node in rule["nodes"]
        if not any(one["rule"] == rule["id"] and node["html"].startswith(one["element"]) for one in BASELINE)
    ] == []


def walk_to(page, heading: str, to: Page) -> None:
    """By the menu, as a person does."""
    page.mouse.move(640, 690)  # a button's explanation under a resting mouse would cover the menu
    if heading:
        page.get_by_test_id("stTopNavSection").filter(has_text=heading).click()
    name = "stTopNavDropdownLink" if heading else "stTopNavLink"
    title = to.question if to.lab else to.name.capitalize() if to.title.endswith("?") else to.title
    page.get_by_test_id(name).get_by_text(title, exact=True).click()
    page.get_by_role("heading", name=to.title, exact=True, level=2).wait_for()
    drawn(page)


def test_every_page_of_the_menu_is_drawn_and_accessible(person, server, axe):
    with person() as page:
        page.emulate_media(reduced_motion="reduce")
        for beside in ("", "labs", "teaching"):
            follow(page, f"{server.url}/{beside}")
            page.locator("h2").first.wait_for()
            page.evaluate(axe)
            assert page.locator("h2").count() == 1
            assert_accessible(page)
        follow(page, f"{server.url}/scores?v={SCHEMA}&collection=adhoc")
        drawn(page)
        menu = [(heading, to) for heading, pages in SECTIONS.items() for to in pages]
        for heading, to in sorted(menu, key=lambda one: one[1].name == "users"):  # last: it leaves other data behind
            walk_to(page, heading, to)
            if to.name in BY_LINK:  # a question, or an empty state; then its figures
                assert_accessible(page)
                follow(page, f"{server.url}/{to.name}?{urlencode({'v': SCHEMA, **BY_LINK[to.name]})}")
            assert_sound(page, to.title)
            assert_accessible(page)


def test_main_pages_fit_a_phone_in_the_dark(person, server, axe):
    with person(390, 844, scheme="dark") as page:
        for n, name in enumerate(MAIN):
            link = BY_LINK.get(name, {"collection": "adhoc"})
            follow(page, f"{server.url}/{name}?{urlencode({'v': SCHEMA, **link})}")
            page.get_by_role("heading", name=page_named(name).title, exact=True, level=2).wait_for()
            drawn(page)
            page.wait_for_function(DARK, arg=theme.DARK.layout.font.color)
            page.wait_for_function(FITS)
            assert_sound(page, page_named(name).title)
            if n == 0:
                page.evaluate(axe)
            assert_accessible(page)


def test_a_finger_drags_a_dot_and_scrolls_from_what_is_only_pressed_or_turned(person, server):
    with person(390, 844, touched=True) as page:
        fingers = page.context.new_cdp_session(page)
        main = "document.querySelector('[data-testid=stMain]').scrollTop"

        def swipe(start, end):
            for n in range(7):
                x, y = (a + (b - a) * n / 6 for a, b in zip(start, end, strict=True))
                kind = "touchMove" if n else "touchStart"
                fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
            fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        for lab, trace, point in (("aggregation", -4, 0), ("conventions", -2, 2)):
            follow(page, f"{server.url}/lab_{lab}")
            drawn(page)
            page.evaluate(f"{main} = 0")
            x, y = page.evaluate(PLACES, [0, trace, point, 20, 2])[lab == "aggregation"]
            said = page.evaluate("document.querySelector('.irviz-screen').dataset.state")
            swipe((x, y), (x, y - 160))
            page.wait_for_function(f"() => {main} > 0")
            idle(page, 300)
            assert page.evaluate("document.querySelector('.irviz-screen').dataset.state") == said
            swipe((x, y - page.evaluate(main)), (x, y - page.evaluate(main)))
            page.wait_for_function("said => document.querySelector('.irviz-screen').dataset.state !== said", arg=said)
        follow(page, f"{server.url}/lab_aggregation")
        drawn(page)
        page.locator(".js-plotly-plot").first.scroll_into_view_if_needed()
        start, end = page.evaluate(PLACES, [0, -2, 0, -0.32, 0.9])  # S1 on t1
        before = page.evaluate(main)
        swipe(start, end)
        said_in(page, "s1=0.9,0.1,0.3,0.8,0.1")
        assert page.evaluate(main) == before


def test_what_is_pointed_at_has_a_ring_elsewhere_and_a_box_takes_several(person, server):
    with person() as page:
        follow(page, f"{server.url}/discriminative?collection=adhoc&trials=20")
        drawn(page)
        page.locator(".js-plotly-plot").nth(1).scroll_into_view_if_needed()
        dots = "document.querySelectorAll('.js-plotly-plot')[1]._fullData[1]"
        names = [name for name, _ in page.evaluate(f"{dots}.customdata")]
        (first, left), (last, _) = (page.evaluate(PLACES, [1, 1, row, 0, row]) for row in (3, 5))
        page.mouse.move(first[0] - 3, first[1])
        page.mouse.move(*first)
        page.wait_for_selector(".irviz-ring")
        plots = "[...document.querySelectorAll('.js-plotly-plot')]"
        assert page.evaluate(f"{plots}.map((one) => one.querySelectorAll('.irviz-ring').length)") == [0, 0, 1]
        page.keyboard.down("Shift")
        page.mouse.move(left[0], first[1] - 4)
        page.mouse.down()
        page.mouse.move(max(first[0], last[0]) + 300, last[1] + 4)
        page.mouse.up()
        page.keyboard.up("Shift")
        page.wait_for_function("() => location.search.includes('highlight=')")
        idle(page)
        taken = page.evaluate("new URLSearchParams(location.search).get('highlight').split(',')")
        assert sorted(taken) == sorted(names[3:6])
        page.keyboard.press("Escape")
        page.wait_for_function("() => !location.search.includes('highlight=')")


def test_an_exercise_of_a_link_is_predicted_before_its_figures_come(person, server):
    task = {"task": "Fool GAP", "task.text": "Make GAP large.", "task.ask": "How large?", "task.goal": "GAP > 0.5"}
    with person() as page:
        follow(page, f"{server.url}/lab_graded_ap?{urlencode({'v': SCHEMA, **task})}")
        page.get_by_text("Make GAP large.").wait_for()
        assert page.locator(".js-plotly-plot").count() == 0, "nothing is told before a prediction"
        page.get_by_role("spinbutton").first.fill("0.5")
        page.get_by_role("button", name="Predict").click()
        said_in(page, "task.said=0.5")
        drawn(page)
