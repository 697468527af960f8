"""What several files of judgments seem to be, and in which order: guesses with reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from irviz.collection.judges import aspects_or_judges, by_importance, overlap_of
from irviz.collection.load import load_qrels
from irviz.collection.sources import DEFAULT_LIMITS


@pytest.mark.parametrize(
    ("names", "overlap", "apart", "kind", "reason"),
    [
        (["relevance", "trust"], 0.2, False, "aspects", "file names say relevance and trust"),
        (["qrels.txt", "qrels.credibility.txt"], None, False, "aspects", "file names say credibility"),
        (["qrels.txt", "judge2.txt"], 0.0, True, "judges", "file names say judge"),
        (["train", "test"], 0.0, True, "parts", "no topic is in two of them"),
        (["a", "b"], 1.0, False, "aspects", "the files judge the same documents, as files of aspects do"),
        (["a", "b"], None, False, "aspects", "nothing in the names suggests judges"),
        (
            ["relevance-human", "relevance-gpt4"],
            0.5,
            False,
            "judges",
            "only 50% of the judged documents are in all files, and aspects are judged on the same documents",
        ),
    ],
)
def test_aspects_or_judges(names: list[str], overlap: float | None, apart: bool, kind: str, reason: str) -> None:
    found = aspects_or_judges(names, overlap, apart)
    assert (found.kind, found.reason) == (kind, reason)


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
    assert by_importance(names) == (order, certain)


def test_how_much_files_overlap() -> None:
    files = {"a": ("a", b"1 0 x 1\n1 0 y 0\n2 0 x 1\n"), "b": ("b", b"1 0 x 1\n1 0 z 0\n")}
    assert overlap_of(load_qrels(files, None, DEFAULT_LIMITS)) == (0.25, False)


def test_real_files(collections: Path) -> None:
    dl, health = collections / "trec-dl-2021", collections / "clef-ehealth-2018"
    assert aspects_or_judges(["qrels.nist.txt", *(path.name for path in (dl / "judges").iterdir())]).kind == "judges"
    assert by_importance(["qrels.understandability.txt", "qrels.relevance.txt"])[0][0] == "qrels.relevance.txt"
    assert aspects_or_judges([path.name for path in health.glob("*.txt")]).kind == "aspects"
