"""Every world's numbers agree with plain loops: collections loaded anew, SciPy's tests, one trial after the other."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irviz
from irviz.stats.resampling import draws
from irviz.stats.significance import significance
from tests.refusals import refused

TRIALS = 99
TOPICS = [str(t) for t in range(1, 21)]
RNG = np.random.default_rng(5)


def frames() -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Graded judgments of ten documents a topic, and four runs that also find two that nobody judged."""
    qrels = pd.DataFrame([(t, f"d{i}", int(RNG.integers(0, 3))) for t in TOPICS for i in range(10)])
    qrels.columns = ["qid", "docno", "label"]
    grades = {(t, d): g for t, d, g in qrels.itertuples(index=False)}
    documents = [*(f"d{i}" for i in range(10)), "new1", "new2"]

    def run(skill: float) -> pd.DataFrame:
        rows = [(t, d, skill * grades.get((t, d), 0.5) + RNG.random()) for t in TOPICS for d in documents]
        return pd.DataFrame(rows, columns=["qid", "docno", "score"])

    runs = {"a": run(0.55), "b": run(0.3), "c": run(0.4), "d": run(0.1)}
    runs["b"] = runs["b"][~runs["b"].qid.isin(["3", "7"])]
    return qrels, runs


QRELS, RUNS = frames()


@pytest.fixture(scope="module")
def c() -> irviz.collection.model.Collection:
    return irviz.collection_from_frames(QRELS, RUNS)


@pytest.fixture(scope="module")
def w(c) -> irviz.multiverse.worlds.Worlds:
    return irviz.worlds(
        c,
        measure=["AP", "nDCG@5", "Bpref"],
        average=["mean", "median", "geometric", "harmonic", "standardised"],
        depth=[12, 6],
        family=["pair", "holm", "all_systems"],
        most=10**5,
    )


@pytest.fixture(scope="module")
def r(c, w) -> irviz.multiverse.report.Conclusion:
    return irviz.conclusion(c, "a > b", w, trials=TRIALS, seed=2)


@cache
def read(unjudged: str, depth: int) -> irviz.collection.model.Collection:
    """The collection loaded anew from runs that were cut and condensed by hand."""
    runs = {}
    for name, run in RUNS.items():
        cut = run.sort_values(["qid", "score"], ascending=[True, False]).groupby("qid").head(depth)
        runs[name] = cut if unjudged == "not_relevant" else cut[cut.docno.str.startswith("d")]
    return irviz.collection_from_frames(QRELS, runs)


def by_hand(world: pd.Series, half: np.ndarray, pair: tuple[str, str] = ("a", "b")) -> dict[str, object]:
    """Scores of two systems in one world, topics × 2, and the matrix of all systems."""
    matrix = irviz.score(read(world.unjudged, world.depth), world.measure)[world.measure]
    kept = np.ones(len(matrix), dtype=bool)
    if world.topics == "random_half":
        kept = half
    elif world.topics == "without_hardest_tenth":
        kept = ~matrix.index.isin(irviz.hardness(matrix).sort_values(ascending=False, kind="stable").index[:2])
    if world.average == "standardised":
        matrix = irviz.standardise(matrix)
    matrix = matrix[kept]
    answered = matrix if world.missing == "zero" else matrix[~matrix.index.isin(["3", "7"])]
    return {
        "all": matrix,
        "two": answered[list(pair)],
        "how": "mean" if world.average == "standardised" else world.average,
    }


