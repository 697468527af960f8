"""Across collections: numbers are those of the functions of the API, on every collection, the reader's last."""

from __future__ import annotations

import numpy as np
import pytest

import irviz
from irviz.menu import page_named
from irviz.stats.swaps import swaps
from irviz.workspace.data import DEEP_LEARNING, bundled_scores, bundled_titles, opened_bundled
from tests.panels import context_of, drawing_of, panel_of


@pytest.fixture(scope="module")
def context():
    return context_of(opened_bundled("multiaspect", "trec_eval"))


def rows(panel):
    return next(iter(panel.tables.values())).frame.set_index("collection")


def test_the_readers_collection_is_last_and_none_is_missing(context):
    frame = rows(panel_of(context, "across", quantity="tau"))
    assert frame.index[-1] == context.opened.title and len(frame) == 3 + len(DEEP_LEARNING)
    assert set(frame.index) <= set(bundled_titles().values())  # one of a single system ranks nothing
    assert frame.index.is_unique


def test_tau_and_consistency_are_those_of_the_api(context):
    scores = bundled_scores(2020)
    tau = rows(panel_of(context, "across", quantity="tau")).loc[DEEP_LEARNING["dl2020"]]
    again = irviz.similarity(scores.select(["AP", "P@10"]))
    assert (tau["value"], tau["low"], tau["high"]) == tuple(m[0, 1] for m in (again.values, again.low, again.high))
    half = rows(panel_of(context, "across", quantity="consistency", measure="RR")).loc[DEEP_LEARNING["dl2020"]]
    assert half["value"] == irviz.consistency(scores.select(["RR"]), 1000).mean[0]


def test_shares_of_significant_pairs_are_those_of_the_api(context):
    share = rows(panel_of(context, "across", quantity="significant")).loc[DEEP_LEARNING["dl2019"], "value"]
    found = irviz.significance(bundled_scores(2019)["AP"], "anova_tukey")
    assert share == pytest.approx(100 * found.significant / found.pairs)


def test_scores_alone_have_no_pool_and_say_so(context):
    frame = rows(panel_of(context, "across", quantity="pool"))
    assert np.isnan(frame.loc[DEEP_LEARNING["dl2019"], "value"])
    assert "no judgments" in frame.loc[DEEP_LEARNING["dl2019"], "reason"]
    assert np.isfinite(frame.loc[context.opened.title, "value"])


def test_the_pair_of_the_reader_is_marked_at_its_difference(context):
    panel = panel_of(context, "across")
    means = irviz.score(context.collection, ["AP"])["AP"].mean()
    a, b = context.two_best
    difference = abs(means[a] - means[b])
    drawn = drawing_of(panel, "swaps").figure
    assert drawn.layout.shapes[0].x0 == pytest.approx(difference)
    found = swaps(irviz.score(context.collection, ["AP"])["AP"], None, 200)
    assert f"{found.at(difference):.0%} of the cases here" in panel.sentence


def test_imported_scores_are_a_collection_of_their_own():
    opened = opened_bundled("dl2022", "trec_eval")
    for quantity in ("swaps", "tau", "pool"):
        panel = panel_of(context_of(opened), "across", quantity=quantity)
        assert opened.title in panel.sentence or quantity == "swaps"
    assert page_named("across").title == "Across collections"
