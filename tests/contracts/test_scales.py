"""Every measure's statement about its scale against the enumeration of all judged runs."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.stats.scales import ScaleType, scale_type
from tests.judged_runs import CWLA, measures

DEPTHS = {2: (1, 2, 3, 4, 5, 6), 3: (1, 2, 3, 4), 4: (1, 2, 3)}  # by number of grades
CASES = [(c, depth) for c, depths in DEPTHS.items() for depth in depths]
#: parameters on either side of every bound in the formulas
MORE = """
    AP@2 RR@1 nDCG@2 ERR@2 ERR(gains='linear') DCG(base=1.1) DCG(base=10) DCG(gains='exp') RBP(p=0.2)
    RBP(p=0.25) RBP(p=1/3) RBP(p=0.4) RBP(p=0.52) RBP(p=0.3,gains='exp') P(rel=2) INST(T=0.5)
    CWLA(C=RBP(p=1/3),A=fin) CWLA(C=RBP(p=1/3),A=avg) CWLA(C=RBP(p=1/4),A=fin) CWLA(C=RBP(p=0.3),A=PE(beta=0.5))
    CWLA(C=RBP(p=0.3),A=PE(beta=0)) CWLA(C=RBP(p=0.3),A=PE(beta=1)) CWLA(C=RBP(p=0.6),A=PE(beta=0.9))
    CWLA(C=RBP(p=0.5),A=ETG) CWLA(C=DCG@2,A=ERG) CWLA(C=P@1,A=max) CWLA(C=INSQ(T=0.5),A=ERG)
    CWLA(C=INSQ(T=0.5),A=fin) CWLA(C=AP,A=ERG) CWLA(C=ERR,A=ERR) TOMA(RBP(p=0.5)) TOMA(P@2) TOMA(nDCG@2)
    TOMA(RBP(p=1/3),weights='half')
