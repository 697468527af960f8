"""Names and numbers that were hardly meant as they stand: each has a warning, by whatever road it came."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.cli.main import main
from irviz.collection.codes import Finding
from irviz.collection.model import Collection
from irviz.multiverse.report import unjudged_words
from irviz.multiverse.verdicts import TABLES, requirement
from irviz.workspace.context import Dataset
from tests.panels import context_of, panel_of, selecting

Rows = Sequence[tuple[str, str, float]]  #: topic, document, grade or score


def _trec(qrels: Rows, run: Rows) -> Collection:
    judged = "".join(f"{topic} 0 {doc} {grade:g}\n" for topic, doc, grade in qrels)
    listed = "".join(f"{topic} Q0 {doc} 1 {score} x\n" for topic, doc, score in run)
    return irviz.load_collection(("q", judged.encode()), [("x", listed.encode())])


def _csv(qrels: Rows, run: Rows) -> Collection:
    tables = (pd.DataFrame(rows, columns=["qid", "docid", name]) for rows, name in ((qrels, "rating"), (run, "score")))
    judged, listed = (table.to_csv(index=False).encode() for table in tables)
    return irviz.load_collection(("q", judged), [("x", listed)])


def _json(qrels: Rows, run: Rows) -> Collection:
    tables = (
        [{"qid": topic, "docid": doc, name: number} for topic, doc, number in rows]
        for rows, name in ((qrels, "rating"), (run, "score"))
    )
    judged, listed = (json.dumps(table).encode() for table in tables)
    return irviz.load_collection(("q", judged), [("x", listed)])


def _frames(qrels: Rows, run: Rows) -> Collection:
    frames = (pd.DataFrame(rows, columns=["qid", "docno", name]) for rows, name in ((qrels, "label"), (run, "score")))
    judged, listed = frames
    return irviz.collection_from_frames(judged, {"x": listed})


def _dictionaries(qrels: Rows, run: Rows) -> Collection:
    judged, listed = ({topic: {} for topic, _, _ in rows} for rows in (qrels, run))
    for table, rows in ((judged, qrels), (listed, run)):
        for topic, doc, number in rows:
            table[topic][doc] = number
    return irviz.collection_from_frames(judged, {"x": listed})


ROADS: list[Callable[[Rows, Rows], Collection]] = [_trec, _csv, _json, _frames, _dictionaries]
by_every_road = pytest.mark.parametrize("road", ROADS)


def warnings(c: Collection, said: str = "") -> list[Finding]:
    return [finding for finding in c.findings if finding.severity == "warning" and said in finding.message]


def ap(c: Collection) -> float:
    return float(irviz.score(c, ["AP"]).values.mean())


JUDGED = [("1", "a", 1), ("1", "b", 0), ("2", "d", 1)]


@by_every_road
@pytest.mark.parametrize(
    ("listed", "evidence"),
    [
        ("AD", "2 of 2 match without case"),
        (("a.txt", "d.txt"), "2 of 2 match without extensions"),
        (("runs/a", "runs/d"), "2 of 2 match without folders"),
        (("'a'", "'d'"), "2 of 2 match without quotes"),
        (("A.HTML", "D.html"), "2 of 2 match without case, without extensions"),
        (("a\u200b", "\ufeffd"), "2 of 2 match without U+200B, U+FEFF"),
        (("17", "4"), "system x, the first document 17, judged a"),
    ],
)
def test_a_run_that_matches_no_judged_document(road, listed: Sequence[str], evidence: str) -> None:
    c = road(JUDGED, [("1", listed[0], 3.5), ("2", listed[1], 3.5)])
    (found,) = warnings(c)
    assert (ap(c), evidence in found.message) == (0.0, True)
    assert found.unnamed is not None
    assert listed[0] not in found.unnamed


@by_every_road
@pytest.mark.parametrize(
    ("judged", "listed"), [("1234567890123456", "1.23457E+15"), ("7", "007"), ("7", "7.0"), ("é", "e\u0301")]
)
def test_a_document_whose_name_was_changed_by_a_program(road, judged: str, listed: str) -> None:
    c = road([("1", "c", 0), ("1", judged, 1)], [("1", listed, 3.5)])
    assert (ap(c), len(warnings(c, "1 of 1 match"))) == (0.0, 1)


@by_every_road
def test_a_run_that_matches_on_few_topics(road) -> None:
    judged = [(str(t), f"d{t}", 1) for t in range(10)]
    for known, names, count in ((4, "dD", 1), (4, "dk", 1), (9, "dD", 1), (9, "dk", 0)):
        c = road(judged, [(str(t), f"{names[t >= known]}{t}", 2.5) for t in range(10)])
        assert (ap(c), len(warnings(c, f"{10 - known} of 10,"))) == (pytest.approx(known / 10), count)


def test_what_would_match_is_looked_for_in_the_list_of_the_same_topic() -> None:
    c = _trec([("1", "a", 1), ("2", "b", 1)], [("1", "B", 1), ("2", "A", 1)])
    assert [("match" in found.message) for found in warnings(c)] == [False]


@by_every_road
@pytest.mark.parametrize(("grade", "binary"), [(0.9, 0.0), (0.05, 0.0), (40, 1.0), (100, 1.0)])
def test_grades_that_measures_of_relevant_or_not_read_otherwise(road, grade: float, binary: float) -> None:
    c = road([("1", "a", grade), ("1", "b", 0)], [("1", "a", 2.5)])
    assert (ap(c), [found.line for found in warnings(c, f"{grade:g}")]) == (binary, [2 if road is _csv else 1])
    assert warnings(road([("1", "a", 3), ("1", "b", 0)], [("1", "a", 2.5)])) == []


@pytest.mark.parametrize("form", ["{0} 0 {1} 1\n", "{0},{1},1\n"])
def test_a_byte_order_mark_amid_a_file_is_none_of_its_names(form: str) -> None:
    head = "" if " " in form else "qid,docid,rating\n"
    text = head + form.format("1", "a") + "\ufeff" + form.format("3", "b")
    c = irviz.load_collection(("q", text.encode()), [("x", "\ufeff1 Q0 a 1 2 x\n\ufeff3 Q0 b 1 2 x\n".encode())])
    assert (c.topics, ap(c), c.findings) == (("1", "3"), 1.0, ())


@by_every_road
@pytest.mark.parametrize(
    ("judged", "listed", "shown"),
    [
        (("1", "c", 1), ("1", "c\u200b", 1.5), "U+200B"),
        (("1", "c\u2060", 1), ("1", "c", 1.5), "U+2060"),
        (("1", "ö", 1), ("1", "o\u0308", 1.5), "in NFC"),
        (("1", "o\u0308", 1), ("1", "ö", 1.5), "in NFC"),
        (("3\u200b", "c", 1), ("3", "c", 1.5), "U+200B"),
        (("3", "c", 1), ("3\u200b", "c", 1.5), "U+200B"),
        (("ö", "c", 1), ("o\u0308", "c", 1.5), "in NFC"),
    ],
)
def test_characters_that_cannot_be_seen_are_named(road, judged, listed, shown: str) -> None:
    c = road([*JUDGED, judged], [("1", "a", 3.5), ("2", "d", 3.5), listed])
    assert ap(c) < 1
    assert all(shown in found.message for found in warnings(c, "1 of 1 match"))
    assert warnings(c, "1 of 1 match")


def test_a_no_break_space_in_a_topic_is_named() -> None:
    c = _trec([("1", "a", 1), ("3", "b", 1)], [("1", "a", 1), ("3\u00a0", "b", 1)])
    assert (ap(c), len(warnings(c, "1 of 1 match without U+00A0"))) == (0.5, 2)


@by_every_road
@pytest.mark.parametrize(
    ("write", "how"),
    [
        (lambda n: f"0{n}", "leading zeros"),
        (lambda n: f"{n}.0", ".0"),
        (lambda n: f"'{n}'", "quotes"),
        (lambda n: f"{n}.xml", "extensions"),
    ],
)
def test_topics_that_are_almost_equal(road, write: Callable[[int], str], how: str) -> None:
    judged = [(str(n), "a", 1) for n in range(1, 10)]
    run = [(write(n), "a", 1.5) for n in range(1, 10)]
    with pytest.raises(irviz.IrvizError, match=f"9 of 9 match without {how}"):
        road(judged, run)
    c = road(judged, [("1", "a", 1.5), *run])
    assert (c.topics, ap(c)) == (tuple("123456789"), pytest.approx(1 / 9))
    assert [found.message.endswith(how) for found in warnings(c)] == [True, True]


def test_names_that_are_not_almost_equal_are_not_compared_further() -> None:
    c = _trec(JUDGED, [("1", "a", 1), ("2", "d", 1), ("7", "a", 1)])
    assert [found.severity for found in c.findings] == ["note"]


@pytest.mark.parametrize("judges", [True, False])
def test_judges_and_aspects_that_write_names_in_another_way(judges: bool) -> None:
    first = "".join(f"{topic} 0 {doc} {grade}\n" for topic, doc, grade in JUDGED)
    run = [("x", b"1 Q0 a 1 3 x\n2 Q0 d 1 3 x\n")]
    qrels = {"one": ("one", first.encode()), "two": ("two", first.upper().encode())}
    c = irviz.load_collection(qrels, run, judges=judges)
    assert [one.file for one in warnings(c, "3 of 3 match without case")] == ["two"]
    qrels["two"] = "two", first.replace("2 0", "02 0").encode()
    c = irviz.load_collection(qrels, run, judges=judges)
    assert {"one", "two"} <= {one.file for one in warnings(c, "1 of 1 match without leading zeros")}


def test_topics_after_a_hash_sign_are_counted() -> None:
    qrels, run = b"# by Ann 3 times\n1 0 a 1\n#2 0 b 1\n#3 0 b 1\n", b"#1 0 no record\n1 Q0 a 1 3 x\n#2 Q0 b 1 3 x\n"
    c = irviz.load_collection(("q", qrels), [("x", run)])
    assert (c.topics, ap(c)) == (("1",), 1.0)
    assert [(one.file, one.line, "2 lines" in one.message) for one in warnings(c)] == [("q", 3, True), ("x", 3, False)]


def test_the_second_field_and_the_document_swapped() -> None:
    c = irviz.load_collection(("q", b"1 a 0 1\n2 b 0 1\n"), [("x", b"1 Q0 a 1 3 x\n2 Q0 b 1 3 x\n")])
    assert (ap(c), [one.file for one in warnings(c)]) == (0.0, ["q", "x"])
    with pytest.raises(irviz.IrvizError, match=r"q:2: .* different grades.*topic, 0, document and grade"):
        irviz.load_collection(("q", b"1 a 0 1\n1 b 0 0\n"), [("x", b"1 Q0 a 1 3 x\n")])
    c = irviz.load_collection(("q", b"1 0 a 1\n"), [("x", b"1 a Q0 1 3 x\n")])
    assert len(warnings(c, "the first document Q0, judged a")) == 1


def test_scores_and_ranks_swapped() -> None:
    qrels = ("q", b"1 0 a 1\n2 0 a 1\n3 0 a 1\n")
    swapped = "3 Q0 a 7 1 x\n1 Q0 a 9.5 1 x\n1 Q0 b 9.5 2 x\n1 Q0 c 1 3 x\n2 Q0 a -1 1 x\n2 Q0 b -3 2 x\n"
    c = irviz.load_collection(qrels, [("x", swapped.encode())])
    assert (ap(c), [one.line for one in warnings(c, "swapped")]) == (pytest.approx((1 + 1 / 3 + 1 / 2) / 3), [2])
    for meant in ("1 Q0 b 2 1 x\n1 Q0 a 1 2 x\n", "1 Q0 b 0 1 x\n1 Q0 a 0 2 x\n", "1 Q0 b 9 1 x\n1 Q0 a 9.5 2 x\n"):
        c = irviz.load_collection(qrels, [("x", f"{meant}2 Q0 a 1 1 x\n3 Q0 a 1 1 x\n".encode())])
        assert (ap(c), warnings(c, "swapped")) == (1.0, [])


# -- Claims about such systems ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Judgments and three runs, of which `wrong` writes all documents in upper case."""
    folder, random = tmp_path_factory.mktemp("claims"), np.random.default_rng(0)
    pairs = [(topic, f"d{topic}x{i}") for topic in range(30) for i in range(12)]
    judged = "".join(f"{topic} 0 {doc} {int(random.random() < 0.4)}\n" for topic, doc in pairs)
    (folder / "qrels").write_text(judged)
    (folder / "runs").mkdir()
    for name in ("good", "fine", "wrong"):
        docs = [(topic, doc.upper() if name == "wrong" else doc) for topic, doc in pairs]
        listed = "".join(f"{topic} Q0 {doc} 1 {random.random()} x\n" for topic, doc in docs)
        (folder / "runs" / name).write_text(listed)
    return ["--qrels", str(folder / "qrels"), "--runs", str(folder / "runs")]


