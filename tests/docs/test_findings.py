"""docs/findings.md says what its program computes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.findings import replication, scales
from benchmarks.findings.__main__ import CLAIMS, COMMAND, document, main
from benchmarks.findings.data import Data

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "findings.md").read_text(encoding="utf-8")
OWN = "\n## The papers' own collection"


def test_the_document_says_how_it_was_made_and_lists_every_claim():
    assert COMMAND in DOCUMENT
    assert len(re.findall(r"^### \d+\. ", DOCUMENT, re.MULTILINE)) == len(CLAIMS)


def test_verdicts_follow_from_the_checks():
    for section in DOCUMENT[: DOCUMENT.index(OWN)].split("\n### ")[1:]:
        seen, unseen = section.count(": seen. "), section.count(": not seen. ")
        verdict = section.splitlines()[0].rpartition(": ")[2]
        expected = f"holds in {seen} of {seen + unseen}" if seen and unseen else "holds" if seen else "does not hold"
        assert verdict == expected, section


@pytest.mark.slow
def test_claims_without_random_draws_come_out_again(collections):
    claims = (scales.interval_topic_by_topic, scales.recall_overall, scales.departing, scales.err_near)
    again = document(Data(collections), claims)
    sections = again[again.index("### 1. ") : again.index(OWN)].rstrip()
    assert sections in DOCUMENT
    assert again[: again.index("| | paper")] in DOCUMENT


def test_the_papers_own_numbers_come_out_again(collections):
    """The whole section: 36 cells of Ferrante et al. 2019 and 18 of Ravana & Moffat 2009, drawn with the same seed."""
    if not (collections / "trec8-adhoc.irviz").is_file():
        pytest.skip("trec8-adhoc.irviz is absent")
    assert replication.section(Data(collections)) in DOCUMENT


def test_without_the_papers_own_collection_the_document_says_so(tmp_path):
    assert replication.section(Data(tmp_path)).endswith(replication.ABSENT)


def test_it_needs_a_folder(capsys):
    assert main([]) == 2
    assert capsys.readouterr().err == f"usage: {COMMAND}\n"


def test_a_folder_without_the_collections_ends_with_one_sentence(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    missing = tmp_path / "trec-covid-round1" / "qrels.txt"
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"error: {missing}: there is no such file or folder. Check the path of the qrels."
    )
