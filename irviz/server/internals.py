"""What irviz uses of Streamlit beyond its public interface: what a new version of Streamlit may change stands here.

``tests/app/test_doors.py`` tests each of these.
"""

from __future__ import annotations

import re
import socket
from contextlib import AbstractContextManager
from pathlib import Path

import streamlit as st
from google.protobuf.message import DecodeError
from streamlit import net_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette import starlette_server

from irviz import limits

_STATIC = Path(st.__file__).parent / "static"
_INDEX = (_STATIC / "index.html").read_text(encoding="utf-8")
_SCRIPTS = _STATIC / "static" / "js"
_HEAD = 20_000  #: characters within which a script has its imports
#: elements of every page, whose scripts are fetched while the first is read, as Streamlit asks for them one by one
_ON_EVERY_PAGE = ("PlotlyChart", "Multiselect", "Html")
INLINE_SCRIPTS = re.findall(r"<script>(.*?)</script>", _INDEX, re.DOTALL)  #: those of Streamlit's page
MESSAGES = frozenset({"rerun_script", "stop_script", "file_urls_request", "app_heartbeat"})
OPERATIONS = frozenset({"deferred_file", "dataframe_chunk"})  #: a download, more rows of a table


def prepare() -> None:
    """Change two things in Streamlit before a server starts; a wrong variable of the environment is refused.

    It asks no third party for this machine's address, to compare an origin with it, and sends small answers at once:
    its socket does not say that it is TCP (uvicorn#3149), so each would wait 44 ms.
    """
    limits.check()
    net_util.get_external_ip = lambda: None
    bind = starlette_server._bind_socket

    def bind_tcp(address: str, port: int, backlog: int) -> socket.socket:
        bound = bind(address, port, backlog)
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # accepted sockets inherit it
        return bound

    starlette_server._bind_socket = bind_tcp


def is_known(data: bytes | None) -> bool:
    """True for messages that irviz's pages send; bytes that are no message are Streamlit's to refuse.

    Any page may ask Streamlit to clear the caches of everybody, or to install files.
    """
    try:
        message = BackMsg.FromString(data or b"")
    except DecodeError:
        return True
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return data is None or kind in MESSAGES


def drop_uploads() -> None:
    """Delete the uploads of the page whose script runs here; Streamlit keeps them while the page is open."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None and Runtime.exists():
        Runtime.instance().uploaded_file_mgr.remove_session_files(context.session_id)


def as_main() -> AbstractContextManager[None]:
    """Widgets drawn in it belong to the main script, whatever page's script draws them: pages share them."""
    context = get_script_run_ctx()
    assert context is not None
    return context.run_with_active_hash(context.pages_manager.main_script_hash)


def early_scripts() -> list[str]:
    """Names of the scripts of :data:`_ON_EVERY_PAGE`, and of what they import."""
    names, waiting = [], [path.name for name in _ON_EVERY_PAGE for path in _SCRIPTS.glob(f"{name}.*.js")]
    while waiting:
        name = waiting.pop(0)
        if name not in names and name not in _INDEX:
            names.append(name)
            head = (_SCRIPTS / name).read_text(encoding="utf-8", errors="replace")[:_HEAD]
            waiting += re.findall(r'(?:from|import) *"\./([\w.$-]+\.js)"', head)
    return names
