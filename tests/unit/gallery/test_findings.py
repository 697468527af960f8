"""Findings: five recomputed by hand, intervals, what cannot be asked, the stored results, the command line."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, norm, spearmanr, t

import irviz
from benchmarks.findings import _ASPECTS
from benchmarks.noise import COLLECTIONS, noise
from irviz.cli.main import main
from irviz.collection.load import load_collection
from irviz.gallery import CLAIMS
from irviz.gallery.findings import (
    ALL,
    COLUMNS,
    LEAST_TOPICS,
    NOISE,
    RESAMPLES,
    Result,
    _interval,
    findings,
    stored_findings,
    with_topics,
)
from irviz.menu import page_named
from irviz.stats.scores import Scores
from irviz.workspace.data import MATRICES, bundled_scores, context_of, library, opened_bundled
from irviz.workspace.store import fingerprint_of
from irviz.workspace.view import View
from tests.panels import opened_once

#: nothing is drawn, and they are soon there
FIXED = (*range(1, 8), 10, *range(15, 19), *range(20, 25), *range(32, 37))
KNOWN = {one.name: one for one in stored_findings()}
ASKED_AGAIN = {"multiaspect": ALL, "adhoc": FIXED, "tiangong": FIXED, "dl2021": FIXED}


def bundled(name: str):
    return opened_bundled(name).data if name in MATRICES else opened_once(name)


def numbers_of(result: Result) -> list[float]:
    """The numbers after the names of a result."""
    return [float(text.replace("−", "-")) for text in re.findall(r" (−?\d+\.\d+)(?=, |\.$)", result.numbers)]


@pytest.fixture
def alone(monkeypatch) -> None:
    """No intervals, which take many times as long."""
    monkeypatch.setattr("irviz.gallery.findings.RESAMPLES", 0)


@pytest.mark.usefixtures("alone")
def test_the_order_of_recall_f_and_precision_by_hand():
    """Finding 2: P, R and F1 from counts of relevant documents in the first 250; binary SBTO orders by that count."""
    whole = opened_once("adhoc")
    found = findings(whole, numbers=[2]).results[0]
    cut = min(whole.depth, 250)
    labels = np.where(whole.labels[:, :, 0] > 0, 1, 0)
    hits = np.zeros((len(whole.topics), len(whole.systems)))
    for topic in range(len(whole.topics)):
        documents = whole.ranking[topic, :, :cut]
        hits[topic] = np.where(documents >= 0, labels[topic][np.maximum(documents, 0)], 0).sum(axis=1)
    relevant = labels.sum(axis=1)[:, None]
    precision, recall = hits / cut, hits / np.maximum(relevant, 1)
    f1 = 2 * precision * recall / np.where(hits > 0, precision + recall, 1)
    means = {name: scores.mean(axis=0) for name, scores in (("P", precision), ("F", f1), ("R", recall))}
    # SBTO of h relevant documents of N is a sum of h equal steps, so that its mean orders systems as the mean of h
    tau = {name: kendalltau(np.round(mean, 12), hits.mean(axis=0)).statistic for name, mean in means.items()}
    assert numbers_of(found) == [round(tau[name], 4) for name in "PFR"]
    assert found.seen is bool(tau["P"] > tau["F"] > tau["R"])
    assert found.effect == pytest.approx(min(tau["P"] - tau["F"], tau["F"] - tau["R"]), abs=1e-6)


@pytest.mark.usefixtures("alone")
def test_hard_and_easy_topics_by_hand():
    """Finding 31: AP, topics by (max − mean)/sd, halves of Ravana & Moffat 2009 (section 5.4)."""
    scores = bundled_scores("trec-dl/2019")
    found = findings(scores, numbers=[31]).results[0]
    matrix = scores["AP"].to_numpy()
    hardness = (matrix.max(axis=1) - matrix.mean(axis=1)) / matrix.std(axis=1, ddof=1)
    order, count = np.argsort(-hardness, kind="stable"), len(matrix)
    half, quarter = count // 2, count // 4

    def tau(first: np.ndarray) -> float:
        rest = np.setdiff1d(np.arange(count), first)
        return kendalltau(matrix[first].mean(axis=0).round(12), matrix[rest].mean(axis=0).round(12)).statistic

    hard, middle = tau(order[:half]), tau(order[quarter : quarter + half])
    assert numbers_of(found)[:2] == [round(hard, 3), round(middle, 3)]


@pytest.mark.usefixtures("alone")
def test_standardised_scores_by_hand():
    """Finding 29: Φ of z-scores by topic with the sample standard deviation (Webber et al. 2008), on the hard half."""
    scores = bundled_scores("trec-dl/2020")
    found = findings(scores, numbers=[29], trials=50).results[0]
    matrix = scores["AP"].to_numpy()
    sd = matrix.std(axis=1, ddof=1, keepdims=True)
    z = norm.cdf((matrix - matrix.mean(axis=1, keepdims=True)) / sd)
    hardness = (matrix.max(axis=1) - matrix.mean(axis=1)) / sd[:, 0]
    of_z = (z.max(axis=1) - z.mean(axis=1)) / z.std(axis=1, ddof=1)
    expected = []
    for values, by in ((z, of_z), (matrix, hardness)):
        order = np.argsort(-by, kind="stable")
        halves = [values[part].mean(axis=0).round(12) for part in (order[:27], order[27:])]
        expected.append(round(kendalltau(*halves).statistic, 3))
    assert numbers_of(found)[2:4] == expected


@pytest.mark.usefixtures("alone")
def test_satisfaction_by_hand():
    """Finding 35: Spearman's ρ between users' satisfaction and DCG and RBP of the lists they saw, from their grades."""
    whole = opened_once("tiangong")
    found = findings(whole, numbers=[35]).results[0]
    grades = np.array([whole.list(topic, whole.systems[0])["relevance"].to_numpy()[:10] for topic in whole.topics])
    said = dict(zip(whole.satisfaction.topics, whole.satisfaction.values, strict=True))
    satisfaction, ranks = [said[topic] for topic in whole.topics], np.arange(1, 11)
    dcg = np.nan_to_num(grades) @ (1 / np.log2(ranks + 1))
    rbp = np.nan_to_num(grades) @ 0.8 ** (ranks - 1)
    rho = [spearmanr(np.round(scores, 9), satisfaction).statistic for scores in (dcg, rbp)]
    assert numbers_of(found)[1:] == [round(x, 3) for x in rho]
    assert found.effect <= rho[0] - rho[1] + 1e-6


def test_the_interval_is_a_bootstrap_over_topics(monkeypatch):
    """Finding 31, whose numbers have no draws: each of five resamples asked through the API."""
    monkeypatch.setattr("irviz.gallery.findings.RESAMPLES", 5)
    scores = bundled_scores("trec-dl/2019")
    found = findings(scores, numbers=[31]).results[0]
    monkeypatch.setattr("irviz.gallery.findings.RESAMPLES", 0)  # a resample needs no interval of its own
    count, generator, effects = len(scores.topics), np.random.Generator(np.random.PCG64(0)), []
    for _ in range(5):
        rows = np.sort(generator.integers(0, count, count))
        names = tuple(map(str, range(count)))
        again = Scores(scores.values[:, rows], scores.measures, names, scores.systems)
        effects.append(findings(again, numbers=[31]).results[0].effect)
    half = t.ppf(0.975, 4) * np.std(effects, ddof=1)
    assert (found.low, found.high) == (
        pytest.approx(found.effect - half, abs=2e-6),
        pytest.approx(found.effect + half, abs=2e-6),
    )
    assert found.clear is bool(abs(found.effect) > half)


def test_resampled_topics_keep_judges_and_answers():
    several = opened_once("adhoc")
    rows = np.array([1, 1, 4])
    part = with_topics(several, rows)
    assert np.array_equal(part.labels, several.labels[rows]) and part.judges == several.judges
    for judge in several.judges:
        one, other = part.by_judge(judge), several.by_judge(judge)
        score = irviz.score(other, ["AP"])["AP"].loc[[several.topics[row] for row in rows]]
        assert np.array_equal(irviz.score(one, ["AP"])["AP"].to_numpy(), score.to_numpy())
    rated = opened_once("tiangong")
    answers = with_topics(rated, rows).satisfaction
    known = dict(zip(rated.satisfaction.topics, rated.satisfaction.values, strict=True))
    assert answers.values.tolist() == [known[rated.topics[row]] for row in rows]


def test_few_topics_and_a_constant_effect_have_no_interval():
    scores = bundled_scores("trec-dl/2019")
    few = findings(scores.select(topics=scores.topics[: LEAST_TOPICS - 1]), numbers=[31]).results[0]
    assert few.effect is not None and few.low is few.high is None and not few.clear
    assert Result(1, True, None, None, None, "").clear, "an identity needs no interval"
    assert _interval(0.5, [0.5] * RESAMPLES) == (None, None)


@pytest.mark.usefixtures("alone")
def test_a_condition_without_a_case_is_not_applicable():
    """Lists of one document, on which all τ are 1; noise, on which no pair is separated; no low scores."""
    found = findings(opened_once("adhoc").subset(depth=1), numbers=[3])
    random = findings(noise(np.random.default_rng(0), ("relevance", "credibility")), numbers=[6, 14])
    high = Scores(0.5 + bundled_scores("trec-dl/2019").values / 2, *_names(bundled_scores("trec-dl/2019")))
    for result in (*found.results, *random.results, findings(high, numbers=[27]).results[0]):
        assert result.seen is None and result.effect is None, result.number


def _names(scores: Scores) -> tuple[tuple[str, ...], ...]:
    return scores.measures, scores.topics, scores.systems


@pytest.mark.usefixtures("alone")
def test_no_effect_is_a_tolerance():
    """Findings 6 and 24: the difference of the shares of pairs, and the rise of τ from g_1 = 0 to 1, which is 1."""
    pairs, rise = findings(opened_once("adhoc"), numbers=[6, 24]).results
    assert pairs.effect == pytest.approx(-max(numbers_of(pairs)[:2]) / 100, abs=0.001)
    assert rise.effect == pytest.approx(1 - max(numbers_of(rise)[:2]), abs=0.001)


@pytest.mark.usefixtures("alone")
def test_only_measures_with_many_low_scores_are_cases_of_finding_27():
    found = findings(bundled("web2013"), numbers=[27], trials=100).results[0]
    low = [int(share) > 50 for share in re.findall(r"(\d+)% low", found.numbers)]
    gains = [gain for gain, case in zip(numbers_of(found), low, strict=True) if case]
    assert found.seen is all(gain > 0 for gain in gains) and found.effect == pytest.approx(min(gains), abs=0.0006)


def test_noise_counts_are_stored_for_every_finding():
    counts = pd.read_csv(NOISE)
    assert counts["number"].tolist() == list(ALL) and counts["asked"].max() == COLLECTIONS
    assert (counts["seen"] <= counts["asked"]).all()


@pytest.mark.slow
def test_a_strangers_collection_fills_its_column(collections):
    """Every finding has an answer or a reason, on real runs with odd grades, short lists and several aspects."""
    folder = collections / "clef-ehealth-2018"
    qrels, runs = {name: folder / f"qrels.{name}.txt" for name in _ASPECTS}, sorted((folder / "runs").iterdir())
    data = load_collection(qrels, runs[:10])
    found = findings(data.subset(topics=data.topics[: LEAST_TOPICS - 1]), trials=20, repeats=1)
    assert [one.number for one in found.results] == list(ALL)
    assert all(one.numbers.endswith(".") for one in found.results)
    assert sum(one.seen is not None for one in found.results) > 20


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", ["multiaspect", "dl2021", "adhoc", *MATRICES, "tiangong"])
def test_bundled_results_come_out_again(name):
    """Without their intervals; of several aspects those that are drawn, too."""
    data = bundled(name)
    assert KNOWN[name].fingerprint == fingerprint_of(data)
    again = findings(data, numbers=ASKED_AGAIN.get(name, (28, 31)))
    for one in again.results:
        known = KNOWN[name].get(one.number)
        assert (one.seen, one.effect, one.numbers) == (known.seen, known.effect, known.numbers)


def test_intervals_come_out_again():
    """Of a claim with draws and two without; what an interval is: `test_the_interval_is_a_bootstrap`."""
    again = findings(bundled("multiaspect"), numbers=[2, 26, 32]).results
    assert again == tuple(KNOWN["multiaspect"].get(one.number) for one in again)


def test_the_frame_has_a_row_a_claim_and_a_link_that_opens():
    frame = findings(bundled("dl2019"), numbers=[1, 30]).frame()
    assert list(frame.columns) == COLUMNS
    assert frame["seen"].tolist()[0] is None and frame["seen"].tolist()[1] in (True, False)
    assert frame["applicable"].tolist() == [False, True]
    view = View.from_url(frame["view"].iloc[1])
    context, complaints = context_of(view.values, library(), page_named(view.page))
    assert view.page == "findings" and not complaints and context.dataset.key == "dl2019"


def test_scores_without_ap_say_what_they_need():
    found = findings(bundled("dl2019").select(["P@10"]))
    assert all(one.seen is None for one in found.results)
    assert "It needs scores by AP" in found.get(28).numbers and "scores alone" in found.get(1).numbers


def test_workers_change_nothing(monkeypatch):
    monkeypatch.setattr("irviz.gallery.findings.RESAMPLES", 4)
    data = bundled("dl2020")
    alone, many = (findings(data, trials=50, workers=workers) for workers in (None, 3))
    assert alone.results == many.results


@pytest.mark.parametrize("numbers", [[0], [len(CLAIMS) + 1], ["1"]])
def test_a_number_that_is_no_claims_is_refused(numbers):
    with pytest.raises(irviz.IrvizError, match="There is no finding"):
        irviz.findings(bundled("dl2019"), numbers=numbers)


def test_other_things_than_data_are_refused():
    with pytest.raises(irviz.IrvizError, match="a collection or of scores; got list"):
        irviz.findings([])


def test_the_command_prints_the_frame(capsys):
    assert main(["findings", "--collection", "adhoc", "--numbers", "2,10", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["number"] for row in rows] == [2, 10] and rows[0]["seen"] is True


def test_the_scores_of_2021_are_those_of_the_bundled_runs():
    """data/trec-dl/README.md: printed with four decimals."""
    scores = bundled_scores("trec-dl/2021")
    ours = irviz.score(opened_once("dl2021"), ["AP", "nDCG@10", "RR"])
    assert set(scores.systems) == set(ours.systems) and scores.topics == ours.topics
    for measure in ours.measures:
        gap = (scores[measure] - ours[measure][list(scores.systems)]).abs().to_numpy()
        assert gap.max() < 5.1e-5, measure
