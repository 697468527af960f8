"""What is too large is refused by name, before anything grows with it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import irviz
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures.arithmetic import log2_of_ranks, power2_rounded, powers_like
from irviz.measures.judged_lists import MOST_POWER
from irviz.stats.scales import scale_type
from tests.judged_runs import collection, measures
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
    refusal(name, grades)
    assert isinstance(irviz.measure(name).misfit(collection([[3]], grades)), IrvizError)


@pytest.mark.parametrize("name", ["ERR", "nDCG(dcg='exp-log2')", "gP(gains='exp')", "CWLA(C=RBP,A=ERG,gains='exp')"])
def test_a_grade_that_is_an_exponent(name: str):
    grades = (0.0, 1.0, 1e9)
    refusal(name, grades)
    with pytest.raises(IrvizError):
        irviz.scale_type(name, grades=grades, depth=2)


def test_a_large_grade_is_no_trouble_where_it_is_no_exponent():
    c = collection([[2, 0, 1]], (0.0, 1.0, 1e9))
    found = irviz.score(c, ["nDCG", "RBP", "AP", "ERR(gains=[0,1,2])", "RBTO"]).values
    assert np.isfinite(found).all()
    refusal("nDCG", (0.0, 1.0, 1e16))


def test_the_largest_exponent_is_computed():
    grades = (0.0, 1.0, float(MOST_POWER))
    found = irviz.score(collection([[2, 1, 0]], grades), ["ERR", "nDCG(dcg='exp-log2')"]).values.ravel()
    assert found.tolist() == [1.0, 1.0]


def test_listed_gains_end_where_doubles_do():
    refused(lambda: irviz.measure("DCG(gains=[0,1e300])"))


@pytest.mark.parametrize("name", ["INST(T=0.4)", "CWLA(C=INST(T=0.4),A=ERG)"])
def test_inst_needs_a_target(name: str):
    refused(lambda: irviz.measure(name))


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


# An aspect on which nothing is above grade 0: every measure scores 0, and says so of its scale.


NAMES = [
    name
    for name in measures(1)
    if not getattr(irviz.measure(name), "constant", False) and "gains=[" not in name  # two gains do not fit one grade
]
RUN = ("x.run", b"1 Q0 a 1 3 x\n1 Q0 u 2 2 x\n1 Q0 b 3 1 x\n")


@pytest.fixture(scope="module")
def nothing() -> Collection:
    """A judged at 0, b below it, u unjudged."""
    return load_collection(("qrels", b"1 0 a 0\n1 0 b -1\n1 0 c 0\n"), RUN)


@pytest.fixture(scope="module")
def half() -> Collection:
    """Relevance as usual; trust judged, but never above 0."""
    return load_collection({"relevance": ("r", b"1 0 a 0\n1 0 b 2\n"), "trust": ("t", b"1 0 a 0\n1 0 b 0\n")}, RUN)


def test_the_score_and_the_residual_are_0(nothing: Collection):
    assert nothing.grades == ((0.0,),)
    for name in NAMES:
        one = irviz.measure(name)
        blind = name.startswith("CWLA") and name.endswith("A=ERR)@20")  # looks at ranks, not at gains
        assert blind or irviz.score(nothing, one).values.item() == 0, name
        assert irviz.residual(nothing, one).values.item() == 0, name


@pytest.mark.parametrize("depth", [None, 1, 3])
def test_there_is_no_scale_of_one_grade(depth: int | None):
    kinds = {
        name: irviz.measure(name).scale((0.0,), depth).kind
        for name in NAMES
        if name.partition("(")[0] not in ("CAM", "MM")
    }
    assert {name for name, kind in kinds.items() if kind != "neither"} == set()


@pytest.mark.parametrize("name", ["nDCG(gains=[0])", "RBP(p=0.5,gains=[0])", "DCG(gains=[0])", "RBTO(weights=[0])@2"])
def test_a_list_has_one_number_for_the_only_level(nothing: Collection, name: str):
    assert irviz.score(nothing, name).values.item() == 0
    with pytest.raises(IrvizError) as caught:
        irviz.score(nothing, name.replace("[0]", "[0,1]"))
    if "gains" in name:
        assert str(caught.value) == (
            "`gains` lists 2 numbers, for 1 grade level (0). Give one number per level, lowest first."
        )


@pytest.mark.parametrize("g", ["[1]", "[0.5,0.5]"])
@pytest.mark.parametrize("kind", ["GAP", "xGAP", "eGAP"])
def test_graded_ap_takes_any_g(nothing: Collection, kind: str, g: str):
    assert irviz.score(nothing, f"{kind}(g={g})").values.item() == 0


def test_beside_an_aspect_that_has_grades(half: Collection):
    assert half.grades == ((0.0, 2.0), (0.0,))
    scores = irviz.score(
        half, ["AP", "CAM(AP)", "MM(AP)", "AP(aspect='trust')", "TOMA(AP)", "CAM(nDCG,gains=[[0,5],[0]])"]
    )
    assert scores.values[:, 0, 0] == pytest.approx([1 / 3, 1 / 6, 0, 0, 1 / 3, 0.25])
    rest = irviz.residual(half, ["AP", "AP(aspect='trust')", "CAM(AP)", "TOMA(AP)"]).values[:, 0, 0]
    more = (1 / 2 + 2 / 3) / 2 - 1 / 3  # u relevant too
    assert rest == pytest.approx([more, 0, more / 2, more])


def test_a_collection_saved_with_a_second_level_keeps_it(tmp_path):
    """As collections without anything relevant were saved before; declared levels do the same."""
    old = load_collection(("qrels", b"1 0 a 0\n"), RUN, levels={"relevance": [0, 1]})
    again = irviz.open_collection(old.save(tmp_path / "old.irviz"))
    assert again.grades == ((0.0, 1.0),)
    assert irviz.residual(again, "P@3").values.item() == pytest.approx(2 / 3)


def test_one_grade_cannot_be_enumerated():
    refused(lambda: scale_type("AP", grades=[0]))


def test_rankings_of_constant_scores_are_not_defined():
    """Every score is 0: τ of two constants is not a number, and nothing warns or fails on the way."""
    whole = irviz.open_collection("adhoc")
    none = replace(whole, grades=((0.0,),), labels=np.minimum(whole.labels, 0))
    assert np.isnan(irviz.pool_reduction(none, ["AP"], rates=(0.5,)).tau).all()
    assert np.isnan(irviz.similarity(irviz.score(none, ["AP", "RBTO@5"])).values[0, 1])
