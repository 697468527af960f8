"""The course: its minutes, its links and its works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irviz.gallery import paper
from irviz.menu import LABS, PAGES
from irviz.publish.course import DOIS, FURTHER, PLAN, course_document, is_doi, teacher_notes, works
from irviz.publish.draw import draw
from irviz.workspace.data import library, scopes
from irviz.workspace.view import View, settle
from tests.panels import undrawn

ROOT = Path(__file__).resolve().parents[3]
BIBLIOGRAPHY = (ROOT / "docs" / "bibliography.md").read_text(encoding="utf-8")
LINKS = re.findall(r"`(/\w+\?[^`]*)`", course_document())


@pytest.fixture(scope="module")
def opener():
    return library()


def test_the_document_is_current():
    text = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
    assert text == course_document(), "Run `python -m irviz.publish.course > docs/teaching.md`."


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_notes_for_the_teacher_lead_to_a_view_that_reaches_every_goal(lab):
    links = re.findall(r"`(/\w+\?[^`]*)`", teacher_notes(lab, lambda words, view: f"`{view.to_url()}`"))
    for link, goal in zip(links, lab.goals, strict=True):
        values, complaints = settle(lab.controls, scopes(lab, View.from_url(link).values)[1], None)
        assert complaints == [] and goal.goal.is_met(lab.readings(values))


def test_works_have_the_doi_of_the_bibliography():
    assert list(dict.fromkeys(works())) == list(works()) and set(works()) == set(DOIS)
    for name, doi in (DOIS | FURTHER).items():
        entry = re.search(rf"^- \*\*{re.escape(name)}\*\*: (.*)$", BIBLIOGRAPHY, re.MULTILINE)[1]
        assert (f"[doi:{doi}](" in entry) if is_doi(doi) else (entry.startswith(doi) and "doi:" not in entry)


def test_every_work_that_a_lab_has_as_its_source_is_a_link():
    known = sorted(DOIS | FURTHER, key=len, reverse=True)
    for source in (lab.source for lab in LABS):
        left = re.sub("|".join(map(re.escape, known)), "", source)
        assert re.findall(r"\b[A-Z]\w+,? (?:19|20)\d\d\b", left) == [], source


@pytest.mark.parametrize("link", LINKS)
def test_every_link_of_the_plan_is_understood(link, opener, monkeypatch):
    undrawn(monkeypatch)
    view = View.from_url(link)
    assert view.page in {page.name for page in PAGES}
    if view.page != "conclusion":
        assert draw(view, opener).complaints == ()


def test_the_items_of_papers_are_there():
    for key, item in (pair for unit in PLAN for pair in unit.items):
        assert item in {one.key for one in paper(key).items}
