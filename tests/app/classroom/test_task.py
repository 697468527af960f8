"""Without a browser: an exercise on its page, its locks, and what hostile text becomes."""

from __future__ import annotations

import json
import re

import pytest

from irviz.publish.answers import Answer, read_answer, write_answer
from irviz.workspace.task import ATTEMPTED, PARTS, Exercise
from irviz.workspace.view import View
from tests.app.driving import assert_sound, figures, open_page, said, turn_to, warnings

TASK = {
    "task": "Fool GAP",
    "task.text": "Make GAP large.\nKeep eGAP small.",
    "task.ask": "How large?",
    "task.goal": "GAP > 0.9; eGAP < 0.2",
    "task.lock": "c,grades",
    "task.hint": "Many of grade 1.",
}
HOSTILE = ("<script>alert(1)</script>", "![i](http://127.0.0.1:9/x.png)", "$\\alpha$", ":red[z]", "# big", "a\u202eb")


def opened(**more: str):
    return open_page("lab_graded_ap", step="free", **{**TASK, **more})


def goal(at) -> str:
    return " ".join(one.value for kind in (at.info, at.success, at.warning) for one in kind)


def test_an_exercise_is_on_its_page_and_on_no_other():
    at = opened()
    assert_sound(at)
    assert "Exercise: Fool GAP" in said(at) and "Keep eGAP small." in said(at)
    assert "GAP 0.35, needs > 0.9; eGAP 0.25, needs < 0.2" in goal(at).replace("\\", "") and not warnings(at)
    assert "How large" in at.number_input(key="lab_graded_ap.task.prediction").label
    turn_to(at, "lab_scales").run()
    assert "Fool GAP" not in said(at) and "needs" not in goal(at) and not warnings(at)
    assert not [name for name in at.session_state["irviz"].texts["lab_scales"] if name.startswith("task")]


def test_the_condition_is_checked_after_every_move():
    at = open_page("lab_graded_ap", step="free", task="T", **{"task.goal": "GAP > 0.5"})
    assert "needs" in goal(at) and not at.success
    at.slider(key="lab_graded_ap.g1").set_value(1.0).run()
    assert_sound(at)
    assert "Solved" in at.success[0].value


def test_what_is_locked_is_shown_and_stays_as_the_link_says():
    at = opened(grades="1,0,2")
    assert at.text_input(key="lab_graded_ap.grades").disabled
    assert at.text_input(key="lab_graded_ap.grades").value == "1,0,2"
    assert not at.slider(key="lab_graded_ap.g1").disabled
    session = at.session_state["irviz"]
    session.put("lab_graded_ap", "grades", "2,2,2")
    session.put("lab_graded_ap", "c", "3")
    session.put("lab_graded_ap", "g1", "0.5")
    at.run()
    assert at.text_input(key="lab_graded_ap.grades").value == "1,0,2"
    assert at.slider(key="lab_graded_ap.g1").value == 0.5


@pytest.mark.parametrize("page", ["lab_graded_ap", "scores"])
def test_results_wait_for_the_prediction(page):
    """Nothing is computed or drawn before it; on a page that is no lab its controls are there."""
    at = open_page(page, task="T", **{"task.ask": "How large?", "task.gate": "1", "collection": "adhoc"})
    assert_sound(at)
    assert not figures(at) and "come after your prediction" in goal(at)
    at.number_input(key=f"{page}.task.prediction").set_value(0.5).run()
    assert_sound(at)
    assert figures(at) and "come after" not in goal(at)


def test_leaving_an_exercise_unlocks_the_page_and_keeps_the_view():
    at = opened(grades="1,0,2")
    at.session_state["lab_graded_ap.task.hand"] = True
    at.run()
    at.button(key="lab_graded_ap.task.leave").click().run()
    assert_sound(at)
    assert "Fool GAP" not in said(at)
    assert at.text_input(key="lab_graded_ap.grades").value == "1,0,2"
    assert not at.text_input(key="lab_graded_ap.grades").disabled


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_link_says_is_text_and_never_markup(text):
    at = open_page("lab_graded_ap", step="free", **{part.name: text[: part.most] for part in (*PARTS, *ATTEMPTED)})
    assert_sound(at)
    drawn = [one.value for kind in (at.markdown, at.caption, at.info, at.warning) for one in kind]
    drawn = [re.sub(r"`[^`]*`", "", one) for one in drawn]  # code is shown as it is
    plain = re.compile(rf"(?<!\\){re.escape(text)}")
    assert not [one for one in drawn if text.isascii() and plain.search(one)], "every sign of markup is escaped"
    assert figures(at)


@pytest.mark.parametrize("goal_text", ["nonsense", "GAP > word", "nowhere > 1", "GAP > 1e999", "`GAP` > 1"])
def test_a_condition_that_means_nothing_is_a_sentence(goal_text):
    at = opened(**{"task.goal": goal_text})
    assert_sound(at)
    assert at.warning and not at.success


def test_what_cannot_be_used_is_said_once_by_name():
    at = opened(**{"task.text": "x" * 1501, "task.lock": "nowhere"})
    assert len(warnings(at)) == 2
    assert warnings(at)[0].startswith("The exercise's `task.text` is left out: it is 1501 characters long")
    assert warnings(at)[1] == "The exercise locks `nowhere`, which this page does not have."


def test_pages_that_are_no_lab_can_be_exercises_too():
    at = open_page("scores", task="Look", **{"task.text": "Which system is best?", "task.lock": "measure"})
    assert_sound(at)
    assert "Which system is best?" in said(at) and at.selectbox(key="scores.measure").disabled


def test_the_file_to_hand_in_says_what_is_on_the_screen():
    view = View.of("lab_graded_ap", **Exercise(title="T").texts())
    content = json.loads(write_answer(Answer(view, 0.5, "because", "A")))
    assert content["view"]["values"] == {"task": "T"} and content["prediction"] == 0.5
    assert read_answer("answer.json", json.dumps(content).encode()) == Answer(view, 0.5, "because", "A")
