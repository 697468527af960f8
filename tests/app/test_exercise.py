"""Without a browser: an exercise on its page, its locks, and what hostile text becomes."""

from __future__ import annotations

import re
from html import escape

import pytest

from irviz.menu import LABS, page_named
from irviz.workspace.task import PARTS, PREDICTION
from irviz.workspace.view import View
from tests.app.driving import assert_sound, figures, open_page, said, turn_to, warnings

TASK = {
    "task": "Fool GAP",
    "task.text": "Make GAP large.\nKeep eGAP small.",
    "task.ask": "How large?",
    "task.goal": "GAP > 0.9; eGAP < 0.2",
    "task.lock": "users,grades",
}
HOSTILE = ("<script>alert(1)</script>", "![i](http://127.0.0.1:9/x.png)", "$\\alpha$", ":red[z]", "# big", "a\u202eb")


def opened(**more: str):
    return open_page("lab_graded_ap", **{**TASK, "task.said": "0.5", **more})


def goal(at) -> str:
    return " ".join(one.value for kind in (at.info, at.success, at.warning) for one in kind)


def test_an_exercise_is_on_its_page_and_on_no_other():
    at = opened()
    assert_sound(at)
    assert "Exercise: Fool GAP" in said(at) and "Keep eGAP small." in said(at)
    assert "GAP above 0.9: now 0.417; eGAP below 0.2: now 0.317" in goal(at).replace("\\", "") and not warnings(at)
    assert "How large" in said(at) and "lab_graded_ap.task.prediction" not in [one.key for one in at.number_input]
    turn_to(at, "lab_scales").run()
    assert "Fool GAP" not in said(at) and ": now " not in goal(at) and not warnings(at)
    assert not [name for name in at.session_state["irviz"].texts["lab_scales"] if name.startswith("task")]


def test_what_is_locked_is_shown_and_stays_as_the_link_says():
    at = opened(grades="1,0,2")
    session = at.session_state["irviz"]
    session.put("lab_graded_ap", "grades", "2,2,2")
    at.text_input(key="lab_graded_ap.box").set_value('{"users": "3", "top": "5"}').run()
    assert_sound(at)
    texts = session.texts["lab_graded_ap"]
    assert (texts["grades"], texts.get("users"), texts["top"]) == ("1,0,2", None, "5")


@pytest.mark.parametrize("page", ["lab_graded_ap", "what_if"])
def test_a_prediction_is_made_once_and_before_any_result(page):
    at = open_page(page, task="T", **{"task.ask": "How large?", "collection": "adhoc"})
    assert_sound(at)
    assert not figures(at) and "come after your prediction" in goal(at)
    at.number_input(key=f"{page}.task.prediction").set_value(0.5)
    next(one for one in at.button if one.label == "Predict").click().run()
    assert_sound(at)
    assert figures(at) and "come after" not in goal(at)
    assert f"{page}.task.prediction" not in [one.key for one in at.number_input]
    assert at.query_params["task.said"] == "0.5"


def test_leaving_an_exercise_unlocks_the_page_and_keeps_the_view():
    at = opened(grades="1,0,2")
    at.button(key="lab_graded_ap.task.leave").click().run()
    assert_sound(at)
    assert "Fool GAP" not in said(at)
    session = at.session_state["irviz"]
    assert session.texts["lab_graded_ap"]["grades"] == "1,0,2" and not session.locked_controls("lab_graded_ap")


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_link_says_is_text_and_never_markup(text):
    at = open_page("lab_graded_ap", **{part.name: text[: part.most] for part in (*PARTS, PREDICTION)})
    assert_sound(at)
    drawn = [one.value for kind in (at.markdown, at.caption, at.info, at.warning) for one in kind]
    drawn = [re.sub(r"`[^`]*`", "", one) for one in drawn]  # code is shown as it is
    plain = re.compile(rf"(?<!\\){re.escape(text)}")
    assert not [one for one in drawn if text.isascii() and plain.search(one)], "every sign of markup is escaped"
    assert not figures(at) and at.number_input(key="lab_graded_ap.task.prediction").value is None


@pytest.mark.parametrize("goal_text", ["nonsense", "GAP > word", "nowhere > 1", "GAP > 1e999", "`GAP` > 1"])
def test_a_condition_that_means_nothing_is_a_sentence(goal_text):
    at = opened(**{"task.goal": goal_text})
    assert_sound(at)
    assert at.warning and not at.success


def test_learners_see_every_lab_with_its_figure_and_a_way_to_it():
    at = open_page("labs")
    assert_sound(at)
    html = " ".join(one.proto.body for one in at.get("html"))
    assert len(figures(at)) == len(LABS) and all(escape(lab.question) in html for lab in LABS)
    at.button(key=f"learn.{LABS[1].name}").click().run()
    assert_sound(at)
    assert at.header[0].value == LABS[1].title


def test_an_exercise_is_made_in_the_share_menu():
    at = open_page("lab_graded_ap", top="20")
    at.session_state["toolbar.share"] = True
    at.session_state["share.exercise"] = True
    at.run()
    assert_sound(at)
    at.text_input(key="lab_graded_ap.build.title").set_value("Fool GAP").run()
    at.multiselect(key="lab_graded_ap.build.lock").set_value(["users"]).run()
    goal = page_named("lab_graded_ap").goals[0].goal.format()
    at.selectbox(key="lab_graded_ap.build.goal").set_value(goal).run()
    assert_sound(at)
    link = next(one.value for one in at.code if "task=Fool" in one.value)
    view = View.from_url(link)
    assert view.values["top"] == "20" and view.values["task.lock"] == "users" and view.values["task.goal"] == goal
    assert "collection" not in view.values


def test_the_condition_is_checked_after_every_move():
    at = open_page("lab_graded_ap", task="T", **{"task.goal": "GAP > 0.5"})
    assert ": now " in goal(at) and not at.success
    at.text_input(key="lab_graded_ap.box").set_value('{"users": "10"}').run()
    assert_sound(at)
    assert "Solved" in at.success[0].value
