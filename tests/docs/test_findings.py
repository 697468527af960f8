"""docs/findings.md says what its program computes."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
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


def _columns(tables: Path, name: str, across: str) -> pd.DataFrame:
    """One row per track and base of the paper's Table 4."""
    return pd.read_csv(tables / name).pivot_table(index=["track", "base"], columns=across, values="value")


def _title(number: int) -> str:
    return re.search(rf"^### {number}\. (.*): ", DOCUMENT, re.MULTILINE)[1]


def test_a_claim_says_how_many_of_the_papers_columns_show_it(tables):
    tau = _columns(tables, "toma_correlation.csv", "pair")
    euclid = (tau["EUCL - CAM"] > tau["EUCL - MM"]).sum()
    chebyshev = (tau["CHEB - MM"] > tau["CHEB - CAM"]).sum()
    assert f"({euclid} and {chebyshev} of the paper's {len(tau)} columns)" in _title(16)
    power = _columns(tables, "toma_discriminative_power.csv", "measure")
    first = (power[["EUCL", "MANH"]].max(axis=1) == power.max(axis=1)).sum()
    last = (power["CHEB"] == power.min(axis=1)).sum()
    assert f"{first} and {last} of the paper's {len(power)} columns" in _title(19)


def test_err_is_the_papers_exception_under_kruskal_wallis_only(tables):
    table = pd.read_csv(tables / "scales_significance.csv").query("collection == 'T26' and table == 4")
    pairs = table.set_index(["measure", "test"])["count"]
    kruskal, anova = ((pairs["ERR", test], pairs["RBTO", test]) for test in ("kruskal_wallis", "anova"))
    assert kruskal[0] < kruskal[1] and anova[0] > anova[1]
    remark = DOCUMENT[DOCUMENT.index("### 7. ") : DOCUMENT.index("### 8. ")]
    assert "({} against {} pairs)".format(*kruskal) in remark and "({} against {})".format(*anova) in remark


def test_the_published_tables_contradict_the_text_in_as_many_cases_as_is_said(tables):
    """data/published/README.md, number 17: topics with few highly relevant documents, g_1 = 0, other shares mixed."""
    table = pd.read_csv(tables / "gap_correlation.csv").query("collection == 'TREC21' and against == 'nDCG'")
    tau = table[table.topics == "few_highly_relevant"].pivot_table(index="g", columns="measure", values="tau")
    shares = [tuple(map(float, g.split())) for g in tau.index]
    mixed = tau[[g[0] == 0 and 0 not in g[1:] for g in shares]]
    above = mixed[["xGAP", "eGAP"]].gt(mixed["GAP"], axis=0).to_numpy()
    words = {6: "six", 8: "eight"}
    text = (tables / "README.md").read_text(encoding="utf-8")
    assert f"in {words[above.sum()]} of the {words[above.size]} cases with a mixed g" in text
