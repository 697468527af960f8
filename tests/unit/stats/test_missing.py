"""Missing scores: averages are over what is there, comparisons on what is common, and nothing becomes 0."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irviz
from irviz.errors import IrvizError
from irviz.stats.aggregate import SUMMARIES
from irviz.stats.correlation import COEFFICIENTS, merge_ties
from irviz.stats.scores import Scores
from irviz.stats.topic_effects import swaps

RNG = np.random.default_rng(5)
SYSTEMS = tuple("abcdef")
WHOLE = np.round(RNG.random((2, 20, 6)) / 2 + np.linspace(0, 0.5, 6), 3)
HOLED = WHOLE.copy()
HOLED[0, 3, 1] = HOLED[0, 11, 4] = HOLED[1, 7, 0] = np.nan
COMMON = [t for t in range(20) if t not in (3, 7, 11)]


def cube(values: np.ndarray, topics: list[int] | None = None) -> Scores:
    names = tuple(f"t{t}" for t in (range(values.shape[1]) if topics is None else topics))
    return Scores(values.copy(), ("AP", "RR")[: len(values)], names, SYSTEMS[: values.shape[2]])


S, REST = cube(HOLED), cube(HOLED[:, COMMON], COMMON)


def test_common_topics() -> None:
    assert S.common().topics == REST.topics
    np.testing.assert_array_equal(S.common().values, REST.values)
    assert REST.common() is REST


def test_no_common_topic_is_refused_by_name() -> None:
    values = WHOLE.copy()
    values[1, :, 2] = np.nan
    with pytest.raises(IrvizError, match="c lacks most, 20 of 40"):
        irviz.consistency(cube(values), trials=2)


@pytest.mark.parametrize("how", list(SUMMARIES))
def test_averages_are_over_what_is_there(how: str) -> None:
    averages = irviz.summarise(S["AP"], how)
    for system in SYSTEMS:
        alone = irviz.summarise(S["AP"][[system]].dropna(), how)
        assert averages[system] == alone[system]
    assert irviz.summarise(S["AP"])["b"] == pytest.approx(np.delete(WHOLE[0, :, 1], 3).mean(), abs=1e-15)


def test_ties_do_not_make_a_score_of_what_is_missing() -> None:
    np.testing.assert_array_equal(merge_ties(np.array([0.1 + 0.2, np.nan, 0.3])), [0.3, np.nan, 0.3])
    assert np.isnan(S.order("AP")[3, 1])


@pytest.mark.parametrize("cdf", [True, False])
def test_standardised(cdf: bool) -> None:
    found = irviz.standardise(S["AP"], cdf=cdf)
    there = irviz.standardise(S["AP"].drop(columns="b"), cdf=cdf)
    np.testing.assert_array_equal(found.loc["t3"].dropna(), there.loc["t3"])
    assert found.isna().sum().sum() == 2


@pytest.mark.parametrize("kind", ["surprise", "mean", "max"])
def test_hardness(kind: str) -> None:
    assert irviz.hardness(S["AP"], kind)["t3"] == irviz.hardness(S["AP"].drop(columns="b"), kind)["t3"]


@pytest.mark.parametrize("method", ["randomised_tukey", "paired_bootstrap", "anova_tukey", "kruskal_tukey"])
def test_tests_are_on_common_topics(method: str) -> None:
    found = irviz.significance(S["AP"], method, trials=100)
    rest = irviz.significance(S["AP"].dropna(), method, trials=100)
    np.testing.assert_array_equal(found.p_values, rest.p_values)
    assert (found.topics, len(S.topics)) == (18, 20)


@pytest.mark.parametrize("coefficient", list(COEFFICIENTS))
@pytest.mark.parametrize("by", ["overall", "topic"])
def test_similarity_is_of_the_systems_that_both_have(by: str, coefficient: str) -> None:
    values = HOLED.copy()
    values[1, :, 5] = np.nan  # one system has no score under one measure
    found = irviz.similarity(cube(values), by=by, coefficient=coefficient)
    assert found.systems_compared.tolist() == [[6, 5], [5, 5]]
    if by == "overall":
        averages = np.nanmean(values[0], axis=0)[:5], np.nanmean(values[1, :, :5], axis=0)
        expected = COEFFICIENTS[coefficient].row_by_row(*averages)
    else:
        there = ~np.isnan(values[0, 3]) & ~np.isnan(values[1, 3])
        expected = COEFFICIENTS[coefficient].row_by_row(values[0, 3, there], values[1, 3, there])
        assert found.per_topic is not None
        assert found.topics_defined.tolist() == [[20, 20], [20, 20]]
        assert found.values[0, 1] == pytest.approx(found.per_topic[:, 0, 1].mean(), abs=1e-12)
    value = found.values[0, 1] if by == "overall" else found.per_topic[3, 0, 1]
    assert value == pytest.approx(float(expected), abs=1e-12)
    if coefficient == "tau" and by == "overall":
        assert value == pytest.approx(stats.kendalltau(*averages).statistic)


def test_consistency_splits_common_topics() -> None:
    found, rest = (irviz.consistency(s, trials=20) for s in (S, REST))
    np.testing.assert_array_equal(found.trials, rest.trials)
    assert found.topics == len(COMMON)


def test_power_and_swaps_are_of_common_topics() -> None:
    pd.testing.assert_frame_equal(irviz.power(S).frame(), irviz.power(REST).frame())
    pd.testing.assert_frame_equal(swaps(S["AP"]).frame(), swaps(S["AP"].dropna()).frame())


def test_conclusions_are_of_common_topics() -> None:
    found, rest = (irviz.conclusion(s, "f > a", trials=50) for s in (S, REST))
    pd.testing.assert_frame_equal(found.frame(), rest.frame())
    assert len(found.topics) == len(COMMON)
    np.testing.assert_array_equal(irviz.undisputed(S).share, irviz.undisputed(REST).share)


def test_frames_may_have_holes() -> None:
    scores = irviz.scores_from_frames({"AP": S["AP"]})
    np.testing.assert_array_equal(scores.values[0], HOLED[0])
    assert [finding.severity for finding in scores.findings] == ["warning"]
    assert scores.shown().loc["AP", "mean"] == pytest.approx(np.nanmean(HOLED[0]))
