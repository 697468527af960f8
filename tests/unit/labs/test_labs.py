"""Whatever a lab says is computed: a test changes the input and reads the other sentence."""

from __future__ import annotations

import re

import numpy as np
import pytest

from irviz.errors import IrvizError
from irviz.labs.aggregation import lab as lab_aggregation
from irviz.labs.aggregation.model import handovers
from irviz.labs.browsing.model import walk
from irviz.labs.conventions.listing import Listing, ordered
from irviz.labs.conventions.model import CHOICES
from irviz.labs.graded_ap import model as lab_graded_ap
from irviz.labs.lab import Grades, Row, judged_lists
from irviz.labs.scales import lab as lab_scales
from irviz.labs.scales.model import partial_order
from irviz.measures import measure
from irviz.measures.browsing import BROWSING_MODELS
from irviz.menu import LABS, page_named
from irviz.workspace.context import SIDEBAR_CONTROLS, Context, Opened
from irviz.workspace.view import View, settle
from tests.panels import claim, drawing_of, lab, numbers_in, opened_once, readings_of

NAMES = [one.name for one in LABS]
ON_DATA = ["lab_conventions"]  #: the lab with a part on the loaded collection
NO_ZERO = "0.1,0.4,0.2,0.4,0.3"  #: scores in place of those of S2, one of which is 0


@pytest.fixture(scope="module")
def adhoc() -> Context:
    return context_of("adhoc")


def context_of(name: str) -> Context:
    opened = Opened(name, name.title(), opened_once(name))
    values, _ = settle(SIDEBAR_CONTROLS, {}, opened)
    return Context.of(opened, values)


# -- every lab ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_lab_needs_no_collection_and_every_claim_has_a_source(name):
    found = lab(name)
    assert found.panel.sentence.endswith(".")
    assert page_named(name).question.endswith("?")
    assert found.claims and all(claim.text.endswith(".") and claim.source for claim in found.claims)
    assert found.formulas and all(one.tex and one.code and one.source for one in found.formulas)
    assert all(drawing.alt and drawing.title for row in found.panel.drawings for drawing in row.values())
    assert found.yours is None


@pytest.mark.parametrize("name", ON_DATA)
def test_a_lab_ends_on_the_loaded_collection(name):
    context = context_of("multiaspect")
    found = lab(name, context, yours="1")
    assert found.yours is not None and "On Multiaspect" in found.yours.sentence
    assert found.yours.drawings and found.yours.tables


@pytest.mark.parametrize("name", ON_DATA)
def test_without_a_collection_the_last_part_says_so(name):
    found = lab(name, None, yours="1")
    assert found.yours is not None
    assert found.yours.sentence == "No collection is open. Choose one in the sidebar."


@pytest.mark.parametrize("name", NAMES)
def test_the_state_of_a_lab_is_a_link(name):
    one = page_named(name)
    texts = {
        "lab_scales": {"measure": "gP", "grades": "3"},
        "lab_browsing": {"grades": "0,3,1", "c": "INST", "t": "1.5", "c2": "ERR", "a2": "ERR"},
        "lab_graded_ap": {"c": "3", "g1": "0.2", "g2": "0.2", "g3": "0.6", "grades": "3,1,0"},
        "lab_aspects": {"relevance": "3,1", "correctness": "0,2", "distance": "chebyshev"},
        "lab_aggregation": {"s1": "0.9,0,0,0,0", "log": "1.5"},
        "lab_conventions": {"list": "1,(u,2)", "missed": "", "ties": "file", "kind": "nDCG@k"},
    }[name]
    read = View.from_url("http://localhost" + View.of(name, **texts).to_url())
    values, complaints = settle(one.controls, {"step": "free", **read.values}, None)
    assert complaints == [] and one.panel(None, values).sentence == lab(name, **texts).panel.sentence


