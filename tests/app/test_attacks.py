"""One visitor does not stop the server: each attack, and that others are served beside it."""

from __future__ import annotations

import asyncio
import http.client
import re
import socket
import struct
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
import uvicorn
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import runtime_util
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from benchmarks.visitor import Visitor
from irviz.errors import IrvizError
from irviz.server import lifespan, limits, middleware

#: what servers behind one name have in common
SHARED = {"STREAMLIT_SERVER_COOKIE_SECRET": "one secret of both, long enough to be one", "IRVIZ_HOSTS": "ir.test"}
RERUN = BackMsg(rerun_script={"page_name": "scores"}).SerializeToString()  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def server(start_server):
    """A server with room for ten pages, two of which one owner may have, and five one address."""
    return start_server(
        IRVIZ_SESSIONS="10",
        IRVIZ_UPLOAD_MB="2",
        IRVIZ_UPLOADS_MB="3",
        IRVIZ_LEAVE_SECONDS="0",
        STREAMLIT_SERVER_ENABLE_AGENT_API="true",
        **SHARED,
    )


@pytest.fixture(scope="module")
def second(start_server):
    """Another behind the same name, with little memory."""
    return start_server(IRVIZ_MEMORY_MB="3", **SHARED)


def ask(server, path: str = "/", source: str = "127.0.0.1", **headers: str) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of an answer to a request from an address of this machine."""
    host = urlsplit(server.url).netloc
    connection = http.client.HTTPConnection(host, timeout=30, source_address=(source, 0))
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): text for name, text in headers.items()})
        answer = connection.getresponse()
        return answer.status, {name.lower(): text for name, text in answer.getheaders()}, answer.read().decode()
    finally:
        connection.close()


def cookie(server, **headers: str) -> str:
    return ask(server, **headers)[1]["set-cookie"].partition(";")[0]


def websocket(server, source: str = "127.0.0.1", session: str = "", **headers: str) -> ClientConnection:
    """An open websocket as a page opens it, perhaps one that resumes a session."""
    place = urlsplit(server.url)
    protocols = ["streamlit", "x", session] if session else ["streamlit"]
    return connect(
        f"ws://{place.netloc}/_stcore/stream",
        source_address=(source, 0),
        subprotocols=protocols,  # type: ignore[arg-type]
        additional_headers=headers,
        max_size=None,
        compression=None,
    )


def end_of(page: ClientConnection, messages: Sequence[bytes] = ()) -> int | None:
    """The code with which the server closes a page that sends these messages; None where it did not arrive."""
    try:
        for message in messages:
            page.send(message)
        while True:
            page.recv(timeout=60)
    except ConnectionClosed as closed:
        return closed.rcvd and closed.rcvd.code


# -- messages --------------------------------------------------------------------------------


def test_others_are_answered_while_messages_are_queued(monkeypatch):
    """A page's queue gives way between two messages, and is closed with the rest of them."""
    monkeypatch.setattr(middleware, "RATE", 0.0)
    seen: list[int] = []

    async def queued() -> dict:
        return {"type": "websocket.receive", "bytes": RERUN}

    async def runtime(scope, receive, send):
        while (await receive())["type"] == "websocket.receive":
            seen.append(len(seen))

    async def health() -> int:
        await asyncio.sleep(0)
        return len(seen)

    async def sent(message) -> None:
        pass

    async def both() -> int:
        flood = asyncio.create_task(middleware.MessageLimit(runtime)({"type": "websocket"}, queued, sent))
        answered = await asyncio.create_task(health())
        await flood
        return answered

    assert asyncio.run(asyncio.wait_for(both(), 30)) < 5
    assert len(seen) < middleware.BURST


def test_a_page_that_floods_is_closed_and_the_others_stay(server):
    with Visitor(server.url) as other:
        assert other.open("scores").figures == 1
        code = None
        for _ in range(3):  # what the server says is lost where the system resets a connection that is still written to
            with websocket(server, Cookie=cookie(server)) as flood:
                code = code or end_of(flood, [RERUN] * 2_000)
        assert code == 1008
        assert ask(server, "/_stcore/health")[0] == 200
        assert other.open("scores", show="box").figures == 1


