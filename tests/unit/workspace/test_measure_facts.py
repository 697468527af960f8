"""What the builder says of a measure: its weights are those that score, and its neighbours those of similarity."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.measures import measure
from irviz.measures.browsing import BROWSING_MODELS
from irviz.measures.catalogue import MEASURES
from irviz.measures.judged_lists import Topics
from irviz.stats.scales import scale_type
from irviz.stats.sweep import USUAL
from irviz.workspace.context import SIDEBAR_CONTROLS, TRACKS, Context, Dataset
from irviz.workspace.measure_facts import (
    families,
    nearest,
    part_pictures,
    rank_weights,
    relevant_from,
    why_not,
)
from irviz.workspace.permissible import scale_found
from irviz.workspace.view import settle
from tests.panels import context_of, opened_once


@pytest.fixture(scope="module")
def context():
    return context_of(Dataset("dl2021", "DL", opened_once("dl2021")))


def test_many_grades_have_no_picture_of_their_pairs():
    """Those of 900 grades by 900 took minutes, and of 10,000 by 10,000 all memory, whenever the builder was drawn."""
    qrels = b"".join(b"1 0 d%d %d\n" % (i, i) for i in range(30))
    many = irviz.load_collection({"a": ("a", qrels), "b": ("b", qrels)}, [("r", b"1 Q0 d3 1 2 x\n")])
    few = irviz.open_collection("multiaspect")
    pictures = [
        part_pictures(context_of(Dataset("x", "X", one)), measure("TOMA(AP)"), "distance") for one in (many, few)
    ]
    assert pictures[0] == {} and list(pictures[1]) == ["euclidean", "manhattan", "chebyshev"]


def test_every_kind_of_measure_is_in_one_tab():
    for aspects in (1, 3):
        kinds = [kind for tab in families(aspects).values() for kind in tab]
        assert sorted(kind.symbol for kind in kinds) == sorted(kind.symbol for kind in MEASURES)


@pytest.mark.parametrize("model", [kind.symbol for kind in BROWSING_MODELS])
def test_the_rate_of_gain_weighs_ranks_as_users_read_them(context, model):
    label = f"CWLA(C={model}{'@10' if model in ('P', 'DCG') else ''},A=ERG)"
    weights, reading = rank_weights(context, label)
    assert reading[0] == 1 and weights / weights[0] == pytest.approx(reading, abs=1e-9)


def test_nearest_measures_are_those_of_similarity(context):
    names = ["P@5", *context.measures]
    taus = irviz.similarity(irviz.score(context.collection, names)).values[0, 1:]
    found = nearest(context, "P@5")
    assert [tau for _, tau in found] == sorted(taus, reverse=True)[:3]
    assert nearest(context_of(context.dataset, measures="AP"), "AP") == []


def test_what_cannot_be_computed_or_taken_apart(context):
    assert "grade" in why_not(context, "GAP(g=[1])") and why_not(context, "AP") == ""
    with pytest.raises(irviz.IrvizError, match="no rank has a contribution"):
        rank_weights(context_of(Dataset("m", "M", opened_once("multiaspect"))), "MM(nDCG@10)")
    assert np.isfinite(rank_weights(context, "P@10")[0]).all() and rank_weights(context, "P@10")[1] is None


@pytest.mark.parametrize("key", TRACKS)
def test_a_collection_of_a_track_opens_with_its_grade_in_binary_measures_alone(key):
    usual = [measure(label) for label in USUAL]
    counted = [one if relevant_from(one) is None else one.with_value("rel", TRACKS[key]) for one in usual]
    chosen = context_of(Dataset(key, key, opened_once(key))).measures
    assert list(chosen) == [str(one) for one in counted] and chosen != USUAL


# The scale of a measure beside its scores: on the grades it sees, or why it is not known.


def permissible_context_of(opened: Dataset) -> Context:
    values, _ = settle(SIDEBAR_CONTROLS, {}, opened)
    return Context.from_values(opened, values)


def loaded(name: str) -> Context:
    return permissible_context_of(Dataset(name, name.title(), opened_once(name)))


def test_toma_is_on_the_scale_of_its_classes_not_of_the_first_aspects_grades():
    context = loaded("multiaspect")
    collection = context.dataset.collection
    assert collection is not None
    label = "TOMA(RBP(p=0.2))"
    toma = measure(label)
    classes = len(toma.classes_of(Topics(collection, [0])).distinct)  # type: ignore[attr-defined]
    assert classes > len(collection.grades[0])
    found = scale_found(context, label)[0]
    assert found is not None and found.kind == toma.scale_in(collection).kind  # type: ignore[attr-defined]
    assert found.kind == scale_type("RBP(p=0.2)", grades=classes, depth=2).kind == "neither"
    assert scale_type("RBP(p=0.2)", grades=len(collection.grades[0]), depth=2).kind == "ordinal"


def test_every_aspect_has_its_own_grades():
    context = loaded("multiaspect")
    collection = context.dataset.collection
    assert collection is not None
    for aspect in collection.aspects:
        label = f"RBP(p=0.2,aspect='{aspect}')"
        grades = collection.grades[collection.aspect_index(aspect)]
        found = scale_found(context, label)[0]
        assert found is not None and found.kind == measure(label).scale(grades).kind
