"""Without a browser: steps of every lab, by their own widgets: predict, read what is revealed, go on.

One of each kind of question and the last of every lab; a browser takes all steps of one (`test_lessons_browser.py`).
"""

from __future__ import annotations

import pytest

from irviz.labs.lab import Lab
from irviz.menu import LABS
from tests.app.driving import assert_sound, figures, open_page, said
from tests.unit.labs.test_steps_of_labs import asked


def steps_of(lab: Lab) -> list[str]:
    """The first step of each kind of question, and the last one, after which comes all of the lab."""
    questions = {n: asked(lab, step=n) for n in lab.places if n.isdigit()}
    kinds = {(one.ordered, bool(one.options)): n for n, one in reversed(questions.items())}
    return sorted({*kinds.values(), list(questions)[-1]})


STEPS = [(lab, n) for lab in LABS for n in steps_of(lab)]


@pytest.mark.parametrize(("lab", "n"), STEPS, ids=[f"{lab.name}-{n}" for lab, n in STEPS])
def test_a_step_reveals_its_figure_in_the_place_of_the_questions(lab, n):
    at = open_page(lab.name, step=n)
    assert lab.places[n] in said(at) and len(figures(at)) == 1
    question, widget = asked(lab, step=n), f"lesson.prediction.{lab.name}.{n}"
    before = figures(at)[0]
    assert question.told not in said(at), "revealed too early"
    if question.ordered:
        at.text_input(key=widget).set_value(question.right_guess)
    elif question.options:
        at.radio(key=widget).set_value(question.right_guess)
    else:
        at.number_input(key=widget).set_value(float(question.right_guess))
    next(one for one in at.button if one.label == "Predict").click().run()
    assert_sound(at)
    assert "Your prediction" in said(at) and len(figures(at)) == 1 and figures(at)[0] != before
    assert f"{n}:" in at.session_state["irviz"].texts[lab.name]["guess"]
    if n == [place for place in lab.places if place.isdigit()][-1]:
        at.button(key="lesson.on").click().run()
        assert_sound(at)
        assert at.session_state["irviz"].texts[lab.name]["step"] == "free"
