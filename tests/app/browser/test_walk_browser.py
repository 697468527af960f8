"""Every page, every lab and a row of the findings, seen by a real browser.

One visitor walks by the menu and the findings' rows, as a person would, so that nothing is
loaded twice.  Where pages differ by their data alone, a report has them all
(`test_report_browser.py`): pages, labs and every row of the findings on a collection of several
aspects.  A figure counts as drawn when the browser has put marks or an image into it.
Each page and lab is looked at twice, and axe's rules for accessibility are asked about it: by turns
wide in the light and narrow in the dark, and wide in the dark and narrow in the light.  The wide
ones come first, so that no figure is drawn for one screen only to be drawn again for another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from urllib.parse import urlencode, urljoin

import pytest

from irviz.gallery.page import OTHERS
from irviz.menu import LABS, SECTIONS, page_named
from irviz.workspace.page import Page
from tests.app.browser.rest import follow, idle
from tests.app.browser.test_axe import RUN, light, violations
from tests.panels import STEPPED

pytestmark = pytest.mark.browser
PATIENCE = 60_000  # milliseconds
WIDE, NARROW = (1280, 720), (390, 844)
LISTED = [page for pages in SECTIONS.values() for page in pages if page not in LABS]
WALKED = [
    (to, size, scheme)
    for size, schemes in ((WIDE, ("light", "dark")), (NARROW, ("dark", "light")))
    for every, scheme in enumerate(schemes)
    for to in (*LISTED[every::2], *LABS[every::2])
]
TOOLED = ("conclusion", "discriminative", "lab_aggregation")  #: have long titles beside many buttons
LABELLED = 40  #: letters that the words for a figure have at least
MARKS = ".js-plotly-plot .main-svg .trace, .js-plotly-plot .heatmaplayer image"
#: what a page shows: its headings, its figures (drawn or not, with their words), what went wrong
SEEN = """() => {
  const main = document.querySelector('[data-testid=stMain]');
  const all = (selector) => [...main.querySelectorAll(selector)];
  return {
    headings: all('h1, h2').map(one => one.innerText),
    sentence: all('[class*="st-key-sentence"], h5').map(one => one.innerText).join(' '),
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
#: the first and the last figure of a lab, its first control, its text
PLACES = """() => { const figures = [...document.querySelectorAll('.st-key-lab .js-plotly-plot')];
  return [figures[0], figures.at(-1), document.querySelector('.st-key-lab [data-testid=stWidgetLabel]'),
    document.querySelector('.st-key-reading')].map(one => one.getBoundingClientRect().top); }"""
#: how many buttons touch the title
COVERED = """() => {
  const title = document.querySelector('[data-testid=stMain] :is(h1, h2)'), words = document.createRange();
  words.selectNodeContents(title);
  const a = title.getBoundingClientRect(), right = a.left + words.getBoundingClientRect().width;
  return [...document.querySelectorAll('.st-key-toolbar button')].map(one => one.getBoundingClientRect())
    .filter(b => b.left < right && b.right > a.left && b.top < a.bottom && b.bottom > a.top).length; }"""
#: how far the document reaches to the right, and the figures in it but for those that scroll in their place
WIDEST = """() => Math.max(
  ...['[data-testid=stMain]', 'body', 'html'].map(part => document.querySelector(part).scrollWidth),
  ...[...document.querySelectorAll('.js-plotly-plot')].map(one => {
    const place = one.closest('[data-testid=stElementContainer]'), scrolls = getComputedStyle(place).overflowX;
    return Math.floor((scrolls === 'auto' ? place : one).getBoundingClientRect().right); }))"""
SHOWN = "[data-testid=stMain] :is([data-testid=stPlotlyChart], [data-testid=stDataFrame])"


@pytest.fixture(scope="module")
def walker(person, server, axe) -> Iterator[Callable[[], AbstractContextManager[Any]]]:
    """``with walker() as page``: the visitor with whom all tests go on.

    They come in by a link to the findings at first and after a test that failed.
    """
    inside = False
    with person() as page:

        @contextmanager
        def go_on() -> Iterator[Any]:
            nonlocal inside
            if not inside:
                resize(page, WIDE)
                page.emulate_media(color_scheme="light", reduced_motion="reduce")  # figures move in their own tests
                page.goto(f"{server.url}/findings?v=8&collection=adhoc&row=aspects.table1")
                page.wait_for_selector(".js-plotly-plot", state="attached", timeout=PATIENCE)
                drawn(page)
                page.evaluate(axe)
            inside = False
            yield page
            inside = True

        yield go_on


def called(value: Any) -> str:
    if isinstance(value, tuple):
        return "wide" if value == WIDE else "narrow"
    return value if isinstance(value, str) else value.name


def drawn(page) -> None:
    """Wait until the page rests and every figure in it is drawn."""
    idle(page)
    page.wait_for_function(DRAWN, timeout=PATIENCE, polling=50)


def walk_to(page, to: Page, **link: str) -> None:
    """By the menu, where the page is wide enough to show it; else by a link."""
    if link or page.viewport_size["width"] < WIDE[0]:
        follow(page, f"{urljoin(page.url, to.name)}?{urlencode(link)}")
    else:
        heading = next(heading for heading, pages in SECTIONS.items() if to in pages)
        page.mouse.move(640, 690)  # a button's explanation under a resting mouse would cover the menu
        if heading:
            page.get_by_test_id("stTopNavSection").filter(has_text=heading).click()
        name = "stTopNavDropdownLink" if heading else "stTopNavLink"
        title = to.name.capitalize() if to.title.endswith("?") else to.title
        page.get_by_test_id(name).get_by_text(title, exact=True).click()
    page.get_by_role("heading", name=to.title, exact=True, level=2).wait_for(timeout=PATIENCE)
    drawn(page)


def choose(page, label: str, option: str) -> None:
    """Pick from a list by keyboard."""
    page.get_by_role("combobox", name=label, exact=True).focus()
    page.keyboard.insert_text(option)
    page.get_by_role("option", name=option, exact=True).wait_for(timeout=PATIENCE)
    page.keyboard.press("Enter")


def await_link(page, key: str, value: str) -> None:
    """Wait until the address bar says so (nothing for what is chosen at first), and all is drawn."""
    page.wait_for_function(
        "([key, value]) => (new URLSearchParams(location.search).get(key) || '') === value",
        arg=[key, value],
        timeout=PATIENCE,
    )
    drawn(page)


def widest(page, settle: int) -> int:
    """Pixels that the document is wide, once figures have followed the screen: some seconds at most."""
    for _ in range(40):
        if page.evaluate(WIDEST) <= settle:
            break
        page.wait_for_timeout(100)
    return page.evaluate(WIDEST)


def assert_sound(seen: dict[str, Any]) -> None:
    """Nothing went wrong, and whoever does not see a figure is told what it shows."""
    assert seen["alerts"] == []
    assert len(seen["headings"]) == 1
    for figure in seen["figures"]:
        assert figure["drawn"] and figure["role"] == "figure" and len(figure["words"]) > LABELLED


def assert_accessible(page) -> None:
    """axe finds nothing that Streamlit does not cause itself."""
    page.mouse.move(1, 380)  # where nothing explains itself
    page.wait_for_function("() => !document.querySelector('#stFloatingOverlayPortal > *')", timeout=PATIENCE)
    assert violations(page.evaluate(RUN)) == [], page.viewport_size


def resize(page, size: tuple[int, int]) -> None:
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))


