"""What is too large is refused by name, before anything grows with it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.measures.arithmetic import log2_of_ranks, power2_rounded, powers_like
from irviz.measures.judged import MOST_POWER
from tests.judged_runs import collection
from tests.refusals import refused


def refusal(name: str, grades: tuple[float, ...]) -> str:
    with pytest.raises(IrvizError) as problem:
        irviz.score(collection([list(range(len(grades)))], grades), name)
    return str(problem.value)


@pytest.mark.parametrize(
    "name",
    ["ERR(gains=[0,1,2,1e12])", "nDCG(dcg='exp-log2',gains=[0,1,2,1e12])", "CWLA(C=ERR,A=ERR,gains=[0,1,2,1e12])"],
)
def test_gains_that_are_exponents(name: str):
    grades = (0.0, 1.0, 2.0, 3.0)
    assert refusal(name, grades) == (
        "2^x is taken of grades and gains up to 1,000; here x is 1e+12. "
        "Use the grades themselves as gains, or list smaller `gains`."
    )
    assert isinstance(irviz.measure(name).misfit(collection([[3]], grades)), IrvizError)


@pytest.mark.parametrize("name", ["ERR", "nDCG(dcg='exp-log2')", "gP(gains='exp')", "CWLA(C=RBP,A=ERG,gains='exp')"])
def test_a_grade_that_is_an_exponent(name: str):
    grades = (0.0, 1.0, 1e9)
    assert refusal(name, grades).startswith("2^x is taken of grades and gains up to 1,000; here x is 1e+09.")
    with pytest.raises(IrvizError):
        irviz.scale_type(name, grades=grades, depth=2)


def test_a_large_grade_is_no_trouble_where_it_is_no_exponent():
    c = collection([[2, 0, 1]], (0.0, 1.0, 1e9))
    found = irviz.score(c, ["nDCG", "RBP", "AP", "ERR(gains=[0,1,2])", "RBTO"]).values
    assert np.isfinite(found).all()
    assert refusal("nDCG", (0.0, 1.0, 1e16)).startswith(
        "There is a grade of 1e+16; gains are made of grades up to 1e+15."
    )


def test_the_largest_exponent_is_computed():
    grades = (0.0, 1.0, float(MOST_POWER))
    found = irviz.score(collection([[2, 1, 0]], grades), ["ERR", "nDCG(dcg='exp-log2')"]).values.ravel()
    assert found.tolist() == [1.0, 1.0]


def test_listed_gains_end_where_doubles_do():
    assert (
        refused(lambda: irviz.measure("DCG(gains=[0,1e300])"))
        == "`gains` of DCG must hold no number above 1e+15; got [0,1e+300]."
    )


@pytest.mark.parametrize("name", ["INST(T=0.4)", "CWLA(C=INST(T=0.4),A=ERG)"])
def test_inst_says_why_it_needs_a_target(name: str):
    assert refused(lambda: irviz.measure(name)) == (
        "`T` of INST must be at least 0.5; got 0.4. With a smaller T, a user who hopes for less would read further."
    )


@pytest.mark.parametrize("name", ["nDCG@1000000", "DCG(base=2)@1000000", "DCG(base=1.01)@5000", "ERR@1000000"])
def test_a_deep_cutoff_needs_no_deep_proof(name: str):
    assert irviz.measure(name).scale((0.0, 1.0, 2.0)).kind == "neither"


def test_too_many_ranks_for_a_proof_are_no_proof():
    deep = irviz.measure("CWLA(C=RBP(p=0.1),A=avg)@10000").scale((0.0, 1.0))
    assert (deep.kind, deep.proved_from) == ("neither", None)
    assert irviz.measure("CWLA(C=RBP(p=0.1),A=avg)@50").scale((0.0, 1.0)).kind == "ordinal"


def test_tables_are_exact_numbers_rounded_once():
    some = np.zeros(1)
    logarithms = log2_of_ranks(some, 1, 5000)
    assert logarithms[[0, 1, 3, 1023]].tolist() == [0, 1, 2, 10]
    assert np.abs(logarithms - np.log2(np.arange(1, 5001))).max() <= 2e-15
    assert log2_of_ranks(some, 4, 5)[0] == 2
    powers = powers_like(some, 0.7, 400)
    assert powers[:3].tolist() == [1, 0.7, 0.7 * 0.7]
    assert powers == pytest.approx(0.7 ** np.arange(400), rel=1e-14)
    assert power2_rounded(-1000.5) == pytest.approx(2**-1000 * math.sqrt(0.5), rel=1e-15)


@pytest.mark.parametrize("name", ["CWLA(C=AP,A=ERG)", "CWLA(C=AP,A=ETG)"])
def test_gains_of_next_to_nothing_are_read_by_nobody(name: str):
    runs = collection([[1, 0, 0], [0, 2, 0], [0, 0, 0]], (0.0, 1.0, 2.0))
    scores = irviz.score(runs, f"{name[:-1]},gains=[0,1e-320,1])").values[0]
    assert np.isfinite(scores).all() and (scores[:, 2] == 0).all()


def test_a_target_of_the_size_of_the_largest_double():
    assert np.isfinite(irviz.score(collection([[1, 0, 1]], (0.0, 1.0)), "INST(T=1.7e308)").values).all()
