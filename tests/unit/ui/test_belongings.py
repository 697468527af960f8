"""What loaded data make room for: by size, and the longest unused first."""

from __future__ import annotations

import numpy as np

from irviz.collection.catalogue import open_collection
from irviz.server.session_store import OwnerStore, excess
from irviz.stats.scores import Scores
from irviz.ui.sidebar import choose_data
from irviz.ui.state import SIDEBAR, Session
from irviz.workspace.context import Dataset
from irviz.workspace.data import COLLECTION, opened_scores

ONE = open_collection("multiaspect")


def opened(key: str) -> Dataset:
    return Dataset(key, key, ONE)


SIZE = opened("a").nbytes


def test_the_longest_unused_goes_first():
    kept = OwnerStore(most=SIZE * 4)  # of which one owner has half
    kept.keep("me", opened("a"))
    kept.keep("me", opened("b"))
    kept.use("me", "a")
    kept.keep("me", opened("c"))
    assert list(kept.datasets_of("me")) == ["a", "c"]


def test_one_owner_cannot_take_the_room_of_another():
    kept = OwnerStore(most=SIZE * 4)
    kept.keep("you", opened("a"))
    for key in "bcdef":
        kept.keep("me", opened(key))
    assert list(kept.datasets_of("you")) == ["a"] and list(kept.datasets_of("me")) == ["e", "f"]


def test_what_was_just_loaded_stays_however_large():
    assert excess({"a": opened("a")}, 0) == []
    assert excess({"a": opened("a"), "b": opened("b")}, 0) == ["a"]
    assert excess({"a": opened("a"), "b": opened("b")}, 2 * SIZE) == []


# A session knows measures by the labels they had, as a browser that is a step behind still says those.


def test_a_measure_is_followed_through_all_its_labels():
    session = Session()
    session.put("scores", "measure", "RBP(p=0.8)")
    for old, new in [("RBP(p=0.8)", "RBP(p=0.75)"), ("RBP(p=0.75)", "RBP(p=0.7)")]:
        session.rename(old, new)
    assert session.box.current("RBP(p=0.8)") == "RBP(p=0.7)" == session.scope("scores")["measure"]
    assert SIDEBAR not in session.texts


def test_a_measure_that_comes_back_to_its_label_has_that_one():
    session = Session()
    session.rename("RBP(p=0.8)", "RBP(p=0.75)")
    session.rename("RBP(p=0.75)", "RBP(p=0.8)")
    assert session.box.current("RBP(p=0.8)") == "RBP(p=0.8)" == session.box.current("RBP(p=0.75)")


# What the sidebar keeps when a person looks at other data.


def test_a_visit_to_imported_scores_gives_the_measures_back():
    imported = opened_scores(Scores(np.ones((1, 2, 2)), ("mine",), ("1", "2"), ("a", "b")))
    session = Session(datasets={imported.key: imported})
    session.put(SIDEBAR, "measures", "AP,RBP(p=0.5)")
    choose_data(session, imported.key)
    assert "measures" not in session.scope(SIDEBAR)
    choose_data(session, COLLECTION.default)
    assert session.scope(SIDEBAR)["measures"] == "AP,RBP(p=0.5)"
    choose_data(session, "adhoc")
    assert session.scope(SIDEBAR)["measures"] == "AP,RBP(p=0.5)"
