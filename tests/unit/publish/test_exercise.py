"""Exercises in links: what is read, what is refused, what is computed anew."""

from __future__ import annotations

import pytest

from irviz.menu import LABS, page_named
from irviz.publish.exercise import check_goal, exercise_view, lockable
from irviz.workspace.baseline import pin
from irviz.workspace.data import scopes, view_of_texts
from irviz.workspace.task import PARTS, PREDICTION, Exercise, locked_names, prediction_in, without_task
from irviz.workspace.view import View, settle

PAGE = page_named("lab_graded_ap")
TASK = Exercise(
    title="Fool GAP",
    text="Make GAP large.\nKeep eGAP small.",
    ask="How large?",
    goal="GAP > 0.9; eGAP < 0.2",
    lock=("users",),
)
START = exercise_view(PAGE, View.from_texts(PAGE.name, collection="mine~4x5~0123", grades="1,0,2"), TASK)
HOSTILE = (
    "<script>alert(1)</script>",
    "![i](http://127.0.0.1:9/x.png)",
    "[a](javascript:x)",
    "$\\alpha$",
    ":red[z]",
    "`x`",
    "a\u202eb",
    "=cmd()",
    "\x00",
    "’" * 50,
)


def exercise_of(view: View) -> Exercise | None:
    """The exercise of a link."""
    page = page_named(view.page)
    return Exercise.read(scopes(page, view.values)[1], [control.name for control in page.controls])[0]


def test_an_exercise_goes_through_a_link_and_back():
    view = View.from_url(f"http://host/{START.to_url()[1:]}")
    assert exercise_of(view) == TASK
    assert view.values["grades"] == "1,0,2" and "step" not in view.values


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_a_teacher_writes_is_the_same_text_after_a_link(text):
    task = Exercise(title=text[:100], text=text, ask=text, goal=text)
    view = View.from_url(exercise_view(PAGE, View(PAGE.name), task).to_url())
    assert exercise_of(view) == task


def test_a_lab_takes_no_collection_along_and_other_pages_do():
    assert "collection" not in START.values
    scores = page_named("scores")
    assert exercise_view(scores, View.from_texts("scores", collection="adhoc"), TASK).values.keys() == {
        "collection",
        *TASK.texts(),
    }


def test_an_exercise_belongs_to_its_page_and_to_no_baseline():
    for page in (*LABS, page_named("scores")):
        shared, own, complaints = scopes(page, TASK.texts())
        assert (shared, own, complaints) == ({}, TASK.texts(), [])
        assert view_of_texts(page, shared, own).values == TASK.texts()
    assert "task" not in pin(View("scores", (("show", "box"), *TASK.texts().items())))


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_what_is_too_long_is_left_out_by_name(part):
    texts = {"task": "T", part.name: "x" * (part.most + 1)}
    exercise, complaints = Exercise.read(texts)
    assert [one.key for one in complaints] == [part.name]
    assert str(part.most) in complaints[0].sentence
    assert (exercise is None) == (part.name == "task")


def test_a_lock_of_a_control_that_is_not_there_is_named():
    exercise, complaints = Exercise.read({"task": "T", "task.lock": "c,nowhere"}, ["c", "g1"])
    assert exercise.lock == ("c",)
    assert [str(one) for one in complaints] == ["The exercise locks `nowhere`, which this page does not have."]
    assert locked_names({"task.lock": "c,g1"}) == {"c", "g1"} and locked_names({"task.lock": "c" * 400}) == frozenset()


def test_a_prediction_goes_into_no_link_that_is_handed_on():
    predicted = View(PAGE.name, (*START.items, (PREDICTION.name, "0.25")))
    _, own, complaints = scopes(PAGE, predicted.values)
    assert complaints == [] and prediction_in(own) == (0.25, [])
    assert without_task(own, [PREDICTION]) == START.values
    assert exercise_view(PAGE, predicted, TASK) == exercise_view(PAGE, START, TASK)
    assert pin(predicted) == pin(START)


@pytest.mark.parametrize("said", ["nan", "inf", "-1e16", "one", "1e15x", "\x00", "1" * 31])
def test_a_prediction_that_is_no_number_is_left_out(said):
    prediction, complaints = prediction_in({"task.said": said})
    assert prediction is None and [one.key for one in complaints] == ["task.said"]


def test_locks_alone_are_no_exercise():
    assert Exercise.read({"task.lock": "c"})[0] is None and exercise_of(View(PAGE.name)) is None


@pytest.mark.parametrize("page", LABS, ids=lambda page: page.name)
def test_every_lab_has_something_to_ask_for_and_something_to_lock(page):
    values, _ = settle(page.controls, {}, None)
    assert page.readings(values) and page.goals
    assert {"step", "guess"} & {control.name for control in lockable(page)} == set()
    assert lockable(page)


def test_what_cannot_be_decided_is_said_and_never_raised():
    readings = {"GAP": 0.5}
    assert check_goal("GAP > 0.4", readings)[1] is True and check_goal("GAP > 0.6", readings)[1] is False
    for goal in ("nonsense", "xGAP > 1", "GAP > word", "> 1", "GAP >", ";" * 50, "GAP > 1e400", *HOSTILE):
        words, met = check_goal(goal, readings)
        assert met is None
        assert words or not goal.strip("\x00; ")
    assert check_goal("GAP > 1", {})[0] == "This page computes nothing that a condition can refer to; the labs do."
