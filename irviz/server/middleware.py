"""Layers in front of the pages, outermost first; ``SECURITY.md`` lists what they promise."""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from hashlib import sha256
from html import escape
from urllib.parse import urlsplit

import streamlit as st
from itsdangerous import BadSignature, Signer
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from irviz import limits
from irviz.publish.report import script_digest
from irviz.server.internals import INLINE_SCRIPTS, is_known
from irviz.server.session_store import owner_store

POLICY_VIOLATION = 1008  #: code of a websocket that is closed because of what it did
EMPTY_PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>irviz</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="font: 17px/1.6 sans-serif; max-width: 38rem; margin: 12vh auto; padding: 0 1rem; color-scheme: light dark">
<h1 style="font-size: 1.4rem">irviz</h1>{}</body></html>"""


class Refusal(Exception):
    """Raised by a layer: the status of the answer, and what it says."""


class Layer:
    """ASGI middleware; only requests and websockets come to :meth:`handle`, which may raise :class:`Refusal`."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("headers", [])  # may be left out
        try:
            await (self.app if scope["type"] == "lifespan" else self.handle)(scope, receive, send)
        except Refusal as refused:
            await refuse(scope, receive, send, *refused.args)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        raise NotImplementedError


async def refuse(scope: Scope, receive: Receive, send: Send, status: int, text: str) -> None:
    """Refuse a request: a page says why, a websocket is closed before it is open."""
    if scope["type"] == "websocket":
        await WebSocketClose(POLICY_VIOLATION, text[:120])(scope, receive, send)
        return
    await HTMLResponse(EMPTY_PAGE.format(f"<p>{escape(text)}</p>"), status)(scope, receive, send)


# -- headers ---------------------------------------------------------------------------------

POLICY = (
    "default-src 'self'; script-src 'self' {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self' ws: wss:; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors {frames}"
)


def security_headers(scripts: str) -> dict[str, str]:
    """Headers of every answer: scripts with these digests may run, and the sites that are allowed may embed a page."""
    allowed = limits.frames()
    headers = {
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",  # a link holds the whole view
        "permissions-policy": "camera=(), microphone=(), geolocation=()",
        "content-security-policy": POLICY.format(scripts=scripts, frames=" ".join(allowed) or "'none'"),
    }
    if allowed in ((), ("'self'",)):
        headers["x-frame-options"] = "SAMEORIGIN" if allowed else "DENY"
    return headers


class SecurityHeaders(Layer):
    """Adds :func:`security_headers` to every answer, and to a page the addresses of scripts that it will need."""

    def __init__(self, app: ASGIApp, scripts: Sequence[str], early: Sequence[str]) -> None:
        super().__init__(app)
        self.scripts = " ".join(map(script_digest, (*INLINE_SCRIPTS, *scripts)))
        self.early = ", ".join(f"<./static/js/{name}>; rel=modulepreload" for name in early)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, text in security_headers(self.scripts).items():
                    headers.setdefault(name, text)
                if self.early and headers.get("content-type", "").startswith("text/html"):
                    headers.append("link", self.early)
            await send(message)

        await self.app(scope, receive, with_headers)


# -- own names, own pages ----------------------------------------------------------------------

_EVERYWHERE = ("", "0.0.0.0", "::")
_PORTS = {"http": 80, "https": 443}
MISDIRECTED, FORBIDDEN, NOT_FOUND = 421, 403, 404


class TrustedHosts(Layer):
    """Accepts requests to this server's own names that come from its own pages.

    Starlette's ``TrustedHostMiddleware`` knows neither addresses (a visitor may use the server's number, which no
    foreign name can be) nor ``Origin``.
    """

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not is_own(host):
            text = f"This server does not answer to that name. The person who runs it can add it to {limits.HOSTS}."
            raise Refusal(MISDIRECTED, text)
        if not comes_from(headers.get("origin"), host, is_secure(scope)):
            raise Refusal(FORBIDDEN, "Pages of other servers may not use this one.")
        if re.search("/_stcore/(metrics$|agent)", scope["path"]):  # Streamlit's, which irviz does not offer
            raise Refusal(NOT_FOUND, "There is no such page.")
        await self.app(scope, receive, send)


def is_own(host: str) -> bool:
    """True if the server answers to the name in this ``Host`` header: an address, or one of its names."""
    name, _ = split(host)
    with suppress(ValueError):
        return bool(ipaddress.ip_address(name))
    address = str(st.get_option("server.address") or "")
    started = [address, str(st.get_option("browser.serverAddress") or "")]
    started += [socket.gethostname()] if address in _EVERYWHERE else []
    names = ["localhost", *map(str.lower, started), *limits.hosts()]
    return bool(name) and any(fnmatchcase(name, pattern) for pattern in names)


