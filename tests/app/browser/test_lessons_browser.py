"""A lab's steps in a real browser: predict, read what is revealed, go on; a challenge solved; a quiz answered.

The steps of the other labs are taken without a browser (`tests/app/classroom/test_steps.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from irviz.labs.questions import Amount, InOrder, MultipleChoice, Question
from irviz.menu import page_named
from tests.unit.labs.test_lessons import staged

pytestmark = pytest.mark.browser
IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
WAIT = 90_000


@pytest.fixture
def page(person) -> Iterator:
    with person(1280, 800) as page:
        yield page


def idle(page) -> None:
    page.wait_for_selector(IDLE, timeout=WAIT)
    page.wait_for_timeout(200)
    page.wait_for_selector(IDLE, timeout=WAIT)


def predict(page, question: Question) -> None:
    """Answer with what irviz computes, by the widgets of the question."""
    form = page.locator('[data-testid="stForm"]')
    form.wait_for(timeout=WAIT)
    if isinstance(question, MultipleChoice):
        form.get_by_text(dict(question.options)[question.answer], exact=True).click()
    elif isinstance(question, Amount):
        form.get_by_role("spinbutton").fill(question.answer)
    elif isinstance(question, InOrder):
        named = dict(question.items)
        for key in question.answer.split(","):
            form.get_by_role("combobox").click()
            page.get_by_role("option", name=named[key], exact=True).click()
        page.keyboard.press("Escape")
    form.get_by_role("button", name="Predict").click()
    page.get_by_text("Your prediction").wait_for(timeout=WAIT)
    idle(page)


def test_the_steps_of_a_lab_from_the_first_to_all_of_it(page, server):
    lab = page_named("lab_aspects")
    kinds = {type(staged(lab, step=str(n)).question) for n in range(1, len(lab.lesson.steps) + 1)}
    assert kinds == {MultipleChoice, Amount, InOrder}, "it asks questions of every kind"
    page.goto(f"{server.url}/{lab.name}")
    for n in range(1, len(lab.lesson.steps) + 1):
        page.get_by_text(f"Step {n} of {len(lab.lesson.steps)}").wait_for(timeout=WAIT)
        idle(page)
        before = page.locator(".js-plotly-plot").count()
        assert page.get_by_text("What to notice").count() == 0, "revealed too early"
        predict(page, staged(lab, step=str(n)).question)
        page.get_by_text("What to notice").wait_for(timeout=WAIT)
        page.wait_for_function(f"document.querySelectorAll('.js-plotly-plot').length > {before}", timeout=WAIT)
        assert f"{n}:" in page.url.replace("%3A", ":")
        page.locator(".st-key-lesson-on button").click()
    page.get_by_text("Try it on your collection").wait_for(timeout=WAIT)
    idle(page)
    assert "step=free" in page.url and not page.locator('[data-testid="stException"]').count()


def test_back_shows_what_was_predicted_and_a_reload_keeps_it(page, server):
    page.goto(f"{server.url}/lab_scales?step=2&guess=1:c")
    page.get_by_role("button", name="← Back").click()
    page.get_by_text("It depends on what one prefers").wait_for(timeout=WAIT)
    idle(page)
    page.reload()
    page.get_by_text("Your prediction").wait_for(timeout=WAIT)


def test_a_challenge_is_solved_by_clicks_and_says_so(page, server):
    page.goto(f"{server.url}/lab_conventions?step=free")
    page.get_by_role("button", name="Challenges").or_(page.get_by_role("radio", name="Challenges")).first.click()
    page.get_by_text("Challenge 1 of 3").wait_for(timeout=WAIT)
    check = page.locator(".st-key-lesson-challenge")
    check.get_by_text("second number 0.243, needs = 0.6667").wait_for(timeout=WAIT)
    page.get_by_role("combobox", name="Second tool").focus()
    page.keyboard.type("cwl_eval")
    page.keyboard.press("Enter")
    page.get_by_text("Done: the goal is reached.").wait_for(timeout=WAIT)
    check.get_by_text("second number 0.6667 ✓").wait_for(timeout=WAIT)


def test_a_quiz_has_another_question_for_every_press(page, server):
    page.goto(f"{server.url}/lab_graded_ap?step=quiz")
    predict(page, staged(page_named("lab_graded_ap"), step="quiz").question)
    page.get_by_role("button", name="Another question").click()
    page.get_by_text("Question 2").wait_for(timeout=WAIT)
    idle(page)
    assert "seed=2" in page.url and page.locator('[data-testid="stForm"]').count() == 1
