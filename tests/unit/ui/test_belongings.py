"""What loaded data make room for: by size, and the longest unused first."""

from __future__ import annotations

from irviz.collection.catalogue import open_collection
from irviz.server.session_store import OwnerStore, array_bytes, excess
from irviz.workspace.context import Dataset

ONE = open_collection("multiaspect")


def opened(key: str) -> Dataset:
    return Dataset(key, key, ONE)


SIZE = array_bytes(opened("a"))


def test_many_small_data_stay():
    kept = OwnerStore(most=SIZE * 100)
    for place in range(30):
        kept.keep("me", opened(str(place)))
    assert len(kept.of("me")) == 30


def test_the_longest_unused_goes_first():
    kept = OwnerStore(most=SIZE * 4)  # of which one owner has half
    kept.keep("me", opened("a"))
    kept.keep("me", opened("b"))
    kept.use("me", "a")
    kept.keep("me", opened("c"))
    assert list(kept.of("me")) == ["a", "c"]


def test_one_owner_cannot_take_the_room_of_another():
    kept = OwnerStore(most=SIZE * 4)
    kept.keep("you", opened("a"))
    for key in "bcdef":
        kept.keep("me", opened(key))
    assert list(kept.of("you")) == ["a"] and list(kept.of("me")) == ["e", "f"]


def test_what_was_just_loaded_stays_however_large():
    assert excess({"a": opened("a")}, 0) == []
    assert excess({"a": opened("a"), "b": opened("b")}, 0) == ["a"]
    assert excess({"a": opened("a"), "b": opened("b")}, 2 * SIZE) == []


def test_the_last_view_of_a_browser_is_kept_until_it_asks_to_be_forgotten():
    kept = OwnerStore(most=SIZE)
    kept.see("me", "/scores?v=2")
    kept.see("me", "/topics?v=2")
    kept.see("", "/nobody?v=2")
    assert (kept.last_view("me"), kept.last_view("you"), kept.last_view("")) == ("/topics?v=2", "", "")
    kept.forget("me")
    assert kept.last_view("me") == ""


def test_a_long_view_is_not_kept_and_the_oldest_of_too_many_goes(monkeypatch):
    monkeypatch.setattr("irviz.server.session_store.MOST_SEEN", 2)
    kept = OwnerStore(most=SIZE)
    for owner in ("a", "b", "c"):
        kept.see(owner, f"/{owner}")
    assert [kept.last_view(owner) for owner in ("a", "b", "c")] == ["", "/b", "/c"]
    kept.see("c", "/" + "x" * 4_000)
    assert kept.last_view("c") == ""


def test_what_was_loaded_makes_room_when_memory_is_short():
    kept = OwnerStore(most=SIZE * 8)
    for key in "abc":
        kept.keep("me", opened(key))
    kept.use("me", "a")
    kept.relieve(SIZE + 1)
    assert list(kept.of("me")) == ["a"]