# -- measurement scales ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "kind", "witness"),
    [("0.45", "ordinal", []), ("0.5", "interval", []), ("0.55", "neither", [0, 1, 1, 1, 1, 0, 0, 0])],
)
def test_rbp_changes_its_scale_at_one_half(p, kind, witness):
    """The headline says the type, and where there is none the two runs that show it; the claim what is permissible."""
    assert readings_of("lab_scales", p=p)["scale"] == kind
    found = lab("lab_scales", p=p)
    assert f"is {lab_scales.KINDS[kind]}" in found.panel.sentence
    assert numbers_in(found.panel.sentence.partition(" is ")[2])[: len(witness)] == witness
    allowed, refused = lab_scales.PERMISSIBLE[kind]
    told = claim(found, "Stevens 1946").partition(": ")[2]
    assert told == (f"{allowed}; not permissible: {refused}." if refused else f"{allowed}.")


def test_steps_that_rise_by_less_than_a_picture_shows_rise_everywhere():
    found = lab("lab_scales", measure="own", own="RBP(p=0.01)", depth="8")
    drawing = found.panel.drawings[0]["order"]
    assert "is an ordinal scale" in found.panel.sentence and drawing.title.startswith("It always rises")
    assert found.claims[0].text.startswith("The measure rises at all 255 steps")
    assert [one.name for one in drawing.figure.data if one.type == "bar"] == ["unequal steps"]
    assert readings_of("lab_scales", measure="own", own="RBP(p=0.01)", depth="8")["steps that do not rise"] == 0


@pytest.mark.parametrize(("grades", "turns"), [(2, 1 / 2), (3, 1 / 3)])
def test_the_turning_point_follows_the_grades(grades, turns):
    """How many grades; G/(G + 1); p; and how many documents the runs have."""
    turning = lab("lab_scales", grades=str(grades)).claims[3]
    assert turning.source.endswith("section 4.3")
    assert numbers_in(turning.text) == pytest.approx([grades, 1, turns, 0.5, 4], abs=5e-4)


def test_the_papers_graded_counterexample():
    found = lab("lab_scales", measure="gP", grades="3", depth="4")
    assert numbers_in(found.panel.sentence.partition("from ")[2])[:8] == [1, 1, 1, 1, 2, 0, 0, 0]


def test_too_many_runs_are_shortened_and_said_so():
    found = lab("lab_scales", grades="4", depth="8")
    assert found.notes == ("With 4 grades there are more than 1,100 runs of 8 documents; runs of 5 are shown.",)
    assert len(found.panel.tables["Runs"].frame) == 4**5


def test_the_partial_order_is_extended_by_the_total_order():
    runs = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
    order = partial_order(runs, ranked=True)
    assert order.below[runs.index((0, 2)), runs.index((2, 0))], "a swap"
    assert not order.below[runs.index((0, 2)), runs.index((1, 0))], "disputed"
    assert np.array_equal(order.below, np.triu(order.below, 1)), "never against the total order"
    assert order.heights[0] == 0 and order.heights[-1] == max(order.heights)


def test_binary_sets_leave_nothing_to_dispute():
    runs = [tuple([1] * found + [0] * (5 - found)) for found in range(6)]
    assert partial_order(runs, ranked=False).disputed == 0
    assert numbers_in(claim(lab("lab_scales", measure="P", depth="5"), "Maistro 2015")) == [6 * 5 / 2]


def test_a_refused_expression_is_a_sentence():
    values, _ = settle(lab_scales.CONTROLS, {"measure": "own", "own": "RBQ"}, None)
    with pytest.raises(IrvizError) as refused:
        lab_scales.explore(None, values)
    assert str(refused.value).startswith("There is no measure `RBQ`. Did you mean")


# -- browsing models --------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [model.symbol for model in BROWSING_MODELS])
@pytest.mark.parametrize("aggregation", ["ERG", "ETG", "avg", "max", "fin", "PE", "ERR"])
def test_the_area_is_the_measure(model, aggregation):
    for grades in ("2,0,3,1,0,0,2", "0,0,0", "3,3,3,3,3,3,3,3,3,3,3,3"):
        texts = {"c": model, "a": aggregation, "grades": grades, "end": "9"}
        found, score = lab("lab_browsing", **texts), readings_of("lab_browsing", **texts)["score"]
        assert found.panel.tables["By rank"].frame["area"].sum() == pytest.approx(score, abs=1e-9)
        assert numbers_in(found.claims[0].text.partition(": ")[2]) == [pytest.approx(score, abs=5e-5)]


