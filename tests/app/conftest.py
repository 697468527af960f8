"""A running dashboard and a real browser, for the tests marked ``browser``.

Without chromium those tests are skipped, and say so; with IRVIZ_REQUIRE_BROWSER=1 they
fail instead, so that continuous integration cannot pass by leaving them out.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest

ROOT = Path(__file__).resolve().parents[2]
APP = (sys.executable, "-m", "irviz", "app")
#: Chromium without what a screen needs (Debian's package of that name) starts faster; either will do
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
PATIENCE = 120.0  # seconds until a server must have answered, or a page must show what a test waits for
#: A test leaves a page before compiling its scripts for speed has paid; what is compiled, the next test uses.
SOON = "--js-flags=--no-opt --no-maglev --no-flush-bytecode --min-semi-space-size=64 --max-semi-space-size=128"


@dataclass(frozen=True)
class Server:
    """A dashboard of its own: where it answers, where it keeps things, what it logs."""

    url: str
    home: Path
    log: Path
    process: subprocess.Popen[bytes]


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser; skips, or fails where a browser is required, without one."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        message = "chromium is not installed: nothing was tried in a real browser (apt-get install chromium)."
        if os.environ.get("IRVIZ_REQUIRE_BROWSER") == "1":
            pytest.fail(message)
        pytest.skip(message)
    return found


@pytest.fixture(scope="session")
def browser(chromium: str):
    """A playwright browser; make a context or a page of it in the test."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE * 1000)  # as of everything else that is waited for
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage", SOON]
        )
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def person(browser) -> Callable[..., AbstractContextManager[Any]]:
    """``with person(width, height) as page``: the page of someone new, with nothing in common with anybody else.

    `touched`: by a finger instead of a mouse; `known`: someone who may have been here before, and whose tab may still
    show the dashboard (`rest.follow`).  The page notes `dialogs` (there must be none), the console's `errors` and,
    where `asking`, what it `asked` for, which takes a while.  Tabs are handed on, without cookies and storage to who is
    not known: a new one compiles all scripts anew.
    """
    left: dict[bool, list[Any]] = {False: [], True: []}
    left_in: dict[Any, str] = {}  # the colours that a tab was last drawn in

    @contextmanager
    def come(
        width: int = 1280,
        height: int = 720,
        touched: bool = False,
        known: bool = False,
        scheme: str = "light",
        asking: bool = False,
    ) -> Iterator[Any]:
        page = left[touched].pop() if left[touched] else _tab(browser, has_touch=touched, is_mobile=touched)
        if not known:
            _forget(page)
        if left_in.get(page) != scheme and page.url != "about:blank":
            page.goto("about:blank")  # a dashboard draws again when its colours change, and may miss a link meanwhile
        left_in[page] = scheme
        page.dialogs, page.asked, page.errors = [], [], []
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="no-preference")

        def heard(request: Any) -> None:
            page.asked.append(request.url)

        if asking:
            page.on("request", heard)
        yield page
        if asking:
            page.remove_listener("request", heard)
        assert page.dialogs == []
        if not known:
            _forget(page)
        left[touched].append(page)

    return come


def _forget(page: Any) -> None:
    """Leave the dashboard, and nothing in the tab."""
    if page.url.startswith("http"):
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    if page.url != "about:blank":
        page.goto("about:blank")
    page.context.clear_cookies()


@pytest.fixture(scope="session")
def file_page(browser) -> Callable[..., AbstractContextManager[Any]]:
    """``with file_page() as page``: a page for files; in a dashboard's tab, scripts would be compiled anew after it."""

    @contextmanager
    def read(**how: Any) -> Iterator[Any]:
        page = _tab(browser, **how)
        page.dialogs, page.asked, page.errors = [], [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        yield page
        assert page.dialogs == []
        page.context.close()

    return read


@pytest.fixture(scope="session")
def axe() -> str:
    """The script that holds a page against rules for accessibility."""
    return Path(pytest.importorskip("axe_playwright_python").__file__).with_name("axe.min.js").read_text()


def _tab(browser, **how: Any) -> Any:
    context = browser.new_context(**how)
    context.set_default_timeout(PATIENCE * 1000)  # of loading a page, too
    page = context.new_page()
    page.on("dialog", lambda dialog: (page.dialogs.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    return page


@pytest.fixture(scope="module")
def start_server(tmp_path_factory) -> Iterator[Callable[..., Server]]:
    """Start a dashboard with an empty home, or the `home` given; further names go into its environment.

    `command` takes the place of ``python -m irviz app``, `folder` that of the repository.  It ends with the module:
    one that nobody asks looks after its sessions all the same.
    """
    with _starting(tmp_path_factory) as start:
        yield start


@pytest.fixture(scope="session")
def server(tmp_path_factory) -> Iterator[Server]:
    """The dashboard that browser tests share."""
    with _starting(tmp_path_factory) as start:
        yield start()


@contextmanager
def _starting(tmp_path_factory) -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def start(
        home: Path | None = None, command: Sequence[str] = APP, folder: Path = ROOT, **environment: str
    ) -> Server:
        kept = tmp_path_factory.mktemp("server")
        server = _start(home or kept / "home", kept / "log.txt", command, folder, environment)
        servers.append(server)
        _await(server)
        return server

    try:
        yield start
    finally:
        for server in servers:
            server.process.terminate()
        for server in servers:
            _await_end(server.process)


def _start(home: Path, log: Path, command: Sequence[str], folder: Path, environment: dict[str, str]) -> Server:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, "STREAMLIT_SERVER_PORT": str(port), "IRVIZ_HOME": str(home), **environment},
        )
    path = environment.get("STREAMLIT_SERVER_BASE_URL_PATH", "")
    return Server(f"http://127.0.0.1:{port}{path}", home, log, process)


def _await(server: Server) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"The dashboard did not start. Its log:\n{server.log.read_text(errors='replace')}")


def _await_end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
