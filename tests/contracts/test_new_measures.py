"""A measure says everything about itself: one of several aspects, a total order and one of first hits need a class."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

import irviz
from irviz.collection.model import Collection
from irviz.measures.arithmetic import Array, log2_of_ranks
from irviz.measures.aspect_means import MeanOfAspects
from irviz.measures.average_precision import BinaryMeasure
from irviz.measures.interval import step_ratio
from irviz.measures.judged_lists import ExactTopic, JudgedLists
from irviz.measures.language.base import REGISTRY
from irviz.measures.language.parameters import Numbers, parameter
from irviz.measures.total_orders import TotalOrder
from irviz.multiverse.worlds import follows_aspect
from irviz.stats.bounds import upper_bounds
from irviz.workspace.cache import _groups, bytes_of
from irviz.workspace.context import Dataset
from tests.panels import context_of, panel_of


@pytest.fixture(scope="module", autouse=True)
def classes():
    """The classes, known to the grammar as long as these tests run."""
    known = dict(REGISTRY["measure"])

    @dataclass(frozen=True, kw_only=True)
    class Weakest(MeanOfAspects):
        """The lowest score on any aspect."""

        symbol: ClassVar[str] = "Weakest"
        title: ClassVar[str] = "Weakest aspect"
        p: tuple[float, ...] | None = parameter(None, Numbers(nonnegative=True, optional=True), "Weights.")

        def mean(self, shares: list[float], scores: Array) -> Array:
            return scores.min(axis=0)

    @dataclass(frozen=True, kw_only=True)
    class Pairs(TotalOrder):
        """The list read as a binary number: a digit is 1 where anything is relevant."""

        symbol: ClassVar[str] = "Pairs"
        title: ClassVar[str] = "Binary digits"

        def rank_function(self, lists: JudgedLists) -> Array:
            digits = (self.window(lists) > 0).astype(int).tolist()
            spare = self.length(lists) - self.window(lists).shape[1]
            return np.array([int("".join(map(str, row)), 2) << spare for row in digits], dtype=object)

        def maximum(self, lists: JudgedLists) -> int:
            return 2 ** self.length(lists) - 1

    @dataclass(frozen=True, kw_only=True)
    class EarlyHit(BinaryMeasure):
        """The discount of the first relevant document's rank."""

        symbol: ClassVar[str] = "EarlyHit"
        title: ClassVar[str] = "Discount of the first hit"
        closed_form: ClassVar[str] = "first"

        def evaluate(self, lists: JudgedLists) -> Array:
            hits, scores = lists.head(self.cutoff).hits(self.rel), lists.nothing()
            first = hits.select(hits.number == 1)
            scores[first.run] = (1 / log2_of_ranks(scores, 2, lists.depth + 1))[first.place]
            return scores

    class ListedHit(EarlyHit):
        symbol: ClassVar[str] = "ListedHit"
        closed_form: ClassVar[str] = ""

    yield
    REGISTRY["measure"].clear()
    REGISTRY["measure"].update(known)


@pytest.fixture(scope="module")
def several() -> Collection:
    c = irviz.open_collection("multiaspect")
    return c.subset(topics=c.topics[:3], systems=c.systems[:5])


def test_a_fourth_measure_of_several_aspects_is_scored_on_all_of_them(several: Collection):
    apart = irviz.score(several, [f"nDCG(aspect='{name}')@10" for name in several.aspects]).values
    assert np.array_equal(irviz.score(several, "Weakest(nDCG@10)").values[0], apart.min(axis=0))


def test_it_follows_no_aspect_and_is_not_of_the_first(several: Collection):
    one = irviz.measure("Weakest(AP)")
    assert not follows_aspect(one) and one.several_aspects
    made = irviz.worlds(several, measure=["Weakest(AP)", "AP"], judge=list(several.aspects))
    seen = {(world["measure"], world["judge"]) for world in made.frame().to_dict("records")}
    assert {judge for name, judge in seen if name.startswith("Weakest")} == {several.aspects[0]}
    assert {judge for name, judge in seen if name == "AP"} == set(several.aspects)


def test_condensed_lists_are_no_world_of_a_base_that_ignores_unjudged_documents(several: Collection):
    made = irviz.worlds(several, measure=["Weakest(Bpref)", "AP"], unjudged=["not_relevant", "condensed"])
    seen = made.frame()
    assert set(seen.unjudged[seen.measure.str.startswith("Weakest")]) == {"not_relevant"}
    assert set(seen.unjudged[seen.measure == "AP"]) == {"not_relevant", "condensed"}


def test_its_upper_bounds_hold(several: Collection):
    found = upper_bounds(several, ["Weakest(nDCG@10)", "CAM(nDCG@10)"])
    assert (found.highest <= found.limit + 1e-12).all()
    assert (irviz.score(several, "Weakest(nDCG@10)").values[0].max(axis=1) <= found.limit[0] + 1e-12).all()
    assert (found.highest[0] <= found.limit[1] + 1e-12).all()  # no minimum is above the mean


