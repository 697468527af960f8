"""What users said beside a collection: recognised, attached, saved only where asked, never half loaded."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.collection.bundle import open_bundle
from irviz.collection.recognise import kind_of, recognise
from irviz.errors import IrvizError
from irviz.workspace.cache import content_key

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
    assert "1 answer of 4 is about topics or systems not loaded" in [one.message for one in both.findings]


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
    with zipfile.ZipFile(without) as archive:
        assert json.loads(archive.read("collection.json"))["version"] < 4


BROKEN = [
    {"satisfaction": {"topics": ["1"], "systems": None, "values": [float("nan")]}},
    {"satisfaction": {"topics": ["1"], "systems": None, "values": ["3"]}},
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
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["users.json"] = json.dumps(users).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
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
    with pytest.raises(IrvizError, match="Preferences are given as"):
        loaded(preferences=3)


def test_the_bundled_field_study_is_that_of_the_files(collections):
    folder = collections / "tiangong-fsd"
    c = irviz.open_collection("tiangong")
    files = irviz.load_collection(folder / "qrels.txt.gz", folder / "shown.run.gz")
    frame = pd.read_csv(folder / "satisfaction.tsv", sep="\t", dtype={"topic": str})
    assert c.fingerprint == files.fingerprint and list(c.satisfaction.topics) == frame["topic"].tolist()
    np.testing.assert_array_equal(c.satisfaction.values, frame["satisfaction"])
