"""What users said beside a collection: recognised, attached, saved only where asked, never half loaded."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.collection.bundle import open_bundle
from irviz.collection.judges import judged_grades, with_judge
from irviz.collection.load import BrokenRun, load_collection
from irviz.collection.model import Collection
from irviz.collection.recognise import kind_of, recognise
from irviz.errors import IrvizError
from irviz.workspace.cache import content_key
from irviz.workspace.context import data_key
from tests.zips import members, zipped

QRELS = ("q.txt", b"1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n3 0 d3 1\n")
RUNS = [("a", b"1 Q0 d1 1 9 a\n2 Q0 d2 1 9 a\n3 Q0 d3 1 9 a\n"), ("b", b"1 Q0 d2 1 9 b\n2 Q0 d1 1 9 b\n")]
RATED = ("s.tsv", b"topic\tsystem\tsatisfaction\n1\ta\t3\n1\tb\t1\n2\ta\t0\n9\ta\t2\n")
CHOSEN = ("p.csv", b"topic,a,b,winner\n1,a,b,a\n2,a,b,tie\n3,b,c,b\n")


def loaded(**users):
    return irviz.load_collection(QRELS, RUNS, **users)


@pytest.fixture
def both():
    return loaded(satisfaction=RATED, preferences=CHOSEN)


def test_what_users_said_is_beside_the_collection_and_changes_no_number(both):
    plain = loaded()
    assert both.satisfaction.packed() == {
        "topics": ("1", "1", "2", "9"),
        "systems": ("a", "b", "a", "a"),
        "values": [3, 1, 0, 2],
    }
    assert both.preferences.sign.tolist() == [1, 0, 1]
    assert both.fingerprint == plain.fingerprint and both.identity != plain.identity
    assert content_key(both) != content_key(loaded(satisfaction=RATED)) != content_key(plain)
    assert "answers about topics or systems not loaded: 1 of 4" in [one.message for one in both.findings]


def test_parts_of_a_collection_have_what_is_about_them(both):
    part = both.subset(topics=["1", "3"], systems=["a"])
    assert part.satisfaction.topics == ("1",) and part.preferences is None
    assert both.subset(topics=["1"]).preferences.topics == ("1",)
    for same in (both.renamed("x"), both.with_aspects(both.aspects), both.with_labels(both.labels), both.attached()):
        assert same.satisfaction.packed() == both.satisfaction.packed()
        assert same.preferences.packed() == both.preferences.packed()
    bare = both.anonymous()
    assert not bare.has_users and bare.fingerprint == both.fingerprint


def test_another_tie_rule_and_another_judge_leave_what_users_said(tmp_path):
    for name, data in (QRELS, *RUNS):
        (tmp_path / name).write_bytes(data)
    runs = [tmp_path / "a", tmp_path / "b"]
    c = irviz.load_collection(tmp_path / "q.txt", runs, satisfaction=RATED)
    assert c.under("file").satisfaction.packed() == c.satisfaction.packed()
    judged = irviz.load_collection({"x": QRELS, "y": ("y", QRELS[1])}, RUNS, judges=True, satisfaction=RATED)
    assert judged.by_judge("y").satisfaction.packed() == c.satisfaction.packed()


def test_a_saved_collection_has_them_only_where_that_is_asked(both, tmp_path):
    without = both.save(tmp_path / "without.irviz", documents=True)
    assert not open_bundle(without).has_users and b"p.csv" not in without.read_bytes()
    opened = open_bundle(both.save(tmp_path / "with.irviz", users=True))
    assert opened.satisfaction.packed() == both.satisfaction.packed()
    assert opened.preferences.packed() == both.preferences.packed()
    assert opened.fingerprint == both.fingerprint
    assert both.save(tmp_path / "again.irviz", users=True).read_bytes() == (tmp_path / "with.irviz").read_bytes()
    assert json.loads(members(without)["collection.json"])["version"] < 4


BROKEN = [
    {"satisfaction": {"topics": ["1"], "systems": None, "values": [float("nan")]}},
    {"satisfaction": {"topics": ["1", "1"], "systems": None, "values": [1, 2]}},
    {"satisfaction": {"topics": ["1"], "systems": ["a", "b"], "values": [1]}},
    {"satisfaction": {"topics": [1], "systems": None, "values": [1]}},
    {"satisfaction": {"topics": ["1\ud800"], "systems": None, "values": [1]}},
    {"satisfaction": {"topics": ["1" * 20_000], "systems": None, "values": [1]}},
    {"satisfaction": {"topics": [], "systems": None, "values": []}},
    {"satisfaction": 7},
    {"satisfaction": {"topics": ["1"]}},
    {"preferences": {"topics": ["1"], "a": ["x"], "b": ["y"], "sign": [1]}},
    ["satisfaction"],
]


@pytest.mark.parametrize("users", BROKEN, ids=range(len(BROKEN)))
def test_a_tampered_file_is_refused(tmp_path, users):
    path = loaded(satisfaction=RATED).save(tmp_path / "mine.irviz", users=True)
    path.write_bytes(zipped(members(path) | {"users.json": json.dumps(users).encode()}))
    with pytest.raises(IrvizError, match=r"this is not a whole irviz collection \(its users.json"):
        open_bundle(path)


def test_files_are_recognised_by_what_is_in_them(collections):
    assert kind_of("x", RATED[1]) == "satisfaction" and kind_of("x.csv", CHOSEN[1]) == "preferences"
    assert kind_of("x", b"\xef\xbb\xbfTopic;Satisfaction\r\n1;2\r\n") == "satisfaction"
    assert kind_of("x", b"1 1 17 1\n1 1 18 0\n") == "qrels" and kind_of("x", b"1 0 d1 0\n1 0 d2 0\n") == "qrels"
    assert kind_of("x.csv", b"topic,a,b\n1,0.5,0.4\n") == "scores"
    folder = collections / "trec-dl-2021" / "preferences"
    given = [(path.name, path.read_bytes()) for path in sorted(folder.iterdir())]
    assert [one.kind for one in recognise(given)] == ["qrels", "preferences"]
    study = [(path.name, path.read_bytes()) for path in sorted((collections / "tiangong-fsd").iterdir())]
    assert [one.kind for one in recognise(study)] == ["qrels", "satisfaction", "run"]


def test_files_about_something_else_are_refused():
    with pytest.raises(IrvizError, match="None of 1 answer of users is about a topic and a system that is loaded"):
        loaded(satisfaction=("s", b"topic,satisfaction\n77,1\n"))
    with pytest.raises(IrvizError, match=r"s:2: the satisfaction 'x' is not a finite number"):
        loaded(satisfaction=("s", b"topic,satisfaction\n1,x\n"))
    with pytest.raises(IrvizError, match="A preference file is given as a path or as"):
        loaded(preferences=3)


def test_the_bundled_field_study_is_that_of_the_files(collections):
    folder = collections / "tiangong-fsd"
    c = irviz.open_collection("tiangong")
    files = irviz.load_collection(folder / "qrels.txt.gz", folder / "shown.run.gz")
    frame = pd.read_csv(folder / "satisfaction.tsv", sep="\t", dtype={"topic": str})
    assert c.fingerprint == files.fingerprint and list(c.satisfaction.topics) == frame["topic"].tolist()
    np.testing.assert_array_equal(c.satisfaction.values, frame["satisfaction"])


# Several judges of the same lists: each alone, all together, and in one file.


PEOPLE = ("p", b"1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n2 0 d -2\n4 0 a 0\n")
MACHINE = ("m", b"1 0 0z 1\n1 0 b 5\n2 0 a 0\n2 0 d 3\n3 0 x 4\n3 0 y -1\n")
JURY_RUNS = [
    ("x", b"1 Q0 a 1 3 x\n1 Q0 0z 2 2 x\n1 Q0 b 3 1 x\n2 Q0 d 1 9 x\n2 Q0 a 2 8 x\n3 Q0 q 1 9 x\n3 Q0 x 2 8 x\n"),
    ("y", b"1 Q0 b 1 3 y\n1 Q0 c 2 2 y\n1 Q0 0z 3 1 y\n1 Q0 a 4 0 y\n2 Q0 a 1 9 y\n3 Q0 y 1 9 y\n4 Q0 a 1 1 y\n"),
]


def load(**options: object) -> Collection:
    return load_collection({"people": PEOPLE, "machine": MACHINE}, JURY_RUNS, judges=True, **options)


def test_the_first_judge_is_looked_through() -> None:
    c = load()
    assert (c.judges, c.judge, c.aspects) == (("people", "machine"), "people", ("relevance",))
    assert load_collection(PEOPLE, JURY_RUNS).judges == ()


@pytest.mark.parametrize(("judge", "file"), [("people", PEOPLE), ("machine", MACHINE)])
def test_a_judge_alone_is_the_collection_of_that_file_alone(judge: str, file: tuple[str, bytes]) -> None:
    seen, alone = load().by_judge(judge), load_collection(file, JURY_RUNS)
    assert (seen.topics, seen.grades, seen.judge_fingerprint) == (alone.topics, alone.grades, alone.fingerprint)
    assert replace(seen).fingerprint == alone.fingerprint != seen.fingerprint
    measures = ["AP", "nDCG", "Bpref", "RBP(p=0.8)"]
    assert irviz.score(seen, measures).values.tobytes() == irviz.score(alone, measures).values.tobytes()
    for topic in alone.topics:
        whole = seen.list(topic, "y")
        expected = alone.list(topic, "y")
        assert whole.document.tolist() == expected.document.tolist()
        np.testing.assert_array_equal(whole[judge], expected.relevance)


def test_lists_have_a_column_a_judge() -> None:
    shown = load().list("1", "y")
    assert shown.columns.tolist() == ["rank", "document", "score", "people", "machine"]
    np.testing.assert_array_equal(shown.people, [0, 1, np.nan, 2])
    np.testing.assert_array_equal(shown.machine, [5, np.nan, 1, np.nan])
    assert load().list("3", "x").machine.tolist()[1] == 4  # a topic that only the machine judged


@pytest.mark.parametrize("judge", ["people", "machine"])
def test_parts_and_files_are_seen_as_the_whole_is(judge: str, tmp_path: Path) -> None:
    c = load(topics={"1": "one", "2": "two"}).by_judge(judge)
    part = c.subset(topics=["1", "2"], systems=["y"], depth=2)
    assert part.judges == c.judges and part.jury is not None and part.jury.topics == part.topics
    for one in (c, part):
        for documents in (False, True):
            again = open_bundle(one.save(tmp_path / "c.irviz", documents=documents))
            assert (again.fingerprint, again.judges, again.judge) == (one.fingerprint, one.judges, judge)
            assert again.list("1", "y").equals(one.list("1", "y")) == documents
            other = again.by_judge("machine")
            assert other.fingerprint == one.by_judge("machine").fingerprint


def test_what_is_no_judge() -> None:
    with pytest.raises(IrvizError) as caught:
        load_collection(PEOPLE, JURY_RUNS, judges=True)
    assert str(caught.value).startswith("Judges are given as {'people': file, 'machine': file}, or as one")
    with pytest.raises(IrvizError, match=r"There is no judge `Machine`\. Did you mean machine\?"):
        load().by_judge("Machine")
    with pytest.raises(IrvizError, match="There is one set of judgments, so none is of `people`"):
        load_collection(PEOPLE, JURY_RUNS).by_judge("people")


def test_aspects_in_another_order_are_new_labels_only() -> None:
    c = load_collection({"trust": MACHINE, "relevance": PEOPLE}, JURY_RUNS)
    other = load_collection({"relevance": PEOPLE, "trust": MACHINE}, JURY_RUNS)
    moved = c.with_aspects(["relevance", "trust"])
    assert (moved.fingerprint, moved.grades) == (other.fingerprint, other.grades)
    assert moved.list("2", "x").equals(other.list("2", "x"))
    with pytest.raises(IrvizError) as caught:
        c.with_aspects(["relevance"])
    assert str(caught.value) == "The order must name each of the aspects trust and relevance once; got relevance."


JURY_BROKEN = ("bad", b"1 Q0 a 1 3 x\n1 Q0 b\n")


def test_a_broken_run_is_named_and_can_be_left_out() -> None:
    with pytest.raises(BrokenRun) as caught:
        load_collection(PEOPLE, [*JURY_RUNS, JURY_BROKEN])
    problem = caught.value
    assert (problem.system, problem.file, problem.line) == ("bad", "bad", 2)
    assert str(problem) == 'bad:2: expected 6 fields, found 3: "1 Q0 b"'
    c = load_collection(PEOPLE, [*JURY_RUNS, JURY_BROKEN], skip_broken=True)
    assert c.fingerprint == load_collection(PEOPLE, JURY_RUNS).fingerprint
    found = [finding for finding in c.findings if finding.severity == "error"]
    assert [str(f) for f in found] == [
        'bad:2: the run cannot be read, so it is left out: expected 6 fields, found 3: "1 Q0 b"'
    ]
    assert [f.unnamed for f in found] == ["the run cannot be read, so it is left out"]


def test_what_identifies_what() -> None:
    c, alone = load(), load_collection(PEOPLE, JURY_RUNS)
    assert c.judge_fingerprint == alone.fingerprint == alone.judge_fingerprint  # scores are the same, other numbers not
    keys = {c.fingerprint, c.by_judge("machine").fingerprint, with_judge(c, "me", judged_grades(c)[..., 0]).fingerprint}
    assert len(keys | {alone.fingerprint}) == 4
    mine = load(name="mine", topics={"1": "one"})
    assert mine.fingerprint == c.fingerprint and mine.identity != c.identity
    bare = mine.anonymous()
    assert (bare.name, bare.findings, bare.documents, dict(bare.topic_texts)) == ("", (), None, {})
    assert bare.jury is not None and (bare.jury.name, bare.jury.findings, bare.jury.documents) == ("", (), None)
    assert (bare.fingerprint, bare.judges) == (c.fingerprint, c.judges)
    assert bare.identity == c.anonymous().identity


def other_machine() -> Collection:
    """The same people, and a machine that gives one document another grade."""
    machine = (MACHINE[0], MACHINE[1].replace(b"1 0 b 5", b"1 0 b 0"))
    assert machine != MACHINE
    return load_collection({"people": PEOPLE, "machine": machine}, JURY_RUNS, judges=True)


def test_the_fingerprint_covers_every_judge() -> None:
    c, other = load(), other_machine()
    assert c.judge_fingerprint == other.judge_fingerprint and c.fingerprint != other.fingerprint
    c.fingerprint  # noqa: B018 - so that it is known where the parts are made
    for made in (c.attached(jury=other.jury), c.attached(topic_texts={"1": "one"}), c.renamed("me"), c.anonymous()):
        expected = other.fingerprint if made.jury is other.jury else c.fingerprint
        assert made.fingerprint == expected
    asserted = data_key(c).rpartition("~")[2]  # by the code of a view
    assert c.fingerprint.startswith(asserted) and not other.fingerprint.startswith(asserted)


def test_the_order_of_the_other_judges_does_not_matter() -> None:
    third = ("t", b"1 0 a 1\n2 0 d 1\n")
    files = {"people": PEOPLE, "machine": MACHINE, "third": third}
    one = load_collection(files, JURY_RUNS, judges=True)
    two = load_collection({name: files[name] for name in ("people", "third", "machine")}, JURY_RUNS, judges=True)
    assert one.fingerprint == two.fingerprint and one.judges != two.judges
    assert load_collection(
        {"machine": MACHINE, "people": PEOPLE, "third": third}, JURY_RUNS, judges=True
    ).fingerprint != (one.fingerprint)


def test_one_judge_has_the_fingerprint_that_it_had() -> None:
    alone = load_collection(PEOPLE, JURY_RUNS)
    assert alone.fingerprint[:16] == "932dc498686c0b13"


def test_a_file_of_format_2_has_the_fingerprint_of_its_first_judge(tmp_path: Path) -> None:
    c = load()
    file = c.save(tmp_path / "c.irviz")

    def change(**values: object) -> tuple[str, bytes]:
        header = json.loads(members(file)["collection.json"]) | values
        return "old.irviz", zipped(members(file) | {"collection.json": json.dumps(header).encode()})

    old = open_bundle(change(version=2, fingerprint=c.judge_fingerprint))
    assert (old.fingerprint, old.judges) == (c.fingerprint, c.judges)
    for values in ({"fingerprint": c.judge_fingerprint}, {"version": 2}):
        with pytest.raises(IrvizError, match="its fingerprint does not match its content"):
            open_bundle(change(**values))
