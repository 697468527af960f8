"""Files for downloads are made in turn: nobody takes all the threads that make them."""

from __future__ import annotations

import asyncio
from threading import Event
from types import SimpleNamespace

import pytest
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.runtime import Runtime

from irviz.errors import IrvizError
from irviz.limits import limit
from irviz.server.lifespan import FilesInTurn
from irviz.workspace.job import present_job


@pytest.fixture
def pages(monkeypatch) -> dict[str, str]:
    """Open pages: session → address."""
    found = {f"many {n}": "from 192.0.2.1" for n in range(40)} | {"one": "from 192.0.2.2"}

    def client(session: str) -> SimpleNamespace | None:
        sent = [("x-irviz-owner", session), ("x-irviz-address", found.get(session, ""))]
        return SimpleNamespace(client_context=SimpleNamespace(headers=sent)) if session in found else None

    monkeypatch.setattr(Runtime, "instance", lambda: SimpleNamespace(get_client=client))
    return found


def asked(session: str, make) -> asyncio.Task:
    request = BackendOperationRequest(request_id=session)
    request.deferred_file.file_id = session
    handler = FilesInTurn(lambda: SimpleNamespace(execute_deferred=make))
    return asyncio.create_task(handler.handle(request, session))


def test_an_address_with_many_pages_does_not_take_all_threads(pages):
    begun, enough = [], Event()

    def slow(file: str) -> str:
        job = present_job()
        begun.append((*job.whose, job.seconds))
        enough.wait(20)
        return file

    async def crowd() -> None:
        many = [asked(page, slow) for page in pages if page != "one"]
        try:
            answer = await asyncio.wait_for(asked("one", lambda file: f"/{file}"), 10)
            assert answer.deferred_file.url == "/one" and len(begun) == 2
        finally:
            enough.set()
            await asyncio.gather(*many)

    asyncio.run(crowd())
    assert len(begun) == 40
    assert ("from 192.0.2.1", "many 0", limit("IRVIZ_REQUEST_SECONDS")) in begun[:2]  # two begin at once


def test_a_file_ends_with_its_page(pages):
    def make(file: str) -> str:
        pages.clear()
        job = present_job()
        job._show_at = 0.0
        job(0.5, "drawing")
        return file

    async def leave() -> None:
        answer = await asked("one", make)
        assert answer.error_msg
        with pytest.raises(IrvizError, match="closed"):
            await asked("one", make)

    asyncio.run(leave())
