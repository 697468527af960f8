"""Files named by a URL: fetched by the command line, within limits, with their checksum said."""

from __future__ import annotations

import gzip
import hashlib
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from irviz.cli import data as fetching
from irviz.cli.main import main
from irviz.errors import IrvizError

QRELS = b"1 0 a 1\n1 0 b 0\n"
RUN = gzip.compress(b"1 Q0 a 1 2.0 t\n", mtime=0)
FILES = {"/qrels": QRELS, "/runs/bm25.gz": RUN, "/q.php?file=1": QRELS}


class Handler(BaseHTTPRequestHandler):
    """Serves `FILES`, and answers that are none."""

    def do_GET(self) -> None:
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/qrels")
            self.end_headers()
        elif self.path == "/to-a-file":
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd")
            self.end_headers()
        elif self.path == "/short":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(QRELS)
        elif self.path == "/slow":
            self.send_response(200)
            self.end_headers()
            for _ in range(100):
                self.wfile.write(b"1 0 a 1\n")
                self.wfile.flush()
                time.sleep(0.05)
        elif self.path in FILES:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(FILES[self.path])
        else:
            self.send_error(404)

    def log_message(self, *_: object) -> None:
        """Nothing: what is asked for is the test's business."""


class Site(ThreadingHTTPServer):
    def handle_error(self, request, client_address) -> None:
        """A client that goes away before its answer is one of these tests; nothing is printed of it."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with Site(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def said(capsys) -> tuple[str, str]:
    found = capsys.readouterr()
    return found.out, found.err


def test_qrels_and_runs_may_be_urls(capsys, site, tmp_path):
    wanted = hashlib.sha256(QRELS).hexdigest()
    data = ["--qrels", f"{site}/qrels#sha256={wanted}", "--runs", f"{site}/runs/bm25.gz", "--measures", "AP"]
    assert main(["score", *data]) == 0
    out, err = said(capsys)
    assert out == "measure,topic,system,score\nAP,1,bm25,1.0\n"
    assert err.splitlines() == [
        f"irviz: fetched {site}/qrels: {len(QRELS)} bytes, sha256 {wanted}",
        f"irviz: fetched {site}/runs/bm25.gz: {len(RUN)} bytes, sha256 {hashlib.sha256(RUN).hexdigest()}",
    ]
    (tmp_path / "bm25").write_bytes(gzip.decompress(RUN))
    mixed = ["--qrels", f"relevance={site}/q.php?file=1", "--runs", str(tmp_path / "bm25"), "--measures", "AP"]
    assert main(["score", *mixed]) == 0
    assert said(capsys)[0] == out
    assert main(["score", "--qrels", f"{site}/q.php?file=1", *mixed[2:]]) == 0


def refused(capsys, url: str) -> str:
    """The last line, without the address."""
    assert main(["lint", "--qrels", url, "--runs", "nowhere"]) == 2
    out, err = said(capsys)
    assert out == ""
    assert "Traceback" not in err
    return err.splitlines()[-1]


def test_what_is_not_there_is_one_line(capsys, site):
    advice = "Check the address, or fetch the file yourself."
    assert refused(capsys, f"{site}/none") == f"irviz: {site}/none: cannot be fetched (Not Found). {advice}"
    assert refused(capsys, "http://127.0.0.1:1/q").startswith("irviz: http://127.0.0.1:1/q: cannot be fetched (")
    assert refused(capsys, "http://[bad/q").startswith("irviz: http://[bad/q: cannot be fetched (")
    assert "cannot be fetched (" in refused(capsys, "http://host.invalid/q")
    assert "cannot be fetched (" in refused(capsys, f"{site}/a b\n")


def test_a_redirection_leads_to_another_site_and_never_to_a_file(capsys, site):
    assert fetching.fetch(f"{site}/moved") == ("moved", QRELS)
    capsys.readouterr()
    assert "is not allowed" in refused(capsys, f"{site}/to-a-file")


def test_another_file_than_expected_is_refused(capsys, site):
    found = refused(capsys, f"{site}/qrels#sha256=00ff")
    assert (
        found
        == f"irviz: {site}/qrels: its sha256 is {hashlib.sha256(QRELS).hexdigest()}, not 00ff. It is another file."
    )


def test_size_and_time_have_limits(capsys, site, monkeypatch):
    assert refused(capsys, f"{site}/short").startswith(f"irviz: {site}/short: ")
    monkeypatch.setattr(fetching, "LONGEST_FETCH", 0.1)
    assert refused(capsys, f"{site}/slow") == (
        f"irviz: {site}/slow: was not complete after 0.1 seconds. Fetch the file yourself."
    )
    monkeypatch.setattr(fetching, "LARGEST_FILE", 10)
    assert refused(capsys, f"{site}/qrels") == (
        f"irviz: {site}/qrels: 0 MB at most are fetched. Fetch the file yourself."
    )


@pytest.mark.parametrize("target", ["http://example.org/q", "ftp://example.org/q"])
def test_no_redirect_leads_from_https_to_where_anybody_may_change_the_file(target):
    request = urllib.request.Request("https://example.org/qrels")
    with pytest.raises(IrvizError, match=r"^https://example\.org/qrels: leads from https to "):
        fetching._SafeRedirects().redirect_request(request, None, 302, "Found", {}, target)
    assert fetching._SafeRedirects().redirect_request(request, None, 302, "Found", {}, "https://example.org/r")
