"""An example is an example: labs say what holds for every list, and claim no identity that one list suggests."""

from __future__ import annotations

import itertools

import pytest

from irviz.labs.browsing.lab import EQUAL_MEASURES, NAMESAKES
from irviz.labs.browsing.model import made_measure
from irviz.labs.lab import HIGHEST, judged_lists
from irviz.measures import measure
from irviz.menu import page_named
from irviz.workspace.permissible import KINDS
from irviz.workspace.view import settle
from tests.panels import lab, numbers_in, readings_of

LISTS = list(itertools.product(range(HIGHEST + 1), repeat=4))
ENDS = [("30", "5"), ("4", "5"), ("2", "2")]


def user(symbol: str, end: str, k: str):
    values, _ = settle(
        page_named("lab_browsing").controls,
        {"c": symbol, "a": "ERR" if symbol == "ERR" else "ERG", "end": end, "k": k, "p": "0.5"},
        None,
    )
    one = made_measure(values)
    return one, {"p": "0.5", "k": one.C.cutoff, "end": one.cutoff}


@pytest.mark.parametrize(("end", "k"), ENDS)
@pytest.mark.parametrize("symbol", EQUAL_MEASURES)
def test_identities_hold_on_every_list(symbol, end, k):
    one, words = user(symbol, end, k)
    known = measure(EQUAL_MEASURES[symbol].format(**words))
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


@pytest.mark.parametrize(
    ("texts", "known"),
    [
        ({"c": "AP", "grades": "3,3,3"}, "AP@10"),
        ({"c": "P"}, "gP@5"),
        ({"c": "ERR", "a": "ERR"}, "ERR@10"),
    ],
)
def test_equal_numbers_on_one_list_are_no_identity(texts, known):
    """The measure of the same name is the same number here; only where it is the same measure its number is said."""
    values, _ = settle(page_named("lab_browsing").controls, texts, None)
    one, score = made_measure(values), readings_of("lab_browsing", **texts)["score"]
    told = lab("lab_browsing", **texts).claims[3].text
    assert f"`{known}`" in told and score == pytest.approx(
        float(measure(known).evaluate(judged_lists([values["grades"]], HIGHEST))[0])
    )
    assert (numbers_in(told) == [pytest.approx(score, abs=5e-4)]) == (one.C.symbol in EQUAL_MEASURES)


@pytest.mark.parametrize(("depth", "here"), [("4", "ordinal"), ("6", "neither")])
def test_err_is_on_no_scale_whatever_a_depth_shows(depth, here):
    """Ferrante et al. 2019, section 4.3: not even an ordinal scale; few documents do not show it."""
    read = readings_of("lab_scales", measure="ERR", grades="2", depth=depth)
    assert (read["scale"], read["scale at every length"]) == (here, "neither")
    found = lab("lab_scales", measure="ERR", grades="2", depth=depth)
    assert f"is {KINDS[here]}" in found.panel.sentence and f"is {KINDS['neither']}" in found.claims[1].text
    assert found.panel.sentence.endswith(f"is {KINDS['neither']}.") == (here == "ordinal"), "the theory is said, too"


def test_a_cutoff_ends_every_run():
    texts = {"measure": "own", "own": "ERR@3", "grades": "2"}
    read = readings_of("lab_scales", **texts)
    assert read["scale"] == read["scale at every length"] == "ordinal"
    sentence = lab("lab_scales", **texts).panel.sentence
    assert sentence.count(KINDS["ordinal"]) == 1, "it is said once"