def expected_p(test: str, two: pd.DataFrame, how: str, seed: int) -> float:
    """p of one pair by SciPy, or trial after trial."""
    a, b = two.to_numpy().T
    d = np.round(a - b, 12)
    if test == "t":
        return float(stats.ttest_rel(a, b).pvalue)
    if test == "wilcoxon":
        return float(stats.wilcoxon(d, zero_method="pratt").pvalue)
    if test == "sign":
        return float(stats.binomtest(int((d > 0).sum()), int((d != 0).sum())).pvalue)
    observed = difference(two, how)
    drawn = draws(len(two), TRIALS, seed)
    (weights,), (moved,) = drawn.topic_counts(), drawn.exchange_masks()
    g = d if how in ("mean", "median") else TRANSFORMS[how](a) - TRANSFORMS[how](b)
    extreme, resampled = 0, []
    for b in range(TRIALS):
        rows = np.repeat(np.arange(len(two)), weights[b])
        if test == "bootstrap" and how == "median":
            resampled.append(difference(two.iloc[rows], how))
        elif test == "bootstrap":
            t, again = (stats.ttest_1samp(x, 0).statistic for x in (g, (g - g.mean())[rows]))
            extreme += abs(again) >= abs(t) * (1 - 1e-9)
        else:
            swapped = np.where(moved[b][:, None] > 0, two.to_numpy()[:, ::-1], two.to_numpy())
            extreme += abs(difference(pd.DataFrame(swapped, columns=two.columns), how)) >= abs(observed) - 1e-12
    p = (extreme + 1) / (TRIALS + 1)
    if resampled:
        error = np.std(resampled) * np.sqrt(len(two) / (len(two) - 1))
        p = 2 * stats.t.sf(abs(observed) / error, len(two) - 1)
    return float(max(p, 2 / 2 ** len(two)))


TRANSFORMS = {"geometric": lambda x: np.log(x + 0.01), "harmonic": lambda x: -1 / (x + 0.01)}


def difference(two: pd.DataFrame, how: str) -> float:
    first, second = irviz.summarise(two, how)
    return float(first - second)


def test_the_numbers_of_every_world_are_those_of_plain_loops(r, w, c):
    frame, half = r.frame(), w.random_half(c.topics)
    some = frame[frame.family != "holm"].groupby(["average", "test", "family"]).sample(2, random_state=1)
    assert len(some) > 30
    for _, world in some.iterrows():
        hand = by_hand(world, half)
        two, how = hand["two"], hand["how"]
        observed = difference(two, how)
        assert world.difference == pytest.approx(observed, abs=1e-13), world
        assert world.standardised == pytest.approx(observed / (two.a - two.b).std(), abs=1e-10)
        assert world.verdict == {1: "holds", 0: "tie", -1: "reversed"}[int(np.sign(round(observed, 12)))]
        if world.family == "pair":
            if world.test == "bootstrap" and how == "mean":
                assert world.p == significance(two, "paired_bootstrap", trials=TRIALS, seed=2).p_values[0, 1]
            assert world.p == pytest.approx(expected_p(world.test, two, how, 2), rel=1e-9), world
        else:
            tukey = significance(hand["all"], "randomised_tukey", trials=TRIALS, seed=2)
            assert world.p == pytest.approx(tukey.p_values[0, 1], rel=1e-9), world


def test_the_interval_beside_a_t_test_is_students(r, w, c):
    frame, half = r.frame(), w.random_half(c.topics)
    means = frame[frame.average.isin(["mean", "standardised"]) & (frame.test == "t") & (frame.family == "pair")]
    for _, world in means.sample(12, random_state=1).iterrows():
        two = by_hand(world, half)["two"]
        limits = stats.ttest_rel(two.a, two.b).confidence_interval(0.95)
        assert [world.low, world.high] == pytest.approx([limits.low, limits.high], rel=1e-9)


def test_an_interval_is_the_tests_own_or_there_is_none(c, w):
    frame = irviz.conclusion(c, "a > b", w, alpha=0.3, trials=TRIALS, seed=2).frame()
    alone = frame[frame.family == "pair"]
    inverted = (alone.test == "bootstrap") | (alone.test == "t")
    inverted |= (alone.test == "randomisation") & alone.average.isin(["mean", "standardised"])
    assert alone[~inverted][["low", "high"]].isna().all(axis=None)
    own = alone[inverted]
    excluded = (own.low > 0) | (own.high < 0)
    assert (excluded == (own.p < 0.3)).all()
    assert set(excluded.groupby([own.average, own.test]).nunique()) == {2}  # both occur everywhere
    assert np.isfinite(own[["low", "high"]]).all(axis=None)
    assert ((own.low <= own.difference) & (own.difference <= own.high)).all()


