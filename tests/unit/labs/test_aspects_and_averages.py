"""Labs of several aspects and of averages: after a change texts, figures and answers say the same."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from irviz.figures.theme import dress
from irviz.labs.aggregation.model import six_means, table_of
from irviz.labs.aspects.model import DISTANCES, FAKE, classes_of_pairs, order_scores
from irviz.labs.step import Step
from irviz.menu import page_named
from irviz.workspace.panel import Drawing
from tests.unit.labs.test_steps_of_labs import values_at

ASPECTS, AVERAGES = page_named("lab_aspects"), page_named("lab_aggregation")


def after(lab: Any, place: str, guess: str, **texts: str) -> tuple[Step, Drawing]:
    """A step with a prediction after its controls were moved, and what it draws."""
    values = values_at(lab, step=place, guess=f"{place}:{guess}", **texts)
    return lab.filled_step(values)[0], lab.figures[lab.step(place).reveal]({**values, "predicted": guess})


def told_now(step: Step) -> str:
    """The answer as it is after a change, or at the start if nothing was changed."""
    return step.notice if step.notice.startswith("Now: ") else step.question.answer_text


@pytest.mark.parametrize(("c1", "c2"), [("1.5", "1.5"), ("1", "1"), ("2", "4"), ("0", "0")])
def test_fake_news_is_last_by_the_distances_that_put_it_in_class_0(c1, c2):
    own = {"scale": "own", "c1": c1, "c2": c2}
    values = values_at(ASPECTS, step="3", **own)
    last = [words for kind, words in DISTANCES.items() if classes_of_pairs(values, kind)[FAKE] == 0]
    told = told_now(after(ASPECTS, "3", "euclidean", **own)[0]).removeprefix("Now: ").partition(". Fake news")[0]
    assert re.findall("[A-Z][a-z]+", told) == (last or ["None"])


@pytest.mark.parametrize("p", ["0", "0.2", "0.5", "1"])
def test_the_line_of_a_weight_stays_when_a_document_is_moved(p):
    for moved in ({}, {"relevance": "2,3", "correctness": "1,0"}):
        step, drawing = after(ASPECTS, "1", "c", p=p, **moved)
        (x, other), (y, up) = drawing.figure.data[0].x, drawing.figure.data[0].y
        w, line = float(p), drawing.figure.data[1]
        for a, b in zip(line.x, line.y, strict=True):
            assert w * a + (1 - w) * b == pytest.approx(w * x + (1 - w) * y)
        ahead = w * (other - x) + (1 - w) * (up - y)
        first = "both are equally good" if abs(ahead) < 1e-9 else "d2 is first" if ahead > 0 else "d1 is first"
        assert first in step.notice and f"{w:.0%}" in step.notice and f"{w:.0%}" in drawing.title


def test_the_order_that_scores_most_is_named_with_all_that_tie_and_the_axis_stays():
    ranges = set()
    for place, measure in (("4", "CAM"), ("5", "MM")):
        for moved in (
            {},
            {"relevance": "1,2,2", "correctness": "2,1,1"},
            {"relevance": "3,2,1", "correctness": "2,0,0"},
        ):
            step, drawing = after(ASPECTS, place, "0.8" if place == "4" else "a", **moved)
            values = values_at(ASPECTS, step=place, **moved)
            row = order_scores(values, list(zip(values["relevance"], values["correctness"], strict=True)))[measure]
            told, names = told_now(step), drawing.figure.layout.yaxis2.ticktext
            best = [name for name, score in zip(names, row, strict=True) if score > row.max() - 1e-9]
            assert not row.max() or all(name in told for name in best), "0 has no best order"
            assert f"{row.max():.3f}".rstrip("0").rstrip(".") in told
            ranges.add(tuple(drawing.figure.layout.xaxis2.range))
    ((low, high),) = ranges
    assert -0.1 < low <= 0 and 1 <= high < 1.1


@pytest.mark.parametrize("p", ["0.5", "0.95"])
def test_a_weighted_mean_is_called_so_by_text_and_slider(p):
    step, drawing = after(ASPECTS, "4", "0.8", p=p)
    words = told_now(step)
    said = drawing.figure.layout.meta["said"][-1]
    assert ("weighted mean" in words) == ("weighted mean" in said) == (p != "0.5")


@pytest.mark.parametrize(("c1", "c2"), [("1.5", "1.5"), ("2.5", "0"), ("0", "2"), ("0.25", "0")])
def test_names_at_one_place_are_not_printed_over_each_other(c1, c2):
    _, drawing = after(ASPECTS, "2", "d1,d2,d3", scale="own", c1=c1, c2=c2)
    handles, rings = drawing.figure.data[-1], drawing.figure.data[2]
    room = 0.05 * np.ptp(drawing.figure.layout.yaxis.range)
    printed = sorted(y for y, text in zip(handles.y, handles.text, strict=True) if text)
    assert (np.diff(printed) > room).all() and all(word in "".join(handles.text) for word in ("not", "partially"))
    places = list(zip(rings.x, rings.y, rings.textposition, strict=True))
    assert len(set(places)) == len(places)


def test_a_topic_that_is_left_out_comes_back_by_a_click_on_it():
    _, drawing = after(AVERAGES, "2", "s2")
    dots = drawing.figure.data[0]
    clicks = {name: one for name, (one,) in zip(dots.hovertext, dots.customdata, strict=True)}
    assert clicks == {"t1": "t1", "t2": "t2", "t3": "t3", "t4": "none", "t5": "t5"}
    step, drawing = after(AVERAGES, "2", "s2", out="none")
    means = table_of(values_at(AVERAGES, step="2")).mean(axis=0)
    assert list(drawing.figure.data[1].y[:4]) == pytest.approx(list(means)) and "with all topics" in step.notice
    assert "x" not in drawing.figure.data[0].marker.symbol


def test_all_topics_that_give_most_are_named():
    step, _ = after(AVERAGES, "1", "s2", s2="0,1,0.2,1,0.3")
    assert "topics t2 and t4 each give 40% of the total of S2" in step.notice
    assert "One topic, t4, gives 57% of the total of S1" in after(AVERAGES, "1", "s2")[0].notice


def test_winners_are_systems_and_ties_are_said():
    step, _ = after(AVERAGES, "3", "2", s1="0,0,0,0,0", s2="0.2,0.4,0.4,0.4,0.3", s3="0.3,0.5,0.4,0.3,0.4")
    won = step.notice.removeprefix("Now: ").partition(": ")
    assert (
        won[0] == "2"
        and "S2 and S3 by median (a tie)" in won[2]
        and "brings GM and HM" in after(AVERAGES, "3", "2")[0].notice
    )
    lifted, _ = after(AVERAGES, "3", "2", s2="0.2,0.4,0.2,0.4,0.3")
    assert "brings GM and HM" not in lifted.notice


@pytest.mark.parametrize(("along", "plain"), [("geometric", "GM"), ("harmonic", "HM")])
def test_the_mean_with_a_zero_is_the_one_that_is_chosen(along, plain):
    step, drawing = after(AVERAGES, "4", "0", along=along)
    told = told_now(step)
    means = six_means(table_of(values_at(AVERAGES, step="4")), 0.01)
    assert f"it is {means[f'ε{plain}'][1]:.3f}" in told and f"0 by the {along} mean" in told and along in drawing.title


def test_systems_are_as_strong_as_each_other_on_a_dark_page():
    for place in "123":
        _, drawing = after(AVERAGES, place, "s2" if place != "3" else "2")
        dark = dress(drawing.figure, True)
        traces = [(one, now) for one, now in zip(drawing.figure.data, dark.data, strict=True) if one.marker.color]
        for one, now in traces:
            pairs = list(zip(np.atleast_1d(one.marker.color), np.atleast_1d(now.marker.color), strict=True))
            assert all(before == then for before, then in pairs if before != "#0072B2")
            assert all(before != then for before, then in pairs if before == "#0072B2")
