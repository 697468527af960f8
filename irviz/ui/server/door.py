"""Accepted requests: a server answers only to its own names and to its own pages.

A foreign name that was made to point here (rebinding), and a page of another server or
port that uses a visitor's browser, are turned away before anything else happens.  A
number is nobody's name: a visitor who reaches the server by its address may.
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

import streamlit as st

from irviz import limits
from irviz.ui.server.asgi import App, Message, Receive, Send, header, refuse
from irviz.ui.server.cookie import is_secure

_EVERYWHERE = ("", "0.0.0.0", "::")
_PORTS = {"http": 80, "https": 443}
MISDIRECTED, FORBIDDEN, NOT_FOUND = 421, 403, 404


class Door:
    """ASGI middleware that lets in requests to this server's own names that come from its own pages."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        host = header(scope, b"host") or ""
        if not is_own(host):
            words = f"This server does not answer to that name. The person who runs it can add it to {limits.HOSTS}."
            await refuse(scope, receive, send, MISDIRECTED, words)
        elif not comes_from(header(scope, b"origin"), host, secure=is_secure(scope)):
            await refuse(scope, receive, send, FORBIDDEN, "Pages of other servers may not use this one.")
        elif scope["path"].endswith("/_stcore/metrics") and not limits.switch("IRVIZ_METRICS"):
            await refuse(scope, receive, send, NOT_FOUND, "There is no such page.")
        else:
            await self.app(scope, receive, send)


def is_own(host: str) -> bool:
    """Whether the name in a ``Host`` header is one that this server answers to."""
    name, _ = split(host)
    if not name:
        return False
    if is_address(name):
        return True
    return any(_matches(name, pattern) for pattern in (*own_names(), *limits.hosts()))


def own_names() -> list[str]:
    """The names that the server was started for."""
    address = str(st.get_option("server.address") or "")
    named = [address, str(st.get_option("browser.serverAddress") or "")]
    if address in _EVERYWHERE:
        named.append(socket.gethostname())
    return ["localhost", *(name.lower() for name in named if name)]


def comes_from(origin: str | None, host: str, *, secure: bool = False) -> bool:
    """Whether a request that names its origin comes from a page of `host`; one that names none is not a browser's.

    >>> comes_from("http://a:8501", "a:8501"), comes_from("http://a:8502", "a:8501"), comes_from("null", "a")
    (True, False, False)
    """
    if origin is None:
        return True
    scheme, _, rest = origin.partition("://")
    if scheme not in _PORTS or (secure and scheme != "https"):
        return False
    (there, port), (here, own) = split(rest), split(host)
    return bool(there) and there == here and (port or _PORTS[scheme]) == (own or _PORTS[scheme])


def split(host: str) -> tuple[str, int | None]:
    """The name of a host in lower case, and its port where it says one; an empty name where it is none.

    >>> split("LocalHost:8501"), split("[::1]:80"), split("a.org."), split("user@a.org"), split("a:b")
    (('localhost', 8501), ('::1', 80), ('a.org', None), ('', None), ('', None))
    """
    try:
        parts = urlsplit(f"//{host}")
        name, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return "", None
    odd = parts.username is not None or parts.path or parts.query or parts.fragment
    return ("", None) if odd else (name, port)


def is_address(name: str) -> bool:
    """Whether a name is a number.

    >>> is_address("127.0.0.1"), is_address("::1"), is_address("localhost")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _matches(name: str, pattern: str) -> bool:
    if pattern.startswith("*."):
        return name.endswith(pattern[1:])
    return pattern in ("*", name)
