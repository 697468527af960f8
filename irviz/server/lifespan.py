"""Start-up, background tasks and shutdown of the server: what Streamlit and uvicorn leave to us."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Any
from weakref import WeakValueDictionary

from streamlit import config, net_util
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse
from streamlit.runtime import Runtime, app_session, dataframe_chunk_handler, media_file_manager, runtime_util
from streamlit.runtime.backend_operation_handler import DeferredFileHandler
from streamlit.runtime.media_file_manager import MediaFileMetadata
from streamlit.web.server.starlette import starlette_server
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from irviz import limits
from irviz.server.limits import let_go
from irviz.server.middleware import POLICY_VIOLATION, Bucket, take, visitor_of
from irviz.workspace.job import QUEUE, Job, end_processes

logger = logging.getLogger("irviz")
#: Seconds after which a thread gives way, of which every message to a page waits for some.  Beside 16 visitors on
#: two busy processors, p95 of *Scores* was 1.2 s, and 1.8 s with Python's .005; the slowest health .30 and .56 s.
SWITCH_AFTER = 0.0005
TO_FETCH = 10.0  #: seconds that a browser has to ask for a file; once it asks, the file is read as a whole
LOOK_EVERY = 5.0  #: seconds between two looks for closed pages
REQUEST_WITHIN = 30.0  #: seconds from the opening of a connection to the end of its first request's headers
FRAMES, FRAMES_AT_ONCE = 100.0, 1000.0  #: frames of a websocket that may come in a second, and at once
_PART = 4096  #: bytes of a websocket that are read before its frames are counted
SENT_BYTES = 200 << 20  #: longest message to a page
_setting = runtime_util.get_max_message_size_bytes


def prepare() -> None:
    """Change what Streamlit decides before the server starts.

    It asks nobody for the machine's address, to print it or to compare an origin.  ``server.maxMessageSize`` (4 MB in
    config.toml) limits the messages that come; those that go, of which a figure can be large, have a limit of their
    own.
    """
    net_util.get_external_ip = net_util.get_internal_ip = lambda: None
    config.get_options_for_section = cache(config.get_options_for_section)  # the theme, for every run of every page
    starlette_server.get_max_message_size_bytes = _setting
    for module in (runtime_util, dataframe_chunk_handler):
        module.get_max_message_size_bytes = lambda: SENT_BYTES  # type: ignore[attr-defined]


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Lifespan of the app: limits are read, closed pages looked for."""
    limits.check()
    keep_until_fetched()
    gc.freeze()  # what is imported is no garbage: looking through it takes longer than through all pages
    sys.setswitchinterval(SWITCH_AFTER)
    async with own_connections(app):
        looking = asyncio.create_task(_close_left_pages())
        yield
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking
    end_processes()  # uvicorn ends by a signal, which leaves no time for it


# -- downloads ---------------------------------------------------------------------------


class FetchableFile(MediaFileMetadata):
    """Streamlit's note on a file, which may be deleted `TO_FETCH` seconds after nothing was seen to refer to it.

    Whenever a run of anybody ends, Streamlit marks all files to which no page refers, and deletes those that were
    marked before: two visitors could delete what a third was about to fetch.
    """

    _since: float | None = None

    @property
    def is_marked_for_delete(self) -> bool:
        return self._since is not None and time.monotonic() - self._since >= TO_FETCH

    def mark_for_delete(self) -> None:
        if self._since is None:
            self._since = time.monotonic()


def keep_until_fetched() -> None:
    """Have Streamlit delete files no sooner than that, and make them as :class:`FilesInTurn` does."""
    media_file_manager.MediaFileMetadata = FetchableFile  # type: ignore[misc]
    app_session.DeferredFileHandler = FilesInTurn  # type: ignore[misc]


_making: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()  # of the files of an address