@pytest.mark.parametrize(
    ("claim", "counts"),
    [("good > wrong", {"wrong": 30}), ("good is best", {"wrong": 30}), ("good > fine", {}), ("fine > good", {})],
)
def test_a_claim_says_that_nothing_of_a_system_is_judged(files: list[str], claim: str, counts: dict[str, int]) -> None:
    c = irviz.load_collection(files[1], files[3])
    r = irviz.conclusion(c, claim, irviz.worlds(c, measure=["AP"], test=["t"]), exchanges=0)
    assert r.unjudged_topics == counts
    assert ("`wrong` 30" in unjudged_words(r)) == bool(counts)
    assert bool(requirement("holds >= 0")(r)) == bool(counts)
    rows = TABLES["summary"](r).set_index("what")["value"]
    assert [value for what, value in rows.items() if what.endswith("document: wrong")] == list(counts.values())
    assert irviz.conclusion(irviz.score(c, ["AP"]), claim, exchanges=0).unjudged_topics == {}


def test_the_page_says_it_beside_the_verdict(files: list[str]) -> None:
    c = irviz.load_collection(files[1], files[3])
    context = context_of(Dataset("c", "C", c), measures="AP")
    for other, named in (("wrong", [("wrong",)]), ("fine", [])):
        panel = panel_of(selecting(context, "good", other), "conclusion")
        assert [fact.names for fact in panel.facts if "wrong" in fact.names] == named


def test_the_command_line_refuses_it(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    worlds = ["--measures", "AP", "--test", "t", "--trials", "100"]
    assert main(["conclusion", "good > wrong", *files, *worlds, "--fail-unless", "holds >= 0.8"]) == 1
    assert main(["conclusion", "good > wrong", *files, *worlds]) == 0
    assert [line.count("`wrong` 30") for line in capsys.readouterr().err.splitlines()] == [1, 1]
    assert main(["conclusion", "good > fine", *files, *worlds, "--fail-unless", "holds >= 0"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["lint", *files, "--strict"]) == 1
    assert "360 of 360 match without case" in capsys.readouterr().out
