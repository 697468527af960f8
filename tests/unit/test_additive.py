"""What each rank adds: sums are scores, for every measure that is a sum; the others are refused."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np
import pytest

import irviz
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures.catalogue import MEASURES
from tests.judged_runs import taken_apart

QRELS = ("q", b"1 0 a 3\n1 0 b 0\n1 0 c 1\n1 0 d 2\n1 0 e -1\n1 0 f 1\n2 0 a 0\n")
RUNS = [
    ("x", b"1 Q0 b 1 9 x\n1 Q0 c 2 8 x\n1 Q0 z 3 7 x\n1 Q0 a 4 6 x\n1 Q0 e 5 5 x\n1 Q0 d 6 4 x\n2 Q0 a 1 1 x\n"),
    ("y", b"1 Q0 a 1 9 y\n1 Q0 d 2 8 y\n"),
    ("z", b"2 Q0 a 1 1 z\n"),
]
MODELS = ("RBP(p=0.7)", "P@4", "DCG@5", "INST(T=1.5)", "ERR", "AP", "RR", "INSQ(T=2)", "BPM(T=1,K=3)")
AGGREGATIONS = ("ERG", "ETG", "avg", "max", "fin", "PE(beta=0.3)")
SINGLE = """
    P P@3 P@50 R@4 R F@4 gP@5 gR(gains='exp')@5 SBTO@5 RBTO@5 RBTO(weights=[0,1,3,4]) AP AP(rel=2)@4 RR
    RR(rel=3)@3 Rprec Bpref Bpref(rel=2) nDCG@10 nDCG@3 nDCG nDCG(dcg='exp-log2')@5 DCG@5
    DCG(base=3,gains='exp') RBP(p=0.8) RBP(p=0.5,rel=2)@4 ERR@20 ERR(gmax=4) GAP(g=[0.2,0.3,0.5])
    xGAP(g=[0.2,0.3,0.5])@4 eGAP(g=[0.2,0.3,0.5]) INST(T=2.25) INST(T=1)@3 TOMA(nDCG@10) CAM(AP) CAM(nDCG@3)
    TOMA(AP) CWLA(C=ERR,A=ERR)@4 CWLA(C=ERR,A=ERR)
""".split()
SINGLE += [f"CWLA(C={c},A={a})@{k}" for c in MODELS for a in AGGREGATIONS for k in (3, 1000)]
REFUSED = ["MM(AP)", "CWLA(C=RBP(p=0.8),A=ERR)", "CWLA(C=INST(T=2),A=ERR)"]
NAMED = {irviz.measure(name).symbol for name in (*SINGLE, *REFUSED)}
REST = [kind.symbol for kind in MEASURES if kind.symbol not in NAMED]  #: those of whose parameters nothing is said here
SINGLE += [name for name in REST if taken_apart(name)]
REFUSED += [name for name in REST if not taken_apart(name)]


@pytest.fixture(scope="module")
def small() -> Collection:
    return irviz.load_collection(QRELS, RUNS)


def check(c: Collection, name: str, lists: Iterable[tuple[str, str]]) -> None:
    scores = irviz.score(c, [name])[name]
    for topic, system in lists:
        found, score = irviz.contributions(c, name, topic, system), scores.loc[topic, system]
        assert found.attrs["score"] == score
        assert found.adds.sum() == pytest.approx(score, rel=1e-13, abs=1e-15)
        np.testing.assert_array_equal(found.gain * found.weight, found.adds)
        np.testing.assert_array_equal(found.total, np.cumsum(found.adds))
        assert len(found) == len(c.list(topic, system))


@pytest.mark.parametrize("name", SINGLE)
def test_sums_are_scores(small: Collection, name: str):
    check(small, name, product(small.topics, small.systems))


@pytest.mark.parametrize(
    "name",
    [
        "CAM(nDCG@10)",
        "CAM(AP,p=[0.5,0.3,0.2])",
        "CAM(P@5,binary=True)",
        "TOMA(nDCG@10)",
        "TOMA(AP,classes='observed')",
        "AP(aspect='correctness')",
    ],
)
def test_several_aspects(name: str):
    c = irviz.open_collection("multiaspect")
    check(c, name, (("3", c.systems[0]), ("17", c.systems[11])))


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_sum_is_refused(small: Collection, name: str):
    with pytest.raises(IrvizError, match=r"no rank has a contribution|no document adds anything"):
        irviz.contributions(small, name, "1", "x")


def test_ndcg_by_hand(small: Collection):
    found = irviz.contributions(small, "nDCG@3", "1", "x")
    log = np.log2([2, 3, 4])
    assert found.gain.tolist() == [0, 1, 0, 0, 0, 0]
    assert found.dcg.iloc[-1] == pytest.approx(1 / log[1])
    assert found.ideal_dcg.tolist()[:3] == pytest.approx(np.cumsum(np.array([3, 2, 1]) / log))
    assert found.attrs["ideal_dcg"] == pytest.approx((np.array([3, 2, 1]) / log).sum())
    assert found.attrs["score"] == pytest.approx(found.attrs["dcg"] / found.attrs["ideal_dcg"])
    whole = irviz.contributions(small, "nDCG", "1", "y")  # the ideal list is longer than this one
    assert whole.attrs["ideal_dcg"] == pytest.approx((np.array([3, 2, 1, 1]) / np.log2([2, 3, 4, 5])).sum())
    assert len(whole) == 2


def test_unknown_names(small: Collection):
    with pytest.raises(IrvizError, match="There is no topic `7`"):
        irviz.contributions(small, "AP", "7", "x")
    with pytest.raises(IrvizError, match="There is no system `w`"):
        irviz.contributions(small, "AP", "1", "w")
