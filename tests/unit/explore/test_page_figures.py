"""Figures that one page draws, as data: what is drawn is what was computed."""

from __future__ import annotations

import numpy as np
import pytest

from irviz.explore.consistency import beats
from irviz.explore.scores import density, ecdf
from irviz.figures.squares import combination_grid


def test_who_beats_whom_is_a_sign():
    p = np.array([[1, 0.01, np.nan], [0.01, 1, 0.5], [np.nan, 0.5, 1]])
    won = np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 0]])
    drawn, still = beats(["a", "b", "c"], won, p).data
    assert [list(row) for row in drawn.text] == [["", "▲", ""], ["▽", "", ""], ["", "", ""]]
    assert (still.text, [*zip(still.y, still.x, strict=True)]) == (
        "·",
        [("a", "c"), ("b", "c"), ("c", "a"), ("c", "b")],
    )


def test_the_grid_stars_what_is_canonical_and_marks_what_is_constant():
    values = np.array([[0.5, 2.0], [0.25, 0.125]])
    canonical = np.array([[True, False], [False, False]])
    constant = np.array([[False, False], [False, True]])
    how = {"unit": "score", "logarithmic": True}
    cells, *texts = combination_grid(["m1", "m2"], ["ERG", "ERR"], values, canonical, constant, **how).data
    assert [list(one.text) for one in texts] == [["★ .500", "2", ".250"], ["const."]]
    assert texts[1].textfont.color is None, "the page's own ink, where a cell has no colour"
    assert cells.z[0][1] == pytest.approx(np.log10(2), abs=1e-4) and np.isnan(cells.z[1][1])


def test_an_ecdf_ends_at_all_topics():
    curve = ecdf(["a"], np.array([[0.3], [0.1], [0.2]]), [0], "AP").data[0]
    assert curve.x.tolist() == [0.1, 0.2, 0.3] and curve.y[-1] == 1.0


def test_one_run_whose_scores_are_all_alike_does_not_flatten_the_other_densities():
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.uniform(size=(50, 5)), np.full(50, 0.3)])
    drawn = density([f"s{i}" for i in range(6)], values, [0], "AP", 0.0, 1.0)
    others = max(np.nanmax(trace.y[:161]) for trace in drawn.data[1:])
    assert drawn.layout.yaxis.range[1] < 4 * others
    assert [one.text for one in drawn.layout.annotations] == ["1 curve is higher than the figure"]
    same = density(["a", "b"], values[:, 1:3], [0], "AP", 0.0, 1.0)
    assert not same.layout.annotations
