"""Deals of the topics against the analysis of consistency, and quizzes against other ways to the same answer."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from scipy.stats import kendalltau

from irviz.labs.aggregation import model as means
from irviz.labs.aggregation.model import AM, DEALS, EPS, GM, HALVED, MEASURE, SHARES, repeated_rankings
from irviz.labs.aspects import model as distances
from irviz.labs.deals import deal_drawing, deals
from irviz.labs.graded_ap.model import fraction_words, graded_scores
from irviz.labs.lab import QUIZ
from irviz.menu import page_named
from irviz.stats.consistency import consistency
from irviz.stats.scores import score
from irviz.workspace.phrases import number
from tests.panels import opened_once
from tests.unit.labs.test_steps_of_labs import asked as question_at

SEEDS = range(1, 40)


@pytest.mark.parametrize(("summary", "eps", "name"), [("mean", None, AM), ("geometric", EPS, GM)])
def test_deals_are_those_of_the_analysis_of_consistency(summary, eps, name):
    scores = score(opened_once(HALVED), [MEASURE])
    of = consistency(scores, trials=DEALS, summary=summary, eps=eps, seed=0)
    found = deals(scores, DEALS, summary=summary, eps=eps)
    assert (found.tau == of.trials[0]).all()
    assert repeated_rankings().curves[name][0] == of.mean[0]
    assert (repeated_rankings().dealt[name][0].places == found.places).all()
    assert found.tau[0] == pytest.approx(kendalltau(*found.places[0]).statistic), "what is drawn is what is told"


def test_one_deal_names_the_winners_of_both_halves():
    found = repeated_rankings().dealt[AM][int(np.flatnonzero(SHARES == 0.7)[0])]
    drawing = deal_drawing(found, 3, AM)
    for half in (0, 1):
        assert found.first(2, half)
        assert all(
            best in drawing.title and best in " ".join(drawing.figure.data[1].text) for best in found.first(2, half)
        )
    others, winners = drawing.figure.data
    assert len(others.x) + sum(len(names.split(", ")) for names in winners.text) == len(found.systems)


def by_hand(name: str, row: list[float]) -> float:
    """A mean, from the standard library."""
    added = [x + 0.01 for x in row]
    return {
        "AM": lambda: statistics.fmean(row),
        "GM": lambda: math.prod(row) ** (1 / len(row)),
        "εGM": lambda: statistics.geometric_mean(added) - 0.01,
        "HM": lambda: statistics.harmonic_mean(row),
        "εHM": lambda: statistics.harmonic_mean(added) - 0.01,
        "median": lambda: statistics.median(row),
    }[name]()


def test_the_winner_by_a_mean_is_that_of_the_standard_library():
    names = set()
    for seed in SEEDS:
        drawn = means.drawn_scores(seed)
        name, scores = drawn["mean"], means.table_of(drawn)
        values = [by_hand(name, scores[:, s].tolist()) for s in range(scores.shape[1])]
        asked = question_at(page_named("lab_aggregation"), step=QUIZ, seed=str(seed))
        assert asked.answer == (f"s{values.index(max(values)) + 1}",)
        names.add(name)
    assert names == set(means.MEAN_RULES)


def test_the_first_document_by_a_distance_is_the_nearest_by_hand():
    kinds = set()
    for seed in SEEDS:
        drawn = distances.drawn_documents(seed)
        kind, labels = drawn["distance"], distances.documents(drawn)
        missing = [(3 - relevance, 3 - (0, 1.5, 3)[correctness]) for relevance, correctness in labels]
        far = [{"euclidean": math.hypot(*gap), "manhattan": sum(gap), "chebyshev": max(gap)}[kind] for gap in missing]
        asked = question_at(page_named("lab_aspects"), step=QUIZ, seed=str(seed))
        assert asked.answer == tuple(f"d{i}" for i, d in enumerate(far, 1) if d <= min(far) + 1e-9)
        kinds.add(kind)
    assert kinds == set(distances.DISTANCE_RULES)


@pytest.mark.parametrize("grades", [(1, 1, 1, 2), (2, 0, 1, 0, 2), (1,), (2, 2)])
@pytest.mark.parametrize("g", [(0.1, 0.9), (0.5, 0.5), (1.0, 0.0)])
def test_the_fraction_of_gap_by_hand_is_gap(grades, g):
    said, _ = fraction_words(grades, g)
    assert said.endswith(f"= {number(graded_scores(grades, g)['GAP'])}"), said
