"""The store of shares: found by id only, withdrawn by key only, and nothing confirmed is ever lost."""

from __future__ import annotations

import base64
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import irviz
from irviz.errors import IrvizError
from irviz.workspace.store import Store
from irviz.workspace.view import View

VIEW = View.from_texts("similarity", show="tau", m="AP,nDCG@10")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def collection():
    return irviz.open_collection("multiaspect").subset(topics=irviz.open_collection("multiaspect").topics[:3])


def test_a_share_comes_back_with_its_collection(tmp_path, collection):
    receipt = Store(tmp_path).share(VIEW, title="τ", note="look", data=collection)
    store = Store(tmp_path)
    found = store.read(receipt.id)
    assert (found.view, found.title, found.note, found.fingerprint) == (VIEW, "τ", "look", collection.fingerprint)
    again = store.data(found)
    assert again is not None
    assert again.fingerprint == collection.fingerprint


def test_a_view_alone_needs_no_collection(tmp_path):
    store = Store(tmp_path)
    found = store.read(store.share(VIEW).id)
    assert store.data(found) is None


@pytest.mark.parametrize("guess", ["", "x", "A" * 22, "%", "' OR 1=1 --", "../../etc/passwd", "A" * 10_000])
def test_a_guess_finds_nothing(tmp_path, guess):
    store = Store(tmp_path)
    store.share(VIEW)
    with pytest.raises(IrvizError) as refused:
        store.read(guess)
    assert str(refused.value) == (
        "This shared link no longer exists on this server. It may have been withdrawn, or the link is cut short."
    )


def test_ids_are_128_random_bits(tmp_path):
    store = Store(tmp_path)
    ids = {store.share(VIEW).id for _ in range(50)}
    assert len(ids) == 50 and {len(one) for one in ids} == {22}
    numbers = [int.from_bytes(base64.urlsafe_b64decode(one + "==")) for one in ids]
    for bit in range(128):
        assert len({number >> bit & 1 for number in numbers}) == 2, "the same in all of them"


def test_only_the_key_withdraws(tmp_path, collection):
    store = Store(tmp_path)
    first, second = (store.share(VIEW, data=collection) for _ in range(2))
    with pytest.raises(IrvizError, match="its id or its key is not right"):
        store.withdraw(first.id, second.key)
    store.withdraw(first.id, first.key)
    with pytest.raises(IrvizError, match="no longer exists"):
        store.read(first.id)
    assert store.data(store.read(second.id)) is not None
    store.withdraw(second.id, second.key)
    assert list((tmp_path / "collections").iterdir()) == []


def test_the_key_is_not_in_the_file(tmp_path):
    receipt = Store(tmp_path).share(VIEW)
    held = b"".join(file.read_bytes() for file in tmp_path.glob("shares.sqlite*"))
    assert receipt.key.encode() not in held


def test_the_folder_is_its_users_own(tmp_path, collection):
    home = tmp_path / "home"
    before = os.umask(0)
    try:
        Store(home).share(VIEW, data=collection)
    finally:
        os.umask(before)
    assert {stat.S_IMODE(path.stat().st_mode) for path in (home, home / "collections")} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in home.rglob("*") if path.is_file()} == {0o600}


def test_a_folder_that_others_could_read_is_closed_at_the_start(tmp_path, collection):
    Store(tmp_path).share(VIEW, data=collection)
    for path in (tmp_path, *tmp_path.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    Store(tmp_path)
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in (tmp_path, *tmp_path.rglob("*"))} == {0}


def test_nothing_is_written_before_something_is_shared(tmp_path):
    home = tmp_path / "home"
    store = Store(home)
    with pytest.raises(IrvizError, match="no longer exists"):
        store.read("A" * 22)
    assert not store.has("A" * 22)
    assert not home.exists()


def test_a_store_that_is_full_says_so(tmp_path, collection, monkeypatch):
    monkeypatch.setattr("irviz.workspace.store.MOST_BYTES", 0)
    with pytest.raises(IrvizError, match="of the 0 MB set aside"):
        Store(tmp_path).share(VIEW, data=collection)
    assert list((tmp_path / "collections").iterdir()) == []


def test_long_texts_are_refused(tmp_path):
    with pytest.raises(IrvizError) as refused:
        Store(tmp_path).share(VIEW, title="x" * 201)
    assert str(refused.value) == "The title is 201 characters long; at most 200 are kept."


def test_a_damaged_store_is_an_error_not_a_traceback(tmp_path):
    Store(tmp_path).share(VIEW)
    for file in tmp_path.glob("shares.sqlite*"):
        file.write_bytes(b"not a database at all" * 400)
    with pytest.raises(IrvizError, match="the store of shares cannot be used"):
        Store(tmp_path)


def test_many_at_once_lose_nothing(tmp_path):
    store, ids = Store(tmp_path), []
    threads = [threading.Thread(target=lambda: ids.extend(store.share(VIEW).id for _ in range(5))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({store.read(one).id for one in ids}) == 40


WRITER = """
import sys
from pathlib import Path
import irviz
from irviz.workspace.store import Store
from irviz.workspace.view import View
whole = irviz.open_collection("multiaspect")
store = Store(Path(sys.argv[1]))
for i in range(10_000):
    part = whole.subset(topics=whole.topics[i % 30 : i % 30 + 3])
    print(store.share(View.from_texts("scores", n=str(i)), data=part).id, flush=True)
"""


@pytest.mark.parametrize("confirmed", [1, 9])
def test_kill_9_during_writes_loses_nothing_confirmed(tmp_path, confirmed):
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert writer.stdout is not None
    ids = [writer.stdout.readline().strip() for _ in range(confirmed)]
    os.kill(writer.pid, signal.SIGKILL)
    ids += [line.strip() for line in writer.stdout.read().splitlines() if len(line.strip()) == 22]
    writer.stdout.close()
    writer.wait()
    store = Store(tmp_path)
    for number, one in enumerate(ids):
        found = store.read(one)
        kept = store.data(found)
        assert found.view.values == {"n": str(number)}
        assert kept is not None
        assert kept.fingerprint == found.fingerprint
    with sqlite3.connect(tmp_path / "shares.sqlite") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_judges_go_along_and_what_is_a_persons_does_not(tmp_path):
    files = {"people": ("q", b"1 0 a 1\n1 0 b 0\n"), "machine": ("m", b"1 0 a 0\n1 0 secret 2\n")}
    runs = [("x", b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n"), ("y", b"1 Q0 secret 1 2 y\n")]
    mine = irviz.load_collection(files, runs, judges=True, name="my own name", topics={"1": "what I asked"})
    store = Store(tmp_path)
    receipt = store.share(VIEW, data=mine)
    again = store.data(store.read(receipt.id))
    assert (again.judges, again.judge, again.fingerprint) == (mine.judges, "people", mine.fingerprint)
    (file,) = (tmp_path / "collections").iterdir()
    assert not any(word in file.read_bytes() for word in (b"my own name", b"secret", b"what I asked"))
    alone = irviz.load_collection(files["people"], runs, name="another")  # the same scores, but no judges
    store.share(VIEW, data=alone)
    assert len(list((tmp_path / "collections").iterdir())) == 2
