"""Prediction-powered inference: plain loops, published coverage, simulation, and what is refused."""

from __future__ import annotations

from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean, variance

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

import irviz
from irviz.collection.model import Collection
from irviz.stats.prediction_powered import METHODS, coverage
from irviz.stats.scores import Scores
from tests.refusals import refused


@pytest.fixture(scope="module")
def adhoc() -> Collection:
    return irviz.open_collection("adhoc")


def cube(values: np.ndarray, systems: str = "AB") -> Scores:
    """Of one measure, topics × systems."""
    topics = tuple(str(i) for i in range(1, len(values) + 1))
    return Scores(values[None], ("AP",), topics, tuple(systems))


def slope(x: list[float], y: list[float]) -> float:
    """cov/var within [0, 1]."""
    x_mean, y_mean = fmean(x), fmean(y)
    square = sum((b - y_mean) ** 2 for b in y)
    cross = sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y, strict=True))
    return min(max(cross / square, 0.0), 1.0) if square > 1e-20 else 0.0


def by_hand(x: list[float], y: list[float], every: list[float], confidence: float) -> list[list[float]]:
    """Rows of estimate, low, high, λ; x and y on the judged topics, `every` of the machine."""
    n, many, middle = len(x), len(every), fmean(every)
    found = []
    for method in METHODS:
        if method == "machine":
            half = student.ppf((1 + confidence) / 2, many - 1) * sqrt(variance(every) / many)
            found.append([middle, middle - half, middle + half, float("nan")])
            continue
        weight = {"people": 0.0, "ppi": 1.0}.get(method, slope(x, y))
        weights = [weight] * n
        if method == "ppi++":
            weights = [slope(x[:i] + x[i + 1 :], y[:i] + y[i + 1 :]) for i in range(n)]
        left = [a - w * (b - middle) for a, b, w in zip(x, y, weights, strict=True)]
        half = student.ppf((1 + confidence) / 2, n - 1) * sqrt((1 - n / many) * variance(left) / n)
        estimate = fmean(x) + weight * (middle - fmean(y))
        found.append([estimate, estimate - half, estimate + half, weight])
    return found


@pytest.mark.parametrize(("n", "noise"), [(2, 0.1), (3, 0.1), (10, 0.1), (10, 1.0), (30, 0.1)])
def test_the_rows_are_those_of_plain_loops(n: int, noise: float):
    rng = np.random.default_rng(n)
    people = rng.random((30, 2))
    machine = people + noise * rng.normal(size=people.shape)
    found = irviz.prediction_powered(cube(people), cube(machine), "AP", "B > A", topics=n, confidence=0.9, seed=3)
    x, y = (values[:, 1] - values[:, 0] for values in (people, machine))
    expected = by_hand(x[found.judged].tolist(), y[found.judged].tolist(), y.tolist(), 0.9)
    frame = found.frame()
    np.testing.assert_allclose(frame[["estimate", "low", "high", "weight"]].to_numpy(float), expected, atol=1e-12)
    assert frame.method.tolist() == list(METHODS)
    assert (set(frame.n), set(frame.N), found.claim) == ({n}, {30}, "B > A")


def test_ppi_is_that_of_ppi_python():
    """``ppi_mean_ci(…, lam=1)`` of version 0.2.3, the machine's numbers repeated 20,000 times: z, and no finite set."""
    rng = np.random.default_rng(1)
    people = rng.random((40, 2))
    machine = people + 0.2 * rng.normal(size=people.shape)
    for n, printed in ((5, [-0.24120665, -0.01630675]), (12, [-0.21755934, 0.0519037])):
        frame = irviz.prediction_powered(cube(people), cube(machine), "AP", "A > B", topics=n).frame()
        ppi = frame.set_index("method").loc["ppi"]
        half = (
            (ppi.high - ppi.estimate) * norm.ppf(0.975) / student.ppf(0.975, n - 1) * sqrt((n - 1) / n / (1 - n / 40))
        )
        assert [ppi.estimate - half, ppi.estimate + half] == pytest.approx(printed, abs=1e-5)


def test_a_collection_of_which_people_judged_a_part():
    topics = [str(i) for i in range(8)]
    lines = {t: f"{t} 0 a {1 + int(t) % 3}\n{t} 0 b 0\n{t} 0 c 1\n" for t in topics}
    qrels = {
        name: (name, "".join(lines[t] for t in own).encode()) for name, own in (("people", "147"), ("gpt", topics))
    }
    runs = {
        s: (s, "".join(f"{t} Q0 {d} {r} {9 - r} {s}\n" for t in topics for r, d in enumerate(order)).encode())
        for s, order in (("x", "abc"), ("y", "bca"), ("z", "cba"))
    }
    c = irviz.load_collection(qrels, runs, judges=True)
    found = irviz.prediction_powered(c, "nDCG", "x > y", machine="gpt")
    assert [found.topics[i] for i in found.judged] == ["1", "4", "7"]
    assert set(found.frame().N) == {8}
    # the machine agrees with people: λ = 1 leaves no error
    ppi = found.frame().set_index("method").loc["ppi"]
    means = irviz.score(c.by_judge("gpt"), "nDCG")["nDCG"].mean()
    assert ppi.estimate == pytest.approx(means.x - means.y)
    assert ppi.high - ppi.low == pytest.approx(0, abs=1e-12)
    systems = irviz.prediction_powered(c, "nDCG", machine="gpt", topics=["4", 7]).frame()
    assert list(zip(systems.system, systems.method, strict=True)) == [(s, m) for s in "xyz" for m in METHODS]
    assert "all 3 are used" in refused(found.coverage)


