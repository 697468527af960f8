"""The cube of scores: labels, order, parts, tidy form, and what is refused."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.collection.codes import ABSENT, BEYOND, NEGATIVE, UNJUDGED
from irviz.collection.model import Collection
from irviz.collection.ragged import Lists
from irviz.measures.language import base
from irviz.stats.incompleteness import reduce_pool, stratified_sample
from irviz.stats.scores import Scores, score_pools
from irviz.stats.similarity import overall_of_subsets
from tests.judged_runs import collection, measures


@pytest.fixture
def cube() -> Scores:
    values = np.arange(12, dtype=float).reshape(2, 3, 2)
    return Scores(values, ("AP", "RBP(p=0.8)"), ("1", "2", "10"), ("a", "b"))


def test_a_measure_is_found_by_any_of_its_spellings(cube: Scores):
    assert cube.index("RBP") == cube.index("RBP( p = 0.80 )") == cube.index(irviz.measure("RBP")) == 1
    assert cube["AP"].equals(cube["AP(rel=1)"])


def test_a_measure_s_scores_as_a_frame(cube: Scores):
    frame = cube["RBP"]
    assert frame.index.tolist() == ["1", "2", "10"] and frame.index.name == "topic"
    assert frame.columns.tolist() == ["a", "b"] and frame.columns.name == "system"
    assert frame.to_numpy().tolist() == [[6, 7], [8, 9], [10, 11]]


def test_the_tidy_form(cube: Scores):
    frame = cube.frame()
    assert frame.columns.tolist() == ["measure", "topic", "system", "score"]
    assert len(frame) == 12
    assert frame.iloc[3].tolist() == ["AP", "2", "b", 3.0]
    again = frame.pivot(index="topic", columns=["measure", "system"], values="score")
    assert again.loc["10", ("RBP(p=0.8)", "a")] == 10


def test_parts_in_the_order_asked_for(cube: Scores):
    part = cube.select(measures=["RBP"], topics=["10", "1"], systems=["b"])
    assert (part.measures, part.topics, part.systems) == (("RBP(p=0.8)",), ("10", "1"), ("b",))
    assert part.values.tolist() == [[[11.0], [7.0]]]


def test_parts_keep_what_is_exact():
    scores = irviz.score(collection([[1] * 99 + [v] for v in (1, 0)] * 2, (0, 1)), ["RBTO", "AP"])
    part = scores.select(measures=["RBTO"], systems=["s1", "s0"])
    assert part.order("RBTO").tolist() == [[0, 1]]
    assert scores.order("AP").tolist() == scores.matrix("AP").tolist() and "AP" not in scores.exact
    assert scores.order("RBTO").tolist() == [[1, 0, 1, 0]]


def test_the_order_of_exact_sums_over_some_topics():
    exact = np.array([[2**80, 2**80 + 1], [5, 3]], dtype=object)
    scores = Scores(np.full((1, 2, 2), 0.5), ("RBTO",), ("1", "2"), ("a", "b"), {"RBTO": exact})
    members = np.array([[True, True], [True, False]])
    assert overall_of_subsets(scores, slice(None), members).tolist() == [[[1, 0], [0, 1]]]


def test_a_measure_is_computed_once_however_it_is_spelled_and_may_be_given_by_itself():
    c = collection([[1, 0]], (0, 1))
    assert irviz.score(c, ["AP", "AP(rel=1)", "P@1"]).measures == ("AP", "P@1")
    assert irviz.score(c, "AP").measures == irviz.score(c, irviz.measure("AP")).measures == ("AP",)


def test_scores_are_read_only(cube: Scores):
    with pytest.raises(ValueError):
        cube.values[0, 0, 0] = 1


def test_imported_labels_are_canonical_where_they_are_measures(tmp_path):
    file = tmp_path / "some.csv"
    file.write_text("a,b\n0.5,0.25\n")
    scores = irviz.load_scores({"RBP": file, "my own": file})
    assert scores.measures == ("RBP(p=0.8)", "my own")
    assert isinstance(scores["RBP(p=0.8)"], pd.DataFrame)


@pytest.mark.parametrize(
    "act",
    [
        lambda c: c["nDCG@10"],
        lambda c: c.select(systems=["c"]),
        lambda c: c.select(topics=["3"]),
        lambda c: c.select(topics=[]),
        lambda c: Scores(c.values, c.measures[:1], c.topics, c.systems),
        lambda c: Scores(c.values, ("AP", "AP"), c.topics, c.systems),
        lambda c: irviz.score(collection([[1]], (0, 1)), []),
        lambda c: irviz.score(collection([[1]], (0, 1)), 10),
        lambda c: irviz.score("adhoc", "AP"),
    ],
)
def test_what_is_refused(cube: Scores, act):
    with pytest.raises(irviz.IrvizError):
        act(cube)


@pytest.mark.parametrize("whole", [0, 2, 3])
@pytest.mark.parametrize("name", ["multiaspect", "adhoc"])
def test_nested_pools_score_as_each_does_alone(name: str, whole: int):
    """Also where some topics, or all of them, lose no judgment."""
    c = irviz.open_collection(name)
    c = c.subset(topics=c.topics[3:6])  # lists full of judged documents, and such as hold few
    keep = stratified_sample(c, (0.6, 0.1), np.random.Generator(np.random.PCG64(0)))
    keep[:, :whole] = True
    pools = [reduce_pool(c, one) for one in keep]
    names = ["RBP", "RBP(p=0.95,rel=2)", "DCG", "AP", "AP(rel=2)", "nDCG", "nDCG@10", "Bpref", "RR", "Rprec", "P@5"]
    names += ["GAP(g=[0.2,0.3,0.5])", "RBTO@5", "TOMA(AP,classes='observed')", "CAM(nDCG)", "CWLA(C=AP,A=ERG)"]
    fitting = [name for name in names if irviz.measure(name).misfit(c) is None]
    alone = [irviz.score(pool, fitting) for pool in pools]
    for one, found in zip(alone, score_pools(c, pools, irviz.score(c, fitting), None, 2), strict=True):
        assert np.array_equal(found.values, one.values) and found.measures == one.measures
        assert all(np.array_equal(found.exact[name], one.exact[name]) for name in one.exact)


SIX = [str(n) for n in range(1, 7)]  #: each a block of its own, but for the largest


@pytest.mark.parametrize(("cells", "ranks"), [(1, 1), (1 << 10, 1 << 12)])
@pytest.mark.parametrize("name", ["sparse", "multiaspect"])
def test_no_bit_of_a_score_depends_on_the_blocks(name: str, cells: int, ranks: int, monkeypatch):
    c = few_judged() if name == "sparse" else irviz.open_collection(name).subset(topics=SIX)
    c = c.subset(systems=c.systems[:8])
    names = [one for one in measures(len(c.grades[0]) - 1) if irviz.measure(one).misfit(c) is None]
    whole = irviz.score(c, names)
    monkeypatch.setattr("irviz.stats.scores.CELLS", cells)
    monkeypatch.setattr("irviz.stats.scores.RANKS", ranks)
    monkeypatch.setattr(base, "BLOCK_CELLS", max(1, ranks // 100))
    found = irviz.score(c, names)
    np.testing.assert_array_equal(found.values, whole.values)
    np.testing.assert_array_equal(irviz.score(c, names, workers=2).values, whole.values)  # of lists that are known now
    assert all(np.array_equal(found.exact[one], whole.exact[one]) for one in whole.exact)


@pytest.mark.parametrize("name", ["sparse", "multiaspect"])
def test_what_was_found_in_the_lists_is_not_found_in_other_lists(name: str):
    """Scores of lists that were scored before, of the same lists read upwards, and of the first again."""
    c = few_judged() if name == "sparse" else irviz.open_collection(name).subset(topics=SIX)
    names = [one for one in measures(len(c.grades[0]) - 1) if irviz.measure(one).misfit(c) is None]

    def upwards(lists: Lists, labels: np.ndarray) -> Lists:
        return Lists.of(lists[:, :, ::-1])

    first, read = irviz.score(c, names), irviz.score(c, names, _lists=upwards)
    turned = irviz.score(replace(c, ranking=upwards(c.ranking, c.labels)), names)
    np.testing.assert_array_equal(read.values, turned.values)
    np.testing.assert_array_equal(irviz.score(c, names).values, first.values)
    assert not np.array_equal(read.values, first.values)


def test_few_judged_documents_score_as_many_do():
    """With a thousand more judged documents in the pools, lists are read another way, and score the same."""
    c = few_judged()
    more = np.concatenate([c.labels, np.zeros((len(c.topics), 1000, 1), dtype=np.int16)], axis=1)
    names = [one for one in measures(2) if "Bpref" not in one and irviz.measure(one).misfit(c) is None]
    both = [irviz.score(one, names) for one in (c, replace(c, labels=more))]
    np.testing.assert_array_equal(both[0].values, both[1].values)


def few_judged() -> Collection:
    """Fifteen topics with up to three judged documents, in lists of 60 ranks, some shorter and some empty."""
    rng = np.random.default_rng(5)
    ranking = np.full((15, 4, 60), UNJUDGED, dtype=np.int32)
    for one in ranking.reshape(-1, 60):
        one[rng.permutation(60)[:3]] = rng.permutation(3)
        one[rng.integers(0, 80) :] = BEYOND
    labels = rng.choice([ABSENT, NEGATIVE, 0, 1, 2], size=(15, 3, 1)).astype(np.int16)
    names = tuple(map(str, range(15))), tuple("abcd")
    return Collection("few", *names, ("relevance",), ((0.0, 1.0, 2.0),), ranking, labels)


def test_equal_scores_are_equal_in_order_although_they_are_rounded_otherwise():
    """One relevant document at rank 2: its nDCG does not depend on its grade."""
    qrels = ("q", b"".join(b"%d 0 d %d\n" % (grade, grade) for grade in (1, 2, 3, 4)))
    run = ("s", b"".join(b"%d Q0 x 1 2 s\n%d Q0 d 2 1 s\n" % (grade, grade) for grade in (1, 2, 3, 4)))
    s = irviz.score(irviz.load_collection(qrels, [run]), ["nDCG", "nDCG(dcg='exp-log2')@10", "AP"])
    for name in s.measures:
        assert len(set(s.order(name).ravel().tolist())) == 1
    assert len(set(s.matrix("nDCG").ravel().tolist())) > 1


def test_scores_that_differ_by_more_than_rounding_keep_their_order():
    values = np.array([[[0.0, 1e-18, 1e-18 * (1 + 1e-11), -1.0, -1 - 1e-11]]])
    assert Scores(values, ("m",), ("1",), tuple("abcde")).order("m").tolist() == values[0].tolist()


def test_small_steps_of_rbp_are_kept():
    values = np.array([[[0.8, 0.8 * (1 - 1e-13)]]] * 2)
    s = Scores(values, ("RBP(p=0.2)", "ERR"), ("1",), ("a", "b"))
    assert [len(set(s.order(name).ravel().tolist())) for name in s.measures] == [2, 1]


def test_an_array_of_xarray_has_named_axes(monkeypatch: pytest.MonkeyPatch) -> None:
    s = irviz.score(irviz.open_collection("multiaspect"), ["AP", "RR"])
    monkeypatch.setitem(sys.modules, "xarray", SimpleNamespace(DataArray=lambda *given: given))
    values, axes, names, _ = s.to_xarray()
    assert np.array_equal(values, s.values) and names == ("measure", "topic", "system")
    assert [tuple(axes[name]) for name in names] == [s.measures, s.topics, s.systems]
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(irviz.IrvizError, match="pip install xarray"):
        s.to_xarray()
