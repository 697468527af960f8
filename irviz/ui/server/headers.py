"""Security headers for every answer of the server.

The policy lets the dashboard's own scripts run and nothing else; a name that smuggles
in an image, a script or a frame finds nothing that would fetch it.
"""

from __future__ import annotations

from pathlib import Path

import streamlit

from irviz import limits
from irviz.publish.report import script_digest
from irviz.ui.server.asgi import App, Message, Receive, Send
from irviz.ui.style import OWN_SCRIPTS

INLINE_SCRIPT = "'sha256-THxz9J9+wf7rhwR2YkXJoSZ13UCmYyC+3lNDv2+8ugA='"  # the one in Streamlit's index.html
POLICY = "; ".join(
    (
        "default-src 'self'",
        f"script-src 'self' {INLINE_SCRIPT} {' '.join(map(script_digest, OWN_SCRIPTS))}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' ws: wss:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    )
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # a link holds the whole view
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_NOBODY = "'none'"
_STREAMLIT_SCRIPTS = Path(streamlit.__file__).parent / "static" / "static" / "js"
_EARLY_SCRIPTS = ("PlotlyChart.*.js",)  #: a large script that every page needs, fetched while the first is read


def security_headers() -> list[tuple[bytes, bytes]]:
    """:data:`HEADERS`, the policy, and who may show a page within one of theirs."""
    allowed = limits.frames()
    found = {**HEADERS, "content-security-policy": f"{POLICY}; frame-ancestors {' '.join(allowed) or _NOBODY}"}
    if not allowed:
        found["x-frame-options"] = "DENY"
    elif allowed == ("'self'",):
        found["x-frame-options"] = "SAMEORIGIN"
    return [(name.encode(), value.encode()) for name, value in found.items()]


def early_scripts() -> bytes:
    """A ``Link`` header that lets the browser fetch the figures' code before the first figure asks for it."""
    names = sorted(path.name for pattern in _EARLY_SCRIPTS for path in _STREAMLIT_SCRIPTS.glob(pattern))
    return ", ".join(f"<./static/js/{name}>; rel=modulepreload; crossorigin" for name in names).encode()


class SecurityHeaders:
    """ASGI middleware that adds :func:`security_headers` to every HTTP answer."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.early = early_scripts()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower(): value for name, value in message.get("headers", [])}
                added = [pair for pair in security_headers() if pair[0] not in own]
                if self.early and own.get(b"content-type", b"").startswith(b"text/html"):
                    added.append((b"link", self.early))
                message["headers"] = [*message.get("headers", []), *added]
            await send(message)

        await self.app(scope, receive, with_headers)
