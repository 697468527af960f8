"""Agreement with trec_eval: pytrec_eval on every run of TREC-COVID, and trec_eval 10's own printed output."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

import irviz

PAIRS = {
    "AP": "map",
    "P@10": "P_10",
    "R@100": "recall_100",
    "Rprec": "Rprec",
    "RR": "recip_rank",
    "Bpref": "bpref",
    "nDCG": "ndcg",
    "nDCG@10": "ndcg_cut_10",
    "AP@100": "map_cut_100",
}
CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
PRINTED = {  # as `trec_eval -m all_trec -q` names them; set_P and set_recall need the length of each list
    "map": "AP",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    **{f"P_{k}": "P@{k}" for k in CUTS},
    **{f"recall_{k}": "R@{k}" for k in CUTS},
    **{f"ndcg_cut_{k}": "nDCG@{k}" for k in CUTS},
    **{f"map_cut_{k}": "AP@{k}" for k in CUTS},
    "success_1": "P@1",
}


@pytest.mark.slow
def test_every_run_of_trec_covid(collections: Path):
    folder = collections / "trec-covid-round1"
    c = irviz.load_collection(folder / "qrels.txt", folder / "runs")
    ours = irviz.score(c, list(PAIRS))
    with (folder / "qrels.txt").open() as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), _requests(PAIRS.values()))
    theirs = np.zeros_like(ours.values)  # a topic without a list scores 0: trec_eval -c
    for s, system in enumerate(c.systems):
        with gzip.open(folder / "runs" / f"{system}.gz", "rt") as lines:
            run = pytrec_eval.parse_run(" ".join(line.split()) for line in lines)
        for topic, scores in evaluator.evaluate(run).items():
            theirs[:, c.topics.index(topic), s] = [scores[name] for name in PAIRS.values()]
    assert len(c.systems) == 48
    difference = np.abs(ours.values - theirs).max(axis=(1, 2))
    assert dict(zip(PAIRS, difference, strict=True)) == pytest.approx(dict.fromkeys(PAIRS, 0), abs=1e-9)


def _requests(names) -> set[str]:
    """pytrec_eval asks for measures with cutoffs as map_cut.100."""
    return {name.rpartition("_")[0] + "." + name.rpartition("_")[2] if name[-1].isdigit() else name for name in names}


@pytest.mark.parametrize(
    ("printed", "qrels", "run", "rel", "average_over_all"),
    [
        ("out.test.aq", "qrels.test", "results.test", 1, False),  # trec_eval -m all_trec -q
        ("out.test.aqc", "qrels.test", "results.trunc", 1, True),  # … -c
        ("out.test.aql", "qrels.rel_level", "results.test", 2, False),  # … -l2
    ],
)
def test_trec_eval_s_own_output(
    collections: Path, printed: str, qrels: str, run: str, rel: int, average_over_all: bool
):
    folder = collections / "trec_eval-tests"
    expected = _read(folder / printed)
    c = irviz.load_collection(folder / qrels, folder / run, ties="trec_eval10")
    wanted = {name: _ours(name, pattern, rel) for name, pattern in PRINTED.items() if name in expected}
    assert len(wanted) > 30
    scores = irviz.score(c, list(wanted.values()))
    wrong = []
    for name, measure in wanted.items():
        column = scores[measure].iloc[:, 0]
        for topic, value in expected[name].items():
            mine = column.mean() if topic == "all" else column[topic]
            if abs(mine - value) > 0.5001e-4:
                wrong.append((name, topic, value, mine))
    assert wrong == []
    if average_over_all:
        assert len(c.topics) > 1


def _ours(name: str, pattern: str, rel: int) -> str:
    expression = pattern.format(k=name.rpartition("_")[2])
    if rel == 1 or expression.startswith("nDCG"):
        return expression
    head, at, k = expression.partition("@")
    return f"{head}(rel={rel}){at}{k}"


def _read(path: Path) -> dict[str, dict[str, float]]:
    """measure → topic → value, as printed."""
    found: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        name, topic, value = line.split("\t")
        if not name.startswith(("runid", "relstring")):
            found.setdefault(name.strip(), {})[topic] = float(value)
    return found
