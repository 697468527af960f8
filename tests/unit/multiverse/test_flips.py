"""What flips a verdict: against a search through all worlds."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.multiverse.dimensions import DIMENSIONS, UNTOUCHED
from tests.refusals import refused
from tests.unit.multiverse.test_worlds import collection


@pytest.fixture(scope="module")
def r() -> irviz.multiverse.report.Conclusion:
    c = collection()
    w = irviz.worlds(c, measure=["AP", "nDCG@3", "P@2", "RR"], family=["pair"])
    return irviz.conclusion(c, "a > b", w, trials=99)


def changes(worlds: list[dict[str, str]], row: int, here: int, ignore: tuple[str, ...]) -> frozenset:
    names = [name for name in DIMENSIONS if name not in ignore]
    return frozenset((name, worlds[row][name]) for name in names if worlds[row][name] != worlds[here][name])


@pytest.mark.parametrize("significantly", [False, True])
def test_they_are_the_irreducible_changes(r, significantly: bool):
    worlds = list(r.worlds)
    for here in (0, len(r) // 2):
        ignore = () if significantly else UNTOUCHED
        state = [(v, s) if significantly else v for v, s in zip(r.verdict, r.significant, strict=True)]
        flipping = {changes(worlds, row, here, ignore) for row in range(len(r)) if state[row] != state[here]}
        expected = {one for one in flipping if not any(other < one for other in flipping)}
        found = r.flips(worlds[here], significantly)
        names = [name for name in DIMENSIONS if name not in ignore]
        shown = [frozenset((n, row[n]) for n in names if row[n] != worlds[here][n]) for _, row in found.iterrows()]
        assert set(shown) == expected
        assert len(shown) == len(expected)
        assert found.changes.tolist() == [len(one) for one in shown] == sorted(found.changes)
        if not significantly:
            assert (found.verdict != r.frame().verdict[here]).all()


def test_a_sentence_names_the_changes_and_the_verdict(r):
    found = r.flips({})
    first = found.iloc[0]
    assert len(found) > 1
    assert first.sentence.startswith("With ")
    end = {"holds": "`a` is ahead of `b`.", "tie": "`a` and `b` tie.", "reversed": "`b` is ahead of `a`."}[
        first.verdict
    ]
    assert first.sentence.endswith(end)
    assert "significantly, p = " in r.flips({}, significantly=True).sentence.iloc[0]


def test_what_is_not_mentioned_is_as_in_the_first_world(r):
    assert r.flips({}).equals(r.flips(next(iter(r.worlds))))
    assert not r.flips({"measure": "RR"}).equals(r.flips({}))


def test_where_nothing_flips_the_table_is_empty():
    s = irviz.stats.scores.Scores(np.array([[[0.5, 0.1], [0.6, 0.2]]]), ("M",), ("1", "2"), ("a", "b"))
    found = irviz.conclusion(s, "a > b", irviz.worlds(s, family="pair"), trials=9).flips({})
    assert len(found) == 0
    assert "sentence" in found.columns


def test_refusals(r):
    for current, text in (
        ({"measures": "AP"}, "There is no choice `measures`. Did you mean measure?"),
        ({"measure": "P@3"}, "`P@3` is no measure of these worlds. There are AP, nDCG@3, P@2 and RR."),
    ):
        assert refused(lambda current=current: r.flips(current)) == text
    c = collection()
    some = {"measure": ["AP", "RR"], "depth": [6, 5, 4], "topics": "all", "unjudged": "condensed", "family": "pair"}
    few = irviz.conclusion(c, "a > b", irviz.worlds(c, **some, missing="zero", most=5), trials=9)
    other = next(w for w in irviz.worlds(c, **some, missing="zero") if w not in list(few.worlds))
    assert refused(lambda: few.flips(other)).startswith("This world is not among the 5: it was not drawn (measure ")
