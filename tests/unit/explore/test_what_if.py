"""The bench: its sentence, figures and sweeps are the numbers of the analyses, and one move computes one measure."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.errors import IrvizError
from irviz.explore.what_if import Knob, parameters_of, sweep_panel
from irviz.menu import page_named
from irviz.stats.scores import Scores
from irviz.workspace import cache
from irviz.workspace.context import Context, Opened
from irviz.workspace.view import View, settle
from tests.panels import check_headings, context_of, drawing_of, numbers_in, opened_once, panel_of

FEW = {"trials": "60", "repeats": "2"}
NAMES = "AP,P@10,RBP(p=0.8)"


@pytest.fixture(scope="module")
def adhoc() -> Opened:
    return Opened("adhoc", "Ad hoc", opened_once("adhoc"))


@pytest.fixture(scope="module")
def context(adhoc) -> Context:
    return context_of(adhoc, measures=NAMES)


def test_the_sentence_says_the_four_consequences_as_the_analyses_do(adhoc, context):
    panel = panel_of(context, "what_if", before="RBP(p=0.5)", **FEW)
    c, pair = adhoc.collection, ["RBP(p=0.5)", "RBP(p=0.8)"]
    s = irviz.score(c, [*pair, "AP", "P@10"])
    tests = [irviz.significance(s[name], trials=60).separated for name in pair]
    gained, lost = ((tests[1] & ~tests[0]).sum() // 2, (tests[0] & ~tests[1]).sum() // 2)
    tau = irviz.similarity(s).values
    pools = irviz.pool_reduction(c, pair, [0.1], repeats=2).tau[:, 0]
    means = tau[:2, 2:].mean(axis=1)
    assert panel.sentence.startswith("p 0.5 → 0.8: ")
    for number in (gained, lost):
        assert int(number) in numbers_in(panel.sentence) or number == 0
    for number in (tau[0, 1], *means, *pools):
        assert f"{number:.2f}" in panel.sentence
    table = panel.tables["States"].frame
    again = irviz.sweep(c, "{}", pair[::-1], NAMES.split(","), trials=60, repeats=2).frame()
    assert table.equals(again)
    check_headings(panel, "what_if")


def test_curves_are_the_p_values_and_the_pools_of_both_states(adhoc, context):
    panel = panel_of(context, "what_if", before="AP", **FEW)
    s = irviz.score(adhoc.collection, ["AP", "RBP(p=0.8)"])
    for trace, name in zip(drawing_of(panel, "asl").figure.data, s.measures, strict=False):
        asl = irviz.significance(s[name], trials=60).asl
        assert np.array_equal(trace.y, np.round(asl[np.asarray(trace.x) - 1], 5))
    found = irviz.pool_reduction(adhoc.collection, list(s.measures), repeats=2)
    lines = [trace for trace in drawing_of(panel, "pools").figure.data if trace.mode == "lines+markers"]
    assert [list(trace.y) for trace in lines] == np.round(found.tau, 4).tolist()


def test_the_sentence_names_a_new_first_place(adhoc):
    names = ["AP", "P@1", "nDCG@10", "Bpref"]
    context, c = context_of(adhoc, measures=",".join(names)), adhoc.collection
    first = {}
    for name in names:
        means = irviz.summarise(irviz.score(c, [name])[name])
        first[name] = list(means.index[means > means.max() - 1e-12])
    for name in names[1:]:
        sentence = panel_of(context, "what_if", measure=name, before="AP", **FEW).sentence
        assert ("first place goes from" in sentence) == (first[name] != first["AP"])
        if first[name] != first["AP"]:
            assert f"from `{first['AP'][0]}`" in sentence and f"`{first[name][0]}`" in sentence
    assert any(first[name] != first["AP"] for name in names)


def test_a_picked_pair_is_marked_in_both_figures(adhoc, context):
    a, b = adhoc.systems[:2]
    panel = panel_of(context, "what_if", a=a, b=b, **FEW)
    p = irviz.significance(irviz.score(adhoc.collection, ["RBP(p=0.8)"])["RBP(p=0.8)"], trials=60).p_values[0, 1]
    cross = drawing_of(panel, "asl").figure.data[-1]
    assert cross.marker.symbol == "x" and list(cross.y) == [round(float(p), 5)]
    assert len(drawing_of(panel, "distribution").figure.layout.shapes) == 2
    alone = panel_of(context, "what_if", a=a, **FEW)
    assert len(drawing_of(alone, "asl").figure.data[-1].y) == len(adhoc.systems) - 1


def test_every_figure_leads_to_its_page_with_the_same_choices(adhoc):
    context = context_of(adhoc, measures=NAMES, summary="median", topics=",".join(adhoc.topics[:6]), depth="50")
    panel = panel_of(context, "what_if", before="AP", **FEW)
    assert [view.page for _, view in panel.ways] == ["scores", "similarity", "discriminative", "incomplete"]
    for _, view in panel.ways:
        assert {key: view.values[key] for key in ("summary", "depth")} == {"summary": "median", "depth": "50"}
        assert view.values["topics"].split(",") == list(adhoc.topics[:6])
    assert panel.ways[1][1].values["first"] == "RBP(p=0.8)" and panel.ways[1][1].values["second"] == "AP"


def test_one_move_computes_only_the_measure_that_moved(context, monkeypatch):
    panel_of(context, "what_if", before="RBP(p=0.5)", **FEW)
    scored = []
    kept = cache.score
    monkeypatch.setattr(cache, "score", lambda c, names, *more: scored.extend(names) or kept(c, names, *more))
    moved = context_of(context.opened, measures="AP,P@10,RBP(p=0.735)")
    panel_of(moved, "what_if", before="RBP(p=0.8)", **FEW)
    assert scored == ["RBP(p=0.735)"]


def test_ties_one_system_one_topic_and_imported_scores(adhoc):
    blank = adhoc.collection.with_labels(np.zeros_like(adhoc.collection.labels))
    tied = panel_of(context_of(Opened("m", "M", blank), measures="AP,P@10"), "what_if", before="P@5", **FEW)
    assert "τ with before is not defined" in tied.sentence and "no pair gains or loses" in tied.sentence
    assert "stays undefined" in tied.sentence
    one = panel_of(context_of(adhoc, measures=NAMES, only=adhoc.systems[0]), "what_if", before="AP", **FEW)
    assert "the only system scores" in one.sentence and [*one.drawings[0]] == ["distribution"] and not one.folds
    topic = panel_of(context_of(adhoc, measures=NAMES, topics=adhoc.topics[0]), "what_if", before="AP", **FEW)
    assert "significance" not in topic.sentence and [key for row in topic.drawings for key in row][-1] == "pools"
    values = np.random.Generator(np.random.PCG64(1)).random((2, 5, 4))
    cube = Scores(values, ("x", "y"), tuple("12345"), tuple("abcd"))
    mine = panel_of(context_of(Opened("s", "S", imported=cube)), "what_if", before="y", **FEW)
    assert mine.sentence.startswith("`y` → `x`: ") and "pool" not in mine.sentence
    assert [key for row in mine.drawings for key in row] == ["distribution", "heatmap", "asl"]


def test_a_state_before_that_does_not_fit_the_data_is_named_and_left_out(context):
    panel = panel_of(context, "what_if", before="GAP(g=[0.1,0.1,0.1,0.7])", **FEW)
    assert panel.sentence.startswith("By `RBP(p=0.8)`") and panel.notes[0].startswith("No comparison with `GAP(")


def test_before_is_read_as_an_expression_and_hostile_text_is_refused(context):
    control = next(one for one in page_named("what_if").controls if one.name == "before").fit(context)
    assert control.parse(" RBP( p=0.50 ) ") == "RBP(p=0.5)" and control.parse("") == ""
    for text in ("<b>AP</b>", "RBP(p=2)", "nDGC", "AP" * 20_000):
        with pytest.raises(IrvizError):
            control.parse(text)
    values, complaints = settle(page_named("what_if").controls, {"before": "<b>"}, context)
    assert values["before"] == "" and len(complaints) == 1
    assert View.of("what_if", before="RBP(p=0.5)").to_url().endswith("before=RBP(p=0.5)")


def test_knobs_are_the_numbers_of_an_expression_and_its_cutoff():
    assert [(k.name, k.present) for k in parameters_of("CWLA(C=INST(T=2.25),A=PE(beta=0.5))")] == [
        ("T", 2.25),
        ("beta", 0.5),
    ]
    (cutoff,) = parameters_of("nDCG@10", depth=100)
    assert cutoff.template == "nDCG@{}" and cutoff.values[-1] == 100 and 10 in cutoff.values
    assert parameters_of("AP") == () and parameters_of("no measure") == ()
    assert 0.735 in parameters_of("RBP(p=0.735)")[0].values


def test_a_sweep_is_that_of_the_library_and_names_the_values_that_win_on_both_sides(adhoc, context):
    page = page_named("what_if")
    values, _ = settle(page.controls, FEW, context)
    knob = Knob("p", "RBP(p={})", 0.5, (0.2, 0.5, 0.9))
    panel = sweep_panel(context, values, knob)
    found = irviz.sweep(adhoc.collection, knob.template, knob.values, context.measures, trials=60, repeats=2)
    assert panel.tables["Sweep"].frame.equals(found.frame())
    better = [
        value
        for value, x, y in zip(found.values, found.significant, found.agreement, strict=True)
        if x > found.significant[1] and y > found.agreement[1]
    ]
    words = f"{len(better)} of 3 values tried" if better else "No value tried is both"
    assert words in panel.sentence
    check_headings(panel, "sweep")