def test_changing_a_grade_moves_the_score():
    before = readings_of("lab_browsing")["score"]
    after = readings_of("lab_browsing", grades="3,0,3,1,0,0,2,0,0,1")["score"]
    assert (before, after) == (pytest.approx(0.3802, abs=5e-5), pytest.approx(0.455, abs=5e-4))
    told = lab("lab_browsing").claims[2].text.partition(": ")[2]
    assert numbers_in(told) == pytest.approx([1, before, after], abs=5e-4)


def test_a_static_user_and_one_who_adapts():
    columns = {
        (model, grades): lab("lab_browsing", c=model, grades=grades).panel.tables["By rank"].frame["C"].tolist()
        for model in ("RBP", "INST")
        for grades in ("2,0,3,1", "3,0,3,1")
    }
    assert columns["RBP", "2,0,3,1"] == columns["RBP", "3,0,3,1"]
    assert columns["INST", "2,0,3,1"] != columns["INST", "3,0,3,1"]


def test_those_who_never_stop():
    """How many would read on, after which rank, and L there with them and without."""
    told = numbers_in(lab("lab_browsing").claims[1].text.partition(": ")[2])
    assert told == pytest.approx([0.8**10, 10, 10, 0.8**9, 0.8**9 - 0.8**10], abs=5e-4)
    assert numbers_in(lab("lab_browsing", c="P").claims[1].text.partition(": ")[2]) == [5]
    assert walk(measure("CWLA(C=ERR,A=ERR)@10"), (0, 1)).amount_beyond == 0, "A goes to 0 beyond the list"


def test_a_click_raises_a_grade():
    drawing = drawing_of(lab("lab_browsing", grades="2,3").panel, "curves")
    assert drawing.picks == ("grades",)
    assert [row[0] for row in drawing.figure.data[0].customdata] == ["3,3", "2,0"]


def test_two_users_side_by_side():
    found = lab("lab_browsing", c2="AP")
    assert "C=RBP" in found.panel.sentence and "C=AP" in found.panel.sentence
    assert len(drawing_of(found.panel, "area").figure.data) == 3, "AP's users never want to read on"


# -- graded AP ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("g2", [0.3, 0.6, 0.9])
def test_the_growing_list_goes_to_the_papers_limits(g2):
    g = (round(1 - g2, 6), g2)
    grown = lab_graded_ap.growing_scores(20_000, g)
    assert grown["GAP"] == pytest.approx(1, abs=2e-3)
    assert grown["xGAP"] == pytest.approx(1 - g2**2, abs=2e-3)
    assert grown["eGAP"] == pytest.approx(1 - g2, abs=2e-3)
    assert lab_graded_ap.limits(g) == pytest.approx({"GAP": 1, "xGAP": 1 - g2**2, "eGAP": 1 - g2})


@pytest.mark.parametrize("grades", [(1, 1, 1, 2), (2, 0, 1, 2, 0), (1, 1), (1, 2, 3), (2, 3, 0, 3, 2)])
def test_documents_of_grade_1_on_top_of_any_list_lead_where_it_says(grades):
    g = (0.2, 0.3, 0.5) if max(grades) == 3 else (0.1, 0.9)
    grown = lab_graded_ap.growing_scores(20_000, g, grades)
    assert lab_graded_ap.limits(g, grades) == pytest.approx(
        {name: grown[name] for name in ("GAP", "xGAP", "eGAP")}, abs=2e-3
    )


def test_one_list_drives_the_headline_the_figure_and_the_table():
    found = lab("lab_graded_ap", grades="1,1,1,2", top="150")
    scores = lab_graded_ap.growing_scores(150, (0.1, 0.9), (1, 1, 1, 2))
    assert f"GAP {scores['GAP']:.3f}" in found.panel.sentence
    growing = {trace.name: trace for trace in drawing_of(found.panel, "growing").figure.data}["GAP"]
    assert dict(zip(growing.x, growing.y, strict=True))[150] == pytest.approx(scores["GAP"], abs=1e-4)
    assert len(found.panel.tables["By document"].frame) == 154


@pytest.mark.parametrize(("g1", "gap", "xgap"), [(0.5, 0.17, 0.55), (0.1, 0.5, 0.91)])
def test_the_papers_example_of_which_document_is_picked(g1, gap, xgap):
    """Ferrante et al. 2014, section 3: of ten documents of grade 1 and one of grade 2, how likely that is the one."""
    told = claim(lab("lab_graded_ap", g1=f"{g1}", g2=f"{1 - g1}"), "2014, sections 3 and 4")
    assert numbers_in(told) == [1, gap, xgap]


