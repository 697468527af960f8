"""A dashboard and a browser to measure with, and waiting for what they draw."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError

from irviz.errors import IrvizError
from irviz.workspace.store import HOME

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[1]
FIGURE = ".js-plotly-plot .main-svg :is(.trace, .hm)"
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
#: A number for each figure in sight, made of all that it holds, which changes when any of it does.  What a figure holds
#: is read once: reading it at every frame would take the browser the time that is measured.  One that has been replaced
#: stays in the page, out of sight, until the run is over.
NUMBERS = """() => {
  const known = (window.known ||= new WeakMap());
  let found = 0;
  const add = value => {
    if (Number.isFinite(value)) found = (Math.imul(found, 31) + Math.round(value * 1e6)) | 0;
    else if (typeof value === "string") for (let i = 0; i < value.length; i++) add(value.charCodeAt(i));
    else if (ArrayBuffer.isView(value) || Array.isArray(value)) for (let i = 0; i < value.length; i++) add(value[i]);
    else if (value instanceof Object) Object.values(value).forEach(add);
  };
  const read = data => { found = 0; add(data); return found; };
  const seen = [...document.querySelectorAll(".js-plotly-plot")].filter(one => one.getClientRects().length);
  return seen.map(({data}) => {
    if (data && !known.has(data)) known.set(data, read(data));
    return known.get(data) ?? 0;
  });
}"""
PAUSE = 0.3  #: seconds without a run after which nothing more is to come
STILL = f"""() => {{
  window.idleSince = document.querySelector('{IDLE}') ? window.idleSince ?? performance.now() : null;
  return window.idleSince !== null && performance.now() - window.idleSince > {1000 * PAUSE};
}}"""
#: how many of the figures are none of those before
CHANGED = f"before => ({NUMBERS})().filter(one => !before.includes(one)).length"
#: whether every figure that is to be drawn is drawn
DRAWN = "() => !document.querySelector('.js-plotly-plot:not(:has(.main-svg))')"


@contextmanager
def page_of(browser: Browser) -> Iterator[Page]:
    """A page of a browser that has never been here."""
    with closing(browser.new_context(viewport={"width": 1280, "height": 720})) as context:
        yield context.new_page()


def first_figure(page: Page, url: str) -> float:
    """Seconds from asking for `url` until its first figure is drawn."""
    start = time.perf_counter()
    page.goto(url)
    page.wait_for_selector(FIGURE, state="attached", timeout=60_000)
    return time.perf_counter() - start


def until_changed(page: Page, key: str) -> float:
    """Seconds from pressing `key` until the figures hold other numbers and are drawn."""
    return answers(page, key, (1,))[0]


def answers(page: Page, key: str, figures: Sequence[int]) -> list[float]:
    """Seconds from pressing `key` until so many `figures` hold other numbers and are drawn; last, until it is idle."""
    before, taken = page.evaluate(NUMBERS), []
    page.evaluate("() => { delete window.idleSince }")  # of the move before
    start = time.perf_counter()
    page.keyboard.press(key)
    for count in figures:
        changed = f"before => ({CHANGED})(before) >= {count} && ({DRAWN})()"
        page.wait_for_function(changed, arg=before, polling="raf", timeout=240_000)
        taken.append(time.perf_counter() - start)
    page.wait_for_function(STILL, polling="raf", timeout=60_000)
    taken.append(time.perf_counter() - start - PAUSE)
    return taken


@contextmanager
def server(home: Path, script: str = "app.py") -> Iterator[str]:
    """A dashboard of its own that keeps shares in `home`, or another `script`: its address."""
    command = [sys.executable, "-m", "streamlit", "run", script]
    with started(command, home, STREAMLIT_SERVER_ADDRESS="127.0.0.1") as (url, _):
        yield url


@contextmanager
def started(command: list[str], home: Path, **environment: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """What answers when `command` is run: its address and its process."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {"PYTHONPATH": str(ROOT), HOME: str(home), "STREAMLIT_SERVER_PORT": str(port)}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **own, **environment},
    )
    try:
        _await(f"http://127.0.0.1:{port}/_stcore/health", process)
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=20)
        process.kill()
        process.wait()


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
def browser() -> Iterator[Browser]:
    """A chromium, driven by playwright."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise IrvizError("There is no chromium to measure with. On Debian: apt-get install chromium.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()
