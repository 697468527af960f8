"""Bad parameters: every refusal says what is wrong, what was found and what to do."""

from __future__ import annotations

import pytest

import irviz
from tests.judged_runs import collection
from tests.refusals import refused


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("RBP(p=1.2)", "`p` of RBP must lie in (0, 1); got 1.2. For a fixed depth use P@k."),
        ("RBP(p=0)", "`p` of RBP must lie in (0, 1); got 0. For a fixed depth use P@k."),
        ("RBP(p='high')", "`p` of RBP must lie in (0, 1); got 'high'. For a fixed depth use P@k."),
        ("CWLA(C=RBP(p=1),A=ERG)", "`p` of RBP must lie in (0, 1); got 1. For a fixed depth use P@k."),
        ("CWLA(C=P,A=ERG)", "P needs a cutoff here, as in P@10."),
        ("CWLA(C=RBP(p=0.5)@10,A=ERG)", "RBP takes no cutoff; got @10. Leave it out."),
        ("CWLA(C=nDCG@10,A=ERG)", "There is no browsing model `nDCG`. Did you mean DCG?"),
        ("CWLA(C=AP,A=mean)", "There is no aggregation `mean`. Known: ERG, ETG, avg, max, fin, PE and ERR."),
        ("CWLA(C=AP,A=PE(beta=1.5))", "`beta` of PE must lie in [0, 1]; got 1.5."),
        ("CWLA(C=AP,A=PE(p=1))", "There is no parameter of PE `p`. Known: beta."),
        (
            "CWLA(C=AP,A=ERG)@20000",
            "`cutoff` of CWLA must be at most 10,000; got 20000. Write CWLA@10 for the first ten ranks.",
        ),
        ("GAP(g=[0.5,0.4])", "`g` of GAP must sum to 1; got [0.5,0.4]. These sum to 0.9."),
        ("eGAP(g=[1.5,-0.5])", "`g` of eGAP must hold no negative number; got [1.5,-0.5]."),
        ("xGAP(g=1)", "`g` of xGAP must be a list of numbers that sum to 1; got 1."),
        ("GAP(g=[])", "`g` of GAP must be a list of numbers that sum to 1; got []."),
        (
            "RBTO(weights=[0,3,1])",
            "`weights` of RBTO must not decrease; got [0,3,1]. List one number per grade level, lowest first.",
        ),
        (
            "DCG(gains=[0,10,5])",
            "`gains` of DCG must not decrease; got [0,10,5]. List one number per grade level, lowest first.",
        ),
        ("gP(gains=[-1,0,1])", "`gains` of gP must hold no negative number; got [-1,0,1]."),
        (
            "gP(gains='cubic')",
            "`gains` of gP must be 'linear', 'exp' or a list of numbers up to 1e+15 or of gains by grade, such as "
            "{1:1,3:4}; got 'cubic'.",
        ),
        (
            "gP(gains={0:1,1:1})",
            "`gains` of gP must give numbers gains, and 0 to those up to 0; got {0: 1, 1: 1}. Write {1:1,3:4}.",
        ),
        ("gP(gains={1:1,1:2})", "`gP(gains={1:1,1:2})` gives 1 two numbers. Give it one."),
        ("DCG(base=1)", "`base` of DCG must be above 1; got 1."),
        ("nDCG(dcg='log')", "`dcg` of nDCG must be 'log2' or 'exp-log2'; got 'log'."),
        ("AP(rel=0)", "`rel` of AP must be above 0; got 0."),
        ("AP(aspect=[1])", "`aspect` of AP must be a name in quotes; got [1]."),
        ("P@0", "`cutoff` of P must be a whole number of at least 1; got 0. Write P@10 for the first ten ranks."),
        ("P@-5", "`cutoff` of P must be a whole number of at least 1; got -5. Write P@10 for the first ten ranks."),
        ("P@2.5", "`cutoff` of P must be a whole number of at least 1; got 2.5. Write P@10 for the first ten ranks."),
        ("P@1e999", "`cutoff` of P must be a whole number of at least 1; got inf. Write P@10 for the first ten ranks."),
        ("P@99999999", "`cutoff` of P must be at most 1,000,000; got 99999999. Write P@10 for the first ten ranks."),
        ("RBTO@100000", "`cutoff` of RBTO must be at most 10,000; got 100000. Write RBTO@10 for the first ten ranks."),
        ("Bpref@10", "Bpref takes no cutoff; got @10. Leave it out."),
        ("NDCGS", "There is no measure `NDCGS`. Did you mean nDCG or DCG?"),
        ("AP(k=5)", "There is no parameter of AP `k`. Known: rel, aspect and judged_only."),
        ("AP(5)", "AP takes its parameters by name (rel, aspect, judged_only); got `5`."),
        ("CAM(AP,nDCG)", "CAM takes its parameters by name (base, p, rel, gains, binary); got `nDCG`."),
        (
            "AP(CAM(RBP(p=0.5,gains=[0,1])@3,p=[0.5,0.5]))",
            "AP takes its parameters by name (rel, aspect, judged_only); "
            "got `CAM(RBP(p=0.5,gains=[0,1])@3,p=[0.5,0.5])`.",
        ),
        ("AP('a b')", "AP takes its parameters by name (rel, aspect, judged_only); got `'a b'`."),
        ("AP(rel=1,rel=2)", "AP got `rel` twice. Give it once."),
        ("AP(rel=1/0)", "`AP(rel=1/0)` divides by zero."),
        ("AP(", "`AP(`: expected a name, a number or a list at character 4, found the end."),
        ("AP)", "`AP)`: expected the end at character 3, found `)`."),
        ("AP@ten", "`AP@ten`: expected a number at character 4, found `ten`."),
        ("10", "`10` is not a measure. Write a name, like nDCG@10."),
        ("", "``: expected a name, a number or a list at character 1, found the end."),
        ("A" * 3000, "This measure is 3000 characters long; at most 2000 are read."),
    ],
)
def test_an_expression_that_is_refused(expression: str, message: str):
    assert refused(lambda: irviz.measure(expression)) == message


