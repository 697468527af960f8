"""Scores that several ask for: computed once, waited for only where they are missing, bounded in memory."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest

from irviz.errors import IrvizError
from irviz.stats.scores import score
from irviz.workspace import cache as scoring
from irviz.workspace.cache import MEMO, bytes_of, score_once, weight
from tests.panels import Listener, opened_once


@pytest.fixture(autouse=True)
def fresh():
    MEMO.clear()
    yield
    MEMO.clear()


@pytest.fixture(scope="module")
def collection():
    whole = opened_once("multiaspect")
    return whole.subset(topics=whole.topics[:4], systems=whole.systems[:6], depth=30)


def test_the_same_as_score_in_the_order_asked_for(collection):
    names = ["RBTO@10", "AP", "SBTO@5", "nDCG@10"]
    found, expected = score_once(collection, names), score(collection, names)
    assert found.measures == expected.measures
    np.testing.assert_array_equal(found.values, expected.values)
    for name in ("RBTO@10", "SBTO@5"):
        np.testing.assert_array_equal(found.exact[name], expected.exact[name])


def test_who_asks_for_what_is_there_does_not_wait_for_what_is_being_computed(collection, monkeypatch):
    score_once(collection, ["AP"])
    began, go_on, done = threading.Event(), threading.Event(), []

    def slow(*given, **more):
        began.set()
        assert go_on.wait(30)
        return score(*given, **more)

    monkeypatch.setattr(scoring, "score", slow)
    worker = threading.Thread(target=lambda: done.append(score_once(collection, ["AP", "P@10"])))
    worker.start()
    assert began.wait(30)
    assert score_once(collection, ["AP"]).measures == ("AP",)
    assert not done
    go_on.set()
    worker.join(30)
    assert done[0].measures == ("AP", "P@10")


def test_two_who_ask_for_overlapping_measures_compute_each_once(collection, monkeypatch):
    computed, waited = [], threading.Event()

    def counted(collection, names, **more):
        if threading.current_thread() is not threading.main_thread():
            assert waited.wait(30)
        computed.extend(names)
        return score(collection, names, **more)

    monkeypatch.setattr(scoring, "score", counted)
    other = threading.Thread(target=lambda: score_once(collection, ["AP", "P@5"]))
    other.start()
    while ("scores", collection.fingerprint, "P@5") not in MEMO._worked_on:
        pass

    with Listener(lambda _, text: waited.set() if text.startswith("Waiting") else None):
        assert score_once(collection, ["P@5", "RR"]).measures == ("P@5", "RR")
    other.join(30)
    assert sorted(computed) == ["AP", "P@5", "RR"]


def test_what_a_person_leaves_is_computed_by_the_next(collection):
    class Left(BaseException):
        pass

    def leave(*_):
        raise Left

    with Listener(leave), pytest.raises(Left):
        score_once(collection, ["AP"])
    assert not MEMO._worked_on
    assert score_once(collection, ["AP"]).measures == ("AP",)


def test_whole_numbers_of_many_digits_are_counted(collection):
    kept = score_once(collection, ["RBTO@30"])
    own = sum(sys.getsizeof(number) for number in kept.exact["RBTO@30"].flat)
    assert weight(kept) > own + kept.values.nbytes
    assert MEMO.bytes >= own


def test_scores_that_would_not_fit_are_refused_before(collection, monkeypatch):
    monkeypatch.setattr("irviz.workspace.cache.MOST_BYTES", 1 << 20)
    wide = opened_once("adhoc")
    with pytest.raises(IrvizError, match="RBTO@1000"):
        score_once(wide, ["AP", "RBTO@1000", "RBTO@999"])
    assert not MEMO._results


def test_the_estimate_is_of_the_right_size(collection):
    """Within a factor of two of what is kept, for a measure in doubles and for whole numbers of many digits."""
    for name in ("AP", "RBTO@30", "SBTO@30"):
        real = weight(score_once(collection, [name]))
        assert bytes_of(collection, name) < 2 * real
        assert real < 2 * bytes_of(collection, name) + 3_000