def test_pages_show_it_as_they_show_the_other_three(several: Collection):
    names = ("Weakest(nDCG@10)", "MM(nDCG@10)")
    context = context_of(Dataset("several", "Several", several), measures=",".join(names))
    for page in ("topics", "scores", "similarity"):
        new, known = (panel_of(context, page, **({"measure": name} if page != "similarity" else {})) for name in names)
        assert [list(row) for row in new.drawings] == [list(row) for row in known.drawings]
        assert len(new.notes) == len(known.notes) and list(new.tables) == list(known.tables)


def test_a_new_total_order_is_exact_wherever_order_matters(several: Collection):
    names = ["Pairs@80", "AP"]
    scores = irviz.score(several, names)
    assert list(scores.exact) == ["Pairs@80"] and scores.exact["Pairs@80"].dtype == object
    assert scores.exact["Pairs@80"].max() > 2**60
    assert bytes_of(several, "Pairs@80") > bytes_of(several, "AP") == 8 * 3 * 5
    assert bytes_of(several, "TOMA(Pairs@80)") > bytes_of(several, "AP")
    assert _groups(names) == [["AP"], ["Pairs@80"]]


def test_a_measure_of_the_first_hit_is_numbered_as_by_enumeration_and_at_any_depth(several: Collection):
    grades, topic = (0.0, 1.0, 2.0), ExactTopic(np.array(list(product(range(3), repeat=5))), (0.0, 1.0, 2.0))
    early, listed = (irviz.measure(f"{name}(rel=2)@5") for name in ("EarlyHit", "ListedHit"))
    for lists in ("any", "topic"):
        places = [irviz.measure(f"Interval({one},attainable='{lists}')").score(topic) for one in (early, listed)]
        assert np.array_equal(*places) and len(set(places[0])) == 6
    assert irviz.attainable(early, grades=grades) == pytest.approx(irviz.attainable(listed, grades=grades), abs=1e-15)
    assert step_ratio(early, grades) == pytest.approx(step_ratio(listed, grades), rel=1e-12)
    assert irviz.score(several, "Interval(EarlyHit@1000)").values.max() > 0
    with pytest.raises(irviz.IrvizError, match="at most 1,048,576 lists"):
        irviz.score(several, "Interval(ListedHit@1000)")


NEW = "Q nERR Compat(p=0.9) infAP xinfAP INSQ(T=2) BPM(T=1,K=5) DCG(discount='log2')@5".split()
NEW += "NumRet(rel=1) F(beta=2)@5 AP(judged_only=True) nDCG(judged_only=True,gains={1:1,2:2,3:5})@10".split()
INTENTS = "alpha_nDCG@5 ERR_IA@5 nERR_IA@5 NRBP StRecall@5 P_IA@5 AP_IA".split()


def test_measures_of_peers_are_taken_by_every_analysis(several: Collection):
    names, first = [*NEW, *INTENTS], several.systems[0]
    scores = irviz.score(several, names)
    assert np.isfinite(scores.values).all() and scores.values.any(axis=(1, 2)).all()
    made = irviz.worlds(several, measure=names, average=["mean"], test=["t"], depth=[20, several.depth])
    found = irviz.conclusion(several, f"`{first}` > `{several.systems[1]}`", made, trials=20, exchanges=0).frame()
    assert set(found.measure) == set(scores.measures)
    assert irviz.pool_reduction(several, names, rates=(0.5,)).tau.shape == (len(names), 1)
    assert (irviz.residual(several, names).values >= 0).all()
    one = several.subset(several.topics[:1])
    bounds = upper_bounds(one, names)
    assert (bounds.highest >= scores.values[:, :1].max(axis=2) - 1e-12).all()
    condensed = bounds.scores.index("nDCG(judged_only=True,gains={1:1,2:2,3:5})@10")
    assert bounds.limit[condensed] == pytest.approx(1)
    for name in names:
        taken = irviz.contributions(several, name, several.topics[0], first)
        assert taken.adds.sum() == pytest.approx(scores[name].loc[several.topics[0], first], abs=1e-12)
    swept = irviz.sweep(several, "alpha_nDCG(alpha={})@5", [0.2, 0.8], others=["P_IA@5"], trials=20, splits=20)
    assert len(swept.frame()) == 2


def test_intents_that_no_judge_is_chosen_for_see_all_aspects(several: Collection):
    alone = irviz.score(several.subset(), "P_IA@5").values[0]
    each = irviz.score(several, [f"P(aspect='{name}')@5" for name in several.aspects]).values
    assert np.allclose(alone, each.mean(axis=0))  # all aspects have something relevant on these topics
    one = irviz.measure("P_IA@5")
    assert not follows_aspect(one) and one.several_aspects
