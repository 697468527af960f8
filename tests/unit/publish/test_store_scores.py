"""Score matrices in the store: they come back number for number, are believed by digest, and go when withdrawn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.publish.draw import draw
from irviz.stats.scores import Scores, with_groups
from irviz.workspace.data import library, opened_scores
from irviz.workspace.store import NO_SHARE, Store, open_scores, save_scores, scores_digest
from irviz.workspace.view import View


@pytest.fixture
def scores() -> Scores:
    values = np.random.default_rng(3).random((2, 5, 3))
    values[0, 0, 0] = 1 / 3
    return Scores(values, ("AP", "mine, ours"), ("1", "2", "3", "4", "τ"), ("a", "b <b>", "c"))


def test_they_come_back_number_for_number(tmp_path, scores):
    opened = opened_scores(scores)
    view = View.from_texts("similarity", collection=opened.key)
    grouped = with_groups(scores, {"1": "x", "2": "x", "3": "y"})
    assert scores_digest(grouped) != scores_digest(scores)
    save_scores(grouped, tmp_path / "grouped.npz")
    assert open_scores(tmp_path / "grouped.npz", scores_digest(grouped)).groups == grouped.groups
    receipt = Store(tmp_path).share(view, data=scores)
    store = Store(tmp_path)
    again = store.data(store.read(receipt.id))
    assert isinstance(again, Scores)
    assert (again.measures, again.topics, again.systems) == (scores.measures, scores.topics, scores.systems)
    np.testing.assert_array_equal(again.values, scores.values)
    shown = draw(View.from_texts("similarity", s=receipt.id), library(), store=lambda: store)
    assert (shown.context.dataset.key, shown.context.dataset.title) == (opened.key, opened.title)
    alone = draw(view, library([opened]))
    pd.testing.assert_frame_equal(shown.panel.tables["Overall"].frame, alone.panel.tables["Overall"].frame)


def test_withdrawing_the_last_share_deletes_them(tmp_path, scores):
    store = Store(tmp_path)
    first, second = (store.share(View.from_texts("scores"), data=scores) for _ in range(2))
    assert [file.suffix for file in (tmp_path / "collections").iterdir()] == [".npz"]
    store.withdraw(first.id, first.key)
    assert store.data(store.read(second.id)) is not None
    assert (store.has(first.id), store.has(second.id)) == (False, True)
    found = store.read(second.id)
    store.withdraw(second.id, second.key)
    assert list((tmp_path / "collections").iterdir()) == []
    with pytest.raises(IrvizError) as refused:  # read just before it was withdrawn
        store.data(found)
    assert str(refused.value) == NO_SHARE


def test_the_digest_is_of_numbers_and_labels(scores):
    other = Scores(scores.values.copy(), scores.measures, scores.topics, ("a", "b", "c"))
    changed = scores.values.copy()
    changed[1, 4, 2] = np.nextafter(changed[1, 4, 2], 1)
    nearly = Scores(changed, scores.measures, scores.topics, scores.systems)
    assert len({scores_digest(one) for one in (scores, other, nearly)}) == 3
    assert opened_scores(scores).key == f"scores~3x5~{scores_digest(scores)[:16]}"


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nothing", b"\x93NUMPY", b"x" * 500])
def test_a_damaged_file_is_refused(tmp_path, content, scores):
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    with pytest.raises(IrvizError, match=r"^a.npz: these are not complete score matrices"):
        open_scores(path, scores_digest(scores))


def test_an_object_in_the_file_is_not_made(tmp_path, scores):
    path = tmp_path / "a.npz"
    labels = np.frombuffer(b"[[],[],[]]", dtype=np.uint8)
    np.savez(path, values=np.array([{}], dtype=object), labels=labels)
    with pytest.raises(IrvizError, match=r"^a.npz: these are not complete score matrices"):
        open_scores(path, scores_digest(scores))


def test_other_scores_than_were_shared_are_refused(tmp_path, scores):
    path = tmp_path / "a.npz"
    save_scores(scores.select(["AP"]), path)
    with pytest.raises(IrvizError) as refused:
        open_scores(path, scores_digest(scores))
    assert str(refused.value) == "a.npz: these score matrices are not those that were shared."
    assert [file.name for file in tmp_path.iterdir()] == ["a.npz"]


def test_a_collection_is_told_from_its_scores(tmp_path):
    collection = irviz.open_collection("multiaspect").subset(depth=5)
    scores = irviz.score(collection, ["P@5"])
    store = Store(tmp_path)
    kinds = [
        store.data(store.read(store.share(View.from_texts("scores"), data=one).id)) for one in (collection, scores)
    ]
    assert [type(one).__name__ for one in kinds] == ["Collection", "Scores"]
