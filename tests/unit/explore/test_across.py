"""Across collections: numbers are those of the functions of the API, on every collection, the reader's last."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import irviz
from irviz.errors import percent
from irviz.explore.across import DOT, _swap_sentence, swap_rows
from irviz.menu import page_named
from irviz.stats.topic_effects import FEW_PAIRS, swap_note, swaps
from irviz.workspace.data import MATRICES, SEVERAL_SYSTEMS, bundled_scores, bundled_titles, opened_bundled
from tests.panels import context_of, drawing_of, panel_of


@pytest.fixture(scope="module")
def context():
    return context_of(opened_bundled("multiaspect", "trec_eval"))


def rows(panel):
    return next(iter(panel.tables.values())).frame.set_index("collection")


def test_the_readers_collection_is_last_and_none_is_missing(context):
    frame = rows(panel_of(context, "across", quantity="tau"))
    assert frame.index[-1] == context.dataset.title and len(frame) == len(SEVERAL_SYSTEMS)
    assert set(frame.index) <= set(bundled_titles().values())  # one of a single system ranks nothing
    assert frame.index.is_unique


def test_tau_and_consistency_are_those_of_the_api(context):
    scores = bundled_scores("trec-dl/2020")
    tau = rows(panel_of(context, "across", quantity="tau")).loc[MATRICES["dl2020"]]
    again = irviz.similarity(scores.select(["AP", "P@10"]))
    assert (tau["value"], tau["low"], tau["high"]) == tuple(m[0, 1] for m in (again.values, again.low, again.high))
    half = rows(panel_of(context, "across", quantity="consistency", measure="RR")).loc[MATRICES["dl2020"]]
    assert half["value"] == irviz.consistency(scores.select(["RR"]), trials=1000).mean[0]


def test_shares_of_significant_pairs_are_those_of_the_api(context):
    share = rows(panel_of(context, "across", quantity="significant")).loc[MATRICES["dl2019"], "value"]
    found = irviz.significance(bundled_scores("trec-dl/2019")["AP"], "anova_tukey")
    assert share == pytest.approx(100 * found.significant / found.pairs)


def test_scores_alone_have_no_pool_and_say_so(context):
    frame = rows(panel_of(context, "across", quantity="pool"))
    assert np.isnan(frame.loc[MATRICES["dl2019"], "value"])
    assert "no judgments" in frame.loc[MATRICES["dl2019"], "reason"]
    assert np.isfinite(frame.loc[context.dataset.title, "value"])


def test_the_pair_of_the_reader_is_marked_at_its_difference(context):
    panel = panel_of(context, "across")
    means = irviz.score(context.collection, ["AP"])["AP"].mean()
    a, b = context.two_best
    difference = abs(means[a] - means[b])
    drawn = drawing_of(panel, "swaps").figure
    assert [line.x0 for line in drawn.layout.shapes if line.type == "line"] == [pytest.approx(difference)]
    share, pairs = swaps(irviz.score(context.collection, ["AP"])["AP"], None, 200).rate_at(difference)
    assert f"{percent(share)} of {pairs:,} pairs" in panel.sentence
    (others,) = re.findall(r"on (\d+) other collections", panel.sentence)
    assert int(others) == len(drawn.data[0].y) - 1


def test_of_fewer_pairs_than_fifty_no_share_is_stated(context):
    matrix = irviz.score(context.collection, ["AP"])["AP"]
    found = swaps(matrix.iloc[:, :3], None, 60)
    few = next(place for place, pairs in enumerate(found.pairs) if 0 < pairs < FEW_PAIRS)
    share, pairs = found.rate_at(found.low[few])
    assert np.isnan(share) and pairs == found.pairs[few] and np.isfinite(found.rate[few])
    assert "%" not in _swap_sentence({"here": found}, "here", "AP", ("a", "b"), found.low[few])


def test_a_row_begins_and_ends_where_few_enough_differences_turn(context):
    """As far as bins have enough pairs; a line that ends nowhere reaches the edge, and a note says what has no dot."""
    panel = panel_of(context, "across", measure="P@10", size="10")
    frame, dots = panel.tables["Differences"].frame, drawing_of(panel, "swaps").figure.data[0]
    known = frame[frame["pairs"] >= FEW_PAIRS]
    shown = dict(zip((text.rpartition(": ")[0] for text in dots.customdata), dots.x, strict=True))
    assert set(shown) == set(frame["collection"]) and len(set(dots.marker.color)) == 2
    undotted = [title for title, edge in shown.items() if np.isnan(edge)]
    for title, edge in shown.items():
        one = known[known["collection"] == title]
        from_here = one[one["low"] >= edge - 1e-9] if np.isfinite(edge) else one.tail(1)
        assert (from_here["share"] <= DOT).all() == np.isfinite(edge) and len(from_here)
        if np.isfinite(edge):
            assert (one[one["low"] < edge - 1e-9]["share"].tail(1) > DOT).all()
    assert undotted and all(title in note for title in undotted for note in panel.notes if note.startswith("No dot"))


def test_rows_are_in_the_order_of_their_numbers_and_name_them(context):
    drawn = drawing_of(panel_of(context, "across", quantity="tau"), "forest").figure
    assert list(drawn.data[0].x) == sorted(drawn.data[0].x)
    assert [float(note.text) for note in drawn.layout.annotations] == [round(x, 2) for x in drawn.data[0].x]


def test_scores_and_conclusions_quote_how_many_differences_turn():
    whole = replace(context_of(opened_bundled("dl2021", "trec_eval")), measures=("AP", "nDCG@10"))
    means = irviz.score(whole.collection, ["AP"])["AP"].mean().sort_values(ascending=False)
    (note,) = swap_note("AP", means.iloc[0] - means.iloc[1], len(whole.topics))
    assert note in panel_of(whole, "scores", measure="AP").notes
    claim = panel_of(whole, "conclusion", a=means.index[0], b=means.index[1])
    assert sum(one.startswith("How large a difference to believe:") for one in claim.notes) == 1


def test_the_number_of_topics_can_be_chosen(context):
    panel = panel_of(context, "across", size="25")
    frame = panel.tables["Differences"].frame
    assert set(frame["topics"]) == {25} and MATRICES["dl2019"] not in set(frame["collection"])
    assert any(MATRICES["dl2019"] in note and "1 to 21 of 43 topics; got 25" in note for note in panel.notes)
    assert "too few topics" in panel.sentence and context.dataset.title not in set(frame["collection"])
    whole = swaps(bundled_scores("trec-dl/2022")["AP"], 25)
    shares = frame[frame["collection"] == MATRICES["dl2022"]].set_index("low")["share"]
    assert shares.iloc[2] == whole.rate[2]


def test_imported_scores_are_a_collection_of_their_own():
    opened = opened_bundled("dl2022", "trec_eval")
    for quantity in ("swaps", "tau", "pool"):
        panel = panel_of(context_of(opened), "across", quantity=quantity)
        assert opened.title in panel.sentence or quantity == "swaps"
    assert page_named("across").title == "Across collections"


def test_a_difference_in_the_first_bin_is_said_to_be_below_its_end():
    rng = np.random.default_rng(0)
    sure = swaps(np.arange(5) / 5 + rng.normal(0, 1e-4, (40, 5)), trials=50)
    unsure = swaps(np.arange(5) / 50 + rng.normal(0, 0.2, (40, 5)), trials=50)
    drawn = swap_rows({"sure": sure, "unsure": unsure}, "sure", 0.1, "d")
    dots = dict(zip(drawn.data[0].customdata, drawn.data[0].x, strict=True))
    assert dots["sure: below 0.01"] == 0 and len(dots) == 2
