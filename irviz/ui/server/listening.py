"""Answers leave the server at once.

Streamlit binds its socket without naming TCP as the protocol, so asyncio does not see
that it is TCP and leaves Nagle's algorithm on (uvicorn#3149): the second part of every
small answer then waits 40 ms for the reader's machine to acknowledge the first.  A page
is some 160 small answers, and a moved slider is a dozen.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


@asynccontextmanager
async def prompt_answers(_app: Any) -> AsyncIterator[None]:
    """Lifespan of the app: whatever socket its loop listens on from now on sends without waiting."""
    loop = asyncio.get_running_loop()
    listen = loop.create_server

    async def listen_promptly(*args: Any, sock: socket.socket | None = None, **more: Any) -> asyncio.Server:
        if sock is not None and sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # accepted sockets inherit it
        return await listen(*args, sock=sock, **more)

    loop.create_server = listen_promptly  # type: ignore[method-assign]
    yield
