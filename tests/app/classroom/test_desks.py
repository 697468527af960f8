"""Without a browser: the course, the answers of a class, the builder, and the collection that a lab opens."""

from __future__ import annotations

import pytest

from irviz.menu import page_named
from irviz.publish.answers import Answer, write_answer
from irviz.publish.exercise import exercise_view
from irviz.ui import caches as borrowed
from irviz.workspace.store import Store
from irviz.workspace.task import Exercise
from irviz.workspace.view import View
from tests.app.driving import assert_sound, figures, open_page, said, turn_to, warnings

PAGE = page_named("lab_graded_ap")
START = exercise_view(PAGE, View(PAGE.name), Exercise(title="<b>Fool</b> GAP", ask="How large?", goal="GAP > 0.3"))


def desk(name: str, **link: str):
    return open_page(name, v="3", **link)


def test_the_course_is_a_page():
    at = desk("teaching")
    assert_sound(at)
    assert at.header[0].value == "Course" and "0–8 min" in said(at) and "./lab_scales?v=" in said(at)


def test_the_answers_of_a_class_are_counted_and_bad_files_named():
    at = desk("answers")
    assert_sound(at)
    assert "Give the link of the exercise first" in at.info[0].value
    at.text_input(key="exercise").set_value(f"http://host{START.to_url()}").run()
    for n, guess in enumerate((0.5, 0.5, 0.9)):
        at.file_uploader(key="answers.files").upload(f"{n}.json", write_answer(Answer(START, guess, "=cmd()", "A")))
    at.file_uploader(key="answers.files").upload("<i>bad</i>.json", b"{}")
    at.run()
    assert_sound(at)
    assert "<b>Fool</b> GAP" in said(at) and "3 answers; 3 meet the condition" in said(at)
    assert warnings(at) == [
        "3 files have the name `a`: `0.json`, `1.json` and `2.json`.",
        "`<i>bad</i>.json`: it is not an answer of irviz. Use the file from *Download answer*.",
    ]
    assert figures(at)[0]["data"][0]["x"] == [0.5, 0.5, 0.9]
    at.number_input(key="answers.truth").set_value(0.6).run()
    assert figures(at)[0]["layout"]["shapes"][1]["x0"] == 0.6, "the true value"
    assert list(at.dataframe[0].value["met"]) == ["yes", "yes", "yes"]


@pytest.mark.parametrize("link", ["nonsense", "http://a/lab_graded_ap?v=3", "http://a/nowhere?task=T", "//[", "\x00"])
def test_a_link_that_holds_no_exercise_is_refused(link):
    at = desk("answers")
    at.text_input(key="exercise").set_value(link).run()
    assert_sound(at)
    assert len(at.error) == 1


def test_an_exercise_is_made_in_the_share_menu():
    at = open_page("lab_graded_ap", step="free", g1="0.2")
    at.session_state["toolbar.share"] = True
    at.session_state["share.exercise"] = True
    at.run()
    assert_sound(at)
    at.text_input(key="lab_graded_ap.build.title").set_value("Fool GAP").run()
    at.multiselect(key="lab_graded_ap.build.lock").set_value(["c"]).run()
    at.button(key="lab_graded_ap.build.goal.add").click().run()
    assert_sound(at)
    goal = at.text_input(key="lab_graded_ap.build.goal").value
    assert goal.startswith("GAP > 0.")
    link = next(one.value for one in at.code if "task=Fool" in one.value)
    view = View.from_url(link)
    assert view.values["g1"] == "0.2" and view.values["task.lock"] == "c" and view.values["task.goal"] == goal
    assert "collection" not in view.values


def test_what_a_link_says_and_other_pages_choose_stays():
    at = open_page("lab_aspects", step="free", yours="1", collection="adhoc")
    assert at.selectbox(key="sidebar.collection").value == "adhoc"
    turn_to(at, "scores").run()
    turn_to(at, "lab_aspects").run()
    assert at.selectbox(key="sidebar.collection").value == "adhoc"


def test_a_note_kept_with_a_link_is_there_after_a_reload(tmp_path, monkeypatch):
    monkeypatch.setenv("IRVIZ_HOME", str(tmp_path))
    borrowed.store.clear()
    receipt = Store(tmp_path).share(View.of("scores", collection="adhoc"), title="Exercise", note="Which is best?")
    reader = open_page("scores", s=receipt.id)
    texts = reader.session_state["irviz"].texts[""]
    assert texts["s"] == receipt.id
    again = open_page("scores", v="3", **texts)
    assert "Which is best?" in " ".join(one.value for one in again.info).replace("\\", "")
    borrowed.store.clear()
