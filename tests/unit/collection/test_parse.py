"""The fast path and the exact path read the same things."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
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


def run_columns(data: bytes) -> tuple[trec.Columns | None, trec.Columns]:
    """The columns of a run as Arrow reads them, and line by line."""
    text = clean("x.run", data)
    exact = trec._exact_columns(text, trec._RUN_TEXTS, trec._SCORE, trec._fields_of_run)
    return trec._columns(text, trec._RUN_TEXTS, 6), exact


def assert_same(fast: trec.Columns | None, exact: trec.Columns) -> None:
    assert fast is not None, "the fast path gave up"
    assert fast.keys() == exact.keys()
    for i in fast:
        assert fast[i].tolist() == exact[i].tolist()


@pytest.mark.parametrize("name", RUNS)
def test_a_run_by_both_paths(collections: Path, name: str) -> None:
    assert_same(*run_columns(content(collections / name)))


@pytest.mark.parametrize("name", QRELS)
def test_qrels_by_both_paths(collections: Path, name: str) -> None:
    text = clean("qrels", content(collections / name))
    exact = trec._exact_columns(text, trec._QRELS_TEXTS, trec._GRADE, trec._fields_of_qrels)
    assert_same(trec._columns(text, trec._QRELS_TEXTS, len(exact)), exact)


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
    assert trec._columns(clean("x.run", odd), trec._RUN_TEXTS, 6) is None


def test_a_hexadecimal_rank_is_none_by_either_path() -> None:
    read = trec.parse_run("x.run", b"1 Q0 a 1 2 x\n1 Q0 b 0x1F 1 x\n")
    assert read.rank is None
    assert read.rank_problem == (1, 'the rank (field 4) is not a finite number: "1 Q0 b 0x1F 1 x"')
    assert_same(*run_columns(b"1 Q0 0x1F 1 2 x\n"))


def test_quotes_are_letters_like_others() -> None:
    read = trec.parse_run("x.run", b"1 Q0 \"a 1 2 x\n1 Q0 b,\\ 2 1 'x'\n")
    assert read.docs.to_pylist() == [b'"a', b"b,\\"]
    assert read.tags == ((b"x", 0), (b"'x'", 1))


def test_a_text_in_several_blocks_reads_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(b"%d Q0 d%d %d %d.5 t%d\n" % (i // 100, i, i, 1000 - i, i % 3) for i in range(1000))
    monkeypatch.setattr("irviz.collection.trec._BLOCK", 777)
    assert_same(*run_columns(data))


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
    fast, exact = run_columns("".join(separator.join(fields) + separator + end + "\n" for fields in lines).encode())
    assert (fast is None) == np.isnan(exact[3]).any()
    if fast is not None:
        assert_same(fast, exact)
