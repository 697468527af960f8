"""The order that no world disputes is what all pairs say one by one."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irviz
from irviz.multiverse.equal_steps import equal_steps
from irviz.multiverse.influence import attribution
from tests.refusals import refused
from tests.unit.multiverse.test_worlds import collection


@pytest.fixture(scope="module")
def c() -> irviz.collection.model.Collection:
    return collection()


@pytest.fixture(scope="module")
def w(c) -> irviz.multiverse.worlds.Worlds:
    return irviz.worlds(c, measure=["AP", "nDCG@3", "Bpref"], test=["t"], family=["pair"])


@pytest.fixture(scope="module")
def u(c, w) -> irviz.multiverse.order.UndisputedOrder:
    return irviz.undisputed(c, w)


def test_every_pair_is_what_conclusion_says_of_it(c, w, u):
    for i, j in combinations(range(3), 2):
        r = irviz.conclusion(c, f"{c.systems[i]} > {c.systems[j]}", w, trials=9)
        assert len(r) == len(u.worlds) // (1 if "c" in r.claim.names else 2), "only c lacks a topic"
        assert u.share[i, j] == r.holds
        assert u.share[j, i] == r.reversed
        same = np.where(r.frame().average.isin(["mean", "standardised"]), r.significant, False)
        assert u.significant[i, j] >= ((r.verdict > 0) & same).mean()
        assert u.significant[i, j] <= r.holds


def test_significance_is_that_of_the_paired_t_test(c):
    w = irviz.worlds(c, average=["mean", "standardised"], test=["t"], family=["pair"])
    u = irviz.undisputed(c, w)
    for i, j in combinations(range(3), 2):
        r = irviz.conclusion(c, f"{c.systems[i]} > {c.systems[j]}", w, trials=9)
        assert (u.significant[i, j], u.significant[j, i]) == (r.holds_significantly, r.reversed_significantly)


def test_workers_change_nothing(c, w, u):
    again = irviz.undisputed(c, w, workers=2)
    assert np.array_equal(u.share, again.share) and np.array_equal(u.explained, again.explained)


def scores(*rows: list[float]) -> irviz.stats.scores.Scores:
    """One measure a row; the systems' means over four topics, with some variation."""
    values = np.array(rows)[:, None, :] + np.array([0.0, 0.01, -0.01, 0.02])[None, :, None]
    systems = tuple("abcde"[: len(rows[0])])
    return irviz.stats.scores.Scores(values, tuple(f"M{i}" for i in range(len(rows))), tuple("1234"), systems)


def plain(s: irviz.stats.scores.Scores) -> irviz.multiverse.order.UndisputedOrder:
    return irviz.undisputed(s, irviz.worlds(s, average=["mean"], test=["t"], topics=["all"], family=["pair"]))


def test_the_diagram_leaves_out_what_follows():
    u = plain(scores([0.5, 0.4, 0.3, 0.2], [0.9, 0.6, 0.7, 0.1]))
    assert u.edges == (("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"))
    assert u.levels.tolist() == [0, 1, 1, 2]
    assert (u.undisputed, u.pairs) == (5, 6)
    assert u.disputed.to_numpy().tolist() == [["b", "c", 0.5, 0.0, 0.5, "measure", 1.0]]


def test_ranks_are_those_of_every_world():
    u = plain(scores([0.5, 0.4, 0.3, 0.2], [0.9, 0.6, 0.7, 0.1], [0.9, 0.6, 0.6, 0.7]))
    assert u.ranks.tolist() == [[1, 2, 2, 2], [1, 3, 3, 4], [1, 3, 3, 4]]


def test_what_decides_is_the_largest_main_effect_on_the_sign(c, w, u):
    for row in u.disputed.itertuples():
        r = irviz.conclusion(c, f"{row.first} > {row.second}", w, trials=9)
        signs = pd.Series(r.verdict, dtype=float)
        alone = {}
        for name in ("measure", "average", "unjudged", "missing", "topics"):
            means = signs.groupby(r.worlds.code(name)).transform("mean")
            alone[name] = ((means - signs.mean()) ** 2).sum() / ((signs - signs.mean()) ** 2).sum()
        assert row.explained == pytest.approx(max(alone.values()))
        assert alone[row.decided_by] == pytest.approx(row.explained)
        assert attribution(r.worlds, signs.to_numpy()).sum() == pytest.approx(1)


def test_refusals(c):
    refused(lambda: irviz.undisputed(c.subset(systems=["a"])))


# Decisions before and after equal steps: the table of TREC-8, identities, and refusals.


