"""Steps, challenges and quizzes of every lab: nothing is revealed before a prediction, and all of it can be solved."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from irviz.labs.lesson import FREE, QUIZ, LabPage
from irviz.labs.questions import InOrder, MultipleChoice
from irviz.labs.steps import Staged
from irviz.menu import LABS
from irviz.publish.draw import draw
from irviz.publish.report import report
from irviz.workspace.data import library
from irviz.workspace.panel import Lab
from irviz.workspace.view import View, settle
from tests.unit.test_sentences import check_grammar

pytestmark = pytest.mark.usefixtures("unchecked")

TAUGHT = [lab for lab in LABS if isinstance(lab, LabPage)]  # the others: test_steps_of_labs.py
STEPS = [(lab, str(n)) for lab in TAUGHT for n in range(1, len(lab.lesson.steps) + 1)]
CHALLENGES = [(lab, f"c{n}") for lab in TAUGHT for n in range(1, len(lab.lesson.challenges) + 1)]


def named(pairs: list[tuple[LabPage, str]]) -> list[str]:
    return [f"{lab.name}-{place}" for lab, place in pairs]


def at(lab: LabPage, **texts: str) -> Lab:
    """What the lab shows under these texts, which it understands."""
    values, complaints = settle(lab.controls_for(texts), texts, None)
    assert complaints == []
    found = lab.panel(None, values)
    assert isinstance(found, Lab)
    return found


def staged(lab: LabPage, **texts: str) -> Staged:
    found = at(lab, **texts)
    assert isinstance(found, Staged)
    return found


def predictions(found: Staged) -> Iterator[str]:
    """A right prediction, and a wrong one where there are only so many."""
    question = found.question
    assert question is not None
    yield question.answer
    if isinstance(question, MultipleChoice):
        yield from (key for key, _ in question.options if not question.right(key))
    if isinstance(question, InOrder):
        yield ",".join(reversed(question.answer.split(",")))


@pytest.mark.parametrize(("lab", "place"), STEPS, ids=named(STEPS))
def test_a_step_reveals_nothing_before_a_prediction_and_everything_after_any(lab, place):
    before = staged(lab, step=place)
    assert before.guess == "" and before.claims == () and before.controls == () and not before.panel.tables
    assert len(before.panel.drawings) == before.before
    question = before.question
    told = " ".join((before.panel.sentence, *before.panel.notes))
    assert question.told not in told and question.text in told
    for guess in predictions(before):
        after = staged(lab, step=place, guess=f"{place}:{guess}")
        assert after.guess == guess and after.question == question
        assert len(after.panel.drawings) > after.before, "something is seen"
        assert after.claims and all(claim.text.endswith(".") and claim.source for claim in after.claims)
        assert question.told in " ".join(after.panel.notes) and question.words(guess) in " ".join(after.panel.notes)
        assert all(drawing.alt and drawing.title for row in after.panel.drawings for drawing in row.values())
        check_grammar(after, f"{lab.name} {place} after {guess}")
    check_grammar(before, f"{lab.name} {place}")
    assert question.right(question.answer)
    assert any(not question.right(guess) for guess in predictions(before)) or not isinstance(question, MultipleChoice)


@pytest.mark.parametrize(("lab", "place"), STEPS, ids=named(STEPS))
def test_the_controls_of_a_step_are_those_of_the_lab_and_start_where_it_says(lab, place):
    step = lab.lesson.steps[int(place) - 1]
    known = {control.name: control for control in lab.controls}
    assert set(step.controls) <= set(known) - {"step", "guess", "seed", "yours"}
    begun = {control.name: control for control in lab.controls_for({"step": place})}
    for name, text in step.start.items():
        assert begun[name].default == known[name].parse(text)


@pytest.mark.parametrize("lab", TAUGHT, ids=lambda lab: lab.name)
def test_a_newcomer_arrives_at_the_first_step_and_old_links_at_all_of_the_lab(lab):
    assert isinstance(at(lab), Staged)
    assert View.from_url(f"/{lab.name}?v=3").values == {}
    for version in (1, 2):
        old = View.from_url(f"/{lab.name}?v={version}").values
        texts = {name: text for name, text in old.items() if name != "collection"}
        assert texts["step"] == FREE and not isinstance(at(lab, **texts), Staged)


@pytest.mark.parametrize("lab", TAUGHT, ids=lambda lab: lab.name)
def test_a_prediction_that_means_nothing_is_told_and_asked_again(lab):
    found = staged(lab, step="1", guess="1:zzz")
    assert found.guess == "" and "The prediction in the link cannot be used" in found.panel.notes[-1]


@pytest.mark.parametrize("lab", TAUGHT, ids=lambda lab: lab.name)
def test_a_report_of_a_step_says_what_the_page_says(lab):
    shown = draw(View.of(lab.name, step="1", guess=f"1:{staged(lab, step='1').question.answer}"), library())
    assert shown.complaints == () and shown.panel.sentence.startswith("Step 1 of ")
    html = report([shown])
    assert "Predicted: " in html and ("Right: " in html or "irviz: " in html)


@pytest.mark.parametrize(("lab", "place"), CHALLENGES, ids=named(CHALLENGES))
def test_a_challenge_is_unsolved_at_its_start_and_solved_by_its_solution(lab, place):
    challenge = lab.lesson.challenge(place)
    start = staged(lab, step=place)
    assert not start.met and "needs" in start.check and challenge.title in start.panel.notes[0]
    solved = staged(lab, step=place, **challenge.solution)
    assert solved.met and "needs" not in solved.check and "done" in solved.panel.notes[0]
    assert challenge.hint.endswith((".", "?")) and challenge.title.endswith((".", "?"))
    assert solved.panel.drawings and solved.claims, "all of the lab is there"
    check_grammar(solved, f"{lab.name} {place}")


@pytest.mark.parametrize("lab", TAUGHT, ids=lambda lab: lab.name)
def test_every_lab_has_steps_three_challenges_and_all_of_it(lab):
    assert len(lab.lesson.steps) >= 4 and len(lab.lesson.challenges) >= 3
    assert list(lab.lesson.places)[len(lab.lesson.steps)] == FREE


@pytest.mark.parametrize("lab", [lab for lab in TAUGHT if lab.lesson.quiz], ids=lambda lab: lab.name)
def test_the_quiz_has_another_question_for_every_seed_and_the_same_one_for_the_same(lab):
    asked = {}
    for seed in range(1, 13):
        before = staged(lab, step=QUIZ, seed=str(seed))
        question = before.question
        assert question == staged(lab, step=QUIZ, seed=str(seed)).question
        asked[seed] = (before.text, question)
        after = staged(lab, step=QUIZ, seed=str(seed), guess=f"q{seed}:{question.answer}")
        assert question.right(after.guess) and after.claims
        check_grammar(after, f"{lab.name} quiz {seed}")
        assert staged(lab, step=QUIZ, seed=str(seed + 1), guess=f"q{seed}:{question.answer}").guess == ""
    assert len(set(asked.values())) >= 10
    assert len({question.answer for _, question in asked.values()}) > 1, "not always the same answer"
