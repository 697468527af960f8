"""What the picker offers can be computed; a changed parameter is the change asked for."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irviz.collection.catalogue import open_collection
from irviz.measures import measure
from irviz.measures.catalogue import MEASURES
from irviz.measures.language.grammar import read_value
from irviz.measures.language.parameters import declarations, value_text
from irviz.stats.scores import score
from irviz.ui.handles import bars, shares
from irviz.ui.parameters import completed, even_shares, known_numbers, suggestions


@pytest.mark.parametrize("name", ["adhoc", "multiaspect"])
def test_everything_offered_can_be_computed(name):
    collection = open_collection(name)
    small = collection.subset(topics=collection.topics[:2], systems=collection.systems[:2], depth=10)
    offered = suggestions(small)
    assert score(small, offered).measures == tuple(offered)
    assert {"AP", "nDCG@10", "P@10"} <= set(offered)


@pytest.mark.parametrize(
    ("grades", "written", "read"),
    [
        ((0.0, 1.0, 2.0), "GAP", "GAP(g=[0.5,0.5])"),
        ((0.0, 1.0, 2.0), " xGAP @10 ", "xGAP(g=[0.5,0.5])@10"),
        ((0.0, 1.0, 2.0), "GAP(g=[0.2,0.8])", "GAP(g=[0.2,0.8])"),
        ((0.0, 1.0, 2.0), "AP@10", "AP@10"),
        ((0.0,), "GAP", "GAP"),  # nothing is relevant: no g fits, and none is needed
    ],
)
def test_a_name_by_itself_gets_shares_that_fit_the_grades(grades, written, read):
    assert completed(written, SimpleNamespace(grades=(grades,)), None) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("MAP, MRR", "AP(rel=2),RR(rel=2)"),
        ("P@20", "P(rel=2)@20"),
        ("success@5", "Success(rel=2)@5"),
        ("AP(rel = 1)", "AP(rel = 1)"),
        ("nDCG@10", "nDCG@10"),
        ("no measure", "no measure"),
    ],
)
def test_a_binary_measure_added_by_name_counts_from_the_sidebars_grade(written, read):
    assert completed(written, SimpleNamespace(grades=((0.0, 1.0, 2.0),)), 2.0) == read


def test_a_value_is_read_as_in_an_expression():
    assert read_value(measure("ERR@20"), "gains", "[0, 5, 10]") == (0.0, 5.0, 10.0)


def test_binary_measures_are_offered_from_the_grade_that_is_asked_for():
    collection = open_collection("dl2021")
    asked, usual = suggestions(collection, 2.0), suggestions(collection)
    assert {"AP(rel=2)", "P(rel=2)@10", "nDCG@10"} <= set(asked) and not {"AP", "P@10"} & set(asked)
    assert suggestions(collection, 1.0) == usual and "AP" in usual


@given(st.integers(1, 8))
def test_even_shares_sum_to_one(count):
    assert math.fsum(even_shares(count)) == pytest.approx(1.0, abs=1e-9) and min(even_shares(count)) > 0


def test_a_word_for_gains_stands_for_the_gains_that_score():
    kind = declarations(type(measure("ERR@20")))["gains"].kind
    grades = open_collection("dl2021").grades[0]
    words = known_numbers(kind, grades, len(grades))
    for word, gains in words.items():
        given = [] if word == "" else [f"gains='{word}'"]
        listed = f"RBP(p=0.8,gains={value_text(tuple(float(gain) for gain in gains))})"
        own = f"RBP({','.join(['p=0.8', *given])})"
        c = open_collection("dl2021").subset(topics=open_collection("dl2021").topics[:3])
        s = score(c, [own, listed]).values
        ratio = s[0][s[1] > 0] / s[1][s[1] > 0]
        assert ratio == pytest.approx(ratio[0], rel=1e-12)  # 'exp' is divided by 2^x_max, a list by its maximum


def test_names_on_handles_are_texts():
    for html in (shares(["<b>", '"x'], {}, "g"), bars(["<b>", '"x'], {"<i>": [1]}, [1, 2], True, "g")):
        assert "<b>" not in html and "<i>" not in html and '""x' not in html and "&lt;b&gt;" in html


@pytest.mark.parametrize("kind", MEASURES, ids=lambda kind: kind.symbol)
def test_every_path_leads_to_its_value_and_a_template_is_read_back(kind):
    one = measure(suggestions(open_collection("multiaspect"))[0]) if kind.symbol == "TOMA" else kind()
    for path in one.paths():
        value = one.value_at(path)
        assert one.with_value(path, value) == one
        if value is not None:
            assert measure(one.template(path).replace("{}", value_text(value))) == one
