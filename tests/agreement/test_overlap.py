"""Compatibility agrees with ir_measures' Compat; rank-biased overlap with its definition, to any depth."""

from __future__ import annotations

import gzip

import ir_measures
import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import irviz
from irviz.errors import IrvizError


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
    found = irviz.compatibility(irviz.collection_from_frames(qrels, runs), p=p, normalise=normalise)
    theirs = ir_measures.Compat(p=p, normalize=normalise)
    for system, run in runs.items():
        expected = {one.query_id: one.value for one in ir_measures.iter_calc([theirs], qrels, run)}
        ours = found.values[0, :, found.systems.index(system)]
        np.testing.assert_allclose(ours, [expected[topic] for topic in found.topics], atol=1e-12)


def test_an_ideal_list_is_1_and_swapping_equal_grades_changes_nothing():
    qrels = ("q", b"1 0 a 2\n1 0 b 1\n1 0 c 1\n1 0 d 0\n2 0 d 0\n")
    lists = {"ideal": "abcd", "other": "acbd", "worse": "bacd", "none": "d"}
    runs = [(n, "".join(f"1 Q0 {d} 1 {9 - i} x\n" for i, d in enumerate(o)).encode()) for n, o in lists.items()]
    found = irviz.compatibility(irviz.load_collection(qrels, runs))
    by_name = dict(zip(found.systems, found.values[0, 0], strict=True))
    assert by_name["ideal"] == by_name["other"] == 1 and 0 < by_name["worse"] < 1 and by_name["none"] == 0
    assert (found.values[0, 1] == 0).all() and found.measures == ("Compat(p=0.95)",)
    with pytest.raises(IrvizError):
        irviz.compatibility(irviz.load_collection(qrels, runs), p=1.5)


def test_preferred_documents_agree_with_ir_measures(collections):
    folder = collections / "trec-dl-2021"
    best, runs = folder / "preferences" / "best.qrels", sorted((folder / "runs").iterdir())[:2]
    found = irviz.compatibility(irviz.load_collection(best, runs, ties="trec_eval_ascending", documents="none"))
    qrels = list(ir_measures.read_trec_qrels(str(best)))
    for place, path in enumerate(runs):
        run = list(ir_measures.read_trec_run(gzip.decompress(path.read_bytes()).decode()))
        theirs = {one.query_id: one.value for one in ir_measures.iter_calc([ir_measures.Compat(p=0.95)], qrels, run)}
        ours = dict(zip(found.topics, found.values[0, :, place], strict=True))
        assert set(theirs) <= set(ours) and len(theirs) > 40 and max(theirs.values()) > 0.3
        for topic, value in ours.items():
            assert value == pytest.approx(theirs.get(topic, 0.0), abs=1e-12)


def test_preferred_documents_order_systems_much_as_average_precision_does(collections):
    """τ of the 63 runs: with every run's own ranks, an overlap that is not normalised, and the 46 topics of both."""
    folder = collections / "trec-dl-2021"
    c, best = (
        irviz.load_collection(qrels, folder / "runs", ties="rank", documents="none")
        for qrels in (folder / "qrels.nist.txt", folder / "preferences" / "best.qrels")
    )
    s, overlap = irviz.score(c, ["AP(rel=2)", "P(rel=2)@1"]), irviz.compatibility(best, normalise=False)
    both = [topic for topic in overlap.topics if topic in s.topics]
    by_people = overlap.select(topics=both).values[0].mean(axis=0)
    found = [kendalltau(one.mean(axis=0), by_people).statistic for one in s.select(topics=both).values]
    assert len(c.systems) == 63 and len(both) == 46 and found == pytest.approx([0.774, 0.674], abs=5e-4)


def test_the_function_is_the_measure():
    c = irviz.collection_from_frames(*random_files(3))
    assert np.array_equal(irviz.compatibility(c, p=0.8).values, irviz.score(c, "Compat(p=0.8)").values)


def by_definition(a: list[object], b: list[object], p: float, depth: int = 3000) -> float:
    """RBO of long lists, summed to where nothing is left."""
    shared, sum_, seen = 0, 0.0, (set(), set())
    for i in range(depth):
        for own, other, one in zip(seen, seen[::-1], (a, b), strict=True):
            own.add(one[i] if i < len(one) else (i, id(one)))
            shared += (one[i] if i < len(one) else None) in other
        sum_ += p**i * shared / (i + 1)
    return (1 - p) * sum_


@pytest.mark.parametrize("p", [0.5, 0.9, 0.98])
def test_the_bounds_of_rbo_are_reached(p: float):
    """Both by the definition: nothing that follows is shared, or all that can be."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        a, b = (rng.permutation(12)[: rng.integers(1, 10)].tolist() for _ in range(2))
        found = irviz.rbo(a, b, p=p)
        short, long = sorted((a, b), key=len)
        assert found.low == pytest.approx(by_definition(list(a), list(b), p), abs=1e-12)
        new = list(range(100, 3100))  # each goes on with what only the other has
        first, second = ([x for x in other if x not in own] for own, other in ((short, long), (long, short)))
        best = by_definition([*short, *first, *new], [*long, *second, *new], p)
        assert found.low <= found.value <= found.high == pytest.approx(best, abs=1e-12)


def test_rbo_by_hand():
    same = irviz.rbo("abcdefg", "abcdefg", p=0.9)
    assert same.value == pytest.approx(1, abs=1e-12) and same.high == pytest.approx(1, abs=1e-12)
    short = irviz.rbo("abc", "abcd", p=0.9)
    by_hand = (
        0.1 / 0.9 * (0.9 + 0.9**2 + 0.9**3 + 3 / 4 * 0.9**4 + 3 * 1 / (3 * 4) * 0.9**4) + ((3 - 3) / 4 + 1) * 0.9**4
    )
    assert short.value == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize("lists", [([], [1]), ([1, 1], [1])])
def test_rbo_refuses(lists):
    with pytest.raises(IrvizError, match="not empty and holds nothing twice"):
        irviz.rbo(*lists)


@pytest.mark.parametrize("tied", [{"b", "c"}, frozenset("bc"), ["b", "c"], {}])
def test_rbo_refuses_ties(tied):
    for lists in ((["a", tied], ["a", "b"]), (["a", "b"], ["a", tied])):
        with pytest.raises(IrvizError, match="its own rank"):
            irviz.rbo(*lists)
