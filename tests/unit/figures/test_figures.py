"""Figures as data: what is drawn is what was given, framed explicitly, told apart without colour."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from irviz.explore.collection import judged_share
from irviz.explore.discriminative import grouped_ranking, pair_kinds
from irviz.explore.scores import boxes, ecdf, topic_heatmap
from irviz.figures.axes import BAND
from irviz.figures.pools import topic_grade_bars
from irviz.figures.ranking import ranking, slope
from irviz.figures.significance import SEPARATION_COLOURS, pair_matrix
from irviz.figures.squares import MOST_NUMBERS, coefficients, combination_grid, ink_on, luminance
from irviz.figures.theme import (
    DASHES,
    DIVERGING,
    MARKERS,
    PALETTE,
    PATTERNS,
    SEQUENTIAL,
    dress,
    labels,
)
from irviz.stats.intervals import kernel_density

HOSTILE = ("<b>x</b>", '<a href="http://evil">y</a>', r"$\alpha$", "![i](http://x)", "%{x}", "401", "&lt;")
RNG = np.random.default_rng(1)
VALUES = RNG.random((9, len(HOSTILE)))
SUMMARY = np.sort(VALUES.mean(axis=0))[::-1]


def drawn_with(names) -> dict:
    n = len(names)
    square = np.clip(RNG.normal(size=(n, n)), -1, 1)
    return {
        "ranking": ranking(names, SUMMARY, SUMMARY - 0.1, SUMMARY + 0.1, names[0], np.arange(len(names)) + 1),
        "boxes": boxes(names, VALUES, names[0]),
        "ecdf": ecdf(names, VALUES, [0, 1], names[0]),
        "topic_heatmap": topic_heatmap([str(i) for i in range(9)], names, VALUES, names[0], (0.0, 1.0)),
        "coefficients": coefficients(names, square, "τ", square, square, (0, 1)),
        "slope": slope(names, np.arange(n) + 1.0, np.arange(n)[::-1] + 1.0, (names[0], names[1]), [0, n - 1]),
        "grade_bars": topic_grade_bars(names, RNG.integers(0, 9, (n, 3)), ["grade 1", "grade 2", names[0]]),
        "judged_share": judged_share(names, RNG.random((n, 2)), [10, 100]),
    }


def texts(value: object):
    """Every text in a figure, but for the templates, which irviz writes, and the rows that a click means."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("hovertemplate", "texttemplate", "template", "rows"):
                yield from texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)


every_figure = cache(lambda: drawn_with(HOSTILE))


@pytest.mark.parametrize("name", list(drawn_with(HOSTILE)))
def test_no_name_is_markup_in_any_figure(name):
    figure = json.loads(every_figure()[name].to_json())
    if name == "coefficients":  # the first two of a point's data are for the program, never drawn
        points = figure["data"][1]
        assert {row[0] for row in points["customdata"]} == set(HOSTILE)
        points["customdata"] = [row[2:] for row in points["customdata"]]
    found = list(texts(figure))
    assert not [text for text in found if set(text) & set("<>${}")]
    assert any("&lt;b&gt;x" in text for text in found) or name in ("grade_bars", "ecdf")


def test_names_that_look_like_numbers_stay_names():
    figure = topic_heatmap(["10", "9"], ["2", "1", "0"], np.zeros((2, 3)), "AP", (0, 1))
    assert figure.layout.yaxis.type == figure.layout.xaxis.type == "category"
    assert figure.layout.yaxis.tickvals == ("2", "1", "0") and figure.data[0].y == ("2", "1", "0")


def test_marked_systems_differ_in_more_than_colour():
    assert len(set(zip(PALETTE, DASHES, strict=True))) == len(PALETTE) == len(MARKERS) == len(PATTERNS)
    curves = ecdf(HOSTILE, VALUES, [0, 1, 2], "AP").data[1:]
    assert len({curve.line.dash for curve in curves}) == 3


def test_the_ranking_draws_the_numbers_given():
    figure = ranking(
        ["a", "b"], np.array([0.5, 0.25]), np.array([0.4, np.nan]), np.array([0.7, np.nan]), "mean", [1, 2]
    )
    trace = figure.data[0]
    assert trace.x.tolist() == [0.5, 0.25] and trace.error_x.array.tolist() == [0.2, 0.0]
    assert trace.customdata[1] == ["b", 2, ""]


