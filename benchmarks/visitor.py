"""A visitor without a browser: speaks the dashboard's websocket, as its pages do.

What a browser does after an answer (draw it) is left out; what the server does is whole.
"""

from __future__ import annotations

import ssl
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

_STREAM = "/_stcore/stream"
_DONE = "script_finished"


@dataclass
class Answer:
    """What one run of a page sent.

    Attributes
    ----------
    seconds : float
        From asking until the run had ended.
    texts : list of str
        Markdown, captions, headings and alerts, in the order they came.
    errors : list of str
        What was wrong: error messages, exceptions.
    session : str
        The session's id.
    """

    seconds: float = 0.0
    texts: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    session: str = ""
    figures: int = 0
    waits: list[str] = field(default_factory=list)  #: what was said while work was going on
    buttons: dict[str, str] = field(default_factory=dict)  #: label → id


class Visitor:
    """One open page of a dashboard at `url`; `headers` go with every request, `tls` says which certificates count."""

    def __init__(
        self,
        url: str,
        headers: dict[str, str] | None = None,
        patience: float = 120.0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.url, self.headers, self.patience, self.tls = url.rstrip("/"), dict(headers or {}), patience, tls
        self._socket: ClientConnection | None = None
        self._open = ExitStack()

    def __enter__(self) -> Visitor:
        if "Cookie" not in self.headers and (cookie := self.cookie()):
            self.headers["Cookie"] = cookie
        origin = self.headers.get("Origin", "/".join(self.url.split("/")[:3]))
        more = {name: text for name, text in self.headers.items() if name != "Origin"}
        address = f"ws{self.url.removeprefix('http')}{_STREAM}"
        self._socket = self._open.enter_context(
            connect(
                address,
                origin=origin,
                subprotocols=["streamlit"],
                additional_headers=more,  # type: ignore[arg-type, list-item]
                max_size=None,
                compression=None,
                open_timeout=self.patience,
                ssl=self.tls,
            )
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def cookie(self) -> str:
        """The cookie that comes with a first page."""
        with urllib.request.urlopen(
            urllib.request.Request(f"{self.url}/", headers=self.headers), context=self.tls
        ) as answer:
            return str(answer.headers.get("set-cookie", "")).partition(";")[0]

    def open(self, page: str, **link: str) -> Answer:
        """Go to a page with these parameters in its address; wait until it is drawn."""
        self.ask(page, **link)
        return self.wait()

    def wait_until(self, words: str) -> Answer:
        """What comes until the work itself says something, or has ended."""
        return self.wait(lambda answer: any(words in text for text in answer.waits))

    def ask(self, page: str, **link: str) -> None:
        """Go to a page without waiting."""
        message = BackMsg()
        state = message.rerun_script
        state.page_name = page
        state.query_string = "&".join(f"{quote(name)}={quote(text)}" for name, text in link.items())
        state.is_history_navigation = True
        state.context_info.url = f"{self.url}/{page}"
        self._send(message)

    def send(self, message: BackMsg) -> None:
        """Send any message."""
        self._send(message)

    def wait(self, until: Callable[[Answer], bool] = lambda answer: False) -> Answer:
        """What comes until the run has ended, or `until` holds."""
        assert self._socket is not None
        answer, start = Answer(), time.perf_counter()
        while True:
            left = self.patience - (time.perf_counter() - start)
            message = ForwardMsg()
            message.ParseFromString(self._socket.recv(timeout=max(0.0, left)))  # type: ignore[arg-type]
            kind = message.WhichOneof("type")
            if kind == "new_session":
                answer.session = message.new_session.initialize.session_id
            if kind == "delta":
                _note(message.delta, answer)
            done = kind == _DONE and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            if done or until(answer):
                answer.seconds = time.perf_counter() - start
                return answer

    def _send(self, message: Any) -> None:
        assert self._socket is not None
        self._socket.send(message.SerializeToString())


def _note(delta: Any, answer: Answer) -> None:
    if delta.WhichOneof("type") != "new_element":
        return
    element = delta.new_element
    kind = element.WhichOneof("type")
    if kind in ("markdown", "heading", "alert"):
        text = getattr(element, kind).body
        answer.texts.append(text)
        if kind == "alert" and element.alert.format == element.alert.ERROR:
            answer.errors.append(text)
    if kind == "exception":
        answer.errors.append(element.exception.message)
    if kind == "progress":
        answer.waits.append(element.progress.text)
    if kind == "button":
        answer.buttons[element.button.label] = element.button.id
    if kind == "plotly_chart":
        answer.figures += 1
