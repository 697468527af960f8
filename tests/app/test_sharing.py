"""Shared data in sessions without a browser: who has them, and until when; a report's baseline is the page's."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from irviz.collection.catalogue import open_collection
from irviz.menu import PAGES
from irviz.ui import caches as borrowed
from irviz.ui.loading import pack
from irviz.workspace.data import COLLECTION, bundled_titles, opened_collection
from irviz.workspace.store import NO_SHARE, Store
from irviz.workspace.view import View
from tests.app.driving import assert_sound, figures, open_page, said, turn_to, warnings

BUNDLED = list(bundled_titles().values())
FIRST = COLLECTION.default  #: what is opened where nothing is asked for
WITHDRAWN = "was shared with you, and its owner has withdrawn it."


@pytest.fixture
def store(tmp_path, monkeypatch):
    """The store of a server of its own."""
    monkeypatch.setenv("IRVIZ_HOME", str(tmp_path))
    borrowed.store.clear()
    borrowed._shared_data.clear()
    yield Store(tmp_path)
    borrowed.store.clear()
    borrowed._shared_data.clear()


def matrix(factor: int) -> bytes:
    rows = [f"{t},{t / 10},{(factor * t) % 10 / 10},{(3 * t) % 7 / 7}" for t in range(1, 9)]
    return ("topic,a,b,c\n" + "\n".join(rows)).encode()


def load_scores() -> AppTest:
    at = open_page("collection")
    for name, factor in (("AP.csv", 7), ("mine.csv", 3)):
        at.file_uploader(key="loading.files").upload(name, matrix(factor))
    at.run()
    assert_sound(at)
    return at


def data_of(at: AppTest) -> str:
    return at.selectbox(key="sidebar.collection").value


def titles(at: AppTest) -> list[str]:
    return at.selectbox(key="sidebar.collection").options


def complaint(at: AppTest) -> list[str]:
    return [one for one in warnings(at) if WITHDRAWN in one]


def small():
    return opened_collection(open_collection("adhoc").subset(depth=10))


# -- score matrices ----------------------------------------------------------------------


@pytest.mark.parametrize("guess", ["A" * 22, "1", "%", "' OR 1=1 --"])
def test_a_guessed_link_draws_nothing(store, guess):
    stranger = open_page("similarity", s=guess)
    assert_sound(stranger)
    assert NO_SHARE in warnings(stranger) and not figures(stranger) and data_of(stranger) is None
    stranger.selectbox(key="sidebar.collection").select(FIRST).run()
    assert "63 systems" in said(stranger) and not warnings(stranger)


def test_shared_score_matrices_are_the_same_for_someone_else(store):
    owner = load_scores()
    turn_to(owner, "similarity").run()
    key = data_of(owner)
    receipt = store.share(
        View.from_texts("similarity", collection=key), data=owner.session_state["irviz"].datasets[key].imported_scores
    )
    reader = open_page("similarity", s=receipt.id)
    assert_sound(reader)
    assert not warnings(reader) and data_of(reader) == key and titles(reader) == titles(owner)
    assert "3 systems" in said(reader)
    assert figures(reader) == figures(owner)
    assert titles(open_page("similarity")) == BUNDLED


def test_without_their_share_score_matrices_are_named_only(store):
    owner = load_scores()
    reader = open_page("similarity", collection=data_of(owner))
    assert "`scores~3x8~" in warnings(reader)[0]
    assert titles(reader) == BUNDLED


def test_the_note_of_a_share_stays_on_the_page_that_it_is_about(store):
    receipt = store.share(View.from_texts("scores", collection="adhoc"), title="Exercise", note="Which system is best?")
    reader = open_page("scores", s=receipt.id)
    assert "Which system is best?" in " ".join(one.value for one in reader.info).replace("\\", "")
    turn_to(reader, "similarity").run()
    assert not [one for one in reader.info if "Exercise" in one.value]


# -- after a share was withdrawn -----------------------------------------------------------


def test_the_next_interaction_no_longer_has_withdrawn_data_and_says_so(store):
    mine = small()
    receipt = store.share(
        View.from_texts("scores", collection=mine.key, measure="P@10"), title="Mine", data=mine.collection
    )
    reader = open_page("scores", s=receipt.id)
    assert data_of(reader) == mine.key and "Mine" in " ".join(one.value for one in reader.info)
    store.withdraw(receipt.id, receipt.key)
    reader.selectbox(key="scores.measure").set_value("AP").run()
    assert_sound(reader)
    assert complaint(reader) == [f"`adhoc` (40 systems, 50 topics) {WITHDRAWN}"]
    assert data_of(reader) is None and titles(reader) == BUNDLED and not figures(reader)
    assert "s" not in reader.query_params and not [one for one in reader.info if "Mine" in one.value]


def test_someone_new_with_the_old_id_finds_nothing_though_the_data_are_still_opened(store):
    """The share is withdrawn elsewhere, so that what this process keeps opened is still there."""
    mine = small()
    receipt = store.share(View.from_texts("scores", collection=mine.key), data=mine.collection)
    reader = open_page("scores", s=receipt.id)
    assert data_of(reader) == mine.key
    store.withdraw(receipt.id, receipt.key)
    for link in ({"s": receipt.id}, {"s": receipt.id, "collection": mine.key}, {"collection": mine.key}):
        stranger = open_page("scores", **link)
        assert_sound(stranger)
        assert titles(stranger) == BUNDLED and data_of(stranger) is None and not figures(stranger)
        assert (NO_SHARE in warnings(stranger)) == ("s" in link)


def test_a_view_shared_without_data_does_not_open_those_of_another_share(store):
    mine = small()
    whole = store.share(View.from_texts("scores", collection=mine.key), data=mine.collection)
    alone = store.share(View.from_texts("scores", collection=mine.key))
    assert data_of(open_page("scores", s=whole.id)) == mine.key
    stranger = open_page("scores", s=alone.id)
    assert titles(stranger) == BUNDLED and "not loaded here" in warnings(stranger)[0]


def test_data_that_another_share_brought_too_stay(store):
    mine = small()
    first, second = (
        store.share(View.from_texts("scores", collection=mine.key), data=mine.collection) for _ in range(2)
    )
    reader = open_page("scores", s=first.id)
    come_again(reader, second.id)
    store.withdraw(first.id, first.key)
    assert data_of(reader.run()) == mine.key and not complaint(reader)
    store.withdraw(second.id, second.key)
    assert data_of(reader.run()) is None and len(complaint(reader)) == 1


def test_ones_own_data_stay_whatever_happens_to_a_share_of_them(store):
    owner = load_scores()
    key = data_of(owner)
    receipt = store.share(
        View.from_texts("scores", collection=key), data=owner.session_state["irviz"].datasets[key].imported_scores
    )
    come_again(owner, receipt.id)
    store.withdraw(receipt.id, receipt.key)
    owner.run()
    assert_sound(owner)
    assert data_of(owner) == key and not complaint(owner)


def test_a_view_of_lent_data_kept_again_brings_them_until_their_owner_withdraws(store):
    mine = small()
    first = store.share(View.from_texts("scores", collection=mine.key), title="First", data=mine.collection)
    again = store.share(View.from_texts("scores", collection=mine.key, measure="P@10", s=first.id), title="Again")
    reader = open_page("scores", s=again.id)
    assert not warnings(reader) and data_of(reader) == mine.key
    assert reader.selectbox(key="scores.measure").value == "P@10"
    assert "Again" in " ".join(one.value for one in reader.info)
    store.withdraw(first.id, first.key)
    assert data_of(reader.run()) is None and len(complaint(reader)) == 1
    assert NO_SHARE in warnings(open_page("scores", s=again.id))


def come_again(at: AppTest, share_id: str) -> None:
    """The same session comes by a link to a share."""
    at.session_state["irviz"].arriving = []
    for name in list(at.query_params):
        del at.query_params[name]
    at.query_params["s"] = share_id
    at.run()
    assert_sound(at)


def test_shared_data_are_called_as_each_owner_calls_them(store):
    mine = small()
    theirs = opened_collection(replace(mine.collection, name="another name", ties="file"))
    receipts = [
        store.share(View.from_texts("scores", collection=one.key), data=one.collection) for one in (mine, theirs)
    ]
    readers = [open_page("scores", s=receipt.id) for receipt in receipts]
    for reader, one in zip(readers, (mine, theirs), strict=True):
        got = reader.session_state["irviz"].datasets[one.key].collection
        assert (got.name, got.ties, data_of(reader)) == (one.collection.name, one.collection.ties, one.key)


# -- a link before and after its data -----------------------------------------------------


def upload(at: AppTest, mine) -> AppTest:
    """Load a saved collection on the page that is open."""
    name = f"{mine.title}.irviz"
    key = "loading.files" + "+" * at.session_state["irviz"].uploads  # a new uploader each time
    at.file_uploader(key=key).upload(name, pack(mine.collection)).run()
    return at.button(key="loading.go").click().run()


def called(name: str, depth: int = 10):
    return opened_collection(open_collection("adhoc").subset(depth=depth).renamed(name))


def test_a_link_opens_when_its_data_are_loaded_under_any_name(store):
    sent = called("sent")
    reader = open_page("scores", collection=sent.key, measure="P@10")
    assert_sound(reader)
    assert "not loaded here" in warnings(reader)[0] and not figures(reader)
    assert data_of(reader) is None and reader.query_params["collection"] == sent.key
    turn_to(reader, "collection").run()
    assert_sound(reader)
    assert "not loaded here" in warnings(reader)[0] and not figures(reader)
    upload(reader, called("wrong", 5))
    assert "`wrong` is not what a link asked for." in " ".join(warnings(reader)) and figures(reader)
    upload(reader, called("mine"))
    assert_sound(reader)
    assert [one.value for one in reader.header] == ["Scores"] and figures(reader)
    assert reader.selectbox(key="scores.measure").value == "P@10" and not warnings(reader)
    assert data_of(reader) == called("mine").key


def test_a_link_is_recognised_by_the_fingerprint_of_what_is_loaded(store):
    reader = upload(open_page("collection"), called("mine"))
    turn_to(reader, "scores")
    reader.session_state["irviz"].arriving = []
    reader.query_params["collection"], reader.query_params["measure"] = called("sent").key, "P@10"
    reader.run()
    assert_sound(reader)
    assert not warnings(reader) and data_of(reader) == called("mine").key
    assert reader.selectbox(key="scores.measure").value == "P@10" and figures(reader)


@pytest.mark.parametrize("page", [page.name for page in PAGES if not page.lab])
def test_no_page_draws_other_data_than_the_links(page, store):
    reader = open_page(page, collection="sent~40x50~0123456789abcdef")
    assert_sound(reader)
    assert len(warnings(reader)) == 1 and not figures(reader) and not reader.dataframe
