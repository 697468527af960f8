"""Whose data are whose: a random cookie by which a browser finds again what it loaded.

Streamlit's sessions end with the page; without this, reloading would lose an upload.
The cookie says nothing but that it is the same browser: 128 random bits, never shown
to scripts, never sent by other sites.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from threading import Lock

import streamlit as st

from irviz.ui.server.headers import Message, Receive, Send
from irviz.workspace.context import Opened

COOKIE = "irviz_owner"
MOST_EACH = 8  #: data one browser keeps
MOST_BYTES = 4 << 30  #: of everybody's data together
_VALID = re.compile(r"[0-9a-f]{32}")


class OwnerCookie:
    """ASGI middleware that gives a browser its cookie with the first page."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _owner_in(scope):
            await self.app(scope, receive, send)
            return

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(message):
                message["headers"] = [*message["headers"], (b"set-cookie", new_cookie(scope.get("scheme") == "https"))]
            await send(message)

        await self.app(scope, receive, with_cookie)


def new_cookie(secure: bool) -> bytes:
    """A ``Set-Cookie`` header for a new owner."""
    ends = "; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000" + ("; Secure" if secure else "")
    return f"{COOKIE}={secrets.token_hex(16)}{ends}".encode()


def present_owner() -> str:
    """Whose session this is; nothing where the browser sent no cookie."""
    value = st.context.cookies.get(COOKIE, "")
    return value if isinstance(value, str) and _VALID.fullmatch(value) else ""


class Belongings:
    """What every owner loaded, in this process only; the longest unused goes first when space runs out."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = most
        self._kept: OrderedDict[tuple[str, str], Opened] = OrderedDict()
        self._lock = Lock()

    def of(self, owner: str) -> dict[str, Opened]:
        """Everything of one owner, by key."""
        with self._lock:
            mine = [key for key in self._kept if key[0] == owner] if owner else []
            for key in mine:
                self._kept.move_to_end(key)
            return {key[1]: self._kept[key] for key in mine}

    def keep(self, owner: str, opened: Opened) -> None:
        if not owner:
            return
        with self._lock:
            self._kept.pop((owner, opened.key), None)
            self._kept[owner, opened.key] = opened
            mine = [key for key in self._kept if key[0] == owner]
            for key in mine[:-MOST_EACH]:
                del self._kept[key]
            while len(self._kept) > 1 and sum(map(size_of, self._kept.values())) > self.most:
                self._kept.popitem(last=False)


def size_of(opened: Opened) -> int:
    """Bytes of the arrays behind opened data."""
    if opened.collection is not None:
        return opened.collection.ranking.nbytes + opened.collection.labels.nbytes
    return opened.imported.values.nbytes if opened.imported is not None else 0


@st.cache_resource(show_spinner=False)
def belongings() -> Belongings:
    """The one of this process."""
    return Belongings()


def _owner_in(scope: Message) -> bool:
    for name, value in scope.get("headers", []):
        if name == b"cookie":
            try:
                found = SimpleCookie(value.decode("latin-1")).get(COOKIE)
            except CookieError:
                return False
            return bool(found and _VALID.fullmatch(found.value))
    return False


def _is_page(message: Message) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in message["headers"])
