"""Correlations against their definitions, counted pair by pair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irviz.stats import correlation
from irviz.stats.correlation import (
    COEFFICIENTS,
    kendall_tau,
    mean_ranks,
    min_ranks,
    paired_tau,
    pearson,
    spearman,
    tau_ap,
    tie_sizes,
)


def tied(shape, seed=0, steps=5):
    return np.random.default_rng(seed).integers(0, steps, shape) / steps


def tau_by_pairs(x, y):
    """Eq. (7) of Ferrante et al. 2019, term by term."""
    p = q = t = u = 0
    for i, j in itertools.combinations(range(len(x)), 2):
        a, b = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
        p, q = p + (a * b > 0), q + (a * b < 0)
        t, u = t + (a == 0 and b != 0), u + (b == 0 and a != 0)
    return (p - q) / np.sqrt((p + q + t) * (p + q + u))


def tau_ap_by_ranks(reference, judged):
    """Yilmaz et al. 2008: walk down the judged ranking, count who is rightly above."""
    shares = []
    for i in range(len(judged)):
        above = [j for j in range(len(judged)) if judged[j] > judged[i]]
        right = sum((1 + np.sign(reference[j] - reference[i])) / 2 for j in above)
        shares += [right / len(above)] if above else []
    return 2 * np.mean(shares) - 1


@pytest.mark.parametrize("seed", range(5))
def test_tau_b_counts_ties_as_published(seed):
    x = tied((4, 11), seed)
    ours = kendall_tau(x)
    for i, j in itertools.product(range(4), repeat=2):
        assert ours[i, j] == pytest.approx(tau_by_pairs(x[i], x[j]), abs=1e-14)


@pytest.mark.parametrize("steps", [5, 10**6])
def test_tau_ap_rows_are_the_reference(steps):
    x = tied((4, 11), 1, steps)
    ours = tau_ap(x)
    for i, j in itertools.product(range(4), repeat=2):
        assert ours[i, j] == pytest.approx(tau_ap_by_ranks(x[i], x[j]), abs=1e-14)


def test_tau_ap_by_hand():
    # judged order b a c d against a b c d: shares 0/1, 2/2, 3/3, hence 2·(2/3) − 1 = 1/3;
    # the same swap at the bottom, a b d c: 1/1, 2/2, 2/3, hence 7/9.
    truth, top, bottom = [4, 3, 2, 1], [3, 4, 2, 1], [4, 3, 1, 2]
    ours = tau_ap(np.array([truth, top, bottom], dtype=float))
    assert ours[0, 1] == pytest.approx(1 / 3)
    assert ours[0, 2] == pytest.approx(7 / 9)


def test_tau_ap_is_not_symmetric_with_ties_or_without():
    ours = tau_ap(np.array([[5, 4, 3, 2, 1], [3, 5, 2, 4, 1]], dtype=float))
    assert ours[0, 1] != ours[1, 0]


@pytest.mark.parametrize("name", list(COEFFICIENTS))
def test_identity_reversal_and_constant(name):
    x = np.array([[1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], [0.1, 0.1, 0.1, 0.1]])
    ours = COEFFICIENTS[name].all_pairs(x)
    np.testing.assert_allclose(ours[:2, :2], [[1, -1], [-1, 1]], atol=1e-15)
    assert np.isnan(ours[2]).all() and np.isnan(ours[:, 2]).all()


@pytest.mark.parametrize("name", list(COEFFICIENTS))
def test_a_ranking_with_ties_agrees_with_itself_to_exactly_one(name):
    assert np.diagonal(COEFFICIENTS[name].all_pairs(tied((6, 30)))).tolist() == [1.0] * 6


@pytest.mark.parametrize("name", list(COEFFICIENTS))
@pytest.mark.parametrize("systems", [2, 13, 300])
def test_row_by_row_is_the_diagonal_of_all_pairs(name, systems):
    x, y = tied((2, 5, systems), 2, 7), tied((2, 5, systems), 3, 9)
    x[0, 0] = 0.25
    full = COEFFICIENTS[name].all_pairs(np.concatenate([x, y], axis=1))
    expected = full[:, np.arange(5), 5 + np.arange(5)]
    np.testing.assert_allclose(COEFFICIENTS[name].row_by_row(x, y), expected, atol=1e-12)


@pytest.mark.parametrize("name", list(COEFFICIENTS))
def test_no_rows_give_no_coefficients(name):
    assert COEFFICIENTS[name].row_by_row(np.empty((0, 4)), np.empty((0, 4))).shape == (0,)


def test_chunks_do_not_change_a_thing(monkeypatch):
    x = tied((3, 4, 40))
    whole = [kendall_tau(x), tau_ap(x)]
    monkeypatch.setattr(correlation, "CHUNK_BYTES", 1)
    for before, after in zip(whole, [kendall_tau(x), tau_ap(x)], strict=True):
        np.testing.assert_allclose(before, after, atol=1e-15)


def test_order_is_seen_where_differences_underflow():
    x = np.array([[1e-320, 2e-320, 3e-320], [1.0, 2.0, 3.0]])
    assert kendall_tau(x)[0, 1] == 1.0
    assert spearman(x)[0, 1] == 1.0
    assert pearson(x * [[1e150], [1.0]])[0, 1] == pytest.approx(1.0)


def test_inversions_of_many_systems_do_not_overflow():
    falling = np.arange(600.0)[::-1]
    assert paired_tau(np.arange(600.0)[None], falling[None]).tolist() == [-1.0]


def test_ranks():
    x = np.array([[0.2, 0.5, 0.2, 0.9], [1.0, 1.0, 1.0, 1.0]])
    assert min_ranks(x).tolist() == [[0, 2, 0, 3], [0, 0, 0, 0]]
    assert mean_ranks(x).tolist() == [[1.5, 3, 1.5, 4], [2.5, 2.5, 2.5, 2.5]]
    assert tie_sizes(x).tolist() == [2, 1, 1, 4]


def test_tolerance_is_one_a_row():
    x = np.array([[0.0, 0.1, 0.25], [0.0, 0.1, 0.25]])
    assert min_ranks(x, np.array([0.0, 0.12])).tolist() == [[0, 1, 2], [0, 0, 2]]
