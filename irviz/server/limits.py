"""How many pages may be open, of all visitors and of one, and how many bytes of uploads may wait in memory.

The limits are those of one process; several processes behind a proxy have them each.
"""

from __future__ import annotations

import asyncio
import re
import resource
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import Runtime

from irviz.errors import IrvizError
from irviz.limits import MEMORY, OverMemory, limit
from irviz.server.middleware import (
    MOST_PARTS,
    Layer,
    Rates,
    Refusal,
    address_of,
    is_page,
    owner_in,
    present_address,
    present_owner,
    take,
)
from irviz.workspace.job import span

_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")
_SPARE_FILES = 128  #: file descriptors for everything but open pages
FULL, TOO_MANY, TOO_LARGE, NO_LENGTH, TOO_SLOW = 503, 429, 413, 411, 408
OWNERS_SHARE, ADDRESS_SHARE = 5, 2  #: an owner may have a fifth of the pages, an address half of them
_AROUND = 1_000  #: bytes
UPLOADS = (100.0, 4000.0)  #: files that may come from an address: in every second, and at once
PART_WITHIN = 20.0  #: seconds until the next bytes of an upload must have come


class SessionLimit(Layer):
    """Limits open pages, in all and of each owner and address, so that nobody can take those of all others."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app)
        self.open: Counter[str] = Counter()  #: open pages by owner and by address; "" counts all

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        owner, address, opens = owner_in(scope), address_of(scope), scope["type"] == "websocket"
        if opens or is_page(scope):
            self._check(owner, address, opens)
        counted = {"", owner, address} if opens else set()
        self.open.update(counted)
        try:
            await self.app(scope, receive, send)
        finally:
            self.open.subtract(counted)
            self.open += Counter()  # without those at zero

    def _check(self, owner: str, address: str, opens: bool) -> None:
        """Refuse a visitor who may not open a page now; one who reloads a page may."""
        most, own_pages = most_pages(), self.open[owner] if owner else 0
        if own_pages >= max(2, most // OWNERS_SHARE):
            raise Refusal(TOO_MANY, f"{own_pages:,} pages of this server are open in your browser. Close some of them.")
        if own_pages and not opens:
            return
        if self.open[""] >= most:
            raise Refusal(FULL, f"This server is full: {self.open['']:,} pages are open. Try again in a minute.")
        if self.open[address] >= max(2, most // ADDRESS_SHARE):
            text = f"{self.open[address]:,} pages are open from your network. Try again in a minute."
            raise Refusal(TOO_MANY, text)


def most_pages() -> int:
    """Pages that may be open at a time; fewer where the system gives too few file descriptors."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, min(limit("IRVIZ_SESSIONS"), (files - _SPARE_FILES) // 2))


# -- uploads -----------------------------------------------------------------------------


