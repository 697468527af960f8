"""How long a person waits in a real browser: arriving, following a share, moving a control.

A server of its own is started and warmed by one visit.  Every visit is that of a browser
that was never here, so that all scripts are fetched and compiled.  The first page is timed
from the request to a usable figure and menu, a shared view until its first figure, and a control from the key press
until the figures are drawn with other numbers, which in a lab needs no server.  Needs chromium and playwright:
``python -m benchmarks browser``.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import irviz
from benchmarks import trec8
from benchmarks.parts.analyses import TEN
from benchmarks.serving import IDLE, STILL, answers, browser, first_figure, page_of, server, until_changed
from benchmarks.timing import Row, limit
from irviz.labs.screen import Screen
from irviz.menu import LABS
from irviz.workspace.context import data_key
from irviz.workspace.store import Store
from irviz.workspace.view import View

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Move = Callable[["Page", bool], float]  #: of a control on a page, to or fro: seconds until the figures have changed

BARE = "benchmarks/bare.py"
FIRST_PAGE, SHARED, SLIDER, LAB = 4.0, 2.5, 0.6, 0.1  # seconds
VISITS, MOVES = 5, 12
DRAWN = ("consistency", "discriminative", "incomplete", "aggregation")  #: pages whose numbers are drawn at random
#: answers to a move on *What if*, and seconds until they are there
BENCH = {"the first figure is there": 0.2, "all four are": 2.0, "all is done": 2.0}
DRAWING = 2.0  #: seconds of new draws on one of them
LARGE = 0.4  #: seconds of a choice on a page of TREC-8's size
#: presses a key on a number of a lab; milliseconds until the picture after it
PRESSED = """(name) => new Promise((done) => {
  const start = performance.now(), press = { key: "ArrowRight", bubbles: true };
  document.querySelector(`.irviz-number[data-name="${name}"]`).dispatchEvent(new KeyboardEvent("keydown", press));
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
})"""


def rows() -> Iterator[Row]:
    """The bars of the dashboard's interaction."""
    with tempfile.TemporaryDirectory() as home, server(Path(home)) as url, browser() as opened:
        _first_page(opened, f"{url}/conclusion")  # the first visitor of a process pays for the imports
        arrived = statistics.median(_first_page(opened, f"{url}/conclusion") for _ in range(VISITS))
        yield limit("first page of the menu on a warm server, usable", arrived, FIRST_PAGE, "s")
        link = f"{url}/similarity?s={Store(Path(home)).share(View('similarity'), title='A view').id}"
        with server(Path(home), BARE) as bare:
            yield _opened_share(opened, link, bare)
        moved = statistics.median(_moves(opened, f"{url}/similarity", slide("p · persistence", "RBP(.8)")))
        yield limit("RBP's p moved until the changed heatmap is there", moved * 1000, SLIDER * 1000, "ms")
        for lab in LABS:
            yield _lab(opened, url, lab)
        yield from _large(opened, url, Path(home))


def _lab(browser: Browser, url: str, lab: Screen) -> Row:
    """A key on the number that carries the idea of a lab, until it is painted."""
    name = next(name for name, handle in lab.handles.items() if handle.live)
    with page_of(browser) as page:
        first_figure(page, f"{url}/{lab.name}")
        page.wait_for_function(STILL, timeout=60_000)
        painted = statistics.median(page.evaluate(PRESSED, name) for _ in range(MOVES))
    return limit(f"{lab.name}: a key on {name} until it is painted", painted, LAB * 1000, "ms")


