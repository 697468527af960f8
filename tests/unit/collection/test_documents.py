"""Identifiers beside the arrays: what is kept, what is shown, and that no score ever notices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import irviz
from irviz.cli.main import main
from irviz.collection.bundle import open_bundle
from irviz.collection.codes import UNJUDGED
from irviz.collection.compile import find_repeats
from irviz.collection.documents import documents_memory
from irviz.collection.judgments import DocumentKeys, Lookup
from irviz.collection.lines import Lines
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from tests.zips import members, zipped

QRELS = b"1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n2 0 d -2\n10 0 e 1\n"
ONE = b"1 Q0 a 1 3.0 x\n1 Q0 z 2 2.5 x\n1 Q0 b 3 1.0 x\n2 Q0 d 1 9 x\n2 Q0 a 2 8 x\n10 Q0 q 1 1e-3 x\n10 Q0 e 2 -1 x\n"
TWO = b"1 Q0 z 1 3.0 y\n1 Q0 a 2 2.5 y\n1 Q0 secret 3 1.5 y\n1 Q0 a 4 1.0 y\n"


def load(**options: object) -> Collection:
    return load_collection(("q", QRELS), [("x", ONE), ("y", TWO)], **options)


def test_a_list_as_a_person_reads_it() -> None:
    c = load()
    expected = pd.DataFrame(
        {"rank": [1, 2, 3], "document": ["a", "z", "b"], "score": [3.0, 2.5, 1.0], "relevance": [2.0, np.nan, 0.0]}
    )
    pd.testing.assert_frame_equal(c.list("1", "x"), expected)
    assert c.list("2", "x").relevance.tolist() == [-2.0, 1.0]  # as written, though the level only says: below zero
    assert len(c.list("10", "y")) == 0


def test_repeated_documents_are_listed_once_and_tied_ones_in_the_order_that_counts() -> None:
    assert load().list("1", "y").document.tolist() == ["z", "a", "secret"]
    tied = ("x", b"1 Q0 a 1 1 x\n1 Q0 z 2 1 x\n1 Q0 b 3 1 x\n")
    for ties, order in (("trec_eval", "zba"), ("trec_eval_ascending", "abz"), ("file", "azb")):
        c = load_collection(("q", QRELS), tied, ties=ties)
        assert "".join(c.list("1", "x").document) == order
        assert set(c.list("1", "x").score) == {1.0}


@pytest.mark.parametrize(
    ("kept", "documents", "scores"),
    [
        ("all", ["a", "z", "b"], [3.0, 2.5, 1.0]),
        (2, ["a", "z", "b"], [3.0, 2.5, None]),
        (1, ["a", None, "b"], [3.0, None, None]),
        ("judged", ["a", None, "b"], [None] * 3),
        ("none", [None] * 3, [None] * 3),
    ],
)
def test_what_is_kept(kept: object, documents: list, scores: list) -> None:
    c = load(documents=kept)
    shown = c.list("1", "x").astype(object)
    shown = shown.where(shown.notna(), None)
    assert (shown.document.tolist(), shown.score.tolist()) == (documents, scores)
    assert c.fingerprint == load(documents="none").fingerprint


def test_scores_are_equal_to_the_last_bit_with_and_without() -> None:
    measures = ["AP", "nDCG@2", "RBP(p=0.8)", "Bpref", "P"]
    with_all, without = (irviz.score(load(documents=kept), measures).values for kept in ("all", "none"))
    assert with_all.tobytes() == without.tobytes()


def test_a_part_shows_the_same_lists() -> None:
    c = load()
    part = c.subset(topics=["2", "1"], systems=["y", "x"], depth=2)
    for topic in part.topics:
        for system in part.systems:
            pd.testing.assert_frame_equal(part.list(topic, system), c.list(topic, system)[:2])


def test_rankings_of_ones_own_have_no_identifiers() -> None:
    from dataclasses import replace

    c = load()
    turned = replace(c, ranking=c.ranking[:, :, ::-1].copy())
    assert turned.documents is None and turned.topic_texts == {}


def test_the_memory_said_beforehand_is_never_exceeded(collections: Path) -> None:
    folder = collections / "trec-covid-round1"
    runs = sorted((folder / "runs").iterdir())[:6]
    for kept, ranks in (("judged", 0), (100, 100), ("all", 1000)):
        c = load_collection(folder / "qrels.txt", runs, documents=kept)
        said = documents_memory(len(c.topics), len(c.systems), ranks, c.labels.shape[1])
        assert c.documents is not None and c.documents.nbytes <= said


# -- one file ------------------------------------------------------------------------------


def opened(c: Collection, path: Path, **options: bool) -> Collection:
    return open_bundle(c.save(path / "mine.irviz", **options))


def test_a_file_holds_identifiers_only_if_asked(tmp_path: Path) -> None:
    c = load(topics={"1": "what was asked"})
    bare = opened(c, tmp_path)
    assert b"secret" not in (tmp_path / "mine.irviz").read_bytes()
    assert b"asked" not in (tmp_path / "mine.irviz").read_bytes()
    assert (bare.documents, bare.topic_texts, bare.fingerprint) == (None, {}, c.fingerprint)
    whole = opened(c, tmp_path, documents=True)
    assert whole.identity == c.identity != bare.identity
    assert whole.topic_texts == {"1": "what was asked"}
    for topic in c.topics:
        pd.testing.assert_frame_equal(whole.list(topic, "x"), c.list(topic, "x"))


def test_findings_are_saved_without_identifiers(tmp_path: Path) -> None:
    c = load_collection(("q", QRELS + b"2 0 d -2\n"), [("x", ONE + b"2 Q0 a 3 7 x\n")])
    judged, listed = (f.message.partition(": ")[2] for f in c.findings if f.unnamed)
    assert judged.startswith("d, topic 2, first on line 5") and listed.startswith("a, topic 2; ")
    assert [f.message for f in opened(c, tmp_path).findings] == [f.unnamed or f.message for f in c.findings]
    assert [f.message for f in opened(c, tmp_path, documents=True).findings] == [f.message for f in c.findings]


def test_a_file_of_the_first_format_opens_as_it_did(tmp_path: Path, collections: Path) -> None:
    old = open_bundle(collections / "trec8-adhoc.irviz")
    assert old.documents is None
    first = old.list(old.topics[0], old.systems[0])
    assert first.document.isna().all() and first.score.isna().all()
    assert opened(old, tmp_path).fingerprint == old.fingerprint


@pytest.mark.parametrize(
    ("member", "data", "why"),
    [
        (
            "identifier_ends.bin",
            np.array([9] * 8, "<i8").tobytes(),
            "its identifiers.bin are not as long as they should be",
        ),
        ("identifiers.bin", b"abcdezqsecre", "its identifiers.bin are not as long as they should be"),
        ("judged_documents.bin", np.full(9, 99, "<i4").tobytes(), "a document has no identifier"),
        ("listed_documents.bin", np.full(18, -2, "<i4").tobytes(), "a document has no identifier"),
        ("listed_scores.bin", b"", "its listed_scores.bin has 0 bytes instead of 144"),
    ],
)
def test_broken_identifiers(tmp_path: Path, member: str, data: bytes, why: str) -> None:
    path = load().save(tmp_path / "mine.irviz", documents=True)
    path.write_bytes(zipped(members(path) | {member: data}))
    with pytest.raises(IrvizError) as caught:
        open_bundle(path)
    assert str(caught.value) == f"mine.irviz: this is not a whole irviz collection ({why}). Save it again."


def test_identity_is_what_a_person_sees_and_fingerprint_what_scores_depend_on() -> None:
    c, other = load(name="mine"), load(name="yours")
    assert (c.fingerprint, c.identity != other.identity) == (other.fingerprint, True)
    assert c.renamed("yours").identity == other.identity
    assert c.renamed("yours").documents is c.documents
    assert load(documents="none", name="mine").identity != c.identity
    assert c.renamed(findings=()).identity != c.identity


# Pseudonyms: the same under the same key, and no name of a system in the bytes of the file.


KEY = "a key of sixteen bytes or more"
NAMES = [f"secretlab{letter}" for letter in "ABCDEFGHIJKL"]
TOPICS = ("1", "2", "3")


@pytest.fixture
def named():
    """Twelve systems by several judges, with a finding that names a file, satisfaction and preferences."""
    qrels = {
        judge: (f"{judge}.qrels", "".join(f"{t} 0 d{i} {(i + shift) % 3}\n" for t in TOPICS for i in range(9)).encode())
        for shift, judge in enumerate(("Ann", "Ben"))
    }
    runs = [
        (name, "".join(f"{t} Q0 d{(n * r + n) % 11} {r} {9 - r} {name}\n" for t in TOPICS for r in (1, 2, 3)).encode())
        for n, name in enumerate(NAMES, start=1)
    ]
    said = "topic,system,satisfaction\n" + "".join(f"1,{name},{n}\n" for n, name in enumerate(NAMES))
    liked = f"topic,a,b,winner\n1,{NAMES[0]},{NAMES[5]},{NAMES[5]}\n2,{NAMES[7]},{NAMES[2]},{NAMES[7]}\n"
    return irviz.load_collection(
        qrels,
        runs,
        judges=True,
        documents="all",
        skip_broken=True,
        satisfaction=("s.csv", said.encode()),
        preferences=("p.csv", liked.encode()),
    )


def test_no_name_is_left_in_the_file_and_no_number_changes(named, tmp_path):
    who = named.pseudonyms(KEY)
    path = named.with_pseudonyms(KEY).save(tmp_path / "c.irviz", documents=True, users=True)
    assert b"secretlab" not in path.read_bytes()
    opened = irviz.open_collection(path)
    assert opened.systems == tuple(f"System {place:02d}" for place in range(1, 13)) and opened.judges == named.judges
    for judge in named.judges:
        before, after = (irviz.score(one.by_judge(judge), ["AP", "nDCG@3"]) for one in (named, opened))
        for measure in before.measures:
            assert before[measure].rename(columns=who)[list(opened.systems)].equals(after[measure])
    for name in NAMES:
        assert named.list("2", name).equals(opened.list("2", who[name]))
    assert {who[name] for name in named.preferences.a} == set(opened.preferences.a)
    rated, told = named.satisfaction, opened.satisfaction
    assert [who[name] for name in rated.systems] == list(told.systems) and (rated.values == told.values).all()


def test_pseudonyms_depend_on_the_key_alone(named):
    assert named.pseudonyms(KEY) == named.pseudonyms(KEY.encode()) != named.pseudonyms(KEY + "!")
    assert named.with_pseudonyms(KEY).fingerprint == named.with_pseudonyms(KEY).fingerprint != named.fingerprint
    assert list(named.pseudonyms(KEY)) != NAMES
    with pytest.raises(IrvizError, match="at least 16"):
        named.with_pseudonyms("short")


def test_the_command_makes_a_key_once_and_prints_who_is_who(named, tmp_path, capsys):
    source, key = named.save(tmp_path / "c.irviz"), tmp_path / "key"
    tables, files = [], []
    for out in ("1.irviz", "2.irviz"):
        given = ["pseudonyms", "--collection", str(source), "--key", str(key), "-o", str(tmp_path / out)]
        assert main(given) == 0
        tables.append(capsys.readouterr().out)
        files.append((tmp_path / out).read_bytes())
    assert tables[0] == tables[1] and files[0] == files[1] and b"secretlab" not in files[0]
    assert key.stat().st_mode & 0o077 == 0
    assert tables[0].splitlines()[1].endswith(",System 01") and tables[0].count("secretlab") == len(NAMES)


# The cheap test for repeated documents never misses one, and the judged ones are found.


lines = st.lists(st.tuples(st.integers(0, 2), st.binary(min_size=1, max_size=30)), min_size=1, max_size=40)


def arrays(made: list[tuple[int, bytes]]) -> tuple[np.ndarray, pa.BinaryArray]:
    made = sorted(made, key=lambda pair: pair[0])
    return np.array([topic for topic, _ in made]), pa.array([doc for _, doc in made], pa.binary())


def grouped(topic: np.ndarray, docs: pa.BinaryArray) -> Lines:
    return Lines("r", (), topic, docs, np.zeros((len(topic), 1)), lambda row: row)


@given(lines, lines, st.integers(0, 3))
@example([(0, b"a")], [(0, b"b"), (1, b"a")], 0)  # nothing repeats
@example([(0, b"a")], [(0, b"b"), (1, b"a")], 1)
def test_against_a_set(some: list[tuple[int, bytes]], more: list[tuple[int, bytes]], again: int) -> None:
    topic, docs = arrays(some + more + some[:again])
    pairs = list(zip(topic.tolist(), docs.to_pylist(), strict=True))
    repeats = [pairs.index(pair) != place for place, pair in enumerate(pairs)]
    firsts = [pairs.index(pair) for pair, repeat in zip(pairs, repeats, strict=True) if repeat]
    found = find_repeats(grouped(topic, docs), np.arange(len(pairs)), DocumentKeys.from_documents(topic, docs))
    assert (found and tuple(part.tolist() for part in found)) == ((repeats, firsts) if firsts else None)


def test_documents_that_agree_where_keys_look_are_told_apart() -> None:
    same = np.zeros(2, dtype=np.int64)
    for many, alike in ((3, False), (60, True)):  # of long ones not every byte is in the key
        docs = [b"http://www.a.org/" + b"aa" * many + end + b"/x/index.html" for end in (b"0", b"1")]
        keys = DocumentKeys.from_documents(same, pa.array(docs, pa.binary()))
        assert keys.may_repeat() is alike
        assert find_repeats(grouped(same, keys.docs), np.arange(2), keys) is None
        assert lookup_of([docs[:1]]).find(keys).tolist() == [0, UNJUDGED]


def test_keys_of_equal_documents_are_equal_wherever_they_stand() -> None:
    docs = pa.array([b"", b"ab", b"a", b"ab", b"12345678", b"x", b"12345678"], pa.binary())
    keys = DocumentKeys.from_documents(np.zeros(7, dtype=np.int64), docs).key
    assert (keys[1], keys[4]) == (keys[3], keys[6])
    assert len(set(keys.tolist())) == 5
    sliced = DocumentKeys.from_documents(np.zeros(4, dtype=np.int64), docs.slice(3)).key
    assert sliced.tolist() == keys[3:].tolist()


def lookup_of(judged: list[list[bytes]]) -> Lookup:
    return Lookup(pa.array([doc for docs in judged for doc in docs], pa.binary()), np.array(list(map(len, judged))))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**20 - 1)), max_size=60), st.booleans())
def test_keys_repeat_where_two_are_equal(found: list[tuple[int, int]], many: bool) -> None:
    """The key decides alone: a document's topic only says where it is looked for, and is a part of its key."""
    found = [(topic, topic << 40 | number << 20) for topic, number in found]
    if many:
        found += [(topic % 4, topic % 4 << 40 | 1 << 39 | topic << 10) for topic in range(5000)]
    topic, key = (np.array([pair[i] for pair in found], dtype=np.uint64) for i in (0, 1))
    keyed = replace(
        DocumentKeys.from_documents(np.zeros(0, dtype=np.int64), pa.array([], pa.binary())), topic=topic, key=key
    )
    assert keyed.may_repeat() == (len(set(key.tolist())) < len(key))


