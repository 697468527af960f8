"""The figures of the labs as data: what they draw is what they were given."""

from __future__ import annotations

import numpy as np
import pytest

from irviz.labs.aggregation.figures import along_eps, by_mean, standardised_rows
from irviz.labs.aspects.figures import orders, plane
from irviz.labs.browsing.figures import cwl_curves, effect_bars, score_area
from irviz.labs.browsing.model import Walked
from irviz.labs.charts import system_scatter
from irviz.labs.conventions.figures import judged_list, step_bars, tie_range
from irviz.labs.documents import graded_ranking, shades
from irviz.labs.graded_ap.figures import along_g, growing_list, simplex
from irviz.labs.scales.figures import against_order, two_orders
from irviz.stats.scales import Steps

HOSTILE = "<b>x</b> $y$ %{z}"
SAFE = "&lt;b&gt;x&lt;/b&gt; &#36;y&#36; &#37;&#123;z&#125;"


def walked(beyond: float = 0.25) -> Walked:
    return Walked(
        "user", np.array([0.5, 0.5]), np.array([2 / 3, 1 / 3]), np.array([0.5, 0.5]), np.array([1.0, 0.5]), beyond, 0.25
    )


def test_a_ranking_is_numbered_coloured_and_clickable():
    drawn = graded_ranking((2, 0, 1), 2, ["0,0,1", "2,1,1", "2,0,2"])
    squares = drawn.data[0]
    assert list(squares.text) == ["2", "0", "1"]
    assert [row[0] for row in squares.customdata] == ["0,0,1", "2,1,1", "2,0,2"]
    assert len(set(squares.marker.color)) == 3
    assert shades((0, 1), 1)[0][0] != shades((0, 1), 1)[0][1]


def test_the_areas_add_up_to_the_score():
    one = walked()
    assert one.score == pytest.approx(0.5 * 1 + 0.25 * 0.5 + 0.25 * 0.25)
    area = sum(float(np.asarray(bar.width) @ np.asarray(bar.y)) for bar in score_area([one]).data)
    assert area == pytest.approx(one.score)


def test_users_who_would_read_on_are_hatched():
    bars = score_area([walked()]).data
    assert [bar.marker.pattern.shape for bar in bars] == [None, "/"]
    assert len(score_area([walked(beyond=0.0)]).data) == 1


def test_two_users_are_told_apart_without_colour():
    drawn = cwl_curves((1, 0), 1, [walked(), walked()], ["0,0", "1,1"])
    curves = [trace for trace in drawn.data if trace.mode == "lines+markers"]
    assert len(curves) == 6 and len({(c.line.dash, c.marker.symbol) for c in curves}) == 2
    patterns = {bar.marker.pattern.shape for bar in effect_bars([np.ones(2), np.ones(2)], ["a", "b"]).data}
    assert len(patterns) == 2


def test_along_g_and_the_limits():
    drawn = along_g(np.array([0, 1.0]), {"GAP": np.array([0.2, 0.4])}, 0.3, "g", HOSTILE)
    assert drawn.layout.shapes[0].x0 == 0.3 and drawn.layout.yaxis.title.text == SAFE
    grown = growing_list(np.array([1.0, 1000.0]), {"GAP": np.array([0.5, 0.99])}, {"GAP": 1.0}, 30)
    assert list(grown.data[1].y) == [1.0, 1.0] and grown.layout.xaxis.type == "log"


def test_the_corners_of_the_triangle():
    drawn = simplex(np.eye(3), np.array([0.1, 0.2, 0.3]), (0, 0, 1), "GAP")
    assert [tuple(xy) for xy in zip(drawn.data[0].x, drawn.data[0].y, strict=True)] == [(0, 0), (1, 0), (0.5, 0.86603)]
    assert (drawn.data[1].x[0], drawn.data[1].y[0]) == (0.5, 0.86603)


def test_the_plane_shows_classes_lines_and_documents():
    points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    lines = [(np.array([0.0, 1.0]), np.array([1.0, 0.0]))]
    drawn = plane(
        points,
        np.array([0, 1, 2]),
        ["a", "b", HOSTILE],
        [(0, 1), (1, 2)],
        lines,
        [(1, "d1"), (1, "d2")],
        [["0", "0"], ["1", "0"], ["1", "1"]],
        ("across", "up"),
        ([0.0, 1.0], [0.0, 1.0]),
        (("not", "highly"), ("not correct", "correct")),
        [[("0", "0"), ("1", "0"), ("1", "1")]] * 2,
    )
    assert drawn.data[-1].meta["drag"][0][1] == {"x": 1.0, "y": 0.0, "given": ["1", "0"]}
    assert drawn.layout.yaxis.ticktext == ("not", "correct")
    tuples = next(trace for trace in drawn.data if trace.customdata is not None)
    assert list(tuples.text) == ["0", "1", "2"] and tuples.customdata[2][2] == SAFE
    names = [trace.text[0] for trace in drawn.data if trace.mode == "markers+text" and trace.customdata is None]
    assert names == ["<b>d1</b>", "<b>d2</b><br>"], "the second stands above the first"


