"""Agreement with ir_measures where the definitions coincide, each measure by another of its providers."""

from __future__ import annotations

import shutil

import ir_measures
import numpy as np
import pandas as pd
import pytest

import irviz

TOP = 4  # gdeval takes 4 as the best grade, whatever the qrels hold
PAIRS = {  # ours: (theirs, tolerance); gdeval, a Perl script, prints five decimals
    "ERR@20": ("ERR@20", 0.51e-5),
    "ERR@5": ("ERR@5", 0.51e-5),
    "nDCG(dcg='exp-log2')@20": ("nDCG(dcg='exp-log2')@20", 0.51e-5),
    "RBP(p=0.8,rel=1)": ("RBP(p=0.8,rel=1)", 1e-9),
    "RBP(p=0.5,rel=2)": ("RBP(p=0.5,rel=2)", 1e-9),
    "INST(T=2.25)": ("INST(T=2.25,max_rel=4)", 1e-9),
    "CWLA(C=INSQ(T=1.5),A=ERG)": ("INSQ(T=1.5,max_rel=4)", 1e-9),
    "INSQ(T=1.5)": ("INSQ(T=1.5,max_rel=4)", 1e-9),
    "BPM(T=2,K=10)": ("BPM(T=2.0,max_rel=4)@10", 1e-9),
    "CWLA(C=DCG@10,A=ERG)": ("SDCG(max_rel=4)@10", 1e-9),
    "CWLA(C=BPM(T=2,K=10),A=ERG)": ("BPM(T=2.0,max_rel=4)@10", 1e-9),
    "P@10": ("P@10", 1e-12),
    "R(rel=2)@30": ("R(rel=2)@30", 1e-12),
    "AP(rel=2)": ("AP(rel=2)", 1e-12),
    "AP@20": ("AP@20", 1e-12),
    "RR(rel=3)": ("RR(rel=3)", 1e-12),
    "Rprec(rel=2)": ("Rprec(rel=2)", 1e-12),
    "Bpref(rel=2)": ("Bpref(rel=2)", 1e-12),
    "nDCG": ("nDCG", 1e-12),
    "nDCG@20": ("nDCG@20", 1e-12),
    "Success@1": ("Success@1", 1e-12),
    "Success(rel=4)@3": ("Success(rel=4)@3", 1e-12),
    "Judged@10": ("Judged@10", 1e-12),
    "Judged@500": ("Judged@500", 1e-12),
    "SetP(rel=2)": ("SetP(rel=2)", 1e-12),
    "SetR": ("SetR", 1e-12),
    "SetF": ("SetF", 1e-12),
    "SetAP(rel=2)": ("SetAP(rel=2)", 1e-12),
    "NumRet": ("NumRet", 0),
    "NumRet(rel=2)": ("NumRet(rel=2)", 0),
    "NumRel": ("NumRel", 0),
    "infAP": ("infAP", 1e-6),  # trec_eval computes it in single precision
    "infAP(rel=3)": ("infAP(rel=3)", 1e-6),
    "Compat(p=0.95)": ("Compat(p=0.95)", 1e-12),
    "IPrec(recall=0)": ("IPrec@0.0", 1e-12),
    "IPrec(recall=0.1)": ("IPrec@0.1", 1e-12),
    "IPrec(recall=0.7,rel=3)": ("IPrec(rel=3)@0.7", 1e-12),
    "IPrec(recall=1)": ("IPrec@1.0", 1e-12),
}


