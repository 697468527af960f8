"""Pages say what is true of both bundled collections; that every one has words is in `tests/app/test_pages.py`."""

from __future__ import annotations

import numpy as np
import pytest

from irviz.collection.model import Collection
from irviz.errors import IrvizError
from irviz.measures.language.base import Measure
from irviz.stats.scores import Scores
from irviz.stats.significance import significance
from irviz.workspace.context import Context, Dataset
from tests.panels import context_of, drawing_of, opened_once, panel_of


@pytest.fixture(scope="module", params=["adhoc", "multiaspect"])
def context(request) -> Context:
    return context_of(Dataset(request.param, request.param.title(), opened_once(request.param)))


def test_scores_are_ordered_best_first(context):
    table = panel_of(context, "scores").tables["Systems"].frame
    assert table["mean AP"].is_monotonic_decreasing
    assert (table["low"] <= table["mean AP"]).all() and (table["mean AP"] <= table["high"]).all()
    assert sorted(table["system"]) == sorted(context.systems)


def test_the_sentence_is_computed():
    collection = opened_once("adhoc")
    opened = Dataset("adhoc", "Ad hoc", collection)
    before = panel_of(context_of(opened), "scores").sentence
    after = panel_of(context_of(opened, topics=",".join(collection.topics[:5])), "scores").sentence
    assert "over 50 topics" in before and "over 5 topics" in after and before != after


@pytest.mark.parametrize("summary", ["median", "geometric", "harmonic", "geometric_threshold"])
def test_every_average_has_an_interval_around_it(summary):
    context = context_of(Dataset("adhoc", "Ad hoc", opened_once("adhoc")), summary=summary)
    table = panel_of(context, "scores").tables["Systems"].frame
    assert (table["low"] <= table.iloc[:, 2]).mean() > 0.95
    assert np.isfinite(table[["low", "high"]].to_numpy()).all()


def test_similarity_frames_the_pair_and_labels_who_moves():
    context = context_of(Dataset("adhoc", "Ad hoc", opened_once("adhoc")))
    panel = panel_of(context, "similarity", first="AP", second="ERR@20")
    assert drawing_of(panel, "slope").title.startswith("`")
    assert len(panel.tables["Overall"].frame) == 15
    shape = drawing_of(panel, "overall").figure.layout.shapes[0]
    assert (shape.x0, shape.y0) == (3.5, -0.5)  # row AP, column ERR@20


def test_similarity_of_one_measure_says_what_to_do():
    context = context_of(Dataset("adhoc", "Ad hoc", opened_once("adhoc")), measures="AP")
    with pytest.raises(IrvizError) as caught:
        panel_of(context, "similarity")
    assert str(caught.value) == "Similarity compares measures, and only one is chosen. Add another in the sidebar."


def test_scores_lead_with_what_tukeys_test_does_not_separate(context):
    """Not with overlapping intervals, which are no test: topics are shared."""
    panel = panel_of(context, "scores", measure="AP")
    table = panel.tables["Systems"].frame
    tested = significance(context.scores(["AP"])["AP"], "randomised_tukey", trials=2000)
    level = tested.not_separated_from(table.system[0])
    assert f"{len(level)} of the other {len(table) - 1}" in panel.sentence and "Tukey" in panel.sentence
    assert set(table.system[1:][table.p[1:] >= 0.05]) == set(level)
    assert "overlap" not in panel.sentence
    median = panel_of(context_of(context.opened, summary="median"), "scores", measure="AP")
    assert "Tukey" not in median.sentence and "p" not in median.tables["Systems"].frame


def test_imported_scores_have_scores_and_similarity_but_no_documents():
    values = np.random.default_rng(0).random((2, 6, 5))
    scores = Scores(values, ("mine", "yours"), tuple("123456"), tuple("abcde"))
    context = context_of(Dataset("scores", "Imported scores", imported=scores))
    assert context.measures == ("mine", "yours")
    assert "By `mine`" in panel_of(context, "scores").sentence
    assert "`mine` and `yours`" in panel_of(context, "similarity").sentence
    assert panel_of(context, "collection").drawings == ()
    with pytest.raises(IrvizError) as caught:
        _ = context.collection
    assert str(caught.value).startswith("Only scores are loaded (Imported scores), and this page needs the rankings")


def test_one_topic_and_one_system_have_no_interval():
    collection = opened_once("adhoc")
    small = collection.subset(topics=collection.topics[:1], systems=collection.systems[:1])
    context = context_of(Dataset("small", "Small", small))
    panel = panel_of(context, "scores")
    assert panel.sentence.endswith("on the only topic.")
    assert "One topic gives no interval." in panel.notes
    assert panel_of(context, "scores", show="density").drawings


def test_a_measure_that_does_not_fit_is_named():
    context = context_of(Dataset("adhoc", "Ad hoc", opened_once("adhoc")), measures="AP,AP(aspect='trust')")
    assert context.refused() == {"AP(aspect='trust')": "There is no aspect `trust`. Known: relevance."}


def test_only_a_changed_measure_is_asked_whether_it_fits(monkeypatch):
    asked, misfit = [], Measure.misfit
    monkeypatch.setattr(Measure, "misfit", lambda one, collection: asked.append(str(one)) or misfit(one, collection))
    opened = Dataset("adhoc", "Ad hoc", opened_once("adhoc"))
    for p in (0.713, 0.714):
        asked.clear()
        assert context_of(opened, measures=f"AP,RBP(p={p})").refused() == {}
    assert asked == ["RBP(p=0.714)"]


def test_grades_below_zero_are_counted_apart():
    labels = np.array([[[-1], [0], [1], [-2]]], dtype=np.int16)
    ranking = np.array([[[0, -1, 2, -2]]], dtype=np.int32)
    small = Collection("small", ("1",), ("s",), ("relevance",), ((0.0, 1.0),), ranking, labels)
    table = panel_of(context_of(Dataset("small", "Small", small), measures="P@2"), "collection").tables["Topics"].frame
    assert table.to_dict("records") == [{"topic": "1", "below zero": 1, "not relevant (0)": 1, "grade 1": 1}]
