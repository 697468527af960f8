"""How long a person waits in a real browser: arriving, following a share, moving a control.

A server of its own is started and warmed by one visit.  Every visit is that of a browser that was never here, so that
all scripts are fetched and compiled.  A page is timed from the request until its first figure, and a control from the
key press until the figures are drawn with other numbers, which in a lab needs no server.  Each is a ratio to the same
on a page with one handle and one bar chart, visited and moved in turn.  Needs chromium and playwright:
``python -m benchmarks browser``.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import irviz
from benchmarks import trec8
from benchmarks.parts.analyses import TEN
from benchmarks.serving import STILL, answers, browser, first_figure, page_of, server, until_changed
from benchmarks.timing import Row, at_most
from irviz.labs.screen import Screen
from irviz.menu import LABS
from irviz.workspace.context import data_key
from irviz.workspace.store import Store
from irviz.workspace.view import View

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Move = Callable[["Page", bool], float]  #: of a control on a page, to or fro: seconds until the figures have changed

BARE = "benchmarks/bare.py"
CHART = "one bar chart"
ARRIVAL, MOVE, OTHER, LAB = (
    1.3,
    3.0,
    4.0,
    0.7,
)  #: ratios: the first figure of a page, a move, another system, a lab's key
VISITS, MOVES = 5, 12
#: answers to a move on *What if*, and ratios at 129 systems and at 40
#: the first figures may be those that were computed at rest, with their value beside them
BENCH = {"a figure of its value is there": (2.5, 2.0), "all four are": (6.0, 5.0), "all is done": (9.0, 6.0)}
#: presses a key on a number of a lab; milliseconds until the picture after it
PRESSED = """(name) => new Promise((done) => {
  const start = performance.now(), press = { key: "ArrowRight", bubbles: true };
  document.querySelector(`.irviz-number[data-name="${name}"]`).dispatchEvent(new KeyboardEvent("keydown", press));
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
})"""


def rows() -> Iterator[Row]:
    """The bars of the dashboard's interaction."""
    with (
        tempfile.TemporaryDirectory() as home,
        server(Path(home)) as url,
        server(Path(home), BARE) as bare,
        browser() as opened,
    ):
        yield _arrived("first page of the menu on a warm server", opened, f"{url}/conclusion", bare)
        link = f"{url}/similarity?s={Store(Path(home)).share(View('similarity'), title='A view').id}"
        yield _arrived("shared view of the bundled collection", opened, link, bare)
        what, p = "RBP's p moved until the changed heatmap is there", slide("p · persistence", "RBP(.8)")
        yield _moved(what, opened, f"{url}/similarity", bare, p, MOVE)
        for lab in LABS:
            yield _lab(opened, url, bare, lab)
        yield from _large(opened, url, bare, Path(home))


def _arrived(what: str, browser: Browser, link: str, bare: str) -> Row:
    """The first figure of a page, and of that with one bar chart, visited in turn; the first visits do not count."""
    visits = [(first_figure_of(browser, link), first_figure_of(browser, bare)) for _ in range(VISITS + 1)]
    taken, other = (statistics.median(times) for times in zip(*visits[1:], strict=True))
    return at_most(f"{what}: first figure", taken, CHART, other, ARRIVAL)


def _moved(what: str, browser: Browser, url: str, bare: str, move: Move, bar: float, times: int = MOVES) -> Row:
    """A `move` of a control, to and fro, and a key on the page with one bar chart, in turn."""
    with page_of(browser) as least, page_of(browser) as page:
        for one, address in ((least, bare), (page, url)):
            first_figure(one, address)
            one.wait_for_function(STILL, timeout=60_000)  # what is typed while a page is drawn again can be lost
        taken = []
        for turn in range(times):
            page.bring_to_front()
            taken.append((move(page, turn % 2 == 0), _chart_moved(least)))
    moves, others = (statistics.median(each) for each in zip(*taken, strict=True))
    return at_most(what, moves, CHART, others, bar)


def _chart_moved(least: Page) -> float:
    """Seconds from a key on the handle of the bar chart until it is drawn."""
    least.bring_to_front()
    least.get_by_role("slider", name="height").focus()
    return until_changed(least, "ArrowLeft")


