"""Visitors who mean harm, one of each kind that once stopped a server; the soak runs them beside its crowd."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import secrets
import struct
import threading
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from multiprocessing.sharedctypes import SynchronizedArray
from multiprocessing.synchronize import Event
from urllib.error import URLError

from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import WebSocketException

from benchmarks.visitor import Visitor

_PAUSE = 2.0  #: seconds between two attempts of one attacker


def flood(url: str) -> None:
    """400 requests to draw a page, at once."""
    message = BackMsg()
    message.rerun_script.page_name = "scores"
    with Visitor(url, patience=10) as visitor:
        for _ in range(400):
            visitor.send(message)
        visitor.wait()


def announced_frames(url: str) -> None:
    """Six messages of 150 MB of which 3 MB come."""
    with ExitStack() as pages:
        opened = [pages.enter_context(Visitor(url, patience=10)) for _ in range(6)]
        for visitor in opened:
            visitor.raw(struct.pack("!BBQ", 0x82, 0x80 | 127, 150 << 20) + bytes(4) + bytes(3 << 20))
        for visitor in opened:
            visitor.wait()


def unclosed_metadata(url: str) -> None:
    """Twenty runs of beginnings of metadata that never end."""
    _load(url, "a.zip", _unclosed())


@cache  # an attacker has a processor of their own to pack it
def _unclosed() -> bytes:
    runs = {f"{i}.run": b"# ir_metadata.start\n" * 3_300 + b"1 Q0 a 1 1 x\n" for i in range(20)}
    return _zip({"qrels.txt": b"1 0 a 1\n", **runs})


def sparse_files(url: str) -> None:
    """5,000 topics and 200 runs with a line each, and one list of 1,000."""
    _load(url, "a.zip", _sparse())


@cache
def _sparse() -> bytes:
    qrels = b"".join(b"%d 0 a 1\n" % topic for topic in range(5_000))
    runs = {f"{i}.run": b"1 Q0 a 1 1 x\n" for i in range(200)}
    runs["0.run"] = b"".join(b"1 Q0 d%d %d %d x\n" % (i, i, 1_000 - i) for i in range(1_000))
    return _zip({"qrels.txt": qrels, **runs})


def long_header(url: str) -> None:
    """A saved collection whose header unpacks to 60 MB."""
    _load(url, "a.irviz", _long())


@cache
def _long() -> bytes:
    return _zip({"collection.json": b'{"systems": [' + b'"a",' * 15_000_000 + b'"a"]}'})


KINDS: tuple[Callable[[str], None], ...] = (flood, announced_frames, unclosed_metadata, sparse_files, long_header)


@contextmanager
def attacked(url: str) -> Iterator[dict[str, int]]:
    """One attacker of each kind, until the end of the block; the number of attempts of each, known when it has ended.

    They have a process of their own: what they cost themselves is not measured with the visitors' answers.
    """
    apart, tries = multiprocessing.get_context("spawn"), dict.fromkeys((kind.__name__ for kind in KINDS), 0)
    over, counts = apart.Event(), apart.Array("i", len(KINDS))
    process = apart.Process(target=_attack, args=(url, over, counts), daemon=True)
    process.start()
    try:
        yield tries
    finally:
        over.set()
        process.join()
        tries.update(zip(tries, counts, strict=True))


def _attack(url: str, over: Event, counts: SynchronizedArray[int]) -> None:
    def work(number: int, kind: Callable[[str], None]) -> None:
        while not over.is_set():
            with contextlib.suppress(WebSocketException, URLError, OSError, TimeoutError):  # how the server ends it
                kind(url)
            counts[number] += 1
            over.wait(_PAUSE)

    threads = [threading.Thread(target=work, args=one, daemon=True) for one in enumerate(KINDS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _load(url: str, name: str, data: bytes) -> None:
    """Upload a file as the page *Collection* does, and press the button that loads it, if there is one."""
    with Visitor(url, patience=60) as visitor:
        answer = visitor.open("collection")
        file = secrets.token_hex(8)
        _put(visitor, f"{url}/_stcore/upload_file/{answer.session}/{file}", name, data)
        visitor.ask_upload(answer.uploaders[0], file, name, len(data))
        found = visitor.wait()
        for label, button in found.buttons.items():
            if label.startswith(("Load ", "Open")) and label != "Open your own data":
                visitor.ask_press(button)
                visitor.wait()


def _put(visitor: Visitor, url: str, name: str, data: bytes) -> None:
    with urllib.request.urlopen(f"{visitor.url}/_stcore/health") as health:
        token = str(health.headers["set-cookie"]).partition(";")[0]
    body = (
        f'--b\r\nContent-Disposition: form-data; name="f"; filename="{name}"\r\n\r\n'.encode() + data + b"\r\n--b--\r\n"
    )
    headers = {
        "Cookie": f"{token}; {visitor.headers.get('Cookie', '')}",
        "X-Xsrftoken": token.partition("=")[2],
        "Content-Type": "multipart/form-data; boundary=b",
    }
    urllib.request.urlopen(urllib.request.Request(url, body, headers, method="PUT"), timeout=60).close()


def _zip(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts.items():
            file.writestr(name, data)
    return out.getvalue()