def test_when_all_users_agree_so_do_the_measures():
    agreed = readings_of("lab_graded_ap", g1="1", g2="0")
    assert agreed["GAP"] == agreed["xGAP"] == agreed["eGAP"]
    told = numbers_in(claim(lab("lab_graded_ap", g1="1", g2="0"), "section 6"))
    assert told == [1, pytest.approx(agreed["GAP"], abs=5e-4)]
    apart = readings_of("lab_graded_ap")
    assert len({apart[name] for name in ("GAP", "xGAP", "eGAP")}) == 3
    assert numbers_in(claim(lab("lab_graded_ap"), "section 6")) == [2]


@pytest.mark.parametrize(
    ("g", "said"), [(("0.5", "1"), [1.5, 1, 0.333, 0.667]), (("0.1", "0"), [0.1, 1, 1, 0]), (("0", "0"), [0])]
)
def test_shares_are_scaled_and_said_so(g, said):
    """What the sliders sum to, what they should, and the shares that are used in their place."""
    sentence = lab("lab_graded_ap", g1=g[0], g2=g[1]).panel.sentence
    assert numbers_in(sentence)[: len(said)] == said
    read = readings_of("lab_graded_ap", g1=g[0], g2=g[1])
    assert read["g1"] + read["g2"] == pytest.approx(1)
    assert numbers_in(lab("lab_graded_ap").panel.sentence)[:2] == [0.1, 0.9], "nothing is said where nothing is done"


def test_a_click_in_the_triangle_sets_all_shares():
    drawing = drawing_of(lab("lab_graded_ap", c="3").panel, "g")
    assert drawing.picks == ("g1", "g2", "g3")
    assert np.allclose(np.array(drawing.figure.data[0].customdata).sum(axis=1), 1)


# -- several aspects --------------------------------------------------------------------------------------


PAPERS = {
    "relevance": "1,3,3",
    "c1": "1.5",
    "c2": "1.5",
}  #: the example that this lab opened on in links before version 3


def test_no_order_of_the_papers_three_documents_reaches_1_by_cam():
    found = lab("lab_aspects", **PAPERS)
    assert found.panel.sentence == (
        "Whatever the order, these documents score at most 0.9073 by CAM (d1 d2 d3) and 0.9033 by MM (d2 d1 d3); "
        "TOMA's best order, d2 d1 d3, scores 1."
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
    assert numbers_in(claim(found, "section 4.2 and Table 3"))[:3] == [1, 1, 1]
    assert found.panel.tables["Orders"].frame[["CAM", "MM", "TOMA"]].max().tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("distance", "fake", "classes", "weak"), [("euclidean", 3, 10, 4), ("manhattan", 4, 10, 3), ("chebyshev", 0, 5, 1)]
)
def test_the_distance_decides_the_classes(distance, fake, classes, weak):
    """Maistro et al. 2021, Table 1: pairs of labels, classes by distance; the class of fake news and of a weak one."""
    read = readings_of("lab_aspects", distance=distance, **PAPERS)
    assert (read["class of fake news"], read["classes"]) == (fake, classes)
    assert read["fake news minus marginal and partial"] == fake - weak
    counted, placed = (
        one.text for one in lab("lab_aspects", distance=distance, **PAPERS).claims if "section 3.4" in one.source
    )
    assert numbers_in(counted) == [10, 10, 10, 5] and numbers_in(placed) == [fake, 0, classes - 1, weak]


def test_the_three_distances_of_the_default_differ_in_their_order():
    of = {}
    for name in ("euclidean", "manhattan", "chebyshev"):
        values, _ = settle(page_named("lab_aspects").controls, {"distance": name}, None)
        found = page_named("lab_aspects").readings(values)
        of[name] = sorted(("d1", "d2", "d3"), key=lambda one, found=found: -found[f"class of {one}"])
    assert of == {
        "euclidean": ["d1", "d2", "d3"],
        "manhattan": ["d1", "d3", "d2"],
        "chebyshev": ["d2", "d1", "d3"],
    }


