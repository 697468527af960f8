"""κ and α against published worked examples, statsmodels and identities."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from irviz.stats.agreement import cohen_kappa, confusion, grade_codes, krippendorff_alpha

# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section E: four observers, twelve units, gaps
RELIABILITY = ["123321412...", "12332241 25.3".replace(" ", ""), ".33323422 51.".replace(" ", ""), "12332441251."]


def printed(rows: list[str]) -> np.ndarray:
    """documents × judges."""
    return np.array([[np.nan if mark == "." else float(mark) for mark in row] for row in rows]).T


@pytest.mark.parametrize(("metric", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_as_krippendorff_prints_it(metric: str, alpha: float):
    scale, codes = grade_codes(printed(RELIABILITY))
    assert round(krippendorff_alpha(codes, scale, metric), 3) == alpha


def test_alpha_of_two_observers_and_binary_data():
    # the same paper, section A: ten units, α = 0.095; metrics agree on two values
    scale, codes = grade_codes(printed(["0100000010", "1110010000"]))
    found = [krippendorff_alpha(codes, scale, metric) for metric in ("nominal", "ordinal", "interval")]
    assert np.round(found, 3).tolist() == [0.095] * 3


def test_alpha_where_it_is_not_defined():
    scale, codes = grade_codes(np.array([[1.0, np.nan], [np.nan, 2.0]]))
    assert np.isnan(krippendorff_alpha(codes, scale))
    scale, codes = grade_codes(np.ones((3, 2)))
    assert np.isnan(krippendorff_alpha(codes, scale))


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
