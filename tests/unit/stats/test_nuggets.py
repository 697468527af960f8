"""Scores from assignments of nuggets, against a plain loop; okay nuggets are nothing to the vital score."""

from __future__ import annotations

import csv

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.places import DATA

FILE = DATA / "nuggets" / "nuggets.tsv"
HEAD = b"topic\tnugget\timportance\tsystem\tsupport\n"


def plain_scores(partial: float, okay: float) -> dict[tuple[str, str], float]:
    got: dict[tuple[str, str], float] = {}
    all_ = dict.fromkeys(got, 0.0)
    with FILE.open() as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            key = row["topic"], row["system"]
            weight = 1 if row["importance"] == "vital" else okay
            credit = {"support": 1, "partial": partial, "not": 0}[row["support"]]
            got[key] = got.get(key, 0) + weight * credit
            all_[key] = all_.get(key, 0) + weight
    return {key: got[key] / all_[key] for key in got}


def test_scores_of_the_bundled_file_are_those_of_a_plain_loop() -> None:
    s = irviz.load_nuggets(FILE, partial=[0, 0.5], okay=[0, 0.5, 1])
    assert s.values.shape == (6, 25, 5) and not s.has_missing
    for place, (partial, okay) in enumerate((p, w) for p in (0, 0.5) for w in (0, 0.5, 1)):
        assert s.measures[place] == f"nuggets(partial={partial:g},okay={okay:g})"
        expected = plain_scores(partial, okay)
        for (topic, system), score in expected.items():
            assert s.values[place, s.topics.index(topic), s.systems.index(system)] == pytest.approx(score, abs=1e-15)


def test_a_conclusion_has_both_choices_as_dimensions() -> None:
    s = irviz.load_nuggets(FILE, partial=[0, 0.5], okay=[0, 1])
    how = {"average": ["mean", "median"], "topics": ["all", "random_half"], "seed": 3}
    r = irviz.conclusion(s, "verbose > terse", irviz.worlds(s, **how), trials=99)
    named = irviz.conclusion(s, "verbose > terse", irviz.worlds(s, measure=s.measures, **how), trials=99)
    one, other = r.frame(), named.frame()
    assert "partial" not in other and set(zip(one.partial, one.okay, strict=True)) == {
        (0, 0),
        (0, 1),
        (0.5, 0),
        (0.5, 1),
    }
    one["measure"] = [f"nuggets(partial={p:g},okay={w:g})" for p, w in zip(one.partial, one.okay, strict=True)]
    rows = ["measure", "average", "test", "topics"]
    numbers = ["difference", "low", "high", "p", "verdict"]
    one, other = (frame.set_index(rows)[numbers].sort_index() for frame in (one, other))
    pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert r.attribution[["partial", "okay"]].sum() <= named.attribution["measure"] and r.attribution["okay"] > 0.2
    signs = one.difference.xs(("mean", "t", "all"), level=rows[1:]).apply(np.sign)
    assert (signs["nuggets(partial=0.5,okay=0)"], signs["nuggets(partial=0.5,okay=1)"]) == (-1, 1)
    assert irviz.worlds(s, partial=0.5, okay=["1"]).options["okay"] == (1.0,)
    for given, why in (
        ({"partial": 0.3}, "no credit of partial support"),
        ({"partial": 0.5, "measure": s.measures}, "if no measure is named"),
    ):
        with pytest.raises(IrvizError, match=why):
            irviz.worlds(s, **given)
    with pytest.raises(IrvizError, match="`okay` is a choice of scores of nuggets"):
        irviz.worlds(s.select(s.measures[:3]), okay=1)


def test_what_is_not_there_is_missing_and_not_0() -> None:
    rows = b"1\tn\tokay\ta\tsupport\n1\tn\tokay\tb\tnot\n2\tm\tvital\ta\tPartial_Support\n"
    s = irviz.load_nuggets(("n", rows), okay=[0, 1])
    np.testing.assert_array_equal(s.values, [[[np.nan, np.nan], [0.5, np.nan]], [[1, 0], [0.5, np.nan]]])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (b"1\tn\tvital\ta\tyes\n", r"n:2: the support is `yes`; expected support, partial"),
        (b"1\tn\tmajor\ta\tnot\n", r"n:2: the importance is `major`; expected vital, okay"),
        (b"1\tn\tvital\ta\tnot\n1\tn\tokay\tb\tnot\n", r"n:3: the nugget n of topic 1 is both vital and okay"),
        (b"1\tn\tvital\ta\tnot\n1\tn\tvital\ta\tsupport\n", r"n:3: a has an assignment of n in line 2 already"),
        (b"1\tn\tvital\ta\tnot\n1\tm\tvital\ta\tnot\n1\tn\tvital\tb\tnot\n", r"n: b has 1 of the 2 nuggets of topic 1"),
        (b"1\t\tvital\ta\tnot\n", r"n:2: a topic, a nugget or a system has no name"),
    ],
)
def test_what_is_no_assignment_is_refused(rows, message) -> None:
    with pytest.raises(IrvizError, match=message):
        irviz.load_nuggets(("n", HEAD + rows))
    with pytest.raises(IrvizError, match=r"`partial` must lie in \[0, 1\]"):
        irviz.load_nuggets(FILE, partial=2)
