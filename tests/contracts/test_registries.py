"""A registry maps a name to what does the work: a new name is used as it is, and an unknown one is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args, get_type_hints

import numpy as np
import pandas as pd
import pytest

import irviz
import irviz.menu  # and with it every page
from irviz.cli.main import parser
from irviz.stats.aggregate import MEANS, SUMMARIES, Mean
from irviz.stats.consistency import SPLITS, Split
from irviz.stats.correlation import COEFFICIENTS
from irviz.stats.incompleteness import REDUCTIONS, pool_levels
from irviz.stats.results import Method, PairwiseTest
from irviz.stats.scores import Scores
from irviz.stats.significance import METHODS, discriminative_power
from irviz.stats.similarity import similarity
from irviz.stats.topic_effects import FORMULAS, HARDNESS
from irviz.workspace.analyses import ANALYSES
from irviz.workspace.control import Choice
from tests.refusals import refused

VALUES = np.random.default_rng(6).random((2, 8, 5))
CUBE = Scores(VALUES, ("M0", "M1"), tuple(f"t{i}" for i in range(8)), tuple("abcde"))


def test_a_new_significance_test_is_the_one_that_runs(monkeypatch):
    def half(values, draws):
        return [PairwiseTest(matrix.max(axis=0), np.full((5, 5), 0.5), draws.trials / 100) for matrix in values]

    monkeypatch.setitem(METHODS, "half", Method("a half", "interval", True, False, half))
    r = irviz.significance(CUBE["M1"], "half", trials=7)
    assert (r.p_values == 0.5).all() and r.overall == 0.07 and r.trials == 7
    assert r.centres.tolist() == VALUES[1].max(axis=0).tolist()
    assert r.family == "no family: each pair of systems is tested by itself"
    assert (discriminative_power(CUBE, "half").p_values == 0.5).all()


def test_a_new_split_is_the_one_that_is_made(monkeypatch):
    def first_three(values, trials, seed):
        return [np.tile(np.arange(8) < 3, (trials, 1)) for _ in values]

    monkeypatch.setitem(SPLITS, "first", Split("the first three", True, first_three))
    r = irviz.consistency(CUBE, trials=4, split="first", coefficient="pearson")
    means = VALUES[0, :3].mean(axis=0), VALUES[0, 3:].mean(axis=0)
    np.testing.assert_allclose(r.trials[0], [np.corrcoef(*means)[0, 1]] * 4)


def test_a_new_coefficient_is_the_one_that_is_computed(monkeypatch):
    def distance(first, second):
        return np.abs(first - second).max(axis=-1)

    def distances(values):
        return distance(values[..., :, None, :], values[..., None, :, :])

    new = replace(COEFFICIENTS["pearson"], label="distance", all_pairs=distances, row_by_row=distance, fisher=None)
    monkeypatch.setitem(COEFFICIENTS, "distance", new)
    r = similarity(CUBE, coefficient="distance")
    assert r.values[0, 1] == pytest.approx(np.abs(VALUES[0].mean(axis=0) - VALUES[1].mean(axis=0)).max())
    assert np.isnan(r.low).all()
    assert irviz.consistency(CUBE, trials=3, coefficient="distance").trials.shape == (2, 3)


def test_a_new_pool_reduction_is_the_one_that_is_made(monkeypatch, tiny):
    def nothing(collection, rates, generator):
        return np.zeros((len(rates), *pool_levels(collection).shape), dtype=bool)

    monkeypatch.setitem(REDUCTIONS, "nothing", ("nothing", nothing))
    r = irviz.pool_reduction(tiny, ["P@5"], rates=(0.5, 0.9), method="nothing")
    assert r.judged.tolist() == [[0], [0]]
    assert np.isnan(r.tau).all()


def test_a_new_summary_or_hardness_is_the_one_that_is_computed(monkeypatch):
    frame = pd.DataFrame(VALUES[0])
    monkeypatch.setitem(MEANS, "quadratic", Mean("quadratic mean", lambda x, e: x**2, lambda m, e: np.sqrt(m)))
    monkeypatch.setitem(SUMMARIES, "quadratic", "quadratic mean")
    np.testing.assert_allclose(irviz.summarise(frame, "quadratic"), np.sqrt((VALUES[0] ** 2).mean(axis=0)))
    monkeypatch.setitem(HARDNESS, "lowest", "minimum")
    monkeypatch.setitem(FORMULAS, "lowest", lambda values: values.min(axis=-1))
    assert irviz.hardness(frame, "lowest").tolist() == VALUES[0].min(axis=1).tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda c: irviz.significance(CUBE["M0"], "welch"),
            "There is no significance test `welch`. "
            "Known: randomised_tukey, paired_bootstrap, anova_tukey and kruskal_tukey.",
        ),
        (
            lambda c: irviz.consistency(CUBE, split="odd"),
            "There is no split `odd`. Known: random, hard_easy and middle_rest.",
        ),
        (
            lambda c: irviz.consistency(CUBE, coefficient="rbo"),
            "There is no coefficient `rbo`. Known: tau, tau_ap, pearson and spearman.",
        ),
        (
            lambda c: irviz.pool_reduction(c, ["P@5"], method="depth"),
            "There is no pool reduction `depth`. Known: stratified and uniform.",
        ),
        (
            lambda c: irviz.summarise(pd.DataFrame(VALUES[0]), "mode"),
            "There is no summary `mode`. Known: mean, median, geometric, harmonic and geometric_threshold.",
        ),
        (
            lambda c: irviz.hardness(pd.DataFrame(VALUES[0]), "spread"),
            "There is no kind of hardness `spread`. Known: surprise, mean and max.",
        ),
    ],
)
def test_an_unknown_name_is_refused_with_what_there_is(call, message, tiny):
    assert refused(lambda: call(tiny)) == message


@pytest.mark.parametrize(
    ("name", "nearest"), [("rprec", "Rprec"), ("f1", "F"), ("hole@5", "Judged"), ("recall_cap@5", "R"), ("hits", "P")]
)
def test_the_nearest_of_another_tool_s_measure_is_named(name, nearest):
    assert re.search(rf"\b{nearest}\b", refused(lambda: irviz.measure(name)))


@pytest.fixture(scope="module")
def tiny():
    rng = np.random.default_rng(0)
    judged = [(f"t{t}", f"d{d}", int(rng.integers(0, 2))) for t in range(4) for d in range(12)]
    qrels = pd.DataFrame(judged, columns=["query_id", "doc_id", "relevance"])
    runs = {
        name: pd.DataFrame(
            [(f"t{t}", f"d{d}", -r) for t in range(4) for r, d in enumerate(rng.permutation(12))],
            columns=["query_id", "doc_id", "score"],
        )
        for name in "abc"
    }
    return irviz.collection_from_frames(qrels, runs)


@pytest.mark.parametrize("one", ANALYSES, ids=lambda one: one.name)
def test_an_analysis_offers_what_its_function_takes(one):
    """The words of a choice are those of the signature, and a command has an option for every argument."""
    hints = get_type_hints(one.function)
    for control in one.controls:
        assert control.name in (*one.parameters, *one.frame)
        if isinstance(control, Choice):
            assert {word for word, _ in control.options} <= set(get_args(hints[control.name]))
    (words,) = (action for action in parser("irviz", [one.name])._actions if action.dest == "command")
    options = words.choices[one.name]._option_string_actions
    named = [name for name in (*one.parameters, *one.choices, *one.frame) if name not in one.positional]
    assert {option for name in named for option in one.options(name)} <= options.keys()
    numbers = {name: value.default for name, value in one.parameters.items() if value.annotation == "int"}
    assert {name: options[one.options(name)[0]].default for name in numbers} == numbers
