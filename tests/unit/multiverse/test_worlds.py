"""Worlds: which there are, which are left out and why, and that a draw is a fair one of them."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.collection.judges import judged_grades, with_judge
from irviz.multiverse.compare import PairScores, Procedure, compare_pairs
from irviz.multiverse.dimensions import DIMENSIONS, average
from irviz.stats.claims import Claim, read_claim
from irviz.stats.prediction_powered import corrected_scores
from tests.refusals import refused


def frames(
    topics: int = 12, unjudged: bool = True, lacking: bool = True
) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Judgments, and three runs of six documents; with documents nobody judged, and a topic that run c lacks."""
    names = [str(t) for t in range(1, topics + 1)]
    judged = [(t, f"d{i}", (i * int(t)) % 3) for t in names for i in range(5)]
    qrels = pd.DataFrame(judged, columns=["qid", "docno", "label"])
    documents = [f"d{i}" for i in range(5)] + (["new"] if unjudged else [])

    def run(step: int) -> pd.DataFrame:
        rows = [(t, d, (i * step + int(t)) % 7) for t in names for i, d in enumerate(documents)]
        return pd.DataFrame(rows, columns=["qid", "docno", "score"])

    runs = {"a": run(1), "b": run(2), "c": run(3)}
    if lacking:
        runs["c"] = runs["c"][runs["c"].qid != "1"]
    return qrels, runs


def collection(**how: object) -> irviz.collection.model.Collection:
    return irviz.collection_from_frames(*frames(**how))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def c() -> irviz.collection.model.Collection:
    return collection()


def refusal(c: object, **choices: object) -> str:
    return refused(lambda: irviz.worlds(c, **choices))  # type: ignore[arg-type]


def test_all_combinations_in_order(c):
    w = irviz.worlds(
        c,
        measure=["AP", "P@3"],
        average=["mean", "standardised"],
        test=["t", "sign"],
        unjudged=["condensed"],
        missing=["left_out"],
        topics=["all"],
        family=["pair"],
    )
    rows = list(product(["AP", "P@3"], ["mean", "standardised"], ["t", "sign"]))
    assert [tuple(world[name] for name in ("measure", "average", "test")) for world in w] == rows
    assert w.frame().columns.tolist() == list(w.dimensions) == list(DIMENSIONS)[:-2]
    assert w.frame().drop(columns=["measure", "average", "test"]).drop_duplicates().to_numpy().tolist() == [
        ["trec_eval", "condensed", "left_out", "relevance", "all", 6, "pair", "as_it_is"]
    ]
    assert (len(w), w.product, w.left_out, w.drawn) == (8, 8, {}, False)


def test_what_is_usual_follows_the_collection(c):
    usual = irviz.worlds(c).options
    assert usual["unjudged"] == ("not_relevant", "condensed")
    assert usual["missing"] == ("zero", "left_out")
    assert usual["topics"] == ("all", "random_half", "without_hardest_tenth")
    assert "Bpref" in usual["measure"] and "ERR@20" in usual["measure"]
    plain = irviz.worlds(collection(topics=5, unjudged=False, lacking=False)).options
    assert [plain[name] for name in ("unjudged", "missing", "topics")] == [("not_relevant",), ("zero",), ("all",)]
    assert "Bpref" not in plain["measure"]
    several = irviz.worlds(irviz.open_collection("multiaspect")).options
    assert several["judge"] == irviz.open_collection("multiaspect").aspects


