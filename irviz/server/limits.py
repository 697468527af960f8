"""How many pages may be open, of all visitors and of one, and how many bytes of uploads may wait in memory.

The limits are those of one process; several processes behind a proxy have them each.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import resource
from collections import Counter
from collections.abc import Mapping
from threading import Lock
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from irviz.errors import IrvizError
from irviz.limits import limit
from irviz.server.middleware import is_page, owner_in, refuse

_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/[^/]+$")
_SPARE_FILES = 128  #: file descriptors for everything but open pages
FULL, TOO_MANY, TOO_LARGE, NO_LENGTH, TOO_SLOW = 503, 429, 413, 411, 408
OWNERS_SHARE, ADDRESS_SHARE = 5, 2  #: an owner may have a fifth of the pages, an address half of them
PART_WITHIN = 20.0  #: seconds until the next bytes of an upload must have come


class SessionLimit:
    """Limits open pages, in all and of each owner and address, so that nobody can take those of all others."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.open: Counter[str] = Counter()  #: open pages by owner and by address; "" counts all

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" and not is_page(scope):
            await self.app(scope, receive, send)
            return
        owner, address = owner_in(scope), address_of(scope)
        status, text = self._refusal(owner, address, scope["type"] == "websocket")
        if status:
            await refuse(scope, receive, send, status, text)
        elif scope["type"] == "websocket":
            await self._page({"", owner, address}, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _page(self, counted: set[str], scope: Scope, receive: Receive, send: Send) -> None:
        self.open.update(counted)
        try:
            await self.app(scope, receive, send)
        finally:
            self.open.subtract(counted)
            self.open += Counter()  # without those at zero

    def _refusal(self, owner: str, address: str, opens: bool) -> tuple[int, str]:
        """Status and text for a visitor who may not open a page now; 0 for one who may, or who reloads a page."""
        most = most_pages()
        if owner and self.open[owner] >= max(2, most // OWNERS_SHARE):
            return TOO_MANY, f"{self.open[owner]:,} pages of this server are open in your browser. Close some of them."
        if not opens and owner and self.open[owner]:
            return 0, ""
        if self.open[""] >= most:
            return FULL, f"This server is full: {self.open['']:,} pages are open. Try again in a minute."
        if self.open[address] >= max(2, most // ADDRESS_SHARE):
            return TOO_MANY, f"{self.open[address]:,} pages are open from your network. Try again in a minute."
        return 0, ""


def address_of(scope: Scope) -> str:
    """Address of a visitor, of which proxies that uvicorn trusts have told; of IPv6 the network of 64 bits."""
    host, _ = scope.get("client") or ("", 0)
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return f"from {host}"
    return f"from {ipaddress.ip_network((host, 64), strict=False) if found.version == 6 else found}"


def most_pages() -> int:
    """Pages that may be open at a time; fewer where the system gives too few file descriptors."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, min(limit("IRVIZ_SESSIONS"), (files - _SPARE_FILES) // 2))


# -- uploads -----------------------------------------------------------------------------


class UploadLimit:
    """Limits what uploads hold in memory, counted as it comes: what is only announced takes nobody's room."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.coming: Counter[str] = Counter()  #: bytes that have come of uploads not yet whole, by session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _UPLOAD.search(scope["path"]) if scope["type"] == "http" else None
        if found is None or scope["method"] not in ("PUT", "POST"):
            await self.app(scope, receive, send)
            return
        session, length = found["session"], Headers(scope=scope).get("content-length", "")
        if not (length.isascii() and length.isdigit()):
            await refuse(scope, receive, send, NO_LENGTH, "An upload must say how long it is.")
        elif text := self._excess(session, int(length)):
            await refuse(scope, receive, send, TOO_LARGE, text)
        else:
            await self._take(session, scope, receive, send)

    async def _take(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        came, began = 0, False

        async def counted() -> Message:
            nonlocal came
            message = await asyncio.wait_for(receive(), PART_WITHIN)
            part = len(message.get("body", b""))
            if part and (text := self._excess(session, part)):
                raise _Excess(text)
            came += part
            self.coming[session] += part
            return message

        async def noted(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            await self.app(scope, counted, noted)
        except (TimeoutError, _Excess) as error:
            if not began:
                status, text = (TOO_LARGE, str(error)) if isinstance(error, _Excess) else (TOO_SLOW, "Nothing came.")
                await refuse(scope, receive, send, status, text)
        finally:
            self.coming[session] -= came
            self.coming += Counter()

    def _excess(self, session: str, more: int) -> str:
        """Refusal of so many bytes more, of a page or of all together; "" if there is room."""
        held = uploads() + self.coming
        for mine, variable, whose in (
            (held[session], "IRVIZ_UPLOAD_MB", "this page holds"),
            (held.total(), "IRVIZ_UPLOADS_MB", "all pages hold"),
        ):
            most = limit(variable)
            if mine + more > most << 20:
                return f"At most {most:,} MB of files may wait to be loaded; {whose} {mine >> 20:,} MB already."
        return ""


class _Excess(Exception):
    """An upload for which there is no room any more."""


# -- files that wait to be loaded --------------------------------------------------------------

_unpacked: Counter[str] = Counter()  # bytes that files unpacked to and that wait to be loaded, by session
_lock = Lock()


def uploads() -> Counter[str]:
    """Bytes of uploads, as they came and unpacked, by session."""
    files: Mapping[str, Mapping[str, Any]] = getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})
    sizes = {session: sum(len(file.data) for file in dict(held).values()) for session, held in dict(files).items()}
    with _lock:
        return Counter(sizes) + _unpacked


def present_session() -> str:
    """Session whose script runs here; "" elsewhere."""
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None else context.session_id


def hold(session: str, count: int) -> None:
    """Note what the uploads of a session unpacked to, in place of what was noted before.

    Raises
    ------
    IrvizError
        If all sessions together would hold more than ``IRVIZ_UPLOADS_MB``.
    """
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
    """Note that the files of a session were loaded, or that it ended."""
    with _lock:
        _unpacked.pop(session, None)


def drop_uploads(session: str) -> None:
    """Delete uploads that were loaded."""
    let_go(session)
    if Runtime.exists():
        Runtime.instance().uploaded_file_mgr.remove_session_files(session)
