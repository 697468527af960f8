"""Worked examples of the papers, and small ones computed by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import irviz
from irviz.collection.codes import BEYOND, NEGATIVE, UNJUDGED
from irviz.collection.model import Collection
from irviz.measures.judged_lists import JudgedLists, Topics
from irviz.stats.similarity import overall_of_subsets
from tests.judged_runs import collection, values

R, S = [1, 0, 2, 0, 1], [1, 1, 0, 0, 0]  # the two runs of Ferrante et al. 2019, section 4.3


def test_dcg_of_the_example():
    assert values("DCG", [R, S], (0, 1, 2)) == pytest.approx([1 + 2 / math.log2(3) + 1 / math.log2(5), 2])
    assert values("DCG", [R], (0, 1, 2))[0] == pytest.approx(2.6925, abs=5e-5)


def test_err_of_the_example():
    assert values("ERR", [R, S], (0, 1, 2)) == pytest.approx([0.446875, 0.34375], abs=1e-15)
    assert 1 / 4 + 3 / 16 + 3 / 320 == 0.446875


def test_the_threshold_of_grbp_in_the_example():
    def lead(p: float) -> float:
        return float(np.subtract(*values(f"RBP(p={p})", [R, S], (0, 1, 2))))

    root = np.roots([1, 0, 2, -1, 0])  # 1 + 2p² + p⁴ = 1 + p
    (threshold,) = (x.real for x in root if abs(x.imag) < 1e-12 and 0 < x.real < 1)
    assert threshold == pytest.approx(0.4534, abs=5e-5)
    assert lead(threshold - 1e-6) < 0 < lead(threshold + 1e-6)


def test_ap_of_the_example_with_a_lenient_threshold():
    assert values("AP", [R, S], (0, 1, 2), [4, 2, 1]) == pytest.approx([(1 + 2 / 3 + 3 / 5) / 3, 2 / 3])


def test_err_with_weights_in_place_of_the_grades():
    stop = JudgedLists.of_grades((0.0, 1.0, 2.0)).gain_table((0.0, 5.0, 10.0), default="exp")
    assert [round(float(x), 3) for x in stop] == [0, 0.030, 0.999]
    assert values("ERR(gains=[0,5,10])", [[2, 1]], (0, 1, 2)) == pytest.approx([1023 / 1024 + 31 / 1024 / 1024 / 2])


def test_sbto_counts_the_worse_sets():
    sets = [[0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [2, 2]]
    assert values("SBTO", sets, (0, 1, 2)) == [0, 1 / 5, 2 / 5, 3 / 5, 4 / 5, 1]


def test_rbto_reads_a_run_as_a_number():
    assert values("RBTO", [[1, 0, 2]], (0, 1, 2)) == [(9 + 2) / 26]
    assert values("RBTO(weights=[0,2,4])", [[1, 0, 2]], (0, 1, 2)) == [(9 + 2) / 26]
    assert values("RBTO(weights=[0,1,3])", [[1, 0, 2]], (0, 1, 2)) == [(9 + 3) / 39]
    assert values("RBTO(weights=[0,0.1,0.3])", [[1, 0, 2]], (0, 1, 2)) == [(9 + 3) / 39]
    assert values("RBTO(weights=[0,1e-9,1])", [[1, 0, 2]], (0, 1, 2)) == pytest.approx([(9e-9 + 1) / 13], rel=1e-14)
    assert values("RBTO@2", [[1, 0, 2]], (0, 1, 2)) == [3 / 8]
    assert values("RBTO@4", [[1, 0, 2]], (0, 1, 2)) == [(27 + 6) / 80]


# -- the examples of Ferrante et al. 2014 ------------------------------------------------------


def selection(expression: str, pool: list[int]) -> list[float]:
    """The probability to select one document of each level, as the measure weighs it."""
    measure = irviz.measure(expression)
    judged = JudgedLists(np.zeros((1, 0), int), np.repeat([0, 1, 2], pool), (0, 1, 2))
    g = measure.thresholds(judged)
    if measure.symbol == "GAP":
        base = sum(share * n for share, n in zip(g, measure.recall_bases(judged)[:, 0], strict=True))
        return [sum(g[: r + 1]) / base for r in (1, 2)]
    users = np.cumsum(g)
    return [measure.selection(judged, g)[0, r] * users[r] for r in (1, 2)]


def test_selection_probabilities_of_gap_and_xgap():
    pool = [5, 10, 1]
    assert selection("GAP(g=[0.5,0.5])", pool) == pytest.approx([1 / 12, 1 / 6])
    assert selection("GAP(g=[0.1,0.9])", pool)[1] == pytest.approx(1 / 2)
    # the paper prints 1/22 and 12/22, and 100/110
    assert selection("xGAP(g=[0.5,0.5])", pool) == pytest.approx([1 / 22, 12 / 22])
    assert selection("xGAP(g=[0.1,0.9])", pool)[1] == pytest.approx(100 / 110)


@pytest.mark.parametrize("g2", [0.1, 0.5, 0.9])
def test_limits_of_many_low_documents_before_one_high(g2: float):
    n = 50_000
    g = [1 - g2, g2]
    scores = [values(f"{name}(g={g})", [[1] * n + [2]], (0, 1, 2))[0] for name in ("GAP", "xGAP", "eGAP")]
    assert scores == pytest.approx([1, 1 - g2**2, 1 - g2], abs=5e-4)


def test_users_whom_no_document_serves():
    only_low = ([[1, 0, 1]], (0, 1, 2), [1, 2, 0])
    ap = values("AP", *only_low)[0]
    assert values("GAP(g=[0,1])", *only_low) == [0]  # ν > τ
    assert values("xGAP(g=[0,1])", *only_low) == [0]
    assert values("eGAP(g=[0,1])", *only_low) == [0]
    assert values("GAP(g=[0.4,0.6])", *only_low) == pytest.approx([ap])
    assert values("xGAP(g=[0.4,0.6])", *only_low) == pytest.approx([0.4 * ap])
    assert values("eGAP(g=[0.4,0.6])", *only_low) == pytest.approx([0.4 * ap])


# -- Chen & Sakai 2023 ---------------------------------------------------------------------------


def test_v_plus_is_the_number_of_items_read():
    assert values("CWLA(C=P@10,A=ERG)", [[1, 1, 0, 1, 0, 1]], (0, 1)) == pytest.approx([0.4])
    assert values("CWLA(C=RBP(p=0.8),A=ERG)", [[1, 0, 1]], (0, 1)) == pytest.approx([0.328])
    assert values("CWLA(C=RBP(p=0.8),A=ETG)", [[1, 0, 1]], (0, 1)) == pytest.approx([1.64])


def test_aggregations_by_hand():
    # gains 0.5, 0, 1 with C = P@3: everyone stops at rank 3
    runs, grades = [[1, 0, 2]], (0, 1, 2)
    by_hand = {"ERG": 0.5, "ETG": 1.5, "avg": 0.5, "max": 1, "fin": 1, "PE(beta=0.5)": 1, "ERR": 1 / 3}
    for name, value in by_hand.items():
        assert values(f"CWLA(C=P@3,A={name})", runs, grades) == pytest.approx([value])
    # with C = RBP(0.5), stopped after two ranks by the cutoff: L = 0.5, 0.5
    by_hand = {"ERG": 0.5 / 1.5, "ETG": 0.5, "avg": 0.375, "max": 0.5, "fin": 0.25, "PE(beta=0.5)": 0.375}
    for name, value in by_hand.items():
        assert values(f"CWLA(C=RBP(p=0.5),A={name})@2", runs, grades) == pytest.approx([value])
    # with A = ERR the quarter of users whom only the cutoff stops gets nothing
    assert values("CWLA(C=RBP(p=0.5),A=ERR)@2", runs, grades) == pytest.approx([0.5 + 0.25 / 2])


def test_a_list_without_gain_is_read_by_nobody_of_ap():
    for name in ("ERG", "ETG", "avg", "max", "fin", "PE(beta=0.5)", "ERR"):
        assert values(f"CWLA(C=AP,A={name})", [[0, 0], [1, 0]], (0, 1), [2, 2])[0] == 0


def test_a_topic_that_a_run_lacks_scores_zero_under_every_combination():
    missing, nothing_found = 0, 1
    for model in ("P@3", "DCG@3", "RBP(p=0.8)", "INST(T=2)", "AP", "ERR", "RR", "INSQ(T=2)", "BPM(T=1,K=3)"):
        for name in ("ERG", "ETG", "avg", "max", "fin", "PE(beta=0.5)", "ERR"):
            assert values(f"CWLA(C={model},A={name})@5", [[], [0], [1]], (0, 1), [1, 1])[missing] == 0
    assert values("CWLA(C=P@3,A=ERR)@5", [[], [0], [1]], (0, 1), [1, 1])[nothing_found] == pytest.approx(1 / 3)


def test_constant_combinations_are_known_and_computed():
    for model in ("P@10", "DCG@10", "RBP(p=0.8)", "INSQ(T=2)"):
        one = irviz.measure(f"CWLA(C={model},A=ERR)")
        assert one.constant
        assert len(set(irviz.score(collection([[1, 0], [0, 0], [0, 1]], (0, 1)), one).values.ravel())) == 1
    assert not irviz.measure("CWLA(C=INST(T=2),A=ERR)").constant
    assert not irviz.measure("CWLA(C=RBP(p=0.5),A=ERG)").constant


def test_vectors_for_drawing():
    judged = Topics(collection([[1, 0, 1]], (0, 1), [1, 3]), [0]).aspect(None)
    one = irviz.measure("CWLA(C=RBP(p=0.5),A=ERG)@3")
    reading = one.reading(judged)
    assert reading.survival.tolist() == [[1, 0.5, 0.25]]
    assert reading.last.tolist() == [[0.5, 0.25, 0.25]]
    assert reading.weight == pytest.approx(np.array([[4, 2, 1]]) / 7)
    assert one.expected_items(judged).tolist() == [1.75]
    ap = irviz.measure("CWLA(C=AP,A=ERG)@3")
    assert ap.reading(judged).last == pytest.approx(np.array([[3 / 4, 0, 1 / 4]]))
    assert ap.expected_items(judged) == pytest.approx([3 / (4 / 3)])  # three judged relevant over 1 + 1/3


# -- trec_eval's corners -----------------------------------------------------------------------


def test_bpref_passes_over_what_is_not_judged():
    # ranks: unjudged, judged below zero, non-relevant, relevant; R = 2, N = 1
    labels = np.array([[[NEGATIVE], [0], [1], [1]]], dtype=np.int16)
    ranking = np.array([[[UNJUDGED, 0, 1, 2, BEYOND]]], dtype=np.int32)
    c = Collection("test", ("1",), ("a",), ("relevance",), ((0.0, 1.0),), ranking, labels)
    assert irviz.score(c, "Bpref").values[0, 0, 0] == (1 - 1 / 1) / 2
    assert irviz.score(c, ["P", "AP", "nDCG@4"]).values[:, 0, 0] == pytest.approx(
        [1 / 5, 1 / 8, (1 / math.log2(5)) / (1 + 1 / math.log2(3))]
    )


def test_the_smallest_relevant_grade():
    runs, grades, pool = [[1, 3, 2]], (0, 1, 2, 4), [1, 1, 2, 1]
    assert values("P(rel=2)", runs, grades, pool) == pytest.approx([2 / 3])
    assert values("P(rel=3)", runs, grades, pool) == pytest.approx([1 / 3])  # grades, not levels
    assert values("R(rel=2)", runs, grades, pool) == pytest.approx([2 / 3])
    assert values("RR(rel=4)", runs, grades, pool) == [0.5]
    assert values("AP(rel=5)", runs, grades, pool) == [0]


def test_generalised_precision_and_recall():
    runs, grades, pool = [[1, 3, 0]], (0, 1, 2, 4), [1, 1, 2, 1]
    assert values("gP", runs, grades, pool) == pytest.approx([(1 / 4 + 1) / 3])
    assert values("gR", runs, grades, pool) == pytest.approx([(1 + 4) / (1 + 2 * 2 + 4)])
    assert values("gP(gains='exp')", runs, grades, pool) == pytest.approx([(1 / 15 + 1) / 3])
    assert values("gP(gains=[0,1,1,2])", runs, grades, pool) == pytest.approx([(1 / 2 + 1) / 3])


@pytest.mark.parametrize(("grades", "highest"), [((0, 1), 1), ((0, 1, 2, 4), 3), ((0, 0.5, 3), 2)])
@pytest.mark.parametrize(
    "measure", ["gP(gains={})@4", "gR(gains={})@2", "RBP(p=0.7,gains={})", "RBP(p=0.7,gains={})@2"]
)
def test_exp_gains_are_divided_by_the_maximum_gain(measure: str, grades: tuple[float, ...], highest: int):
    """g(a)/g(a_c) of Ferrante et al. 2019: 'exp' is the list of the same numbers, in whatever unit."""
    runs = [[0, highest, 1], [highest] * 4, [1, 1]]
    numbers = [2**x - 1 for x in grades]
    found = values(measure.format("'exp'"), runs, grades)
    for unit in (1, 2 ** -grades[-1]):
        assert found == pytest.approx(values(measure.format([x * unit for x in numbers]), runs, grades))
    if measure.startswith("gP"):
        assert found[1] == pytest.approx(1)
    if grades == (0, 1):
        assert found == pytest.approx(values(measure.format("'linear'"), runs, grades))


def test_cwla_keeps_exp_gains_as_they_are():
    """A user of C=ERR stops with probability (2^x − 1)/2^x_max, so C/W/L/A does not divide by the maximum."""
    runs, grades = [[0, 3, 1]], (0, 1, 2, 4)
    (walked,) = values("CWLA(C=RBP(p=0.5),A=ERG,gains='exp')", runs, grades)
    (divided,) = values("RBP(p=0.5,gains='exp')", runs, grades)
    assert walked == pytest.approx(divided * 15 / 16)
    assert values("CWLA(C=ERR,A=ERR,gains='exp')@3", runs, grades) == pytest.approx(values("ERR@3", runs, grades))


def test_dcg_takes_grades_as_they_are():
    assert values("DCG(base=2)@3", [[1, 3, 2]], (0, 1, 2, 4)) == pytest.approx([1 + 4 + 2 / math.log2(3)])
    assert values("DCG(base=10)", [[1] * 11], (0, 1)) == pytest.approx([10 + 1 / math.log10(11)])
    assert values("DCG(gains=[0,5,10])", [[1, 2]], (0, 1, 2)) == [15]
    assert values("DCG(gains='linear')", [[1, 2]], (0, 1, 2)) == [1.5]


def test_ndcg_cuts_the_ideal_list_like_the_run():
    assert values("nDCG@1", [[1, 2]], (0, 1, 2), [0, 1, 2]) == [0.5]
    assert values("nDCG(dcg='exp-log2')@1", [[1, 2]], (0, 1, 2), [0, 1, 2]) == pytest.approx([1 / 3])


# -- order without doubles -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["RBTO", "SBTO", "RBTO(weights=[0,1,3])", "RBTO@1000", "TOMA(RBTO)"])
@pytest.mark.parametrize("beginning", [0, 2])
def test_runs_that_differ_at_the_last_ranks_of_a_thousand_are_ordered(name: str, beginning: int):
    low, high = ([1, 1], [0, 2]) if name == "SBTO" else ([0, 2], [1, 1])
    tails = [[0, 0], [0, 1], low, high, [1, 2], [2, 2]]
    runs = [[beginning] * 998 + tail for tail in tails]
    scores = irviz.score(collection(runs, (0, 1, 2)), name)
    if beginning and "SBTO" not in name:
        assert len(set(scores.values.ravel())) < len(runs)  # a double cannot tell
    assert scores.order(name)[0].tolist() == [0, 1, 2, 3, 4, 5]
    assert overall_of_subsets(scores, slice(None), np.array([[True]])).tolist() == [[[0, 1, 2, 3, 4, 5]]]


def test_ties_in_kendalls_tau_are_those_of_the_exact_scores():
    runs = [[2] * 999 + [level] for level in (0, 1, 2)]
    scores = irviz.score(collection(runs, (0, 1, 2)), ["RBTO", "gP"])
    assert irviz.similarity(scores, coefficient="tau").values[0, 1] == 1


def test_a_score_is_its_exact_value_rounded_once():
    runs = np.random.default_rng(1).integers(0, 3, (4, 300)).tolist()
    scores = irviz.score(collection(runs, (0, 1, 2)), "RBTO")
    for run, value in zip(runs, scores.values[0, 0], strict=True):
        assert value == float(Fraction(int("".join(map(str, run)), 3), 3**300 - 1))
