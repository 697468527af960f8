"""Texts of topics in the forms that test collections write them in."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

import irviz
from irviz.collection.documents import checked_pattern
from irviz.collection.load import load_collection
from irviz.collection.recognise import kind_of
from irviz.collection.text import LONGEST_METADATA, run_metadata
from irviz.collection.topics import group_columns, parse_topics, read_groups
from irviz.errors import IrvizError

TREC = b"""<top>

<num> Number: 401
<title> foreign minorities, Germany

<desc> Description:
What language and cultural differences impede the integration
of foreign minorities in Germany?

<narr> Narrative:
A relevant document will focus on a < b.
</top>
<top>
<num> Number: 402
<title> behavioral &amp; genetics
<desc> Description:
x
</top>
"""
XML = b"""<?xml version="1.0"?>
<topics task="COVIDSearch"><!-- <topic number="9"><query>none</query></topic> -->
<topic number="1"><query>coronavirus origin</query><question>what is the origin</question></topic>
<topic number="2"><query>  corona\nresponse </query></topic></topics>"""
HEALTH = (
    b"<queries><query><id>101001</id><title>headaches &lt; 2</title></query>\n"
    b"<query><id>101002</id><title>b</title></query></queries>"
)
NTCIR = b"<queries><query><qid>0001</qid><content><![CDATA[halloween]]></content></query></queries>"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (TREC, {"401": "foreign minorities, Germany", "402": "behavioral & genetics"}),
        (XML, {"1": "coronavirus origin", "2": "corona response"}),
        (HEALTH, {"101001": "headaches < 2", "101002": "b"}),
        (NTCIR, {"0001": "halloween"}),
        (b"<top><num>7</num><desc>Description: only this</desc></top>", {"7": "only this"}),
        (
            b"2082\tAt what age?\r\n23287\tare landlords liable, if 1 2 3\r\n",
            {"2082": "At what age?", "23287": "are landlords liable, if 1 2 3"},
        ),
        (b"qid\tquery\n1_1\tthroat cancer\tmore\n", {"1_1": "throat cancer"}),
        ('\ufeff{"_id": "q1", "text": "Größe"}\n\n{"_id": 2, "text": "b"}\n'.encode(), {"q1": "Größe", "2": "b"}),
        (b'{"qid": "1", "title": "t", "description": "d"}', {"1": "t"}),
    ],
)
def test_forms(data: bytes, expected: dict[str, str]) -> None:
    assert parse_topics("topics", data) == expected
    assert kind_of("topics", data) == "topics"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"1\ta b\n1\tc\n", "t:2: topic 1 has a text already"),
        (b"".join(b"%d\tx\n" % i for i in range(24)) + b"2 c\n3\td", "t:25: expected a topic"),
        (b'{"qid": 1}\n', "t:1: expected a topic"),
        (b'{"qid": 1, "text": "a"}\n{', "t:2: the line is not a JSON object"),
        (b"<top>\n</top>\n<top><title>a</title></top>", "t:1: this <top> names no topic"),
        (b"<topics></topics>", "t: no topic has a text"),
        (b"1 Q0 a 1 2 x\n", "t: no texts of topics were found"),
    ],
)
def test_refusals(data: bytes, message: str) -> None:
    with pytest.raises(IrvizError) as caught:
        parse_topics("t", data)
    assert str(caught.value).startswith(message)


def test_texts_go_with_their_topics() -> None:
    qrels, run = ("q", b"1 0 a 1\n2 0 a 1\n"), ("x", b"1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n")
    c = load_collection(qrels, run, topics=("t", b"001\tfirst of all\n3\tnobody's own\n"))
    assert c.topic_texts == {"1": "first of all"}
    assert [f.message for f in c.findings] == ["topics without a text: 1 of 2: 2"]
    assert c.subset(topics=["2"]).topic_texts == {}
    with pytest.raises(IrvizError) as caught:
        load_collection(qrels, run, topics={"7": "a b"})
    assert str(caught.value) == (
        "None of the 1 topics with a text has judgments. With a text: 7; with judgments: 1 and 2. "
        "Give the topics of this collection."
    )


@pytest.mark.parametrize(
    "pattern",
    [
        "javascript:alert({docid})",
        "https://a.org/",
        "https://a.org/{docid}/{docid}",
        "https://{docid}.org/",
        "https://u:p@a.org/{docid}",
        "https://a.org/{docid} x",
        "//a.org/{docid}",
        "https://a.org:x/{docid}",
        "https://a.org\\{docid}",
        "https://ä.org/{docid}",
        3,
        "https://a.org/" + "x" * 500 + "{docid}",
    ],
)
def test_link_patterns_that_are_refused(pattern: str) -> None:
    with pytest.raises(IrvizError, match=r"Write one such as https://example.org/documents/\{docid\}"):
        checked_pattern(pattern)


@pytest.mark.parametrize("second", ["Q0", "0"])
def test_a_run_without_a_tag_is_no_file_of_judgments(second: str) -> None:
    data = "".join(f"1 {second} d{rank} {rank} {9 - rank}.5\n" for rank in range(1, 6)).encode()
    assert kind_of("mine", data) == "run"
    with pytest.raises(IrvizError) as caught:
        load_collection(("mine", data), ("x", b"1 Q0 d1 1 1 x\n"))
    assert str(caught.value) == (
        "mine: this looks like a run that lacks its last field (topic, Q0, document, rank, score, and then a tag), "
        "not qrels (topic, iteration, document, grade). Add a tag to every line."
    )
    graded = b"1 0 a 1 2\n1 0 b 1 0\n1 0 c 0 2\n"  # two aspects
    assert kind_of("two", graded) == "qrels"


@pytest.mark.parametrize("piece", ["<!--", "<top", "<a-", "<top><num", "< ", "<top><num>1</num>"])
def test_hostile_markup_is_read_in_one_pass(piece: str) -> None:
    data = ("<top><num>1<title>x</top>" + piece * 100_000).encode()  # minutes, were it quadratic
    with contextlib.suppress(IrvizError):
        parse_topics("t", data)


# Runs that describe themselves: ir_metadata blocks, and folders of TIRA and TIREx.


BLOCK = b"""# ir_metadata.start
# schema version: 0.2
# platform:
#   hardware:
#     cpu:
#       model: 'Intel Xeon'
#   software:
#     libraries:
#       - name: pyterrier
#         version: 0.11
# research goal:
#   venue:
#     name: <b>TREC</b>
# ir_metadata.end
"""
LINES = b"1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n"


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    return tmp_path / "qrels"


def folder(place: Path, *names: str) -> Path:
    for name in names:
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(LINES if "run" in file.name else b"a: b\n")
    return place


def systems(qrels: Path, runs: Path) -> tuple[str, ...]:
    return irviz.load_collection(qrels, runs).systems


def test_what_a_run_says_of_itself_is_a_note_and_changes_no_number(qrels, tmp_path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "plain").write_bytes(LINES)
    (tmp_path / "runs" / "told").write_bytes(BLOCK + LINES)
    c = irviz.load_collection(qrels, tmp_path / "runs")
    scores = irviz.score(c, ["AP"])["AP"]
    assert scores["plain"].tolist() == scores["told"].tolist() == [1.0]
    notes = [str(one) for one in c.findings if "ir_metadata" in one.message]
    assert notes == [
        "told: the run's ir_metadata: schema version 0.2; platform.hardware.cpu.model Intel Xeon; "
        "platform.software.libraries.name pyterrier; platform.software.libraries.version 0.11; "
        "research goal.venue.name <b>TREC</b>"
    ]


@pytest.mark.parametrize(
    "data", [b"", LINES, b"# ir_metadata.start\n# a: b\n" + LINES, b"# ir_metadata.end\n", BLOCK.replace(b"# ", b"")]
)
def test_without_a_whole_block_nothing_is_said(data):
    assert run_metadata(data) == ""


def test_hostile_blocks_are_cut_and_made_of_text():
    block = b"# ir_metadata.start\n" + b"# k\x1b[31m: \xff\x00v\n" * 9000 + b"# ir_metadata.end\n" + LINES
    assert run_metadata(block) == ""  # it ends too far down
    block = b"# ir_metadata.start\n" + b"#\t: ::\n# - - -\n# k: \xff\x1bv\n" * 900 + b"# ir_metadata.end\n" + LINES
    said = run_metadata(block)
    assert len(said) == LONGEST_METADATA
    assert said.isprintable()


def test_folders_name_runs_that_are_all_called_run_txt(qrels, tmp_path):
    made = "2024-05-04-12-00-00/output"
    inside = [f"touche/kestrel/{name}/{made}" for name in ("bm25", "dense")]
    runs = folder(tmp_path / "tirex", *(f"{one}/{file}" for one in inside for file in ("run.txt", "ir-metadata.yml")))
    assert systems(qrels, runs) == ("bm25", "dense")
    assert systems(qrels, runs / "touche" / "kestrel" / "bm25") == ("bm25",)
    folder(runs, "touche/kestrel/bm25/2024-05-05-12-00-00/output/run.txt")
    assert len(systems(qrels, runs)) == 3


def test_other_runs_beside_such_folders_keep_their_names(qrels, tmp_path):
    runs = folder(tmp_path / "mixed", "a/run.txt", "b/run.txt", "b/queries.jsonl", "more/osprey.run")
    assert systems(qrels, runs) == ("a", "b", "osprey.run")


def test_one_run_that_is_called_so_is_a_run_like_others(qrels, tmp_path):
    assert systems(qrels, folder(tmp_path / "flat", "run.txt", "run2.txt")) == ("run2.txt", "run.txt")
    assert systems(qrels, folder(tmp_path / "kestrel", "run.txt", "ir-metadata.yml")) == ("kestrel",)


def test_groups_stand_in_a_file_of_their_own_or_beside_texts():
    alone, beside = b"topic,group\n1,x\n2,y\n", b"topic\ttext\tgroup\n1\tan apple\tx\n2\ta pear\ty\n"
    assert kind_of("g.csv", alone) == kind_of("g.tsv", alone.replace(b",", b"\t")) == "groups"
    assert (kind_of("t.tsv", beside), group_columns(beside), group_columns(b"1\tan apple\n")) == ("topics", 3, 0)
    assert read_groups(("t.tsv", beside)) == read_groups(("g.csv", alone)) == {"1": "x", "2": "y"}
    assert parse_topics("t.tsv", beside) == {"1": "an apple", "2": "a pear"}
