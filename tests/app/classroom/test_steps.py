"""Without a browser: every step of every lab, by its own widgets: predict, read what is revealed, go on."""

from __future__ import annotations

import pytest

from irviz.menu import LABS
from tests.app.driving import assert_sound, figures, open_page, said
from tests.unit.labs.test_steps_of_labs import asked


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_a_step_reveals_its_figure_in_the_place_of_the_questions(lab):
    at = open_page(lab.name)
    for n in (place for place in lab.places if place.isdigit()):
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
        at.button(key="lesson.on").click().run()
    assert_sound(at)
    assert at.session_state["irviz"].texts[lab.name]["step"] == "free"