class FilesInTurn(DeferredFileHandler):
    """Streamlit's maker of files for downloads, for which all visitors have a few threads: two of an address at a time.

    A file takes turns, has a budget and ends with its page, as what a page computes.
    """

    async def handle(self, request: BackendOperationRequest, session_id: str) -> BackendOperationResponse:
        owner, address = visitor_of(session_id)
        async with _making.setdefault(address, asyncio.Semaphore(2)):
            with FileJob(owner, QUEUE, limits.limit("IRVIZ_REQUEST_SECONDS"), address=address) as job:
                job.session = session_id
                job.show(0, "")
                return await super().handle(request, session_id)


class FileJob(Job):
    """Refuses to go on once the page of a session is closed."""

    session = ""

    def show(self, share: float, text: str) -> None:
        visitor_of(self.session)


# -- connections -------------------------------------------------------------------------


@asynccontextmanager
async def own_connections(_app: Any) -> AsyncIterator[None]:
    """Sockets on which the app's loop listens from now on send at once, and close connections without a request.

    Streamlit binds its socket without naming TCP as the protocol, so asyncio leaves Nagle's algorithm on
    (uvicorn#3149): the second part of every small answer then waits 40 ms for the reader's machine.
    """
    loop = asyncio.get_running_loop()
    listen = loop.create_server

    async def listen_here(
        factory: Callable[[], Any], *args: Any, sock: socket.socket | None = None, **more: Any
    ) -> asyncio.Server:
        if sock is not None and sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # accepted sockets inherit it

        def make_protocol() -> Any:
            protocol = factory()
            protocol.ws_protocol_class = FrameLimit
            loop.call_later(REQUEST_WITHIN, close_unless_asked, protocol)
            return protocol

        return await listen(make_protocol, *args, sock=sock, **more)

    loop.create_server = listen_here  # type: ignore[method-assign, assignment]
    yield


class FrameLimit(WebSocketsSansIOProtocol):
    """Uvicorn's websocket, which answers pings and gathers parts of messages itself: ends a connection of too many."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._frames = Bucket(FRAMES, FRAMES_AT_ONCE)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), _PART):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _PART])

    def handle_events(self) -> None:
        count = len(self.conn.events)
        if take([self._frames], count):
            super().handle_events()
        else:
            self.conn.events_received()
            self.conn.fail(POLICY_VIOLATION, "Too many frames.")
            self.handle_parser_exception()


def close_unless_asked(protocol: Any, last: Any = None) -> None:
    """Close a connection on which no request has begun since the `last`; look again.  Uvicorn waits without end."""
    transport, request = protocol.transport, protocol.cycle
    if transport is None or transport.is_closing() or transport.get_protocol() is not protocol:  # a page, by now
        return
    if request is last and (request is None or request.response_complete):
        transport.close()
    else:
        protocol.loop.call_later(REQUEST_WITHIN, close_unless_asked, protocol, request)


# -- closed pages --------------------------------------------------------------------------


async def _close_left_pages() -> None:
    """End sessions whose page has been closed for long enough: Streamlit looks only when the next page is opened."""
    since: dict[str, float] = {}
    while True:
        await asyncio.sleep(LOOK_EVERY)
        try:
            since = _close_left(since)
        except Exception:
            logger.exception("Closed pages could not be looked for")


def _close_left(since: dict[str, float]) -> dict[str, float]:
    """End what was left for long enough; since when each has been."""
    if not Runtime.exists():
        return {}
    runtime, now = Runtime.instance(), time.monotonic()
    sessions = [info.session.id for info in runtime._session_mgr.list_sessions()]
    since = {session: since.get(session, now) for session in sessions if not runtime.is_active_session(session)}
    for session, start in since.items():
        if now - start >= limits.limit("IRVIZ_LEAVE_SECONDS"):
            runtime.close_session(session)
            let_go(session)
    gc.collect()  # circles of figures and pages, for all at once: Streamlit would do it after every run
    runtime.media_file_mgr.remove_orphaned_files()  # what could be downloaded goes as well, once it had time to be
    return since
