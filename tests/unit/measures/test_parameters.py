"""Bad parameters are refused; spellings of one measure are one measure."""

from __future__ import annotations

import pytest

import irviz
from tests.judged_runs import collection
from tests.refusals import refused


@pytest.mark.parametrize(
    "expression",
    [
        "RBP(p=1.2)",
        "RBP(p='high')",
        "CWLA(C=P,A=ERG)",
        "CWLA(C=RBP(p=0.5)@10,A=ERG)",
        "CWLA(C=nDCG@10,A=ERG)",
        "CWLA(C=AP,A=mean)",
        "CWLA(C=AP,A=PE(beta=1.5))",
        "CWLA(C=AP,A=PE(p=1))",
        "CWLA(C=AP,A=ERG)@20000",
        "GAP(g=[0.5,0.4])",
        "eGAP(g=[1.5,-0.5])",
        "xGAP(g=1)",
        "GAP(g=[])",
        "RBTO(weights=[0,3,1])",
        "gP(gains=[-1,0,1])",
        "gP(gains='cubic')",
        "gP(gains={0:1,1:1})",
        "gP(gains={1:1,1:2})",
        "DCG(base=1)",
        "nDCG(dcg='log')",
        "AP(rel=0)",
        "AP(aspect=[1])",
        "P@0",
        "P@2.5",
        "P@1e999",
        "P@99999999",
        "RBTO@100000",
        "Bpref@10",
        "NDCGS",
        "AP(k=5)",
        "AP(5)",
        "CAM(AP,nDCG)",
        "AP(rel=1,rel=2)",
        "AP(rel=1/0)",
        "AP(",
        "AP)",
        "AP@ten",
        "10",
        "",
        "A" * 3000,
    ],
)
def test_an_expression_that_is_refused(expression: str):
    refused(lambda: irviz.measure(expression))


def test_a_deep_nest_is_refused():
    text = "AP(rel=" + "[" * 500 + "]" * 500 + ")"
    refused(lambda: irviz.measure(text))


@pytest.mark.parametrize("thing", [None, 5, b"AP"])
def test_what_is_no_text_is_refused(thing):
    refused(lambda: irviz.measure(thing))


@pytest.mark.parametrize(
    "expression",
    [
        "GAP(g=[0.2,0.3,0.5])",
        "RBTO(weights=[0,1])",
        "RBTO(weights=[1,2,3])",
        "ERR(gains=[0,1])",
        "gP(gains=[1,2,3])",
        "AP(aspect='trust')",
        "AP(aspect='relevanze')",
    ],
)
def test_a_measure_that_does_not_fit_the_collection(expression: str):
    refused(lambda: irviz.score(collection([[0, 1, 2]], (0, 1, 2)), expression))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("RBP( p = 0.80 )@10", "RBP(p=0.8)@10"),
        ("RBP", "RBP(p=0.8)"),
        ("AP(rel=1)", "AP"),
        ("RBP(p=1/3)", "RBP(p=0.3333333333333333)"),
        ('AP(aspect="relevance")', "AP(aspect='relevance')"),
        ("gP(gains=linear)", "gP"),
        ("CWLA(A=ERG,C=P@10)", "CWLA(C=P@10)"),
        ("P@1e1", "P@10"),
        ("RBP(rel=None)", "RBP"),
    ],
)
def test_spellings_of_one_measure(one: str, other: str):
    assert irviz.measure(one) == irviz.measure(other)
    assert str(irviz.measure(one)) == str(irviz.measure(other))