def test_all_topics_by_people_leave_no_error(adhoc: Collection):
    first, second = adhoc.systems[:2]
    claim = f"`{first}` > `{second}`"
    frame = irviz.prediction_powered(adhoc, "nDCG@10", claim).frame().set_index("method")
    means = irviz.score(adhoc.by_judge("people"), "nDCG@10")["nDCG@10"].mean()
    for method in ("people", "ppi", "ppi++"):
        assert frame.loc[method, ["estimate", "low", "high"]].tolist() == pytest.approx(
            [means[first] - means[second]] * 3
        )
    fewer, more = (set(irviz.prediction_powered(adhoc, "AP", claim, topics=n).judged.tolist()) for n in (5, 9))
    assert (len(fewer), len(more)) == (5, 9)
    assert fewer < more


def test_missing_scores_and_equal_numbers():
    rng = np.random.default_rng(0)
    people = rng.random((12, 3))
    machine = np.full((12, 3), 0.3)
    people[7:, 0] = machine[11, 1] = np.nan
    found = irviz.prediction_powered(cube(people, "ABC"), cube(machine, "ABC"), "AP", "A > B")
    assert (len(found.topics), found.judged.tolist()) == (11, [0, 1, 2, 3, 4, 5, 6])
    rows = found.frame().set_index("method")[["estimate", "low", "high", "weight"]]
    assert rows.loc["ppi++"].tolist() == pytest.approx(rows.loc["people"].tolist())  # λ = 0
    assert set(irviz.prediction_powered(cube(people, "ABC"), cube(machine, "ABC"), "AP", "C > A").frame().N) == {12}


def test_coverage_of_trec_2021_deep_learning(collections: Path):
    folder = collections / "trec-dl-2021"
    files = {"people": folder / "qrels.nist.txt", "umbrela": folder / "judges" / "umbrela-gpt4.txt"}
    c = irviz.load_collection(files, folder / "runs", judges=True, documents="none")
    people, machine = (irviz.compatibility(c.by_judge(name), p=0.9, normalise=False) for name in files)
    i, j = np.triu_indices(len(c.systems), k=1)
    x, y = (own.values[0][:, i] - own.values[0][:, j] for own in (people, machine))
    held, width = coverage(x, y, 10, draws=60)
    # 500 draws of one pair each, printed as .94, .81 and .96; half-widths .129, .063 and .130
    assert held.mean(axis=1)[:3] == pytest.approx([0.94, 0.81, 0.96], abs=0.03)
    assert np.median(width, axis=1)[:3] / 2 == pytest.approx([0.129, 0.063, 0.130], rel=0.1)
    assert 0.93 < held[3].mean() < 0.97
    assert (width[3] / width[0]).mean() < 0.95


@pytest.mark.parametrize("n", [5, 10, 20])
def test_coverage_by_simulation(n: int):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(60, 400))
    y = 0.7 * x + 0.7 * rng.normal(size=x.shape)
    held, width = (part.mean(axis=1) for part in coverage(x, y, n, draws=40))
    assert held[[0, 2]] == pytest.approx([0.95, 0.95], abs=0.015)
    assert 0.925 < held[3] < 0.96
    assert width[3] < 0.95 * width[0]


def test_what_is_refused(adhoc: Collection):
    first, second = (f"`{name}`" for name in adhoc.systems[:2])
    scores = irviz.score(adhoc, "AP")
    few = scores.select(systems=adhoc.systems[:3])
    for what in (
        (adhoc, "AP", f"{first} is best"),
        (adhoc, "AP", f"{first} > {second} > `{adhoc.systems[2]}`"),
        (adhoc,),
        (adhoc, "AP", f"{first} > {second}", "AP"),
        (scores, "AP", "AP"),
        (few, scores, "AP"),
        ("adhoc", "AP"),
    ):
        refused(partial(irviz.prediction_powered, *what))
    for how in ({"machine": "gpt"}, {"confidence": 95}, *({"topics": some} for some in (1, 51, ["x", "401"], "401"))):
        refused(partial(irviz.prediction_powered, adhoc, "AP", **how))


def test_half_widths_are_those_of_any_number_of_topics(adhoc):
    """At the number that is used they are the intervals'; further ones keep the spread (Student, finite set)."""
    found = irviz.prediction_powered(adhoc, "AP", "cobalt-bm25-qe > meridian-tfidf", topics=12)
    halves = found.half_widths()
    assert halves.shape == (4, 1, 49)
    np.testing.assert_allclose(halves[..., 10], (found.high - found.low) / 2, rtol=1e-12)
    spread = np.std(found.people[found.judged], ddof=1)
    expected = [student.ppf(0.975, n - 1) * spread * sqrt((1 - n / 50) / n) for n in range(2, 51)]
    np.testing.assert_allclose(halves[0, 0], expected, rtol=1e-9, atol=1e-15)
    assert len(set(halves[1, 0])) == 1 and halves[2, 0, -1] == 0
    assert "all 50 topics" in refused(
        irviz.prediction_powered(adhoc, "AP", "cobalt-bm25-qe > meridian-tfidf").half_widths
    )


def test_coverage_of_one_draw_is_whether_its_interval_holds():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(20, 3))
    y = x + rng.normal(size=x.shape)
    places = np.array([3, 0, 7, 11])
    held, width = coverage(x, y, places)
    topics = [str(i + 1) for i in places]
    for column in range(3):
        cubes = [cube(np.stack([one[:, column], np.zeros(20)], axis=1)) for one in (x, y)]
        found = irviz.prediction_powered(*cubes, "AP", "A > B", topics=topics)
        holds = (found.low <= x[:, column].mean()) & (x[:, column].mean() <= found.high)
        assert held[:, column].tolist() == holds[:, 0].tolist()
        np.testing.assert_allclose(width[:, column], (found.high - found.low)[:, 0])
