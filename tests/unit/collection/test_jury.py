"""Several judges of the same lists: each alone, all together, and in one file."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import irviz
from irviz.collection.bundle import open_bundle
from irviz.collection.judges import judged_grades, with_judge
from irviz.collection.load import BrokenRun, load_collection
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.workspace.context import data_key

PEOPLE = ("p", b"1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n2 0 d -2\n4 0 a 0\n")
MACHINE = ("m", b"1 0 0z 1\n1 0 b 5\n2 0 a 0\n2 0 d 3\n3 0 x 4\n3 0 y -1\n")
RUNS = [
    ("x", b"1 Q0 a 1 3 x\n1 Q0 0z 2 2 x\n1 Q0 b 3 1 x\n2 Q0 d 1 9 x\n2 Q0 a 2 8 x\n3 Q0 q 1 9 x\n3 Q0 x 2 8 x\n"),
    ("y", b"1 Q0 b 1 3 y\n1 Q0 c 2 2 y\n1 Q0 0z 3 1 y\n1 Q0 a 4 0 y\n2 Q0 a 1 9 y\n3 Q0 y 1 9 y\n4 Q0 a 1 1 y\n"),
]


def load(**options: object) -> Collection:
    return load_collection({"people": PEOPLE, "machine": MACHINE}, RUNS, judges=True, **options)


def test_the_first_judge_is_looked_through() -> None:
    c = load()
    assert (c.judges, c.judge, c.aspects) == (("people", "machine"), "people", ("relevance",))
    assert load_collection(PEOPLE, RUNS).judges == ()


@pytest.mark.parametrize(("judge", "file"), [("people", PEOPLE), ("machine", MACHINE)])
def test_a_judge_alone_is_the_collection_of_that_file_alone(judge: str, file: tuple[str, bytes]) -> None:
    seen, alone = load().by_judge(judge), load_collection(file, RUNS)
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
        load_collection(PEOPLE, RUNS, judges=True)
    assert str(caught.value).startswith("Judges are given as {'people': file, 'machine': file}, two or more, or as one")
    with pytest.raises(IrvizError, match=r"There is no judge `Machine`\. Did you mean machine\?"):
        load().by_judge("Machine")
    with pytest.raises(IrvizError, match="There is one set of judgments, so none is of `people`"):
        load_collection(PEOPLE, RUNS).by_judge("people")


def test_findings_speak_of_judges() -> None:
    assert "p: lacks 1 of the 4 topics of the other judges: 3" in map(str, load().findings)


def test_aspects_in_another_order_are_new_labels_only() -> None:
    c = load_collection({"trust": MACHINE, "relevance": PEOPLE}, RUNS)
    other = load_collection({"relevance": PEOPLE, "trust": MACHINE}, RUNS)
    moved = c.with_aspects(["relevance", "trust"])
    assert (moved.fingerprint, moved.grades) == (other.fingerprint, other.grades)
    assert moved.list("2", "x").equals(other.list("2", "x"))
    with pytest.raises(IrvizError) as caught:
        c.with_aspects(["relevance"])
    assert str(caught.value) == "The order must name each of the aspects trust and relevance once; got relevance."


BROKEN = ("bad", b"1 Q0 a 1 3 x\n1 Q0 b\n")


def test_a_broken_run_is_named_and_can_be_left_out() -> None:
    with pytest.raises(BrokenRun) as caught:
        load_collection(PEOPLE, [*RUNS, BROKEN])
    problem = caught.value
    assert (problem.system, problem.file, problem.line) == ("bad", "bad", 2)
    assert str(problem) == 'bad:2: expected 6 fields, found 3: "1 Q0 b"'
    c = load_collection(PEOPLE, [*RUNS, BROKEN], skip_broken=True)
    assert c.fingerprint == load_collection(PEOPLE, RUNS).fingerprint
    found = [finding for finding in c.findings if finding.severity == "error"]
    assert [str(f) for f in found] == [
        'bad:2: the run cannot be read, so it is left out: expected 6 fields, found 3: "1 Q0 b"'
    ]
    assert [f.unnamed for f in found] == ["the run cannot be read, so it is left out"]


def test_nothing_but_broken_runs_is_refused_all_the_same() -> None:
    with pytest.raises(BrokenRun, match="expected 6 fields"):
        load_collection(PEOPLE, [BROKEN], skip_broken=True)


def test_memory_counts_everything_once() -> None:
    c = load(documents="none")
    assert c.jury is not None
    assert c.nbytes == sum(part.ranking.nbytes + part.labels.nbytes for part in (c, c.jury))
    both = load()
    assert both.documents is not None and both.nbytes > c.nbytes + both.documents.nbytes
    same = load_collection({"a": PEOPLE, "b": PEOPLE}, RUNS, judges=True, documents="none")
    assert same.jury is not None and same.ranking is same.jury.ranking  # nothing to be moved, so nothing is copied
    assert same.nbytes == same.ranking.nbytes + same.labels.nbytes + same.jury.labels.nbytes


def test_what_identifies_what() -> None:
    c, alone = load(), load_collection(PEOPLE, RUNS)
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
    return load_collection({"people": PEOPLE, "machine": machine}, RUNS, judges=True)


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
    one = load_collection(files, RUNS, judges=True)
    two = load_collection({name: files[name] for name in ("people", "third", "machine")}, RUNS, judges=True)
    assert one.fingerprint == two.fingerprint and one.judges != two.judges
    assert load_collection({"machine": MACHINE, "people": PEOPLE, "third": third}, RUNS, judges=True).fingerprint != (
        one.fingerprint
    )


def test_one_judge_has_the_fingerprint_that_it_had() -> None:
    alone = load_collection(PEOPLE, RUNS)
    assert alone.fingerprint[:16] == "932dc498686c0b13"


def test_a_file_of_format_2_has_the_fingerprint_of_its_first_judge(tmp_path: Path) -> None:
    c = load()
    file = c.save(tmp_path / "c.irviz")

    def change(**values: object) -> Path:
        with zipfile.ZipFile(file) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        header = json.loads(members["collection.json"]) | values
        with zipfile.ZipFile(tmp_path / "old.irviz", "w") as archive:
            for name, data in (members | {"collection.json": json.dumps(header)}).items():
                archive.writestr(name, data)
        return tmp_path / "old.irviz"

    old = open_bundle(change(version=2, fingerprint=c.judge_fingerprint))
    assert (old.fingerprint, old.judges) == (c.fingerprint, c.judges)
    for values in ({"fingerprint": c.judge_fingerprint}, {"version": 2}):
        with pytest.raises(IrvizError, match="its fingerprint does not match its content"):
            open_bundle(change(**values))
