"""Identifiers beside the arrays: what is kept, what is shown, and that no score ever notices."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.collection.bundle import open_bundle
from irviz.collection.documents import documents_memory
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.errors import IrvizError

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


@pytest.mark.parametrize("kept", [-1, True, 2.0, "some", None])
def test_other_choices_are_refused(kept: object) -> None:
    with pytest.raises(IrvizError) as caught:
        load(documents=kept)
    assert str(caught.value) == (
        f"`documents` must be a number of ranks, or 'judged', 'all' or 'none'; got {kept!r}. Usual is 100: the "
        "identifiers of all judged documents and of the first 100 of every list."
    )


def test_a_part_shows_the_same_lists() -> None:
    c = load()
    part = c.subset(topics=["2", "1"], systems=["y", "x"], depth=2)
    for topic in part.topics:
        for system in part.systems:
            pd.testing.assert_frame_equal(part.list(topic, system), c.list(topic, system)[:2])


def test_unknown_names() -> None:
    with pytest.raises(IrvizError, match="There is no topic `11`"):
        load().list("11", "x")
    with pytest.raises(IrvizError, match=r"There is no system `X`\. Did you mean x"):
        load().list("1", "X")


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
        said = documents_memory(len(c.topics), len(c.systems), ranks, c.labels.shape[1], length=12)
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
    assert [f.message.split(" is ")[0] for f in c.findings if "again" in f.message or "twice" in f.message] == [
        "document d of topic 2",
        "document a",
    ]
    messages = [f.message for f in opened(c, tmp_path).findings]
    assert [message for message in messages if "again" in message or "twice" in message] == [
        "a document of topic 2 is judged twice with the same grade, first on line 5; 1 such line in the file",
        "a document is listed again for topic 2; the better-ranked line 5 is kept",
    ]
    assert [f.message for f in opened(c, tmp_path, documents=True).findings] == [f.message for f in c.findings]


def test_a_file_of_the_first_format_opens_as_it_did(tmp_path: Path, collections: Path) -> None:
    old = open_bundle(collections / "trec8-adhoc.irviz")
    assert old.documents is None
    first = old.list(old.topics[0], old.systems[0])
    assert first.document.isna().all() and first.score.isna().all()
    assert opened(old, tmp_path).fingerprint == old.fingerprint


def test_systems_left_out_leave_no_identifiers_behind(tmp_path: Path) -> None:
    part = load().subset(systems=["x"])
    assert b"secret" not in part.save(tmp_path / "part.irviz", documents=True).read_bytes()
    assert open_bundle(tmp_path / "part.irviz").list("1", "x").document.tolist() == ["a", "z", "b"]


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
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()} | {member: data}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    with pytest.raises(IrvizError) as caught:
        open_bundle(path)
    assert str(caught.value) == f"mine.irviz: this is not a whole irviz collection ({why}). Save it again."


def test_half_characters_are_neither_saved_nor_opened(tmp_path: Path) -> None:
    with pytest.raises(IrvizError) as caught:
        load().renamed("x\ud800").save(tmp_path / "mine.irviz")
    assert str(caught.value) == "A name contains half of a character ('\\ud800'), which cannot be saved. Rename it."
    path = load(name="spot").save(tmp_path / "mine.irviz")
    path.write_bytes(path.read_bytes().replace(b'"spot"', b'"\xed\xa0\x80a"'))
    with pytest.raises(IrvizError, match="this is not a whole irviz collection"):
        open_bundle(path)


def test_identity_is_what_a_person_sees_and_fingerprint_what_scores_depend_on() -> None:
    c, other = load(name="mine"), load(name="yours")
    assert (c.fingerprint, c.identity != other.identity) == (other.fingerprint, True)
    assert c.renamed("yours").identity == other.identity
    assert c.renamed("yours").documents is c.documents
    assert load(documents="none", name="mine").identity != c.identity
    assert c.renamed(findings=()).identity != c.identity
