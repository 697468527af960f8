"""One ``.irviz`` file: what comes out is what went in, or an error."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irviz
from irviz.collection.bundle import open_bundle
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.collection.saving import save
from irviz.errors import IrvizError
from tests import zips

QRELS = ("q.txt", "1 0 a 2 7\n1 0 b 0 -1\n2 0 ü 1 0.5\n".encode())
RUNS = [("x.run", b"1 Q0 a 1 2 x\n1 Q0 z 2 2 x\n"), ("y.run", b"2 Q0 b 1 2 x\n1 Q0 b 1 1 x\n")]


def collection() -> Collection:
    return load_collection(QRELS, RUNS, ties="trec_eval10", name="für alle")


def assert_equal(one: Collection, two: Collection) -> None:
    for name in ("name", "topics", "systems", "aspects", "grades", "ties", "findings", "depth", "fingerprint"):
        assert getattr(one, name) == getattr(two, name), name
    for array in ("ranking", "labels"):
        np.testing.assert_array_equal(getattr(one, array), getattr(two, array))
        assert getattr(one, array)[:].dtype == getattr(two, array)[:].dtype
    assert not two.ranking.judged.values.flags.writeable and not two.labels.values.flags.writeable


def test_save_and_open(tmp_path: Path) -> None:
    c = collection()
    assert c.findings
    path = c.save(tmp_path / "mine.irviz")
    assert path == tmp_path / "mine.irviz"
    assert_equal(c, open_bundle(path))
    assert_equal(c, open_bundle(str(path)))
    assert_equal(c, open_bundle(("C:\\up\\mine.irviz", path.read_bytes())))
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_collection_gives_the_same_bytes(tmp_path: Path) -> None:
    one, two = (collection().save(tmp_path / name).read_bytes() for name in ("one", "two"))
    assert one == two


def test_many_judged_documents(tmp_path: Path) -> None:
    qrels = b"".join(b"1 0 d%d 1\n" % i for i in range(40_000))
    c = load_collection(("q", qrels), ("x", b"1 Q0 d39999 1 1 x\n1 Q0 d9999 2 0 x\n"))
    assert c.ranking[:].max() == 39_999
    assert_equal(c, open_bundle(c.save(tmp_path / "big.irviz")))


def test_real_files(collections: Path, tmp_path: Path) -> None:
    folder = collections / "trec-covid-round1"
    c = load_collection(folder / "qrels.txt", sorted((folder / "runs").iterdir())[:5])
    assert_equal(c, open_bundle(c.save(tmp_path / "covid.irviz")))


def test_a_failing_save_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = collection().save(tmp_path / "mine.irviz")
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(IrvizError) as caught:
        save(collection().subset(topics=["1"]), path)
    assert str(caught.value) == f"{path}: cannot be written (No space left on device)."
    assert (list(tmp_path.iterdir()), path.read_bytes()) == ([path], before)


def tampered(
    tmp_path: Path,
    header: Callable[[dict[str, Any]], object] | None = None,
    members: dict[str, bytes] | None = None,
    method: int = zipfile.ZIP_STORED,
) -> str:
    """The error of opening a saved collection after its header or members were changed."""
    path = collection().save(tmp_path / "mine.irviz")
    parts = zips.members(path)
    if header is not None:
        described = json.loads(parts["collection.json"])
        header(described)
        parts["collection.json"] = json.dumps(described).encode()
    parts.update(members or {})
    with pytest.raises(IrvizError) as caught:
        open_bundle(("mine.irviz", zips.zipped(parts, method)))
    return str(caught.value)


def not_whole(why: str) -> str:
    return f"mine.irviz: this is not a whole irviz collection ({why}). Save it again."


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda h: h.clear(), "its collection.json describes something else"),
        (lambda h: h.pop("topics"), "its topics are not a list of names"),
        (lambda h: h.update(systems=["x.run", 3]), "its systems are not a list of names"),
        (lambda h: h.update(systems=["x", "x"]), "its systems repeat"),
        (lambda h: h.update(aspects=[]), "its aspects are not a list of names"),
        (lambda h: h.update(grades=[[0, 1]]), "its grades are not ascending numbers from 0 for every aspect"),
        (lambda h: h.update(grades=[[0, True], [0]]), "its grades are not ascending numbers from 0 for every aspect"),
        (lambda h: h.update(depth=0), "its sizes are not whole numbers"),
        (lambda h: h.update(depth=2**31), "its sizes are not whole numbers"),
        (lambda h: h.update(depth=2**30), "its ranking.bin has 16 bytes instead of 8,589,934,592"),
        (lambda h: h.update(judged=7), "its labels.bin has 16 bytes instead of 56"),
        (lambda h: h.update(width="<f8"), "its sizes are not whole numbers"),
        (lambda h: h.update(ties="none"), "its name or its tie rule is unknown"),
        (lambda h: h.update(name="\ud800"), "its name or its tie rule is unknown"),
        (lambda h: h.update(topics=["1", "\udc80"]), "its topics are not a list of names"),
        (lambda h: h.update(findings=[["note", "f", 1, "\ud800"]]), "its findings are broken"),
        (lambda h: h.update(findings=[["note", "f", 0, "m"]]), "its findings are broken"),
        (lambda h: h.update(fingerprint="0"), "its fingerprint does not match its content"),
        (lambda h: h.update(topics=["1", "3"]), "its fingerprint does not match its content"),
    ],
)
def test_a_changed_header(tmp_path: Path, change: Callable[[dict[str, Any]], object], why: str) -> None:
    assert tampered(tmp_path, change) == not_whole(why)


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({"collection.json": b"{"}, "its collection.json is not JSON"),
        ({"collection.json": b"[" * 100_000}, "its collection.json is not JSON"),
        ({"collection.json": b"[]"}, "its collection.json describes something else"),
        ({"extra.pickle": b""}, "it should hold collection.json, labels.bin and ranking.bin"),
        ({"ranking.bin": b""}, "its ranking.bin has 0 bytes instead of 16"),
        ({"ranking.bin": np.full(8, 2, "<i2").tobytes()}, "a ranking refers to a document that is not judged"),
        ({"ranking.bin": np.full(8, -3, "<i2").tobytes()}, "a ranking refers to a document that is not judged"),
        ({"ranking.bin": np.full(8, -1, "<i2").tobytes()}, "its fingerprint does not match its content"),
        ({"labels.bin": np.full(8, 3, "<i2").tobytes()}, "a label is not a level of its aspect"),
        ({"labels.bin": np.full(8, -3, "<i2").tobytes()}, "a label is not a level of its aspect"),
    ],
)
def test_changed_content(tmp_path: Path, members: dict[str, bytes], why: str) -> None:
    assert tampered(tmp_path, members=members) == not_whole(why)


def test_compressed_members_are_no_bomb(tmp_path: Path) -> None:
    assert tampered(tmp_path, method=zipfile.ZIP_DEFLATED) == not_whole("its collection.json is compressed")


def test_a_newer_format(tmp_path: Path) -> None:
    assert tampered(tmp_path, lambda header: header.update(version=5)) == (
        "mine.irviz: was saved in format 5; this irviz reads format 4. Update irviz, or save it again."
    )


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"1 Q0 a 1 2 x\n"])
def test_what_is_no_bundle(data: bytes) -> None:
    with pytest.raises(IrvizError) as caught:
        open_bundle(("mine.irviz", data))
    assert str(caught.value) == not_whole("File is not a zip file")


def test_every_flipped_byte_is_noticed_or_harmless(tmp_path: Path) -> None:
    c = collection()
    data = c.save(tmp_path / "mine.irviz").read_bytes()
    for place in range(0, len(data), 3):
        changed = bytearray(data)
        changed[place] ^= 0x10
        try:
            opened = open_bundle(("mine.irviz", bytes(changed)))
        except IrvizError:
            continue
        assert opened.fingerprint == c.fingerprint


def test_a_file_names_the_irviz_that_wrote_it(tmp_path: Path):
    parts = zips.members(collection().save(tmp_path / "c.irviz"))
    assert json.loads(parts["collection.json"])["irviz"] == irviz.__version__
