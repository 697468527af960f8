"""Exercises in links and answers in files: what is read, what is refused, what is computed anew."""

from __future__ import annotations

import json

import pytest

from irviz.errors import IrvizError
from irviz.labs.goals import Goal
from irviz.menu import LABS, PAGES, page_named
from irviz.publish.answers import LARGEST_ANSWER, MOST_FILES, Answer, answer_file, collect, read_answer, write_answer
from irviz.publish.exercise import check_goal, exercise_view, lockable, read_exercise, readings_of, settle_page
from irviz.workspace.baseline import pin
from irviz.workspace.data import scopes, view_of_texts
from irviz.workspace.task import ATTEMPT_TEXTS, PARTS, Attempt, Exercise, locked_names, without_task
from irviz.workspace.view import View

PAGE = page_named("lab_graded_ap")
TASK = Exercise(
    title="Fool GAP",
    text="Make GAP large.\nKeep eGAP small.",
    ask="How large?",
    goal="GAP > 0.9; eGAP < 0.2",
    lock=("c",),
    hint="Many documents of grade 1.",
)
START = exercise_view(PAGE, View.from_texts(PAGE.name, collection="mine~4x5~0123", grades="1,0,2"), TASK)
SOLVED = {"g1": "0.1", "g2": "0.9", "grades": "1,1,1,1,1,1,1,1,1,1,1,1,1,1,2"}
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


def student(prediction: float | None = 0.5, text: str = "So.", **moved: str) -> bytes:
    """The answer of a student who moved these controls."""
    view = View(PAGE.name, tuple({**START.values, **moved}.items()))
    return write_answer(Answer(view, prediction, text, "A"))


# -- in the link ---------------------------------------------------------------------------


def test_an_exercise_goes_through_a_link_and_back():
    view = View.from_url(f"http://host/{START.to_url()[1:]}")
    assert read_exercise(PAGE, view)[0] == TASK
    assert view.values["grades"] == "1,0,2" and view.values["step"] == "free"


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_a_teacher_writes_is_the_same_text_after_a_link(text):
    task = Exercise(title=text[:100], text=text, ask=text, goal=text, hint=text)
    view = View.from_url(exercise_view(PAGE, View(PAGE.name), task).to_url())
    assert read_exercise(PAGE, view)[0] == task


def test_a_lab_takes_no_collection_along_and_other_pages_do():
    assert "collection" not in START.values
    scores = page_named("scores")
    assert exercise_view(scores, View.from_texts("scores", collection="adhoc", mode="present"), TASK).values.keys() == {
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


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_a_student_writes_is_the_same_text_after_their_link(text):
    attempt = Attempt(0.25, text, text)
    view = View.from_url(View(PAGE.name, (*START.items, *attempt.texts().items())).to_url())
    _, own, complaints = scopes(PAGE, view.values)
    assert complaints == [] and Attempt.read(own) == (attempt, [])
    assert without_task(own, ATTEMPT_TEXTS) == START.values and read_exercise(PAGE, view) == read_exercise(PAGE, START)


def test_what_a_student_wrote_goes_into_no_link_that_is_handed_on():
    attempted = View(PAGE.name, (*START.items, *Attempt(1.0, "Mine", "A").texts().items()))
    assert exercise_view(PAGE, attempted, TASK) == exercise_view(PAGE, START, TASK)
    assert pin(attempted) == pin(START)


@pytest.mark.parametrize("said", ["nan", "inf", "-1e16", "one", "1e15x", "\x00"])
def test_a_prediction_that_is_no_number_is_left_out(said):
    attempt, complaints = Attempt.read({"task.said": said})
    assert attempt == Attempt() and [one.key for one in complaints] == ["task.said"]


@pytest.mark.parametrize("part", ATTEMPT_TEXTS, ids=lambda part: part.name)
def test_what_a_student_wrote_is_left_out_by_name_where_it_is_too_long(part):
    attempt, complaints = Attempt.read({part.name: "1" * (part.most + 1)})
    assert attempt == Attempt() and str(part.most) in complaints[0].sentence


def test_results_that_wait_for_the_prediction_are_said_in_the_link():
    gated = exercise_view(PAGE, View(PAGE.name), Exercise(title="T", ask="How large?", gate=True))
    assert gated.values["task.gate"] == "1" and read_exercise(PAGE, gated)[0].gate
    assert not Exercise.read({"task": "T", "task.gate": "0"})[0].gate


def test_a_hint_alone_is_no_exercise():
    assert Exercise.read({"task.hint": "x", "task.lock": "c"})[0] is None
    with pytest.raises(IrvizError) as caught:
        read_exercise(PAGE, View(PAGE.name))
    assert str(caught.value) == "This link contains no exercise. Use the link that Share → Exercise shows."


@pytest.mark.parametrize("page", LABS, ids=lambda page: page.name)
def test_every_lab_has_something_to_ask_for_and_something_to_lock(page):
    values, _ = settle_page(page, {"step": "free"})
    assert readings_of(page, values)
    assert {"step", "guess", "seed", "yours"} & {control.name for control in lockable(page)} == set()
    assert lockable(page)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in LABS], ids=lambda page: page.name)
