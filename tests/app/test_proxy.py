"""Behind a proxy, under a path, TLS ended by the proxy: nginx with the very lines of docs/deploying.md.

Two processes of one home and one secret answer behind it.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import shutil
import socket
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from benchmarks.visitor import Visitor
from tests.app.browser.rest import idle

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
AROUND = """daemon off; pid {0}/pid; error_log stderr; events {{}}
http {{ log_format upstream "$uri $upstream_addr"; access_log {0}/access upstream;
{1}
"""
PROCESSES = 2
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> Path:
    """A certificate of this machine's own, the key beside it."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed: nothing was tried behind a proxy (apt-get install openssl).")
    folder = tmp_path_factory.mktemp("nginx")
    make = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*make, "-keyout", folder / "key", "-out", folder / "pem"], check=True, capture_output=True)
    return folder / "pem"


@pytest.fixture(scope="module")
def proxied(start_server, certificate: Path) -> Iterator[str]:
    """Where a dashboard answers through nginx."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        pytest.skip("nginx is not installed: nothing was tried behind a proxy (apt-get install nginx-light).")
    folder = certificate.parent
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = {"STREAMLIT_SERVER_BASE_URL_PATH": "/irviz", "IRVIZ_HOSTS": "localhost"}
    told["STREAMLIT_SERVER_COOKIE_SECRET"] = secrets.token_hex()
    servers = [start_server(home=folder / "home", **told) for _ in range(PROCESSES)]
    (folder / "conf").write_text(configuration(folder, port, [urlsplit(server.url).netloc for server in servers]))
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen([nginx, "-p", str(folder), "-c", str(folder / "conf")], stderr=log)
    url = f"https://localhost:{port}/irviz"
    try:
        _await(url, running, folder / "log")
        yield url
    finally:
        running.terminate()
        running.wait()


def configuration(folder: Path, port: int, processes: list[str]) -> str:
    """The page's lines with this test's names, ports and files, and those of its processes that run."""
    block = re.search(r"```nginx\n(.*?)```", PAGE, re.DOTALL)
    assert block is not None
    said = block[1]
    for theirs, ours in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("server_name ir.example.org", "server_name localhost"),
        ("/etc/ssl/ir.example.org.pem", str(folder / "pem")),
        ("/etc/ssl/ir.example.org.key", str(folder / "key")),
    ):
        assert theirs in said
        said = said.replace(theirs, ours)
    said, count = re.subn(r"    server 127\.0\.0\.1:\d+;.*\n", "", said)
    assert count == 4
    lines = "".join(f"    server {process};\n" for process in processes)
    said = said.replace("    hash $irviz_visitor consistent;\n", f"    hash $irviz_visitor consistent;\n{lines}")
    places = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in TEMPORARY)
    return AROUND.format(folder, places) + said + "}\n"


@pytest.fixture
def trusting(proxied: str, chromium: str, browser, certificate: Path) -> Iterator[Any]:
    """A browser for which the test's certificate is a good one.

    Playwright's `ignore_https_errors` begins every request anew after the error; Chromium gives up
    some of many at once.
    """
    openssl = shutil.which("openssl")
    assert openssl is not None
    key = subprocess.run([openssl, "x509", "-in", certificate, "-noout", "-pubkey"], check=True, capture_output=True)
    der = subprocess.run(
        [openssl, "pkey", "-pubin", "-outform", "der"], input=key.stdout, check=True, capture_output=True
    )
    pin = base64.b64encode(hashlib.sha256(der.stdout).digest()).decode()
    opened = browser.browser_type.launch(
        executable_path=chromium,
        args=["--no-sandbox", "--disable-dev-shm-usage", f"--ignore-certificate-errors-spki-list={pin}"],
    )
    yield opened
    opened.close()


def _await(url: str, running: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and running.poll() is None:
        try:
            opened(f"{url}/_stcore/health").close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"nginx does not answer: {log.read_text()}")


def any_certificate() -> ssl.SSLContext:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    return trusting


def opened(url: str):
    return urllib.request.urlopen(url, context=any_certificate(), timeout=10)


def test_what_a_browser_left_is_found_again_by_the_process_that_has_it(proxied: str, certificate: Path):
    """The last view is in the memory of one process; eight browsers come to both, or else some more do."""
    used: set[str] = set()
    for number in range(40):
        with Visitor(proxied, tls=any_certificate()) as first:
            assert first.open("scores", show=("box", "ranking")[number % 2]).figures == 1
        with Visitor(proxied, first.headers, tls=any_certificate()) as again:
            assert "Continue with your last view: Scores" in again.open("").buttons
        used = set(re.findall(r"_stcore/stream (\S+)", (certificate.parent / "access").read_text()))
        if len(used) == PROCESSES and number >= 7:
            break
    assert len(used) == PROCESSES


def test_headers_and_cookie_are_those_of_a_site_with_https(proxied: str):
    with opened(f"{proxied}/scores") as answer:
        assert answer.headers["x-frame-options"] == "DENY"
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "; Secure" in answer.headers["set-cookie"]


def test_pages_open_and_the_menu_stays_under_the_path(proxied: str, trusting):
    page = trusting.new_page()
    answered: dict[str, int] = {}
    failed: dict[str, str] = {}
    page.on("response", lambda response: answered.update({response.url: response.status}))
    page.on("requestfailed", lambda request: failed.update({request.url: request.failure}))
    page.goto(f"{proxied}/scores")
    page.get_by_role("heading", name="Scores").wait_for(timeout=60_000)
    idle(page)
    page.get_by_role("link", name="Similarity").click()
    page.get_by_role("heading", name="Similarity").wait_for(timeout=60_000)
    page.wait_for_url(re.compile(re.escape(f"{proxied}/similarity?v=")), timeout=60_000)
    sought = f"{proxied}/scores/_stcore/"  # Streamlit looks for its server under the page's own path first
    assert {url: status for url, status in answered.items() if status >= 400 and not url.startswith(sought)} == {}
    given_up = {url: why for url, why in failed.items() if not why.endswith("net::ERR_ABORTED")}  # by the page itself
    assert {url: why for url, why in given_up.items() if url not in answered} == {}
