"""A conclusion told: sentences with their special cases, tables, LaTeX."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.explore.conclusion_figures import standardised_intervals
from irviz.multiverse.report import grid
from irviz.multiverse.verdicts import TABLES, conclusion_from_choices
from tests.refusals import refused
from tests.unit.multiverse.test_worlds import collection


def scores(*differences: list[float], names: tuple[str, str] = ("a", "b")) -> irviz.stats.scores.Scores:
    """Two systems on four topics; their differences a list a measure."""
    d = np.array(differences)
    values = np.stack([0.5 + d, np.full_like(d, 0.5)], axis=2)
    return irviz.stats.scores.Scores(
        values, tuple(f"M{i}" for i in range(len(d))), tuple(map(str, range(d.shape[1]))), names
    )


AHEAD, BEHIND, TIE = [0.1, 0.2, 0.1, 0.12, 0.1], [-0.1, -0.2, -0.1, -0.12, -0.1], [0.1, -0.1, 0.0, 0.0, 0.0]
UNSURE = [0.4, -0.3, 0.1, -0.1, 0.0]


def said(s: irviz.stats.scores.Scores, claim: str = "a > b", test: object = "t", **how: object) -> str:
    w = irviz.worlds(s, average="mean", test=test, topics="all", family="pair")
    return irviz.conclusion(s, claim, w, trials=9, **how).sentence  # type: ignore[arg-type]


def test_one_sentence_for_every_case():
    assert said(scores(AHEAD)) == "`a` is ahead of `b` under the only combination of choices, significantly."
    assert said(scores(UNSURE)) == "`a` is ahead of `b` under the only combination of choices, not significantly."
    assert said(scores(TIE)) == "`a` is ahead of `b` under none: there is only one combination; they tie under 1."
    assert said(scores(AHEAD), test=["t", "sign"]).startswith(
        "Under all 2 combinations of choices `a` is ahead of `b` (significantly under 1); two equal systems reach "
    )
    assert said(scores(AHEAD, UNSURE, BEHIND, TIE)) == (
        "Under 2 of 4 combinations of choices `a` is ahead of `b` (significantly under 1); two equal systems reach "
        "such a majority in 100% of exchanges: no evidence. `b` is ahead under 1, significantly; they tie under 1. "
        "`b` is ahead always with M2. The size of the difference depends most on the measure (100% of its variance)."
    )
    without = said(scores(AHEAD, UNSURE, BEHIND, TIE), exchanges=0)
    assert without.startswith(
        "`a` is ahead of `b` under 2 of 4 combinations of choices, significantly under 1; `b` is ahead under 1"
    )


def test_the_majority_is_named_whichever_side_has_it():
    text = said(scores(AHEAD, BEHIND, BEHIND))
    assert "Under 1 of 3 combinations of choices `a` is ahead of `b`" in text and "`b` is ahead under 2" in text


def test_all_choices_that_tie_are_named_where_most_worlds_say_so():
    assert "`b` is ahead always with M1 and M2." in said(scores(AHEAD, BEHIND, BEHIND, AHEAD))


def test_what_decides_is_a_choice_or_no_single_one():
    """The measure alone decides the first; in the second, measure and average cancel out but for their combination."""
    assert "depends most on the measure (100%" in said(scores(AHEAD, BEHIND))
    c = collection()
    r = irviz.conclusion(c, "a > b", irviz.worlds(c, measure=["AP", "RR", "P@3"], family="pair"), trials=99)
    single = r.attribution.drop("interactions")
    assert single.max() < r.attribution["interactions"], "the example is one of combinations"
    assert f"No single choice decides the size of the difference: {r.attribution['interactions']:.0%}" in r.sentence
    assert f"({single.max():.0%})" in r.sentence


def test_differences_have_the_digits_they_need():
    d = [2e-6, 2.1e-6, 1.9e-6, 2e-6, 1.8e-6]
    s = scores(d, AHEAD)
    text = irviz.conclusion(s, "a > b", irviz.worlds(s, average="mean", test="t", topics="all"), trials=9).latex()
    assert "+0.0000020$$^{***}$" in text and "0.0000$" not in text


def test_an_interval_is_in_the_unit_of_the_standardised_difference():
    c = collection()
    r = irviz.conclusion(c, "a > b", irviz.worlds(c, measure=["AP", "RR"]), trials=9)
    found = standardised_intervals(r)
    known = (r.difference != 0) & np.isfinite(found[0])
    ends = np.stack([r.low, r.high])[:, known] / r.difference[known]
    np.testing.assert_allclose(found[:, known] / r.standardised[known], ends, atol=1e-12)


def test_the_grid_is_the_worlds_that_differ_in_measure_and_average():
    c = collection()
    r = irviz.conclusion(c, "a > b", irviz.worlds(c, measure=["AP", "RR"], family="pair"), trials=99)
    frame = r.frame()
    like = (frame.test == "bootstrap") & (frame.unjudged == "condensed") & (frame.topics == "all")
    found = grid(r, int(np.flatnonzero(like)[0]))
    for m, name in enumerate(found.measures):
        for a, average in enumerate(found.averages):
            rows = frame[(frame.measure == name) & (frame.average == average)]
            assert found.holds[m, a] == (rows.verdict == "holds").mean()
            world = rows[like[rows.index]].iloc[0]
            assert found.rows[m, a] == world.name
            assert (found.difference[m, a], found.p[m, a]) == (world.difference, world.p)
            assert found.signs().loc[name, average][0] == {"holds": "+", "tie": "=", "reversed": "−"}[world.verdict]


def test_a_latex_table_holds_the_grid_and_escapes_names():
    s = scores(AHEAD, BEHIND, TIE, names=("a_1", "50%"))
    w = irviz.worlds(s, average=["mean", "median"], test=["t", "randomisation"], topics="all", family="pair")
    text = irviz.conclusion(s, "a_1 > `50%`", w, trials=9, exchanges=0).latex()
    assert r"Average of a\_1 minus average of 50\% on 5 topics, with the paired t test, all topics and" in text
    assert "(the sign-flip randomisation test for the median)" in text
    assert r"M0 & $+0.1240$$^{**}$ & $+0.1000$ \\" in text
    assert r"M1 & $-0.1240$$^{**}$ & $-0.1000$ \\" in text
    assert r"M2 & $0$ & $0$ \\" in text
    assert text.count("&") == 2 * 4


def test_the_paragraph_states_worlds_tests_and_family():
    c = collection()
    w = irviz.worlds(c, measure=["AP", "Bpref"], average=["mean", "median"], test=["t", "bootstrap"], topics=["all"])
    text = irviz.conclusion(c, "a > b", w, trials=99, seed=3).paragraph
    assert text.startswith(
        "We looked at the claim “a > b” under 36 combinations of choices (worlds of a multiverse analysis; Steegen et "
        "al. 2016): 2 measures (AP and Bpref), 2 averages over topics (the arithmetic mean and the median), 2 "
        "treatments of unjudged documents (unjudged documents counted as not relevant and condensed lists) and 2 "
        "treatments of topics that a run lacks (missing topics scored 0 and missing topics left out). Left out were 28 "
        "of 64 combinations: Bpref already ignores unjudged documents (16) and t, Wilcoxon and sign test the mean "
        "difference, not that of another average (12). Differences were tested by the paired t "
        "test and the paired bootstrap (α = 0.05; 99 trials, seed 3), with no correction for several tests and Holm's "
        "correction over the measures. Under "
    )


@pytest.fixture(scope="module")
def of_two_measures():
    return conclusion_from_choices(collection(), "a > b", choices={"measure": ["AP", "RR"]}, trials=9)


@pytest.mark.parametrize("part", TABLES)
def test_every_part_is_a_table(part: str, of_two_measures):
    assert len(TABLES[part](of_two_measures)) > 0


def test_choices_of_something_else_are_refused():
    message = refused(lambda: conclusion_from_choices(collection(), "a > b", choices={"means": 1}))
    assert message == "There is no choice `means`. Did you mean measure?"