def test_orders_are_drawn_at_their_scores():
    drawn = orders(["d1 d2", "d2 d1"], ["CAM", "MM"], np.array([[0.5, 1.0], [0.25, 0.75]]))
    assert [list(trace.x) for trace in drawn.data] == [[0.5, 1.0], [0.25, 0.75]]


def test_the_winner_has_a_ring():
    drawn = by_mean(["AM", "GM"], ["a", "b"], np.array([[0.2, 0.4], [0.3, 0.1]]), [[1], [0]])
    assert list(drawn.data[-1].y) == [0.4, 0.3] and list(drawn.data[-1].text) == ["b", "a"]


def test_epsilon_is_on_a_logarithmic_axis():
    eps = 10.0 ** np.arange(-6, 3.0)
    drawn = along_eps(eps, ["a"], np.linspace(0.1, 0.2, 9)[:, None], np.array([0.21]), 0.01)
    assert drawn.layout.xaxis.type == "log" and drawn.data[-1].y[0] == 0.21
    assert drawn.layout.xaxis.ticktext == ("10⁻⁶", "10⁻⁴", "0.01", "1", "100")


def test_topics_before_and_after():
    raw, standard = np.array([[0.1, 0.9]]), np.array([[0.2, 0.8]])
    drawn = standardised_rows(["t1"], raw, standard, ["a", "b"], np.ones((2, 1, 5)))
    points = [trace for trace in drawn.data if trace.mode == "markers"]
    assert [trace.x[0] for trace in points] == [0.1, 0.9, 0.2, 0.8]
    assert sum(bool(trace.showlegend) for trace in points) == 2


def test_a_list_marks_ties_and_the_unjudged():
    drawn = judged_list([[1], [0, -1]], ["a", "b", "c"], 3, ["", "", ""])
    assert list(drawn.data[0].text) == ["1", "0", "?"]
    (tie,) = drawn.layout.shapes
    assert (tie.x0, tie.x1) == pytest.approx((1.53, 3.47))


def test_the_steps_lead_from_the_first_to_the_last_number():
    drawn = step_bars(["one", "ties", "base", "two"], np.array([0.2, 0.1, 0.4, 0.4]), "AP")
    ends, up, down = drawn.data
    assert list(ends.x) == [0.2, 0.4]
    assert (up.base[0], up.x[0]) == (0.1, 0.3) and (down.base[0], down.x[0]) == (0.2, -0.1)
    assert up.marker.pattern.shape != down.marker.pattern.shape
    assert len(step_bars(["one", "two"], np.array([0.2, 0.2]), "AP").data) == 1


def test_the_range_of_ties_holds_every_rule():
    drawn = tie_range(0.2, 0.3, 0.4, [("file", 0.25)], "AP")
    assert list(drawn.data[0].x) == [0.2, 0.4] and drawn.data[1].x[0] == 0.3 and drawn.data[2].x[0] == 0.25
    assert tie_range(0.2, 0.2, 0.2, [], "AP").layout.xaxis.range[0] < 0.2


def steps_of(values) -> Steps:
    step = np.diff(values)
    return Steps(np.sign(step).astype(np.int8), step == step.mean())


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        ([0, 1, 2, 3], ["equal steps"]),
        ([0, 1, 3, 4], ["unequal steps"]),
        ([0, 2, 1, 3], ["equal steps", "unequal steps", "not rising"]),
    ],
)
def test_steps_are_coloured_by_kind(values, kinds):
    found = np.array(values, dtype=np.float64)
    drawn = against_order(np.arange(4), found, steps_of(found), ["a", "b", "c", "d"], None, "M")
    bars = [trace.name for trace in drawn.data if trace.type == "bar"]
    assert set(bars) <= set(kinds) and bars


def test_many_runs_are_drawn_as_lines():
    rho = np.arange(400)
    values = np.sin(rho / 10)
    drawn = against_order(rho, values, steps_of(values), ["x"] * 400, (3, 4), "M")
    assert not [trace for trace in drawn.data if trace.type == "bar"]
    assert [trace.name for trace in drawn.data][-1] == "not rising"


def test_both_orders_hold_all_runs():
    drawn = two_orders(["00", "01", "10", "11"], [0, 1, 2, 3], [(0, 1), (1, 2), (2, 3)])
    named = [trace for trace in drawn.data if trace.mode == "markers+text"]
    assert [list(trace.text) for trace in named] == [["00", "01", "10", "11"]] * 2


def test_names_are_escaped_in_a_scatter():
    drawn = system_scatter([HOSTILE], np.array([0.1]), np.array([0.2]), (HOSTILE, "b"))
    assert drawn.data[0].customdata[0][0] == SAFE and drawn.layout.xaxis.title.text == f"mean {SAFE}"
