"""CAM against an extension of trec_eval; TOMA against pytrec_eval on relabelled qrels; residuals against cwl_eval."""

from __future__ import annotations

import csv
from itertools import product
from math import dist
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from cwl.ruler.measures.cwl_inst import INSTCWLMetric
from cwl.ruler.measures.cwl_precision import PrecisionCWLMetric
from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
from cwl.ruler.ranking import Ranking

import irviz
from irviz.collection.codes import UNJUDGED
from irviz.collection.model import Collection
from irviz.stats.incompleteness import residual

#: The extension weighs each of three aspects by 0.3333, where CAM's equal weights are exact thirds.
THREE = 0.9999


def sample_rows(collections: Path) -> dict[tuple[str, str], dict[str, float]]:
    with (collections / "trec_eval-multiaspect-samples" / "expected.tsv").open() as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["measure"].startswith("cam")]
    found: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        if row["topic"] != "all":
            found.setdefault((row["qrels"], row["run"]), {})[row["measure"]] = float(row["value"])
    return found


def test_the_multi_aspect_samples(collections: Path):
    """``cam`` is the mean of trec_eval's ndcg on each aspect, ``cam_map`` of its map; printed with four decimals."""
    folder = collections / "trec_eval-multiaspect-samples"
    expected = sample_rows(collections)
    assert len(expected) == 14
    for (qrels, run), rows in expected.items():
        scores = irviz.score(irviz.load_collection(folder / qrels, folder / run), ["CAM(nDCG)", "CAM(AP)"])
        for name, value in rows.items():
            found = scores.matrix("CAM(AP)" if "map" in name else "CAM(nDCG)").item()
            assert found * (THREE if "three" in name else 1) == pytest.approx(value, abs=5.1e-5), (qrels, run, name)


@pytest.fixture(scope="module")
def clef(collections: Path) -> Collection:
    """The runs of CLEF eHealth 2018 that repeat no document."""
    folder = collections / "clef-ehealth-2018"
    names = pd.read_csv(folder / "scores" / "trec_eval_extension" / "cam_map_three.csv", index_col=0, nrows=0).columns
    return irviz.load_collection(
        {name: folder / f"qrels.{name}.txt" for name in ("relevance", "understandability", "trust")},
        [folder / "runs" / f"{name}.gz" for name in names],
        depth=1001,
    )


@pytest.mark.parametrize(("measure", "file"), [("CAM(AP)", "cam_map_three.csv"), ("CAM(nDCG)", "cam_three_ndcg.csv")])
def test_clef_ehealth_topic_by_topic(clef: Collection, collections: Path, measure: str, file: str):
    """Every grade above 0 is relevant; nDCG takes the grades as gains (0–2, 0–10 and 0–10) over the whole list."""
    path = collections / "clef-ehealth-2018" / "scores" / "trec_eval_extension" / file
    given = pd.read_csv(path, index_col=0, dtype={"topic": str})
    found = irviz.score(clef, measure)[measure].loc[given.index, given.columns]
    assert given.shape == (50, 15)
    assert (THREE * found - given).abs().to_numpy().max() < 5.1e-5
    assert (found - given).abs().to_numpy().max() < 1.2e-4


def relabelled(clef: Collection, distance: str) -> dict[str, dict[str, int]]:
    """Class numbers of all judged documents, by plain loops over the label tuples."""
    best = np.array([2, 10, 10])
    far = {
        "euclidean": lambda point: round(dist(point, best), 9),
        "manhattan": lambda point: int(np.abs(best - point).sum()),
        "chebyshev": lambda point: int(np.abs(best - point).max()),
    }[distance]
    order = sorted({far(np.array(point)) for point in product(range(3), range(11), range(11))}, reverse=True)
    number = {distance: i for i, distance in enumerate(order)}
    qrels: dict[str, dict[str, int]] = {}
    for t, topic in enumerate(clef.topics):
        rows = clef.labels[t][(clef.labels[t] > -2).all(axis=1)]
        qrels[topic] = {f"d{i}": number[far(np.maximum(row, 0))] for i, row in enumerate(rows)}
    return qrels


