"""The joint test of all worlds: its exchanges are those of plain loops, and its p-values are uniform under the null."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.stats.scores import Scores
from tests.unit.multiverse.test_worlds import frames

EXCHANGES = 24


def swaps(exchanges: int, topics: int, seed: int) -> np.ndarray:
    """Exchanges × topics, as they are drawn."""
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(3,))))
    return generator.integers(0, 2, size=(exchanges, topics), dtype=np.uint8).astype(bool)


def statistics(r: irviz.multiverse.report.Conclusion) -> list[float]:
    """Of the worlds: how many agree in direction, how many are significant that way, and the median difference."""
    ahead, behind = ((r.verdict == way) for way in (1, -1))
    sure = {way: int((r.significant & (r.verdict == way)).sum()) for way in (1, -1)}
    of_majority = max(sure.values()) if ahead.sum() == behind.sum() else sure[1 if ahead.sum() > behind.sum() else -1]
    return [max(ahead.sum(), behind.sum()), of_majority, abs(float(np.median(r.standardised)))]


def test_an_exchange_is_that_of_the_two_systems_lists():
    """Lists change places in the files, collections are loaded anew, and every world is computed again."""
    qrels, runs = frames()
    c = irviz.collection_from_frames(qrels, runs)
    choices = {
        "measure": ["AP", "nDCG@3", "P@2"],
        "average": ["mean", "standardised"],
        "test": ["t", "wilcoxon", "sign"],
        "unjudged": ["not_relevant", "condensed"],
        "missing": ["zero", "left_out"],
        "family": ["pair", "holm"],
    }
    r = irviz.conclusion(c, "a > c", irviz.worlds(c, **choices, seed=5), alpha=0.4, trials=9, seed=5, exchanges=24)
    reached = []
    for moved in swaps(EXCHANGES, len(c.topics), 5):
        away = {topic for topic, there in zip(c.topics, moved, strict=True) if there}
        a, other = runs["a"], runs["c"]
        exchanged = {
            "a": pd.concat([a[~a.qid.isin(away)], other[other.qid.isin(away)]]),
            "b": runs["b"],
            "c": pd.concat([other[~other.qid.isin(away)], a[a.qid.isin(away)]]),
        }
        again = irviz.collection_from_frames(qrels, exchanged)
        worlds = irviz.worlds(again, **choices, seed=5)
        assert len(worlds) == len(r)
        reached.append(statistics(irviz.conclusion(again, "a > c", worlds, alpha=0.4, trials=9, seed=5, exchanges=0)))
    observed = statistics(r)
    assert r.joint.observed.tolist() == pytest.approx(observed)
    assert r.joint.expected.tolist() == pytest.approx(np.median(reached, axis=0))
    counts = (np.array(reached) >= np.array(observed) * (1 - 1e-9)).sum(axis=0)
    assert r.joint.p.tolist() == pytest.approx((1 + counts) / (EXCHANGES + 1))
    assert len(set(counts.tolist())) > 1, "the three statistics are told apart"


def test_other_averages_are_exchanged_too():
    s = equal_systems(14, 3)
    averages = ["mean", "median", "geometric", "harmonic", "standardised"]
    w = irviz.worlds(s, average=averages, test="randomisation", family="pair", seed=1)
    r = irviz.conclusion(s, "a > b", w, trials=20, seed=1, exchanges=EXCHANGES)
    reached = []
    for moved in swaps(EXCHANGES, 14, 1):
        values = s.values.copy()
        values[:, moved, :2] = values[:, moved, 1::-1]
        again = Scores(values, s.measures, s.topics, s.systems)
        reached.append(statistics(irviz.conclusion(again, "a > b", w, trials=20, seed=1, exchanges=0)))
    for k in (0, 2):
        assert r.joint.expected.iloc[k] == pytest.approx(np.median(reached, axis=0)[k])
        counted = (np.array(reached)[:, k] >= statistics(r)[k] * (1 - 1e-9)).sum()
        assert r.joint.p.iloc[k] == (1 + counted) / (EXCHANGES + 1)


def equal_systems(topics: int, seed: int, shift: float = 0.0) -> Scores:
    """Three measures of the same four lists a topic, of which the first is better by `shift`."""
    rng = np.random.default_rng(seed)
    quality = np.clip(rng.random((topics, 1)) ** 2 + 0.3 * rng.standard_normal((topics, 4)), 0, 1)
    quality[:, 0] = np.clip(quality[:, 0] + shift, 0, 1)
    noisy = np.clip(quality + 0.1 * rng.standard_normal(quality.shape), 0, 1)
    values = np.stack([quality, noisy, np.round(quality * 5) / 5])
    return Scores(values, ("AP", "nDCG", "P"), tuple(map(str, range(topics))), ("a", "b", "c", "d"))


@pytest.mark.parametrize("topics", [4, 20])
def test_p_values_are_uniform_where_the_systems_are_equal(topics):
    """Few topics have few different exchanges, so p may only be too large; from 10 on it is uniform (Kolmogorov)."""
    found = []
    for seed in range(60):
        s = equal_systems(topics, 1000 * topics + seed)
        w = irviz.worlds(s, average=["mean", "median", "standardised"], test=["t", "sign", "randomisation"], seed=seed)
        found.append(irviz.conclusion(s, "a > b", w, trials=19, seed=seed, exchanges=59).joint.p.to_numpy())
    p = np.sort(np.array(found), axis=0)
    limit = 1.63 / np.sqrt(len(p))  # of Kolmogorov's statistic at 1 %
    share = np.arange(1, len(p) + 1)[:, None] / len(p)
    assert (share - p).max() < limit, "p is too small too often"
    if topics >= 10:
        assert (p[:, [2]] - (share - 1 / len(p))).max() < limit, "p of the median is too large too often"
    # a count of worlds by itself would have been called evidence in most of these
    assert np.mean(np.array(found)[:, 0] < 0.05) < 0.12


def test_a_difference_is_evidence_and_none_is_none():
    better, equal = equal_systems(40, 1, shift=0.4), equal_systems(40, 1)
    for s, evidence in ((better, "holds"), (equal, "neither")):
        r = irviz.conclusion(s, "a > b", irviz.worlds(s), trials=199)
        assert r.evidence == evidence
        assert r.joint.loc["direction", "observed"] == max((r.verdict > 0).sum(), (r.verdict < 0).sum())
    assert r.joint.index.tolist() == ["direction", "significant", "median"]
    assert r.joint.columns.tolist() == ["observed", "expected", "p"]


def joint_of_pairs(s: Scores, w: irviz.multiverse.worlds.Worlds, pairs: list[str], way: int) -> np.ndarray:
    """Pairs × statistics: p of every pair by itself, 1 where a statistic points another way."""
    p = []
    for pair in pairs:
        r = irviz.conclusion(s, pair, w, trials=99, exchanges=50)
        majority = np.sign(r.verdict.sum())
        points = np.array(
            [majority, majority or np.sign(r.verdict[r.significant].sum()), np.sign(np.median(r.standardised))]
        )
        p.append(np.where(points == way, r.joint.p, 1.0))
    return np.sort(p, axis=0)


@pytest.mark.parametrize("first", [0, 1, 2, 3])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_several_comparisons_are_tested_in_the_direction_of_the_claim(first: int, k: int):
    """At least r of m comparisons: p = (m − r + 1) p₍ᵣ₎ (Benjamini & Heller 2008, eq. (2))."""
    s = equal_systems(12, 7, shift=0.1)
    w = irviz.worlds(s, average=["mean", "median"], test=["t", "randomisation"], family=["pair", "holm"])
    name, others = s.systems[first], [other for other in s.systems if other != s.systems[first]]
    whole = irviz.conclusion(s, f"{name} in top {k + 1}", w, trials=99, exchanges=50)
    way = 1 if whole.holds > whole.reversed else -1
    r = 3 - k if way > 0 else k + 1
    p = joint_of_pairs(s, w, [f"{name} > {other}" for other in others], way)
    assert whole.joint.p.tolist() == np.minimum(1, (3 - r + 1) * p[r - 1]).tolist()
    assert not whole.band.size, "no band: the curve is of the comparison that decides"


def test_an_order_that_holds_nowhere_is_refuted():
    s = equal_systems(30, 7, shift=-0.3)
    r = irviz.conclusion(s, "a > b > c", irviz.worlds(s), trials=99)
    assert r.holds == 0 and r.evidence == "does not hold"


def systems_of(means: list[float], topics: int, seed: int) -> Scores:
    """Two measures of systems with these means, on topics that differ."""
    rng = np.random.default_rng(seed)
    values = np.array(means) + 0.3 * rng.standard_normal((topics, 1)) + 0.2 * rng.standard_normal((topics, len(means)))
    return Scores(
        np.stack([values, np.round(values, 1)]),
        ("M", "N"),
        tuple(map(str, range(topics))),
        tuple(f"s{i}" for i in range(len(means))),
    )


PLAIN = {"average": ["mean", "median"], "test": ["randomisation"], "topics": "all"}


def test_to_be_behind_the_good_ones_is_no_evidence_for_a_place_among_the_best():
    """Four good systems and five equal ones, of which one is said to be in the top 5."""
    found = []
    for seed in range(40):
        s = systems_of([1.0] * 4 + [0.0] * 5, 20, seed)
        w = irviz.worlds(s, average="mean", test="t", topics="all")
        found.append(irviz.conclusion(s, "s4 in top 5", w, trials=99, seed=seed).evidence)
    assert found.count("neither") >= 35, "of 40, at 5 %: fewer with a probability below .02"


def test_as_many_exchanges_are_drawn_as_the_claim_needs():
    s = systems_of([1.0] + [0.0] * 60, 12, 0)
    w = irviz.worlds(s, average="mean", test="t", topics="all")
    assert irviz.conclusion(s, "s0 in top 20", w, trials=99).evidence == "holds"
    r = irviz.conclusion(s, "s1 in top 1", w, trials=99)
    assert r.exchanges > 60 * 60 and r.joint_p == 1
    assert irviz.conclusion(s, "s0 in top 20", w, trials=99, exchanges=200).evidence == "too few exchanges"


@pytest.mark.parametrize(("topics", "evidence"), [(6, "too few topics"), (7, "holds")])
def test_exchanges_of_few_topics_show_nothing(topics: int, evidence: str):
    s = systems_of([2.0, 0.0], topics, 0)
    assert irviz.conclusion(s, "s0 > s1", irviz.worlds(s, **PLAIN), trials=999).evidence == evidence


def test_topics_that_one_system_lacks_do_not_count_as_evidence():
    """c answers one of eight topics, and would score 0 on the others."""
    qrels, runs = frames(topics=8)
    runs["c"] = runs["c"][runs["c"].qid == "2"]
    c = irviz.collection_from_frames(qrels, runs)
    r = irviz.conclusion(c, "a > c", irviz.worlds(c, measure=["AP", "P@3"]), trials=99)
    assert r.holds > 0.9 and r.evidence == "too few topics"


@pytest.mark.parametrize("families", [["pair", "holm"], ["pair", "all_systems"]])
def test_any_number_of_workers_gives_the_same_bits(families):
    s = equal_systems(11, 4)
    w = irviz.worlds(s, family=families)
    one, two = (irviz.conclusion(s, "a > b", w, trials=30, workers=workers) for workers in (None, 2))
    assert one.joint.to_numpy().tobytes() == two.joint.to_numpy().tobytes()
    assert one.band.tobytes() == two.band.tobytes()


def test_the_band_holds_the_curves_of_equal_systems():
    s = equal_systems(20, 4)
    r = irviz.conclusion(s, "a > b", irviz.worlds(s), trials=200)
    low, high = r.band
    assert len(low) == len(r) and (np.diff(low) >= 0).all()
    assert (low <= high).all()
    assert low[0] < 0 < high[-1]


def test_equal_lists_are_no_evidence():
    values = np.tile(np.linspace(0.1, 0.9, 6)[:, None], (1, 6, 2)).reshape(1, -1, 2)[:, :6]
    s = Scores(values, ("M",), tuple("123456"), ("a", "b"))
    r = irviz.conclusion(s, "a > b", irviz.worlds(s), trials=19)
    assert r.joint.p.tolist() == [1.0, 1.0, 1.0] and r.joint.observed.tolist() == [0.0, 0.0, 0.0]


def test_zeros_that_an_exchange_brings_about_are_no_direction():
    """After some exchanges a system has zeros only, and no geometric mean."""
    a, b = np.array([0.2, 0.0, 0.0, 0.3, 0.0]), np.array([0.0, 0.4, 0.0, 0.0, 0.1])
    s = Scores(np.stack([a, b], axis=1)[None], ("M",), tuple("12345"), ("a", "b"))
    w = irviz.worlds(s, average=["geometric"], test="randomisation", family="pair", topics="all")
    r = irviz.conclusion(s, "a > b", w, trials=400)
    both = swaps(400, 5, 0)[:, [0, 1, 3, 4]] == np.array([0, 1, 0, 1], dtype=bool)
    alone = both.all(axis=1) | (~both).all(axis=1)  # all that is not 0 is in one list
    assert alone.any()
    assert r.joint.loc["direction", "p"] == (1 + (~alone).sum()) / 401
