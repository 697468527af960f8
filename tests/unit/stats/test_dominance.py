"""Dominance of lists: by hand, and as every measure sees it."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.stats.dominance import dominance, dominated_shares

QRELS = b"1 0 a 2\n1 0 b 1\n1 0 c 0\n2 0 a 1\n2 0 b 1\n3 0 a 1\n"
MEASURES = ("AP", "P@3", "nDCG@3", "RBP(p=0.3)", "RBP(p=0.8)", "ERR@3", "DCG@3", "RBTO@3", "SBTO@3")


def run(*lists: str) -> bytes:
    return "".join(
        f"{topic} Q0 {name} {rank} {9 - rank} x\n"
        for topic, names in enumerate(lists, start=1)
        for rank, name in enumerate(names, start=1)
    ).encode()


def test_verdicts_and_ranks_by_hand():
    c = irviz.load_collection(("q", QRELS), [("x", run("abc", "xab", "a")), ("y", run("bac", "axb", "a"))])
    found = dominance(c, "x", "y")
    assert found.verdicts == ("first", "second", "equal")
    assert found.first_behind.tolist() == [0, 1, 0] and found.second_behind.tolist() == [1, 0, 0]
    crossed = irviz.load_collection(("q", QRELS), [("x", run("axx", "axx", "a")), ("y", run("bax", "xab", "a"))])
    assert dominance(crossed, "x", "y").verdicts == ("undecided", "undecided", "equal")
    assert dominance(crossed, "x", "y").frame().iloc[1].tolist() == ["2", "undecided", 3, 1]


def test_no_measure_disputes_dominance():
    c = irviz.open_collection("adhoc").subset(systems=irviz.open_collection("adhoc").systems[:6], depth=20)
    s = irviz.score(c, MEASURES)
    checked = 0
    for i, a in enumerate(c.systems):
        for b in c.systems[i + 1 :]:
            found = dominance(c, a, b)
            for t, verdict in enumerate(found.verdicts):
                if verdict in ("first", "second"):
                    one, two = (s.values[:, t, c.systems.index(x)] for x in ((a, b) if verdict == "first" else (b, a)))
                    assert (one >= two - 1e-12).all()
                    checked += 1
    assert checked > 20


def test_shares_of_all_pairs_are_those_of_each_pair():
    whole = irviz.open_collection("multiaspect")
    c = whole.subset(systems=whole.systems[:5])
    shares = dominated_shares(c, c.aspects[1])
    for i, a in enumerate(c.systems):
        for j, b in enumerate(c.systems):
            if i != j:
                assert shares[i, j] == dominance(c, a, b, aspect=c.aspects[1]).count("first") / len(c.topics)
    assert np.diagonal(shares).sum() == 0


def test_a_list_is_not_compared_with_itself():
    c = irviz.open_collection("adhoc")
    with pytest.raises(IrvizError, match="A list is compared with another one"):
        dominance(c, c.systems[0], c.systems[0])
    with pytest.raises(IrvizError, match="There is no system `nobody`"):
        dominance(c, c.systems[0], "nobody")
