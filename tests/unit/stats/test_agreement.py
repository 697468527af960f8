"""κ and α against published worked examples, statsmodels and identities."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

import irviz
from irviz.errors import IrvizError
from irviz.stats.agreement import cohen_kappa, confusion, grade_codes, krippendorff_alpha
from irviz.stats.lists import dominance, dominated_shares
from irviz.stats.topic_effects import BINS, FEW_PAIRS, RATES, WIDTH, bin_of, known_reversals, swaps
from irviz.workspace.data import bundled_scores

# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section E: four observers, twelve units, gaps
RELIABILITY = ["123321412...", "12332241 25.3".replace(" ", ""), ".33323422 51.".replace(" ", ""), "12332441251."]


def printed(rows: list[str]) -> np.ndarray:
    """documents × judges."""
    return np.array([[np.nan if mark == "." else float(mark) for mark in row] for row in rows]).T


def alpha(grades: np.ndarray) -> float:
    scale, codes = grade_codes(grades)
    return krippendorff_alpha(codes, len(scale))


def test_alpha_as_krippendorff_prints_it():
    assert round(alpha(printed(RELIABILITY)), 3) == 0.815
    assert round(alpha(printed(["0100000010", "1110010000"])), 3) == 0.095  # section A: two observers, binary data


def test_alpha_where_it_is_not_defined():
    assert np.isnan(alpha(np.array([[1.0, np.nan], [np.nan, 2.0]])))
    assert np.isnan(alpha(np.ones((3, 2))))


@pytest.mark.parametrize(("weights", "theirs"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")])
def test_kappa_agrees_with_statsmodels(weights: str, theirs: str | None):
    counts = np.random.default_rng(3).integers(0, 40, size=(4, 4))
    expected = cohens_kappa(counts, wt=theirs, return_results=False)
    assert cohen_kappa(counts, weights) == pytest.approx(expected, abs=1e-12)


def test_kappa_by_hand_and_at_its_ends():
    assert cohen_kappa(np.array([[20, 5], [10, 15]])) == pytest.approx(0.4)  # Cohen's coefficient in textbooks
    assert cohen_kappa(np.diag([3, 4, 5]), "quadratic") == 1.0
    assert np.isnan(cohen_kappa(np.array([[7, 0], [0, 0]]))) and np.isnan(cohen_kappa(np.zeros((2, 2), dtype=int)))


def test_kappa_weighs_by_the_grades_themselves():
    counts = np.array([[5, 4, 0], [1, 5, 1], [0, 1, 5]])
    even, far = (cohen_kappa(counts, "linear", np.array(scale)) for scale in ([0.0, 1.0, 2.0], [0.0, 1.0, 9.0]))
    assert even != far
    assert cohen_kappa(counts, "none", np.array([0.0, 1.0, 9.0])) == cohen_kappa(counts)


def test_confusion_counts_every_document_once():
    rng = np.random.default_rng(1)
    first, second = rng.integers(-1, 3, 200), rng.integers(-1, 3, 200)
    counts = confusion(first, second, 3)
    assert counts.sum() == ((first >= 0) | (second >= 0)).sum()
    for a, b in ((0, 0), (2, 1), (1, -1), (-1, 2)):
        assert counts[a, b] == ((first == a) & (second == b)).sum()
    assert (confusion(second, first, 3) == counts.T).all()


def test_grades_below_zero_are_zero_and_missing_ones_are_missing():
    scale, codes = grade_codes(np.array([[-2.0, 0.0, np.nan, 0.5]]))
    assert (scale.tolist(), codes.tolist()) == ([0.0, 0.5], [[0, 0, -1, 1]])


# Dominance of lists: by hand, and as every measure sees it.


QRELS = b"1 0 a 2\n1 0 b 1\n1 0 c 0\n2 0 a 1\n2 0 b 1\n3 0 a 1\n"
MEASURES = ("AP", "P@3", "nDCG@3", "RBP(p=0.3)", "RBP(p=0.8)", "ERR@3", "DCG@3", "RBTO@3", "SBTO@3")


def run(*lists: str) -> bytes:
    return "".join(
        f"{topic} Q0 {name} {rank} {9 - rank} x\n"
        for topic, names in enumerate(lists, start=1)
        for rank, name in enumerate(names, start=1)
    ).encode()


def test_verdicts_and_ranks_by_hand():
    c = irviz.load_collection(("q", QRELS), [("x", run("abc", "xab", "a")), ("y", run("bac", "axb", "a"))])
    found = dominance(c, "x", "y")
    assert found.verdicts == ("first", "second", "equal")
    assert found.first_behind.tolist() == [0, 1, 0] and found.second_behind.tolist() == [1, 0, 0]
    crossed = irviz.load_collection(("q", QRELS), [("x", run("axx", "axx", "a")), ("y", run("bax", "xab", "a"))])
    assert dominance(crossed, "x", "y").verdicts == ("undecided", "undecided", "equal")
    assert dominance(crossed, "x", "y").frame().iloc[1].tolist() == ["2", "undecided", 3, 1]


def test_no_measure_disputes_dominance():
    c = irviz.open_collection("adhoc").subset(systems=irviz.open_collection("adhoc").systems[:6], depth=20)
    s = irviz.score(c, MEASURES)
    checked = 0
    for i, a in enumerate(c.systems):
        for b in c.systems[i + 1 :]:
            found = dominance(c, a, b)
            for t, verdict in enumerate(found.verdicts):
                if verdict in ("first", "second"):
                    one, two = (s.values[:, t, c.systems.index(x)] for x in ((a, b) if verdict == "first" else (b, a)))
                    assert (one >= two - 1e-12).all()
                    checked += 1
    assert checked > 20


def test_shares_of_all_pairs_are_those_of_each_pair():
    whole = irviz.open_collection("multiaspect")
    c = whole.subset(systems=whole.systems[:5])
    shares = dominated_shares(c, c.aspects[1])
    for i, a in enumerate(c.systems):
        for j, b in enumerate(c.systems):
            if i != j:
                assert shares[i, j] == dominance(c, a, b, aspect=c.aspects[1]).count("first") / len(c.topics)
    assert np.diagonal(shares).sum() == 0


def test_a_list_is_not_compared_with_itself():
    c = irviz.open_collection("adhoc")
    with pytest.raises(IrvizError, match="A list is compared with another one"):
        dominance(c, c.systems[0], c.systems[0])
    with pytest.raises(IrvizError, match="There is no system `nobody`"):
        dominance(c, c.systems[0], "nobody")


# Swap rates: against a count pair by pair, and what must hold of them.


RNG = np.random.Generator(np.random.PCG64(5))
MATRIX = np.round(RNG.random((9, 6)) * 0.3 + np.linspace(0, 0.2, 6), 3)


def by_hand(matrix: np.ndarray, size: int, trials: int, seed: int) -> tuple[list[int], list[float]]:
    """Split by split, pair by pair, with fractions of thousandths."""
    whole = np.rint(matrix * 1000).astype(int)
    generator = np.random.Generator(np.random.PCG64(seed))
    order = np.tile(np.arange(len(matrix)), (trials, 1))
    generator.permuted(order, axis=1, out=order)
    pairs, turned = [0] * BINS, [0.0] * BINS
    for row in order:
        first = whole[row < size].sum(axis=0)
        second = whole[(row >= size) & (row < 2 * size)].sum(axis=0)
        for i in range(matrix.shape[1]):
            for j in range(i):
                one, other = int(first[i] - first[j]), int(second[i] - second[j])
                if one:
                    place = min(abs(one) // round(WIDTH * 1000 * size), BINS - 1)
                    pairs[place] += 1
                    turned[place] += 0.5 if other == 0 else float(one * other < 0)
    return pairs, turned


@pytest.mark.parametrize("size", [4, 2, 1])
def test_counts_are_those_of_a_count_pair_by_pair(size):
    found = swaps(MATRIX, size, trials=40, seed=3)
    pairs, turned = by_hand(MATRIX, size, 40, 3)
    assert found.pairs.tolist() == pairs and found.turns.tolist() == turned


def test_systems_that_differ_by_a_constant_never_turn_and_noise_turns_half():
    steady = MATRIX[:, :1] + np.array([0.0, 0.05, 0.15])
    found = swaps(steady, trials=30)
    assert found.turns.sum() == 0 and found.pairs[[5, 10, 15]].tolist() == [30, 30, 30]
    noise = RNG.random((40, 30))
    rate = swaps(noise, trials=60).turns.sum() / swaps(noise, trials=60).pairs.sum()
    assert abs(rate - 0.5) < 0.1  # that of halves without replacement is a little above one half


def test_means_that_differ_by_rounding_have_no_order():
    matrix = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]] * 2)
    assert swaps(matrix, 3, trials=100).pairs.sum() == swaps(10 * matrix, 3, trials=100).pairs.sum() > 0


def test_a_difference_is_looked_up_in_its_bin():
    found = swaps(MATRIX, trials=40)
    assert found.rate_at(-0.025)[1] == found.rate_at(0.025)[1] == found.pairs[2]
    most = int(found.pairs.argmax())
    assert found.rate_at(found.low[most])[0] == found.rate[most] and found.pairs[most] >= FEW_PAIRS
    assert bin_of(np.array([0.03, 0.07, 0.29])).tolist() == [3, 7, BINS - 1]


@pytest.mark.parametrize(
    ("matrix", "topics", "words"),
    [
        (MATRIX[:1], None, "got 6 and 1"),
        (MATRIX[:, :1], None, "got 1 and 9"),
        (MATRIX, 5, "1 to 4 of 9 topics; got 5"),
        (MATRIX, 0, "got 0"),
    ],
)
def test_what_cannot_be_split_is_refused(matrix, topics, words):
    with pytest.raises(IrvizError, match=words):
        swaps(matrix, topics)


def test_huge_differences_are_in_the_last_bin():
    matrix = MATRIX.copy()
    matrix[:, 0] *= 1e200
    assert swaps(matrix, trials=10).pairs[-1] >= 10 * (MATRIX.shape[1] - 1)


@pytest.mark.parametrize(
    ("folder", "title"), [("trec-dl/2019", "TREC DL 2019, scores"), ("trec-urbano/web2013", "TREC Web 2013, scores")]
)
def test_the_stored_counts_come_out_again(folder, title):
    known = pd.read_csv(RATES).query("collection == @title and measure == 'P@10' and topics == 20")
    again = swaps(bundled_scores(folder)["P@10"], 20).frame().query("pairs > 0")
    assert known[["pairs", "turned"]].to_numpy().tolist() == again[["pairs", "turned"]].to_numpy().tolist()


def test_known_reversals_are_the_stored_shares_of_the_real_collections():
    known = pd.read_csv(RATES).query("measure == 'AP' and topics == 25 and low == 0.02")
    found = known_reversals("AP(rel=2)", -0.023, 50)
    assert found.shares == tuple(known["turned"] / known["pairs"]) and len(known) == known["collection"].nunique() >= 5
    assert (found.measure, found.topics, found.low) == ("AP", 25, 0.02) and found.high == pytest.approx(0.03)
    assert np.isinf(known_reversals("AP", 5.0, 50).high)


@pytest.mark.parametrize(("measure", "difference", "topics"), [("AP", 0.0, 50), ("AP", 0.02, 9), ("ERR@7", 0.02, 50)])
def test_nothing_is_quoted_where_nothing_is_known(measure, difference, topics):
    assert known_reversals(measure, difference, topics) is None
