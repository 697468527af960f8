"""Conventions one by one on lists small enough to check by hand, and ties against all orders."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from irviz.collection.catalogue import files_of, known_folders, open_collection
from irviz.collection.codes import BEYOND, UNJUDGED
from irviz.collection.load import tie_groups
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.labs.conventions.model import (
    CHOICES,
    PRESETS,
    PRINTED_KINDS,
    Conventions,
    condensed_collection,
    outcome_under,
)
from irviz.labs.conventions.tied import tie_bounds
from tests.panels import opened_once

# documents 0 … 4 are judged 1, 0, 2, 0, 1
LABELS = np.array([[[1], [0], [2], [0], [1]]] * 2, dtype=np.int16)


def collection(*lists: list[int]) -> Collection:
    """One topic with these lists, and one without any."""
    depth = max(map(len, lists))
    ranking = np.full((2, len(lists), depth), BEYOND, dtype=np.int32)
    for s, one in enumerate(lists):
        ranking[0, s, : len(one)] = one
    systems = tuple(f"s{i}" for i in range(len(lists)))
    return Collection("x", ("1", "2"), systems, ("relevance",), ((0.0, 1.0, 2.0),), ranking, LABELS)


U = UNJUDGED


@pytest.mark.parametrize(
    ("kind", "changed", "expected"),
    [
        ("AP", {}, (1 + 2 / 3) / 3),
        ("AP", {"rel": "2"}, 1 / 3),
        ("AP", {"base": "retrieved"}, (1 + 2 / 3) / 2),
        ("AP", {"unjudged": "removed"}, (1 + 1) / 3),
        ("AP", {"base": "cutoff"}, (1 + 2 / 3) / 3),
        ("AP@k", {"base": "cutoff"}, 1 / 2),
        ("P@k", {}, 1 / 2),
        ("P@k", {"unjudged": "removed"}, 1),
        ("nDCG@k", {}, 1 / (2 + 1 / np.log2(3))),
        ("nDCG@k", {"gain": "exp"}, 1 / (3 + 1 / np.log2(3))),
        ("nDCG@k", {"ideal": "pool"}, 1 / (2 + 1 / np.log2(3) + 1 / 2)),
        ("nDCG@k", {"ideal": "best"}, 1 / (2 + 2 / np.log2(3))),
        ("nDCG@k", {"ideal": "retrieved"}, 1 / (2 + 1 / np.log2(3))),
    ],
)
def test_one_convention_at_a_time(kind, changed, expected):
    found = outcome_under(collection([0, U, 2, 1]), kind, 2, Conventions(**changed))
    assert found.values[0, 0] == pytest.approx(expected)
    assert found.means[0] == pytest.approx(expected / 2), "the second topic counts as 0"


def test_topics_without_an_answer():
    found = outcome_under(collection([0, U, 2, 1]), "AP", 2, Conventions(missing="skip"))
    assert found.means[0] == pytest.approx((1 + 2 / 3) / 3)


def test_condensed_lists_keep_the_order_of_the_judged():
    assert condensed_collection(collection([U, 2, U, 0])).ranking[0, 0].tolist() == [2, 0, BEYOND, BEYOND]


def test_what_differs_and_matters():
    other = Conventions(ties="file", gain="exp", base="retrieved")
    assert Conventions().differing(other, "AP") == ["ties", "base"]
    assert Conventions().differing(other, "nDCG@k") == ["ties", "gain"]


def test_refusals():
    with pytest.raises(IrvizError) as refused:
        Conventions(ties="rank")
    assert str(refused.value) == (
        "There is no way for `ties` `rank`. Known: trec_eval, trec_eval10, trec_eval_ascending and file."
    )
    with pytest.raises(IrvizError) as refused:
        tie_bounds(collection([0]), np.zeros((1, 1, 1), dtype=np.int32), "AP", 1, Conventions())
    assert str(refused.value) == "The groups of ties are (1, 1, 1), but the rankings (2, 1, 1)."
    with pytest.raises(IrvizError) as refused:
        tie_bounds(collection([0]), np.zeros((2, 1, 1), dtype=np.int32), "AP@k", 1, Conventions(base="retrieved"))
    assert "the number of relevant documents among the first 1, which depends on the order" in str(refused.value)


def test_the_highest_grade_of_err_is_a_convention():
    """By hand: a document of grade x on top satisfies with (2^x − 1)/2^2 where grades end at 2, gdeval: 2^4."""
    won = 2.0 ** float(LABELS[0, 0, 0]) - 1
    found = [
        outcome_under(collection([0, U]), "ERR@k", 2, Conventions(gmax=g)).values[0, 0] for g in ("collection", "4")
    ]
    assert won > 0 and found == pytest.approx([won / 4, won / 16])
    assert PRESETS["gdeval"].conventions.differing(PRESETS["irviz"].conventions, "ERR@k") == ["ties", "missing", "gmax"]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", PRINTED_KINDS)
def test_ties_against_every_order(seed, kind):
    rng = np.random.default_rng(seed)
    conventions = Conventions(**{name: str(rng.choice(list(options))) for name, (_, options, _) in CHOICES.items()})
    if kind == "AP@k" and conventions.base == "retrieved":
        conventions = Conventions()
    labels = rng.integers(-1, 4, size=9).astype(np.int16)[None, :, None]
    documents = [int(d) if rng.random() > 0.25 else U for d in rng.permutation(9)[:6]]
    groups = np.cumsum(rng.random(6) < 0.5).astype(np.int32)
    inner = [list(itertools.permutations(np.flatnonzero(groups == g))) for g in dict.fromkeys(groups.tolist())]
    orders = [sum(parts, ()) for parts in itertools.product(*inner)]

    def lists(orders) -> Collection:
        ranking = np.array([[[documents[i] for i in order] for order in orders]], dtype=np.int32)
        systems = tuple(map(str, range(len(orders))))
        return Collection("x", ("1",), systems, ("relevance",), ((0.0, 1.0, 2.0, 3.0),), ranking, labels)

    every = outcome_under(lists(orders), kind, 4, conventions).values[0]
    found = tie_bounds(lists([tuple(range(6))]), groups[None, None], kind, 4, conventions)
    ends = [found.lowest[0, 0], found.expectation[0, 0], found.highest[0, 0]]
    assert ends == pytest.approx([every.min(), every.mean(), every.max()], abs=1e-12)
    assert found.open[0, 0] == (every.max() - every.min() > 1e-12)


def test_groups_of_a_bundled_collection_hold_every_rule():
    files = files_of(known_folders()["adhoc"])
    groups = tie_groups(files["qrels"], files["runs"], levels=files["levels"])
    first = opened_once("adhoc")
    assert groups.shape == first.ranking.shape
    assert np.array_equal(groups == BEYOND, first.ranking == BEYOND)
    bounds = tie_bounds(first, groups, "AP", 10, Conventions())
    assert bounds.open.any()
    for rule in ("trec_eval", "trec_eval_ascending"):
        scored = outcome_under(open_collection("adhoc", ties=rule), "AP", 10, Conventions()).values
        assert (bounds.lowest <= scored + 1e-12).all() and (scored <= bounds.highest + 1e-12).all()


def test_ties_of_files(tmp_path):
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 0\n1 0 c 2\n2 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n1 Q0 c 3 1.00000001 t\n2 Q0 a 1 1 t\n")
    groups = tie_groups(tmp_path / "q", tmp_path / "run")
    assert groups[0, 0, 0] != groups[0, 0, 1] == groups[0, 0, 2], "single precision"
    assert groups[1, 0].tolist()[1:] == [BEYOND, BEYOND]


def test_a_highest_grade_below_the_collections_is_refused():
    whole = open_collection("tiangong")
    few = whole.subset(topics=whole.topics[:5])
    with pytest.raises(IrvizError, match="`gmax` is 3, but there is a grade of 4"):
        outcome_under(few, "ERR@k", 5, PRESETS["quepid"].conventions)
