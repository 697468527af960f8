"""Of many topics and many systems, figures show distributions and points: few enough to read, and the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.explore.scores import GROUPS, ecdf, topic_heatmap
from irviz.explore.topics import FIRST_TOPICS
from irviz.figures.pools import topic_grade_bars
from irviz.figures.ranking import MOST_LINES, slope
from irviz.figures.theme import MOST_TOPICS, labels
from irviz.workspace.context import Dataset
from tests.panels import context_of, drawing_of, panel_of

RNG = np.random.default_rng(3)
TOPICS = 1_000


def test_grades_of_many_topics_are_shares_of_them():
    counts = RNG.integers(0, 6, (TOPICS, 2))
    curves = topic_grade_bars([str(t) for t in range(TOPICS)], counts, ["grade 1", "grade 2"]).data
    assert len(curves) == 2
    for g, curve in enumerate(curves):
        share = {int(x): float(y) for x, y in zip(curve.x, curve.y, strict=True)}
        assert share == pytest.approx({n: (counts[:, g] >= n).mean() for n in range(7)})


def test_many_topics_are_groups_of_a_heatmap_with_the_same_mean():
    values = np.sort(RNG.random((TOPICS, 3)), axis=0)[::-1]
    cells, _ = topic_heatmap([str(t) for t in range(TOPICS)], ["a", "b", "c"], values, "AP", (0.0, 1.0)).data
    assert cells.z.shape == (3, GROUPS) and len(cells.x) == GROUPS
    np.testing.assert_allclose(cells.z.mean(axis=1), values.mean(axis=0), atol=1e-4)


def test_names_of_topics_stand_above_and_below_a_heatmap():
    drawn = topic_heatmap(["401", "402"], ["a"], np.zeros((2, 1)), "AP", (0.0, 1.0))
    assert drawn.layout.xaxis2.side == "top" and drawn.layout.xaxis2.showticklabels
    assert list(drawn.data[1].x) == list(drawn.data[0].x) == ["401", "402"]


def test_a_curve_of_many_topics_keeps_its_shares():
    values = RNG.random((TOPICS, 1))
    curve = ecdf(["a"], values, [0], "AP").data[0]
    assert len(curve.x) <= MOST_TOPICS and curve.y[-1] == 1.0
    np.testing.assert_allclose(curve.y, [(values.round(4) <= x).mean() for x in curve.x], atol=2 / TOPICS)


def test_the_page_on_many_topics_shows_the_first_and_how_all_spread():
    topics = MOST_TOPICS + 20
    qrels = ("q", "".join(f"{t} 0 d 1\n{t} 0 e {t % 2}\n" for t in range(topics)).encode())
    runs = [
        (name, "".join(f"{t} Q0 {'xd'[(t * k) % 3 > 0]} 1 9 r\n{t} Q0 e 2 8 r\n" for t in range(topics)).encode())
        for name, k in (("r", 1), ("s", 2), ("t", 4))
    ]
    context = context_of(Dataset("many", "Many", irviz.load_collection(qrels, runs)), measures="AP")
    panel = panel_of(context, "topics")
    assert len(drawing_of(panel, "topics").figure.data[1].x) == FIRST_TOPICS
    assert sum(drawing_of(panel, "spread").figure.data[0].y) == topics == len(panel.tables["Topics"].frame)


def test_many_systems_are_points_by_both_ranks():
    count = MOST_LINES + 40
    left, right = np.arange(1, count + 1), RNG.permutation(count) + 1
    drawn = slope([f"s{i}" for i in range(count)], left, right, ("AP", "RR"), [3, 90])
    points = {name: (x, y) for one in drawn.data for name, x, y in zip(one.customdata, one.x, one.y, strict=True)}
    assert points == {f"s{i}": (left[i], right[i]) for i in range(count)}
    assert [one.text[0] for one in drawn.data[1:]] == ["s3", "s90"]


def test_an_ending_that_all_names_share_is_left_out():
    assert labels(["input.a.dat", "input.b.dat"]) == ["input.a", "input.b"]
    assert labels(["a.dat", "b.run"]) == ["a.dat", "b.run"] and labels(["only.dat"]) == ["only.dat"]
    assert labels(["RBP(p=0.5)", "RBP(p=0.8)"]) == ["RBP(p=0.5)", "RBP(p=0.8)"]
