"""Equal steps: the places of values, against enumeration by hand, closed forms and published counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

import irviz
from irviz.measures.interval import distinct_values, step_ratio
from irviz.measures.judged_lists import ExactTopic, Topics
from tests.judged_runs import CWLA, collection, measures, values
from tests.refusals import refused

BINARY = (0.0, 1.0)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("AP@5", 31),
        ("AP@10", 810),
        ("AP@16", 44_633),
        ("AP@20", 644_203),
        *((f"DCG(base=2)@{n}", 3 * 2 ** (n - 2)) for n in (5, 10, 20)),
        *((f"DCG(base=10)@{n}", 11 * 2 ** (n - 10)) for n in (10, 14, 20)),
        ("DCG(base=10)@5", 6),
        *((f"RBP(p={p})@{n}", 2**n) for p in (0.3, 0.5, 0.8) for n in (5, 20)),
        ("RBP(p=0.95)@20", 2**20),  # 87 bits: two limbs
        *((f"{name}@{n}", n + 1) for name in ("P", "RR", "R", "F") for n in (5, 20, 300)),
        *((f"Success@{n}", 2) for n in (1, 20, 300)),
    ],
)
def test_the_number_of_values(name: str, count: int):
    found = irviz.attainable(name)
    assert len(found) == count
    assert found[0] == 0 and (np.diff(found) > 0).all()


def test_the_only_collision_of_ap_at_5():
    place = distinct_values(irviz.measure("AP@5"), BINARY).place
    same = [tuple(np.flatnonzero(place == k)) for k in np.flatnonzero(np.bincount(place) > 1)]
    assert same == [(0b01010, 0b10000)]


@pytest.mark.parametrize("n", [2, 3, 10, 30])
def test_the_largest_step_of_rr_over_its_smallest(n: int):
    assert step_ratio(irviz.measure(f"RR@{n}"), BINARY) == n * (n - 1) / 2
    steps = np.diff(irviz.attainable(f"RR@{n}"))
    assert steps.max() / steps.min() == pytest.approx(n * (n - 1) / 2, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "grades"),
    [
        ("AP@6", BINARY),
        ("AP(rel=2)@6", (0.0, 1.0, 2.0)),
        ("ERR@5", (0.0, 1.0, 2.0)),
        ("ERR@9", BINARY),
        ("RBP(p=0.7)@4", (0.0, 1.0, 2.0, 3.0)),
        ("nDCG@5", (0.0, 1.0, 3.0)),
        ("gP@4", (0.0, 1.0, 2.0)),
        ("F@5", (0.0, 1.0, 2.0)),
        ("Success(rel=2)@5", (0.0, 1.0, 2.0)),
        ("GAP(g=[0.5,0.5])@4", (0.0, 1.0, 2.0)),
        ("RBTO@5", (0.0, 1.0, 2.0)),
        ("SBTO@5", (0.0, 1.0, 2.0)),
        ("INST(T=2)@5", BINARY),
        ("CWLA(C=RBP(p=0.7),A=max)@5", (0.0, 1.0, 2.0)),
    ],
)
def test_places_are_those_of_all_lists_scored_in_fractions(name: str, grades: tuple[float, ...]):
    one = irviz.measure(name)
    lists = np.array(list(product(range(len(grades)), repeat=one.cutoff)))
    scores = one.score(ExactTopic(lists, grades)).tolist()
    distinct = sorted(set(scores))
    different = [distinct[0]]  # irrational weights are right to many decimals, not exact
    different += [b for a, b in zip(distinct, distinct[1:], strict=False) if b - a > Fraction(1, 10**40)]
    wanted = [sum(value <= score for value in different) - 1 for score in scores]
    found = irviz.measure(f"Interval({name})").score(ExactTopic(lists, grades)).tolist()
    assert found == [Fraction(place, len(different) - 1) for place in wanted]
    attainable = irviz.attainable(name, grades=list(grades))
    assert attainable == pytest.approx([float(value) for value in different], abs=1e-13)


def test_integers_of_two_limbs_are_in_order():
    """RBP(p=0.95) on 15 ranks needs 65 bits."""
    one, n = irviz.measure("RBP(p=0.95)@15"), 15
    whole = np.array([19**i * 20 ** (n - 1 - i) for i in range(n)], dtype=object)
    sums = [sum(w for i, w in enumerate(whole) if number >> (n - 1 - i) & 1) for number in range(1 << n)]
    assert np.argsort(distinct_values(one, BINARY).place).tolist() == sorted(range(1 << n), key=sums.__getitem__)
    steps = np.diff(np.array(sorted(sums), dtype=object))
    assert step_ratio(one, BINARY) == pytest.approx(max(steps) / min(steps), rel=1e-12)


LISTS = [[1, 0, 0, 1, 0, 1, 0], [0, 1, 1, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0], [0, 1]]


def test_what_has_equal_steps_already_is_unchanged():
    for n in (3, 7, 30):
        assert values(f"Interval(P@{n})", LISTS, BINARY) == values(f"P@{n}", LISTS, BINARY)
        rbp = np.array(values(f"RBP(p=0.5)@{n}", LISTS, BINARY))
        mapped = values(f"Interval(RBP(p=0.5)@{n})", LISTS, BINARY)
        assert mapped == pytest.approx(rbp / (1 - 2.0**-n), rel=1e-15)


def test_fuhrs_first_hits():
    """Fuhr 2017, section 2.1: first relevant documents at ranks 1, 2, 4 against 2, 2, 2."""
    runs = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    found = values("Interval(RR@4)", runs, BINARY)
    assert found == [1, 0.75, 0.25]
    assert np.mean(found) == pytest.approx(2 / 3) and np.mean(values("RR@4", runs, BINARY)) == pytest.approx(7 / 12)


@pytest.mark.parametrize("name", ["AP@6", "RBP(p=0.5)@6", "P@6", "RR@6", "F@6", "RBP(p=0.8)@6", "nDCG@6", "Success@6"])
@pytest.mark.parametrize("relevant", [0, 1, 3, 6, 9])
def test_lists_that_a_topic_allows(name: str, relevant: int):
    lists = [row for row in product((0, 1), repeat=6) if sum(row) <= relevant]
    c = collection([list(row) for row in lists], BINARY, [9, relevant])
    base = irviz.score(c, name).values[0, 0]
    distinct = [float(base.min())]
    for score in np.sort(base):
        if score - distinct[-1] > 1e-12:
            distinct.append(float(score))
    wanted = [sum(value <= score + 1e-12 for value in distinct) - 1 for score in base]
    found = irviz.score(c, f"Interval({name},attainable='topic')").values[0, 0]
    assert found.tolist() == [place / max(1, len(distinct) - 1) for place in wanted]
    counts = irviz.measure(f"Interval({name},attainable='topic')").counts(Topics(c, [0]).aspect(None))
    assert set(counts.tolist()) == {len(distinct)}


def test_grades_of_a_topic_limit_its_lists():
    """With one document of grade 2, lists with two of them do not count: 3^2 − 1 lists of two ranks are left."""
    c = collection([[2, 1], [1, 1], [1, 2], [0, 0]], (0.0, 1.0, 2.0), [5, 2, 1])
    found = irviz.score(c, "Interval(RBTO@2,attainable='topic')").values[0, 0]
    assert found.tolist() == [7 / 7, 4 / 7, 5 / 7, 0]
    assert irviz.score(c, "Interval(RBTO@2)").values[0, 0].tolist() == [7 / 8, 4 / 8, 5 / 8, 0]


def test_binary_lists_are_numbered_at_any_depth():
    """Of lists with at most k of n documents, Σ C(n, j); the best has its k documents first."""
    n, k = 100, 3
    best, worst = [1] * k + [0] * (n - k), [0] * (n - 1) + [1]
    c = collection([best, worst, [0] * n], BINARY, [n, k])
    found = irviz.score(c, f"Interval(RBP(p=0.5)@{n},attainable='topic')").values[0, 0]
    count = sum(comb(n, j) for j in range(k + 1))
    assert found.tolist() == [1, 1 / (count - 1), 0]


def test_the_recall_base_changes_no_place():
    runs = [[1, 0, 1, 0], [0, 1, 1, 0]]
    few, many = (irviz.score(collection(runs, BINARY, [4, pool]), "Interval(AP@4)").values for pool in (2, 400))
    assert few.tolist() == many.tolist()


@pytest.mark.parametrize(
    "expression",
    [
        "Interval(AP)",
        "Interval(Bpref)",
        "Interval(RR)@10",
        "Interval(CAM(AP@5))",
    ],
)
def test_bases_that_are_refused(expression: str):
    refused(lambda: irviz.measure(expression))


@pytest.mark.parametrize(("name", "grades", "deepest"), [("AP@21", 2, 20), ("nDCG@11", 4, 10), ("DCG@1000000", 3, 12)])
def test_too_many_lists_are_refused_with_the_largest_cutoff(name: str, grades: int, deepest: int):
    c = collection([list(range(grades))], tuple(map(float, range(grades))))
    with pytest.raises(irviz.IrvizError, match=f"Take a cutoff of at most {deepest}."):
        irviz.score(c, f"Interval({name})")
    assert irviz.measure(f"Interval({name})").misfit(c) is not None
    with pytest.raises(irviz.IrvizError):
        irviz.attainable(name, grades=grades)


def test_grades_that_a_measure_treats_alike_are_one():
    """AP with four grades knows relevant and not relevant only."""
    assert len(irviz.attainable("AP@10", grades=4)) == 810


def test_a_single_grade_has_a_single_value():
    c = collection([[0, 0]], (0.0,))
    for name in ("Interval(AP@1000000)", "Interval(DCG@1000000)", "Interval(P@5)", "Interval(ERR@5)"):
        assert irviz.score(c, name).values.tolist() == [[[0.0]]]


def _taken() -> list[str]:
    """Measures of three ranks whose values Interval numbers."""
    names = [*measures(2), *(f"{name}@3" for name in ("AP", "ERR", "nERR", "GAP(g=[0.4,0.6])", "INSQ", "BPM"))]
    names += [name.replace("@20", "@3") for name in CWLA]
    found = []
    for name in dict.fromkeys(names):
        one = irviz.measure(name)
        if one.cutoff == 3 and not one.several_aspects and one.symbol != "Interval" and not one.own_to_pools:
            found.append(name)
    return found


@pytest.mark.parametrize("name", _taken())
def test_lists_are_in_the_same_order_on_every_topic(name: str):
    """Places are of the measure, not of the topic: a pool may change values by a factor only."""
    assert irviz.measure(f"Interval({name})").base
    runs = [list(run) for run in product(range(3), repeat=3)]
    orders = []
    for pool in ([3, 3, 3], [3, 9, 4], [8, 3, 20]):
        found = np.array(values(name, runs, (0, 1, 2), pool))
        scores = np.round(found / (found.max() or 1), 10)
        orders.append(np.unique(scores, return_inverse=True)[1].tolist())
    assert orders[0] == orders[1] == orders[2]


@pytest.mark.parametrize("name", ["Q@3", "Q(beta=3)@3", "xGAP(g=[0.4,0.6])@3", "eGAP(g=[0.4,0.6])@3"])
def test_measures_that_order_lists_by_the_pool_are_refused(name: str):
    assert "by more than a factor" in refused(lambda: irviz.measure(f"Interval({name})"))