@pytest.mark.parametrize("distance", ["euclidean", "manhattan", "chebyshev"])
def test_toma_is_trec_eval_on_relabelled_qrels(clef: Collection, distance: str):
    qrels = relabelled(clef, distance)
    top = max(max(documents.values()) for documents in qrels.values())
    graded = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg", "ndcg_cut_10"})
    count = {"euclidean": 124, "manhattan": 23, "chebyshev": 11}[distance]
    assert top == count - 1  # the best tuple was seen
    half = {t: {d: int(x >= count // 2) for d, x in documents.items()} for t, documents in qrels.items()}
    binary = pytrec_eval.RelevanceEvaluator(half, {"map", "P_10", "bpref"})
    names = {
        "ndcg": f"TOMA(nDCG,distance='{distance}')",
        "ndcg_cut_10": f"TOMA(nDCG@10,distance='{distance}')",
        "map": f"TOMA(AP,distance='{distance}')",
        "P_10": f"TOMA(P@10,distance='{distance}')",
        "bpref": f"TOMA(Bpref,distance='{distance}')",
    }
    scores = irviz.score(clef, names.values())
    for s in (0, 7, 14):
        run = {
            topic: {
                (f"d{d}" if d >= 0 else f"u{i}"): 2000.0 - i
                for i, d in enumerate(clef.ranking[t, s].tolist())
                if d >= UNJUDGED
            }
            for t, topic in enumerate(clef.topics)
        }
        found = graded.evaluate(run)
        for topic, values in binary.evaluate(run).items():
            found[topic] |= values
        for name, measure in names.items():
            expected = [found.get(topic, {}).get(name, 0.0) for topic in clef.topics]
            assert scores.matrix(measure)[:, s] == pytest.approx(expected, abs=1e-9), (name, s)


@pytest.mark.parametrize(
    ("measure", "theirs"),
    [
        ("RBP(p=0.8)", RBPCWLMetric(0.8)),
        ("INST(T=2.25)", INSTCWLMetric(2.25)),
        ("CWLA(C=P@10,A=ERG)", PrecisionCWLMetric(10)),
    ],
    ids=["RBP", "INST", "P"],
)
def test_residuals_of_full_lists_are_those_of_cwl_eval(measure: str, theirs: object):
    """Lists as long as the depth cwl_eval reads; it would fill shorter ones with the best gain."""
    draw = np.random.default_rng(3)
    labels = draw.integers(0, 3, (1, 1000, 1)).astype(np.int16)
    ranking = np.stack([draw.permutation(1000) for _ in range(5)])[None].astype(np.int32)
    ranking[draw.random(ranking.shape) < 0.3] = UNJUDGED
    c = Collection("test", ("1",), tuple("abcde"), ("relevance",), ((0.0, 1.0, 2.0),), ranking, labels)
    theirs.residuals = True
    gains = np.where(ranking[0] == UNJUDGED, np.nan, labels[0, ranking[0], 0] / 2)
    expected = []
    for row in gains:
        theirs.measure(Ranking("1", row.tolist(), [1.0] * len(row)))
        expected.append(theirs.residual_expected_utility)
    assert residual(c, measure).values[0, 0] == pytest.approx(expected, abs=1e-9)


def test_euclidean_and_manhattan_are_one_order_of_binary_aspects(clef: Collection):
    """Maistro et al. 2021, section 5.1: τ = 1 by definition with AP, whose experiments make aspects binary (4.1)."""
    names = [f"TOMA(AP,distance='{distance}',binary=True)" for distance in ("euclidean", "manhattan")]
    scores = irviz.score(clef, names)
    assert np.array_equal(*scores.values)
    assert irviz.similarity(scores).values[0, 1] == 1
    graded = irviz.score(clef, [name.replace(",binary=True", "") for name in names])
    assert irviz.similarity(graded).values[0, 1] < 0.9
