"""Standardised scores and topic hardness: definitions, and topics that say nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from irviz.stats.scores import Scores
from irviz.stats.topic_effects import hardness, standardise, standardised_scores, topic_hardness
from tests.refusals import refused

MATRIX = pd.DataFrame(np.random.default_rng(5).random((6, 4)), index=[f"t{i}" for i in range(6)], columns=list("abcd"))


def test_agrees_with_scipy():
    z = stats.zscore(MATRIX.to_numpy(), axis=1, ddof=1)
    ours = standardise(MATRIX)
    np.testing.assert_allclose(ours, stats.norm.cdf(z), atol=1e-14)
    np.testing.assert_allclose(standardise(MATRIX, cdf=False), z, rtol=1e-12)
    assert list(ours.index) == list(MATRIX.index) and list(ours.columns) == list("abcd")


def test_a_topic_without_spread_is_one_half_even_when_its_mean_rounds():
    row = pd.DataFrame([[0.1, 0.1, 0.1]], columns=list("abc"))
    assert row.to_numpy().mean() != 0.1  # the trap: rounding of the mean alone would give z = 0.8
    assert standardise(row).to_numpy().tolist() == [[0.5, 0.5, 0.5]]
    assert standardise(row, cdf=False).to_numpy().tolist() == [[0.0, 0.0, 0.0]]


def test_a_single_system_is_one_half():
    assert standardise(pd.DataFrame({"a": [0.2, 0.9]})).to_numpy().tolist() == [[0.5], [0.5]]


def test_cube_is_standardised_measure_by_measure():
    cube = Scores(np.stack([MATRIX, MATRIX**2]), ("m1", "m2"), tuple(MATRIX.index), tuple("abcd"))
    ours = standardised_scores(cube)
    pd.testing.assert_frame_equal(ours["m2"], standardise(MATRIX**2), check_names=False)


def test_hardness_by_definition():
    x = MATRIX.to_numpy()
    np.testing.assert_allclose(hardness(MATRIX), (x.max(1) - x.mean(1)) / x.std(1, ddof=1))
    np.testing.assert_allclose(hardness(MATRIX, "mean"), 1 - x.mean(1))
    np.testing.assert_allclose(hardness(MATRIX, "max"), 1 - x.max(1))
    assert hardness(MATRIX).index.tolist() == MATRIX.index.tolist()


def test_nothing_surprises_on_a_constant_topic():
    assert topic_hardness(np.full((2, 3), 0.1)).tolist() == [0.0, 0.0]


def test_refusals():
    assert (
        refused(lambda: hardness(MATRIX, "difficulty"))
        == "There is no kind of hardness `difficulty`. Known: surprise, mean and max."
    )
    assert refused(lambda: standardise(MATRIX.replace(MATRIX.iloc[1, 2], np.inf))) == (
        "The score of system c on topic t1 is inf, one of 1 such cells. "
        "Fill it (0 if nothing was found) or leave out the topic or system."
    )


@pytest.mark.parametrize("size", [1e308, 1e-160, 1e-300])
def test_scores_of_any_size_are_standardised_alike(size: float):
    scores = pd.DataFrame([[0.1, 0.4, 0.7, 1.0], [0.5, 0.25, 0.25, 1.0]])
    assert standardise(scores * size).to_numpy() == pytest.approx(standardise(scores).to_numpy(), rel=1e-14)
    assert hardness(scores * size).to_numpy() == pytest.approx(hardness(scores).to_numpy(), rel=1e-14)
