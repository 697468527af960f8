"""A page is drawn over its state before: the same marks and numbers as that state shows alone."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest
from scipy.stats import kendalltau

import irviz
from irviz.figures.before import draw_before
from irviz.figures.theme import GREY
from irviz.menu import PINNABLE, page_named
from irviz.publish.draw import ViewContent, draw
from irviz.workspace.baseline import NOTHING, moves, pin, read_pin
from irviz.workspace.data import library
from irviz.workspace.page import BEFORE, Before
from irviz.workspace.view import View
from tests.panels import context_of, drawing_of, facts_of, opened_once
from tests.refusals import refused

OPENER = library()
FOUR = {"topics": "401,402,403,404"}


def shown(name: str, **texts: str) -> ViewContent:
    content = draw(View.from_texts(name, collection="adhoc", **texts), OPENER)
    assert content.complaints == ()
    return content


def texts_before(**texts: str) -> str:
    """The text of a state before in a link."""
    return View.from_texts("", **texts).to_query()


def grey(figure: go.Figure) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.type == "scatter" and trace.marker.color == GREY]


def test_a_pin_is_a_link_that_keeps_neither_a_state_before_nor_a_share():
    view = View.from_texts("scores", measures="AP", baseline="scores", before="v=8&show=box", s="x" * 22, show="box")
    assert read_pin(pin(view), PINNABLE) == View.from_texts("scores", measures="AP", show="box")


@pytest.mark.parametrize("text", ["labs?v=8&collection=adhoc", "", "scores?v=99"])
def test_what_cannot_be_a_baseline(text):
    refused(lambda: read_pin(text, PINNABLE))


def test_moves_agree_with_scipy():
    side = context_of(OPENER("adhoc", "trec_eval"), measures="AP,ERR@20")
    found = moves(side, side, ("AP", "ERR@20"))
    scores = irviz.score(opened_once("adhoc"), ["AP", "ERR@20"])
    means = [irviz.summarise(scores[name], "mean") for name in scores.measures]
    np.testing.assert_allclose(found.averages, np.array(means))
    assert found.tau == pytest.approx(kendalltau(*means).statistic)
    np.testing.assert_array_equal(found.ranks, [one.rank(ascending=False).to_numpy() for one in means])


@pytest.mark.parametrize("name", sorted(PINNABLE.keys() - {"what_if"}))
def test_every_analysis_has_the_numbers_of_its_state_before(name):
    more = {"seed": "1", "trials": "20"} if name in ("consistency", "discriminative", "aggregation") else {}
    then = {"depth": "20"} if name in ("topics", "conclusion") else FOUR  # a topic's numbers hang on no other topic
    content = shown(name, **more, before=texts_before(**then))
    alone = {(one.label, one.unit): one.value for one in shown(name, **more, **then).panel.all_facts}
    known = [one for one in content.panel.all_facts if np.isfinite(one.before)]
    assert known and content.panel.since
    assert all(one.before == alone[one.label, one.unit] for one in known)


def test_a_pinned_view_goes_before_the_last_one_and_nothing_before_both():
    pinned, last = View.from_texts("scores", collection="adhoc", **FOUR).to_url()[1:], texts_before(summary="median")
    for texts, then in (({}, {"summary": "median"}), ({"baseline": pinned}, FOUR)):
        facts, wanted = (shown("scores", **one).panel for one in ({"before": last, **texts}, then))
        assert facts_of(facts)["highest"].before == facts_of(wanted)["highest"].value
    for texts in ({"baseline": NOTHING}, {"baseline": View.from_texts("scores", collection="adhoc").to_url()[1:]}):
        content = shown("scores", before=last, **texts)
        assert content.panel.since == "" and not grey(drawing_of(content.panel, "ranking").figure)


def test_a_default_that_one_link_spells_out_is_no_change():
    before = shown("scores", before=texts_before(depth="200", show="box")).values[BEFORE.name]
    assert isinstance(before, Before) and before.changed == "Figure box → ranking"


def test_a_baseline_of_another_page_keeps_the_controls_of_this_one():
    pinned = View.from_texts("similarity", collection="adhoc", measures="AP,P@10", coefficient="pearson").to_url()[1:]
    before = shown("scores", measure="P@10", show="box", baseline=pinned).values[BEFORE.name]
    assert before.context.measures == ("AP", "P@10")
    assert (before.values["measure"], before.values["show"]) == ("P@10", "box")


def test_a_baseline_has_its_own_measure_where_it_lacks_that_of_now_and_none_for_another():
    pinned = View.from_texts("what_if", collection="adhoc", measures="AP,RBP(p=0.45)", measure="RBP(p=0.45)")
    now = {"measures": "AP,CWLA(C=RBP(p=0.45),A=avg)", "measure": "CWLA(C=RBP(p=0.45),A=avg)"}
    found = shown("scores", **now, baseline=pinned.to_url()[1:])
    alone = facts_of(shown("scores", measures="RBP(p=0.45)").panel)["highest"].value
    assert facts_of(found.panel)["highest"].before == alone
    for page in ("scores", "what_if"):
        pinned = View.from_texts("similarity", collection="adhoc", measures="AP,P@10")
        content = shown(page, **now, baseline=pinned.to_url()[1:])
        assert content.values[BEFORE.name].refusal
        assert not any(grey(one.figure) for row in content.panel.drawings for one in row.values())
        assert not any(np.isfinite(one.before) for one in content.panel.all_facts)


def test_the_level_of_a_test_that_two_pages_share_is_part_of_the_baseline():
    base = View.from_texts("discriminative", collection="adhoc", alpha="0.01", trials="20").to_url()[1:]
    content = shown("consistency", measures="AP,P@10", trials="20", alpha="0.05", baseline=base)
    assert content.values[BEFORE.name].values["alpha"] == 0.01 and content.panel.since
    assert BEFORE in page_named("consistency").controls


# -- marks of before among those of now


def test_dots_before_stand_in_the_rows_that_their_systems_have_now():
    content = shown("scores", every="1", before=texts_before(**FOUR))
    figures = [drawing_of(one.panel, "ranking").figure for one in (content, shown("scores", every="1", **FOUR))]
    (marks,) = grey(figures[0])
    rows, alone = figures[0].layout.meta["rows"], figures[1].data[0]
    before = dict(zip((name for name, _, _ in alone.customdata), alone.x, strict=True))
    assert {rows[int(y)]: x for x, y in zip(marks.x, marks.y, strict=True)} == pytest.approx(before)


def test_what_has_no_place_now_and_what_is_the_same_is_left_out():
    def bars(names: list[str], values: list[float]) -> go.Figure:
        return go.Figure(go.Bar(x=names, y=values))

    drawn = draw_before(bars(["a", "b"], [1, 2]), bars(["b", "c"], [3, 4]))
    assert [(tuple(one.x), tuple(one.y)) for one in grey(drawn)] == [(("b", None), (3, 4))]
    now = bars(["a", "b"], [1, 2])
    assert draw_before(now, bars(["a", "b"], [1, 2])) is now


def test_ends_of_stacked_bars_are_those_of_the_stack():
    def stack(first: list[float], second: list[float]) -> go.Figure:
        bars = [go.Bar(x=row, y=[0, 1], orientation="h") for row in (first, second)]
        return go.Figure(bars, {"barmode": "stack"})

    drawn = draw_before(stack([1, 1], [1, 1]), stack([0.5, 2], [3, 1]))
    assert [tuple(one.x) for one in grey(drawn)] == [(0.5, 2), (3.5, 3)]


@pytest.mark.parametrize("then", [{"range": [0, 400]}, {"title": {"text": "mean rank"}}, {"type": "log"}])
def test_axes_of_other_quantities_are_not_shared(then):
    def dots(**axis: object) -> go.Figure:
        return go.Figure(
            go.Scatter(x=[0.1], y=[1]), {"xaxis": {"range": [0, 1], "title": {"text": "score of AP"}, **axis}}
        )

    now = dots()
    assert draw_before(now, dots(**then)) is now


def test_an_axis_has_room_for_both():
    now, then = (
        go.Figure(go.Scatter(x=[x], y=[1]), {"xaxis": {"range": ends}}) for x, ends in ((1, [2, 0]), (3, [0, 4]))
    )
    assert list(draw_before(now, then).layout.xaxis.range) == [4, 0]
