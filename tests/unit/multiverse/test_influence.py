"""Which topics carry a difference: against all subsets of topics."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import irviz
from irviz.multiverse.dimensions import Average
from irviz.multiverse.influence import Contrast

RNG = np.random.default_rng(21)
TOPICS = tuple("abcdefghij")


MEAN = Average("mean")


def contrast(first: np.ndarray, second: np.ndarray, average: Average = MEAN, test: str = "t") -> Contrast:
    return Contrast(("A", "B"), TOPICS[: len(first)], first, second, average, test, alpha=0.1, trials=99, seed=0)


def fewest(n: int, lost) -> int | None:
    """The size of the smallest set of topics without which `lost` is true of those that remain."""
    for k in range(n - 1):
        if any(lost(np.delete(np.arange(n), gone)) for gone in combinations(range(n), k)):
            return k
    return None


def cases() -> list[np.ndarray]:
    """Differences of nine topics: plain, with outliers that hide a difference, nearly constant, with ties."""
    plain = [RNG.normal(0.12, 0.15, 9) for _ in range(6)]
    hidden = [np.append(RNG.normal(0.05, 0.02, 8), outlier) for outlier in (0.9, -0.2, 0.4)]
    return [*plain, *hidden, np.full(9, 0.1) + np.arange(9) / 1000, np.array([0.1] * 4 + [0.2] * 3 + [0.0, -0.1])]


@pytest.mark.parametrize("d", cases(), ids=range(11))
def test_fewest_topics_are_those_of_all_subsets(d: np.ndarray):
    second = np.full(9, 0.3)
    found = contrast(second + d, second).fewest()
    mean = d.mean()

    def insignificant(rows: np.ndarray) -> bool:
        left = d[rows]
        t = stats.ttest_1samp(left, 0) if np.ptp(left) > 1e-12 else None
        return t is not None and (t.pvalue >= 0.1 or np.sign(t.statistic) != np.sign(mean))

    assert found["significance"] == fewest(9, insignificant)
    sign = fewest(10, lambda rows: rows.max(initial=0) < 9 and d[rows[rows < 9]].sum() * mean <= 1e-12)
    assert found["sign"] in (sign, fewest(9, lambda rows: d[rows].sum() * mean <= 1e-12))


def test_the_sign_test_counts_topics_ahead():
    d = np.array([0.1] * 8 + [-0.1])
    found = contrast(0.5 + d, np.full(9, 0.5), test="sign").fewest()
    ahead = next(k for k in range(8) if stats.binomtest(8 - k, 9 - k).pvalue >= 0.1)
    assert found["significance"] == ahead


@pytest.mark.parametrize("test", ["wilcoxon", "bootstrap", "randomisation"])
def test_other_tests_lose_significance_too(test: str):
    d = np.random.default_rng(0).normal(0.15, 0.1, 10)
    found = contrast(0.5 + d, np.full(10, 0.5), test=test).fewest()["significance"]
    assert found is not None and 0 < found < 9


def test_a_difference_on_every_topic_keeps_its_sign_until_too_few_are_left():
    d = np.full(6, 0.1)
    assert contrast(0.5 + d, np.full(6, 0.5)).fewest() == {"significance": 2, "sign": None}


@pytest.mark.parametrize("average", [Average("mean"), Average("geometric"), Average("harmonic", 0.1)], ids=str)
def test_what_topics_add_adds_up(average: Average):
    found = contrast(RNG.random(10), RNG.random(10), average)
    assert found.adds.sum() == pytest.approx(found.difference, abs=1e-14)
    assert found.adds.is_monotonic_decreasing
    assert set(found.adds.index) == set(TOPICS)


def test_to_a_mean_a_topic_adds_its_difference_over_their_number():
    a, b = RNG.random(10), RNG.random(10)
    expected = dict(zip(TOPICS, (a - b) / 10, strict=True))
    for average in (Average("mean"), Average("median")):
        assert contrast(a, b, average).adds.to_dict() == pytest.approx(expected)


def test_it_is_of_the_first_world():
    c = irviz.open_collection("adhoc")
    a, b = c.systems[:2]
    w = irviz.worlds(c, measure=["P@10", "AP"], average=["standardised", "mean"], test=["sign", "t"], topics=["all"])
    r = irviz.conclusion(c, f"{a} > {b}", w, trials=9)
    matrix = irviz.standardise(irviz.score(c.by_judge(c.judges[0]), "P@10")["P@10"]) if c.judges else None
    assert r.first.test == "sign"
    assert r.topics.sum() == pytest.approx(r.difference[0])
    if matrix is not None:
        expected = ((matrix[a] - matrix[b]) / len(matrix)).sort_values(ascending=False, kind="stable")
        np.testing.assert_allclose(r.topics.to_numpy(), expected.to_numpy(), atol=1e-14)