def test_the_pages_of_an_owner_and_of_an_address_have_one_rate_together(monkeypatch):
    """However many pages they open, or close and open again; the pages of others stay."""
    monkeypatch.setattr(middleware, "RATE", 0.0)
    served = []

    async def runtime(scope, receive, send):
        while (await receive())["type"] == "websocket.receive":
            served.append(scope["client"][0])

    layer = middleware.MessageLimit(runtime)

    def burst(address: str, given: str = "") -> int:
        """Messages of a page that are passed on, of nearly as many as a page may send at once."""
        waiting = [{"type": "websocket.receive", "bytes": RERUN}] * int(0.95 * middleware.BURST)
        before = len(served)

        async def receive() -> dict:
            return waiting.pop() if waiting else {"type": "websocket.disconnect"}

        async def send(message) -> None:
            assert message["code"] == 1008

        headers = [(b"host", b"localhost:1"), (b"cookie", given.encode())]
        scope = {"type": "websocket", "client": (address, 1), "headers": headers}
        asyncio.run(layer(scope, receive, send))
        return len(served) - before

    mine, theirs = (f"irviz_owner_1={middleware.cookie_value(owner * 32)}" for owner in "ab")
    whole = burst("192.0.2.1")
    assert [burst(f"192.0.2.{n}", mine) == whole for n in range(2, 7)] == [True, True, True, False, False]
    assert burst("192.0.2.7", theirs) == whole
    assert [burst("2001:db8::1") == whole for _ in range(30)] == [True] * 21 + [False] * 9
    assert burst("2001:db8::2", theirs) < whole, "the same network"
    assert burst("2001:db9::1", theirs) == whole


def test_a_message_of_more_widgets_or_files_than_any_page_has_is_not_read():
    def sent(widgets: int = 0, files: int = 0) -> bytes:
        message = BackMsg()
        for number in range(widgets):
            message.rerun_script.widget_states.widgets.add(id=f"widget {number}", string_value="x")
        if files:
            message.file_urls_request.file_names.extend(["a.run"] * files)
        return message.SerializeToString()

    assert middleware.is_known(sent(widgets=500)) and middleware.is_known(sent(files=500))
    assert not middleware.is_known(sent(widgets=60_000)) and not middleware.is_known(sent(files=60_000))


@pytest.mark.parametrize("parts", [1, 8])
def test_a_message_above_4_mb_is_refused_when_it_is_announced(server, parts):
    """As one frame, or as the parts of one message; nothing but the announcement of the last is sent."""
    with websocket(server, Cookie=cookie(server)) as page:
        own = page.socket
        for part in range(parts - 1):
            size = 600 << 10
            opcode = 0x02 if part == 0 else 0x00
            own.sendall(struct.pack("!BBQ", opcode, 0x80 | 127, size) + bytes(4) + bytes(size))
        own.sendall(struct.pack("!BBQ", 0x82 if parts == 1 else 0x80, 0x80 | 127, 5 << 20) + bytes(4))
        assert end_of(page) == 1009


@pytest.mark.parametrize("opcode", [0x89, 0x00], ids=["pings", "parts"])
def test_frames_that_reach_no_layer_are_counted(server, opcode):
    """Pings, and parts of a message that are empty: thousands fit into what is read at once."""
    with websocket(server, Cookie=cookie(server)) as page:
        own, frame = page.socket, struct.pack("!BB", opcode, 0x80) + bytes(4)
        own.sendall(struct.pack("!BB", 0x02, 0x80) + bytes(4) if opcode == 0x00 else b"")
        with suppress(OSError):
            for _ in range(20):
                own.sendall(frame * 5_000)
        assert end_of(page) in (1008, None)  # None where it was closed while more came
    with websocket(server, Cookie=cookie(server)) as page:
        page.socket.sendall(frame * int(lifespan.FRAMES_AT_ONCE / 2) if opcode == 0x89 else b"")
        page.send(RERUN)
        assert page.recv(timeout=60)


