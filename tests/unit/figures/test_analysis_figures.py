"""Figures of the analyses as data: what is drawn is what was computed."""

from __future__ import annotations

import numpy as np
import pytest

from irviz.explore.discriminative import grouped_ranking, pair_kinds, reach
from irviz.figures.densities import epsilon_curves, low_score_bars, ridges
from irviz.figures.direct import line_style
from irviz.figures.pools import pool_curves
from irviz.figures.ranking import bump_chart
from irviz.figures.significance import asl_curves, offsets, pair_matrix
from irviz.figures.squares import coefficients
from irviz.stats.correlation import movers

HOSTILE = "<b>x</b> $y$"
SAFE = "&lt;b&gt;x&lt;/b&gt; &#36;y&#36;"


def test_ridges_mark_the_mean_of_what_is_defined_and_skip_what_is_not():
    samples = [np.array([0.2, 0.4, np.nan, 0.6]), np.array([0.9]), np.array([np.nan])]
    drawn = ridges(["a", "b", "c"], samples, ["one", "two", "three"], "τ")
    means = drawn.data[-1]
    assert list(means.x) == [0.4, 0.9] and list(means.y) == [0, 1]
    assert len(drawn.data) == 2  # needles in one row: one number is not a density, nor is one number again and again
    assert [x for x in drawn.data[0].x if np.isfinite(x)] == [0.2, 0.2, 0.4, 0.4, 0.6, 0.6]
    assert len(ridges(["a"], [np.array([0.5, 0.5, 0.5, np.nan])], [""], "τ").data) == 1
    assert [note.text for note in drawn.layout.annotations] == ["one", "two", "three"]


def test_ridges_area_is_one_on_a_common_scale():
    rng = np.random.default_rng(1)
    narrow, wide = rng.normal(0.5, 0.01, 500), rng.normal(0.5, 0.05, 500)
    hills = ridges(["n", "w"], [narrow, wide], ["", ""], "τ").data[:2]
    areas = [np.trapezoid(row - np.array(hill.y), hill.x) for row, hill in enumerate(hills)]
    assert areas[0] == pytest.approx(areas[1], rel=0.03)


def test_asl_curves_end_where_they_cross_alpha():
    asl = np.array([[0.9, 0.2, 0.04, 0.0], [0.9, 0.8, 0.7, 0.05]])
    drawn = asl_curves(["a", HOSTILE], asl, 0.05)
    assert [trace.name for trace in drawn.data[:2]] == ["a: 2", f"{SAFE}: 0"]
    (dots,) = drawn.data[2:]
    aside = offsets(2, 4)
    assert list(dots.x) == [2 + aside[0], aside[1]] and list(dots.y) == [0.05, 0.05], "on the curve, at the count"
    assert list(dots.customdata) == ["a, pairs separated: 2", f"{SAFE}, pairs separated: 0"]
    assert list(dots.marker.color) == [line.line.color for line in drawn.data[:2]]
    assert list(drawn.data[0].customdata) == [2, 2, 1] and list(drawn.data[0].y) == [0.05, 0.04, 0.0]
    np.testing.assert_allclose(drawn.data[0].x, aside[0] + [2, 2, 1])
    assert (
        drawn.data[0].line.shape == "hv"
        and drawn.layout.yaxis.range[1] == 0.05
        and drawn.layout.xaxis.range[0] < 0 < 3 < drawn.layout.xaxis.range[1]
    )


def test_asl_curves_of_thousands_of_pairs_are_thinned_but_exact_at_alpha():
    row = np.sort(np.random.default_rng(0).random(8256))[::-1]
    curve, dots = asl_curves(["a"], row[None], 0.05).data
    separated = int((row < 0.05).sum())
    assert len(curve.x) <= 302 and curve.x[0] == dots.x[0] == curve.x[1] == separated


