"""`scale_type`: what it returns, what it says, what it refuses."""

from __future__ import annotations

import re

import numpy as np
import pytest

from docs.site_hooks import with_grades
from irviz import IrvizError, measure
from irviz.measures.catalogue import MEASURES
from irviz.stats.scales import scale_type
from tests.refusals import refused


def test_an_interval_scale_rises_with_rho():
    found = scale_type("RBP(p=0.5)", grades=2, depth=5)
    assert (found.kind, found.witness, found.order, found.depth) == ("interval", None, "rank", 5)
    assert np.array_equal(found.rho, np.arange(32))
    assert found.values == pytest.approx(found.rho / 32)


def test_an_ordinal_scale_names_a_step_of_another_height():
    found = scale_type("RBP(p=0.25)", depth=2)
    assert found.kind == "ordinal"
    assert found.witness == ((0, 0), (0, 1))


def test_neither_names_a_step_that_falls_or_stays():
    assert scale_type("AP", depth=3).witness == ((0, 1, 1), (1, 0, 0))
    assert scale_type("RR", depth=2).witness == ((1, 0), (1, 1))


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


def test_one_document_is_no_documents():
    with pytest.raises(IrvizError) as problem:
        scale_type("RBP(p=0.5)", grades=30_000, depth=1)
    assert str(problem.value).startswith("There are too many judged runs of 1 document with 20,001 grades; ")


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
    ("arguments", "message"),
    [
        (
            {"expression": "AP", "grades": 4, "depth": 9},
            "There are 262,144 judged runs of 9 documents with 4 grades; at most 20,000 are enumerated. "
            "Take a smaller depth or fewer grades.",
        ),
        (
            {"expression": "AP", "grades": 2, "depth": 10**9},
            "There are too many judged runs of 1,000,000,000 documents with 2 grades; at most 20,000 are enumerated. "
            "Take a smaller depth or fewer grades.",
        ),
        (
            {"expression": "P", "grades": 10**9},
            "There are too many judged sets of 5 documents with 20,001 grades; at most 20,000 are enumerated. "
            "Take a smaller depth or fewer grades.",
        ),
        ({"expression": "AP", "grades": 1}, "`grades` counts the grades, 0 among them: at least 2; got 1."),
        ({"expression": "AP", "grades": [1, 2]}, "`grades` must rise from 0, as in [0, 1, 2]; got [1, 2]."),
        ({"expression": "AP", "grades": [0, 2, 1]}, "`grades` must rise from 0, as in [0, 1, 2]; got [0, 2, 1]."),
        ({"expression": "AP", "grades": "many"}, "`grades` must be a number of grades or a list of them; got 'many'."),
        ({"expression": "AP", "depth": 0}, "`depth` must be a whole number of at least 1; got 0."),
        ({"expression": "AP", "depth": 2.5}, "`depth` must be a whole number of at least 1; got 2.5."),
        ({"expression": "AP(aspect='trust')"}, "There is no aspect `trust`. Known: relevance."),
    ],
)
def test_what_is_refused(arguments, message):
    assert refused(lambda: scale_type(**arguments)) == message


def test_theory_covers_all_depths_where_this_depth_is_too_short_to_show_it():
    """Ferrante et al. 2019, section 4.3: ERR is not even ordinal, as 5 ranks show; 4 ranks keep the order."""
    short, long = scale_type("ERR", depth=4), scale_type("ERR", depth=5)
    assert (short.kind, long.kind) == ("ordinal", "neither")
    assert short.theory == long.theory
    assert short.theory.kind == "neither"


def test_what_was_found_is_remembered_and_a_search_can_be_stopped():
    assert scale_type("RBP(p=0.3)", depth=6) is scale_type("RBP(p=0.30)", depth=6)

    def stop(share: float, text: str) -> None:
        raise KeyboardInterrupt(text)

    with pytest.raises(KeyboardInterrupt, match="Compared 2 judged runs exactly"):
        scale_type("RBP(p=0.5)", depth=11, progress=stop)
    seen: list[float] = []
    scale_type("RBP(p=0.5)", depth=10, progress=lambda share, text: seen.append(share))
    assert seen == [1, 0.48828125, 0.9765625, 1]  # the two ends, then all 1,024 runs in pieces


def test_the_section_on_four_measures_is_cited_for_no_others():
    """Ferrante et al. 2019, section 4.3, treats gRBP, AP, DCG and ERR, beside its own total order."""
    cited = set()
    for kind in MEASURES:
        for grades in ((0.0, 1.0), (0.0, 1.0, 2.0)):
            for depth in (None, 1, 2, 5):
                if re.search(r"section 4\.3(?!\.)", with_grades(kind, len(grades)).scale(grades, depth).source):
                    cited.add(kind.symbol)
    assert cited <= {"RBP", "AP", "DCG", "ERR", "RBTO", "CWLA", "nERR"}  # CWLA by default is RBP
    assert {"RBP", "AP", "DCG", "ERR"} <= cited


@pytest.mark.parametrize("depth", [2, 3, 6])
def test_reciprocal_rank_ties_runs_and_reverses_none(depth: int):
    found = scale_type("RR", grades=2, depth=depth)
    assert np.all(np.diff(found.values) >= 0) and np.any(np.diff(found.values) == 0)
    stated = measure("RR").scale((0.0, 1.0), depth)
    assert stated.kind == "neither" and "tie" in stated.reason and "outweigh" not in stated.reason
    assert np.any(np.diff(scale_type("Rprec", grades=2, depth=6).values) < 0)
