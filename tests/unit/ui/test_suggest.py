"""What the picker offers can be computed; a changed parameter is the change asked for."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviz.collection.catalogue import open_collection
from irviz.errors import IrvizError
from irviz.measures import measure
from irviz.stats.scores import score
from irviz.ui.parameters import changed, completed, even_shares, moved_share, read_value, suggestions


@pytest.mark.parametrize("name", ["adhoc", "multiaspect"])
def test_everything_offered_can_be_computed(name):
    collection = open_collection(name)
    small = collection.subset(topics=collection.topics[:2], systems=collection.systems[:2], depth=10)
    offered = suggestions(small)
    assert score(small, offered).measures == tuple(offered)
    assert {"AP", "nDCG@10", "P@10"} <= set(offered)


@pytest.mark.parametrize(
    ("grades", "written", "read"),
    [
        ((0.0, 1.0, 2.0), "GAP", "GAP(g=[0.5,0.5])"),
        ((0.0, 1.0, 2.0), " xGAP @10 ", "xGAP(g=[0.5,0.5])@10"),
        ((0.0, 1.0, 2.0), "GAP(g=[0.2,0.8])", "GAP(g=[0.2,0.8])"),
        ((0.0, 1.0, 2.0), "AP@10", "AP@10"),
        ((0.0,), "GAP", "GAP"),  # nothing is relevant: no g fits, and none is needed
    ],
)
def test_a_name_by_itself_gets_shares_that_fit_the_grades(grades, written, read):
    assert completed(written, SimpleNamespace(grades=(grades,))) == read


def test_a_change_goes_through_the_domain():
    assert str(changed(measure("RBP(p=0.8)"), "p", 0.5)) == "RBP(p=0.5)"
    with pytest.raises(IrvizError) as caught:
        changed(measure("RBP(p=0.8)"), "p", 1.2)
    assert str(caught.value) == "`p` of RBP must lie in (0, 1); got 1.2. For a fixed depth use P@k."


def test_a_value_is_read_as_in_an_expression():
    assert read_value(measure("ERR@20"), "gains", "[0, 5, 10]") == (0.0, 5.0, 10.0)


@given(st.integers(2, 6), st.data())
def test_moved_shares_still_sum_to_one(count, data):
    shares = even_shares(count)
    for _ in range(3):
        place = data.draw(st.integers(0, count - 1))
        value = data.draw(st.integers(0, 100)) / 100
        shares = moved_share(shares, place, value)
        assert shares[place] == pytest.approx(value, abs=1e-9)
        assert math.fsum(shares) == pytest.approx(1.0, abs=1e-9) and min(shares) >= 0