def test_pairs_fall_into_four_kinds_above_the_diagonal():
    first = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], dtype=bool)
    second = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    kinds = pair_kinds(first, second)
    assert kinds[0, 1] == 3 and kinds[0, 2] == 1 and kinds[1, 2] == 0
    assert np.isnan(kinds[np.tril_indices(3)]).all()
    drawn = pair_matrix(["s1", HOSTILE, "s3"], kinds, ("AP", "RR"))
    assert [trace.name for trace in drawn.data[1:]] == ["both: 1", "only AP: 1", "only RR: 0", "neither: 1"]
    only = drawn.data[2]
    assert list(only.x) == ["s3"] and list(only.y) == ["s1"] and only.marker.symbol == "triangle-up"
    assert drawn.data[0].x[1] == SAFE


def test_of_many_systems_two_dots_count_the_others_that_each_measure_separates():
    n = 80
    first = np.arange(n)[:, None] < np.arange(n)  # every pair, seen from either side
    second = np.zeros((n, n), dtype=bool)
    second[:3, 3:] = True
    drawn = pair_matrix([f"s{i}" for i in range(n)], pair_kinds(first, second), ("A", "B"), [2])
    _, *dots, axis = drawn.data
    assert [trace.name for trace in dots] == ["A", "B"]
    assert [trace.x[0] for trace in dots] == [n - 1, n - 3] and [trace.x[3] for trace in dots] == [n - 1, 3]
    assert dots[0].customdata[0][1] == n - 3 and len(drawn.layout.yaxis.ticktext) == n
    above, below = drawn.layout.xaxis, drawn.layout.xaxis2
    assert (above.side, below.side, axis.xaxis) == ("top", "bottom", "x2"), "an axis at both ends of a long figure"
    assert above.title.text == below.title.text and above.range == below.range and below.matches == "x"


def test_a_bar_covers_the_ranks_of_all_that_share_a_group_with_a_system():
    first, last = reach([(0, 1), (1, 3), (2, 4)], 6)
    assert list(zip(first.tolist(), last.tolist(), strict=True)) == [(0, 1), (0, 3), (1, 4), (1, 4), (2, 4), (5, 5)]
    _, bars, own = grouped_ranking(list("abcdef"), np.linspace(1, 0, 6), [(0, 1), (1, 3), (2, 4)], "mean").data
    np.testing.assert_array_equal(bars.base, first + 0.5)
    np.testing.assert_array_equal(np.add(bars.base, bars.x), last + 1.5)
    assert list(own.x) == [1, 2, 3, 4, 5, 6] and list(own.y) == list(bars.y) == [0, 1, 2, 3, 4, 5]
    assert bars.customdata[1][1] == "rank 2, not separated from others: 3, ranks 1 to 4"
    axis = grouped_ranking([f"s{i}" for i in range(129)], np.linspace(1, 0, 129), [], "mean").layout.xaxis2
    assert list(axis.tickvals) == [1, 50, 100] and axis.tickangle == 0
    assert axis.range[0] < 0.5 - 4 and axis.range[1] > 129.5 + 4, "a dot has room, also in a column of a paper"


def test_pool_curves_run_from_the_largest_pool_to_the_smallest():
    tau = np.array([[0.5, 0.9, 0.7], [0.3, 0.9, 0.7], [0.4, 0.9, 0.7]])
    drawn = pool_curves(["AP", "RR", "P"], (0.1, 0.9, 0.5), tau, tau - 0.1, tau + 0.05, 20)
    *ends, curve, _, _ = drawn.data
    assert list(curve.x) == [0.9, 0.5, 0.1] and list(curve.y) == [0.9, 0.7, 0.5]
    assert [(end.y[0], end.error_y.array[0], end.error_y.arrayminus[0]) for end in ends] == [
        pytest.approx((mean, 0.05, 0.1)) for mean in (0.5, 0.4, 0.3)
    ], "the mean at the smallest share with its band, best first"
    assert 0.1 > ends[0].x[0] > ends[1].x[0] > ends[2].x[0]
    assert drawn.layout.xaxis.range[0] > drawn.layout.xaxis.range[1] and drawn.layout.xaxis.type == "log"


