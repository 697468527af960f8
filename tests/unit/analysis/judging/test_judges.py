"""Several judges of the same systems: known numbers of TREC 2021, identities, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import irviz
from irviz.analysis.judging.merging import MERGING_RULES, mapped, merged
from irviz.collection.model import Collection
from irviz.collection.several.jury import judged_grades
from irviz.collection.simulate import RECIPES
from irviz.collection.simulate.judge import favoured_family
from irviz.errors import IrvizError


@pytest.fixture(scope="module")
def adhoc() -> Collection:
    return irviz.open_collection("adhoc")


@pytest.fixture(scope="module")
def found(adhoc: Collection):
    return irviz.judges(adhoc, ["nDCG@10", "AP"], seed=1, trials=200)


@pytest.fixture(scope="module")
def small() -> Collection:
    """Two judges with other scales and other topics; topic 2 is judged by both."""
    people = ("p", b"1 0 a 1\n2 0 a 2\n2 0 b 0\n2 0 c 1\n")
    machine = ("m", b"2 0 a 0\n2 0 b 1\n2 0 d -1\n3 0 a 1\n")
    runs = [
        ("x", b"1 Q0 a 1 3 x\n2 Q0 a 1 3 x\n2 Q0 b 2 2 x\n3 Q0 a 1 3 x\n"),
        ("y", b"1 Q0 b 1 3 y\n2 Q0 b 1 3 y\n2 Q0 d 2 2 y\n3 Q0 b 1 3 y\n"),
        ("z", b"2 Q0 d 1 3 y\n2 Q0 e 2 2 y\n"),
    ]
    return irviz.load_collection({"people": people, "machine": machine}, runs, judges=True)


def test_trec_2021_deep_learning(collections: Path):
    folder = collections / "trec-dl-2021"
    files = {"people": folder / "qrels.nist.txt"} | {
        name: folder / "judges" / f"{name}.txt"
        for name in ("umbrela-gpt4", "binary-gpt4", "binary-llama3.2", "exam-graded-gpt4")
    }
    c = irviz.load_collection(files, folder / "runs", judges=True, documents="none")
    found = irviz.judges(c, ["nDCG@10"], seed=0)
    # the README of that folder: τ over system means of nDCG@10 with the human judgments
    assert np.round(found.tau[0, 0], 3).tolist() == [1.0, 0.924, 0.896, 0.790, 0.845]
    assert found.sentence.endswith("are compared on the 53 topics that all judged: all there are.")
    assert found.confusion("people", "umbrela-gpt4").to_numpy().sum() == 10_828


def test_taus_are_those_of_the_means(adhoc: Collection, found):
    one, two = (irviz.score(adhoc.by_judge(judge), ["AP"])["AP"] for judge in adhoc.judges)
    assert found.tau[1, 0, 1] == pytest.approx(kendalltau(one.mean(), two.mean()).statistic)
    topic = found.topics.index("407")
    expected = kendalltau(one.loc["407"], two.loc["407"]).statistic
    assert found.tau_by_topic[1, topic, 0, 1] == pytest.approx(expected)
    changes = found.rank_changes("AP", "people", "machine").set_index("system")
    assert (changes["first"] == (-one.mean()).rank().loc[changes.index]).all()
    assert changes.gain.abs().is_monotonic_decreasing


def test_flips_are_what_the_tests_say(adhoc: Collection, found):
    tests = [irviz.significance(irviz.score(adhoc.by_judge(j), ["AP"])["AP"], trials=200, seed=1) for j in adhoc.judges]
    flips = found.flips[found.flips.measure == "AP"]
    one, two = (test.separated for test in tests)
    sure = flips[flips.significant_first != flips.significant_second]
    assert len(sure) == (one != two).sum() / 2
    means = [test.centres for test in tests]
    sign = [np.sign(np.subtract.outer(mean, mean)) for mean in means]
    assert (flips.change == "turns").sum() == (sign[0] * sign[1] < 0).sum() / 2
    assert (flips.difference_first > 0).all()
    counts = found.flip_counts.loc[("AP", "people", "machine")]
    assert counts.to_dict() == flips.change.value_counts().reindex(counts.index, fill_value=0).to_dict()


def test_favoured_systems(adhoc: Collection, found):
    shifts = found.favoured[found.favoured.measure == "AP"].set_index("system")
    ranks = found.ranks[1, :, [adhoc.systems.index(system) for system in shifts.index]]
    assert (shifts["shift"] == ranks[:, 0] - ranks[:, 1]).all()
    assert ((shifts.low <= shifts["shift"]) & (shifts["shift"] <= shifts.high)).all()
    assert set(shifts.reference) == {"people"} and set(shifts.judge) == {"machine"}
    drawn = RECIPES["adhoc"].simulation.drawn
    liked = {name for name, own in zip(drawn.names, drawn.family, strict=True) if own == favoured_family(drawn)}
    assert set(shifts["shift"].nlargest(3).index) <= liked  # as it was simulated: the machine likes that family
    assert all(set(topics) <= set(adhoc.topics) and len(topics) <= 3 for topics in shifts.topics)


def test_equal_seeds_give_equal_numbers_and_others_do_not(adhoc: Collection, found):
    again = irviz.judges(adhoc, ["nDCG@10", "AP"], seed=1, trials=200)
    pd.testing.assert_frame_equal(again.flips, found.flips)
    pd.testing.assert_frame_equal(again.favoured, found.favoured)
    assert not irviz.judges(adhoc, ["AP"], seed=2).favoured.low.equals(again.favoured.low[:40])


def test_labels_by_topic_add_up(found):
    whole = found.confusion("people", "machine")
    parts = sum(found.confusion("people", "machine", topic) for topic in found.topics)
    pd.testing.assert_frame_equal(whole, parts)
    assert whole.loc["unjudged"].sum() == 0 < whole["unjudged"].sum()  # the machine left some out
    assert found.kappa_by_topic.shape == (50, 2, 2) and found.alpha_by_topic.shape == (50,)
    assert found.kappa[0, 0] == found.kappa_quadratic[1, 1] == 1.0
    assert found.alphas[0, 1] == found.alpha


def test_what_is_compared_on_which_topics_is_said(small: Collection):
    found = irviz.judges(small, ["AP", "nDCG"])
    assert (found.topics, found.left_out) == (("2",), {"people": ("1",), "machine": ("3",)})
    assert found.sentence == (
        "people and machine are compared on the 1 topic that all judged; "
        "left out: 1 topic of people and 1 topic of machine."
    )
    # by people x leads on topic 2 and the others tie; by the machine y leads, x is second
    assert found.ranks[0].tolist() == [[1.0, 2.5, 2.5], [2.0, 1.0, 3.0]]
    assert found.confusion("people", "machine").loc["unjudged", "0"] == 1  # d, below zero


def test_one_judge_is_refused():
    with pytest.raises(IrvizError) as caught:
        irviz.judges(irviz.open_collection("multiaspect"), ["AP"])
    assert str(caught.value) == (
        "This collection has one set of judgments. Load several with "
        "load_collection({'people': file, 'machine': file}, runs, judges=True)."
    )


def test_replacing_begins_and_ends_with_a_judge_alone(adhoc: Collection, found):
    for unit in ("documents", "topics"):
        got = irviz.replaced(adhoc, ["AP"], "people", "machine", shares=(0, 0.5, 1), repeats=2, unit=unit)
        assert got.repeats.shape == (1, 3, 2)
        assert (got.repeats[0, 0] == 1.0).all() and (got.flipped[0, 0] == 0).all()
        assert got.repeats[0, 2] == pytest.approx(found.tau[1, 0, 1])
        assert got.left[0] == (adhoc.labels >= 0).sum() > got.left[1] > got.left[2] == 0
        assert got.needed("AP", 0.0) == 0 and got.needed("AP", 1.0) == got.left[0]


def test_replacing_is_drawn_by_seed_and_repeat_only(adhoc: Collection):
    one = irviz.replaced(adhoc, ["P@10"], "people", "machine", shares=(0.3,), repeats=1, seed=5)
    two = irviz.replaced(adhoc, ["P@10"], "people", "machine", shares=(0.6, 0.3), repeats=2, seed=5, workers=2)
    assert one.repeats[0, 0, 0] == two.repeats[0, 1, 0]
    assert len(two.frame()) == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shares": ()}, "`shares` is empty. Give at least one number from 0 to 1."),
        ({"shares": (1.5,)}, "Every one of `shares` must lie in [0, 1]; got 1.5. Half of the judgments is 0.5."),
        ({"second": "people"}, "`people` cannot replace itself. Name two judges."),
        ({"second": "nobody"}, "There is no judge `nobody`. Known: people and machine."),
    ],
)
def test_refusals_of_replacing(adhoc: Collection, options: dict, message: str):
    with pytest.raises(IrvizError) as caught:
        irviz.replaced(adhoc, ["AP"], **{"first": "people", "second": "machine", **options})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("how", "expected"),
    [("majority", [1, 2, 0, 4]), ("mean", [5 / 3, 2, 1, 4]), ("lowest", [1, 2, 0, 4]), ("highest", [3, 2, 2, 4])],
)
def test_merged_judges(how: str, expected: list[float]):
    files = {
        "one": ("1", b"1 0 a 1\n1 0 b 2\n1 0 c 0\n"),
        "two": ("2", b"1 0 a 1\n1 0 b 2\n1 0 c 2\n1 0 d 4\n"),
        "three": ("3", b"1 0 a 3\n1 0 b 2\n"),
    }
    c = irviz.load_collection(files, ("x", b"1 Q0 a 1 4 x\n1 Q0 b 2 3 x\n1 Q0 c 3 2 x\n1 Q0 d 4 1 x\n"), judges=True)
    more = merged(c, how, name="all")
    assert (more.judges, more.judge, more.judge_fingerprint) == ((*c.judges, "all"), "one", c.judge_fingerprint)
    assert more.list("1", "x")["all"].tolist() == pytest.approx(expected)
    assert set(MERGING_RULES) == {"majority", "mean", "lowest", "highest"}


def test_mapped_judges_and_a_scale_of_ones_own(adhoc: Collection):
    c = mapped(adhoc, "people", [2], "binary")
    judged = judged_grades(c)
    assert np.array_equal(
        judged[..., 2], np.where(np.isnan(judged[..., 0]), np.nan, judged[..., 0] >= 2), equal_nan=True
    )
    one = irviz.score(adhoc, ["AP(rel=2)"]).values
    assert irviz.score(c.by_judge("binary"), ["AP"]).values.tobytes() == one.tobytes()
    assert mapped(adhoc, "machine", [1, 3], "wide", grades=[5, 10]).by_judge("wide").grades == ((0.0, 5.0, 10.0),)
    with pytest.raises(IrvizError, match=r"`thresholds` must be in ascending order; got \[3, 1\]\."):
        mapped(adhoc, "people", [3, 1])
    with pytest.raises(IrvizError, match="There is a judge `machine` already"):
        mapped(adhoc, "people", [1], "machine")
    with pytest.raises(IrvizError, match="Merging takes two or more different judges"):
        merged(adhoc, "mean", ["people"])
