"""Who is let in, and what the server gives to whom: names, origins, cookies, messages, and whom it asks itself."""

from __future__ import annotations

import asyncio
import http.client
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from websockets.sync.client import connect

from benchmarks.visitor import Visitor
from irviz.collection.catalogue import open_collection
from irviz.server import internals
from irviz.server import middleware as cookies
from irviz.server.internals import is_known
from irviz.server.session_store import owner_store
from irviz.workspace.context import Dataset
from tests.app.conftest import APP

ROOT = Path(__file__).resolve().parents[2]


WATCH = """
import os, socket, sys
def note(kind, address):
    known = isinstance(address, (str, bytes)) or address[0] in ("127.0.0.1", "::1", "localhost", "")
    if not known or (kind == "lookup" and address[0] not in ("127.0.0.1", "::1", "localhost", "", "0.0.0.0", None)):
        with open(os.environ["WATCHED"], "a") as out:
            out.write(f"{kind} {address}\\n")
def hook(event, args):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg") and args[1] is not None:
        note(event, args[1])
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        note("lookup", (args[0],))
sys.addaudithook(hook)
"""
SHARED = {"STREAMLIT_SERVER_COOKIE_SECRET": "of all processes behind one name", "IRVIZ_HOSTS": "*.own.test"}


@pytest.fixture(scope="module")
def watched(tmp_path_factory) -> dict[str, str]:
    """The environment of a process whose own audit writes each foreign address it asks into a file, `WATCHED`."""
    folder = tmp_path_factory.mktemp("watched")
    (folder / "sitecustomize.py").write_text(WATCH)
    return {"WATCHED": str(folder / "watched"), "PYTHONPATH": f"{folder}:{ROOT}"}


@pytest.fixture(scope="module")
def server(start_server, watched):
    """``irviz app``, with Streamlit's agents, and uploads of at most 1 MB."""
    settings = ("--set", "server.enableAgentApi=true", "--set", "server.maxUploadSize=1")
    return start_server(command=(*APP, *settings), **watched, **SHARED)


@pytest.fixture(scope="module")
def everywhere(start_server, watched):
    """Another process behind the same name, which answers at every address of the machine."""
    command = (sys.executable, "-m", "streamlit", "run", "app.py", "--server.address", "0.0.0.0")
    return start_server(command=command, **watched, **SHARED)


