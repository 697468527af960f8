"""``ties="expected"``: the mean of the scores of all orders of tied documents, against every one of them."""

from __future__ import annotations

from itertools import chain, permutations, product

import numpy as np
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.measures import measure

EXACT = """P@3 P@9 R@4 F@4 gP@3 gR@4 SetP SetF Rprec RBP(p=0.7) RBP(p=0.7,rel=2)@3 DCG@4 nDCG@4 nDCG
    nDCG(dcg='exp-log2')@3    nDCG(ideal='retrieved')@3 AP AP@3 AP(rel=2) RR RR@2 ERR@4 ERR nERR@3 Success@2""".split()
DRAWN = ["Bpref", "CWLA(C=RBP(p=0.8),A=max)@10", "infAP"]
RNG = np.random.default_rng(3)


def lists(n: int) -> list[list[tuple[str, int]]]:
    """A few lists of documents with scores, of which many are equal."""
    names = [f"d{i}" for i in range(8)]
    return [[(name, int(RNG.integers(0, 3))) for name in RNG.permutation(names)[:7]] for _ in range(n)]


def orders(listed: list[tuple[str, int]]) -> list[list[str]]:
    """Every order of the documents in which scores fall."""
    groups = [[name for name, score in listed if score == value] for value in (2, 1, 0)]
    return [[*chain(*parts)] for parts in product(*(permutations(group) for group in groups))]


def opened(runs: dict[str, list[tuple[str, float]]], ties: str, **more) -> irviz.Collection:
    qrels = b"".join(f"1 0 d{i} {grade}\n".encode() for i, grade in enumerate((2, 0, 1, 3, -1, 1)))
    files = [
        (name, "".join(f"1 Q0 {document} 1 {score} x\n" for document, score in run).encode())
        for name, run in runs.items()
    ]
    return irviz.load_collection(("q", qrels), files, ties=ties, **more)


@pytest.mark.parametrize("seed", range(6))
def test_the_mean_of_every_order(seed):
    (listed,) = lists(1)
    every = {f"o{n}": [(name, -rank) for rank, name in enumerate(order)] for n, order in enumerate(orders(listed))}
    expected, one = opened({"x": listed}, "expected"), opened(every, "trec_eval")
    found, by_order = (irviz.score(c, [*EXACT, *DRAWN]).values for c in (expected, one))
    assert len(every) > 1
    np.testing.assert_allclose(found[: len(EXACT), 0, 0], by_order[: len(EXACT), 0].mean(axis=1), atol=1e-12)
    sd = by_order[len(EXACT) :, 0].std(axis=1)
    assert (np.abs(found[len(EXACT) :, 0, 0] - by_order[len(EXACT) :, 0].mean(axis=1)) <= 5 * sd / 10 + 1e-12).all()
    for depth in (2, 4):  # a document of a tie may move up from below
        cut = irviz.score(expected.subset(depth=depth), EXACT).values[:, 0, 0]
        each = irviz.score(one.subset(depth=depth), EXACT).values[:, 0]
        np.testing.assert_allclose(cut, each.mean(axis=1), atol=1e-12)
        loaded = opened({"x": listed}, "expected", depth=depth)
        np.testing.assert_array_equal(irviz.score(loaded, EXACT).values[:, 0, 0], cut)


def test_without_ties_it_is_trec_evals_order():
    runs = {
        name: [(document, rank) for rank, (document, _) in enumerate(listed)]
        for name, listed in zip("abc", lists(3), strict=True)
    }
    found, plain = (irviz.score(opened(runs, ties), [*EXACT, *DRAWN]).values for ties in ("expected", "trec_eval"))
    np.testing.assert_allclose(found, plain, atol=1e-12)


def test_parts_of_it_score_alike():
    runs = dict(zip("abcd", lists(4), strict=True))
    whole = opened(runs, "expected")
    names = [*EXACT, *DRAWN]
    scores = irviz.score(whole, names)
    part = irviz.score(whole.subset(systems=["b", "d"]), names)
    np.testing.assert_array_equal(part.values, scores.values[:, :, [1, 3]])
    assert whole.fingerprint != opened(runs, "trec_eval").fingerprint
    assert measure("AP").averages_ties and not measure("Bpref").averages_ties


def test_it_is_a_choice_of_worlds_with_condensed_lists_and_judges(tmp_path):
    runs = dict(zip("ab", lists(2), strict=True))
    for name, run in runs.items():
        (tmp_path / name).write_text(
            "".join(f"{t} Q0 {document} 1 {score} x\n" for t in "12" for document, score in run)
        )
    (tmp_path / "q").write_text("".join(f"{t} 0 d0 2\n{t} 0 d1 0\n{t} 0 d3 1\n{t} 0 d5 1\n" for t in "12"))
    (tmp_path / "judge").write_text("".join(f"{t} 0 d2 1\n{t} 0 d3 0\n" for t in "12"))
    qrels = {"p": tmp_path / "q", "m": tmp_path / "judge"}
    c = irviz.load_collection(qrels, [tmp_path / name for name in runs], judges=True)
    w = irviz.worlds(c, measure="AP", ties=["trec_eval", "expected"], average="mean", test="t")
    frame = irviz.conclusion(c, "a > b", w).frame()
    assert set(frame.ties) == {"trec_eval", "expected"} and set(frame.unjudged) == {"not_relevant", "condensed"}
    judged = {"p": {"d0": 1, "d1": 0, "d3": 1, "d5": 1}, "m": {"d2": 1, "d3": 0}}
    for judge, grades in judged.items():
        for unjudged in ("not_relevant", "condensed"):
            means = []
            for listed in runs.values():
                kept = [
                    [name for name in order if unjudged == "not_relevant" or name in grades] for order in orders(listed)
                ]
                hits = [[bool(grades.get(name)) for name in order] for order in kept]
                means.append(np.mean([ap(one) / sum(grades.values()) for one in hits]))
            row = frame[(frame.ties == "expected") & (frame.unjudged == unjudged) & (frame.judge == judge)]
            assert row.difference.tolist() == pytest.approx([means[0] - means[1]] * len(row))


def ap(hits: list[bool]) -> float:
    return sum(sum(hits[: rank + 1]) / (rank + 1) for rank, hit in enumerate(hits) if hit)


def test_a_file_holds_one_order(tmp_path):
    with pytest.raises(IrvizError, match="ties='expected'"):
        opened({"a": lists(1)[0]}, "expected").save(tmp_path / "c.irviz")
