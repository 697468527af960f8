"""The store under hardship: older and newer files, full disks, crashes, several servers, damage, prying neighbours."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import irviz
from irviz.collection.codes import Finding
from irviz.errors import IrvizError
from irviz.workspace import store as folder
from irviz.workspace.store import Store
from irviz.workspace.view import View

VIEW = View.from_texts("similarity", show="tau")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def collection():
    whole = irviz.open_collection("multiaspect")
    return whole.subset(topics=whole.topics[:3], systems=whole.systems[:3], depth=10)


def called(collection, name, ties="trec_eval"):
    findings = (Finding("note", f"{name}.run", 3, "seen by its owner only"),)
    return replace(collection, name=name, ties=ties, findings=findings)


# -- names belong to persons -------------------------------------------------------------


def test_whoever_shares_first_decides_nothing_for_the_second(tmp_path, collection):
    store = Store(tmp_path)
    first = store.share(VIEW, data=called(collection, "Anna's secret", "rank"))
    second = store.share(VIEW, data=called(collection, "Ben's", "file"))
    for receipt, name, ties in ((first, "Anna's secret", "rank"), (second, "Ben's", "file")):
        found = Store(tmp_path).data(store.read(receipt.id))
        assert (found.name, found.ties, found.findings) == (name, ties, ())
        assert found.fingerprint == collection.fingerprint


def test_a_file_of_shared_data_names_nobody(tmp_path, collection):
    Store(tmp_path).share(VIEW, data=called(collection, "Anna's secret"))
    (file,) = (tmp_path / "collections").iterdir()
    assert b"Anna" not in file.read_bytes()


# -- versions ----------------------------------------------------------------------------


@pytest.mark.parametrize("writable", [True, False])
@pytest.mark.parametrize("version", [0, 3, 9])
def test_a_store_of_another_version_is_refused(tmp_path, monkeypatch, version, writable):
    Store(tmp_path).share(VIEW)
    with contextlib.closing(sqlite3.connect(tmp_path / "shares.sqlite")) as database, database:
        database.execute(f"PRAGMA user_version={version}")
    if not writable:
        monkeypatch.setattr(folder.os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(IrvizError, match=f"shares.sqlite: .*version {version}; this irviz reads version 5"):
        Store(tmp_path)
    with contextlib.closing(sqlite3.connect(tmp_path / "shares.sqlite")) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (version,)


# -- room --------------------------------------------------------------------------------


def test_kept_views_count(tmp_path, monkeypatch):
    monkeypatch.setattr("irviz.workspace.store.MOST_BYTES", 1 << 20)
    store, long = Store(tmp_path), View.from_texts("scores", topics="1" * 190_000)
    for _ in range(5):
        store.share(long)
    with pytest.raises(IrvizError, match="of the 1 MB set aside"):
        store.share(long)
    assert (tmp_path / "shares.sqlite").stat().st_size < 1 << 20


def test_room_is_got_back_by_withdrawing(tmp_path, monkeypatch):
    monkeypatch.setattr("irviz.workspace.store.MOST_BYTES", 1 << 20)
    store, long = Store(tmp_path), View.from_texts("scores", topics="1" * 190_000)
    for _ in range(20):
        receipt = store.share(long)
        store.withdraw(receipt.id, receipt.key)


# -- a folder that cannot be written to ----------------------------------------------------


@pytest.fixture
def read_only(monkeypatch):
    """As on a file system that is mounted to be read."""
    monkeypatch.setattr(folder.os, "access", lambda path, mode: mode != os.W_OK)


def test_a_read_only_folder_is_read(tmp_path, collection, read_only, monkeypatch):
    with monkeypatch.context() as writable:
        writable.setattr(folder.os, "access", lambda *_: True)
        receipt = Store(tmp_path).share(VIEW, data=collection)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    store = Store(tmp_path)
    assert store.data(store.read(receipt.id)).fingerprint == collection.fingerprint
    with pytest.raises(IrvizError, match="the folder is read-only"):
        store.share(VIEW)
    with pytest.raises(IrvizError, match="attempt to write a readonly database"):
        store.withdraw(receipt.id, receipt.key)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


# -- crashes, neighbours, damage -----------------------------------------------------------


def test_what_a_crash_left_behind_is_swept(tmp_path, collection):
    receipt = Store(tmp_path).share(VIEW, data=collection)
    data = tmp_path / "collections"
    kept = set(data.iterdir())
    for name in ("0" * 64 + ".irviz", "f" * 64 + ".npz", ".half-written.irviz"):
        (data / name).write_bytes(b"x")
    store = Store(tmp_path)
    assert set(data.iterdir()) == kept
    assert store.data(store.read(receipt.id)) is not None


SHARER = """
import sys
from pathlib import Path
import irviz
from irviz.workspace.view import View
from irviz.workspace.store import Store
whole = irviz.open_collection("multiaspect").subset(depth=5)
for i in range(4):
    store = Store(Path(sys.argv[1]))  # which sweeps
    receipt = store.share(View.from_texts("scores", n=str(i)), data=whole.subset(topics=whole.topics[i : i + 2]))
    if i % 2:
        store.withdraw(receipt.id, receipt.key)
    else:
        print(receipt.id, flush=True)
