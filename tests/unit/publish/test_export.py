"""Tables as files: full precision where a program reads, escaped where LaTeX does."""

from __future__ import annotations

import io
import json

import pandas as pd

from irviz.publish.export import to_csv, to_json, to_latex

FRAME = pd.DataFrame({"system": ["a_b & c", "<x>"], "score": [1 / 3, float("nan")], "rank": [1, 2]})


def test_csv_keeps_every_digit():
    assert to_csv(FRAME) == b"system,score,rank\na_b & c,0.3333333333333333,1\n<x>,,2\n"


def test_json_keeps_every_digit_and_says_null():
    assert json.loads(to_json(FRAME)) == [
        {"system": "a_b & c", "score": 1 / 3, "rank": 1},
        {"system": "<x>", "score": None, "rank": 2},
    ]


def test_latex_escapes_and_rounds():
    assert to_latex(FRAME, digits=3).decode().splitlines()[6:8] == [
        r"a\_b \& c & 0.333 & 1 \\",
        r"\textless{}x\textgreater{} & -- & 2 \\",
    ]


def test_an_absent_whole_number_is_null_or_nothing():
    frame = pd.DataFrame({"line": pd.array([3, None], dtype="Int64")})
    assert json.loads(to_json(frame)) == [{"line": 3}, {"line": None}]
    assert to_latex(frame).decode().splitlines()[6:8] == [r"3 \\", r" \\"]


def test_no_name_is_a_formula_in_a_spreadsheet():
    names = ["=1+1", "+x", "-x", "@x", "\tx", "\rx", "x=1", "'x", ""]
    frame = pd.DataFrame({"=system": names, "score": [-1.5] * len(names)})
    read = pd.read_csv(io.BytesIO(to_csv(frame)), keep_default_na=False)
    assert list(read.columns) == ["'=system", "score"]
    assert read["'=system"].tolist() == ["'=1+1", "'+x", "'-x", "'@x", "'\tx", "' x", "x=1", "'x", ""]
    assert read["score"].tolist() == [-1.5] * len(names)
    assert [row["=system"] for row in json.loads(to_json(frame))] == names


def test_columns_of_one_name_stay_two():
    frame = pd.DataFrame([[1, "a"], [2, "=b"]], columns=["x", "x"])
    assert to_csv(frame) == b"x,x\n1,a\n2,'=b\n"
