"""docs/findings.md, the page and the stored results come from one table of claims, whose quotes the papers contain."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.findings import COMMAND, OWN, document, replication, shared_data, verdict
from irviz.gallery import CLAIMS
from irviz.gallery.findings import findings, stored_findings
from irviz.workspace.store import fingerprint_of

DOCUMENT = (Path(__file__).resolve().parents[2] / "docs" / "findings.md").read_text(encoding="utf-8")
PAPERS = {
    "Ferrante et al. 2019": "000",
    "Chen & Sakai 2023": "001",
    "Maistro et al. 2021": "002",
    "Ferrante et al. 2014": "003",
    "Ravana & Moffat 2009": "004",
}


def letters(text: str) -> str:
    """Letters and digits alone: the papers' texts differ in markup and spaces."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=[claim.ask.__name__ for claim in CLAIMS.values()])
def test_every_quote_is_in_the_paper(claim, shared):
    if claim.cite not in PAPERS:
        pytest.skip(f"{claim.cite} is not among the five papers; its abstract or table was read")
    (file,) = (shared / "papers").glob(f"{PAPERS[claim.cite]}_*.txt")
    assert letters(claim.quote) in letters(file.read_text(encoding="utf-8"))


def test_the_document_is_written_from_the_stored_results():
    assert COMMAND in DOCUMENT
    assert document(stored_findings(), DOCUMENT[DOCUMENT.index(OWN) :].rstrip()) == DOCUMENT


def test_verdicts_count_what_is_listed():
    sections = DOCUMENT[: DOCUMENT.index(OWN)].split("\n### ")[1:]
    assert len(sections) == len(CLAIMS)
    for number, section in enumerate(sections, start=1):
        verdicts = re.findall(r"^- .+?: (?:clearly )?(not )?seen[.,] ?", section, re.MULTILINE)
        seen, unseen = verdicts.count(""), verdicts.count("not ")
        assert section.splitlines()[0].endswith(f"seen on {seen} of {seen + unseen}")
        assert verdict(number, stored_findings()) == f"seen on {seen} of {seen + unseen}"


@pytest.mark.slow
def test_real_collections_answer_as_stored(collections):
    known = {one.title: one for one in stored_findings()}
    for numbers, (_, title, data) in zip(([1, 10, 15], [2, 15]), shared_data(collections), strict=False):
        again = findings(data, numbers=numbers)
        assert again.fingerprint == known[title].fingerprint == fingerprint_of(data)
        assert all(one == known[title].get(one.number) for one in again.results)


def test_the_papers_own_numbers_come_out_again(collections):
    """The whole section: 36 cells of Ferrante et al. 2019 and 18 of Ravana & Moffat 2009, drawn with the same seed."""
    if not (collections / "trec8-adhoc.irviz").is_file():
        pytest.skip("trec8-adhoc.irviz is absent")
    assert replication(collections) in DOCUMENT


def _columns(tables: Path, name: str, across: str) -> pd.DataFrame:
    """One row per track and base of the paper's Table 4."""
    return pd.read_csv(tables / name).pivot_table(index=["track", "base"], columns=across, values="value")


def test_a_claim_says_how_many_of_the_papers_columns_show_it(tables):
    tau = _columns(tables, "toma_correlation.csv", "pair")
    euclid = (tau["EUCL - CAM"] > tau["EUCL - MM"]).sum()
    chebyshev = (tau["CHEB - MM"] > tau["CHEB - CAM"]).sum()
    assert f"in {euclid} and in {chebyshev} of the paper's {len(tau)} columns" in CLAIMS[16].printed
    power = _columns(tables, "toma_discriminative_power.csv", "measure")
    first = (power[["EUCL", "MANH"]].max(axis=1) == power.max(axis=1)).sum()
    last = (power["CHEB"] == power.min(axis=1)).sum()
    assert f"in {first} and in {last} of the paper's {len(power)} columns" in CLAIMS[19].printed


def test_err_is_the_papers_exception_under_kruskal_wallis_only(tables):
    table = pd.read_csv(tables / "scales_significance.csv").query("collection == 'T26' and table == 4")
    pairs = table.set_index(["measure", "test"])["count"]
    kruskal, anova = ((pairs["ERR", test], pairs["RBTO", test]) for test in ("kruskal_wallis", "anova"))
    assert kruskal[0] < kruskal[1] and anova[0] > anova[1]
    assert "({} against {} pairs)".format(*kruskal) in CLAIMS[7].remark
    assert "({} against {})".format(*anova) in CLAIMS[7].remark
