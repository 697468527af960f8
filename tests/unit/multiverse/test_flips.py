"""What flips a verdict: against a search through all worlds."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from scipy import stats

import irviz
from irviz.multiverse.dimensions import CERTAINTY_ONLY, DIMENSIONS, Average
from irviz.multiverse.influence import Contrast, attribution, main_effects
from irviz.multiverse.worlds import Worlds
from tests.refusals import refused
from tests.unit.multiverse.test_worlds import collection


@pytest.fixture(scope="module")
def r() -> irviz.multiverse.report.Conclusion:
    c = collection()
    w = irviz.worlds(c, measure=["AP", "nDCG@3", "P@2", "RR"], family=["pair"])
    return irviz.conclusion(c, "a > b", w, trials=99)


def changes(worlds: list[dict[str, str]], row: int, here: int, ignore: tuple[str, ...]) -> frozenset:
    names = [name for name in worlds[row] if name not in ignore]
    return frozenset((name, worlds[row][name]) for name in names if worlds[row][name] != worlds[here][name])


@pytest.mark.parametrize("significantly", [False, True])
def test_they_are_the_irreducible_changes(r, significantly: bool):
    worlds = list(r.worlds)
    for here in (0, len(r) // 2):
        ignore = () if significantly else CERTAINTY_ONLY
        state = [(v, s) if significantly else v for v, s in zip(r.verdict, r.significant, strict=True)]
        flipping = {changes(worlds, row, here, ignore) for row in range(len(r)) if state[row] != state[here]}
        expected = {one for one in flipping if not any(other < one for other in flipping)}
        found = r.flips(worlds[here], significantly)
        names = [name for name in worlds[here] if name not in ignore]
        shown = [frozenset((n, row[n]) for n in names if row[n] != worlds[here][n]) for _, row in found.iterrows()]
        assert set(shown) == expected
        assert len(shown) == len(expected)
        assert found.changes.tolist() == [len(one) for one in shown] == sorted(found.changes)
        if not significantly:
            assert (found.verdict != r.frame().verdict[here]).all()


def test_what_is_not_mentioned_is_as_in_the_first_world(r):
    assert r.flips({}).equals(r.flips(next(iter(r.worlds))))
    assert not r.flips({"measure": "RR"}).equals(r.flips({}))


def test_refusals(r):
    refused(lambda: r.flips({"measures": "AP"}))
    refused(lambda: r.flips({"measure": "P@3"}))
    c = collection()
    some = {"measure": ["AP", "RR"], "depth": [6, 5, 4], "topics": "all", "unjudged": "condensed", "family": "pair"}
    few = irviz.conclusion(c, "a > b", irviz.worlds(c, **some, missing="zero", most=5), trials=9)
    other = next(w for w in irviz.worlds(c, **some, missing="zero") if w not in list(few.worlds))
    refused(lambda: few.flips(other))


# Which topics carry a difference: against all subsets of topics.


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


# What decides: shares of the variance are those of the analysis of variance, or of all orders of least squares.


ATTRIBUTION_RNG = np.random.default_rng(8)
SIZES = {"measure": 4, "average": 3, "unjudged": 2, "topics": 3}


def codes(sizes: dict[str, int]) -> np.ndarray:
    shape = [sizes.get(name, 1) for name in DIMENSIONS]
    return np.indices(shape, dtype=np.int16).reshape(len(shape), -1).T


def effects(which: np.ndarray) -> np.ndarray:
    """Main effects of two dimensions, an interaction, and noise."""
    return which[:, 0] ** 1.5 + (which[:, 1] == 2) + which[:, 0] * which[:, 4] + ATTRIBUTION_RNG.normal(size=len(which))


def explained(which: np.ndarray, values: np.ndarray, columns: tuple[int, ...]) -> float:
    """R² of the additive model, by least squares."""
    marks = [which[:, j] == option for j in columns for option in np.unique(which[:, j])]
    design = np.stack([np.ones(len(which)), *marks], axis=1)
    fitted = design @ np.linalg.lstsq(design, values, rcond=None)[0]
    return float(((fitted - values.mean()) ** 2).sum() / ((values - values.mean()) ** 2).sum())


def test_of_all_combinations_it_is_the_analysis_of_variance():
    which = codes(SIZES)
    values = effects(which)
    shares, rest = main_effects(which, values)
    for j in range(len(DIMENSIONS)):
        means = np.array([values[which[:, j] == code].mean() for code in which[:, j]])
        expected = ((means - values.mean()) ** 2).sum() / ((values - values.mean()) ** 2).sum()
        assert shares[j] == pytest.approx(expected, abs=1e-12)
    assert shares.sum() + rest == pytest.approx(1, abs=1e-12)
    assert rest > 0.05


def test_of_some_combinations_it_is_the_mean_over_all_orders():
    which = codes(SIZES)
    which = which[ATTRIBUTION_RNG.permutation(len(which))[:40]]
    which = which[~((which[:, 0] == 3) & (which[:, 4] == 1))]  # a measure that makes no sense with an option
    values = effects(which)
    shares, rest = main_effects(which, values)
    varying = [0, 1, 4, 7]
    expected = dict.fromkeys(varying, 0.0)
    orders = list(permutations(varying))
    for order in orders:
        for place, j in enumerate(order):
            before = explained(which, values, order[:place]) if place else 0.0
            expected[j] += (explained(which, values, order[: place + 1]) - before) / len(orders)
    assert {j: shares[j] for j in varying} == pytest.approx(expected, abs=1e-10)
    assert rest == pytest.approx(1 - sum(expected.values()), abs=1e-10)


def worlds(which: np.ndarray) -> Worlds:
    options = {name: tuple(range(which[:, i].max() + 1)) for i, name in enumerate(DIMENSIONS)}
    return Worlds(options, which, len(which), {}, 0)


def test_tests_and_families_decide_nothing_however_often_they_are_counted():
    which = codes({**SIZES, "test": 3, "family": 2})
    which = which[(which[:, 9] == 0) | ((which[:, 2] == 1) & (which[:, 1] != 2))]  # for one test and some averages
    values = effects(codes(SIZES))[np.ravel_multi_index(tuple(which[:, [0, 1, 4, 7]].T), tuple(SIZES.values()))]
    found = attribution(worlds(which), values)
    assert (found["test"], found["family"]) == (0, 0)
    assert list(found.index) == [*DIMENSIONS, "interactions"]
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()


def test_infinite_differences_are_left_out_and_equal_ones_decide_nothing():
    which = codes(SIZES)
    values = effects(which)
    some = values.copy()
    some[5] = np.inf
    rest = np.delete(np.arange(len(which)), 5)
    assert attribution(worlds(which), some).to_numpy() == pytest.approx(
        [*main_effects(which[rest], values[rest])[0], main_effects(which[rest], values[rest])[1]]
    )
    assert attribution(worlds(which), np.full(len(which), 0.1 + 0.2)).isna().all()