def test_holm_corrects_over_the_measures_that_are_there(r):
    frame = r.frame()
    rest = [name for name in frame.columns[:10] if name not in ("measure", "family")]
    pairs = frame[frame.family == "pair"].set_index([*rest, "measure"]).p
    corrected = frame[frame.family == "holm"].set_index([*rest, "measure"]).p
    assert len(corrected) == len(pairs)
    for _, group in list(pairs.groupby(level=rest, sort=False))[::7]:
        ordered = group.sort_values(kind="stable")
        steps = np.maximum.accumulate(ordered.to_numpy() * np.arange(len(ordered), 0, -1))
        np.testing.assert_allclose(corrected.loc[ordered.index], np.minimum(steps, 1), rtol=1e-12)
    condensed = pairs[pairs.index.get_level_values("unjudged") == "condensed"]
    assert set(condensed.index.get_level_values("measure")) == {"AP", "nDCG@5"}  # not bpref


def test_a_test_that_points_the_other_way_supports_no_verdict():
    """a is ahead in the mean by one topic, and behind on all others."""
    d = np.array([0.9] + [-0.01] * 10)
    s = irviz.stats.scores.Scores(
        np.stack([0.05 + d.clip(0), 0.05 - d.clip(None, 0)], axis=1)[None],
        ("M",),
        tuple(map(str, range(11))),
        ("a", "b"),
    )
    w = irviz.worlds(s, average="mean", test="sign", topics="all", family="pair")
    r = irviz.conclusion(s, "a > b", w)
    assert r.frame()[["verdict", "significant"]].to_numpy().tolist() == [["holds", False]]
    assert r.p[0] < 0.05  # the sign test says that b is ahead


def test_the_reverse_claim_is_the_mirror_image(c, w, r):
    mirrored = irviz.conclusion(c, "b > a", w, trials=TRIALS, seed=2)
    assert np.array_equal(mirrored.verdict, -r.verdict)
    assert np.array_equal(mirrored.difference, -r.difference)
    assert np.array_equal(mirrored.p, r.p)


@pytest.mark.parametrize("workers", [2, "loky"], ids=str)
def test_workers_change_no_bit(c, w, r, workers):
    again = irviz.conclusion(c, "a > b", w, trials=TRIALS, seed=2, workers=workers)
    for name in ("difference", "standardised", "low", "high", "p", "verdict", "significant"):
        assert getattr(again, name).tobytes() == getattr(r, name).tobytes(), name


# -- several systems ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pairs(c) -> dict[tuple[str, str], pd.DataFrame]:
    """Every pair by itself, in a few worlds; where neither lacks a topic, leaving topics out is scoring them 0."""

    def by_choices(pair: str) -> pd.DataFrame:
        frame = irviz.conclusion(c, pair, few(c), trials=TRIALS).frame()
        same = frame[frame.missing == "zero"].assign(missing="left_out")
        every = frame if "left_out" in set(frame.missing) else pd.concat([frame, same])
        return every.set_index(list(few(c).dimensions)).sort_index()

    return {(a, b): by_choices(f"{a} > {b}") for a in "abcd" for b in "abcd" if a != b}


def few(c) -> irviz.multiverse.worlds.Worlds:
    return irviz.worlds(c, measure=["AP", "nDCG@5"], average=["mean", "median"], topics=["all"], family=["pair"])


def test_a_chain_is_its_links(c, pairs):
    frame = irviz.conclusion(c, "a > c > d", few(c), trials=TRIALS).frame()
    for _, world in frame.iterrows():
        choices = tuple(world[list(few(c).dimensions)])
        links = [pairs[pair].loc[choices] for pair in (("a", "c"), ("c", "d"))]
        weakest = min(links, key=lambda link: link.difference)
        assert (world.difference, world.verdict) == (weakest.difference, weakest.verdict)
        if world.verdict == "holds":
            assert world.p <= max(link.p for link in links)  # 1 where a test points the other way
            assert not world.significant or all(link.p < 0.05 for link in links)