@pytest.fixture(scope="module")
def frames() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Qrels with grades 0 to 4 and a run with unjudged documents, three topics."""
    rng = np.random.default_rng(11)
    qrels, run = [], []
    for topic in ("1", "2", "10"):
        documents = [f"d{i:03}" for i in range(200)]
        grades = rng.choice(5, 200, p=[0.6, 0.15, 0.1, 0.1, 0.05])
        qrels += [(topic, d, int(g)) for d, g in zip(documents, grades, strict=True)]
        retrieved = rng.permutation([*documents[:150], *(f"u{i:03}" for i in range(30))])
        run += [(topic, str(d), float(score)) for d, score in zip(retrieved, range(180, 0, -1), strict=True)]
    return (
        pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"]),
        pd.DataFrame(run, columns=["query_id", "doc_id", "score"]),
    )


@pytest.mark.parametrize("ours", PAIRS)
def test_per_topic(frames, ours: str):
    theirs, tolerance = PAIRS[ours]
    qrels, _ = frames
    assert qrels["relevance"].max() == TOP
    agree(*frames, ours, theirs, tolerance)


@pytest.mark.parametrize("ours", ["ERR(gmax=4)@5", "ERR(gmax=4)@20"])
def test_gdeval_takes_4_as_the_best_grade_also_where_no_document_has_it(frames, ours: str):
    qrels, run = frames
    qrels = qrels.assign(relevance=qrels["relevance"].clip(upper=2))
    agree(qrels, run, ours, ours.replace("(gmax=4)", ""), 0.51e-5)


def test_inferred_ap_of_a_sample(frames):
    """A third of the pool was not judged, which grade -1 says."""
    qrels, run = frames
    unjudged = np.random.default_rng(2).random(len(qrels)) < 1 / 3
    qrels = qrels.assign(relevance=qrels["relevance"].where(~unjudged, -1))
    agree(qrels, run, "infAP", "infAP", 1e-6)
    agree(qrels, run, "xinfAP", "infAP", 1e-6)  # one stratum


@pytest.mark.parametrize(
    "one",
    [
        *(kind(judged_only=True) for kind in (ir_measures.AP, ir_measures.RR, ir_measures.Rprec, ir_measures.nDCG)),
        *(kind(judged_only=True) for kind in (ir_measures.SetP, ir_measures.SetF, ir_measures.SetAP)),
        *(kind(judged_only=True, rel=2) @ 5 for kind in (ir_measures.AP, ir_measures.P, ir_measures.R)),
        ir_measures.nDCG(judged_only=True) @ 10,
        ir_measures.Success(judged_only=True, rel=4) @ 1,
        ir_measures.IPrec(judged_only=True) @ 0.3,
        ir_measures.SetF(beta=2.0),
        ir_measures.SetF(beta=0.5, rel=2),
        ir_measures.nDCG(gains={-1: 0, 0: 0, 1: 1, 2: 1, 3: 5, 4: 7}) @ 10,
        ir_measures.NumRelRet,
    ],
    ids=str,
)
def test_objects_of_ir_measures(frames, one):
    """Some documents are judged below zero, and some were not judged."""
    qrels, run = frames
    qrels = qrels.assign(relevance=qrels["relevance"].where(np.arange(len(qrels)) % 7 > 0, -1))
    expected = {metric.query_id: metric.value for metric in ir_measures.iter_calc([one], qrels, run)}
    scores = irviz.score(irviz.collection_from_frames(qrels, {"run": run}), [one])
    assert dict(zip(scores.topics, scores.values[0, :, 0].tolist(), strict=True)) == pytest.approx(expected, abs=1e-12)


def agree(qrels: pd.DataFrame, run: pd.DataFrame, ours: str, theirs: str, tolerance: float) -> None:
    if tolerance > 1e-6 and shutil.which("perl") is None:
        pytest.skip("gdeval needs Perl.")
    expected = {
        metric.query_id: metric.value
        for metric in ir_measures.iter_calc([ir_measures.parse_measure(theirs)], qrels, run)
    }
    scores = irviz.score(irviz.collection_from_frames(qrels, {"run": run}), ours)
    mine = dict(zip(scores.topics, scores.values[0, :, 0].tolist(), strict=True))
    assert mine == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        (ir_measures.ERR @ 20, "ERR(gmax=4)@20"),
        (ir_measures.INST, "INST(T=1)"),
        (ir_measures.INSQ(T=2), "INSQ(T=2)"),
        ("rbp", "RBP(p=0.9)"),
        ("rbp(p=0.5)", "RBP(p=0.5)"),
        ("ERR@20", "ERR@20"),
    ],
)
def test_other_tools_names_keep_their_defaults(theirs, expected):
    assert irviz.measure(theirs) == irviz.measure(expected)


def test_an_object_of_err_scores_as_ir_measures_does():
    qrels = {"1": {"a": 1, "b": 2, "c": 0}}
    run = {"1": {"a": 3.0, "c": 2.0, "b": 1.0}}
    theirs = next(ir_measures.iter_calc([ir_measures.ERR @ 20], qrels, run)).value
    ours = irviz.score(irviz.collection_from_frames(qrels, {"s": run}), [ir_measures.ERR @ 20]).values.item()
    assert ours == pytest.approx(theirs, abs=1e-5)
