"""Swap rates: against a count pair by pair, and what must hold of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from irviz.errors import IrvizError
from irviz.stats.swaps import BINS, RATES, WIDTH, bin_of, swap_note, swaps
from irviz.workspace.data import bundled_scores

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
    assert found.pairs.tolist() == pairs and found.turned.tolist() == turned


def test_systems_that_differ_by_a_constant_never_turn_and_noise_turns_half():
    steady = MATRIX[:, :1] + np.array([0.0, 0.05, 0.15])
    found = swaps(steady, trials=30)
    assert found.turned.sum() == 0 and found.pairs[[5, 10, 15]].tolist() == [30, 30, 30]
    noise = RNG.random((40, 30))
    rate = swaps(noise, trials=60).turned.sum() / swaps(noise, trials=60).pairs.sum()
    assert abs(rate - 0.5) < 0.1  # that of halves without replacement is a little above one half


def test_equal_systems_have_no_order_that_could_turn():
    found = swaps(np.ones((6, 3)))
    assert found.pairs.sum() == 0 and np.isnan(found.rate).all() and np.isnan(found.at(0.1))


def test_a_difference_is_looked_up_in_its_bin():
    found = swaps(MATRIX, trials=40)
    assert found.at(-0.025) == found.at(0.025) == pytest.approx(found.rate[2], nan_ok=True)
    assert bin_of(np.array([0.03, 0.07, 0.29])).tolist() == [3, 7, BINS - 1]


@pytest.mark.parametrize(
    ("matrix", "topics", "words"),
    [
        (MATRIX[:1], None, "6 systems and 1 topic"),
        (MATRIX[:, :1], None, "1 system and 9 topics"),
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


def test_a_note_quotes_the_mean_share_of_the_real_collections():
    known = pd.read_csv(RATES).query("measure == 'AP' and topics == 25 and low == 0.02")
    shares = known["turned"] / known["pairs"]
    (note,) = swap_note("AP", -0.023, 50)
    assert f"on {len(known)} real collections, differences of 0.02 to 0.03 AP over 25 topics were reversed" in note
    assert f"in {shares.mean():.0%} of the cases ({shares.min():.0%} at least, {shares.max():.0%} at most)" in note
    assert "over 50 topics fewer are" in note and len(known) == known["collection"].nunique() >= 5


@pytest.mark.parametrize(("measure", "difference", "topics"), [("AP", 0.0, 50), ("AP", 0.02, 9), ("ERR@7", 0.02, 50)])
def test_nothing_is_quoted_where_nothing_is_known(measure, difference, topics):
    assert swap_note(measure, difference, topics) == ()
