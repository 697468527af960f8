"""What the labs show and say when they are explored: computed, true at the ends of their controls, and sourced."""

from __future__ import annotations

import itertools
import json
import re

import numpy as np
import pytest

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.labs.aggregation import lab as lab_aggregation
from irviz.labs.aggregation.model import handovers
from irviz.labs.aspects.model import DISTANCES, by_distance, order_text
from irviz.labs.lab import Grades, NumberList, judged_lists
from irviz.measures import measure
from irviz.menu import page_named
from irviz.workspace.context import Context, Dataset
from irviz.workspace.control import Choice, Number
from irviz.workspace.view import settle
from tests.panels import STEPPED, LabShown, claim, lab, numbers_in, opened_once, readings_of
from tests.panels import context_of as sidebar_on

NAMES = [one.name for one in STEPPED]
NO_ZERO = "0.1,0.4,0.2,0.4,0.3"  #: scores in place of those of S2, one of which is 0
PLURALS = "documents|pairs|steps|topics|systems|scores|classes|orders|users|thresholds|measures|points|grades"
ILL = re.compile(
    rf"\bnan\b|\binf\b|\bNone\b|undefined|[-−]0(?:\.0+)?(?![\d.])|  | ,|\.\.|\(\)|(?<![\d.,:])1 (?:{PLURALS})\b"
)


def context_of(collection: Collection, key: str = "mine", **texts: str) -> Context:
    return sidebar_on(Dataset(key, key.title(), collection), **texts)


@pytest.fixture(scope="module")
def adhoc() -> Context:
    return context_of(opened_once("adhoc"), "adhoc")


def said(found: LabShown) -> list[str]:
    drawings = [drawing for row in found.panel.drawings for drawing in row.values()]
    return [
        found.panel.sentence,
        *(claim.text for claim in found.claims),
        *found.panel.notes,
        *(text for drawing in drawings for text in (drawing.title, drawing.alt)),
    ]


def combined(**options: tuple[str, ...]) -> list[dict[str, str]]:
    """Settings in which every value of an option meets every value of every other, in few combinations."""
    every = [tuple(zip(options, values, strict=True)) for values in itertools.product(*options.values())]
    met = {row: set(itertools.combinations(row, 2)) for row in every}
    left, kept = set().union(*met.values()), []
    while left:
        kept.append(max(every, key=lambda row: len(met[row] & left)))
        left -= met[kept[-1]]
    return [dict(row) for row in kept]


ENDS = {
    "lab_aspects": [
        *combined(relevance=("0", "3,3"), correctness=("0", "2,2"), r=("0", "4"), c1=("0", "4"), c2=("0",)),
        *combined(distance=("manhattan", "chebyshev"), base=("nDCG", "AP"), p=("0", "1"), relevance=("0,0,3,1",)),
    ],
    "lab_aggregation": [
        {**dict.fromkeys(("s1", "s2", "s3", "s4"), row), "log": eps, "along": along}
        for row, eps, along in itertools.product(
            ("0,0,0,0,0", "1,1,1,1,1", "0,1,0,1,0"), ("-6", "2"), ("geometric", "harmonic")
        )
    ],
}


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_is_well_formed_at_the_ends_of_the_controls(name):
    wrong = {}
    for texts in ENDS.get(name, [{}]):
        wrong |= {text: texts for text in said(lab(name, **texts)) if ILL.search(text) and "of 1 documents" not in text}
    assert wrong == {}


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("lab_aggregation", dict.fromkeys(("s1", "s2", "s3", "s4"), "0,0,0,0,0")),
        ("lab_aspects", {"relevance": "0,0", "correctness": "0,0"}),
    ],
)
def test_nothing_but_zeros_gives_axes_that_can_be_read(name, texts):
    """A range of nano-scores has ticks such as 0.2n."""
    for row in lab(name, **texts).panel.drawings:
        for key, drawing in row.items():
            layout = json.loads(drawing.figure.to_json())["layout"]
            for axis, said in layout.items():
                if axis.startswith(("xaxis", "yaxis")) and "range" in said:
                    low, high = said["range"]
                    assert abs(high - low) > 1e-3, (key, axis, said["range"])


# -- every lab ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_lab_needs_no_collection_and_every_claim_has_a_source(name):
    found = lab(name)
    assert found.panel.sentence.endswith(".")
    assert page_named(name).question.endswith("?")
    assert found.claims and all(claim.text.endswith(".") and claim.source for claim in found.claims)
    assert all(one.tex and one.code and one.source for one in found.formulas)
    assert all(drawing.alt and drawing.title for row in found.panel.drawings for drawing in row.values())


