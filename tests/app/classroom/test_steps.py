"""Without a browser: every step of every lab, by its own widgets: predict, read what is revealed, go on."""

from __future__ import annotations

import pytest
from tests.unit.labs.test_lessons import staged

from irviz.labs.lab import YOURS, Lab
from irviz.labs.lesson import LabPage
from irviz.labs.questions import Amount, InOrder, Question
from irviz.menu import LABS
from tests.app.driving import assert_sound, figures, open_page, said
from tests.unit.labs.test_steps_of_labs import asked


def predict(at, key: str, question: Question) -> None:
    """Answer with what irviz computes."""
    widget = f"lesson.prediction.{key}"
    if isinstance(question, Amount):
        at.number_input(key=widget).set_value(float(question.answer))
    elif isinstance(question, InOrder):
        at.multiselect(key=widget).set_value(question.answer.split(","))
    else:
        at.radio(key=widget).set_value(question.answer)
    next(one for one in at.button if one.label == "Predict").click().run()


@pytest.mark.parametrize("lab", [lab for lab in LABS if isinstance(lab, Lab)], ids=lambda lab: lab.name)
def test_a_step_reveals_its_figure_in_the_place_of_the_questions(lab):
    at = open_page(lab.name)
    for n in range(1, len(lab.steps) + 1):
        assert f"Step {n} of {len(lab.steps)}" in said(at) and len(figures(at)) == 1
        question, widget = asked(lab, step=str(n)), f"lesson.prediction.{lab.name}.{n}"
        before = figures(at)[0]["data"]
        assert question.told not in said(at), "revealed too early"
        if question.options:
            at.radio(key=widget).set_value(question.right_guess)
        else:
            at.number_input(key=widget).set_value(float(question.right_guess))
        next(one for one in at.button if one.label == "Predict").click().run()
        assert_sound(at)
        assert "Your prediction" in said(at) and len(figures(at)) == 1 and figures(at)[0]["data"] != before
        assert f"{n}:" in at.session_state["irviz"].texts[lab.name]["guess"]
        at.button(key="lesson.on").click().run()
    assert_sound(at)
    assert at.session_state["irviz"].texts[lab.name]["step"] == "free"


@pytest.mark.parametrize("lab", [lab for lab in LABS if isinstance(lab, LabPage)], ids=lambda lab: lab.name)
def test_the_steps_of_a_lab_from_the_first_to_all_of_it(lab):
    at = open_page(lab.name)
    for n in range(1, len(lab.lesson.steps) + 1):
        assert f"Step {n} of {len(lab.lesson.steps)}" in said(at)
        before = len(figures(at))
        assert "What to notice" not in said(at), "revealed too early"
        predict(at, f"{lab.name}.{n}", staged(lab, step=str(n)).question)
        assert_sound(at)
        assert "Your prediction" in said(at) and "What to notice" in said(at) and len(figures(at)) > before
        assert f"{n}:" in at.session_state["irviz"].texts[lab.name]["guess"]
        at.button(key="lesson.on").click().run()
    assert_sound(at)
    assert at.session_state["irviz"].texts[lab.name]["step"] == "free"
    assert YOURS.label in [one.label for one in at.toggle]
