"""Labs as data: nothing is told before a prediction, a step has one figure, and all of it can be solved."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from irviz.errors import IrvizError
from irviz.labs.lab import FREE, Lab
from irviz.labs.step import Question, fill
from irviz.menu import page_named
from irviz.publish.draw import draw
from irviz.publish.report import report
from irviz.workspace.data import library
from irviz.workspace.panel import Drawing, Panel
from irviz.workspace.view import View, settle
from tests.panels import STEPPED

MOVED = STEPPED
STEPS = [(lab, str(n)) for lab in MOVED for n in range(1, len(lab.steps) + 1)]
CHALLENGES = [(lab, f"c{n}") for lab in MOVED for n in range(1, len(lab.challenges) + 1)]


def named(pairs: list[tuple[Lab, str]]) -> list[str]:
    return [f"{lab.name}-{place}" for lab, place in pairs]


def values_at(lab: Lab, **texts: str) -> dict[str, Any]:
    values, complaints = settle(lab.controls_for(texts), texts, None)
    assert complaints == []
    return values


def beginning(lab: Lab, place: str) -> dict[str, Any]:
    """The values that a question is about."""
    return values_at(lab, step=place)


def at(lab: Lab, **texts: str) -> Panel:
    return panel_at(lab.name, **texts)


@cache
def panel_at(name: str, **texts: str) -> Panel:
    """A panel of a lab under these texts, drawn once for all tests."""
    lab = page_named(name)
    found = lab.panel(None, values_at(lab, **texts))
    assert isinstance(found, Panel)
    return found


@cache
def revealed(name: str, place: str) -> Drawing:
    """The figure that a question reveals, in the state that it asks about."""
    lab = page_named(name)
    return lab.figures[lab.step(place).reveal](beginning(lab, place))


def checked(frame: go.Frame) -> go.Frame:
    """A frame with its traces as plotly reads them; a figure has them as they are."""
    return go.Frame(frame.to_plotly_json())


def asked(lab: Lab, **texts: str) -> Question:
    return lab.filled_step(values_at(lab, **texts))[0].question


def guesses(question: Question) -> list[str]:
    """A right prediction, every other option, and the mistakes that are known."""
    if not question.options:
        known = [f"{value}" for value in question.because if not isinstance(value, str)]
        return [question.right_guess, *(text for text in known if question.low <= float(text) <= question.high)]
    if question.asks_order:
        return [question.right_guess, ",".join(reversed(question.right_guess.split(",")))]
    return [question.right_guess, *(key for key in question.options if not question.is_right(key))]


@pytest.mark.parametrize(("lab", "place"), STEPS, ids=named(STEPS))
def test_a_step_has_one_figure_and_tells_nothing_before_a_prediction(lab, place):
    before, question = at(lab, step=place), asked(lab, step=place)
    told = " ".join((before.sentence, *before.notes))
    assert question.answer_text not in told and question.text in told and not before.tables
    assert [list(row) for row in before.drawings] == [[lab.step(place).figure]]
    right = {guess: question.is_right(guess) for guess in guesses(question)}
    assert right[question.right_guess] and (not all(right.values()) or question.open or not question.options)
    for guess in right:
        after = at(lab, step=place, guess=f"{place}:{guess}")
        assert [list(row) for row in after.drawings] == [[lab.step(place).reveal]]
        notes = " ".join(after.notes)
        assert question.answer_text in notes and question.words(guess) in notes and "Source: " in notes
        assert (": " in notes) and ("Right: " in notes) == (right[guess] and not question.open)
        assert bool(question.reason(guess)) != right[guess] or not question.because or question.asks_order
        (drawing,) = after.drawings[0].values()
        assert drawing.alt and drawing.title and 0 < drawing.figure.layout.height <= 400
        assert drawing.figure.layout.xaxis.fixedrange, "a drag does not zoom"
    again = lab.figures[lab.step(place).reveal]({**beginning(lab, place), "predicted": guess})
    drawn, same = (json.loads(one.figure.to_json()) for one in (drawing, again))
    assert drawn["data"] == same["data"] and drawing.alt == again.alt, "in the state that was asked about"


@pytest.mark.parametrize(("lab", "place"), STEPS, ids=named(STEPS))
def test_controls_of_a_step_are_those_of_the_lab_and_start_where_it_says(lab, place):
    step = lab.step(place)
    known = {control.name: control for control in lab.own}
    assert set(step.controls) <= set(known) and {step.figure, step.reveal} <= set(lab.figures)
    begun = {control.name: control for control in lab.controls_for({"step": place})}
    for name, text in step.start.items():
        assert begun[name].default == known[name].parse(text)
    assert bool(step.then) == bool(step.controls), "what can be changed is said"


@pytest.mark.parametrize(("lab", "place"), STEPS, ids=named(STEPS))
def test_a_still_picture_is_the_last_frame(lab, place):
    drawing = revealed(lab.name, place)
    frames, traces = drawing.figure.frames, drawing.figure.data
    if not frames:
        return
    assert len(frames) > 5 and len({frame.name for frame in frames}) == len(frames)
    for trace, last in zip(traces, checked(frames[-1]).data, strict=True):
        for name in ("x", "y"):
            if last[name] is not None:
                np.testing.assert_allclose(
                    np.array(last[name], dtype=float), np.array(trace[name], dtype=float), atol=1e-3
                )
    said = drawing.figure.layout.meta["said"]
    assert len(said) == len(frames) and all(said), "every place of the slider has a caption"
    assert all(one in said[0] for one in re.findall(r"\d\.\d+", drawing.title)), "a heading holds at every frame"


@pytest.mark.parametrize("lab", MOVED, ids=lambda lab: lab.name)
def test_a_newcomer_arrives_at_the_first_step(lab):
    assert at(lab).sentence.startswith("Step 1 of ")


@pytest.mark.parametrize("lab", MOVED, ids=lambda lab: lab.name)
def test_a_prediction_that_means_nothing_is_told_and_asked_again(lab):
    found = at(lab, step="1", guess="1:zzz")
    assert "The prediction in the link cannot be used" in found.notes[-1] and len(found.notes) == 2


@pytest.mark.parametrize("lab", MOVED, ids=lambda lab: lab.name)
def test_a_report_says_what_the_page_says_and_asks_for_no_click(lab):
    guess = f"1:{asked(lab, step='1').right_guess}"
    step, free = (
        draw(View.from_texts(lab.name, **texts), library()) for texts in ({"step": "1", "guess": guess}, {"step": FREE})
    )
    assert step.complaints == () and step.panel.sentence.startswith("Step 1 of ")
    html = report([step])
    assert "Predicted: " in html and "Right: " in html
    assert "click" not in report([free]).split("<script")[0].lower()


@pytest.mark.parametrize(("lab", "place"), CHALLENGES, ids=named(CHALLENGES))
def test_documents_of_a_challenge_are_dragged_and_clicked_only_where_grades_may_change(lab, place):
    challenge = lab.challenge(place)
    for drawing in (one for row in at(lab, step=place).drawings for one in row.values() if "grades" in one.picks):
        documents = next(trace for trace in drawing.figure.data if trace.customdata)
        assert any(text for (text,) in documents.customdata) == challenge.can_regrade
        assert len(documents.meta["drag"]) == len(values_at(lab, step=place)["grades"])


@pytest.mark.parametrize(("lab", "place"), CHALLENGES, ids=named(CHALLENGES))
def test_a_challenge_is_unsolved_at_its_start_and_solved_by_its_solution(lab, place):
    challenge = lab.challenge(place)
    start, solved = at(lab, step=place), at(lab, step=place, **challenge.solution)
    assert not challenge.goal.is_met(lab.readings(values_at(lab, step=FREE))), "nor in what is explored first"
    assert challenge.title in start.notes[0] and "– done." not in start.notes[0]
    assert "– done." in solved.notes[0] and solved.drawings
    for begun, texts in ((True, {}), (False, challenge.solution)):
        lines = challenge.goal.lines(lab.readings(values_at(lab, step=place, **texts)), lab.wording)
        assert all(line.endswith("✓") for line in lines) != begun


# -- texts ---------------------------------------------------------------------------------------------


def test_numbers_of_a_text_are_written_as_sentences_say_them():
    numbers = {"n": 1, "many": 1200, "x": -0.00001, "who": ["S1", "S2"], "share": 0.5, "a b": 0.25}
    assert fill("{n:topic}, {many:topic}, {x}, {who}, {share:%}, {a b:1}", numbers) == (
        "1 topic, 1,200 topics, 0, S1 and S2, 50%, 0.2"
    )


def test_a_number_that_there_is_not_is_named():
    with pytest.raises(IrvizError) as refused:
        fill("{skore}", {"score": 1.0})
    assert "`skore`" in str(refused.value) and "score" in str(refused.value)


def test_predictions_are_read_and_refused():
    sort = Question(text="?", answer="order", answer_text=".", options={"a": "A", "b": "B"}, asks_order=True)
    sort = sort.fill({"order": "b,a"})
    assert sort.read(" b, a") == "b,a" and sort.is_right("b,a") and not sort.is_right("a,b")
    number = Question(text="?", answer="n", answer_text=".", because={"twice": "Doubled.", "higher": "Less."}, high=10)
    number = number.fill({"n": 2.0, "twice": 4.0})
    assert number.read("4.0") == "4" and number.reason("4") == "Doubled." and number.reason("5") == "Less."
    assert number.reason("1").startswith("Too low")
    for question, text in ((sort, "a"), (sort, "a,a"), (number, "x"), (number, "11"), (number, "nan")):
        with pytest.raises(IrvizError):
            question.read(text)


# -- after a change, and while a figure moves -----------------------------------------------------------


def test_epsilon_goes_one_way_through_all_that_are_drawn():
    drawn = revealed("lab_aggregation", "4").figure
    eps = [frame.data[-1].x[0] for frame in map(checked, drawn.frames)]
    assert eps == sorted(eps) and (eps[0], eps[-1]) == pytest.approx((drawn.data[0].x[0], drawn.data[0].x[-1]))
    assert not any("e+" in words or "e-" in words for words in drawn.layout.meta["said"])


# -- numbers of the steps ----------------------------------------------------------------------------------