class UploadLimit(Layer):
    """Limits what uploads hold in memory, counted as it comes: what is only announced takes nobody's room."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app)
        self._rates = Rates(UPLOADS)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _UPLOAD.search(scope["path"]) if scope["type"] == "http" else None
        if found is None or scope["method"] not in ("PUT", "POST", "DELETE"):
            await self.app(scope, receive, send)
            return
        session, length = found["session"], Headers(scope=scope).get("content-length", "")
        if scope["method"] != "DELETE":
            if not (length.isascii() and length.isdigit()):
                raise Refusal(NO_LENGTH, "An upload must say how long it is.")
            if not take(self._rates.buckets_of(address_of(scope)), 1):
                raise Refusal(TOO_MANY, "Too many files come from your network. Try again in a minute.")
            if Runtime.exists() and len(waiting().get(session, ())) >= MOST_PARTS:
                text = f"At most {MOST_PARTS:,} files may wait to be loaded. Pack them into an archive."
                raise Refusal(TOO_LARGE, text)
            check_room(session, int(length))
        came = 0

        async def receive_part() -> Message:
            nonlocal came
            message = await asyncio.wait_for(receive(), PART_WITHIN)
            part = len(message.get("body", b""))
            if part:
                check_room(session, part)
            MEMORY.charge(("upload", session), part)
            came += part
            coming[session] += part
            return message

        try:
            await self.app(scope, receive_part, send)
        except TimeoutError as error:
            raise Refusal(TOO_SLOW, f"Nothing came for {PART_WITHIN:.0f} seconds.") from error
        except OverMemory as error:
            raise Refusal(TOO_LARGE, str(error)) from error
        finally:
            coming[session] -= came
            settle(session)


coming: Counter[str] = Counter()  #: bytes that have come of uploads not yet whole, by session


def check_room(session: str, more: int) -> None:
    """Refuse so many bytes more, of a page or of all together, where there is no room."""
    for held, variable, whose in (
        (MEMORY.bytes_of(("upload", session)), "IRVIZ_UPLOAD_MB", "this page holds"),
        (MEMORY.total("upload"), "IRVIZ_UPLOADS_MB", "all pages hold"),
    ):
        most = limit(variable)
        if held + more > most << 20:
            text = f"At most {most:,} MB of files may wait to be loaded; {whose} {held >> 20:,} MB already."
            raise Refusal(TOO_LARGE, text)


def waiting() -> Mapping[str, Mapping[str, Any]]:
    """Uploads that have come whole, by session."""
    return getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})


def uploads() -> Counter[str]:
    """Their bytes, names and what stands around them included."""
    sizes: Counter[str] = Counter()
    for session, held in dict(waiting()).items():
        sizes[session] = sum(len(file.data) + len(file.name) + _AROUND for file in dict(held).values())
    return sizes


def settle(session: str) -> None:
    """Count what a session holds of uploads now."""
    if coming[session] <= 0:
        del coming[session]
    held = coming[session] + (uploads()[session] if Runtime.exists() else 0)
    with suppress(OverMemory):  # by what stands around the last file
        MEMORY.charge(("upload", session), held - MEMORY.bytes_of(("upload", session)))


def hold(session: str, count: int) -> None:
    """Charge what the uploads of a session unpacked to, in place of what was charged before.

    Raises
    ------
    OverMemory
        If everybody together would have more than ``IRVIZ_MEMORY_MB``.
    """
    MEMORY.release(("unpacked", session))
    MEMORY.charge(("unpacked", session), count)


def let_go(session: str) -> None:
    """Give back the memory of a session's files: they were loaded, or it ended."""
    MEMORY.release(("unpacked", session))
    settle(session)


def drop_uploads(session: str) -> None:
    """Delete uploads that were loaded."""
    if Runtime.exists():
        Runtime.instance().uploaded_file_mgr.remove_session_files(session)
    let_go(session)


# -- answers to shares -------------------------------------------------------------------

_reply_rates = Rates(
    (1 / 60, 5.0), (1 / 10, 30.0)
)  #: answers of an owner, and of an address: in every second, and at once


def count_reply() -> None:
    """Count an answer of the present visitor.

    Raises
    ------
    IrvizError
        If their browser or their network gave too many.
    """
    if not take(_reply_rates.buckets_of(present_owner(), present_address()), 1):
        raise IrvizError("Too many answers come from this browser or network. Try again in a minute.")


# -- refused files -----------------------------------------------------------------------

LONGEST_WAIT = 60.0  #: seconds until somebody whose files were refused may try again
_refusal_rates = Rates((0.05, 5.0), (0.1, 20.0))  #: seconds of computing, of an owner and of an address, as for answers


@contextmanager
def refusable() -> Iterator[None]:
    """Note what files cost their owner and their address if they are refused here.

    Raises
    ------
    IrvizError
        Before anything is read, while one of the two has to wait because of what was refused before.
    """
    buckets = _refusal_rates.buckets_of(present_owner(), present_address())
    for bucket in buckets:
        if not bucket.holds(0):
            again = f"Try again in {span(-bucket.tokens / bucket.rate)}."
            raise IrvizError(f"Files from this browser or network were refused too often. {again}")
    began = time.thread_time()
    try:
        yield
    except IrvizError:
        for bucket in buckets:
            bucket.tokens = max(-LONGEST_WAIT * bucket.rate, bucket.tokens - (time.thread_time() - began))
        raise
