"""Groups of topics: read, kept beside a collection, compared, and drawn or exchanged together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

import irviz
from irviz.errors import IrvizError
from irviz.stats.groups import group_totals, units_of
from irviz.stats.scores import Scores
from irviz.stats.significance import discriminative_power

QRELS = ("q", b"".join(b"%d 0 a 1\n%d 0 b %d\n" % (t, t, t % 2) for t in range(1, 9)))
A = ("a", b"".join(b"%d Q0 a 1 2 x\n%d Q0 b 2 1 x\n" % (t, t) for t in range(1, 9)))
B = ("b", b"".join(b"%d Q0 b 1 2 x\n%d Q0 a 2 1 x\n" % (t, t) for t in range(1, 9)))
GROUPS = {str(t): "short" if t < 4 else "long tail" for t in range(1, 8)}
FILE = ("g.tsv", "".join(f"{topic}\t{group}\n" for topic, group in GROUPS.items()).encode())
RNG = np.random.default_rng(5)


def load(groups) -> irviz.types.Collection:
    return irviz.load_collection(QRELS, [A, B], groups=groups)


@pytest.mark.parametrize(
    "groups",
    [
        FILE,
        GROUPS,
        pd.Series(GROUPS),
        pd.Series({int(topic): group for topic, group in GROUPS.items()}),
        ("h.csv", b"group,text,topic\n" + b"".join(f"{g},x,{t}\n".encode() for t, g in GROUPS.items())),
    ],
)
def test_groups_of_files_and_mappings_are_the_same(groups) -> None:
    c = load(groups)
    assert c.groups == GROUPS | {"8": "(none)"}
    assert c.fingerprint == load(None).fingerprint
    assert c.identity != load(None).identity
    assert [f.file for f in c.findings] == ["groups"]


def test_groups_stay_with_subsets_frames_and_saved_files(tmp_path) -> None:
    c = load(FILE)
    assert c.subset(["1", "8"]).groups == {"1": "short", "8": "(none)"}
    assert irviz.open_collection(str(c.save(tmp_path / "c.irviz"))).groups == c.groups
    qrels = pd.DataFrame({"query_id": ["1", "4"], "doc_id": ["a", "a"], "relevance": [1, 1]})
    run = pd.DataFrame({"query_id": ["1", "4"], "doc_id": ["a", "a"], "score": [1, 1]})
    assert irviz.collection_from_frames(qrels, {"s": run}, groups=GROUPS).groups == {"1": "short", "4": "long tail"}


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (("g", b"1\tx\n2\tx\n1\ty\n"), r"g:3: topic 1 is in the groups x and y"),
        (("g", b"1\tx\ty\n"), r"g:1: expected the columns topic and group"),
        ({"77": "x"}, "None of the 1 topics with a group"),
    ],
)
def test_groups_that_do_not_fit_are_refused(groups, message) -> None:
    with pytest.raises(IrvizError, match=message):
        load(groups)


def simpson() -> tuple[Scores, dict[str, str]]:
    """`a` is ahead on all topics and the easy ones, `b` on the hard ones and on one alone; groups by topic."""
    first = np.concatenate([RNG.normal(0.6, 0.1, 12), RNG.normal(0.3, 0.1, 6), [0.2]])
    second = first - np.concatenate([RNG.normal(0.2, 0.05, 12), RNG.normal(-0.2, 0.05, 6), [-0.1]])
    topics = tuple(map(str, range(19)))
    groups = {topic: "easy" if int(topic) < 12 else "hard" for topic in topics[:18]} | {"18": "alone"}
    return Scores(np.stack([first, second], axis=1)[None], ("m",), topics, ("a", "b")), groups


def test_every_group_has_its_paired_t_test_corrected_by_holm() -> None:
    s, groups = simpson()
    g = irviz.by_group(s, "m", "a > b", groups=groups)
    frame = g.frame().set_index("group")
    assert (list(frame.index), frame.topics.tolist()) == (["alone", "easy", "hard", "all"], [1, 12, 6, 19])
    matrix = s["m"]
    tests = {}
    for name, rows in {"easy": slice(0, 12), "hard": slice(12, 18), "all": slice(0, 19)}.items():
        tests[name] = test = ttest_rel(matrix.a[rows], matrix.b[rows])
        low, high = test.confidence_interval()
        assert frame.loc[name, ["low", "high"]].tolist() == pytest.approx([low, high], abs=1e-12)
    smaller, larger = sorted([tests["easy"].pvalue, tests["hard"].pvalue])
    assert sorted(frame.p[["easy", "hard"]]) == pytest.approx([2 * smaller, max(2 * smaller, larger)], rel=1e-9)
    assert frame.p["all"] == pytest.approx(tests["all"].pvalue, rel=1e-9)
    assert np.isnan(frame.loc["alone", ["low", "high", "p"]].astype(float)).all()
    assert g.turns == ("alone", "hard")


def test_by_group_takes_the_groups_of_a_collection() -> None:
    frame = irviz.by_group(load(FILE), "RR", "a > b").frame()
    assert frame.group.tolist() == ["long tail", "short", "(none)", "all"]
    assert frame.topics.tolist() == [4, 3, 1, 8]
    assert frame.difference.tolist() == [0.25, 1 / 6, 0.5, 0.25]
    with pytest.raises(IrvizError, match="No groups of topics are given"):
        irviz.by_group(load(None), "RR", "a > b")
    with pytest.raises(IrvizError, match="such as `A > B`"):
        irviz.by_group(load(FILE), "RR", "a is best")


def test_scores_have_the_groups_that_are_loaded_with_them() -> None:
    matrix = ("m.csv", b"topic,a,b\n" + b"".join(b"%d,0.%d,0.4\n" % (t, t) for t in range(1, 9)))
    s = irviz.load_scores({"m": matrix}, groups=FILE)
    assert s.groups == GROUPS and irviz.score(load(FILE), ["RR"]).groups == load(FILE).groups
    frame = irviz.by_group(s.select(["m"]), "m", "b > a").frame()
    pd.testing.assert_frame_equal(frame, irviz.by_group(s, "m", "b > a", groups=GROUPS).frame())
    assert frame.group.tolist() == ["long tail", "short", "(none)", "all"]


def test_units_are_counted_in_order_and_a_topic_without_group_is_alone() -> None:
    assert units_of({"b": "x", "c": "x"}, ["a", "b", "x", "c"]).tolist() == [0, 1, 2, 1]
    values = np.arange(8.0).reshape(1, 4, 2)
    assert group_totals(values, np.array([0, 1, 2, 1])).tolist() == [[[0, 1], [8, 10], [4, 5]]]


@pytest.mark.parametrize("method", ["paired_bootstrap", "randomised_tukey"])
def test_groups_of_one_change_no_bit(method) -> None:
    matrix = pd.DataFrame(RNG.random((12, 4)), index=list("abcdefghijkl"))
    plain = irviz.significance(matrix, method, trials=200)
    alone = irviz.significance(matrix, method, trials=200, groups={topic: topic for topic in matrix.index})
    np.testing.assert_array_equal(plain.p_values, alone.p_values)
    np.testing.assert_array_equal(plain.centres, alone.centres)


def test_groups_are_shuffled_as_a_loop_does() -> None:
    matrix = pd.DataFrame(RNG.random((6, 2)))
    groups = dict(zip(map(str, range(6)), "ppqqrr", strict=True))
    found = irviz.significance(matrix, "randomised_tukey", trials=4000, groups=groups)
    d = (matrix[0] - matrix[1]).to_numpy().reshape(3, 2).sum(axis=1)
    flips = np.array(np.meshgrid(*[[1, -1]] * 3)).reshape(3, -1)
    exact = (np.abs(d @ flips) >= abs(d.sum()) - 1e-12).mean()
    assert found.p_values[0, 1] == pytest.approx(exact, abs=0.03)
    assert found.centres.tolist() == pytest.approx(matrix.mean().tolist(), abs=1e-15)


@pytest.mark.parametrize("method", ["paired_bootstrap", "randomised_tukey"])
def test_correlated_groups_keep_the_level_only_when_they_stay_together(method) -> None:
    rng = np.random.default_rng(1)
    d = rng.normal(size=(120, 10, 1)) + rng.normal(size=(120, 10, 4))  # half of the variance is the group's
    values = np.stack([d.reshape(120, 40), np.zeros((120, 40))], axis=2)
    topics = tuple(map(str, range(40)))
    s = Scores(values, tuple(map(str, range(120))), topics, ("a", "b"))
    groups = {topic: str(int(topic) // 4) for topic in topics}
    rates = [
        np.mean(discriminative_power(s, method, trials=199, groups=some).p_values < 0.05) for some in (None, groups)
    ]
    assert rates[0] > 0.15
    assert 0.02 < rates[1] < 0.08


def test_tests_that_draw_nothing_refuse_groups() -> None:
    with pytest.raises(IrvizError, match="Use randomised_tukey or paired_bootstrap"):
        irviz.significance(pd.DataFrame(RNG.random((6, 2))), "anova_tukey", groups={"1": "x"})
