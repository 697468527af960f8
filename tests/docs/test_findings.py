"""docs/findings.md says what its program computes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.findings import scales
from benchmarks.findings.__main__ import CLAIMS, COMMAND, document, main
from benchmarks.findings.data import Data

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "findings.md").read_text(encoding="utf-8")


def test_the_document_says_how_it_was_made_and_lists_every_claim():
    assert COMMAND in DOCUMENT
    assert len(re.findall(r"^### \d+\. ", DOCUMENT, re.MULTILINE)) == len(CLAIMS)


def test_verdicts_follow_from_the_checks():
    for section in DOCUMENT.split("\n### ")[1:]:
        seen, unseen = section.count(": seen. "), section.count(": not seen. ")
        verdict = section.splitlines()[0].rpartition(": ")[2]
        expected = f"holds in {seen} of {seen + unseen}" if seen and unseen else "holds" if seen else "does not hold"
        assert verdict == expected, section


@pytest.mark.slow
def test_claims_without_random_draws_come_out_again(collections):
    claims = (scales.interval_topic_by_topic, scales.recall_overall, scales.departing, scales.err_near)
    again = document(Data(collections), claims)
    sections = again[again.index("### 1. ") :].rstrip()
    assert sections in DOCUMENT
    assert again[: again.index("| | paper")] in DOCUMENT


def test_it_needs_a_folder(capsys):
    assert main([]) == 2
    assert capsys.readouterr().err == f"usage: {COMMAND}\n"


def test_a_folder_without_the_collections_ends_with_one_sentence(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    missing = tmp_path / "trec-covid-round1" / "qrels.txt"
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"error: {missing}: there is no such file or folder. Check the path of the qrels."
    )
