"""What a server does from its start to its end, beside answering.

A file that was made for a download stays until the browser has had time to fetch it.  Streamlit makes
the file when its button is pressed, and nothing on the page refers to it.  Whenever a run of anybody
ends, Streamlit marks all such files and deletes those that were marked before.  On a server with many
visitors, two of them could thus delete what a third was about to fetch.

Answers leave the server at once.  Streamlit binds its socket without naming TCP as the protocol, so
asyncio does not see that it is TCP and leaves Nagle's algorithm on (uvicorn#3149): the second part of
every small answer then waits 40 ms for the reader's machine to acknowledge the first.  A page is some
160 small answers, and a moved slider is a dozen.
"""

from __future__ import annotations

import asyncio
import resource
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from streamlit import net_util
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileMetadata

from irviz import limits
from irviz.ui.server.crowd import close_left_pages

_FILES = 65_536  #: file descriptors that are asked of the system, where it gives as many
TO_FETCH = 10.0  #: seconds that a browser has to ask for a file; once it asks, the file is read as a whole


def ask_nobody() -> None:
    """Keep Streamlit from asking a third party for the machine's address, to print it or to compare an origin."""
    net_util.get_external_ip = _unknown
    net_util.get_internal_ip = _unknown


def _unknown() -> None:
    """No address."""


@asynccontextmanager
async def life(app: Any) -> AsyncIterator[None]:
    """Lifespan of the app: limits are read, file descriptors asked for, closed pages looked for."""
    limits.check()
    _more_files()
    keep_until_fetched()
    async with prompt_answers(app):
        looking = asyncio.create_task(close_left_pages())
        yield
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


def _more_files() -> None:
    """As many file descriptors as the system allows without asking."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class Fetchable(MediaFileMetadata):
    """What Streamlit knows of a file: it may be deleted `TO_FETCH` seconds after nothing was seen to refer to it."""

    _since: float | None = None

    @property
    def is_marked_for_delete(self) -> bool:
        return self._since is not None and time.monotonic() - self._since >= TO_FETCH

    def mark_for_delete(self) -> None:
        if self._since is None:
            self._since = time.monotonic()


def keep_until_fetched() -> None:
    """Have Streamlit delete files no sooner than that."""
    media_file_manager.MediaFileMetadata = Fetchable  # type: ignore[misc]


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
