"""Score matrices from CSV files."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from irviz.collection.matrices import read_matrices
from irviz.errors import IrvizError


def read(text: str):
    return read_matrices({"AP": ("ap.csv", text.encode())})


def refusal(text: str, *more: str) -> str:
    files = {"AP": ("ap.csv", text.encode())} | {f"M{i}": (f"m{i}.csv", t.encode()) for i, t in enumerate(more)}
    with pytest.raises(IrvizError) as caught:
        read_matrices(files)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "topics", "systems"),
    [
        ("a,b\n0.5,1\n0,0.25\n", ("1", "2"), ("a", "b")),
        ("topic,a,b\n351,0.5,1\n352,0,0.25\n", ("351", "352"), ("a", "b")),
        ("Topic ID,a,b\n351,0.5,1\n352,0,0.25\n", ("351", "352"), ("a", "b")),
        (",a,b\n351,0.5,1\n352,0,0.25\n", ("351", "352"), ("a", "b")),
        ("query_id,a,b\n351,0.5,1\n352,0,0.25\n", ("351", "352"), ("a", "b")),
        ("tid,a,b\n351,0.5,1\n352,0,0.25\n", ("351", "352"), ("a", "b")),
        ("Unnamed: 0,a,b\n0,0.5,1\n1,0,0.25\n", ("0", "1"), ("a", "b")),
        ("a,b\n351,0.5,1\n352,0,0.25\n", ("351", "352"), ("a", "b")),
        ("what,a,b\nt1,0.5,1\nt2,0,0.25\n", ("t1", "t2"), ("a", "b")),
        ("query-likelihood,b\n0.5,1\n0,0.25\n", ("1", "2"), ("query-likelihood", "b")),
        ('\ufeff"a";"b"\r\n0.5;1\r\n\r\n0;2.5e-1\r\n', ("1", "2"), ("a", "b")),
        ("a\tb\n0.5\t1\n0\t0.25", ("1", "2"), ("a", "b")),
        ('"a, b",b\n 0.5 ,1\n0,0.25\n', ("1", "2"), ("a, b", "b")),
    ],
)
def test_layouts(text: str, topics: tuple[str, ...], systems: tuple[str, ...]) -> None:
    found = read(text)
    assert (found.measures, found.topics, found.systems) == (("AP",), topics, systems)
    assert found.values.tolist() == [[[0.5, 1.0], [0.0, 0.25]]]


def test_files_in_another_order_are_aligned() -> None:
    files = {"AP": ("a", b"topic,x,y\n1,.1,.2\n2,.3,.4\n"), "RR": ("b", b"topic,y,x\n2,4,3\n1,2,1\n")}
    found = read_matrices(files)
    assert found.values.tolist() == [[[0.1, 0.2], [0.3, 0.4]], [[1, 2], [3, 4]]]


def test_real_matrices(collections: Path, tmp_path: Path) -> None:
    folder = collections / "trec7-adhoc" / "scores"
    found = read_matrices({name: folder / f"{name}.csv" for name in ("ap", "p10", "rr")})
    assert found.values.shape == (3, 50, 103)
    np.testing.assert_array_equal(found.values[0], pd.read_csv(folder / "ap.csv").to_numpy())
    assert read_matrices({"ap": collections / "trec-web2013/scores/ap.csv"}).systems[:2] == ("sys1", "sys2")
    named = collections / "clef-ehealth-2018/scores/trec_eval_extension/cam_map_three.csv"
    assert read_matrices({"cam": named}).topics[:2] == ("151001", "152001")
    packed = tmp_path / "ap.csv.gz"
    packed.write_bytes(gzip.compress((folder / "ap.csv").read_bytes()))
    np.testing.assert_array_equal(read_matrices({"ap": packed}).values[0], found.values[0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ap.csv: expected a header of system names and a row for every topic; the file is empty."),
        ("a,b\n", "ap.csv: expected a header of system names and a row for every topic; the file has 1 line."),
        ("a,b\n1,2\n1\n", "ap.csv:3: expected 2 fields, as in the header; found 1."),
        ("a,b\n1,2\n\n1,2,3\n", "ap.csv:4: expected 2 fields, as in the header; found 3."),
        ("topic,a,b\n1,.1\n2,.3\n", "ap.csv:2: expected 3 fields, as in the header; found 2."),
        ("topic,a,b\n1,.1,.2\n2,.3\n", "ap.csv:3: expected 3 fields, as in the header; found 2."),
        ("topic,a,b\n.1,.2\n", "ap.csv:2: expected 3 fields, as in the header; found 2."),
        ("topic,a,b\n1,.1,.2,.5\n", "ap.csv:2: expected 3 fields, as in the header; found 4."),
        ("tid,a,b\n1,.1,.2,.5\n", "ap.csv:2: expected 3 fields, as in the header; found 4."),
        ("a,b,c\n.1,.2\n.3,.4\n", "ap.csv:2: expected 3 fields, as in the header; found 2."),
        ("a,b\n1,.1,.2,.3\n", "ap.csv:2: expected 2 fields, as in the header; found 4."),
        ("a,b\n1,.1,.2\n.3,.4\n", "ap.csv:3: expected 3 fields, a topic and the 2 of the header; found 2."),
        ("a,b\n.1,.2\n3,.3,.4\n", "ap.csv:3: expected 2 fields, as in the header; found 3."),
        ("a,b\n1,2\ninf,2\n", 'ap.csv:3: the score of a is not a finite number: "inf"'),
        ("a,b\n1,-1e308\n", "ap.csv:2: the score of b is -1e+308; it must lie within ±1e+100."),
        (f"a,b\n1,{'x' * 100_000}\n", f'ap.csv:2: the score of b is not a finite number: "{"x" * 100}…"'),
        ("topic,a,b\n7,1,x\n", 'ap.csv:2: the score of b is not a finite number: "x"'),
        ("a,b\n1,2\nx,2\n", 'ap.csv:3: the score of a is not a finite number: "x"'),
        ("a,a\n1,2\n", "ap.csv:1: the system a is listed twice."),
        ("a,\n1,2\n", "ap.csv:1: a system has no name."),
        ("topic,a\n7,1\n8,1\n7,1\n", "ap.csv:4: the topic 7 is listed twice."),
        ("topic,a\n,1\n", "ap.csv:2: a topic has no name."),
        (
            "run,AP,P@10\na,.1,.2\nb,.3,.1\n",
            "ap.csv:1: its rows are systems and its columns measures: averages over topics. Give scores by topic.",
        ),
        ('a,b\n"1,2\n', "ap.csv:2: the line is not CSV (unexpected end of data)."),
        (
            "351 0 d1 0\n351 0 d2 1\n",
            "ap.csv:1: the file holds one column, of topics, and no scores. Give a column for every system.",
        ),
    ],
)
def test_what_is_no_matrix(text: str, message: str) -> None:
    assert refusal(text) == message


@pytest.mark.parametrize("cell", ["", "NA", "nan"])
def test_an_empty_cell_is_missing(cell: str) -> None:
    found = read(f"topic,a,b\n7,1,{cell}\n8,0,0.25\n")
    np.testing.assert_array_equal(found.values, [[[1, np.nan], [0, 0.25]]])
    assert [finding.severity for finding in found.findings] == ["warning"]


@pytest.mark.parametrize("name", ["all", "amean", "Average", "mean", "overall"])
def test_a_last_row_of_averages_is_no_topic(name: str) -> None:
    found = read(f"topic,a,b\n7,.1,.2\n8,.3,.5\n9,.3,.3\n{name},.2333,.3333\n")
    assert found.topics == ("7", "8", "9")
    assert [finding.severity for finding in found.findings] == ["note"]


@pytest.mark.parametrize("row", ["all,.3,.3", "all,.2333,.3343", "all,.2333,.3333\n10,.1,.1"])
def test_a_row_that_may_be_averages_is_refused(row: str) -> None:
    assert refusal(f"topic,a,b\n7,.1,.2\n8,.3,.5\n9,.3,.3\n{row}\n").startswith("ap.csv:5: the row `all` may be")


def test_averages_were_computed_before_scores_were_rounded(collections: Path) -> None:
    matrix = pd.read_csv(collections / "trec7-adhoc/scores/ap.csv").to_numpy()
    cells = [",".join(f"{score:.3f}" for score in row) for row in [*matrix, matrix.mean(axis=0)]]
    text = "\n".join([",".join(f"s{i}" for i in range(103)), *(f"{i},{row}" for i, row in enumerate(cells))])
    assert read(text.replace("\n50,", "\nall,")).topics == tuple(map(str, range(50)))


@pytest.mark.parametrize(
    "text",
    [
        "system,301,302\nbm25,.1,.2\nrm3,.3,.4\n",
        "run_id,301,302,mean\nbm25,.1,.2,.15\nrm3,.3,.4,.35\n",
        ",301,302\nbm25,.1,.2\nrm3,.3,.4\n",
        "301,302\nbm25,.1,.2\nrm3,.3,.4\n",
    ],
)
def test_systems_in_rows_are_turned(text: str) -> None:
    found = read(text)
    assert (found.topics, found.systems) == (("301", "302"), ("bm25", "rm3"))
    assert found.values.tolist() == [[[0.1, 0.3], [0.2, 0.4]]]
    assert {finding.severity for finding in found.findings} == {"note"}


@pytest.mark.parametrize("header", ["topic,1,2", "qid,1,2", "what,1,b"])
def test_topics_in_rows_are_not_turned(header: str) -> None:
    assert read(f"{header}\nt1,.1,.2\nt2,.3,.4\n").topics == ("t1", "t2")


def test_files_of_different_systems_or_topics() -> None:
    assert refusal("a,b\n1,2\n", "a,c\n1,2\n") == (
        "m0.csv: its systems are not those of ap.csv: it lacks b and adds c. All matrices must score the same systems."
    )
    assert refusal("a,b\n1,2\n3,4\n", "a,b\n1,2\n") == (
        "m0.csv: its topics are not those of ap.csv: it lacks 2. All matrices must score the same topics."
    )