def test_a_click_moves_the_document_that_was_chosen_and_adds_the_next_one():
    three = drawing_of(lab("lab_aspects", doc="4").panel, "plane")
    assert three.hint == "drag a document, or click a point to add d4 there"
    best = next(row for row in three.figure.data if row.customdata is not None).customdata[0]
    assert [text.split(",")[:3] for text in best[:2]] == [["1", "2", "3"], ["2", "1", "0"]] and best[0].count(",") == 3
    moved = drawing_of(lab("lab_aspects", doc="4", relevance="1,2,3,0", correctness="2,1,0,0").panel, "plane")
    assert moved.hint == "drag a document, or click a point to move d4 there"
    uneven = drawing_of(lab("lab_aspects", doc="1", relevance="1,2,3,3", correctness="2,1").panel, "plane")
    texts = next(row for row in uneven.figure.data if row.customdata is not None).customdata[0]
    assert texts[0].count(",") == texts[1].count(",") == 1


def test_toma_has_no_best_order_where_all_tie():
    found = lab("lab_aspects", relevance="2,2", correctness="1,1")
    assert found.panel.tables["Orders"].frame["TOMA"].nunique() == 1
    assert "d1 d2" not in found.panel.sentence.split(";")[-1], "no order is named"


def test_not_relevant_means_not_correct_unless_switched_off():
    assert [note[:3] for note in lab("lab_aspects", relevance="0,3,3").notes] == ["d1 "]
    assert lab("lab_aspects").notes == ()
    assert len(lab("lab_aspects").panel.tables["Classes"].frame) == 10
    assert len(lab("lab_aspects", dependent="0").panel.tables["Classes"].frame) == 12


def test_a_click_on_the_plane_moves_the_chosen_document():
    drawing = drawing_of(lab("lab_aspects", doc="2").panel, "plane")
    assert drawing.picks == ("relevance", "correctness")
    clicks = [
        list(row[:2]) for trace in drawing.figure.data if trace.customdata is not None for row in trace.customdata
    ]
    assert ["1,3,3", "2,2,0"] in clicks and ["1,2,3", "2,1,0"] in clicks


def test_mm_is_zero_where_an_aspect_is():
    """The claim counts the orders that MM makes 0, where it is not all of them, or none."""
    for correctness, zeros, said in (("0,0,0", 6, [0, 0]), ("2,1,0", 0, [0])):
        found = lab("lab_aspects", correctness=correctness)
        assert int((found.panel.tables["Orders"].frame["MM"] == 0).sum()) == zeros
        assert numbers_in(claim(found, "problem 1")) == said


# -- aggregation -------------------------------------------------------------------------------------------


def test_the_papers_four_systems_have_four_winners():
    assert lab("lab_aggregation").panel.sentence == (
        "The same scores, 4 different outcomes: `S1` wins by the arithmetic mean; `S3` wins by the geometric mean and "
        "the ε-geometric mean; `S4` wins by the harmonic mean and the ε-harmonic mean; `S2` wins by the median."
    )


def test_table_1_of_the_paper():
    frame = lab("lab_aggregation").panel.tables["Means"].frame.set_index("mean").round(3)
    assert frame.loc["AM"].tolist() == [0.28, 0.26, 0.26, 0.22]
    assert frame.loc["εGM"].tolist() == [0.192, 0.151, 0.228, 0.217]
    assert frame.loc["εHM"].tolist() == [0.148, 0.034, 0.2, 0.214]
    assert frame.loc["median"].tolist() == [0.1, 0.3, 0.2, 0.2]


def test_another_score_makes_another_winner():
    assert lab("lab_aggregation", s4="0.9,0.9,0.9,0.9,0.9").panel.sentence == "All six averages agree: `S4` wins."
    assert (readings_of("lab_aggregation")["zeros"], readings_of("lab_aggregation", s2=NO_ZERO)["zeros"]) == (1, 0)
    with_zero, without = (lab("lab_aggregation", **texts).claims[1].text for texts in ({}, {"s2": NO_ZERO}))
    assert numbers_in(with_zero) == [0, 0.01, 0.151, 0, 0] and numbers_in(without) == [0, 0]


