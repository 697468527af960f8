"""A conclusion told: its verdict, intervals, grid and LaTeX."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.explore.conclusion_figures import standardised_intervals
from irviz.multiverse.report import Conclusion, grid, signed
from tests.unit.multiverse.test_worlds import collection


def scores(*differences: list[float], names: tuple[str, str] = ("a", "b")) -> irviz.stats.scores.Scores:
    """Two systems on four topics; their differences a list a measure."""
    d = np.array(differences)
    values = np.stack([0.5 + d, np.full_like(d, 0.5)], axis=2)
    return irviz.stats.scores.Scores(
        values, tuple(f"M{i}" for i in range(len(d))), tuple(map(str, range(d.shape[1]))), names
    )


AHEAD = [0.1, 0.2, 0.1, 0.12, 0.1]
UNSURE = [0.4, -0.3, 0.1, -0.1, 0.0]


def concluded(s: irviz.stats.scores.Scores, claim: str = "a > b", **how: object) -> Conclusion:
    w = irviz.worlds(s, average="mean", test="t", topics="all", family="pair")
    return irviz.conclusion(s, claim, w, trials=99, **how)  # type: ignore[arg-type]


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


def test_differences_have_their_sign_and_stars():
    assert signed(grid(concluded(scores(AHEAD), exchanges=0))).to_numpy().tolist() == [["+0.124**"]]


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
            assert found.verdict[m, a] == {"holds": 1, "tie": 0, "reversed": -1}[world.verdict]