def test_every_combination_is_there_or_counted(c):
    w = irviz.worlds(
        c, measure=["AP", "P@3", "Bpref"], depth=[6, 4, 3], family=["pair", "holm", "all_systems"], most=10**6
    )
    assert len(w) + sum(w.left_out.values()) == w.product == np.prod([len(o) for o in w.options.values()])
    assert w.left_out["the measure already ignores unjudged documents"] > 0
    frame = w.frame()
    assert not ((frame.measure == "Bpref") & (frame.unjudged == "condensed")).any()
    assert set(frame[(frame.measure == "P@3") & (frame.unjudged == "not_relevant")].depth) == {6}
    assert set(frame[(frame.measure == "P@3") & (frame.unjudged == "condensed")].depth) == {6, 4, 3}
    assert set(frame[frame.measure == "AP"].depth) == {6, 4, 3}
    tukey = frame[frame.family == "all_systems"]
    assert set(tukey.test) == {"randomisation"}
    assert set(tukey.average) == {"mean", "standardised"}
    assert set(tukey.missing) == {"zero"}


def test_what_repeats_is_left_out_only_beside_what_it_repeats():
    plain = collection(unjudged=False, lacking=False)
    one = {"measure": ["AP"], "average": ["mean"], "test": ["t"], "topics": ["all"]}
    both = irviz.worlds(
        plain, **one, family=["pair", "holm"], unjudged=["not_relevant", "condensed"], missing=["zero", "left_out"]
    )
    assert len(both) == 1
    assert sorted(both.left_out.values()) == [1, 2, 4]
    assert len(irviz.worlds(plain, **one, unjudged="condensed", missing="left_out", family="holm")) == 1


def test_the_aspect_is_chosen_where_a_measure_leaves_it_open():
    several = irviz.open_collection("multiaspect")
    first, second = several.aspects[:2]
    named = ["AP", f"AP(aspect='{second}')", "CAM(AP)"]
    w = irviz.worlds(several, measure=named, judge=[first, second], test="bootstrap")
    pairs = Counter(zip(w.frame().measure, w.frame().judge, strict=True))
    assert set(pairs) == {("AP", first), ("AP", second), (f"AP(aspect='{second}')", first), ("CAM(AP)", first)}
    assert list(w.left_out) == ["the measure names its aspect, or uses all of them"]


def test_a_machine_corrected_by_people():
    machine = irviz.open_collection("adhoc")
    name, grades = machine.judges[0], judged_grades(machine)[:, :, 0]
    grades[np.random.default_rng(0).random(grades.shape) < 0.3] = 0
    grades[np.arange(len(grades)) % 5 > 0] = np.nan
    both = with_judge(machine, "few", grades)
    measures, claim = ["AP", "nDCG@10"], " > ".join(f"`{system}`" for system in both.systems[:2])
    frame = irviz.worlds(both, measure=measures, judge=["few", name, "corrected"]).frame()
    corrected = frame[frame.judge == "corrected"]
    assert {tuple(row) for row in corrected[["average", "topics", "missing"]].to_numpy()} == {("mean", "all", "zero")}
    assert set(corrected.test) == {"t", "bootstrap", "randomisation"} and set(frame.judge) == {name, "corrected"}
    assert irviz.worlds(both).options["judge"] == both.judges
    r = irviz.conclusion(both, claim, irviz.worlds(both, measure=measures, judge="corrected"), trials=100)
    assert len(r.topics) == len(machine.topics)
    for measure, rows in r.frame()[r.frame().unjudged == "not_relevant"].groupby("measure"):
        expected = irviz.prediction_powered(both, measure, claim, people="few", machine=name).frame()
        assert rows.difference.to_numpy() == pytest.approx(expected.set_index("method").estimate["ppi"])
    refusal(irviz.open_collection("adhoc"), judge="corrected")


