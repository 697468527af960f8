"""How large a difference to believe: the figure shows the shares of the splits, the fact those of other collections."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import irviz
from irviz.errors import percent
from irviz.gallery.differences import DOT, believable_differences, stored_swaps
from irviz.stats.topic_effects import FEW_PAIRS, known_reversals, swaps
from irviz.workspace.data import bundled_scores, opened_bundled
from tests.panels import context_of, panel_of, selecting


def test_a_row_begins_and_ends_where_few_enough_differences_turn():
    """As far as bins have enough pairs; one whose largest differences turn has no dot and is last."""
    matrix = np.random.default_rng(1).random((30, 6)) / 10
    drawn_from = {
        "2019": swaps(bundled_scores("trec-dl/2019")["P@10"], 10),
        "2022": swaps(bundled_scores("trec-dl/2022")["P@10"], 10),
        "unsure": swaps(matrix, 10),
    }
    figure = believable_differences(drawn_from, "2022", 0.07, "difference")
    dots, shares = figure.data[0], [one.text for one in figure.layout.annotations]
    shown = dict(zip((row[0] for row in dots.customdata), dots.x, strict=True))
    assert list(shown)[-1] == "unsure" and np.isnan(shown["unsure"])
    for title in ("2019", "2022"):
        known = drawn_from[title].frame().query("pairs >= @FEW_PAIRS")
        assert (known[known["low"] >= shown[title] - 1e-9]["share"] <= DOT).all()
        assert (known[known["low"] < shown[title] - 1e-9]["share"].tail(1) > DOT).all()
        assert percent(drawn_from[title].rate_at(0.07)[0]) in shares
    assert [line.x0 for line in figure.layout.shapes if line.type == "line"] == [0.07]


def test_what_is_stored_is_what_is_counted():
    one, other = stored_swaps("P@10", 10)["TREC DL 2019, scores"], swaps(bundled_scores("trec-dl/2019")["P@10"], 10)
    assert one.pairs.tolist() == other.pairs.tolist() and one.turns.tolist() == other.turns.tolist()


def test_of_fewer_pairs_than_fifty_no_share_is_stated():
    found = swaps(bundled_scores("trec-dl/2019")["AP"].iloc[:, :3], None, 60)
    few = next(place for place, pairs in enumerate(found.pairs) if 0 < pairs < FEW_PAIRS)
    share, pairs = found.rate_at(found.low[few])
    assert np.isnan(share) and pairs == found.pairs[few] and np.isfinite(found.rate[few])


LABEL = "leads this large that flip on new topics"


def test_scores_and_conclusions_have_the_share_of_leads_that_flip():
    whole = replace(context_of(opened_bundled("dl2021")), measures=("AP", "nDCG@10"))
    means = irviz.score(whole.collection, ["AP"])["AP"].mean().sort_values(ascending=False)
    known = known_reversals("AP", means.iloc[0] - means.iloc[1], len(whole.topics))
    (fact,) = (one for one in panel_of(whole, "scores", measure="AP").facts if one.label == LABEL)
    assert fact.value == pytest.approx(np.mean(known.shares)) and fact.unit == "%"
    claim = panel_of(selecting(whole, *means.index[:2]), "conclusion")
    assert fact in claim.all_facts
    facts = panel_of(replace(whole, summary="median"), "scores", measure="AP").facts
    assert LABEL not in {one.label for one in facts}
