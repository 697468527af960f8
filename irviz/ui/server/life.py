"""What a server does from its start to its end, beside answering."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from streamlit import net_util

from irviz import limits
from irviz.ui.server.crowd import close_left_pages
from irviz.ui.server.downloads import keep_until_fetched
from irviz.ui.server.listening import prompt_answers

_FILES = 65_536  #: file descriptors that are asked of the system, where it gives as many


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
