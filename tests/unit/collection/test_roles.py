"""What several files of judgments seem to be, and in which order: guesses with reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviz.collection.judges import aspects_or_judges, by_importance, overlap_of
from irviz.collection.load import load_qrels
from irviz.collection.sources import DEFAULT_LIMITS


@pytest.mark.parametrize(
    ("names", "overlap", "judges", "reason"),
    [
        (["relevance", "trust"], 0.2, False, "relevance and trust are names of aspects"),
        (["qrels.txt", "qrels.credibility.txt"], None, False, "credibility is the name of an aspect"),
        (["qrels.txt", "judge2.txt"], 1.0, True, "judge is the name of a judge"),
        (["a", "b"], 1.0, False, "the files judge the same documents, as files of aspects do"),
        (["a", "b"], None, False, "nothing in the names suggests judges"),
        (
            ["relevance-human", "relevance-gpt4"],
            0.5,
            True,
            "only 50% of the judged documents are in all files, and aspects are judged on the same documents",
        ),
    ],
)
def test_aspects_or_judges(names: list[str], overlap: float | None, judges: bool, reason: str) -> None:
    found = aspects_or_judges(names, overlap)
    assert (found.judges, found.reason) == (judges, reason)


@pytest.mark.parametrize(
    ("names", "order", "certain"),
    [
        (["readability", "relevance", "trust"], ("relevance", "readability", "trust"), True),
        (["qrels.trust.gz", "qrels.rel.gz"], ("qrels.rel.gz", "qrels.trust.gz"), True),
        (["b", "a"], ("b", "a"), False),
        (["relevance1", "relevance2"], ("relevance1", "relevance2"), False),
        (["only"], ("only",), True),
    ],
)
def test_relevance_is_first_or_somebody_is_asked(names: list[str], order: tuple[str, ...], certain: bool) -> None:
    found = by_importance(names)
    assert (found.names, found.certain) == (order, certain)


def test_how_much_files_overlap() -> None:
    files = {"a": ("a", b"1 0 x 1\n1 0 y 0\n2 0 x 1\n"), "b": ("b", b"1 0 x 1\n1 0 z 0\n")}
    assert overlap_of(load_qrels(files, None, DEFAULT_LIMITS)) == 0.25


def test_real_files(collections: Path) -> None:
    dl, health = collections / "trec-dl-2021", collections / "clef-ehealth-2018"
    assert aspects_or_judges(["qrels.nist.txt", *(path.name for path in (dl / "judges").iterdir())]).judges
    assert by_importance(["qrels.understandability.txt", "qrels.relevance.txt"]).names[0] == "qrels.relevance.txt"
    assert not aspects_or_judges([path.name for path in health.glob("*.txt")]).judges