def test_a_deep_nest_is_refused():
    text = "AP(rel=" + "[" * 500 + "]" * 500 + ")"
    assert refused(lambda: irviz.measure(text)) == f"`{text}` is nested deeper than 8 levels. Simplify it."


@pytest.mark.parametrize("thing", [None, 5, b"AP"])
def test_what_is_no_text_is_refused(thing):
    assert (
        refused(lambda: irviz.measure(thing))
        == f"A measure is written as text, like 'nDCG@10'; got {type(thing).__name__}."
    )


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (
            "GAP(g=[0.2,0.3,0.5])",
            "`g` of GAP lists 3 numbers, but there are 2 grades above zero. "
            "Give one number for each of them, lowest grade first.",
        ),
        (
            "RBTO(weights=[0,1])",
            "`weights` of RBTO lists 2 numbers, but there are 3 grade levels. Give one number per level, lowest first.",
        ),
        ("RBTO(weights=[1,2,3])", "`weights` of RBTO must start at 0 and end above it; got [1,2,3]."),
        (
            "ERR(gains=[0,1])",
            "`gains` lists 2 numbers, but there are 3 grade levels (0, 1, 2). Give one number per level, lowest first.",
        ),
        (
            "gP(gains=[1,2,3])",
            "`gains` must give the lowest level 0, as it does unjudged documents; got 1.",
        ),
        ("AP(aspect='trust')", "There is no aspect `trust`. Known: relevance."),
        ("AP(aspect='relevanze')", "There is no aspect `relevanze`. Did you mean relevance?"),
    ],
)
def test_a_measure_that_does_not_fit_the_collection(expression: str, message: str):
    assert refused(lambda: irviz.score(collection([[0, 1, 2]], (0, 1, 2)), expression)) == message


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
