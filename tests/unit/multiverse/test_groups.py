"""Topics in groups: whole groups are drawn and exchanged in every world, under every average and test."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, ttest_1samp, wilcoxon

import irviz
from irviz.errors import IrvizError
from irviz.multiverse.compare import PairScores, Procedure, compare_pairs
from irviz.multiverse.dimensions import Average
from irviz.stats.scores import Scores

RNG = np.random.default_rng(11)
TOPICS = tuple(map(str, range(24)))
GROUPS = {topic: f"g{int(topic) % 7}" for topic in TOPICS[:21]}  # three topics by themselves
ALL = {
    "average": ["mean", "median", "geometric", "harmonic", "standardised"],
    "test": ["t", "wilcoxon", "sign", "bootstrap", "randomisation"],
    "topics": ["all", "random_half", "without_hardest_tenth"],
    "family": ["pair", "holm", "all_systems"],
}


def scores(shift: float = 0.05) -> Scores:
    values = RNG.random((2, 24, 3))
    values[:, :, 0] += shift
    return Scores(values, ("AP", "RR"), TOPICS, ("a", "b", "c"))


def test_groups_of_one_topic_change_no_bit_of_any_world() -> None:
    s = scores()
    w = irviz.worlds(s, measure=["AP", "RR"], **ALL)
    plain = irviz.conclusion(s, "a > b", w, trials=99)
    alone = irviz.conclusion(s, "a > b", w, trials=99, groups={topic: topic for topic in TOPICS})
    pd.testing.assert_frame_equal(plain.frame(), alone.frame(), check_exact=True)
    pd.testing.assert_frame_equal(plain.joint, alone.joint, check_exact=True)


def group_sums(s: Scores) -> np.ndarray:
    d = s["AP"].a - s["AP"].b
    return d.groupby([GROUPS.get(topic, topic) for topic in TOPICS], sort=False).sum().to_numpy()


@pytest.mark.parametrize(
    ("test", "oracle"),
    [
        ("t", lambda d: ttest_1samp(d, 0).pvalue),
        ("wilcoxon", lambda d: wilcoxon(d).pvalue),
        ("sign", lambda d: binomtest(int((d > 0).sum()), len(d)).pvalue),
        ("randomisation", lambda d: np.mean([abs(d @ f) >= abs(d.sum()) - 1e-12 for f in product([1, -1], repeat=10)])),
    ],
)
def test_tests_are_those_of_the_sums_over_groups(test, oracle) -> None:
    s = scores(0.2)
    w = irviz.worlds(s, measure=["AP"], average=["mean"], test=[test], topics=["all"], family=["pair"])
    row = irviz.conclusion(s, "a > b", w, trials=4000, exchanges=0, groups=GROUPS).frame().iloc[0]
    assert row.p == pytest.approx(oracle(group_sums(s)), abs=0.02 if test == "randomisation" else 1e-9)
    assert row.difference == pytest.approx((s["AP"].a - s["AP"].b).mean(), abs=1e-15)
    if test == "t":
        low, high = ttest_1samp(group_sums(s), 0).confidence_interval()
        assert [row.low, row.high] == pytest.approx([low * 10 / 24, high * 10 / 24], abs=1e-12)


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "bootstrap"])
def test_comparisons_are_those_of_conclusions(test) -> None:
    s = scores(0.2)
    w = irviz.worlds(s, measure=["AP"], average=["mean"], test=[test], topics=["all"], family=["pair"])
    row = irviz.conclusion(s, "a > b", w, trials=999, exchanges=0, groups=GROUPS).frame().iloc[0]
    own = irviz.compare(s, "b", test=test, correction="none", trials=999, groups=GROUPS).frame().iloc[0]
    assert (own.p, own.difference) == (row.p, row.difference)
    assert irviz.compare(s, "b", test=test, correction="none", trials=999).frame().p[0] != row.p


def test_the_undisputed_order_counts_what_is_significant_with_groups() -> None:
    s = scores(0.15)
    w = irviz.worlds(s, measure=["AP", "RR"], average=["mean"], test=["t"], topics=["all"], family=["pair"])
    plain, alone = (irviz.undisputed(s, w, groups=g) for g in (None, {topic: topic for topic in TOPICS}))
    pd.testing.assert_frame_equal(plain.frame(), alone.frame(), check_exact=True)
    assert (plain.significant == alone.significant).all()
    for groups in (None, GROUPS):
        found = irviz.undisputed(s, w, groups=groups)
        for i, j in ((0, 1), (0, 2), (2, 1)):
            claim = f"{s.systems[i]} > {s.systems[j]}"
            r = irviz.conclusion(s, claim, w, trials=99, exchanges=0, groups=groups)
            assert found.significant[i, j] == r.holds_significantly
    few = dict.fromkeys(TOPICS, "one")
    with pytest.raises(IrvizError, match="under no combination"):
        irviz.undisputed(s, w, groups=few)


def test_every_world_can_be_decided_with_groups_and_the_joint_test_counts_them() -> None:
    s = scores(0.3)
    w = irviz.worlds(s, measure=["AP", "RR"], **ALL)
    r = irviz.conclusion(s, "a > b", w, trials=99, groups=GROUPS)
    assert len(r) == len(irviz.conclusion(s, "a > b", w, trials=99, exchanges=0))
    assert ((r.p > 0) & (r.p <= 1)).all()
    four = {topic: str(int(topic) % 4) for topic in TOPICS}
    assert irviz.conclusion(s, "a > b", w, trials=99, groups=four).evidence == "too few topics"
    assert r.evidence == "holds"


def test_correlated_groups_keep_the_level_only_when_they_stay_together() -> None:
    groups, size, settings = 12, 4, 120
    shape = (settings, groups, 1), (settings, groups, size)
    both = [RNG.gamma(2, size=shape[0]) + RNG.gamma(1, size=shape[1]) for _ in range(2)]
    values = np.stack([one.reshape(settings, -1) for one in both], axis=2)
    averages, tests = ("mean", "median", "geometric"), ("t", "wilcoxon", "sign", "bootstrap", "randomisation")
    how = Procedure(tuple(map(Average, averages)), tests, 0.05, 199, 0)
    rates = []
    for units in (None, np.repeat(np.arange(groups), size)):
        found = compare_pairs(PairScores({False: values}, *np.arange(3)[:2, None], np.arange(2), units), how)
        rates.append((found.p[..., 0] < 0.05).mean(axis=2))
    before, after = rates
    tested = np.array([[True] * 5, [False] * 3 + [True] * 2, [False] * 3 + [True] * 2])
    assert (before[tested] > 0.13).all()
    assert (after[tested] < 0.1).all()
    assert 0.02 < after[tested].mean() < 0.07


def test_intervals_of_groups_hold_0_exactly_where_they_are_not_significant() -> None:
    s = scores(0.2)
    w = irviz.worlds(s, measure=["AP", "RR"], average=ALL["average"], test=["t", "bootstrap", "randomisation"])
    frame = irviz.conclusion(s, "a > b", w, trials=499, exchanges=0, groups=GROUPS).frame().dropna(subset="low")
    assert len(frame) > 10
    assert ((frame.low > 0) | (frame.high < 0)).tolist() == (frame.p < 0.05).tolist()
