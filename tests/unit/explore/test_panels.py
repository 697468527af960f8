"""Pages say what is true of both bundled collections; that every one has words is in `tests/app/test_pages.py`."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

import irviz
from irviz.collection.codes import Finding
from irviz.collection.lint import EFFECTS
from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.explore.collection import grouped_findings
from irviz.menu import PAGES, page_named
from irviz.stats.intervals import summary_interval
from irviz.stats.scores import Scores
from irviz.stats.significance import significance
from irviz.workspace.context import Context, Dataset
from irviz.workspace.page import BEFORE, Before, RowByRow
from irviz.workspace.view import View, settle
from tests.panels import context_of, drawing_of, facts_of, opened_once, panel_of


@pytest.fixture(scope="module", params=["adhoc", "multiaspect"])
def context(request) -> Context:
    return context_of(Dataset(request.param, request.param.title(), opened_once(request.param)))


@pytest.mark.parametrize("page", [one for one in PAGES if isinstance(one.panel, RowByRow)], ids=lambda page: page.name)
def test_what_is_ready_before_the_whole_is_its_first_row(page):
    key = "tiangong" if page.name == "users" else "adhoc"
    context = context_of(Dataset(key, key, opened_once(key)))
    texts = {"measure": "RBP(p=0.8)"} if page.focus else {"trials": "100"}
    values, _ = settle(page.controls, texts, context)
    first, *_, panel = page.draw_steps(context, values)
    for row, whole in zip(first.drawings, panel.drawings, strict=False):
        assert {name: one.figure.to_json() for name, one in row.items()} == {
            name: one.figure.to_json() for name, one in whole.items()
        }


@pytest.mark.parametrize("name", ["similarity", "topics", "scores"])
def test_the_state_before_is_the_same_whether_it_was_drawn_or_is_computed(name):
    page, data, drawn = page_named(name), Dataset("dl2021", "DL 2021", opened_once("dl2021")), {}
    was, now = (context_of(data, measures="nDCG@10,AP(rel=2)", depth=depth) for depth in ("20", "100"))
    values, others = (settle(page.controls, {}, context)[0] for context in (was, now))
    list(page.draw_steps(was, values, drawn))
    before = Before(View(name), "depth 20 → 100", "20", "", (), was, values)
    panels = [[*page.draw_steps(now, {**others, BEFORE.name: before}, kept)][-1] for kept in (drawn, None)]
    assert panels[0].facts == panels[1].facts
    reused, computed = ([one.figure.to_json() for row in panel.drawings for one in row.values()] for panel in panels)
    assert reused == computed


def test_scores_are_ordered_best_first(context):
    table = panel_of(context, "scores").tables["Systems"].frame
    assert table["mean AP"].is_monotonic_decreasing
    assert (table["low"] <= table["mean AP"]).all() and (table["mean AP"] <= table["high"]).all()
    assert sorted(table["system"]) == sorted(context.systems)


def test_facts_of_scores_are_those_of_the_topics_chosen():
    collection = opened_once("adhoc")
    opened = Dataset("adhoc", "Ad hoc", collection)
    for topics in (collection.topics, collection.topics[:5]):
        panel = panel_of(context_of(opened, topics=",".join(topics)), "scores")
        facts, means = facts_of(panel), panel.tables["Systems"].frame["mean AP"]
        assert facts["topics"].value == len(topics) and facts["highest"].value == means[0]
        assert facts["ahead of the next by"].value == means[0] - means[1]


@pytest.mark.parametrize("summary", ["median", "geometric", "harmonic", "geometric_threshold"])
def test_every_average_has_an_interval_around_it(summary):
    context = context_of(Dataset("adhoc", "Ad hoc", opened_once("adhoc")), summary=summary)
    table = panel_of(context, "scores").tables["Systems"].frame
    assert (table["low"] <= table.iloc[:, 2]).mean() > 0.95
    assert np.isfinite(table[["low", "high"]].to_numpy()).all()


def test_scores_lead_with_what_tukeys_test_does_not_separate(context):
    """Not with overlapping intervals, which are no test: topics are shared."""
    panel = panel_of(context, "scores", measure="AP")
    table = panel.tables["Systems"].frame
    tested = significance(context.scores(["AP"])["AP"], "randomised_tukey", trials=2000)
    level = tested.not_separated_from(table.system[0])
    found = facts_of(panel)["not separated from the best"]
    assert (found.value, found.of) == (len(level), len(table) - 1)
    assert set(table.system[1:][table.p[1:] >= 0.05]) == set(level)
    median = panel_of(context_of(context.dataset, summary="median"), "scores", measure="AP")
    assert found.label not in facts_of(median) and "p" not in median.tables["Systems"].frame


def test_imported_scores_have_scores_and_similarity_but_no_documents():
    values = np.random.default_rng(0).random((2, 6, 5))
    scores = Scores(values, ("mine", "yours"), tuple("123456"), tuple("abcde"))
    context = context_of(Dataset("scores", "Imported scores", imported_scores=scores))
    assert context.measures == ("mine", "yours")
    assert facts_of(panel_of(context, "scores"))["topics"].value == 6
    assert panel_of(context, "similarity").facts[0].names == ("mine – yours",)
    assert panel_of(context, "collection").drawings == ()
    with pytest.raises(IrvizError) as caught:
        _ = context.collection
    assert str(caught.value).startswith("Only scores are loaded (Imported scores), and this page needs the rankings")


def test_one_topic_and_one_system_have_no_interval():
    collection = opened_once("adhoc")
    small = collection.subset(topics=collection.topics[:1], systems=collection.systems[:1])
    context = context_of(Dataset("small", "Small", small))
    panel = panel_of(context, "scores")
    assert list(facts_of(panel)) == ["highest", "topics"]
    assert panel.tables["Systems"].frame[["low", "high"]].isna().all(axis=None)
    assert panel_of(context, "scores", show="ecdf").drawings


def test_grades_below_zero_are_counted_apart():
    labels = np.array([[[-1], [0], [1], [-2]]], dtype=np.int16)
    ranking = np.array([[[0, -1, 2, -2]]], dtype=np.int32)
    small = Collection("small", ("1",), ("s",), ("relevance",), ((0.0, 1.0),), ranking, labels)
    table = panel_of(context_of(Dataset("small", "Small", small), measures="P@2"), "collection").tables["Topics"].frame
    assert table.to_dict("records") == [{"topic": "1", "below zero": 1, "not relevant (0)": 1, "grade 1": 1}]


# Figures that one page draws, as data: what is drawn is what was computed.


# The page Collection: warnings about files by kind, whole, and every system named.


TIED = "lines with the same score as a neighbour: {} (topics: {})"


# Intervals that leave the range of the scores are cut where they are shown.


#: P@5 of a system that misses one document of one topic: Student's interval ends above 1
NEARLY = np.array([[1.0, 0.2], [1.0, 0.4], [1.0, 0.0], [0.8, 0.2], [1.0, 0.6], [1.0, 0.2]])


def intervals_context(values: np.ndarray = NEARLY, **texts: str) -> Context:
    topics = tuple(str(t) for t in range(len(values)))
    return context_of(
        Dataset("m", "M", imported_scores=Scores(values[None], ("P@5",), topics, ("good", "bad"))), **texts
    )


def test_students_interval_is_cut_in_the_figure_and_the_fact():
    panel = panel_of(intervals_context(), "scores")
    table = panel.tables["Systems"].frame
    assert table["high"][0] > 1
    trace = drawing_of(panel, "ranking").figure.data[0]
    assert trace.x[0] + trace.error_x.array[0] == pytest.approx(1.0)
    fact = facts_of(panel)["highest"]
    assert (fact.low, fact.high) == (table["low"][0], 1.0)


@pytest.mark.parametrize("summary", ["mean", "geometric", "median"])
def test_the_table_has_the_interval_of_the_average(summary):
    table = panel_of(intervals_context(summary=summary), "scores").tables["Systems"].frame
    assert table[["low", "high"]].to_numpy() == pytest.approx(
        np.stack(summary_interval(NEARLY, summary), axis=1), nan_ok=True
    )


def test_scores_without_known_ends_are_not_cut():
    panel = panel_of(intervals_context(NEARLY * 3), "scores")
    assert facts_of(panel)["highest"].high == panel.tables["Systems"].frame["high"][0] > 3


# Sentences of special cases: systems that move equally far, a single system, negative numbers, ties.


def collection(systems: dict[str, list[str]], grades: dict[str, int]) -> Dataset:
    """One topic: a list of documents for every system, and the grades of documents."""
    rows = [("1", doc, -rank, name) for name, docs in systems.items() for rank, doc in enumerate(docs)]
    runs = pd.DataFrame(rows, columns=["query_id", "doc_id", "score", "system"])
    qrels = pd.DataFrame([("1", *pair) for pair in grades.items()], columns=["query_id", "doc_id", "relevance"])
    return Dataset("x", "x", irviz.collection_from_frames(qrels, runs))


def test_every_page_counts_documents_judged_below_zero():
    grades = {"a": 2, "b": 1, "c": 0, "d": -1, "e": -2}
    context = context_of(collection({"x": ["a", "d"], "y": ["c", "b"]}, grades), measures="AP")
    assert facts_of(panel_of(context, "collection"))["relevant of judged"].of == 5
    assert facts_of(panel_of(context, "incomplete"))["judgments"].value == 5


def test_only_lists_with_unjudged_documents_have_a_row_the_best_judged_to_their_end_first():
    grades = {"a": 2, "b": 1, "c": 0}
    some = {"none": ["n", "o", "p"], "all": ["a", "b", "c"], "one": ["a", "o", "p"], "two": ["n", "b", "c"]}
    context = context_of(collection(some, grades), measures="AP")
    panel = panel_of(context, "collection")
    names = drawing_of(panel, "judged").figure.layout.yaxis.ticktext
    assert list(names) == ["two", "one", "none"] and panel.tables["Systems"].frame["system"][0] == "all"
    panel = panel_of(context_of(collection({"x": ["a"], "y": ["b", "c"]}, grades), measures="AP"), "collection")
    assert [name for row in panel.drawings for name in row] == ["grades"] and len(panel.tables["Systems"].frame) == 2


def test_a_claim_about_one_system_asks_for_more():
    context = context_of(collection({"x": ["a", "b"]}, {"a": 1, "b": 0}), measures="AP")
    with pytest.raises(IrvizError) as refused:
        panel_of(context, "conclusion")
    assert str(refused.value) == "A claim compares systems, and x is the only one. Load more runs."


# Systems that tie share their rank on every page, and sentences say how many are first.


SYSTEMS = tuple("abcdef")


def scored(*rows: list[float], names: tuple[str, ...] = ("AP",)) -> Context:
    """A context of matrices in which a system has the same score on six topics, up to a swing that cancels."""
    swing = np.array([0.05, -0.05, 0.02, -0.02, 0.0, 0.0])
    values = np.stack([np.array(row)[None, :] + swing[:, None] for row in rows])
    scores = Scores(values, names, tuple("123456"), SYSTEMS[: len(rows[0])])
    return context_of(Dataset("m", "M", imported_scores=scores))


def test_similarity_ranks_ties_alike_and_counts_who_shares_the_widest_move():
    panel = panel_of(scored([0.9, 0.5, 0.5], [0.5, 0.5, 0.9], names=("AP", "RR")), "similarity")
    assert panel.tables["Ranks"].frame.set_index("system").to_dict("index") == {
        "a": {"AP": 1, "RR": 2},
        "b": {"AP": 2, "RR": 2},
        "c": {"AP": 2, "RR": 1},
    }
    moved = facts_of(panel)["largest change of rank"]
    assert (moved.value, moved.names) == (1, ("a", "c"))


@pytest.mark.parametrize("method", ["randomised_tukey", "paired_bootstrap"])
def test_who_leads_is_separated_from_all_only_where_every_p_value_says_so(method):
    rng = np.random.default_rng(4)
    values = (rng.random((1, 12, 5)) * 0.4 + np.array([0.5, 0.35, 0.3, 0.2, 0.1]))[None, 0]
    context = context_of(
        Dataset("m", "M", imported_scores=Scores(values, ("A",), tuple("abcdefghijkl"), tuple("vwxyz")))
    )
    panel = panel_of(context, "discriminative", method=method, trials="500")
    p = panel.tables["Pairs"].frame
    best = panel_of(context, "scores").tables["Systems"].frame["system"][0]
    mine = p[(p["first"] == best) | (p["second"] == best)]["A"]
    won = int((mine < 0.05).sum())
    facts = facts_of(panel)
    assert facts["first system"].names == (best,)
    assert (facts["separated from the first"].value, facts["separated from the first"].of) == (won, 4)


def test_a_measure_that_does_not_fit_is_named():
    context = context_of(Dataset("adhoc", "Ad hoc", opened_once("adhoc")), measures="AP,AP(aspect='trust')")
    assert context.refusals() == {"AP(aspect='trust')": "There is no aspect `trust`. Known: relevance."}


def test_warnings_that_differ_in_numbers_and_names_only_are_one_row():
    found = [Finding("note", f"run{i}", 3 * i, TIED.format(f"{i},0{i}", i)) for i in range(1, 80)]
    found += [Finding("warning", "a", None, "the run's ir_metadata: x 1"), Finding("warning", "a", 7, "other: y")]
    found += [Finding("note", "run1", 9, "topics without judgments, which are ignored: 1: 401")]
    found += [Finding("note", "run2", 9, "topics without judgments, which are ignored: 3: 401, q2, 403")]
    table = grouped_findings(dataclasses.replace(opened_once("adhoc"), findings=tuple(found)))
    assert table["effect on scores"].tolist() == [EFFECTS[0], EFFECTS[0], EFFECTS[2], EFFECTS[2]]
    assert table["findings"].tolist() == [1, 1, 79, 2] and table["files"].tolist() == [1, 1, 79, 2]
    assert table["the first one"][2] == f"run1:3: {TIED.format('1,01', 1)}"
