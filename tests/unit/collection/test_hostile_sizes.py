"""Few bytes that would take long to read, or much memory to hold: read in linear time, or refused by name."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import irviz
from irviz.collection import saving, topics
from irviz.collection.bundle import bundled_views, open_bundle
from irviz.collection.load import load_collection
from irviz.collection.matrices import read_matrices
from irviz.collection.people import load_preferences, load_satisfaction
from irviz.collection.recognise import recognise
from irviz.collection.saving import save
from irviz.collection.sources import Limits
from irviz.collection.topics import parse_topics
from irviz.errors import IrvizError, TooLarge
from tests.fuzz.engine import memory, patience
from tests.zips import members, zipped

QRELS, RUN = ("q", b"1 0 a 1\n"), ("r", b"1 Q0 a 1 2 x\n")
LONG = 1 << 16
SOON = 10  #: seconds of computing; each of these took minutes or hours


def refusal(call: Callable[..., object], *given: Any, **more: Any) -> str:
    with pytest.raises(IrvizError) as caught:
        call(*given, **more)
    return str(caught.value)


class TestRepeatedBytes:
    """Each was quadratic."""

    def test_attributes_of_topics(self) -> None:
        record = b"<topic number='%d' " + b"a" * 970 + b"><title>ships"
        with patience(SOON):
            found = parse_topics("t", b"".join(record % i for i in range(4_000)))
        assert found["7"] == "ships"

    @pytest.mark.parametrize(("name", "indent"), [("d", None), ("é", 0)], ids=["one line", "escapes"])
    def test_lines_of_documents_in_json(self, name: str, indent: int | None) -> None:
        """On the one line of a long file, and named by escapes, so that none is found where it is looked for."""
        hits = [{"hit": {"_id": f"{name}{d}", "_score": 1.0}, "rating": d % 3} for d in range(40_000)]
        given = {"details": {"1": {"pad": '"' * (1 << 20), "hits": hits}}, "failures": {"pad": "x" * (20 << 20)}}
        with patience(SOON):
            load_collection(("q", json.dumps(given, indent=indent).encode()), [("r", b"1 Q0 d1 1 2 x\n")])

    def test_colliding_identifiers(self) -> None:
        """Of one length, with equal first, middle and last eight bytes: each judged document has the same key."""
        names = [b"AAAAAAAAA%05dMMMMMMMMMM%05dZZZZZZZZZ" % (i, i) for i in range(70_000)]
        qrels = b"".join(b"1 0 %s %d\n" % (name, i % 2) for i, name in enumerate(names))
        run = b"".join(b"1 Q0 %s 1 %d x\n" % (name, -i) for i, name in enumerate(names[:100]))
        with patience(SOON):
            found = load_collection(("q", qrels), [("r", run)])
        assert irviz.score(found, ["P@10"])["P@10"].loc["1", "r"] == 0.5

    def test_one_line_of_many_columns(self) -> None:
        data = b"1 0 a 1\n" * 20_000 + b"1 0 b" + b" 1" * 20_000
        with patience(SOON):
            said = refusal(load_collection, ("q", data), [RUN])
        assert said.startswith("q:20001: the line has 20,003 fields; at most 100 columns of grades are read")

    def test_attributes_of_a_tar(self) -> None:
        """The search for ``hdrcharset`` is quadratic in Python's own reader (CVE-2024-6232)."""
        with patience(SOON):
            said = refusal(recognise, [("x.tar", tar([(tarfile.XHDTYPE, b"1" * (1 << 19))]))])
        assert said.startswith("x.tar: the file is cut short or damaged")


def test_a_file_of_too_many_topics_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topics, "MOST_TOPICS", 3)
    assert len(parse_topics("t", b"1\ta\n2\tb\n3\tc\n")) == 3
    said = refusal(parse_topics, "t", b"1\ta\n2\tb\n3\tc\n4\td\n")
    assert said == "t:4: more than 3 topics have a text. Give those of your topics."
    monkeypatch.setattr(topics, "LARGEST_FILE", 1 << 20)
    said = refusal(parse_topics, "t", b"1\ta\n" + b" " * (1 << 20))
    assert said == "t: texts of topics may take 1 MB. Give those of your topics."


def test_a_reference_of_many_digits_is_text() -> None:
    found = parse_topics("t", b"<top><num>1<title>&#" + b"9" * 5_000 + b"; &amp; &#65;</top>")
    assert found["1"].startswith("&#999")
    assert parse_topics("t", b"<top><num>1<title>a &amp; b&#33;</top>") == {"1": "a & b!"}