def test_epsilon_hands_the_win_over():
    scores = np.array(lab_aggregation.TABLE_1).T
    changes = handovers(scores, "geometric")
    assert [first for _, first in changes] == [[2], [0]]
    assert 0.5 < changes[1][0] < 2
    told = claim(lab("lab_aggregation"), "as ε grows")
    assert numbers_in(told) == [pytest.approx(changes[1][0], rel=0.005)]
    assert re.findall("`S([1-4])`", told) == ["3", "1", "1"], "the last is the winner of the arithmetic mean"


@pytest.mark.parametrize(
    ("rows", "low", "near", "change"),
    [
        ({}, 0.05, "TREC-8", -0.018),
        ({"s3": "0,0.05,0,0.2,0", "s2": "0,0.01,0.02,0.4,0", "s4": "0,0,0.01,0.1,0"}, 0.6, "TREC-9", 0.071),
    ],
)
def test_low_scores_are_compared_with_the_papers_collections(rows, low, near, change):
    """Ravana & Moffat 2009, Tables 2 and 3: the nearest collection's share of low scores, and by how much τ changes."""
    share, gain = lab_aggregation.PUBLISHED[near]
    read = readings_of("lab_aggregation", **rows)
    assert read["share of low scores"] == pytest.approx(low) and gain == pytest.approx(change)
    told = claim(lab("lab_aggregation", **rows), "section 5.2")
    assert near in told and read["zeros"] == numbers_in(told)[0] * 20
    assert numbers_in(told)[1:] == pytest.approx([20, 0, low, 0.1, round(share, 2), abs(gain)])


# -- conventions ----------------------------------------------------------------------------------------------


def test_two_tools_and_the_convention_between_them():
    found = lab("lab_conventions")
    assert found.panel.sentence == (
        "Mean AP of this run is 0.2429 by trec_eval 9 with -c and 0.6667 by cwl_eval's AP; the largest of the 3 "
        "steps between them is “AP is divided by: relevant documents retrieved” (0.2667)."
    )
    steps = [numbers_in(one.text) for one in found.claims[:3]]
    assert steps == [[0.0429, 0.2429, 0.2], [0.2, 0.2, 0.4], [0.2667, 0.4, 0.6667]]


def test_the_same_tool_twice_agrees_until_a_toggle_is_moved():
    same = lab("lab_conventions", second="trec_eval-c")
    assert same.panel.sentence.endswith("agree on this run: mean AP is 0.2429 by both.")
    other = lab("lab_conventions", second="trec_eval-c", unjudged="removed")
    words, options, _ = CHOICES["unjudged"]
    assert f"{words}: {options['removed']}" in other.panel.sentence


@pytest.mark.parametrize("kind", ["AP", "AP@k", "nDCG@k", "P@k"])
def test_every_toggle_is_offered_where_it_touches_the_measure(kind):
    values, _ = settle(page_named("lab_conventions").controls, {"kind": kind}, None)
    shown = {one.name for one in page_named("lab_conventions").controls if one.shown_if is None or one.shown_if(values)}
    assert {name for name, (_, _, kinds) in CHOICES.items() if kind in kinds} == shown & set(CHOICES)


def test_ties_in_words():
    """How many documents tie; the least, the greatest and the mean of all their orders; then single orders."""
    read = readings_of("lab_conventions")
    ends = [read[name] for name in ("lowest", "highest", "expected")]
    told = numbers_in(claim(lab("lab_conventions"), "McSherry"))
    assert told == pytest.approx([5, *ends, 0.4857, 0.4], abs=5e-5)
    assert numbers_in(claim(lab("lab_conventions", list="1,0,2"), "McSherry")) == []
    assert numbers_in(claim(lab("lab_conventions", list="1,(0,0),2"), "McSherry")) == [2, 0.375]


def test_where_ties_are_not_worked_out_the_lab_says_why_and_what_to_choose():
    texts = {"kind": "AP@k", "first": "cwl_eval", "k": "3"}
    found = lab("lab_conventions", **texts)
    assert "lowest" not in readings_of("lab_conventions", **texts)
    assert not any("open" in row for row in found.panel.drawings)
    assert numbers_in(claim(found, "McSherry")) == [3, 3], "no bounds: the cutoff, and why"
    for other in ({"kind": "AP@k"}, {"kind": "AP", "first": "cwl_eval"}):
        assert "lowest" in readings_of("lab_conventions", **other)
        assert any("open" in row for row in lab("lab_conventions", **other).panel.drawings)