def test_an_exercise_about_data_is_read_without_them(page):
    values, complaints = settle_page(page, {"a": "a system", "measure": "AP"})
    assert (readings_of(page, values), complaints) == ({}, [])


def test_what_cannot_be_decided_is_said_and_never_raised():
    readings = {"GAP": 0.5}
    assert check_goal("GAP > 0.4", readings)[1] is True and check_goal("GAP > 0.6", readings)[1] is False
    for goal in ("nonsense", "xGAP > 1", "GAP > word", "> 1", "GAP >", ";" * 50, "GAP > 1e400", *HOSTILE):
        words, met = check_goal(goal, readings)
        assert met is None
        assert words or not goal.strip("\x00; ")
    assert check_goal("GAP > 1", {})[0] == "This page computes nothing that a condition can refer to; the labs do."


# -- answers --------------------------------------------------------------------------------


def test_an_answer_is_judged_by_its_view_and_not_by_what_it_says():
    boast = json.loads(student())
    boast["met"], boast["solved"], boast["readings"] = True, True, {"GAP": 1}
    found = collect(START.to_url(), [("a.json", student()), ("b.json", json.dumps(boast).encode())])
    assert [one.is_met for one in found.answers] == [False, False] and found.refusals == ()
    assert found.sentence == "2 answers; 0 meet the condition `GAP > 0.9; eGAP < 0.2`."
    values, _ = settle_page(PAGE, {"step": "free", "grades": "1,0,2"})
    assert {one.words for one in found.answers} == {Goal.read(TASK.goal).words(readings_of(PAGE, values))}


def test_who_meets_the_condition_is_counted():
    start = exercise_view(PAGE, View.from_texts(PAGE.name), Exercise(title="T", goal="GAP > 0.5; eGAP < 0.2"))
    view = View(PAGE.name, (*start.items, *SOLVED.items()))
    found = collect(start.to_url(), [("a.json", write_answer(Answer(view)))])
    assert [one.is_met for one in found.answers] == [True]
    assert found.sentence == "1 answer; 1 meets the condition `GAP > 0.5; eGAP < 0.2`."


def test_a_locked_control_that_was_changed_by_hand_does_not_count():
    found = collect(START.to_url(), [("a.json", student(c="3"))])
    assert found.answers[0].is_met is False
    assert found.answers[0].note == "`c` was locked and differs here."


def test_another_exercise_another_page_and_no_exercise_are_refused_by_name():
    other = exercise_view(PAGE, View(PAGE.name), Exercise(title="Else"))
    files = [
        ("else.json", write_answer(Answer(other))),
        ("page.json", write_answer(Answer(View("lab_scales")))),
        ("none.json", write_answer(Answer(View(PAGE.name)))),
        ("good.json", student()),
    ]
    found = collect(START.to_url(), files)
    assert [one.file for one in found.answers] == ["good.json"]
    assert found.refusals == (
        "`else.json`: it answers the exercise `Else`, which is not the exercise of this link.",
        "`page.json`: it is about the page `lab_scales`, not Lab: graded AP.",
        "`none.json`: it answers no exercise, which is not the exercise of this link.",
    )


