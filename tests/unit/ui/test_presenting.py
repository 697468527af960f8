"""Figures in larger type: rows as high as it needs, names apart, nothing cut off, in both themes."""

from __future__ import annotations

import numpy as np
import pytest

from irviz.figures.axes import row_names
from irviz.figures.direct import name_ends
from irviz.figures.ranking import bump_chart
from irviz.figures.theme import DARK, dress, figure, row_height, scatter
from irviz.ui.presenting import LARGER, LEAST, ROW, enlarge, parts
from irviz.ui.show import with_margins
from irviz.workspace.panel import Drawing

SCREEN = 640  #: pixels that a figure has on a screen of 900


def presented(drawn):
    return enlarge(Drawing(with_margins(drawn), "A figure")).figure


@pytest.mark.parametrize("count", [3, 30, 129])
def test_a_row_is_as_high_as_its_larger_name_needs(count):
    names = [f"s{i}" for i in range(count)]
    drawn = row_names(figure([scatter(x=[0.5] * count, y=list(range(count)))], row_height(count)), names)
    layout = presented(drawn).layout
    size = layout.template.layout.yaxis.tickfont.size
    shown, rows = len(layout.yaxis.ticktext), layout.height - layout.margin.t - layout.margin.b
    assert size == pytest.approx(11 * LARGER, abs=0.1) and rows >= ROW * size * shown and layout.height >= LEAST


@pytest.mark.parametrize("height", [340, 800])
def test_a_figure_without_rows_leaves_its_height_to_the_screen_unless_it_is_low(height):
    assert presented(figure([scatter(x=[1], y=[1])], height)).layout.height == LEAST
    assert presented(figure([scatter(x=[1], y=[1])], 100)).layout.height == 100 * LARGER
    assert presented(figure([scatter(x=[1], y=[1])], 1400)).layout.height == pytest.approx(1400 * LARGER)


def test_a_dark_page_has_type_as_large_as_a_light_one():
    drawn = figure([scatter(x=[1], y=[1])], 340)
    light, dark = (presented(dress(drawn, night)).layout.template.layout for night in (False, True))
    assert dark.font.color == DARK.layout.font.color != light.font.color
    for name in ("xaxis", "yaxis"):
        assert dark[name].tickfont.size == light[name].tickfont.size > DARK.layout[name].tickfont.size
        assert dark[name].title.font.size == light[name].title.font.size > DARK.layout[name].title.font.size


def test_names_beside_curves_stand_apart_and_have_a_wider_margin():
    drawn = figure([], 380)
    name_ends(drawn, list("abcdef"), np.tile([[0.5], [0.501]], (3, 4)) + np.linspace(0, 0.1, 6)[:, None], 0, 1, 380)
    drawn.update_yaxes(range=[0, 1])
    layout = presented(drawn).layout
    places = sorted(note.ay for note in layout.annotations)
    assert min(np.diff(places)) * (SCREEN - 140) >= 1.2 * layout.annotations[0].font.size
    assert layout.margin.r == pytest.approx(LARGER * drawn.layout.margin.r, abs=0.1)
    assert [note.y for note in layout.annotations] == [note.y for note in drawn.layout.annotations], "ends stay"


def test_names_of_many_ranks_stay_beside_them_in_their_order():
    ranks = np.array([np.arange(1, 130), np.arange(129, 0, -1)])
    drawn = bump_chart(["first", "second"], [f"s{i}" for i in range(129)], ranks, [0, 1, 2, 70])
    before, after = ([note.y for note in one.layout.annotations] for one in (drawn, presented(drawn)))
    assert np.argsort(before).tolist() == np.argsort(after).tolist() and min(after) > 0 and max(after) < 130
    assert np.abs(np.array(before) - after).max() < 10


def test_distances_in_pixels_grow_with_the_type():
    drawn = figure([scatter(x=[1], y=[1])], 340)
    drawn.add_annotation(text="a", x=1, y=1, ax=0, ay=-20, xshift=6)
    (note,) = presented(drawn).layout.annotations
    assert (note.ay, note.xshift) == (pytest.approx(-20 * LARGER), pytest.approx(6 * LARGER, abs=0.1))


def test_a_figure_in_parts_is_presented_row_by_row_and_its_lines_stay_beside_their_rows():
    notes = [{"text": f"row {i}", "x": 0, "y": i, "font": {"size": 11}} for i in range(40)]
    ranges = [[24.5, -0.5], [39.5, 24.5]]
    drawn = figure([scatter(x=[1], y=[1])], 1600, annotations=notes, margin={"t": 8, "b": 8}, meta={"parts": ranges})
    drawn.update_yaxes(range=[39.5, -0.5])
    first, second = (enlarge(one).figure.layout for one in parts(Drawing(drawn, "")))
    assert [list(one.yaxis.range) for one in (first, second)] == ranges and first.height > second.height
    assert [note.y for note in first.annotations] == list(range(40))
    assert first.annotations[0].font.size > 11 * LARGER
    whole = Drawing(figure([scatter(x=[1], y=[1])], 340), "")
    assert parts(whole)[0] is whole
