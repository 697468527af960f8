"""Scale types: steps, grades and cutoffs, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from irviz import measure
from irviz.stats.scales import scale_type
from tests.refusals import refused


def test_an_interval_scale_rises_with_rho():
    found = scale_type("RBP(p=0.5)", grades=2, depth=5)
    assert (found.kind, found.witness, found.order, found.depth) == ("interval", None, "rank", 5)
    assert np.array_equal(found.rho, np.arange(32))
    assert found.values == pytest.approx(found.rho / 32)


@pytest.mark.parametrize(
    ("expression", "grades", "depth", "rises", "stays", "equal"),
    [
        ("RBP(p=0.01)", 2, 8, 255, 0, 0),  # by as little as 1e-14
        ("RBP(p=0.5)", 2, 8, 255, 0, 255),
        ("RBP(p=0.8)", 2, 4, 12, 0, 0),
        ("RR", 2, 8, 8, 247, 0),
        ("P", 2, 8, 8, 0, 8),
        ("gP", 4, 6, 63, 5, 0),
    ],
)
def test_the_steps_are_those_that_give_the_scale_type(expression, grades, depth, rises, stays, equal):
    found = scale_type(expression, grades=grades, depth=depth)
    sign = found.steps.sign
    assert [(sign > 0).sum(), (sign == 0).sum(), found.steps.equal.sum()] == [rises, stays, equal]
    assert found.kind == ("neither" if (sign <= 0).any() else "interval" if found.steps.equal.all() else "ordinal")


def test_a_cutoff_shortens_the_runs():
    assert scale_type("P@3", depth=5).depth == 3
    assert scale_type("P@3", depth=5).kind == "interval"
    assert scale_type("CWLA(C=P@2,A=ERG)", depth=5).depth == 2


def test_a_third_is_a_third():
    assert scale_type("RBP(p=1/3)", grades=3).kind == "interval"
    assert scale_type("RBP(p=0.333333)", grades=3).kind == "ordinal"


def test_grades_may_be_given_themselves():
    assert scale_type("RBP(p=1/3)", grades=[0, 2, 4], depth=3).kind == "interval"
    assert scale_type("RBP(p=1/3)", grades=[0, 1, 4], depth=3).kind == "neither"
    assert scale_type("ERR", grades=[0, 0.5], depth=2).kind == "ordinal"  # 2^0.5 is irrational
    assert scale_type("nDCG(dcg='exp-log2')", grades=(0, 1, 3), depth=1).kind == "ordinal"


@pytest.mark.parametrize(
    "arguments",
    [
        {"expression": "AP", "grades": 4, "depth": 9},
        {"expression": "AP", "grades": 2, "depth": 10**9},
        {"expression": "P", "grades": 10**9},
        {"expression": "AP", "grades": 1},
        {"expression": "AP", "grades": [1, 2]},
        {"expression": "AP", "grades": [0, 2, 1]},
        {"expression": "AP", "grades": "many"},
        {"expression": "AP", "depth": 0},
        {"expression": "AP", "depth": 2.5},
        {"expression": "AP(aspect='trust')"},
    ],
)
def test_what_is_refused(arguments):
    refused(lambda: scale_type(**arguments))


def test_theory_covers_all_depths_where_this_depth_is_too_short_to_show_it():
    """Ferrante et al. 2019, section 4.3: ERR is not even ordinal, as 5 ranks show; 4 ranks keep the order."""
    short, long = scale_type("ERR", depth=4), scale_type("ERR", depth=5)
    assert (short.kind, long.kind) == ("ordinal", "neither")
    assert short.theory == long.theory
    assert short.theory.kind == "neither"


@pytest.mark.parametrize("depth", [2, 3, 6])
def test_reciprocal_rank_ties_runs_and_reverses_none(depth: int):
    found = scale_type("RR", grades=2, depth=depth)
    assert np.all(np.diff(found.values) >= 0) and np.any(np.diff(found.values) == 0)
    assert measure("RR").scale((0.0, 1.0), depth).kind == "neither"
    assert np.any(np.diff(scale_type("Rprec", grades=2, depth=6).values) < 0)
