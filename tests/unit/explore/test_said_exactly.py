"""Sentences of special cases: systems that move equally far, a single system, negative numbers, ties."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.explore.score_difference import MovedDocument, ScoreDifference, because, score_words
from irviz.figures import theme
from irviz.stats.scores import Scores
from irviz.workspace.context import Dataset
from irviz.workspace.control import Choice
from tests.panels import context_of, opened_once, panel_of


def collection(systems: dict[str, list[str]], grades: dict[str, int]) -> Dataset:
    """One topic: a list of documents for every system, and the grades of documents."""
    rows = [("1", doc, -rank, name) for name, docs in systems.items() for rank, doc in enumerate(docs)]
    runs = pd.DataFrame(rows, columns=["query_id", "doc_id", "score", "system"])
    qrels = pd.DataFrame([("1", *pair) for pair in grades.items()], columns=["query_id", "doc_id", "relevance"])
    return Dataset("x", "x", irviz.collection_from_frames(qrels, runs))


def test_the_page_on_averages_names_no_system_as_the_only_one_that_moves_most():
    """By the mean the first is ahead, by the median the second: both move by one rank."""
    values = np.array([[[0.9, 0.3], [0.1, 0.2], [0.1, 0.2], [0.3, 0.4]]])
    context = context_of(Dataset("m", "m", imported=Scores(values, ("AP",), tuple("1234"), ("a", "b"))))
    sentence = panel_of(context, "aggregation").sentence
    assert "2 systems move most, such as `a`, between ranks 1 and 2." in sentence


def test_the_bundled_aspects_have_several_systems_that_move_most():
    context = context_of(Dataset("multiaspect", "Aspects", opened_once("multiaspect")))
    panel = panel_of(context, "aggregation")
    (frame,) = [t.frame for t in panel.tables.values() if "system" in t.frame and len(t.frame) == 24][:1]
    ranks = frame.filter(like="rank").to_numpy(float)
    spread = ranks.max(axis=1) - ranks.min(axis=1)
    many = int((spread == spread.max()).sum())
    assert many > 1 and f"{many} systems move most" in panel.sentence and "moves most" not in panel.sentence


def test_every_page_counts_documents_judged_below_zero():
    grades = {"a": 2, "b": 1, "c": 0, "d": -1, "e": -2}
    context = context_of(collection({"x": ["a", "d"], "y": ["c", "b"]}, grades), measures="AP")
    assert "Of 5 judged documents" in panel_of(context, "collection").sentence
    assert "5 judgments of 1 topic" in panel_of(context, "incomplete").sentence


def test_a_claim_about_one_system_asks_for_more():
    context = context_of(collection({"x": ["a", "b"]}, {"a": 1, "b": 0}), measures="AP")
    with pytest.raises(IrvizError) as refused:
        panel_of(context, "conclusion")
    assert str(refused.value) == "A claim compares systems, and x is the only one. Load more runs."


def test_judges_who_tie_all_systems_put_nobody_first():
    runs = pd.DataFrame(
        [("1", doc, 1.0, name) for name, doc in (("x", "a"), ("y", "b"))],
        columns=["query_id", "doc_id", "score", "system"],
    )
    columns = ["query_id", "doc_id", "relevance", "q"]
    qrels = pd.DataFrame([("1", doc, 1, 1) for doc in "ab"], columns=columns)
    data = irviz.collection_from_frames(qrels, runs, judges=True)
    sentence = panel_of(context_of(Dataset("j", "j", data), measures="AP"), "judges").sentence
    assert "both tie all systems" in sentence and "first" not in sentence


def test_a_choice_without_options_lists_nothing():
    with pytest.raises(IrvizError) as refused:
        Choice(name="judge", label="Judge", default="", options=()).check("NIST")
    assert str(refused.value) == "`NIST` cannot be chosen, because these data leave no choice"


@pytest.mark.parametrize(("whole", "start"), [(0.4, "in part because"), (0.39, "mainly because")])
def test_half_of_a_difference_is_not_most_of_it(whole: float, start: str):
    named = (MovedDocument(1.0, 5, 1, 0.1), MovedDocument(1.0, 6, 2, 0.1))
    assert because(ScoreDifference(whole, named, whole - 0.2)).startswith(f", {start} ")


def test_numbers_below_zero_have_a_minus_sign():
    assert score_words(0.00002) == "2.0e−05" and score_words(-0.25) == "−0.250"
    grades = {"a": 1, "b": 0, "c": 0}
    context = context_of(collection({"x": ["a", "b", "c"], "y": ["b", "c", "a"]}, grades), measures="AP,R@1")
    for page in ("similarity", "scores", "collection", "incomplete"):
        assert "-0." not in panel_of(context, page).sentence


@pytest.mark.parametrize("template", [theme.LIGHT, theme.DARK])
def test_axes_write_no_metric_prefix(template):
    """Plotly's default writes 0.0004 as 400μ and 20,000 as 20k."""
    for axis in (template.layout.xaxis, template.layout.yaxis):
        assert axis.exponentformat == "power" and axis.minexponent == 5 and axis.separatethousands
