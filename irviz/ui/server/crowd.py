"""How many may come, and how much they may bring: open pages, and uploads that wait in memory.

A page that was closed gives back what it held after a while, whether or not anybody else
comes: Streamlit itself looks only when the next page is opened.
"""

from __future__ import annotations

import asyncio
import re
import resource
import time
from collections import Counter
from collections.abc import Mapping
from threading import Lock
from typing import Any

from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from irviz.errors import IrvizError
from irviz.limits import limit
from irviz.ui.server.asgi import App, Message, Receive, Send, answer, header, is_page, refuse
from irviz.ui.server.cookie import owner_in
from irviz.ui.text import logger

_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")
_SPARE_FILES = 128  #: file descriptors for everything but open pages
FULL, TOO_LARGE, NO_LENGTH = 503, 413, 411
LOOK_EVERY = 5.0  #: seconds between two looks for closed pages


class Crowd:
    """ASGI middleware that bounds open pages and uploads."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.open: Counter[str] = Counter()  #: pages by owner
        self.coming: Counter[str] = Counter()  #: bytes on their way, by session

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._page(scope, receive, send)
        elif is_page(scope) and self._is_full() and not self.open[owner_in(scope)]:
            words = f"This server is full: {self.open.total():,} pages are open. Try again in a minute."
            await answer(send, FULL, words, ((b"retry-after", b"30"),))
        elif scope["type"] == "http" and scope.get("method") in ("PUT", "POST") and _UPLOAD.search(scope["path"]):
            await self._upload(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _page(self, scope: Message, receive: Receive, send: Send) -> None:
        if self._is_full():
            await refuse(scope, receive, send, FULL, "This server is full. Try again in a minute.")
            return
        owner = owner_in(scope)
        self.open[owner] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.open[owner] -= 1
            self.open += Counter()  # without those at zero

    def _is_full(self) -> bool:
        return self.open.total() >= most_pages()

    async def _upload(self, scope: Message, receive: Receive, send: Send) -> None:
        found = _UPLOAD.search(scope["path"])
        assert found is not None
        session, length = found["session"], header(scope, b"content-length") or ""
        if not (length.isascii() and length.isdigit()):
            await answer(send, NO_LENGTH, "An upload must say how long it is.")
            return
        held = uploads() + self.coming
        for mine, variable, whose in (
            (held[session], "IRVIZ_UPLOAD_MB", "this page holds"),
            (held.total(), "IRVIZ_UPLOADS_MB", "all pages hold"),
        ):
            if mine + int(length) > limit(variable) << 20:
                words = (
                    f"At most {limit(variable):,} MB of files may wait to be loaded; {whose} {mine >> 20:,} MB already."
                )
                await answer(send, TOO_LARGE, words)
                return
        self.coming[session] += int(length)
        try:
            await self.app(scope, receive, send)
        finally:
            self.coming[session] -= int(length)
            self.coming += Counter()


def most_pages() -> int:
    """Pages that may be open at a time; fewer where the system gives too few file descriptors."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, min(limit("IRVIZ_SESSIONS"), (files - _SPARE_FILES) // 2))


# -- what waits in memory ----------------------------------------------------------------

_unpacked: Counter[str] = Counter()  # bytes that files unpacked to and that wait to be loaded, by session
_lock = Lock()


def uploads() -> Counter[str]:
    """Bytes of uploads, as they came and unpacked, by session."""
    files: Mapping[str, Mapping[str, Any]] = getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})
    sizes = {session: sum(len(file.data) for file in dict(held).values()) for session, held in dict(files).items()}
    with _lock:
        return Counter(sizes) + _unpacked


def present_session() -> str:
    """The session whose script runs here."""
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None else context.session_id


def hold(session: str, count: int) -> None:
    """Note what the uploads of a session unpacked to, in place of what was noted before; too much is refused."""
    let_go(session)
    most = limit("IRVIZ_UPLOADS_MB") << 20
    with _lock:
        if _unpacked.total() + count > most:
            raise IrvizError(
                f"The files that wait to be loaded on this server take {_unpacked.total() >> 20:,} MB of the "
                f"{most >> 20:,} MB set aside; these unpack to {count >> 20:,} MB. Try again later, with fewer files."
            )
        _unpacked[session] = count


def let_go(session: str) -> None:
    """The files of a session were loaded, or it ended."""
    with _lock:
        _unpacked.pop(session, None)


def drop_uploads(session: str) -> None:
    """Uploads were loaded: what they were made of is not needed any more."""
    let_go(session)
    if Runtime.exists():
        Runtime.instance().uploaded_file_mgr.remove_session_files(session)


# -- pages that were closed ------------------------------------------------------------------


async def close_left_pages() -> None:
    """For as long as the server runs: end sessions whose page has been closed for long enough."""
    since: dict[str, float] = {}
    while True:
        await asyncio.sleep(LOOK_EVERY)
        try:
            since = _close_left(since)
        except Exception:
            logger.exception("Closed pages could not be looked for")


def _close_left(since: dict[str, float]) -> dict[str, float]:
    """End what was left; since when the others are."""
    if not Runtime.exists():
        return {}
    runtime, now = Runtime.instance(), time.monotonic()
    sessions = [one.session.id for one in runtime._session_mgr.list_sessions()]
    left = [session for session in sessions if not runtime.is_active_session(session)]
    since = {session: since.get(session, now) for session in left}
    ended = [session for session, start in since.items() if now - start >= limit("IRVIZ_LEAVE_SECONDS")]
    for session in ended:
        runtime.close_session(session)
        let_go(session)
    runtime.media_file_mgr.remove_orphaned_files()  # what could be downloaded goes as well, once it had time to be
    return {session: start for session, start in since.items() if session not in ended}
