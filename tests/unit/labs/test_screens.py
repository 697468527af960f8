"""Labs on one screen: what the browser shows is what the lab computes, goals can be reached, links open."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import pytrec_eval

from irviz.figures.theme import BLUE, dress
from irviz.figures.unchecked import unchecked
from irviz.labs import aspects, averages, graded_ap, scales
from irviz.labs.browsing import counted, expression, walk, walk_of
from irviz.labs.conventions import APART, NUMBERS, heights, mean_ap
from irviz.labs.lab import judged_list
from irviz.labs.screen import Screen
from irviz.measures import measure
from irviz.measures.toma import equivalence_classes
from irviz.menu import LABS, page_named
from irviz.publish.draw import draw
from irviz.publish.site import alone, places
from irviz.stats.aggregate import aggregate
from irviz.stats.scales import scale_type
from irviz.workspace.data import library
from irviz.workspace.view import settle
from tests.unit.labs.test_labs import ILL

named = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
ENDS = {
    "lab_aggregation": [
        {"average": "-1", **dict.fromkeys(("s1", "s2", "s3", "s4"), "0,0,0,0,0")},
        {"average": "median", "guess": "S2"},
    ],
    "lab_aspects": [
        {"bend": "chebyshev", "guess": "10"},
        {"c1": "0", "c2": "0", "bend": "euclidean"},
        {"c1": "2", "c2": "2"},
    ],
    "lab_browsing": [
        {"stay": "99", "grades": "3", "takes": "fin"},
        {"stay": "1", "reads": "ERR", "grades": "0,0", "takes": "ERG"},
        {"reads": "P", "takes": "max"},
    ],
    "lab_conventions": [
        {"guess": "0.5"},
        {"base": "retrieved", "unjudged": "condensed", "missing": "zero", "order": "trec_eval_ascending"},
    ],
    "lab_graded_ap": [
        {"top": "1"},
        {"top": "1000", "users": "0"},
        {"grades": "0"},
        {"grades": "2,0,1,1", "users": "4"},
    ],
    "lab_scales": [
        {"p": "0.95", "length": "5"},
        {"p": "0.2", "grades": "3", "length": "5"},
        {"measure": "ERR", "length": "5"},
        {"measure": "P", "grades": "3"},
        {"measure": "P", "length": "2", "guess": "B", "compared": "AB"},
        {"grades": "3", "guess": "A", "compared": "AB"},
    ],
}


def values_at(lab: Screen, **texts: str) -> dict[str, Any]:
    values, complaints = settle(lab.controls, texts, None)
    assert complaints == []
    return values


@cache
def moving(name: str) -> dict[str, Any]:
    lab = page_named(name)
    return json.loads(lab.moving_figure(values_at(lab)).figure.to_json())


def drawn(lab: Screen, **values: Any) -> list[dict[str, Any]]:
    """The traces of the figure, and the mark of the guess."""
    values = {**values_at(lab), **values}
    traces = json.loads(unchecked({"data": lab.drawn(values)}).to_json())["data"]
    figure = json.loads(lab.figure(values).figure.to_json())["data"]
    assert traces[: len(figure)] == figure and len(traces) == len(figure) + (lab.mark is not None)
    return traces


@named
def test_every_goal_is_open_at_first_and_reached_by_its_solution(lab):
    for goal in lab.goals:
        assert not goal.goal.is_met(lab.readings(values_at(lab)))
        assert goal.goal.is_met(lab.readings(values_at(lab, **goal.solution))), goal.title


@named
def test_every_goal_is_reached_without_a_server(lab):
    one, far = alone(lab), {goal.title for goal in lab.goals}
    for values in places(lab).values():
        moved = [one.parsed(goal["given"]) for to in lab.drags(values) for goal in to]
        for now in (*one.moments(values), *({**values, **given} for given in moved)):
            far -= {goal.title for goal in lab.goals if goal.goal.is_met(lab.readings(now))}
            if not far:
                return
    raise AssertionError(far)


@named
def test_a_frame_is_the_figure_that_the_lab_draws_there_and_says_the_same(lab):
    content, start, moments = moving(lab.name), drawn(lab), lab.moments(values_at(lab))
    said = content["layout"]["meta"]["screen"]
    assert len(moments) == len(content["frames"]) == len(said)
    for n in range(0, len(moments), 5):
        changes = content["frames"][n]["data"]
        assert [{**a, **b} for a, b in zip(start, changes, strict=True)] == drawn(lab, **moments[n])
        assert said[n] == lab.now_said(moments[n])
    for name, handle in lab.handles.items():
        reached = [now[name] for now in moments if {**now, name: values_at(lab)[name]} == values_at(lab)]
        assert not handle.live or set(handle.stops(values_at(lab))) == set(reached)


@named
def test_what_is_dragged_shows_what_the_lab_then_draws_and_a_guess_is_answered(lab):
    content, start, picks = moving(lab.name), drawn(lab), lab.all_picks
    outcomes, names = content["layout"]["meta"]["outcomes"], [trace.get("meta", {}) for trace in content["data"]]
    for goals in [to for meta in names for to in meta.get("drag", [])]:
        for goal in goals[::7]:
            given = {name: text for name, text in zip(picks, goal["given"], strict=True) if text is not None}
            values = values_at(lab, **given)
            answer = {"guess": lab.guess_line(values)} if "guess" in given else {}
            assert outcomes[goal["then"]]["said"] == lab.now_said(values) | answer
            now = [{**a, **b} for a, b in zip(start, outcomes[goal["then"]]["data"], strict=True)]
            assert now == drawn(lab, **values)
            if lab.mark and lab.guessed(values):
                held = {name: text for name, text in given.items() if name == "guess"}
                asked = {"guess": lab.guess}  # until it is let go
                assert outcomes[goal["outcome"]]["said"] == lab.now_said(values_at(lab, **held)) | asked


@pytest.mark.parametrize("lab", [lab for lab in LABS if lab.mark], ids=lambda lab: lab.name)
def test_a_guess_is_made_once_and_not_after_the_answer(lab):
    guess = lab.control("guess").format(lab.mark.stops[0])
    answered = {name: lab.control(name).format(value) for name, value in lab.mark.answers.items()}
    for texts in ({"guess": guess, **answered}, *([answered] if answered else [])):
        figure = json.loads(lab.moving_figure(values_at(lab, **texts)).figure.to_json())
        assert "meta" not in figure["data"][-1] and (figure["data"][-1]["x"] == [None]) == ("guess" not in texts)
    here, there = (lab.guess_line(values_at(lab, guess=guess, **texts)) for texts in ({}, answered))
    assert there.startswith(here) and (here != there) == bool(answered), "no verdict where something else is shown"
    assert lab.control("guess").default not in lab.mark.stops


@named
def test_sentences_are_well_formed_and_the_page_and_a_report_can_be_drawn(lab):
    for texts in ({}, *ENDS.get(lab.name, [])):
        values = values_at(lab, **texts)
        panel, html = lab.panel(None, values), " ".join(lab.html(values))
        assert not [text for text in (panel.sentence, *panel.notes) if ILL.search(text)]
        shown = re.sub("<select.*?</select>|<[^>]+>", "", html)
        assert all(word in shown or not word for name, word in lab.said(values).items()), texts
        for (figure,) in (row.values() for row in panel.drawings):
            assert figure.alt and figure.title


@named
def test_what_is_locked_is_no_handle(lab):
    names = frozenset({*lab.handles, *lab.choices})
    assert "data-name" not in " ".join(lab.html(values_at(lab), names))


@named
def test_the_link_to_real_data_opens_with_the_same_settings(lab):
    views = {lab.data(values_at(lab, **goal.solution))[1] for goal in lab.goals}
    for view in views:
        shown = draw(view, library())
        assert shown.complaints == () and shown.panel.drawings


def test_the_scores_of_graded_ap_by_hand():
    """Of 1, 1, 0, 2 one user has AP (1 + 1 + 3/4)/3 and nine 1/4; the pot holds three precisions and nine."""
    one, two = graded_ap.own_aps((1, 1, 0, 2))
    assert (one, two) == pytest.approx((2.75 / 3, 1 / 4))
    assert graded_ap.scores((1, 1, 0, 2), 1) == pytest.approx(((2.75 + 9 / 4) / 12, (2.75 / 3 + 9 / 4) / 10))
    assert graded_ap.scores((1, 1, 0, 2), 10) == pytest.approx((one, one))


@pytest.mark.parametrize("texts", [{}, {"top": "20", "users": "3"}, {"grades": "2,0,1,1", "users": "4"}])
def test_gap_is_the_mean_height_of_users_as_wide_as_their_relevant_documents(texts):
    values = values_at(page_named("lab_graded_ap"), **texts)
    grades, users = graded_ap.whole_list(values), values["users"]
    heights = np.repeat(graded_ap.own_aps(grades), (users, 10 - users))
    by_width = np.average(heights, weights=graded_ap.relevant(values))
    assert graded_ap.scores(grades, users) == pytest.approx((by_width, heights.mean()))


@pytest.mark.parametrize(
    ("ties", "unjudged", "missing", "options"),
    [
        ("trec_eval", "not_relevant", "left_out", {}),
        ("trec_eval_ascending", "not_relevant", "zero", {}),
        ("trec_eval", "condensed", "left_out", {"judged_docs_only_flag": True}),
    ],
)
def test_the_numbers_of_one_list_are_those_of_the_tools(ties, unjudged, missing, options):
    """trec_eval on a run whose identifiers, turned round, are in ascending order; cwl_eval divides by three of five."""
    grades, scores = [1, 1, None, 0, 0, None, 1, 0], [6, 5, 5, 5, 4, 3, 3, 2]
    letters = "hgfedcba" if ties == "trec_eval" else "abcdefgh"
    qrels = {"1": {name: grade for name, grade in zip(letters, grades, strict=True) if grade is not None}}
    qrels["1"] |= {"x": 1, "y": 1}
    run = {"1": {name: float(score) for name, score in zip(letters, scores, strict=True)}}
    printed = pytrec_eval.RelevanceEvaluator(qrels, {"map"}, **options).evaluate(run)["1"]["map"]
    found = mean_ap("judged", ties, unjudged, missing)
    assert found == pytest.approx(printed / (2 if missing == "zero" else 1))
    assert mean_ap("retrieved", ties, unjudged, missing) == pytest.approx(found * 5 / 3)


def test_dots_of_different_numbers_do_not_cover_each_other():
    dots = sorted({*zip(heights(NUMBERS), NUMBERS, strict=True)})
    assert len(dots) == 16
    assert all(high > low or b - a >= APART for (low, a), (high, b) in pairwise(dots))
    lab = page_named("lab_conventions")
    presses = [goal for (goal,) in lab.drags(values_at(lab))]
    assert [mean_ap(*goal["given"]) for goal in presses] == pytest.approx([goal["x"] for goal in presses], abs=1e-4)


@pytest.mark.parametrize("takes", ["ERG", "max", "fin"])
@pytest.mark.parametrize("reads", ["RBP", "P", "ERR"])
def test_what_readers_take_home_is_the_measure_that_the_sentence_names(reads, takes):
    for stay, grades in (("80", "2,0,3,1,0,0,2,0,0,1"), ("10", "3,3"), ("96", "0,0,0,1,3,2")):
        values = values_at(page_named("lab_browsing"), reads=reads, takes=takes, stay=stay, grades=grades)
        below = judged_list([*values["grades"], *[0] * 600], 3)
        named = measure(expression(values))
        assert walk_of(values).score == pytest.approx(float(named.evaluate(below)[0]), abs=1e-9)
        last, every_one = (walk(values["grades"], "RBP", int(stay), home).score for home in ("fin", "ERG"))
        assert last == pytest.approx(every_one, abs=1e-12)
        shares = walk_of(values).shares
        assert sum(counted(shares)) == 100 and np.abs(counted(shares) - 100 * shares).max() < 1
    assert walk((2,), "RBP", 80, "ERG").score == pytest.approx(0.2 * 2 / 3)


@pytest.mark.parametrize("takes", ["ERG", "max", "fin"])
@pytest.mark.parametrize("reads", ["RBP", "P", "ERR"])
def test_the_score_is_the_mean_of_what_is_drawn_of_readers_and_all_of_it_is_seen(reads, takes):
    lab = page_named("lab_browsing")
    for grades in ("1,2,2,0,1,3,0,0,2,0", "0,0,2,2,2,2,1,3,0,0", "1,1,1,1,2,2,2,2,3,3", "3,3,3", "0,0,0,0,0,0,0,1,2,3"):
        for stay in (1, 10, 15, 40, 55, 80, 95, 99) if reads == "RBP" else (80,):
            values = values_at(lab, reads=reads, takes=takes, stay=f"{stay}", grades=grades)
            figure = json.loads(lab.figure(values).figure.to_json())
            area = next(trace for trace in figure["data"] if trace.get("fill") == "tozeroy")
            x, y = np.array(area["x"]), np.array(area["y"])
            assert np.diff(x) @ y[:-1] == pytest.approx(walk_of(values).score, abs=5e-4)
            strips = next(trace for trace in figure["data"] if trace.get("fill") == "toself")["y"]
            assert y.max() <= max(each or 0 for each in strips) / 1.1 + 1e-4 < figure["layout"]["yaxis"]["range"][1]


@pytest.mark.parametrize("under", ["RBP", "P", "ERR"])
def test_goals_about_a_changed_list_need_the_readers_under_whom_it_was_changed(under):
    lab = page_named("lab_browsing")
    for goal, reads in zip(lab.goals[1:], ("P", "ERR"), strict=True):
        changed = values_at(lab, **{**goal.solution, "under": under})
        assert goal.goal.is_met(lab.readings(changed)) == (under == reads)


@pytest.mark.parametrize(("p", "falls", "kind"), [(0.45, 0, "ordinal"), (0.5, 0, "interval"), (0.55, 1, "neither")])
def test_rbp_is_straight_at_one_half_alone(p, falls, kind):
    lab = page_named("lab_scales")
    read, values = lab.readings(values_at(lab, p=f"{p}")), scale_type(f"RBP(p={p})", grades=2, depth=4).values
    assert (read["steps that fall"], read["scale"]) == (falls, kind)
    weights = np.array([(1 - p) * p**n for n in range(4)])
    by_hand = [float(weights @ [int(sign) for sign in f"{n:04b}"]) for n in range(16)]
    assert values == pytest.approx(by_hand) and (np.diff(by_hand) < -1e-9).sum() == falls
    assert np.array(stairs(drawn(lab, p=p, compared="AB"))) * max(by_hand) == pytest.approx(by_hand, abs=1e-4)


def stairs(traces: list[dict[str, Any]]) -> list[float | None]:
    """The heights of the stairs."""
    return next(trace for trace in traces if trace.get("line", {}).get("color") == BLUE)["y"][::2]


@pytest.mark.parametrize(
    ("texts", "a", "b"),
    [
        ({}, 0.3904, 0.2),  # 0.2 × (1, 0.8, 0.64, 0.512)
        ({"p": "0.5"}, 7 / 16, 8 / 16),
        ({"measure": "ERR"}, 35 / 96, 1 / 2),
    ],
)
def test_a_and_b_have_their_scores_on_the_stairs_once_a_guess_is_made(texts, a, b):
    lab = page_named("lab_scales")
    values, both = values_at(lab, **texts), [f"A {a:.3f}", f"B {b:.3f}"]
    hidden, shown = (drawn(lab, **{**values, "compared": compared}) for compared in ("", "AB"))
    assert both in [trace.get("text") for trace in shown] and both not in [trace.get("text") for trace in hidden]
    asked = [n for n, height in enumerate(stairs(hidden)) if height is None]
    assert asked == [7, 8] and None not in stairs(shown) and lab.figure(values).alt.count("?") == 2
    steps = np.array([trace["y"] for trace in hidden if trace.get("fill") == "tozeroy"]).reshape(2, 15, 4)
    assert not steps[:, 6:9].any()


@pytest.mark.parametrize("texts", [{"length": "5"}, {"grades": "3"}, {"measure": "P"}])
def test_nothing_is_hidden_where_a_and_b_are_not_among_the_lists(texts):
    lab = page_named("lab_scales")
    assert None not in stairs(drawn(lab, **values_at(lab, **texts)))


def test_the_answer_is_a():
    lab = page_named("lab_scales")
    said = [lab.answer(values_at(lab, guess=guess, compared="AB")) for guess in ("A", "B")]
    assert [text.split(":")[0] for text in said] == ["Yes", "No"] and all("0.390" in text for text in said)


@pytest.mark.parametrize("grades", [2, 3])
@pytest.mark.parametrize("measure", ["RBP", "ERR", "P"])
def test_lists_are_in_the_order_that_is_said_ranks_count_as_said_and_falls_are_counted(measure, grades):
    lab = page_named("lab_scales")
    for p in scales.STOPS:
        values = {**values_at(lab, measure=measure, grades=f"{grades}", compared="AB"), "p": p}
        scale, step = scales.chosen_scale(values), np.diff(scales.chosen_scale(values).values)
        texts = [trace.get("text") for trace in drawn(lab, **values)]
        assert [f"{(step < -1e-9).sum()} of {len(step)}"] in texts
        runs = list(scale.runs)
        by_count = (lambda run: (run.count(2), run.count(1))) if measure == "P" else None
        assert runs == sorted(runs, key=by_count)
        if measure != "P":
            alone = [scale.values[runs.index(tuple(one))] for one in np.eye(4, dtype=int) * (grades - 1)]
            shares = np.array(alone[1:]) / alone[:-1]
            assert shares == pytest.approx(p) if measure == "RBP" else (shares < 1).all()


def test_averages_of_the_papers_table():
    """Ravana & Moffat 2009, Table 1; ε = 0.01."""
    means, winners = averages.table_of(values_at(page_named("lab_aggregation")))
    rows = {name: means[averages.STOPS.index(stop)] for stop, name in averages.NAMES.items()}
    for name, how in (("arithmetic mean", "mean"), ("geometric mean", "geometric"), ("harmonic mean", "harmonic")):
        assert rows[name] == pytest.approx(aggregate(np.array(averages.TABLE_1).T, how, averages.EPS))
    assert rows["arithmetic mean"] == pytest.approx([0.28, 0.26, 0.26, 0.22])
    assert rows["geometric mean"] == pytest.approx([0.192, 0.151, 0.228, 0.217], abs=5e-4)
    assert rows["harmonic mean"] == pytest.approx([0.148, 0.034, 0.2, 0.214], abs=5e-4)
    assert rows["median"] == pytest.approx([0.1, 0.3, 0.2, 0.2])
    assert (np.diff(means[:-1], axis=0) < 0).all(), "a power mean falls with its exponent"
    changes = [winners[0], *(b for a, b in zip(winners, winners[1:], strict=False) if a != b)]
    assert changes == [[0], [2], [3], [1]]
    by_hand = np.power(np.mean(np.power(np.array(averages.TABLE_1) + 0.01, 0.5), axis=1), 2) - 0.01
    assert means[averages.STOPS.index("0.5")] == pytest.approx(by_hand)


@pytest.mark.parametrize("texts", [{}, {"average": "-0.95"}, {"average": "median", "s4": "0.9,0.2,0.3,0.2,0.2"}])
def test_who_wins_with_the_harmonic_mean_is_on_no_strip_before_the_guess(texts):
    lab = page_named("lab_aggregation")
    values, guessed = values_at(lab, **texts), values_at(lab, **texts, guess="S2")
    strips = lab.drawn(values), lab.drawn(guessed, held=True), lab.drawn(guessed), lab.drawn(values | {"average": "-1"})
    assert [strip[4]["y"][averages.ASKED] for strip in strips] == [averages.OUT, averages.OUT, 3, 3]


@pytest.mark.parametrize("bend", list(aspects.RULES))
def test_documents_are_ordered_as_toma_orders_them(bend):
    levels = {"relevance": range(4), "correctness": range(3)}
    for c1, c2 in ((1.5, 1.5), (1.0, 1.0), (0.25, 2.0)):
        classes = equivalence_classes(levels, bend, [range(4), (0, c1, c1 + c2)], "dependent")["class"]
        distances, _ = aspects.order({"bend": bend, "c1": c1, "c2": c2})
        worse = [sum(classes > classes[pair]) + 1 for pair in aspects.PAIRS]
        assert [aspects.ranks(distances, n)[0] for n in range(len(worse))] == worse
    fake = aspects.ranks(aspects.order({"bend": bend, "c1": 1.5, "c2": 1.5})[0], aspects.FAKE)
    assert fake == {"manhattan": (6, 6), "euclidean": (7, 7), "chebyshev": (7, 10)}[bend]


@pytest.mark.parametrize(("c1", "c2"), [("0", "0"), ("1.5", "1.5"), ("2", "0.5")])
def test_a_label_of_correctness_goes_to_every_place_and_changes_its_own_step_alone(c1, c2):
    lab = page_named("lab_aspects")
    lowest, between, *presses = lab.drags(values_at(lab, c1=c1, c2=c2))
    for goals, of, other in ((lowest, ("c1", "c2"), {"c2": float(c2)}), (between, ("c2",), {"c1": float(c1)})):
        for goal in goals:
            given = {name: text for name, text in zip(lab.picks, goal["given"], strict=True) if text is not None}
            values = values_at(lab, **{"c1": c1, "c2": c2} | given)
            below = sum(values[name] for name in of)
            assert below == pytest.approx(aspects.TOP - goal["y"], abs=1e-4) and values | other == values
        assert [goal["y"] for goal in goals] == sorted((goal["y"] for goal in goals), reverse=True)
    assert len(presses) == len(aspects.PAIRS) - 1 + len(aspects.RULES)


def test_aspects_lead_to_a_collection_that_has_several():
    lab = page_named("lab_aspects")
    assert len(draw(lab.data(values_at(lab))[1], library()).context.collection.aspects) > 1


@named
def test_what_moves_on_a_dark_page_has_the_inks_that_it_began_with(lab):
    """Frames that leave out the marks under a text kept the ink of a light page."""
    drawn = dress(lab.moving_figure({control.name: control.default for control in lab.controls}).figure, True).to_dict()
    moved = [*drawn.get("frames", ()), *drawn["layout"]["meta"]["outcomes"]]
    for now, first in (pair for one in moved for pair in zip(one["data"], drawn["data"], strict=False)):
        if "color" in now.get("textfont", {}):
            inks, before = (set(np.atleast_1d(trace["textfont"]["color"])) for trace in (now, first))
            assert inks & before
