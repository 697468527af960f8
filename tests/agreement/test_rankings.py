"""Compiled rankings agree with trec_eval's, through pytrec_eval, on real runs.

P@10, P@1000 and reciprocal rank need nothing but the order of judged documents, so
they are computed here from the arrays alone.  All runs of TREC-COVID: `test_trec_eval.py`.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from irviz.collection.load import load_collection
from irviz.collection.model import Collection

MEASURES = {"P_10", "P_1000", "recip_rank"}


def relevant(collection: Collection) -> np.ndarray:
    """topics × systems × ranks: whether the document there is relevant."""
    labels = collection.labels[:, :, 0] > 0
    hit = np.take_along_axis(labels[:, None, :], np.maximum(collection.ranking, 0), axis=2)
    return hit & (collection.ranking >= 0)


def scores(collection: Collection) -> dict[str, np.ndarray]:
    hits = relevant(collection)
    first = np.argmax(hits, axis=2) + 1.0
    return {
        "P_10": hits[:, :, :10].sum(axis=2) / 10,
        "P_1000": hits[:, :, :1000].sum(axis=2) / 1000,
        "recip_rank": np.where(hits.any(axis=2), 1 / first, 0.0),
    }


def reference(qrels: Path, run: Path) -> dict[str, dict[str, float]]:
    """pytrec_eval's scores; of a document listed twice it would keep the last score, so such runs are not given."""
    judged: dict[str, dict[str, int]] = {}
    for line in qrels.read_text().splitlines():
        topic, _, doc, grade = line.split()[:4]
        judged.setdefault(topic, {})[doc] = int(float(grade))
    ranked: dict[str, dict[str, float]] = {}
    data = run.read_bytes()
    for line in (gzip.decompress(data) if run.suffix == ".gz" else data).decode().splitlines():
        topic, _, doc, _, score = line.split()[:5]
        ranked.setdefault(topic, {})[doc] = float(score)
    return pytrec_eval.RelevanceEvaluator(judged, MEASURES).evaluate(ranked)


def assert_agree(qrels: Path, runs: list[Path]) -> None:
    collection = load_collection(qrels, runs)
    ours = scores(collection)
    names = {run.name.removesuffix(".gz"): run for run in runs}
    for s, system in enumerate(collection.systems):
        theirs = reference(qrels, names[system])
        for t, topic in enumerate(collection.topics):
            for measure in MEASURES:
                expected = theirs.get(topic, {}).get(measure, 0.0)
                assert ours[measure][t, s] == pytest.approx(expected, abs=1e-9), (system, topic, measure)


def test_trec_evals_own_files(collections: Path) -> None:
    folder = collections / "trec_eval-tests"
    assert_agree(folder / "qrels.test", [folder / "results.test"])
    assert_agree(folder / "qrels.test", [folder / "results.trunc"])
    assert_agree(folder / "qrels.rel_level", [folder / "results.test"])
    assert_agree(folder / "qrels-302.test", [folder / "results-302.test"])


def test_every_line_has_different_spacing(collections: Path) -> None:
    folder = collections / "odd-formats" / "clef-tar-2017"
    assert_agree(folder / "qrels.abstract.txt", [folder / f"{run}.gz" for run in ("ecnu.run2", "iiit.run1")])