def test_every_change_on_the_collection_is_weighed(adhoc):
    found = lab("lab_conventions", adhoc, yours="1", system=adhoc.systems[0])
    assert found.yours is not None
    rows = found.yours.tables["One change at a time"].frame
    assert set(rows["convention"]) == {CHOICES[name][0] for name in ("ties", "missing", "unjudged", "rel", "base")}
    topics = found.yours.tables["Topics"].frame
    steps = topics.drop(columns=["topic", "first", "second", "counts in"]).sum(axis=1)
    assert np.allclose(topics["first"] + steps, topics["second"])


def test_tie_rules_are_not_offered_without_the_files():
    collection = opened_once("adhoc")
    opened = Opened("mine~40x50~0", "Mine", collection)
    values, _ = settle(SIDEBAR_CONTROLS, {}, opened)
    found = lab("lab_conventions", Context.of(opened, values), yours="1")
    assert found.yours is not None
    assert "Tie rule" not in set(found.yours.tables["One change at a time"].frame["convention"])
    assert found.yours.notes[-1] == (
        "The tie rule and the bounds over ties need the scores in the run files, which are at hand for the bundled "
        "collections only. It stays as it was loaded: `trec_eval`."
    )


# -- controls ---------------------------------------------------------------------------------------------------


def test_grades_are_read_and_refused():
    control = Grades(name="grades", label="Grades", top=3, default=(1,))
    assert control.parse("2,0,1") == control.parse("2 0 1") == control.parse("201") == (2, 0, 1)
    assert control.format((2, 0, 1)) == "2,0,1" == control.format("2,0,1")
    for text, why in {
        "": "it lists 0 grades; 1 to 15 can be given",
        "1,4": "the grade 4 does not lie between 0 and 3",
        "1,x": "`1,x` is not a list of grades such as 2,0,1,0,0",
    }.items():
        with pytest.raises(IrvizError) as refused:
            control.parse(text)
        assert str(refused.value) == why


def test_rows_are_read_and_refused():
    control = Row(name="s1", label="S1", length=3)
    assert control.parse("0.1, 0.5 1") == (0.1, 0.5, 1.0)
    for text, why in {
        "0.1,0.2": "it lists 2 numbers; 3 are needed",
        "0,1,2": "2 does not lie between 0 and 1",
        "a,b,c": "`a,b,c` is not a list of numbers such as 0.1,0.5,0.3",
        "nan,0,0": "nan does not lie between 0 and 1",
    }.items():
        with pytest.raises(IrvizError) as refused:
            control.parse(text)
        assert str(refused.value) == why


def test_lists_with_ties_are_read_and_refused():
    control = Listing(name="list", label="List")
    assert control.parse("1,(u,2,0) 1") == ((1,), (-1, 2, 0), (1,))
    assert control.format(control.parse("1,(u,2,0),1")) == "1,(u,2,0),1"
    for text, why in {
        "": "`` is not a list such as 1,0,(u,2,0),1",
        "1,((2,0)": "`1,((2,0)` is not a list such as 1,0,(u,2,0),1",
        "1,9": "the grade 9 does not lie between 0 and 3",
        "1" * 13: "it lists 13 documents; a list here has 1 to 12",
    }.items():
        with pytest.raises(IrvizError) as refused:
            control.parse(text)
        assert str(refused.value) == why


def test_tie_rules_order_tied_documents_only():
    groups = ((1,), (0, -1, 2), (0,))
    assert ordered(groups, "file") == ordered(groups, "trec_eval_ascending") == [0, 1, 2, 3, 4]
    assert ordered(groups, "trec_eval") == ordered(groups, "trec_eval10") == [0, 3, 2, 1, 4]


def test_lists_of_one_pool_are_scored_together():
    judged = judged_lists([[2, 0, 1], [0, 1, 2]], top=2)
    assert measure("AP").evaluate(judged) == pytest.approx([5 / 6, (1 / 2 + 2 / 3) / 2])
    with pytest.raises(IrvizError) as refused:
        judged_lists([[2, 0], [1, 0]], top=2)
    assert str(refused.value) == "These lists do not contain the same documents, so they share no pool."