ids = st.lists(st.lists(st.binary(min_size=1, max_size=40), max_size=30, unique=True), min_size=3, max_size=3)


@given(ids, lines)
def test_a_document_is_found_where_it_stands_among_the_judged(judged: list[list[bytes]], seen: list) -> None:
    seen = seen + [(topic, doc) for topic, docs in enumerate(judged) for doc in docs[::2]]
    topic, docs = arrays(seen)
    lookup = lookup_of(judged)
    pairs = zip(topic.tolist(), docs.to_pylist(), strict=True)
    expected = [judged[t].index(doc) if doc in judged[t] else UNJUDGED for t, doc in pairs]
    assert lookup.find(DocumentKeys.from_documents(topic, docs)).tolist() == expected


def test_documents_of_equal_keys_are_compared(monkeypatch) -> None:
    """Were all keys the same, every document would still be found, and no other."""
    real = DocumentKeys.from_documents.__func__
    alike = classmethod(lambda cls, topic, docs: replace(real(cls, topic, docs), key=np.zeros(len(docs), np.uint64)))
    judged = [[b"a", b"b" * 30, b"c"], [b"b" * 30]]
    topic, docs = arrays([(0, b"c"), (0, b"b" * 30), (0, b"d"), (1, b"b" * 30), (1, b"a")])
    monkeypatch.setattr(DocumentKeys, "from_documents", alike)
    found = lookup_of(judged).find(DocumentKeys.from_documents(topic, docs))
    assert found.tolist() == [2, 1, UNJUDGED, 0, UNJUDGED]