def test_one_repeat_and_an_undefined_measure_draw_no_band_and_no_name():
    tau = np.array([[0.9, 0.5], [np.nan, np.nan]])
    drawn = pool_curves(["AP", "none"], (0.9, 0.5), tau, tau, tau, 1)
    assert len(drawn.data) == 2
    assert [note.text for note in drawn.layout.annotations] == ["AP"]


def test_epsilon_curves_end_at_the_arithmetic_mean():
    eps = np.array([1e-6, 1e-2, 1e2])
    drawn = epsilon_curves(["AP"], eps, np.array([[0.5, 0.7, 0.6]]), np.array([0.61]), 0.01, "τ")
    curve, limit = drawn.data
    assert list(curve.y) == [0.5, 0.7, 0.6] and list(limit.y) == [0.61] and limit.x[0] > 1e2
    assert drawn.layout.xaxis.type == "log" and drawn.layout.xaxis.ticktext == ("10⁻⁶", "10⁻⁴", "0.01", "1", "∞")
    assert drawn.layout.shapes[0].x0 == 0.01


def test_the_bump_chart_names_those_that_move_most():
    ranks = np.array([[1.0, 2, 3, 4], [1, 2, 4, 3], [1, 3, 4, 2]])
    ranks = np.hstack([ranks, np.tile(np.arange(5.0, 10), (3, 1))])
    assert movers(ranks) == [3, 1, 2]
    drawn = bump_chart(["mean", "median", HOSTILE], list("abcdefghi"), ranks, movers(ranks))
    assert [trace.name for trace in drawn.data[1:]] == ["d", "b", "c"]
    assert set(drawn.data[0].customdata) == set("aefghi")
    assert {note.text for note in drawn.layout.annotations} == {"2 d", "3 b", "4 c"}
    assert drawn.layout.yaxis.tickvals == (1, 2, 4, 6, 8)
    assert drawn.layout.xaxis.ticktext[2] == SAFE


def test_low_scores_stack_to_the_share_at_most_the_limit():
    drawn = low_score_bars(["AP"], np.array([0.1]), np.array([0.56]), 0.1)
    zero, near = drawn.data
    assert zero.x[0] == 0.1 and zero.x[0] + near.x[0] == pytest.approx(0.56)
    dark, pale = (sum(int(bar.marker.color[i : i + 2], 16) for i in (1, 3, 5)) for bar in (zero, near))
    assert pale - dark > 200, "told apart in grey, too"


def test_coefficients_are_written_once_a_pair_and_undefined_ones_dashed():
    values = np.array([[1.0, -0.25, np.nan], [-0.25, 1.0, 0.5], [np.nan, 0.5, np.nan]])
    low, high = values - 0.1, values + 0.1
    drawn, numbers, dashes = coefficients(["a", "b", "c"], values, "τ", low, high).data
    assert [*zip(numbers.y, numbers.x, numbers.text, strict=True)] == [("b", "a", "−.25"), ("c", "b", ".50")]
    assert (dashes.x, dashes.y, dashes.text) == (("a",), ("c",), ("–",)) and not dashes.textfont.color, "the page's ink"
    assert drawn.customdata[0][0] == " [−0.350, −0.150]"
    assert (drawn.zmin, drawn.zmax) == (-1, 1)


def test_coefficients_that_depend_on_the_row_have_two_cells_a_pair():
    values = np.array([[1.0, 0.2], [0.4, 1.0]])
    cells, points, numbers = coefficients(["a", "b"], values, "τ_AP", chosen_pair=(1, 0)).data
    assert [*zip(numbers.y, numbers.x, numbers.text, strict=True)] == [("a", "b", ".20"), ("b", "a", ".40")]
    assert [list(row[:2]) for row in points.customdata] == [["a", "b"], ["b", "a"]]
    assert np.isnan(np.diag(cells.z)).all()


def test_neighbouring_curves_differ_without_colour():
    styles = [(style["line"]["dash"], style["marker"]["symbol"]) for style in map(line_style, range(24))]
    assert len(set(styles)) == 24
    assert all(a[0] != b[0] and a[1] != b[1] for a, b in zip(styles, styles[1:], strict=False))