def changed(**parts: object) -> bytes:
    return json.dumps({**json.loads(student()), **parts}).encode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is not JSON in UTF-8. Use the file from *Download answer*."),
        (b"\xff\xfe{}", "it is not JSON in UTF-8. Use the file from *Download answer*."),
        (b"[" * 60_000, "it is not JSON in UTF-8. Use the file from *Download answer*."),
        (b'{"a": ' * 5_000, "it is not JSON in UTF-8. Use the file from *Download answer*."),
        (b"x" * (LARGEST_ANSWER + 1), "it has 65,537 bytes; an answer has at most 65,536."),
        (b"[]", "it is not an answer of irviz. Use the file from *Download answer*."),
        (b'{"irviz": "exercise"}', "it is not an answer of irviz. Use the file from *Download answer*."),
        (changed(version=2), "it is an answer of version 2; this irviz reads 1."),
        (changed(version=True), "it is an answer of version True; this irviz reads 1."),
        (changed(view=None), "This saved view does not name its page."),
        (changed(view={"page": "lab_graded_ap", "values": {"g1": 3}}), "The values of this saved view are not texts"),
        (changed(prediction="0.5"), "its prediction, 0.5, is not a number."),
        (changed(prediction=True), "its prediction, True, is not a number."),
        (changed(prediction=1e300), "its prediction is beyond ±1e15."),
        (changed(prediction=float("nan")), "it is not JSON in UTF-8. Use the file from *Download answer*."),
        (changed(prediction=10**400), "its prediction is beyond ±1e15."),
        (changed(text=["x"]), "its text is not text."),
        (changed(text="x" * 4_001), "its text has 4,001 characters; at most 4,000 are read."),
        (changed(name="\ud800"), "its name contains halves of characters, which are not valid text."),
    ],
)
def test_a_hostile_file_is_refused_by_name_and_the_others_count(data, why):
    found = collect(START.to_url(), [("<b>bad</b>.json", data), ("good.json", student())])
    assert [one.file for one in found.answers] == ["good.json"]
    assert len(found.refusals) == 1
    assert found.refusals[0].startswith(f"`<b>bad</b>.json`: {why}")


def test_hostile_values_of_a_view_are_noted_and_the_defaults_taken():
    found = collect(START.to_url(), [("a.json", student(g1="1e999", grades="9,9", foo="bar"))])
    note = found.answers[0].note
    assert "`foo`" in note and "`g1` cannot be used" in note and "`grades` cannot be used" in note


def test_too_many_files_are_said():
    found = collect(START.to_url(), [("a.json", b"[]")] * (MOST_FILES + 5))
    assert (
        len(found.refusals) == MOST_FILES + 1 and found.refusals[-1] == f"Only the first {MOST_FILES} files are read."
    )


def test_predictions_of_the_exercise_and_of_the_steps_are_counted():
    files = [(f"{n}.json", student(prediction, guess="1:b/2:0.8")) for n, prediction in enumerate((0.5, 0.5, 0.7))]
    found = collect(START.to_url(), [*files, ("none.json", student(None))])
    assert found.questions() == ["exercise", "step 1", "step 2"]
    dots = found.prediction_drawing("exercise", 0.6).figure.data[0]
    assert list(zip(dots.x, dots.y, strict=True)) == [(0.5, 1), (0.5, 2), (0.7, 1)]
    assert found.prediction_drawing("exercise").figure.layout.yaxis.dtick == 1, "answers are counted in whole numbers"
    assert found.prediction_drawing("exercise").alt == "3 predictions; median 0.5."
    assert found.prediction_drawing("exercise", 0.6).alt == "3 predictions; median 0.5; true value 0.6."
    assert found.repeated_names == ["4 files have the name `a`: `0.json`, `1.json`, `2.json` and `none.json`."]
    assert list(found.frame().columns)[:5] == ["file", "name", "met", "reads", "predicted, exercise"]


def test_predictions_of_a_step_are_drawn_with_its_answer():
    """Numbers with the true value, options by their words with the right one marked; what means nothing is counted."""
    said = ("1:0.8/2:c/q7:a", "1:0.3/2:c", "1:<b>/2:<b>")
    found = collect(START.to_url(), [(f"{n}.json", student(guess=guess)) for n, guess in enumerate(said)])
    assert found.questions() == ["exercise", "step 1", "step 2", "step q7"]
    first, second = found.prediction_drawing("step 1"), found.prediction_drawing("step 2")
    truth = first.figure.layout.shapes[1].x0
    assert list(first.figure.data[0].x) == [0.3, 0.8] and truth == pytest.approx(1 / 4)
    assert second.alt == "3 predictions; <b> (1) and It is higher (2, right)."
    assert list(second.figure.data[0].y) == ["&lt;b&gt;", "✓ It is higher"]


@pytest.mark.parametrize(
    ("name", "file"), [("", "answer.json"), ("Zoë Li", "answer-Zoë-Li.json"), ("../<b>\x00", "answer-b.json")]
)
def test_an_answer_is_named_after_its_student(name, file):
    assert answer_file(name) == file


def test_nobody_has_answered_yet():
    found = collect(START.to_url(), [])
    assert found.sentence == "There is no answer yet." and found.questions() == [] and found.frame().empty


@pytest.mark.parametrize("text", HOSTILE)
def test_an_answer_goes_through_its_file_and_back(text):
    answer = Answer(START, 0.25, text, text)
    assert read_answer("a.json", write_answer(answer)) == answer
