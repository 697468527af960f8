"""An aspect on which nothing is above grade 0: every measure scores 0, and says so of its scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import irviz
from irviz.collection.load import load_collection
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.stats.scales import scale_type
from tests.judged_runs import measures
from tests.refusals import refused

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


@pytest.mark.parametrize("name", NAMES)
def test_the_score_and_the_residual_are_0(nothing: Collection, name: str):
    assert nothing.grades == ((0.0,),)
    one = irviz.measure(name)
    blind = name.startswith("CWLA") and name.endswith("A=ERR)@20")  # looks at ranks, not at gains
    assert blind or irviz.score(nothing, one).values.item() == 0
    assert irviz.residual(nothing, one).values.item() == 0


@pytest.mark.parametrize("depth", [None, 1, 3])
@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("CAM", "MM"))])
def test_there_is_no_scale_of_one_grade(name: str, depth: int | None):
    assert irviz.measure(name).scale((0.0,), depth).kind == "neither"


@pytest.mark.parametrize("name", ["nDCG(gains=[0])", "RBP(p=0.5,gains=[0])", "DCG(gains=[0])", "RBTO(weights=[0])@2"])
def test_a_list_has_one_number_for_the_only_level(nothing: Collection, name: str):
    assert irviz.score(nothing, name).values.item() == 0
    with pytest.raises(IrvizError) as caught:
        irviz.score(nothing, name.replace("[0]", "[0,1]"))
    if "gains" in name:
        assert str(caught.value) == (
            "`gains` lists 2 numbers, but there is 1 grade level (0). Give one number per level, lowest first."
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


def test_it_is_saved_and_opened_again(half: Collection, tmp_path):
    again = irviz.open_collection(half.save(tmp_path / "half.irviz"))
    assert (again.grades, again.fingerprint) == (half.grades, half.fingerprint)


def test_a_collection_saved_with_a_second_level_keeps_it(tmp_path):
    """As collections without anything relevant were saved before; declared levels do the same."""
    old = load_collection(("qrels", b"1 0 a 0\n"), RUN, levels={"relevance": [0, 1]})
    again = irviz.open_collection(old.save(tmp_path / "old.irviz"))
    assert again.grades == ((0.0, 1.0),)
    assert irviz.residual(again, "P@3").values.item() == pytest.approx(2 / 3)


def test_one_grade_cannot_be_enumerated():
    assert refused(lambda: scale_type("AP", grades=[0])) == (
        "There is no grade above 0, so all judged runs are alike. Give `grades` with two at least."
    )


def test_rankings_of_constant_scores_are_not_defined():
    """Every score is 0: τ of two constants is not a number, and nothing warns or fails on the way."""
    whole = irviz.open_collection("adhoc")
    none = replace(whole, grades=((0.0,),), labels=np.minimum(whole.labels, 0))
    assert np.isnan(irviz.pool_reduction(none, ["AP"], rates=(0.5,)).tau).all()
    assert np.isnan(irviz.similarity(irviz.score(none, ["AP", "RBTO@5"])).values[0, 1])