def test_what_a_page_is_sent_has_a_limit_of_its_own():
    lifespan.prepare()
    message = ForwardMsg()
    message.delta.new_element.markdown.body = "x" * (8 << 20)
    assert len(runtime_util.serialize_forward_msg(message)) > 8 << 20
    config = tomllib.loads((Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml").read_text())
    assert config["server"]["maxMessageSize"] == config["server"]["maxWidgetStateSize"] == 4


def test_a_websocket_that_says_nothing_is_closed(monkeypatch):
    monkeypatch.setattr(middleware, "FIRST_WITHIN", 0.01)
    sent: list[dict] = []

    async def nothing() -> dict:
        return await asyncio.Future()

    async def runtime(scope, receive, send):
        assert (await receive())["type"] == "websocket.disconnect"
        await send({"type": "websocket.send", "bytes": b"too late"})

    async def note(message) -> None:
        sent.append(message)

    asyncio.run(asyncio.wait_for(middleware.MessageLimit(runtime)({"type": "websocket"}, nothing, note), 30))
    assert [(message["type"], message["code"]) for message in sent] == [("websocket.close", 1008)]


# -- pages -----------------------------------------------------------------------------------


def test_one_cookie_does_not_take_the_pages_of_others(server):
    mine = cookie(server)
    with ExitStack() as pages:
        for _ in range(2):
            pages.enter_context(websocket(server, Cookie=mine))
        with pytest.raises(InvalidStatus):
            websocket(server, Cookie=mine)
        status, _, said = ask(server, Cookie=mine)
        assert status == 429 and "2 pages of this server are open in your browser. Close some of them." in said
        with Visitor(server.url) as other:
            assert other.open("scores").errors == []


def test_one_address_does_not_take_the_pages_of_others(server):
    """New cookies for every page, or none at all."""
    with ExitStack() as pages:
        for number in range(5):
            given = {"Cookie": cookie(server)} if number % 2 else {}
            pages.enter_context(websocket(server, **given))
        with pytest.raises(InvalidStatus):
            websocket(server)
        status, _, said = ask(server)
        assert status == 429 and "5 pages are open from your network." in said
        assert ask(server, source="127.0.0.2")[0] == 200
        with websocket(server, source="127.0.0.2") as elsewhere:
            elsewhere.send(RERUN)
            assert elsewhere.recv(timeout=60)


def test_a_session_is_resumed_for_the_cookie_it_began_with_only(server):
    mine, theirs = cookie(server), cookie(server)
    with Visitor(server.url, {"Cookie": mine}) as owner:
        session = owner.open("scores").session
        with websocket(server, session=session, Cookie=theirs) as thief:
            thief.send(RERUN)
            assert session.encode() not in thief.recv(timeout=60)
        assert owner.open("scores", show="box").figures == 1
    with websocket(server, session=session, Cookie=mine) as again:
        again.send(RERUN)
        assert session.encode() in again.recv(timeout=60)


# -- uploads and requests --------------------------------------------------------------------


def upload(server, session: str, size: int, sent: int) -> socket.socket:
    """An upload that announces more bytes than it sends."""
    host = urlsplit(server.url).netloc
    _, headers, _ = ask(server, "/_stcore/health")
    token = headers["set-cookie"].partition(";")[0]
    connection = socket.create_connection((urlsplit(server.url).hostname or "", urlsplit(server.url).port or 0), 60)
    begin = b'--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n'
    end = b"\r\n--b--\r\n"
    lines = (
        f"PUT /_stcore/upload_file/{session}/1 HTTP/1.1",
        f"Host: {host}",
        f"Content-Length: {len(begin) + size + len(end)}",
        "Content-Type: multipart/form-data; boundary=b",
        f"Cookie: {token}",
        f"X-Xsrftoken: {token.partition('=')[2]}",
        "Connection: close",
    )
    whole = begin + bytes(size) + end
    connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + whole[: len(whole) if sent == size else sent])
    return connection


@pytest.fixture
def sessions(server) -> Iterator[list[str]]:
    with Visitor(server.url) as one, Visitor(server.url) as other:
        yield [one.open("scores").session, other.open("scores").session]


def test_an_upload_that_never_comes_takes_nobodys_room(server, sessions):
    with ExitStack() as held:
        for session in sessions:  # each announces nearly all that all pages may hold together
            held.enter_context(upload(server, session, 1_900_000, 200))
        answer = held.enter_context(upload(server, sessions[1], 1_500_000, 1_500_000))
        assert answer.recv(100).startswith(b"HTTP/1.1 204")


def test_an_upload_that_stops_is_ended_and_gives_its_room_back(monkeypatch):
    monkeypatch.setattr(limits, "PART_WITHIN", 0.01)
    monkeypatch.setattr(limits, "uploads", limits.Counter)
    answers: list[dict] = []
    parts = [{"type": "http.request", "body": b"x" * 1000, "more_body": True}]

    async def receive() -> dict:
        return parts.pop() if parts else await asyncio.Future()

    async def streamlit(scope, receive, send):
        while True:
            await receive()
            assert limits.coming["s"] == limits.MEMORY.bytes_of(("upload", "s")) == 1000

    async def send(message) -> None:
        answers.append(message)

    limit = limits.UploadLimit(streamlit)
    scope = {
        "type": "http",
        "method": "PUT",
        "path": "/_stcore/upload_file/s/1",
        "headers": [(b"content-length", b"5000")],
    }
    asyncio.run(asyncio.wait_for(limit(scope, receive, send), 30))
    assert answers[0]["status"] == 408 and not limits.coming["s"] and not limits.MEMORY.bytes_of(("upload", "s"))


def test_uploads_of_an_address_have_a_rate(monkeypatch):
    monkeypatch.setattr(limits, "UPLOADS", (0.0, 3.0))
    passed: list[str] = []
    answers: list[dict] = []

    async def streamlit(scope, receive, send):
        passed.append(scope["client"][0])

    async def send(message) -> None:
        answers.append(message)

    layer = limits.UploadLimit(streamlit)
    for address in ["192.0.2.1"] * 5 + ["192.0.2.2"]:
        scope = {
            "type": "http",
            "method": "PUT",
            "client": (address, 1),
            "path": "/_stcore/upload_file/s/1",
            "headers": [(b"content-length", b"1")],
        }
        asyncio.run(layer(scope, None, send))
    assert passed == ["192.0.2.1"] * 3 + ["192.0.2.2"]
    assert [one["status"] for one in answers if "status" in one] == [429, 429]


def test_names_of_uploads_are_counted(monkeypatch):
    file = UploadedFileRec("1", "n" * 4_000, "text/plain", b"")
    storage = SimpleNamespace(uploaded_file_mgr=SimpleNamespace(file_storage={"s": {str(n): file for n in range(500)}}))
    monkeypatch.setattr(limits, "Runtime", SimpleNamespace(instance=lambda: storage))
    assert limits.uploads()["s"] > 2_000_000


def test_uploads_are_in_the_one_count_of_memory(second):
    """An upload that the count of everybody has no room for is refused as it comes; deleted files give room back."""
    with Visitor(second.url) as one, Visitor(second.url) as other:
        mine, theirs = one.open("scores").session, other.open("scores").session
        with upload(second, mine, 2_000_000, 2_000_000) as whole:
            assert whole.recv(100).startswith(b"HTTP/1.1 204")
        with upload(second, theirs, 2_000_000, 2_000_000) as refused:
            assert refused.recv(100).startswith(b"HTTP/1.1 413")
        token = ask(second, "/_stcore/health")[1]["set-cookie"].partition(";")[0]
        connection = http.client.HTTPConnection(urlsplit(second.url).netloc, timeout=30)
        given = {"Cookie": token, "X-Xsrftoken": token.partition("=")[2]}
        connection.request("DELETE", f"/_stcore/upload_file/{mine}/1", headers=given)
        assert connection.getresponse().status == 204
        connection.close()
        with upload(second, theirs, 2_000_000, 2_000_000) as again:
            assert again.recv(100).startswith(b"HTTP/1.1 204")


def test_files_refused_over_and_over_are_refused_unread(monkeypatch):
    """A class behind one address may make mistakes; what costs much makes its owner wait, then the address."""
    now, visitor = [0.0], {}
    monkeypatch.setattr(limits, "_refusal_rates", middleware.Rates(*limits._refusal_rates._shares))
    monkeypatch.setattr(limits, "time", SimpleNamespace(thread_time=lambda: now[0]))
    monkeypatch.setattr(middleware, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(limits, "present_owner", lambda: visitor["owner"])
    monkeypatch.setattr(limits, "present_address", lambda: visitor["address"])

    def read(seconds: float) -> None:
        now[0] += seconds
        raise IrvizError("no run")

    def is_read(owner: str, address: str, seconds: float) -> bool:
        visitor.update(owner=owner, address=address)
        with pytest.raises(IrvizError) as refused, limits.refusable():
            read(seconds)
        assert re.match(r"no run|Files from this browser or network were refused too often\. Try", str(refused.value))
        return str(refused.value) == "no run"

    assert all(is_read(f"student {n % 30}", "school", 0.05) for n in range(200))
    assert sum(is_read("one", "elsewhere", 2.0) for _ in range(10)) == 3
    assert is_read("another", "elsewhere", 0.05)
    assert sum(is_read(f"new cookie {n}", "elsewhere", 2.0) for n in range(20)) < 10
    assert is_read("student 1", "school", 0.05)
    now[0] += 60
    assert is_read("one", "elsewhere", 0.05)


def test_a_request_that_never_ends_is_closed(monkeypatch):
    """Before the first request, and after one that was answered; a page's connection stays."""
    monkeypatch.setattr(lifespan, "REQUEST_WITHIN", 0.05)

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def left_open(first: bytes) -> bytes:
        async with lifespan.own_connections(None):
            config = uvicorn.Config(app, lifespan="off", log_config=None)
            config.load()
            state = ServerState()
            loop = asyncio.get_running_loop()
            with socket.socket() as listener:
                listener.bind(("127.0.0.1", 0))
                served = await loop.create_server(lambda: H11Protocol(config, state, {}), sock=listener)
                reader, writer = await asyncio.open_connection(*listener.getsockname())
                writer.write(first + b"GET / HTTP/1.1\r\nHost: x\r\n")
                answer = await asyncio.wait_for(reader.read(), 30)
                writer.close()
                served.close()
        return answer

    assert asyncio.run(left_open(b"")) == b""
    assert asyncio.run(left_open(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")).startswith(b"HTTP/1.1 204")


# -- what is told, and to whom ---------------------------------------------------------------


def test_a_proxy_elsewhere_does_not_lose_secure(server):
    """It says so in `X-Forwarded-Proto`; addresses are believed only of proxies that the operator names."""
    _, headers, _ = ask(server, source="127.0.0.3", X_Forwarded_Proto="https")
    assert headers["set-cookie"].startswith("__Host-") and "; Secure" in headers["set-cookie"]
    _, headers, _ = ask(server, source="127.0.0.3")
    assert "; Secure" not in headers["set-cookie"]


def test_streamlits_agents_are_not_served(server):
    for path in ("openapi.json", "interact", "mcp"):
        status, _, said = ask(server, f"/_stcore/agent/{path}")
        assert status == 404 and "There is no such page." in said


def test_processes_with_one_secret_know_each_others_cookies(server, second):
    mine = cookie(server, Host="ir.test", X_Forwarded_Proto="https")
    assert mine.startswith("__Host-irviz_owner_443=")
    # by this process, which has a secret of its own
    other = f"{mine.partition('=')[0]}={middleware.cookie_value('0' * 32)}"
    for given, known in ((mine, True), (other, False)):
        headers = ask(second, Host="ir.test", X_Forwarded_Proto="https", Cookie=given)[1]
        assert ("set-cookie" not in headers) == known
