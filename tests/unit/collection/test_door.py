"""Files that people have, in forms that are easily misread: each gives the right score, or a refusal that names it."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import zipfile
from typing import Any

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.collection.model import Collection
from irviz.collection.recognise import kind_of
from irviz.collection.sources import Limits
from irviz.errors import FileProblem, IrvizError

QRELS = b"1 0 a 1\n2 0 b 1\n"
RUN = b"1 Q0 a 1 2 x\n2 Q0 b 1 2 x\n"


def loaded(qrels: bytes, run: bytes) -> Collection:
    return irviz.load_collection(("q", qrels), ("r", run))


def ap(c: Collection) -> list[list[float]]:
    """By topic, the scores of the systems."""
    return irviz.score(c, "AP").values[0].tolist()


def dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


# -- Learning to rank, and three columns -----------------------------------------------------------


def test_letor_names_the_document_behind_docid_and_its_text_is_no_query():
    letor = b"2 qid:1 1:0.5 #docid = c inc = 1 prob = 0.2\n0 qid:1 1:0.1 # DOCID=d\n1 qid:1 1:0.3 #e\n"
    c = loaded(letor, b"1 Q0 c 1 3 x\n1 Q0 d 2 2 x\n1 Q0 e 3 1 x\n")
    assert ap(c) == [[pytest.approx((1 + 2 / 3) / 2)]]
    assert dict(c.topic_texts) == {}


@pytest.mark.parametrize(
    ("run", "expected", "read_as"),
    [
        (b"1 c 3\n1 a 1\n1 b 2\n", 1.0, "ranks"),
        (b"1 c 2\n1 a 0\n1 b 1\n", 1.0, "ranks"),
        (b"1 a 1\n1 b 2\n1 c 3\n", 1.0, "ranks"),
        (b"1 c 3\n1 a 1\n1 b 4\n", 1 / 3, "scores"),
        (b"1 c 3\n1 a 1\n1 b 2\n2 d 2\n2 e 3\n", 1 / 3, "scores"),
        (b"1 c 3\n1 a 1\n1 b 2\n2 d 0\n2 e 1\n", 1 / 3, "scores"),
        (b"1 c .3\n1 a .1\n1 b .2\n", 1 / 3, "scores"),
    ],
)
def test_three_columns_are_ranks_where_they_count_every_list(run, expected, read_as):
    c = loaded(b"1 0 a 1\n2 0 d 1\n", run)
    assert ap(c)[0] == [pytest.approx(expected)]
    assert [f.message.endswith(f"read as {read_as}") for f in c.findings if "third column" in f.message] == [True]


def test_three_columns_that_may_be_scores_after_all_are_warned_about():
    c = loaded(b"1 0 a 1\n", b"1 c 3\n1 b 2\n1 a 1\n")
    assert ap(c) == [[1.0]] and [f.severity for f in c.findings] == ["warning"]


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"1 c 3\n1 a 1\n1 b 2\n", "run"), (b"1 a 0\n1 b 1\n1 c 2\n", "run"), (b"1 a 2\n1 b 1\n", "qrels")],
)
def test_three_columns_are_guessed_to_be_runs_where_they_count(data, kind):
    assert kind_of("x", data) == kind


# -- No hits ---------------------------------------------------------------------------------------

ONE_HIT = {"metric_score": 1.0, "hits": [{"hit": {"_id": "a"}, "rating": 1}]}
RESPONSE = {"metric_score": 0.5, "details": {"1": ONE_HIT, "2": {"metric_score": 0.0, "hits": []}}, "failures": {}}


def records(*lists: tuple[str, str, list[str]]) -> bytes:
    fields = ("searchText", "searchConfigurationId", "documentIds")
    return b"".join(dumped(dict(zip(fields, one, strict=True))) + b"\n" for one in lists)


@pytest.mark.parametrize(
    ("qrels", "run", "expected"),
    [
        (dumped(RESPONSE), dumped(RESPONSE), [[1.0], [0.0]]),
        (
            dumped({"requests": [{"id": "1", "ratings": [{"_id": "a", "rating": 1}]}, {"id": "2", "ratings": []}]}),
            dumped(RESPONSE),
            [[1.0], [0.0]],
        ),
        (
            dumped(
                {
                    "judgmentRatings": [
                        {"query": "1", "ratings": [{"docId": "a", "rating": 1}]},
                        {"query": "2", "ratings": []},
                    ]
                }
            ),
            RUN,
            [[1.0], [0.0]],
        ),
        (QRELS, records(("1", "A", ["a"]), ("1", "B", []), ("2", "B", [])), [[1.0, 0.0], [0.0, 0.0]]),
        (QRELS, records(("1", "A", []), ("1", "B", [])), [[0.0, 0.0], [0.0, 0.0]]),
        (b'{"2": {}, "1": {"a": 1}}', b'{"2": {}, "1": {"a": 1.5}}', [[1.0], [0.0]]),
        (b"query,docid,rating\n1,a,1\n2,,\n", RUN, [[1.0], [0.0]]),
    ],
)
def test_queries_and_systems_without_documents_stay_and_score_0(qrels, run, expected):
    assert ap(loaded(qrels, run)) == expected


def test_a_collection_of_empty_lists_is_saved_and_opened(tmp_path):
    c = loaded(b'{"1": {"a": 1}, "2": {}}', records(("1", "A", [])))
    again = irviz.open_collection(str(c.save(tmp_path / "c.irviz")))
    assert again.fingerprint == c.fingerprint and c.depth == 1 and len(c.list("1", "A")) == 0


def test_topics_of_a_dictionary_without_documents_stay():
    c = irviz.collection_from_frames({"1": {"a": 1}, "2": {}}, {"s": {"1": {"a": 2.0}}})
    assert c.topics == ("1", "2") and ap(c) == [[1.0], [0.0]]


def test_queries_of_which_no_rating_is_known_are_named():
    c = loaded(b"query,docid,rating\n1,a,1\n2,b,\n", RUN)
    assert c.topics == ("1",)
    assert [(f.line, f.message.endswith(": 2")) for f in c.findings if f.severity == "warning"] == [(3, True)]


def test_a_score_that_the_file_tells_and_failures_are_reported():
    assert not [f for f in loaded(dumped(RESPONSE), dumped(RESPONSE)).findings if "metric_score" in f.message]
    told = dumped(RESPONSE | {"metric_score": 0.8, "failures": {"3": {}}})
    messages = [f.message for f in loaded(dumped(RESPONSE), told).findings if "metric_score" in f.message]
    assert "0.8" in messages[0] and "0.5" in messages[0] and messages[1].endswith(": 3")


# -- Identifiers, and lists of them ----------------------------------------------------------------

FRAME = pd.DataFrame({"qid": ["1", "2"], "docno": ["a", "b"], "label": [1, 1]})
SCORED = pd.DataFrame({"qid": ["1", "2"], "docno": ["a", "b"], "score": [2.0, 1.0]})


@pytest.mark.parametrize("value", [["b"], ("b",), {"b": 1}, b"b", np.array(["b"])])
@pytest.mark.parametrize("column", ["qid", "docno"])
def test_identifiers_that_are_no_text_are_refused(value, column):
    def broken(frame: pd.DataFrame) -> pd.DataFrame:
        return frame.assign(**{column: pd.Series([frame[column][0], value], dtype=object)})

    for qrels, runs, file in ((broken(FRAME), SCORED, "qrels"), (FRAME, broken(SCORED), "s")):
        with pytest.raises(FileProblem) as refused:
            irviz.collection_from_frames(qrels, {"s": runs})
        assert (refused.value.file, refused.value.line) == (file, 2)
        assert type(value).__name__ in refused.value.message


def test_lists_of_documents_are_ranked_or_relevant():
    qrels = {"1": ["a", "b"], "2": ["a"]}
    expected = [[1.0, (1 / 2 + 2 / 3) / 2], [0.0, 1 / 2]]
    runs = {"s": {"1": ["a", "b"], "2": []}, "t": {"1": ["x", "a", "b"], "2": ["x", "a"]}}
    assert ap(irviz.collection_from_frames(qrels, runs)) == expected
    assert ap(loaded(dumped(qrels), dumped(runs))) == expected
    assert ap(loaded(dumped(qrels), dumped(runs["t"]))) == [[expected[0][1]], [1 / 2]]
    assert (kind_of("q", dumped(qrels)), kind_of("r", dumped(runs))) == ("qrels", "run")
    with pytest.raises(IrvizError, match="one run"):
        irviz.collection_from_frames(qrels, {"1": ["a", "b"]})
    with pytest.raises(IrvizError, match=r"s:1: .* tuple"):
        irviz.collection_from_frames(qrels, {"s": {"1": [("a", 2.0)]}})
    with pytest.raises(IrvizError, match="q:1: the document is no text"):
        loaded(b'{"1": [["a"]]}', RUN)


def test_fields_by_tab_may_hold_blanks():
    qrels = b"red shoes\t0\tdoc 1\t1\nred shoes\t0\tdoc 2\t0\n2\t0\tdoc 1\t1\n"
    run = b"red shoes\tQ0\tdoc 2\t1\t9.5\tmy run\nred shoes \tQ0\t doc 1\t2\t8.5\tmy run\r\n2\tQ0\tdoc 1\t\t1\tx\n"
    c = loaded(qrels, run)
    assert c.topics == ("2", "red shoes") and ap(c) == [[1.0], [0.5]]
    assert (kind_of("q", qrels), kind_of("r", run)) == ("qrels", "run")
    for broken, line in ((run.replace(b"8.5", b"x"), 2), (run.replace(b" doc 1", b""), 2)):
        with pytest.raises(IrvizError, match=f"r:{line}: "):
            loaded(qrels, broken)
    with pytest.raises(IrvizError, match="q:3: "):
        loaded(qrels.replace(b"2\t0\tdoc 1", b"2\t0\t"), run)


def test_grades_of_two_aspects_beside_tabs_are_read_as_before():
    c = loaded(b"1\t0\ta\t1 0\n", b"1\tQ0 a\t1 2 x\n")
    assert len(c.aspects) == 2 and ap(c) == [[1.0]]


# -- Kinds of files --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"\x28\xb5\x2f\xfd\x04\x00abc", ".zst"),
        (b"7z\xbc\xaf\x27\x1c\x00\x04", "7z"),
        (b"Rar!\x1a\x07\x00", "RAR"),
        (b"\x1f\x9d\x90abc", ".Z"),
        (RUN.decode().encode("utf-16"), "UTF-16"),
        (RUN.decode().encode("utf-16-le"), "UTF-16"),
        (RUN.decode().encode("utf-16-be"), "UTF-16"),
        (b"\n<!DOCTYPE html>\n<html>404</html>", "web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n", "Git LFS"),
        (b'{"1": {"a": NaN}}', "NaN"),
        (b'{"query": "1", "docid": "a", "score": Infinity}\n{"query": "1", "docid": "b", "score": 1}\n', "Infinity"),
        (b'{"took": 3, "hits": {"total": 3}}', "JSON"),
        (b"PAR1\x00\x00", "Parquet"),
    ],
)
def test_a_refusal_names_the_kind_of_file(data, named):
    with pytest.raises(IrvizError) as refused:
        loaded(QRELS, data)
    assert str(refused.value).startswith("r") and named in str(refused.value)


@pytest.mark.parametrize(
    "qrels",
    [
        b"sep=;\r\nquery;docid;rating\r\n1;a;1\r\n2;b;1\r\n",
        b"# judged by hand, in May\n# twice\nquery,docid,rating\n1,a,1\n2,b,1\n",
        b"#query,docid,rating\n1,a,1\n2,b,1\n",
        QRELS + b"\x1a",
    ],
)
def test_lines_before_a_table_and_the_end_of_dos_are_passed_over(qrels):
    assert ap(loaded(qrels, RUN)) == [[1.0], [1.0]]
    assert kind_of("q", qrels.rstrip(b"\x1a")) == "qrels"


def test_lines_before_a_table_are_counted():
    with pytest.raises(IrvizError, match="q:4: "):
        loaded(b"sep=;\n# mine\nquery;docid;rating\n1;;1\n", RUN)


def test_a_score_matrix_may_begin_with_its_separator():
    assert (
        kind_of("m", b"# mine\ntopic,s,t\n1,0.5,0.25\n") == kind_of("m", b"sep=,\ntopic,s,t\n1,0.5,0.25\n") == "scores"
    )
    scores = irviz.load_scores({"AP": ("AP.csv", b"sep=;\ntopic;s;t\n1;0.5;0.25\n")})
    assert scores.values.tolist() == [[[0.5, 0.25]]]


def parquet(frame: pd.DataFrame) -> bytes:
    data = io.BytesIO()
    frame.to_parquet(data)
    return data.getvalue()


def test_parquet_is_read():
    run = pd.DataFrame(
        {"qid": [1.0, 1.0, 2.0], "docno": ["c", "a", "b"], "score": [0.1, 0.1 + 0.2, 1e-7]}, index=[3, 5, 7]
    )
    qrels = pd.DataFrame({"qid": ["1", "2"], "docno": [b"a", b"b"], "label": [1, 1]})
    assert ap(loaded(parquet(qrels), parquet(run))) == [[1.0], [1.0]]
    with pytest.raises(IrvizError, match=r"r: .* docno .*list"):
        loaded(QRELS, parquet(run.assign(docno=[["c"], ["a"], ["b"]])))


def test_a_table_that_unfolds_is_refused_by_its_size():
    many = {"qid": ["1"] * 10**3, "docno": ["x" * 10**5] * 10**3, "score": 1.0}
    with pytest.raises(IrvizError, match="unpack to more than 16 MB"):
        irviz.load_collection(("q", QRELS), ("r", parquet(pd.DataFrame(many))), limits=Limits(total_bytes=16 << 20))


SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def excel(**sheets: list[list[str | int]]) -> bytes:
    """A workbook of these sheets; its numbers are fractions, as Excel writes them."""

    def cell(value: str | int) -> str:
        return f"<c><v>{value}.0</v></c>" if isinstance(value, int) else f'<c t="str"><v>{value}</v></c>'

    numbered = dict(enumerate(sheets, start=1))
    named = "".join(f'<sheet name="{name}" sheetId="{i}" r:id="r{i}"/>' for i, name in numbered.items())
    kind = f"{RELATIONS}/worksheet"
    files = "".join(f'<Relationship Id="r{i}" Type="{kind}" Target="worksheets/{i}.xml"/>' for i in numbered)
    book = f'<Relationship Id="b" Type="{RELATIONS}/officeDocument" Target="xl/workbook.xml"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{book}</Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{RELATIONS}"><sheets>{named}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{files}</Relationships>',
    }
    for i, name in numbered.items():
        rows = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in sheets[name])
        parts[f"xl/worksheets/{i}.xml"] = f'<worksheet xmlns="{SHEET}"><sheetData>{rows}</sheetData></worksheet>'
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        for name, text in parts.items():
            file.writestr(name, text)
    return data.getvalue()


def test_the_one_sheet_of_an_excel_file_is_read():
    pytest.importorskip("python_calamine")
    rows: list[list[str | int]] = [["query", "docid", "position"], [1, "a", 1], [2, "c, d", 1], [2, "b", 2]]
    assert ap(loaded(QRELS, excel(first=rows, empty=[]))) == [[1.0], [0.5]]
    with pytest.raises(IrvizError, match="first and other"):
        loaded(QRELS, excel(first=rows, other=rows))
    with pytest.raises(IrvizError, match=r"r: .*damaged"):
        loaded(QRELS, excel(first=rows)[:200])


def test_without_calamine_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(IrvizError, match=r"r: .*\.xlsx.*CSV.*python-calamine"):
        loaded(QRELS, excel(first=[]))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_a_file(tmp_path):
    pipes = {}
    for name, data in (("q", QRELS), ("r", RUN)):
        pipes[name] = tmp_path / name
        os.mkfifo(pipes[name])
        threading.Thread(target=pipes[name].write_bytes, args=(data,), daemon=True).start()
    assert ap(irviz.load_collection(pipes["q"], pipes["r"])) == [[1.0], [1.0]]