""".split()
FITTED = {
    2: ("GAP(g=[1])", "xGAP(g=[1])", "eGAP(g=[1])", "RBTO(weights=[0,5])"),
    3: (
        "GAP(g=[0.5,0.5])",
        "xGAP(g=[2/3,1/3])",
        "eGAP(g=[0.5,0.5])",
        "GAP(g=[0,1])",
        "RBTO(weights=[0,2,4])",
        "RBTO(weights=[0,1,3])",
        "RBTO(weights=[0,0,1])",
        "gP(gains=[0,1,5])",
        "gR(gains=[0,1,2.5])",
        "RBP(p=0.2,gains=[0,1,3])",
    ),
    4: (
        "GAP(g=[1/3,1/3,1/3])",
        "xGAP(g=[0.5,1/3,1/6])",
        "eGAP(g=[0,0.5,0.5])",
        "RBTO(weights=[0,1,2,4])",
        "gP(gains=[0,1,4,16])",
    ),
}


def applicable(grades: int) -> list[str]:
    return [
        name
        for name in dict.fromkeys((*measures(grades - 1), *MORE, *FITTED[grades]))
        if name[:3] not in ("CAM", "MM(")
    ]


@pytest.mark.parametrize(("grades", "depth"), CASES)
def test_the_statement_and_the_enumeration_agree(grades: int, depth: int):
    wrong, settled = [], 0
    for name in applicable(grades):
        found = scale_type(name, grades=grades, depth=depth)
        if found.fact.proved_from is None:
            continue
        settled += 1
        if found.kind != found.fact.kind:
            wrong.append(f"{name}: says {found.fact.kind} ({found.fact.reason}), found {found.kind}: {found.witness}")
    assert wrong == []
    assert settled > 60


def test_only_users_who_adapt_and_what_depends_on_the_pool_leave_it_open():
    for name in applicable(3):
        one = irviz.measure(name)
        if one.scale((0.0, 1.0, 2.0)).proved_from is None and not one.several_aspects and one.symbol != "Compat":
            spelled = one.spelled_out() if hasattr(one, "spelled_out") else one
            assert spelled.C.adaptive, name


@pytest.mark.parametrize(
    "name", [*CWLA, "INST", "AP", "nDCG", "ERR", "Bpref", "Compat", "Compat(p=0.3)", "P_IA", "alpha_nDCG", "NRBP"]
)
def test_where_a_statement_is_open_it_is_never_too_generous(name: str):
    assert irviz.measure(name).scale((0.0, 1.0)).kind in {scale_type(name, grades=2, depth=7).kind, "neither"}


@pytest.mark.parametrize(
    ("name", "grades", "kind"),
    [  # Ferrante et al. 2019, section 4.3.1, row by row
        ("P", 2, "interval"),
        ("R", 2, "interval"),
        ("F", 2, "interval"),
        ("gP", 3, "neither"),
        ("gR", 3, "neither"),
        ("RBP(p=0.5)", 2, "interval"),
        ("RBP(p=0.2)", 2, "ordinal"),
        ("RBP(p=0.4)", 2, "ordinal"),
        ("RBP(p=0.8)", 2, "neither"),
        ("AP", 2, "neither"),
        ("RBP(p=1/3)", 3, "interval"),
        ("RBP(p=1/3,gains=[0,1,3])", 3, "neither"),  # G = 1/3: the bound is 1/4
        ("RBP(p=0.25,gains=[0,1,3])", 3, "ordinal"),  # p = G/(G + 1), but the gain is not a multiple of δ
        ("RBP(p=0.2)", 3, "ordinal"),
        ("RBP(p=0.8)", 3, "neither"),
        ("DCG", 3, "neither"),
        ("ERR", 3, "neither"),
        ("SBTO", 2, "interval"),
        ("SBTO", 3, "interval"),
        ("RBTO", 2, "interval"),
        ("RBTO", 3, "interval"),
    ],
)
def test_the_table_of_the_paper_by_enumeration(name: str, grades: int, kind: str):
    found = scale_type(name, grades=grades, depth=5)
    assert found.kind == kind
    assert irviz.measure(name).scale(tuple(map(float, range(grades)))).kind == kind
    assert (found.witness is None) == (kind == "interval")


@pytest.mark.parametrize("name", ["AP", "RBP(p=0.4)", "nDCG", "gP", "CWLA(C=INST(T=2),A=max)"])
def test_the_witness_against_an_ordinal_scale_is_the_first_step_that_does_not_rise(name: str):
    found, steps, _ = witnessed(name, 4)
    assert found.kind == "neither"
    assert (steps[:-1] > 1e-15).all()
    assert steps[-1] <= 1e-15


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("RBP(p=0.2)", 4),
        ("gP(gains=[0,1,5])", 4),
        ("CWLA(C=RBP(p=1/4),A=fin)", 4),
        ("RBP(p=1/4,gains=[0,5,8])", 2),  # its first step is the mean one: (1/4) 5/8 = (1 + 1/4) / 8
        ("RBP(p=0.3,gains=[0,139,234])", 3),  # and so is this one's: 0.3² 139/234 = (1 + 0.3 + 0.3²) / 26
    ],
)
def test_the_witness_against_an_interval_scale_is_the_first_step_that_is_not_the_mean_one(name: str, depth: int):
    found, steps, mean = witnessed(name, depth)
    assert found.kind == "ordinal"
    assert steps[:-1] == pytest.approx(mean)
    assert steps[-1] > 0
    assert abs(steps[-1] - mean) > 1e-6


def witnessed(name: str, depth: int) -> tuple[ScaleType, np.ndarray, float]:
    """The finding on runs with 3 grades: the rises up to the one between the witnesses, and the mean rise."""
    found = scale_type(name, grades=3, depth=depth)
    low, high = found.witness
    place = found.runs.index(low)
    assert found.runs[place + 1] == high
    assert list(low) < list(high)  # both orders compare level by level, the decisive one first
    mean = (found.values[-1] - found.values[0]) / (len(found.runs) - 1)
    return found, np.diff(found.values[: place + 2]), mean


def test_the_rank_function_of_the_sets_counts_them_off():
    for grades in (2, 3, 4):
        found = scale_type("SBTO", grades=grades, depth=5)
        whole = irviz.measure("SBTO").rank_function
        assert np.array_equal(np.round(found.values * found.rho[-1]), found.rho)
        assert callable(whole)
    assert scale_type("SBTO", grades=3, depth=2).runs == ((0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2))
