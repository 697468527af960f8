"""The course: its minutes, its links and its works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irviz.gallery import paper
from irviz.menu import PAGES
from irviz.publish.course import DOIS, FURTHER, PLAN, course_document, is_doi, next_view, teacher_notes, works
from irviz.publish.draw import draw
from irviz.workspace.data import library
from irviz.workspace.task import Exercise
from irviz.workspace.view import View, settle
from tests.panels import SCREENS, STEPPED, undrawn

ROOT = Path(__file__).resolve().parents[3]
BIBLIOGRAPHY = (ROOT / "docs" / "bibliography.md").read_text(encoding="utf-8")
LINKS = re.findall(r"`(/\w+\?[^`]*)`", course_document())


@pytest.fixture(scope="module")
def opener():
    return library()


def test_the_document_is_current():
    text = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
    assert text == course_document(), "Run `python -m irviz.publish.course > docs/teaching.md`."


def test_every_lab_leads_to_the_next_one_and_the_last_back_to_the_vote():
    pages = [unit.page for unit in PLAN]
    assert [next_view(page).page for page in pages[1:-1]] == pages[2:] and next_view("lab_elsewhere") is None
    vote = Exercise.read(next_view("conclusion").values)[0] or Exercise.read(PLAN[0].view.values)[0]
    assert vote.ask, "the verdict waits for the vote"


@pytest.mark.parametrize("lab", STEPPED, ids=lambda lab: lab.name)
def test_notes_for_the_teacher_have_every_question_and_no_right_answer_as_a_mistake(lab):
    notes = teacher_notes(lab)
    for place in lab.places:
        if place.isdigit():
            values, _ = settle(lab.controls_for({"step": place}), {"step": place}, None)
            asked = lab.filled_step(values)[0].question
            assert asked.text in notes and asked.answer_text in notes
            if asked.options and not asked.asks_order:
                said = [f"“{asked.options[key]}”: {asked.because[key]}" for key in asked.answer if key in asked.because]
                assert all(one not in notes for one in said)


def test_works_have_the_doi_of_the_bibliography():
    assert list(dict.fromkeys(works())) == list(works()) and set(works()) == set(DOIS)
    for name, doi in (DOIS | FURTHER).items():
        entry = re.search(rf"^- \*\*{re.escape(name)}\*\*: (.*)$", BIBLIOGRAPHY, re.MULTILINE)[1]
        assert (f"[doi:{doi}](" in entry) if is_doi(doi) else (entry.startswith(doi) and "doi:" not in entry)


def test_every_work_that_a_step_has_as_its_source_is_a_link():
    known = sorted(DOIS | FURTHER, key=len, reverse=True)
    for source in (*(step.source for lab in STEPPED for step in lab.steps), *(lab.source for lab in SCREENS)):
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
