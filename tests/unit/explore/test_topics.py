"""The page on topics: its numbers and facts are those of irviz.score and irviz.contributions."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau

import irviz
from irviz.collection.documents import document_link, identifier_in
from irviz.errors import IrvizError
from irviz.explore.score_difference import (
    RankedList,
    ideal_of,
    lower_documents,
    side_of,
    with_parts,
)
from irviz.explore.topics_figures import side_by_side
from irviz.measures import measure
from irviz.menu import page_named
from irviz.workspace.context import Context
from irviz.workspace.data import opened_bundled, opened_collection, opened_scores
from irviz.workspace.view import settle
from tests.degenerate import matrices
from tests.panels import context_of, drawing_of, facts_of, panel_of, selecting

QRELS = ("q", b"1 0 a 2\n1 0 b 0\n1 0 c 2\n1 0 d 1\n1 0 e -2\n2 0 a 0\n")
A_RUN = b"1 Q0 u 1 9 x\n1 Q0 b 2 8 x\n1 Q0 a 3 8 x\n1 Q0 v 4 8 x\n1 Q0 c 5 5 x\n1 Q0 e 6 4 x\n2 Q0 a 1 1 x\n"
B_RUN = b"1 Q0 a 1 9 y\n1 Q0 c 2 8 y\n1 Q0 d 3 7 y\n1 Q0 u 4 6 y\n"
TEXTS = {"1": "what is <b>here</b>, $x$?"}


@pytest.fixture(scope="module")
def adhoc() -> Context:
    return context_of(opened_bundled("adhoc"))


@pytest.fixture(scope="module")
def small() -> Context:
    c = irviz.load_collection(QRELS, [("x", A_RUN), ("y", B_RUN)], documents=100)
    return context_of(opened_collection(c.attached(topic_texts=TEXTS)), measures="P@5,AP,nDCG,MM(AP)")


# -- topics sorted ----------------------------------------------------------------------------


def test_topics_are_sorted_by_what_is_asked(adhoc):
    matrix = irviz.score(adhoc.collection, ["AP"])["AP"]
    a, b = "larch-lmdir", "cobalt-bm25"
    wanted = {
        "best": matrix.max(axis=1) - matrix[a],
        "median": matrix.median(axis=1) - matrix[a],
        "b": matrix[b] - matrix[a],
    }
    for sort, short in wanted.items():
        frame = panel_of(selecting(adhoc, a, b), "topics", sort=sort).tables["Topics"].frame
        np.testing.assert_array_equal(frame["falls short by"], np.sort(short)[::-1])
        np.testing.assert_array_equal(frame[f"A: {a}"], matrix.loc[frame["topic"], a])
        np.testing.assert_array_equal(frame["best"], matrix.loc[frame["topic"]].max(axis=1))


def test_what_topics_carry_adds_up_to_the_difference_of_the_means(adhoc):
    for a, b in (("larch-lmdir", "cobalt-bm25"), ("cobalt-bm25", "larch-lmdir")):
        adds = panel_of(selecting(adhoc, a, b), "topics", sort="carry").tables["Topics"].frame.iloc[:, 1]
        means = adhoc.scores(["AP"])["AP"].mean()
        assert adds.sum() == pytest.approx(means[a] - means[b], abs=1e-14)
        assert (adds.is_monotonic_decreasing, adds.is_monotonic_increasing) == (
            means[a] > means[b],
            means[a] < means[b],
        )


def test_topics_that_drive_two_measures_apart_have_the_lowest_tau(adhoc):
    panel = panel_of(adhoc, "topics", sort="apart", measure="AP", other="P@10")
    frame = panel.tables["Topics"].frame
    assert frame["Kendall's τ on the topic"].dropna().is_monotonic_increasing
    first, second = (adhoc.scores([label])[label] for label in ("AP", "P@10"))
    for topic, tau in zip(frame["topic"], frame["Kendall's τ on the topic"], strict=True):
        assert tau == pytest.approx(kendalltau(first.loc[topic], second.loc[topic]).statistic, abs=1e-12, nan_ok=True)
    moved = abs(first.rank(axis=1, method="min", ascending=False) - second.rank(axis=1, method="min", ascending=False))
    np.testing.assert_array_equal(frame["largest rank change"], moved.max(axis=1).loc[frame["topic"]])
    bars = drawing_of(panel, "topics").figure.data[0]
    assert [data[0] for data in bars.customdata] == frame["topic"].tolist()


# -- one topic ---------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["AP", "nDCG@10", "RBP(p=0.8)", "ERR@20", "Bpref"])
def test_bars_add_up_to_the_number_of_the_scores_page(adhoc, label):
    a, b, topic = "larch-lmdir", "cobalt-bm25", adhoc.topics[7]
    panel = panel_of(selecting(adhoc, a, b), "topics", measure=label, topic=topic)
    scores = panel_of(adhoc, "scores", measure=label).tables["All scores"].frame.set_index("topic")
    lists = panel.tables["Lists"].frame
    figure = drawing_of(panel, "adds").figure
    for letter, name, line, bars in (("A", a, 0, 2), ("B", b, 1, 3)):
        score = scores.loc[topic, name]
        assert lists[f"{letter}: adds"].sum() == pytest.approx(score, rel=1e-12)
        assert np.nansum(np.array(figure.data[bars].y, dtype=float)) == pytest.approx(score, abs=1e-4)
        assert figure.data[line].y[-1] == pytest.approx(score, abs=1e-6)
        found = irviz.contributions(adhoc.collection, label, topic, name)
        np.testing.assert_array_equal(lists[f"{letter}: adds"].dropna(), found["adds"])


def test_ndcg_is_the_end_of_dcg_over_the_end_of_the_ideal(adhoc):
    panel = panel_of(selecting(adhoc, "larch-lmdir", "cobalt-bm25"), "topics", measure="nDCG@10")
    first, second, ideal = drawing_of(panel, "dcg").figure.data
    topic = panel.tables["Topics"].frame.iloc[0]
    for curve, column in ((first, "A: larch-lmdir"), (second, "B: cobalt-bm25")):
        assert curve.y[-1] / ideal.y[-1] == pytest.approx(topic[column], abs=1e-5)


def test_lists_name_documents_grades_ties_and_what_was_not_judged(small):
    panel = panel_of(selecting(small, "x", "y"), "topics", topic="1", measure="AP")
    frame = panel.tables["Lists"].frame
    assert frame["A: document"].tolist() == list("uvbace")  # equal scores by identifier, descending, as trec_eval does
    listed = small.collection.list("1", "x")
    assert frame["A: document"].tolist() == listed["document"].tolist()
    np.testing.assert_array_equal(frame["A: grade"], listed["relevance"])
    figure = drawing_of(panel, "lists").figure
    squares = [trace for trace in figure.data if trace.mode == "markers+text"]
    signs = dict(zip(frame["A: document"], squares[0].text, strict=True))
    assert signs == {"u": "?", "b": "0", "a": "2", "v": "?", "c": "2", "e": "−2"}
    assert [symbol == "circle" for symbol in squares[0].marker.symbol] == [sign == "?" for sign in squares[0].text]
    (bracket,) = figure.layout.shapes
    steps = [tuple(map(float, step.split(","))) for step in re.findall(r"[-\d.]+,[-\d.]+", bracket.path)]
    assert {y for _, y in steps} == {1.7, 4.3}  # ranks 2 to 4
    assert bracket.xsizemode == "pixel" and bracket.xanchor == squares[0].x[0]
    assert max(x for x, _ in steps) < -squares[0].marker.size / 2  # on a screen of any width
    assert squares[2].text == ("2", "2", "1", "0", "−2")
    unjudged = {fact.names[0]: (fact.value, fact.of) for fact in panel.facts if fact.label.startswith("unjudged")}
    assert unjudged == {"x": (2, 6), "y": (1, 4)}
    joined = [y for trace in figure.data if trace.mode == "lines" and trace.line.color != "#D55E00" for y in trace.y]
    assert np.isfinite(joined).sum() == 6  # a, c and u stand in both


def test_a_text_of_a_topic_is_text(small):
    assert panel_of(small, "topics", topic="1").texts == {"Topic 1": TEXTS["1"]}
    assert panel_of(small, "topics", topic="2").texts == {}


def test_recall_and_precision_are_counted(small):
    fold = panel_of(selecting(small, "x", "y"), "topics", topic="1", measure="AP").folds["Recall and precision"]()
    assert [(fact.value, fact.of, fact.names) for fact in fold.facts] == [(2, 3, ("x",)), (3, 3, ("y",))]
    frame = fold.tables["Recall and precision"].frame
    assert frame[frame.system == "y"]["precision"].tolist() == [1, 1, 1]
    nothing = panel_of(small, "topics", topic="2", measure="AP").folds["Recall and precision"]()
    assert not nothing.tables and not nothing.drawings


# -- facts -------------------------------------------------------------------------------------


def test_the_facts_of_a_worked_example(small):
    """P@5 of y is 0.6 (three relevant at 1, 2, 3), of x 0.4: it has a and c, and lacks d."""
    for a, b in ("xy", "yx"):
        facts = facts_of(panel_of(selecting(small, a, b), "topics", topic="1", measure="P@5"))
        scores = {fact.names[0]: fact.value for fact in map(facts.get, "AB")}
        assert scores == {"x": 0.4, "y": pytest.approx(0.6)} and facts["ideal list"].value == pytest.approx(0.6)
        lost = facts["lost by documents ranked lower"]
        assert lost.value == pytest.approx(0.2) and lost.names == ("grade 1: missing, not rank 3",)
    alone = facts_of(panel_of(replace(small, systems=("x",)), "topics", topic="1", measure="P@5"))
    assert alone["A"].value == 0.4 and "B" not in alone and "dominates" not in alone


def test_a_list_of_unjudged_documents_equals_one_of_grade_0_if_they_count_as_0():
    """Bpref sets them apart, 1 against 0: what is said of dominance holds for measures that count them as 0."""
    qrels = ("q", b"1 0 r 1\n1 0 n 0\n")
    runs = [("x", b"1 Q0 u 1 9 x\n1 Q0 r 2 8 x\n"), ("y", b"1 Q0 n 1 9 y\n1 Q0 r 2 8 y\n")]
    c = irviz.load_collection(qrels, runs)
    assert irviz.score(c, ["Bpref"]).values.ravel().tolist() == [1.0, 0.0]
    found = irviz.dominance(c, "x", "y")
    assert found.verdicts == ("equal",)


@pytest.mark.parametrize("label", ["AP", "nDCG@10", "RBP(p=0.8)", "ERR@20"])
def test_documents_that_cost_a_list_do_stand_lower(adhoc, label):
    c, one = adhoc.collection, measure(label)
    for topic in adhoc.topics[::9]:
        a, b = (with_parts(side_of(c, topic, name, "relevance"), c, one, topic) for name in c.systems[3:5])
        for behind, ahead in ((a, b), (a, ideal_of(c, one, topic, "relevance", a))):
            for lower in lower_documents(behind, ahead):
                assert ahead.grades[lower.instead - 1] == lower.grade
                assert lower.rank is None or (
                    behind.grades[lower.rank - 1] == lower.grade and lower.rank > lower.instead
                )
                here, there = (side.parts["adds"] for side in (behind, ahead))
                own = here[lower.rank - 1] if lower.rank else 0.0
                assert lower.loses == pytest.approx(there[lower.instead - 1] - own)


def test_the_ideal_list_scores_one_where_the_measure_says_so(adhoc):
    c = adhoc.collection
    for label in ("AP", "nDCG@10", "Bpref"):
        one = measure(label)
        assert one.ideal_is_one
        side = with_parts(side_of(c, c.topics[0], c.systems[0], "relevance"), c, one, c.topics[0])
        assert ideal_of(c, one, c.topics[0], "relevance", side).parts.attrs["score"] == pytest.approx(1)


def test_without_identifiers_lists_have_grades_and_lines(adhoc):
    bare = context_of(opened_collection(adhoc.collection.anonymous().renamed(name="bare")))
    panel = panel_of(selecting(bare, "larch-lmdir", "cobalt-bm25"), "topics")
    assert any("holds no identifiers" in note for note in panel.notes)
    assert panel.facts == panel_of(selecting(adhoc, "larch-lmdir", "cobalt-bm25"), "topics").facts
    lines = [trace for trace in drawing_of(panel, "lists").figure.data if trace.mode == "lines"]
    assert any(trace.x[0] is not None for trace in lines)


def test_imported_scores_are_refused_in_a_sentence():
    with pytest.raises(IrvizError, match="needs the rankings and judgments behind them"):
        panel_of(context_of(opened_scores(matrices())), "topics")


def test_fewer_topics_and_systems_keep_the_numbers_of_a_topic():
    whole = context_of(opened_bundled("multiaspect"), measures="TOMA(AP)")
    few = Context(whole.dataset, whole.measures, whole.topics[5:9], whole.systems[:3], depth=whole.depth)
    few, whole = (selecting(one, *few.systems[:2]) for one in (few, whole))
    assert panel_of(few, "topics", topic=few.topics[1]).facts == panel_of(whole, "topics", topic=few.topics[1]).facts


# -- figures -----------------------------------------------------------------------------------


def test_names_are_text_and_a_click_gives_the_name():
    side = RankedList(
        "<b>$x$</b>",
        np.array([0, -1]),
        ["<i>", None],
        np.array([1.0, 1.0]),
        np.array([1.0, np.nan]),
        np.array([True, False]),
    )
    ideal = RankedList("ideal", np.array([0]), ["<i>"], np.array([np.nan]), np.array([1.0]), np.array([False]))
    drawn = side_by_side([side, side], ideal, 2, 1.0)
    assert "<b>" not in str(drawn.layout) and "<i>" not in str(drawn.layout)
    assert not any("<i>" in text for trace in drawn.data for text in trace.hovertext or ())


# -- where documents are read ------------------------------------------------------------------


def test_documents_lead_to_an_address_that_a_person_gave(small):
    assert not panel_of(selecting(small, "x", "y"), "topics").tables["Lists"].links
    table = panel_of(selecting(small, "x", "y"), "topics", docs="https://example.org/{docid}").tables["Lists"]
    assert set(table.links) == {"A: document", "B: document"} and "`example.org`" in table.about
    pattern = table.links["A: document"]
    made = [document_link(pattern, name) for name in table.frame["A: document"].dropna()]
    assert made[0] == "https://example.org/u"
    assert [re.match(identifier_in(pattern), one).group(1) for one in made] == list("uvbace")


@pytest.mark.parametrize(
    "docs", ["javascript:alert(1)//{docid}", "https://{docid}.example.org/", "https://example.org/"]
)
def test_an_address_that_is_none_is_left_out_with_a_complaint(small, docs):
    values, complaints = settle(page_named("topics").controls, {"docs": docs}, small)
    assert values["docs"] == "" and "`docs` cannot be used" in complaints[0].sentence
