"""The course: its links, its works and the answers to its goals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irviz.menu import LABS, PAGES
from irviz.publish.draw import draw
from irviz.ui.exercise import COURSE_TEXT
from irviz.workspace.data import library, scopes, view_of_texts
from irviz.workspace.glossary import WORKS
from irviz.workspace.view import View, settle
from tests.panels import undrawn

BIBLIOGRAPHY = (Path(__file__).resolve().parents[3] / "docs" / "bibliography.md").read_text(encoding="utf-8")
LINKS = re.findall(r"\(\.(/\w+\?[^)]*)\)", COURSE_TEXT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_the_answer_to_every_goal_is_a_link_that_reaches_it(lab):
    for goal in lab.goals:
        link = view_of_texts(lab, {}, goal.solution).to_url()
        values, complaints = settle(lab.controls, scopes(lab, View.from_url(link).values)[1], None)
        assert complaints == [] and goal.goal.is_met(lab.readings(values))


def test_works_have_the_doi_of_the_bibliography():
    for name, doi in WORKS.items():
        entry = re.search(rf"^- \*\*{re.escape(name)}\*\*: (.*)$", BIBLIOGRAPHY, re.MULTILINE)[1]
        assert f"[doi:{doi}](" in entry or (entry.startswith(doi) and "doi:" not in entry)


def test_every_work_that_a_lab_has_as_its_source_is_a_link():
    known = sorted(WORKS, key=len, reverse=True)
    for source in (lab.source for lab in LABS):
        left = re.sub("|".join(map(re.escape, known)), "", source)
        assert re.findall(r"\b[A-Z]\w+,? (?:19|20)\d\d\b", left) == [], source


@pytest.mark.parametrize("link", LINKS)
def test_every_link_of_the_plan_is_understood(link, monkeypatch):
    undrawn(monkeypatch)
    view = View.from_url(link)
    assert view.page in {page.name for page in PAGES}
    if view.page != "conclusion":
        assert draw(view, library()).complaints == ()
