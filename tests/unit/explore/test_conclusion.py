"""The page on conclusions: what it shows is what irviz.conclusion finds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import irviz
from irviz.explore import conclusion as page
from irviz.explore.conclusion_figures import (
    MOST_INTERVALS,
    share_square,
    sign_grid,
    specification_curve,
)
from irviz.multiverse.report import grid
from irviz.publish.draw import draw
from irviz.workspace.context import Context, Dataset
from irviz.workspace.data import library, opened_bundled, opened_scores
from irviz.workspace.view import settle
from tests.panels import context_of, drawing_of, facts_of, numbers_in, opened_once, selecting

QUICK = {"trials": "100", "tests": "randomisation", "sets": "all"}


@pytest.fixture(scope="module")
def context() -> Context:
    opened = opened_bundled("adhoc")
    return Context(opened, measures=("AP", "ERR@20"), depth=opened.depth)


@cache  # a panel changes nowhere, and several tests look at one
def drawn(context: Context, **texts: str):
    values, complaints = settle(page.CONTROLS, {**QUICK, **texts}, context)
    assert not complaints
    return page.panel(context, values), values


def test_the_panel_shows_the_worlds_of_the_function(context):
    panel, _ = drawn(context)
    r = irviz.conclusion(
        context.collection,
        "cobalt-bm25-qe > cobalt-bm25-tuned",
        irviz.worlds(
            context.collection, measure=["AP", "ERR@20"], test=["randomisation"], topics=["all"], family=["pair"]
        ),
        trials=100,
    )
    values = {fact.label: fact.value for fact in panel.facts}
    assert r.headline in panel.sentence and r.facts.items() <= values.items() and len(values) <= 7
    frame = panel.tables["Worlds"].frame
    np.testing.assert_array_equal(frame["difference"], r.frame()["difference"])
    np.testing.assert_array_equal(frame["p"], r.frame()["p"])
    assert frame["world"].tolist() == r.worlds.numbers.tolist()


def test_the_curve_is_sorted_and_every_point_gives_its_world(context):
    panel, _ = drawn(context)
    frame = panel.tables["Worlds"].frame
    by_number = frame.set_index("world")
    figure = drawing_of(panel, "curve").figure
    points = [trace for trace in figure.data if trace.customdata is not None]
    assert sum(len(trace.x) for trace in points) == len(frame)
    for trace in points:
        inside = np.broadcast_to(np.array(trace.marker.symbol or "circle") == "circle", len(trace.x))
        for x, y, (world, _, difference, p), here in zip(trace.x, trace.y, trace.customdata, inside, strict=True):
            assert difference == pytest.approx(by_number["difference"][world], abs=1e-5)
            own = by_number["standardised"][world]
            assert (y == pytest.approx(own, abs=1e-5)) == here
            assert (frame["standardised"] < own).sum() < x
            assert p == by_number["p"][world]
    assert len({trace.marker.color for trace in points}) == len({trace.name for trace in points}) == len(points)


def test_the_grid_has_the_verdicts_of_the_worlds_that_share_all_else(context):
    number = drawn(context)[0].tables["Worlds"].frame["world"][2]
    panel, _ = drawn(context, world=str(number))
    frame = panel.tables["Worlds"].frame.set_index("world")
    here = frame.loc[number]
    marks = drawing_of(panel, "grid").figure.data[1]
    seen = 0
    for text, (world, _) in zip(marks.text, marks.customdata, strict=True):
        if world:
            row = frame.loc[world]
            assert all(row[name] == here[name] for name in ("unjudged", "judge"))
            assert text == {"holds": "+", "tie": "=", "reversed": "−"}[row["verdict"]] + "*" * int(row["significant"])
            seen += 1
    assert seen == 10


def test_best_and_top_k_and_every_fold():
    whole = opened_once("adhoc")
    few = ("cobalt-bm25-qe", "cobalt-bm25-tuned", "larch-lmdir", *whole.systems[:5])
    context = context_of(Dataset("few", "Few", whole.subset(systems=list(dict.fromkeys(few)))), measures="AP,ERR@20")
    best, _ = drawn(selecting(context, "cobalt-bm25-qe"), claim="best", measures="AP")
    assert "`cobalt-bm25-qe`" in best.sentence
    top, _ = drawn(selecting(context, "larch-lmdir"), claim="top", k="3")
    assert "`larch-lmdir`" in top.sentence and "the best 3" in top.sentence
    for make in top.folds.values():
        assert make().sentence


def test_the_folds_show_what_the_functions_find(context):
    panel, _ = drawn(context)
    whole, chosen = (
        context.collection,
        irviz.worlds(context.collection, measure=["AP", "ERR@20"], test=["randomisation"], topics=["all"]),
    )
    found = irviz.undisputed(whole, chosen)
    part = panel.folds["Pairs ordered the same way by every combination"]()
    assert facts_of(part)["pairs ordered alike by all"].value == found.undisputed
    assert facts_of(part)["pairs ordered alike by all"].of == found.pairs
    assert len(part.tables["Undisputed order"].frame) == len(found.edges)
    bars = drawing_of(part, "share").figure.data
    whole = found.undisputed / (len(found.systems) - 1)
    assert [sum(one.x) for one in (bars[0], bars[2])] == pytest.approx([whole, whole], abs=5e-3)
    topics = panel.folds["How many topics are needed"]().tables["Topics needed"].frame
    assert topics["measure"].tolist() == ["AP", "ERR@20"]
    paper = panel.folds["For a paper"]()
    assert "cobalt-bm25-qe" in paper.texts["Settings and numbers"]
    assert paper.tables["Differences"].frame["measure"].tolist() == ["AP", "ERR@20"]
    carried = panel.folds["Which topics carry the difference"]()
    adds = carried.tables["Topics"].frame["adds"]
    assert adds.sum() == pytest.approx(panel.tables["Worlds"].frame["difference"][0])
    assert panel.folds["What flips the verdict"]().tables["Flips"].frame["changes"].is_monotonic_increasing


def test_a_world_opens_on_scores_with_its_choices(context):
    panel, _ = drawn(context, sets="random_half,without_hardest_tenth", world="1")
    ((words, view),) = panel.ways
    assert words == "Open these settings on Scores"
    shown = draw(view, library())
    assert not shown.complaints
    a, b = (shown.context.scores(["AP"])["AP"][name].mean() for name in ("cobalt-bm25-qe", "cobalt-bm25-tuned"))
    assert a - b == pytest.approx(panel.tables["Worlds"].frame["difference"][0], abs=1e-12)
    assert len(shown.context.topics) == 25


def test_imported_scores_have_worlds_too():
    rng = np.random.default_rng(1)
    scores = irviz.stats.scores.Scores(rng.random((2, 12, 4)), ("a", "b"), tuple(map(str, range(12))), tuple("wxyz"))
    context = Context(opened_scores(scores), measures=("a", "b"))
    panel, _ = drawn(context)
    assert len(panel.tables["Worlds"].frame) == 10


def test_names_are_text_in_the_figures():
    rng = np.random.default_rng(2)
    scores = irviz.stats.scores.Scores(rng.random((2, 12, 2)), ("<i>", "b"), tuple(map(str, range(12))), ("x", "y"))
    r = irviz.conclusion(scores, "x > y", irviz.worlds(scores, average="mean", test="t", topics="all"), trials=9)
    text = specification_curve(r, lambda row: ("<b>x</b>", "$y$")[row % 2], "difference", 0).to_json()
    assert "<b>x" not in text and "$y$" not in text and "<i>" not in text
    assert "<i>" not in sign_grid(grid(r), ["mean"]).to_json()


def test_a_bar_of_a_choice_is_the_share_of_its_combinations(context):
    panel, _ = drawn(context)
    frame, table = panel.tables["Worlds"].frame, panel.tables["Choices"].frame
    sure, unsure = drawing_of(panel, "shares").figure.data
    assert len(table) == len(sure.x) == len(unsure.x)
    np.testing.assert_allclose(sure.x, table["holds, significantly"], atol=1e-4)
    np.testing.assert_allclose(np.add(sure.x, unsure.x), table["holds"], atol=2e-4)
    assert sure.x[0] == pytest.approx(((frame["verdict"] == "holds") & frame["significant"]).mean(), abs=1e-4)


def test_a_bar_of_many_systems_parts_all_pairs_into_above_neither_and_below():
    rng = np.random.default_rng(5)
    above = np.triu(rng.random((40, 40)), 1) * (rng.random((40, 40)) < 0.8)
    names = [f"s{i}" for i in range(40)]
    first, neither, last = (np.array(bar.x) for bar in share_square(names, above, noun="topics").data)
    np.testing.assert_allclose(first, above.sum(axis=1) / 39, atol=1e-4)
    np.testing.assert_allclose(last, above.sum(axis=0) / 39, atol=1e-4)
    np.testing.assert_allclose(first + neither + last, 1, atol=2e-4)
    whole = share_square(names, np.where(above > 0.5, 1.0, above)).data[0]
    np.testing.assert_allclose(whole.x, (above > 0.5).sum(axis=1) / 39, atol=1e-4)


def test_a_link_to_a_world_that_is_not_there_names_the_one_that_is_shown(context):
    choices = {"averages": "mean,median", "tests": "t,randomisation"}
    numbers = drawn(context, **choices)[0].tables["Worlds"].frame["world"]
    gap = min(set(range(1, int(numbers.max()))) - set(numbers))
    panel, _ = drawn(context, **choices, world=str(gap))
    last, _ = drawn(context, **choices, world="9999")
    for one, number in ((panel, gap), (last, 9999)):
        assert numbers_in(one.notes[0]) == [number, numbers.max(), 1]


def test_the_joint_test_is_in_the_table_the_curve_and_the_words_for_a_paper(context):
    panel, values = drawn(context)
    r = page.conclude(context, values)
    table = panel.tables["Joint test"].frame
    np.testing.assert_array_equal(table[["observed", "expected", "p"]], r.joint)
    band, intervals, *rest = drawing_of(panel, "curve").figure.data
    points, bars = ([one for one in rest if (one.name == "p < α") == below] for below in (False, True))
    ends = drawing_of(panel, "curve").figure.layout.yaxis.range
    np.testing.assert_allclose(band.y, np.clip([*r.band[0], *r.band[1][::-1]], *ends), atol=1e-5)
    assert len(intervals.x) == 3 * min(MOST_INTERVALS, int(np.isfinite(r.low + r.high)[r.difference != 0].sum()))
    assert sum(len(trace.x) for trace in points) == len(r)
    runs = np.concatenate([np.reshape(one.x, (-1, 3))[:, :2] for one in bars])
    places = np.arange(1, len(r) + 1)
    marked = ((runs[:, :1] < places) & (places < runs[:, 1:])).any(axis=0)
    np.testing.assert_array_equal(marked, r.significant[np.argsort(r.standardised, kind="stable")])


def test_the_topics_that_a_difference_needs_are_said_by_measure(context):
    panel, _ = drawn(context)
    told = panel.folds["How many topics are needed"]()
    needed = told.tables["Topics needed"].frame.set_index("measure")["topics"]
    most, fewest = told.facts
    assert (fewest.value, fewest.names) == (needed.min(), (needed.idxmin(),))
    assert (most.value, most.names) == (needed.max(), (needed.idxmax(),))


def test_numbers_of_topics_that_are_not_proven_the_least_say_at_most(context):
    panel, _ = drawn(context, averages="geometric", tests="randomisation")
    exact, _ = drawn(context, averages="mean", tests="t")
    for one, some in ((panel, True), (exact, False)):
        facts = one.folds["Which topics carry the difference"]().facts
        assert any("at most" in fact.label for fact in facts) == some


def test_only_measures_that_agree_with_users_at_least_as_well_as_one():
    """Users who like what is at the top: RR agrees best, and is left with what agrees as well as nDCG@10."""
    c = opened_once("adhoc")
    measures = ("AP", "nDCG@10", "RR", "P@100")
    liked = irviz.score(c, "RR")["RR"].stack().reset_index()
    liked.columns = ["topic", "system", "satisfaction"]
    people = c.attached(satisfaction=irviz.load_satisfaction(liked))
    context = Context(Dataset("mine", "mine", people), measures=measures, depth=c.depth)
    _, values = drawn(context, users="nDCG@10", averages="mean")
    rho = irviz.satisfaction(irviz.score(c, list(measures)), liked, trials=1).values
    kept = rho.index[rho >= rho["nDCG@10"]].tolist()
    assert 1 < len(kept) < 4 and page.conclude(context, values).worlds.options["measure"] == tuple(kept)
    plain, _ = drawn(context, averages="mean")
    assert set(plain.tables["Worlds"].frame["measure"]) == set(measures)


def test_equal_steps_open_on_scores_as_they_are_scored():
    opened = opened_bundled("adhoc")
    context = Context(opened, measures=("RR@10", "AP"), depth=opened.depth)
    choices = {"averages": "mean", "steps": "as_it_is,equal", "unjudged": "not_relevant", "missing": "zero"}
    panel, _ = drawn(context, **choices, world="2", judges="people", rules="trec_eval")
    assert panel.tables["Worlds"].frame["steps"].tolist() == ["as_it_is", "equal", "as_it_is"]
    shown = draw(panel.ways[0][1], library())
    assert not shown.complaints and shown.values["measure"] == "Interval(RR@10)"
    a, b = (shown.context.scores(["Interval(RR@10)"]).frame().groupby("system").score.mean()[n] for n in
            ("cobalt-bm25-qe", "cobalt-bm25-tuned"))  # fmt: skip
    assert a - b == pytest.approx(panel.tables["Worlds"].frame["difference"][1], abs=1e-12)


def test_many_systems_have_their_best_and_worst_rank_in_place_of_a_wedge(context):
    panel, _ = drawn(context)
    part = panel.folds["Pairs ordered the same way by every combination"]()
    trace = drawing_of(part, "order").figure.data[0]
    ranks = part.tables["Ranks"].frame
    assert np.array_equal(np.sort(trace.x), np.sort(ranks["median rank"]))
    assert np.array_equal(np.sort(trace.x + trace.error_x.array), np.sort(ranks["worst rank"]))
    few = drawn(replace(context, systems=context.systems[:24]))[0]
    assert (
        drawing_of(few.folds["Pairs ordered the same way by every combination"](), "order").figure.data[0].mode
        == "lines"
    )


def test_groups_of_topics_have_a_fact_a_figure_and_a_table(context):
    c = context.collection
    groups = {topic: "even" if int(topic) % 2 == 0 else "odd" for topic in c.topics[:-3]}
    grouped = replace(context, dataset=replace(context.dataset, collection=c.attached(groups=groups)))
    panel, values = drawn(grouped)
    expected = irviz.by_group(c, "AP", page.claim_text(grouped, values), groups=groups)
    assert expected.groups == ("even", "odd", "(none)")
    fact = next(fact for fact in panel.all_facts if "groups" in fact.label)
    assert (fact.value, fact.of, fact.names) == (len(expected.turns), 3, expected.turns)
    np.testing.assert_array_equal(panel.tables["Groups"].frame.difference, expected.difference)
    dots = drawing_of(panel, "groups").figure.data[0]
    np.testing.assert_allclose(dots.x, expected.difference, atol=1e-5)
    assert not any("groups" in fact.label for fact in drawn(context)[0].all_facts)
