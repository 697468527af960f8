"""Every work that irviz cites is in the bibliography, and every work there is cited."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.catalogue import MEASURES
from irviz.stats.significance import METHODS

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "docs" / "bibliography.md"
ENTRIES = re.findall(r"^- \*\*(.+?) (\d{4})\*\*: (.+)$", LIST.read_text(encoding="utf-8"), re.MULTILINE)
NAME = r"[A-ZÄÖÜ][\w’é]*(?:-[A-Z]\w+)?(?:'s)?"
CITATION = re.compile(rf"({NAME})(?:(?:, {NAME})*,? (?:&|and) {NAME})?(?: et al\.)?,? \(?((?:18|19|20)\d\d)\b")
#: what stands before a year and is not an author: venues and their tracks
VENUES = {
    "TREC",
    "CLEF",
    "SIGIR",
    "ECIR",
    "WWW",
    "NTCIR",
    "Web",
    "Core",
    "DL",
    "Decision",
    "Health",
    "Learning",
    "Misinformation",
    "Robust",
    "Task",
    "Track",
    "Alpha-Reliability",
    "Forum",
    "Lima",
}
READ = ("irviz/**/*.py", "irviz/**/*.toml", "benchmarks/**/*.py", "docs/*.md", "*.md")
FILES = sorted(file for pattern in READ for file in ROOT.glob(pattern) if file != LIST)


def known() -> set[tuple[str, str]]:
    """First author and year of every work listed."""
    return {(re.split(r",? (?:&|and|et al\.)|, ", names)[0], year) for names, year, _ in ENTRIES}


@cache
def text_of(file: Path) -> str:
    """A file as one line, its broken strings whole again."""
    return re.sub(r"\s+", " ", re.sub(r'"\s*\n\s*f?"', "", file.read_text(encoding="utf-8")))


def cited(pattern: re.Pattern[str]) -> dict[tuple[str, str], Path]:
    """First author and year of every citation of this form, and the last file that has it."""
    assert len(FILES) > 100
    return {(name.removesuffix("'s"), year): one for one in FILES for name, year in pattern.findall(text_of(one))}


def test_every_citation_resolves():
    found = {work: file for work, file in cited(CITATION).items() if work[0] not in VENUES}
    assert len(found) > 50 and {work: file for work, file in found.items() if work not in known()} == {}


def test_one_name_and_a_year_is_a_work_by_one_author():
    """Sakai 2020 is not Sakai & Zeng 2020."""
    alone = cited(re.compile(rf"(?<![&,] )(?<!and )\b({NAME}) \(?((?:18|19|20)\d\d)\b"))
    of_several = known() - {(names, year) for names, year, _ in ENTRIES}
    assert {work: file for work, file in alone.items() if work in of_several} == {}


def test_every_work_is_cited_and_can_be_found():
    for names, year, work in ENTRIES:
        first = next(name for name, one in known() if one == year and names.startswith(name))
        assert any(re.search(rf"{first}\b.{{0,120}}\b{year}", text_of(file)) for file in FILES), (names, year)
        found = re.search(r"\[doi:(\S+)\]\((\S+)\)", work)
        if found is None:
            assert "It has no DOI." in work or "Its DOI could not be checked." in work
        else:
            assert found[2] == f"https://doi.org/{found[1]}"


#: measures whose source is cited without a place, because only its abstract was at hand
OF_AN_ABSTRACT = {"Interval", "xinfAP"}


def test_every_formula_names_its_place():
    """An equation, a section, a definition, the tool that prints it, or that nobody has published it."""
    place = r"^irviz's own|eq\. \(\d+\)|section \d|(trec|cwl)_eval's|of ir_measures|(nd|NTCIR)(?i:eval)'s"
    for kind in (*MEASURES, *BROWSING_MODELS, *AGGREGATIONS):
        assert bool(re.search(place, kind.source)) == (kind.symbol not in OF_AN_ABSTRACT), kind.source


@pytest.mark.parametrize("name", METHODS)
def test_every_significance_test_names_its_place(name: str):
    said = METHODS[name].test.__doc__ or ""
    assert ".. math::" in said and re.search(r"eq\. \(\d+\)|section \d", said)


#: formulas that no paper prints so: they say what irviz computes, or what a distribution is
OWN = {"residual", "adds", "two_sided", "studentized_range_sf", "in_scores", "margins"}
#: formulas whose works are cited without a place: nobody who wrote them down here had the pages at hand
WITHOUT_A_PLACE = {"corrected_scores", "load_nuggets", "tau_ap", "power", "rbo", "prediction_powered"}
PLACE = re.compile(r"eq\. \(\d+(?:\.\d+)?\)|sections? \d|Figure \d|p\. \d")


@cache
def formulas() -> dict[str, str]:
    """Every docstring with a formula, by the function, class or module that it belongs to."""
    found = {}
    texts = {file: file.read_text(encoding="utf-8") for file in sorted(ROOT.glob("irviz/**/*.py"))}
    for file in [file for file, text in texts.items() if ".. math::" in text]:
        for node in ast.walk(ast.parse(texts[file])):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                said = re.sub(r"\s+", " ", ast.get_docstring(node) or "")
                if ".. math::" in said:
                    found[getattr(node, "name", file.stem)] = said
    return found


def test_every_docstring_with_a_formula_says_where_it_is_from():
    """Exceptions are ones: a formula of one's own cites nobody for it."""
    assert set(formulas()) > OWN | WITHOUT_A_PLACE
    for name, said in formulas().items():
        works = {(first.removesuffix("'s"), year) for first, year in CITATION.findall(said)} & known()
        assert bool(works) == (name not in OWN), said
        assert name in OWN or bool(PLACE.search(said)) == (name not in WITHOUT_A_PLACE), said


def test_the_reference_leads_here():
    assert "(bibliography.md)" in (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")
