"""Answers to a share: kept beside it, withdrawn by their writer or by who shared, gone with it."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from irviz.errors import IrvizError
from irviz.workspace import store as folder
from irviz.workspace.store import LONGEST_NAME, LONGEST_REPLY, NO_SHARE, Store
from irviz.workspace.view import View

VIEW = View.from_texts("similarity", show="tau")
ROOT = Path(__file__).resolve().parents[3]


def texts(store: Store, share_id: str) -> list[tuple[str, str]]:
    return [(reply.name, reply.text) for reply in store.replies(share_id)]


def held(home: Path) -> bytes:
    return b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())


def test_answers_come_back_the_oldest_first_to_who_has_the_id(tmp_path):
    store = Store(tmp_path)
    share, other = store.share(VIEW), store.share(VIEW)
    store.reply(share.id, "AP is not P.", "Ann")
    store.reply(share.id, "Why τ?")
    again = Store(tmp_path)
    assert texts(again, share.id) == [("Ann", "AP is not P."), ("", "Why τ?")]
    assert again.replies(other.id) == again.replies("A" * 22) == ()
    assert all(reply.key == "" and len(reply.created) == 25 for reply in again.replies(share.id))


def test_nothing_is_written_for_a_share_that_is_not_there(tmp_path):
    store = Store(tmp_path / "home")
    with pytest.raises(IrvizError) as refused:
        store.reply("A" * 22, "text")
    assert str(refused.value) == NO_SHARE
    assert store.replies("A" * 22) == () and not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  two\n\n lines\t", "two lines"),
        ("a\x1b[31mb\x00\x9b", "a [31mb"),
        ("left\u202eright\u2066\u200f", "left right"),
        ("half\ud800", "half"),
        ("<b>'; DROP TABLE replies; --", "<b>'; DROP TABLE replies; --"),
    ],
)
def test_hostile_text_is_one_line_without_controls(tmp_path, given, kept):
    store = Store(tmp_path)
    share = store.share(VIEW)
    store.reply(share.id, given, given[: LONGEST_NAME - 1])
    assert texts(store, share.id) == [(kept, kept)]


def test_limits(tmp_path, monkeypatch):
    store = Store(tmp_path)
    share = store.share(VIEW)
    for text, name, message in (
        ("x" * (LONGEST_REPLY + 1), "", "The answer is 1,001 characters long; at most 1,000 are kept."),
        ("x", "n" * (LONGEST_NAME + 1), "The name is 81 characters long; at most 80 are kept."),
        (" \n\u202e", "", "The answer is empty. Write some text."),
    ):
        with pytest.raises(IrvizError) as refused:
            store.reply(share.id, text, name)
        assert str(refused.value) == message
    monkeypatch.setattr(folder, "MOST_REPLIES", 2)
    for n in range(2):
        store.reply(share.id, f"{n}")
    with pytest.raises(IrvizError) as refused:
        store.reply(share.id, "one too many")
    assert str(refused.value) == "This share has 2 answers, which is the most that are kept."
    other = store.share(VIEW)
    monkeypatch.setattr("irviz.workspace.store.MOST_BYTES", 0)
    with pytest.raises(IrvizError, match="of the 0 MB set aside"):
        store.reply(other.id, "no room")


def test_only_its_writer_and_who_shared_withdraw_an_answer(tmp_path):
    store = Store(tmp_path)
    share, other = store.share(VIEW), store.share(VIEW)
    first, second, third = (store.reply(share.id, text) for text in ("first", "second", "third"))
    for key in (second.key, other.key, "", "é"):
        with pytest.raises(IrvizError) as refused:
            store.withdraw_reply(share.id, first.id, key)
        assert str(refused.value) == ("This answer cannot be withdrawn: it is gone already, or the key is not right.")
    with pytest.raises(IrvizError, match="cannot be withdrawn"):
        store.withdraw_reply(other.id, first.id, first.key)
    with pytest.raises(IrvizError, match="cannot be withdrawn"):
        store.withdraw(share.id, first.key)
    store.withdraw_reply(share.id, first.id, first.key)
    store.withdraw_reply(share.id, second.id, share.key)
    assert texts(store, share.id) == [("", "third")]
    assert third.key.encode() not in held(tmp_path)
    with pytest.raises(IrvizError, match="it is gone already"):
        store.withdraw_reply(share.id, first.id, first.key)


@pytest.mark.parametrize("whole", [True, False], ids=["with its share", "alone"])
def test_a_withdrawn_answer_is_overwritten(tmp_path, whole):
    store = Store(tmp_path)
    share = store.share(VIEW)
    reply = store.reply(share.id, "never to be found again", "Somebody Private")
    words = (b"never to be found", b"Somebody Private", reply.id.encode())
    assert all(word in held(tmp_path) for word in words)
    if whole:
        store.withdraw(share.id, share.key)
    else:
        store.withdraw_reply(share.id, reply.id, reply.key)
    assert store.replies(share.id) == ()
    assert not any(word in held(tmp_path) for word in words)


def test_an_answer_is_withdrawn_on_a_full_disk(tmp_path, monkeypatch):
    store = Store(tmp_path)
    share = store.share(VIEW)
    reply, tried, delete = store.reply(share.id, "text"), [], store._delete_reply

    def full_once(*given):
        tried.append((tmp_path / "reserve").exists())
        if len(tried) == 1:
            raise folder.DiskFull("full")
        return delete(*given)

    monkeypatch.setattr(store, "_delete_reply", full_once)
    store.withdraw_reply(share.id, reply.id, reply.key)
    assert tried == [True, False] and store.replies(share.id) == ()
    assert (tmp_path / "reserve").stat().st_size == folder._RESERVED_BYTES, "for the next time"


def test_a_read_only_folder_shows_answers_and_takes_none(tmp_path, monkeypatch):
    store = Store(tmp_path)
    share = store.share(VIEW)
    reply = store.reply(share.id, "read me")
    monkeypatch.setattr(folder.os, "access", lambda path, mode: mode != os.W_OK)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    store = Store(tmp_path)
    assert texts(store, share.id) == [("", "read me")] and not store.writable
    with pytest.raises(IrvizError, match=r"answers cannot be kept here \(the folder is read-only\)"):
        store.reply(share.id, "more")
    with pytest.raises(IrvizError, match="attempt to write a readonly database"):
        store.withdraw_reply(share.id, reply.id, reply.key)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("writable", [True, False])
def test_a_store_from_before_answers(tmp_path, monkeypatch, writable):
    share = Store(tmp_path).share(VIEW, title="old")
    with contextlib.closing(sqlite3.connect(tmp_path / "shares.sqlite")) as database, database:
        database.execute("DROP TABLE replies")
        database.execute("PRAGMA user_version=2")
    if not writable:
        monkeypatch.setattr(folder.os, "access", lambda path, mode: mode != os.W_OK)
    store = Store(tmp_path)
    assert store.read(share.id).title == "old" and store.replies(share.id) == ()
    if writable:
        store.reply(share.id, "new")
        assert texts(Store(tmp_path), share.id) == [("", "new")]


WRITER = """
import sys
from pathlib import Path
from irviz.workspace.store import Store
store = Store(Path(sys.argv[1]))
for i in range(10_000):
    if i % 40 == 0:
        share = store.share(store.read(sys.argv[2]).view)
    store.reply(share.id, f"answer {i}")
    print(share.id, i, flush=True)
"""


def test_kill_9_during_answers_loses_nothing_confirmed(tmp_path):
    first = Store(tmp_path).share(VIEW)
    asked = [sys.executable, "-c", WRITER, str(tmp_path), first.id]
    writer = subprocess.Popen(asked, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert writer.stdout is not None
    lines = [writer.stdout.readline() for _ in range(25)]
    os.kill(writer.pid, signal.SIGKILL)
    lines += [line for line in writer.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    writer.stdout.close()
    writer.wait()
    store = Store(tmp_path)
    for share_id, number in (line.split() for line in lines):
        assert ("", f"answer {number}") in texts(store, share_id)
