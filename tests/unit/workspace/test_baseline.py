"""A baseline says who moved and which pairs changed, and says it as the numbers do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import irviz
from irviz.menu import PINNABLE, page_named
from irviz.publish.draw import draw
from irviz.workspace.baseline import (
    Side,
    changes,
    compare_sides,
    focus,
    moves,
    numbers_changed,
    pin,
    read_pin,
    side_before,
)
from irviz.workspace.data import library
from irviz.workspace.panel import Panel, Table
from irviz.workspace.view import View
from tests.panels import opened_once
from tests.refusals import refused

OPENER = library()


def sides(name: str, before: str, after: str) -> tuple[Side, Side]:
    """The sides of a link `after` against a baseline `before`, both of one page."""
    shown = draw(View.from_url(f"/{name}?v=8&collection=adhoc&{after}"), OPENER)
    base = read_pin(pin(View.from_url(f"/{name}?v=8&collection=adhoc&{before}")), PINNABLE)
    assert shown.complaints == ()
    return (
        side_before(base, page_named(name), {}, OPENER),
        Side(shown.view, shown.page, shown.context, shown.values),
    )


def test_a_pin_is_a_link_that_keeps_neither_pin_nor_share():
    view = View.from_texts("scores", measures="AP,RBP(p=0.5)", baseline="scores", s="x" * 22, show="box")
    assert read_pin(pin(view), PINNABLE) == View.from_texts("scores", measures="AP,RBP(p=0.5)", show="box")


@pytest.mark.parametrize("text", ["labs?v=8&collection=adhoc", "", "scores?v=99"])
def test_what_cannot_be_a_baseline(text):
    refused(lambda: read_pin(text, PINNABLE))


def test_moves_agree_with_scipy_and_with_the_tests():
    before, after = sides("scores", "measure=AP", "measure=ERR@20")
    found = moves(before.context, after.context, ("AP", "ERR@20"))
    scores = irviz.score(opened_once("adhoc"), ["AP", "ERR@20"])
    means = [irviz.summarise(scores[name], "mean") for name in scores.measures]
    np.testing.assert_allclose(found.averages, np.array(means))
    assert found.tau == pytest.approx(kendalltau(*means).statistic)
    ranks = [one.rank(ascending=False).to_numpy() for one in means]
    np.testing.assert_array_equal(found.ranks, ranks)
    panel = compare_sides(before, after)
    apart = [irviz.significance(scores[name], trials=1000).separated for name in scores.measures]
    gained, lost = (int(np.triu(change).sum()) for change in (apart[1] & ~apart[0], apart[0] & ~apart[1]))
    facts = {one.label: one.value for one in panel.facts}
    assert (facts["pairs that gain significance"], facts["pairs that lose it"]) == (gained, lost)
    assert (facts["τ with the baseline"], facts["systems that moved"]) == (found.tau, found.moved_systems)
    changed = panel.tables["Pairs that changed"].frame["significance"].value_counts()
    assert (changed["gained"], changed["lost"]) == (gained, lost)
    table = panel.tables["Systems against the baseline"].frame
    assert (table["up by"] == table["rank before"] - table["rank now"]).all()
    assert table["up by"].abs().is_monotonic_decreasing


def test_a_default_that_one_link_spells_out_is_no_change():
    before, after = sides("scores", "depth=200&show=box", "")
    assert changes(before, after) == [("Figure", "box", "ranking")]
    assert compare_sides(*sides("scores", "depth=200", "")).sentence.startswith("This view is the baseline.")


def test_measures_are_compared_place_by_place():
    before, after = sides("consistency", "measures=AP,RBP(p=0.8)&trials=20", "measures=AP,RBP(p=0.95)&trials=20")
    assert focus(before, after) == [("AP", "AP"), ("RBP(p=0.8)", "RBP(p=0.95)")]
    panel = compare_sides(before, after)
    assert panel.facts[0].names[0] == "RBP(p=0.8)"
    table = panel.tables["Measures against the baseline"].frame
    assert table["systems moved"].tolist()[0] == 0 and table["Kendall's τ"].tolist()[0] == pytest.approx(1)


def test_data_without_common_systems_are_refused():
    before, after = sides("scores", "collection=multiaspect", "")
    shared = set(before.context.systems) & set(after.context.systems)
    assert len(shared) < 2
    refused(lambda: compare_sides(before, after))


@pytest.mark.parametrize("name", sorted(PINNABLE))
def test_every_analysis_has_a_baseline_with_its_own_numbers(name):
    links = (
        "seed=1&trials=20" if name in ("consistency", "discriminative", "aggregation") else "",
        "depth=20" if name == "topics" else "topics=401,402,403,404",  # a topic's numbers hang on no other topic
    )
    before, after = sides(name, *links)
    page = page_named(name)
    panel = compare_sides(before, after, lambda: tuple(page.panel(one.context, one.values) for one in (before, after)))
    table = panel.tables["This page's numbers"].frame
    changed = [column for column in table if column.endswith(" change")]
    assert changed and np.nanmax(np.abs(table[changed].to_numpy())) > 0


def test_numbers_of_a_page_are_compared_whole_or_not_but_for_ranks_and_what_stays():
    def page(n: list[int], size: int, dtype: str) -> Panel:
        columns = {"n": np.array(n, dtype), "size": [size] * 2, "rank": [size, 1], "low": [0.5, 0.25]}
        frame = pd.DataFrame({"system": ["a", "b"], **columns})
        return Panel("", tables={"Systems": Table(frame, "", heads={"system": "Run", "n": "Topics"})})

    table = numbers_changed(page([1, 9], 4, "int64"), page([3, 2], 4, "uint8"))
    assert list(table.frame) == ["system", "n before", "low before", "n now", "low now", "n change", "low change"]
    assert table.frame["n change"].tolist() == [2, -7]
    table = numbers_changed(page([1, 9], 4, "int64"), page([1, 9], 5, "int64"))
    assert table.frame["size change"].tolist() == [1, 1] and "n change" not in table.frame


def test_a_baseline_of_another_page_keeps_the_controls_of_this_one():
    base = View.from_texts("similarity", measures="AP,P@10", coefficient="pearson")
    side = side_before(base, page_named("scores"), {"measure": "P@10", "show": "box"}, OPENER)
    assert side.context.measures == ("AP", "P@10") and side.values["measure"] == "P@10"


def test_the_level_of_a_test_that_two_pages_share_is_part_of_the_baseline():
    base = View.from_texts("discriminative", collection="adhoc", alpha="0.01", trials="20")
    now, page = {"trials": "20", "alpha": "0.05"}, page_named("consistency")
    shown = draw(View.from_texts("consistency", collection="adhoc", measures="AP,P@10", **now), OPENER)
    after = Side(shown.view, page, shown.context, shown.values)
    before = side_before(base, page, now, OPENER, page_named("discriminative"))
    assert (before.values["alpha"], after.values["alpha"]) == (0.01, 0.05)
    assert "is the baseline" not in compare_sides(before, after).sentence
