"""The cookie by which a browser is recognised: issued and signed by this process; no other cookie is accepted.

The cookie says nothing but that it is the same browser: 128 random bits, never shown to
scripts, never sent by other sites.  Under https it bears the prefix ``__Host-``, so that
neither a neighbour nor a network can plant one.  Its name holds the port, because
browsers give all ports of a machine the same cookies.
"""

from __future__ import annotations

import hmac
import re
import secrets

import streamlit as st

from irviz.ui.server.asgi import App, Message, Receive, Send, cookies, is_page

COOKIE = "irviz_owner"
_SECRET = secrets.token_bytes(32)  # what it signs lies in this process's memory, and ends with it
_VALUE = re.compile(r"(?P<owner>[0-9a-f]{32})\.(?P<seal>[0-9a-f]{64})")
_HEADER = b"x-irviz-owner"  # from the door to the page; what a request says itself is thrown away
_AGE = 30 * 24 * 3600


class OwnerCookie:
    """ASGI middleware that gives a browser its cookie with the first page, and tells pages whose they are."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        owner = owner_in(scope)
        told = [pair for pair in scope.get("headers", ()) if pair[0] != _HEADER]
        scope["headers"] = [*told, (_HEADER, owner.encode())] if owner else told

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_document(scope, message):
                message["headers"] = [*message["headers"], (b"set-cookie", new_cookie(scope))]
            await send(message)

        await self.app(scope, receive, send if owner or scope["type"] == "websocket" else with_cookie)


def name_of(scope: Message) -> str:
    """What the cookie is called for requests such as this one."""
    _, port = scope.get("server") or ("", None)
    return f"{'__Host-' if is_secure(scope) else ''}{COOKIE}_{port or 0}"


def is_secure(scope: Message) -> bool:
    """Whether the browser asked by https; a trusted proxy's word for it is in the scheme already."""
    return scope.get("scheme") in ("https", "wss")


def new_cookie(scope: Message, owner: str | None = None, age: int = _AGE) -> bytes:
    """A ``Set-Cookie`` header for a new owner."""
    ends = f"; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}" + ("; Secure" if is_secure(scope) else "")
    return f"{name_of(scope)}={sealed(owner or secrets.token_hex(16))}{ends}".encode()


def owner_in(scope: Message) -> str:
    """Whose browser this is; nothing where it sent no cookie that this process issued."""
    name = name_of(scope)
    values = (_VALUE.fullmatch(text) for key, text in cookies(scope) if key == name)
    return next((found["owner"] for found in values if found and is_ours(found["owner"], found["seal"])), "")


def sealed(owner: str) -> str:
    return f"{owner}.{hmac.digest(_SECRET, owner.encode(), 'sha256').hex()}"


def is_ours(owner: str, seal: str) -> bool:
    return hmac.compare_digest(seal, sealed(owner).partition(".")[2])


def present_owner() -> str:
    """Whose session this is; nothing where the browser sent no cookie of ours."""
    value = st.context.headers.get(_HEADER.decode(), "")
    return value if isinstance(value, str) else ""


def _is_document(scope: Message, answer: Message) -> bool:
    """Whether a browser gets a page; one that still has it gets 304, without content and its type."""
    kind = next((value for name, value in answer["headers"] if name.lower() == b"content-type"), b"")
    return bool(kind.startswith(b"text/html") or (answer["status"] == 304 and is_page(scope)))