@pytest.mark.parametrize(
    ("system", "k", "verdict"),
    [("a", 2, "holds"), ("c", 2, "holds"), ("b", 3, "holds"), ("b", 2, "reversed"), ("d", 3, "reversed")]
    + [("a", 1, "holds"), ("b", 1, "reversed"), ("d", 1, "reversed")],
)
def test_the_top_lets_some_be_ahead_and_the_best_none(c, pairs, system, k, verdict):
    """At least r of m comparisons point one way: p = (m − r + 1) p₍ᵣ₎ (Benjamini & Heller 2008, eq. (2))."""
    claim = f"{system} is best" if k == 1 else f"{system} in top {k}"
    frame = irviz.conclusion(c, claim, few(c), trials=TRIALS).frame()
    m, r = 3, 4 - k if verdict == "holds" else k  # of three others, k − 1 may be ahead; k of them reverse the claim
    checked = 0
    for _, world in frame.iterrows():
        choices = tuple(world[list(few(c).dimensions)])
        others = sorted(
            (pairs[system, other].loc[choices] for other in "abcd" if other != system), key=lambda o: o.difference
        )
        assert (world.difference, world.verdict) == (others[k - 1].difference, others[k - 1].verdict)
        if world.test in ("bootstrap", "randomisation") and world.verdict == verdict:
            ps = sorted(o.p if o.verdict == verdict else 1 for o in others)
            assert world.p == pytest.approx(min(1, (m - r + 1) * ps[r - 1]), rel=1e-12)
            checked += 1
    assert checked == 32


# -- worlds that cannot be decided ------------------------------------------------------------


def matrix(**systems: list[float]) -> irviz.stats.scores.Scores:
    values = np.array(list(systems.values())).T[None]
    return irviz.stats.scores.Scores(values, ("M",), tuple(str(i) for i in range(values.shape[1])), tuple(systems))


def test_means_of_zeros_are_left_out_and_counted():
    s = matrix(a=[0.1, 0.2, 0.0, 0.4], b=[0.0] * 4, c=[0.3, 0.1, 0.2, 0.1])
    w = irviz.worlds(
        s,
        average=["mean", "geometric", "harmonic", "harmonic(eps=0)"],
        test="randomisation",
        topics="all",
        family="pair",
    )
    assert sorted(irviz.conclusion(s, "a > b", w).left_out.values()) == [1, 2]
    assert list(irviz.conclusion(s, "a > c", w).left_out.values()) == [1]
    below = matrix(a=[-0.1, 0.2], b=[0.3, 0.1])
    w = irviz.worlds(below, average=["mean", "geometric"], test="randomisation", topics="all", family="pair")
    assert list(irviz.conclusion(below, "a > b", w).left_out.values()) == [1]


def test_too_few_topics():
    s = matrix(a=[0.1], b=[0.2])
    refused(lambda: irviz.conclusion(s, "a > b", irviz.worlds(s, test="t", family="pair")))


def test_equal_systems_tie_everywhere():
    s = matrix(a=[0.1, 0.2, 0.4], b=[0.1, 0.2, 0.4], c=[0.3, 0.1, 0.2])
    r = irviz.conclusion(s, "a > b", irviz.worlds(s, family=["pair", "all_systems"]), trials=20)
    assert set(r.frame().verdict) == {"tie"}
    assert set(r.p) == {1.0}
    assert not r.significant.any()
    assert r.standardised.tolist() == [0.0] * len(r)
    assert r.attribution.isna().all()
    assert r.fewest_topics == {"significance": 0, "sign": 0}


def test_refusals(c, w):
    refused(lambda: irviz.conclusion(c, "a > x", w))
    refused(lambda: irviz.conclusion(c, "a > b", w, alpha=1))
    refused(lambda: irviz.conclusion(c, "a > b", []))