def comes_from(origin: str | None, host: str, secure: bool) -> bool:
    """True if a request with this ``Origin`` comes from a page of `host`; one without is not a browser's.

    >>> [comes_from(origin, "a:8501", False) for origin in ("http://a:8501", "http://a:8502", "null")]
    [True, False, False]
    """
    if origin is None:
        return True
    scheme, _, rest = origin.partition("://")
    if scheme not in _PORTS or (secure and scheme != "https"):
        return False
    (there, port), (here, host_port) = split(rest), split(host)
    return bool(there) and there == here and (port or _PORTS[scheme]) == (host_port or _PORTS[scheme])


def split(host: str) -> tuple[str, int | None]:
    """Name of a host in lower case, and its port if it has one; an empty name if the text is no host.

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


# -- the cookie ------------------------------------------------------------------------------

COOKIE = "irviz_owner"
_HEADER = "x-irviz-owner"  # from here to the pages, and to Streamlit (`server.trustedUserHeaders`)
_AGE = 30 * 24 * 3600


class OwnerCookie(Layer):
    """Gives a browser its cookie with the first page, and tells pages whose they are.

    The cookie is 128 random bits and their signature under Streamlit's ``server.cookieSecret``: random in every
    process, unless the operator sets one for several.  Its name holds the port that the browser uses, because browsers
    send the cookies of a machine to all of its ports; under https it begins with ``__Host-``, so that neither a
    neighbour nor a network can plant one.  Streamlit resumes a session only for the owner it began with.
    """

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        owner = owner_in(scope)
        headers = MutableHeaders(scope=scope)
        del headers[_HEADER]  # a request cannot say itself whose it is
        if owner:
            headers[_HEADER] = owner

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", new_cookie(scope))
            await send(message)

        path = scope.get("path", "")
        is_part = "/_stcore/" in path or "." in path.rpartition("/")[2]  # of a page
        new = not owner and not is_part and scope["type"] == "http" and scope.get("method") in ("GET", "HEAD")
        await self.app(scope, receive, with_cookie if new else send)


def name_of(scope: Scope) -> str:
    """Name of the cookie for requests such as this one."""
    _, port = split(Headers(scope=scope).get("host", ""))
    return f"{'__Host-' if is_secure(scope) else ''}{COOKIE}_{port or (443 if is_secure(scope) else 80)}"


def is_secure(scope: Scope) -> bool:
    """True if the browser used https; any proxy may say so, because it only makes the rules stricter."""
    return scope.get("scheme") in ("https", "wss") or Headers(scope=scope).get("x-forwarded-proto") == "https"


def new_cookie(scope: Scope, owner: str | None = None, age: int = _AGE) -> str:
    """``Set-Cookie`` header for a new owner, or for one that exists."""
    ends = f"; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}" + ("; Secure" if is_secure(scope) else "")
    return f"{name_of(scope)}={cookie_value(owner or secrets.token_hex(16))}{ends}"


def owner_in(scope: Scope) -> str:
    """Owner of the browser that sent a request; "" without a cookie that this server issued."""
    cookie_name = name_of(scope)
    for pair in ";".join(Headers(scope=scope).getlist("cookie")).split(";"):  # there may be several of one name
        name, _, text = pair.strip().partition("=")
        with suppress(BadSignature):
            if name == cookie_name:
                return _signer().unsign(text.encode()).decode()
    return ""


def cookie_value(owner: str) -> str:
    """Value of an owner's cookie: the owner and the signature."""
    return _signer().sign(owner).decode()


def _signer() -> Signer:
    return Signer(st.get_option("server.cookieSecret"), salt=COOKIE, digest_method=sha256)


def present_owner() -> str:
    """Owner of the session whose script runs here; "" if the browser sent no cookie of ours."""
    return st.context.headers.get(_HEADER) or ""


# -- being forgotten -----------------------------------------------------------------------------

_FORM = EMPTY_PAGE.format(
    "<p>This server keeps in its memory what you loaded from this browser, under a cookie of the browser. "
    "Here you can delete it, on all your open pages. What you shared stays until you withdraw it.</p>"
    '<form method="post"><button style="font: inherit; padding: 0.3rem 0.8rem">Forget what I loaded</button></form>'
)
_FORGOTTEN_PAGE = EMPTY_PAGE.format('<p>What this browser loaded is forgotten. <a href="./">Back to irviz</a></p>')


async def forget(request: Request) -> HTMLResponse:
    """Answers with a form, and forgets what an owner loaded, even if no page works."""
    if request.method != "POST":
        return HTMLResponse(_FORM)
    owner = owner_in(request.scope)
    owner_store().forget(owner)
    return HTMLResponse(_FORGOTTEN_PAGE, headers={"set-cookie": new_cookie(request.scope, owner or None, age=0)})


FORGET = Route("/{folder:path}forget", forget, methods=["GET", "POST"])


# -- messages of pages -----------------------------------------------------------------------


class OwnMessages(Layer):
    """Passes on only those messages of a websocket that irviz's pages send."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def receive_known() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive" or is_known(message.get("bytes")):
                    return message

        await self.app(scope, receive_known, send)
