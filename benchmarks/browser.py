"""How long a person waits in a real browser: the first page, and moving RBP's p.

A server of its own is started and warmed by one visit.  The first page is timed from
the request to a usable figure and menu; the slider from the key press until the figure
in the page has the new number on its axis or in its data.  Needs chromium and
playwright: ``python -m benchmarks browser``.
"""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.error import URLError

from benchmarks.timing import Row, limit
from irviz.errors import IrvizError

ROOT = Path(__file__).resolve().parents[1]
FIRST_PAGE, SLIDER = 4.0, 0.6  # seconds
VISITS, MOVES = 5, 12
FIGURE = ".js-plotly-plot .main-svg .trace"
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
#: what the first drawn heatmap holds, as one text that changes when any number does
NUMBERS = "() => JSON.stringify(document.querySelector('.js-plotly-plot').data[0].z)"


def rows() -> Iterator[Row]:
    """The two bars of the dashboard's interaction."""
    with _server() as url, _browser() as browser:
        _visit(browser, url)  # the first visitor of a process pays for the imports
        first = statistics.median(_visit(browser, url) for _ in range(VISITS))
        yield limit("first page of a warm server, usable", first, FIRST_PAGE, "s")
        moved = statistics.median(_moves(browser, url))
        yield limit("RBP's p moved until the changed heatmap is there", moved * 1000, SLIDER * 1000, "ms")


def _visit(browser, url: str) -> float:
    """Seconds from asking for the first page to a figure drawn and nothing running."""
    with closing(browser.new_context(viewport={"width": 1280, "height": 720})) as context:
        page = context.new_page()
        start = time.perf_counter()
        page.goto(url)
        page.wait_for_selector(FIGURE, state="attached", timeout=60_000)
        page.wait_for_selector(IDLE, timeout=60_000)
        return time.perf_counter() - start


def _moves(browser, url: str) -> list[float]:
    """Seconds from each press of an arrow key on p's slider to other numbers in the heatmap."""
    with closing(browser.new_context(viewport={"width": 1280, "height": 720})) as context:
        page = context.new_page()
        page.goto(f"{url}/similarity")
        page.wait_for_selector(FIGURE, state="attached", timeout=60_000)
        page.wait_for_selector(IDLE, timeout=60_000)
        slider = page.get_by_role("slider", name="p · persistence")
        slider.focus()
        seconds = []
        for move in range(MOVES):
            before = page.evaluate(NUMBERS)
            start = time.perf_counter()
            page.keyboard.press("ArrowLeft" if move < MOVES // 2 else "ArrowRight")
            page.wait_for_function(f"before => ({NUMBERS})() !== before", arg=before, polling="raf", timeout=20_000)
            seconds.append(time.perf_counter() - start)
            page.wait_for_selector(IDLE)
            page.wait_for_timeout(300)
        return seconds


@contextmanager
def _server() -> Iterator[str]:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    process = subprocess.Popen(
        [*command, "--server.address", "127.0.0.1"], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        _await(f"http://127.0.0.1:{port}/_stcore/health", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def _await(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise IrvizError("The dashboard did not start. Run `make app` to see why.")


@contextmanager
def _browser():
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise IrvizError("There is no chromium to measure with. On Debian: apt-get install chromium.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()
