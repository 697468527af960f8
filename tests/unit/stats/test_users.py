"""Measures against users: coefficients as scipy has them, resampling as repetition, numbers of a field study."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irviz
from irviz.collection.people import load_preferences, load_satisfaction
from irviz.errors import IrvizError
from irviz.stats.scores import Scores
from irviz.stats.users import WEIGHTED_COEFFICIENTS, preferences, satisfaction, satisfaction_by_score
from tests.refusals import refused

SCIPY = {"spearman": stats.spearmanr, "pearson": stats.pearsonr, "tau": stats.kendalltau}


def cube(values: np.ndarray, systems: str = "a") -> Scores:
    """Scores of measures × topics × systems."""
    measures = tuple(f"m{i}" for i in range(len(values)))
    return Scores(values, measures, tuple(str(i) for i in range(values.shape[1])), tuple(systems))


@pytest.mark.parametrize("coefficient", WEIGHTED_COEFFICIENTS)
def test_a_weight_is_a_repetition(coefficient):
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 6, 40) / 4, rng.integers(0, 4, 40).astype(float)
    weights = rng.multinomial(40, np.full(40, 1 / 40), size=5)
    found = WEIGHTED_COEFFICIENTS[coefficient]([x], y, weights)[:, 0]
    expected = [SCIPY[coefficient](np.repeat(x, w), np.repeat(y, w))[0] for w in weights]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("coefficient", WEIGHTED_COEFFICIENTS)
def test_coefficients_are_those_of_scipy_over_topics_and_systems(coefficient):
    rng = np.random.default_rng(5)
    values = rng.random((3, 30, 2)).round(1)
    said = pd.DataFrame(
        [(str(t), s, int(rng.integers(0, 5))) for t in range(30) for s in "ab"],
        columns=["topic", "system", "satisfaction"],
    )
    found = satisfaction(cube(values, "ab"), said, coefficient=coefficient, trials=50)
    flat = values.reshape(3, -1)
    for row, one in zip(flat, found.values, strict=True):
        assert one == pytest.approx(SCIPY[coefficient](row, said["satisfaction"])[0], abs=1e-12)
    assert (found.low <= found.values).all() and (found.values <= found.high).all()
    assert (found.items, found.topics) == (60, 30)


@pytest.mark.parametrize("coefficient", WEIGHTED_COEFFICIENTS)
def test_a_measure_that_scores_all_lists_alike_has_no_coefficient(coefficient):
    values = np.stack([np.full((10, 1), 0.1), np.arange(10.0)[:, None]])
    said = pd.DataFrame({"topic": [str(i) for i in range(10)], "satisfaction": range(10)})
    found = satisfaction(cube(values), said, coefficient=coefficient, trials=20)
    assert np.isnan(found.values["m0"]) and np.isnan(found.low["m0"]) and np.isnan(found.p_values.loc["m0", "m1"])
    assert found.values["m1"] == 1 and found.best()[0] == ["m1"]


def test_the_field_study_is_reproduced(collections):
    folder = collections / "tiangong-fsd"
    c = irviz.load_collection(folder / "qrels.txt.gz", folder / "shown.run.gz")
    u = irviz.load_satisfaction(folder / "satisfaction.tsv")
    published = {"ERR": 0.623, "DCG(gains='exp')@10": None, "RBP(p=0.8)": 0.519, "RBP(p=0.5)": 0.549, "RR": 0.446,
                 "P@10": 0.279, "nDCG@10": 0.439, "CWLA(C=RBP(p=0.8),A=max)@10": 0.646,
                 "CWLA(C=INST,A=fin)@10": 0.558, "CWLA(C=ERR,A=max)@10": 0.681, "CWLA(C=RR,A=PE)@10": 0.670,
                 "CWLA(C=BPM,A=ETG)@10": 0.464, "CWLA(C=AP,A=ERR)@10": 0.431}  # fmt: skip
    s = irviz.score(c, list(published))
    found = irviz.satisfaction(s, u, trials=200)
    for one, rho in zip(found.values, published.values(), strict=True):
        assert rho is None or one == pytest.approx(rho, abs=5.1e-4)
    assert found.items == 1230 and found.unused == 0
    r = irviz.satisfaction(irviz.score(c, "RR@10"), u, coefficient="pearson", trials=10)
    assert r.values.iloc[0] == pytest.approx(0.526, abs=5e-4)


def test_preferences_between_documents_are_compared_with_grades(collections):
    folder = collections / "trec-dl-2021"
    runs = sorted((folder / "runs").iterdir())[:2]
    c = irviz.load_collection(folder / "qrels.nist.txt", runs)
    found = irviz.preferences(c, irviz.load_preferences(folder / "preferences" / "pairs.txt.gz"))
    assert found.frame().iloc[0, 1:].tolist() == [368, 218, 8830, 2265]


def test_preferences_between_systems_count_ties_of_scores_half():
    values = np.array([[[0.5, 0.4], [0.5, 0.5], [0.1, 0.2], [0.9, 0.1], [0.1 + 0.2, 0.3]]])
    said = [line.split() for line in ("0 a b a", "1 a b b", "2 a b a", "3 b a a", "3 a b tie", "4 a b a", "9 a b a")]
    p = pd.DataFrame(said, columns=["topic", "a", "b", "winner"])
    found = preferences(cube(values, "ab"), p, trials=500)
    assert found.values.iloc[0] == (1 + 0.5 + 0 + 1 + 0.5) / 5
    assert (found.ties.iloc[0], found.preferences, found.neither, found.unused) == (2, 5, 1, 1)
    assert 0 <= found.low.iloc[0] < found.values.iloc[0] < found.high.iloc[0] <= 1


def test_fewer_than_five_topics_and_perfect_agreement_have_no_interval():
    said = pd.DataFrame({"topic": [str(i) for i in range(9)], "satisfaction": [0, 1, 2, 3, 2, 1, 0, 4, 3]})
    perfect = said["satisfaction"].to_numpy(dtype=np.float64)
    values = np.stack([perfect, perfect[::-1]])[:, :, None]
    found = satisfaction(cube(values), said, trials=200)
    assert found.values["m0"] == 1 and np.isnan(found.low["m0"]) and np.isnan(found.high["m0"])
    assert found.low["m1"] < found.values["m1"] < found.high["m1"]
    few = satisfaction(cube(values[:, :3]), said, trials=2000)
    assert few.values["m0"] == 1 and few.low.isna().all() and few.high.isna().all()
    assert few.p_values.loc["m0", "m1"] >= 2 / 2**3
    one = preferences(
        cube(np.array([[[0.5, 0.4]]]), "ab"), pd.DataFrame([list("0aba")], columns=["topic", "a", "b", "winner"])
    )
    assert one.values.iloc[0] == 1 and np.isnan(one.low.iloc[0]) and np.isnan(one.high.iloc[0])


def test_whole_groups_of_topics_are_drawn():
    rng = np.random.default_rng(7)
    s = cube(rng.random((2, 20, 2)), "ab")
    rows = [(str(t), x, int(rng.integers(0, 5))) for t in range(20) for x in "ab"]
    said = pd.DataFrame(rows, columns=["topic", "system", "satisfaction"])
    liked = pd.DataFrame({"topic": s.topics, "a": "a", "b": "b", "winner": rng.choice(["a", "b"], 20)})
    groups, alone = {topic: str(int(topic) % 6) for topic in s.topics}, {topic: topic for topic in s.topics}
    how = {"trials": 60, "seed": 2}
    own = satisfaction(s, said, coefficient="pearson", groups=groups, **how)
    drawn = np.random.default_rng(2).integers(0, 6, size=(60, 6))
    members = [np.array([t for t in range(20) if t % 6 == g]) for g in range(6)]
    answers = said["satisfaction"].to_numpy(float).reshape(20, 2)
    for sample, row in zip(own.samples, drawn, strict=True):
        topics = np.concatenate([members[g] for g in row])
        for m in range(2):
            expected = stats.pearsonr(s.values[m, topics].ravel(), answers[topics].ravel())[0]
            assert sample[m] == pytest.approx(expected, abs=1e-12)
    shares = preferences(s, liked, groups=groups, **how)
    agree = np.where(s.values[0, :, 0] > s.values[0, :, 1], "a", "b") == liked["winner"].to_numpy()
    means = [agree[np.concatenate([members[g] for g in row])].mean() for row in drawn]
    assert (shares.low["m0"], shares.high["m0"]) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])))
    for compare, told in ((satisfaction, said), (satisfaction_by_score, said), (preferences, liked)):
        frames = [compare(s, told, groups=g, **how) for g in (None, alone, groups)]
        frames = [one if isinstance(one, pd.DataFrame) else one.frame() for one in frames]
        pd.testing.assert_frame_equal(frames[0], frames[1], check_exact=True)
        assert not frames[0].equals(frames[2])


def test_a_tenth_with_one_answer_has_no_interval():
    values = np.array([0.05, 0.95, 0.96, 0.97, 0.98, 1.0])[None, :, None]
    said = pd.DataFrame({"topic": list("012345"), "satisfaction": [1, 2, 3, 4, 3, 2]})
    found = satisfaction_by_score(cube(values), said, trials=200).set_index("part")
    assert found.loc[1, "answers"] == 1 and found.loc[[1], ["low", "high"]].isna().all(axis=None)
    assert found.loc[10, "low"] < found.loc[10, "satisfaction"] < found.loc[10, "high"]


@pytest.mark.parametrize("coefficient", WEIGHTED_COEFFICIENTS)
def test_scores_that_differ_by_rounding_tie_in_the_value_and_in_every_resample(coefficient):
    rng = np.random.default_rng(8)
    tied = rng.integers(0, 5, (1, 60, 1)) / 7
    noisy = tied * (1 + rng.integers(-3, 4, tied.shape) * 2.0**-52)
    said = pd.DataFrame({"topic": [str(i) for i in range(60)], "satisfaction": rng.integers(0, 5, 60)})
    one, other = (satisfaction(cube(values), said, coefficient=coefficient, trials=50) for values in (tied, noisy))
    assert one.values["m0"] == pytest.approx(SCIPY[coefficient](tied[0, :, 0], said["satisfaction"])[0], abs=1e-12)
    np.testing.assert_allclose(other.values, one.values, atol=1e-12)
    np.testing.assert_allclose(other.samples, one.samples, atol=1e-12)


def test_scores_of_the_field_study_tie_as_rounded_ones_do(collections):
    folder = collections / "tiangong-fsd"
    c = irviz.load_collection(folder / "qrels.txt.gz", folder / "shown.run.gz")
    s = irviz.score(c, ["nDCG@10", "AP", "AP(rel=2)", "nDCG(dcg='exp-log2')@10"])
    found = irviz.satisfaction(s, irviz.load_satisfaction(folder / "satisfaction.tsv"), trials=2)
    said = pd.read_csv(folder / "satisfaction.tsv", sep="\t", dtype={"topic": str}).set_index("topic")["satisfaction"]
    for name in s.measures:
        scores = s[name].iloc[:, 0]
        assert found.values[name] == pytest.approx(stats.spearmanr(scores.round(10), said[scores.index])[0], abs=1e-12)


REFUSED = {
    "topic\tsatisfaction\n1\tgood\n": "s.tsv:2: the satisfaction 'good' is not a finite number.",
    "topic,satisfaction\n1,2\n1,3\n": (
        "s.tsv:3: the satisfaction with topic 1 is given twice, first in line 2. Give one number."
    ),
    "topic,rating\n1,2\n": "s.tsv:1: expected the columns topic and satisfaction; found topic and rating.",
    "topic,satisfaction\n1,2,3\n": "s.tsv:2: expected 2 fields, found 3.",
    "topic,satisfaction\n": "s.tsv:1: the satisfaction file has a header and no rows.",
    "": "s.tsv: the satisfaction file is empty.",
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items(), ids=range(len(REFUSED)))
def test_a_satisfaction_file_is_refused_with_its_line(text, said):
    assert refused(lambda: load_satisfaction(("s.tsv", text.encode()))) == said


def test_a_preference_file_is_refused_with_its_line():
    assert (
        refused(lambda: load_preferences(("p.txt", b"1 d1 d2 d1\n1 d1 d3 d9\n")))
        == "p.txt:2: the winner 'd9' is neither d1 nor d3. Write one of them, or 'tie'."
    )
    with pytest.raises(IrvizError, match=r"p.txt:1: d1 is compared with itself."):
        load_preferences(("p.txt", b"1 d1 d1 d1\n"))
    assert load_preferences(("p.txt", b"topic,a,b,winner\n1,d1,d2,\n")).sign.tolist() == [0]


def test_answers_without_scores_are_refused():
    said = pd.DataFrame({"topic": ["x", "y", "z"], "satisfaction": [1, 2, 3]})
    with pytest.raises(IrvizError, match="0 of 3"):
        satisfaction(cube(np.ones((1, 3, 1))), said)
    with pytest.raises(IrvizError, match="The answers name no system"):
        satisfaction(cube(np.ones((1, 3, 2)), "ab"), said)
