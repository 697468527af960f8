"""The bench: its facts, figures and sweeps are the numbers of the analyses, and one move computes one measure."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.explore.what_if import parameters_of
from irviz.measures.aggregation import AGGREGATIONS
from irviz.measures.catalogue import MEASURES
from irviz.menu import page_named
from irviz.publish.draw import draw
from irviz.stats.scores import Scores
from irviz.stats.sweep import parse_sweep
from irviz.ui.parameters import suggestions
from irviz.workspace.context import Context, Dataset
from irviz.workspace.data import library
from irviz.workspace.view import View, settle
from tests.panels import check_headings, context_of, drawing_of, facts_of, numbers_in, opened_once, panel_of, selecting

FEW = {"trials": "60", "repeats": "2"}
NAMES = "AP,P@10,RBP(p=0.8)"


@pytest.fixture(scope="module")
def adhoc() -> Dataset:
    whole = opened_once("adhoc")
    return Dataset("adhoc", "Ad hoc", whole.subset(topics=whole.topics[:20], systems=whole.systems[::2]))


@pytest.fixture(scope="module")
def context(adhoc) -> Context:
    return context_of(adhoc, measures=NAMES)


def test_the_facts_are_the_four_consequences_as_the_analyses_find_them(adhoc, context):
    panel = panel_of(context, "what_if", before="RBP(p=0.5)", **FEW)
    c, pair = adhoc.collection, ["RBP(p=0.5)", "RBP(p=0.8)"]
    s = irviz.score(c, [*pair, "AP", "P@10"])
    tests = [irviz.significance(s[name], trials=60).separated for name in pair]
    gained, lost = ((tests[1] & ~tests[0]).sum() // 2, (tests[0] & ~tests[1]).sum() // 2)
    tau = irviz.similarity(s).values
    pools = irviz.pool_reduction(c, pair, rates=[0.1], repeats=2).tau[:, 0]
    facts = facts_of(panel)
    assert (facts["significant pairs of means"].before, facts["significant pairs of means"].value) == tuple(
        one.sum() // 2 for one in tests
    )
    assert numbers_in(facts["significant pairs of means"].why) == [gained, lost]
    others, pool = facts["mean with the others"], next(fact for fact in panel.all_facts if "of the pool" in fact.label)
    assert [others.before, others.value] == pytest.approx(tau[:2, 2:].mean(axis=1))
    assert [pool.before, pool.value] == pytest.approx(pools)
    assert numbers_in(panel.sentence)[0] == pytest.approx(tau[0, 1], abs=5e-3)
    ranks = np.array([irviz.summarise(s[name]).rank(ascending=False, method="min") for name in pair])
    assert facts["change place"].value == (ranks[0] != ranks[1]).sum()
    table = panel.tables["Properties"].frame
    again = irviz.sweep(c, "{}", pair[::-1], others=NAMES.split(","), trials=60, repeats=2).frame()
    assert table.equals(again)
    check_headings(panel, "what_if")


def test_curves_are_the_p_values_and_the_pools_of_both_states(adhoc, context):
    panel = panel_of(context, "what_if", before="AP", **FEW)
    s = irviz.score(adhoc.collection, ["AP", "RBP(p=0.8)"])
    for trace, name in zip(drawing_of(panel, "asl").figure.data, s.measures, strict=False):
        asl = irviz.significance(s[name], trials=60).asl
        assert np.array_equal(trace.y, np.round(asl[len(asl) - np.asarray(trace.x, dtype=np.intp)], 5))
    found = irviz.pool_reduction(adhoc.collection, list(s.measures), repeats=2)
    lines = [trace for trace in drawing_of(panel, "pools").figure.data if trace.mode == "lines+markers"]
    assert [list(trace.y) for trace in lines] == np.round(found.tau, 4).tolist()


def test_the_first_of_both_states_are_those_with_the_highest_average(adhoc):
    names = ["AP", "P@1", "nDCG@10", "Bpref"]
    context, c = context_of(adhoc, measures=",".join(names)), adhoc.collection
    for name in names:
        means = irviz.summarise(irviz.score(c, [name])[name])
        first = means.index[means > means.max() - 1e-12]
        alone = facts_of(panel_of(context, "what_if", measure=name, **FEW))["first"]
        assert alone.names == tuple(first) and alone.value == pytest.approx(means.max())
        if name != "AP":
            moved = facts_of(panel_of(context, "what_if", measure=name, before="AP", **FEW))["change place"]
            assert all(system in moved.why for system in first)


def test_a_picked_pair_is_marked_in_both_figures(adhoc, context):
    a, b = adhoc.systems[:2]
    panel = panel_of(selecting(context, a, b), "what_if", **FEW)
    p = irviz.significance(irviz.score(adhoc.collection, ["RBP(p=0.8)"])["RBP(p=0.8)"], trials=60).p_values[0, 1]
    cross = drawing_of(panel, "asl").figure.data[-2]
    assert cross.marker.symbol == "x" and list(cross.y) == [round(float(p), 5)]
    means = irviz.summarise(irviz.score(adhoc.collection, ["RBP(p=0.8)"]))[[a, b]]
    assert list(drawing_of(panel, "distribution").figure.data[-1].x[-2:]) == [round(x, 5) for x in means]
    alone = panel_of(selecting(context, a), "what_if", **FEW)
    assert len(drawing_of(alone, "asl").figure.data[-1].y) == len(adhoc.systems) - 1


def test_every_figure_leads_to_its_page_with_the_same_choices(adhoc):
    context = context_of(adhoc, measures=NAMES, summary="median", topics=",".join(adhoc.topics[:6]), depth="50")
    panel = panel_of(context, "what_if", before="AP", **FEW)
    ways = [drawing.opens[1] for row in panel.drawings for drawing in row.values()]
    assert [view.page for view in ways] == ["scores", "similarity", "discriminative", "incomplete"]
    for view in ways:
        assert {key: view.values[key] for key in ("summary", "depth")} == {"summary": "median", "depth": "50"}
        assert view.values["topics"].split(",") == list(adhoc.topics[:6])
    assert ways[1].values["first"] == "RBP(p=0.8)" and ways[1].values["second"] == "AP"


def test_ties_one_system_one_topic_and_imported_scores(adhoc):
    blank = adhoc.collection.with_labels(np.zeros_like(adhoc.collection.labels))
    tied = panel_of(context_of(Dataset("m", "M", blank), measures="AP,P@10"), "what_if", before="P@5", **FEW)
    assert "undefined" in tied.sentence and not facts_of(tied)["mean with the others"].is_defined
    assert facts_of(tied)["change place"].value == 0
    tying = context_of(Dataset("m", "M", blank), measures="CWLA(C=RBP(p=0.8),A=ERG)")
    for sweep in ("A", "C.p"):
        facts = facts_of(panel_of(tying, "what_if", sweep=sweep, points="3", **FEW))
        assert facts["most significant pairs"].value == facts["higher than now in both"].value == 0
        assert not next(fact for label, fact in facts.items() if "highest" in label).is_defined
    one = panel_of(context_of(adhoc, measures=NAMES, only=adhoc.systems[0]), "what_if", before="AP", **FEW)
    assert [*facts_of(one)] == ["first"] and [*one.drawings[0]] == ["distribution"]
    topic = panel_of(context_of(adhoc, measures=NAMES, topics=adhoc.topics[0]), "what_if", before="AP", **FEW)
    assert [key for row in topic.drawings for key in row] == ["distribution", "heatmap", "pools"]
    values = np.random.Generator(np.random.PCG64(1)).random((2, 5, 4))
    cube = Scores(values, ("x", "y"), tuple("12345"), tuple("abcd"))
    mine = panel_of(context_of(Dataset("s", "S", imported_scores=cube)), "what_if", before="y", **FEW)
    assert "y → x" in mine.sentence
    assert [key for row in mine.drawings for key in row] == ["distribution", "heatmap", "asl"]


def test_a_state_before_that_does_not_fit_the_data_is_named_and_left_out(context):
    panel = panel_of(context, "what_if", before="GAP(g=[0.1,0.1,0.1,0.7])", **FEW)
    assert "change place" not in facts_of(panel) and "`GAP(g=[0.1,0.1,0.1,0.7])`" in panel.notes[0]


def test_before_is_read_as_an_expression_and_hostile_text_is_refused(context):
    control = next(one for one in page_named("what_if").controls if one.name == "before").fit(context)
    assert control.parse(" RBP( p=0.50 ) ") == "RBP(p=0.5)" and control.parse("") == ""
    for text in ("<b>AP</b>", "RBP(p=2)", "nDGC", "AP" * 20_000):
        with pytest.raises(IrvizError):
            control.parse(text)
    values, complaints = settle(page_named("what_if").controls, {"before": "<b>"}, context)
    assert values["before"] == "" and len(complaints) == 1
    assert View.from_texts("what_if", before="RBP(p=0.5)").to_url().endswith("before=RBP(p=0.5)")


def test_knobs_are_numbers_choices_parts_and_cutoffs():
    knobs = {k.path: k for k in parameters_of("CWLA(C=INST(T=2.25),A=PE(beta=0.5))")}
    assert {path: k.present for path, k in knobs.items()} == {
        "C": "INST(T=2.25)",
        "C.T": 2.25,
        "A": "PE(beta=0.5)",
        "A.beta": 0.5,
    }
    assert "INST(T=2.25)" in knobs["C"].values and "RBP(p=0.8)" in knobs["C"].values
    cutoff, distance, _ = parameters_of("TOMA(AP@10,distance='euclidean')")
    assert (distance.values, cutoff.template) == (
        ("'euclidean'", "'manhattan'", "'chebyshev'"),
        "TOMA(AP@{},distance='euclidean')",
    )
    cutoff = parameters_of("nDCG@10", depth=100)[-1]
    assert cutoff.template == "nDCG@{}" and cutoff.values[-1] == 100 and 10 in cutoff.values
    assert parameters_of("AP") == parameters_of("AP", grades=(0.0, 1.0)) == parameters_of("no measure") == ()
    (grade,) = parameters_of("AP", grades=(0.0, 1.0, 2.0))
    assert (grade.template, grade.present, grade.values) == ("AP(rel={})", 1.0, (1.0, 2.0))
    knobs = {k.path: k for k in parameters_of("nDCG(gains=[0,1,3])@10", points=3, grades=(0.0, 1.0, 2.0))}
    gain = knobs["gains.3"]
    assert (gain.path, gain.word, gain.moving_numbers) == ("gains.3", "gains₂", (1.0, 3.0, 3.5, 6.0))
    discount = parameters_of("nDCG@10")[0]
    assert parse_sweep(discount.template, discount.values)[0] == ("nDCG@10", "nDCG(dcg='exp-log2')@10")
    assert 0.735 in parameters_of("RBP(p=0.735)")[0].values
    assert len(parameters_of("RBP(p=0.05)", points=5)[0].values) == 5


def test_every_value_of_a_knob_makes_another_measure():
    offered = {text.partition("(")[0].partition("@")[0]: text for text in suggestions(opened_once("multiaspect"))}
    assert offered.keys() >= {kind.symbol for kind in MEASURES}
    for expression in offered.values():
        for knob in parameters_of(expression):
            names, given = parse_sweep(knob.template, knob.values)
            assert names[given.index(knob.present)] == expression


def test_a_sweep_over_choices_has_all_of_them_that_do_not_tie_all_lists(adhoc):
    several = Dataset("m", "M", opened_once("multiaspect"))
    cases = [
        (adhoc, "CWLA(C=RBP(p=0.8),A=ERG)", "A", [str(kind()) for kind in AGGREGATIONS if not kind.blind]),
        (adhoc, "CWLA(C=ERR,A=ERG)", "A", [str(kind()) for kind in AGGREGATIONS]),
        (several, "TOMA(P@10,distance='euclidean')", "distance", ["euclidean", "manhattan", "chebyshev"]),
    ]
    for opened, label, path, options in cases:
        context = context_of(opened, measures=f"AP,{label}")
        panel = panel_of(context, "what_if", measure=label, sweep=path, **FEW)
        share = panel.tables["Properties"].frame.set_index("value").significant
        most = facts_of(panel)["most significant pairs"]
        assert most.value == share.max()
        assert list(most.names) == [value.strip("'") for value in share.index[share == share.max()]]
        assert list(drawing_of(panel, "curves").figure.layout.xaxis4.ticktext) == options


def test_a_sweep_is_that_of_the_library_and_names_the_values_that_win_on_both_sides(adhoc, context):
    x, y = "significant", "agreement"
    panel = panel_of(context, "what_if", sweep="p", points="4", **FEW)
    (knob,) = parameters_of("RBP(p=0.8)", points=4)
    found = irviz.sweep(adhoc.collection, knob.template, knob.values, others=context.measures, trials=60, repeats=2)
    assert panel.tables["Properties"].frame.equals(found.frame())
    own, at = (getattr(found, x), getattr(found, y)), knob.values.index(0.8)
    better = [i for i in range(len(knob.values)) if all(values[i] > values[at] for values in own)]
    values, _ = settle(page_named("what_if").controls, {"sweep": "p", "points": "4", **FEW}, context)
    names = {"irviz": irviz, "c": adhoc.collection}
    exec(page_named("what_if").snippet.python(context, values)[0], names)
    assert names["table"].equals(found.frame())
    facts = facts_of(panel)
    assert facts["higher than now in both"].names == tuple(f"{knob.values[i]:g}" for i in better)
    gains = found.against(0.8)
    assert panel.tables["Differences"].frame.equals(gains)
    sure = gains[[f"{x}_low", f"{y}_low"]].to_numpy()
    assert facts["of these beyond the noise"].value == sum((sure[i] > 0).all() for i in better)
    path, _, star = drawing_of(panel, "trade").figure.data
    assert list(path.x) == np.round(own[0], 4).tolist() and list(star.y) == [round(float(own[1][at]), 4)]
    check_headings(panel, "sweep")


@pytest.mark.parametrize("sweep", ["cutoff", "no.such,thing", "p" * 80, ","])
def test_a_sweep_along_what_the_measure_does_not_have_is_left_out(context, sweep):
    assert [*panel_of(context, "what_if", sweep=sweep, **FEW).drawings[0]] == ["distribution", "heatmap"]


def test_the_ranks_of_a_picked_system_stand_beside_the_measures_and_below_the_pools(adhoc, context):
    system = adhoc.systems[3]
    found = irviz.pool_reduction(
        adhoc.collection, ["RBP(p=0.8)"], rates=[1.0, 0.9, 0.7, 0.5, 0.3, 0.1, 0.05], repeats=2
    )
    means = irviz.summarise(irviz.score(adhoc.collection, ["RBP(p=0.8)"])["RBP(p=0.8)"])
    assert found.ranks[0, 0].tolist() == means.rank(ascending=False, method="min").tolist()
    below = drawing_of(panel_of(selecting(context, system), "what_if", **FEW), "pools").figure.data[-1]
    assert list(below.customdata) == found.ranks[0, 1:, 3].tolist()
    first, second, *others = (f"{rank:.0f}" for rank in found.ranks[0, 1:, 3])
    assert second and list(below.text) == [first, "", *others]  # two would overlap
    heat = drawing_of(panel_of(selecting(context, system), "what_if", **FEW), "heatmap").figure
    said = [note.text for note in heat.layout.annotations if note.text.endswith(".")]
    assert np.shape(heat.data[0].z)[1] == len(NAMES.split(","))  # the browser paints them so
    s = irviz.score(adhoc.collection, NAMES.split(","))
    ranks = [irviz.summarise(s[name]).rank(ascending=False, method="min")[system] for name in s.measures]
    assert said == [f"{rank:.0f}." for rank in ranks]


def test_reduced_pools_that_turn_a_marked_pair_round_are_counted(adhoc, context):
    label = "RBP(p=0.8)"
    found = irviz.pool_reduction(adhoc.collection, [label], rates=[0.9, 0.7, 0.5, 0.3, 0.1, 0.05], repeats=2)
    full = irviz.summarise(irviz.score(adhoc.collection, [label])[label]).rank(ascending=False).to_numpy()
    seen = set()
    for i, j in combinations(range(4), 2):
        at = (found.ranks[0, :, i] - found.ranks[0, :, j]) * (full[i] - full[j]) < 0
        facts = facts_of(panel_of(selecting(context, adhoc.systems[i], adhoc.systems[j]), "what_if", **FEW))
        assert facts["pools that turn the selected systems round"].value == at.sum()
        seen.add(bool(at.any()))
    assert seen == {True, False}


def test_several_aspects_have_their_choices_folded_below_the_figures(context):
    several = context_of(Dataset("multiaspect", "", opened_once("multiaspect")), measures="AP,nDCG@10")
    (make,) = panel_of(several, "what_if", measure="nDCG@10", **FEW).folds.values()
    assert "CAM(nDCG@10)" in list(make().tables["Choices"].frame.measure)
    assert not panel_of(context, "what_if", **FEW).folds


def test_the_choices_of_aspects_are_those_of_what_the_measure_at_hand_is_made_of():
    label = "TOMA(RBP(p=0.95),distance='euclidean')"
    several = context_of(Dataset("multiaspect", "", opened_once("multiaspect")), measures=f"AP(rel=2),{label}")
    (make,) = panel_of(several, "what_if", measure=label, **FEW).folds.values()
    assert label in list(make().tables["Choices"].frame.measure)


def test_the_share_of_the_pool_is_the_true_one_and_has_a_tick(adhoc, context):
    few = context_of(adhoc, measures=NAMES, topics=",".join(adhoc.topics[:3]))
    for one in (few, context):
        panel = panel_of(one, "what_if", before="RBP(p=0.5)", **FEW)
        kept = irviz.pool_reduction(one.collection, ["AP"], rates=[0.1], repeats=2).kept[0]
        assert f"with {kept:.0%} of the pool" in facts_of(panel)
        assert f"{100 * kept:.0f}" in drawing_of(panel, "pools").figure.layout.xaxis.ticktext
        swept_over = panel_of(one, "what_if", sweep="p", points="3", **FEW)
        for table in (panel.tables["Properties"], *swept_over.tables.values()):
            assert table.heads["agreement"] == f"τ, {kept:.0%} of pool"
            assert set(table.paper) <= set(table.frame)
        texts = [drawing.figure.to_json() for drawing in swept_over.drawings[0].values()]
        for text in (*facts_of(swept_over), *texts):
            assert set(re.findall(r"τ with (\d+%) of", text)) <= {f"{kept:.0%}"}


@pytest.mark.parametrize(
    "then", [{"summary": "median"}, {"depth": "20"}, {"topics": "401,402,403"}, {"systems": "best"}]
)
def test_a_state_before_may_differ_in_any_control_and_may_be_pinned_on_another_page(then):
    """What is in grey is what the page shows under the choices before."""
    now = {"collection": "adhoc", "measures": NAMES, "measure": "AP", **FEW}
    alone = draw(View.from_texts("what_if", **now, **then), library()).panel
    texts = View.from_texts("", **then).to_query()
    pinned = View.from_texts("scores", collection="adhoc", measures="AP", **then).to_url()[1:]
    wanted = facts_of(alone)
    for before in ({"before": texts}, {"baseline": pinned}):
        shown = draw(View.from_texts("what_if", **now, **before), library())
        assert not shown.complaints
        facts = facts_of(shown.panel)
        label = "significant pairs of means"
        assert facts[label].before == wanted[label].value
        ticks, whole = (
            next(trace for trace in drawing_of(one, "distribution").figure.data if trace.mode == "markers")
            for one in (shown.panel, alone)
        )
        assert dict(zip(ticks.customdata, ticks.x, strict=True)) == dict(zip(whole.customdata, whole.x, strict=True))
