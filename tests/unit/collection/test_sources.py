"""Folders, archives and uploads, honest and hostile."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from irviz.collection.catalogue import open_collection
from irviz.collection.load import load_collection
from irviz.collection.names import natural_order
from irviz.collection.sources import Limits, single, source_files
from irviz.collection.trec import parse_run
from irviz.errors import IrvizError
from tests import zips

RUN = b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n"
QRELS = ("q.txt", b"1 0 a 1\n1 0 b 0\n")


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    return zips.zipped(files, method)


def tarred(files: dict[str, bytes], mode: str = "w") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def found(source, **limits: int) -> list[tuple[str, str, bytes]]:
    return [(job.name, job.file, job.read()) for job in source_files(source, "run", Limits(**limits))]


def refusal(source, **limits: int) -> str:
    with pytest.raises(IrvizError) as caught:
        found(source, **limits)
    return str(caught.value)


@pytest.mark.parametrize(
    ("suffix", "data"),
    [
        ("", RUN),
        (".gz", gzip.compress(RUN)),
        (".gz", gzip.compress(RUN[:13]) + gzip.compress(RUN[13:])),
        (".bz2", bz2.compress(RUN)),
        (".xz", lzma.compress(RUN)),
        (".gz", RUN),
        ("", gzip.compress(RUN)),
    ],
)
def test_one_file_on_disk_and_as_an_upload(tmp_path: Path, suffix: str, data: bytes) -> None:
    file = f"bm25.txt{suffix}"
    (tmp_path / file).write_bytes(data)
    assert found(tmp_path / file) == found((file, data)) == [("bm25.txt", file, RUN)]
    assert found(str(tmp_path)) == [("bm25.txt", file, RUN)]


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("all.zip", zipped({"runs/a.run": RUN, "runs/b.run.gz": gzip.compress(RUN)})),
        ("all.zip", zipped({"runs/a.run": RUN, "runs/b.run.gz": gzip.compress(RUN)}, zipfile.ZIP_LZMA)),
        ("all.tar", tarred({"a.run": RUN, "x/y/b.run.gz": gzip.compress(RUN)})),
        ("all.tar.gz", tarred({"a.run": RUN, "b.run.gz": gzip.compress(RUN)}, "w:gz")),
        ("all.tar.bz2", tarred({"a.run": RUN, "b.run.gz": gzip.compress(RUN)}, "w:bz2")),
        ("all.tar.xz", tarred({"a.run": RUN, "b.run.gz": gzip.compress(RUN)}, "w:xz")),
        ("all.zip", zipped({"../../etc/a.run": RUN, "C:\\x\\b.run.gz": gzip.compress(RUN)})),
        ("all.tar", tarred({"/etc/a.run": RUN, "../b.run.gz": gzip.compress(RUN)})),
        (
            "all.zip",
            zipped({"__MACOSX/._a.run": b"\0", ".DS_Store": b"\0", "a.run": RUN, "b.run.gz": gzip.compress(RUN)}),
        ),
    ],
)
def test_archives(tmp_path: Path, file: str, data: bytes) -> None:
    expected = [("a.run", f"{file}/a.run", RUN), ("b.run", f"{file}/b.run.gz", RUN)]
    (tmp_path / file).write_bytes(data)
    assert found(tmp_path / file) == found((file, data)) == expected
    assert list(tmp_path.iterdir()) == [tmp_path / file]


@pytest.mark.parametrize(
    ("source", "file"),
    [
        (("1.zip", zipped({"2.zip": zipped({"a.run": RUN})})), "1.zip/2.zip"),
        (("1.tar", tarred({"2.tgz": tarred({"a.run": RUN}, "w:gz")})), "1.tar/2.tgz"),
        (("a.gz", gzip.compress(gzip.compress(RUN))), "a.gz"),
    ],
)
def test_an_archive_holds_files_that_are_packed_once(source, file: str) -> None:
    assert refusal(source) == f"{file}: is packed twice. Unpack it and load what is in it."


def test_a_folder_in_natural_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("run10", "run9", ".DS_Store", "sub/run11", "__MACOSX/run1"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(RUN)
    assert [name for name, _, _ in found(tmp_path)] == ["run9", "run10", "run11"]


def test_a_list_of_paths_and_uploads(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(RUN)
    assert [name for name, _, _ in found([tmp_path / "one", ("two.gz", gzip.compress(RUN))])] == ["one", "two"]


def test_progress_counts_the_members_of_an_archive() -> None:
    source = [("a.zip", zipped({"1": RUN, "2": RUN})), ("b", RUN)]
    assert [job.share_done for job in source_files(source, "run")] == [0.25, 0.5, 1.0]


ZEROS = gzip.compress(b"0" * (5 << 20))


class TestBombs:
    @pytest.mark.parametrize(
        ("data", "file"),
        [
            (ZEROS, "x"),
            (zipped({"y": b"0" * (5 << 20)}), "x"),
            (zipped({"a.gz": ZEROS}, zipfile.ZIP_STORED), "x/a.gz"),
            (zipped({str(i): b"0" * (1 << 20) for i in range(10)}), "x"),
        ],
        ids=["one file", "a member", "layers", "members that are small each"],
    )
    def test_unpacked_bytes(self, data: bytes, file: str) -> None:
        assert refusal(("x", data), total_bytes=4 << 20).startswith(f"{file}: the files unpack to more than 4 MB")

    @pytest.mark.parametrize("data", [RUN * 100, gzip.compress(RUN * 100)])
    def test_one_long_file(self, data: bytes) -> None:
        assert (
            refusal(("x", data), file_bytes=1 << 10) == "x: holds a file of more than 0.000977 MB. Split it by system."
        )

    @pytest.mark.parametrize("data", [zipped({"a": RUN * 100}), tarred({"a": RUN * 100})])
    def test_one_long_member(self, data: bytes) -> None:
        assert refusal(("x", data), file_bytes=2048) == "x: holds a file of more than 0.00195 MB. Split it by system."

    def test_all_together(self) -> None:
        source = [(f"x{i}.gz", gzip.compress(RUN * 100)) for i in range(9)]
        assert "the files unpack to more than 0.01 MB. Load fewer runs." in refusal(source, total_bytes=10_486)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_file_cut_short(pack) -> None:
    message = refusal(("x.pack", pack(RUN * 50)[:-9]))
    assert message.startswith("x.pack: the file is cut short or damaged (")
    assert message.endswith("). Fetch it again.")


def test_a_damaged_zip() -> None:
    data = bytearray(zipped({"a.run": RUN * 100}, zipfile.ZIP_STORED))
    data[100] ^= 1
    assert refusal(("x.zip", bytes(data))) == (
        "x.zip: the file is cut short or damaged (Bad CRC-32 for file 'a.run'). Fetch it again."
    )


@pytest.mark.parametrize(
    "data",
    [
        zipped({"a.run": RUN, "b.run.gz": gzip.compress(RUN)}),
        tarred({"a.run": RUN, "b.run.gz": gzip.compress(RUN)}, "w:xz"),
        tarred({"a.run": RUN})[:1536],
        gzip.compress(RUN),
    ],
)
def test_broken_bytes_give_sentences(data: bytes) -> None:
    for place in (place for place in range(len(data)) if data[place] or place % 16 == 0):  # padding is many zeros
        for flip in (0x01, 0x80):
            changed = bytearray(data)
            changed[place] ^= flip
            with suppress(IrvizError):  # any other error fails the test
                for _, file, text in found(("x", bytes(changed))):
                    parse_run(file, text)


def test_an_encrypted_zip() -> None:
    data = bytearray(zipped({"a.run": RUN}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert refusal(("x.zip", bytes(data))) == "x.zip: a.run is encrypted. Give an archive without password."


def test_an_entry_without_a_name() -> None:
    """zipfile ends in an IndexError."""
    one = zipped({"a": RUN})
    start, end = one.index(b"PK\x01\x02"), one.index(b"PK\x05\x06")
    file = one[:26] + b"\0\0" + one[28:30] + one[31:start]
    entry = one[start : start + 28] + b"\0\0" + one[start + 30 : start + 46] + one[start + 47 : end]
    data = file + entry + one[end : end + 12] + struct.pack("<II", len(entry), len(file)) + one[end + 20 :]
    assert refusal(("x.zip", data)) == (
        "x.zip: the file is cut short or damaged (string index out of range). Fetch it again."
    )


def test_links_and_devices_in_a_tar_are_passed_over() -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        link = tarfile.TarInfo("passwd")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    assert refusal(("x.tar", out.getvalue())) == "x.tar: the archive holds no file."


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([], "The list of run files is empty. Give at least one."),
        (7, "A run is given as a path or as (name, bytes); got int."),
        ([7], "A run is given as a path or as (name, bytes); got int."),
        ("/no/such/run", "/no/such/run: there is no such file or folder. Check the path of the run."),
    ],
)
def test_what_is_no_source(source, message: str) -> None:
    assert refusal(source) == message


def test_qrels_are_one_file() -> None:
    assert single(("q.gz", gzip.compress(b"1 0 a 1")), "qrels").read() == b"1 0 a 1"
    with pytest.raises(IrvizError) as caught:
        single(("q.zip", zipped({"a": RUN, "b": RUN})), "qrels")
    assert str(caught.value) == (
        "q.zip: expected one qrels file, found 2 files. Parts of one set are a list of files (--qrels more than once), "
        "aspects {aspect: path} (ASPECT=FILE)."
    )


def test_errors_name_the_member_and_its_line() -> None:
    with pytest.raises(IrvizError) as caught:
        load_collection(QRELS, ("all.zip", zipped({"a.run": RUN, "b.run": RUN + b"1 Q0 c 3\n"})))
    assert str(caught.value) == 'all.zip/b.run:3: expected 6 fields, found 4: "1 Q0 c 3"'


def test_a_read_me_among_the_runs_is_named(tmp_path: Path) -> None:
    """Nothing is passed over in silence: the file is either a run, or refused by name."""
    (tmp_path / "x.run").write_bytes(RUN)
    (tmp_path / "README.md").write_text("# The runs of 2024\n")
    with pytest.raises(IrvizError) as caught:
        load_collection(QRELS, tmp_path)
    assert str(caught.value) == (
        "README.md: the file holds no line of a run or of qrels, only lines that begin with #. Take it out of the data."
    )


class TestNamesThatAreNoText:
    """Halves of characters become escapes at the door, so that whatever is loaded can be written."""

    def test_a_file_in_a_tar(self, tmp_path: Path) -> None:
        data = tarred({"caf\udce9.run": RUN})
        opened = load_collection(QRELS, ("x.tar", data))
        assert opened.systems == ("caf%E9.run",)
        assert open_collection(opened.save(tmp_path / "x.irviz")).systems == opened.systems

    def test_a_file_in_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "caf\udce9.run").write_bytes(RUN)
        assert [name for name, _, _ in found(tmp_path)] == ["caf%E9.run"]

    def test_uploads_and_aspects(self) -> None:
        assert found(("\ud800.run", RUN)) == [("%ED%A0%80.run", "%ED%A0%80.run", RUN)]
        opened = load_collection({"a\udcff": QRELS}, ("x", RUN), name="n\udcff")
        assert (opened.name, opened.aspects) == ("n%FF", ("a%FF",))


def test_a_number_of_any_length_is_in_its_place() -> None:
    assert natural_order(["9" * 5_000, "1" + "0" * 5_000, "007", "7", "10"]) == [
        *("007", "7", "10"),
        *("9" * 5_000, "1" + "0" * 5_000),
    ]
