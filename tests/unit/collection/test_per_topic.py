"""Scores by topic as other tools write them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import irviz
from irviz.collection.per_topic import is_per_topic
from irviz.collection.recognise import kind_of
from irviz.errors import IrvizError
from irviz.stats.scores import Scores

TREC_EVAL = "num_ret               \t301\t10\nmap                   \t301\t0.2500\nndcg_cut_10           \t301\t0.5\n"
TREC_EVAL += "num_ret\t302\t9\nmap\t302\t0.7500\nndcg_cut_10\t302\t1.0\n"
AVERAGES = "runid\tall\tx\nnum_ret\tall\t19\nmap\tall\t0.5000\nndcg_cut_10\tall\t0.7500\n"
MEASURES = "301\tAP\t0.25\n301\tnDCG@10\t0.5\n302\tAP\t0.75\n302\tnDCG@10\t1.0\nall\tAP\t0.5\nall\tnDCG@10\t0.75\n"
LINES = [(topic, name, value) for topic, *rest in [("301", 0.25, 0.5), ("302", 0.75, 1.0)]
         for name, value in zip(["AP", "nDCG@10"], rest, strict=True)]  # fmt: skip


def read(*texts: str) -> Scores:
    return irviz.load_scores([(f"run{i}", text.encode()) for i, text in enumerate(texts, 1)])


def table(separator: str, *heads: str) -> str:
    rows = [heads, *(("run1", topic, name, str(value)) for topic, name, value in LINES)]
    return "".join(f"{separator.join(row)}\n" for row in rows if row)


def as_json(*keys: str) -> list[str]:
    return [json.dumps(dict(zip(keys, ("run1", *line), strict=True))) for line in LINES]


@pytest.mark.parametrize(
    "text",
    [
        TREC_EVAL + AVERAGES,
        TREC_EVAL.replace("\t", "  ") + AVERAGES.replace("\t", " "),
        MEASURES,
        "\ufeff" + MEASURES.replace("\n", "\r\n"),
        table("\t"),
        table(" "),
        table(",", "run", "topic", "measure", "value"),
        table("\t", "system", "query_id", "metric", "score"),
        table(";", "Run ID", "Query", "Measure", "Score"),
        "\n".join(as_json("run_id", "topic_id", "measure", "value")),
        f"[{','.join(as_json('system', 'topic', 'measure', 'score'))}]",
    ],
)
def test_every_form_is_the_same_cube(text: str) -> None:
    assert is_per_topic(text.encode()) and kind_of("x.txt", text.encode()) == "scores"
    scores = read(text).select(["AP", "nDCG@10"])
    assert (scores.topics, scores.systems) == (("301", "302"), ("run1",))
    np.testing.assert_array_equal(scores.values[:, :, 0], [[0.25, 0.75], [0.5, 1.0]])


def test_measures_that_irviz_does_not_know_stand_last_and_as_they_are() -> None:
    assert read(TREC_EVAL).measures == ("AP", "nDCG@10", "NumRet")


def test_what_no_file_has_is_missing() -> None:
    scores = read("map 1 .5\nmap 2 .25\n", "map 1 .5\nRprec 1 0\n")
    np.testing.assert_array_equal(scores["AP"], [[0.5, 0.5], [0.25, np.nan]])
    np.testing.assert_array_equal(scores["Rprec"], [[np.nan, 0], [np.nan, np.nan]])
    assert [finding.severity for finding in scores.findings] == ["warning"]


def test_averages_are_left_out_and_compared() -> None:
    notes = {finding.severity for finding in read(TREC_EVAL + AVERAGES).findings}
    assert notes == {"note"}
    other = read(TREC_EVAL + AVERAGES.replace("0.5000", "0.2500")).findings
    assert ["AP 0.2500" in finding.message for finding in other if finding.severity == "warning"] == [True]


def test_several_runs_in_a_file_of_trec_eval() -> None:
    scores = read("runid all a\nmap 1 .5\nmap all .5\nrunid all b\nmap 1 .25\nmap all .25\n")
    assert scores["AP"].to_dict() == {"a": {"1": 0.5}, "b": {"1": 0.25}}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("map 1 .5\nmap 1 .6\n", "run1:2: "),
        ("map 1 .5\nAP 1 .6\n", "run1:2: "),
        ("map 1 .5\nmap 2 inf\n", "run1:2: "),
        ("map 1 .5\nmap 2 1e101\n", "run1:2: "),
        ("map 1 .5\nmap 2 x\n", "run1:2: "),
        ("run,topic,measure,value\na,1,AP,.5\n,1,AP,.5\n", "run1:3: "),
        ("run,topic,measure,value\na,1,AP\n", "run1:2: "),
        ("run,topic,measure,value\na\n", "run1:2: "),
        ("run,topic,measure,value\n", "The files hold no value of a topic"),
        ('{"topic": "1", "measure": "AP", "value": 1}\n{\n', "run1:2: "),
        ('{"topic": "1", "measure": "AP", "value": 1}\n[]\n', "run1:2: "),
        ("map all .5\n", "The files hold no value of a topic"),
    ],
)
def test_what_is_refused(text: str, place: str) -> None:
    with pytest.raises(IrvizError) as caught:
        read(text)
    assert str(caught.value).startswith(place)


def test_a_value_a_line_is_no_matrix() -> None:
    for text in ("map\t301\t0.25\n", "map\t301\t0.25\nmap\t302\t0.5\n"):
        with pytest.raises(IrvizError, match=r"^ap: "):
            irviz.load_scores({"AP": ("ap", text.encode())})
    with pytest.raises(IrvizError, match="run1"):
        read("map 1 .5\n", "a,b\n.1,.2\n")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"301 Q0 d 1 2 x\n",
        b"301 0 d 1\n",
        b"1 a 1\n1 b 2\n",
        b"ap,bm25,x\n.1,.2,.3\n",
        b"topic,f1,b\nf1,.1,.2\n2,.3,.4\n",
    ],
)
def test_what_has_no_value_a_line(data: bytes) -> None:
    assert not is_per_topic(data)


def test_a_folder_of_matrices(tmp_path: Path) -> None:
    for name, text in {"AP.csv": "a,b\n.1,.2\n", "nDCG@10.csv.gz": "a,b\n.3,.4\n"}.items():
        data = text.encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    assert irviz.load_scores(tmp_path).values.tolist() == [[[0.1, 0.2]], [[0.3, 0.4]]]


def test_a_folder_of_trec_eval(collections: Path) -> None:
    folder = collections / "trec_eval-output-dl2019"
    scores = irviz.load_scores(folder)
    assert scores.values.shape == (10, 192, 6) and not np.isnan(scores.values).any()
    assert scores.systems[:2] == ("ICT-BERT2.ndcgeval", "TUA1-1.ndcgeval")
    assert scores["nDCG@10"].loc["1005165", "ICT-BERT2.ndcgeval"] == 0.9633
    with gzip.open(folder / "TUA1-1.ndcgeval.gz", "rt") as file:
        printed = [
            float(line.split()[2])
            for line in file
            if line.split()[0] == "ndcg_cut_10" and " all" not in line.replace("\t", " ")
        ]
    assert irviz.summarise(scores["nDCG@10"])["TUA1-1.ndcgeval"] == pytest.approx(np.mean(printed))