def assert_fitting(page) -> None:
    """The page fits its screen, and its title is uncovered."""
    width = page.viewport_size["width"]
    assert widest(page, settle=width) <= width
    drawn(page)
    assert page.evaluate(COVERED) == 0, width


def test_a_row_of_the_findings_unfolds_to_figures_or_says_what_it_needs(walker):
    """A worked example, which a link unfolds, needs nothing; another row of the same paper several aspects."""
    with walker() as page:
        page.locator(SHOWN).first.wait_for(state="attached", timeout=PATIENCE)
        assert_sound(page.evaluate(SEEN))
        name, (source, item) = next(iter(OTHERS.items()))
        assert name == "aspects.table1" and page.get_by_text(f"{source.cite}, {item.name}").count()
        page.get_by_text("15. with AP, EUCL and MANH").click()
        page.get_by_text("It needs judgments on at least two aspects").first.wait_for(timeout=PATIENCE)
        assert_sound(page.evaluate(SEEN))


@pytest.mark.parametrize(("to", "size", "scheme"), WALKED, ids=called)
def test_every_page_shows_its_figures_and_fits(walker, to, size, scheme):
    """Of a lab, its first step, which asks, then all of it; what is revealed in a step fits in its own test."""
    with walker() as page:
        resize(page, size)
        light(page, scheme)
        if to in STEPPED and size == WIDE:
            walk_to(page, to)
            page.locator('[data-testid="stForm"]').wait_for(timeout=PATIENCE)
            assert_fitting(page)
            assert_accessible(page)
        walk_to(page, to, **({"step": "free"} if to in STEPPED else {"row": "1"} if to.name == "findings" else {}))
        seen = page.evaluate(SEEN)
        assert_sound(seen)
        assert seen["headings"] == [to.title] and seen["figures"]
        assert_fitting(page)
        assert_accessible(page)
        if to in STEPPED and size == NARROW:
            assert_figures_first(page)


def assert_figures_first(page) -> None:
    first, last, control, reading = page.evaluate(PLACES)
    assert first <= last < control < reading


@pytest.mark.parametrize("name", TOOLED)
def test_long_titles_are_uncovered_on_other_screens(walker, name):
    """On data that pages refuse, so that no figure is drawn for it."""
    with walker() as page:
        walk_to(page, page_named(name), collection="tiangong", step="1")
        for width in (1440, 1024):
            resize(page, (width, 800))
            page.wait_for_function("width => innerWidth === width", arg=width)
            drawn(page)
            assert page.evaluate(COVERED) == 0, width