"""


def test_two_servers_of_one_folder(tmp_path):
    """Each sweeps at its start while the other shares and withdraws the same data."""
    servers = [
        subprocess.Popen([sys.executable, "-c", SHARER, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for _ in range(2)
    ]
    ids = [one for server in servers for one in server.communicate()[0].split()]
    store = Store(tmp_path)
    assert len(ids) == 4
    for one in ids:
        assert store.data(store.read(one)) is not None
    assert len(list((tmp_path / "collections").iterdir())) == 2


def test_damage_is_named(tmp_path, collection):
    """Pages overwritten at random: the store answers or refuses by name, and keeps data that other shares need."""
    whole = tmp_path / "whole"
    receipts = [
        Store(whole).share(View.from_texts("scores", topics="é" * 3_000), title="τ", data=collection) for _ in range(9)
    ]
    (data,) = (whole / "collections").iterdir()
    for seed in range(30):
        home, r = tmp_path / "broken", random.Random(seed)
        shutil.copytree(whole, home)
        file = home / "shares.sqlite"
        table = bytearray(file.read_bytes())
        for _ in range(r.choice((1, 20, 400))):
            table[r.randrange(100 if r.random() < 0.5 else 0, len(table))] = r.randrange(256)
        file.write_bytes(table)
        first, second = receipts[seed % 9], receipts[(seed + 1) % 9]
        with contextlib.suppress(IrvizError):
            Store(home).share(VIEW)
        with contextlib.suppress(IrvizError):
            Store(home).withdraw(first.id, first.key)
        with contextlib.suppress(IrvizError):
            store = Store(home)
            store.data(store.read(second.id))
        assert any((home / place / data.name).exists() for place in ("collections", "unnamed")), seed
        shutil.rmtree(home)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.5, 0.9])
def test_a_truncated_table_costs_no_shared_file(tmp_path, collection, share):
    """However often a server starts with the damaged table: with its copy back, every share opens."""
    receipts = [
        Store(tmp_path).share(View.from_texts("scores", topics="é" * 3_000), data=collection.subset(depth=depth))
        for depth in (2, 4, 6)
    ]
    file = tmp_path / "shares.sqlite"
    copy = file.read_bytes()
    file.write_bytes(copy[: int(len(copy) * share)])
    for _ in range(3):
        with contextlib.suppress(IrvizError):
            Store(tmp_path).share(VIEW)
    file.write_bytes(copy)
    store = Store(tmp_path)
    for receipt in receipts:
        assert store.data(store.read(receipt.id)) is not None


def test_what_no_share_names_is_put_aside_and_deleted_after_some_days(tmp_path, collection):
    Store(tmp_path).share(VIEW, data=collection)
    unnamed = tmp_path / "unnamed"
    (tmp_path / "collections" / ("0" * 64 + ".npz")).write_bytes(b"x")
    Store(tmp_path)
    (found,) = unnamed.iterdir()
    assert found.read_bytes() == b"x" and (unnamed.stat().st_mode & 0o777) == 0o700
    Store(tmp_path)
    assert found.exists()
    before = time.time() - folder.DAYS * 86_400 - 60
    os.utime(found, (before, before))
    Store(tmp_path)
    assert not found.exists()


def test_what_is_withdrawn_is_overwritten(tmp_path):
    store = Store(tmp_path)
    receipt = store.share(View.from_texts("scores", topics="never-to-be-found"), title="a private title")
    words = (b"never-to-be-found", b"private title", receipt.id.encode())
    assert all(word in (tmp_path / "shares.sqlite").read_bytes() for word in words)
    store.withdraw(receipt.id, receipt.key)
    held = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert not any(word in held for word in words)


def test_a_copy_is_a_backup(tmp_path, collection):
    """As docs/deploying.md describes it: a copy of the database by SQLite, the files of the data, and back."""
    home, copy = tmp_path / "home", tmp_path / "copy"
    receipt = Store(home).share(VIEW, data=collection)
    copy.mkdir()
    with (
        contextlib.closing(sqlite3.connect(home / "shares.sqlite")) as source,
        contextlib.closing(sqlite3.connect(copy / "shares.sqlite")) as target,
    ):
        source.backup(target)
    shutil.copytree(home / "collections", copy / "collections")
    shutil.rmtree(home)
    shutil.copytree(copy, home)
    store = Store(home)
    assert store.data(store.read(receipt.id)).fingerprint == collection.fingerprint


def test_a_locked_store_is_not_called_damaged(tmp_path, collection, monkeypatch):
    store = Store(tmp_path)
    store.share(VIEW, data=collection)
    monkeypatch.setattr("irviz.workspace.store._PATIENCE", 0.1)
    with contextlib.closing(sqlite3.connect(tmp_path / "shares.sqlite")) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(IrvizError, match="used by another program") as refused:
            store.share(VIEW, data=collection)
    assert "damaged" not in str(refused.value)
    assert store.share(VIEW, data=collection)