def test_corrected_judgments_keep_level_and_coverage():
    both, n, draws = irviz.open_collection("adhoc"), 10, 60
    people, machine = (irviz.score(both.by_judge(name), "AP").values[0] for name in both.judges)
    rng, pairs = np.random.default_rng(0), np.arange(20)
    how = Procedure((average("mean"),), ("t", "bootstrap", "randomisation"), 0.05, 300, 0)
    covered, rejected = np.zeros((2, 3))
    for seed in range(draws):
        rows, judged = rng.integers(0, len(people), len(people)), np.sort(rng.permutation(len(people))[:n])
        first, second = np.array([rng.permutation(people.shape[1])[:2] for _ in pairs]).T
        truth = (people[:, first] - people[:, second]).mean(axis=0)
        seen = corrected_scores(people[rows][judged], machine[rows], judged)
        equal = np.concatenate([seen[:, first] - truth, seen[:, second]], axis=1)
        found = compare_pairs(PairScores({False: equal[None]}, pairs, pairs + 20, pairs), how._replace(seed=seed))
        covered += ((found.low <= 0) & (found.high >= 0))[0, :, 0].mean(axis=1) / draws
        rejected += (found.p < 0.05)[0, :, 0].mean(axis=1) / draws
    assert (covered > 0.93).all() and (rejected < 0.08).all()


def test_too_many_worlds_are_drawn_with_the_seed(c):

    chosen = irviz.worlds(c, most=10**6).options
    everything = irviz.worlds(c, **chosen, most=10**6)
    assert len(everything) > 200
    some = irviz.worlds(c, **chosen, most=200, seed=4)
    assert (len(some), some.drawn, some.sensible) == (200, True, len(everything))
    rows = some.frame().merge(everything.frame().reset_index()).set_index("index").index
    assert len(rows) == 200 and rows.is_monotonic_increasing
    assert some.frame().iloc[0].equals(everything.frame().iloc[0])
    assert some.frame().equals(irviz.worlds(c, **chosen, most=200, seed=4).frame())
    assert not some.frame().equals(irviz.worlds(c, **chosen, most=200, seed=5).frame())


def test_equal_steps_are_a_choice_of_the_measures_that_have_both(c):
    """Their scores are those of `Interval`; what is left out says why."""
    names = ["RR@3", "P@3", "R@3", "AP", "Bpref", "Interval(RR@2)"]
    plain = {"average": "mean", "test": "t", "topics": "all", "missing": "zero", "family": "pair"}
    w = irviz.worlds(c, measure=names, unjudged="not_relevant", steps=["as_it_is", "equal"], **plain)
    both = w.frame().groupby("measure").steps.agg(list)
    assert both["RR@3"] == both["R@3"] == ["as_it_is", "equal"]
    assert all(both[name] == ["as_it_is"] for name in ("P@3", "AP", "Bpref", "Interval(RR@2)"))
    assert w.left_out["the values of the measure are equal steps apart already"] == 1  # P@3; R has a recall base
    assert len(w.left_out) == 4 and any("write Interval(AP@10)" in reason for reason in w.left_out)
    r = irviz.conclusion(c, "a > b", w, trials=9)
    means = irviz.score(c, ["RR@3", "Interval(RR@3)", "R@3", "Interval(R@3)"]).values.mean(axis=1)
    found = r.frame()[r.frame().measure.isin(["RR@3", "R@3"])]
    assert found.difference.tolist() == pytest.approx((means[:, 0] - means[:, 1]).tolist(), abs=1e-15)
    assert r.attribution["steps"] > 0
    alone = irviz.worlds(c, measure=names, unjudged="not_relevant", steps="equal", **plain)
    assert alone.frame().measure.tolist() == ["RR@3", "P@3", "R@3"], "P@3 repeats nothing here"


def test_a_test_goes_with_the_averages_that_it_tests(c):
    w = irviz.worlds(c, measure=["AP"], topics="all", family="pair", unjudged="condensed", missing="zero")
    tests = w.frame().groupby("average").test.agg(set).to_dict()
    assert tests["mean"] == tests["standardised"] == {"t", "wilcoxon", "sign", "bootstrap", "randomisation"}
    assert tests["median"] == tests["geometric"] == tests["harmonic"] == {"bootstrap", "randomisation"}
    assert w.left_out == {"t, Wilcoxon and sign test the mean difference, not that of another average": 9}


