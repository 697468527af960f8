"""Systems against a baseline: the tests of worlds, corrected; and the table of a paper."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import irviz
from irviz.errors import IrvizError
from irviz.stats.scores import Scores
from tests.panels import opened_once


@pytest.fixture(scope="module")
def scores() -> Scores:
    found = irviz.score(opened_once("adhoc"), ["AP", "nDCG@10"])
    return found.select(systems=found.systems[:8])


@pytest.mark.parametrize("correction", ["holm", "bonferroni"])
@pytest.mark.parametrize("test", ["t", "wilcoxon"])
def test_a_baseline_agrees_with_scipy_and_statsmodels(scores, test, correction):
    frame = irviz.compare(scores, scores.systems[2], test=test, correction=correction).frame()
    for name in scores.measures:
        matrix, rows = scores[name], frame[frame["measure"] == name]
        base = matrix[scores.systems[2]]
        others = [system for system in scores.systems if system != scores.systems[2]]
        assert rows["system"].tolist() == others and set(rows["baseline"]) == {scores.systems[2]}
        assert rows["difference"].to_numpy() == pytest.approx((matrix[others].sub(base, axis=0)).mean().to_numpy())
        plain = [
            stats.ttest_rel(matrix[system], base).pvalue
            if test == "t"
            else stats.wilcoxon((matrix[system] - base).round(12), zero_method="pratt", correction=False).pvalue
            for system in others
        ]
        corrected = multipletests(plain, method=correction)[1]
        assert rows["p"].to_numpy() == pytest.approx(corrected, rel=1e-6)


def test_without_a_baseline_all_pairs_are_compared(scores):
    frame = irviz.compare(scores, test="randomisation", correction="none", trials=200).frame()
    assert len(frame) == 2 * 28 and not frame.duplicated(["measure", "system", "baseline"]).any()


def test_the_table_marks_the_best_and_what_differs(scores):
    table, compared = scores.table(baseline=0), irviz.compare(scores, 0)
    assert np.array_equal(table.marked, compared.table().marked) and not table.marked[0].any()
    pd.testing.assert_frame_equal(table.frame(), scores.means())
    assert table.best.sum(axis=0).tolist() == [1, 1]


def test_names_from_files_are_text_in_a_table():
    odd = Scores(np.array([[[0.1, 0.2], [0.3, 0.4]]]), ("AP",), ("1", "2"), ("a|b", "c_d%"))
    assert r"a\|b" in odd.table().markdown() and r"c\_d\%" in odd.table().latex()


def test_missing_scores_are_left_out_of_means_and_common_topics_are_compared():
    values = np.random.default_rng(0).random((1, 6, 3))
    values[0, 0, 1] = np.nan
    holed = Scores(values, ("AP",), tuple("123456"), tuple("abc"))
    assert holed.means()["AP"].to_numpy() == pytest.approx(np.nanmean(values[0], axis=0))
    assert irviz.compare(holed, "a").topics == 5


@pytest.mark.parametrize(
    ("arguments", "what"),
    [({"baseline": "nobody"}, "nobody"), ({"test": "z"}, "z"), ({"correction": "fdr"}, "fdr"), ({"alpha": 2}, "alpha")],
)
def test_what_cannot_be_compared_is_refused(scores, arguments, what):
    with pytest.raises(IrvizError, match=what):
        irviz.compare(scores, **arguments)


def test_a_matrix_that_is_turned_is_refused(scores):
    with pytest.raises(IrvizError, match="swapped"):
        irviz.significance(scores["AP"].T)
