"""Novelty and diversity as ndeval computes them: its values, of pyndeval 0.0.8, on two topics made at random.

ndeval does not divide alpha-nDCG@1 and ERR-IA@1 (its normalisation starts at rank 2); they are left out here.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import irviz

QRELS = """
1 1 d0:0 d1:0 d3:1 d5:1 d7:0 d8:0 d9:0 d11:0
1 2 d1:0 d3:1 d5:0 d9:0 d10:0
1 3 d0:1 d1:0 d2:0 d3:0 d4:1
1 4 d1:0 d6:0 d8:1 d11:0
2 1 d0:1 d1:0 d3:0 d4:0 d5:0 d7:0 d8:1 d10:1 d11:0
2 2 d0:1 d2:0 d4:0 d5:0 d10:0
2 3 d0:0 d2:0 d3:0 d5:0 d7:0 d8:0 d9:0 d11:0
2 4 d2:0 d4:1 d5:1 d7:1 d9:0 d11:1
"""
RUN = """
1 d4 d3 d5 d2 d6 u1 d7 d0 u3 d8 d1 u2
2 u2 d3 d7 d2 d1 d8 d5 u1 u3 d4 d0 d6
"""
#: pyndeval.RelevanceEvaluator(qrels, names, alpha=…, beta=…): α, β, the measure, and topics 1 and 2
PRINTED = """
0.5 0.5 alpha_nDCG@5 0.709626 0.156593
0.5 0.5 alpha_nDCG@10 0.835851 0.329494
0.5 0.5 alpha_nDCG@20 0.835851 0.455382
0.5 0.5 ERR_IA@5 0.393343 0.080686
0.5 0.5 ERR_IA@10 0.420085 0.143428
0.5 0.5 ERR_IA@20 0.420035 0.176199
0.5 0.5 NRBP 0.399536 0.072754
0.5 0.5 StRecall@5 0.750000 0.333333
0.5 0.5 StRecall@10 1.000000 0.666667
0.5 0.5 P_IA@5 0.200000 0.066667
0.5 0.5 P_IA@10 0.150000 0.133333
0.5 0.5 P_IA@20 0.075000 0.100000
0.2 0.8 alpha_nDCG@5 0.703274 0.138005
0.2 0.8 alpha_nDCG@10 0.846324 0.325205
0.2 0.8 alpha_nDCG@20 0.846324 0.450052
0.2 0.8 ERR_IA@5 0.310800 0.060941
0.2 0.8 ERR_IA@10 0.312459 0.114560
0.2 0.8 ERR_IA@20 0.306886 0.139662
0.2 0.8 NRBP 0.307259 0.174788
"""


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def parameters(symbol: str, alpha: str, beta: str) -> str:
    if symbol in ("StRecall", "P_IA"):
        return ""
    return f"(alpha={alpha}{f',beta={beta}' if symbol == 'NRBP' else ''})"


def made(intents: int = 4) -> irviz.collection.model.Collection:
    lines = [f"{t} {s} {one.replace(':', ' ')}\n" for t, s, *judged in rows(QRELS) for one in judged]
    qrels = irviz.load_intents(("diversity", "".join(np.random.default_rng(1).permutation(lines)).encode()))
    qrels = dict(list(qrels.items())[:intents])
    run = "".join(f"{t} Q0 {d} 0 {-i} x\n" for t, *ranked in rows(RUN) for i, d in enumerate(ranked))
    return irviz.load_collection(qrels, [("run", run.encode())])


@pytest.fixture(scope="module")
def c() -> irviz.collection.model.Collection:
    return made()


@pytest.mark.parametrize("line", rows(PRINTED), ids=" ".join)
def test_the_printed_values(c, line: list[str]):
    alpha, beta, name, *expected = line
    symbol, at, cutoff = name.partition("@")
    found = irviz.score(c, symbol + parameters(symbol, alpha, beta) + at + cutoff).values[0, :, 0]
    assert found.tolist() == pytest.approx(list(map(float, expected)), abs=0.51e-6)


def test_one_intent_is_the_measure_of_that_name():
    one = made(intents=1)
    names = {
        "P_IA@5": "P@5",
        "StRecall@5": "Success@5",
        "alpha_nDCG(alpha=0)@5": "nDCG@5",
        "NRBP(alpha=0)": "RBP(p=0.5)",
    }
    for ours, plain in names.items():
        assert irviz.score(one, ours).values == pytest.approx(irviz.score(one, plain).values, abs=1e-15)


def test_the_greedy_ideal_is_near_the_best_order(c):
    """By all orders of the relevant documents of topic 1."""
    judged = {d: i for i, d in enumerate(c.documents.names(c.documents.judged[0])) if d}
    relevant = [d for d in judged if (c.labels[0, judged[d]] > 0).any()]
    lists = [
        ("".join(f"1 Q0 {d} 0 {-i} x\n" for i, d in enumerate(o)), k)
        for k, o in enumerate(itertools.permutations(relevant))
    ]
    lines = [f"{t} {s} {one.replace(':', ' ')}\n" for t, s, *known in rows(QRELS) for one in known]
    every = irviz.load_collection(
        irviz.load_intents(("q", "".join(lines).encode())), [(f"r{k}", text.encode()) for text, k in lists]
    )
    assert 0.95 < irviz.score(every, "alpha_nDCG@3")["alpha_nDCG@3"].loc["1"].max() <= 1 + 1e-12


def test_diversity_qrels_keep_their_line_numbers():
    found = irviz.load_intents(("q", b"1 2 a 1\n1 1 a 1\n1 10 b 0\n1 1 b x\n"))
    assert list(found) == ["1", "2", "10"] and found["1"][1] == b"\n1 1 a 1\n\n1 1 b x"
    with pytest.raises(irviz.IrvizError, match=r"^q:4: "):
        irviz.load_collection(found, [("run", b"1 Q0 a 1 1 x\n")])


def test_many_values_in_the_second_column_are_no_intents():
    lines = "".join(f"1 {i} d 1\n" for i in range(101)).encode()
    with pytest.raises(irviz.IrvizError, match=r"^q: 101 different values in the second column"):
        irviz.load_intents(("q", lines))
