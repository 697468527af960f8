"""The server sends small answers at once, though Streamlit's socket does not say that it is TCP."""

from __future__ import annotations

import asyncio
import socket

from irviz.server.lifespan import own_connections


def test_accepted_sockets_do_not_wait() -> None:
    assert not asyncio.run(_waits())


async def _waits() -> bool:
    """Whether Nagle's algorithm is on for a connection that a server on a socket like Streamlit's accepted."""
    async with own_connections(None):
        return await _connect()


async def _connect() -> bool:
    loop = asyncio.get_running_loop()
    accepted: asyncio.Future[bool] = loop.create_future()

    class Protocol(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            own = transport.get_extra_info("socket")
            accepted.set_result(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 0)
            transport.close()  # type: ignore[attr-defined]

    with socket.socket(socket.AF_INET) as listener:  # no protocol named, as Streamlit does
        listener.bind(("127.0.0.1", 0))
        server = await loop.create_server(Protocol, sock=listener)
        _, writer = await asyncio.open_connection(*listener.getsockname())
        waits = await accepted
        writer.close()
        server.close()
    return waits