#: measure: values, τ of system means to three digits, changed pairs of 8,256 in %, and in % of the significant ones
TABLE = {
    "P@10": (11, "1.000", 0.0, 0),
    "RBP(p=0.5)@10": (1024, "1.000", 0.0, 0),
    "RR@5": (6, "0.921", 5.8, 10),
    "RR@10": (11, "0.847", 10.6, 18),
    "RR@20": (21, "0.768", 15.2, 25),
    "RR@30": (31, "0.733", 16.4, 27),
    "DCG(base=2)@5": (24, "0.976", 2.0, 3),
    "DCG(base=2)@10": (768, "0.955", 3.1, 5),
    "DCG(base=10)@10": (11, "1.000", 0.0, 0),
    "RBP(p=0.3)@5": (32, "0.952", 4.8, 8),
    "RBP(p=0.3)@10": (1024, "0.950", 5.2, 8),
    "RBP(p=0.8)@5": (32, "0.960", 3.0, 5),
    "RBP(p=0.8)@10": (1024, "0.953", 3.9, 6),
}


@pytest.fixture(scope="module")
def trec8(collections: Path):
    return irviz.open_collection(str(collections / "trec8-adhoc.irviz"))


@pytest.fixture(scope="module")
def adhoc():
    return irviz.open_collection("adhoc")


def test_the_table_of_trec8(trec8):
    frame = equal_steps(trec8, list(TABLE)).frame()
    assert set(frame.pairs) == {8256} and frame.reversed.sum() == 0
    found = {
        row["measure"]: (
            row["values"],
            f"{row['tau']:.3f}",
            round(100 * row["changed"] / row["pairs"], 1),
            round(100 * row["changed_share"]),
        )
        for row in frame.to_dict("records")
    }
    wanted = {str(irviz.measure(name)): row for name, row in TABLE.items()}
    assert found == wanted


def test_average_precision_of_trec8(trec8):
    """The recall base, not the spacing, does most: τ .93 with one normaliser, .82 with the topics' own."""
    e = equal_steps(trec8, ["AP@5", "AP@10"])
    spacing = e.normaliser_frame().query("change == 'equal steps after that'")
    assert [f"{tau:.3f}" for tau in spacing.tau] == ["0.925", "0.929"]
    assert [round(100 * n / 8256, 1) for n in spacing.changed] == [4.8, 5.5]
    assert [round(100 * share) for share in spacing.changed_share] == [7, 8]
    own = equal_steps(trec8, "AP@10", attainable="topic")
    row = own.frame().iloc[0]
    assert (own.fewest, own.most) == ((655,), (810,))
    assert (f"{row.tau:.3f}", round(100 * row.changed / 8256, 1), round(100 * row.changed_share)) == ("0.825", 12.6, 19)


def test_sign_tests_decide_the_same(adhoc):
    names = ["RR@10", "AP@10", "DCG@10", "RBP(p=0.3)@10", "nDCG@5", "ERR@10"]
    found = equal_steps(adhoc, names, test="sign", alpha=0.2)
    assert (found.directions[0] != 0).any()
    assert found.p_values[0].tolist() == found.p_values[1].tolist()
    assert found.frame().changed.tolist() == [0] * len(names)


def test_decisions_are_those_of_scipy(adhoc):
    found = equal_steps(adhoc, ["RR@10"])
    for side, name in enumerate(("RR@10", "Interval(RR@10)")):
        matrix = irviz.score(adhoc, name).values[0]
        first, second = np.triu_indices(matrix.shape[1], k=1)
        p = stats.ttest_rel(matrix[:, first], matrix[:, second]).pvalue
        assert found.p_values[side, 0] == pytest.approx(np.where(np.isnan(p), 1, p), abs=1e-9)
    pairs = found.pair_frame("RR@10")
    decided = found.decisions()
    assert {word: int((pairs.decision == word).sum()) for word in decided} == {
        word: int(counts[0]) for word, counts in decided.items()
    }


def test_families(adhoc):
    alone, holm, tukey = (
        equal_steps(adhoc, ["RR@10", "AP@10"], family=name, trials=200) for name in ("pair", "holm", "all_systems")
    )
    assert (holm.p_values >= alone.p_values).all() and (holm.p_values > alone.p_values).any()
    wanted = irviz.significance(irviz.score(adhoc, "AP@10")["AP@10"], trials=200).p_values
    upper = np.triu_indices(len(adhoc.systems), k=1)
    assert tukey.p_values[0, 1].tolist() == wanted[upper].tolist()


def test_an_interval_is_compared_with_its_base(adhoc):
    one = equal_steps(adhoc, "Interval(AP@10,attainable='topic')")
    assert one.measures == ("AP@10",) and one.mapped == ("Interval(AP@10,attainable='topic')",)
    assert one.frame().equals(equal_steps(adhoc, "AP@10", attainable="topic").frame())


def test_equal_steps_refusals(adhoc):
    for arguments, said in (
        ((irviz.score(adhoc, "RR@10"), "RR@10"), "Equal steps need the lists"),
        ((adhoc, []), "No measure is given"),
        ((adhoc, "AP"), "needs a cutoff"),
        ((adhoc, ["Interval(AP@5)", "Interval(AP@5,attainable='topic')"]), "two kinds of lists"),
    ):
        with pytest.raises(irviz.IrvizError, match=said):
            equal_steps(*arguments)
    with pytest.raises(irviz.IrvizError, match="`grades` must be a number"):
        irviz.attainable("RR@5", grades=1)