def ask(server, path: str = "/", method: str = "GET", body: bytes | None = None, **headers: str):
    """Status, headers and text of one answer."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=30)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode("utf-8", "replace")
    finally:
        connection.close()


def handshake(server, **headers: str) -> int:
    """The answer to a request to open a websocket: 101 where it is opened."""
    key = {"Sec_WebSocket_Version": "13", "Sec_WebSocket_Key": "A" * 22 + "=="}
    return ask(server, "/_stcore/stream", Connection="Upgrade", Upgrade="websocket", **key, **headers)[0]


def given_cookie(server, **headers: str) -> str:
    return (ask(server, **headers)[1]["set-cookie"] or "").partition(";")[0]


# -- names -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:80", "127.0.0.1:8501", "[::1]:8501", "a.own.test", "10.1.2.3"]
)
def test_its_own_names(server, host):
    assert ask(server, Host=host)[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.test", "localhost.evil.test", "own.test", "a@localhost", "localhost/x", "", "a:b"]
)
def test_a_foreign_name(server, host):
    status, headers, said = ask(server, Host=host)
    assert (status, headers["x-frame-options"]) == (421, "DENY")
    assert "This server does not answer to that name. The person who runs it can add it to IRVIZ_HOSTS." in said
    assert handshake(server, Host=host) == 403


# -- origins ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:1", "http://localhost", "https://evil.test", "null", "file://", ""]
)
def test_a_page_of_another_server(server, origin):
    """Another port of the same machine is another server."""
    assert ask(server, Origin=origin)[0] == 403
    assert handshake(server, Origin=origin) == 403


def test_its_own_page(server):
    assert ask(server, Origin=server.url)[0] == 200
    with Visitor(server.url) as visitor:
        assert visitor.open("collection").errors == []


def test_the_answers_carry_the_headers(server):
    for path in ("/", "/scores?v=8", "/_stcore/health"):
        _, headers, _ = ask(server, path)
        policy = headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy and "object-src 'none'" in policy
        given = {one.split()[0]: one.split()[1:] for one in policy.split(";")}
        assert given.pop("default-src") == ["'self'"]
        assert all(one == "'self'" or one.startswith("'sha256-") for one in given.pop("script-src"))
        assert set(given.pop("connect-src")) == {"'self'", "ws:", "wss:"}
        own = {"'self'", "'none'", "'unsafe-inline'", "data:", "blob:"}
        assert all(set(sources) <= own for sources in given.values()), "something from elsewhere may be loaded"
        assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"


# -- cookies ---------------------------------------------------------------------------------


def test_a_cookie_is_issued_once(server):
    mine = given_cookie(server)
    assert re.fullmatch(r"irviz_owner_\d+=[0-9a-f]{32}\.[\w-]{43}", mine)
    assert given_cookie(server, Cookie=mine) == ""
    assert given_cookie(server) != mine


def test_a_browser_that_has_the_page_from_before_gets_one_too(server):
    """As after a restart: its old cookie is none any more, and it asks only whether the page has changed."""
    _, before, _ = ask(server)
    status, headers, _ = ask(server, If_None_Match=before["etag"], Cookie=f"irviz_owner_1={'0' * 32}.{'0' * 64}")
    assert status == 304 and headers["set-cookie"].startswith("irviz_owner_")
    mine = given_cookie(server)
    status, headers, _ = ask(server, If_None_Match=before["etag"], Cookie=mine)
    assert status == 304 and "set-cookie" not in headers


@pytest.mark.parametrize(
    "neighbour", ["bad[name]=1; {}", 'a="; {}', "=; ;;; {}", "{}; é=ü", "irviz_owner_1=x; {}", "{} ; a"]
)
def test_a_neighbours_cookie_does_not_reset_it(server, neighbour):
    mine = given_cookie(server)
    assert given_cookie(server, Cookie=neighbour.format(mine).encode().decode("latin-1")) == ""


def test_one_of_the_same_name_before_it_does_not_reset_it(server):
    mine = given_cookie(server)
    name = mine.partition("=")[0]
    assert given_cookie(server, Cookie=f"{name}={'0' * 32}.{'0' * 64}; {mine}") == ""


def test_what_the_server_did_not_issue_is_no_cookie(server):
    name, _, value = given_cookie(server).partition("=")
    owner, _, seal = value.partition(".")
    for other in (owner, f"{owner}.{'0' * 64}", f"{'0' * 32}.{seal}", value.upper(), value + "0", ""):
        assert given_cookie(server, Cookie=f"{name}={other}").startswith(f"{name}=")
    assert cookies.cookie_value(owner) != value  # signed by the server's own process, not by this one


def test_under_https_it_is_secure_and_the_hosts_own(server):
    """As a proxy on this machine says in X-Forwarded-Proto; the plain cookie is then none."""
    _, headers, _ = ask(server, X_Forwarded_Proto="https")
    said = headers["set-cookie"]
    assert re.match(r"__Host-irviz_owner_\d+=", said)
    assert set(said.split("; ")[1:]) == {"Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=2592000", "Secure"}
    assert given_cookie(server, X_Forwarded_Proto="https", Cookie=said.partition(";")[0]) == ""
    assert given_cookie(server, X_Forwarded_Proto="https", Cookie=given_cookie(server)) != ""


def test_a_request_cannot_say_itself_whose_it_is():
    headers = [(b"x-irviz-owner", b"0" * 32)]
    scope = {"type": "http", "scheme": "http", "server": ("", 1), "client": ("192.0.2.1", 1), "headers": headers}

    async def app(seen, *_):
        assert seen["headers"] == []

    run = cookies.OwnerCookie(app)(scope, None, None)
    with pytest.raises(StopIteration):
        run.send(None)


def test_being_forgotten_needs_no_page(server):
    mine = given_cookie(server)
    status, _, said = ask(server, "/forget", Cookie=mine)
    assert status == 200 and '<form method="post">' in said
    status, headers, said = ask(server, "/forget", "POST", Cookie=mine, Origin=server.url)
    assert status == 200 and "is forgotten" in said
    assert f"{mine}; " in headers["set-cookie"] and "Max-Age=0" in headers["set-cookie"]
    assert ask(server, "/forget", "POST", Cookie=mine, Origin="http://127.0.0.1:1")[0] == 403


def test_the_form_forgets_what_its_owner_loaded(monkeypatch):
    loaded = Dataset("mine", "Mine", open_collection("adhoc").subset(topics=["401"]))
    owner_store().keep("me", loaded)
    owner_store().keep("you", loaded)
    monkeypatch.setattr(cookies, "owner_in", lambda scope: "me")
    request = Request({"type": "http", "method": "POST", "scheme": "http", "headers": []})
    with ThreadPoolExecutor(1) as thread:  # a browser test may have left a loop running in this one
        thread.submit(asyncio.run, cookies.forget(request)).result()
    assert not owner_store().datasets_of("me") and owner_store().datasets_of("you")
    owner_store().forget("you")


def test_a_session_is_resumed_for_the_cookie_it_began_with_only(server):
    rerun = BackMsg(rerun_script={"page_name": "scores"}).SerializeToString()  # type: ignore[arg-type]
    mine, theirs = given_cookie(server), given_cookie(server)
    with Visitor(server.url, {"Cookie": mine}) as owner:
        session = owner.open("scores").session

        def resumes(cookie: str) -> bool:
            with connect(
                f"ws{server.url.removeprefix('http')}/_stcore/stream",
                subprotocols=["streamlit", "x", session],  # type: ignore[list-item]
                additional_headers={"Cookie": cookie},
                max_size=None,
            ) as page:
                page.send(rerun)
                return session.encode() in page.recv(timeout=60)  # type: ignore[operator]

        assert not resumes(theirs)
        assert owner.open("scores", show="box").figures == 1
    assert resumes(mine)


def test_processes_with_one_secret_know_each_others_cookies(server, everywhere):
    secured = {"Host": "ir.own.test", "X_Forwarded_Proto": "https"}
    mine = given_cookie(server, **secured)
    assert mine.startswith("__Host-irviz_owner_443=")
    other = f"{mine.partition('=')[0]}={cookies.cookie_value('0' * 32)}"  # of this process, with a secret of its own
    assert given_cookie(everywhere, **secured, Cookie=mine) == ""
    assert given_cookie(everywhere, **secured, Cookie=other) != ""


# -- messages and uploads ------------------------------------------------------------------------


def upload(server, session: str, size: int, name: str = "1", **headers: str) -> tuple[int, str]:
    body = b'--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n' + bytes(size) + b"\r\n--b--\r\n"
    token = {"Content_Type": "multipart/form-data; boundary=b", **xsrf(server), **headers}
    status, _, said = ask(server, f"/_stcore/upload_file/{session}/{name}", "PUT", body, **token)
    return status, said


def xsrf(server) -> dict[str, str]:
    """The token and cookie of an upload from a page of the server."""
    _, headers, _ = ask(server, "/_stcore/health")
    pair = next(one.partition(";")[0] for one in headers.get_all("set-cookie") if "xsrf" in one)
    return {"Cookie": pair, "X_Xsrftoken": pair.partition("=")[2]}


def test_an_upload_is_as_large_as_streamlit_allows(server):
    with Visitor(server.url) as one:
        session = one.open("collection").session
        assert upload(server, session, 900_000)[0] == 204
        assert upload(server, session, 2_000_000, "2")[0] == 413


def test_uploads_that_were_loaded_are_deleted(monkeypatch):
    uploads = MemoryUploadedFileManager("/_stcore/upload_file")
    runtime = Mock(spec=Runtime, uploaded_file_mgr=uploads)
    monkeypatch.setattr(internals, "Runtime", Mock(exists=lambda: True, instance=lambda: runtime))
    monkeypatch.setattr(internals, "get_script_run_ctx", lambda **_: Mock(session_id="mine"))
    for session in ("mine", "theirs"):
        uploads.add_file(session, UploadedFileRec("1", "a.run", "text/plain", b"x"))
    internals.drop_uploads()
    assert [len(uploads.get_files(session, ["1"])) for session in ("mine", "theirs")] == [0, 1]


def test_a_page_that_is_left_ends_its_work(server):
    with Visitor(server.url) as visitor:
        visitor.ask("incomplete", collection="adhoc", measures="AP,nDCG,Bpref,P@5,P@10,ERR@20", repeats="100")
        assert visitor.wait_until("Repeat").waits
        visitor.ask("scores")
        assert visitor.wait().figures == 1


def test_one_page_cannot_clear_what_all_keep(server):
    """Streamlit clears every cache of the process when a page asks for it; nor are its agents served."""
    assert ask(server, "/_stcore/agent/mcp")[0] == 404
    with Visitor(server.url) as visitor:
        visitor.open("scores")
        for ask_for in ("clear_cache", "set_run_on_save", "load_git_info"):
            message = BackMsg()
            setattr(message, ask_for, True)
            assert not is_known(message.SerializeToString())
            visitor.send(message)
        install = BackMsg()
        install.backend_operation_request.install_skills.SetInParent()
        assert not is_known(install.SerializeToString())
        assert visitor.open("scores", show="box").figures == 1
    for known in ("stop_script", "app_heartbeat"):
        message = BackMsg()
        setattr(message, known, True)
        assert is_known(message.SerializeToString())


# -- whom the server asks ----------------------------------------------------------------------

#: `python app.py` reads its port from a file only
PORT = 'mkdir .streamlit; printf "[server]\\nport = $STREAMLIT_SERVER_PORT\\n" > .streamlit/config.toml'
APP_PY = ("sh", "-c", f"{PORT}; exec {sys.executable} {ROOT / 'app.py'}")


def listening_at(port: int) -> set[str]:
    """The addresses of this machine that have a listener at a port, from the kernel's own table."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    found = {row[1].split(":")[0] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == port}
    return {".".join(str(byte) for byte in bytes.fromhex(address)[::-1]) for address in found}


@pytest.mark.parametrize("way", ["irviz", "app.py", "everywhere"])
def test_it_asks_nobody_and_answers_this_machine_only(way, server, everywhere, watched, start_server, tmp_path):
    """Python's own audit of every connection and name that is looked up, from the start to a page and a foreign one."""
    listening = {"0.0.0.0" if way == "everywhere" else "127.0.0.1"}
    if way == "everywhere":
        server = everywhere
    elif way == "app.py":
        server = start_server(command=APP_PY, folder=tmp_path, **watched)
    with Visitor(server.url) as visitor:
        assert visitor.open("scores" if way == "irviz" else "").errors == []
    assert handshake(server, Origin="http://evil.test") == 403
    assert ask(server, Host="evil.test")[0] == 421
    assert ask(server)[1]["x-frame-options"] == "DENY" and given_cookie(server).startswith("irviz_owner_")
    assert ask(server, "/_stcore/metrics")[0] == 404
    assert listening_at(int(server.url.rpartition(":")[2])) == listening
    asked = Path(watched["WATCHED"])
    assert not asked.exists(), asked.read_text()
