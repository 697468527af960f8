"""Intervals of summaries: Student's for the mean, and the bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irviz.stats.aggregate import aggregate
from irviz.stats.intervals import INTERVALS, summary_interval
from tests.refusals import refused

VALUES = np.random.default_rng(3).beta(2, 5, (40, 4))


def test_the_mean_has_students_interval():
    low, high = summary_interval(VALUES, confidence=0.9)
    for s in range(4):
        expected = stats.t.interval(0.9, 39, loc=VALUES[:, s].mean(), scale=stats.sem(VALUES[:, s]))
        assert (low[s], high[s]) == pytest.approx(expected)


@pytest.mark.parametrize("how", ["median", "geometric", "harmonic", "geometric_threshold"])
def test_other_summaries_lie_within_their_bootstrap(how):
    low, high = summary_interval(VALUES, how)
    middle = aggregate(VALUES, how)
    assert ((low <= middle) & (middle <= high)).all()
    again = summary_interval(VALUES, how)
    assert np.array_equal(low, again[0]) and np.array_equal(high, again[1])


def test_the_bootstrap_of_a_mean_would_be_close_to_students():
    values = VALUES + 0.0
    low, high = summary_interval(values, "geometric", eps=1e6)  # a huge ε makes it the mean
    exact_low, exact_high = summary_interval(values)
    assert low == pytest.approx(exact_low, abs=0.02) and high == pytest.approx(exact_high, abs=0.02)


def test_one_topic_has_none():
    low, high = summary_interval(VALUES[:1])
    assert np.isnan(low).all() and np.isnan(high).all()


def test_confidence_has_a_domain():
    assert (
        refused(lambda: summary_interval(VALUES, confidence=1.0))
        == "`confidence` must lie in (0, 1); got 1. Usual is 0.95."
    )


@pytest.mark.parametrize("how", ["mean", "median", "geometric"])
@pytest.mark.parametrize("kind", ["bca", "percentile"])
def test_bootstrap_intervals_are_scipys_on_the_same_resamples(kind, how):
    values = np.random.default_rng(8).beta(1, 4, (30, 3))
    low, high = summary_interval(values, how, confidence=0.9, samples=999, seed=5, kind=kind)
    for s in range(3):
        found = stats.bootstrap(
            (values[:, s],),
            lambda x, axis: aggregate(np.moveaxis(np.atleast_2d(x), -1, 0), how).reshape(x.shape[:-1]),
            n_resamples=999,
            confidence_level=0.9,
            method={"bca": "BCa"}.get(kind, kind),
            axis=-1,
            rng=np.random.default_rng(5),
            vectorized=True,
        ).confidence_interval
        assert (low[s], high[s]) == pytest.approx((found.low, found.high), abs=1e-12)


def test_bca_stays_within_the_scores_where_students_does_not():
    """P@5 of a good system: most topics at 1."""
    values = np.array([[1.0]] * 17 + [[0.8], [0.8], [0.4]])
    assert summary_interval(values)[1][0] > 1.0
    low, high = summary_interval(values, kind="bca")
    assert values.mean() < high[0] <= 1.0 and 0.4 <= low[0] < values.mean()


def test_equal_scores_have_a_point():
    for kind in INTERVALS:
        low, high = summary_interval(np.full((6, 2), 0.25), kind=kind)
        assert low.tolist() == high.tolist() == [0.25, 0.25]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: summary_interval(VALUES, "median", kind="student"),
            "Student's interval is for the arithmetic mean, not for the median. Use 'bca'.",
        ),
        (
            lambda: summary_interval(VALUES, kind="wald"),
            "There is no kind of interval `wald`. Known: student, bca and percentile.",
        ),
    ],
)
def test_kinds_are_what_they_are(call, message):
    assert refused(call) == message