def _large(browser: Browser, url: str, home: Path) -> Iterator[Row]:
    """Another system or topic, another p on *What if*, another seed, on pages of TREC-8's size."""
    data = trec8.collection()
    key = data_key(data)
    kept = Store(home).share(View.from_texts("conclusion", collection=key), title="TREC-8's size", data=data)
    for page, label, one, other in (
        ("conclusion", "B", data.systems[7], data.systems[21]),
        ("topics", "Topic", data.topics[7], data.topics[21]),
    ):
        link = f"{url}/{page}?collection={key}&s={kept.id}"
        moved = statistics.median(_moves(browser, link, choose(label, one, other)))
        words = f"{page}, 129 × 50: another “{label}” until its figures are there"
        yield limit(words, moved * 1000, LARGE * 1000, "ms")
    yield from _turned(browser, url, home, data, 1)
    yield from _turned(browser, url, home, data.subset(systems=data.systems[:40]), 0.5)
    for page in DRAWN:
        link = f"{url}/{page}?collection={key}&measures={quote(','.join(TEN))}&s={kept.id}"
        moved = statistics.median(_moves(browser, link, draw_again(), VISITS))
        words = f"{page}, 129 × 50 × {len(TEN)}: another seed until its first figure is there"
        yield limit(words, moved * 1000, DRAWING * 1000, "ms")


def _turned(browser: Browser, url: str, home: Path, data: irviz.Collection, share: float) -> Iterator[Row]:
    """A key on p of *What if*, which may take a `share` of the time that the largest collection may."""
    key = data_key(data)
    kept = Store(home).share(View.from_texts("what_if", collection=key), title="Some runs", data=data)
    link = f"{url}/what_if?collection={key}&measures={quote(','.join(TEN))}&measure=RBP(p=0.8)&s={kept.id}"
    with server(home, BARE) as bare, page_of(browser) as least, page_of(browser) as bench:
        first_figure(least, bare)
        first_figure(bench, link)
        bench.wait_for_function(STILL, timeout=60_000)
        moves, others = [], []
        for _ in range(VISITS):
            for page, name, taken in ((bench, "p · persistence", moves), (least, "height", others)):
                page.bring_to_front()
                page.get_by_role("slider", name=name).focus()
                taken.append(answers(page, "ArrowLeft", (1, 4) if page is bench else (1,)))
    other = statistics.median(times[0] for times in others)
    for i, (words, most) in enumerate(BENCH.items()):
        words = f"what_if, {len(data.systems)} × 50 × {len(TEN)}: a key on p until {words}"
        taken = statistics.median(times[i] for times in moves)
        yield limit(words, taken * 1000, share * most * 1000, "ms").beside(taken, "one bar chart", other)


def _opened_share(browser: Browser, link: str, bare: str) -> Row:
    """A shared view beside a page with one bar chart and nothing else, visited in turn."""
    visits = [(first_figure_of(browser, link), first_figure_of(browser, bare)) for _ in range(VISITS + 1)]
    shared, least = (statistics.median(times) for times in zip(*visits[1:], strict=True))
    row = limit("shared view of the bundled collection, first figure", shared, SHARED, "s")
    return row.beside(shared, "one bar chart", least)


def _first_page(browser: Browser, url: str) -> float:
    """Seconds from asking for the first page to a figure drawn and nothing running."""
    with page_of(browser) as page:
        start = time.perf_counter()
        first_figure(page, url)
        page.wait_for_selector(IDLE, timeout=60_000)
        return time.perf_counter() - start


def first_figure_of(browser: Browser, url: str) -> float:
    """Seconds from asking for `url` to its first figure, for a browser that was never here."""
    with page_of(browser) as page:
        return first_figure(page, url)


def _moves(browser: Browser, url: str, move: Move, times: int = MOVES) -> list[float]:
    """Seconds of every `move` of a control, to and fro."""
    with page_of(browser) as page:
        first_figure(page, url)
        page.wait_for_function(STILL, timeout=60_000)  # what is typed while a page is drawn again can be lost
        return [move(page, turn % 2 == 0) for turn in range(times)]


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


def draw_again() -> Move:
    """Give a seed that nobody has given before; unfolding the box for it is not timed."""
    seeds = count(1)

    def move(page: Page, up: bool) -> float:
        seed = page.get_by_role("spinbutton", name="Seed", exact=True)
        if not seed.count():
            page.get_by_text("More choices").click()
            page.wait_for_function(STILL, timeout=60_000)
        seed.fill(str(next(seeds)))
        return until_changed(page, "Enter")

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
