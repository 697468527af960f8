"""Intervals of summaries: Student's for the mean, the bootstrap for the rest."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irviz.errors import IrvizError
from irviz.summary.aggregate import aggregate
from irviz.summary.intervals import summary_interval

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
    with pytest.raises(IrvizError) as caught:
        summary_interval(VALUES, confidence=1.0)
    assert str(caught.value) == "`confidence` must lie in (0, 1); got 1. Usual is 0.95."