def _lab(browser: Browser, url: str, bare: str, lab: Screen) -> Row:
    """A key on the number that carries the idea of a lab, until it is painted."""
    name = next(name for name, handle in lab.handles.items() if handle.live)

    def press(page: Page, up: bool) -> float:
        return float(page.evaluate(PRESSED, name)) / 1000

    return _moved(f"{lab.name}: a key on {name} until it is painted", browser, f"{url}/{lab.name}", bare, press, LAB)


def _large(browser: Browser, url: str, bare: str, home: Path) -> Iterator[Row]:
    """Another claim or topic, another p on *What if*, on pages of TREC-8's size."""
    data = trec8.collection()
    key = data_key(data)
    kept = Store(home).share(View.from_texts("conclusion", collection=key), title="TREC-8's size", data=data)
    for page, words, move in (
        ("conclusion", "claim", take("A is best", "A is ahead of B")),
        ("topics", "topic", choose("Topic", data.topics[7], data.topics[21])),
    ):
        link = f"{url}/{page}?collection={key}&s={kept.id}"
        words = f"{page}, 129 × 50: another {words} until its first figure is there"
        yield _moved(words, browser, link, bare, move, OTHER)
    yield from _turned(browser, url, bare, home, data, 0)
    yield from _turned(browser, url, bare, home, data.subset(systems=data.systems[:40]), 1)


def _turned(browser: Browser, url: str, bare: str, home: Path, data: irviz.Collection, size: int) -> Iterator[Row]:
    """A key on p of *What if*; `size` is the place of its bars."""
    key = data_key(data)
    kept = Store(home).share(View.from_texts("what_if", collection=key), title="Some runs", data=data)
    link = f"{url}/what_if?collection={key}&measures={quote(','.join(TEN))}&measure=RBP(p=0.8)&s={kept.id}"
    with page_of(browser) as least, page_of(browser) as bench:
        first_figure(least, bare)
        first_figure(bench, link)
        bench.wait_for_function(STILL, timeout=60_000)
        moves, others = [], []
        for _ in range(VISITS):
            bench.bring_to_front()
            bench.get_by_role("slider", name="p · persistence").focus()
            moves.append(answers(bench, "ArrowLeft", (1, 4)))
            others.append(_chart_moved(least))
    other = statistics.median(others)
    for i, (words, bars) in enumerate(BENCH.items()):
        words = f"what_if, {len(data.systems)} × 50 × {len(TEN)}: a key on p until {words}"
        yield at_most(words, statistics.median(times[i] for times in moves), CHART, other, bars[size])


def first_figure_of(browser: Browser, url: str) -> float:
    """Seconds from asking for `url` to its first figure, for a browser that was never here."""
    with page_of(browser) as page:
        return first_figure(page, url)


def slide(label: str, measure: str = "") -> Move:
    """Press an arrow key on a slider; one of a measure is there once the measure was chosen, which is not timed."""

    def move(page: Page, up: bool) -> float:
        slider = page.get_by_role("slider", name=label)
        if measure and not slider.count():
            page.get_by_test_id("stSidebar").get_by_text(measure, exact=True).click()
            page.get_by_role("button", name=f"Settings of {measure}").click()
            slider.wait_for()
            page.wait_for_function(STILL, timeout=60_000)
        slider.focus()
        return until_changed(page, "ArrowRight" if up else "ArrowLeft")

    return move


def mark(label: str) -> Move:
    """Mark a box, or take the mark away."""

    def move(page: Page, up: bool) -> float:
        page.get_by_role("switch", name=label).focus()
        return until_changed(page, "Space")

    return move


def take(one: str, other: str) -> Move:
    """Take one of two options that lie side by side."""

    def move(page: Page, up: bool) -> float:
        page.get_by_role("radio", name=one if up else other, exact=True).focus()
        return until_changed(page, "Space")

    return move


def choose(label: str, one: str, other: str) -> Move:
    """Take one of two options of a list; finding it is not timed."""

    def move(page: Page, up: bool) -> float:
        option = one if up else other
        page.get_by_role("combobox", name=label, exact=True).click()
        page.keyboard.type(option)
        page.get_by_role("option", name=option).first.wait_for()
        return until_changed(page, "Enter")

    return move