# -- tar files ----------------------------------------------------------------------------


def tar(entries: list[tuple[bytes, bytes]], name: str = "a.run") -> bytes:
    """A tar of entries of any type."""
    out = b""
    for kind, data in entries:
        info = tarfile.TarInfo(name)
        info.type, info.size = kind, len(data)
        out += info.tobuf(tarfile.USTAR_FORMAT) + data + b"\0" * (-len(data) % 512)
    return out + b"\0" * 1024


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT])
@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2"])
def test_a_tar_is_read_as_pythons_own_reader_reads_it(tmp_path: Path, form: int, mode: str) -> None:
    out = io.BytesIO()
    files = {"é" * 30 + "/" + "b" * 60 + ".run": b"1 Q0 a 1 2 x\n", "c": b"x" * 1_500, "d.run": b"1 Q0 b 1 2 x\n" * 100}
    if form != tarfile.USTAR_FORMAT:
        files["folder/" * 30 + "long.run"] = b"1 Q0 c 1 2 x\n"
    with tarfile.open(fileobj=out, mode=mode, format=form) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(data), 1.5
            archive.addfile(info, io.BytesIO(data))
    assert {one.name: one.data for one in recognise([("x", out.getvalue())])} == {
        name.rpartition("/")[2]: data for name, data in files.items()
    }


def test_a_broken_entry_of_a_tar_is_refused_not_taken_for_its_end() -> None:
    data = tar([(tarfile.REGTYPE, RUN[1])] * 2)
    broken = data[:1024] + b"x" + data[1025:]
    assert "x.tar: the file is cut short or damaged (bad checksum)" in refusal(recognise, [("x.tar", broken)])


