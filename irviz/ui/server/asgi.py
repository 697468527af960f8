"""The words of ASGI that the middleware here shares: requests, and short answers to them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from html import escape
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

EMPTY_PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>irviz</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="font: 17px/1.6 sans-serif; max-width: 38rem; margin: 12vh auto; padding: 0 1rem; color-scheme: light dark">
<h1 style="font-size: 1.4rem">irviz</h1>{}</body></html>"""
_POLICY_VIOLATION = 1008


def header(scope: Message, name: bytes) -> str | None:
    """A header of a request; None where there is none."""
    return next((value.decode("latin-1") for key, value in scope.get("headers", ()) if key == name), None)


def cookies(scope: Message) -> Iterator[tuple[str, str]]:
    """Every cookie of a request, as it was sent: one that is malformed does not hide its neighbours."""
    for key, value in scope.get("headers", ()):
        if key == b"cookie":
            for pair in value.decode("latin-1").split(";"):
                name, sign, text = pair.strip().partition("=")
                if sign:
                    yield name, text


def is_page(scope: Message) -> bool:
    """Whether a request is for a page, and not for a part of one."""
    path = scope.get("path", "")
    plain = "/_stcore/" not in path and "." not in path.rpartition("/")[2]
    return scope["type"] == "http" and scope.get("method") in ("GET", "HEAD") and plain


async def answer(send: Send, status: int, words: str, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    """A short page of plain words."""
    await answer_html(send, status, EMPTY_PAGE.format(f"<p>{escape(words)}</p>"), more)


async def answer_html(send: Send, status: int, html: str, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    body = html.encode()
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", b"%d" % len(body)), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def refuse(scope: Message, receive: Receive, send: Send, status: int, words: str) -> None:
    """Turn a request away: a page says why, a websocket is closed before it is open."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": words[:120]})
        return
    await answer(send, status, words, ((b"retry-after", b"30"),) if status == 503 else ())