@pytest.mark.parametrize("one", STEPPED, ids=lambda one: one.name)
def test_every_control_that_is_not_folded_away_moves_what_is_seen(one):
    def seen(**texts: str) -> str:
        rows = lab(one.name, **texts).panel.drawings[: one.rows]
        return "".join(drawing.figure.to_json() for row in rows for drawing in row.values())

    values, _ = settle(one.controls, {"step": "free"}, None)
    for control in one.own:
        if control.aside or not (control.shown_if is None or control.shown_if(values)):
            continue
        ends = [key for key, _ in control.options] if isinstance(control, Choice) else []
        ends += [control.format(end) for end in (control.low, control.high)] if isinstance(control, Number) else []
        assert not ends or any(seen(**{control.name: end}) != seen() for end in ends), control.name


# -- graded AP ---------------------------------------------------------------------------------------


# -- several aspects ---------------------------------------------------------------------------------


#: the example that this lab opened on in links before version 3
PAPERS = {"relevance": "1,3,3", "c1": "1.5", "c2": "1.5"}


def test_no_order_of_the_papers_three_documents_reaches_1_by_cam():
    found = lab("lab_aspects", **PAPERS)
    assert claim(found, "section 4.2 and Table 3") == (
        "The best order scores 0.9073 by CAM (d1 d2 d3), 0.9033 by MM (d2 d1 d3) and 1 by TOMA (d2 d1 d3)."
    )
    orders = found.panel.tables["Orders"].frame.set_index("order")
    assert orders["CAM"].round(4).tolist() == [0.9073, 0.8824, 0.9056, 0.8801, 0.8106, 0.8100]
    assert orders["TOMA"].round(4).tolist() == [0.9367, 0.8917, 1, 0.9775, 0.8284, 0.8509]


def test_ap_agrees_with_the_papers_table():
    orders = lab("lab_aspects", base="AP").panel.tables["Orders"].frame
    assert orders["CAM"].round(4).tolist() == [0.7917, 0.7917, 0.6667, 0.6667, 0.6667, 0.6667]
    assert orders["TOMA"].round(4).tolist() == [1, 0.8333, 1, 0.8333, 0.5833, 0.5833]


def test_without_a_conflict_everything_reaches_1():
    found = lab("lab_aspects", relevance="3,2,1", correctness="2,1,1")
    assert numbers_in(claim(found, "section 3.1")) == [], "nobody disputes their order"
    assert found.panel.tables["Orders"].frame[["CAM", "MM", "TOMA"]].max().tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("distance", "fake", "classes", "weak"), [("euclidean", 3, 10, 4), ("manhattan", 4, 10, 3), ("chebyshev", 0, 5, 1)]
)
def test_the_distance_decides_the_classes(distance, fake, classes, weak):
    """Maistro et al. 2021, Table 1: classes by distance; the class of fake news and of a weak one."""
    read = readings_of("lab_aspects", distance=distance, **PAPERS)
    assert (read["class of fake news"], read["classes"]) == (fake, classes)
    assert read["fake news minus marginal and partial"] == fake - weak
    placed = claim(lab("lab_aspects", distance=distance, **PAPERS), "section 3.4")
    assert numbers_in(placed) == [fake, 0, classes - 1, weak]


def test_the_three_distances_of_the_default_differ_in_their_order():
    values, _ = settle(page_named("lab_aspects").controls, {}, None)
    orders = {kind: order_text(by_distance(values, kind)) for kind in DISTANCES}
    assert orders == {"euclidean": "d1, d2, d3", "manhattan": "d1, d3, d2", "chebyshev": "d2, d1, d3"}


def test_toma_has_no_best_order_where_all_tie():
    found = lab("lab_aspects", relevance="2,2", correctness="1,1")
    assert found.panel.tables["Orders"].frame["TOMA"].nunique() == 1
    assert "d1 d2" not in claim(found, "section 4.2 and Table 3"), "no order is named"


def test_not_relevant_means_not_correct_unless_switched_off():
    said = [bool(lab("lab_aspects", relevance=grades).notes) for grades in ("0,3,3", "1,2,3")]
    assert said == [True, False]
    assert len(lab("lab_aspects").panel.tables["Classes"].frame) == 10
    assert len(lab("lab_aspects", dependent="0").panel.tables["Classes"].frame) == 12


def test_mm_is_zero_where_an_aspect_is():
    """The claim counts the orders that MM makes 0, where it is not all of them, or none."""
    for correctness, zeros, said in (("0,0,0", 6, [0, 0]), ("2,1,0", 0, [0])):
        found = lab("lab_aspects", correctness=correctness)
        assert int((found.panel.tables["Orders"].frame["MM"] == 0).sum()) == zeros
        assert numbers_in(claim(found, "problem 1")) == said


def test_documents_and_classes_that_leave_nothing_to_order():
    one = {"relevance": "3", "correctness": "0"}
    assert readings_of("lab_aspects", **one)["disputed pairs"] == 0
    assert numbers_in(claim(lab("lab_aspects", **one), "section 3.1")) == []
    none = {"r": "0", "c1": "0", "c2": "0"}
    flat = lab("lab_aspects", **none)
    assert readings_of("lab_aspects", **none)["classes"] == 1
    assert numbers_in(claim(flat, "section 3.4")) == []
    assert numbers_in(flat.panel.sentence) == [0], "as far from the best labels as any"


