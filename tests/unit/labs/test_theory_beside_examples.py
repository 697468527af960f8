"""An example is an example: labs say what holds for every list, and claim no identity that one list suggests."""

from __future__ import annotations

import itertools

import pytest

from irviz.labs.browsing.panel import NAMESAKES, SAME, made_measure
from irviz.labs.lab import HIGHEST, judged_lists
from irviz.links.view import settle
from irviz.measures import measure
from irviz.menu import page
from tests.panels import lab

LISTS = list(itertools.product(range(HIGHEST + 1), repeat=4))
ENDS = [("30", "5"), ("4", "5"), ("2", "2")]


def claims(found) -> str:
    return " ".join(claim.text for claim in found.claims)


def user(symbol: str, end: str, k: str):
    values, _ = settle(
        page("lab_browsing").controls,
        {"c": symbol, "a": "ERR" if symbol == "ERR" else "ERG", "end": end, "k": k, "p": "0.5"},
        None,
    )
    one = made_measure(values)
    return one, {"p": "0.5", "k": one.C.cutoff, "end": one.cutoff}


@pytest.mark.parametrize(("end", "k"), ENDS)
@pytest.mark.parametrize("symbol", SAME)
def test_identities_hold_on_every_list(symbol, end, k):
    one, words = user(symbol, end, k)
    known = measure(SAME[symbol].format(**words))
    for grades in LISTS:
        judged = judged_lists([grades], HIGHEST)
        assert float(one.evaluate(judged)[0]) == pytest.approx(float(known.evaluate(judged)[0]), abs=1e-12)


@pytest.mark.parametrize("symbol", NAMESAKES)
def test_namesakes_are_no_identities(symbol):
    one, words = user(symbol, "4", "4")
    known = measure(NAMESAKES[symbol][0].format(**words))
    judged = [judged_lists([grades], HIGHEST) for grades in LISTS]
    gaps = [abs(float(one.evaluate(x)[0]) - float(known.evaluate(x)[0])) for x in judged]
    assert max(gaps) > 0.01 and min(gaps) < 1e-9, "equal on some lists, and not the same measure"


def test_equal_numbers_on_one_list_are_no_identity():
    told = claims(lab("lab_browsing", c="AP", grades="3,3,3"))
    assert "`AP@10` gives the same number on this list, but is another measure" in told
    assert "This is the measure known as" not in told
    assert "This is the measure known as `gP@5`" in claims(lab("lab_browsing", c="P"))
    assert "This is the measure known as `ERR@10`" in claims(lab("lab_browsing", c="ERR", a="ERR"))


@pytest.mark.parametrize(("depth", "here"), [("4", "ordinal"), ("6", "neither")])
def test_err_is_on_no_scale_whatever_a_depth_shows(depth, here):
    """Ferrante et al. 2019, section 4.3: not even an ordinal scale; few documents do not show it."""
    found = lab("lab_scales", measure="ERR", grades="2", depth=depth)
    proved = "Over runs of every length, ERR is neither an ordinal nor an interval scale."
    assert proved in claims(found)
    assert ("ERR is an ordinal scale" in found.panel.sentence) == (here == "ordinal")
    assert found.panel.sentence.endswith(proved) == (here == "ordinal")


def test_a_cutoff_ends_every_run():
    found = lab("lab_scales", measure="own", own="ERR@3", grades="2")
    assert "Over runs of every length, ERR@3 is an ordinal scale" in claims(found)
    assert "Over runs of every length" not in found.panel.sentence