def test_worlds_keep_the_numbers_that_links_call_them_by(c):
    """A link of an older version counts the worlds that are now left out."""
    w = irviz.worlds(c, measure=["AP"], topics="all", family="pair", unjudged="condensed", missing="zero")
    before = list(product(w.options["average"], w.options["test"]))
    for number, world in zip(w.numbers.tolist(), w, strict=True):
        assert before[number - 1] == (world["average"], world["test"])
    assert w.numbers[-1] == 25 and len(w) == 16
    drawn = irviz.worlds(c, average=["mean", "median"], test=["t", "bootstrap"], most=10)
    assert drawn.drawn and drawn.numbers.tolist() == list(range(1, 11))


def test_the_random_half_is_the_seeds(c):
    w = irviz.worlds(c, seed=3)
    half = w.random_half(c.topics)
    assert half.sum() == 6
    assert (half == irviz.worlds(c, seed=3).random_half(c.topics)).all()
    assert any((half != irviz.worlds(c, seed=seed).random_half(c.topics)).any() for seed in range(4))


def test_score_matrices_have_worlds_without_lists(c):
    s = irviz.score(c, ["AP", "nDCG"])
    w = irviz.worlds(s, test=["t"])
    assert w.options["measure"] == ("AP", "nDCG")
    assert {w.options[name] for name in ("ties", "unjudged", "missing", "judge", "depth", "steps")} == {("as_given",)}
    refusal(s, depth=[3])


def test_refusals(c):
    names = {"test": ["T"], "average": "men", "measure": ["AQ"], "judge": ["me"]}
    numbers = {"depth": [7], "most": 0, "seed": -1}
    for name, value in {**names, **numbers}.items():
        refusal(c, **{name: value})
    refusal(c, average="geometric(eps=1e)")
    refusal(c, measure=[])
    refusal(c, measure="Bpref", unjudged="condensed", test="t", family="pair", topics="all", average="mean")
    everything = {**irviz.worlds(c, most=10**6).options, "family": ["pair", "holm"]}
    refusal(c, **{**everything, "measure": [f"P@{k}" for k in range(1, 700)], "depth": [1, 2, 3, 4, 5, 6]})
    refusal(3)


# Claims: what can be written, what it amounts to, and what is said where it cannot be read.


SYSTEMS = ("bm25", "my run", "bm25+rm3", "is", "a>b", "x`y")


def claims_refusal(text: object, systems: tuple[str, ...] = SYSTEMS) -> str:
    return refused(lambda: read_claim(text, systems))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bm25 > is", Claim("pair", ("bm25", "is"), ((0, 3),))),
        ("bm25>`my run`", Claim("pair", ("bm25", "my run"), ((0, 1),))),
        ("  `a>b` >bm25+rm3> x`y ", Claim("chain", ("a>b", "bm25+rm3", "x`y"), ((4, 2), (2, 5)))),
        ("is is best", Claim("best", ("is",), tuple((3, i) for i in (0, 1, 2, 4, 5)))),
        ("bm25 in top 3", Claim("top", ("bm25",), tuple((0, i) for i in range(1, 6)), 2)),
        ("bm25 in top 1", Claim("best", ("bm25",), tuple((0, i) for i in range(1, 6)))),
    ],
)
def test_what_a_sentence_amounts_to(text: str, expected: Claim):
    assert read_claim(text, SYSTEMS) == expected
    assert read_claim(str(expected), SYSTEMS) == expected


def test_claims_refusals():
    for text in ("", "bm25", "bm25 >", "> bm25", "my run > bm25", "bm25 > > is", "bm25 is good", "`bm25` `is` `best`"):
        claims_refusal(text)
    for text in ("bm52 > is", "bm25 > bm25", "bm25 > is > bm25", "> is best", "bm25 > `is"):
        claims_refusal(text)
    for k in ("0", "6", "x", "9" * 30, "٣"):
        claims_refusal(f"bm25 in top {k}")
    claims_refusal("a is best", ("a",))
    claims_refusal("a" * 2001)
    claims_refusal(None)
