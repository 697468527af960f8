"""The order that no world disputes is what all pairs say one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.multiverse.influence import attribution
from tests.refusals import refused
from tests.unit.multiverse.test_worlds import collection


@pytest.fixture(scope="module")
def c() -> irviz.collection.model.Collection:
    return collection()


@pytest.fixture(scope="module")
def w(c) -> irviz.multiverse.worlds.Worlds:
    return irviz.worlds(c, measure=["AP", "nDCG@3", "Bpref"], test=["t"], family=["pair"])


@pytest.fixture(scope="module")
def u(c, w) -> irviz.multiverse.order.UndisputedOrder:
    return irviz.undisputed(c, w)


def test_every_pair_is_what_conclusion_says_of_it(c, w, u):
    for i, j in combinations(range(3), 2):
        r = irviz.conclusion(c, f"{c.systems[i]} > {c.systems[j]}", w, trials=9)
        assert len(r) == len(u.worlds)
        assert u.share[i, j] == r.holds
        assert u.share[j, i] == r.reversed
        same = np.where(r.frame().average.isin(["mean", "standardised"]), r.significant, False)
        assert u.significant[i, j] >= ((r.verdict > 0) & same).mean()
        assert u.significant[i, j] <= r.holds


def test_significance_is_that_of_the_paired_t_test(c):
    w = irviz.worlds(c, average=["mean", "standardised"], test=["t"], family=["pair"])
    u = irviz.undisputed(c, w)
    for i, j in combinations(range(3), 2):
        r = irviz.conclusion(c, f"{c.systems[i]} > {c.systems[j]}", w, trials=9)
        assert (u.significant[i, j], u.significant[j, i]) == (r.holds_significantly, r.reversed_significantly)


def test_workers_change_nothing(c, w, u):
    again = irviz.undisputed(c, w, workers=2)
    assert np.array_equal(u.share, again.share) and np.array_equal(u.explained, again.explained)


def scores(*rows: list[float]) -> irviz.stats.scores.Scores:
    """One measure a row; the systems' means over four topics, with some variation."""
    values = np.array(rows)[:, None, :] + np.array([0.0, 0.01, -0.01, 0.02])[None, :, None]
    systems = tuple("abcde"[: len(rows[0])])
    return irviz.stats.scores.Scores(values, tuple(f"M{i}" for i in range(len(rows))), tuple("1234"), systems)


def plain(s: irviz.stats.scores.Scores) -> irviz.multiverse.order.UndisputedOrder:
    return irviz.undisputed(s, irviz.worlds(s, average=["mean"], test=["t"], topics=["all"], family=["pair"]))


def test_the_diagram_leaves_out_what_follows():
    u = plain(scores([0.5, 0.4, 0.3, 0.2], [0.9, 0.6, 0.7, 0.1]))
    assert u.edges == (("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"))
    assert u.levels.tolist() == [0, 1, 1, 2]
    assert (u.undisputed, u.pairs) == (5, 6)
    assert u.sentence == "All 2 combinations of choices agree on the order of 5 of 6 pairs."
    assert u.disputed.to_dict("records") == [
        {
            "first": "b",
            "second": "c",
            "ahead": 0.5,
            "tie": 0.0,
            "behind": 0.5,
            "decided_by": "measure",
            "explained": 1.0,
        }
    ]


def test_ranks_are_those_of_every_world():
    u = plain(scores([0.5, 0.4, 0.3, 0.2], [0.9, 0.6, 0.7, 0.1], [0.9, 0.6, 0.6, 0.7]))
    assert u.ranks.tolist() == [[1, 2, 2, 2], [1, 3, 3, 4], [1, 3, 3, 4]]


def test_ties_are_ahead_of_nothing():
    u = plain(scores([0.5, 0.5, 0.1]))
    assert u.edges == (("a", "c"), ("b", "c"))
    assert u.disputed.empty, "a pair that ties in every world is disputed by none"
    assert (u.undisputed, u.tied) == (2, 1)


def test_what_decides_is_the_largest_main_effect_on_the_sign(c, w, u):
    for row in u.disputed.itertuples():
        r = irviz.conclusion(c, f"{row.first} > {row.second}", w, trials=9)
        signs = pd.Series(r.verdict, dtype=float)
        alone = {}
        for name in ("measure", "average", "unjudged", "missing", "topics"):
            means = signs.groupby(r.worlds.code(name)).transform("mean")
            alone[name] = ((means - signs.mean()) ** 2).sum() / ((signs - signs.mean()) ** 2).sum()
        assert row.explained == pytest.approx(max(alone.values()))
        assert alone[row.decided_by] == pytest.approx(row.explained)
        assert attribution(r.worlds, signs.to_numpy()).sum() == pytest.approx(1)


def test_refusals(c):
    assert refused(lambda: irviz.undisputed(c.subset(systems=["a"]))) == (
        "a is the only system, so there is nothing to compare it with. Load another."
    )