def test_the_best_order_is_best_by_both():
    found = lab("lab_aspects", p="1", relevance="3,1", correctness="1,2")
    orders = found.panel.tables["Orders"].frame.set_index("order")
    assert orders.loc["d1 d2", ["CAM", "MM"]].tolist() == [1, 1]
    best = claim(found, "section 4.2 and Table 3")
    assert "d1 d2" in best and numbers_in(best)[0] == 1


# -- aggregation -------------------------------------------------------------------------------------


def test_table_1_of_the_paper():
    found = lab("lab_aggregation").panel
    assert found.sentence == (
        "The same scores, 4 different outcomes: S1 by AM; S3 by GM and εGM; S4 by HM and εHM; S2 by median."
    )
    frame = found.tables["Means"].frame.set_index("mean").round(3)
    assert frame.loc["AM"].tolist() == [0.28, 0.26, 0.26, 0.22]
    assert frame.loc["εGM"].tolist() == [0.192, 0.151, 0.228, 0.217]
    assert frame.loc["εHM"].tolist() == [0.148, 0.034, 0.2, 0.214]
    assert frame.loc["median"].tolist() == [0.1, 0.3, 0.2, 0.2]


def test_another_score_makes_another_winner():
    high = lab("lab_aggregation", s4="0.9,0.9,0.9,0.9,0.9")
    assert high.panel.sentence == "All six averages have the same winner: S4."
    assert (readings_of("lab_aggregation")["zeros"], readings_of("lab_aggregation", s2=NO_ZERO)["zeros"]) == (1, 0)


def test_epsilon_hands_the_win_over():
    scores = np.array(lab_aggregation.TABLE_1).T
    changes = handovers(scores, "geometric")
    assert [first for _, first in changes] == [[2], [0]]
    assert 0.5 < changes[1][0] < 2
    told = claim(lab("lab_aggregation"), "as ε grows")
    assert numbers_in(told) == [pytest.approx(changes[1][0], rel=0.005)]
    assert re.findall("`S([1-4])`", told) == ["3", "1", "1"], "the last is the winner of the arithmetic mean"


def test_shared_wins_are_not_one_systems_win():
    """Of a system that wins alone the claim says how much of its total is from one topic."""
    same = dict.fromkeys(("s1", "s2"), "0.9,0.5,0.5,0.5,0.5")
    assert readings_of("lab_aggregation", **same)["winner by AM"] == "S1 and S2"
    assert numbers_in(claim(lab("lab_aggregation", **same), "section 2 and Table 1")) == []
    assert readings_of("lab_aggregation")["winner by AM"] == "S1"
    alone = numbers_in(claim(lab("lab_aggregation"), "section 2 and Table 1"))
    assert alone == [pytest.approx(0.8 / 1.4, abs=0.005)]


def test_a_score_at_the_limit_is_not_low():
    rows = dict.fromkeys(("s1", "s2", "s3", "s4"), "0.1,0.05,0.9,0.9,0.9")
    assert readings_of("lab_aggregation", **rows)["share of low scores"] == 0.2


# -- controls ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("control", "read", "value", "refused"),
    [
        (
            Grades(name="grades", label="Grades", top=3, default=(1,)),
            ("2,0,1", "2 0 1", "201"),
            (2, 0, 1),
            {
                "": "it lists 0 grades; 1 to 15 can be given",
                "1,4": "the grade 4 does not lie between 0 and 3",
                "1,x": "`1,x` is not a list of grades such as 2,0,1,0,0",
            },
        ),
        (
            NumberList(name="s1", label="S1", length=3),
            ("0.1, 0.5 1",),
            (0.1, 0.5, 1.0),
            {
                "0.1,0.2": "it lists 2 numbers; 3 are needed",
                "0,1,2": "2 does not lie between 0 and 1",
                "a,b,c": "`a,b,c` is not a list of numbers such as 0.1,0.5,0.3",
                "nan,0,0": "nan does not lie between 0 and 1",
            },
        ),
    ],
)
def test_lists_are_read_written_and_refused(control, read, value, refused):
    assert {control.parse(text) for text in read} == {value} and control.parse(control.format(value)) == value
    for text, why in refused.items():
        with pytest.raises(IrvizError) as caught:
            control.parse(text)
        assert str(caught.value) == why


def test_lists_of_one_pool_are_scored_together():
    judged = judged_lists([[2, 0, 1], [0, 1, 2]], top=2)
    assert measure("AP").evaluate(judged) == pytest.approx([5 / 6, (1 / 2 + 2 / 3) / 2])
    with pytest.raises(IrvizError) as refused:
        judged_lists([[2, 0], [1, 0]], top=2)
    assert str(refused.value) == "These lists do not contain the same documents, so they share no pool."
