"""Intervals that leave the range of the scores are cut where they are shown, and BCa stands beside them."""

from __future__ import annotations

import numpy as np
import pytest

from irviz.stats.intervals import summary_interval
from irviz.stats.scores import Scores
from irviz.workspace.context import Context, Dataset
from tests.panels import context_of, drawing_of, panel_of

#: P@5 of a system that misses one document of one topic: Student's interval ends above 1
NEARLY = np.array([[1.0, 0.2], [1.0, 0.4], [1.0, 0.0], [0.8, 0.2], [1.0, 0.6], [1.0, 0.2]])


def context(values: np.ndarray = NEARLY, **texts: str) -> Context:
    topics = tuple(str(t) for t in range(len(values)))
    return context_of(Dataset("m", "M", imported=Scores(values[None], ("P@5",), topics, ("good", "bad"))), **texts)


def test_students_interval_is_cut_in_the_figure_and_the_sentence_and_said_so():
    panel = panel_of(context(), "scores")
    table = panel.tables["Systems"].frame
    assert table["high"][0] > 1
    trace = drawing_of(panel, "ranking").figure.data[0]
    assert trace.x[0] + trace.error_x.array[0] == pytest.approx(1.0)
    assert f"(95% interval {table['low'][0]:.3f} to 1.000)" in panel.sentence
    (note,) = [note for note in panel.notes if note.startswith("Intervals")]
    assert "The interval of 1 system leaves the range of the scores, 0 to 1, and is cut there" in note


def test_bca_is_offered_beside_and_stays_within_the_range():
    panel = panel_of(context(), "scores", interval="bca")
    table = panel.tables["Systems"].frame
    low, high = summary_interval(NEARLY, kind="bca")
    assert table[["low", "high"]].to_numpy() == pytest.approx(np.stack([low, high], axis=1))
    assert high.max() <= 1 and low.min() >= 0
    (note,) = [note for note in panel.notes if note.startswith("Intervals")]
    assert note.startswith("Intervals: 95%, by the BCa bootstrap over topics") and "leave" not in note


def test_an_average_that_is_no_mean_has_bootstrap_intervals_only():
    panel = panel_of(context(summary="median"), "scores")
    assert any("by the percentile bootstrap" in note for note in panel.notes)


def test_scores_without_known_ends_are_not_cut():
    panel = panel_of(context(NEARLY * 3), "scores")
    assert not any("range of the scores" in note for note in panel.notes)
