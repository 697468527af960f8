"""Filters of topics and systems: the ones the papers use, on every page."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.collection.codes import ABSENT
from irviz.collection.model import Collection
from irviz.collection.recognise import kind_of
from irviz.places import DATA
from irviz.workspace import context as filters
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Dataset
from irviz.workspace.data import opened_scores
from irviz.workspace.nugget_handles import USUAL_NUGGETS, all_nuggets
from irviz.workspace.topic_groups import groupings
from irviz.workspace.view import settle
from tests.panels import opened_once


@pytest.fixture(scope="module")
def opened() -> Dataset:
    return Dataset("adhoc", "Ad hoc", opened_once("adhoc"))


def context(opened: Dataset, **texts: str) -> Context:
    values, complaints = settle(SIDEBAR_CONTROLS, texts, opened)
    assert complaints == []
    return Context.from_values(opened, values)


def test_the_hardest_quarter_holds_the_most_surprising_topics(opened):
    hard = irviz.hardness(irviz.score(opened.collection, "AP")["AP"], "surprise")
    kept = context(opened, which="hardest").topics
    assert len(kept) in (12, 13)
    assert min(hard[list(kept)]) >= max(hard.drop(list(kept)))


def test_few_highly_relevant_documents_as_the_paper_counts_them(opened):
    labels = opened.collection.labels[:, :, 0]
    relevant, high = ((labels == level).sum(axis=1) for level in (1, 2))
    expected = [t for t, r, h in zip(opened.topics, relevant, high, strict=True) if h and r >= 10 * h]
    assert len(expected) < 2
    assert "few2" not in dict(_options(opened, "which"))
    rare = _with_few_highly_relevant(opened.collection)
    assert dict(_options(rare, "which"))["few2"] == "few documents of grade 2 (7 topics)"
    assert context(rare, which="few2").topics == opened.topics[3:10]


def _with_few_highly_relevant(collection: Collection) -> Dataset:
    """The collection with 10 relevant documents on every topic, and highly relevant ones on few.

    The first three topics have two of these, and the next seven one.
    """
    labels = np.where(collection.labels == ABSENT, ABSENT, 0).astype(np.int16)
    labels[:, :10] = 1
    labels[:3, 10:12] = labels[3:10, 10:11] = 2
    return Dataset("rare", "Rare", collection.with_labels(labels))


def test_the_lower_quarter_of_the_systems_is_left_out(opened):
    means = irviz.score(opened.collection, "AP")["AP"].mean()
    kept = context(opened, systems="best").systems
    assert len(kept) == 30
    assert means[list(kept)].min() > means.drop(list(kept)).max()


def test_topics_named_one_by_one_go_before_the_filter(opened):
    named = opened.topics[:3]
    assert context(opened, which="hardest", topics=",".join(named)).topics == named


def test_imported_scores_go_by_their_first_measure():
    rng = np.random.default_rng(0)
    systems, topics = tuple(f"s{i}" for i in range(8)), tuple(str(i) for i in range(12))
    scores = irviz.stats.scores.Scores(rng.random((1, 12, 8)), ("mine",), topics, systems)
    imported = Dataset("mine", "Mine", imported_scores=scores)
    assert len(context(imported, which="hardest").topics) == 3
    assert len(context(imported, systems="best").systems) == 6
    assert [value for value, _ in _options(imported, "which")] == ["all", "hardest", "easiest"]


def _options(opened: Dataset, name: str) -> Any:
    return next(control for control in SIDEBAR_CONTROLS if control.name == name).fit(opened).options


def test_the_best_few_are_offered_and_kept_in_the_order_of_the_collection():
    matrix = pd.DataFrame([[0.1, 0.4, 0.3, 0.4], [0.1, 0.6, 0.3, 0.4]], columns=list("abcd"))
    assert filters.best(matrix, 2) == ("b", "d")
    assert filters.best(matrix, 3) == ("b", "c", "d")
    four = Dataset(
        "mine",
        "Mine",
        imported_scores=irviz.stats.scores.Scores(matrix.to_numpy()[None], ("m",), ("1", "2"), tuple("abcd")),
    )
    assert [value for value, _ in _options(four, "systems")] == ["all", "best", "top2"]


def test_systems_named_in_the_sidebar_go_before_the_choice():
    scores = irviz.stats.scores.Scores(np.ones((1, 2, 3)), ("m",), ("1", "2"), ("a", "b", "c"))
    assert context(Dataset("mine", "Mine", imported_scores=scores), only="c").systems == ("c",)


def test_groups_are_loaded_or_made_of_identifiers_and_judgments(opened):
    topics = ("1_1", "1_2", "2_1", "10_1", "10_2", "10_3")
    scores = irviz.stats.scores.Scores(np.ones((1, 6, 2)), ("m",), topics, ("a", "b"))
    turns = Dataset("mine", "Mine", imported_scores=scores)
    assert groupings(scores) == {
        "prefix": {topic: topic.split("_")[0] for topic in topics},
        "first1": {topic: topic[0] for topic in topics},
    }
    assert context(turns, group="prefix:10,first1:2").topics == ("2_1", "10_1", "10_2", "10_3")
    assert context(turns).groups == {} and context(turns, groups="prefix").units is None
    assert set(context(turns, groups="prefix", independent="groups").units.values()) == {"1", "2", "10"}
    assert context(turns, groups="prefix", group="first1:2").groups == {}  # all topics are in one group
    judged = groupings(opened.collection)["judged"]
    counts = opened.collection.labels.counts
    for topic, count in zip(opened.topics, counts.tolist(), strict=True):
        low, high = map(int, judged[topic].split("–"))
        assert low <= count <= high
    loaded = Dataset("own", "Own", opened.collection.attached(groups={"401": "x", "402": "y"}))
    assert context(loaded).groups == {"401": "x", "402": "y"}
    assert len(context(loaded, group="loaded:(none)").topics) == 48
    assert context(loaded, groups="").groups == {}


def test_handles_of_nuggets_choose_the_first_measure():
    file = DATA / "nuggets" / "nuggets.tsv"
    assert kind_of(file.name, file.read_bytes()) == kind_of("x", b"1,n,vital,a,partial\n") == "nuggets"
    nuggets = opened_scores(all_nuggets(file))
    assert context(nuggets).measures == USUAL_NUGGETS
    moved = context(nuggets, partial="0.25", okay="1")
    assert moved.measures == ("nuggets(partial=0.25,okay=1)", *USUAL_NUGGETS)
    expected = irviz.load_nuggets(file, partial=0.25, okay=1)
    assert np.array_equal(moved.scores(moved.measures[:1]).values, expected.common().values)
    assert context(nuggets, measures="nuggets(partial=0\\,okay=0)", okay="0").measures[0] == USUAL_NUGGETS[1]