@pytest.mark.parametrize(
    "entries",
    [
        [(tarfile.XHDTYPE, b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"), (tarfile.REGTYPE, b"1" * (8 << 20))],
        [(tarfile.GNUTYPE_SPARSE, b"1" * (1 << 20))],
    ],
)
def test_sparse_members_of_a_tar_are_refused(entries: list[tuple[bytes, bytes]]) -> None:
    with patience(SOON):
        assert "x.tar: " in refusal(recognise, [("x.tar", tar(entries))])


# -- arrays that would be too large ----------------------------------------------------------

SMALL = Limits(array_bytes=32 << 20)


def test_one_long_list_among_many_topics() -> None:
    qrels = b"".join(b"%d 0 a 1\n" % i for i in range(5_000))
    run = b"1 Q0 a 1 1 x\n" + b"".join(b"1 Q0 d%d 1 -%d x\n" % (i, i) for i in range(1_000))
    runs = [(f"r{i}", run) for i in range(20)]
    with memory(200 << 20):
        said = refusal(load_collection, ("q", qrels), ("runs", zipped(dict(runs))), limits=SMALL)
        assert ": the runs up to here, this one 5,000 topics × 1,000 ranks, would take" in said
        assert "at most 32 MB are allowed" in said
        assert isinstance(load_collection(("q", qrels), runs, limits=SMALL, depth=10).depth, int)


def test_a_list_that_makes_all_others_too_long_is_refused_before_the_others_are_read() -> None:
    qrels = b"".join(b"%d 0 a 1\n" % i for i in range(1_000))
    wide = b"".join(b"1 Q0 d%d 1 -%d x\n" % (i, i) for i in range(1_000))
    runs = [("wide", wide), *((f"r{i}", b"no line of a run\n") for i in range(20))]
    said = refusal(load_collection, ("q", qrels), runs, limits=SMALL)
    assert said.startswith("1,000 topics × 21 systems × 1,000 ranks would take 104 MB of memory; at most 32 MB")
    assert load_collection(("q", qrels), runs, limits=SMALL, skip_broken=True).systems == ("wide",)


def test_files_that_are_too_wide_are_not_left_out_as_broken_runs() -> None:
    qrels = b"".join(b"%d 0 a 1\n" % i for i in range(20_000))
    run = b"1 Q0 a 1 1 x\n" + b"".join(b"1 Q0 d%d 1 -%d x\n" % (i, i) for i in range(1_000))
    with pytest.raises(TooLarge):
        load_collection(("q", qrels), [RUN, ("wide", run)], limits=SMALL, skip_broken=True)


def test_one_topic_with_many_judgments() -> None:
    qrels = b"".join(b"%d 0 a 1\n" % i for i in range(3_000))
    qrels += b"".join(b"1 0 d%d 1\n" % i for i in range(3_000))
    with memory(100 << 20):
        said = refusal(load_collection, ("q", qrels), [RUN], limits=SMALL)
    assert said.startswith("q: 3,000 topics × 3,001 judged documents would take 120 MB of memory")


def test_a_grade_of_its_own_for_each_of_many_topics() -> None:
    qrels = b"".join(b"%d 0 a %d\n" % (i, i) for i in range(1, 8_001))
    said = refusal(load_collection, ("q", qrels), [RUN])
    assert said.startswith("q: 8,000 topics × 8,001 different grades are too many to count together")


def test_cells_of_a_matrix_and_lines_are_counted_before_they_are_read() -> None:
    with memory(32 << 20):
        said = refusal(read_matrices, {"a": ("a", b"a," * 700_000 + b"b\n1\n")}, SMALL)
        assert said.startswith("a: 700,003 cells in 3 lines would take")
        assert "its 1,000,001 lines" in refusal(load_collection, QRELS, [("r", b"\n" * 1_000_000)], limits=SMALL)


@pytest.mark.parametrize("end", [b"\n", b"\r"])
def test_short_lines_are_counted_before_they_are_read(end: bytes) -> None:
    """Each took hundreds of bytes for its two to eight, wherever it ended."""
    with memory(32 << 20):
        assert "300,002 lines would take" in refusal(
            read_matrices, {"a": ("a", b"A" + end + b"1" + end * 300_000)}, SMALL
        )
        for read, line in ((load_preferences, b"1 a b a"), (load_satisfaction, b"1 3")):
            said = refusal(read, ("u", b"topic a b winner satisfaction" + end + (line + end) * 200_000), limits=SMALL)
            assert "in 200,002 lines would take" in said
        assert "its 300,001 lines" in refusal(load_collection, ("q", end * 300_000), [RUN], limits=SMALL)


# -- saved collections -------------------------------------------------------------------------


@pytest.fixture
def parts(tmp_path: Path) -> dict[str, bytes]:
    """The members of a saved collection of two judges."""
    made = load_collection({"a": QRELS, "b": ("q2", b"1 0 b 2\n")}, [RUN], judges=True)
    return members(made.save(tmp_path / "x.irviz"))


def packed(parts: dict[str, bytes], **header: Any) -> tuple[str, bytes]:
    described = json.loads(parts["collection.json"]) | header
    return "x.irviz", zipped(parts | {"collection.json": json.dumps(described).encode()})


def test_a_judge_is_no_wider_than_all_judges(parts: dict[str, bytes]) -> None:
    with memory(32 << 20):
        assert "one judge judged more than all together" in refusal(open_bundle, packed(parts, judge_width=20 << 20))
    assert open_bundle(packed(parts)).judges == ("a", "b")


def test_a_header_is_as_long_as_its_arrays_promise(parts: dict[str, bytes]) -> None:
    with memory(16 << 20):
        assert "its collection.json is too long" in refusal(open_bundle, packed(parts, padding="x" * (2 << 20)))
    assert "endless names" in refusal(open_bundle, packed(parts, systems=["x" * 20_000]))
    assert "grades" in refusal(open_bundle, packed(parts, grades=[list(range(40_000)), [0, 1]]))


def test_what_lies_beside_the_arrays_is_short(parts: dict[str, bytes]) -> None:
    """64 MB of it kept all other threads waiting for ten seconds, and took 1.3 GB."""
    endless = b"[" + b"[]," * (3 << 20) + b"[]]"
    with memory(48 << 20):
        users = packed(parts | {"users.json": endless}, version=4, users=["preferences"])
        assert "its users.json is too long" in refusal(open_bundle, users)
        assert "its views.json is too long" in refusal(bundled_views, packed(parts | {"views.json": endless}))


def test_what_cannot_be_opened_again_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "LONGEST_BESIDE", 1_000)
    said = load_collection(QRELS, [RUN], preferences=("p", b"1 a b a\n" * 300))
    assert "The file's users.json would take" in refusal(save, said, tmp_path / "x.irviz", users=True)
    assert save(said, tmp_path / "x.irviz").exists()
    (tmp_path / "x.irviz").unlink()
    made = load_collection(QRELS, [RUN])
    texts = made.renamed(name="x" * (3 << 20))
    assert "The names, findings and texts of this collection take 3,0" in refusal(save, texts, tmp_path / "x.irviz")
    assert not list(tmp_path.iterdir())
