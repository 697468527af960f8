"""What the tests of Quepid, the Search Relevance Workbench and Elasticsearch's `_rank_eval` expect: data, no code.

Quepid's `javascript_scorer_test.rb`; `EvaluationTests` of the Workbench, from before it had thresholds, which compare
numbers rounded to two decimals; `PrecisionAtKTests`, `RecallAtKTests`, `MeanReciprocalRankTests`,
`DiscountedCumulativeGainTests` and `ExpectedReciprocalRankTests` of `_rank_eval`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

import irviz
from irviz.labs.conventions.model import PRESETS, expression_under, outcome_under

THIRDS = " ".join(str(i % 3) for i in range(1, 21))  #: the Workbench's twenty documents

#: preset, measure, k, grades of the list (u: unrated), those rated elsewhere, conventions of the request, what the
#: tool's test expects and how exactly it compares
CASES = [
    ("quepid", "P@k", 10, "u u", "1", {}, 0.0, 0.001),
    ("quepid", "P@k", 10, "1 0", "", {}, 0.5, 0.001),
    ("quepid", "AP@k", 10, "0 1", "1", {}, 0.25, 0.001),
    ("quepid", "nDCG@k", 10, "0 3 1", "", {}, 0.64, 0.005),
    ("quepid", "ERR@k", 10, "3 0 u", "2", {}, 0.88, 0.006),
    ("workbench", "P@k", 20, THIRDS, "", {}, 0.70, 0.005),
    ("workbench", "P@k", 5, THIRDS, "", {}, 0.80, 0.005),
    ("workbench", "AP@k", 20, THIRDS, "", {}, 0.76, 0.005),
    ("workbench", "AP@k", 5, THIRDS[:9], THIRDS[10:], {}, 0.25, 0.005),
    ("workbench", "nDCG@k", 20, THIRDS, "", {}, 0.76, 0.005),
    ("workbench", "nDCG@k", 5, THIRDS[:9], THIRDS[10:], {}, 0.51, 0.005),
    ("rank_eval", "P@k", 10, "1", "", {}, 1, 1e-5),
    ("rank_eval", "P@k", 10, "1 1 1 1 0", "", {}, 4 / 5, 1e-5),
    ("rank_eval", "P@k", 5, "0 1 2 3 4", "", {"rel": "2"}, 3 / 5, 1e-5),
    ("rank_eval", "P@k", 5, "1 1 0", "1 1", {}, 2 / 3, 1e-5),
    ("rank_eval", "P@k", 10, "1 1 u", "", {}, 2 / 3, 1e-5),
    ("rank_eval", "P@k", 10, "1 1 u", "", {"unjudged": "removed"}, 2 / 2, 1e-5),
    ("rank_eval", "P@k", 10, "u u u u u", "1", {}, 0.0, 1e-5),
    ("rank_eval", "nDCG@k", 10, "3 2 3 0 1 2", "", {}, 13.84826362927298 / 14.595390756454922, 1e-5),
    ("rank_eval", "nDCG@k", 10, "3 2 3 u 1 u", "", {}, 12.779642067948913 / 13.347184833073591, 1e-5),
    ("rank_eval", "nDCG@k", 10, "3 2 3 u", "1", {}, 12.392789260714371 / 13.347184833073591, 1e-5),
    ("rank_eval", "nDCG@k", 10, "1", "1 1 1 1", {}, 1.0, 1e-12),
    ("rank_eval", "nDCG@k", 10, "0 0 0 0 0 1 1 1 1 1", "", {}, 0.5409945177788987, 1e-12),
    ("rank_eval", "ERR@k", 3, "3 2 0 1", "", {}, 0.8984375, 1e-13),
    ("rank_eval", "ERR@k", 4, "3 2 0 1", "", {}, 0.8984375 + 0.00244140625, 1e-13),
    ("rank_eval", "ERR@k", 4, "3 u 0 1", "", {}, 0.875 + 0.00390625, 1e-13),
]
#: measures of a bundle that the lab has no conventions for
OTHERS = [
    ("quepid", "RR@10", "0 0 1", "", 0.33, 0.005),
    ("rank_eval", "RR@10", "0 0 0 1 0", "", 1 / 4, 1e-12),
    ("rank_eval", "nDCG(dcg='exp-log2',ideal='retrieved')@10", "1", "1 1 1 1", 1.0, 1e-12),
    ("rank_eval", "R@10", "1 1 1 1 0", "", 1, 1e-5),
    ("rank_eval", "R@10", "1 1 0", "1 1", 2 / 4, 1e-5),
]


def opened(listed: str, rated: str, ties: str) -> irviz.Collection:
    """A collection of one query with this list, in the order of its lines."""
    grades = [*listed.split(), *rated.split()]
    qrels = "".join(f"q 0 d{i} {grade}\n" for i, grade in enumerate(grades) if grade != "u")
    run = "".join(f"q Q0 d{i} {i + 1} {-i} r\n" for i in range(len(listed.split())))
    return irviz.load_collection(("qrels", qrels.encode()), [("run", run.encode())], ties=ties)


@pytest.mark.parametrize(("preset", "kind", "k", "listed", "rated", "request_says", "expected", "within"), CASES)
def test_a_preset_gives_the_numbers_of_its_tools_own_tests(
    preset, kind, k, listed, rated, request_says, expected, within
):
    conventions = replace(PRESETS[preset].conventions, **request_says)
    assert kind in PRESETS[preset].measures
    found = outcome_under(opened(listed, rated, conventions.ties), kind, k, conventions)
    assert found.means[0] == pytest.approx(expected, abs=within)


@pytest.mark.parametrize(("preset", "label", "listed", "rated", "expected", "within"), OTHERS)
def test_the_other_measures_of_a_bundle_agree_too(preset, label, listed, rated, expected, within):
    assert label in PRESETS[preset].expressions
    assert irviz.score(opened(listed, rated, "file"), label).values.item() == pytest.approx(expected, abs=within)


@pytest.mark.parametrize("preset", [name for name, one in PRESETS.items() if one.expressions])
def test_a_bundle_holds_every_measure_of_its_preset_with_gains_and_thresholds(preset):
    """An expression of the lab's measure at the cutoff of the tool, in the form that is printed."""
    one = PRESETS[preset]
    assert all(str(irviz.measure(label)) == label for label in one.expressions)
    for kind in one.measures:
        made = {str(irviz.measure(expression_under(kind, k, one.conventions))) for k in (10, 20)}
        assert made & set(one.expressions) or (preset, kind) == ("trec_eval-c", "AP@k")


def test_a_perfect_list_scores_below_1_where_quepid_has_more_than_k_ratings():
    """The ideal list is all of them: 4 documents of grade 1, k = 2."""
    quepid = PRESETS["quepid"].conventions
    found = outcome_under(opened("1 1 1 1", "", "file"), "nDCG@k", 2, quepid)
    whole = outcome_under(opened("1 1 1 1", "", "file"), "nDCG@k", 4, quepid)
    assert found.means[0] < 0.7 and whole.means[0] == pytest.approx(1)