def test_a_density_keeps_its_mass_inside_the_scale():
    grid = np.linspace(0, 1, 2001)
    for sample in (RNG.random(50), np.zeros(10), np.ones(3), np.array([0.4])):
        assert np.trapezoid(kernel_density(sample, grid), grid) == pytest.approx(1.0, abs=0.01)
    least = np.linspace(0, 1e-320, 161)
    assert np.isfinite(kernel_density(least[::40], least)).all()


def test_similarity_colours_are_fixed_and_numbers_stop_at_twelve():
    for n, written in ((MOST_NUMBERS, True), (MOST_NUMBERS + 1, False)):
        cells, *numbers = coefficients([str(i) for i in range(n)], np.eye(n), "τ").data
        assert (cells.zmin, cells.zmax, cells.showscale) == (-1, 1, not written)
        assert [len(trace.text) for trace in numbers] == [n * (n - 1) // 2] * written


@pytest.mark.parametrize("scale", [DIVERGING, SEQUENTIAL])
def test_numbers_in_cells_are_read_on_every_colour(scale):
    for place in np.linspace(0, 1, 41).tolist():
        light = {"#000000": 0.0, "#FFFFFF": 1.0}[ink_on(place, scale)]
        low, high = sorted((light, luminance(place, scale)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, place


def test_more_is_darker_on_a_light_page_and_lighter_on_a_dark_one_in_every_step():
    cells = combination_grid(
        ["m"], ["a", "b"], np.array([[0.1, 0.9]]), np.zeros((1, 2), bool), np.zeros((1, 2), bool), "ρ"
    )
    light, dark = ([_luminance(colour) for _, colour in dress(cells, on).data[0].colorscale] for on in (False, True))
    assert light == sorted(light, reverse=True) and dark == sorted(dark) and len(set(dark)) == len(dark)


def test_on_a_dark_page_the_strongest_stands_out_and_its_light_colours_are_known():
    rng = np.linspace(-1, 1, 81).reshape(9, 9)
    light, dark = (dress(coefficients(list("abcdefghi"), rng, "τ"), dark) for dark in (False, True))
    assert luminance(0, light.data[0].colorscale) < luminance(0.5, light.data[0].colorscale)
    for cells, numbers, *_ in (light.data, dark.data):
        for ink, place in zip(numbers.textfont.color, (rng[rng != np.diag(np.diag(rng))] + 1) / 2, strict=False):
            low, high = sorted((_luminance(ink), luminance(float(place), cells.colorscale)))
            assert (high + 0.05) / (low + 0.05) >= 4.5
    page, known, turned = _luminance("#14181D") + 0.05, dark.layout.meta["light"], dict(dark.data[0].colorscale)
    assert [(_luminance(turned[place]) + 0.05) / page > 3 for place, _ in DIVERGING] == [1, 0, 0, 0, 1]
    assert [known[turned[place]] for place, _ in DIVERGING] == [colour for _, colour in DIVERGING]


def test_a_point_of_the_square_names_a_pair_in_its_order_and_the_chosen_pair_is_framed():
    square = np.array([[1, 0.5, 0.2], [0.5, 1, 0.1], [0.2, 0.1, 1]])
    for chosen in ((0, 2), (2, 0)):
        drawn = coefficients(["A", "B", "C"], square, "τ", chosen_pair=chosen)
        points = drawn.data[1]
        assert [list(row[:2]) for row in points.customdata] == [["A", "B"], ["A", "C"], ["B", "C"]]
        assert [*zip(points.y, points.x, strict=True)] == [("B", "A"), ("C", "A"), ("C", "B")]
        frames = [(shape.x0, shape.x1, shape.y0, shape.y1) for shape in drawn.layout.shapes]
        assert frames and all(
            -0.5 < x0 < -0.4 and 0.4 < x1 < 0.5 < y0 < 0.6 and 1.4 < y1 < 1.5 for x0, x1, y0, y1 in frames
        )
    assert not coefficients(["A", "B", "C"], square, "τ", chosen_pair=(1, 1)).layout.shapes


def test_names_that_differ_in_their_middle_stay_different_when_they_are_cut():
    names = [f"TOMA(nDCG@10,distance='{one}',weights=[0.5,0.5])" for one in ("euclidean", "manhattan", "chebyshev")]
    assert len(set(labels(names, 12))) == 3 and labels(["one", "one"], 2) == ["o…", "o…"]


@pytest.mark.parametrize("page", ["#FFFFFF", "#14181D"])
def test_the_four_kinds_of_pairs_differ_in_lightness_on_both_pages_and_neither_is_the_quietest(page):
    neither, *others = (_over(page, colour) for colour in SEPARATION_COLOURS)
    light = sorted([neither, *others])
    assert min((b + 0.05) / (a + 0.05) for a, b in zip(light, light[1:], strict=False)) > 1.5
    from_page = [max(one, _luminance(page)) + 0.05 for one in (neither, *others)]
    from_page = [
        top / (min(one, _luminance(page)) + 0.05) for top, one in zip(from_page, (neither, *others), strict=True)
    ]
    assert 1.1 < from_page[0] < 1.5 * from_page[0] < min(from_page[1:])


def _over(page: str, colour: str) -> float:
    """Relative luminance of a colour on a page that shines through it."""
    if colour.startswith("#"):
        return _luminance(colour)
    *parts, alpha = (float(part) for part in colour.removeprefix("rgba(").rstrip(")").split(","))
    below = [int(page[i : i + 2], 16) for i in (1, 3, 5)]
    mixed = [round(alpha * part + (1 - alpha) * under) for part, under in zip(parts, below, strict=True)]
    return _luminance("#" + "".join(f"{part:02x}" for part in mixed))


@pytest.mark.parametrize("page", ["#FFFFFF", "#14181D"])
def test_every_colour_of_a_curve_stands_out_from_both_pages(page):
    for colour in PALETTE:
        low, high = sorted((_luminance(page), _luminance(colour)))
        assert (high + 0.05) / (low + 0.05) >= 3, colour


def _luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_heatmap_of_scores_beyond_the_short_numbers_shows_them_as_they_are():
    huge = np.array([[1e300, 2.0], [3.0, 1e39]])
    drawn = topic_heatmap(["1", "2"], ["a", "b"], huge, "imported", (2.0, 1e300))
    np.testing.assert_array_equal(np.asarray(drawn.data[0].z, dtype=float), huge.T)


def test_of_many_rows_a_figure_has_both_ends_the_middle_and_the_marked():
    names, values = [f"s{i}" for i in range(60)], np.linspace(1, 0, 60)
    square = np.triu(np.ones((60, 60), dtype=bool), 30)
    kinds = pair_kinds(square | square.T, np.zeros((60, 60), dtype=bool))

    def drawn(every):
        return (
            ranking(names, values, values - 0.1, values + 0.2, "AP", np.arange(60) + 1, [20, 22], every=every),
            boxes(names, np.stack([values, values / 2]), "AP", [20, 22], every),
            judged_share(names, values[:, None], [10], [20, 22], every),
            grouped_ranking(names, values, [(0, 25)], "AP", [20, 22], every),
            pair_matrix(names, kinds, ("AP", "P@10"), [20, 22], every=every),
        )

    few = drawn(False)
    kept = [*range(10), 20, 21, 22, 30, *range(50, 60)]  # 21 is shown where its place would be taken by "1 more"
    for one, whole in zip(few, drawn(True), strict=True):
        rows = {text.removeprefix("▸ <b>").removesuffix("</b>"): y for y, text in _ticks(one)}
        gaps = [text for text in rows if text.startswith("⋮")]
        assert gaps == ["⋮ 10 more", "⋮ 7 more", "⋮ 19 more"] and set(rows) - set(gaps) == {names[i] for i in kept}
        assert one.layout.height < 0.7 * whole.layout.height and one.layout.yaxis.ticktext[-1] == "s59"
        assert [shape.y0 + 0.5 for shape in one.layout.shapes if shape.fillcolor == BAND] == [rows["s20"], rows["s22"]]
        for part, of in zip(one.data, whole.data, strict=False):  # the whole has a second axis at its other end
            at = {rows[name]: i for i, name in enumerate(names) if name in rows}
            for field in ("x", "base", "q1", "median", "upperfence"):
                if (value := getattr(part, field, None)) is not None and not np.isnan(np.asarray(of.y, float)).any():
                    known = dict(zip(of.y.tolist(), getattr(of, field), strict=True))
                    assert list(value) == [known[at[y]] for y in part.y]
    ends = few[0].data[0].error_x
    np.testing.assert_allclose(ends.array, 0.2)
    assert len(ends.arrayminus) == len(few[0].data[0].customdata) == len(kept)
    joined = few[4].data[0]
    assert np.isnan(np.asarray(joined.y, dtype=float)).tolist() == [False, False, True] * len(kept)


def _ticks(drawn):
    return zip(drawn.layout.yaxis.tickvals, drawn.layout.yaxis.ticktext, strict=True)
