"""The fast path and the exact path read the same things."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviz.collection import trec
from irviz.collection.text import clean

RUNS = [
    "trec-covid-round1/runs/ERST_PROSE.gz",
    "trec-covid-round1/runs/tm_lda400.gz",
    "trec-covid-round1/runs/TU_Vienna_TKL_1.gz",
    "trec-covid-round1/runs/RUIR-doc2vec.gz",
    "clef-ehealth-2018/runs/IRTask1__CUNI__CUNI_en.run3.gz",
    "odd-formats/clef-tar-2017/amc.run.gz",
    "odd-formats/clef-tar-2017/ecnu.run2.gz",
    "odd-formats/topic-ids-differ/IRTask3__UB-Botswana__ub_botswana_IRTask3_run2.res.gz",
    "trec_eval-tests/results.test",
    "trec_eval-tests/results.comment.test",
]
QRELS = [
    "trec-covid-round1/qrels.txt",
    "clef-ehealth-2018/qrels.multiaspect.txt",
    "odd-formats/clef-tar-2017/qrels.abstract.txt",
    "odd-formats/cast2019/TREC-CAsT-2019.qrels",
    "odd-formats/qrels.microblog2011.txt",
    "trec_eval-tests/qrels.comments.123",
    "trec_eval-multiaspect-samples/qrels_threeaspects.txt",
    "trec-web2013/qrels.diversity.ndeval.txt",
]


def content(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def assert_same(fast, exact, arrays: tuple[str, ...]) -> None:
    assert fast is not None, "the fast path gave up"
    assert (fast.file, fast.topics) == (exact.file, exact.topics)
    assert fast.docs.equals(exact.docs)
    for name in arrays:
        one, two = getattr(fast, name), getattr(exact, name)
        assert one.dtype == two.dtype, name
        np.testing.assert_array_equal(one, two, err_msg=name)
    rows = range(0, len(fast.docs), max(1, len(fast.docs) // 50))
    assert [fast.line_of(row) for row in rows] == [exact.line_of(row) for row in rows]


@pytest.mark.parametrize("name", RUNS)
def test_a_run_by_both_paths(collections: Path, name: str) -> None:
    text = clean("x.run", content(collections / name))
    fast, exact = trec._fast_run(text), trec._exact_run(text)
    assert_same(fast, exact, ("topic", "rank", "score"))
    assert fast.tags == exact.tags


@pytest.mark.parametrize("name", QRELS)
def test_qrels_by_both_paths(collections: Path, name: str) -> None:
    text = clean("qrels", content(collections / name))
    assert_same(trec._fast_qrels(text), trec._exact_qrels(text), ("topic", "values"))


@pytest.mark.parametrize(
    "odd",
    [
        b"1 Q0 a 1 2 x\n1 Q0 b 2 1 x y z\n",
        b"1 Q0 a - 2 x\n",
        b"1 Q0 a 0x1F 2 x\n",
        b"1\tQ0\ta\t-0X1F\t2\tx\n",
        b"1 Q0 a 1 nan x\n",
        b"1  a 1 2 x\n",
        b"1 Q0 a 1 2 \n",
        b" Q0 a 1 2 x\n",
        b"1 Q0 a 1 2\n",
        b'1 Q0 "a 1" 2 x\n',
        b"1 Q0 " + b"a" * 5000 + b" 1 2 x\n",
    ],
)
def test_the_fast_path_gives_up_without_raising(odd: bytes) -> None:
    assert trec._fast_run(clean("x.run", odd)) is None


def test_a_hexadecimal_rank_is_none_by_either_path() -> None:
    """The fast reader would take 0x1F for 31; a document may be called so."""
    read = trec.parse_run("x.run", b"1 Q0 a 1 2 x\n1 Q0 b 0x1F 1 x\n")
    assert read.rank is None
    assert read.rank_problem == (1, 'the rank (field 4) is not a finite number: "1 Q0 b 0x1F 1 x"')
    assert trec._fast_run(clean("x.run", b"1 Q0 0x1F 1 2 x\n")) is not None


def test_quotes_are_letters_like_others() -> None:
    read = trec.parse_run("x.run", b"1 Q0 \"a 1 2 x\n1 Q0 b,\\ 2 1 'x'\n")
    assert read.docs.to_pylist() == [b'"a', b"b,\\"]
    assert read.tags == ((b"x", 0), (b"'x'", 1))


def test_a_text_in_several_blocks_reads_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(b"%d Q0 d%d %d %d.5 t%d\n" % (i // 100, i, i, 1000 - i, i % 3) for i in range(1000))
    whole = trec.parse_run("x.run", data)
    monkeypatch.setattr("irviz.collection.trec._BLOCK", 777)
    assert_same(trec._fast_run(clean("x.run", data)), whole, ("topic", "rank", "score"))


@pytest.mark.parametrize(("tag", "rank"), [("bm25x", "1"), ("0xrun", "1"), ("run", "0x1"), ("x", "10x")])
def test_a_rank_is_hexadecimal_only_where_it_begins_with_0x(tag: str, rank: str):
    data = f"401 Q0 FX0X-0x1 {rank} 2.5 {tag}\n401 Q0 d2 2 1.5 {tag}\n".encode()
    read = trec.parse_run("r", data)
    assert (read.rank is None) == (rank in ("0x1", "10x"))
    assert read.docs.to_pylist() == [b"FX0X-0x1", b"d2"]


WORDS = st.sampled_from(["0x1F", "0X", "a-0x1", "t0x9abc", "7q0x", "https://x.org/0x1", "-0x2", "+0Xa", "10x", "x"])
RANKS = st.one_of(st.sampled_from(["1", "2", "-4", "007"]), WORDS)


@given(
    st.lists(st.tuples(WORDS, WORDS, WORDS, RANKS, st.just("2.5"), WORDS), min_size=1, max_size=5),
    st.sampled_from([" ", "\t", "  ", "\t "]),
    st.sampled_from(["", " ", "0x1 "]),
)
def test_0x_anywhere_is_read_alike_by_both_paths(lines: list[tuple[str, ...]], separator: str, end: str):
    """The rank alone is refused as hexadecimal: no identifier, no tag, no seventh field."""
    text = clean("r", "".join(separator.join(fields) + separator + end + "\n" for fields in lines).encode())
    fast, exact = trec._fast_run(text), trec._exact_run(text)
    assert (fast is None) == (exact.rank is None)
    if fast is not None:
        assert_same(fast, exact, ("topic", "rank", "score"))
        assert fast.docs.to_pylist() == exact.docs.to_pylist()


@pytest.mark.parametrize("ranks", [["0x1F"], ["1", "-0X2"], ["+0x3"], ["1", "1.5"], ["\xff"], [""], ["9" * 30]])
def test_a_rank_column_read_as_text_is_all_integers_or_none(ranks: list[str]):
    column = pa.array([b"1", *(rank.encode("latin-1") for rank in ranks)], pa.binary()).dictionary_encode()
    assert trec._decimal(column) is None
    whole = trec._decimal(pa.array([b"3", b"1", b"-2", b"3", b"0"], pa.binary()).dictionary_encode())
    assert whole is not None and whole.dtype == np.int64 and whole.tolist() == [3, 1, -2, 3, 0]
