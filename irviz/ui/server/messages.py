"""Messages that a page may send to the server: those that irviz's own pages send, and no others.

Streamlit clears the caches of everybody when any page asks it to; no page of irviz does.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg

from irviz.ui.server.asgi import App, Message, Receive, Send

ASKED = frozenset({"rerun_script", "stop_script", "file_urls_request", "app_heartbeat"})
OPERATIONS = frozenset({"deferred_file", "dataframe_chunk"})  #: a download, more rows of a table


class KnownMessages:
    """ASGI middleware that passes over every message of a page that irviz's pages never send."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return

        async def known() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive" or is_known(message.get("bytes")):
                    return message

        await self.app(scope, known, send)


def is_known(data: bytes | None) -> bool:
    """Whether the bytes are a message that irviz's pages send; what is no message at all is Streamlit's to refuse."""
    if data is None:
        return True
    message = BackMsg()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return True
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return kind in ASKED
