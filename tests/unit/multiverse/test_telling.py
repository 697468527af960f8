"""A conclusion told: sentences with their special cases, tables, LaTeX."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.explore.conclusion_figures import standardised_intervals
from irviz.multiverse.report import Conclusion, grid
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


def concluded(s: irviz.stats.scores.Scores, claim: str = "a > b", **how: object) -> Conclusion:
    w = irviz.worlds(s, average="mean", test="t", topics="all", family="pair")
    return irviz.conclusion(s, claim, w, trials=99, **how)  # type: ignore[arg-type]


def test_facts_are_the_counts_of_worlds():
    r = concluded(scores(AHEAD, UNSURE, BEHIND, TIE))
    numbers = ["2 (1) of 4", "1 (1) of 4", "1", " / ".join(f"{p:.2g}" for p in r.joint["p"]), "measure (100%)", "5"]
    assert list(r.facts.values()) == numbers
    assert len(concluded(scores(AHEAD)).facts) == len(r.facts) - 2, "one world has no joint test, and nothing weighs"


LONG = [x for x in AHEAD for _ in range(3)]


@pytest.mark.parametrize(
    ("differences", "evidence"),
    [
        (LONG, "holds"),
        ([-x for x in LONG], "does not hold"),
        (AHEAD, "too few topics"),
        ([x for x in UNSURE for _ in range(3)], "neither"),
        ([0.0] * 15, "neither"),
    ],
)
@pytest.mark.parametrize("measures", [1, 3])
def test_the_verdict_is_the_evidence(differences: list[float], evidence: str, measures: int):
    r = concluded(scores(*[differences] * measures))
    assert r.evidence == evidence
    assert (r.joint_p < r.alpha) == (evidence == "holds")


def test_a_result_without_exchanges_has_no_verdict():
    r = concluded(scores(LONG), exchanges=0)
    assert r.evidence is None and r.joint is None and r.joint_p == 1


@pytest.mark.parametrize("claim", ["a > b", "b > a", "a is best", "a in top 1"])
def test_every_kind_of_claim_has_a_headline_with_its_systems(claim: str):
    r = concluded(scores(LONG, LONG), claim)
    assert f"`{claim[0]}`" in r.headline and "{" not in r.headline


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
    assert r"average of a\_1 minus average of 50\%; " in text
    assert "test of the median: sign-flip randomisation test" in text
    assert r"M0 & $+0.1240$$^{**}$ & $+0.1000$ \\" in text
    assert r"M1 & $-0.1240$$^{**}$ & $-0.1000$ \\" in text
    assert r"M2 & $0$ & $0$ \\" in text
    assert text.count("&") == 2 * 4


def test_the_paragraph_labels_worlds_tests_and_family():
    c = collection()
    choices = {"average": ["mean", "median"], "test": ["t", "bootstrap"], "family": ["pair", "holm"]}
    w = irviz.worlds(c, measure=["AP", "Bpref"], **choices, topics=["all"])
    r = irviz.conclusion(c, "a > c", w, trials=99, seed=3)
    labelled = dict(part.split(": ", 1) for part in r.paragraph.split(". ", 1)[1].rstrip(".").split("; "))
    assert labelled["worlds of a multiverse analysis (Steegen et al. 2016)"] == "36 of 64"
    assert labelled["measure"] == "AP, Bpref" and labelled["α"] == "0.05" and labelled["trials"] == "99"
    left_out = [int(count) for label, count in labelled.items() if label.startswith("left out, ")]
    assert sum(left_out) == 28 and len(left_out) == len(r.left_out)
    assert labelled["family of tests"].count(",") == labelled["test"].count(",") == 1
    assert r.facts.items() <= labelled.items()


@pytest.fixture(scope="module")
def of_two_measures():
    return conclusion_from_choices(collection(), "a > b", choices={"measure": ["AP", "RR"]}, trials=9)


@pytest.mark.parametrize("part", TABLES)
def test_every_part_is_a_table(part: str, of_two_measures):
    assert len(TABLES[part](of_two_measures)) > 0


def test_choices_of_something_else_are_refused():
    message = refused(lambda: conclusion_from_choices(collection(), "a > b", choices={"means": 1}))
    assert message == "There is no choice `means`. Did you mean measure?"
