"""The figures of the labs as data: what they draw is what they were given."""

from __future__ import annotations

import numpy as np
import pytest

from irviz.labs.aggregation.figures import along_eps
from irviz.labs.aspects.figures import orders, the_plane
from irviz.labs.aspects.model import EMBEDDINGS, embedding
from irviz.labs.documents import squares
from irviz.menu import page_named
from tests.panels import STEPPED
from tests.unit.labs.test_steps_of_labs import values_at


def test_documents_are_numbered_coloured_and_unjudged_ones_white():
    drawn = squares([1, 2, 3, 4], [0] * 4, (2, 0, 1, -1), 2, 20)
    assert drawn["text"] == ["2", "0", "1", "?"] and len(set(drawn["marker"]["color"])) == 4
    assert drawn["marker"]["color"][3] == "#FFFFFF"


def test_the_plane_shows_classes_and_documents_that_can_be_dragged():
    """Two documents of the same labels: the name of the second is further up."""
    lab = page_named("lab_aspects")
    values = values_at(lab, step="free", relevance="3,3", correctness="2,2", scale="equal")
    drawn = the_plane(values).figure
    tuples, (first, second) = drawn.data[1], drawn.data[2:]
    best = (tuples.x[-1], tuples.y[-1]) if tuples.text[-1] == max(tuples.text, key=int) else (tuples.x[0], tuples.y[0])
    assert best == (3, 3) == (first.x[0], first.y[0]) and len(tuples.x) == 10
    assert (first.text[0], second.text[0]) == ("<b>d1</b>", "<b>d2</b><br>")
    goal = next(one for one in second.meta["drag"][0] if (one["x"], one["y"]) == (1, 0))
    assert goal["given"] == ["3,1", "2,0"] and drawn.layout.yaxis.ticktext == ("not", "partially", "correct")


def test_orders_and_eps_are_drawn_at_their_scores():
    drawn = orders(["d1 d2", "d2 d1"], {"CAM": np.array([0.5, 1.0]), "MM": np.array([0.25, 0.75])})
    assert [list(trace.x) for trace in drawn.data] == [[0.5, 1.0], [0.25, 0.75]]
    eps = 10.0 ** np.arange(-6, 3.0)
    along = along_eps(eps, np.tile(np.linspace(0.1, 0.2, 9)[:, None], 4), np.full(4, 0.21), 0.01)
    assert along.layout.xaxis.type == "log" and along.data[-1].y[0] == 0.21
    assert along.layout.xaxis.ticktext == ("10⁻⁶", "10⁻⁴", "0.01", "1", "100")


def test_medals_follow_a_dragged_dot_to_what_the_lab_then_says():
    """The medals shown during a drag are those of the lab once the dot is dropped there."""
    lab = page_named("lab_aggregation")
    drawn = lab.figures["medals"](values_at(lab, step="3")).figure
    outcomes = drawn.layout.meta["outcomes"]
    assert 1 < len(outcomes) < 420 and all(one["traces"] == [4, 5] for one in outcomes)
    for system, topic in ((0, 3), (2, 1), (3, 4)):
        for goal in drawn.data[system].meta["drag"][topic][::10]:
            given = {name: text for name, text in zip(("s1", "s2", "s3", "s4"), goal["given"], strict=True) if text}
            after = lab.figures["medals"](values_at(lab, step="3", **given)).figure.data[4]
            shown, values = outcomes[goal["outcome"]]["data"]
            assert (shown["text"], shown["marker"]["symbol"]) == (list(after.text), list(after.marker.symbol))
            assert shown["x"] == list(after.x) and not any(values["text"]), "the values are those of before"


def test_means_follow_a_dragged_dot_to_what_the_step_then_says():
    lab = page_named("lab_aggregation")
    drawn = lab.figures["gathered"](values_at(lab, step="1")).figure
    for point in (0, 7, 19):
        for goal in drawn.data[0].meta["drag"][point][::10]:
            given = {name: text for name, text in zip(("s1", "s2", "s3", "s4"), goal["given"], strict=True) if text}
            after = lab.figures["gathered"](values_at(lab, step="1", **given)).figure.data
            means, labels = drawn.layout.meta["outcomes"][goal["outcome"]]["data"]
            assert after[0].y[point] == goal["y"] and after[0].x[point] == pytest.approx(goal["x"])
            assert (means["y"], labels["y"], labels["text"]) == (
                list(after[1].y),
                list(after[2].y),
                list(after[2].text),
            )
    assert lab.figures["without"](values_at(lab, step="2")).figure.data[0].meta is None, "there a dot is clicked"


@pytest.mark.parametrize("scale", ["equal", "unit", "steep"])
def test_a_label_is_dragged_to_the_place_that_the_plane_then_has(scale):
    lab = page_named("lab_aspects")
    drawing = lab.figures["planes"](values_at(lab, step="2", scale=scale))
    handles = drawing.figure.data[-1]
    assert list(handles.y)[:2] == list(EMBEDDINGS[scale][1:]) and drawing.picks == ("scale", "c1", "c2")
    outcomes = drawing.figure.layout.meta["outcomes"]
    for which, goals in enumerate(handles.meta["drag"], start=1):
        assert len(goals) > 5
        for goal in goals:
            chosen, c1, c2 = goal["given"]
            values = values_at(lab, step="2", scale=chosen, c1=f"{c1}", c2=f"{c2}")
            places = embedding(values)[1]
            assert places[which] == goal["y"] and places[3 - which] == EMBEDDINGS[scale][3 - which], "the other stays"
        after, shown = lab.figures["planes"](values).figure.data, outcomes[goal["outcome"]]["data"]
        assert [one["text"] for one in shown[3:12:4]] == [list(one.text) for one in after[3:12:4]], "the orders"
        for now, one, then in zip(drawing.figure.data[1:12:4], shown[1:12:4], after[1:12:4], strict=True):
            assert list(zip(now.x, one["y"], strict=True)) == list(zip(then.x, then.y, strict=True))


@pytest.mark.parametrize("lab", [lab.name for lab in STEPPED])
def test_no_figure_of_a_lab_has_the_name_of_a_control_beside_it(lab):
    """Both are elements of one page, which Streamlit refuses under one key."""
    assert not set(page_named(lab).figures) & {control.name for control in page_named(lab).controls}
