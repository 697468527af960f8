"""Choices of distance, weights and order of aspects: the orders they mean, and the τ that Similarity shows of them."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import kendalltau

import irviz
from irviz.explore import similarity as page
from irviz.explore.aspects import choices_of, lexicographic
from irviz.measures import measure
from irviz.measures.toma import equivalence_classes
from irviz.workspace.context import Context
from irviz.workspace.data import opened_bundled
from irviz.workspace.view import settle
from tests.panels import drawing_of, facts_of

FOLD = "Distance, weights and order of the aspects"


def panel_of(name: str, *measures: str):
    opened = opened_bundled(name)
    context = Context(opened, measures=measures, depth=opened.depth)
    return page.panel(context, settle(page.CONTROLS, {}, context)[0])


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_an_aspect_that_decides_first_orders_all_label_tuples(order: tuple[int, ...]):
    counts = (4, 3, 2)
    classes = equivalence_classes(counts, "manhattan", lexicographic(counts, order))
    best_first = sorted(product(*map(range, counts)), key=lambda labels: [-labels[one] for one in order])
    assert [tuple(int(label) for label in labels) for labels in classes.index] == best_first
    assert classes["class"].is_unique


def test_the_fold_shows_tau_of_measures_that_anybody_can_compute():
    part = panel_of("multiaspect", "nDCG@10", "AP").folds[FOLD]()
    frame = part.tables["Choices"].frame
    c = irviz.open_collection("multiaspect")
    means = {name: irviz.score(c, [name])[name].mean().to_numpy() for name in frame["measure"]}
    first = means["TOMA(nDCG@10,distance='euclidean')"]
    expected = [kendalltau(first, means[name]).statistic for name in frame["measure"]]
    np.testing.assert_allclose(frame["Kendall's τ"], expected, atol=1e-12)
    (bars,) = drawing_of(part, "choices").figure.data
    np.testing.assert_allclose(np.array(bars.x, dtype=float), np.round(expected, 4))
    least = frame["choice"][int(np.argmin(expected))]
    facts = facts_of(part)
    assert (facts["least alike"].names, facts["least alike"].value) == ((least,), pytest.approx(min(expected)))
    ranks = part.tables["Ranks"].frame
    tops = ranks.set_index("system").drop(columns="Euclidean distance").idxmin()
    assert facts["choices with another first system"].value == (tops != ranks["system"][0]).sum()


def test_choices_that_a_measure_refuses_are_named_with_the_reason():
    found, refused = choices_of(irviz.open_collection("multiaspect"), measure("AP(rel=2)"))
    assert list(found.values()) == ["CAM(AP(rel=2))", "MM(AP(rel=2))"]
    assert "Euclidean distance" in refused and all("`rel` of AP(rel=2)" in why for why in refused.values())
    notes = panel_of("multiaspect", "AP(rel=2)", "P@10").folds[FOLD]().notes
    assert len(notes) == 1 + len(refused) and "Euclidean distance" in notes[1]


def test_one_aspect_leaves_no_such_choice_and_a_measure_of_all_aspects_has_that_of_its_base():
    assert FOLD not in panel_of("adhoc", "AP", "P@10").folds
    part = panel_of("multiaspect", "CAM(AP)", "TOMA(AP)", "ERR@20").folds[FOLD]()
    assert set(part.tables["Choices"].frame["measure"]) >= {"CAM(AP)", "MM(AP)"}
