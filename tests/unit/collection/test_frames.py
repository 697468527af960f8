"""Collections from data frames are those from files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from irviz.collection.codes import ABSENT, NEGATIVE
from irviz.collection.frames import collection_from_frames
from irviz.collection.load import load_collection
from irviz.errors import IrvizError

QRELS = pd.DataFrame({"query_id": ["1", "1", "2"], "doc_id": ["a", "b", "a"], "relevance": [2, 0, 1]})
RUN = pd.DataFrame({"query_id": ["1", "1", "2"], "doc_id": ["b", "a", "q"], "score": [2.0, 2.0, 1.0]})


def refusal(qrels: object = QRELS, runs: object = None, **options: object) -> str:
    with pytest.raises(IrvizError) as caught:
        collection_from_frames(qrels, {"x": RUN} if runs is None else runs, **options)
    return str(caught.value)


def test_as_from_files() -> None:
    c = collection_from_frames(QRELS, {"x.run": RUN})
    files = load_collection(
        ("q", b"1 0 a 2\n1 0 b 0\n2 0 a 1\n"), ("x.run", b"1 Q0 b 1 2 x\n1 Q0 a 2 2 x\n2 Q0 q 1 1 x\n")
    )
    assert c.fingerprint == files.fingerprint
    assert [f.message for f in c.findings] == [f.message for f in files.findings]


def test_pyterrier_names_numbers_as_topics_and_columns_that_come_along() -> None:
    qrels = QRELS.rename(columns={"query_id": "qid", "doc_id": "docno", "relevance": "label"})
    qrels = qrels.astype({"qid": int}).assign(iteration="0")
    run = RUN.rename(columns={"query_id": "qid", "doc_id": "docno"}).astype({"qid": float}).assign(rank=[0, 1, 0])
    assert (
        collection_from_frames(qrels, {"x": run}).fingerprint == collection_from_frames(QRELS, {"x": RUN}).fingerprint
    )


def test_one_frame_with_a_system_column() -> None:
    both = pd.concat([RUN.assign(system=10), RUN.iloc[:1].assign(system=9)])
    c = collection_from_frames(QRELS, both)
    assert c.systems == ("9", "10")
    assert c.ranking[0].tolist() == [[1, -2], [1, 0]]


def test_further_columns_are_aspects_and_missing_grades_are_not_judged() -> None:
    c = collection_from_frames(QRELS.assign(trust=[5.5, np.nan, -1]), {"x": RUN})
    assert c.aspects == ("relevance", "trust")
    assert c.grades == ((0.0, 1.0, 2.0), (0.0, 5.5))
    assert c.labels[:].tolist() == [[[2, 1], [0, ABSENT]], [[1, NEGATIVE], [ABSENT, ABSENT]]]


def test_columns_of_grades_may_be_judges_of_one_thing() -> None:
    qrels = pd.DataFrame({"qid": ["1"] * 3, "docno": list("abc"), "label": [1, 0, 2], "machine": [0, 1, np.nan]})
    runs = {
        name: pd.DataFrame({"qid": ["1"] * 3, "docno": list(order), "score": [3, 2, 1]})
        for name, order in (("x", "abc"), ("y", "cba"))
    }
    framed = collection_from_frames(qrels, runs, judges=True)
    people, machine = (("q", text) for text in (b"1 0 a 1\n1 0 b 0\n1 0 c 2\n", b"1 0 a 0\n1 0 b 1\n"))
    files = [
        (name, "".join(f"1 Q0 {doc} {i} {9 - i} t\n" for i, doc in enumerate(order)).encode())
        for name, order in (("x", "abc"), ("y", "cba"))
    ]
    loaded = load_collection({"relevance": people, "machine": machine}, files, judges=True)
    assert framed.judges == ("relevance", "machine") and framed.fingerprint == loaded.fingerprint
    assert framed.by_judge("machine").fingerprint == loaded.by_judge("machine").fingerprint
    with pytest.raises(IrvizError, match="Judges are given as columns of grades"):
        collection_from_frames(qrels.drop(columns="machine"), runs, judges=True)


def test_ranks_decide_where_they_are_asked_to() -> None:
    run = RUN.assign(rank=[1, 0, 0])
    assert collection_from_frames(QRELS, {"x": run}, ties="rank").ranking[0, 0].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("ranks", "why"),
    [
        ([1, None, 0], 'x:2: the column rank holds no finite number: "nan"'),
        (["1", "2", "AF"], 'x:3: the column rank holds no finite number: "AF"'),
        (pd.array([pd.NA, 2, 3], dtype="Int64"), 'x:1: the column rank holds no finite number: "<NA>"'),
        (None, "x: the frame has no column rank"),
    ],
)
def test_ranks_that_order_nothing(ranks: object, why: str) -> None:
    run = RUN if ranks is None else RUN.assign(rank=ranks)
    advice = "ties='rank' cannot order by it. Choose ties='trec_eval', or ties='file' for the order of lines."
    assert refusal(runs={"x": run}, ties="rank") == f"{why}; {advice}"
    assert collection_from_frames(QRELS, {"x": run}).systems == ("x",)


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        ([1], "qrels: expected a DataFrame, found list."),
        (QRELS.iloc[:0], "qrels: the frame is empty."),
        (QRELS.drop(columns="doc_id"), "qrels: expected a column doc_id or docno, found query_id and relevance."),
        (QRELS.assign(query_id=["1", None, "2"]), "qrels:2: the column query_id is empty."),
        (QRELS.assign(doc_id=["a", "", "a"]), "qrels:2: the column doc_id is empty."),
        (QRELS.assign(relevance=[1, np.inf, 0]), "qrels:2: the row holds no finite grade."),
        (QRELS.assign(relevance=[1, np.nan, 0]), "qrels:2: the row holds no finite grade."),
        (QRELS.assign(trust=np.nan), "qrels: the column of trust holds no grade. Leave it out."),
        (QRELS.assign(note=["1", "x", "2"]), "qrels:2: the column note holds no number: 'x'"),
        (
            pd.concat([QRELS, QRELS.iloc[:1].assign(relevance=1)]),
            "qrels:4: document a of topic 1 is judged twice with different grades: 1 here, 2 on line 1. Keep one.",
        ),
    ],
)
def test_qrels_that_are_none(qrels: object, message: str) -> None:
    assert refusal(qrels=qrels) == message


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ({}, "`runs` must be {system: frame}, or one frame with a column `system`."),
        ([RUN], "`runs` must be {system: frame}, or one frame with a column `system`, or ranx's named runs."),
        (RUN, "`runs` is one frame, so it needs a column `system`; or give {system: frame}."),
        ({"x": RUN.iloc[:0]}, "x: the frame is empty."),
        ({"x": RUN.drop(columns="score")}, "x: expected a column score, found query_id and doc_id."),
        ({"x": RUN.assign(score=[1, np.nan, 2])}, "x:2: the score is not finite, so it cannot be ordered: nan"),
        ({"x": RUN.assign(score=[1, "high", 2])}, "x:2: the column score holds no number: 'high'"),
        (
            {"x": RUN.assign(query_id=["7", "8", "9"])},
            "x: none of its topics is in qrels. Topics of the run: 7, 8 and 9; of the qrels: 1 and 2. "
            "Give the qrels that these runs were made for.",
        ),
    ],
)
def test_runs_that_are_none(runs: object, message: str) -> None:
    assert refusal(runs=runs) == message
