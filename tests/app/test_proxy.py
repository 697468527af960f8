"""Behind nginx with the very lines of deploy/nginx.conf: under a path, with TLS, beside who floods it."""

from __future__ import annotations

import base64
import hashlib
import http.client
import re
import shutil
import socket
import ssl
import subprocess
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest

from benchmarks.visitor import Visitor
from tests.app.browser.rest import idle

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
AROUND = """daemon off; pid {0}/pid; error_log stderr; events {{ worker_connections 2048; }}
http {{ access_log off;
{1}
"""
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
    server = start_server(home=folder / "home", **told)
    (folder / "conf").write_text(configuration(folder, port, urlsplit(server.url).netloc))
    with (folder / "log").open("wb") as log:
        running = subprocess.Popen([nginx, "-p", str(folder), "-c", str(folder / "conf")], stderr=log)
    url = f"https://localhost:{port}/irviz"
    try:
        _await(url, running, folder / "log")
        yield url
    finally:
        running.terminate()
        running.wait()


def configuration(folder: Path, port: int, process: str) -> str:
    """The file's lines with this test's names, ports and folders, and less patience."""
    lines = CONFIGURATION
    for theirs, ours in (
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("server_name ir.example.org", "server_name localhost"),
        ("/etc/ssl/ir.example.org.pem", str(folder / "pem")),
        ("/etc/ssl/ir.example.org.key", str(folder / "key")),
        ("server 127.0.0.1:8501", f"server {process}"),
        ("client_body_timeout   10s", "client_body_timeout 200ms"),
        ("rate=100r/s", "rate=10r/s"),
        ("burst=4000", "burst=300"),
    ):
        assert theirs in lines
        lines = lines.replace(theirs, ours)
    places = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in TEMPORARY)
    return AROUND.format(folder, places) + lines + "}\n"


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


@cache
def any_certificate() -> ssl.SSLContext:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    return trusting


def opened(url: str):
    return urllib.request.urlopen(url, context=any_certificate(), timeout=10)


def connection(url: str, source: str) -> ssl.SSLSocket:
    """A connection from an address of this machine."""
    place = urlsplit(url)
    plain = socket.create_connection(("127.0.0.1", place.port or 0), timeout=60, source_address=(source, 0))
    return any_certificate().wrap_socket(plain, server_hostname="localhost")


def status(channel: ssl.SSLSocket, url: str, request: str, *headers: str, body: bytes = b"") -> int:
    """The status of the answer to a request; 0 if the connection ends without one."""
    method, path = request.split()
    place = urlsplit(url)
    lines = (f"{method} {place.path}{path} HTTP/1.1", f"Host: {place.netloc}", *headers, "", "")
    channel.sendall("\r\n".join(lines).encode() + body)
    answer = http.client.HTTPResponse(channel, method=method)
    try:
        answer.begin()
        if answer.status != 101:
            answer.read()
    except http.client.BadStatusLine:
        return 0
    return answer.status


WEBSOCKET = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    f"Sec-WebSocket-Key: {'A' * 22}==",
)


def test_floods_slow_bodies_and_many_connections_are_refused_while_others_are_answered(proxied: str):
    """Each from an address of its own."""
    flooded: Counter[int] = Counter()

    def flood() -> None:
        with connection(proxied, "127.0.0.2") as channel:
            while flooded[429] < 100 and flooded.total() < 900:
                flooded[status(channel, proxied, "GET /_stcore/health")] += 1

    with ExitStack() as held:
        answers = Counter(
            status(held.enter_context(connection(proxied, "127.0.0.3")), proxied, "GET /_stcore/stream", *WEBSOCKET)
            for _ in range(200)
        )
        assert answers == {101: 100, 429: 100}
        flooding = Thread(target=flood)
        flooding.start()
        with Visitor(proxied, tls=any_certificate()) as visitor:
            assert visitor.open("scores").figures == 1
        flooding.join()
    assert set(flooded) == {200, 429}
    for length, refused in ((1_000_000, {408, 0}), (401 << 20, {413})):
        with connection(proxied, "127.0.0.4") as channel:
            said = status(channel, proxied, "PUT /_stcore/upload_file/x/1", f"Content-Length: {length}", body=b"x")
            assert said in refused


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
