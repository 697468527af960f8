"""Compatibility agrees with ir_measures' Compat."""

from __future__ import annotations

import gzip

import ir_measures
import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.stats.compatibility import compatibility


def random_files(seed: int) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Qrels with grades 0 to 3 and three runs with unjudged documents; some topics have long ideals."""
    rng = np.random.default_rng(seed)
    qrels, runs = [], {name: [] for name in "abc"}
    for topic in map(str, range(1, 9)):
        documents = [f"d{i:03}" for i in range(40)]
        qrels += [(topic, d, int(g)) for d, g in zip(documents, rng.integers(0, 4, 40), strict=True)]
        for rows in runs.values():
            retrieved = rng.permutation([*documents[:30], *(f"u{i}" for i in range(20))])[: rng.integers(3, 50)]
            rows += [(topic, str(d), float(100 - i)) for i, d in enumerate(retrieved)]
    frames = {name: pd.DataFrame(rows, columns=["query_id", "doc_id", "score"]) for name, rows in runs.items()}
    return pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"]), frames


@pytest.mark.parametrize("normalise", [True, False])
@pytest.mark.parametrize("p", [0.95, 0.5])
def test_every_topic_agrees_with_ir_measures(p, normalise):
    qrels, runs = random_files(7)
    found = compatibility(irviz.collection_from_frames(qrels, runs), p, normalise)
    theirs = ir_measures.Compat(p=p, normalize=normalise)
    for system, run in runs.items():
        expected = {one.query_id: one.value for one in ir_measures.iter_calc([theirs], qrels, run)}
        ours = found.values[0, :, found.systems.index(system)]
        np.testing.assert_allclose(ours, [expected[topic] for topic in found.topics], atol=1e-12)


def test_an_ideal_list_is_1_and_swapping_equal_grades_changes_nothing():
    qrels = ("q", b"1 0 a 2\n1 0 b 1\n1 0 c 1\n1 0 d 0\n2 0 d 0\n")
    lists = {"ideal": "abcd", "other": "acbd", "worse": "bacd", "none": "d"}
    runs = [(n, "".join(f"1 Q0 {d} 1 {9 - i} x\n" for i, d in enumerate(o)).encode()) for n, o in lists.items()]
    found = compatibility(irviz.load_collection(qrels, runs))
    by_name = dict(zip(found.systems, found.values[0, 0], strict=True))
    assert by_name["ideal"] == by_name["other"] == 1 and 0 < by_name["worse"] < 1 and by_name["none"] == 0
    assert (found.values[0, 1] == 0).all() and found.measures == ("Compat(p=0.95)",)
    with pytest.raises(IrvizError):
        compatibility(irviz.load_collection(qrels, runs), p=1.5)


def test_preferred_documents_agree_with_ir_measures(collections):
    folder = collections / "trec-dl-2021"
    best, runs = folder / "preferences" / "best.qrels", sorted((folder / "runs").iterdir())[:2]
    found = compatibility(irviz.load_collection(best, runs, ties="trec_eval_ascending", documents="none"))
    qrels = list(ir_measures.read_trec_qrels(str(best)))
    for place, path in enumerate(runs):
        run = list(ir_measures.read_trec_run(gzip.decompress(path.read_bytes()).decode()))
        theirs = {one.query_id: one.value for one in ir_measures.iter_calc([ir_measures.Compat(p=0.95)], qrels, run)}
        ours = dict(zip(found.topics, found.values[0, :, place], strict=True))
        assert set(theirs) <= set(ours) and len(theirs) > 40 and max(theirs.values()) > 0.3
        for topic, value in ours.items():
            assert value == pytest.approx(theirs.get(topic, 0.0), abs=1e-12)
